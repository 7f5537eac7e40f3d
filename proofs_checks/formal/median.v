(* The absolute loss at a data location: when f_med is a row. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting surrogate losses losses_assumptions gateaux convexity sufficient.
Local Open Scope R_scope.

Section Location.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R) (p : H).
Notation J := (J n P m (absolute 0)).

(* Row i stands at p. *)
Definition here (i : nat) : bool := if Req_EM_T (norm (sub (P i) p)) 0 then true else false.

(* The mass at p, and R, the sum of the unit vectors from p to the rows elsewhere, with their masses. *)
Definition mass_here : R := sum n (fun i => if here i then m i else 0).
Definition unit_sum : H :=
  comb n (fun i => if here i then 0 else m i / norm (sub (P i) p)) (fun i => sub (P i) p).

Lemma here_spec i : if here i then P i = p else 0 < norm (sub (P i) p).
Proof.
  unfold here; destruct (Req_EM_T (norm (sub (P i) p)) 0) as [zero|nz].
  - apply sub_origin, norm_zero, zero.
  - pose proof (norm_nonneg (sub (P i) p)); lra.
Qed.

Lemma shifted q h : sub q (add p h) = sub (sub q p) h.
Proof. apply same; intros x; rewrite !dot_sub, dot_add; ring. Qed.

Lemma J_at : J p = sum n (fun i => if here i then 0 else m i * norm (sub (P i) p)).
Proof.
  apply sum_ext; intros i _; pose proof (here_spec i) as spec; simpl; unfold residual.
  destruct (here i); [rewrite spec, norm_sub_self; ring|reflexivity].
Qed.

(* J rises from p at least by (mass at p)|h| - (R, h). *)
Lemma J_above h : simplex n m -> J p + (mass_here * norm h - dot unit_sum h) <= J (add p h).
Proof.
  intros [pos _]; unfold mass_here, unit_sum; rewrite J_at, dot_comb, (Rmult_comm (sum n _)); unfold Rminus.
  rewrite <- sum_scale, <- sum_opp, <- !sum_add; apply sum_le; intros i Hi; specialize (pos i Hi).
  pose proof (here_spec i) as spec; simpl; unfold residual; rewrite shifted; destruct (here i).
  - rewrite spec, norm_sub_comm; replace (sub h (sub p p)) with h; [lra|].
    apply same; intros x; rewrite !dot_sub; ring.
  - set (v := sub (P i) p) in *; pose proof (Cauchy_Schwarz v (sub v h)) as CS; rewrite dot_sub_r, <- norm_sqr in CS.
    replace (m i * norm v + (norm h * 0 + - (m i / norm v * dot v h))) with (m i * (norm v - dot v h / norm v))
      by (field; lra).
    apply Rmult_le_compat_l; [exact pos|]; apply Rmult_le_reg_l with (norm v); [exact spec|].
    replace (norm v * (norm v - dot v h / norm v)) with (norm v * norm v - dot v h) by (field; lra); lra.
Qed.

Lemma mass_here_nonneg : simplex n m -> 0 <= mass_here.
Proof. intros [pos _]; apply sum_nonneg; intros i Hi; destruct (here i); [apply pos, Hi|lra]. Qed.

Lemma falls_along_R : simplex n m -> mass_here < norm unit_sum ->
  exists d, 0 < d /\ forall s, 0 < s < d -> J (add p (scale s unit_sum)) < J p.
Proof.
  intros mass large; pose proof (mass_here_nonneg mass) as M0; set (r := unit_sum) in *.
  set (G := fun s => sum n (fun i => if here i then 0 else m i * norm (sub (P i) (along p r s)))).
  assert (der : is_derive G 0 (sum n (fun i => if here i then 0 else m i * (/ norm (sub (P i) p) * - dot (sub (P i) p) r)))).
  { apply (derive_sum n (fun i s => if here i then 0 else m i * norm (sub (P i) (along p r s)))); intros i _.
    pose proof (here_spec i) as spec; destruct (here i); [apply @is_derive_const|]; apply (is_derive_scal _ 0 (m i)).
    pose proof (derivative_off_the_point (absolute 0) (P i) p r 0 (proj1 (absolute_outside 0))) as off.
    rewrite along_zero in off; simpl in off; unfold phi in off; simpl in off.
    destruct (Req_EM_T (norm (sub (P i) p)) 0) as [|nz]; [lra|]; rewrite <- (Rmult_1_l (/ _)).
    apply off; intros eq; rewrite eq, norm_sub_self in spec; lra. }
  replace (sum n _) with (- dot r r) in der.
  2: { unfold r at 1, unit_sum; rewrite dot_comb, <- sum_opp; apply sum_ext; intros i _.
       destruct (here i); [ring|unfold Rdiv; ring]. }
  assert (value : forall s, 0 <= s -> J (along p r s) = s * norm r * mass_here + G s).
  { intros s Hs; unfold mass_here, G, setting.J; rewrite <- sum_scale, <- sum_add; apply sum_ext; intros i _.
    pose proof (here_spec i) as spec; simpl; unfold residual; destruct (here i); [|ring].
    replace (norm (sub (P i) (along p r s))) with (s * norm r); [ring|].
    rewrite <- (Rabs_right s) at 1 by lra; rewrite <- norm_scale, norm_sub_comm; f_equal; apply same; intros x.
    unfold along; rewrite spec, dot_sub, dot_add, !dot_scale; ring. }
  assert (slope : norm r * mass_here - dot r r < 0).
  { rewrite <- norm_sqr; nra. }
  apply is_derive_Reals in der; destruct (der (- (norm r * mass_here - dot r r))) as [d near]; [lra|].
  exists d; split; [apply cond_pos|]; intros s [Hs small]; change (add p (scale s r)) with (along p r s).
  specialize (near s ltac:(lra)); rewrite Rabs_right in near by lra; specialize (near small); rewrite Rplus_0_l in near.
  apply Rabs_def2 in near; destruct near as [up _].
  assert (quotient : (G s - G 0) / s < - (norm r * mass_here)) by lra.
  apply (Rmult_lt_compat_r s) in quotient; [|exact Hs]; unfold Rdiv in quotient.
  rewrite Rmult_assoc, Rinv_l in quotient by lra.
  pose proof (value s ltac:(lra)) as Vs; pose proof (value 0 ltac:(lra)) as V0; rewrite along_zero in V0; lra.
Qed.

End Location.

Section Median.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R).
Notation J := (J n P m (absolute 0)).

(* Claim median.location_rule: a location p minimises J of the absolute loss if and only if |R| is at most the mass at p,
   R being the sum of the unit vectors from p to the rows elsewhere with their masses; otherwise J falls along R. With
   masses 1/n both sides are 1/n times those of the claim. *)
Theorem location_rule p : simplex n m ->
  (minimiser J p <-> norm (unit_sum n P m p) <= mass_here n P m p) /\
  (mass_here n P m p < norm (unit_sum n P m p) ->
    exists d, 0 < d /\ forall s, 0 < s < d -> J (add p (scale s (unit_sum n P m p))) < J p).
Proof.
  intros mass; pose proof (falls_along_R n P m p mass) as falls; split; [split|exact falls].
  - intros least; apply Rnot_lt_le; intros large; destruct (falls large) as [d [Hd low]].
    specialize (low (d / 2) ltac:(lra)); specialize (least (add p (scale (d / 2) (unit_sum n P m p)))); lra.
  - intros small g; pose proof (J_above n P m p (sub g p) mass) as above.
    replace (add p (sub g p)) with g in above by (apply same; intros x; rewrite dot_add, dot_sub; ring).
    pose proof (Cauchy_Schwarz (unit_sum n P m p) (sub g p)); pose proof (norm_nonneg (sub g p)); nra.
Qed.

Lemma mass_elsewhere p : simplex n m -> norm (unit_sum n P m p) <= 1 - mass_here n P m p.
Proof.
  intros [pos one]; unfold unit_sum, mass_here; eapply Rle_trans; [apply norm_comb|].
  rewrite <- one; unfold Rminus; rewrite <- sum_opp, <- sum_add; apply sum_le; intros i Hi; specialize (pos i Hi).
  pose proof (here_spec P p i) as spec; destruct (here P p i); [rewrite Rabs_R0; lra|].
  rewrite Rabs_right by (apply Rle_ge, Rmult_le_pos; [exact pos|apply Rlt_le, Rinv_0_lt_compat, spec]).
  right; field; lra.
Qed.

Lemma absolute_convex : rho_convex (absolute 0) /\ rho_strictly_rises (absolute 0).
Proof. split; [intros x y l _ _ _; simpl; lra|intros x y _ lt; exact lt]. Qed.

(* Claim median.majority: a location that holds at least half of the mass minimises J of the absolute loss, and is the
   only minimiser if it holds more than half, or if three rows on a sphere are distinct. *)
Theorem majority p : simplex n m -> / 2 <= mass_here n P m p ->
  minimiser J p /\
  (/ 2 < mass_here n P m p -> forall g, minimiser J g -> g = p) /\
  (forall tau i j k, (forall l, (l < n)%nat -> norm (P l) = tau) -> (i < n)%nat -> (j < n)%nat -> (k < n)%nat ->
    0 < m i -> 0 < m j -> 0 < m k -> P i <> P j -> P i <> P k -> P j <> P k -> forall g, minimiser J g -> g = p).
Proof.
  intros mass half; pose proof (mass_elsewhere p mass) as rest.
  assert (least : minimiser J p) by (apply location_rule; [exact mass|lra]).
  split; [exact least|split].
  - intros more g Mg; specialize (Mg p); pose proof (J_above n P m p (sub g p) mass) as above.
    replace (add p (sub g p)) with g in above by (apply same; intros x; rewrite dot_add, dot_sub; ring).
    pose proof (Cauchy_Schwarz (unit_sum n P m p) (sub g p)) as CS.
    apply sub_origin, norm_zero; destruct (norm_nonneg (sub g p)) as [lt|zero]; [exfalso; nra|symmetry; exact zero].
  - intros tau i j k sphere Hi Hj Hk mi mj mk ij ik jk g Mg; destruct absolute_convex as [conv rises].
    apply (one_minimiser J); [|exact Mg|exact least].
    apply (three_distinct_rows n P m (absolute 0) tau i j k); assumption.
Qed.

End Median.
