(* A loss that satisfies (A1) to (A5), with a strictly convex rho, whose psi has the slope 0 at 1/2. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone losses losses_phi losses_assumptions convexity.
Local Open Scope R_scope.

(* psi rises to 9/16 along a cubic that is level at 1/2, and then towards 13/16; rho is its integral. *)
Definition bent_psi (t : R) : R := if Rlt_dec t (3 / 4) then (1 + (2 * t - 1) ^ 3) / 2 else 13 / 16 - 3 / (16 * t).
Definition bent_rho (t : R) : R :=
  if Rlt_dec t (3 / 4) then t / 2 + ((2 * t - 1) ^ 4 - 1) / 16
  else 13 * t / 16 - 3 / 16 * ln (4 * t / 3) - 75 / 256.
Definition bent : loss := Loss bent_rho bent_psi 3.

Lemma bent_slope x : is_derive bent_rho x (bent_psi x).
Proof.
  unfold bent_psi; apply (glue _ (fun t => t / 2 + ((2 * t - 1) ^ 4 - 1) / 16)
    (fun t => 13 * t / 16 - 3 / 16 * ln (4 * t / 3) - 75 / 256)).
  - intros t Ht; unfold bent_rho; destruct (Rlt_dec t (3 / 4)); [reflexivity|lra].
  - intros t Ht; unfold bent_rho; destruct (Rlt_dec t (3 / 4)); [lra|reflexivity].
  - replace (4 * (3 / 4) / 3) with 1 by field; rewrite ln_1; field.
  - intros _; auto_derive; [trivial|field].
  - intros Hx; auto_derive; [lra|field; lra].
  - intros ->; field.
Qed.

Lemma bent_rises x y : x < y -> bent_psi x < bent_psi y.
Proof.
  assert (cubic : forall s t, s < t -> (2 * s - 1) ^ 3 < (2 * t - 1) ^ 3).
  { intros s t Hst; set (a := 2 * s - 1); set (b := 2 * t - 1).
    assert (0 < b - a) by (unfold a, b; lra).
    assert (product : 0 < (b - a) * ((b + a / 2) ^ 2 + 3 / 4 * a ^ 2)); [|lra].
    apply Rmult_lt_0_compat; [assumption|]; pose proof (pow2_ge_0 (b + a / 2)) as one; pose proof (pow2_ge_0 a) as two.
    destruct (Req_dec a 0) as [->|nz]; [|apply Rsqr_pos_lt in nz; unfold Rsqr in nz; lra].
    assert (0 < b * b) by (apply Rmult_lt_0_compat; lra); lra. }
  assert (inverse : forall s t, 3 / 4 <= s -> s < t -> 3 / (16 * t) < 3 / (16 * s)).
  { intros s t Hs Hst; apply Rmult_lt_compat_l; [lra|apply Rinv_lt_contravar; nra]. }
  intros Hxy; unfold bent_psi; destruct (Rlt_dec x (3 / 4)) as [low|high], (Rlt_dec y (3 / 4)) as [low'|high'].
  - specialize (cubic x y Hxy); lra.
  - specialize (cubic x (3 / 4) low); replace ((2 * (3 / 4) - 1) ^ 3) with (1 / 8) in cubic by field.
    assert (3 / (16 * y) <= 1 / 4); [|lra].
    apply Rmult_le_reg_r with y; [lra|]; replace (3 / (16 * y) * y) with (3 / 16) by (field; lra); lra.
  - lra.
  - specialize (inverse x y ltac:(lra) Hxy); lra.
Qed.

Lemma bent_psi_zero : bent_psi 0 = 0.
Proof. unfold bent_psi; destruct (Rlt_dec 0 (3 / 4)); [field|lra]. Qed.

Lemma bent_psi_range x : 0 <= x -> 0 <= bent_psi x <= 13 / 16.
Proof.
  intros Hx; split.
  - rewrite <- bent_psi_zero; destruct (Req_dec x 0) as [->|nz]; [lra|apply Rlt_le, bent_rises; lra].
  - apply Rlt_le, Rlt_le_trans with (bent_psi (x + 1)); [apply bent_rises; lra|].
    unfold bent_psi; destruct (Rlt_dec (x + 1) (3 / 4)); [lra|].
    assert (0 < 3 / (16 * (x + 1))) by (apply Rdiv_lt_0_compat; lra); lra.
Qed.

(* A rho with a strictly increasing slope is strictly convex. *)
Lemma strictly_convex_of_slope (L : loss) : (forall x, 0 <= x -> is_derive (rho L) x (psi L x)) ->
  (forall x y, 0 <= x -> x < y -> psi L x < psi L y) -> rho_strictly_convex L.
Proof.
  intros slope up.
  assert (ordered : forall x y l, 0 <= x -> x < y -> 0 < l < 1 ->
    rho L (l * x + (1 - l) * y) < l * rho L x + (1 - l) * rho L y).
  { intros x y l Hx Hxy Hl; set (z := l * x + (1 - l) * y).
    assert (Hz : x < z < y) by (unfold z; split; nra).
    assert (der : forall t, 0 <= t -> derivable_pt_lim (rho L) t (psi L t)).
    { intros; apply is_derive_Reals, slope; assumption. }
    destruct (MVT_cor2 (rho L) (psi L) x z) as [c [Ec Hc]]; [lra|intros; apply der; lra|].
    destruct (MVT_cor2 (rho L) (psi L) z y) as [d [Ed Hd]]; [lra|intros; apply der; lra|].
    specialize (up c d ltac:(lra) ltac:(lra)).
    replace (z - x) with ((1 - l) * (y - x)) in Ec by (unfold z; ring).
    replace (y - z) with (l * (y - x)) in Ed by (unfold z; ring).
    assert (weight : 0 < l * ((1 - l) * (y - x))) by (repeat apply Rmult_lt_0_compat; lra).
    pose proof (Rmult_lt_compat_l _ _ _ weight up); nra. }
  intros x y l Hx Hy ne Hl; destruct (Rlt_dec x y) as [lt|ge]; [apply ordered; assumption|].
  specialize (ordered y x (1 - l) Hy ltac:(lra) ltac:(lra)); replace (1 - (1 - l)) with l in ordered by ring.
  rewrite Rplus_comm, (Rplus_comm (l * rho L x)); exact ordered.
Qed.

Lemma bent_phi x : 0 <= x -> phi bent x =
  if Rlt_dec x (3 / 4) then 4 * x ^ 2 - 6 * x + 3 else 13 / 16 * / x - 3 / 16 * (/ x) ^ 2.
Proof.
  intros Hx; unfold phi; simpl; unfold bent_psi.
  destruct (Req_EM_T x 0) as [->|nz], (Rlt_dec _ (3 / 4)); try lra; field; lra.
Qed.

Lemma bent_Lipschitz : phi_Lipschitz bent 6.
Proof.
  apply steep_Lipschitz; intros hi Hhi.
  assert (early : steep (phi bent) 6 0 (3 / 4)).
  { assert (value : forall x, 0 <= x <= 3 / 4 -> phi bent x = 4 * x ^ 2 - 6 * x + 3).
    { intros x Hx; rewrite bent_phi by lra; destruct (Rlt_dec x (3 / 4)); [reflexivity|].
      replace x with (3 / 4) by lra; field. }
    intros x y Hx Hxy Hy; rewrite !value by lra; replace (_ - _) with ((4 * (x + y) - 6) * (y - x)) by ring.
    rewrite Rabs_mult, (Rabs_right (y - x)) by lra; apply Rmult_le_compat_r; [lra|apply Rabs_le; lra]. }
  assert (late : forall hi, steep (phi bent) 6 (3 / 4) hi).
  { assert (small : forall x, 3 / 4 <= x -> 0 < / x <= 4 / 3).
    { intros x Hx; split; [apply Rinv_0_lt_compat; lra|].
      replace (4 / 3) with (/ (3 / 4)) by field; apply Rinv_le_contravar; lra. }
    intros top x y Hx Hxy Hy; rewrite !bent_phi by lra; destruct (Rlt_dec x (3 / 4)), (Rlt_dec y (3 / 4)); try lra.
    pose proof (small x Hx); pose proof (small y ltac:(lra)).
    replace (_ - _) with (- ((13 - 3 * (/ x + / y)) / 16 * (/ x * / y)) * (y - x)) by (field; lra).
    rewrite Rabs_mult, (Rabs_right (y - x)) by lra; apply Rmult_le_compat_r; [lra|].
    assert (0 < / x * / y <= 16 / 9) by (split; nra); rewrite Rabs_Ropp; apply Rabs_le; split; nra. }
  destruct (Rle_dec hi (3 / 4)) as [le|gt]; [|apply steep_join with (3 / 4); [lra|lra|exact early|apply late]].
  intros x y Hx Hxy Hy; apply early; lra.
Qed.

Lemma bent_phi_range x : 0 <= x -> 0 < phi bent x <= 3.
Proof.
  intros Hx; rewrite bent_phi by exact Hx; destruct (Rlt_dec x (3 / 4)) as [lt|ge].
  - pose proof (pow2_ge_0 (x - 3 / 4)); split; nra.
  - assert (0 < / x <= 4 / 3); [|split; nra].
    split; [apply Rinv_0_lt_compat; lra|replace (4 / 3) with (/ (3 / 4)) by field; apply Rinv_le_contravar; lra].
Qed.

(* psi is the slope of rho, (A1) to (A5) hold, rho is strictly convex, and phi is positive. *)
Lemma bent_assumptions : let L := bent in
  psi_is_slope L /\ A1 L /\ A2 L /\ A3 L /\ A4 L /\ A5 L /\ rho_strictly_convex L /\ forall x, 0 <= x -> 0 < phi L x.
Proof.
  intros L; assert (phi_0 : phi L 0 = 3).
  { unfold L; rewrite bent_phi by lra; destruct (Rlt_dec 0 (3 / 4)); [ring|lra]. }
  assert (near_zero : forall x, 0 < x -> Rabs (psi L x / x - 3) <= 6 * x).
  { intros x Hx; pose proof (bent_Lipschitz x 0 ltac:(lra) ltac:(lra)) as lip.
    fold L in lip; rewrite phi_0, Rminus_0_r, (Rabs_right x) in lip by lra.
    unfold phi in lip; destruct (Req_EM_T x 0); [lra|exact lip]. }
  assert (up : forall x y, 0 <= x -> x <= y -> rho L x <= rho L y).
  { intros x y Hx [Hxy|<-]; [|lra].
    destruct (MVT_cor2 (rho L) (psi L) x y Hxy) as [c [eq Hc]]; [intros; apply is_derive_Reals, bent_slope|].
    pose proof (proj1 (bent_psi_range c ltac:(lra))) as pos.
    assert (0 <= psi L c * (y - x)) by (apply Rmult_le_pos; [exact pos|lra]); lra. }
  assert (zero : rho L 0 = 0) by (simpl; unfold bent_rho; destruct (Rlt_dec 0 (3 / 4)); [field|lra]).
  split; [intros x _; apply bent_slope|split; [split; [exact up|split; [exact zero|]]|]];
    [|split; [|split; [|split; [|split; [|split]]]]].
  - apply (proj2 (right_limit _ _)); intros e pos; exists (e / 3); split; [lra|]; intros x Hx.
    destruct (MVT_cor2 (rho L) (psi L) 0 x) as [c [eq Hc]]; [lra|intros; apply is_derive_Reals, bent_slope|].
    rewrite zero, !Rminus_0_r in eq; rewrite eq; replace (psi L c * x / x - 0) with (psi L c) by (field; lra).
    assert (low : 0 <= psi L c) by (apply bent_psi_range; lra); rewrite Rabs_right by lra.
    pose proof (bent_phi_range c ltac:(lra)) as [_ top]; unfold phi in top; destruct (Req_EM_T c 0); [lra|].
    fold L in top; replace (psi L c) with (psi L c / c * c) by (field; lra); nra.
  - apply (proj2 (right_limit _ _)); intros e pos; exists (e / 6); split; [lra|]; intros x Hx.
    specialize (near_zero x ltac:(lra)); change (phi_zero L) with 3; lra.
  - apply Lipschitz_continuous with 6; [lra|exact bent_Lipschitz|exact bent_psi_zero].
  - exists 3; intros x Hx; pose proof (bent_psi_range x Hx); pose proof (bent_phi_range x Hx).
    unfold L; split; rewrite Rabs_right; simpl; lra.
  - exists 6; exact bent_Lipschitz.
  - apply strictly_convex_of_slope; intros; [apply bent_slope|apply bent_rises; assumption].
  - intros x Hx; apply bent_phi_range, Hx.
Qed.

(* At 1/2 the cubic is level: psi = 1/2, psi' = 0, phi = 1. *)
Lemma bent_level : psi bent (/ 2) = / 2 /\ is_derive (psi bent) (/ 2) 0 /\ phi bent (/ 2) = 1.
Proof.
  split; [simpl; unfold bent_psi; destruct (Rlt_dec (/ 2) (3 / 4)); [field|lra]|split].
  - apply derive_near with (fun t => (1 + (2 * t - 1) ^ 3) / 2) 0 (3 / 4); [lra| |auto_derive; [trivial|field]].
    intros s Hs; simpl; unfold bent_psi; destruct (Rlt_dec s (3 / 4)); [reflexivity|lra].
  - rewrite bent_phi by lra; destruct (Rlt_dec (/ 2) (3 / 4)); [field|lra].
Qed.
