(* gamma_k as the code computes it in binary64: k u and 1 - k u are floats, so that the quotient alone is rounded. *)
From Coq Require Import ZArith Reals Lra Lia.
From Flocq Require Import Core Relative.
From Rkde Require Import arithmetic binary64.
Local Open Scope R_scope.

Local Existing Instance precision.

Definition factor (k : nat) : R :=
  let share := rnd binary64 (rnd binary64 (INR k) * u binary64) in
  rnd binary64 (share / rnd binary64 (1 - share)).

Lemma share_is_exact k : (Z.of_nat k < 2 ^ 53)%Z ->
  rnd binary64 (INR k) = INR k /\ rnd binary64 (INR k * u binary64) = INR k * u binary64 /\
  rnd binary64 (1 - INR k * u binary64) = 1 - INR k * u binary64 /\ INR k * u binary64 < 1.
Proof.
  intros small; assert (scale : bpow radix2 53 * u binary64 = 1).
  { simpl u; unfold unit_roundoff; rewrite <- bpow_plus; reflexivity. }
  split; [apply rnd_fixed, whole_float; lia|]; split; [|split].
  - apply rnd_fixed; rewrite INR_IZR_INZ; apply scaled_whole; lia.
  - apply rnd_fixed; replace (1 - INR k * u binary64) with (IZR (2 ^ 53 - Z.of_nat k) * u binary64).
    + apply scaled_whole; lia.
    + rewrite minus_IZR, <- INR_IZR_INZ; change (IZR (2 ^ 53)) with (bpow radix2 53); lra.
  - rewrite <- scale; apply Rmult_lt_compat_r; [apply bpow_gt_0|].
    rewrite INR_IZR_INZ; change (bpow radix2 53) with (IZR (2 ^ 53)); apply IZR_lt, small.
Qed.

(* Claim roundings.factor: (1 + u)^k - 1 is at most gamma_k; and for every k < 2^53, that is k u < 1, at most what
   binary64 makes of gamma_k: k, k u and 1 - k u are floats, so that the quotient alone is rounded. *)
Theorem computed_factor k :
  (forall e, 0 <= e -> INR k * e < 1 -> growth e k <= gamma e k) /\
  ((Z.of_nat k < 2 ^ 53)%Z -> factor k = rnd binary64 (gamma (u binary64) k) /\ growth (u binary64) k <= factor k).
Proof.
  split; [intros e He; apply growth_below_gamma, He|]; intros small.
  destruct (share_is_exact k small) as [whole [share [rest below]]].
  assert (same : factor k = rnd binary64 (gamma (u binary64) k)).
  { unfold factor, gamma; rewrite whole, share, rest; reflexivity. }
  split; [exact same|]; rewrite same.
  pose proof (u_nonneg binary64) as Hu; destruct k as [|[|k]].
  - unfold growth, gamma; simpl INR; unfold Rdiv; rewrite !Rmult_0_l; simpl pow.
    rewrite (rnd_fixed binary64 0) by apply generic_format_0; lra.
  - pose proof (growth_below_gamma _ 1 Hu below) as bound; unfold growth in *; rewrite pow_1 in *.
    assert (fixed : rnd binary64 (u binary64) = u binary64)
      by (apply rnd_fixed, generic_format_bpow; unfold FLT_exp; lia).
    apply Rle_trans with (rnd binary64 (u binary64)); [rewrite fixed; lra|].
    apply round_le; [apply FLT_exp_valid, precision|apply valid_rnd_N|lra].
  - apply growth_below_rounded; [exact Hu|lia|exact below|].
    assert (large : u binary64 <= gamma (u binary64) (S (S k))).
    { pose proof (growth_below_gamma _ _ Hu below) as bound; eapply Rle_trans; [|exact bound].
      eapply Rle_trans; [|apply (growth_monotone _ 1); [exact Hu|lia]]; unfold growth; rewrite pow_1; lra. }
    set (g := gamma (u binary64) (S (S k))) in *.
    pose proof (relative_error_N_FLT radix2 (-1074) 53 precision (fun n => negb (Z.even n)) g) as close.
    change (- (53) + 1)%Z with (-53 + 1)%Z in close; rewrite half_power, (Rabs_pos_eq g) in close by lra.
    apply close; eapply Rle_trans; [|exact large]; apply bpow_le; lia.
Qed.
