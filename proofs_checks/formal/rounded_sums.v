(* Sums of floats: in whatever order the numbers are added, no term takes part in more than n - 1 additions. *)
From Coq Require Import Reals Lra Lia.
From Rkde Require Import arithmetic.
Local Open Scope R_scope.

(* An order in which numbers are added: one after another, in pairs, in blocks, or any other. *)
Inductive tree :=
| leaf (x : R)
| plus (left right : tree).

Fixpoint exact (t : tree) : R := match t with leaf x => x | plus l r => exact l + exact r end.
Fixpoint size (t : tree) : R := match t with leaf x => Rabs x | plus l r => size l + size r end.
Fixpoint terms (t : tree) : nat := match t with leaf _ => 1 | plus l r => terms l + terms r end.
Fixpoint depth (t : tree) : nat := match t with leaf _ => 0 | plus l r => S (Nat.max (depth l) (depth r)) end.

Section Sums.
Variable A : arithmetic.
Local Notation u := (u A).

Fixpoint of_floats (t : tree) : Prop := match t with leaf x => float A x | plus l r => of_floats l /\ of_floats r end.
Fixpoint computed (t : tree) : R := match t with leaf x => x | plus l r => rnd A (computed l + computed r) end.

Lemma computed_float t : of_floats t -> float A (computed t).
Proof. destruct t; simpl; intros; [assumption|apply rnd_float]. Qed.

Lemma size_nonneg t : 0 <= size t.
Proof. induction t; simpl; [apply Rabs_pos|lra]. Qed.

Lemma exact_below_size t : Rabs (exact t) <= size t.
Proof. induction t; simpl; [lra|eapply Rle_trans; [apply Rabs_triang|lra]]. Qed.

Lemma terms_positive t : (1 <= terms t)%nat.
Proof. induction t; simpl; lia. Qed.

Lemma depth_below_terms t : (depth t <= terms t - 1)%nat.
Proof.
  induction t as [x|l IHl r IHr]; simpl; [lia|]; pose proof (terms_positive l); pose proof (terms_positive r); lia.
Qed.

Lemma sum_error_by_depth t k : of_floats t -> (depth t <= k)%nat ->
  Rabs (computed t - exact t) <= growth u k * size t.
Proof.
  revert k; induction t as [x|l IHl r IHr]; intros k floats le.
  - simpl; rewrite Rminus_eq_0, Rabs_R0; apply Rmult_le_pos; [apply growth_nonneg, u_nonneg|apply Rabs_pos].
  - destruct floats as [fl fr]; destruct k as [|k]; [simpl in le; lia|]; simpl in le.
    specialize (IHl k fl ltac:(lia)); specialize (IHr k fr ltac:(lia)); simpl.
    pose proof (sum_error A _ _ (computed_float l fl) (computed_float r fr)) as step.
    set (a := computed l) in *; set (b := computed r) in *.
    pose proof (exact_below_size l); pose proof (exact_below_size r).
    pose proof (u_nonneg A) as Hu; unfold growth in *; simpl pow; set (p := (1 + u) ^ k) in *.
    assert (Rabs (a + b) <= p * (size l + size r)).
    { replace (a + b) with ((a - exact l) + (b - exact r) + (exact l + exact r)) by ring.
      eapply Rle_trans; [apply Rabs_triang|].
      pose proof (Rabs_triang (a - exact l) (b - exact r)); pose proof (Rabs_triang (exact l) (exact r)); lra. }
    replace (rnd A (a + b) - (exact l + exact r))
      with ((rnd A (a + b) - (a + b)) + ((a - exact l) + (b - exact r))) by ring.
    eapply Rle_trans; [apply Rabs_triang|]; pose proof (Rabs_triang (a - exact l) (b - exact r)).
    assert (u * Rabs (a + b) <= u * (p * (size l + size r))) by (apply Rmult_le_compat_l; assumption).
    lra.
Qed.

(* Claim roundings.sum: n floats, added in whatever order with one rounding an addition, give their sum but for
   ((1 + u)^(n - 1) - 1) sum |x_i|, which is at most gamma_(n - 1) sum |x_i| if (n - 1) u < 1; and a sum whose terms
   take part in at most k additions each, as in blocks or pairs, but for ((1 + u)^k - 1) sum |x_i|. *)
Theorem rounded_sum t : of_floats t ->
  Rabs (computed t - exact t) <= growth u (terms t - 1) * size t /\
  (INR (terms t - 1) * u < 1 -> Rabs (computed t - exact t) <= gamma u (terms t - 1) * size t) /\
  (forall k, (depth t <= k)%nat -> Rabs (computed t - exact t) <= growth u k * size t).
Proof.
  intros floats; assert (main : forall k, (depth t <= k)%nat -> Rabs (computed t - exact t) <= growth u k * size t)
    by (intros k le; apply sum_error_by_depth; assumption).
  assert (all : Rabs (computed t - exact t) <= growth u (terms t - 1) * size t) by (apply main, depth_below_terms).
  split; [exact all|]; split; [|exact main]; intros small; eapply Rle_trans; [exact all|].
  apply Rmult_le_compat_r; [apply size_nonneg|apply growth_below_gamma; [apply u_nonneg|exact small]].
Qed.

(* The sum divided by n and rounded: one rounding more, and eta if the quotient underflows. *)
Lemma mean_error t : of_floats t ->
  Rabs (rnd A (computed t / INR (terms t)) - exact t / INR (terms t)) <=
    growth u (terms t) * (size t / INR (terms t)) + eta A.
Proof.
  intros floats; pose proof (sum_error_by_depth t _ floats (depth_below_terms t)) as sum.
  pose proof (any_error A (computed t / INR (terms t))) as last; pose proof (terms_positive t) as pos.
  pose proof (u_nonneg A) as Hu; pose proof (exact_below_size t).
  assert (Hn : 0 < / INR (terms t)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  replace (terms t) with (S (terms t - 1)) at 3 by lia; unfold growth in *; simpl pow.
  set (p := (1 + u) ^ (terms t - 1)) in *; unfold Rdiv in *; set (i := / INR (terms t)) in *.
  set (c := computed t) in *; set (s := size t) in *.
  assert (near : Rabs (c * i - exact t * i) <= (p - 1) * s * i).
  { rewrite <- Rmult_minus_distr_r, Rabs_mult, (Rabs_right i) by lra; apply Rmult_le_compat_r; lra. }
  assert (large : Rabs (c * i) <= p * s * i).
  { rewrite Rabs_mult, (Rabs_right i) by lra; apply Rmult_le_compat_r; [lra|].
    replace c with ((c - exact t) + exact t) by ring; eapply Rle_trans; [apply Rabs_triang|]; lra. }
  assert (u * Rabs (c * i) <= u * (p * s * i)) by (apply Rmult_le_compat_l; assumption).
  replace (rnd A (c * i) - exact t * i) with ((rnd A (c * i) - c * i) + (c * i - exact t * i)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]; lra.
Qed.

End Sums.
