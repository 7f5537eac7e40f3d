(* KIRWLS with the losses of the paper: where Theorem 3 and its corollary apply. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space product setting monotone convexity losses losses_phi losses_assumptions hampel.
From Rkde Require Import iterates theorem_3 corollary.
Local Open Scope R_scope.

(* rho is convex where psi does not decrease: it lies above its tangents. *)
Lemma convex_of_slope L : psi_is_slope L -> right_continuous (rho L) ->
  (forall x y, 0 < x -> x <= y -> psi L x <= psi L y) -> rho_convex L.
Proof.
  intros slope start up; assert (tangent : forall z t, 0 < z -> 0 <= t -> rho L z + psi L z * (t - z) <= rho L t).
  { intros z t Hz Ht; set (h := fun s => rho L s - psi L z * s); set (dh := fun s => psi L s - psi L z).
    assert (der : forall s, 0 < s -> is_derive h s (dh s)).
    { intros s Hs; apply @is_derive_minus; [apply slope, Hs|]; auto_derive; [trivial|ring]. }
    assert (cont : right_continuous h).
    { apply right_continuous_minus; [exact start|].
      apply (@ex_derive_continuous R_AbsRing R_NormedModule); auto_derive; trivial. }
    cut (h z <= h t); [unfold h; lra|]; destruct (Rle_dec z t) as [le|gt].
    - apply (rises h dh); try assumption; [lra|]; intros s Hs [lo _]; unfold dh; specialize (up z s Hz lo); lra.
    - apply (sinks h dh t z); try assumption; [lra|]; intros s Hs [_ hi]; unfold dh; specialize (up s z Hs hi); lra. }
  intros x y l Hx Hy Hl; set (z := l * x + (1 - l) * y).
  assert (Hz : 0 <= z) by (apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra).
  destruct Hz as [pos|zero].
  - pose proof (tangent z x pos Hx) as Tx; pose proof (tangent z y pos Hy) as Ty.
    apply (Rmult_le_compat_l l) in Tx; [|lra]; apply (Rmult_le_compat_l (1 - l)) in Ty; [|lra].
    replace (rho L z) with (l * (rho L z + psi L z * (x - z)) + (1 - l) * (rho L z + psi L z * (y - z)))
      by (unfold z; ring); lra.
  - rewrite <- zero; assert (x = 0) as -> by (unfold z in zero; nra); assert (y = 0) as -> by (unfold z in zero; nra); lra.
Qed.

Lemma Huber_convex a : 0 < a -> rho_convex (Huber a) /\ rho_strictly_rises (Huber a).
Proof.
  intros Ha; split.
  - apply convex_of_slope; [apply Huber_slope, Ha|apply A1_right_continuous, Huber_assumptions, Ha|].
    intros x y Hx Hxy; simpl; unfold Huber_psi; destruct (Rle_dec x a), (Rle_dec y a); lra.
  - intros x y Hx Hxy; simpl; unfold Huber_rho; destruct (Rle_dec x a), (Rle_dec y a); nra.
Qed.

Section Losses.
Context {H : space} (n : nat) (P : nat -> H) (m w : nat -> R).
Hypotheses (mass : simplex n m) (start : simplex n w).

(* Claim convergence.convex: for a convex, strictly increasing rho with (A1), (A3) and a phi that never rises, and three
   distinct rows on a sphere, the iterates of KIRWLS converge, from any weights, to the one minimiser of J. *)
Theorem convex_loss_converges L tau i j k : psi_is_slope L -> A1 L -> A3 L -> phi_falls L ->
  rho_convex L -> rho_strictly_rises L -> (forall l, (l < n)%nat -> norm (P l) = tau) ->
  (i < n)%nat -> (j < n)%nat -> (k < n)%nat -> 0 < m i -> 0 < m j -> 0 < m k ->
  P i <> P j -> P i <> P k -> P j <> P k ->
  exists f, (forall g, minimiser (J n P m L) g <-> g = f) /\
    is_lim_seq (fun s => norm (sub (iterate n P m L w s) f)) 0.
Proof.
  intros slope a1 a3 falls conv rises sphere Hi Hj Hk mi mj mk ij ik jk.
  assert (strict : strictly_convex (J n P m L)) by (apply (three_distinct_rows n P m L tau i j k); assumption).
  destruct (corollary n P m L (P i) (P j) w ij mass slope a1 a3 falls strict start) as [f [_ [only lim]]].
  exists f; split; assumption.
Qed.

(* Claim theorems.corollary: so it is for Huber's loss with every a > 0. *)
Theorem Huber_converges a tau i j k : 0 < a -> (forall l, (l < n)%nat -> norm (P l) = tau) ->
  (i < n)%nat -> (j < n)%nat -> (k < n)%nat -> 0 < m i -> 0 < m j -> 0 < m k ->
  P i <> P j -> P i <> P k -> P j <> P k ->
  exists f, (forall g, minimiser (J n P m (Huber a)) g <-> g = f) /\
    is_lim_seq (fun s => norm (sub (iterate n P m (Huber a) w s) f)) 0.
Proof.
  intros Ha sphere; destruct (Huber_slope a Ha) as [slope _], (Huber_convex a Ha) as [conv rises].
  destruct (Huber_assumptions a Ha) as [a1 [_ [a3 _]]], (Huber_phi_falls a Ha) as [falls _].
  apply (convex_loss_converges (Huber a) tau); assumption.
Qed.

(* Claim theorems.theorem_3: so it is for Huber's loss from every start, and for Hampel's loss from every start with
   J below a (b + c - a)/2, its largest value. *)
Theorem losses_converge_to_S a b c : 0 < a -> a <= b -> b < c ->
  is_lim_seq (fun k => distance (stationary n P m (Huber a)) (iterate n P m (Huber a) w k)) 0 /\
  (J n P m (Hampel a b c) (iterate n P m (Hampel a b c) w 0) < a * (b + c - a) / 2 ->
    is_lim_seq (fun k => distance (stationary n P m (Hampel a b c)) (iterate n P m (Hampel a b c) w k)) 0).
Proof.
  intros Ha Hab Hbc; split.
  - destruct (Huber_assumptions a Ha) as [a1 [_ [a3 _]]].
    apply theorem_3; try assumption; [apply Huber_slope, Ha|apply Huber_phi_falls, Ha|].
    set (v := J n P m (Huber a) (iterate n P m (Huber a) w 0)); exists (a + (Rabs v + a ^ 2) / a).
    assert (pos : 0 < (Rabs v + a ^ 2) / a).
    { apply Rdiv_lt_0_compat; [|exact Ha]; pose proof (Rabs_pos v); pose proof (pow_lt a 2 Ha); lra. }
    split; [lra|]; cbn [rho Huber]; unfold Huber_rho; destruct (Rle_dec _ a); [lra|].
    replace (a * (a + (Rabs v + a ^ 2) / a) - a ^ 2 / 2) with (Rabs v + 3 * a ^ 2 / 2) by (field; lra).
    pose proof (Rle_abs v); pose proof (pow_lt a 2 Ha); fold v; lra.
  - intros low; destruct (Hampel_assumptions a b c Ha Hab Hbc) as [a1 [_ [a3 _]]].
    apply theorem_3; try assumption; [apply Hampel_slope; assumption|apply Hampel_phi_falls; assumption|].
    exists c; split; [lra|]; change (rho (Hampel a b c) c) with (Hampel_rho a b c c).
    rewrite Hampel_rho_beyond by lra; exact low.
Qed.

End Losses.
