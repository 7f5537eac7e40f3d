(* Three kernels of finite support that are not positive semi-definite, in any space other than the origin alone. *)
From Coq Require Import Reals Lra Lia List.
From Rkde Require Import space.
Import ListNotations.
Local Open Scope R_scope.

(* The kernel matrix of any points has a quadratic form without negative values. *)
Definition semidefinite {H : space} (k : H -> H -> R) : Prop :=
  forall n (x : nat -> H) (v : nat -> R), 0 <= sum n (fun i => sum n (fun j => v i * v j * k (x i) (x j))).

(* A radial kernel, g of the distance, and the three profiles. *)
Definition radial {H : space} (g : R -> R) (x y : H) : R := g (norm (sub x y)).
Definition uniform (r : R) : R := if Rle_dec r 1 then 1 else 0.
Definition Epanechnikov (r : R) : R := Rmax 0 (1 - r ^ 2).
Definition biweight (r : R) : R := Rmax 0 (1 - r ^ 2) ^ 2.

(* The points i m e on a line, for a unit vector e and a mesh m. *)
Definition place {H : space} (e : H) (m : R) (i : nat) : H := scale (INR i * m) e.

Lemma distance {H : space} (e : H) m i j : norm e = 1 -> 0 < m ->
  norm (sub (place e m i) (place e m j)) = INR ((i - j) + (j - i)) * m.
Proof.
  intros unit positive; unfold sub, place; rewrite scale_scale, <- add_scale, norm_scale, unit, Rmult_1_r.
  replace (INR i * m + -1 * (INR j * m)) with ((INR i - INR j) * m) by ring.
  rewrite Rabs_mult, (Rabs_pos_eq m) by lra; f_equal.
  destruct (le_lt_dec i j) as [le|lt].
  - replace (i - j + (j - i))%nat with (j - i)%nat by lia; rewrite minus_INR by assumption.
    apply le_INR in le; rewrite Rabs_left1; lra.
  - replace (i - j + (j - i))%nat with (i - j)%nat by lia; rewrite minus_INR by lia.
    apply lt_INR in lt; rewrite Rabs_pos_eq; lra.
Qed.

Lemma form_on_a_line {H : space} (e : H) g m n v : norm e = 1 -> 0 < m -> semidefinite (@radial H g) ->
  0 <= sum n (fun i => sum n (fun j => nth i v 0 * nth j v 0 * g (INR ((i - j) + (j - i)) * m))).
Proof.
  intros unit positive psd; specialize (psd n (place e m) (fun i => nth i v 0)); erewrite sum_ext; [exact psd|].
  intros i _; apply sum_ext; intros j _; unfold radial; rewrite distance by assumption; reflexivity.
Qed.

(* Claim finite_support.uniform. The uniform kernel 1(|x - y| <= 1) is not positive semi-definite. *)
Theorem uniform_is_not_semidefinite (H : space) (e : H) : norm e = 1 -> ~ semidefinite (@radial H uniform).
Proof.
  intros unit psd; apply (form_on_a_line e _ 1 3 [1; -2; 1]) in psd; [|assumption|lra].
  assert (zero : uniform (0 * 1) = 1) by (unfold uniform; destruct (Rle_dec (0 * 1) 1); lra).
  assert (one : uniform (1 * 1) = 1) by (unfold uniform; destruct (Rle_dec (1 * 1) 1); lra).
  assert (two : uniform ((1 + 1) * 1) = 0) by (unfold uniform; destruct (Rle_dec ((1 + 1) * 1) 1); lra).
  simpl in psd; rewrite zero, one, two in psd; lra.
Qed.

(* Claim finite_support.epanechnikov. The Epanechnikov kernel (1 - |x - y|^2)_+ is not positive semi-definite. *)
Theorem Epanechnikov_is_not_semidefinite (H : space) (e : H) :
  norm e = 1 -> ~ semidefinite (@radial H Epanechnikov).
Proof.
  intros unit psd; apply (form_on_a_line e _ (/ 2) 5 [1; -2; 1; -2; 1]) in psd; [|assumption|lra].
  assert (within : forall r, r ^ 2 <= 1 -> Epanechnikov r = 1 - r ^ 2) by (intros; apply Rmax_right; lra).
  assert (beyond : forall r, 1 <= r ^ 2 -> Epanechnikov r = 0) by (intros; apply Rmax_left; lra).
  simpl in psd; rewrite !(within (0 * / 2)), !(within (1 * / 2)), !(beyond ((1 + 1) * / 2)),
    !(beyond ((1 + 1 + 1) * / 2)), !(beyond ((1 + 1 + 1 + 1) * / 2)) in psd; lra.
Qed.

(* Claim finite_support.biweight. The biweight kernel (1 - |x - y|^2)_+^2 is not positive semi-definite. *)
Theorem biweight_is_not_semidefinite (H : space) (e : H) : norm e = 1 -> ~ semidefinite (@radial H biweight).
Proof.
  intros unit psd; apply (form_on_a_line e _ (/ 3) 5 [1; -2; 2; -2; 1]) in psd; [|assumption|lra].
  assert (within : forall r, r ^ 2 <= 1 -> biweight r = (1 - r ^ 2) ^ 2).
  { intros; unfold biweight; rewrite Rmax_right by lra; reflexivity. }
  assert (beyond : forall r, 1 <= r ^ 2 -> biweight r = 0).
  { intros; unfold biweight; rewrite Rmax_left by lra; ring. }
  simpl in psd; rewrite !(within (0 * / 3)), !(within (1 * / 3)), !(within ((1 + 1) * / 3)),
    !(beyond ((1 + 1 + 1) * / 3)), !(beyond ((1 + 1 + 1 + 1) * / 3)) in psd; lra.
Qed.
