(* KIRWLS from a start with J below sup rho: every iterate exists, and J does not rise. *)
From Coq Require Import Reals Lra Lia Classical.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate descent existence.
Local Open Scope R_scope.

Section Kirwls.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R) (L : loss) (w : nat -> R).
Notation J := (J n P m L).
Notation V := (V n P m L).
Notation Q := (Q n P m L).
Notation T := (step n P m L).
Notation mean_phi := (mean_phi n P m L).
Notation stationary := (stationary n P m L).
Notation f := (iterate n P m L w).

Lemma iterate_step k : f (S k) = T (f k).
Proof. reflexivity. Qed.

(* What every statement below needs, but for the continuity of phi. *)
Definition standing : Prop := simplex n m /\ psi_is_slope L /\ A1 L /\ phi_falls L.

Lemma next_below x k : standing -> 0 <= x -> J (f k) < rho L x -> J (f (S k)) <= J (f k).
Proof.
  intros [mass [slope [a1 falls]]] Hx lt; pose proof (mean_phi_positive n P m L (f k) x mass slope a1 falls Hx lt) as pos.
  destruct (descent_amount n P m L (f k) mass slope (A1_right_continuous L a1) falls pos) as [amount _].
  rewrite iterate_step; pose proof (pow2_ge_0 (norm (sub (T (f k)) (f k)))); nra.
Qed.

Lemma J_stays x k : standing -> 0 <= x -> J (f 0) < rho L x -> J (f k) <= J (f 0).
Proof.
  intros std Hx lt; induction k as [|k IH]; [lra|].
  apply Rle_trans with (J (f k)); [apply (next_below x); [exact std|exact Hx|lra]|exact IH].
Qed.

Lemma J_falls x k : standing -> 0 <= x -> J (f 0) < rho L x -> J (f (S k)) <= J (f k).
Proof.
  intros std Hx lt; apply (next_below x); [exact std|exact Hx|].
  pose proof (J_stays x k std Hx lt); lra.
Qed.

(* A differentiable rho that is nowhere above rho(r) has phi(r) = 0. *)
Lemma phi_at_the_top r : psi_is_slope L -> A1 L -> A2 L -> phi_falls L -> 0 <= r ->
  (forall x, 0 <= x -> rho L x <= rho L r) -> phi L r = 0.
Proof.
  intros slope a1 a2 falls Hr top.
  assert (flat : forall x, 0 < x -> r <= x -> phi L x = 0).
  { intros x Hx le; assert (rho L x = rho L r) as eq by (apply Rle_antisym; [apply top; lra|apply a1; lra]).
    pose proof (proj1 (is_derive_Reals _ _ _) (slope x Hx)) as der.
    assert (zero : psi L x = 0).
    { apply (deriv_maximum (rho L) 0 (x + 1) x (exist _ _ der)); try lra; intros t Ht _; rewrite eq; apply top; lra. }
    apply Rmult_eq_reg_r with x; [rewrite phi_times by exact Hx; lra|lra]. }
  destruct Hr as [pos|<-]; [apply flat; lra|].
  unfold phi; destruct (Req_EM_T 0 0); [|contradiction].
  destruct (Req_dec (phi_zero L) 0) as [|nz]; [assumption|exfalso].
  destruct (proj1 (right_limit _ _) a2 (Rabs (phi_zero L)) (Rabs_pos_lt _ nz)) as [d [Hd near]].
  specialize (near (d / 2) ltac:(lra)); pose proof (flat (d / 2) ltac:(lra) ltac:(lra)) as zero.
  unfold phi in zero; destruct (Req_EM_T (d / 2) 0); [lra|]; rewrite zero, Rminus_0_l, Rabs_Ropp in near; lra.
Qed.

(* Claim descent.no_zero_sum: the mean of phi is at least 2 (rho(x) - J(g))/x^2 for every x > 0; if J is below sup rho
   at the first iterate, the mean of phi stays above one positive number at all iterates; and where J(g) is sup rho,
   the mean of phi is 0, so that the next weights are 0/0. *)
Theorem no_zero_sum : standing -> A2 L ->
  (forall g x, 0 < x -> 2 * (rho L x - J g) / x ^ 2 <= mean_phi g) /\
  (below_sup n P m L (f 0) -> exists c, 0 < c /\ forall k, c <= mean_phi (f k)) /\
  (forall g, (forall x, 0 <= x -> rho L x <= J g) -> mean_phi g = 0).
Proof.
  intros std a2; pose proof std as [mass [slope [a1 falls]]]; split; [|split].
  - intros g x Hx; apply (floor_works n P m L g (J g) x); try assumption; lra.
  - intros [x [Hx lt]]; exists (floor L (J (f 0)) x).
    pose proof (below_positive n P m L (f 0) x mass a1 Hx lt) as pos; split.
    + apply Rdiv_lt_0_compat; [lra|apply pow_lt, pos].
    + intros k; apply floor_works; try assumption; apply (J_stays x); assumption.
  - intros g top; unfold setting.mean_phi; rewrite <- (sum_zero n); apply sum_ext; intros i Hi.
    destruct (Req_dec (m i) 0) as [->|nz]; [ring|]; assert (mi : 0 < m i) by (pose proof (proj1 mass i Hi); lra).
    rewrite phi_at_the_top; try assumption; [ring|apply norm_nonneg|]; intros x Hx.
    apply Rle_trans with (J g); [apply top, Hx|]; apply Rnot_lt_le; intros lt; apply (Rlt_irrefl (J g)).
    apply Rlt_le_trans with (sum n (fun j => J g * m j)); [|rewrite sum_scale, (proj2 mass); lra].
    apply sum_lt with i; [|exact Hi|].
    + intros j Hj; rewrite Rmult_comm; apply Rmult_le_compat_r; [apply mass, Hj|apply top, norm_nonneg].
    + rewrite Rmult_comm; apply Rmult_lt_compat_r; assumption.
Qed.

End Kirwls.
