(* Functions on x >= 0 whose derivative has one sign on x > 0, and what (A1) says of rho near 0. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting.
Local Open Scope R_scope.

(* rho(x) tends to rho(0) as x falls to 0. *)
Definition right_continuous (h : R -> R) : Prop := filterlim h (at_right 0) (locally (h 0)).

Lemma at_right_intro (Pr : R -> Prop) d : 0 < d -> (forall x, 0 < x < d -> Pr x) -> at_right 0 Pr.
Proof.
  intros pos all; exists (mkposreal d pos); intros x near gt; apply all; split; [exact gt|].
  change (Rabs (x - 0) < d) in near; apply Rabs_def2 in near; lra.
Qed.

Lemma at_right_elim (Pr : R -> Prop) : at_right 0 Pr -> exists d, 0 < d /\ forall x, 0 < x < d -> Pr x.
Proof.
  intros [d all]; exists d; split; [apply cond_pos|]; intros x [lo hi]; apply all; [|assumption].
  change (Rabs (x - 0) < d); apply Rabs_def1; lra.
Qed.

(* The right limit at 0 in terms of distances. *)
Lemma right_limit (h : R -> R) (l : R) :
  filterlim h (at_right 0) (locally l) <->
  forall e, 0 < e -> exists d, 0 < d /\ forall x, 0 < x < d -> Rabs (h x - l) < e.
Proof.
  split.
  - intros lim e pos; apply at_right_elim; apply (lim (fun y => Rabs (y - l) < e)).
    exists (mkposreal e pos); intros y near; exact near.
  - intros lim Pr [e all]; destruct (lim e (cond_pos e)) as [d [pos near]].
    apply (at_right_intro _ d pos); intros x Hx; apply all; exact (near x Hx).
Qed.

Lemma A1_right_continuous L : A1 L -> right_continuous (rho L).
Proof.
  intros [_ [zero lim]]; unfold right_continuous; rewrite zero; apply (proj2 (right_limit _ _)); intros e pos.
  destruct (proj1 (right_limit _ _) lim 1 Rlt_0_1) as [d [dpos near]].
  exists (Rmin d e); split; [apply Rmin_pos; assumption|]; intros x [lo hi].
  assert (x < d) by (eapply Rlt_le_trans; [apply hi|apply Rmin_l]).
  assert (x < e) by (eapply Rlt_le_trans; [apply hi|apply Rmin_r]).
  specialize (near x (conj lo H)); rewrite Rminus_0_r in *.
  replace (rho L x) with (rho L x / x * x) by (field; lra).
  rewrite Rabs_mult, (Rabs_right x) by lra.
  pose proof (Rabs_pos (rho L x / x)).
  apply Rle_lt_trans with (1 * x); [apply Rmult_le_compat_r|]; lra.
Qed.

Lemma right_continuous_minus (f g : R -> R) :
  right_continuous f -> continuous g 0 -> right_continuous (fun t => f t - g t).
Proof.
  intros Cf Cg; apply (proj2 (right_limit _ _)); intros e pos.
  destruct (proj1 (right_limit _ _) Cf (e / 2)) as [d [Hd near]]; [lra|].
  assert (lim : filterlim g (at_right 0) (locally (g 0))).
  { intros Pr nb; specialize (Cg Pr nb); destruct Cg as [eps all]; exists eps; intros x near' _; exact (all x near'). }
  destruct (proj1 (right_limit _ _) lim (e / 2)) as [d' [Hd' near']]; [lra|].
  exists (Rmin d d'); split; [apply Rmin_pos; assumption|]; intros x Hx.
  pose proof (Rmin_l d d'); pose proof (Rmin_r d d').
  specialize (near x ltac:(lra)); specialize (near' x ltac:(lra)).
  apply Rabs_def2 in near; apply Rabs_def2 in near'; apply Rabs_def1; lra.
Qed.

(* The mean value theorem on 0 < x <= y. *)
Lemma mean_value h dh x y : 0 < x -> x <= y -> (forall t, 0 < t -> is_derive h t (dh t)) ->
  exists c, x <= c <= y /\ h y - h x = dh c * (y - x).
Proof.
  intros pos le der; destruct (MVT_gen h x y dh) as [c [inside eq]].
  - rewrite Rmin_left by assumption; intros t Ht; apply der; lra.
  - rewrite Rmin_left by assumption; intros t Ht.
    apply continuity_pt_filterlim, @ex_derive_continuous; exists (dh t); apply der; lra.
  - rewrite Rmin_left, Rmax_right in inside by assumption; exists c; split; assumption.
Qed.

Section One_sign.
Variables (h dh : R -> R).
Hypothesis derivative : forall t, 0 < t -> is_derive h t (dh t).
Hypothesis start : right_continuous h.

Lemma from_zero c d : 0 < d -> (forall x, 0 < x < d -> h x <= c) -> h 0 <= c.
Proof.
  intros pos le; destruct (Rle_dec (h 0) c) as [|gt]; [assumption|exfalso].
  destruct (proj1 (right_limit _ _) start (h 0 - c)) as [d' [pos' near]]; [lra|].
  set (x := Rmin d d' / 2); pose proof (Rmin_pos d d' pos pos') as both.
  pose proof (Rmin_l d d'); pose proof (Rmin_r d d').
  assert (Hx : 0 < x < d) by (unfold x; lra); assert (Hx' : 0 < x < d') by (unfold x; lra).
  specialize (le x Hx); specialize (near x Hx'); apply Rabs_def2 in near; lra.
Qed.

Lemma rises x y : 0 <= x -> x <= y -> (forall t, 0 < t -> x <= t <= y -> 0 <= dh t) -> h x <= h y.
Proof.
  intros pos le sign.
  assert (inner : forall s, 0 < s -> x <= s <= y -> h s <= h y).
  { intros s Hs [lo hi]; destruct (mean_value h dh s y) as [c [Hc eq]]; try assumption.
    assert (0 <= dh c * (y - s)) by (apply Rmult_le_pos; [apply sign|]; lra); lra. }
  destruct (Req_dec x y) as [->|ne]; [lra|].
  destruct (Req_dec x 0) as [->|nz]; [|apply inner; lra].
  apply from_zero with y; [lra|]; intros s Hs; apply inner; lra.
Qed.

End One_sign.

Lemma sinks h dh x y : (forall t, 0 < t -> is_derive h t (dh t)) -> right_continuous h ->
  0 <= x -> x <= y -> (forall t, 0 < t -> x <= t <= y -> dh t <= 0) -> h y <= h x.
Proof.
  intros der start pos le sign; cut (- h x <= - h y); [lra|].
  apply (rises (fun t => - h t) (fun t => - dh t)); try assumption.
  - intros t Ht; apply @is_derive_opp, der, Ht.
  - apply (proj2 (right_limit _ _)); intros e epos.
    destruct (proj1 (right_limit _ _) start e epos) as [d [dpos near]]; exists d; split; [assumption|].
    intros t Ht; specialize (near t Ht); rewrite <- Rabs_Ropp; replace (- (- h t - - h 0)) with (h t - h 0) by ring.
    assumption.
  - intros t Ht Hxy; specialize (sign t Ht Hxy); lra.
Qed.
