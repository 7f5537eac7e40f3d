(* The squared distance from a mean of points, as the paper forms it from the squared distances between the points. *)
From Coq Require Import Reals Lra Lia.
From Rkde Require Import space.
Local Open Scope R_scope.

(* D_ij = |P_i - P_j|^2, which for a kernel with k(x, x) = 1 is 2 (1 - kappa). *)
Definition square {H : space} (u : H) : R := dot u u.
Definition distances {H : space} (P : nat -> H) (i j : nat) : R := square (sub (P i) (P j)).

Section Mean.
Context {H : space} (n : nat) (P : nat -> H).

(* (D w)_i, and the sum of the w_j (D w)_j. *)
Definition row (w : nat -> R) (i : nat) : R := sum n (fun j => distances P i j * w j).
Definition form (w : nat -> R) : R := sum n (fun j => w j * row w j).

Lemma row_nonneg w i : (forall j, (j < n)%nat -> 0 <= w j) -> 0 <= row w i.
Proof. intros pos; apply sum_nonneg; intros j Hj; apply Rmult_le_pos; [apply dot_nonneg|apply pos, Hj]. Qed.

Lemma row_of_mean w i : sum n w = 1 ->
  row w i = square (P i) - 2 * dot (P i) (comb n w P) + sum n (fun j => w j * square (P j)).
Proof.
  intros one; rewrite dot_comb_r; replace (square (P i)) with (square (P i) * sum n w) by (rewrite one; ring).
  rewrite <- !sum_scale; unfold row; rewrite <- (Rplus_0_r (sum n (fun j => square (P i) * w j) - _)).
  replace (sum n (fun j => square (P i) * w j) - sum n (fun j => 2 * (w j * dot (P i) (P j))) + 0)
    with (sum n (fun j => square (P i) * w j + - (2 * (w j * dot (P i) (P j))))) by (rewrite sum_add, sum_opp; ring).
  rewrite <- sum_add; apply sum_ext; intros j _; unfold distances, square.
  rewrite dot_sub, !dot_sub_r, (dot_comm _ (P j) (P i)); ring.
Qed.

(* |P_i - sum w_j P_j|^2 = (D w)_i - w'D w/2 for weights of sum 1. *)
Lemma squared_residual w i : sum n w = 1 -> square (sub (P i) (comb n w P)) = row w i - form w / 2.
Proof.
  intros one; set (f := comb n w P); set (s := sum n (fun j => w j * square (P j))).
  assert (whole : form w = 2 * s - 2 * dot f f).
  { unfold form; transitivity (sum n (fun j => w j * square (P j) + (- 2 * (w j * dot (P j) f) + s * w j))).
    - apply sum_ext; intros j _; rewrite row_of_mean by exact one; fold f s; ring.
    - rewrite !sum_add, !sum_scale, one; fold s; unfold f at 2; rewrite dot_comb; fold f; ring. }
  rewrite whole, row_of_mean by exact one; fold f s; unfold square;
    rewrite dot_sub, !dot_sub_r, (dot_comm _ f (P i)); field.
Qed.

(* For weights w of any positive sum W the mean has the weights w/W. *)
Lemma squared_residual_of_any w i : let W := sum n w in 0 < W ->
  square (sub (P i) (comb n (fun j => w j / W) P)) = row w i / W - form w / (2 * (W * W)).
Proof.
  intros W pos; assert (one : sum n (fun j => w j / W) = 1).
  { unfold Rdiv; rewrite (sum_ext _ _ (fun j => / W * w j)) by (intros; ring); rewrite sum_scale; fold W;
    apply Rinv_l; lra. }
  assert (rows : forall j, row (fun k => w k / W) j = row w j / W).
  { intros j; unfold row, Rdiv; rewrite (sum_ext _ _ (fun k => / W * (distances P j k * w k))) by (intros; ring).
    rewrite sum_scale; ring. }
  rewrite (squared_residual _ i one), rows; f_equal; unfold form.
  rewrite (sum_ext _ _ (fun j => / (W * W) * (w j * row w j))).
  - rewrite sum_scale; field; lra.
  - intros j _; rewrite rows; field; lra.
Qed.

End Mean.
