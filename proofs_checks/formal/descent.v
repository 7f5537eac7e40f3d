(* One step of KIRWLS: its weights, the surrogate that it minimises, and by how much J falls. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate.
Local Open Scope R_scope.

Lemma phi_nonneg L : psi_is_slope L -> A1 L -> phi_falls L -> forall x, 0 <= x -> 0 <= phi L x.
Proof.
  intros slope [up _] falls.
  assert (pos : forall x, 0 < x -> 0 <= phi L x).
  { intros x Hx; destruct (Rle_dec 0 (phi L x)) as [|neg]; [assumption|exfalso].
    destruct (mean_value (rho L) (psi L) x (x + 1)) as [c [Hc eq]]; try lra; [exact slope|].
    specialize (up x (x + 1) ltac:(lra) ltac:(lra)); specialize (falls x c ltac:(lra) ltac:(lra)).
    rewrite <- (phi_times L c) in eq by lra; nra. }
  intros x [lt|<-]; [apply pos, lt|].
  apply Rle_trans with (phi L 1); [apply pos; lra|apply falls; lra].
Qed.

Section Step.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R) (L : loss).
Notation J := (J n P m L).
Notation V := (V n P m L).
Notation Q := (Q n P m L).
Notation T := (step n P m L).
Notation mean_phi := (mean_phi n P m L).
Notation next_weights := (next_weights n P m L).

Lemma residual_sqr g i : residual P g i ^ 2 = dot (sub (P i) g) (sub (P i) g).
Proof. unfold residual; rewrite <- norm_sqr; ring. Qed.

Lemma residual_nonneg g i : 0 <= residual P g i.
Proof. apply norm_nonneg. Qed.

Lemma weights_sum f : mean_phi f <> 0 -> sum n (next_weights f) = 1.
Proof.
  intros nz; unfold setting.next_weights, Rdiv.
  rewrite (sum_ext n _ (fun i => / mean_phi f * (m i * phi L (residual P f i)))) by (intros; ring).
  rewrite sum_scale; apply Rinv_l, nz.
Qed.

(* Claim weights.simplex: a step of KIRWLS gives weights that are nonnegative and sum to 1, if some phi(r_i) is
   positive and none is negative. *)
Theorem next_weights_simplex f : (forall i, (i < n)%nat -> 0 <= m i * phi L (residual P f i)) ->
  0 < mean_phi f -> simplex n (next_weights f).
Proof.
  intros sign pos; split; [|apply weights_sum; lra]; intros i Hi; unfold setting.next_weights.
  apply Rmult_le_pos; [apply sign, Hi|apply Rlt_le, Rinv_0_lt_compat, pos].
Qed.

(* Claim weights.representer: V(f) = (mean of phi)(Tf - f), so that, where the mean of phi is not 0, V(f) = 0
   exactly if f = Tf, the mean of the P_i with weights m_i phi(r_i) over their sum. *)
Theorem V_is_step f : mean_phi f <> 0 ->
  V f = scale (mean_phi f) (sub (T f) f) /\ (V f = origin <-> f = T f).
Proof.
  intros nz; assert (eq : V f = scale (mean_phi f) (sub (T f) f)).
  { apply same; intros x; unfold step, setting.V, setting.next_weights.
    rewrite dot_scale, dot_sub, !dot_comb, Rmult_minus_distr_l, <- sum_scale.
    rewrite (sum_ext n _ (fun i => m i * phi L (residual P f i) * dot (P i) x +
      - dot f x * (m i * phi L (residual P f i)))) by (intros i _; rewrite dot_sub; ring).
    rewrite sum_add, sum_scale; unfold Rminus; f_equal; [|unfold setting.mean_phi; ring].
    apply sum_ext; intros i _; field; exact nz. }
  split; [exact eq|]; rewrite eq; split; intros zero.
  - symmetry; apply sub_origin; rewrite <- (scale_one _ (sub (T f) f)), <- (Rinv_l (mean_phi f)) by exact nz.
    rewrite <- scale_scale, zero; apply same; intros x; rewrite dot_scale, dot_origin; ring.
  - rewrite <- zero; apply same; intros x; rewrite dot_scale, dot_sub, dot_origin; ring.
Qed.

Lemma V_dot f x : mean_phi f <> 0 -> dot (V f) x = mean_phi f * dot (sub (T f) f) x.
Proof. intros nz; rewrite (proj1 (V_is_step f nz)); apply dot_scale. Qed.

(* The difference of Q at two points, which has no division. *)
Lemma Q_difference g h f :
  Q g f - Q h f = / 2 * (mean_phi f * dot (sub g h) (sub g h)) - dot (sub g h) (V f)
    + mean_phi f * dot (sub g h) (sub h f).
Proof.
  unfold setting.Q, setting.V, setting.mean_phi; rewrite dot_comb_r.
  rewrite <- !(Rmult_comm (dot _ _)), <- !sum_scale.
  unfold Rminus; rewrite <- !sum_opp, <- !sum_add; apply sum_ext; intros i _.
  unfold u; rewrite !residual_sqr, ?dot_sub, ?dot_sub_r, ?dot_sub.
  rewrite (dot_comm _ h g), (dot_comm _ g (P i)), (dot_comm _ h (P i)); field.
Qed.

(* Claim descent.step_minimises_surrogate, equation (23): Q(g; f) = Q(Tf; f) + (mean of phi)/2 |g - Tf|^2, so that
   Tf is the one minimiser of Q(.; f). *)
Theorem step_minimises_surrogate f : 0 < mean_phi f ->
  (forall g, Q g f = Q (T f) f + mean_phi f / 2 * norm (sub g (T f)) ^ 2) /\
  (forall g, minimiser (fun h => Q h f) g <-> g = T f).
Proof.
  intros pos; assert (square : forall g, Q g f = Q (T f) f + mean_phi f / 2 * norm (sub g (T f)) ^ 2).
  { intros g; pose proof (Q_difference g (T f) f) as diff.
    rewrite (dot_comm _ _ (V f)), V_dot, (dot_comm _ (sub (T f) f)) in diff by lra.
    replace (norm (sub g (T f)) ^ 2) with (dot (sub g (T f)) (sub g (T f))) by (rewrite <- norm_sqr; ring).
    lra. }
  split; [exact square|]; intros g; split; [intros least|intros ->; intros h].
  - apply sub_origin, norm_zero; specialize (least (T f)); simpl in least; rewrite (square g) in least.
    destruct (norm_nonneg (sub g (T f))) as [lt|eq]; [exfalso|symmetry; exact eq].
    assert (0 < norm (sub g (T f)) ^ 2) by (apply pow_lt, lt); nra.
  - rewrite (square h); pose proof (pow2_ge_0 (norm (sub h (T f)))); nra.
Qed.

Lemma Q_touches f : Q f f = J f.
Proof.
  apply sum_ext; intros i _; rewrite (proj1 (surrogate_touches L _ (residual_nonneg f i))); reflexivity.
Qed.

Lemma Q_above g f : simplex n m -> psi_is_slope L -> right_continuous (rho L) -> phi_falls L -> J g <= Q g f.
Proof.
  intros [mass _] slope start falls; apply sum_le; intros i Hi; apply Rmult_le_compat_l; [apply mass, Hi|].
  apply surrogate_above; try assumption; apply residual_nonneg.
Qed.

(* Claim descent.amount: J(f) - J(Tf) >= (mean of phi)/2 |Tf - f|^2, if phi does not increase and some phi(r_i)
   at f is positive; with masses 1/n the mean of phi is (sum phi_i)/n. So J falls strictly unless Tf = f. *)
Theorem descent_amount f : simplex n m -> psi_is_slope L -> right_continuous (rho L) -> phi_falls L ->
  0 < mean_phi f ->
  J f - J (T f) >= mean_phi f / 2 * norm (sub (T f) f) ^ 2 /\ (T f <> f -> J (T f) < J f).
Proof.
  intros mass slope start falls pos.
  assert (amount : J f - J (T f) >= mean_phi f / 2 * norm (sub (T f) f) ^ 2).
  { pose proof (Q_above (T f) f mass slope start falls); pose proof (Q_touches f) as touch.
    rewrite (proj1 (step_minimises_surrogate f pos) f), norm_sub_comm in touch; lra. }
  split; [exact amount|]; intros moved.
  destruct (norm_nonneg (sub (T f) f)) as [lt|eq]; [|destruct moved; apply sub_origin, norm_zero; symmetry; exact eq].
  assert (0 < norm (sub (T f) f) ^ 2) by (apply pow_lt, lt); nra.
Qed.

Lemma row_sum_positive : psi_is_slope L -> A1 L -> phi_falls L -> simplex n m ->
  forall g i, (i < n)%nat -> 0 <= m i * phi L (residual P g i).
Proof.
  intros slope a1 falls [mass _] g i Hi; apply Rmult_le_pos; [apply mass, Hi|].
  apply phi_nonneg; try assumption; apply residual_nonneg.
Qed.

Lemma mean_phi_bound f x : simplex n m -> psi_is_slope L -> A1 L -> phi_falls L -> 0 <= x ->
  2 * (rho L x - J f) <= mean_phi f * x ^ 2.
Proof.
  intros mass slope a1 falls Hx; pose proof (proj2 mass) as one.
  assert (le : rho L x * sum n m <= J f + x ^ 2 / 2 * mean_phi f); [|rewrite one in le; lra].
  unfold setting.J, setting.mean_phi; rewrite <- !sum_scale, <- sum_add; apply sum_le; intros i Hi.
  pose proof (proj1 mass i Hi) as mi; pose proof (residual_nonneg f i) as ri.
  pose proof (surrogate_above L x _ slope (A1_right_continuous L a1) falls Hx ri) as above.
  rewrite u_from_phi in above by assumption.
  pose proof (phi_nonneg L slope a1 falls _ ri); pose proof (pow2_ge_0 (residual P f i)).
  assert (rho L x <= rho L (residual P f i) + phi L (residual P f i) * x ^ 2 / 2) by nra.
  apply Rle_trans with (m i * (rho L (residual P f i) + phi L (residual P f i) * x ^ 2 / 2)); [|lra].
  rewrite Rmult_comm; apply Rmult_le_compat_l; assumption.
Qed.

(* Where J is below rho(x), the mean of phi is at least this. *)
Definition floor (J0 x : R) : R := 2 * (rho L x - J0) / x ^ 2.

Lemma floor_works f J0 x : simplex n m -> psi_is_slope L -> A1 L -> phi_falls L ->
  0 < x -> J f <= J0 -> floor J0 x <= mean_phi f.
Proof.
  intros mass slope a1 falls Hx le; pose proof (mean_phi_bound f x mass slope a1 falls ltac:(lra)).
  assert (0 < x ^ 2) by (apply pow_lt, Hx); unfold floor.
  apply Rmult_le_reg_r with (x ^ 2); [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma J_nonneg f : simplex n m -> A1 L -> 0 <= J f.
Proof.
  intros [mass _] [up [zero _]]; apply sum_nonneg; intros i Hi; apply Rmult_le_pos; [apply mass, Hi|].
  rewrite <- zero; apply up; [lra|apply residual_nonneg].
Qed.

Lemma below_positive f x : simplex n m -> A1 L -> 0 <= x -> J f < rho L x -> 0 < x.
Proof.
  intros mass a1 Hx lt; pose proof (J_nonneg f mass a1); destruct a1 as [_ [zero _]].
  destruct Hx as [|<-]; [assumption|lra].
Qed.

End Step.
