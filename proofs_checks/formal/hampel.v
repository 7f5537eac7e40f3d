(* Hampel's loss far from the data. *)
From Coq Require Import Reals Lra Lia.
From Rkde Require Import space setting losses losses_phi convexity.
Local Open Scope R_scope.

Section Hampel.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R) (tau a b c : R).
Hypotheses (mass : simplex n m) (sphere : forall i, (i < n)%nat -> norm (P i) = tau).
Hypotheses (Ha : 0 < a) (Hab : a <= b) (Hbc : b < c).
Notation J := (J n P m (Hampel a b c)).

Lemma far_residual g i : c + tau <= norm g -> (i < n)%nat -> c <= residual P g i.
Proof.
  intros far Hi; rewrite <- (sphere i Hi) in far; unfold residual.
  replace g with (add (sub g (P i)) (P i)) in far.
  - pose proof (triangle (sub g (P i)) (P i)) as le; rewrite norm_sub_comm in le; lra.
  - apply same; intros x; rewrite dot_add, dot_sub; ring.
Qed.

Lemma Hampel_rho_beyond x : c <= x -> Hampel_rho a b c x = a * (b + c - a) / 2.
Proof. intros Hx; unfold Hampel_rho; destruct (Rlt_dec x a), (Rlt_dec x b), (Rlt_dec x c); lra. Qed.

Lemma Hampel_rho_most x : Hampel_rho a b c x <= a * (b + c - a) / 2 \/ x < 0.
Proof.
  destruct (Rlt_dec x 0); [right; assumption|left]; unfold Hampel_rho.
  destruct (Rlt_dec x a); [nra|]; destruct (Rlt_dec x b); [nra|]; destruct (Rlt_dec x c); [|lra].
  assert (0 <= a * (c - x) ^ 2 / (2 * (c - b))); [|lra].
  apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pow2_ge_0]|apply Rlt_le, Rinv_0_lt_compat; lra].
Qed.

Lemma J_far g : c + tau <= norm g -> J g = a * (b + c - a) / 2.
Proof.
  intros far; transitivity (sum n (fun i => a * (b + c - a) / 2 * m i)).
  - apply sum_ext; intros i Hi; simpl; rewrite Hampel_rho_beyond by (apply far_residual; assumption); ring.
  - rewrite sum_scale, (proj2 mass); ring.
Qed.

End Hampel.

(* Claim limit_points.hampel_far: with |P_i| = tau for all i, every g with |g| >= c + tau is stationary for Hampel's loss,
   and J is largest there. *)
Theorem Hampel_far (H : space) n (P : nat -> H) m tau a b c g : simplex n m ->
  (forall i, (i < n)%nat -> norm (P i) = tau) -> 0 < a -> a <= b -> b < c -> c + tau <= norm g ->
  stationary n P m (Hampel a b c) g /\ forall h, J n P m (Hampel a b c) h <= J n P m (Hampel a b c) g.
Proof.
  intros mass sphere Ha Hab Hbc far; split.
  - apply same; intros x; unfold V; rewrite dot_comb, dot_origin, <- (sum_zero n); apply sum_ext; intros i Hi.
    destruct (Hampel_phi_falls a b c Ha Hab Hbc) as [_ [_ none]].
    rewrite none by exact (far_residual n P tau c sphere g i far Hi); ring.
  - intros h; rewrite (J_far n P m tau a b c) with (g := g) by assumption; rewrite <- (Rmult_1_r (_ / 2)), <- (proj2 mass), <- sum_scale.
    apply sum_le; intros i Hi; rewrite Rmult_comm; apply Rmult_le_compat_r; [apply mass, Hi|].
    destruct (Hampel_rho_most a b c Ha Hab Hbc (residual P h i)) as [le|neg]; [exact le|].
    pose proof (norm_nonneg (sub (P i) h)); unfold residual in neg; lra.
Qed.

(* Claim hampel_nonconvex.theory_covers_experiments, which FAILS: J of Hampel's loss is constant on |g| >= c + tau, and so
   never strictly convex, whatever the data, if the space has a point besides 0. *)
Theorem Hampel_not_strictly_convex (H : space) n (P : nat -> H) m tau a b c : simplex n m ->
  (forall i, (i < n)%nat -> norm (P i) = tau) -> 0 < a -> a <= b -> b < c ->
  (forall g h, c + tau <= norm g -> c + tau <= norm h -> J n P m (Hampel a b c) g = J n P m (Hampel a b c) h) /\
  forall e : H, e <> origin -> ~ strictly_convex (J n P m (Hampel a b c)).
Proof.
  intros mass sphere Ha Hab Hbc; split.
  - intros g h Hg Hh; rewrite !(J_far n P m tau a b c) by assumption; reflexivity.
  - intros e nz strict; assert (He : 0 < norm e).
    { destruct (norm_nonneg e) as [lt|zero]; [exact lt|exfalso; apply nz, norm_zero; symmetry; exact zero]. }
    set (s := Rabs (c + tau) / norm e + 1).
    assert (Hs : 1 <= s).
    { assert (0 <= Rabs (c + tau) / norm e); [|unfold s; lra].
      apply Rmult_le_pos; [apply Rabs_pos|apply Rlt_le, Rinv_0_lt_compat, He]. }
    assert (far : forall t, s <= t -> c + tau <= norm (scale t e)).
    { intros t Ht; rewrite norm_scale, Rabs_right by lra; apply Rle_trans with (s * norm e).
      - unfold s; rewrite Rmult_plus_distr_r; replace (Rabs (c + tau) / norm e * norm e) with (Rabs (c + tau))
          by (field; lra); pose proof (Rle_abs (c + tau)); lra.
      - apply Rmult_le_compat_r; lra. }
    assert (ne : scale (s + 2) e <> scale s e).
    { intros eq; assert (dots : dot (scale (s + 2) e) e = dot (scale s e) e) by (rewrite eq; reflexivity).
      rewrite !dot_scale, <- norm_sqr in dots; nra. }
    specialize (strict _ _ (/ 2) ne ltac:(lra)).
    replace (between (/ 2) (scale (s + 2) e) (scale s e)) with (scale (s + 1) e) in strict.
    + rewrite !(J_far n P m tau a b c) in strict by (try assumption; apply far; lra); lra.
    + apply same; intros x; unfold between; rewrite dot_add, !dot_scale; field.
Qed.
