(* The standard model of floating-point arithmetic, and the growth of a relative error from rounding to rounding.
   A sum of two floats never underflows: its error is relative; half a float loses what underflows, and no more. Any
   other result may lose eta besides. Results that overflow are left out: the model has no largest number. *)
From Coq Require Import Reals Lra Lia.
Local Open Scope R_scope.

Record arithmetic := {
  float : R -> Prop;
  rnd : R -> R;
  u : R;
  eta : R;
  u_nonneg : 0 <= u;
  eta_nonneg : 0 <= eta;
  rnd_float : forall x, float (rnd x);
  rnd_fixed : forall x, float x -> rnd x = x;
  sum_error : forall x y, float x -> float y -> Rabs (rnd (x + y) - (x + y)) <= u * Rabs (x + y);
  any_error : forall x, Rabs (rnd x - x) <= u * Rabs x + eta;
  opposite_float : forall x, float x -> float (- x);
  half_error : forall x, float x -> Rabs (rnd (x / 2) - x / 2) <= eta;
  rnd_nonneg : forall x, 0 <= x -> 0 <= rnd x
}.

(* The worst relative error after k roundings, and gamma_k, which the code computes in its place. *)
Definition growth (e : R) (k : nat) : R := (1 + e) ^ k - 1.
Definition gamma (e : R) (k : nat) : R := INR k * e / (1 - INR k * e).

Lemma power_at_least_1 e k : 0 <= e -> 1 <= (1 + e) ^ k.
Proof. intros He; apply pow_R1_Rle; lra. Qed.

Lemma growth_nonneg e k : 0 <= e -> 0 <= growth e k.
Proof. intros He; unfold growth; pose proof (power_at_least_1 e k He); lra. Qed.

Lemma power_monotone e j k : 0 <= e -> (j <= k)%nat -> (1 + e) ^ j <= (1 + e) ^ k.
Proof. intros He le; apply Rle_pow; [lra|exact le]. Qed.

Lemma growth_monotone e j k : 0 <= e -> (j <= k)%nat -> growth e j <= growth e k.
Proof. intros He le; unfold growth; pose proof (power_monotone e j k He le); lra. Qed.

Lemma power_bound e k : 0 <= e -> (1 + e) ^ k * (1 - INR k * e) <= 1.
Proof.
  intros He; induction k as [|k IH]; [simpl; lra|].
  rewrite S_INR; simpl pow; pose proof (power_at_least_1 e k He); pose proof (pos_INR k).
  replace ((1 + e) * (1 + e) ^ k * (1 - (INR k + 1) * e))
    with ((1 + e) ^ k * (1 - INR k * e) - (1 + e) ^ k * ((INR k + 1) * (e * e))) by ring.
  assert (0 <= (1 + e) ^ k * ((INR k + 1) * (e * e))); [|lra].
  apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; exact He.
Qed.

(* With room for one rounding more: the quotient that gamma_k is may itself be rounded down. *)
Lemma power_bound_strict e k : 0 <= e -> (2 <= k)%nat -> (1 + e) ^ k * (1 - INR k * e) <= 1 - INR k * (e * e).
Proof.
  intros He Hk; induction Hk as [|k Hk IH].
  - simpl; replace ((1 + e) * ((1 + e) * 1) * (1 - (1 + 1) * e))
      with (1 - (1 + 1) * (e * e) - (e * e) * (1 + 2 * e)) by ring.
    assert (0 <= e * e * (1 + 2 * e)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra); lra.
  - rewrite S_INR; simpl pow; pose proof (power_at_least_1 e k He); pose proof (pos_INR k).
    replace ((1 + e) * (1 + e) ^ k * (1 - (INR k + 1) * e))
      with ((1 + e) ^ k * (1 - INR k * e) - (1 + e) ^ k * ((INR k + 1) * (e * e))) by ring.
    assert (square : 0 <= (INR k + 1) * (e * e)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; exact He]).
    assert (1 * ((INR k + 1) * (e * e)) <= (1 + e) ^ k * ((INR k + 1) * (e * e)))
      by (apply Rmult_le_compat_r; assumption).
    assert (0 <= INR k * (e * e)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; exact He]); lra.
Qed.

Lemma growth_below_gamma e k : 0 <= e -> INR k * e < 1 -> growth e k <= gamma e k.
Proof.
  intros He small; unfold growth, gamma; apply Rmult_le_reg_r with (1 - INR k * e); [lra|].
  replace (INR k * e / (1 - INR k * e) * (1 - INR k * e)) with (INR k * e) by (field; lra).
  pose proof (power_bound e k He); lra.
Qed.

Lemma gamma_nonneg e m k : 0 <= e -> INR (m + k) * e < 1 -> 0 <= gamma e m.
Proof.
  intros He small; rewrite plus_INR in small; pose proof (pos_INR m); pose proof (pos_INR k).
  assert (0 <= INR m * e) by (apply Rmult_le_pos; assumption).
  assert (0 <= INR k * e) by (apply Rmult_le_pos; assumption).
  apply Rmult_le_pos; [assumption|apply Rlt_le, Rinv_0_lt_compat; lra].
Qed.

(* k roundings after an error of gamma_m make one of gamma_(m + k) at most. *)
Lemma gamma_after e m k : 0 <= e -> INR (m + k) * e < 1 -> (1 + e) ^ k * (1 + gamma e m) - 1 <= gamma e (m + k).
Proof.
  intros He small; pose proof (power_bound e k He) as bound; pose proof (power_at_least_1 e k He).
  rewrite plus_INR in small; pose proof (pos_INR m); pose proof (pos_INR k).
  assert (Hm : 0 <= INR m * e) by (apply Rmult_le_pos; assumption).
  assert (Hk : 0 <= INR k * e) by (apply Rmult_le_pos; assumption).
  unfold gamma; rewrite plus_INR; set (p := (1 + e) ^ k) in *; set (a := INR m * e) in *; set (b := INR k * e) in *.
  replace ((INR m + INR k) * e) with (a + b) in * by (unfold a, b; ring).
  apply Rmult_le_reg_r with ((1 - a) * (1 - (a + b))); [apply Rmult_lt_0_compat; lra|].
  replace ((p * (1 + a / (1 - a)) - 1) * ((1 - a) * (1 - (a + b))))
    with (p * (1 - b) - p * a - (1 - a) * (1 - (a + b))) by (field; lra).
  replace ((a + b) / (1 - (a + b)) * ((1 - a) * (1 - (a + b)))) with ((a + b) * (1 - a)) by (field; lra).
  assert (1 * a <= p * a) by (apply Rmult_le_compat_r; assumption); lra.
Qed.

(* What gamma_k is rounded to is large enough, too, if nothing but the quotient is rounded, by at most u of itself. *)
Lemma growth_below_rounded e k g : 0 <= e -> (2 <= k)%nat -> INR k * e < 1 -> Rabs (g - gamma e k) <= e * gamma e k ->
  growth e k <= g.
Proof.
  intros He Hk small close; assert (strict : growth e k <= gamma e k * (1 - e)).
  { unfold growth, gamma; apply Rmult_le_reg_r with (1 - INR k * e); [lra|].
    replace (INR k * e / (1 - INR k * e) * (1 - e) * (1 - INR k * e)) with (INR k * e * (1 - e)) by (field; lra).
    pose proof (power_bound_strict e k He Hk); lra. }
  pose proof (Rle_abs (- (g - gamma e k))) as side; rewrite Rabs_Ropp in side; lra.
Qed.
