(* Theorem 2: where J is convex, stationary points are minimisers. *)
From Coq Require Import Reals Lra Lia Classical.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate descent gateaux.
Local Open Scope R_scope.

Section Convex.
Context {H : space}.
Implicit Types (T : H -> R) (g h : H).

Lemma strictly_convex_convex T : strictly_convex T -> convex T.
Proof.
  intros strict g h l Hl; destruct (classic (g = h)) as [->|ne]; [|apply Rlt_le, strict; assumption].
  replace (between l h h) with h; [lra|].
  apply same; intros x; unfold between; rewrite dot_add, !dot_scale; ring.
Qed.

Lemma between_along g h l : between l h g = along g (sub h g) l.
Proof.
  apply same; intros x; unfold between, along; rewrite !dot_add, !dot_scale, dot_sub; ring.
Qed.

(* A convex function lies above its tangents. *)
Lemma tangent_below T g h d : convex T -> Gateaux T g (sub h g) d -> T g + d <= T h.
Proof.
  intros conv der; apply Rnot_lt_le; intros low; apply is_derive_Reals in der.
  destruct (der (T g + d - T h)) as [e near]; [lra|]; pose proof (cond_pos e) as Hepos.
  set (s := Rmin (/ 2) (e / 2)).
  assert (Hs : 0 < s) by (apply Rmin_pos; lra).
  assert (Hs1 : s <= / 2) by apply Rmin_l; assert (Hs2 : s <= e / 2) by apply Rmin_r.
  specialize (near s ltac:(lra)); rewrite Rabs_right in near by lra; specialize (near ltac:(lra)).
  rewrite Rplus_0_l in near; change (add g (scale s (sub h g))) with (along g (sub h g) s) in near.
  change (add g (scale 0 (sub h g))) with (along g (sub h g) 0) in near.
  rewrite along_zero, <- between_along in near.
  specialize (conv h g s ltac:(lra)); apply Rabs_def2 in near; destruct near as [_ lower].
  assert (slope : (T (between s h g) - T g) / s <= T h - T g).
  { apply Rmult_le_reg_r with s; [exact Hs|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  lra.
Qed.

Lemma one_minimiser T g h : strictly_convex T -> minimiser T g -> minimiser T h -> g = h.
Proof.
  intros strict Mg Mh; apply NNPP; intros ne; specialize (strict g h (/ 2) ne ltac:(lra)).
  pose proof (Mg h); pose proof (Mh g); pose proof (Mg (between (/ 2) g h)); lra.
Qed.

Section Objective.
Variables (n : nat) (P : nat -> H) (m : nat -> R) (L : loss).
Notation J := (J n P m L).
Notation V := (V n P m L).

(* Claim existence.sufficient: where J is convex, every g with V(g) = 0 is a global minimiser; where J is strictly
   convex there is at most one such g. *)
Theorem sufficient : psi_is_slope L -> A1 L ->
  (convex J -> forall g, V g = origin -> minimiser J g) /\
  (strictly_convex J -> forall g h, V g = origin -> V h = origin -> g = h).
Proof.
  intros slope a1; assert (least : convex J -> forall g, V g = origin -> minimiser J g).
  { intros conv g zero h; pose proof (proj1 (lemma_1 n P m L slope a1) g (sub h g)) as der.
    rewrite zero, dot_origin, Ropp_0 in der; pose proof (tangent_below J g h 0 conv der); lra. }
  split; [exact least|]; intros strict g h Zg Zh; pose proof (strictly_convex_convex J strict) as conv.
  apply (one_minimiser J); [exact strict|apply least; assumption..].
Qed.

(* Weights proportional to m_i phi(r_i) with sum 1 at their own mean f. *)
Lemma proportional f c w : (forall i, (i < n)%nat -> w i = c * (m i * phi L (residual P f i))) ->
  sum n w = 1 -> f = comb n w P -> mean_phi n P m L f <> 0 /\ V f = origin.
Proof.
  intros prop one eq; assert (total : c * mean_phi n P m L f = 1).
  { rewrite <- one; unfold mean_phi; rewrite <- sum_scale; symmetry; apply sum_ext, prop. }
  assert (nz : mean_phi n P m L f <> 0) by (intros zero; rewrite zero in total; lra).
  split; [exact nz|]; apply (V_is_step n P m L f nz); rewrite eq at 1; unfold step.
  apply same; intros x; rewrite !dot_comb; apply sum_ext; intros i Hi; rewrite (prop i Hi).
  unfold next_weights; replace c with (/ mean_phi n P m L f); [field; exact nz|].
  apply Rmult_eq_reg_r with (mean_phi n P m L f); [rewrite Rinv_l by exact nz; symmetry; exact total|exact nz].
Qed.

(* Claim theorems.theorem_2: if J is convex, f = sum w_i P_i with sum w_i = 1 and weights w_i proportional to
   m_i phi(|P_i - f|), that is to phi(|P_i - f|) with masses 1/n, is a global minimiser of J, and the only one if J is
   strictly convex. That some phi(r_i) is not 0 follows from the sum of the weights. *)
Theorem theorem_2 f c w : psi_is_slope L -> A1 L -> convex J ->
  (forall i, (i < n)%nat -> w i = c * (m i * phi L (residual P f i))) -> sum n w = 1 -> f = comb n w P ->
  minimiser J f /\ (strictly_convex J -> forall g, minimiser J g -> g = f).
Proof.
  intros slope a1 conv prop one eq; destruct (proportional f c w prop one eq) as [_ zero].
  assert (least : minimiser J f) by (apply sufficient; assumption).
  split; [exact least|]; intros strict g Mg; apply (one_minimiser J); assumption.
Qed.

End Objective.
End Convex.
