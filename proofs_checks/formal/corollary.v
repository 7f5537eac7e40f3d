(* The corollary of Theorem 3: with a strictly convex J the iterates converge to the minimiser. *)
From Coq Require Import Reals Lra Lia Classical.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting convexity sufficient existence iterates theorem_3.
Local Open Scope R_scope.

Section Corollary.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R) (L : loss).
Notation J := (J n P m L).

Lemma convex_ray (T : H -> R) g h t : convex T -> 1 < t -> T g + t * (T h - T g) <= T (between t h g).
Proof.
  intros conv Ht; assert (Hi : 0 < / t) by (apply Rinv_0_lt_compat; lra).
  assert (Hi1 : / t < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  pose proof (conv (between t h g) g (/ t) (conj Hi Hi1)) as le.
  replace (between (/ t) (between t h g) g) with h in le.
  - apply (Rmult_le_compat_l t) in le; [|lra].
    replace (t * (/ t * T (between t h g) + (1 - / t) * T g)) with (T (between t h g) + t * T g - T g) in le
      by (field; lra); lra.
  - apply same; intros x; unfold between; rewrite ?dot_add, ?dot_scale, ?dot_add, ?dot_scale; field; lra.
Qed.

Lemma unequal_values (T : H -> R) (g h : H) : strictly_convex T -> g <> h -> exists a b, T a < T b.
Proof.
  intros strict ne; specialize (strict g h (/ 2) ne ltac:(lra)); exists (between (/ 2) g h).
  destruct (Rle_dec (T g) (T h)); [exists h|exists g]; lra.
Qed.

(* Claim limit_points.strict_convexity: a strictly convex J has an unbounded rho, if the space has a point besides 0;
   so J is below sup rho everywhere. *)
Theorem unbounded_rho (g h : H) : g <> h -> simplex n m -> rho_rises L -> strictly_convex J ->
  (forall B, exists x, 0 <= x /\ B < rho L x) /\ forall f, below_sup n P m L f.
Proof.
  intros ne mass up strict; assert (unbounded : forall B, exists x, 0 <= x /\ B < rho L x).
  { intros B; destruct (unequal_values J g h strict ne) as [a [b lt]].
    pose proof (strictly_convex_convex J strict) as conv.
    assert (Hq : 0 <= Rabs (B - J a) / (J b - J a)).
    { apply Rmult_le_pos; [apply Rabs_pos|apply Rlt_le, Rinv_0_lt_compat; lra]. }
    set (t := Rabs (B - J a) / (J b - J a) + 2).
    pose proof (convex_ray J a b t conv ltac:(unfold t; lra)) as ray.
    assert (high : B < J a + t * (J b - J a)).
    { replace (t * (J b - J a)) with (Rabs (B - J a) + 2 * (J b - J a)) by (unfold t; field; lra).
      pose proof (Rle_abs (B - J a)); lra. }
    set (q := between t b a) in *; set (D := sum n (residual P q)).
    exists D; split; [apply sum_nonneg; intros; apply norm_nonneg|]; apply Rlt_le_trans with (J q); [lra|].
    apply Rle_trans with (rho L D * sum n m); [|rewrite (proj2 mass); lra]; rewrite <- sum_scale.
    apply sum_le; intros i Hi; rewrite Rmult_comm; apply Rmult_le_compat_r; [apply mass, Hi|].
    apply up; [apply norm_nonneg|apply sum_term; [intros; apply norm_nonneg|exact Hi]]. }
  split; [exact unbounded|]; intros f; apply unbounded.
Qed.

(* Claim theorems.corollary: where J is strictly convex, the stationary set has one element, the minimiser of J, and
   the iterates of KIRWLS converge to it from any weights. *)
Theorem corollary (g h : H) w : g <> h ->
  simplex n m -> psi_is_slope L -> A1 L -> A3 L -> phi_falls L -> strictly_convex J -> simplex n w ->
  exists f, (forall s, stationary n P m L s <-> s = f) /\ (forall s, minimiser J s <-> s = f) /\
    is_lim_seq (fun k => norm (sub (iterate n P m L w k) f)) 0.
Proof.
  intros ne mass slope a1 a3 falls strict Hw.
  destruct (unbounded_rho g h ne mass (proj1 a1) strict) as [_ low].
  destruct (stationary_exists n P m L mass slope a1) as [[f [least zero]] _].
  destruct (sufficient n P m L slope a1) as [_ one]; pose proof (one strict) as unique.
  assert (S_f : forall s, stationary n P m L s <-> s = f).
  { intros s; split; [intros Hs; apply unique; assumption|intros ->; exact zero]. }
  exists f; split; [exact S_f|split].
  - intros s; split; [intros Ms; apply (one_minimiser J); assumption|intros ->; exact least].
  - destruct (theorem_3 H n P m L w mass slope a1 a3 falls Hw (low _)) as [_ [_ [_ [_ lim]]]].
    apply is_lim_seq_ext with (2 := lim); intros k; apply Rle_antisym.
    + apply (distance_bounds _ _ f zero).
    + unfold distance; set (E := fun d => exists s, stationary n P m L s /\ d = norm (sub (iterate n P m L w k) s)).
      destruct (Glb_Rbar_correct E) as [lower greatest].
      assert (high : Rbar_le (Glb_Rbar E) (norm (sub (iterate n P m L w k) f))).
      { apply lower; exists f; split; [exact zero|reflexivity]. }
      assert (le : Rbar_le (norm (sub (iterate n P m L w k) f)) (Glb_Rbar E)).
      { apply greatest; intros d [s [Hs ->]]; apply S_f in Hs; rewrite Hs; simpl; lra. }
      destruct (Glb_Rbar E); simpl in *; [exact le|contradiction|contradiction].
Qed.

End Corollary.
