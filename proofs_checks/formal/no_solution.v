(* A linear system of Theorem 5 that has no solution, though (A1) to (A5) hold and J is strictly convex. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting convexity product features surrogate gateaux sufficient bent_loss.
From Rkde Require jacobian.
Local Open Scope R_scope.

(* (I - 1 w')' Q (I - 1 w'), and the system: alpha and alpha' satisfy
   (gamma I + (I - 1 w')' Q (I - 1 w') K) alpha = -n phi(r') w - alpha' (I - 1 w')' Q (I - 1 w') k'. *)
Definition bent_by_w (n : nat) (w q : nat -> R) : nat -> nat -> R :=
  jacobian.product n (jacobian.transpose (jacobian.centring w))
    (jacobian.product n (jacobian.diagonal q) (jacobian.centring w)).
Definition solves (n : nat) (gamma : R) (w q : nat -> R) (K : nat -> nat -> R) (cross : nat -> R)
    (pull alpha_new : R) (alpha : nat -> R) : Prop :=
  forall i, (i < n)%nat ->
    jacobian.apply n (jacobian.system n gamma w q K) alpha i =
    - pull * w i - alpha_new * jacobian.apply n (bent_by_w n w q) cross i.

(* Two rows and x' on the sphere of radius 1, all independent, the rows at the distance 1 from one another and x' not
   equally far from both. *)
Definition example {H : space} (P : nat -> H) : Prop :=
  (forall i, (i < 3)%nat -> norm (P i) = 1) /\ independent 3 P /\
  norm (sub (P 0%nat) (P 1%nat)) = 1 /\ dot (P 0%nat) (P 2%nat) <> dot (P 1%nat) (P 2%nat).

Lemma example_exists : exists (H : space) (P : nat -> H), example P.
Proof.
  exists (power 2), (fun i => match i with
    O => (1, (0, 0)) | S O => (/ 2, (sqrt 3 / 2, 0)) | _ => (3 / 5, (0, 4 / 5)) end : power 2).
  assert (root : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
  assert (positive : 0 < sqrt 3) by (apply sqrt_lt_R0; lra).
  split; [|split; [|split]].
  - intros i Hi; transitivity (sqrt 1); [unfold norm; f_equal|exact sqrt_1].
    destruct i as [|[|[|i]]]; [cbn; field| |cbn; field|lia].
    cbn; transitivity (/ 4 + sqrt 3 * sqrt 3 / 4); [field|rewrite root; field].
  - intros a zero; cbn in zero.
    pose proof (f_equal fst zero) as Z0; pose proof (f_equal (fun v => fst (snd v)) zero) as Z1.
    pose proof (f_equal (fun v => snd (snd v)) zero) as Z2; cbn in Z0, Z1, Z2.
    assert (a 2%nat = 0) by lra; assert (a 1%nat = 0) by nra.
    intros i Hi; destruct i as [|[|[|i]]]; [..|lia]; lra.
  - transitivity (sqrt 1); [unfold norm; f_equal; cbn|exact sqrt_1].
    transitivity (/ 4 + sqrt 3 * sqrt 3 / 4); [field|rewrite root; field].
  - cbn; lra.
Qed.

(* Claim influence_singular.always_solvable, which FAILS: for the loss `bent`, which satisfies (A1) to (A5) with a
   strictly convex rho, and two rows at the distance 1 = tau, J is strictly convex, f with the weights 1/2 is its
   minimiser, both residuals are 1/2, where psi' = 0, every entry of the matrix of Theorem 5 is 1, and the system has
   no solution. Such rows and such an x' exist, with independent features. *)
Theorem system_without_solution : let L := bent in
  (psi_is_slope L /\ A1 L /\ A2 L /\ A3 L /\ A4 L /\ A5 L /\ rho_strictly_convex L) /\
  (exists (H : space) (P : nat -> H), example P) /\
  forall (H : space) (P : nat -> H), example P ->
  let w := equal 2 in
  let f := comb 2 w P in
  let r i := residual P f i in
  let gamma := sum 2 (fun i => phi L (r i)) in
  let q i := (r i * 0 - psi L (r i)) / r i ^ 3 in
  let K i j := dot (P i) (P j) in
  let pull := 2 * phi L (r 2%nat) in
  strictly_convex (J 2 P (equal 2) L) /\ (forall g, minimiser (J 2 P (equal 2) L) g <-> g = f) /\
  (forall i, (i < 2)%nat -> r i = / 2 /\ is_derive (psi L) (r i) 0) /\
  (forall i j, (i < 2)%nat -> (j < 2)%nat -> jacobian.system 2 gamma w q K i j = 1) /\
  forall alpha, ~ solves 2 gamma w q K (fun i => dot (P i) (P 2%nat)) pull (pull / gamma) alpha.
Proof.
  intros L; destruct bent_assumptions as [slope [a1 [a2 [a3 [a4 [a5 [strict positive]]]]]]].
  fold L in slope, a1, a2, a3, a4, a5, strict, positive.
  split; [repeat (split; [assumption|]); exact strict|split; [exact example_exists|]].
  intros H P [sphere [_ [apart differ]]] w f r gamma q K pull.
  assert (own : forall i, (i < 3)%nat -> dot (P i) (P i) = 1).
  { intros i Hi; rewrite <- norm_sqr, sphere by exact Hi; ring. }
  assert (cross : dot (P 0%nat) (P 1%nat) = / 2).
  { pose proof (norm_sqr (sub (P 0%nat) (P 1%nat))) as sq; rewrite apart, dot_sub, !dot_sub_r in sq.
    rewrite (dot_comm _ (P 1%nat) (P 0%nat)), !own in sq by lia; lra. }
  assert (cross' : dot (P 1%nat) (P 0%nat) = / 2) by (rewrite dot_comm; exact cross).
  assert (half : forall i, w i = / 2) by (intros i; unfold w, equal; simpl; f_equal; ring).
  assert (at_half : forall i, (i < 2)%nat -> r i = / 2).
  { intros i Hi; unfold r, residual; replace (/ 2) with (sqrt (/ 2 * / 2)) by (apply sqrt_square; lra).
    unfold norm; f_equal; rewrite dot_sub, !dot_sub_r; unfold f; simpl comb; rewrite !half.
    destruct i as [|[|i]]; [..|lia];
      rewrite ?dot_add, ?dot_add_r, ?dot_scale, ?dot_scale_r, ?dot_origin, ?dot_origin_r, ?dot_add_r, ?dot_scale_r,
        ?dot_origin_r, ?cross, ?cross', !own by lia; field. }
  destruct bent_level as [value [level one]]; fold L in value, level, one.
  assert (convex_J : strictly_convex (J 2 P (equal 2) L)).
  { apply strict_rho; [apply equal_simplex; lia|exact strict|exact (proj1 a1)]. }
  assert (gamma_two : gamma = 2).
  { unfold gamma; simpl; rewrite !at_half, one by lia; ring. }
  assert (level_q : forall i, (i < 2)%nat -> q i = -4).
  { intros i Hi; unfold q; rewrite at_half, value by exact Hi; field. }
  assert (entries : forall i j, (i < 2)%nat -> (j < 2)%nat -> jacobian.system 2 gamma w q K i j = 1).
  { intros i j Hi Hj; unfold jacobian.system, jacobian.product, jacobian.transpose, jacobian.diagonal, jacobian.centring.
    unfold K; simpl sum; rewrite !half, gamma_two, !level_q by lia.
    destruct i as [|[|i]]; [..|lia]; destruct j as [|[|j]]; try lia; rewrite ?own, ?cross, ?cross' by lia;
      unfold jacobian.delta; simpl; field. }
  split; [exact convex_J|split; [|split; [|split; [exact entries|]]]].
  - destruct (theorem_2 2 P (equal 2) L f 1 w slope a1 (strictly_convex_convex _ convex_J)) as [least only].
    + intros i Hi; change (residual P f i) with (r i); rewrite at_half, one by exact Hi; unfold w; ring.
    + simpl; rewrite !half; field.
    + reflexivity.
    + intros g; split; [apply only; exact convex_J|intros ->; exact least].
  - intros i Hi; rewrite at_half by exact Hi; split; [reflexivity|exact level].
  - intros alpha solved; pose proof (solved 0%nat ltac:(lia)) as first; pose proof (solved 1%nat ltac:(lia)) as second.
    unfold jacobian.apply, bent_by_w in first, second; simpl sum in first, second.
    rewrite !entries in first, second by lia.
    unfold jacobian.product, jacobian.transpose, jacobian.diagonal, jacobian.centring, jacobian.delta in first, second.
    simpl in first, second; rewrite !level_q, !half in first, second by lia.
    assert (new : 0 < pull / gamma).
    { rewrite gamma_two; unfold pull; pose proof (positive (r 2%nat) (norm_nonneg _)); lra. }
    apply differ; apply Rmult_eq_reg_l with (pull / gamma); [|lra]; set (c := pull / gamma) in *; nra.
Qed.
