(* Huber's loss with large thresholds: the estimate is the KDE. *)
From Coq Require Import Reals Lra Lia Classical.
From Rkde Require Import space product setting losses losses_phi descent convexity residuals.
Local Open Scope R_scope.

Section KDE.
Context {H : space}.

(* Huber's rho lies above the tangent of the quadratic loss at u with |u| <= a; where they meet at another vector v,
   v is on the far side of u. *)
Lemma Huber_above_tangent a (u v : H) : 0 < a -> norm u <= a ->
  dot u u / 2 + dot u (sub v u) <= Huber_rho a (norm v) /\
  (v <> u -> Huber_rho a (norm v) <= dot u u / 2 + dot u (sub v u) -> 0 < dot u (sub v u)).
Proof.
  intros Ha Hu; pose proof (norm_nonneg u) as Nu; pose proof (Cauchy_Schwarz u v) as CS.
  assert (Du : dot u (sub v u) = dot u v - norm u * norm u) by (rewrite dot_sub_r, norm_sqr; reflexivity).
  rewrite Du, <- norm_sqr; unfold Huber_rho; destruct (Rle_dec (norm v) a) as [near|far].
  - assert (square : norm v ^ 2 / 2 - (norm u * norm u / 2 + (dot u v - norm u * norm u)) =
      dot (sub v u) (sub v u) / 2).
    { rewrite dot_sub, !dot_sub_r, (dot_comm _ v u), <- (norm_sqr u), <- (norm_sqr v); field. }
    split; [pose proof (dot_nonneg _ (sub v u)); lra|]; intros ne le; exfalso; apply ne, sub_origin, dot_definite.
    pose proof (dot_nonneg _ (sub v u)); lra.
  - assert (product : 0 <= (a - norm u) * (norm v - (a + norm u) / 2)) by (apply Rmult_le_pos; lra).
    split; [lra|]; intros _ le.
    assert (zero : (a - norm u) * (norm v - (a + norm u) / 2) = 0) by lra.
    apply Rmult_integral in zero; destruct zero as [zero|]; [|lra].
    replace (norm u) with a in * by lra; assert (dot u v = a * norm v) as -> by lra.
    replace (a * norm v - a * a) with (a * (norm v - a)) by ring; apply Rmult_lt_0_compat; lra.
Qed.

Section Rows.
Variables (n : nat) (P : nat -> H) (m : nat -> R) (a : R).
Hypotheses (mass : simplex n m) (Ha : 0 < a).
Notation J := (J n P m (Huber a)).
Notation kde := (comb n m P).

Lemma mean_of_residuals x : sum n (fun i => m i * dot (sub (P i) kde) x) = 0.
Proof.
  transitivity (sum n (fun i => m i * dot (P i) x + - dot kde x * m i)).
  - apply sum_ext; intros i _; rewrite dot_sub; ring.
  - rewrite sum_add, sum_scale, (proj2 mass), dot_comb; ring.
Qed.

Lemma J_kde : (forall i, (i < n)%nat -> residual P kde i <= a) ->
  J kde = sum n (fun i => m i * (dot (sub (P i) kde) (sub (P i) kde) / 2)).
Proof.
  intros near; apply sum_ext; intros i Hi; specialize (near i Hi); unfold residual in *; simpl; unfold Huber_rho.
  destruct (Rle_dec _ a); [rewrite <- norm_sqr; field|contradiction].
Qed.

End Rows.

(* Claim limits.huber_is_kde: with a at least the largest residual of the KDE, the KDE is the one minimiser of J of
   Huber's loss; for a nonnegative kernel a >= sqrt(2) tau suffices, and then one step from any weights reaches it. *)
Theorem Huber_is_KDE n (P : nat -> H) m a : simplex n m -> 0 < a ->
  let kde := comb n m P in
  ((forall i, (i < n)%nat -> residual P kde i <= a) ->
    minimiser (J n P m (Huber a)) kde /\ forall g, minimiser (J n P m (Huber a)) g -> g = kde) /\
  (forall tau, (forall j, (j < n)%nat -> norm (P j) = tau) ->
    (forall j k, (j < n)%nat -> (k < n)%nat -> 0 <= dot (P j) (P k)) -> sqrt 2 * tau <= a ->
    (forall i, (i < n)%nat -> residual P kde i <= a) /\
    forall w, simplex n w -> step n P m (Huber a) (comb n w P) = kde).
Proof.
  intros mass Ha kde; split.
  - intros near; assert (rows : forall g i, (i < n)%nat ->
      dot (sub (P i) kde) (sub (P i) kde) / 2 + dot (sub (P i) kde) (sub kde g) <= Huber_rho a (residual P g i) /\
      (g <> kde -> Huber_rho a (residual P g i) <= dot (sub (P i) kde) (sub (P i) kde) / 2 +
        dot (sub (P i) kde) (sub kde g) -> 0 < dot (sub (P i) kde) (sub kde g))).
    { intros g i Hi; rewrite <- (sub_sub (P i) g kde).
      destruct (Huber_above_tangent a (sub (P i) kde) (sub (P i) g) Ha (near i Hi)) as [above far].
      split; [exact above|]; intros ne; apply far; intros eq; apply ne, same; intros x.
      assert (dot (sub (P i) g) x = dot (sub (P i) kde) x) as dots by (rewrite eq; reflexivity).
      rewrite !dot_sub in dots; lra. }
    assert (value : forall g, J n P m (Huber a) kde = sum n (fun i => m i *
      (dot (sub (P i) kde) (sub (P i) kde) / 2 + dot (sub (P i) kde) (sub kde g)))).
    { intros g; unfold kde; rewrite (J_kde n P m a near), <- (Rplus_0_r (sum n _)), <- (mean_of_residuals n P m mass (sub kde g)).
      rewrite <- sum_add; apply sum_ext; intros i _; fold kde; field. }
    assert (least : minimiser (J n P m (Huber a)) kde).
    { intros g; rewrite (value g); apply sum_le; intros i Hi; apply Rmult_le_compat_l; [apply mass, Hi|].
      apply (rows g i Hi). }
    split; [exact least|]; intros g Mg; apply NNPP; intros ne.
    assert (flat : forall i, (i < n)%nat -> 0 < m i -> Huber_rho a (residual P g i) <=
      dot (sub (P i) kde) (sub (P i) kde) / 2 + dot (sub (P i) kde) (sub kde g)).
    { intros i Hi mi; apply Rnot_lt_le; intros strict; apply (Rlt_not_le (J n P m (Huber a) g) (J n P m (Huber a) kde)).
      - rewrite (value g); apply sum_lt with i; [|exact Hi|apply Rmult_lt_compat_l; assumption].
        intros j Hj; apply Rmult_le_compat_l; [apply mass, Hj|apply (rows g j Hj)].
      - apply Mg. }
    destruct (some_mass n m mass) as [j [Hj mj]].
    assert (positive : sum n (fun _ => 0) < sum n (fun i => m i * dot (sub (P i) kde) (sub kde g))).
    { apply sum_lt with j; [|exact Hj|].
      - intros i Hi; destruct (proj1 mass i Hi) as [mi|<-]; [|lra]; apply Rlt_le, Rmult_lt_0_compat; [exact mi|].
        apply (rows g i Hi); [exact ne|apply flat; assumption].
      - apply Rmult_lt_0_compat; [exact mj|]; apply (rows g j Hj); [exact ne|apply flat; assumption]. }
    pose proof (mean_of_residuals n P m mass (sub kde g)) as none; fold kde in none.
    rewrite sum_zero, none in positive; lra.
  - intros tau sphere kernel large.
    assert (near : forall w i, simplex n w -> (i < n)%nat -> residual P (comb n w P) i <= a).
    { intros w i Hw Hi; apply Rle_trans with (sqrt 2 * tau); [|exact large]; unfold residual.
      apply (hull_diameter n P tau); try assumption; exists w; split; [exact Hw|reflexivity]. }
    split; [intros i Hi; apply near; assumption|]; intros w Hw.
    destruct (Huber_phi_falls a Ha) as [_ one].
    assert (phi_one : forall i, (i < n)%nat -> phi (Huber a) (residual P (comb n w P) i) = 1).
    { intros i Hi; apply one; split; [apply norm_nonneg|apply near; assumption]. }
    assert (total : mean_phi n P m (Huber a) (comb n w P) = 1).
    { rewrite <- (proj2 mass); apply sum_ext; intros i Hi; rewrite phi_one by exact Hi; ring. }
    apply same; intros x; unfold step, kde; rewrite !dot_comb; apply sum_ext; intros i Hi; unfold next_weights.
    rewrite total, phi_one by exact Hi; field.
Qed.

(* With two distinct rows J of Huber's loss is linear far out on the line through them. *)
Lemma two_rows_not_strict (P : nat -> H) a : 0 < a -> P 0%nat <> P 1%nat ->
  ~ strictly_convex (J 2 P (equal 2) (Huber a)).
Proof.
  intros Ha ne strict; set (D := norm (sub (P 0%nat) (P 1%nat))).
  assert (HD : 0 < D).
  { destruct (norm_nonneg (sub (P 0%nat) (P 1%nat))) as [lt|zero]; [exact lt|exfalso; apply ne].
    apply sub_origin, norm_zero; symmetry; exact zero. }
  set (point := fun t => add (P 0%nat) (scale t (sub (P 0%nat) (P 1%nat)))).
  assert (value : forall t, a / D <= t -> J 2 P (equal 2) (Huber a) (point t) = a * (t * D) + a * D / 2 - a ^ 2 / 2).
  { intros t Ht; assert (HaD : 0 < a / D) by (apply Rdiv_lt_0_compat; assumption).
    assert (big : a <= t * D).
    { replace a with (a / D * D) by (field; lra); apply Rmult_le_compat_r; lra. }
    assert (r0 : norm (sub (P 0%nat) (point t)) = t * D).
    { replace (t * D) with (Rabs (- t) * D) by (rewrite Rabs_Ropp, Rabs_right; lra); unfold D.
      rewrite <- norm_scale; f_equal; apply same; intros x; unfold point.
      rewrite dot_sub, dot_add, !dot_scale, !dot_sub; ring. }
    assert (r1 : norm (sub (P 1%nat) (point t)) = (1 + t) * D).
    { replace ((1 + t) * D) with (Rabs (- (1 + t)) * D) by (rewrite Rabs_Ropp, Rabs_right; lra); unfold D.
      rewrite <- norm_scale; f_equal; apply same; intros x; unfold point.
      rewrite dot_sub, dot_add, !dot_scale, !dot_sub; ring. }
    unfold J, residual, equal; simpl sum; rewrite r0, r1; simpl; unfold Huber_rho.
    destruct (Rle_dec (t * D) a), (Rle_dec ((1 + t) * D) a); try lra.
    replace (t * D) with a by lra; replace ((1 + t) * D) with (a + D) by lra; field. }
  set (s := a / D); specialize (strict (point (s + 2)) (point s) (/ 2)).
  replace (between (/ 2) (point (s + 2)) (point s)) with (point (s + 1)) in strict.
  + rewrite !value in strict by (unfold s; lra); cut (point (s + 2) <> point s).
    { intros differ; specialize (strict differ ltac:(lra)); lra. }
    intros eq; apply ne, same; intros x; assert (dot (point (s + 2)) x = dot (point s) x) as dots by (rewrite eq; reflexivity).
    unfold point in dots; rewrite !dot_add, !dot_scale, dot_sub in dots; lra.
  + apply same; intros x; unfold between, point; rewrite !dot_add, !dot_scale, !dot_add, !dot_scale, dot_sub; field.
Qed.

End KDE.

(* Claim setting.necessary_conditions, which FAILS: there are two different rows of norm 1, with a nonnegative inner
   product, and an a such that, with Huber's loss, one step of KIRWLS from any weights reaches the one minimiser of J,
   though J is not strictly convex. *)
Theorem not_necessary : exists (H : space) (P : nat -> H) (a : R),
  0 < a /\ norm (P 0%nat) = 1 /\ norm (P 1%nat) = 1 /\ P 0%nat <> P 1%nat /\ 0 <= dot (P 0%nat) (P 1%nat) /\
  (exists f, (forall g, minimiser (J 2 P (equal 2) (Huber a)) g <-> g = f) /\
    forall w, simplex 2 w -> step 2 P (equal 2) (Huber a) (comb 2 w P) = f) /\
  ~ strictly_convex (J 2 P (equal 2) (Huber a)).
Proof.
  destruct unit_vectors as [E [N [EN differ]]]; set (P := fun i => match i with O => east | _ => north end).
  assert (Ha : 0 < sqrt 2 * 1) by (rewrite Rmult_1_r; apply sqrt_lt_R0; lra).
  assert (sphere : forall j, (j < 2)%nat -> norm (P j) = 1) by (intros [|j] _; assumption).
  assert (kernel : 0 <= dot (P 0%nat) (P 1%nat)) by (unfold P; rewrite EN; lra).
  exists plane, P, (sqrt 2 * 1); split; [exact Ha|].
  split; [apply sphere; lia|split; [apply sphere; lia|split; [exact differ|split; [exact kernel|]]]].
  split; [|apply two_rows_not_strict; assumption].
  assert (nonneg : forall j k, (j < 2)%nat -> (k < 2)%nat -> 0 <= dot (P j) (P k)).
  { intros [|[|j]] [|[|k]] Hj Hk; try lia; try apply dot_nonneg; [exact kernel|rewrite dot_comm; exact kernel]. }
  destruct (Huber_is_KDE 2 P (equal 2) (sqrt 2 * 1) (equal_simplex 2 ltac:(lia)) Ha) as [kde reach].
  destruct (reach 1 sphere nonneg (Rle_refl _)) as [near one_step]; destruct (kde near) as [least only].
  exists (comb 2 (equal 2) P); split; [|exact one_step].
  intros g; split; [apply only|intros ->; exact least].
Qed.
