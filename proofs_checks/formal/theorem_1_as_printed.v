(* Theorem 1 as printed is false: a convex loss with (A1) to (A5) for which minimisers of J are off the span. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting.
Local Open Scope R_scope.

(* psi is 0 up to 1, x - 1 up to 2, and 1 beyond; rho is its integral. *)
Definition late_psi (x : R) : R := Rmax 0 (x - 1) - Rmax 0 (x - 2).
Definition late_rho (x : R) : R := Rmax 0 (x - 1) ^ 2 / 2 - Rmax 0 (x - 2) ^ 2 / 2.
Definition late : loss := Loss late_rho late_psi 0.

Definition convex_from_zero (f : R -> R) : Prop :=
  forall x y l, 0 <= x -> 0 <= y -> 0 < l < 1 -> f (l * x + (1 - l) * y) <= l * f x + (1 - l) * f y.

Ltac pieces x := unfold Rmax in *; destruct (Rle_dec 0 (x - 1)), (Rle_dec 0 (x - 2)); try lra.

Lemma half_square_slope (x : R) : is_derive (fun t => Rmax 0 t ^ 2 / 2) x (Rmax 0 x).
Proof.
  destruct (Rtotal_order x 0) as [neg|[->|pos]].
  - rewrite Rmax_left by lra; apply (is_derive_ext_loc (fun _ => 0)); [|apply @is_derive_const].
    apply (filter_imp (fun t => t < 0)); [|apply (open_lt 0); exact neg].
    intros t Ht; change (0 = Rmax 0 t ^ 2 / 2); rewrite Rmax_left by lra; field.
  - rewrite Rmax_left by lra; apply is_derive_Reals; intros e pos; exists (mkposreal e pos); simpl.
    intros h nz small; rewrite Rplus_0_l, (Rmax_left 0 0) by lra.
    apply Rle_lt_trans with (Rabs h); [|exact small].
    replace ((Rmax 0 h * (Rmax 0 h * 1) / 2 - 0 * (0 * 1) / 2) / h - 0) with (Rmax 0 h ^ 2 / 2 / h)
      by (field; exact nz).
    destruct (Rle_or_lt h 0) as [le|lt].
    + rewrite Rmax_left by exact le; replace (0 ^ 2 / 2 / h) with 0 by (field; exact nz).
      rewrite Rabs_R0; apply Rabs_pos.
    + rewrite Rmax_right by lra; replace (h ^ 2 / 2 / h) with (h / 2) by (field; exact nz).
      rewrite !Rabs_pos_eq; lra.
  - rewrite Rmax_right by lra; apply (is_derive_ext_loc (fun t => t ^ 2 / 2)).
    + apply (filter_imp (fun t => 0 < t)); [|apply (open_gt 0); exact pos].
      intros t Ht; rewrite Rmax_right by lra; reflexivity.
    + auto_derive; [trivial|field].
Qed.

Lemma late_slope : psi_is_slope late.
Proof.
  intros x _; simpl; unfold late_rho, late_psi.
  apply (is_derive_minus (fun t => Rmax 0 (t - 1) ^ 2 / 2) (fun t => Rmax 0 (t - 2) ^ 2 / 2)).
  - evar_last; [apply (is_derive_comp (fun t => Rmax 0 t ^ 2 / 2) (fun t => t - 1)); [apply half_square_slope|]|].
    + auto_derive; [trivial|reflexivity].
    + unfold scal; simpl; unfold mult; simpl; ring.
  - evar_last; [apply (is_derive_comp (fun t => Rmax 0 t ^ 2 / 2) (fun t => t - 2)); [apply half_square_slope|]|].
    + auto_derive; [trivial|reflexivity].
    + unfold scal; simpl; unfold mult; simpl; ring.
Qed.

Lemma late_tangent x y : late_rho x + late_psi x * (y - x) <= late_rho y.
Proof.
  unfold late_rho, late_psi; pose proof (pow2_ge_0 (x - y)); pose proof (pow2_ge_0 (x - 2)).
  pose proof (pow2_ge_0 (x - 1)); pose proof (pow2_ge_0 (y - 2)); pose proof (pow2_ge_0 (y - 1)).
  pieces x; pieces y; nra.
Qed.

Lemma late_psi_bounds x : 0 <= late_psi x <= 1.
Proof. unfold late_psi; pieces x. Qed.

Lemma late_convex : convex_from_zero late_rho.
Proof.
  intros x y l _ _ Hl; pose proof (late_tangent (l * x + (1 - l) * y) x) as one.
  pose proof (late_tangent (l * x + (1 - l) * y) y) as two; nra.
Qed.

Lemma late_flat x : x <= 1 -> late_rho x = 0 /\ late_psi x = 0.
Proof. intros le; unfold late_rho, late_psi; pieces x; split; nra. Qed.

Lemma late_rho_nonneg x : 0 <= late_rho x.
Proof. destruct (late_flat 0) as [zero flat]; [lra|]; pose proof (late_tangent 0 x); nra. Qed.

(* The three pieces of phi. *)
Lemma late_phi x : 0 <= x ->
  (x <= 1 -> phi late x = 0) /\ (1 <= x <= 2 -> phi late x = 1 - / x) /\ (2 <= x -> phi late x = / x).
Proof.
  intros pos; unfold phi; simpl; destruct (Req_EM_T x 0) as [->|nz].
  - repeat split; intros; try lra.
  - repeat split; intros; unfold late_psi.
    + pieces x; try (field; exact nz); replace x with 1 by lra; field.
    + pieces x; try (field; exact nz); try (replace x with 2 by lra; field); replace x with 1 by lra; field.
    + pieces x; field; exact nz.
Qed.

Lemma inverse_gap x y : 1 <= x -> x <= y -> 0 <= / x - / y <= y - x.
Proof.
  intros one le; replace (/ x - / y) with ((y - x) * (/ x * / y)) by (field; lra).
  assert (0 < / x <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (0 < / y <= 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  split; [apply Rmult_le_pos; [lra|nra]|]; rewrite <- (Rmult_1_r (y - x)) at 2.
  apply Rmult_le_compat_l; [lra|nra].
Qed.

Lemma late_phi_rises_slowly x y : 0 <= x -> x <= y -> Rabs (phi late x - phi late y) <= y - x.
Proof.
  intros pos le; destruct (late_phi x pos) as [x1 [x2 x3]], (late_phi y) as [y1 [y2 y3]]; [lra|].
  apply Rabs_le.
  destruct (Rle_or_lt y 1); [rewrite x1, y1 by lra; lra|].
  pose proof (inverse_gap 1 y ltac:(lra) ltac:(lra)) as from_1; rewrite Rinv_1 in from_1.
  destruct (Rle_or_lt x 1).
  { rewrite x1 by lra; destruct (Rle_or_lt y 2); [rewrite y2 by lra; lra|rewrite y3 by lra].
    assert (/ y <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (0 < / y) by (apply Rinv_0_lt_compat; lra); lra. }
  pose proof (inverse_gap x y ltac:(lra) le).
  destruct (Rle_or_lt y 2); [rewrite x2, y2 by lra; lra|].
  destruct (Rle_or_lt x 2); [|rewrite x3, y3 by lra; lra].
  rewrite x2, y3 by lra.
  pose proof (inverse_gap x 2 ltac:(lra) ltac:(lra)); pose proof (inverse_gap 2 y ltac:(lra) ltac:(lra)); lra.
Qed.

Lemma late_A5 : phi_Lipschitz late 1.
Proof.
  intros x y Hx Hy; rewrite Rmult_1_l; destruct (Rle_or_lt x y) as [le|lt].
  - rewrite (Rabs_minus_sym x y), (Rabs_pos_eq (y - x)) by lra; apply late_phi_rises_slowly; assumption.
  - rewrite (Rabs_pos_eq (x - y)), Rabs_minus_sym by lra; apply late_phi_rises_slowly; lra.
Qed.

Lemma Lipschitz_continuous (f : R -> R) :
  (forall x y, 0 <= x -> 0 <= y -> Rabs (f x - f y) <= 1 * Rabs (x - y)) -> continuous_on (Rle 0) f.
Proof.
  intros slow x Hx; apply filterlim_locally; intros e; exists e; intros y near Hy.
  change (Rabs (f y - f x) < e); eapply Rle_lt_trans; [apply slow; assumption|].
  rewrite Rmult_1_l; exact near.
Qed.

Lemma near_zero (f : R -> R) : (forall x, x <= 1 -> f x = 0) -> filterlim f (at_right 0) (locally 0).
Proof.
  intros zero; apply (filterlim_ext_loc (fun _ => 0)); [|apply filterlim_const].
  exists (mkposreal 1 Rlt_0_1); intros x near _; symmetry; apply zero.
  change (Rabs (x - 0) < 1) in near; apply Rabs_def2 in near; lra.
Qed.

Lemma late_assumptions : psi_is_slope late /\ A1 late /\ A2 late /\ A3 late /\ A4 late /\ A5 late.
Proof.
  split; [exact late_slope|split; [split; [|split]|split; [|split; [split|split]]]].
  - intros x y _ le; pose proof (late_tangent x y); pose proof (late_psi_bounds x); simpl; nra.
  - apply late_flat; lra.
  - apply near_zero; intros x le; simpl; rewrite (proj1 (late_flat x le)); apply Rmult_0_l.
  - apply near_zero; intros x le; simpl; rewrite (proj2 (late_flat x le)); apply Rmult_0_l.
  - apply Lipschitz_continuous; intros x y _ _; simpl; unfold late_psi; apply Rabs_le.
    unfold Rabs; destruct (Rcase_abs (x - y)); pieces x; pieces y.
  - exact (Lipschitz_continuous _ late_A5).
  - exists 1; intros x pos; split; [apply Rabs_le; pose proof (late_psi_bounds x); simpl; lra|].
    destruct (late_phi x pos) as [x1 [x2 x3]]; apply Rabs_le.
    destruct (Rle_or_lt x 1); [rewrite x1; lra|].
    assert (/ x <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (0 < / x) by (apply Rinv_0_lt_compat; lra).
    destruct (Rle_or_lt x 2); [rewrite x2; lra|rewrite x3; lra].
  - exists 1; exact late_A5.
Qed.

(* The plane, in which there are vectors at a right angle. *)
Definition plane : space.
Proof.
  refine (Space (R * R) (0, 0) (fun u v => (fst u + fst v, snd u + snd v)) (fun a u => (a * fst u, a * snd u))
                (fun u v => fst u * fst v + snd u * snd v) _ _ _ _ _ _ _ _ _ _ _ _ _);
    intros; simpl; try abstract ring; try abstract (f_equal; ring);
    try abstract (destruct u; simpl; f_equal; ring).
  - abstract nra.
  - abstract (destruct u as [x y]; simpl in *; f_equal; nra).
Defined.

(* Claim weights.representer_as_printed. There is a loss with a convex rho and (A1) to (A5) such that, for one row
   Phi in any space with a vector h at a right angle to it and 0 < |h| <= 1, the point Phi + h minimises J and is
   no multiple of Phi. There is such a space, such a row and such a vector, on the sphere of any radius tau > 0. *)
Theorem minimisers_off_the_span :
  exists L : loss,
    psi_is_slope L /\ A1 L /\ A2 L /\ A3 L /\ A4 L /\ A5 L /\ convex_from_zero (rho L) /\
    (forall (H : space) (Phi h : H), dot Phi h = 0 -> 0 < norm h <= 1 ->
       minimiser (J 1 (fun _ => Phi) (equal 1) L) (add Phi h) /\
       forall w, add Phi h <> comb 1 w (fun _ => Phi)) /\
    forall tau, 0 < tau ->
      exists (H : space) (Phi h : H), norm Phi = tau /\ dot Phi h = 0 /\ 0 < norm h <= 1.
Proof.
  exists late; destruct late_assumptions as (slope & one & two & three & four & five).
  do 6 (split; [assumption|]); split; [exact late_convex|split].
  - intros H Phi h right [positive short].
    assert (away : residual (fun _ : nat => Phi) (add Phi h) 0 = norm h).
    { unfold residual, norm; f_equal; rewrite !dot_sub, !dot_sub_r, !dot_add, !dot_add_r, (dot_comm _ h Phi), right.
      ring. }
    split.
    + intros g; unfold J, equal; simpl; rewrite away, (proj1 (late_flat _ short)).
      pose proof (late_rho_nonneg (residual (fun _ : nat => Phi) g 0)); rewrite Rinv_1; lra.
    + intros w eq; apply (f_equal (fun u => dot u h)) in eq; simpl in eq.
      rewrite !dot_add, dot_origin, dot_scale, right, <- norm_sqr in eq; nra.
  - intros tau positive; exists plane, (tau, 0), (0, 1); unfold norm; simpl; repeat split.
    + replace (tau * tau + 0 * 0) with (tau * tau) by ring; apply sqrt_square; lra.
    + ring.
    + replace (0 * 0 + 1 * 1) with 1 by ring; rewrite sqrt_1; lra.
    + replace (0 * 0 + 1 * 1) with 1 by ring; rewrite sqrt_1; lra.
Qed.
