(* Lemma 2: when J is strictly convex. *)
From Coq Require Import Reals Lra Lia.
From Rkde Require Import space setting.
Local Open Scope R_scope.

(* Properties of rho on x >= 0. *)
Definition rho_convex (L : loss) : Prop :=
  forall x y l, 0 <= x -> 0 <= y -> 0 < l < 1 -> rho L (l * x + (1 - l) * y) <= l * rho L x + (1 - l) * rho L y.
Definition rho_strictly_convex (L : loss) : Prop :=
  forall x y l, 0 <= x -> 0 <= y -> x <> y -> 0 < l < 1 ->
    rho L (l * x + (1 - l) * y) < l * rho L x + (1 - l) * rho L y.
Definition rho_rises (L : loss) : Prop := forall x y, 0 <= x -> x <= y -> rho L x <= rho L y.
Definition rho_strictly_rises (L : loss) : Prop := forall x y, 0 <= x -> x < y -> rho L x < rho L y.

(* a p + b q = 0 for some a and b that are not both 0. *)
Definition dependent {H : space} (p q : H) : Prop :=
  exists a b, (a <> 0 \/ b <> 0) /\ add (scale a p) (scale b q) = origin.

Section Lemma_2.
Context {H : space}.
Implicit Types g h p q : H.

Lemma sub_between p g h l : sub p (between l g h) = between l (sub p g) (sub p h).
Proof.
  apply same; intros x; unfold between; rewrite !dot_sub, !dot_add, !dot_scale, !dot_sub; ring.
Qed.

Lemma norm_between p q l : 0 < l < 1 -> norm (between l p q) <= l * norm p + (1 - l) * norm q.
Proof.
  intros Hl; eapply Rle_trans; [apply triangle|]; rewrite !norm_scale, !Rabs_right by lra; lra.
Qed.

Lemma square_between p q l : dot (between l p q) (between l p q) =
  l * dot p p + (1 - l) * dot q q - l * (1 - l) * dot (sub p q) (sub p q).
Proof.
  unfold between, sub; rewrite ?dot_add, ?dot_add_r, ?dot_scale, ?dot_scale_r, (dot_comm _ q p); ring.
Qed.

Lemma sub_sub p g h : sub (sub p g) (sub p h) = sub h g.
Proof. apply same; intros x; rewrite !dot_sub; ring. Qed.

Lemma distance_positive g h : g <> h -> 0 < dot (sub h g) (sub h g).
Proof.
  intros ne; destruct (dot_nonneg _ (sub h g)) as [lt|zero]; [exact lt|exfalso; apply ne].
  symmetry; apply sub_origin, dot_definite; symmetry; exact zero.
Qed.

(* Claim convexity.triangle_equality: equality in |l p + (1 - l) q| <= l |p| + (1 - l)|q| holds only if p and q are
   linearly dependent: |q| p = |p| q. *)
Theorem triangle_equality p q l : 0 < l < 1 -> norm (between l p q) = l * norm p + (1 - l) * norm q ->
  scale (norm q) p = scale (norm p) q /\ dependent p q.
Proof.
  intros Hl eq; assert (aligned : dot p q = norm p * norm q).
  { pose proof (norm_sqr (between l p q)) as sq; rewrite eq, square_between, <- !norm_sqr in sq.
    rewrite dot_sub, !dot_sub_r, (dot_comm _ q p), <- !norm_sqr in sq || idtac.
    assert (0 < l * (1 - l)) by (apply Rmult_lt_0_compat; lra).
    pose proof (norm_sqr (sub p q)) as sq'; rewrite dot_sub, !dot_sub_r, (dot_comm _ q p), <- !norm_sqr in sq'.
    apply Rmult_eq_reg_l with (l * (1 - l)); [|lra]; nra. }
  assert (same_line : scale (norm q) p = scale (norm p) q).
  { apply sub_origin, dot_definite; rewrite dot_sub, !dot_sub_r, !dot_scale, !dot_scale_r, (dot_comm _ q p).
    rewrite aligned, <- !norm_sqr; ring. }
  split; [exact same_line|]; destruct (Req_dec (norm q) 0) as [zero|nz].
  - exists 0, 1; split; [right; lra|]; rewrite (norm_zero _ zero).
    apply same; intros x; rewrite dot_add, !dot_scale, !dot_origin; ring.
  - exists (norm q), (- norm p); split; [left; exact nz|]; rewrite same_line.
    apply same; intros x; rewrite dot_add, !dot_scale, dot_origin; ring.
Qed.

(* A point p for which equality holds lies on the line through g and h. *)
Lemma on_the_line p g h l : g <> h -> 0 < l < 1 ->
  norm (sub p (between l g h)) = l * norm (sub p g) + (1 - l) * norm (sub p h) ->
  exists t, p = add g (scale t (sub h g)).
Proof.
  intros ne Hl; rewrite sub_between; intros eq; destruct (triangle_equality _ _ l Hl eq) as [line _].
  set (a := norm (sub p h)) in *; set (b := norm (sub p g)) in *.
  assert (dots : forall x, a * (dot p x - dot g x) = b * (dot p x - dot h x)).
  { intros x; rewrite <- !dot_sub, <- !dot_scale, line; reflexivity. }
  destruct (Req_dec a b) as [same_size|differ].
  - exfalso; destruct (Req_dec b 0) as [zero|nz].
    + apply ne; transitivity p; [symmetry|]; apply sub_origin, norm_zero; [exact zero|].
      fold a; rewrite same_size; exact zero.
    + apply ne, same; intros x; specialize (dots x); rewrite same_size in dots.
      apply Rmult_eq_reg_l in dots; [lra|exact nz].
  - exists (b / (b - a)); apply same; intros x; rewrite dot_add, dot_scale, dot_sub; specialize (dots x).
    apply Rmult_eq_reg_l with (b - a); [|lra]; field_simplify; [lra|lra].
Qed.

(* Claim convergence.three_distinct_rows: a line meets a sphere at most twice. *)
Theorem line_meets_sphere g d tau t1 t2 t3 : d <> origin -> t1 <> t2 -> t1 <> t3 -> t2 <> t3 ->
  norm (add g (scale t1 d)) = tau -> norm (add g (scale t2 d)) = tau -> norm (add g (scale t3 d)) = tau -> False.
Proof.
  intros Hd ne12 ne13 ne23 N1 N2 N3.
  assert (square : forall t, norm (add g (scale t d)) = tau ->
    dot g g + 2 * t * dot g d + t ^ 2 * dot d d = tau * tau).
  { intros t <-; rewrite norm_sqr, dot_add, !dot_add_r, !dot_scale, !dot_scale_r, (dot_comm _ d g); ring. }
  apply square in N1, N2, N3.
  assert (E2 : (t1 - t2) * (2 * dot g d + (t1 + t2) * dot d d) = 0) by lra.
  assert (E3 : (t1 - t3) * (2 * dot g d + (t1 + t3) * dot d d) = 0) by lra.
  apply Rmult_integral in E2, E3; destruct E2 as [|E2], E3 as [|E3]; try lra.
  assert (E : (t2 - t3) * dot d d = 0) by lra; apply Rmult_integral in E; destruct E as [|E]; [lra|].
  apply Hd, dot_definite, E.
Qed.

Section Objective.
Variables (n : nat) (P : nat -> H) (m : nat -> R) (L : loss).
Notation J := (J n P m L).

Lemma row_convex i g h l : rho_rises L -> rho_convex L -> 0 < l < 1 ->
  rho L (norm (sub (P i) (between l g h))) <=
  l * rho L (norm (sub (P i) g)) + (1 - l) * rho L (norm (sub (P i) h)).
Proof.
  intros up conv Hl; rewrite sub_between.
  eapply Rle_trans; [apply up; [apply norm_nonneg|apply norm_between, Hl]|].
  apply conv; [apply norm_nonneg..|exact Hl].
Qed.

(* One row for which the inequality is strict makes that of J strict. *)
Lemma strict_row g h l j : simplex n m -> (j < n)%nat -> 0 < m j ->
  (forall i, rho L (norm (sub (P i) (between l g h))) <=
    l * rho L (norm (sub (P i) g)) + (1 - l) * rho L (norm (sub (P i) h))) ->
  rho L (norm (sub (P j) (between l g h))) <
    l * rho L (norm (sub (P j) g)) + (1 - l) * rho L (norm (sub (P j) h)) ->
  J (between l g h) < l * J g + (1 - l) * J h.
Proof.
  intros [mass _] Hj mj rows row; unfold setting.J; rewrite <- !sum_scale, <- sum_add; apply sum_lt with j.
  - intros i Hi; pose proof (mass i Hi) as mi; unfold residual.
    apply Rle_trans with (m i * (l * rho L (norm (sub (P i) g)) + (1 - l) * rho L (norm (sub (P i) h)))); [|lra].
    apply Rmult_le_compat_l; [exact mi|apply rows].
  - exact Hj.
  - unfold residual.
    apply Rlt_le_trans with (m j * (l * rho L (norm (sub (P j) g)) + (1 - l) * rho L (norm (sub (P j) h)))); [|lra].
    apply Rmult_lt_compat_l; [exact mj|exact row].
Qed.

Lemma some_mass : simplex n m -> exists j, (j < n)%nat /\ 0 < m j.
Proof. intros [_ one]; apply sum_positive_term; rewrite one; lra. Qed.

Lemma convex_of_strictly_convex : rho_strictly_convex L -> rho_convex L.
Proof.
  intros strict x y l Hx Hy Hl; destruct (Req_dec x y) as [->|ne].
  - replace (l * y + (1 - l) * y) with y by ring; lra.
  - apply Rlt_le, strict; assumption.
Qed.

Lemma strictly_rises_of_strictly_convex : rho_strictly_convex L -> rho_rises L -> rho_strictly_rises L.
Proof.
  intros strict up x y Hx Hxy.
  pose proof (strict x y (/ 2) Hx ltac:(lra) ltac:(lra) ltac:(lra)).
  pose proof (up x (/ 2 * x + (1 - / 2) * y) Hx ltac:(lra)); lra.
Qed.

(* Claim convexity.strict_rho: J is strictly convex if rho is strictly convex and does not decrease, whatever the
   rows are. *)
Theorem strict_rho : simplex n m -> rho_strictly_convex L -> rho_rises L -> strictly_convex J.
Proof.
  intros mass strict up g h l ne Hl; destruct (some_mass mass) as [j [Hj mj]].
  pose proof (convex_of_strictly_convex strict) as conv.
  apply strict_row with j; try assumption; [intros i; apply row_convex; assumption|]; rewrite sub_between.
  destruct (Req_dec (norm (sub (P j) g)) (norm (sub (P j) h))) as [eq|differ].
  - set (r := norm (sub (P j) h)) in *; rewrite eq.
    apply Rlt_le_trans with (rho L r); [|lra].
    apply strictly_rises_of_strictly_convex; [exact strict|exact up|apply norm_nonneg|].
    apply Rsqr_incrst_0; [unfold Rsqr|apply norm_nonneg|apply norm_nonneg].
    rewrite norm_sqr, square_between, <- !norm_sqr, eq, sub_sub; fold r.
    pose proof (norm_sqr (sub h g)) as sq; pose proof (distance_positive g h ne) as pos; rewrite <- sq in pos.
    assert (0 < l * (1 - l)) by (apply Rmult_lt_0_compat; lra).
    pose proof (Rmult_lt_0_compat _ _ H0 pos); lra.
  - eapply Rle_lt_trans; [apply up; [apply norm_nonneg|apply norm_between, Hl]|].
    apply strict; try assumption; apply norm_nonneg.
Qed.

(* Claim convergence.three_distinct_rows: J is strictly convex if rho is convex and strictly increasing, all P_i have
   one norm, and three of them, of positive mass, are distinct; n >= 3 and a regular K are not needed. *)
Theorem three_distinct_rows tau i j k : simplex n m -> rho_convex L -> rho_strictly_rises L ->
  (forall i, (i < n)%nat -> norm (P i) = tau) ->
  (i < n)%nat -> (j < n)%nat -> (k < n)%nat -> 0 < m i -> 0 < m j -> 0 < m k ->
  P i <> P j -> P i <> P k -> P j <> P k -> strictly_convex J.
Proof.
  intros mass conv rises sphere Hi Hj Hk mi mj mk ij ik jk g h l ne Hl.
  assert (up : rho_rises L).
  { intros x y Hx [lt|<-]; [apply Rlt_le, rises; assumption|lra]. }
  assert (row : forall a, (a < n)%nat -> 0 < m a ->
    J (between l g h) < l * J g + (1 - l) * J h \/ exists t, P a = add g (scale t (sub h g))).
  { intros a Ha ma; destruct (Req_dec (norm (sub (P a) (between l g h)))
      (l * norm (sub (P a) g) + (1 - l) * norm (sub (P a) h))) as [eq|differ].
    - right; apply on_the_line with l; assumption.
    - left; apply strict_row with a; try assumption; [intros b; apply row_convex; assumption|].
      eapply Rlt_le_trans; [apply rises; [apply norm_nonneg|]|apply conv; [apply norm_nonneg..|exact Hl]].
      pose proof (norm_between (sub (P a) g) (sub (P a) h) l Hl) as le; rewrite <- sub_between in le; lra. }
  destruct (row i Hi mi) as [lt|[t1 E1]]; [exact lt|]; destruct (row j Hj mj) as [lt|[t2 E2]]; [exact lt|].
  destruct (row k Hk mk) as [lt|[t3 E3]]; [exact lt|]; exfalso.
  apply (line_meets_sphere g (sub h g) tau t1 t2 t3).
  - intros zero; apply ne; symmetry; apply sub_origin, zero.
  - intros eq; apply ij; rewrite E1, E2, eq; reflexivity.
  - intros eq; apply ik; rewrite E1, E3, eq; reflexivity.
  - intros eq; apply jk; rewrite E2, E3, eq; reflexivity.
  - rewrite <- E1; apply sphere, Hi.
  - rewrite <- E2; apply sphere, Hj.
  - rewrite <- E3; apply sphere, Hk.
Qed.

End Objective.
End Lemma_2.
