(* Which of the assumptions (A1) to (A5) the losses satisfy. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone losses losses_phi.
Local Open Scope R_scope.

(* What (A1) and (A2) need: rho is x^2/2 near 0, and psi is its slope and not negative. *)
Lemma quadratic_start L a : 0 < a -> phi_zero L = 1 -> (forall x, 0 <= x < a -> rho L x = x ^ 2 / 2) ->
  (forall x, 0 <= x < a -> psi L x = x) -> psi_is_slope L -> (forall x, 0 < x -> 0 <= psi L x) -> A1 L /\ A2 L.
Proof.
  intros Ha one Erho Epsi slope sign; assert (zero : rho L 0 = 0) by (rewrite Erho by lra; field).
  split; [split; [|split; [exact zero|]]|].
  - intros x y Hx Hxy; apply (rises (rho L) (psi L)); try assumption; [|intros t Ht _; apply sign, Ht].
    apply (proj2 (right_limit _ _)); intros e pos; exists (Rmin a (Rmin 1 e)).
    split; [repeat apply Rmin_pos; lra|]; intros t Ht.
    pose proof (Rmin_l a (Rmin 1 e)); pose proof (Rmin_r a (Rmin 1 e)); pose proof (Rmin_l 1 e).
    pose proof (Rmin_r 1 e); rewrite zero, Erho by lra; apply Rabs_def1; nra.
  - apply (proj2 (right_limit _ _)); intros e pos; exists (Rmin a e); split; [apply Rmin_pos; assumption|].
    intros t Ht; pose proof (Rmin_l a e); pose proof (Rmin_r a e); rewrite Erho by lra.
    replace (t ^ 2 / 2 / t - 0) with (t / 2) by (field; lra); apply Rabs_def1; lra.
  - apply (proj2 (right_limit _ _)); intros e pos; exists a; split; [assumption|]; intros t Ht.
    rewrite Epsi, one by lra; replace (t / t - 1) with 0 by (field; lra); rewrite Rabs_R0; assumption.
Qed.

(* (A3) follows from a Lipschitz phi and psi(0) = 0. *)
Lemma Lipschitz_continuous L K : 0 < K -> phi_Lipschitz L K -> psi L 0 = 0 -> A3 L.
Proof.
  intros HK lip zero.
  assert (Cphi : continuous_on (Rle 0) (phi L)).
  { intros x Hx Pr [e all]; assert (pos : 0 < e / K) by (apply Rdiv_lt_0_compat; [apply cond_pos|assumption]).
    exists (mkposreal _ pos); intros y near Hy; apply all.
    change (Rabs (y - x) < e / K) in near; change (Rabs (phi L y - phi L x) < e).
    apply Rle_lt_trans with (K * Rabs (y - x)); [apply lip; assumption|].
    apply Rmult_lt_reg_l with (/ K); [apply Rinv_0_lt_compat, HK|].
    rewrite <- Rmult_assoc, Rinv_l by lra; lra. }
  split; [|exact Cphi].
  assert (eq : forall t, 0 <= t -> phi L t * t = psi L t).
  { intros t Ht; unfold phi; destruct (Req_EM_T t 0) as [->|nz]; [rewrite zero; ring|field; assumption]. }
  apply (continuous_on_ext _ (fun t => phi L t * t)); [exact eq|]; intros x Hx.
  apply (@filterlim_comp_2 _ _ _ _ (within (Rle 0) (locally x)) (locally (phi L x)) (locally x)).
  - apply within_filter, locally_filter.
  - exact (Cphi x Hx).
  - intros Pr [e all]; exists e; intros y near _; exact (all y near).
  - apply (@filterlim_mult R_AbsRing).
Qed.

(* Lipschitz bounds on the intervals before and after p make one for both. *)
Definition steep (f : R -> R) (K lo hi : R) : Prop :=
  forall x y, lo <= x -> x <= y -> y <= hi -> Rabs (f y - f x) <= K * (y - x).

Lemma steep_join f K lo p hi : lo <= p -> p <= hi -> steep f K lo p -> steep f K p hi -> steep f K lo hi.
Proof.
  intros Hlo Hhi one two x y Hx Hxy Hy.
  destruct (Rle_dec y p); [apply one; assumption|]; destruct (Rle_dec p x); [apply two; assumption|].
  replace (f y - f x) with ((f y - f p) + (f p - f x)) by ring.
  specialize (one x p ltac:(lra) ltac:(lra) ltac:(lra)); specialize (two p y ltac:(lra) ltac:(lra) ltac:(lra)).
  pose proof (Rabs_triang (f y - f p) (f p - f x)); lra.
Qed.

Lemma steep_Lipschitz L K : (forall hi, 0 <= hi -> steep (phi L) K 0 hi) -> phi_Lipschitz L K.
Proof.
  intros all x y Hx Hy; destruct (Rle_dec x y) as [le|gt].
  - rewrite <- Rabs_Ropp, <- (Rabs_Ropp (x - y)), (Rabs_right (- (x - y))) by lra.
    replace (- (phi L x - phi L y)) with (phi L y - phi L x) by ring; replace (- (x - y)) with (y - x) by ring.
    apply (all y); lra.
  - rewrite (Rabs_right (x - y)) by lra; apply (all x); lra.
Qed.

Lemma steep_constant f K lo hi c : 0 <= K -> (forall x, lo <= x <= hi -> f x = c) -> steep f K lo hi.
Proof.
  intros HK eq x y Hx Hxy Hy; rewrite !eq by lra; rewrite Rminus_eq_0, Rabs_R0.
  apply Rmult_le_pos; lra.
Qed.

Lemma steep_hyperbola f K lo hi k d : 0 < lo -> 0 <= k -> k / lo ^ 2 <= K ->
  (forall x, lo <= x <= hi -> f x = k / x + d) -> steep f K lo hi.
Proof.
  intros Hlo Hk HK eq x y Hx Hxy Hy; rewrite !eq by lra.
  replace (k / y + d - (k / x + d)) with (- (k * / (x * y) * (y - x))) by (field; lra).
  assert (0 < / (x * y)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (/ (x * y) <= / lo ^ 2).
  { apply Rinv_le_contravar; [apply pow_lt, Hlo|]; replace (lo ^ 2) with (lo * lo) by ring.
    apply Rmult_le_compat; lra. }
  assert (0 <= k * / (x * y)) by (apply Rmult_le_pos; lra).
  assert (k * / (x * y) <= k * / lo ^ 2) by (apply Rmult_le_compat_l; lra).
  rewrite Rabs_Ropp, Rabs_right by (apply Rle_ge, Rmult_le_pos; lra).
  apply Rmult_le_compat_r; [lra|]; unfold Rdiv in HK; lra.
Qed.

(* Claims assumptions.hold and losses.huber_rho (that psi is continuous): Huber's loss satisfies (A1) to (A5), and
   phi has the Lipschitz constant 1/a. *)
Theorem Huber_assumptions a : 0 < a ->
  A1 (Huber a) /\ A2 (Huber a) /\ A3 (Huber a) /\ A4 (Huber a) /\ A5 (Huber a) /\ phi_Lipschitz (Huber a) (/ a).
Proof.
  intros Ha; pose proof (Huber_first a Ha) as first; destruct (Huber_slope a Ha) as [slope zero].
  assert (lip : phi_Lipschitz (Huber a) (/ a)).
  { assert (K : 0 < / a) by (apply Rinv_0_lt_compat, Ha); apply steep_Lipschitz; intros hi Hhi.
    destruct (Rle_dec hi a) as [le|gt].
    - apply steep_constant with 1; [lra|]; intros x Hx; apply Huber_phi_falls; lra.
    - apply steep_join with a; try lra.
      + apply steep_constant with 1; [lra|]; intros x Hx; apply Huber_phi_falls; lra.
      + apply steep_hyperbola with a 0; try lra; [right; field; lra|]; intros x Hx; unfold phi; simpl.
        unfold Huber_psi; destruct (Req_EM_T x 0), (Rle_dec x a); try lra; replace x with a by lra; field; lra. }
  destruct (quadratic_start (Huber a) a) as [H1 H2]; try assumption; try reflexivity.
  { apply (first_rho _ _ first). } { apply (first_psi _ _ first). }
  { intros x Hx; apply (first_bounds _ a first); lra. }
  split; [exact H1|split; [exact H2|split; [|split; [|split; [exists (/ a)|]; exact lip]]]].
  - apply Lipschitz_continuous with (/ a); [apply Rinv_0_lt_compat, Ha|exact lip|].
    apply (first_psi _ _ first); lra.
  - exists (a + 1); intros x Hx; pose proof (first_bounds _ _ first x Hx).
    pose proof (first_phi_bounds _ _ first x Hx); rewrite !Rabs_right; lra.
Qed.

Lemma Hampel_phi_slope a b c x : 0 < a -> a <= b -> b < c -> b <= x <= c ->
  phi (Hampel a b c) x = a * c / (c - b) / x + - (a / (c - b)).
Proof.
  intros Ha Hab Hbc Hx; unfold phi; simpl; unfold Hampel_psi.
  destruct (Req_EM_T x 0), (Rlt_dec x a), (Rlt_dec x b); try lra; destruct (Rlt_dec x c).
  - field; lra.
  - replace x with c by lra; field; lra.
Qed.

(* Claims assumptions.hold and losses.hampel_rho (that psi is continuous): Hampel's loss satisfies (A1) to (A5), and
   phi has the Lipschitz constant max(1/a, a c/(b^2 (c - b))). *)
Theorem Hampel_assumptions a b c : 0 < a -> a <= b -> b < c ->
  A1 (Hampel a b c) /\ A2 (Hampel a b c) /\ A3 (Hampel a b c) /\ A4 (Hampel a b c) /\ A5 (Hampel a b c) /\
  phi_Lipschitz (Hampel a b c) (Rmax (/ a) (a * c / (b ^ 2 * (c - b)))).
Proof.
  intros Ha Hab Hbc; pose proof (Hampel_first a b c Ha Hab Hbc) as first.
  destruct (Hampel_slope a b c Ha Hab Hbc) as [slope zero].
  destruct (Hampel_phi_falls a b c Ha Hab Hbc) as [_ [one none]].
  set (K := Rmax _ _); assert (K1 : / a <= K) by apply Rmax_l.
  assert (K2 : a * c / (b ^ 2 * (c - b)) <= K) by apply Rmax_r.
  assert (pos : 0 < / a) by (apply Rinv_0_lt_compat, Ha).
  assert (fall : 0 <= a * c / (c - b)) by (replace c with (c - 0) at 1 by ring; apply Hampel_slope_sign; lra).
  assert (lip : phi_Lipschitz (Hampel a b c) K).
  { assert (far : steep (phi (Hampel a b c)) K 0 c).
    { apply steep_join with a; try lra; [apply steep_constant with 1; [lra|]; intros x Hx; apply one; lra|].
      apply steep_join with b; try lra.
      - apply steep_hyperbola with a 0; try lra; [replace (a / a ^ 2) with (/ a) by (field; lra); lra|].
        intros x Hx; destruct (Req_dec x b) as [->|ne].
        + rewrite Hampel_phi_slope by lra; field; lra.
        + unfold phi; simpl; unfold Hampel_psi.
          destruct (Req_EM_T x 0), (Rlt_dec x a), (Rlt_dec x b); lra.
      - apply steep_hyperbola with (a * c / (c - b)) (- (a / (c - b))); try lra.
        + replace (a * c / (c - b) / b ^ 2) with (a * c / (b ^ 2 * (c - b))) by (field; lra); lra.
        + intros x Hx; apply Hampel_phi_slope; lra. }
    apply steep_Lipschitz; intros hi Hhi; destruct (Rle_dec hi c) as [le|gt].
    - intros x y Hx Hxy Hy; apply far; lra.
    - apply steep_join with c; try lra; [exact far|].
      apply steep_constant with 0; [lra|]; intros x Hx; apply none; lra. }
  destruct (quadratic_start (Hampel a b c) a) as [H1 H2]; try assumption; try reflexivity.
  { apply (first_rho _ _ first). } { apply (first_psi _ _ first). }
  { intros x Hx; apply (first_bounds _ a first); lra. }
  split; [exact H1|split; [exact H2|split; [|split; [|split; [exists K|]; exact lip]]]].
  - apply Lipschitz_continuous with K; [lra|exact lip|apply (first_psi _ _ first); lra].
  - exists (a + 1); intros x Hx; pose proof (first_bounds _ _ first x Hx).
    pose proof (first_phi_bounds _ _ first x Hx); rewrite !Rabs_right; lra.
Qed.

Lemma quadratic_phi x : phi quadratic x = 1.
Proof. unfold phi; simpl; destruct (Req_EM_T x 0); [reflexivity|field; assumption]. Qed.

(* Claim other_losses.quadratic: the quadratic loss has phi = 1; it satisfies (A1) to (A3) and (A5), but not (A4). *)
Theorem quadratic_assumptions :
  psi_is_slope quadratic /\ (forall x, phi quadratic x = 1) /\
  A1 quadratic /\ A2 quadratic /\ A3 quadratic /\ A5 quadratic /\ ~ A4 quadratic.
Proof.
  assert (slope : psi_is_slope quadratic) by (intros x _; simpl; auto_derive; [trivial|field]).
  assert (lip : phi_Lipschitz quadratic 1).
  { intros x y _ _; rewrite !quadratic_phi, Rminus_eq_0, Rabs_R0; pose proof (Rabs_pos (x - y)); lra. }
  destruct (quadratic_start quadratic 1) as [H1 H2]; try reflexivity; try assumption; [lra|simpl; intros; lra|].
  split; [exact slope|split; [exact quadratic_phi|split; [exact H1|split; [exact H2|split; [|split]]]]].
  - apply Lipschitz_continuous with 1; [lra|exact lip|reflexivity].
  - exists 1; exact lip.
  - intros [B bound]; pose proof (Rabs_pos B); destruct (bound (Rabs B + 1)) as [le _]; [lra|].
    simpl in le; rewrite Rabs_right in le by lra; pose proof (Rle_abs B); lra.
Qed.

(* Claim assumptions.absolute_outside: for rho(x) = x, (A1) fails, and so do (A2) to (A5), whatever stands
   for phi(0). *)
Theorem absolute_outside phi_0 :
  psi_is_slope (absolute phi_0) /\ ~ A1 (absolute phi_0) /\ ~ A2 (absolute phi_0) /\ ~ A3 (absolute phi_0) /\
  ~ A4 (absolute phi_0) /\ ~ A5 (absolute phi_0).
Proof.
  assert (value : forall x, 0 < x -> phi (absolute phi_0) x = / x).
  { intros x Hx; unfold phi; simpl; destruct (Req_EM_T x 0); lra. }
  assert (grows : forall l d, 0 < d -> exists x, 0 < x < d /\ 1 <= Rabs (/ x - l)).
  { intros l d Hd; pose proof (Rabs_pos l); pose proof (Rle_abs l).
    set (x := / (Rabs l + 2 + / d)); assert (0 < / d) by (apply Rinv_0_lt_compat, Hd).
    exists x; split; [split; [apply Rinv_0_lt_compat; lra|]|].
    - rewrite <- (Rinv_inv d); apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
    - unfold x; rewrite Rinv_inv, Rabs_right; lra. }
  assert (no_limit : forall l, ~ filterlim (phi (absolute phi_0)) (at_right 0) (locally l)).
  { intros l lim; destruct (proj1 (right_limit _ _) lim 1 Rlt_0_1) as [d [Hd near]].
    destruct (grows l d Hd) as [x [Hx far]]; specialize (near x Hx); rewrite value in near; lra. }
  assert (A3_fails : ~ continuous_on (Rle 0) (phi (absolute phi_0))).
  { intros cont; apply (no_limit (phi (absolute phi_0) 0)); intros Pr nb.
    destruct (cont 0 (Rle_refl 0) Pr nb) as [e all]; exists e; intros y near Hy; apply all; [exact near|lra]. }
  split; [|split; [|split; [|split; [|split]]]].
  - intros x _; simpl; apply @is_derive_id.
  - intros [_ [_ lim]]; destruct (proj1 (right_limit _ _) lim 1 Rlt_0_1) as [d [Hd near]].
    specialize (near (d / 2) ltac:(lra)); simpl in near; replace (d / 2 / (d / 2) - 0) with 1 in near by (field; lra).
    rewrite Rabs_R1 in near; lra.
  - intros lim; apply (no_limit phi_0); apply (proj2 (right_limit _ _)); intros e pos.
    destruct (proj1 (right_limit _ _) lim e pos) as [d [Hd near]]; exists d; split; [assumption|].
    intros x Hx; specialize (near x Hx); simpl in near; rewrite value by lra.
    replace (/ x) with (1 / x) by (field; lra); exact near.
  - intros [_ cont]; exact (A3_fails cont).
  - intros [B bound]; destruct (grows (B) 1 Rlt_0_1) as [x [Hx far]].
    assert (0 < / x) by (apply Rinv_0_lt_compat; lra).
    destruct (bound x) as [_ le]; [lra|]; rewrite value, Rabs_right in le by lra.
    destruct (grows (Rabs B + Rabs B) (/ (Rabs B + 1))) as [y [Hy _]].
    { apply Rinv_0_lt_compat; pose proof (Rabs_pos B); lra. }
    destruct (bound y) as [_ ley]; [lra|]; assert (0 < / y) by (apply Rinv_0_lt_compat; lra).
    rewrite value, Rabs_right in ley by lra.
    assert (Rabs B + 1 < / y).
    { rewrite <- (Rinv_inv (Rabs B + 1)); apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra|lra]. }
    pose proof (Rle_abs B); lra.
  - intros [K lip]; apply A3_fails.
    destruct (Lipschitz_continuous (Loss (fun x => x) (fun x => if Req_EM_T x 0 then 0 else 1) phi_0)
      (Rabs K + 1)) as [_ cont].
    + pose proof (Rabs_pos K); lra.
    + intros x y Hx Hy; specialize (lip x y Hx Hy).
      replace (phi (Loss _ _ _) x) with (phi (absolute phi_0) x)
        by (unfold phi; simpl; destruct (Req_EM_T x 0); reflexivity).
      replace (phi (Loss _ _ _) y) with (phi (absolute phi_0) y)
        by (unfold phi; simpl; destruct (Req_EM_T y 0); reflexivity).
      eapply Rle_trans; [exact lip|]; apply Rmult_le_compat_r; [apply Rabs_pos|]; pose proof (Rle_abs K); lra.
    + simpl; destruct (Req_EM_T 0 0); lra.
    + apply (continuous_on_ext _ (phi (Loss (fun x => x) (fun x => if Req_EM_T x 0 then 0 else 1) phi_0)));
        [|exact cont].
      intros x _; unfold phi; simpl; destruct (Req_EM_T x 0); reflexivity.
Qed.
