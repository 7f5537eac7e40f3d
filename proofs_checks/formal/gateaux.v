(* Lemma 1: the Gateaux differential of J, and what vanishes at a minimum. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate.
Local Open Scope R_scope.

Lemma derive_sum n (f : nat -> R -> R) (d : nat -> R) (s : R) :
  (forall i, (i < n)%nat -> is_derive (f i) s (d i)) -> is_derive (fun t => sum n (fun i => f i t)) s (sum n d).
Proof.
  induction n as [|n IH]; intros der; simpl; [apply @is_derive_const|].
  apply @is_derive_plus; [apply IH; intros i Hi; apply der|apply der]; lia.
Qed.

(* A derivative is 0 at a minimum. *)
Lemma Fermat (f : R -> R) (s d : R) : is_derive f s d -> (forall t, f s <= f t) -> d = 0.
Proof.
  intros der least; apply is_derive_Reals in der.
  apply (deriv_minimum f (s - 1) (s + 1) s (exist _ d der)); try lra; intros t _ _; apply least.
Qed.

Section Differential.
Context {H : space}.
Implicit Types p g h v : H.

(* The point g + s h. *)
Definition along g h (s : R) : H := add g (scale s h).

Lemma square_along p g h t s : let v := sub p (along g h t) in
  dot (sub p (along g h s)) (sub p (along g h s)) = dot v v - 2 * (s - t) * dot v h + (s - t) ^ 2 * dot h h.
Proof.
  unfold along, sub; rewrite ?dot_add, ?dot_add_r, ?dot_scale, ?dot_scale_r, ?dot_add, ?dot_add_r, ?dot_scale,
    ?dot_scale_r, (dot_comm _ g p), (dot_comm _ h p), (dot_comm _ h g); ring.
Qed.

(* Claim gateaux.off_the_point, equation (16): where p differs from g + t h, the derivative of
   rho(|p - g - s h|) in s at t is phi(|p - g - t h|) times -(p - g - t h, h). *)
Theorem derivative_off_the_point L p g h t : psi_is_slope L -> p <> along g h t ->
  is_derive (fun s => rho L (norm (sub p (along g h s)))) t
    (phi L (norm (sub p (along g h t))) * - dot (sub p (along g h t)) h).
Proof.
  intros slope off; set (v := sub p (along g h t)).
  assert (pos : 0 < norm v).
  { destruct (norm_nonneg v) as [lt|zero]; [exact lt|exfalso].
    apply off, sub_origin, norm_zero; symmetry; exact zero. }
  set (square := fun s => dot v v - 2 * (s - t) * dot v h + (s - t) ^ 2 * dot h h).
  apply (is_derive_ext (fun s => rho L (sqrt (square s)))).
  { intros s; unfold norm; do 2 f_equal; symmetry; apply square_along. }
  assert (start : square t = dot v v) by (unfold square; ring).
  replace (phi L (norm v) * - dot v h) with ((- dot v h / norm v) * psi L (norm v))
    by (rewrite <- (phi_times L (norm v)) by exact pos; field; lra).
  apply (is_derive_comp (rho L) (fun s => sqrt (square s))).
  - rewrite start; apply slope, pos.
  - unfold square, norm in *; auto_derive.
    + replace (_ + _) with (dot v v) by ring.
      rewrite <- norm_sqr; unfold norm; apply Rmult_lt_0_compat; exact pos.
    + match goal with |- context [sqrt ?a] => replace a with (dot v v) by ring end; field; lra.
Qed.

(* Claim gateaux.at_the_point, equation (17): where p = g + t h, the derivative is 0, from both sides. *)
Theorem derivative_at_the_point L p g h t : A1 L -> p = along g h t ->
  is_derive (fun s => rho L (norm (sub p (along g h s)))) t 0.
Proof.
  intros [_ [zero lim]] at_p.
  assert (size : forall s, norm (sub p (along g h s)) = Rabs (s - t) * norm h).
  { intros s; unfold norm at 1; rewrite (square_along p g h t s), <- at_p, !dot_sub, !dot_sub_r.
    rewrite <- norm_scale; unfold norm; f_equal; rewrite dot_scale, dot_scale_r; ring. }
  apply (is_derive_ext (fun s => rho L (Rabs (s - t) * norm h))); [intros s; rewrite size; reflexivity|].
  apply is_derive_Reals; intros e Hepos; pose proof (norm_nonneg h) as Nh.
  destruct (proj1 (right_limit _ _) lim (e / (norm h + 1))) as [d [Hd near]]; [apply Rdiv_lt_0_compat; lra|].
  assert (Hd' : 0 < d / (norm h + 1)) by (apply Rdiv_lt_0_compat; lra).
  exists (mkposreal _ Hd'); intros s Hs small; simpl in small.
  replace (t + s - t) with s by ring; rewrite Rminus_eq_0, Rabs_R0, Rmult_0_l, zero, !Rminus_0_r.
  destruct Nh as [pos|none]; [|rewrite <- none, Rmult_0_r, zero; unfold Rdiv; rewrite Rmult_0_l, Rabs_R0; assumption].
  pose proof (Rabs_pos_lt s Hs) as As; set (y := Rabs s * norm h).
  assert (Hy : 0 < y < d).
  { split; [apply Rmult_lt_0_compat; assumption|]; unfold y.
    apply Rlt_le_trans with (d / (norm h + 1) * (norm h + 1)); [|right; field; lra].
    apply Rmult_le_0_lt_compat; lra. }
  specialize (near y Hy); rewrite Rminus_0_r in near.
  replace (Rabs (rho L y / s)) with (Rabs (rho L y / y) * norm h).
  - apply Rlt_le_trans with (e / (norm h + 1) * (norm h + 1)); [|right; field; lra].
    apply Rmult_le_0_lt_compat; [apply Rabs_pos|lra|exact near|lra].
  - unfold Rdiv; rewrite !Rabs_mult, !Rabs_inv, (Rabs_right y) by lra; unfold y; field; lra.
Qed.

(* Claim gateaux.necessary: where the Gateaux differential of T at g along h exists, it is 0 if g is a minimiser. *)
Theorem necessary (T : H -> R) g h d : minimiser T g -> Gateaux T g h d -> d = 0.
Proof.
  intros least der; apply (Fermat _ 0 d der); intros t.
  replace (add g (scale 0 h)) with g; [apply least|].
  apply same; intros x; rewrite dot_add, dot_scale; ring.
Qed.

Section Objective.
Variables (n : nat) (P : nat -> H) (m : nat -> R) (L : loss).
Notation J := (J n P m L).
Notation V := (V n P m L).

Lemma along_zero g h : along g h 0 = g.
Proof. apply same; intros x; unfold along; rewrite dot_add, dot_scale; ring. Qed.

(* Claims theorems.lemma_1 and gateaux.off_the_point (the mean over the rows): the Gateaux differential of J at g along h is -(V(g), h), and V(g) = 0 at every
   minimiser of J. *)
Theorem lemma_1 : psi_is_slope L -> A1 L ->
  (forall g h, Gateaux J g h (- dot (V g) h)) /\ (forall g, minimiser J g -> V g = origin).
Proof.
  intros slope a1; assert (differential : forall g h, Gateaux J g h (- dot (V g) h)).
  { intros g h; unfold Gateaux, setting.V; rewrite dot_comb.
    replace (- sum n _) with (sum n (fun i => m i * (phi L (residual P g i) * - dot (sub (P i) g) h))).
    2: { rewrite <- sum_opp; apply sum_ext; intros i _; ring. }
    apply (derive_sum n (fun i s => m i * rho L (norm (sub (P i) (along g h s))))); intros i _.
    apply (is_derive_scal _ 0 (m i)).
    unfold residual; destruct (Req_dec (norm (sub (P i) g)) 0) as [zero|nz].
    - apply norm_zero, sub_origin in zero; replace (phi L _ * _) with 0.
      + apply derivative_at_the_point; [exact a1|rewrite along_zero; exact zero].
      + rewrite dot_sub, zero; ring.
    - pose proof (derivative_off_the_point L (P i) g h 0 slope) as off; rewrite along_zero in off; apply off.
      intros eq; apply nz; rewrite eq; apply norm_sub_self. }
  split; [exact differential|]; intros g least; apply dot_definite.
  pose proof (necessary J g (V g) _ least (differential g (V g))); lra.
Qed.

End Objective.
End Differential.
