(* Lemma 2 as printed and as repaired, why three rows are needed, and one inequality of its proof. *)
From Coq Require Import Reals Lra Lia Classical.
From Rkde Require Import space setting losses convexity features.
Local Open Scope R_scope.

Section Printed.
Context {H : space} (n : nat) (P : nat -> H) (L : loss).

(* Claim theorems.lemma_2: J is strictly convex if (i) rho is strictly convex and does not decrease, or (ii) rho is
   convex and strictly increasing, all P_i have one norm, and three of them are distinct. *)
Theorem lemma_2 tau : (0 < n)%nat ->
  (rho_strictly_convex L /\ rho_rises L) \/
  (rho_convex L /\ rho_strictly_rises L /\ (forall i, (i < n)%nat -> norm (P i) = tau) /\
    exists i j k, (i < n)%nat /\ (j < n)%nat /\ (k < n)%nat /\ P i <> P j /\ P i <> P k /\ P j <> P k) ->
  strictly_convex (J n P (equal n) L).
Proof.
  intros pos; pose proof (equal_simplex n pos) as mass.
  assert (each : forall i : nat, 0 < equal n i) by (intros i; apply Rinv_0_lt_compat, lt_0_INR, pos).
  intros [[strict up]|[conv [rises [sphere [i [j [k [Hi [Hj [Hk [ij [ik jk]]]]]]]]]]]].
  - apply strict_rho; assumption.
  - apply three_distinct_rows with tau i j k; try assumption; apply each.
Qed.

(* Claim theorems.lemma_2: (ii) as printed, which needs no common norm: rho convex and strictly increasing, n >= 3, and
   the kernel matrix positive definite. *)
Theorem lemma_2_printed : (3 <= n)%nat -> positive_definite n P -> rho_convex L -> rho_strictly_rises L ->
  strictly_convex (J n P (equal n) L).
Proof.
  intros three pd conv rises g h l ne Hl; assert (pos : (0 < n)%nat) by lia.
  assert (pd3 : independent 3 P).
  { intros a zero i Hi; set (b := fun j => if Nat.ltb j 3 then a j else 0).
    assert (longer : forall k, comb (3 + k) b P = comb 3 a P).
    { induction k as [|k IH]; [reflexivity|].
      replace (3 + S k)%nat with (S (3 + k)) by lia; change (comb (S (3 + k)) b P) with
        (add (comb (3 + k) b P) (scale (b (3 + k)%nat) (P (3 + k)%nat))); rewrite IH.
      apply same; intros x; rewrite dot_add, dot_scale; change (b (3 + k)%nat) with 0; ring. }
    pose proof (lemma_3 n P pd b) as ind; replace n with (3 + (n - 3))%nat in ind by lia.
    rewrite longer in ind; specialize (ind zero i ltac:(lia)).
    unfold b in ind; replace (Nat.ltb i 3) with true in ind; [exact ind|symmetry; apply Nat.ltb_lt, Hi]. }
  destruct (three_points P g h pd3 ne) as [i [Hi free]].
  assert (up : rho_rises L) by (intros x y Hx [lt|<-]; [apply Rlt_le, rises; assumption|lra]).
  apply strict_row with i; [apply equal_simplex, pos|lia|apply Rinv_0_lt_compat, lt_0_INR, pos| |].
  - intros j; apply row_convex; assumption.
  - eapply Rlt_le_trans; [apply rises; [apply norm_nonneg|]|apply conv; [apply norm_nonneg..|exact Hl]].
    destruct (norm_between (sub (P i) g) (sub (P i) h) l Hl) as [lt|eq]; rewrite sub_between; [exact lt|].
    destruct free; apply (triangle_equality _ _ l Hl eq).
Qed.

End Printed.

Lemma between_first {H : space} (p q : H) w : norm (sub p (between w p q)) = Rabs (1 - w) * norm (sub p q).
Proof. rewrite <- norm_scale; f_equal; apply same; intros x; unfold between; rewrite dot_scale, !dot_sub, dot_add, !dot_scale; ring. Qed.

Lemma between_second {H : space} (p q : H) w : norm (sub q (between w p q)) = Rabs w * norm (sub p q).
Proof.
  rewrite norm_sub_comm, <- norm_scale; f_equal; apply same; intros x; unfold between.
  rewrite dot_scale, !dot_sub, dot_add, !dot_scale; ring.
Qed.

(* Claim convergence.two_rows: for two rows J of the absolute loss is constant between them, and J of Huber's loss
   where both residuals are at least a. *)
Theorem two_rows (H : space) (P : nat -> H) phi_0 a w : 0 <= w <= 1 ->
  let D := norm (sub (P 0%nat) (P 1%nat)) in
  J 2 P (equal 2) (absolute phi_0) (between w (P 0%nat) (P 1%nat)) = D / 2 /\
  (a <= (1 - w) * D -> a <= w * D ->
    J 2 P (equal 2) (Huber a) (between w (P 0%nat) (P 1%nat)) = a * D / 2 - a ^ 2 / 2).
Proof.
  intros Hw D; unfold J, residual, equal; simpl sum; rewrite between_first, between_second, !Rabs_right by lra.
  fold D; simpl; split; [field|]; intros first second; unfold Huber_rho.
  destruct (Rle_dec ((1 - w) * D) a), (Rle_dec (w * D) a); try (field_simplify_eq; lra).
  - replace ((1 - w) * D) with a by lra; replace D with (a + w * D) at 2 by lra; replace (w * D) with a by lra; field.
  - replace ((1 - w) * D) with a by lra; replace (a * D) with (a * (a + w * D)) by (f_equal; lra); field.
  - replace (w * D) with a by lra; replace (a * D) with (a * (a + (1 - w) * D)) by (f_equal; lra); field.
Qed.

(* Claim convexity.second_inequality, which FAILS: with n = 1, g = P + u, h = P - u and |u| = 1 the second inequality
   in the proof of Lemma 2 is an equality for every rho, strictly convex or not. *)
Theorem second_inequality (L : loss) l : exists (P g h : line),
  g <> h /\ rho L (l * norm (sub P g) + (1 - l) * norm (sub P h)) =
    l * rho L (norm (sub P g)) + (1 - l) * rho L (norm (sub P h)).
Proof.
  exists 0, 1, (-1); split; [simpl; lra|].
  replace (@norm line (@sub line 0 1)) with 1; [replace (@norm line (@sub line 0 (-1))) with 1; [|]|].
  - replace (l * 1 + (1 - l) * 1) with 1 by ring; ring.
  - unfold norm, sub; simpl; transitivity (sqrt 1); [symmetry; apply sqrt_1|f_equal; ring].
  - unfold norm, sub; simpl; transitivity (sqrt 1); [symmetry; apply sqrt_1|f_equal; ring].
Qed.
