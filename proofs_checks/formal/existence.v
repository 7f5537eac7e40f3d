(* J has a minimiser, which the paper takes for granted, and where the minimisers are. *)
From Coq Require Import Reals Lra Lia Classical.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone continuity compact convexity descent gateaux.
Local Open Scope R_scope.

Section Existence.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R) (L : loss).
Notation J := (J n P m L).
Notation V := (V n P m L).

Lemma rows_exist : simplex n m -> (0 < n)%nat.
Proof. intros [_ one]; destruct n; [simpl in one; lra|lia]. Qed.

Lemma vertex_in_hull j : (j < n)%nat -> in_hull n P (P j).
Proof.
  intros Hj; set (w := fun i => if Nat.eq_dec i j then 1 else 0).
  assert (pick : forall k (a : nat -> R), (j < k)%nat -> sum k (fun i => w i * a i) = a j).
  { assert (before : forall k (a : nat -> R), (k <= j)%nat -> sum k (fun i => w i * a i) = 0).
    { intros k a le; rewrite <- (sum_zero k); apply sum_ext; intros i Hi; unfold w.
      destruct (Nat.eq_dec i j); [lia|ring]. }
    induction k as [|k IH]; intros a lt; [lia|]; simpl; destruct (Nat.eq_dec k j) as [->|ne].
    - rewrite before by lia; unfold w; destruct (Nat.eq_dec j j); [ring|contradiction].
    - rewrite IH by lia; unfold w; destruct (Nat.eq_dec k j); [contradiction|ring]. }
  exists w; split; [split|].
  - intros i _; unfold w; destruct (Nat.eq_dec i j); lra.
  - rewrite <- (pick n (fun _ => 1) Hj); apply sum_ext; intros; ring.
  - apply same; intros x; rewrite dot_comb, pick by exact Hj; reflexivity.
Qed.

Lemma hull_between l g h : 0 <= l <= 1 -> in_hull n P g -> in_hull n P h -> in_hull n P (between l g h).
Proof.
  intros Hl [v [[Pv Ov] ->]] [w [[Pw Ow] ->]]; exists (fun i => l * v i + (1 - l) * w i); split; [split|].
  - intros i Hi; specialize (Pv i Hi); specialize (Pw i Hi).
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
  - rewrite sum_add, !sum_scale, Ov, Ow; ring.
  - apply same; intros x; unfold between; rewrite dot_add, !dot_scale, !dot_comb, <- !sum_scale, <- sum_add.
    apply sum_ext; intros i _; ring.
Qed.

(* The point of the hull nearest to g is nearer to every P_i than g is. *)
Lemma projection g : (0 < n)%nat -> exists f, in_hull n P f /\
  forall i, (i < n)%nat -> norm (sub (P i) f) ^ 2 + norm (sub g f) ^ 2 <= norm (sub (P i) g) ^ 2.
Proof.
  intros pos; destruct (least_on_hull n P (fun f => norm (sub g f)) 0 pos) as [f [Hf least]].
  { apply continuous_distance. } { intros h; apply norm_nonneg. }
  exists f; split; [exact Hf|]; intros i Hi.
  assert (obtuse : dot (sub g f) (sub (P i) f) <= 0).
  { apply Rnot_lt_le; intros acute; set (a := dot (sub g f) (sub (P i) f)) in *.
    set (b := dot (sub (P i) f) (sub (P i) f)); pose proof (dot_nonneg _ (sub (P i) f)) as Hb; fold b in Hb.
    set (t := Rmin 1 (a / (b + 1))).
    assert (Ht : 0 < t) by (apply Rmin_pos; [lra|apply Rdiv_lt_0_compat; lra]).
    assert (Ht1 : t <= 1) by apply Rmin_l; assert (Ht2 : t * (b + 1) <= a).
    { replace a with (a / (b + 1) * (b + 1)) by (field; lra); apply Rmult_le_compat_r; [lra|apply Rmin_r]. }
    pose proof (least _ (hull_between t (P i) f ltac:(lra) (vertex_in_hull i Hi) Hf)) as le.
    apply (fun q => Rmult_le_compat _ _ _ _ (norm_nonneg _) (norm_nonneg _) q q) in le; rewrite !norm_sqr in le.
    assert (eq : dot (sub g (between t (P i) f)) (sub g (between t (P i) f)) =
      dot (sub g f) (sub g f) - 2 * t * a + t ^ 2 * b).
    { unfold a, b, between, sub; rewrite ?dot_add, ?dot_add_r, ?dot_scale, ?dot_scale_r, ?dot_add, ?dot_add_r,
        ?dot_scale, ?dot_scale_r, (dot_comm _ f g), (dot_comm _ (P i) g), (dot_comm _ (P i) f); ring. }
    rewrite eq in le; nra. }
  replace (norm (sub (P i) g) ^ 2) with (dot (sub (P i) g) (sub (P i) g)) by (rewrite <- norm_sqr; ring).
  replace (norm (sub (P i) f) ^ 2) with (dot (sub (P i) f) (sub (P i) f)) by (rewrite <- norm_sqr; ring).
  replace (norm (sub g f) ^ 2) with (dot (sub g f) (sub g f)) by (rewrite <- norm_sqr; ring).
  revert obtuse; rewrite !dot_sub, !dot_sub_r, (dot_comm _ f g), (dot_comm _ (P i) g), (dot_comm _ (P i) f); lra.
Qed.

Lemma projection_nearer g f i : norm (sub (P i) f) ^ 2 + norm (sub g f) ^ 2 <= norm (sub (P i) g) ^ 2 ->
  norm (sub (P i) f) <= norm (sub (P i) g) /\ (g <> f -> norm (sub (P i) f) < norm (sub (P i) g)).
Proof.
  intros le; pose proof (norm_nonneg (sub (P i) g)); pose proof (norm_nonneg (sub (P i) f)).
  pose proof (norm_nonneg (sub g f)) as Hgf; split.
  - apply Rnot_lt_le; intros lt; nra.
  - intros ne; assert (0 < norm (sub g f)).
    { destruct Hgf as [lt|zero]; [exact lt|exfalso; apply ne, sub_origin, norm_zero; symmetry; exact zero]. }
    apply Rnot_le_lt; intros le'; nra.
Qed.

(* Claim existence.minimiser: for every non-decreasing, continuous rho and any masses J has a global minimiser, and
   one in the hull of the features. *)
Theorem minimiser_exists : simplex n m -> rho_rises L -> continuous_on (Rle 0) (rho L) ->
  exists f, in_hull n P f /\ minimiser J f.
Proof.
  intros mass up cont; destruct (least_on_hull n P J (rho L 0) (rows_exist mass)) as [f [Hf least]].
  - apply J_continuous, cont.
  - intros g; destruct mass as [pos one]; rewrite <- (Rmult_1_r (rho L 0)), <- one, <- sum_scale.
    apply sum_le; intros i Hi; rewrite Rmult_comm; apply Rmult_le_compat_l; [apply pos, Hi|].
    apply up; [lra|apply norm_nonneg].
  - exists f; split; [exact Hf|]; intros g; destruct (projection g (rows_exist mass)) as [p [Hp nearer]].
    apply Rle_trans with (J p); [apply least, Hp|]; apply sum_le; intros i Hi.
    apply Rmult_le_compat_l; [apply mass, Hi|]; apply up; [apply norm_nonneg|].
    apply (projection_nearer g p i (nearer i Hi)).
Qed.

(* Claim existence.in_hull: for a strictly increasing rho every minimiser of J lies in the hull of the features,
   whatever masses the rows have. *)
Theorem minimiser_in_hull g : simplex n m -> rho_strictly_rises L -> minimiser J g -> in_hull n P g.
Proof.
  intros mass rises least; destruct (projection g (rows_exist mass)) as [p [Hp nearer]].
  destruct (classic (g = p)) as [->|ne]; [exact Hp|exfalso].
  destruct (some_mass n m mass) as [j [Hj mj]]; apply (Rlt_not_le (J g) (J p)); [|apply least].
  apply sum_lt with j; [|exact Hj|].
  - intros i Hi; apply Rmult_le_compat_l; [apply mass, Hi|].
    apply Rlt_le, rises; [apply norm_nonneg|apply (projection_nearer g p i (nearer i Hi)), ne].
  - apply Rmult_lt_compat_l; [exact mj|].
    apply rises; [apply norm_nonneg|apply (projection_nearer g p j (nearer j Hj)), ne].
Qed.

(* J is below sup rho at every row of positive mass. *)
Lemma row_below_sup x j : simplex n m -> A1 L -> 0 <= x -> 0 < rho L x -> (j < n)%nat -> 0 < m j ->
  exists y, 0 <= y /\ J (P j) < rho L y.
Proof.
  intros [pos one] [up [zero _]] Hx Hrho Hj mj; set (D := sum n (fun i => norm (sub (P i) (P j)))).
  assert (HD : 0 <= D) by (apply sum_nonneg; intros; apply norm_nonneg).
  exists (x + D); split; [lra|]; assert (top : rho L x <= rho L (x + D)) by (apply up; lra).
  apply Rlt_le_trans with (rho L (x + D) * sum n m); [|rewrite one; lra]; rewrite <- sum_scale.
  apply sum_lt with j; [|exact Hj|].
  - intros i Hi; rewrite Rmult_comm; apply Rmult_le_compat_r; [apply pos, Hi|]; apply up; [apply norm_nonneg|].
    assert (norm (sub (P i) (P j)) <= D); [|unfold residual; lra].
    apply (sum_term n (fun i => norm (sub (P i) (P j)))); [intros; apply norm_nonneg|exact Hi].
  - unfold residual; rewrite norm_sub_self, zero, Rmult_0_r; apply Rmult_lt_0_compat; lra.
Qed.

Lemma mean_phi_positive f x : simplex n m -> psi_is_slope L -> A1 L -> phi_falls L -> 0 <= x -> J f < rho L x ->
  0 < mean_phi n P m L f.
Proof.
  intros mass slope a1 falls Hx lt; pose proof (mean_phi_bound n P m L f x mass slope a1 falls Hx) as le.
  pose proof (below_positive n P m L f x mass a1 Hx lt) as pos; assert (0 < x ^ 2) by (apply pow_lt, pos).
  apply Rmult_lt_reg_r with (x ^ 2); lra.
Qed.

(* Claim existence.positive_phi: at a global minimiser of J the mean of phi is positive, and so some phi(r_i) is, if phi
   does not increase and rho is not 0 everywhere. *)
Theorem positive_phi g : simplex n m -> psi_is_slope L -> A1 L -> phi_falls L ->
  (exists x, 0 <= x /\ rho L x <> 0) -> minimiser J g ->
  0 < mean_phi n P m L g /\ exists i, (i < n)%nat /\ 0 < phi L (residual P g i).
Proof.
  intros mass slope a1 falls [x [Hx nz]] least; destruct (some_mass n m mass) as [j [Hj mj]].
  assert (pos : 0 < rho L x) by (destruct a1 as [up [zero _]]; pose proof (up 0 x ltac:(lra) Hx); lra).
  destruct (row_below_sup x j mass a1 Hx pos Hj mj) as [y [Hy lt]].
  assert (mean : 0 < mean_phi n P m L g).
  { apply mean_phi_positive with y; try assumption; eapply Rle_lt_trans; [apply least|exact lt]. }
  split; [exact mean|]; destruct (sum_positive_term n _ mean) as [i [Hi term]]; exists i; split; [exact Hi|].
  pose proof (proj1 mass i Hi); apply Rnot_le_lt; intros neg; nra.
Qed.

(* Claim limit_points.nonempty: S is not empty: J has a global minimiser, and V is 0 at each. *)
Theorem stationary_exists : simplex n m -> psi_is_slope L -> A1 L ->
  (exists g, minimiser J g /\ V g = origin) /\ (forall g, minimiser J g -> V g = origin).
Proof.
  intros mass slope a1; pose proof (proj2 (lemma_1 n P m L slope a1)) as zero.
  destruct minimiser_exists as [g [_ least]]; [exact mass|exact (proj1 a1)|apply rho_continuous; assumption|].
  split; [exists g; split; [exact least|apply zero, least]|exact zero].
Qed.

(* Claim theorems.theorem_1: J has a global minimiser, and each one is f = sum w_i P_i with w_i >= 0 of sum 1 and
   w_i = m_i phi(|P_i - f|) over their sum, which is positive. The print lacks that phi does not increase and that rho
   is not 0 everywhere. *)
Theorem theorem_1 : simplex n m -> psi_is_slope L -> A1 L -> phi_falls L ->
  (exists x, 0 <= x /\ rho L x <> 0) ->
  (exists f, minimiser J f) /\
  forall f, minimiser J f -> 0 < mean_phi n P m L f /\
    exists w, simplex n w /\ f = comb n w P /\
      forall i, (i < n)%nat -> w i = m i * phi L (residual P f i) / mean_phi n P m L f.
Proof.
  intros mass slope a1 falls some; split.
  { destruct (stationary_exists mass slope a1) as [[g [least _]] _]; exists g; exact least. }
  intros f least; destruct (positive_phi f mass slope a1 falls some least) as [pos _].
  split; [exact pos|]; exists (next_weights n P m L f); split; [|split; [|reflexivity]].
  - apply next_weights_simplex; [apply row_sum_positive; assumption|exact pos].
  - apply V_is_step; [lra|]; apply (stationary_exists mass slope a1), least.
Qed.

End Existence.
