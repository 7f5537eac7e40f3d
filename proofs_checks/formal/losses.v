(* The losses of the paper, for all thresholds: psi as printed, rho as its integral, and phi = psi(x)/x. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate.
Local Open Scope R_scope.

(* Equation (4). *)
Definition Huber_psi (a x : R) : R := if Rle_dec x a then x else a.
Definition Huber_rho (a x : R) : R := if Rle_dec x a then x ^ 2 / 2 else a * x - a ^ 2 / 2.
Definition Huber (a : R) : loss := Loss (Huber_rho a) (Huber_psi a) 1.

(* Equation (5). *)
Definition Hampel_psi (a b c x : R) : R :=
  if Rlt_dec x a then x else
  if Rlt_dec x b then a else
  if Rlt_dec x c then a * (c - x) / (c - b) else 0.
Definition Hampel_rho (a b c x : R) : R :=
  if Rlt_dec x a then x ^ 2 / 2 else
  if Rlt_dec x b then a * x - a ^ 2 / 2 else
  if Rlt_dec x c then a * (b + c - a) / 2 - a * (c - x) ^ 2 / (2 * (c - b)) else a * (b + c - a) / 2.
Definition Hampel (a b c : R) : loss := Loss (Hampel_rho a b c) (Hampel_psi a b c) 1.

(* rho(x) = x^2/2. *)
Definition quadratic : loss := Loss (fun x => x ^ 2 / 2) (fun x => x) 1.

(* rho(x) = x. What stands for phi(0) does not matter: there is no limit (see no_absolute_limit). *)
Definition absolute (phi_0 : R) : loss := Loss (fun x => x) (fun _ => 1) phi_0.

(* A function made of two that meet at a with one slope has that slope there. *)
Lemma glue (h f g : R -> R) (a x df dg : R) :
  (forall t, t < a -> h t = f t) -> (forall t, a <= t -> h t = g t) -> f a = g a ->
  (x <= a -> is_derive f x df) -> (a <= x -> is_derive g x dg) -> (x = a -> df = dg) ->
  is_derive h x (if Rlt_dec x a then df else dg).
Proof.
  intros left right meet Df Dg slopes; destruct (Rlt_dec x a) as [lt|ge].
  - apply (is_derive_ext_loc f); [|apply Df; lra].
    apply (filter_imp (fun t => t < a)); [intros t Ht; symmetry; apply left, Ht|apply (open_lt a); assumption].
  - destruct (Req_dec x a) as [->|ne].
    + specialize (slopes eq_refl); subst df; specialize (Df (Rle_refl a)); specialize (Dg (Rle_refl a)).
      destruct Df as [lin Df], Dg as [_ Dg]; split; [exact lin|]; intros y Hy e.
      specialize (Df y Hy e); specialize (Dg y Hy e).
      assert (a = y) by (apply (@is_filter_lim_locally_unique R_AbsRing R_NormedModule); exact Hy); subst y.
      generalize (filter_and _ _ Df Dg); apply filter_imp; intros t [Ht1 Ht2].
      rewrite (right a) by lra; destruct (Rlt_dec t a) as [lt|ge'].
      * rewrite left, <- meet by assumption; exact Ht1.
      * rewrite right by lra; exact Ht2.
    + apply (is_derive_ext_loc g); [|apply Dg; lra].
      apply (filter_imp (fun t => a < t)); [intros t Ht; symmetry; apply right; lra|apply (open_gt a); lra].
Qed.

(* Claim losses.huber_rho: Huber's psi is the derivative of rho(x) = x^2/2 up to a and a x - a^2/2 beyond, at the
   kink too, and rho(0) = 0. *)
Theorem Huber_slope a : 0 < a -> psi_is_slope (Huber a) /\ rho (Huber a) 0 = 0.
Proof.
  intros Ha; split; [intros x Hx|]; simpl; unfold Huber_rho, Huber_psi.
  - replace (if Rle_dec x a then x else a) with (if Rlt_dec x a then x else a)
      by (destruct (Rlt_dec x a), (Rle_dec x a); lra).
    apply (glue _ (fun t => t ^ 2 / 2) (fun t => a * t - a ^ 2 / 2)).
    + intros t Ht; destruct (Rle_dec t a); [reflexivity|lra].
    + intros t Ht; destruct (Rle_dec t a); [replace t with a by lra; field|reflexivity].
    + field.
    + intros _; auto_derive; [trivial|field].
    + intros _; auto_derive; [trivial|field].
    + intros eq; exact eq.
  - destruct (Rle_dec 0 a); [field|lra].
Qed.

(* Claim losses.hampel_rho: Hampel's psi is the derivative of rho with the pieces x^2/2, a x - a^2/2,
   a (b + c - a)/2 - a (c - x)^2/(2 (c - b)) and a (b + c - a)/2, at the kinks too, and rho(0) = 0. *)
Theorem Hampel_slope a b c : 0 < a -> a <= b -> b < c ->
  psi_is_slope (Hampel a b c) /\ rho (Hampel a b c) 0 = 0.
Proof.
  intros Ha Hab Hbc; split; [intros x Hx|]; simpl; unfold Hampel_rho, Hampel_psi.
  - apply (glue _ (fun t => t ^ 2 / 2)
      (fun t => if Rlt_dec t b then a * t - a ^ 2 / 2 else if Rlt_dec t c
        then a * (b + c - a) / 2 - a * (c - t) ^ 2 / (2 * (c - b)) else a * (b + c - a) / 2)).
    + intros t Ht; destruct (Rlt_dec t a); [reflexivity|lra].
    + intros t Ht; destruct (Rlt_dec t a); [lra|reflexivity].
    + destruct (Rlt_dec a b); [field|]; destruct (Rlt_dec a c); [replace b with a by lra; field|]; lra.
    + intros _; auto_derive; [trivial|field].
    + intros Hax; apply (glue _ (fun t => a * t - a ^ 2 / 2)
        (fun t => if Rlt_dec t c then a * (b + c - a) / 2 - a * (c - t) ^ 2 / (2 * (c - b))
          else a * (b + c - a) / 2)).
      * intros t Ht; destruct (Rlt_dec t b); [reflexivity|lra].
      * intros t Ht; destruct (Rlt_dec t b); [lra|reflexivity].
      * destruct (Rlt_dec b c); [field|]; lra.
      * intros _; auto_derive; [trivial|field].
      * intros Hbx; apply (glue _ (fun t => a * (b + c - a) / 2 - a * (c - t) ^ 2 / (2 * (c - b)))
          (fun _ => a * (b + c - a) / 2)).
        -- intros t Ht; destruct (Rlt_dec t c); [reflexivity|lra].
        -- intros t Ht; destruct (Rlt_dec t c); [lra|reflexivity].
        -- field; lra.
        -- intros _; auto_derive; [trivial|field; lra].
        -- intros _; apply @is_derive_const.
        -- intros ->; unfold zero; simpl; field; lra.
      * intros ->; destruct (Rlt_dec b c); [field|]; lra.
    + intros ->; destruct (Rlt_dec a b); [reflexivity|]; destruct (Rlt_dec a c); [|lra].
      replace b with a by lra; field; lra.
  - destruct (Rlt_dec 0 a); [field|lra].
Qed.
