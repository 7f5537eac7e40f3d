(* The operator on the left of the equation of the derivative is n times the Hessian of J, and what a row with
   residual 0 contributes to it. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting.
Local Open Scope R_scope.

(* q(r)/r^3 with q(r) = r psi'(r) - psi(r): an entry of Q. *)
Definition bend (L : loss) (r dpsi : R) : R := (r * dpsi - psi L r) / r ^ 3.

Lemma phi_slope (L : loss) (r dpsi : R) : 0 < r -> is_derive (psi L) r dpsi ->
  is_derive (phi L) r (r * bend L r dpsi).
Proof.
  intros positive differentiable; apply (is_derive_ext_loc (fun t => psi L t / t)).
  - apply (filter_imp (fun t => 0 < t)); [|apply (open_gt 0); exact positive].
    intros t Ht; unfold phi; destruct (Req_EM_T t 0); [lra|reflexivity].
  - evar_last; [apply (is_derive_div (psi L) (fun t => t)); [exact differentiable|apply @is_derive_id|lra]|].
    unfold bend, one; simpl; field; lra.
Qed.

Section Direction.
Context {H : space} (u h : H).
Hypothesis apart : 0 < norm u.

Lemma norm_slope : is_derive (fun t => norm (sub u (scale t h))) 0 (- dot h u / norm u).
Proof.
  apply (is_derive_ext (fun t => sqrt (dot u u - 2 * t * dot h u + t ^ 2 * dot h h))).
  - intros t; unfold norm; f_equal.
    rewrite dot_sub, !dot_sub_r, !dot_scale, !dot_scale_r, (dot_comm _ u h); ring.
  - assert (inside : 0 < dot u u) by (rewrite <- norm_sqr; apply Rmult_lt_0_compat; exact apart).
    auto_derive.
    + replace (dot u u + - (2 * 0 * dot h u) + 0 * (0 * 1) * dot h h) with (dot u u) by ring; exact inside.
    + replace (dot u u + - (2 * 0 * dot h u) + 0 * (0 * 1) * dot h h) with (dot u u) by ring.
      fold (norm u); field; lra.
Qed.

Lemma term_slope (L : loss) (x : H) (dpsi : R) : is_derive (psi L) (norm u) dpsi ->
  is_derive (fun t => - (phi L (norm (sub u (scale t h))) * dot (sub u (scale t h)) x)) 0
            (phi L (norm u) * dot h x + bend L (norm u) dpsi * dot h u * dot u x).
Proof.
  intros differentiable.
  assert (start : norm (sub u (scale 0 h)) = norm u).
  { f_equal; apply same; intros y; rewrite dot_sub, dot_scale; ring. }
  assert (outer : is_derive (fun t => phi L (norm (sub u (scale t h)))) 0
                            (- dot h u / norm u * (norm u * bend L (norm u) dpsi))).
  { apply (is_derive_comp (phi L) (fun t => norm (sub u (scale t h))));
      [rewrite start; apply phi_slope; assumption|exact norm_slope]. }
  assert (inner : is_derive (fun t => dot (sub u (scale t h)) x) 0 (- dot h x)).
  { apply (is_derive_ext (fun t => dot u x - t * dot h x)).
    - intros t; rewrite dot_sub, dot_scale; reflexivity.
    - auto_derive; [trivial|ring]. }
  evar_last.
  - apply (is_derive_opp (fun t => phi L (norm (sub u (scale t h))) * dot (sub u (scale t h)) x)).
    apply (is_derive_mult (fun t => phi L (norm (sub u (scale t h)))) (fun t => dot (sub u (scale t h)) x));
      [exact outer|exact inner|intros a b; apply Rmult_comm].
  - unfold opp, plus, mult; simpl; rewrite start, dot_sub, dot_scale; field; lra.
Qed.

End Direction.

Lemma is_derive_sum_of n (f : nat -> R -> R) (d : nat -> R) x :
  (forall i, (i < n)%nat -> is_derive (f i) x (d i)) -> is_derive (fun t => sum n (fun i => f i t)) x (sum n d).
Proof.
  induction n as [|n IH]; simpl; intros each; [apply @is_derive_const|].
  apply (is_derive_plus (fun t => sum n (fun i => f i t)) (f n)); [apply IH; intros; apply each; lia|].
  apply each; lia.
Qed.

(* Claim influence_matrix.spectrum, what it says of the Hessian. Let no residual be 0 and psi be differentiable at
   each. Then the gradient of n J, which is -n V by Lemma 1, has at f the derivative
   gamma h + sum Q_ii <h, u_i> u_i along every h, as seen by the inner product with any x: that operator is n times
   the Hessian of J. *)
Theorem hessian {H : space} n (P : nat -> H) (L : loss) (f : H) (dpsi : nat -> R) :
  (0 < n)%nat ->
  (forall i, (i < n)%nat -> 0 < residual P f i) ->
  (forall i, (i < n)%nat -> is_derive (psi L) (residual P f i) (dpsi i)) ->
  let gamma := sum n (fun i => phi L (residual P f i)) in
  let u i := sub (P i) f in
  let q i := (residual P f i * dpsi i - psi L (residual P f i)) / residual P f i ^ 3 in
  forall h x : H,
  is_derive (fun t => - INR n * dot (V n P (equal n) L (add f (scale t h))) x) 0
            (dot (add (scale gamma h) (comb n (fun i => q i * dot h (u i)) u)) x).
Proof.
  intros some positive differentiable gamma u q h x.
  assert (0 < INR n) by (apply lt_0_INR; exact some).
  apply (is_derive_ext (fun t =>
    sum n (fun i => - (phi L (norm (sub (u i) (scale t h))) * dot (sub (u i) (scale t h)) x)))).
  - intros t; unfold V; rewrite dot_comb, <- sum_scale; apply sum_ext; intros i _.
    assert (moved : sub (P i) (add f (scale t h)) = sub (u i) (scale t h)).
    { apply same; intros y; unfold u; rewrite !dot_sub, dot_add; ring. }
    unfold residual; rewrite moved; unfold equal; field; lra.
  - rewrite dot_add, dot_scale, dot_comb; unfold gamma.
    rewrite (Rmult_comm (sum n _)), <- sum_scale, <- sum_add.
    evar_last; [apply is_derive_sum_of; intros i Hi; apply term_slope with (dpsi := dpsi i)|].
    + apply positive; exact Hi.
    + apply differentiable; exact Hi.
    + apply sum_ext; intros i _; unfold q, bend, u, residual; ring.
Qed.

(* Claim influence_theorem.zero_residual. Let phi be Lipschitz continuous with the constant K. (1) The term
   Q_ii <h, u_i> u_i of a row has at most the norm K |h| |u_i|, (2) so that it tends to 0 with u_i; (3) where u_i
   = 0, the row adds phi(0) h and nothing else to the derivative of -n V along h: the term is to be read as 0. *)
Theorem zero_residual {H : space} (L : loss) (K : R) (h : H) :
  phi_Lipschitz L K ->
  let term (u : H) dpsi := scale (bend L (norm u) dpsi * dot h u) u in
  (forall (u : H) dpsi, u <> origin -> is_derive (psi L) (norm u) dpsi ->
     norm (term u dpsi) <= K * norm h * norm u) /\
  (forall e, 0 < e -> exists d, 0 < d /\ forall (u : H) dpsi, u <> origin -> norm u < d ->
     is_derive (psi L) (norm u) dpsi -> norm (term u dpsi) < e) /\
  (forall x : H, is_derive (fun t => - (phi L (norm (sub origin (scale t h))) * dot (sub origin (scale t h)) x)) 0
                           (phi L 0 * dot h x)).
Proof.
  intros Lipschitz term.
  assert (K_nonneg : 0 <= K).
  { specialize (Lipschitz 1 0); rewrite Rminus_0_r, Rabs_R1, Rmult_1_r in Lipschitz.
    eapply Rle_trans; [apply Rabs_pos|apply Lipschitz; lra]. }
  assert (bound : forall (u : H) dpsi, u <> origin -> is_derive (psi L) (norm u) dpsi ->
            norm (term u dpsi) <= K * norm h * norm u).
  { intros u dpsi away differentiable.
    assert (positive : 0 < norm u).
    { destruct (Req_dec (norm u) 0) as [zero|nz]; [contradiction away; apply norm_zero, zero|].
      pose proof (norm_nonneg u); lra. }
    assert (slope : Rabs (norm u * bend L (norm u) dpsi) <= K).
    { pose proof (phi_slope L _ _ positive differentiable) as derivative.
      apply is_derive_Reals in derivative; apply Rnot_lt_le; intros steep.
      set (s := norm u * bend L (norm u) dpsi) in *.
      destruct (derivative (Rabs s - K)) as [d close]; [lra|].
      set (m := Rmin (d / 2) (norm u)).
      assert (0 < m) by (apply Rmin_pos; [destruct d; simpl; lra|exact positive]).
      assert (m < d) by (apply Rle_lt_trans with (d / 2); [apply Rmin_l|destruct d; simpl; lra]).
      specialize (close m); rewrite (Rabs_pos_eq m) in close by lra.
      specialize (close ltac:(lra) ltac:(lra)).
      assert (quotient : Rabs ((phi L (norm u + m) - phi L (norm u)) / m) <= K).
      { unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ m)) by (apply Rlt_le, Rinv_0_lt_compat; assumption).
        apply Rmult_le_reg_r with m; [assumption|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
        eapply Rle_trans; [apply Lipschitz; lra|]; replace (norm u + m - norm u) with m by ring.
        rewrite Rabs_pos_eq; lra. }
      pose proof (Rabs_triang ((phi L (norm u + m) - phi L (norm u)) / m)
                              (s - (phi L (norm u + m) - phi L (norm u)) / m)) as apart.
      replace (_ + (s - _)) with s in apart by ring; rewrite (Rabs_minus_sym s) in apart; lra. }
    unfold term; rewrite norm_scale, Rabs_mult.
    pose proof (Cauchy_Schwarz_abs h u) as angle; pose proof (norm_nonneg h).
    rewrite Rabs_mult, (Rabs_pos_eq (norm u)) in slope by lra.
    apply Rle_trans with (Rabs (bend L (norm u) dpsi) * (norm h * norm u) * norm u).
    - apply Rmult_le_compat_r; [lra|]; apply Rmult_le_compat_l; [apply Rabs_pos|exact angle].
    - replace (_ * _ * norm u) with (norm u * Rabs (bend L (norm u) dpsi) * (norm h * norm u)) by ring.
      rewrite (Rmult_assoc K); apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|exact slope]. }
  pose proof (norm_nonneg h) as h_nonneg.
  split; [exact bound|split].
  - intros e He; exists (e / (K * norm h + 1)).
    assert (0 <= K * norm h) by (apply Rmult_le_pos; assumption).
    split; [apply Rdiv_lt_0_compat; lra|]; intros u dpsi away near differentiable.
    eapply Rle_lt_trans; [apply bound; assumption|].
    apply Rle_lt_trans with ((K * norm h + 1) * norm u); [pose proof (norm_nonneg u); nra|].
    apply Rmult_lt_reg_r with (/ (K * norm h + 1)); [apply Rinv_0_lt_compat; lra|].
    replace ((K * norm h + 1) * norm u * / (K * norm h + 1)) with (norm u) by (field; lra); exact near.
  - intros x; apply is_derive_Reals; intros e He.
    set (c := K * norm h * Rabs (dot h x)).
    assert (0 <= c) by (apply Rmult_le_pos; [apply Rmult_le_pos; assumption|apply Rabs_pos]).
    assert (small : 0 < e / (c + 1)) by (apply Rdiv_lt_0_compat; lra).
    exists (mkposreal _ small); simpl; intros t nz near.
    assert (length : forall s, norm (sub origin (scale s h)) = Rabs s * norm h).
    { intros s; rewrite <- norm_scale; unfold norm; f_equal; rewrite dot_sub, !dot_sub_r, dot_origin, dot_origin_r.
      rewrite dot_origin; ring. }
    rewrite Rplus_0_l, !length, !dot_sub, !dot_origin, !dot_scale, Rabs_R0, Rmult_0_l.
    replace (_ / t - _) with ((phi L (Rabs t * norm h) - phi L 0) * dot h x) by (field; exact nz).
    rewrite Rabs_mult.
    apply Rle_lt_trans with (c * Rabs t).
    + unfold c; replace (K * norm h * Rabs (dot h x) * Rabs t) with (K * (Rabs t * norm h) * Rabs (dot h x)) by ring.
      apply Rmult_le_compat_r; [apply Rabs_pos|]; eapply Rle_trans.
      * apply Lipschitz; [apply Rmult_le_pos; [apply Rabs_pos|exact h_nonneg]|lra].
      * rewrite Rminus_0_r, (Rabs_pos_eq (Rabs t * norm h)); [lra|].
        apply Rmult_le_pos; [apply Rabs_pos|exact h_nonneg].
    + apply Rle_lt_trans with ((c + 1) * Rabs t); [pose proof (Rabs_pos t); nra|].
      apply Rmult_lt_reg_r with (/ (c + 1)); [apply Rinv_0_lt_compat; lra|].
      replace ((c + 1) * Rabs t * / (c + 1)) with (Rabs t) by (field; lra); exact near.
Qed.
