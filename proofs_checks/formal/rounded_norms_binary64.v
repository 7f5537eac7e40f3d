(* r_i^2 in binary64, from the stored entries of D on, with the constants of the certificates. *)
From Coq Require Import ZArith Reals Lra Lia.
From Flocq Require Import Core.
From Rkde Require Import arithmetic binary64 binary64_factor rounded_products rounded_residuals.
From Rkde Require Import space residual_identity rounded_rows rounded_norms.
Local Open Scope R_scope.

(* So many roundings are allowed: 4 gamma_k^2 <= u. *)
Definition most_roundings : Z := (2 ^ 25)%Z.

Lemma unit_is : u binary64 = / 2 ^ 53.
Proof. apply binary64_is_standard. Qed.

Lemma eta_is : eta binary64 = / 2 ^ 22 * / 2 ^ 31 * / 2 ^ 1022.
Proof.
  replace (eta binary64) with (/ 2 ^ 1075) by (symmetry; apply binary64_is_standard).
  rewrite <- !Rinv_mult, <- !pow_add; reflexivity.
Qed.

Lemma few_roundings k : (Z.of_nat k <= most_roundings)%Z -> INR k * u binary64 <= / 2 ^ 28.
Proof.
  intros le; rewrite unit_is; apply IZR_le in le; rewrite <- INR_IZR_INZ in le; unfold most_roundings in le.
  apply Rle_trans with (2 ^ 25 * / 2 ^ 53); [apply Rmult_le_compat_r; lra|lra].
Qed.

Lemma small_factor k : (Z.of_nat k <= most_roundings)%Z ->
  0 <= gamma (u binary64) k <= / 2 ^ 11 /\ 4 * gamma (u binary64) k ^ 2 <= u binary64.
Proof.
  intros le; pose proof (few_roundings k le) as small; pose proof (u_nonneg binary64).
  assert (pos : 0 <= INR k * u binary64) by (apply Rmult_le_pos; [apply pos_INR|assumption]).
  unfold gamma; set (x := INR k * u binary64) in *; set (g := x / (1 - x)).
  assert (gx : g * (1 - x) = x) by (unfold g; field; lra).
  assert (Hg : 0 <= g) by (apply Rmult_le_pos; [exact pos|apply Rlt_le, Rinv_0_lt_compat; lra]).
  assert (g * x <= g * / 2 ^ 28) by (apply Rmult_le_compat_l; assumption).
  assert (top : g <= / 2 ^ 28 + / 2 ^ 32) by lra.
  assert (g * g <= (/ 2 ^ 28 + / 2 ^ 32) * (/ 2 ^ 28 + / 2 ^ 32)) by (apply Rmult_le_compat; lra).
  split; [lra|]; rewrite unit_is; lra.
Qed.

Lemma few_columns n b m : (0 < b)%nat -> (Z.of_nat (b + ceiling n b + m) <= most_roundings)%Z -> INR n <= 2 ^ 48.
Proof.
  intros Hb le; rewrite INR_IZR_INZ; replace (2 ^ 48) with (IZR (2 ^ 48)) by (simpl; lra); apply IZR_le.
  assert (cover : (n <= b * ceiling n b)%nat).
  { unfold ceiling; pose proof (Nat.div_mod_eq (n + (b - 1)) b); pose proof (Nat.mod_upper_bound (n + (b - 1)) b);
    lia. }
  unfold most_roundings in le; rewrite !Nat2Z.inj_add in le; apply Nat2Z.inj_le in cover;
    rewrite Nat2Z.inj_mul in cover.
  set (x := Z.of_nat b) in *; set (y := Z.of_nat (ceiling n b)) in *.
  assert (0 <= x /\ 0 <= y /\ x + y <= 2 ^ 25)%Z by lia.
  pose proof (Z.square_nonneg (x - y)); assert (4 * (x * y) <= (x + y) * (x + y))%Z by lia.
  assert ((x + y) * (x + y) <= 2 ^ 25 * 2 ^ 25)%Z by (apply Z.mul_le_mono_nonneg; lia); lia.
Qed.

(* What underflows is less than half of the least normal number, which the code adds. *)
Lemma lost n b m : (0 < b)%nat -> (Z.of_nat (b + ceiling n b + m) <= most_roundings)%Z ->
  INR n * eta binary64 <= / 64 * u binary64 /\
  5 * (INR n * eta binary64 * (1 + u binary64) ^ (b + ceiling n b - 1) + (INR n + 1) * eta binary64) <= / 2 * / 2 ^
    1022.
Proof.
  intros Hb le; pose proof (few_columns n b m Hb le) as few; pose proof (u_nonneg binary64) as Hu.
  assert (power : (1 + u binary64) ^ (b + ceiling n b - 1) <= 2).
  { pose proof (power_bound (u binary64) (b + ceiling n b - 1) Hu) as bound.
    assert (INR (b + ceiling n b - 1) * u binary64 <= / 2 ^ 28) by (apply few_roundings; lia).
    pose proof (power_at_least_1 (u binary64) (b + ceiling n b - 1) Hu); set (p := (1 + _) ^ _) in *.
    assert (p * (1 - / 2 ^ 28) <= p * (1 - INR (b + ceiling n b - 1) * u binary64)) by (apply Rmult_le_compat_l;
      lra); lra. }
  rewrite eta_is, unit_is; set (z := / 2 ^ 1022).
  assert (Hz : 0 < z) by (apply Rinv_0_lt_compat, pow_lt; lra).
  assert (top : z <= 1).
  { unfold z; rewrite <- Rinv_1; apply Rinv_le_contravar; [lra|apply pow_R1_Rle; lra]. }
  pose proof (pos_INR n) as pos; set (c := / 2 ^ 22 * / 2 ^ 31) in *; assert (Hc : c = / 2 ^ 53) by (unfold c; field).
  assert (nc : 0 <= INR n * c <= / 2 ^ 5) by (rewrite Hc; split; [apply Rmult_le_pos; lra|lra]).
  set (N := INR n) in *; set (p := (1 + / 2 ^ 53) ^ _).
  assert (Hp : p <= 2) by (unfold p; rewrite <- unit_is; exact power).
  assert (0 <= N * (c * z) <= / 2 ^ 5 * z).
  { replace (N * (c * z)) with (N * c * z) by ring; split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]. }
  split.
  - replace (N * (c * z)) with (N * c * z) by ring; apply Rle_trans with (/ 2 ^ 5 * z); [lra|].
    assert (z <= / 2 ^ 59); [|lra]; unfold z; apply Rinv_le_contravar; [apply pow_lt; lra|apply Rle_pow; [lra|lia]].
  - assert (N * (c * z) * p <= N * (c * z) * 2) by (apply Rmult_le_compat_l; lra).
    assert (c * z <= / 2 ^ 53 * z) by (rewrite Hc; lra); lra.
Qed.

(* The radius as the code computes it from k and the two terms, with the roundings of the radius itself. *)
Definition radius (k : nat) (p h : R) : R :=
  rnd binary64 (rnd binary64 (rnd binary64 (factor k + factor 8) * rnd binary64 (p + h)) + / 2 ^ 1022).

Lemma least_normal : float binary64 (/ 2 ^ 1022).
Proof.
  replace (/ 2 ^ 1022) with (bpow radix2 (-1022)).
  - apply generic_format_bpow; unfold FLT_exp; lia.
  - change (-1022)%Z with (- Z.of_nat 1022)%Z; rewrite bpow_opp; f_equal.
    rewrite <- IZR_Zpower by lia; rewrite pow_IZR; f_equal.
Qed.

Lemma factor_large k : (Z.of_nat k <= most_roundings)%Z ->
  0 <= factor k /\ (1 - u binary64) * gamma (u binary64) k - eta binary64 <= factor k.
Proof.
  intros le; unfold most_roundings in le; destruct (computed_factor k) as [_ known].
  destruct (known ltac:(lia)) as [-> _]; destruct (small_factor k le) as [Hg _].
  split; [apply rnd_nonneg; lra|].
  pose proof (any_error binary64 (gamma (u binary64) k)) as near; rewrite (Rabs_pos_eq (gamma _ _)) in near by lra.
  apply within in near; lra.
Qed.

Lemma radius_covers k p h : (Z.of_nat k <= most_roundings)%Z -> float binary64 p -> float binary64 h -> 0 <= p ->
  0 <= h ->
  (gamma (u binary64) k + 7 * u binary64) * (p + h) + / 2 * / 2 ^ 1022 <= radius k p h.
Proof.
  intros le float_p float_h Hp Hh; destruct (small_factor k le) as [Hg _].
  destruct (factor_large k le) as [Fk0 Fk]; destruct (factor_large 8 ltac:(unfold most_roundings; lia)) as [F80 F8].
  pose proof (u_nonneg binary64) as Hu; pose proof (eta_nonneg binary64) as Heta.
  assert (small_u : u binary64 = / 2 ^ 53) by exact unit_is.
  assert (eight : 8 * u binary64 <= gamma (u binary64) 8).
  { unfold gamma; replace (INR 8) with 8 by (simpl; lra); rewrite small_u; set (d := 1 - 8 * / 2 ^ 53).
    assert (Hd : 0 < d <= 1) by (unfold d; lra); apply Rmult_le_reg_r with d; [lra|].
    replace (8 * / 2 ^ 53 / d * d) with (8 * / 2 ^ 53) by (field; lra).
    assert (8 * / 2 ^ 53 * d <= 8 * / 2 ^ 53 * 1) by (apply Rmult_le_compat_l; lra); lra. }
  unfold radius; set (g := gamma (u binary64) k) in *; set (z := / 2 ^ 1022) in *.
  assert (Hz : 0 < z) by (apply Rinv_0_lt_compat, pow_lt; lra).
  assert (Hz1 : z <= / 2 ^ 60).
  { unfold z; apply Rinv_le_contravar; [apply pow_lt; lra|apply Rle_pow; [lra|lia]]. }
  assert (eta_z : eta binary64 = / 2 ^ 53 * z).
  { rewrite eta_is; fold z; f_equal; field. }
  set (q := p + h) in *; assert (Hq : 0 <= q) by (unfold q; lra).
  pose proof (sum_error binary64 p h float_p float_h) as near_q; fold q in near_q.
  rewrite (Rabs_pos_eq q) in near_q by exact Hq; apply within in near_q.
  set (s := rnd binary64 q) in *; assert (Hs : 0 <= s) by (apply rnd_nonneg, Hq).
  assert (Hfk : float binary64 (factor k)) by apply rnd_float.
  assert (Hf8 : float binary64 (factor 8)) by apply rnd_float.
  pose proof (sum_error binary64 _ _ Hfk Hf8) as near_F; rewrite (Rabs_pos_eq (factor k + factor 8)) in near_F by lra.
  apply within in near_F; set (F := rnd binary64 (factor k + factor 8)) in *.
  set (v := u binary64) in *.
  assert (large_F : g + 15 / 2 * v <= F).
  { assert ((1 - v) * ((1 - v) * (g + 8 * v) - 2 * eta binary64) <= (1 - v) * (factor k + factor 8)).
    { apply Rmult_le_compat_l; [lra|].
      assert ((1 - v) * (8 * v) <= (1 - v) * gamma v 8) by (apply Rmult_le_compat_l; lra); lra. }
    assert (v * g <= v * / 2 ^ 11) by (apply Rmult_le_compat_l; lra).
    assert (v * v <= v * / 2 ^ 11) by (apply Rmult_le_compat_l; lra).
    assert (0 <= v * v) by (apply Rmult_le_pos; lra).
    assert (0 <= v * (v * g)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    assert (0 <= v * (v * v)) by (apply Rmult_le_pos; lra).
    assert (eta binary64 <= / 2 ^ 60 * v) by (rewrite eta_z, small_u; lra).
    assert (0 <= v * eta binary64) by (apply Rmult_le_pos; lra); lra. }
  pose proof (any_error binary64 (F * s)) as near_X; fold v in near_X; assert (HF : 0 <= F) by lra.
  rewrite (Rabs_pos_eq (F * s)) in near_X by (apply Rmult_le_pos; assumption); apply within in near_X.
  assert (HX : 0 <= rnd binary64 (F * s)) by (apply rnd_nonneg, Rmult_le_pos; assumption).
  set (X := rnd binary64 (F * s)) in *.
  assert (float_X : float binary64 X) by apply rnd_float.
  pose proof (sum_error binary64 X z float_X least_normal) as near_R; fold v in near_R.
  rewrite (Rabs_pos_eq (X + z)) in near_R by lra; apply within in near_R.
  assert (Fs : (g + 15 / 2 * v) * ((1 - v) * q) <= F * s).
  { apply Rmult_le_compat; [lra|apply Rmult_le_pos; lra|exact large_F|lra]. }
  assert (main : (g + 7 * v) * q <= (1 - v) * ((1 - v) * ((g + 15 / 2 * v) * ((1 - v) * q)))).
  { replace ((1 - v) * ((1 - v) * ((g + 15 / 2 * v) * ((1 - v) * q))))
      with ((1 - v) * ((1 - v) * ((g + 15 / 2 * v) * (1 - v))) * q) by ring.
    apply Rmult_le_compat_r; [exact Hq|].
    set (a := g + 15 / 2 * v); assert (Ha : 0 <= a <= / 2 ^ 10) by (unfold a; lra).
    assert (0 <= v * a <= v * / 2 ^ 10) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
    assert (0 <= v * (v * a)) by (apply Rmult_le_pos; lra).
    assert (v * (v * (v * a)) <= 1 * (v * (v * a))) by (apply Rmult_le_compat_r; lra).
    unfold a in *; lra. }
  assert ((1 - v) * ((1 - v) * ((g + 15 / 2 * v) * ((1 - v) * q))) <= (1 - v) * ((1 - v) * (F * s))).
  { apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_l; lra. }
  assert ((1 - v) * ((1 - v) * (F * s) - eta binary64) <= (1 - v) * X) by (apply Rmult_le_compat_l; lra).
  assert (v * z <= / 2 ^ 10 * z) by (apply Rmult_le_compat_r; lra).
  assert (0 <= v * eta binary64) by (apply Rmult_le_pos; lra).
  rewrite eta_z in *; lra.
Qed.

Section Residual.
Context {H : space} (n b m : nat) (P : nat -> H) (v : nat -> R) (T V : R) (t : nat -> rounded_products.dot).

(* The weights that are stored, quotients of the given ones by their sum T, and the mean of the P_j that they stand
   for. *)
Let w (j : nat) : R := rnd binary64 (v j / T).
Let f : H := comb n (fun j => w j / sum n w) P.
(* The number of roundings of an entry of D and of its product, as the code counts them. *)
Let k : nat := b + ceiling n b + m.

(* Claim roundings.residual: let the weights be quotients v_j/T by their sum, each entry of D = (|P_j - P_l|^2) be
   stored but for gamma_m of itself, and D w be added up in blocks of b columns. Let T, and the sum V of the rounded
   products w_j (D w)_j, be off by a rounding of themselves and a millionth of one. Then the rounded difference of (D
   w)_i and V/2, or 0 if it is negative, is r_i^2 = |P_i - f|^2, where f has the weights w_j over their exact sum, but
   for gamma_k + 7 u of the sum of the two computed terms, and 2^-1023, if k = b + ceil(n/b) + m is at most 2^25; and
   this is at most (gamma_k + gamma_8) ((D w)_i + V/2) + 2^-1022 as binary64 computes it, the radius of the code. *)
Theorem residual_in_binary64 i : (0 < b)%nat -> (Z.of_nat k <= most_roundings)%Z ->
  (forall j, (j < n)%nat -> 0 <= v j) -> 0 < sum n v -> nearly_rounded (u binary64) T (sum n v) ->
  (forall j, (j < n)%nat -> adds_row n (distances P j) w (t j) /\ blocked b (t j) /\
    all_good (gamma (u binary64) m) (t j)) ->
  float binary64 V -> nearly_rounded (u binary64) V (sum n (fun j => rnd binary64 (w j * computed binary64 (t j)))) ->
  (i < n)%nat ->
  let p := computed binary64 (t i) in let h := rnd binary64 (V / 2) in
  Rabs (Rmax (rnd binary64 (p - h)) 0 - norm (sub (P i) f) ^ 2) <=
    (gamma (u binary64) k + 7 * u binary64) * (p + h) + / 2 ^ 1023 /\
  (gamma (u binary64) k + 7 * u binary64) * (p + h) + / 2 ^ 1023 <= radius k p h.
Proof.
  intros Hb few Hv some HT rows HS near_S Hi p h; destruct (lost n b m Hb few) as [tiny under].
  destruct (small_factor k few) as [Hg square_g]; set (g := gamma (u binary64) k) in *.
  pose proof (u_nonneg binary64) as Hu; pose proof (eta_nonneg binary64) as Heta.
  assert (Hu' : u binary64 <= / 2 ^ 20) by (rewrite unit_is; lra).
  set (e := INR n * eta binary64 * (1 + u binary64) ^ (b + ceiling n b - 1)) in *.
  assert (He : 0 <= e).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR|assumption]|].
    pose proof (power_at_least_1 (u binary64) (b + ceiling n b - 1) Hu); lra. }
  pose proof (sum_of_weights binary64 n v T Hu' tiny Hv some HT) as near;
    change (fun j => rnd binary64 (v j / T)) with w in near.
  assert (HT' : 0 < T).
  { unfold nearly_rounded in HT; apply within in HT.
    assert ((1 + / 2 ^ 20) * u binary64 * sum n v <= / 2 * sum n v) by (apply Rmult_le_compat_r; lra); lra. }
  assert (Hw : forall j, (j < n)%nat -> 0 <= w j).
  { intros j Hj; apply rnd_nonneg, Rmult_le_pos; [auto|apply Rlt_le, Rinv_0_lt_compat, HT']. }
  assert (HW : 0 < sum n w) by (apply within in near; lra).
  assert (below : INR k * u binary64 < 1) by (pose proof (few_roundings k few); lra).
  assert (Hm : gamma (u binary64) m <= 1).
  { apply Rle_trans with (/ 2 ^ 11); [apply small_factor; unfold k in few; lia|lra]. }
  assert (product : forall j, (j < n)%nat -> 0 <= computed binary64 (t j) /\
    Rabs (computed binary64 (t j) - row n P w j) <= g * row n P w j + e).
  { intros j Hj; destruct (rows j Hj) as [same [blocks all]].
    destruct (row_added n (distances P j) w (t j) Hw same) as [eq [size_eq [len pos]]].
    split; [apply (computed_nonneg _ (gamma (u binary64) m)); assumption|].
    destruct (blocked_product binary64 m b (t j) Hb blocks all) as [bound _]; [rewrite len; exact below|].
    rewrite len, size_eq, eq in bound; exact bound. }
  pose proof (fun j Hj => proj1 (product j Hj)) as HP; pose proof (fun j Hj => proj2 (product j Hj)) as close.
  destruct (second_term binary64 n w (row n P w) (fun j => computed binary64 (t j)) g e V Hu' Hg He Hw
    (fun j _ => row_nonneg n P w j Hw) HP close near HS near_S) as [S_pos of_h].
  pose proof (first_term (u binary64) g e (sum n w) (row n P w i) p Hu Hg (row_nonneg n P w i Hw) HW near
    (close i Hi)) as of_p.
  pose proof (squared_residual_of_any n P w i HW) as identity; cbv zeta in identity; fold f in identity.
  change (sum n (fun j => w j * row n P w j)) with (form n P w) in of_h.
  set (h0 := form n P w / (2 * (sum n w * sum n w))) in *; set (p0 := row n P w i / sum n w) in *.
  assert (Hh0 : 0 <= h0).
  { apply Rmult_le_pos; [apply sum_nonneg; intros j Hj; apply Rmult_le_pos; [auto|apply row_nonneg, Hw]|].
    apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; [lra|apply Rmult_lt_0_compat; exact HW]. }
  assert (Hp0 : h0 <= p0) by (pose proof (dot_nonneg _ (sub (P i) f)) as pos; unfold square in identity; lra).
  assert (last : Rabs (rnd binary64 (p - h) - (p - h)) <= u binary64 * Rabs (p - h)).
  { apply (sum_error binary64 p (- h)); [apply computed_float|apply opposite_float, rnd_float]. }
  replace (norm (sub (P i) f) ^ 2) with (p0 - h0)
    by (rewrite <- identity; unfold square; rewrite <- norm_sqr; ring).
  assert (Hn : 0 <= (INR n + 1) * eta binary64) by (apply Rmult_le_pos; [pose proof (pos_INR n); lra|assumption]).
  assert (half : / 2 ^ 1023 = / 2 * / 2 ^ 1022) by (rewrite <- Rinv_mult; f_equal; exact (tech_pow_Rmult 2 1022)).
  rewrite half; split; [|apply radius_covers;
    [exact few|apply computed_float|apply rnd_float|apply HP, Hi|apply rnd_nonneg; lra]].
  eapply Rle_trans; [apply (rounded_residual (u binary64) g (e + (INR n + 1) * eta binary64) p0 h0 p h); try lra|lra].
  - apply HP, Hi.
  - apply rnd_nonneg; lra.
  - exact of_h.
Qed.

End Residual.
