(* The quadratic surrogate u(x; r) of a loss: equations (19) and (20). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone.
Local Open Scope R_scope.

Lemma phi_times L r : 0 < r -> phi L r * r = psi L r.
Proof. intros pos; unfold phi; destruct (Req_EM_T r 0); [lra|field; assumption]. Qed.

Lemma u_from_phi L x r : 0 <= r -> u L x r = rho L r + phi L r * (x ^ 2 - r ^ 2) / 2.
Proof.
  intros pos; unfold u; destruct (Req_dec r 0) as [->|nz]; [field|].
  rewrite <- (phi_times L r) by lra; field.
Qed.

(* Claim surrogate.touches, equation (19): u(r; r) = rho(r), and the slope of u(.; r) at r is psi(r). *)
Theorem surrogate_touches L r : 0 <= r ->
  u L r r = rho L r /\ (0 < r -> is_derive (fun x => u L x r) r (psi L r)).
Proof.
  intros pos; split; [rewrite u_from_phi by assumption; field|].
  intros gt; unfold u; auto_derive; [trivial|]; rewrite <- (phi_times L r) by assumption; field.
Qed.

(* Claim surrogate.monotone_phi, equation (20): u(x; r) >= rho(x) for all x, r >= 0 and every loss with rho' = psi
   off 0 whose phi does not increase, phi(0) included, if rho is continuous at 0. *)
Theorem surrogate_above L x r :
  psi_is_slope L -> right_continuous (rho L) -> phi_falls L -> 0 <= x -> 0 <= r -> rho L x <= u L x r.
Proof.
  intros slope start falls Hx Hr; rewrite u_from_phi by assumption.
  set (h := fun t => rho L t - phi L r * t ^ 2 / 2).
  cut (h x <= h r); [unfold h; lra|].
  set (dh := fun t => (phi L t - phi L r) * t).
  assert (der : forall t, 0 < t -> is_derive h t (dh t)).
  { intros t Ht; unfold h, dh; rewrite Rmult_minus_distr_r, phi_times by assumption.
    apply @is_derive_minus; [apply slope, Ht|]; auto_derive; [trivial|field]. }
  assert (cont : right_continuous h).
  { apply right_continuous_minus; [exact start|].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule); auto_derive; trivial. }
  destruct (Rle_dec x r) as [le|gt].
  - apply (rises h dh); try assumption; intros t Ht [_ hi].
    apply Rmult_le_pos; [specialize (falls t r)|]; lra.
  - apply (sinks h dh r x); try assumption; [lra|]; intros t Ht [lo _].
    specialize (falls r t Hr lo); replace 0 with (0 * t) by ring; apply Rmult_le_compat_r; lra.
Qed.
