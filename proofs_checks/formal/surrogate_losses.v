(* The surrogate for Huber's and Hampel's losses, on the half-line and on the line, and why phi must not rise. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate losses losses_phi losses_assumptions.
Local Open Scope R_scope.

(* Claim surrogate.above: u(x; r) >= rho(x) for all x, r >= 0 and all thresholds of Huber's and Hampel's losses. *)
Theorem surrogate_of_losses a b c x r : 0 < a -> a <= b -> b < c -> 0 <= x -> 0 <= r ->
  rho (Huber a) x <= u (Huber a) x r /\ rho (Hampel a b c) x <= u (Hampel a b c) x r.
Proof.
  intros Ha Hab Hbc Hx Hr; split; apply surrogate_above; try assumption.
  - apply Huber_slope, Ha.
  - apply A1_right_continuous, Huber_assumptions, Ha.
  - apply Huber_phi_falls, Ha.
  - apply Hampel_slope; assumption.
  - apply A1_right_continuous, Hampel_assumptions; assumption.
  - apply Hampel_phi_falls; assumption.
Qed.

(* A loss continued to the line: rho even, psi odd, phi even. *)
Definition even_rho (L : loss) (x : R) : R := rho L (Rabs x).
Definition odd_psi (L : loss) (x : R) : R := if Rle_dec 0 x then psi L x else - psi L (- x).
Definition even_phi (L : loss) (x : R) : R := phi L (Rabs x).
Definition even_u (L : loss) (x r : R) : R :=
  even_rho L r - / 2 * r * odd_psi L r + / 2 * even_phi L r * x ^ 2.

Lemma even_u_from_u L x r : even_u L x r = u L (Rabs x) (Rabs r).
Proof.
  unfold even_u, u, even_rho, even_phi, odd_psi; rewrite pow2_abs.
  replace (/ 2 * r * _) with (/ 2 * Rabs r * psi L (Rabs r)); [reflexivity|].
  destruct (Rle_dec 0 r); [rewrite Rabs_right by lra; ring|rewrite Rabs_left by lra; ring].
Qed.

(* Claim surrogate.real_arguments: with rho continued evenly u(x; r) >= rho(x) for all real x and r. *)
Theorem surrogate_on_the_line a b c x r : 0 < a -> a <= b -> b < c ->
  even_rho (Huber a) x <= even_u (Huber a) x r /\ even_rho (Hampel a b c) x <= even_u (Hampel a b c) x r.
Proof.
  intros Ha Hab Hbc; rewrite !even_u_from_u; apply surrogate_of_losses; try assumption; apply Rabs_pos.
Qed.

(* rho(x) = x^4/4. *)
Definition quartic : loss := Loss (fun x => x ^ 4 / 4) (fun x => x ^ 3) 0.

Lemma quartic_phi x : phi quartic x = x ^ 2.
Proof. unfold phi; simpl; destruct (Req_EM_T x 0) as [->|nz]; [ring|field; assumption]. Qed.

Lemma quartic_assumptions : psi_is_slope quartic /\ A1 quartic /\ A2 quartic /\ A3 quartic.
Proof.
  split; [|split; [split; [|split]|split; [|split]]].
  - intros x _; simpl; auto_derive; [trivial|field].
  - intros x y Hx Hxy; change (x ^ 4 / 4 <= y ^ 4 / 4); apply Rmult_le_compat_r; [lra|apply pow_incr; lra].
  - simpl; field.
  - apply (proj2 (right_limit _ _)); intros e pos; exists (Rmin 1 e); split; [apply Rmin_pos; lra|].
    intros x Hx; pose proof (Rmin_l 1 e); pose proof (Rmin_r 1 e); change (rho quartic x) with (x ^ 4 / 4).
    replace (x ^ 4 / 4 / x - 0) with (x * x * x / 4) by (field; lra).
    assert (0 <= x * x <= 1) by nra; apply Rabs_def1; nra.
  - apply (proj2 (right_limit _ _)); intros e pos; exists (Rmin 1 e); split; [apply Rmin_pos; lra|].
    intros x Hx; pose proof (Rmin_l 1 e); pose proof (Rmin_r 1 e); simpl.
    replace (x * (x * (x * 1)) / x - 0) with (x * x) by (field; lra); apply Rabs_def1; nra.
  - intros x _; apply (filterlim_filter_le_1 (F := locally x)); [apply filter_le_within|].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule); simpl; auto_derive; trivial.
  - apply (continuous_on_ext _ (fun x => x ^ 2)); [intros x _; symmetry; apply quartic_phi|].
    intros x _; apply (filterlim_filter_le_1 (F := locally x)); [apply filter_le_within|].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule); simpl; auto_derive; trivial.
Qed.

(* Claim surrogate.needs_monotone_phi: (A1) to (A3) alone do not give u(x; r) >= rho(x): rho(x) = x^4/4 satisfies
   them, and u(2; 1) = 7/4 is less than 4 = rho(2). *)
Theorem surrogate_needs_falling_phi :
  exists L, psi_is_slope L /\ A1 L /\ A2 L /\ A3 L /\ u L 2 1 = 7 / 4 /\ rho L 2 = 4.
Proof.
  exists quartic; destruct quartic_assumptions as [H0 [H1 [H2 H3]]].
  repeat (split; [assumption|]); split; [unfold u; rewrite quartic_phi|]; simpl; field.
Qed.
