(* From products with D and weights of sum nearly 1 to the two terms of r_i^2, as the certificates compute them. *)
From Coq Require Import Reals Lra Lia.
From Rkde Require Import arithmetic space.
Local Open Scope R_scope.

Lemma within x a : Rabs x <= a -> - a <= x <= a.
Proof. unfold Rabs; destruct (Rcase_abs x); lra. Qed.

(* A sum that is off by one rounding of itself and little more, as one that is added up exactly and rounded. *)
Definition nearly_rounded (u S exact : R) : Prop := Rabs (S - exact) <= (1 + / 2 ^ 20) * u * exact.

(* The errors in the weights: they are quotients by a sum, so that their own sum W is off by 33/16 u at most. *)
Lemma sum_of_weights A n (v : nat -> R) T : u A <= / 2 ^ 20 -> INR n * eta A <= / 64 * u A ->
  (forall j, (j < n)%nat -> 0 <= v j) -> 0 < sum n v -> nearly_rounded (u A) T (sum n v) ->
  Rabs (sum n (fun j => rnd A (v j / T)) - 1) <= 33 / 16 * u A.
Proof.
  intros small tiny pos some near; unfold nearly_rounded in near; pose proof (u_nonneg A) as Hu.
  set (V := sum n v) in *; set (c := (1 + / 2 ^ 20) * u A) in *.
  assert (Hc : 0 <= c <= (1 + / 2 ^ 10) * u A) by (unfold c; lra); apply within in near.
  assert (cV : c * V <= / 4 * V) by (apply Rmult_le_compat_r; lra).
  assert (HT : 0 < T) by lra; set (q := V / T).
  assert (qT : q * T = V) by (unfold q; field; lra).
  assert (Hq : 0 < q) by (apply Rdiv_lt_0_compat; assumption).
  assert (low : 1 <= q * (1 + c)).
  { apply Rmult_le_reg_r with T; [exact HT|]; replace (q * (1 + c) * T) with (q * T * (1 + c)) by ring.
    rewrite qT; lra. }
  assert (high : q * (1 - c) <= 1).
  { apply Rmult_le_reg_r with T; [exact HT|]; replace (q * (1 - c) * T) with (q * T * (1 - c)) by ring.
    rewrite qT; lra. }
  assert (each : Rabs (sum n (fun j => rnd A (v j / T)) - q) <= u A * q + INR n * eta A).
  { replace q with (sum n (fun j => v j / T)) by
      (unfold Rdiv; rewrite (sum_ext _ _ (fun j => / T * v j)) by (intros; ring); rewrite sum_scale; unfold q, V;
        field; lra).
    clearbody V; clear - pos HT; induction n as [|n IH]; simpl sum; [rewrite Rminus_eq_0, Rabs_R0; simpl; lra|].
    specialize (IH (fun j Hj => pos j (Nat.lt_lt_succ_r _ _ Hj))).
    pose proof (any_error A (v n / T)) as last; rewrite (Rabs_pos_eq (v n / T)) in last.
    - replace (sum n (fun j => rnd A (v j / T)) + rnd A (v n / T) - (sum n (fun j => v j / T) + v n / T))
        with ((sum n (fun j => rnd A (v j / T)) - sum n (fun j => v j / T)) + (rnd A (v n / T) - v n / T)) by ring.
      eapply Rle_trans; [apply Rabs_triang|]; rewrite S_INR; lra.
    - apply Rmult_le_pos; [apply pos; lia|apply Rlt_le, Rinv_0_lt_compat, HT]. }
  assert (q <= 1 + (1 + / 2 ^ 8) * u A).
  { apply Rmult_le_reg_r with (1 - c); [lra|]; eapply Rle_trans; [exact high|].
    assert (c * u A <= / 2 ^ 19 * u A) by (apply Rmult_le_compat_r; lra); lra. }
  assert (1 - (1 + / 2 ^ 10) * u A <= q).
  { apply Rmult_le_reg_r with (1 + c); [lra|]; eapply Rle_trans; [|exact low].
    assert (0 <= c * u A) by (apply Rmult_le_pos; lra); lra. }
  assert (u A * q <= u A * (1 + / 32)) by (apply Rmult_le_compat_l; lra).
  apply within in each; apply Rabs_le; lra.
Qed.

(* The first term: a product off by g of itself and e, over a sum of weights that is nearly 1. *)
Lemma first_term u g e W p P : 0 <= u -> 0 <= g <= / 2 ^ 11 -> 0 <= p -> 0 < W -> Rabs (W - 1) <= 33 / 16 * u ->
  Rabs (P - p) <= g * p + e -> Rabs (P - p / W) <= (g + 5 / 2 * u) * (p / W) + e.
Proof.
  intros Hu Hg Hp pos near close; set (q := p / W); assert (eq : p = W * q) by (unfold q; field; lra).
  assert (Hq : 0 <= q) by (apply Rmult_le_pos; [exact Hp|apply Rlt_le, Rinv_0_lt_compat, pos]).
  rewrite eq in close; apply within in near.
  replace (P - q) with ((P - W * q) + (W - 1) * q) by ring; eapply Rle_trans; [apply Rabs_triang|].
  rewrite (Rabs_mult (W - 1)), (Rabs_pos_eq q) by exact Hq.
  assert (Rabs (W - 1) * q <= 33 / 16 * u * q) by (apply Rmult_le_compat_r; [exact Hq|apply Rabs_le; lra]).
  assert (g * (W * q) <= g * ((1 + 33 / 16 * u) * q))
    by (apply Rmult_le_compat_l; [lra|apply Rmult_le_compat_r; lra]).
  assert (0 <= u * q) by (apply Rmult_le_pos; assumption).
  assert (g * (u * q) <= / 2 ^ 11 * (u * q)) by (apply Rmult_le_compat_r; lra); lra.
Qed.

Lemma sum_of_products A n (w p P : nat -> R) g e : 0 <= g -> 0 <= e -> (forall j, (j < n)%nat -> 0 <= w j) ->
  (forall j, (j < n)%nat -> 0 <= p j) -> (forall j, (j < n)%nat -> 0 <= P j) ->
  (forall j, (j < n)%nat -> Rabs (P j - p j) <= g * p j + e) ->
  Rabs (sum n (fun j => rnd A (w j * P j)) - sum n (fun j => w j * p j)) <=
    ((1 + u A) * g + u A) * sum n (fun j => w j * p j) + (1 + u A) * e * sum n w + INR n * eta A.
Proof.
  intros Hg He; pose proof (u_nonneg A) as Hu; induction n as [|n IH]; intros Hw Hp HP close.
  - simpl; rewrite Rminus_eq_0, Rabs_R0; lra.
  - specialize (IH (fun j Hj => Hw j (Nat.lt_lt_succ_r _ _ Hj)) (fun j Hj => Hp j (Nat.lt_lt_succ_r _ _ Hj))
      (fun j Hj => HP j (Nat.lt_lt_succ_r _ _ Hj)) (fun j Hj => close j (Nat.lt_lt_succ_r _ _ Hj))).
    specialize (Hw n ltac:(lia)); specialize (Hp n ltac:(lia)); specialize (HP n ltac:(lia)).
    specialize (close n ltac:(lia)); pose proof (any_error A (w n * P n)) as last; simpl sum; rewrite S_INR.
    rewrite (Rabs_pos_eq (w n * P n)) in last by (apply Rmult_le_pos; assumption).
    assert (moved : Rabs (w n * P n - w n * p n) <= w n * (g * p n + e)).
    { replace (w n * P n - w n * p n) with (w n * (P n - p n)) by ring.
      rewrite Rabs_mult, (Rabs_pos_eq (w n)) by exact Hw; apply Rmult_le_compat_l; assumption. }
    assert (u A * (w n * P n) <= u A * (w n * p n + w n * (g * p n + e)))
      by (apply Rmult_le_compat_l; [exact Hu|apply within in moved; lra]).
    set (c := sum n (fun j => rnd A (w j * P j))) in *; set (s := sum n (fun j => w j * p j)) in *.
    replace (c + rnd A (w n * P n) - (s + w n * p n))
      with ((c - s) + ((rnd A (w n * P n) - w n * P n) + (w n * P n - w n * p n))) by ring.
    eapply Rle_trans; [apply Rabs_triang|].
    pose proof (Rabs_triang (rnd A (w n * P n) - w n * P n) (w n * P n - w n * p n)); lra.
Qed.

(* The second term: a product and a sum more, and the square of the sum of the weights. *)
Lemma second_term A n (w p P : nat -> R) g e S : let W := sum n w in let s := sum n (fun j => w j * p j) in
  u A <= / 2 ^ 20 -> 0 <= g <= / 2 ^ 11 -> 0 <= e -> (forall j, (j < n)%nat -> 0 <= w j) ->
  (forall j, (j < n)%nat -> 0 <= p j) -> (forall j, (j < n)%nat -> 0 <= P j) ->
  (forall j, (j < n)%nat -> Rabs (P j - p j) <= g * p j + e) -> Rabs (W - 1) <= 33 / 16 * u A ->
  float A S -> nearly_rounded (u A) S (sum n (fun j => rnd A (w j * P j))) ->
  0 <= S /\
  Rabs (rnd A (S / 2) - s / (2 * (W * W))) <= (g + 13 / 2 * u A) * (s / (2 * (W * W))) + (e + (INR n + 1) * eta A).
Proof.
  intros W s Hu' Hg He Hw Hp HP close near HS last; pose proof (u_nonneg A) as Hu; pose proof (eta_nonneg A) as Heta.
  pose proof (sum_of_products A n w p P g e (proj1 Hg) He Hw Hp HP close) as products; fold W s in products.
  pose proof (half_error A S HS) as half.
  assert (Hs : 0 <= s) by (apply sum_nonneg; intros; apply Rmult_le_pos; auto).
  set (c := sum n (fun j => rnd A (w j * P j))) in *; unfold nearly_rounded in last.
  assert (Hc : 0 <= c) by (apply sum_nonneg; intros; apply rnd_nonneg, Rmult_le_pos; auto).
  set (v := (1 + / 2 ^ 20) * u A) in *; assert (Hv : 0 <= v <= (1 + / 2 ^ 10) * u A) by (unfold v; lra).
  assert (v * c <= 1 * c) by (apply Rmult_le_compat_r; lra); apply within in near.
  split; [apply within in last; lra|].
  set (h := s / (2 * (W * W))); assert (HW : 31 / 32 <= W <= 33 / 32) by lra.
  assert (sh : s = 2 * (W * W) * h) by (unfold h; field; lra).
  assert (WW : Rabs (W * W - 1) <= (33 / 8 + / 2 ^ 10) * u A).
  { replace (W * W - 1) with (2 * (W - 1) + (W - 1) * (W - 1)) by ring; eapply Rle_trans; [apply Rabs_triang|].
    rewrite !Rabs_mult, (Rabs_pos_eq 2) by lra; assert (Hx : 0 <= Rabs (W - 1) <= 33 / 16 * u A)
      by (split; [apply Rabs_pos|apply Rabs_le; lra]); set (x := Rabs (W - 1)) in *.
    assert (x * x <= x * / 2 ^ 16) by (apply Rmult_le_compat_l; lra); lra. }
  assert (Hh : 0 <= h).
  { apply Rmult_le_pos; [exact Hs|apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; [lra|]].
    apply Rmult_lt_0_compat; lra. }
  set (a := (1 + u A) * g + u A) in *; set (E := (1 + u A) * e * W + INR n * eta A).
  assert (uh : 0 <= u A * h) by (apply Rmult_le_pos; assumption).
  assert (ug : 0 <= u A * g <= u A * / 2 ^ 11) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
  assert (Ha : 0 <= a <= g + (1 + / 2 ^ 10) * u A) by (unfold a; lra).
  assert (Heps : 0 <= E <= 17 / 16 * e + INR n * eta A).
  { pose proof (pos_INR n); assert (0 <= INR n * eta A) by (apply Rmult_le_pos; assumption).
    assert (0 <= (1 + u A) * W <= 17 / 16).
    { split; [apply Rmult_le_pos; lra|]; apply Rle_trans with ((1 + u A) * (33 / 32)); [|lra].
      apply Rmult_le_compat_l; lra. }
    replace E with ((1 + u A) * W * e + INR n * eta A) by (unfold E; ring).
    assert (0 <= (1 + u A) * W * e <= 17 / 16 * e)
      by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]); lra. }
  assert (sum_near : Rabs (S - s) <= (v * (1 + a) + a) * s + (1 + v) * E).
  { replace (S - s) with ((S - c) + (c - s)) by ring; eapply Rle_trans; [apply Rabs_triang|].
    assert (v * c <= v * (s + a * s + E)) by (apply Rmult_le_compat_l; [lra|apply within in products; unfold E; lra]).
    unfold E in *; lra. }
  assert (B : 0 <= v * (1 + a) + a <= g + (2 + / 2 ^ 8) * u A).
  { assert (0 <= v * a <= v * / 2 ^ 10) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra); lra. }
  set (b := v * (1 + a) + a) in *.
  assert (vE : (1 + v) * E <= 9 / 8 * e + 17 / 16 * (INR n * eta A)).
  { assert (v * E <= / 2 ^ 10 * E) by (apply Rmult_le_compat_r; lra).
    assert (0 <= INR n * eta A) by (apply Rmult_le_pos; [apply pos_INR|assumption]); lra. }
  replace (rnd A (S / 2) - h) with ((rnd A (S / 2) - S / 2) + ((S - s) * / 2 + (W * W - 1) * h))
    by (rewrite sh; field).
  eapply Rle_trans; [apply Rabs_triang|].
  pose proof (Rabs_triang ((S - s) * / 2) ((W * W - 1) * h)) as two; rewrite !Rabs_mult in two.
  rewrite (Rabs_pos_eq (/ 2)), (Rabs_pos_eq h) in two by lra.
  assert (Rabs (W * W - 1) * h <= (33 / 8 + / 2 ^ 10) * u A * h) by (apply Rmult_le_compat_r; assumption).
  assert (main : b * s * / 2 <= (g + (2 + / 2 ^ 6) * u A) * h).
  { rewrite sh; replace (b * (2 * (W * W) * h) * / 2) with (b * (W * W) * h) by field.
    apply Rmult_le_compat_r; [exact Hh|]; apply within in WW.
    assert (b * (W * W) <= b * (1 + 5 * u A)) by (apply Rmult_le_compat_l; lra).
    assert (b * u A <= / 2 ^ 10 * u A) by (apply Rmult_le_compat_r; lra); lra. }
  assert (0 <= INR n * eta A) by (apply Rmult_le_pos; [apply pos_INR|assumption]); lra.
Qed.
