(* Identities and bounds for residuals, means and steps. f(X_i) is the inner product of P_i and f. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate losses losses_phi descent.
Local Open Scope R_scope.

Section Residuals.
Context {H : space} (n : nat) (P : nat -> H).
Implicit Types (f g h : H) (w : nat -> R).

Lemma distance_square g h : norm (sub g h) ^ 2 = dot g g - 2 * dot g h + dot h h.
Proof.
  replace (norm (sub g h) ^ 2) with (norm (sub g h) * norm (sub g h)) by ring.
  rewrite norm_sqr, dot_sub, !dot_sub_r, (dot_comm _ h g); ring.
Qed.

(* Claim sum_rules.residual_norm: with |P_j| = tau for all j, |P_i - g|^2 = tau^2 - 2 g(X_i) + |g|^2, and for
   f = sum w_j P_j with weights of sum 1 this is (D w)_i - w'Dw/2 with D_ij = |P_i - P_j|^2. *)
Theorem residual_norm tau : (forall j, (j < n)%nat -> norm (P j) = tau) ->
  (forall g i, (i < n)%nat -> norm (sub (P i) g) ^ 2 = tau ^ 2 - 2 * dot (P i) g + norm g ^ 2) /\
  (forall w i, (i < n)%nat -> sum n w = 1 ->
    norm (sub (P i) (comb n w P)) ^ 2 =
      sum n (fun j => norm (sub (P i) (P j)) ^ 2 * w j) -
      sum n (fun k => w k * sum n (fun j => norm (sub (P k) (P j)) ^ 2 * w j)) / 2).
Proof.
  intros sphere.
  assert (square : forall j, (j < n)%nat -> dot (P j) (P j) = tau ^ 2).
  { intros j Hj; rewrite <- norm_sqr, sphere by exact Hj; ring. }
  assert (first : forall g i, (i < n)%nat -> norm (sub (P i) g) ^ 2 = tau ^ 2 - 2 * dot (P i) g + norm g ^ 2).
  { intros g i Hi; rewrite distance_square, square by exact Hi.
    replace (norm g ^ 2) with (dot g g) by (rewrite <- norm_sqr; ring); reflexivity. }
  split; [exact first|]; intros w i Hi one; set (f := comb n w P).
  assert (row : forall k, (k < n)%nat ->
    sum n (fun j => norm (sub (P k) (P j)) ^ 2 * w j) = 2 * tau ^ 2 - 2 * dot (P k) f).
  { intros k Hk; transitivity (sum n (fun j => 2 * tau ^ 2 * w j + -2 * (w j * dot (P k) (P j)))).
    - apply sum_ext; intros j Hj; rewrite distance_square, !square by assumption; ring.
    - rewrite sum_add, !sum_scale, one; unfold f; rewrite dot_comb_r; ring. }
  assert (double : sum n (fun k => w k * sum n (fun j => norm (sub (P k) (P j)) ^ 2 * w j)) =
    2 * tau ^ 2 - 2 * dot f f).
  { transitivity (sum n (fun k => 2 * tau ^ 2 * w k + -2 * (w k * dot (P k) f))).
    - apply sum_ext; intros k Hk; rewrite row by exact Hk; ring.
    - rewrite sum_add, !sum_scale, one; unfold f at 2; rewrite dot_comb; fold f; ring. }
  rewrite row, double, first by exact Hi.
  replace (norm f ^ 2) with (dot f f) by (rewrite <- norm_sqr; ring); field.
Qed.

(* Claim sum_rules.hull_diameter: for a nonnegative kernel and |P_j| = tau, |P_i - f| is at most sqrt(2) tau for every
   weighted mean f. *)
Theorem hull_diameter tau f i : (forall j, (j < n)%nat -> norm (P j) = tau) ->
  (forall j k, (j < n)%nat -> (k < n)%nat -> 0 <= dot (P j) (P k)) -> in_hull n P f -> (i < n)%nat ->
  norm (sub (P i) f) <= sqrt 2 * tau.
Proof.
  intros sphere kernel [w [[pos one] ->]] Hi.
  assert (Htau : 0 <= tau) by (rewrite <- (sphere i Hi); apply norm_nonneg).
  apply norm_le; [apply Rmult_le_pos; [apply sqrt_pos|exact Htau]|].
  replace (sqrt 2 * tau * (sqrt 2 * tau)) with (2 * tau ^ 2)
    by (rewrite <- (sqrt_sqrt 2) at 1 by lra; ring).
  assert (near : norm (comb n w P) <= tau).
  { eapply Rle_trans; [apply norm_comb|]; rewrite <- (Rmult_1_r tau), <- one, <- sum_scale; apply sum_le.
    intros j Hj; rewrite sphere, Rabs_right by (try apply Rle_ge, pos; exact Hj); lra. }
  assert (dots : 0 <= dot (P i) (comb n w P)).
  { rewrite dot_comb_r; apply sum_nonneg; intros j Hj; apply Rmult_le_pos; [apply pos, Hj|apply kernel; assumption]. }
  pose proof (norm_nonneg (comb n w P)); pose proof (norm_sqr (comb n w P)) as Sf; pose proof (norm_sqr (P i)) as Si.
  rewrite sphere in Si by exact Hi; rewrite dot_sub, !dot_sub_r, (dot_comm _ (comb n w P) (P i)), <- Sf, <- Si; nra.
Qed.

(* Claim rkhs.least_squares: the KDE, the mean of the P_i, is the one minimiser of sum |P_i - g|^2. *)
Theorem least_squares g : (0 < n)%nat ->
  (minimiser (fun h => sum n (fun i => norm (sub (P i) h) ^ 2)) g <-> g = comb n (equal n) P).
Proof.
  intros pos; pose proof (equal_simplex n pos) as [_ one]; set (f := comb n (equal n) P).
  assert (HN : 0 < INR n) by (apply lt_0_INR, pos).
  assert (mean : forall x, sum n (fun i => dot (P i) x) = INR n * dot f x).
  { intros x; unfold f; rewrite dot_comb; unfold equal; rewrite sum_scale; field; lra. }
  assert (square : forall h, sum n (fun i => norm (sub (P i) h) ^ 2) =
    sum n (fun i => norm (sub (P i) f) ^ 2) + INR n * norm (sub h f) ^ 2).
  { intros h; transitivity (sum n (fun i => norm (sub (P i) f) ^ 2) + (2 * (sum n (fun i => dot (P i) (sub f h)) +
      - sum n (fun _ => dot f (sub f h))) + sum n (fun _ => norm (sub h f) ^ 2))).
    - rewrite <- sum_opp, <- sum_add, <- sum_scale, <- !sum_add; apply sum_ext; intros i _.
      rewrite !distance_square, !dot_sub_r, (dot_comm _ h f); ring.
    - rewrite mean, !sum_constant; ring. }
  split; [intros least|intros ->; intros h; cbv beta; rewrite (square h)].
  - apply sub_origin, norm_zero; specialize (least f); cbv beta in least; rewrite (square g) in least.
    destruct (norm_nonneg (sub g f)) as [lt|zero]; [exfalso|symmetry; exact zero].
    assert (0 < norm (sub g f) ^ 2) by (apply pow_lt, lt); nra.
  - pose proof (pow2_ge_0 (norm (sub h f))); nra.
Qed.

(* Claim rkhs.iterate_inner_products: for f = sum w_i P_i, (P_j, f) = sum_i w_i k(X_j, X_i) and
   (f, f) = sum_i sum_l w_i w_l k(X_i, X_l), so that |P_j - f|^2 needs values of the kernel only; and every iterate of
   KIRWLS is such an f. *)
Theorem iterate_inner_products m L v : let k := fun i j => dot (P i) (P j) in
  (forall w j, dot (P j) (comb n w P) = sum n (fun i => w i * k j i)) /\
  (forall w, dot (comb n w P) (comb n w P) = sum n (fun i => sum n (fun l => w i * w l * k i l))) /\
  (forall w j, norm (sub (P j) (comb n w P)) ^ 2 =
    k j j - 2 * sum n (fun i => w i * k j i) + sum n (fun i => sum n (fun l => w i * w l * k i l))) /\
  (forall s, exists w, iterate n P m L v s = comb n w P).
Proof.
  intros k; assert (one : forall w j, dot (P j) (comb n w P) = sum n (fun i => w i * k j i))
    by (intros w j; apply dot_comb_r).
  assert (two : forall w, dot (comb n w P) (comb n w P) = sum n (fun i => sum n (fun l => w i * w l * k i l))).
  { intros w; rewrite dot_comb; apply sum_ext; intros i _; rewrite one, <- sum_scale; apply sum_ext; intros; ring. }
  split; [exact one|split; [exact two|split]].
  - intros w j; rewrite distance_square, one, two; reflexivity.
  - intros s; exists (weights n P m L v s); reflexivity.
Qed.

(* Claim rkhs.evaluation_is_bounded: |g(x) - h(x)| is at most tau |g - h|, with g(x) = (Phi(x), g) and |Phi(x)| = tau. *)
Theorem evaluation_is_bounded (p : H) tau g h : norm p = tau -> Rabs (dot p g - dot p h) <= tau * norm (sub g h).
Proof. intros <-; rewrite <- dot_sub_r; apply Cauchy_Schwarz_abs. Qed.

Lemma weights_ordered L f i j : (0 < n)%nat -> 0 < mean_phi n P (equal n) L f ->
  phi L (residual P f i) <= phi L (residual P f j) ->
  next_weights n P (equal n) L f i <= next_weights n P (equal n) L f j.
Proof.
  intros some pos le; assert (HN : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, some).
  unfold next_weights, Rdiv; apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, pos|].
  apply Rmult_le_compat_l; [apply Rlt_le, HN|exact le].
Qed.

(* Claim downweighting.order: if f(X_i) <= f(X_j), the weights after f satisfy w_i <= w_j, if phi does not increase,
   all features have one norm and the sum of the phi is positive; with Huber's and Hampel's losses they are equal
   where both residuals are at most a. *)
Theorem downweighting_order tau f i j : (forall k, (k < n)%nat -> norm (P k) = tau) -> (i < n)%nat -> (j < n)%nat ->
  (forall L, phi_falls L -> 0 < mean_phi n P (equal n) L f -> dot (P i) f <= dot (P j) f ->
    next_weights n P (equal n) L f i <= next_weights n P (equal n) L f j) /\
  (forall a b c, 0 < a -> a <= b -> b < c -> residual P f i <= a -> residual P f j <= a ->
    next_weights n P (equal n) (Huber a) f i = next_weights n P (equal n) (Huber a) f j /\
    next_weights n P (equal n) (Hampel a b c) f i = next_weights n P (equal n) (Hampel a b c) f j).
Proof.
  intros sphere Hi Hj; split; [intros L falls pos le|intros a b c Ha Hab Hbc ri rj].
  - apply weights_ordered; [lia|exact pos|]; apply falls; [apply norm_nonneg|]; unfold residual.
    apply norm_le; [apply norm_nonneg|]; rewrite norm_sqr.
    pose proof (norm_sqr (P i)) as Si; pose proof (norm_sqr (P j)) as Sj; rewrite sphere in Si, Sj by assumption.
    rewrite !dot_sub, !dot_sub_r, (dot_comm _ f (P i)), (dot_comm _ f (P j)), <- Si, <- Sj; lra.
  - pose proof (norm_nonneg (sub (P i) f)); pose proof (norm_nonneg (sub (P j) f)).
    destruct (Huber_phi_falls a Ha) as [_ one]; destruct (Hampel_phi_falls a b c Ha Hab Hbc) as [_ [one' _]].
    unfold next_weights; rewrite !one, !one' by (split; assumption); split; reflexivity.
Qed.

(* Claim gateaux.increment_sign: |d h| = |d| |h|; for d = -1 and |h| = 2 the printed d |h| is -2 and no norm. *)
Theorem increment_sign : (forall d h, norm (scale d h) = Rabs d * norm h) /\
  forall h, norm h = 2 -> norm (scale (-1) h) = 2 /\ -1 * norm h = -2.
Proof.
  split; [exact norm_scale|]; intros h two; rewrite norm_scale, two, Rabs_left by lra; split; ring.
Qed.

Section Objective.
Variables (m : nat -> R) (L : loss).

(* Claim sum_rules.gradient_coefficients: V(f) of f = sum w_i P_i with weights of sum 1 has the coefficients
   m_i phi(r_i) - w_i sum_j m_j phi(r_j), with masses 1/n those of the paper, and they sum to 0. *)
Theorem gradient_coefficients w : let f := comb n w P in
  let c := fun i => m i * phi L (residual P f i) - w i * mean_phi n P m L f in
  V n P m L f = comb n c P /\ (sum n w = 1 -> sum n c = 0).
Proof.
  intros f c; split.
  - apply same; intros x; unfold V, c; rewrite !dot_comb; unfold Rminus.
    transitivity (sum n (fun i => m i * phi L (residual P f i) * dot (P i) x) + - mean_phi n P m L f * dot f x).
    + unfold mean_phi; rewrite <- sum_opp, (Rmult_comm (sum n _)), <- sum_scale, <- sum_add; apply sum_ext.
      intros i _; rewrite dot_sub; ring.
    + unfold f at 3; rewrite dot_comb, <- sum_scale, <- sum_add; apply sum_ext; intros i _; fold f; ring.
  - intros one; unfold c, Rminus; rewrite sum_add, sum_opp; fold (mean_phi n P m L f).
    rewrite (sum_ext n (fun i => w i * _) (fun i => mean_phi n P m L f * w i)) by (intros; ring).
    rewrite sum_scale, one; ring.
Qed.

(* Claim stopping.what_it_bounds: if the relative decrease of J is below e, the step is at most
   (2 e J(f) / mean of phi)^(1/2), with masses 1/n the (2 n e J / sum phi)^(1/2) of the claim. *)
Theorem what_stopping_bounds f e : simplex n m -> psi_is_slope L -> right_continuous (rho L) -> phi_falls L ->
  0 < mean_phi n P m L f -> J n P m L f - J n P m L (step n P m L f) < e * J n P m L f ->
  norm (sub (step n P m L f) f) <= sqrt (2 * e * J n P m L f / mean_phi n P m L f).
Proof.
  intros mass slope start falls pos small.
  destruct (descent_amount n P m L f mass slope start falls pos) as [amount _].
  rewrite <- (sqrt_pow2 (norm _)) by apply norm_nonneg; apply sqrt_le_1_alt.
  apply Rmult_le_reg_l with (mean_phi n P m L f); [exact pos|].
  replace (mean_phi n P m L f * (2 * e * J n P m L f / mean_phi n P m L f)) with (2 * (e * J n P m L f)) by (field; lra).
  lra.
Qed.

End Objective.
End Residuals.
