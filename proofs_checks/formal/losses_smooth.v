(* Other losses that satisfy (A1) to (A5): pseudo-Huber, Cauchy and Welsch. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone losses_assumptions convexity.
Local Open Scope R_scope.

(* The loss with phi = p everywhere, for a p with p(0) = 1. *)
Definition smooth (r p : R -> R) : loss := Loss r (fun x => x * p x) 1.

Lemma smooth_phi r p x : p 0 = 1 -> phi (smooth r p) x = p x.
Proof. intros one; unfold phi; simpl; destruct (Req_EM_T x 0) as [->|nz]; [symmetry; exact one|field; exact nz]. Qed.

Lemma Lipschitz_of_slope (p dp : R -> R) : (forall x, is_derive p x (dp x)) -> (forall x, Rabs (dp x) <= 1) ->
  forall x y, Rabs (p x - p y) <= 1 * Rabs (x - y).
Proof.
  intros der bound x y; destruct (MVT_gen p y x dp) as [c [_ eq]].
  - intros t _; apply der.
  - intros t _; apply continuity_pt_filterlim, (@ex_derive_continuous R_AbsRing R_NormedModule); exists (dp t); apply der.
  - rewrite eq, Rabs_mult; apply Rmult_le_compat_r; [apply Rabs_pos|apply bound].
Qed.

Lemma smooth_assumptions (r p dp : R -> R) (B : R) : (forall x, is_derive r x (x * p x)) -> r 0 = 0 -> p 0 = 1 ->
  (forall x, 0 <= p x <= 1) -> (forall x, is_derive p x (dp x)) -> (forall x, Rabs (dp x) <= 1) ->
  (forall x, 0 <= x -> x * p x <= B) ->
  let L := smooth r p in psi_is_slope L /\ A1 L /\ A2 L /\ A3 L /\ A4 L /\ A5 L.
Proof.
  intros Dr r0 p0 range Dp bound top L.
  assert (slope : psi_is_slope L) by (intros x _; apply Dr).
  assert (lip : phi_Lipschitz L 1).
  { intros x y _ _; unfold L; rewrite !smooth_phi by exact p0; apply Lipschitz_of_slope with dp; assumption. }
  assert (start : right_continuous r).
  { intros A nb; assert (cont : continuous r 0)
      by (apply (@ex_derive_continuous R_AbsRing R_NormedModule); exists (0 * p 0); apply Dr).
    destruct (cont A nb) as [e all]; exists e; intros y near _; exact (all y near). }
  assert (sign : forall x, 0 <= x -> 0 <= x * p x) by (intros x Hx; apply Rmult_le_pos; [exact Hx|apply range]).
  assert (up : forall x y, 0 <= x -> x <= y -> r x <= r y).
  { intros x y Hx Hxy; apply (rises r (fun t => t * p t)); [intros; apply Dr|exact start|exact Hx|exact Hxy|intros; apply sign; lra]. }
  assert (below : forall x, 0 <= x -> r x <= x ^ 2 / 2).
  { intros x Hx; cut (r x - x ^ 2 / 2 <= r 0 - 0 ^ 2 / 2); [rewrite r0; lra|].
    apply (sinks (fun t => r t - t ^ 2 / 2) (fun t => t * p t - t)); try lra.
    - intros t _; apply @is_derive_minus; [apply Dr|auto_derive; [trivial|field]].
    - apply right_continuous_minus; [exact start|].
      apply (@ex_derive_continuous R_AbsRing R_NormedModule); auto_derive; trivial.
    - intros t Ht _; specialize (range t); nra. }
  split; [exact slope|split; [split; [exact up|split; [exact r0|]]|split; [|split; [|split; [|exists 1; exact lip]]]]].
  - apply (proj2 (right_limit _ _)); intros e pos; exists e; split; [exact pos|]; intros x Hx; simpl.
    specialize (below x ltac:(lra)); pose proof (up 0 x ltac:(lra) ltac:(lra)) as low; rewrite r0 in low.
    rewrite Rminus_0_r, Rabs_right by (apply Rle_ge, Rmult_le_pos; [exact low|apply Rlt_le, Rinv_0_lt_compat; lra]).
    apply Rmult_lt_reg_r with x; [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
  - apply (proj2 (right_limit _ _)); intros e pos; exists e; split; [exact pos|]; intros x Hx; simpl.
    replace (x * p x / x) with (p x) by (field; lra); rewrite <- p0.
    pose proof (Lipschitz_of_slope p dp Dp bound x 0) as le; rewrite Rminus_0_r, (Rabs_right x) in le; lra.
  - apply Lipschitz_continuous with 1; [lra|exact lip|simpl; ring].
  - exists (Rabs B + 1); intros x Hx; unfold L; rewrite smooth_phi by exact p0; simpl.
    specialize (sign x Hx); specialize (top x Hx); specialize (range x); pose proof (Rle_abs B); pose proof (Rabs_pos B).
    rewrite !Rabs_right; lra.
Qed.

(* rho(x) = sqrt(1 + x^2) - 1. *)
Definition pseudo_Huber : loss := smooth (fun x => sqrt (1 + x ^ 2) - 1) (fun x => / sqrt (1 + x ^ 2)).

Lemma root_bounds x : 1 <= sqrt (1 + x ^ 2) /\ Rabs x <= sqrt (1 + x ^ 2) /\ sqrt (1 + x ^ 2) * sqrt (1 + x ^ 2) = 1 + x ^ 2.
Proof.
  pose proof (pow2_ge_0 x); split; [|split].
  - rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; lra.
  - rewrite <- (sqrt_pow2 (Rabs x)) by apply Rabs_pos; rewrite pow2_abs; apply sqrt_le_1_alt; lra.
  - apply sqrt_sqrt; lra.
Qed.

(* Claim other_losses.pseudo_huber: rho(x) = sqrt(1 + x^2) - 1 satisfies (A1) to (A5) and is strictly convex, and
   phi(x) = (1 + x^2)^(-1/2). *)
Theorem pseudo_Huber_assumptions : let L := pseudo_Huber in
  psi_is_slope L /\ A1 L /\ A2 L /\ A3 L /\ A4 L /\ A5 L /\ rho_strictly_convex L /\
  forall x, phi L x = / sqrt (1 + x ^ 2).
Proof.
  assert (p0 : / sqrt (1 + 0 ^ 2) = 1) by (replace (1 + 0 ^ 2) with 1 by ring; rewrite sqrt_1; apply Rinv_1).
  assert (inverse : forall x, 0 < / sqrt (1 + x ^ 2) <= 1).
  { intros x; destruct (root_bounds x) as [one _]; split; [apply Rinv_0_lt_compat; lra|].
    apply Rle_trans with (/ 1); [apply Rinv_le_contravar; lra|rewrite Rinv_1; lra]. }
  destruct (smooth_assumptions (fun x => sqrt (1 + x ^ 2) - 1) (fun x => / sqrt (1 + x ^ 2))
    (fun x => - x * (/ sqrt (1 + x ^ 2)) ^ 3) 1) as [H0 [H1 [H2 [H3 [H4 H5]]]]].
  - intros x; destruct (root_bounds x) as [one [_ sq]]; auto_derive.
    + pose proof (pow2_ge_0 x); replace (x * (x * 1)) with (x ^ 2) by ring; lra.
    + replace (x * (x * 1)) with (x ^ 2) by ring; field; lra.
  - replace (1 + 0 ^ 2) with 1 by ring; rewrite sqrt_1; ring.
  - exact p0.
  - intros x; specialize (inverse x); lra.
  - intros x; destruct (root_bounds x) as [one [_ sq]]; auto_derive.
    + replace (x * (x * 1)) with (x ^ 2) by ring; pose proof (pow2_ge_0 x); split; [lra|split; [|trivial]]; lra.
    + replace (x * (x * 1)) with (x ^ 2) by ring; field; lra.
  - intros x; destruct (root_bounds x) as [one [le sq]]; pose proof (inverse x) as inv.
    rewrite Rabs_mult, Rabs_Ropp, (Rabs_right (_ ^ 3)) by (apply Rle_ge, pow_le; lra).
    apply Rle_trans with (sqrt (1 + x ^ 2) * / sqrt (1 + x ^ 2)); [|rewrite Rinv_r; lra].
    apply Rmult_le_compat; [apply Rabs_pos|apply pow_le; lra|exact le|].
    set (y := / sqrt (1 + x ^ 2)) in *; nra.
  - intros x Hx; destruct (root_bounds x) as [one [le sq]]; rewrite Rabs_right in le by lra.
    apply Rmult_le_reg_r with (sqrt (1 + x ^ 2)); [lra|]; rewrite Rmult_assoc, Rinv_l; lra.
  - intros L; repeat (split; [assumption|]); split.
    2: { intros x; change (phi L x = (fun x => / sqrt (1 + x ^ 2)) x); apply smooth_phi; exact p0. }
    intros x y l Hx Hy ne Hl.
    change (sqrt (1 + (l * x + (1 - l) * y) ^ 2) - 1 < l * (sqrt (1 + x ^ 2) - 1) + (1 - l) * (sqrt (1 + y ^ 2) - 1)).
    destruct (root_bounds x) as [X1 [_ X2]], (root_bounds y) as [Y1 [_ Y2]].
    set (X := sqrt (1 + x ^ 2)) in *; set (Y := sqrt (1 + y ^ 2)) in *; set (z := l * x + (1 - l) * y).
    assert (strict : 1 + x * y < X * Y).
    { apply Rsqr_incrst_0; [unfold Rsqr|nra|nra].
      replace (X * Y * (X * Y)) with (X * X * (Y * Y)) by ring; rewrite X2, Y2.
      assert (gap : 0 < (x - y) * (x - y)) by (apply (Rsqr_pos_lt (x - y)); lra); nra. }
    assert (target : sqrt (1 + z ^ 2) < l * X + (1 - l) * Y); [|lra].
    destruct (root_bounds z) as [Z1 [_ Z2]].
    apply Rsqr_incrst_0; [unfold Rsqr|lra|nra]; rewrite Z2.
    assert (weight : 0 < l * (1 - l)) by (apply Rmult_lt_0_compat; lra).
    replace ((l * X + (1 - l) * Y) * (l * X + (1 - l) * Y))
      with (l ^ 2 * (X * X) + (1 - l) ^ 2 * (Y * Y) + 2 * (l * (1 - l) * (X * Y))) by ring.
    rewrite X2, Y2; pose proof (Rmult_lt_compat_l _ _ _ weight strict); unfold z; nra.
Qed.

(* rho(x) = log(1 + x^2)/2. *)
Definition Cauchy : loss := smooth (fun x => ln (1 + x ^ 2) / 2) (fun x => / (1 + x ^ 2)).

(* Claim other_losses.cauchy: rho(x) = log(1 + x^2)/2 satisfies (A1) to (A5), and phi(x) = 1/(1 + x^2) decreases. *)
Theorem Cauchy_assumptions : let L := Cauchy in
  psi_is_slope L /\ A1 L /\ A2 L /\ A3 L /\ A4 L /\ A5 L /\
  (forall x, phi L x = / (1 + x ^ 2)) /\ forall x y, 0 <= x -> x < y -> phi L y < phi L x.
Proof.
  assert (p0 : / (1 + 0 ^ 2) = 1) by (replace (1 + 0 ^ 2) with 1 by ring; apply Rinv_1).
  assert (big : forall x, 1 <= 1 + x ^ 2) by (intros x; pose proof (pow2_ge_0 x); lra).
  destruct (smooth_assumptions (fun x => ln (1 + x ^ 2) / 2) (fun x => / (1 + x ^ 2))
    (fun x => - (2 * x) / (1 + x ^ 2) ^ 2) 1) as [H0 [H1 [H2 [H3 [H4 H5]]]]].
  - intros x; specialize (big x); auto_derive; replace (x * (x * 1)) with (x ^ 2) by ring; [lra|field; lra].
  - replace (1 + 0 ^ 2) with 1 by ring; rewrite ln_1; field.
  - exact p0.
  - intros x; specialize (big x); split; [apply Rlt_le, Rinv_0_lt_compat; lra|].
    apply Rle_trans with (/ 1); [apply Rinv_le_contravar; lra|rewrite Rinv_1; lra].
  - intros x; specialize (big x); auto_derive; replace (x * (x * 1)) with (x ^ 2) by ring; [lra|field; lra].
  - intros x; specialize (big x); assert (0 < (1 + x ^ 2) ^ 2) by (apply pow_lt; lra).
    unfold Rdiv; rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat; assumption).
    apply Rmult_le_reg_r with ((1 + x ^ 2) ^ 2); [assumption|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
    apply Rabs_le; pose proof (pow2_ge_0 (x - 1)); pose proof (pow2_ge_0 (x + 1)); split; nra.
  - intros x Hx; specialize (big x); apply Rmult_le_reg_r with (1 + x ^ 2); [lra|].
    rewrite Rmult_assoc, Rinv_l by lra; pose proof (pow2_ge_0 (x - 1)); nra.
  - intros L; assert (value : forall x, phi L x = / (1 + x ^ 2))
      by (intros x; change (phi L x = (fun x => / (1 + x ^ 2)) x); apply smooth_phi; exact p0).
    repeat (split; [assumption|]); intros x y Hx Hxy; rewrite !value.
    apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; pose proof (big x); pose proof (big y); lra|nra].
Qed.

(* rho(x) = 1 - exp(-x^2/2). *)
Definition Welsch : loss := smooth (fun x => 1 - exp (- (x ^ 2) / 2)) (fun x => exp (- (x ^ 2) / 2)).

(* Claim other_losses.welsch: rho(x) = 1 - exp(-x^2/2) satisfies (A1) to (A5), is bounded, and its phi, exp(-x^2/2), is
   positive everywhere. *)
Theorem Welsch_assumptions : let L := Welsch in
  psi_is_slope L /\ A1 L /\ A2 L /\ A3 L /\ A4 L /\ A5 L /\
  (forall x, 0 <= rho L x < 1) /\ forall x, phi L x = exp (- (x ^ 2) / 2) /\ 0 < phi L x.
Proof.
  assert (p0 : exp (- 0 ^ 2 / 2) = 1) by (replace (- 0 ^ 2 / 2) with 0 by field; apply exp_0).
  assert (range : forall x, 0 < exp (- x ^ 2 / 2) <= 1).
  { intros x; split; [apply exp_pos|]; rewrite <- exp_0; pose proof (pow2_ge_0 x).
    destruct (Req_dec (- x ^ 2 / 2) 0) as [->|nz]; [lra|apply Rlt_le, exp_increasing; lra]. }
  assert (product : forall x, Rabs x * exp (- x ^ 2 / 2) <= 1).
  { intros x; replace (- x ^ 2 / 2) with (- (x ^ 2 / 2)) by field; rewrite exp_Ropp.
    pose proof (exp_ineq1_le (x ^ 2 / 2)) as le; pose proof (pow2_ge_0 x) as sq.
    apply Rmult_le_reg_r with (exp (x ^ 2 / 2)); [apply exp_pos|]; rewrite Rmult_assoc, Rinv_l by (apply Rgt_not_eq, exp_pos).
    set (y := exp (x ^ 2 / 2)) in *; pose proof (pow2_ge_0 (Rabs x - 1)); pose proof (pow2_abs x); nra. }
  destruct (smooth_assumptions (fun x => 1 - exp (- x ^ 2 / 2)) (fun x => exp (- x ^ 2 / 2))
    (fun x => - (x * exp (- x ^ 2 / 2))) 1) as [H0 [H1 [H2 [H3 [H4 H5]]]]].
  - intros x; auto_derive; [trivial|]; replace (x * (x * 1)) with (x ^ 2) by ring; field_simplify_eq; ring || reflexivity.
  - rewrite p0; ring.
  - exact p0.
  - intros x; specialize (range x); lra.
  - intros x; auto_derive; [trivial|]; replace (x * (x * 1)) with (x ^ 2) by ring; field_simplify_eq; ring || reflexivity.
  - intros x; rewrite Rabs_Ropp, Rabs_mult, (Rabs_right (exp _)) by (specialize (range x); lra); apply product.
  - intros x Hx; specialize (product x); rewrite Rabs_right in product by lra; exact product.
  - intros L; repeat (split; [assumption|]); split; intros x; specialize (range x); [change (0 <= 1 - exp (- x ^ 2 / 2) < 1); lra|].
    assert (value : phi L x = exp (- x ^ 2 / 2))
      by (change (phi L x = (fun x => exp (- x ^ 2 / 2)) x); apply smooth_phi; exact p0).
    rewrite value; split; [reflexivity|lra].
Qed.
