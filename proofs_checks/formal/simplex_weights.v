(* The weights of a step of KIRWLS are nonnegative because rho does not decrease. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate descent.
Local Open Scope R_scope.

Lemma slope_of_rising (f : R -> R) (x d : R) : 0 < x -> (forall a b, 0 <= a -> a <= b -> f a <= f b) ->
  is_derive f x d -> 0 <= d.
Proof.
  intros positive rising derivative; apply is_derive_Reals in derivative; apply Rnot_lt_le; intros negative.
  destruct (derivative (- d)) as [e close]; [lra|].
  assert (0 < e) by (destruct e; assumption).
  specialize (close (e / 2)); rewrite (Rabs_pos_eq (e / 2)) in close by lra.
  specialize (close ltac:(lra) ltac:(lra)); apply Rabs_def2 in close.
  assert (0 <= (f (x + e / 2) - f x) / (e / 2)).
  { apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; lra].
    pose proof (rising x (x + e / 2) ltac:(lra) ltac:(lra)); lra. }
  lra.
Qed.

Lemma phi_of_rising (L : loss) : psi_is_slope L -> (forall x y, 0 <= x -> x <= y -> rho L x <= rho L y) -> A2 L ->
  forall x, 0 <= x -> 0 <= phi L x.
Proof.
  intros slope rising finite.
  assert (above : forall x, 0 < x -> 0 <= psi L x / x).
  { intros x positive; apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; exact positive].
    apply (slope_of_rising (rho L) x); auto. }
  intros x nonneg; unfold phi; destruct (Req_EM_T x 0) as [->|nz]; [|apply above; lra].
  apply Rnot_lt_le; intros negative.
  assert (half : 0 < - phi_zero L / 2) by lra.
  pose proof (proj1 (filterlim_locally (F := at_right 0) (fun x => psi L x / x) (phi_zero L)) finite
                    (mkposreal _ half)) as near.
  apply at_right_elim in near; destruct near as [d [Hd near]].
  specialize (near (d / 2) ltac:(lra)); change (Rabs (psi L (d / 2) / (d / 2) - phi_zero L) < - phi_zero L / 2) in near.
  apply Rabs_def2 in near; pose proof (above (d / 2) ltac:(lra)); lra.
Qed.

(* Claim weights.simplex: if rho does not decrease and (A2) holds, each step of KIRWLS from an f at which some
   phi(r_i) is positive gives weights that are nonnegative and sum to 1. *)
Theorem weights_in_the_simplex (H : space) n (P : nat -> H) (L : loss) (f : H) :
  psi_is_slope L -> (forall x y, 0 <= x -> x <= y -> rho L x <= rho L y) -> A2 L ->
  (exists i, (i < n)%nat /\ 0 < phi L (residual P f i)) ->
  simplex n (next_weights n P (equal n) L f).
Proof.
  intros slope rising finite [j [Hj positive]].
  assert (mass : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  assert (each : forall i, (i < n)%nat -> 0 <= equal n i * phi L (residual P f i)).
  { intros i _; apply Rmult_le_pos; [unfold equal; lra|apply phi_of_rising; try assumption].
    unfold residual; apply norm_nonneg. }
  apply next_weights_simplex; [exact each|]; unfold mean_phi.
  eapply Rlt_le_trans; [|apply (sum_term n _ j); [exact each|exact Hj]].
  apply Rmult_lt_0_compat; [exact mass|exact positive].
Qed.
