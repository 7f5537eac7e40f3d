(* The squared residual norm as the certificates form it: r_i^2 = (D w)_i - w'D w/2 from two computed terms. *)
From Coq Require Import Reals Lra.
Local Open Scope R_scope.

(* A relative error of the exact term, as one of the computed term. *)
Lemma from_computed term found a c t : 0 <= term -> 0 <= t -> 0 <= c <= 1 -> a * (1 + c) <= c ->
  Rabs (found - term) <= a * term + t -> Rabs (found - term) <= c * found + 2 * t.
Proof.
  intros Hterm Ht Hc enough near; pose proof (Rle_abs (- (found - term))) as low; rewrite Rabs_Ropp in low.
  assert (a * term <= c * (1 - a) * term) by (apply Rmult_le_compat_r; lra).
  assert (c * ((1 - a) * term) <= c * (found + t)) by (apply Rmult_le_compat_l; lra).
  assert (c * t <= 1 * t) by (apply Rmult_le_compat_r; lra); lra.
Qed.

Lemma least_root u g : 0 <= g -> u <= / 2 ^ 20 -> 4 * g ^ 2 <= u -> g <= / 2 ^ 11.
Proof.
  intros Hg Hu square; apply Rnot_lt_le; intros large.
  assert (/ 2 ^ 11 * / 2 ^ 11 < g * g) by (apply Rmult_le_0_lt_compat; lra); lra.
Qed.

(* Let the products with D be off by g of themselves, and the weights by 2 u, as quotients by a rounded sum. Then p =
   (D w)_i is computed but for g + 5/2 u of itself, and h = w'D w/2, with a product and a sum more, but for g + 13/2
   u; t is what underflows. Their rounded difference, or 0 if it is negative, is r_i^2 = p - h but for g + 7 u of the
   sum of the two computed terms. *)
Lemma rounded_residual u g t p h computed_p computed_h difference :
  0 <= u <= / 2 ^ 20 -> 0 <= g -> 4 * g ^ 2 <= u -> 0 <= t -> 0 <= h <= p -> 0 <= computed_p -> 0 <= computed_h ->
  Rabs (computed_p - p) <= (g + 5 / 2 * u) * p + t ->
  Rabs (computed_h - h) <= (g + 13 / 2 * u) * h + t ->
  Rabs (difference - (computed_p - computed_h)) <= u * Rabs (computed_p - computed_h) ->
  Rabs (Rmax difference 0 - (p - h)) <= (g + 7 * u) * (computed_p + computed_h) + 5 * t.
Proof.
  intros Hu Hg square Ht Hph Hp Hh near_p near_h last.
  pose proof (least_root u g Hg (proj2 Hu) square) as small.
  assert (mixed : 0 <= u * g <= u * / 2 ^ 11) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
  assert (tiny : 0 <= u * u <= u * / 2 ^ 20) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
  pose proof (from_computed p computed_p (g + 5 / 2 * u) (g + 3 * u) t
    ltac:(lra) Ht ltac:(lra) ltac:(simpl in square; lra) near_p) as of_p.
  pose proof (from_computed h computed_h (g + 13 / 2 * u) (g + 7 * u) t
    ltac:(lra) Ht ltac:(lra) ltac:(simpl in square; lra) near_h) as of_h.
  (* The computed terms need not be in order, but the second one cannot be twice the first. *)
  assert (order : computed_h <= 2 * computed_p + 4 * t).
  { pose proof (Rle_abs (computed_h - h)); pose proof (Rle_abs (- (computed_p - p))) as low; rewrite Rabs_Ropp in low.
    assert ((g + 5 / 2 * u) * p <= / 2 ^ 4 * p) by (apply Rmult_le_compat_r; lra).
    assert ((g + 13 / 2 * u) * h <= / 2 ^ 4 * h) by (apply Rmult_le_compat_r; lra); lra. }
  assert (up : 0 <= u * computed_p) by (apply Rmult_le_pos; lra).
  assert (uh : 0 <= u * computed_h) by (apply Rmult_le_pos; lra).
  assert (ut : 0 <= u * t <= / 2 ^ 20 * t) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
  assert (u * computed_h <= u * (2 * computed_p + 4 * t)) by (apply Rmult_le_compat_l; lra).
  assert (whole : Rabs (difference - (p - h)) <= (g + 7 * u) * (computed_p + computed_h) + 5 * t).
  { replace (difference - (p - h)) with
      ((difference - (computed_p - computed_h)) + ((computed_p - p) + - (computed_h - h))) by ring.
    eapply Rle_trans; [apply Rabs_triang|].
    pose proof (Rabs_triang (computed_p - p) (- (computed_h - h))) as two; rewrite Rabs_Ropp in two.
    unfold Rabs in last at 2; destruct (Rcase_abs (computed_p - computed_h)); lra. }
  eapply Rle_trans; [|exact whole]; unfold Rmax; destruct (Rle_dec difference 0) as [neg|pos]; [|lra].
  rewrite (Rabs_left1 (difference - (p - h))), (Rabs_left1 (0 - (p - h))) by lra; lra.
Qed.
