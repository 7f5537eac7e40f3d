(* A strictly convex J whose KIRWLS does not converge, because phi rises: two rows and rho(x) = x^4/4. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting convexity surrogate_losses lemma_2.
Local Open Scope R_scope.

Lemma quartic_strictly_convex : rho_strictly_convex quartic.
Proof.
  intros x y l Hx Hy ne Hl; change (rho quartic) with (fun t => t ^ 4 / 4); cbv beta.
  set (z := l * x + (1 - l) * y); set (q := l * x ^ 2 + (1 - l) * y ^ 2).
  assert (weight : 0 < l * (1 - l)) by (apply Rmult_lt_0_compat; lra).
  assert (gap : 0 < (x - y) * (x - y)) by (apply (Rsqr_pos_lt (x - y)); lra).
  assert (first : z ^ 2 < q).
  { replace (z ^ 2) with (q - l * (1 - l) * ((x - y) * (x - y))) by (unfold z, q; ring).
    pose proof (Rmult_lt_0_compat _ _ weight gap); lra. }
  assert (second : q ^ 2 <= l * x ^ 4 + (1 - l) * y ^ 4).
  { replace (q ^ 2) with (l * x ^ 4 + (1 - l) * y ^ 4 - l * (1 - l) * (x ^ 2 - y ^ 2) ^ 2) by (unfold q; ring).
    pose proof (Rmult_le_pos _ _ (Rlt_le _ _ weight) (pow2_ge_0 (x ^ 2 - y ^ 2))); lra. }
  pose proof (pow2_ge_0 z); replace (z ^ 4) with (z ^ 2 * z ^ 2) by ring; nra.
Qed.

Section Two_rows.
Context {H : space} (P : nat -> H).
Hypothesis differ : P 0%nat <> P 1%nat.
Notation next := (next_weights 2 P (equal 2) quartic).

Lemma gap_positive : 0 < norm (sub (P 0%nat) (P 1%nat)).
Proof.
  destruct (norm_nonneg (sub (P 0%nat) (P 1%nat))) as [lt|zero]; [exact lt|exfalso; apply differ].
  apply sub_origin, norm_zero; symmetry; exact zero.
Qed.

Lemma comb_two (w : nat -> R) : sum 2 w = 1 -> comb 2 w P = between (w 0%nat) (P 0%nat) (P 1%nat).
Proof.
  intros one; simpl in one; apply same; intros x; unfold between; simpl.
  rewrite !dot_add, !dot_scale, dot_origin; replace (w 1%nat) with (1 - w 0%nat) by lra; ring.
Qed.

(* The weights after w are w_1^2 and w_0^2 over their sum. *)
Lemma next_two w : simplex 2 w ->
  next (comb 2 w P) 0%nat = w 1%nat ^ 2 / (w 0%nat ^ 2 + w 1%nat ^ 2) /\
  next (comb 2 w P) 1%nat = w 0%nat ^ 2 / (w 0%nat ^ 2 + w 1%nat ^ 2) /\ 0 < w 0%nat ^ 2 + w 1%nat ^ 2.
Proof.
  intros [pos one]; pose proof gap_positive as HD; set (D := norm (sub (P 0%nat) (P 1%nat))) in *.
  pose proof (pos 0%nat ltac:(lia)) as p0; pose proof (pos 1%nat ltac:(lia)) as p1; simpl in one.
  assert (total : 0 < w 0%nat ^ 2 + w 1%nat ^ 2).
  { pose proof (pow2_ge_0 (w 0%nat - w 1%nat)); assert (w 0%nat = 1 - w 1%nat) as -> by lra; nra. }
  assert (r0 : residual P (comb 2 w P) 0%nat = w 1%nat * D).
  { unfold residual; rewrite comb_two by (simpl; lra); rewrite between_first, Rabs_right by lra; fold D; f_equal; lra. }
  assert (r1 : residual P (comb 2 w P) 1%nat = w 0%nat * D).
  { unfold residual; rewrite comb_two by (simpl; lra); rewrite between_second, Rabs_right by lra; reflexivity. }
  assert (two : forall a, sum 2 a = 0 + a 0%nat + a 1%nat) by reflexivity.
  unfold next_weights, mean_phi; rewrite !two, !r0, !r1, !quartic_phi; unfold equal.
  assert (INR 2 <> 0) by (apply not_0_INR; lia).
  assert (D ^ 2 <> 0) by (apply pow_nonzero; lra).
  assert (0 < (w 1%nat * D) ^ 2 + (w 0%nat * D) ^ 2).
  { replace ((w 1%nat * D) ^ 2 + (w 0%nat * D) ^ 2) with ((w 0%nat ^ 2 + w 1%nat ^ 2) * D ^ 2) by ring.
    apply Rmult_lt_0_compat; [exact total|apply pow_lt, HD]. }
  repeat split; [| |exact total]; field; repeat split; lra.
Qed.

(* One weight is at least q times the other. *)
Definition lopsided (q : R) (w : nat -> R) : Prop := q * w 1%nat <= w 0%nat \/ q * w 0%nat <= w 1%nat.

Lemma next_lopsided q w : 1 <= q -> simplex 2 w -> lopsided q w ->
  simplex 2 (next (comb 2 w P)) /\ lopsided q (next (comb 2 w P)) /\
  (q - 1) / (q + 1) <= Rabs (next (comb 2 w P) 0%nat - w 0%nat).
Proof.
  intros Hq Hw lop; destruct (next_two w Hw) as [N0 [N1 total]]; destruct Hw as [pos one]; simpl in one.
  pose proof (pos 0%nat ltac:(lia)) as p0; pose proof (pos 1%nat ltac:(lia)) as p1.
  set (x := w 0%nat) in *; set (y := w 1%nat) in *; set (s := x ^ 2 + y ^ 2) in *.
  assert (Hi : 0 < / s) by (apply Rinv_0_lt_compat, total).
  assert (ratio : forall u v, 0 <= u -> 0 <= v -> u + v = 1 -> q * v <= u -> q / (q + 1) <= u /\ q * v ^ 2 <= u ^ 2).
  { intros u v Hu Hv sum_one le; assert (Hqv : 0 <= q * v) by (apply Rmult_le_pos; lra).
    pose proof (Rmult_le_compat _ _ _ _ Hqv Hqv le le); assert (0 <= (q - 1) * (q * (v * v))).
    { apply Rmult_le_pos; [lra|apply Rmult_le_pos; [lra|apply Rle_0_sqr]]. }
    split; [|lra].
    apply Rmult_le_reg_r with (q + 1); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra. }
  assert (next_one : y ^ 2 / s + x ^ 2 / s = 1) by (unfold s; field; fold s; lra).
  assert (x2 : 0 <= x ^ 2 / s) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]).
  assert (y2 : 0 <= y ^ 2 / s) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]).
  assert (split_q : (q - 1) / (q + 1) = 2 * (q / (q + 1)) - 1) by (field; lra).
  split; [split|].
  - intros i Hlt; destruct i as [|[|i]]; [rewrite N0; exact y2|rewrite N1; exact x2|lia].
  - change (0 + next (comb 2 w P) 0%nat + next (comb 2 w P) 1%nat = 1); rewrite N0, N1; lra.
  - unfold lopsided; rewrite N0, N1, split_q; destruct lop as [le|le].
    + destruct (ratio x y p0 p1 ltac:(lra) le) as [big square].
      assert (swap : q * (y ^ 2 / s) <= x ^ 2 / s).
      { unfold Rdiv; rewrite <- Rmult_assoc; apply Rmult_le_compat_r; lra. }
      split; [right; exact swap|]; destruct (ratio (x ^ 2 / s) (y ^ 2 / s) x2 y2 ltac:(lra) swap) as [big' _].
      rewrite Rabs_minus_sym; eapply Rle_trans; [|apply Rle_abs]; lra.
    + destruct (ratio y x p1 p0 ltac:(lra) le) as [big square].
      assert (swap : q * (x ^ 2 / s) <= y ^ 2 / s).
      { unfold Rdiv; rewrite <- Rmult_assoc; apply Rmult_le_compat_r; lra. }
      split; [left; exact swap|]; destruct (ratio (y ^ 2 / s) (x ^ 2 / s) y2 x2 ltac:(lra) swap) as [big' _].
      eapply Rle_trans; [|apply Rle_abs]; lra.
Qed.

Lemma always_lopsided q w k : 1 <= q -> simplex 2 w -> lopsided q w ->
  simplex 2 (weights 2 P (equal 2) quartic w k) /\ lopsided q (weights 2 P (equal 2) quartic w k).
Proof.
  intros Hq Hw lop; induction k as [|k [Sk Lk]]; [split; assumption|]; simpl.
  destruct (next_lopsided q _ Hq Sk Lk) as [S' [L' _]]; split; assumption.
Qed.

Lemma steps_stay_long q w k : 1 <= q -> simplex 2 w -> lopsided q w ->
  (q - 1) / (q + 1) * norm (sub (P 0%nat) (P 1%nat)) <=
  norm (sub (iterate 2 P (equal 2) quartic w (S k)) (iterate 2 P (equal 2) quartic w k)).
Proof.
  intros Hq Hw lop; destruct (always_lopsided q w k Hq Hw lop) as [Sk Lk].
  destruct (next_lopsided q _ Hq Sk Lk) as [S' [_ far]].
  set (v := weights 2 P (equal 2) quartic w k) in *; unfold iterate; fold v.
  change (weights 2 P (equal 2) quartic w (S k)) with (next (comb 2 v P)); set (v' := next (comb 2 v P)) in *.
  replace (sub (comb 2 v' P) (comb 2 v P)) with (scale (v' 0%nat - v 0%nat) (sub (P 0%nat) (P 1%nat))).
  - rewrite norm_scale; apply Rmult_le_compat_r; [apply norm_nonneg|exact far].
  - destruct S' as [_ one'], Sk as [_ one]; rewrite !comb_two by assumption; apply same; intros x; unfold between.
    rewrite dot_scale, !dot_sub, !dot_add, !dot_scale; ring.
Qed.

End Two_rows.

(* Claim limit_points.rising_phi: rho(x) = x^4/4 satisfies (A1) to (A3), and J of two distinct rows is strictly convex;
   a step of KIRWLS turns the odds q of the two weights into 1/q^2, and from weights that are not equal the iterates do
   not converge. *)
Theorem rising_phi_swings (H : space) (P : nat -> H) w : P 0%nat <> P 1%nat -> simplex 2 w ->
  (psi_is_slope quartic /\ A1 quartic /\ A2 quartic /\ A3 quartic /\ strictly_convex (J 2 P (equal 2) quartic)) /\
  (0 < w 0%nat -> 0 < w 1%nat -> let v := next_weights 2 P (equal 2) quartic (comb 2 w P) in
    v 0%nat / v 1%nat = / (w 0%nat / w 1%nat) ^ 2) /\
  (w 0%nat <> w 1%nat -> forall f, ~ is_lim_seq (fun k => norm (sub (iterate 2 P (equal 2) quartic w k) f)) 0).
Proof.
  intros differ Hw; split; [|split].
  - destruct quartic_assumptions as [H0 [H1 [H2 H3]]]; repeat (split; [assumption|]).
    apply strict_rho; [apply equal_simplex; lia|apply quartic_strictly_convex|exact (proj1 H1)].
  - intros p0 p1 v; destruct (next_two P differ w Hw) as [N0 [N1 total]]; unfold v; rewrite N0, N1; field; lra.
  - intros ne f lim; pose proof (proj1 Hw 0%nat ltac:(lia)) as p0; pose proof (proj1 Hw 1%nat ltac:(lia)) as p1.
    assert (lop : exists q, 1 < q /\ lopsided q w).
    { pose proof (proj2 Hw) as one; simpl in one; set (x := w 0%nat) in *; set (y := w 1%nat) in *.
      destruct (Rlt_dec y x) as [lt|ge].
      - exists (1 + (x - y)); split; [lra|left]; fold x y; nra.
      - exists (1 + (y - x)); split; [lra|right]; fold x y; nra. }
    destruct lop as [q [Hq lop]]; set (D := norm (sub (P 0%nat) (P 1%nat))).
    assert (HD : 0 < D) by (apply gap_positive, differ).
    assert (He : 0 < (q - 1) / (q + 1) * D / 2).
    { apply Rdiv_lt_0_compat; [|lra]; apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat|]; lra. }
    apply is_lim_seq_spec in lim; destruct (lim (mkposreal _ He)) as [N near].
    pose proof (near N (le_n N)) as one; pose proof (near (S N) (le_S _ _ (le_n N))) as two; simpl in one, two.
    rewrite Rminus_0_r, Rabs_right in one, two by apply Rle_ge, norm_nonneg.
    pose proof (steps_stay_long P differ q w N ltac:(lra) Hw lop) as far; fold D in far.
    pose proof (triangle_sub (iterate 2 P (equal 2) quartic w (S N)) f (iterate 2 P (equal 2) quartic w N)) as tri.
    rewrite (norm_sub_comm f) in tri; lra.
Qed.
