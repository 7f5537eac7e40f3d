(* Huber's loss with small thresholds: the estimate is f_med, the minimiser of J of the absolute loss. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting surrogate losses losses_assumptions gateaux convexity sufficient.
From Rkde Require Import hampel convergence.
Local Open Scope R_scope.

Section Median.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R).

(* Off the rows J has a differential for every differentiable rho. *)
Lemma differential_off_rows L f h : psi_is_slope L -> (forall i, (i < n)%nat -> P i <> f) ->
  Gateaux (J n P m L) f h (- dot (V n P m L f) h).
Proof.
  intros slope off; unfold Gateaux, V; rewrite dot_comb.
  replace (- sum n _) with (sum n (fun i => m i * (phi L (residual P f i) * - dot (sub (P i) f) h))).
  2: { rewrite <- sum_opp; apply sum_ext; intros i _; ring. }
  apply (derive_sum n (fun i s => m i * rho L (norm (sub (P i) (along f h s))))); intros i Hi.
  apply (is_derive_scal _ 0 (m i)); unfold residual.
  pose proof (derivative_off_the_point L (P i) f h 0 slope) as der; rewrite along_zero in der; apply der, off, Hi.
Qed.

(* Where all residuals are at least a > 0, V of Huber's loss is a times V of the absolute loss. *)
Lemma V_of_both a phi_0 f : 0 < a -> (forall i, (i < n)%nat -> a <= residual P f i) ->
  V n P m (Huber a) f = scale a (V n P m (absolute phi_0) f).
Proof.
  intros Ha far; apply same; intros x; unfold V; rewrite dot_scale, !dot_comb, <- sum_scale; apply sum_ext.
  intros i Hi; specialize (far i Hi); unfold phi; simpl; unfold Huber_psi.
  destruct (Req_EM_T (residual P f i) 0), (Rle_dec (residual P f i) a); try lra.
  replace (residual P f i) with a by lra; field; lra.
Qed.

(* Claim limits.huber_is_median: if f minimises J of the absolute loss and is no row, and a is at most its smallest
   residual, f minimises J of Huber's loss, and it is the only minimiser if three rows on a sphere are distinct. *)
Theorem Huber_is_median a phi_0 f : simplex n m -> 0 < a -> minimiser (J n P m (absolute phi_0)) f ->
  (forall i, (i < n)%nat -> a <= residual P f i) ->
  minimiser (J n P m (Huber a)) f /\
  forall tau i j k, (forall l, (l < n)%nat -> norm (P l) = tau) ->
    (i < n)%nat -> (j < n)%nat -> (k < n)%nat -> 0 < m i -> 0 < m j -> 0 < m k ->
    P i <> P j -> P i <> P k -> P j <> P k -> forall g, minimiser (J n P m (Huber a)) g -> g = f.
Proof.
  intros mass Ha least far; destruct (absolute_outside phi_0) as [slope _].
  assert (off : forall i, (i < n)%nat -> P i <> f).
  { intros i Hi eq; specialize (far i Hi); unfold residual in far; rewrite eq, norm_sub_self in far; lra. }
  assert (zero : V n P m (absolute phi_0) f = origin).
  { apply dot_definite; set (v := V n P m (absolute phi_0) f).
    pose proof (necessary _ f v _ least (differential_off_rows (absolute phi_0) f v slope off)); unfold v in *; lra. }
  assert (zero' : V n P m (Huber a) f = origin).
  { rewrite (V_of_both a phi_0) by assumption; rewrite zero; apply same; intros x; rewrite dot_scale, dot_origin; ring. }
  destruct (Huber_slope a Ha) as [slope' _], (Huber_assumptions a Ha) as [a1 _], (Huber_convex a Ha) as [conv rises].
  destruct (sufficient n P m (Huber a) slope' a1) as [enough _].
  assert (convex_J : convex (J n P m (Huber a))).
  { intros g h l Hl; unfold J; rewrite <- !sum_scale, <- sum_add; apply sum_le; intros i Hi.
    pose proof (proj1 mass i Hi) as mi; unfold residual.
    apply Rle_trans with (m i * (l * rho (Huber a) (norm (sub (P i) g)) + (1 - l) * rho (Huber a) (norm (sub (P i) h))));
      [|lra].
    apply Rmult_le_compat_l; [exact mi|]; apply row_convex; [|exact conv|exact Hl].
    intros x y Hx [lt|<-]; [apply Rlt_le, rises; assumption|lra]. }
  assert (here : minimiser (J n P m (Huber a)) f) by (apply enough; assumption).
  split; [exact here|]; intros tau i j k sphere Hi Hj Hk mi mj mk ij ik jk g Mg.
  apply (one_minimiser (J n P m (Huber a))); [|exact Mg|exact here].
  apply (three_distinct_rows n P m (Huber a) tau i j k); assumption.
Qed.

End Median.
