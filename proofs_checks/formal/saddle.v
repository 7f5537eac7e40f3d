(* KIRWLS from equal weights on two pairs of rows ends on a saddle of J. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting losses descent pairs.
Local Open Scope R_scope.

Local Notation L := loss_of_pairs.

(* phi and rho between b and c. *)
Lemma phi_between r : 6 / 10 <= r < 12 / 10 -> phi L r = 6 / 10 * / r - / 2.
Proof.
  intros Hr; unfold phi; simpl; unfold Hampel_psi.
  destruct (Req_EM_T r 0), (Rlt_dec r (3 / 10)), (Rlt_dec r (6 / 10)), (Rlt_dec r (12 / 10)); try lra; field; lra.
Qed.

Lemma rho_between r : 6 / 10 <= r < 12 / 10 -> rho L r = 6 / 10 * r - r ^ 2 / 4 - 135 / 1000.
Proof.
  intros Hr; simpl; unfold Hampel_rho.
  destruct (Rlt_dec r (3 / 10)), (Rlt_dec r (6 / 10)), (Rlt_dec r (12 / 10)); try lra; field.
Qed.

Lemma root_range x : 36 / 100 <= x < 144 / 100 -> 6 / 10 <= sqrt x < 12 / 10.
Proof.
  intros Hx; pose proof (sqrt_sqrt x ltac:(lra)); pose proof (sqrt_pos x); split; nra.
Qed.

Lemma root_narrow x : 48 / 100 <= x <= 53 / 100 -> 69 / 100 <= sqrt x <= 73 / 100.
Proof.
  intros Hx; pose proof (sqrt_sqrt x ltac:(lra)); pose proof (sqrt_pos x); split; nra.
Qed.

(* phi at an even element. *)
Definition pull (i : nat) (p : R) : R := phi L (sqrt (square i p)).

Lemma pull_value i p : 0 <= p <= / 2 -> pull i p = 6 / 10 * / sqrt (square i p) - / 2 /\ 32 / 100 <= pull i p <= 37 / 100.
Proof.
  intros Hp; pose proof (square_bounds i p Hp) as range; pose proof (root_narrow _ range) as root.
  unfold pull; rewrite phi_between by lra; split; [reflexivity|].
  set (r := sqrt (square i p)) in *; assert (/ (73 / 100) <= / r <= / (69 / 100)) by (split; apply Rinv_le_contravar; lra).
  split; lra.
Qed.

Lemma root_moves x y : 48 / 100 <= x <= 53 / 100 -> 48 / 100 <= y <= 53 / 100 ->
  Rabs (6 / 10 * / sqrt x - 6 / 10 * / sqrt y) <= Rabs (x - y).
Proof.
  intros Hx Hy; pose proof (root_narrow x Hx) as rx; pose proof (root_narrow y Hy) as ry.
  pose proof (sqrt_sqrt x ltac:(lra)) as sx; pose proof (sqrt_sqrt y ltac:(lra)) as sy.
  set (X := sqrt x) in *; set (Y := sqrt y) in *; rewrite <- sx, <- sy.
  assert (below : 6 / 10 <= X * Y * (X + Y)) by (assert (47 / 100 <= X * Y) by nra; nra).
  replace (_ - _) with (6 / 10 * / (X * Y * (X + Y)) * (Y * Y - X * X)) by (field; lra).
  rewrite Rabs_mult, (Rabs_minus_sym (Y * Y)); apply Rle_trans with (1 * Rabs (X * X - Y * Y)); [|lra].
  apply Rmult_le_compat_r; [apply Rabs_pos|]; rewrite Rabs_right.
  - apply Rmult_le_reg_r with (X * Y * (X + Y)); [lra|]; rewrite Rmult_assoc, Rinv_l; lra.
  - apply Rle_ge, Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra].
Qed.

(* A step of KIRWLS on p. *)
Definition next (p : R) : R := pull 0 p / (2 * (pull 0 p + pull 1 p)).

Lemma next_range p : 0 <= p <= / 2 -> 23 / 100 <= next p <= 27 / 100.
Proof.
  intros Hp; destruct (pull_value 0 p Hp) as [Ea Ba]; destruct (pull_value 1 p Hp) as [Eb Bb].
  pose proof (root_moves _ _ (square_bounds 0 p Hp) (square_bounds 1 p Hp)) as le.
  pose proof (square_outer_inner p Hp) as near; unfold next; set (a := pull 0 p) in *; set (b := pull 1 p) in *.
  assert (close : Rabs (a - b) <= / 20).
  { rewrite Ea, Eb; replace (_ - _ - _) with (6 / 10 * / sqrt (square 0 p) - 6 / 10 * / sqrt (square 1 p)) by ring; lra. }
  apply Rabs_le_between in close.
  split; apply Rmult_le_reg_r with (2 * (a + b)); try lra;
    replace (a / (2 * (a + b)) * (2 * (a + b))) with a by (field; lra); lra.
Qed.

Lemma next_contracts p p' : 0 <= p <= / 2 -> 0 <= p' <= / 2 -> Rabs (next p - next p') <= / 2 * Rabs (p - p').
Proof.
  intros Hp Hp'; destruct (pull_value 0 p Hp) as [Ea Ba]; destruct (pull_value 1 p Hp) as [Eb Bb].
  destruct (pull_value 0 p' Hp') as [Ea' Ba']; destruct (pull_value 1 p' Hp') as [Eb' Bb'].
  assert (moves : forall i, Rabs (pull i p - pull i p') <= / 5 * Rabs (p - p')).
  { intros i; destruct (pull_value i p Hp) as [-> _]; destruct (pull_value i p' Hp') as [-> _].
    replace (_ - _ - _) with (6 / 10 * / sqrt (square i p) - 6 / 10 * / sqrt (square i p')) by ring.
    eapply Rle_trans; [apply root_moves; apply square_bounds; assumption|apply square_moves; assumption]. }
  pose proof (moves 0%nat) as Ma; pose proof (moves 1%nat) as Mb; set (d := Rabs (p - p')) in *; unfold next.
  set (a := pull 0 p) in *; set (b := pull 1 p) in *; set (a' := pull 0 p') in *; set (b' := pull 1 p') in *.
  replace (_ - _) with (((a - a') * b' + a' * (b' - b)) / (2 * (a + b) * (a' + b'))) by (field; lra).
  unfold Rdiv; rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat; nra).
  apply Rmult_le_reg_r with (2 * (a + b) * (a' + b')); [nra|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by nra.
  apply Rle_trans with (/ 5 * d * (a' + b')).
  - eapply Rle_trans; [apply Rabs_triang|].
    rewrite !Rabs_mult, (Rabs_minus_sym b'), (Rabs_right b'), (Rabs_right a') by lra.
    assert (Rabs (a - a') * b' <= / 5 * d * b') by (apply Rmult_le_compat_r; lra).
    assert (Rabs (b - b') * a' <= / 5 * d * a') by (apply Rmult_le_compat_r; lra); lra.
  - replace (/ 2 * d * (2 * (a + b) * (a' + b'))) with ((a + b) * d * (a' + b')) by field.
    apply Rmult_le_compat_r; [lra|]; apply Rmult_le_compat_r; [apply Rabs_pos|lra].
Qed.

(* The sequence from 1/4, and its limit. *)
Fixpoint path (k : nat) : R := match k with O => / 4 | S j => next (path j) end.

Lemma path_range k : 23 / 100 <= path k <= 27 / 100.
Proof. induction k as [|k IH]; simpl; [lra|apply next_range; lra]. Qed.

Lemma path_near k m : Rabs (path (k + m) - path k) <= (/ 2) ^ k.
Proof.
  induction k as [|k IH]; simpl.
  - pose proof (path_range m); apply Rabs_le; lra.
  - pose proof (path_range (k + m)); pose proof (path_range k).
    eapply Rle_trans; [apply next_contracts; lra|]; apply Rmult_le_compat_l; [lra|exact IH].
Qed.

Lemma path_limit : exists p, 23 / 100 <= p <= 27 / 100 /\ next p = p /\ forall k, Rabs (path k - p) <= (/ 2) ^ k.
Proof.
  assert (half : is_lim_seq (fun k => (/ 2) ^ k) 0) by (apply is_lim_seq_geom; rewrite Rabs_right; lra).
  assert (cauchy : ex_lim_seq_cauchy path).
  { intros e; apply is_lim_seq_spec in half; destruct (half (pos_div_2 e)) as [N near]; exists N; intros n m Hn Hm.
    specialize (near N (le_n N)); simpl in near; rewrite Rminus_0_r, Rabs_right in near by (apply Rle_ge, pow_le; lra).
    pose proof (path_near N (n - N)) as one; pose proof (path_near N (m - N)) as two.
    replace (N + (n - N))%nat with n in one by lia; replace (N + (m - N))%nat with m in two by lia.
    replace (path n - path m) with ((path n - path N) - (path m - path N)) by ring.
    eapply Rle_lt_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp; lra. }
  apply ex_lim_seq_cauchy_corr in cauchy; destruct cauchy as [p lim].
  assert (range : 23 / 100 <= p <= 27 / 100).
  { split; [apply (is_lim_seq_le (fun _ => 23 / 100) path (23 / 100) p)|apply (is_lim_seq_le path (fun _ => 27 / 100) p (27 / 100))];
      try apply is_lim_seq_const; try exact lim; intros k; apply path_range. }
  assert (rate : forall k, Rabs (path k - p) <= (/ 2) ^ k).
  { intros k; apply le_epsilon; intros e He; apply is_lim_seq_spec in lim; destruct (lim (mkposreal e He)) as [N near].
    specialize (near (k + N)%nat ltac:(lia)); simpl in near; pose proof (path_near k N) as one.
    replace (path k - p) with ((path (k + N) - p) - (path (k + N) - path k)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp; lra. }
  exists p; split; [exact range|split; [|exact rate]]; apply Rminus_diag_uniq.
  destruct (Req_dec (next p - p) 0) as [|nz]; [assumption|exfalso]; apply Rabs_pos_lt in nz.
  apply is_lim_seq_spec in half; destruct (half (mkposreal _ nz)) as [N small]; specialize (small N (le_n N)); simpl in small.
  rewrite Rminus_0_r, Rabs_right in small by (apply Rle_ge, pow_le; lra).
  pose proof (path_range N) as RN; pose proof (next_contracts p (path N) ltac:(lra) ltac:(lra)) as one.
  pose proof (rate N) as two; pose proof (rate (S N)) as three; simpl in three; rewrite Rabs_minus_sym in two.
  pose proof (Rabs_triang (next p - next (path N)) (next (path N) - p)) as tri.
  replace (_ + (next (path N) - p)) with (next p - p) in tri by ring; lra.
Qed.

(* The sum of two residuals that move apart falls, to second order, while their squares rise. *)
Lemma apart s g G t : 48 / 100 <= s <= 53 / 100 -> 197 / 100 <= g <= 199 / 100 -> 78 / 10 <= G <= 797 / 100 ->
  0 < t <= / 40 ->
  rho L (sqrt (s - 2 * t * g + t ^ 2 * G)) + rho L (sqrt (s + 2 * t * g + t ^ 2 * G)) < 2 * rho L (sqrt s).
Proof.
  intros Hs Hg HG Ht; set (m := t ^ 2 * G); set (v := 2 * t * g).
  assert (Ht2 : 0 < t ^ 2 <= / 1600) by (split; [apply pow_lt; lra|nra]).
  assert (Hm : 0 < m <= / 200) by (unfold m; split; nra).
  assert (Hv : 0 < v <= / 10) by (unfold v; split; nra).
  assert (Hv2 : 155 / 10 * t ^ 2 <= v ^ 2).
  { replace (v ^ 2) with (4 * g ^ 2 * t ^ 2) by (unfold v; ring); apply Rmult_le_compat_r; nra. }
  rewrite !rho_between by (apply root_range; lra).
  set (R := sqrt s); set (X := sqrt (s - v + m)); set (Y := sqrt (s + v + m)).
  assert (RR : R * R = s) by (apply sqrt_sqrt; lra); assert (XX : X * X = s - v + m) by (apply sqrt_sqrt; lra).
  assert (YY : Y * Y = s + v + m) by (apply sqrt_sqrt; lra).
  assert (HR : 69 / 100 <= R) by (apply root_narrow; lra).
  assert (HX : 0 <= X) by apply sqrt_pos; assert (HY : 0 <= Y) by apply sqrt_pos.
  assert (product : X * Y <= s + m - 9 / 10 * v ^ 2).
  { apply Rsqr_incr_0_var; [unfold Rsqr|nra].
    replace (X * Y * (X * Y)) with ((X * X) * (Y * Y)) by ring; rewrite XX, YY.
    assert (0 <= v ^ 2 * (1 - 18 / 10 * (s + m))) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]).
    assert (0 <= (9 / 10 * v ^ 2) ^ 2) by apply pow2_ge_0; nra. }
  assert (sum : X + Y < 2 * R + 5 / 6 * m).
  { apply Rsqr_incrst_0; [unfold Rsqr|lra|lra].
    assert (78 / 10 * t ^ 2 <= m <= 797 / 100 * t ^ 2) by (unfold m; split; nra).
    assert (23 / 10 * m <= 10 / 3 * (R * m)) by nra; pose proof (pow2_ge_0 m); nra. }
  replace (X ^ 2) with (X * X) by ring; replace (Y ^ 2) with (Y * Y) by ring; replace (R ^ 2) with (R * R) by ring.
  rewrite XX, YY, RR; lra.
Qed.

Section Path.
Context {H : space} (P : nat -> H).
Hypothesis are_pairs : pairs P.
Notation E := (even P).
Notation J := (J 4 P (equal 4) L).

Lemma comb_same n w v : (forall i, (i < n)%nat -> w i = v i) -> comb n w P = comb n v P.
Proof. intros eq; apply same; intros x; rewrite !dot_comb; apply sum_ext; intros i Hi; rewrite eq by exact Hi; reflexivity. Qed.

Lemma quarter i : equal 4 i = / 4.
Proof. unfold equal; f_equal; simpl; ring. Qed.

Lemma pull_at i p : (i < 4)%nat -> phi L (residual P (E p) i) = if outer i then pull 0 p else pull 1 p.
Proof. intros Hi; rewrite even_residual by assumption; unfold pull, square; destruct (outer i); reflexivity. Qed.

Lemma mean_at p : mean_phi 4 P (equal 4) L (E p) = (pull 0 p + pull 1 p) / 2.
Proof. unfold mean_phi; cbn [sum]; rewrite !pull_at, !quarter by lia; simpl outer; cbv iota; field. Qed.

(* A step of KIRWLS takes the even element of p to that of next p. *)
Lemma step_even p : 0 <= p <= / 2 -> step 4 P (equal 4) L (E p) = E (next p).
Proof.
  intros Hp; destruct (pull_value 0 p Hp) as [_ Ba]; destruct (pull_value 1 p Hp) as [_ Bb].
  apply comb_same; intros i Hi; unfold next_weights; rewrite mean_at, pull_at, quarter by exact Hi.
  unfold mirrored, next; destruct (outer i); field; lra.
Qed.

Lemma iterate_even k : iterate 4 P (equal 4) L (equal 4) k = E (path k).
Proof.
  induction k as [|k IH].
  - apply comb_same; intros i Hi; change (equal 4 i = mirrored (path 0) i); rewrite quarter; unfold mirrored; simpl; destruct (outer i); field.
  - change (iterate 4 P (equal 4) L (equal 4) (S k)) with (step 4 P (equal 4) L (iterate 4 P (equal 4) L (equal 4) k)).
    rewrite IH; pose proof (path_range k); apply step_even; lra.
Qed.

Lemma even_near p p' : norm (sub (E p) (E p')) <= 4 * Rabs (p - p').
Proof.
  replace (sub (E p) (E p')) with (comb 4 (fun i => mirrored p i - mirrored p' i) P).
  - eapply Rle_trans; [apply norm_comb|]; destruct (kernel_values P are_pairs) as [own _].
    assert (unit : forall i, (i < 4)%nat -> norm (P i) = 1).
    { intros i Hi; unfold norm; rewrite own by exact Hi; apply sqrt_1. }
    cbn [sum]; rewrite !unit by lia; unfold mirrored; simpl outer; cbv iota.
    replace (/ 2 - p - (/ 2 - p')) with (- (p - p')) by ring; rewrite Rabs_Ropp; lra.
  - apply same; intros x; rewrite dot_sub; unfold even; rewrite !dot_comb; simpl; ring.
Qed.

(* The direction from one pair to the other. *)
Definition across : H := comb 4 (fun i => match i with O | 1%nat => 1 | _ => -1 end) P.
Definition sign (i : nat) : R := match i with O | 1%nat => 1 | _ => -1 end.
Definition reach (i : nat) : R := 1 + k_02 - k_40 - (if outer i then k_42 else k_38).

Lemma dot_across i : (i < 4)%nat -> dot (P i) across = sign i * reach i.
Proof.
  intros Hi; unfold across, reach; rewrite dot_comb_r; cbn [sum].
  destruct i as [|[|[|[|i]]]]; [..|lia]; simpl sign; simpl outer; cbv iota; (to_values P are_pairs); ring.
Qed.

Lemma across_square i p t : (i < 4)%nat ->
  dot (sub (P i) (add (E p) (scale t across))) (sub (P i) (add (E p) (scale t across)))
  = square i p - sign i * (2 * t * reach i) + t ^ 2 * (2 * (reach 0 + reach 1)).
Proof.
  intros Hi.
  assert (orthogonal : dot (E p) across = 0).
  { unfold even; rewrite dot_comb; cbn [sum]; rewrite !dot_across by lia; unfold reach, mirrored; simpl; ring. }
  assert (length : dot across across = 2 * (reach 0 + reach 1)).
  { unfold across at 1; rewrite dot_comb; cbn [sum]; rewrite !dot_across by lia; unfold reach; simpl; ring. }
  rewrite <- (even_square P are_pairs i p Hi); unfold sub.
  repeat rewrite ?dot_add, ?dot_add_r, ?dot_scale, ?dot_scale_r.
  rewrite (dot_comm _ across (E p)), (dot_comm _ across (P i)), orthogonal, length, dot_across by exact Hi; ring.
Qed.

Lemma lower p t : 0 <= p <= / 2 -> 0 < t <= / 40 -> J (add (E p) (scale t across)) < J (E p).
Proof.
  intros Hp Ht; destruct values as [VA [VB [VC VD]]].
  unfold setting.J; cbn [sum]; rewrite !quarter; unfold residual, norm.
  rewrite !across_square, !(even_square P are_pairs) by lia.
  assert (same_out : square 3 p = square 0 p) by reflexivity; assert (same_in : square 2 p = square 1 p) by reflexivity.
  assert (reach_out : reach 3 = reach 0) by reflexivity; assert (reach_in : reach 2 = reach 1) by reflexivity.
  rewrite same_out, same_in, reach_out, reach_in; simpl sign.
  assert (R0 : 197 / 100 <= reach 0 <= 199 / 100) by (unfold reach; simpl; lra).
  assert (R1 : 197 / 100 <= reach 1 <= 199 / 100) by (unfold reach; simpl; lra).
  assert (G : 78 / 10 <= 2 * (reach 0 + reach 1) <= 797 / 100) by lra.
  pose proof (apart _ _ _ t (square_bounds 0 p Hp) R0 G Ht) as out.
  pose proof (apart _ _ _ t (square_bounds 1 p Hp) R1 G Ht) as inn.
  set (T := t ^ 2 * (2 * (reach 0 + reach 1))) in *.
  replace (square 0 p - 1 * (2 * t * reach 0) + T) with (square 0 p - 2 * t * reach 0 + T) by ring.
  replace (square 1 p - 1 * (2 * t * reach 1) + T) with (square 1 p - 2 * t * reach 1 + T) by ring.
  replace (square 0 p - -1 * (2 * t * reach 0) + T) with (square 0 p + 2 * t * reach 0 + T) by ring.
  replace (square 1 p - -1 * (2 * t * reach 1) + T) with (square 1 p + 2 * t * reach 1 + T) by ring.
  lra.
Qed.

End Path.

(* Claim local_minima.limit_at_saddle, which FAILS: for the rows -2.1, -1.9, 1.9, 2.1, Gaussian features with sigma = 1,
   Hampel's loss with (0.3, 0.6, 1.2) and equal weights at the start, the iterates of KIRWLS converge to an f with the
   weights (p, 1/2 - p, 1/2 - p, p), p between 0.23 and 0.27, which is stationary; and in every neighbourhood of f there
   is a g with J(g) < J(f). Such features exist. *)
Theorem limit_is_no_minimum :
  (exists (H : space) (P : nat -> H), pairs P) /\
  forall (H : space) (P : nat -> H), pairs P ->
  exists p, 23 / 100 <= p <= 27 / 100 /\ let f := comb 4 (mirrored p) P in
    is_lim_seq (fun k => norm (sub (iterate 4 P (equal 4) L (equal 4) k) f)) 0 /\
    stationary 4 P (equal 4) L f /\
    forall e, 0 < e -> exists g, norm (sub g f) < e /\ J 4 P (equal 4) L g < J 4 P (equal 4) L f.
Proof.
  split; [exact pairs_exist|]; intros H P are_pairs; destruct path_limit as [p [range [fixed rate]]].
  exists p; split; [exact range|]; intros f; change f with (even P p); split; [|split].
  - apply (is_lim_seq_le_le (fun _ => 0) _ (fun k => 4 * (/ 2) ^ k)).
    + intros k; split; [apply norm_nonneg|]; rewrite iterate_even by exact are_pairs.
      eapply Rle_trans; [apply even_near; exact are_pairs|]; apply Rmult_le_compat_l; [lra|apply rate].
    + apply is_lim_seq_const.
    + replace 0 with (4 * 0) by ring; apply is_lim_seq_mult'; [apply is_lim_seq_const|].
      apply is_lim_seq_geom; rewrite Rabs_right; lra.
  - assert (nz : mean_phi 4 P (equal 4) L (even P p) <> 0).
    { rewrite mean_at by exact are_pairs; destruct (pull_value 0 p ltac:(lra)) as [_ Ba].
      destruct (pull_value 1 p ltac:(lra)) as [_ Bb]; lra. }
    apply (proj2 (V_is_step 4 P (equal 4) L (even P p) nz)); rewrite step_even, fixed by (assumption || lra); reflexivity.
  - intros e He; set (size := norm (across P)); assert (Hs : 0 <= size) by apply norm_nonneg.
    set (t := Rmin (/ 40) (e / (2 * (size + 1)))).
    assert (Ht : 0 < t <= / 40).
    { split; [apply Rmin_pos; [lra|apply Rdiv_lt_0_compat; lra]|apply Rmin_l]. }
    exists (add (even P p) (scale t (across P))); split; [|apply lower; (assumption || lra)].
    replace (sub (add (even P p) (scale t (across P))) (even P p)) with (scale t (across P)).
    + rewrite norm_scale, Rabs_right by lra; fold size; pose proof (Rmin_r (/ 40) (e / (2 * (size + 1)))) as le; fold t in le.
      apply Rle_lt_trans with (e / (2 * (size + 1)) * size); [apply Rmult_le_compat_r; assumption|].
      apply Rmult_lt_reg_r with (2 * (size + 1)); [lra|].
      replace (e / (2 * (size + 1)) * size * (2 * (size + 1))) with (e * size) by (field; lra); nra.
    + apply same; intros x; rewrite dot_sub, dot_add; ring.
Qed.
