(* Two pairs of rows, -2.1, -1.9 and 1.9, 2.1, their Gaussian features, and Hampel's loss with (0.3, 0.6, 1.2).

   Every number is rational except four values of the kernel, of which rational bounds suffice. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting product losses.
Local Open Scope R_scope.

Definition row (i : nat) : R := match i with O => -21 / 10 | 1%nat => -19 / 10 | 2%nat => 19 / 10 | _ => 21 / 10 end.
Definition pairs {H : space} (P : nat -> H) : Prop :=
  forall i j, (i < 4)%nat -> (j < 4)%nat -> dot (P i) (P j) = exp (- (row i - row j) ^ 2 / 2).
Definition loss_of_pairs : loss := Hampel (3 / 10) (6 / 10) (12 / 10).

(* The kernel at the distances 0.2, 3.8, 4 and 4.2. *)
Definition k_02 : R := exp (- (1 / 50)).
Definition k_38 : R := exp (- (722 / 100)).
Definition k_40 : R := exp (- (800 / 100)).
Definition k_42 : R := exp (- (882 / 100)).

Lemma near_value : 98 / 100 <= k_02 <= 981 / 1000.
Proof.
  unfold k_02; split; [pose proof (exp_ineq1_le (- (1 / 50))); lra|].
  rewrite exp_Ropp; apply Rle_trans with (/ (51 / 50)); [|lra].
  apply Rinv_le_contravar; [lra|pose proof (exp_ineq1_le (1 / 50)); lra].
Qed.

Lemma far_value x : 7 <= x -> 0 <= exp (- x) <= / 500.
Proof.
  intros Hx; split; [apply Rlt_le, exp_pos|]; rewrite exp_Ropp; apply Rinv_le_contravar; [lra|].
  assert (power : forall n, exp (INR n * / 4) = exp (/ 4) ^ n).
  { induction n as [|n IH]; [simpl; rewrite Rmult_0_l; apply exp_0|].
    rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l; simpl; ring. }
  apply Rle_trans with (exp (INR 28 * / 4)).
  - rewrite power; apply Rle_trans with ((5 / 4) ^ 28); [simpl; lra|].
    apply pow_incr; pose proof (exp_ineq1_le (/ 4)); lra.
  - destruct (Req_dec x 7) as [->|ne]; [right; f_equal; simpl; field|apply Rlt_le, exp_increasing; simpl; lra].
Qed.

Lemma values : 98 / 100 <= k_02 <= 981 / 1000 /\ 0 <= k_38 <= / 500 /\ 0 <= k_40 <= / 500 /\ 0 <= k_42 <= / 500.
Proof. split; [exact near_value|]; split; [|split]; apply far_value; lra. Qed.

(* Vectors of the plane with given inner products. *)
Lemma two_vectors x y z : 0 < x -> y * y <= x * z ->
  exists u v : plane, dot u u = x /\ dot u v = y /\ dot v v = z.
Proof.
  intros Hx det; set (r := sqrt x); assert (sq : r * r = x) by (apply sqrt_sqrt; lra).
  assert (pos : 0 < r) by (apply sqrt_lt_R0; exact Hx).
  assert (rest : 0 <= z - y * y / x).
  { apply Rmult_le_reg_r with x; [exact Hx|]; replace ((z - y * y / x) * x) with (x * z - y * y) by (field; lra); lra. }
  exists (r, 0), (y / r, sqrt (z - y * y / x)); cbn; split; [|split].
  - rewrite sq; ring.
  - field; lra.
  - rewrite sqrt_sqrt by exact rest; rewrite <- sq; field; lra.
Qed.

(* Such rows exist: the features are even and odd halves, each in a plane. *)
Lemma pairs_exist : exists (H : space) (P : nat -> H), pairs P.
Proof.
  destruct values as [VA [VB [VC VD]]].
  destruct (two_vectors ((1 + k_42) / 2) ((k_02 + k_40) / 2) ((1 + k_38) / 2)) as [u [v [uu [uv vv]]]]; [lra|nra|].
  destruct (two_vectors ((1 - k_42) / 2) ((k_02 - k_40) / 2) ((1 - k_38) / 2)) as [s [t [ss [st tt]]]]; [lra|nra|].
  exists (product plane plane), (fun i => match i with
    O => (u, scale (-1) s) | 1%nat => (v, scale (-1) t) | 2%nat => (v, t) | _ => (u, s) end).
  assert (vu : dot v u = (k_02 + k_40) / 2) by (rewrite dot_comm; exact uv).
  assert (ts : dot t s = (k_02 - k_40) / 2) by (rewrite dot_comm; exact st).
  intros i j Hi Hj.
  destruct i as [|[|[|[|i]]]]; try lia; destruct j as [|[|[|[|j]]]]; try lia; cbn [dot product fst snd row];
    rewrite ?dot_scale, ?dot_scale_r, ?dot_scale, ?uu, ?uv, ?vu, ?vv, ?ss, ?st, ?ts, ?tt.
  all: match goal with |- ?l = exp ?e =>
    first [replace e with 0 by field; rewrite exp_0; field
      | replace e with (- (1 / 50)) by field; fold k_02; field | replace e with (- (722 / 100)) by field; fold k_38; field
      | replace e with (- (800 / 100)) by field; fold k_40; field | replace e with (- (882 / 100)) by field; fold k_42; field] end.
Qed.

(* The weights that are their own mirror image: p on each outer row and 1/2 - p on each inner one. *)
Definition outer (i : nat) : bool := match i with O | 3%nat => true | _ => false end.
Definition mirrored (p : R) (i : nat) : R := if outer i then p else / 2 - p.

(* The values of sum w_j k(x_i, x_j) at an outer and at an inner row, and the squared residuals there. *)
Definition at_outer (p : R) : R := p * (1 + k_42) + (/ 2 - p) * (k_02 + k_40).
Definition at_inner (p : R) : R := p * (k_02 + k_40) + (/ 2 - p) * (1 + k_38).
Definition size (p : R) : R := 2 * (p * at_outer p + (/ 2 - p) * at_inner p).
Definition square (i : nat) (p : R) : R := 1 - 2 * (if outer i then at_outer p else at_inner p) + size p.

Lemma square_bounds i p : 0 <= p <= / 2 -> 48 / 100 <= square i p <= 53 / 100.
Proof.
  intros Hp; destruct values as [VA [VB [VC VD]]].
  assert (out : 49 / 100 <= at_outer p <= 502 / 1000) by (unfold at_outer; split; nra).
  assert (inn : 49 / 100 <= at_inner p <= 502 / 1000) by (unfold at_inner; split; nra).
  assert (len : 49 / 100 <= size p <= 502 / 1000) by (unfold size; split; nra).
  unfold square; destruct (outer i); lra.
Qed.

(* The squared residuals hardly move with p, and the outer one hardly differs from the inner one. *)
Lemma square_moves i p p' : 0 <= p <= / 2 -> 0 <= p' <= / 2 -> Rabs (square i p - square i p') <= / 5 * Rabs (p - p').
Proof.
  intros Hp Hp'; destruct values as [VA [VB [VC VD]]]; set (A := k_02 + k_40).
  assert (HA : 98 / 100 <= A <= 983 / 1000) by (unfold A; lra).
  set (lead := if outer i then 1 + k_42 - A else A - (1 + k_38)).
  assert (eq : square i p - square i p' =
    (- 2 * lead + 2 * ((p + p') * (2 + k_42 + k_38 - 2 * A) + (A - (1 + k_38)))) * (p - p')).
  { unfold square, size, at_outer, at_inner, lead, A; destruct (outer i); field. }
  rewrite eq, Rabs_mult; apply Rmult_le_compat_r; [apply Rabs_pos|].
  assert (Hl : - (22 / 1000) <= lead <= 22 / 1000) by (unfold lead; destruct (outer i); lra).
  assert (Hs : 0 <= (p + p') * (2 + k_42 + k_38 - 2 * A) <= 45 / 1000) by (split; nra).
  apply Rabs_le; lra.
Qed.

Lemma square_outer_inner p : 0 <= p <= / 2 -> Rabs (square 0 p - square 1 p) <= / 20.
Proof.
  intros Hp; destruct values as [VA [VB [VC VD]]]; unfold square, at_outer, at_inner; simpl outer; cbv iota.
  apply Rabs_le; split; nra.
Qed.

Lemma kernel_values {H : space} (P : nat -> H) : pairs P ->
  (forall i, (i < 4)%nat -> dot (P i) (P i) = 1) /\
  dot (P 0%nat) (P 1%nat) = k_02 /\ dot (P 0%nat) (P 2%nat) = k_40 /\ dot (P 0%nat) (P 3%nat) = k_42 /\
  dot (P 1%nat) (P 2%nat) = k_38 /\ dot (P 1%nat) (P 3%nat) = k_40 /\ dot (P 2%nat) (P 3%nat) = k_02.
Proof.
  intros are_pairs; split; [intros i Hi; rewrite are_pairs by exact Hi; rewrite <- exp_0; f_equal; field|].
  repeat split; rewrite are_pairs by lia; unfold k_02, k_38, k_40, k_42; f_equal; simpl row; field.
Qed.

(* Every inner product of two rows is rewritten into its value. *)
Ltac to_values P are_pairs :=
  let own := fresh in let V01 := fresh in let V02 := fresh in let V03 := fresh in
  let V12 := fresh in let V13 := fresh in let V23 := fresh in
  destruct (kernel_values P are_pairs) as [own [V01 [V02 [V03 [V12 [V13 V23]]]]]];
  rewrite ?(dot_comm _ (P 1%nat) (P 0%nat)), ?(dot_comm _ (P 2%nat) (P 0%nat)), ?(dot_comm _ (P 3%nat) (P 0%nat)),
    ?(dot_comm _ (P 2%nat) (P 1%nat)), ?(dot_comm _ (P 3%nat) (P 1%nat)), ?(dot_comm _ (P 3%nat) (P 2%nat)),
    ?V01, ?V02, ?V03, ?V12, ?V13, ?V23, ?(own 0%nat), ?(own 1%nat), ?(own 2%nat), ?(own 3%nat) by lia.

Section Pairs.
Context {H : space} (P : nat -> H).
Hypothesis are_pairs : pairs P.

Definition even (p : R) : H := comb 4 (mirrored p) P.

Lemma dot_even i p : (i < 4)%nat -> dot (P i) (even p) = if outer i then at_outer p else at_inner p.
Proof.
  intros Hi; unfold even, at_outer, at_inner; rewrite dot_comb_r; simpl sum; unfold mirrored; simpl outer; cbv iota.
  destruct i as [|[|[|[|i]]]]; [..|lia]; simpl outer; cbv iota; to_values P are_pairs; ring.
Qed.

Lemma even_size p : dot (even p) (even p) = size p.
Proof.
  unfold even at 1; rewrite dot_comb; simpl sum; rewrite !dot_even by lia; unfold mirrored, size; simpl outer; cbv iota; ring.
Qed.

Lemma even_square i p : (i < 4)%nat -> dot (sub (P i) (even p)) (sub (P i) (even p)) = square i p.
Proof.
  intros Hi; rewrite dot_sub, !dot_sub_r, (dot_comm _ (even p)), even_size, dot_even by exact Hi; unfold square.
  destruct (kernel_values P are_pairs) as [own _]; rewrite own by exact Hi; ring.
Qed.

Lemma even_residual i p : (i < 4)%nat -> residual P (even p) i = sqrt (square i p).
Proof. intros Hi; unfold residual, norm; rewrite even_square by exact Hi; reflexivity. Qed.

End Pairs.
