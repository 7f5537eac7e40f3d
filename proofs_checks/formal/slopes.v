(* Two steps of the proof of Theorem 4: the slope of phi along a line, and the bound under its integral. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting surrogate gateaux.
Local Open Scope R_scope.

Section Slopes.
Context {H : space}.
Implicit Types u h g p : H.

(* The derivative of F(|u - s h|) in s, for a function F that is differentiable at |u - s h| > 0. *)
Lemma slope_along (F : R -> R) u h s d : 0 < norm (sub u (scale s h)) -> is_derive F (norm (sub u (scale s h))) d ->
  is_derive (fun t => F (norm (sub u (scale t h)))) s
    (- d * dot (sub u (scale s h)) h / norm (sub u (scale s h))).
Proof.
  intros pos der; set (v := sub u (scale s h)) in *.
  set (square := fun t => dot v v - 2 * (t - s) * dot v h + (t - s) ^ 2 * dot h h).
  assert (eq : forall t, norm (sub u (scale t h)) = sqrt (square t)).
  { intros t; unfold norm; f_equal; unfold square, v.
    rewrite !dot_sub, !dot_sub_r, !dot_scale, !dot_scale_r, (dot_comm _ h u); ring. }
  apply (is_derive_ext (fun t => F (sqrt (square t)))); [intros t; rewrite eq; reflexivity|].
  assert (start : square s = dot v v) by (unfold square; ring).
  replace (- d * dot v h / norm v) with ((- dot v h / norm v) * d) by (field; lra).
  apply (is_derive_comp F (fun t => sqrt (square t))); [rewrite start; exact der|].
  unfold square, norm in *; auto_derive.
  - replace (_ + _) with (dot v v) by ring; rewrite <- norm_sqr; unfold norm; apply Rmult_lt_0_compat; exact pos.
  - match goal with |- context [sqrt ?a] => replace a with (dot v v) by ring end; field; lra.
Qed.

End Slopes.

(* Claim influence_proofs.sign_of_slope: the derivative of phi(|u - s h|) is -phi'(|u - s h|) (u - s h, h)/|u - s h|; the
   printed sign is wrong: in one dimension, with phi(x) = 1/x and u = h = 1, phi(|u - s h|) rises at s = 0, though phi'
   is negative and (u, h) positive. *)
Theorem sign_of_slope :
  (forall (H : space) (phi : R -> R) (u h : H) s d, 0 < norm (sub u (scale s h)) ->
    is_derive phi (norm (sub u (scale s h))) d ->
    is_derive (fun t => phi (norm (sub u (scale t h)))) s
      (- d * dot (sub u (scale s h)) h / norm (sub u (scale s h)))) /\
  (is_derive Rinv 1 (-1) /\ @norm line (@sub line 1 (@scale line 0 1)) = 1 /\ @dot line 1 1 = 1 /\
    is_derive (fun s => / @norm line (@sub line 1 (@scale line s 1))) 0 1).
Proof.
  split; [intros H phi u h s d; apply slope_along|].
  assert (one : @norm line (@sub line 1 (@scale line 0 1)) = 1).
  { unfold norm, sub; simpl; transitivity (sqrt 1); [f_equal; ring|apply sqrt_1]. }
  assert (der : is_derive Rinv 1 (-1)) by (auto_derive; [lra|field]).
  split; [exact der|split; [exact one|split; [simpl; ring|]]].
  pose proof (slope_along (H := line) Rinv 1 1 0 (-1)) as slope; rewrite one in slope.
  replace (- -1 * @dot line (@sub line 1 (@scale line 0 1)) 1 / 1) with 1 in slope by (unfold sub; simpl; field).
  apply slope; [lra|exact der].
Qed.

(* Claim influence_proofs.dominated: |phi(|u - s h|) - phi(|u|)| |u|/|s| is at most K |h| (tau + |g|) for u = p - g with
   |p| = tau, if K is a Lipschitz constant of phi; and a bounded phi is bounded at all p at once. *)
Theorem dominated (H : space) L K tau (p g h : H) s : phi_Lipschitz L K -> 0 <= K -> norm p = tau -> s <> 0 ->
  let u := sub p g in
  Rabs (phi L (norm (sub u (scale s h))) - phi L (norm u)) * norm u / Rabs s <= K * norm h * (tau + norm g) /\
  forall B, (forall x, 0 <= x -> Rabs (phi L x) <= B) -> forall q : H, Rabs (phi L (norm (sub q g))) <= B.
Proof.
  intros lip HK <- nz u; split; [|intros B bound q; apply bound, norm_nonneg].
  pose proof (Rabs_pos_lt s nz) as Hs.
  assert (size : norm u <= norm p + norm g).
  { unfold u, sub; eapply Rle_trans; [apply triangle|]; rewrite norm_scale, (Rabs_left (-1)) by lra; lra. }
  assert (change : Rabs (phi L (norm (sub u (scale s h))) - phi L (norm u)) <= K * (Rabs s * norm h)).
  { eapply Rle_trans; [apply lip; apply norm_nonneg|]; apply Rmult_le_compat_l; [exact HK|].
    rewrite <- norm_scale; pose proof (triangle_reverse (scale s h) origin u) as le.
    replace (sub u origin) with u in le by (apply same; intros x; rewrite dot_sub, dot_origin; ring).
    replace (sub (scale s h) origin) with (scale s h) in le by (apply same; intros x; rewrite dot_sub, dot_origin; ring).
    exact le. }
  pose proof (norm_nonneg u); pose proof (norm_nonneg h).
  apply Rmult_le_reg_r with (Rabs s); [exact Hs|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (K * (Rabs s * norm h) * norm u); [apply Rmult_le_compat_r; assumption|].
  replace (K * norm h * (norm p + norm g) * Rabs s) with (K * (Rabs s * norm h) * (norm p + norm g)) by ring.
  apply Rmult_le_compat_l; [|exact size]; apply Rmult_le_pos; [exact HK|apply Rmult_le_pos; lra].
Qed.
