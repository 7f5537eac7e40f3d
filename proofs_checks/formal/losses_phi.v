(* psi, phi and q of the losses: bounds and signs. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting losses.
Local Open Scope R_scope.

(* A loss that is x^2/2 on 0 <= x < a, and whose psi neither rises nor is negative from a on. *)
Record quadratic_at_first (L : loss) (a : R) : Prop := {
  first_positive : 0 < a;
  first_phi : phi_zero L = 1;
  first_rho : forall x, 0 <= x < a -> rho L x = x ^ 2 / 2;
  first_psi : forall x, 0 <= x < a -> psi L x = x;
  later_top : psi L a <= a;
  later_falls : forall x y, a <= x -> x <= y -> psi L y <= psi L x;
  later_sign : forall x, a <= x -> 0 <= psi L x
}.

Lemma Hampel_slope_piece a b c x y : 0 < a -> b < c -> x <= y ->
  a * (c - y) / (c - b) <= a * (c - x) / (c - b).
Proof.
  intros Ha Hbc Hxy; unfold Rdiv; apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
  apply Rmult_le_compat_l; lra.
Qed.

Lemma Hampel_slope_sign a b c x : 0 < a -> b < c -> x <= c -> 0 <= a * (c - x) / (c - b).
Proof.
  intros; apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply Rlt_le, Rinv_0_lt_compat; lra].
Qed.

Lemma Hampel_slope_top a b c x : 0 < a -> b < c -> b <= x -> a * (c - x) / (c - b) <= a.
Proof.
  intros; apply Rle_trans with (a * (c - b) / (c - b)); [apply Hampel_slope_piece; assumption|].
  right; field; lra.
Qed.

Lemma Huber_first a : 0 < a -> quadratic_at_first (Huber a) a.
Proof.
  intros Ha; split; simpl; unfold Huber_rho, Huber_psi; try assumption; try reflexivity;
    intros; repeat destruct (Rle_dec _ _); lra.
Qed.

Lemma Hampel_first a b c : 0 < a -> a <= b -> b < c -> quadratic_at_first (Hampel a b c) a.
Proof.
  intros Ha Hab Hbc; split; simpl; unfold Hampel_rho, Hampel_psi; try assumption; try reflexivity.
  - intros x Hx; destruct (Rlt_dec x a); [reflexivity|lra].
  - intros x Hx; destruct (Rlt_dec x a); [reflexivity|lra].
  - destruct (Rlt_dec a a), (Rlt_dec a b), (Rlt_dec a c); try lra; apply Hampel_slope_top; lra.
  - intros x y Hx Hxy; destruct (Rlt_dec x a), (Rlt_dec y a); try lra.
    destruct (Rlt_dec x b), (Rlt_dec y b); try lra.
    + destruct (Rlt_dec y c); [apply Hampel_slope_top|]; lra.
    + destruct (Rlt_dec x c), (Rlt_dec y c); try lra; [apply Hampel_slope_piece|apply Hampel_slope_sign]; lra.
  - intros x Hx; destruct (Rlt_dec x a), (Rlt_dec x b), (Rlt_dec x c); try lra; apply Hampel_slope_sign; lra.
Qed.

Section First.
Variables (L : loss) (a : R).
Hypothesis first : quadratic_at_first L a.

Lemma first_bounds x : 0 <= x -> 0 <= psi L x <= a /\ psi L x <= x.
Proof.
  destruct first as [Ha _ _ eq top falls sign]; intros Hx; destruct (Rlt_dec x a) as [lt|ge].
  - rewrite eq by lra; lra.
  - specialize (falls a x (Rle_refl a) ltac:(lra)); specialize (sign x ltac:(lra)); lra.
Qed.

Lemma first_phi_bounds x : 0 <= x -> 0 <= phi L x <= 1.
Proof.
  intros Hx; unfold phi; destruct (Req_EM_T x 0) as [|nz]; [rewrite (first_phi _ _ first); lra|].
  destruct (first_bounds x Hx) as [[lo _] hi]; split.
  - apply Rmult_le_pos; [assumption|apply Rlt_le, Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with x; [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma first_phi_one x : 0 <= x -> x < a -> phi L x = 1.
Proof.
  intros Hx Hxa; unfold phi; destruct (Req_EM_T x 0) as [|nz]; [apply (first_phi _ _ first)|].
  rewrite (first_psi _ _ first) by lra; field; assumption.
Qed.

Lemma first_falls : phi_falls L.
Proof.
  intros x y Hx Hxy; destruct (Rlt_dec x a) as [lt|ge].
  - rewrite (first_phi_one x) by assumption; apply first_phi_bounds; lra.
  - pose proof (first_positive _ _ first); unfold phi.
    destruct (Req_EM_T x 0), (Req_EM_T y 0); try lra.
    pose proof (later_falls _ _ first x y ltac:(lra) Hxy); pose proof (later_sign _ _ first y ltac:(lra)).
    apply Rmult_le_compat; try assumption; [apply Rlt_le, Rinv_0_lt_compat; lra|].
    apply Rinv_le_contravar; lra.
Qed.

End First.

(* Claim losses.phi_nonincreasing: phi(x) = psi(x)/x of Huber's loss never increases, and is 1 on 0 <= x <= a. *)
Theorem Huber_phi_falls a : 0 < a ->
  phi_falls (Huber a) /\ forall x, 0 <= x <= a -> phi (Huber a) x = 1.
Proof.
  intros Ha; split; [apply (first_falls _ a), Huber_first, Ha|]; intros x Hx.
  unfold phi; simpl; unfold Huber_psi; destruct (Req_EM_T x 0), (Rle_dec x a); try lra; field; assumption.
Qed.

(* Claim losses.phi_nonincreasing: phi of Hampel's loss never increases, is 1 on 0 <= x <= a, and 0 from c on. *)
Theorem Hampel_phi_falls a b c : 0 < a -> a <= b -> b < c ->
  phi_falls (Hampel a b c) /\ (forall x, 0 <= x <= a -> phi (Hampel a b c) x = 1) /\
  (forall x, c <= x -> phi (Hampel a b c) x = 0).
Proof.
  intros Ha Hab Hbc; split; [apply (first_falls _ a), Hampel_first; assumption|]; split; intros x Hx;
    unfold phi; simpl; unfold Hampel_psi; destruct (Req_EM_T x 0); try lra.
  - destruct (Rlt_dec x a); [field; assumption|]; replace x with a by lra.
    destruct (Rlt_dec a b); [field; lra|]; destruct (Rlt_dec a c); [|lra].
    replace b with a by lra; field; lra.
  - destruct (Rlt_dec x a), (Rlt_dec x b), (Rlt_dec x c); lra.
Qed.

(* Claim losses.psi_bounded: 0 <= psi <= a for Huber's and Hampel's losses, and psi of the quadratic loss has no
   upper bound. *)
Theorem psi_bounds a b c : 0 < a -> a <= b -> b < c ->
  (forall x, 0 <= x -> 0 <= psi (Huber a) x <= a) /\
  (forall x, 0 <= x -> 0 <= psi (Hampel a b c) x <= a) /\
  forall B, exists x, 0 <= x /\ B < psi quadratic x.
Proof.
  intros Ha Hab Hbc; split; [|split]; intros x.
  - apply first_bounds, Huber_first, Ha.
  - apply first_bounds, Hampel_first; assumption.
  - exists (Rabs x + 1); simpl; pose proof (Rabs_pos x); pose proof (Rle_abs x); lra.
Qed.

Lemma derive_near (f g : R -> R) (lo hi t d : R) :
  lo < t < hi -> (forall s, lo < s < hi -> f s = g s) -> is_derive g t d -> is_derive f t d.
Proof.
  intros Ht eq; apply is_derive_ext_loc.
  apply (filter_imp (fun s => lo < s /\ s < hi)); [intros s Hs; symmetry; apply eq, Hs|].
  apply filter_and; [apply (open_gt lo)|apply (open_lt hi)]; lra.
Qed.

(* Claim losses.q_sign: off the kink Huber's psi has a derivative, and q(x) = x psi'(x) - psi(x) is 0 below a and
   -a above. *)
Theorem Huber_q a x : 0 < a -> 0 < x -> x <> a ->
  exists d, is_derive (psi (Huber a)) x d /\ x * d - psi (Huber a) x = (if Rlt_dec x a then 0 else - a) /\
    x * d - psi (Huber a) x <= 0.
Proof.
  intros Ha Hx ne; exists (if Rlt_dec x a then 1 else 0); simpl.
  destruct (Rlt_dec x a) as [lt|ge]; split.
  - apply derive_near with (fun t => t) 0 a; [lra| |apply @is_derive_id].
    intros s Hs; unfold Huber_psi; destruct (Rle_dec s a); lra.
  - unfold Huber_psi; destruct (Rle_dec x a); lra.
  - apply derive_near with (fun _ => a) a (x + 1); [lra| |apply @is_derive_const].
    intros s Hs; unfold Huber_psi; destruct (Rle_dec s a); lra.
  - unfold Huber_psi; destruct (Rle_dec x a); lra.
Qed.

(* Claim losses.q_sign: off the kinks Hampel's psi has a derivative, and q is 0, -a, -a c/(c - b) and 0 on the
   four pieces. *)
Theorem Hampel_q a b c x : 0 < a -> a <= b -> b < c -> 0 < x -> x <> a -> x <> b -> x <> c ->
  exists d, is_derive (psi (Hampel a b c)) x d /\
    x * d - psi (Hampel a b c) x =
      (if Rlt_dec x a then 0 else if Rlt_dec x b then - a else if Rlt_dec x c then - (a * c / (c - b)) else 0) /\
    x * d - psi (Hampel a b c) x <= 0.
Proof.
  intros Ha Hab Hbc Hx na nb nc; simpl.
  assert (fall : 0 <= a * c / (c - b)) by (replace c with (c - 0) at 1 by ring; apply Hampel_slope_sign; lra).
  exists (if Rlt_dec x a then 1 else if Rlt_dec x b then 0 else if Rlt_dec x c then - (a / (c - b)) else 0).
  split; [|unfold Hampel_psi; destruct (Rlt_dec x a); [lra|]; destruct (Rlt_dec x b); [lra|];
    destruct (Rlt_dec x c); [|lra]; replace (x * _ - _) with (- (a * c / (c - b))) by (field; lra); lra].
  destruct (Rlt_dec x a) as [lt|ge].
  { apply derive_near with (fun t => t) 0 a; [lra| |apply @is_derive_id].
    intros s Hs; unfold Hampel_psi; destruct (Rlt_dec s a); lra. }
  destruct (Rlt_dec x b) as [lt|ge'].
  { apply derive_near with (fun _ => a) a b; [lra| |apply @is_derive_const].
    intros s Hs; unfold Hampel_psi; destruct (Rlt_dec s a), (Rlt_dec s b); lra. }
  destruct (Rlt_dec x c) as [lt|ge''].
  { apply derive_near with (fun t => a * (c - t) / (c - b)) b c; [lra| |auto_derive; [trivial|field; lra]].
    intros s Hs; unfold Hampel_psi; destruct (Rlt_dec s a), (Rlt_dec s b), (Rlt_dec s c); lra. }
  apply derive_near with (fun _ => 0) c (x + 1); [lra| |apply @is_derive_const].
  intros s Hs; unfold Hampel_psi; destruct (Rlt_dec s a), (Rlt_dec s b), (Rlt_dec s c); lra.
Qed.
