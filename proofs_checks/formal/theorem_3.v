(* Theorem 3 as it should read. *)
From Coq Require Import Reals Lra Lia Classical.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone surrogate descent continuity compact existence iterates.
Local Open Scope R_scope.

(* The distance of f from a set, the greatest lower bound of the |f - g|. *)
Definition distance {H : space} (S : H -> Prop) (f : H) : R :=
  real (Glb_Rbar (fun d => exists g, S g /\ d = norm (sub f g))).

Lemma distance_bounds {H : space} (S : H -> Prop) (f g : H) : S g -> 0 <= distance S f <= norm (sub f g).
Proof.
  intros Sg; unfold distance; set (E := fun d => exists g, S g /\ d = norm (sub f g)).
  destruct (Glb_Rbar_correct E) as [lower greatest].
  assert (low : Rbar_le 0 (Glb_Rbar E)) by (apply greatest; intros d [h [_ ->]]; apply norm_nonneg).
  assert (high : Rbar_le (Glb_Rbar E) (norm (sub f g))) by (apply lower; exists g; split; [exact Sg|reflexivity]).
  destruct (Glb_Rbar E); simpl in *; [split; assumption|contradiction|contradiction].
Qed.

Section Theorem_3.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R) (L : loss) (w : nat -> R).
Notation J := (J n P m L).
Notation V := (V n P m L).
Notation Q := (Q n P m L).
Notation T := (step n P m L).
Notation mean_phi := (mean_phi n P m L).
Notation stationary := (stationary n P m L).
Notation f := (iterate n P m L w).
Hypothesis std : standing n m L.
Hypothesis start : below_sup n P m L (f 0).

Lemma mean_positive k : 0 < mean_phi (f k).
Proof.
  destruct start as [x [Hx lt]], std as [mass [slope [a1 falls]]].
  apply mean_phi_positive with x; try assumption; pose proof (J_stays n P m L w x k std Hx lt); lra.
Qed.

Lemma weights_in_simplex k : simplex n w -> simplex n (weights n P m L w k).
Proof.
  destruct std as [mass [slope [a1 falls]]]; intros Hw; destruct k as [|k]; [exact Hw|]; simpl.
  apply next_weights_simplex; [apply row_sum_positive; assumption|apply mean_positive].
Qed.

Lemma J_decreasing k : J (f (S k)) <= J (f k).
Proof. destruct start as [x [Hx lt]]; apply (J_falls n P m L w x k std Hx lt). Qed.

Lemma J_ordered j k : (j <= k)%nat -> J (f k) <= J (f j).
Proof. induction 1 as [|k le IH]; [lra|pose proof (J_decreasing k); lra]. Qed.

Lemma J_converges : ex_finite_lim_seq (fun k => J (f k)).
Proof.
  destruct std as [mass [slope [a1 falls]]].
  apply (ex_finite_lim_seq_decr _ 0); [apply J_decreasing|intros k; apply J_nonneg; assumption].
Qed.

Lemma falls_vanish e : 0 < e -> exists N, forall k, (N <= k)%nat -> J (f k) - J (f (S k)) < e.
Proof.
  intros pos; destruct J_converges as [l lim]; apply is_lim_seq_spec in lim.
  assert (half : 0 < e / 2) by lra; destruct (lim (mkposreal _ half)) as [N near]; exists N; intros k le.
  pose proof (near k le) as one; pose proof (near (S k) ltac:(lia)) as two; simpl in one, two.
  apply Rabs_def2 in one; apply Rabs_def2 in two; lra.
Qed.

Lemma mean_phi_at_most g : mean_phi g <= phi L 0.
Proof.
  destruct std as [mass [slope [a1 falls]]]; unfold setting.mean_phi.
  rewrite <- (Rmult_1_r (phi L 0)), <- (proj2 mass), <- sum_scale; apply sum_le; intros i Hi.
  rewrite Rmult_comm; apply Rmult_le_compat_r; [apply mass, Hi|apply falls; [lra|apply norm_nonneg]].
Qed.

(* |V(f_k)|^2 is at most 2 phi(0) times the fall of J. *)
Lemma V_bound k : dot (V (f k)) (V (f k)) <= 2 * phi L 0 * (J (f k) - J (f (S k))).
Proof.
  destruct std as [mass [slope [a1 falls]]]; pose proof (mean_positive k) as pos.
  destruct (descent_amount n P m L (f k) mass slope (A1_right_continuous L a1) falls pos) as [amount _].
  rewrite (proj1 (V_is_step n P m L (f k) ltac:(lra))), dot_scale, dot_scale_r, <- norm_sqr, iterate_step.
  pose proof (mean_phi_at_most (f k)) as most; pose proof (pow2_ge_0 (norm (sub (T (f k)) (f k)))) as sq.
  assert (drop : 0 <= J (f k) - J (T (f k))).
  { apply Rge_le in amount; apply Rle_trans with (2 := amount); apply Rmult_le_pos; lra. }
  apply Rle_trans with (mean_phi (f k) * (2 * (J (f k) - J (T (f k))))).
  2: { replace (2 * phi L 0 * _) with (phi L 0 * (2 * (J (f k) - J (T (f k))))) by ring.
       apply Rmult_le_compat_r; lra. }
  replace (norm _ * norm _) with (norm (sub (T (f k)) (f k)) ^ 2) by ring; apply Rmult_le_compat_l; lra.
Qed.

(* g is a limit point of the iterates. *)
Definition limit_point (g : H) : Prop := forall e N, 0 < e -> exists k, (N <= k)%nat /\ norm (sub (f k) g) < e.

Lemma limit_point_value g (F : H -> R) c : limit_point g -> continuous_functional F ->
  (exists N, forall k, (N <= k)%nat -> F (f k) <= c) -> F g <= c.
Proof.
  intros lim cont [N le]; apply Rnot_lt_le; intros gap; destruct (cont g (F g - c)) as [d [Hd close]]; [lra|].
  destruct (lim d N Hd) as [k [Hk near]]; specialize (close _ near); specialize (le k Hk); apply Rabs_def2 in close; lra.
Qed.

Lemma limit_point_stationary g : continuous_on (Rle 0) (phi L) -> limit_point g -> V g = origin.
Proof.
  intros cont lim; apply dot_definite, Rle_antisym; [|apply dot_nonneg]; apply Rnot_lt_le; intros pos.
  set (x := V g) in *; set (a := dot x x) in *.
  assert (Hx : 0 < norm x * norm x) by (rewrite norm_sqr; exact pos).
  assert (phi0 : 0 < phi L 0) by (pose proof (mean_positive 0); pose proof (mean_phi_at_most (f 0)); lra).
  destruct (falls_vanish (a / (8 * phi L 0))) as [N small]; [apply Rdiv_lt_0_compat; lra|].
  assert (le : dot x x <= a / 2); [|fold a in le; lra].
  apply (limit_point_value g (fun h => dot (V h) x)); [exact lim|apply V_continuous, cont|].
  exists N; intros k Hk; specialize (small k Hk); pose proof (V_bound k) as bound.
  apply Rle_trans with (norm (V (f k)) * norm x); [apply Cauchy_Schwarz|].
  assert (le : norm (V (f k)) * norm (V (f k)) <= a / 4).
  { rewrite norm_sqr; apply Rle_trans with (1 := bound).
    apply Rle_trans with (2 * phi L 0 * (a / (8 * phi L 0))); [apply Rmult_le_compat_l; lra|right; field; lra]. }
  assert (eq : norm x * norm x = a) by apply norm_sqr.
  pose proof (norm_nonneg (V (f k))); pose proof (norm_nonneg x).
  assert (norm (V (f k)) <= norm x / 2) by (apply Rsqr_incr_0_var; [unfold Rsqr; lra|lra]).
  rewrite <- eq; nra.
Qed.

(* Claim limit_points.chain: a limit point g of the iterates minimises Q(.; g), so that V(g) = 0, some phi(r_i) is
   positive there, and g is its own next iterate, the weighted mean of the proof of Theorem 3. *)
Theorem limit_points_chain g : continuous_on (Rle 0) (phi L) -> limit_point g ->
  minimiser (fun h => Q h g) g /\ V g = origin /\ 0 < mean_phi g /\ g = T g.
Proof.
  intros cont lim; pose proof std as [mass [slope [a1 falls]]]; pose proof start as [x [Hx lt]].
  assert (zero : V g = origin) by (apply limit_point_stationary; assumption).
  assert (low : J g <= J (f 0)).
  { apply limit_point_value; [exact lim|apply J_continuous, rho_continuous; assumption|].
    exists 0%nat; intros k _; apply J_ordered; lia. }
  assert (pos : 0 < mean_phi g) by (apply mean_phi_positive with x; try assumption; lra).
  assert (fixed : g = T g) by (apply V_is_step; [lra|exact zero]).
  split; [apply step_minimises_surrogate; assumption|]; repeat split; assumption.
Qed.

(* Infinitely many iterates with a property have a limit point. *)
Lemma limit_point_of (A : H -> Prop) : simplex n w -> (forall N, exists k, (N <= k)%nat /\ A (f k)) ->
  exists g, forall e N, 0 < e -> exists k, (N <= k)%nat /\ A (f k) /\ norm (sub (f k) g) < e.
Proof.
  intros Hw often; destruct (hull_cluster n P
    (fun N v => simplex n v /\ exists k, (N <= k)%nat /\ A (f k) /\ f k = comb n v P)) as [l [_ near]].
  - intros N v [Hv [k [le [Ak eq]]]]; split; [exact Hv|exists k; split; [lia|split; assumption]].
  - intros N; destruct (often N) as [k [le Ak]]; exists (weights n P m L w k); split; [apply weights_in_simplex, Hw|].
    exists k; split; [exact le|split; [exact Ak|reflexivity]].
  - intros N v [Hv _]; exact Hv.
  - exists (comb n l P); intros e N pos; destruct (near e N pos) as [v [[_ [k [le [Ak eq]]]] lt]]; exists k.
    rewrite <- eq in lt; split; [exact le|split; assumption].
Qed.

Lemma stationary_nonempty : simplex n w -> continuous_on (Rle 0) (phi L) -> exists g, stationary g.
Proof.
  intros Hw cont; destruct (limit_point_of (fun _ => True) Hw) as [g lim].
  - intros N; exists N; split; [lia|trivial].
  - exists g; apply limit_point_stationary; [exact cont|]; intros e N pos.
    destruct (lim e N pos) as [k [le [_ lt]]]; exists k; split; assumption.
Qed.

Lemma distance_vanishes : simplex n w -> continuous_on (Rle 0) (phi L) ->
  is_lim_seq (fun k => distance stationary (f k)) 0.
Proof.
  intros Hw cont; destruct (stationary_nonempty Hw cont) as [s Hs].
  apply is_lim_seq_spec; intros e; apply NNPP; intros never.
  destruct (limit_point_of (fun h => e <= distance stationary h) Hw) as [g lim].
  - intros N; apply NNPP; intros none; apply never; exists N; intros k le.
    rewrite Rminus_0_r, Rabs_right by (apply Rle_ge, (distance_bounds stationary (f k) s Hs)).
    apply Rnot_le_lt; intros far; apply none; exists k; split; assumption.
  - assert (Hg : stationary g).
    { apply limit_point_stationary; [exact cont|]; intros d N pos.
      destruct (lim d N pos) as [k [le [_ lt]]]; exists k; split; assumption. }
    destruct (lim e 0%nat (cond_pos e)) as [k [_ [far near]]].
    pose proof (distance_bounds stationary (f k) g Hg); lra.
Qed.

End Theorem_3.

(* Claim theorems.theorem_3: if phi does not increase and J at the first iterate is below sup rho, every iterate of
   KIRWLS exists, J falls at each step unless the iterate is stationary, and converges; the set of stationary points is
   not empty; and the distance of the iterates from it tends to 0. Of (A3) only the continuity of phi is used. *)
Theorem theorem_3 (H : space) n (P : nat -> H) m L w :
  simplex n m -> psi_is_slope L -> A1 L -> A3 L -> phi_falls L -> simplex n w ->
  below_sup n P m L (iterate n P m L w 0) ->
  (forall k, 0 < mean_phi n P m L (iterate n P m L w k) /\ simplex n (weights n P m L w k)) /\
  (forall k, J n P m L (iterate n P m L w (S k)) <= J n P m L (iterate n P m L w k) /\
    (~ stationary n P m L (iterate n P m L w k) ->
      J n P m L (iterate n P m L w (S k)) < J n P m L (iterate n P m L w k))) /\
  ex_finite_lim_seq (fun k => J n P m L (iterate n P m L w k)) /\
  (exists g, stationary n P m L g) /\
  is_lim_seq (fun k => distance (stationary n P m L) (iterate n P m L w k)) 0.
Proof.
  intros mass slope a1 [_ cont] falls Hw start; assert (std : standing n m L) by (repeat (split; try assumption)).
  split; [|split; [|split; [|split]]].
  - intros k; split; [apply mean_positive|apply weights_in_simplex]; assumption.
  - intros k; split; [apply J_decreasing; assumption|]; intros moving; rewrite iterate_step.
    pose proof (mean_positive n P m L w std start k) as pos.
    apply descent_amount; try assumption; [apply A1_right_continuous, a1|].
    intros fixed; apply moving, V_is_step; [lra|symmetry; exact fixed].
  - apply J_converges; assumption.
  - apply stationary_nonempty with w; assumption.
  - apply distance_vanishes; assumption.
Qed.
