(* V is Lipschitz continuous, and so J has a differential with a quadratic remainder. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate losses losses_phi losses_assumptions gateaux.
Local Open Scope R_scope.

(* |phi| is at most C, and psi has the Lipschitz constant C: C is at least sup |phi| and sup |psi'|. *)
Definition phi_at_most (L : loss) (C : R) : Prop := forall x, 0 <= x -> Rabs (phi L x) <= C.
Definition psi_Lipschitz (L : loss) (C : R) : Prop :=
  forall x y, 0 < x -> 0 < y -> Rabs (psi L x - psi L y) <= C * Rabs (x - y).

Lemma psi_steps L C x y : phi_at_most L C -> psi_Lipschitz L C -> 0 <= x -> 0 <= y ->
  Rabs (phi L x * x - phi L y * y) <= C * Rabs (x - y).
Proof.
  intros bound lip Hx Hy.
  assert (start : forall z, 0 <= z -> Rabs (phi L z * z) <= C * z).
  { intros z Hz; rewrite Rabs_mult, (Rabs_right z) by lra; apply Rmult_le_compat_r; [exact Hz|apply bound, Hz]. }
  destruct Hx as [Hx|<-]; [destruct Hy as [Hy|<-]|].
  - rewrite !phi_times by assumption; apply lip; assumption.
  - rewrite Rmult_0_r, !Rminus_0_r, (Rabs_right x) by lra; apply start; lra.
  - rewrite Rmult_0_r, !Rminus_0_l, !Rabs_Ropp, (Rabs_right y) by lra; apply start; exact Hy.
Qed.

Section Lipschitz.
Context {H : space}.

Lemma pull_Lipschitz L C (p q : H) : 0 <= C -> phi_at_most L C -> psi_Lipschitz L C ->
  norm (sub (scale (phi L (norm p)) p) (scale (phi L (norm q)) q)) <= C * norm (sub p q).
Proof.
  intros HC bound lip; set (a := norm p); set (b := norm q).
  assert (Ha : 0 <= a) by apply norm_nonneg; assert (Hb : 0 <= b) by apply norm_nonneg.
  pose proof (psi_steps L C a b bound lip Ha Hb) as steps.
  apply norm_le; [apply Rmult_le_pos; [exact HC|apply norm_nonneg]|].
  replace (C * norm (sub p q) * (C * norm (sub p q))) with (C * C * (norm (sub p q) * norm (sub p q))) by ring.
  rewrite norm_sqr, !dot_sub, !dot_sub_r, !dot_scale, !dot_scale_r, (dot_comm _ q p), <- (norm_sqr p), <- (norm_sqr q).
  fold a b; pose proof (Cauchy_Schwarz p q) as CS; fold a b in CS; set (c := dot p q) in *.
  set (x := phi L a) in *; set (y := phi L b) in *.
  assert (sq : (x * a - y * b) ^ 2 <= C ^ 2 * (a - b) ^ 2).
  { rewrite <- (pow2_abs (x * a - y * b)), <- (pow2_abs (a - b)), <- Rpow_mult_distr.
    apply pow_incr; split; [apply Rabs_pos|exact steps]. }
  assert (prod : x * y <= C * C).
  { apply Rle_trans with (Rabs (x * y)); [apply Rle_abs|]; rewrite Rabs_mult.
    apply Rmult_le_compat; try apply Rabs_pos; apply bound; assumption. }
  assert (x * y * (a * b - c) <= C * C * (a * b - c)) by (apply Rmult_le_compat_r; lra).
  replace (x * (x * (a * a)) - y * (x * c) - (x * (y * c) - y * (y * (b * b))))
    with ((x * a - y * b) ^ 2 + 2 * (x * y * (a * b - c))) by ring; nra.
Qed.

Section Objective.
Variables (n : nat) (P : nat -> H) (m : nat -> R) (L : loss) (C : R).
Hypotheses (mass : simplex n m) (HC : 0 <= C) (bound : phi_at_most L C) (lip : psi_Lipschitz L C).
Notation J := (J n P m L).
Notation V := (V n P m L).

Lemma V_Lipschitz g h : norm (sub (V g) (V h)) <= C * norm (sub g h).
Proof.
  set (d := sub (V g) (V h)).
  assert (le : dot d d <= C * norm (sub g h) * norm d).
  { unfold d at 1; rewrite dot_sub; unfold setting.V; rewrite !dot_comb; unfold Rminus.
    rewrite <- sum_opp, <- sum_add, <- (Rmult_1_r (C * _ * _)), <- (proj2 mass), <- sum_scale.
    apply sum_le; intros i Hi.
    replace (m i * phi L (residual P g i) * dot (sub (P i) g) d + - (m i * phi L (residual P h i) * dot (sub (P i) h) d))
      with (m i * dot (sub (scale (phi L (residual P g i)) (sub (P i) g))
        (scale (phi L (residual P h i)) (sub (P i) h))) d) by (rewrite dot_sub, !dot_scale; ring).
    rewrite Rmult_comm; apply Rmult_le_compat_r; [apply mass, Hi|].
    eapply Rle_trans; [apply Cauchy_Schwarz|]; apply Rmult_le_compat_r; [apply norm_nonneg|].
    eapply Rle_trans; [apply (pull_Lipschitz L C); assumption|]; right; f_equal; rewrite norm_sub_comm; f_equal.
    apply same; intros x; rewrite !dot_sub; ring. }
  pose proof (norm_nonneg d) as Nd; pose proof (norm_nonneg (sub g h)); rewrite <- norm_sqr in le.
  destruct Nd as [pos|zero]; [|rewrite <- zero; apply Rmult_le_pos; assumption].
  apply Rmult_le_reg_r with (norm d); assumption.
Qed.

Lemma derivative_along f h s : psi_is_slope L -> A1 L ->
  is_derive (fun t => J (along f h t)) s (- dot (V (along f h s)) h).
Proof.
  intros slope a1; pose proof (proj1 (lemma_1 n P m L slope a1) (along f h s) h) as der; unfold Gateaux in der.
  apply (is_derive_ext (fun t => J (add (along f h s) (scale (t - s) h)))).
  { intros t; f_equal; apply same; intros x; unfold along; rewrite !dot_add, !dot_scale; ring. }
  rewrite <- (Rmult_1_l (- dot _ h)).
  apply (is_derive_comp (fun t => J (add (along f h s) (scale t h))) (fun t => t - s)).
  - rewrite Rminus_eq_0; exact der.
  - auto_derive; [trivial|ring].
Qed.

Lemma remainder_ahead f h s : psi_is_slope L -> A1 L -> 0 <= s ->
  Rabs (J (along f h s) - (J f - s * dot (V f) h)) <= C * s ^ 2 * norm h ^ 2 / 2.
Proof.
  intros slope a1 Hs.
  assert (change : forall t, 0 <= t -> Rabs (dot (V (along f h t)) h - dot (V f) h) <= C * t * norm h ^ 2).
  { intros t Ht; rewrite <- dot_sub; eapply Rle_trans; [apply Cauchy_Schwarz_abs|].
    replace (C * t * norm h ^ 2) with (C * (t * norm h) * norm h) by ring.
    apply Rmult_le_compat_r; [apply norm_nonneg|]; eapply Rle_trans; [apply V_Lipschitz|]; right; f_equal.
    rewrite <- (Rabs_right t) at 2 by lra; rewrite <- norm_scale; f_equal; apply same; intros x; unfold along.
    rewrite dot_sub, dot_add; ring. }
  set (K := fun (sign t : R) => sign * (J (along f h t) - (J f - t * dot (V f) h)) - C * t ^ 2 * norm h ^ 2 / 2).
  set (dK := fun (sign t : R) => sign * (- dot (V (along f h t)) h + dot (V f) h) - C * t * norm h ^ 2).
  assert (der : forall sign t, is_derive (K sign) t (dK sign t)).
  { intros sign t; apply @is_derive_minus.
    - apply is_derive_scal; replace (- dot _ h + dot (V f) h) with (- dot (V (along f h t)) h - (0 - 1 * dot (V f) h))
        by ring; apply @is_derive_minus; [apply derivative_along; assumption|].
      apply @is_derive_minus; [apply @is_derive_const|]; auto_derive; [trivial|ring].
    - auto_derive; [trivial|field]. }
  assert (down : forall sign, sign = 1 \/ sign = -1 -> K sign s <= K sign 0).
  { intros sign Hsign; apply (sinks (K sign) (dK sign)); try lra; [intros; apply der| |].
    - intros A nb; assert (cont : continuous (K sign) 0)
        by (apply (@ex_derive_continuous R_AbsRing R_NormedModule); exists (dK sign 0); apply der).
      destruct (cont A nb) as [e all]; exists e; intros y near _; exact (all y near).
    - intros t Ht _; specialize (change t ltac:(lra)); unfold dK; apply Rabs_le_between in change.
      destruct Hsign as [-> | ->]; lra. }
  assert (zero : forall sign, K sign 0 = 0).
  { intros sign; unfold K; rewrite along_zero; field. }
  pose proof (down 1 (or_introl eq_refl)) as up; pose proof (down (-1) (or_intror eq_refl)) as low.
  rewrite zero in up, low; unfold K in up, low; apply Rabs_le; lra.
Qed.

End Objective.

(* Claim sum_rules.gateaux: J(f + s h) = J(f) - s (V(f), h) + R with |R| <= C s^2 |h|^2/2, where C is at least
   sup |phi| and at least the Lipschitz constant of psi. *)
Theorem Gateaux_remainder n (P : nat -> H) m L C f h s : simplex n m -> psi_is_slope L -> A1 L ->
  phi_at_most L C -> psi_Lipschitz L C ->
  Rabs (J n P m L (add f (scale s h)) - (J n P m L f - s * dot (V n P m L f) h)) <= C * s ^ 2 * norm h ^ 2 / 2.
Proof.
  intros mass slope a1 bound lip.
  assert (HC : 0 <= C) by (eapply Rle_trans; [apply Rabs_pos|apply (bound 0); lra]).
  destruct (Rle_dec 0 s) as [pos|neg]; [apply remainder_ahead; assumption|].
  pose proof (remainder_ahead n P m L C mass HC bound lip f (scale (-1) h) (- s) slope a1 ltac:(lra)) as back.
  replace (along f (scale (-1) h) (- s)) with (add f (scale s h)) in back.
  - rewrite dot_scale_r, norm_scale, (Rabs_left (-1)) in back by lra.
    replace (- s * (-1 * dot (V n P m L f) h)) with (s * dot (V n P m L f) h) in back by ring.
    replace (C * s ^ 2 * norm h ^ 2 / 2) with (C * (- s) ^ 2 * (- (-1) * norm h) ^ 2 / 2) by field; exact back.
  - apply same; intros x; unfold along; rewrite !dot_add, !dot_scale; ring.
Qed.

(* The quotient (c(s) - f)/s tends to d as s falls to 0. *)
Definition right_derivative (c : R -> H) (f d : H) : Prop :=
  filterlim (fun s => norm (sub (scale (/ s) (sub (c s) f)) d)) (at_right 0) (locally 0).

(* For a Lipschitz map W and a curve with the one-sided derivative d at f, the one-sided derivative of W along the
   curve is that of W along the line f + s d. *)
Lemma along_the_curve (W : H -> H) (C : R) (c : R -> H) (f d e : H) :
  (forall g h, norm (sub (W g) (W h)) <= C * norm (sub g h)) ->
  right_derivative c f d -> right_derivative (fun s => W (along f d s)) (W f) e ->
  right_derivative (fun s => W (c s)) (W f) e.
Proof.
  intros lip curve line; apply (proj2 (right_limit _ _)); intros eps pos.
  set (K := Rabs C + 1); assert (HK : 0 < K) by (pose proof (Rabs_pos C); unfold K; lra).
  destruct (proj1 (right_limit _ _) curve (eps / (2 * K))) as [d1 [Hd1 near1]]; [apply Rdiv_lt_0_compat; lra|].
  destruct (proj1 (right_limit _ _) line (eps / 2)) as [d2 [Hd2 near2]]; [lra|].
  exists (Rmin d1 d2); split; [apply Rmin_pos; assumption|]; intros s Hs.
  pose proof (Rmin_l d1 d2); pose proof (Rmin_r d1 d2).
  specialize (near1 s ltac:(lra)); specialize (near2 s ltac:(lra)).
  rewrite Rminus_0_r, Rabs_right in near1, near2 by apply Rle_ge, norm_nonneg.
  rewrite Rminus_0_r, Rabs_right by apply Rle_ge, norm_nonneg.
  assert (Hi : 0 < / s) by (apply Rinv_0_lt_compat; lra).
  eapply Rle_lt_trans; [apply (triangle_sub _ (scale (/ s) (sub (W (along f d s)) (W f))))|].
  replace (sub (scale (/ s) (sub (W (c s)) (W f))) (scale (/ s) (sub (W (along f d s)) (W f))))
    with (scale (/ s) (sub (W (c s)) (W (along f d s))))
    by (apply same; intros x; rewrite dot_sub, !dot_scale, !dot_sub; ring).
  rewrite norm_scale, (Rabs_right (/ s)) by lra.
  assert (gap : norm (sub (c s) (along f d s)) = s * norm (sub (scale (/ s) (sub (c s) f)) d)).
  { replace (s * _) with (Rabs s * norm (sub (scale (/ s) (sub (c s) f)) d)) by (rewrite Rabs_right; lra).
    rewrite <- norm_scale; f_equal; apply same; intros x; unfold along.
    rewrite dot_scale, !dot_sub, dot_scale, dot_sub, dot_add, dot_scale; field; lra. }
  set (q := norm (sub (scale (/ s) (sub (c s) f)) d)) in *.
  assert (Hq : 0 <= q) by apply norm_nonneg.
  assert (le : norm (sub (W (c s)) (W (along f d s))) <= K * (s * q)).
  { eapply Rle_trans; [apply lip|]; rewrite gap; apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|].
    unfold K; pose proof (Rle_abs C); lra. }
  assert (small : / s * norm (sub (W (c s)) (W (along f d s))) <= K * q).
  { apply Rmult_le_reg_l with s; [lra|]; rewrite <- Rmult_assoc, Rinv_r by lra; lra. }
  assert (K * q < eps / 2); [|lra].
  replace (eps / 2) with (K * (eps / (2 * K))) by (field; lra); apply Rmult_lt_compat_l; assumption.
Qed.

Lemma steep_psi L C : (forall hi, 0 <= hi -> steep (psi L) C 0 hi) -> psi_Lipschitz L C.
Proof.
  intros all x y Hx Hy; destruct (Rle_dec x y) as [le|gt].
  - rewrite Rabs_minus_sym, (Rabs_minus_sym x y), (Rabs_right (y - x)) by lra; apply (all y); lra.
  - rewrite (Rabs_right (x - y)) by lra; apply (all x); lra.
Qed.

Lemma steep_line f C lo hi k d : Rabs k <= C -> (forall x, lo <= x <= hi -> f x = k * x + d) -> steep f C lo hi.
Proof.
  intros HC eq x y Hx Hxy Hy; rewrite !eq by lra; replace (k * y + d - (k * x + d)) with (k * (y - x)) by ring.
  rewrite Rabs_mult, (Rabs_right (y - x)) by lra; apply Rmult_le_compat_r; lra.
Qed.

(* V of Huber's loss has the Lipschitz constant 1 and V of Hampel's max(1, a/(c - b)), which is
   max(sup phi, sup |psi'|), for every choice of masses. *)
Lemma V_of_losses_Lipschitz n (P : nat -> H) m a b c g h : simplex n m -> 0 < a -> a <= b -> b < c ->
  norm (sub (V n P m (Huber a) g) (V n P m (Huber a) h)) <= 1 * norm (sub g h) /\
  norm (sub (V n P m (Hampel a b c) g) (V n P m (Hampel a b c) h)) <= Rmax 1 (a / (c - b)) * norm (sub g h).
Proof.
  intros mass Ha Hab Hbc; set (C := Rmax 1 (a / (c - b))).
  assert (C1 : 1 <= C) by apply Rmax_l; assert (C2 : a / (c - b) <= C) by apply Rmax_r.
  assert (slope : 0 <= a / (c - b)) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
  split; apply V_Lipschitz; try assumption; try lra.
  - intros x Hx; pose proof (first_phi_bounds _ _ (Huber_first a Ha) x Hx); rewrite Rabs_right; lra.
  - apply steep_psi; intros hi Hhi.
    assert (far : forall z, steep (psi (Huber a)) 1 a z).
    { intros z; apply steep_line with 0 a; [rewrite Rabs_R0; lra|]; intros x Hx; simpl; unfold Huber_psi.
      destruct (Rle_dec x a); lra. }
    assert (near : steep (psi (Huber a)) 1 0 a).
    { apply steep_line with 1 0; [rewrite Rabs_R1; lra|]; intros x Hx; simpl; unfold Huber_psi.
      destruct (Rle_dec x a); lra. }
    destruct (Rle_dec hi a); [intros x y Hx Hxy Hy; apply near; lra|apply steep_join with a; [lra|lra|exact near|apply far]].
  - intros x Hx; pose proof (first_phi_bounds _ _ (Hampel_first a b c Ha Hab Hbc) x Hx); rewrite Rabs_right; lra.
  - apply steep_psi; intros hi Hhi.
    assert (whole : steep (psi (Hampel a b c)) C 0 c).
    { apply steep_join with a; try lra; [|apply steep_join with b; try lra].
      - apply steep_line with 1 0; [rewrite Rabs_R1; lra|]; intros x Hx; simpl; unfold Hampel_psi.
        destruct (Rlt_dec x a), (Rlt_dec x b), (Rlt_dec x c); try lra; replace x with a by lra; replace b with a by lra.
        field; lra.
      - apply steep_line with 0 a; [rewrite Rabs_R0; lra|]; intros x Hx; simpl; unfold Hampel_psi.
        destruct (Rlt_dec x a), (Rlt_dec x b), (Rlt_dec x c); try lra; replace x with b by lra; field; lra.
      - apply steep_line with (- (a / (c - b))) (a * c / (c - b)); [rewrite Rabs_Ropp, Rabs_right; lra|].
        intros x Hx; simpl; unfold Hampel_psi.
        destruct (Rlt_dec x a), (Rlt_dec x b), (Rlt_dec x c); try lra; replace x with c by lra; field; lra. }
    destruct (Rle_dec hi c); [intros x y Hx Hxy Hy; apply whole; lra|apply steep_join with c; [lra|lra|exact whole|]].
    apply steep_line with 0 0; [rewrite Rabs_R0; lra|]; intros x Hx; simpl; unfold Hampel_psi.
    destruct (Rlt_dec x a), (Rlt_dec x b), (Rlt_dec x c); lra.
Qed.

(* Claim influence_proofs.chain_rule_lipschitz: for a Lipschitz map W and a curve with the one-sided derivative d at f,
   the one-sided derivative of W along the curve is that of W along the line f + s d; and V of Huber's loss has the
   Lipschitz constant 1, V of Hampel's max(1, a/(c - b)), for every choice of masses. *)
Theorem chain_rule_Lipschitz :
  (forall (W : H -> H) (C : R) (c : R -> H) (f d e : H),
    (forall g h, norm (sub (W g) (W h)) <= C * norm (sub g h)) ->
    right_derivative c f d -> right_derivative (fun s => W (along f d s)) (W f) e ->
    right_derivative (fun s => W (c s)) (W f) e) /\
  (forall n (P : nat -> H) m a b c g h, simplex n m -> 0 < a -> a <= b -> b < c ->
    norm (sub (V n P m (Huber a) g) (V n P m (Huber a) h)) <= 1 * norm (sub g h) /\
    norm (sub (V n P m (Hampel a b c) g) (V n P m (Hampel a b c) h)) <= Rmax 1 (a / (c - b)) * norm (sub g h)).
Proof. split; [exact along_the_curve|exact V_of_losses_Lipschitz]. Qed.

End Lipschitz.
