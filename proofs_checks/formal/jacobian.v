(* The matrix of Theorem 5 is the derivative of G(w) = gamma(w) w - phi(r(w)), for every number n of rows.

   Rows are the numbers 0, ..., n - 1, vectors and matrices are functions of them, and the sum over all rows is
   `sum n`. A map of finitely many variables has a derivative exactly if it has one along every curve that has
   one (Hadamard's form of Frechet's derivative), so the theorem is stated along curves. *)
From Coq Require Import Reals Lra Lia Arith.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space.

Local Open Scope R_scope.

Definition delta (i j : nat) : R := if Nat.eqb i j then 1 else 0.
Definition product (n : nat) (A B : nat -> nat -> R) (i j : nat) : R := sum n (fun k => A i k * B k j).
Definition apply (n : nat) (A : nat -> nat -> R) (v : nat -> R) (i : nat) : R := sum n (fun k => A i k * v k).
Definition transpose (A : nat -> nat -> R) (i j : nat) : R := A j i.
Definition diagonal (q : nat -> R) (i j : nat) : R := delta i j * q i.
(* I - 1 w' *)
Definition centring (w : nat -> R) (i j : nat) : R := delta i j - w j.

(* r_i^2 = (e_i - w)' K (e_i - w), the squared norm of Phi(X_i) - f. *)
Definition residual (n : nat) (K : nat -> nat -> R) (w : nat -> R) (i : nat) : R :=
  sqrt (sum n (fun j => centring w i j * apply n K (centring w i) j)).
Definition phi (psi : R -> R) (t : R) : R := psi t / t.
Definition gamma (n : nat) (psi : R -> R) (K : nat -> nat -> R) (w : nat -> R) : R :=
  sum n (fun i => phi psi (residual n K w i)).
Definition G (n : nat) (psi : R -> R) (K : nat -> nat -> R) (w : nat -> R) (i : nat) : R :=
  gamma n psi K w * w i - phi psi (residual n K w i).
(* gamma I + (I - 1 w')' Q (I - 1 w') K *)
Definition system (n : nat) (g : R) (w q : nat -> R) (K : nat -> nat -> R) (i j : nat) : R :=
  g * delta i j
  + product n (transpose (centring w)) (product n (diagonal q) (product n (centring w) K)) i j.

Lemma sum_minus n f g : sum n (fun k => f k - g k) = sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma sum_exchange n m f :
  sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
induction n as [|n IH]; simpl.
- induction m as [|m IHm]; simpl; [|rewrite <- IHm]; ring.
- rewrite IH, <- sum_add. reflexivity.
Qed.

Lemma delta_same i : delta i i = 1.
Proof. unfold delta. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma delta_other i j : i <> j -> delta i j = 0.
Proof. intros other. unfold delta. apply Nat.eqb_neq in other. rewrite other. reflexivity. Qed.

Lemma delta_sym i j : delta i j = delta j i.
Proof. unfold delta. rewrite Nat.eqb_sym. reflexivity. Qed.

Lemma sum_delta_out n i f : (n <= i)%nat -> sum n (fun k => delta i k * f k) = 0.
Proof.
induction n as [|n IH]; simpl; intros far; [reflexivity|].
rewrite IH by lia. rewrite delta_other by lia. ring.
Qed.

Lemma sum_delta n i f : (i < n)%nat -> sum n (fun k => delta i k * f k) = f i.
Proof.
induction n as [|n IH]; simpl; intros within; [lia|].
destruct (Nat.eq_dec i n) as [->|other].
- rewrite sum_delta_out by lia. rewrite delta_same. ring.
- rewrite IH by lia. rewrite delta_other by lia. ring.
Qed.

Lemma apply_product n A B v i : apply n (product n A B) v i = apply n A (apply n B v) i.
Proof.
unfold apply, product.
rewrite (sum_ext n _ (fun k => sum n (fun l => A i l * B l k * v k))).
- rewrite sum_exchange. apply sum_ext. intros k _. rewrite <- sum_scale.
  apply sum_ext. intros l _. ring.
- intros k _. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros l _. ring.
Qed.

Lemma apply_diagonal n q v i : (i < n)%nat -> apply n (diagonal q) v i = q i * v i.
Proof.
intros within. unfold apply, diagonal.
rewrite (sum_ext n _ (fun k => delta i k * (q i * v k))) by (intros; ring).
apply (sum_delta n i (fun k => q i * v k) within).
Qed.

Lemma apply_centring_tr n w v i : (i < n)%nat -> apply n (transpose (centring w)) v i = v i - w i * sum n v.
Proof.
intros within. unfold apply, transpose, centring.
rewrite (sum_ext n _ (fun k => delta i k * v k - w i * v k)) by (intros; rewrite delta_sym; ring).
rewrite sum_minus, sum_scale, sum_delta by assumption. reflexivity.
Qed.

Lemma apply_system n g w q K h i : (i < n)%nat ->
  let bent k := q k * apply n (centring w) (apply n K h) k in
  apply n (system n g w q K) h i = g * h i + (bent i - w i * sum n bent).
Proof.
intros within bent. unfold apply at 1, system.
rewrite (sum_ext n _ (fun k => delta i k * (g * h k)
  + product n (transpose (centring w)) (product n (diagonal q) (product n (centring w) K)) i k * h k))
  by (intros; ring).
rewrite sum_add, (sum_delta n i (fun k => g * h k)) by assumption. f_equal.
change (apply n (product n (transpose (centring w)) (product n (diagonal q) (product n (centring w) K))) h i
  = bent i - w i * sum n bent).
rewrite apply_product, apply_centring_tr by assumption.
assert (same : forall k, (k < n)%nat ->
  apply n (product n (diagonal q) (product n (centring w) K)) h k = bent k).
{ intros k Hk. rewrite apply_product, apply_diagonal by assumption. unfold bent. f_equal. apply apply_product. }
rewrite (same i within), (sum_ext n _ bent same). reflexivity.
Qed.

Lemma is_derive_sum n (f : nat -> R -> R) (d : nat -> R) x :
  (forall k, (k < n)%nat -> is_derive (f k) x (d k)) ->
  is_derive (fun t => sum n (fun k => f k t)) x (sum n d).
Proof.
induction n as [|n IH]; simpl; intros each.
- apply (is_derive_const 0 x).
- apply (is_derive_plus (fun t => sum n (fun k => f k t)) (f n)); [apply IH; intros; apply each; lia|].
  apply each; lia.
Qed.

Section Curve.

Variables (n : nat) (psi : R -> R) (K : nat -> nat -> R) (w h dpsi : nat -> R) (curve : nat -> R -> R).
Hypothesis symmetric : forall i j, (i < n)%nat -> (j < n)%nat -> K i j = K j i.
Hypothesis start : forall j, (j < n)%nat -> curve j 0 = w j.
Hypothesis speed : forall j, (j < n)%nat -> is_derive (curve j) 0 (h j).
Hypothesis no_zero_residual : forall i, (i < n)%nat -> 0 < residual n K w i.
Hypothesis differentiable : forall i, (i < n)%nat -> is_derive psi (residual n K w i) (dpsi i).

Let at_time (t : R) (j : nat) : R := curve j t.
Let square (v : nat -> R) (i : nat) : R := sum n (fun j => centring v i j * apply n K (centring v i) j).
Let r (i : nat) : R := residual n K w i.
(* Q_ii = q(r_i)/r_i^3 with q(t) = t psi'(t) - psi(t). *)
Definition bend (i : nat) : R := (r i * dpsi i - psi (r i)) / r i ^ 3.

Lemma at_start i : square (at_time 0) i = square w i.
Proof.
unfold square, apply, centring, at_time.
apply sum_ext. intros j Hj. rewrite start by assumption. f_equal.
apply sum_ext. intros k Hk. rewrite start by assumption. reflexivity.
Qed.

Lemma square_derivative i : (i < n)%nat ->
  is_derive (fun t => square (at_time t) i) 0 (-2 * apply n (centring w) (apply n K h) i).
Proof.
intros within.
assert (entry : forall j, (j < n)%nat -> is_derive (fun t => centring (at_time t) i j) 0 (- h j)).
{ intros j Hj. unfold centring, at_time.
  replace (- h j) with (0 - h j) by ring.
  apply (is_derive_minus (fun _ => delta i j) (curve j)); [apply (is_derive_const (delta i j) 0)|].
  apply speed; assumption. }
assert (value : forall j, (j < n)%nat -> centring (at_time 0) i j = centring w i j).
{ intros j Hj. unfold centring, at_time. rewrite start by assumption. reflexivity. }
assert (column : forall j, (j < n)%nat ->
  is_derive (fun t => apply n K (centring (at_time t) i) j) 0 (- apply n K h j)).
{ intros j Hj. unfold apply at 1.
  replace (- apply n K h j) with (sum n (fun k => K j k * (- h k))).
  - apply is_derive_sum. intros k Hk. apply (is_derive_scal _ 0 (K j k) (- h k)). apply entry; assumption.
  - unfold apply. replace (- sum n (fun k => K j k * h k)) with (-1 * sum n (fun k => K j k * h k)) by ring.
    rewrite <- sum_scale. apply sum_ext. intros k _. ring. }
replace (-2 * apply n (centring w) (apply n K h) i)
  with (sum n (fun j => - h j * apply n K (centring (at_time 0) i) j
                          + centring (at_time 0) i j * - apply n K h j)).
- apply is_derive_sum. intros j Hj.
  apply (is_derive_mult (fun t => centring (at_time t) i j) (fun t => apply n K (centring (at_time t) i) j)).
  + apply entry; assumption.
  + apply column; assumption.
  + intros a b. apply Rmult_comm.
- rewrite sum_add.
  assert (first : sum n (fun j => - h j * apply n K (centring (at_time 0) i) j)
                = - apply n (centring w) (apply n K h) i).
  { unfold apply.
    rewrite (sum_ext n _ (fun j => sum n (fun k => - (h j * K j k * centring w i k)))).
    - rewrite sum_exchange.
      replace (- sum n (fun k => centring w i k * sum n (fun k0 => K k k0 * h k0)))
        with (-1 * sum n (fun k => centring w i k * sum n (fun k0 => K k k0 * h k0))) by ring.
      rewrite <- sum_scale. apply sum_ext. intros k Hk. rewrite <- Rmult_assoc, <- sum_scale.
      apply sum_ext. intros j Hj. rewrite (symmetric k j) by assumption. ring.
    - intros j Hj. rewrite <- sum_scale. apply sum_ext. intros k Hk. rewrite value by assumption. ring. }
  assert (second : sum n (fun j => centring (at_time 0) i j * - apply n K h j)
                 = - apply n (centring w) (apply n K h) i).
  { unfold apply at 2.
    replace (- sum n (fun k => centring w i k * apply n K h k))
      with (-1 * sum n (fun k => centring w i k * apply n K h k)) by ring.
    rewrite <- sum_scale. apply sum_ext. intros j Hj. rewrite value by assumption. ring. }
  rewrite first, second. ring.
Qed.

Lemma phi_derivative i : (i < n)%nat ->
  is_derive (fun t => phi psi (residual n K (at_time t) i)) 0
            (- (bend i * apply n (centring w) (apply n K h) i)).
Proof.
intros within.
assert (positive : 0 < r i) by (apply no_zero_residual; assumption).
assert (same : residual n K (at_time 0) i = r i).
{ unfold r, residual. f_equal. apply at_start. }
set (change := apply n (centring w) (apply n K h) i).
assert (root : is_derive (fun t => residual n K (at_time t) i) 0 (- change / r i)).
{ replace (- change / r i) with (-2 * change * / (2 * sqrt (square (at_time 0) i))).
  - apply (is_derive_comp sqrt (fun t => square (at_time t) i) 0).
    + apply is_derive_Reals. apply derivable_pt_lim_sqrt.
      destruct (Rle_or_lt (square (at_time 0) i) 0) as [low|high]; [|assumption].
      exfalso. unfold residual in same. fold (square (at_time 0) i) in same. rewrite sqrt_neg_0 in same by assumption.
      lra.
    + apply square_derivative; assumption.
  - change (sqrt (square (at_time 0) i)) with (residual n K (at_time 0) i). rewrite same. field. lra. }
assert (outer : is_derive (phi psi) (residual n K (at_time 0) i) ((dpsi i * r i - psi (r i)) / r i ^ 2)).
{ rewrite same. unfold phi.
  replace ((dpsi i * r i - psi (r i)) / r i ^ 2) with ((dpsi i * r i - psi (r i) * 1) / r i ^ 2) by (field; lra).
  apply (is_derive_div psi (fun t => t)).
  - apply differentiable; assumption.
  - apply (is_derive_id (r i)).
  - lra. }
replace (- (bend i * change)) with (- change / r i * ((dpsi i * r i - psi (r i)) / r i ^ 2)).
- apply (is_derive_comp (phi psi) (fun t => residual n K (at_time t) i) 0); assumption.
- unfold bend. field. lra.
Qed.

Lemma derivative_along_the_curve i : (i < n)%nat ->
  is_derive (fun t => G n psi K (fun j => curve j t) i) 0
            (apply n (system n (gamma n psi K w) w bend K) h i).
Proof.
intros within.
rewrite apply_system by assumption.
assert (weight : is_derive (fun t => gamma n psi K (at_time t)) 0
                   (sum n (fun k => - (bend k * apply n (centring w) (apply n K h) k)))).
{ unfold gamma. apply is_derive_sum. intros k Hk. apply phi_derivative; assumption. }
assert (same : gamma n psi K (at_time 0) = gamma n psi K w).
{ unfold gamma. apply sum_ext. intros k Hk. unfold residual. f_equal. f_equal. apply at_start. }
evar_last.
- apply (is_derive_minus (fun t => gamma n psi K (at_time t) * curve i t)
                         (fun t => phi psi (residual n K (at_time t) i))).
  + apply (is_derive_mult (fun t => gamma n psi K (at_time t)) (curve i));
      [exact weight | apply speed; assumption | intros a b; apply Rmult_comm].
  + apply phi_derivative; assumption.
- unfold minus, plus, opp, mult; simpl. rewrite same, start by assumption.
  replace (sum n (fun k => - (bend k * apply n (centring w) (apply n K h) k)))
    with (- sum n (fun k => bend k * apply n (centring w) (apply n K h) k)).
  + ring.
  + replace (- sum n (fun k => bend k * apply n (centring w) (apply n K h) k))
      with (-1 * sum n (fun k => bend k * apply n (centring w) (apply n K h) k)) by ring.
    rewrite <- sum_scale. apply sum_ext. intros k _. ring.
Qed.

End Curve.

(* Claim influence_theorem.jacobian. Let K be symmetric, no residual be 0, and psi be differentiable at each
   residual r_i, with the derivative dpsi_i there. Then along every curve through w with the velocity h, each
   component of G has the derivative that the matrix of Theorem 5 gives, applied to h; and where gamma > 0, G(w)
   is 0 exactly if w is a fixed point of KIRWLS, w_i = phi(r_i) / sum phi(r_j). *)
Theorem jacobian_of_G (n : nat) (psi : R -> R) (K : nat -> nat -> R) (w dpsi : nat -> R) :
  (forall i j, (i < n)%nat -> (j < n)%nat -> K i j = K j i) ->
  (forall i, (i < n)%nat -> 0 < residual n K w i) ->
  (forall i, (i < n)%nat -> is_derive psi (residual n K w i) (dpsi i)) ->
  let q i := (residual n K w i * dpsi i - psi (residual n K w i)) / residual n K w i ^ 3 in
  (forall (h : nat -> R) (curve : nat -> R -> R),
     (forall j, (j < n)%nat -> curve j 0 = w j) ->
     (forall j, (j < n)%nat -> is_derive (curve j) 0 (h j)) ->
     forall i, (i < n)%nat ->
     is_derive (fun t => G n psi K (fun j => curve j t) i) 0
               (sum n (fun j => system n (gamma n psi K w) w q K i j * h j)))
  /\ (0 < gamma n psi K w ->
      ((forall i, (i < n)%nat -> G n psi K w i = 0) <->
       (forall i, (i < n)%nat -> w i = phi psi (residual n K w i) / gamma n psi K w))).
Proof.
intros symmetric positive differentiable q. split.
- intros h curve start speed i within.
  exact (derivative_along_the_curve n psi K w h dpsi curve symmetric start speed positive differentiable i within).
- intros some. unfold G. split; intros each i within; specialize (each i within).
  + apply (Rmult_eq_reg_l (gamma n psi K w)); [|lra]. field_simplify; lra.
  + rewrite each at 1. field. lra.
Qed.

(* Claim influence_theorem.q_is_slope. If psi is differentiable at t > 0, so is phi = psi/t, and
   q(t) = t psi'(t) - psi(t) = t^2 phi'(t). *)
Theorem q_is_slope (psi : R -> R) (t dpsi : R) :
  0 < t -> is_derive psi t dpsi ->
  exists dphi, is_derive (phi psi) t dphi /\ t * dpsi - psi t = t ^ 2 * dphi.
Proof.
intros positive differentiable. exists ((dpsi * t - psi t * 1) / t ^ 2). split.
- apply (is_derive_div psi (fun s => s)); [assumption | apply (is_derive_id t) | lra].
- field. lra.
Qed.
