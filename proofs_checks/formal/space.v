(* Finite sums, and real inner product spaces of any dimension.

   The reproducing kernel Hilbert space of the paper is one of them; no statement in these files needs more of it
   than its inner product. The points are numbered 0, ..., n - 1. *)
From Coq Require Import Reals Lra Lia.
Local Open Scope R_scope.

(* a_0 + ... + a_(n-1). *)
Fixpoint sum (n : nat) (a : nat -> R) : R :=
  match n with O => 0 | S k => sum k a + a k end.

Lemma sum_ext n a b : (forall i, (i < n)%nat -> a i = b i) -> sum n a = sum n b.
Proof.
  induction n as [|n IH]; intros eq; simpl; [reflexivity|].
  rewrite IH, eq; [reflexivity|lia|intros i Hi; apply eq; lia].
Qed.

Lemma sum_add n a b : sum n (fun i => a i + b i) = sum n a + sum n b.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_scale n c a : sum n (fun i => c * a i) = c * sum n a.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_opp n a : sum n (fun i => - a i) = - sum n a.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_le n a b : (forall i, (i < n)%nat -> a i <= b i) -> sum n a <= sum n b.
Proof.
  induction n as [|n IH]; intros le; simpl; [lra|].
  apply Rplus_le_compat; [apply IH; intros i Hi; apply le; lia|apply le; lia].
Qed.

Lemma sum_zero n : sum n (fun _ => 0) = 0.
Proof. induction n as [|n IH]; simpl; [reflexivity|rewrite IH; ring]. Qed.

Lemma sum_nonneg n a : (forall i, (i < n)%nat -> 0 <= a i) -> 0 <= sum n a.
Proof. intros pos; rewrite <- (sum_zero n); apply sum_le; assumption. Qed.

Lemma sum_lt n a b j :
  (forall i, (i < n)%nat -> a i <= b i) -> (j < n)%nat -> a j < b j -> sum n a < sum n b.
Proof.
  induction n as [|n IH]; intros le Hj lt; simpl; [lia|].
  destruct (Nat.eq_dec j n) as [->|ne].
  - apply Rplus_le_lt_compat; [apply sum_le; intros i Hi; apply le; lia|assumption].
  - apply Rplus_lt_le_compat; [apply IH; [intros i Hi; apply le|..]; try lia; assumption|apply le; lia].
Qed.

Lemma sum_term n a j : (forall i, (i < n)%nat -> 0 <= a i) -> (j < n)%nat -> a j <= sum n a.
Proof.
  induction n as [|n IH]; intros pos Hj; simpl; [lia|].
  assert (0 <= sum n a) by (apply sum_nonneg; intros i Hi; apply pos; lia).
  assert (0 <= a n) by (apply pos; lia).
  destruct (Nat.eq_dec j n) as [->|ne]; [lra|].
  assert (a j <= sum n a) by (apply IH; [intros i Hi; apply pos|]; lia); lra.
Qed.

Lemma sum_positive_term n a : 0 < sum n a -> exists j, (j < n)%nat /\ 0 < a j.
Proof.
  induction n as [|n IH]; simpl; intros pos; [lra|].
  destruct (Rlt_dec 0 (a n)) as [lt|ge]; [exists n; split; [lia|assumption]|].
  destruct IH as [j [Hj lt]]; [lra|exists j; split; [lia|assumption]].
Qed.

Lemma sum_constant n c : sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; ring|rewrite S_INR; simpl; rewrite IH; ring]. Qed.

(* A vector space over the real numbers with an inner product. *)
Record space := Space {
  vector :> Type;
  origin : vector;
  add : vector -> vector -> vector;
  scale : R -> vector -> vector;
  dot : vector -> vector -> R;
  add_comm : forall u v, add u v = add v u;
  add_assoc : forall u v w, add u (add v w) = add (add u v) w;
  add_origin : forall u, add u origin = u;
  add_opposite : forall u, add u (scale (-1) u) = origin;
  scale_one : forall u, scale 1 u = u;
  scale_scale : forall a b u, scale a (scale b u) = scale (a * b) u;
  scale_add : forall a u v, scale a (add u v) = add (scale a u) (scale a v);
  add_scale : forall a b u, scale (a + b) u = add (scale a u) (scale b u);
  dot_comm : forall u v, dot u v = dot v u;
  dot_add : forall u v w, dot (add u v) w = dot u w + dot v w;
  dot_scale : forall a u v, dot (scale a u) v = a * dot u v;
  dot_nonneg : forall u, 0 <= dot u u;
  dot_definite : forall u, dot u u = 0 -> u = origin
}.

Arguments origin {_}.
Arguments add {_}.
Arguments scale {_}.
Arguments dot {_}.

(* There are such spaces: the line. *)
Definition line : space.
Proof.
  refine (Space R 0 Rplus Rmult Rmult _ _ _ _ _ _ _ _ _ _ _ _ _); intros; try abstract ring.
  - abstract (apply Rle_0_sqr).
  - abstract (apply Rsqr_0_uniq; assumption).
Defined.

Definition sub {H : space} (u v : H) : H := add u (scale (-1) v).
Definition norm {H : space} (u : H) : R := sqrt (dot u u).

(* w_0 P_0 + ... + w_(n-1) P_(n-1). *)
Fixpoint comb {H : space} (n : nat) (w : nat -> R) (P : nat -> H) : H :=
  match n with O => origin | S k => add (comb k w P) (scale (w k) (P k)) end.

Section Facts.
Context {H : space}.
Implicit Types (u v x y : H) (P : nat -> H).

Lemma dot_add_r u v x : dot x (add u v) = dot x u + dot x v.
Proof. rewrite dot_comm, dot_add, (dot_comm _ u), (dot_comm _ v); reflexivity. Qed.

Lemma dot_scale_r a u v : dot u (scale a v) = a * dot u v.
Proof. rewrite dot_comm, dot_scale, dot_comm; reflexivity. Qed.

Lemma dot_sub u v x : dot (sub u v) x = dot u x - dot v x.
Proof. unfold sub; rewrite dot_add, dot_scale; ring. Qed.

Lemma dot_sub_r u v x : dot x (sub u v) = dot x u - dot x v.
Proof. unfold sub; rewrite dot_add_r, dot_scale_r; ring. Qed.

Lemma dot_origin u : dot origin u = 0.
Proof. rewrite <- (add_opposite _ origin), dot_add, dot_scale; ring. Qed.

Lemma dot_origin_r u : dot u origin = 0.
Proof. rewrite dot_comm; apply dot_origin. Qed.

Lemma dot_comb n w P u : dot (comb n w P) u = sum n (fun i => w i * dot (P i) u).
Proof.
  induction n as [|n IH]; simpl; [apply dot_origin|rewrite dot_add, dot_scale, IH; reflexivity].
Qed.

Lemma dot_comb_r n w P u : dot u (comb n w P) = sum n (fun i => w i * dot u (P i)).
Proof. rewrite dot_comm, dot_comb; apply sum_ext; intros i _; rewrite dot_comm; reflexivity. Qed.

Lemma sub_origin u v : sub u v = origin -> u = v.
Proof.
  unfold sub; intros zero.
  rewrite <- (add_origin _ u), <- (add_opposite _ v), (add_comm _ v), add_assoc, zero, add_comm.
  apply add_origin.
Qed.

(* Two vectors are equal if they have the same inner products. *)
Lemma same u v : (forall x, dot u x = dot v x) -> u = v.
Proof. intros eq; apply sub_origin, dot_definite; rewrite dot_sub, eq; ring. Qed.

Lemma norm_nonneg u : 0 <= norm u.
Proof. apply sqrt_pos. Qed.

Lemma norm_sqr u : norm u * norm u = dot u u.
Proof. apply sqrt_sqrt, dot_nonneg. Qed.

Lemma norm_zero u : norm u = 0 -> u = origin.
Proof. intros zero; apply dot_definite; rewrite <- norm_sqr, zero; ring. Qed.

Lemma norm_origin : norm (@origin H) = 0.
Proof. unfold norm; rewrite dot_origin; apply sqrt_0. Qed.

Lemma norm_scale a u : norm (scale a u) = Rabs a * norm u.
Proof.
  unfold norm; rewrite dot_scale, dot_scale_r, <- Rmult_assoc, sqrt_mult_alt by apply Rle_0_sqr.
  f_equal; apply sqrt_Rsqr_abs.
Qed.

Lemma Cauchy_Schwarz u v : dot u v <= norm u * norm v.
Proof.
  pose proof (norm_nonneg u) as Nu; pose proof (norm_nonneg v) as Nv.
  pose proof (norm_sqr u) as Su; pose proof (norm_sqr v) as Sv.
  destruct (Req_dec (norm u) 0) as [zero|nz].
  { rewrite zero, (norm_zero _ zero), dot_origin; lra. }
  destruct (Req_dec (norm v) 0) as [zero|nz'].
  { rewrite zero, (norm_zero _ zero), dot_origin_r; lra. }
  pose proof (dot_nonneg _ (sub (scale (norm v) u) (scale (norm u) v))) as sq.
  rewrite dot_sub, !dot_sub_r, !dot_scale, !dot_scale_r, (dot_comm _ v u), <- Su, <- Sv in sq.
  assert (0 < norm u * norm v) by (apply Rmult_lt_0_compat; lra).
  apply Rmult_le_reg_l with (norm u * norm v); [assumption|lra].
Qed.

Lemma Cauchy_Schwarz_abs u v : Rabs (dot u v) <= norm u * norm v.
Proof.
  apply Rabs_le; split; [|apply Cauchy_Schwarz].
  pose proof (Cauchy_Schwarz (scale (-1) u) v) as neg.
  rewrite dot_scale, norm_scale, (Rabs_left (-1)) in neg by lra; lra.
Qed.

Lemma triangle u v : norm (add u v) <= norm u + norm v.
Proof.
  pose proof (norm_nonneg u); pose proof (norm_nonneg v).
  apply Rsqr_incr_0_var; [unfold Rsqr|lra].
  rewrite norm_sqr, dot_add, !dot_add_r, (dot_comm _ v u).
  pose proof (Cauchy_Schwarz u v); rewrite <- (norm_sqr u), <- (norm_sqr v); lra.
Qed.

Lemma norm_sub_comm u v : norm (sub u v) = norm (sub v u).
Proof. unfold norm; f_equal; rewrite !dot_sub, !dot_sub_r, (dot_comm _ v u); ring. Qed.

Lemma norm_sub_self u : norm (sub u u) = 0.
Proof. unfold norm; rewrite !dot_sub, !dot_sub_r; replace (_ - _) with 0 by ring; apply sqrt_0. Qed.

Lemma triangle_sub u v x : norm (sub u x) <= norm (sub u v) + norm (sub v x).
Proof.
  replace (sub u x) with (add (sub u v) (sub v x)); [apply triangle|].
  apply same; intros y; rewrite dot_add, !dot_sub; ring.
Qed.

Lemma triangle_reverse u v x : Rabs (norm (sub x u) - norm (sub x v)) <= norm (sub u v).
Proof.
  pose proof (triangle_sub x u v) as one; pose proof (triangle_sub x v u) as two.
  rewrite (norm_sub_comm v u) in two; apply Rabs_le; lra.
Qed.

Lemma norm_le u c : 0 <= c -> dot u u <= c * c -> norm u <= c.
Proof. intros; apply Rsqr_incr_0_var; [unfold Rsqr; rewrite norm_sqr|]; assumption. Qed.

Lemma comb_sub n w P u : sum n w = 1 -> sub (comb n w P) u = comb n w (fun i => sub (P i) u).
Proof.
  intros one; apply same; intros x; rewrite dot_sub, !dot_comb.
  transitivity (sum n (fun i => w i * dot (P i) x) + - dot u x * sum n w); [rewrite one; ring|].
  rewrite <- sum_scale, <- sum_add; apply sum_ext; intros i _; rewrite dot_sub; ring.
Qed.

Lemma norm_comb n w P : norm (comb n w P) <= sum n (fun i => Rabs (w i) * norm (P i)).
Proof.
  induction n as [|n IH]; simpl; [rewrite norm_origin; lra|].
  eapply Rle_trans; [apply triangle|rewrite norm_scale; lra].
Qed.

End Facts.
