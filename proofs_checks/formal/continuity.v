(* Continuous real functions on a space: sums, products, and functions of a distance. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone.
Local Open Scope R_scope.

Section Continuity.
Context {H : space}.
Implicit Types (T U : H -> R) (g h p : H).

Definition continuous_functional (T : H -> R) : Prop :=
  forall g e, 0 < e -> exists d, 0 < d /\ forall h, norm (sub h g) < d -> Rabs (T h - T g) < e.

(* What holds within some distance of g. *)
Definition near g (A : H -> Prop) : Prop := exists d, 0 < d /\ forall h, norm (sub h g) < d -> A h.

Global Instance near_filter g : Filter (near g).
Proof.
  split.
  - exists 1; split; [lra|trivial].
  - intros A B [d [Hd HA]] [e [He HB]]; exists (Rmin d e); split; [apply Rmin_pos; assumption|].
    intros h lt; pose proof (Rmin_l d e); pose proof (Rmin_r d e); split; [apply HA|apply HB]; lra.
  - intros A B AB [d [Hd HA]]; exists d; split; [exact Hd|]; intros h lt; apply AB, HA, lt.
Qed.

Lemma continuous_near T : continuous_functional T <-> forall g, filterlim T (near g) (locally (T g)).
Proof.
  split; intros cont g.
  - intros A [e HA]; destruct (cont g e (cond_pos e)) as [d [Hd close]]; exists d; split; [exact Hd|].
    intros h lt; apply HA; exact (close h lt).
  - intros e pos; apply (cont g (fun y => Rabs (y - T g) < e)); exists (mkposreal e pos); intros y lt; exact lt.
Qed.

Lemma continuous_constant c : continuous_functional (fun _ => c).
Proof. intros g e pos; exists 1; split; [lra|]; intros h _; rewrite Rminus_eq_0, Rabs_R0; exact pos. Qed.

Lemma continuous_add T U : continuous_functional T -> continuous_functional U ->
  continuous_functional (fun g => T g + U g).
Proof.
  rewrite !continuous_near; intros CT CU g.
  eapply filterlim_comp_2; [apply CT|apply CU|]; apply (@filterlim_plus R_AbsRing R_NormedModule).
Qed.

Lemma continuous_mult T U : continuous_functional T -> continuous_functional U ->
  continuous_functional (fun g => T g * U g).
Proof.
  rewrite !continuous_near; intros CT CU g.
  eapply filterlim_comp_2; [apply CT|apply CU|]; apply (@filterlim_mult R_AbsRing).
Qed.

Lemma continuous_sum n (T : nat -> H -> R) : (forall i, (i < n)%nat -> continuous_functional (T i)) ->
  continuous_functional (fun g => sum n (fun i => T i g)).
Proof.
  induction n as [|n IH]; intros cont; simpl; [apply continuous_constant|].
  apply continuous_add; [apply IH; intros i Hi; apply cont|apply cont]; lia.
Qed.

Lemma continuous_distance p : continuous_functional (fun g => norm (sub p g)).
Proof.
  intros g e pos; exists e; split; [exact pos|]; intros h lt; eapply Rle_lt_trans; [apply triangle_reverse|exact lt].
Qed.

Lemma continuous_dot p : continuous_functional (fun g => dot g p).
Proof.
  intros g e pos; pose proof (norm_nonneg p) as Np; exists (e / (norm p + 1)).
  split; [apply Rdiv_lt_0_compat; lra|]; intros h lt; rewrite <- dot_sub.
  eapply Rle_lt_trans; [apply Cauchy_Schwarz_abs|].
  apply Rle_lt_trans with (norm (sub h g) * (norm p + 1)); [apply Rmult_le_compat_l; [apply norm_nonneg|lra]|].
  apply Rlt_le_trans with (e / (norm p + 1) * (norm p + 1)); [apply Rmult_lt_compat_r; lra|right; field; lra].
Qed.

Lemma continuous_function (f : R -> R) p : continuous_on (Rle 0) f ->
  continuous_functional (fun g => f (norm (sub p g))).
Proof.
  intros cont; apply continuous_near; intros g A HA.
  destruct (cont (norm (sub p g)) (norm_nonneg _) A HA) as [d all].
  destruct (continuous_distance p g d (cond_pos d)) as [e [He close]]; exists e; split; [exact He|].
  intros h lt; apply all; [exact (close h lt)|apply norm_nonneg].
Qed.

(* J, the mean of phi, and the coordinates of V are continuous. *)
Lemma J_continuous n P m L : continuous_on (Rle 0) (rho L) -> continuous_functional (@J H n P m L).
Proof.
  intros cont; apply (continuous_sum n (fun i g => m i * rho L (norm (sub (P i) g)))); intros i _.
  apply continuous_mult; [apply continuous_constant|apply continuous_function, cont].
Qed.

Lemma V_continuous n P m L x : continuous_on (Rle 0) (phi L) ->
  continuous_functional (fun g : H => dot (V n P m L g) x).
Proof.
  intros cont; set (row := fun i (g : H) => m i * phi L (norm (sub (P i) g)) * (dot (P i) x + -1 * dot g x)).
  assert (eq : forall g, dot (V n P m L g) x = sum n (fun i => row i g)).
  { intros g; unfold V, row, residual; rewrite dot_comb; apply sum_ext; intros i _; rewrite dot_sub; ring. }
  assert (rows : continuous_functional (fun g => sum n (fun i => row i g))).
  { apply continuous_sum; intros i _; apply continuous_mult; [apply continuous_mult|apply continuous_add];
      [apply continuous_constant|apply continuous_function, cont|apply continuous_constant|].
    apply continuous_mult; [apply continuous_constant|apply continuous_dot]. }
  intros g e pos; destruct (rows g e pos) as [d [Hd close]]; exists d; split; [exact Hd|].
  intros h lt; rewrite !eq; exact (close h lt).
Qed.

End Continuity.

(* rho is continuous on x >= 0 by (A1) and its slope. *)
Lemma rho_continuous L : psi_is_slope L -> A1 L -> continuous_on (Rle 0) (rho L).
Proof.
  intros slope a1 x [pos|<-].
  - apply (filterlim_filter_le_1 (F := locally x)); [apply filter_le_within|].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule); exists (psi L x); apply slope, pos.
  - intros A [e HA]; destruct (proj1 (right_limit _ _) (A1_right_continuous L a1) e (cond_pos e)) as [d [Hd close]].
    exists (mkposreal d Hd); intros y lt [Hy|<-]; apply HA; [|apply ball_center].
    change (Rabs (y - 0) < d) in lt; change (Rabs (rho L y - rho L 0) < e); apply close.
    rewrite Rminus_0_r, Rabs_right in lt by lra; lra.
Qed.
