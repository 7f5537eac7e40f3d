(* Lemmas 3 and 4: features with a positive definite kernel matrix. k(z_i, z_j) is the inner product of P_i and P_j. *)
From Coq Require Import Reals Lra Lia Classical.
From Rkde Require Import space setting convexity.
Local Open Scope R_scope.

Section Features.
Context {H : space}.
Implicit Types (P : nat -> H) (g h p q : H).

(* a'Ka > 0 for every column a other than 0. *)
Definition positive_definite (n : nat) P : Prop :=
  forall a, (exists i, (i < n)%nat /\ a i <> 0) ->
    0 < sum n (fun i => sum n (fun j => a i * a j * dot (P i) (P j))).

Definition independent (n : nat) P : Prop :=
  forall a, comb n a P = origin -> forall i, (i < n)%nat -> a i = 0.

Lemma quadratic_form n a P :
  sum n (fun i => sum n (fun j => a i * a j * dot (P i) (P j))) = dot (comb n a P) (comb n a P).
Proof.
  rewrite dot_comb; apply sum_ext; intros i _; rewrite dot_comb_r, <- sum_scale.
  apply sum_ext; intros j _; ring.
Qed.

(* Claims features.independent and theorems.lemma_3: features with a positive definite kernel matrix are linearly
   independent. *)
Theorem lemma_3 n P : positive_definite n P -> independent n P.
Proof.
  intros pd a zero i Hi; destruct (Req_dec (a i) 0) as [|nz]; [assumption|exfalso].
  specialize (pd a (ex_intro _ i (conj Hi nz))); rewrite quadratic_form, zero, dot_origin in pd; lra.
Qed.

(* p - g and p - h are dependent only if p is on the line through g and h. *)
Lemma dependent_on_line p g h : g <> h -> dependent (sub p g) (sub p h) ->
  exists t, forall x, dot p x = dot g x + t * (dot h x - dot g x).
Proof.
  intros ne [a [b [nz zero]]].
  assert (dots : forall x, a * (dot p x - dot g x) + b * (dot p x - dot h x) = 0).
  { intros x; rewrite <- !dot_sub, <- !dot_scale, <- dot_add, zero; apply dot_origin. }
  destruct (Req_dec (a + b) 0) as [opposite|regular].
  - exfalso; apply ne, same; intros x; specialize (dots x); replace b with (- a) in dots by lra.
    assert (a * (dot h x - dot g x) = 0) as product by lra; apply Rmult_integral in product.
    destruct product as [a0|]; [|lra]; destruct nz as [nz|nz]; lra.
  - exists (b / (a + b)); intros x; specialize (dots x).
    apply Rmult_eq_reg_l with (a + b); [|exact regular]; field_simplify; [lra|exact regular].
Qed.

(* Three points of a line are linearly dependent. *)
Lemma three_on_line P g h (t : nat -> R) : independent 3 P ->
  (forall i, (i < 3)%nat -> forall x, dot (P i) x = dot g x + t i * (dot h x - dot g x)) -> False.
Proof.
  intros ind line.
  set (a := fun i => match i with O => t 1%nat - t 2%nat | S O => t 2%nat - t 0%nat | _ => t 0%nat - t 1%nat end).
  assert (zero : comb 3 a P = origin).
  { apply same; intros x; simpl; rewrite !dot_add, !dot_scale, !dot_origin, !line by lia; simpl; ring. }
  pose proof (ind a zero 2%nat ltac:(lia)) as eq; simpl in eq.
  set (b := fun i => match i with O => 1 | S O => -1 | _ => 0 end).
  assert (zero' : comb 3 b P = origin).
  { apply same; intros x; simpl; rewrite !dot_add, !dot_scale, !dot_origin, !line by lia.
    replace (t 1%nat) with (t 0%nat) by lra; ring. }
  pose proof (ind b zero' 0%nat ltac:(lia)) as one; simpl in one; lra.
Qed.

(* Claim features.three_points: for g other than h and three linearly independent points P_i, the vectors P_i - g and
   P_i - h are linearly independent for some i. *)
Theorem three_points P g h : independent 3 P -> g <> h ->
  exists i, (i < 3)%nat /\ ~ dependent (sub (P i) g) (sub (P i) h).
Proof.
  intros ind ne; apply NNPP; intros none.
  assert (line : forall i, (i < 3)%nat -> exists t, forall x, dot (P i) x = dot g x + t * (dot h x - dot g x)).
  { intros i Hi; apply dependent_on_line; [exact ne|]; apply NNPP; intros free; apply none; exists i; split; assumption. }
  destruct (line 0%nat) as [t0 L0]; [lia|]; destruct (line 1%nat) as [t1 L1]; [lia|].
  destruct (line 2%nat) as [t2 L2]; [lia|].
  apply (three_on_line P g h (fun i => match i with O => t0 | S O => t1 | _ => t2 end) ind).
  intros i Hi; destruct i as [|[|[|i]]]; [exact L0|exact L1|exact L2|lia].
Qed.

(* Claim theorems.lemma_4: for three points with a positive definite kernel matrix and g other than h, P_i - g and
   P_i - h are linearly independent for at least one i. *)
Theorem lemma_4 P g h : positive_definite 3 P -> g <> h ->
  exists i, (i < 3)%nat /\ ~ dependent (sub (P i) g) (sub (P i) h).
Proof. intros pd; apply three_points, lemma_3, pd. Qed.

End Features.
