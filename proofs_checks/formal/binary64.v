(* That float64, as IEEE 754 rounds it, is an instance of the model of `arithmetic.v`. Flocq's FLT format with the
   least exponent -1074 and 53 bits is binary64 without its largest number. *)
From Coq Require Import ZArith Reals Lra Lia.
From Flocq Require Import Core Relative Plus_error.
From Rkde Require Import arithmetic.
Local Open Scope R_scope.

Definition in_binary64 : R -> Prop := generic_format radix2 (FLT_exp (-1074) 53).
Definition to_nearest_even : R -> R := round radix2 (FLT_exp (-1074) 53) ZnearestE.
Definition unit_roundoff : R := bpow radix2 (-53).
Definition half_of_least : R := bpow radix2 (-1075).

Lemma precision : Prec_gt_0 53. Proof. reflexivity. Qed.
Local Existing Instance precision.

Lemma half_power k : / 2 * bpow radix2 (k + 1) = bpow radix2 k.
Proof. rewrite bpow_plus_1; change (IZR radix2) with 2; field. Qed.

Lemma binary64_any x : Rabs (to_nearest_even x - x) <= unit_roundoff * Rabs x + half_of_least.
Proof.
  destruct (error_N_FLT radix2 (-1074) 53 precision (fun n => negb (Z.even n)) x) as [e [d [He [Hd [_ eq]]]]].
  unfold to_nearest_even; rewrite eq; replace (x * (1 + e) + d - x) with (e * x + d) by ring.
  change (- (53) + 1)%Z with (-53 + 1)%Z in He; change (-1074)%Z with (-1075 + 1)%Z in Hd.
  rewrite half_power in He, Hd; eapply Rle_trans; [apply Rabs_triang|].
  rewrite Rabs_mult; apply Rplus_le_compat; [apply Rmult_le_compat_r; [apply Rabs_pos|exact He]|exact Hd].
Qed.

Lemma binary64_sum x y : in_binary64 x -> in_binary64 y ->
  Rabs (to_nearest_even (x + y) - (x + y)) <= unit_roundoff * Rabs (x + y).
Proof.
  intros Hx Hy; destruct (Rle_dec (bpow radix2 (-1074 + 53 - 1)) (Rabs (x + y))) as [large|small].
  - pose proof (relative_error_N_FLT radix2 (-1074) 53 precision (fun n => negb (Z.even n)) (x + y) large) as close.
    change (- (53) + 1)%Z with (-53 + 1)%Z in close; rewrite half_power in close; exact close.
  - assert (exact : in_binary64 (x + y)).
    { apply FLT_format_plus_small; try assumption; [exact precision|];
      apply Rnot_le_lt in small; apply Rlt_le; eapply Rlt_le_trans; [exact small|]; apply bpow_le; lia. }
    unfold to_nearest_even; rewrite round_generic; [|apply valid_rnd_N|exact exact].
    rewrite Rminus_eq_0, Rabs_R0; apply Rmult_le_pos; [apply bpow_ge_0|apply Rabs_pos].
Qed.

(* Whole numbers up to 2^53 are floats, and so are their multiples by a power of two that is not too small. *)
Lemma scaled_whole (z e : Z) : (Z.abs z <= 2 ^ 53)%Z -> (-1074 <= e)%Z -> in_binary64 (IZR z * bpow radix2 e).
Proof.
  intros small large; destruct (Z.eq_dec (Z.abs z) (2 ^ 53)) as [top|below].
  - apply generic_format_abs_inv; rewrite Rabs_mult, <- abs_IZR, top, (Rabs_pos_eq (bpow radix2 e)) by apply bpow_ge_0.
    change (IZR (2 ^ 53)) with (bpow radix2 53); rewrite <- bpow_plus.
    apply generic_format_bpow; unfold FLT_exp; lia.
  - apply generic_format_FLT; exists (Float radix2 z e); [reflexivity| |exact large].
    change (radix2 ^ 53)%Z with (2 ^ 53)%Z; simpl Fnum; lia.
Qed.

Lemma whole_float (k : nat) : (Z.of_nat k <= 2 ^ 53)%Z -> in_binary64 (INR k).
Proof.
  intros le; rewrite INR_IZR_INZ, <- (Rmult_1_r (IZR _)); change 1 with (bpow radix2 0).
  apply scaled_whole; lia.
Qed.

(* Half of m 2^e has the exponent e - 1, unless e is the least one; then it is below 2^-1022. *)
Lemma binary64_half x : in_binary64 x -> Rabs (to_nearest_even (x / 2) - x / 2) <= half_of_least.
Proof.
  intros Hx; apply FLT_format_generic in Hx; [|exact precision]; destruct Hx as [[m e] -> few large];
    simpl in few, large.
  assert (half : F2R (Float radix2 m e) / 2 = F2R (Float radix2 m (e - 1))).
  { unfold F2R; simpl; replace e with (e - 1 + 1)%Z at 1 by ring; rewrite bpow_plus_1; simpl; field. }
  rewrite half; destruct (Z.eq_dec e (-1074)) as [->|ne].
  - eapply Rle_trans; [apply error_le_half_ulp, FLT_exp_valid, precision|].
    rewrite ulp_FLT_small; [change (-1074)%Z with (-1075 + 1)%Z; rewrite half_power; apply Rle_refl|exact precision|].
    unfold F2R; simpl Fnum; simpl Fexp; rewrite Rabs_mult, <- abs_IZR, (Rabs_pos_eq (bpow _ _)) by apply bpow_ge_0.
    apply Rlt_le_trans with (bpow radix2 53 * bpow radix2 (-1074 - 1)).
    + apply Rmult_lt_compat_r; [apply bpow_gt_0|]; change (bpow radix2 53) with (IZR (2 ^ 53)); apply IZR_lt; lia.
    + rewrite <- bpow_plus; apply bpow_le; lia.
  - unfold to_nearest_even; rewrite round_generic; [rewrite Rminus_eq_0, Rabs_R0; apply bpow_ge_0|apply valid_rnd_N|].
    apply generic_format_FLT; exists (Float radix2 m (e - 1)); simpl; [reflexivity|exact few|lia].
Qed.

Lemma binary64_nonneg x : 0 <= x -> 0 <= to_nearest_even x.
Proof.
  intros Hx; unfold to_nearest_even; rewrite <- (round_0 radix2 (FLT_exp (-1074) 53) ZnearestE).
  apply round_le; [apply FLT_exp_valid, precision|apply valid_rnd_N|exact Hx].
Qed.

Definition binary64 : arithmetic := {|
  float := in_binary64;
  rnd := to_nearest_even;
  u := unit_roundoff;
  eta := half_of_least;
  u_nonneg := bpow_ge_0 radix2 _;
  eta_nonneg := bpow_ge_0 radix2 _;
  rnd_fixed := fun x => round_generic radix2 (FLT_exp (-1074) 53) ZnearestE x;
  rnd_float := fun x => generic_format_round radix2 (FLT_exp (-1074) 53) ZnearestE x;
  sum_error := binary64_sum;
  any_error := binary64_any;
  opposite_float := fun x => generic_format_opp radix2 (FLT_exp (-1074) 53) x;
  half_error := binary64_half;
  rnd_nonneg := binary64_nonneg
|}.

(* Claim roundings.model: float64, rounded to nearest with ties to even, satisfies the standard model with u = 2^-53 and
   eta = 2^-1075; the sum of two floats has a relative error even where it is subnormal, and a float stays as it is. *)
Theorem binary64_is_standard :
  u binary64 = / 2 ^ 53 /\ eta binary64 = / 2 ^ 1075 /\
  (forall x, float binary64 x <-> generic_format radix2 (FLT_exp (-1074) 53) x) /\
  (forall x, rnd binary64 x = round radix2 (FLT_exp (-1074) 53) ZnearestE x) /\
  (forall x, float binary64 x -> rnd binary64 x = x) /\
  (forall x y, float binary64 x -> float binary64 y ->
    Rabs (rnd binary64 (x + y) - (x + y)) <= u binary64 * Rabs (x + y)) /\
  (forall x, Rabs (rnd binary64 x - x) <= u binary64 * Rabs x + eta binary64).
Proof.
  assert (power : forall n : nat, bpow radix2 (- Z.of_nat n) = / 2 ^ n).
  { intros n; rewrite bpow_opp; f_equal; rewrite <- IZR_Zpower by lia; rewrite pow_IZR; f_equal. }
  split; [exact (power 53%nat)|]; split; [exact (power 1075%nat)|].
  split; [intros x; reflexivity|]; split; [reflexivity|].
  split; [exact (rnd_fixed binary64)|]; split; [exact binary64_sum|exact binary64_any].
Qed.
