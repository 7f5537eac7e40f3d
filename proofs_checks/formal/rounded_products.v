(* Products of a nonnegative matrix with a vector, whose entries are themselves rounded: one entry of D w. *)
From Coq Require Import Reals List Lra Lia.
From Rkde Require Import arithmetic.
Import ListNotations.
Local Open Scope R_scope.

(* One entry of a matrix, as it is and as it was computed, with the number that it is multiplied by. *)
Record factors := { entry : R; stored : R; weight : R }.

(* An order of the multiplications and additions. A fused step rounds d w + s once; after that of 0 it is a product.
   *)
Inductive dot :=
| product (f : factors)
| fused (f : factors) (rest : dot)
| sum (left right : dot).

Fixpoint exact (t : dot) : R :=
  match t with
  | product f => entry f * weight f
  | fused f s => entry f * weight f + exact s
  | sum l r => exact l + exact r
  end.
Fixpoint size (t : dot) : R :=
  match t with
  | product f => entry f * Rabs (weight f)
  | fused f s => entry f * Rabs (weight f) + size s
  | sum l r => size l + size r
  end.
Fixpoint products (t : dot) : nat :=
  match t with product _ => 1 | fused _ s => S (products s) | sum l r => products l + products r end.

(* The roundings that the first of the terms takes part in, and so at most those of any. *)
Fixpoint depth (t : dot) : nat :=
  match t with product _ => 1 | fused _ s => S (depth s) | sum l r => S (Nat.max (depth l) (depth r)) end.

(* Every entry is nonnegative, and computed but for the factor g; gamma_m is that of m multiplications and divisions.
   *)
Definition good (g : R) (f : factors) : Prop := 0 <= entry f /\ Rabs (stored f - entry f) <= g * entry f.
Fixpoint all_good (g : R) (t : dot) : Prop :=
  match t with
  | product f => good g f
  | fused f s => good g f /\ all_good g s
  | sum l r => all_good g l /\ all_good g r
  end.

(* The factors in the order of the tree, from the left; which row and vector they are of is said of this list. *)
Fixpoint leaves (t : dot) : list factors :=
  match t with product f => [f] | fused f s => f :: leaves s | sum l r => leaves l ++ leaves r end.

(* The blocks of b columns each, every one added up by itself in whatever order, and then these sums. *)
Inductive in_blocks (b : nat) : nat -> dot -> Prop :=
| one_block t : products t = b -> in_blocks b 1 t
| more_blocks p q l r : in_blocks b p l -> in_blocks b q r -> in_blocks b (p + q) (sum l r).

(* All n columns: blocks, and what is left over, of less than b columns; either of the two may be missing. *)
Inductive blocked (b : nat) : dot -> Prop :=
| no_block t : (products t < b)%nat -> blocked b t
| nothing_left q t : in_blocks b q t -> blocked b t
| something_left q whole rest : in_blocks b q whole -> (products rest < b)%nat -> blocked b (sum whole rest).

Lemma depth_below_products t : (depth t <= products t)%nat /\ (1 <= depth t)%nat.
Proof. induction t as [f|f s [IH1 IH2]|l [IHl1 IHl2] r [IHr1 IHr2]]; simpl; lia. Qed.

Lemma size_of_blocks b q t : in_blocks b q t ->
  (1 <= q)%nat /\ products t = (q * b)%nat /\ (depth t <= b + (q - 1))%nat.
Proof.
  intros H; induction H as [t eq|p q l r Hl [IHl1 [IHl2 IHl3]] Hr [IHr1 [IHr2 IHr3]]]; simpl; [|nia].
  destruct (depth_below_products t); lia.
Qed.

(* n / b, rounded up. *)
Definition ceiling (n b : nat) : nat := (n + (b - 1)) / b.

Lemma depth_of_blocked b t : (0 < b)%nat -> blocked b t -> (depth t <= b + ceiling (products t) b)%nat.
Proof.
  intros Hb H; unfold ceiling; destruct H as [t few|q t blocks|q whole rest blocks few].
  - destruct (depth_below_products t); lia.
  - destruct (size_of_blocks _ _ _ blocks) as [Hq [size deep]].
    assert (q <= (products t + (b - 1)) / b)%nat by (apply Nat.div_le_lower_bound; nia); lia.
  - destruct (size_of_blocks _ _ _ blocks) as [Hq [size deep]]; destruct (depth_below_products rest).
    assert (q <= (products (sum whole rest) + (b - 1)) / b)%nat
      by (apply Nat.div_le_lower_bound; simpl products; nia); simpl depth; lia.
Qed.

Section Products.
Variable A : arithmetic.
Local Notation u := (u A).
Local Notation eta := (eta A).

Fixpoint computed (t : dot) : R :=
  match t with
  | product f => rnd A (stored f * weight f)
  | fused f s => rnd A (stored f * weight f + computed s)
  | sum l r => rnd A (computed l + computed r)
  end.

Lemma computed_float t : float A (computed t).
Proof. destruct t; apply rnd_float. Qed.

Lemma size_bounds g t : all_good g t -> 0 <= size t /\ Rabs (exact t) <= size t.
Proof.
  assert (one : forall f, good g f -> 0 <= entry f * Rabs (weight f) /\
      Rabs (entry f * weight f) <= entry f * Rabs (weight f)).
  { intros f [Hd _]; split; [apply Rmult_le_pos; [exact Hd|apply Rabs_pos]|].
    rewrite Rabs_mult, (Rabs_right (entry f)) by lra; lra. }
  induction t as [f|f s IH|l IHl r IHr]; simpl.
  - apply one.
  - intros [Hf Hs]; destruct (one f Hf), (IH Hs); split; [lra|]; eapply Rle_trans; [apply Rabs_triang|lra].
  - intros [Hl Hr]; destruct (IHl Hl), (IHr Hr); split; [lra|]; eapply Rle_trans; [apply Rabs_triang|lra].
Qed.

Lemma stored_product g f : good g f ->
  Rabs (stored f * weight f - entry f * weight f) <= g * (entry f * Rabs (weight f)).
Proof.
  intros [_ close]; rewrite <- Rmult_minus_distr_r, Rabs_mult, <- Rmult_assoc.
  apply Rmult_le_compat_r; [apply Rabs_pos|exact close].
Qed.

(* One rounding of a number z that is within (Q - 1) S + E of an exact one of the size S. *)
Lemma one_rounding z x S Q E e : 0 <= u -> Rabs (z - x) <= (Q - 1) * S + E -> Rabs x <= S ->
  Rabs (rnd A z - z) <= u * Rabs z + e -> Rabs (rnd A z - x) <= ((1 + u) * Q - 1) * S + (1 + u) * E + e.
Proof.
  intros Hu near small step; replace (rnd A z - x) with ((rnd A z - z) + (z - x)) by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  assert (large : Rabs z <= Q * S + E).
  { replace z with ((z - x) + x) by ring; eapply Rle_trans; [apply Rabs_triang|lra]. }
  assert (u * Rabs z <= u * (Q * S + E)) by (apply Rmult_le_compat_l; assumption); lra.
Qed.

Lemma product_error g t k : 0 <= g -> all_good g t -> (depth t <= k)%nat ->
  Rabs (computed t - exact t) <=
    ((1 + u) ^ k * (1 + g) - 1) * size t + INR (products t) * eta * (1 + u) ^ (k - 1).
Proof.
  intros Hg; pose proof (u_nonneg A) as Hu; pose proof (eta_nonneg A) as He.
  revert k; induction t as [f|f s IH|l IHl r IHr]; intros k all le;
    (destruct k as [|k]; [simpl in le; lia|]); simpl in le;
    replace ((1 + u) ^ S k * (1 + g)) with ((1 + u) * ((1 + u) ^ k * (1 + g))) by (simpl; ring);
    replace (S k - 1)%nat with k by lia; assert (more : 1 + g <= (1 + u) ^ k * (1 + g))
      by (pose proof (Rmult_le_compat_r (1 + g) _ _ ltac:(lra) (power_at_least_1 u k Hu)); lra).
  - pose proof (stored_product g f all) as near; destruct (size_bounds g (product f) all) as [pos small]; simpl in *.
    assert ((1 + g) * (entry f * Rabs (weight f)) <= (1 + u) ^ k * (1 + g) * (entry f * Rabs (weight f)))
      by (apply Rmult_le_compat_r; lra).
    assert (close : Rabs (stored f * weight f - entry f * weight f) <=
      ((1 + u) ^ k * (1 + g) - 1) * (entry f * Rabs (weight f)) + 0) by lra.
    pose proof (one_rounding _ _ _ _ 0 eta Hu close small (any_error A _)).
    pose proof (power_at_least_1 u k Hu).
    assert (1 * eta <= (1 + u) ^ k * eta) by (apply Rmult_le_compat_r; assumption); lra.
  - destruct all as [Hf Hs]; pose proof (stored_product g f Hf) as near.
    destruct (size_bounds g (fused f s) (conj Hf Hs)) as [_ small]; simpl exact in *; simpl size in *.
    destruct (size_bounds g s Hs) as [pos _]; destruct (size_bounds g (product f) Hf) as [posf _]; simpl in posf.
    destruct (depth_below_products s) as [_ least].
    specialize (IH k Hs ltac:(lia)); destruct k as [|k]; [lia|]; replace (S k - 1)%nat with k in IH by lia.
    set (Q := (1 + u) ^ S k * (1 + g)) in *; set (E := INR (products s) * eta * (1 + u) ^ k) in *.
    assert ((1 + g) * (entry f * Rabs (weight f)) <= Q * (entry f * Rabs (weight f)))
      by (apply Rmult_le_compat_r; lra).
    assert (close : Rabs (stored f * weight f + computed s - (entry f * weight f + exact s)) <=
      (Q - 1) * (entry f * Rabs (weight f) + size s) + E).
    { replace (stored f * weight f + computed s - (entry f * weight f + exact s))
        with ((stored f * weight f - entry f * weight f) + (computed s - exact s)) by ring.
      eapply Rle_trans; [apply Rabs_triang|lra]. }
    pose proof (one_rounding _ _ _ Q E eta Hu close small (any_error A _)) as last.
    simpl computed; simpl products; rewrite S_INR; simpl pow; pose proof (power_at_least_1 u (S k) Hu) as big.
    simpl pow in big; assert (1 * eta <= (1 + u) * (1 + u) ^ k * eta) by (apply Rmult_le_compat_r; assumption).
    unfold E in last; lra.
  - destruct all as [Hl Hr]; destruct (size_bounds g (sum l r) (conj Hl Hr)) as [_ small].
    destruct (depth_below_products l) as [_ least]; specialize (IHl k Hl ltac:(lia)); specialize (IHr k Hr ltac:(lia)).
    destruct k as [|k]; [lia|]; replace (S k - 1)%nat with k in IHl, IHr by lia.
    simpl exact in *; simpl size in *.
    set (Q := (1 + u) ^ S k * (1 + g)) in *; set (E := (INR (products l) + INR (products r)) * eta * (1 + u) ^ k).
    assert (close : Rabs (computed l + computed r - (exact l + exact r)) <= (Q - 1) * (size l + size r) + E).
    { replace (computed l + computed r - (exact l + exact r))
        with ((computed l - exact l) + (computed r - exact r)) by ring.
      eapply Rle_trans; [apply Rabs_triang|]; unfold E; lra. }
    pose proof (sum_error A _ _ (computed_float l) (computed_float r)) as step; rewrite <- Rplus_0_r in step.
    pose proof (one_rounding _ _ _ Q E 0 Hu close small step) as last.
    simpl computed; simpl products; rewrite plus_INR; simpl pow; unfold E in last; lra.
Qed.

(* Claim roundings.product: an entry of the product of a nonnegative matrix with a vector c, where each entry of the
   matrix is off by gamma_m of itself at most, as after m roundings, and each term has k more at most, fused or not
   and in whatever order, is within gamma_(m + k) of (D |c|)_i, beside n eta (1 + u)^(k - 1) for products that
   underflow; without blocks k is at most n. *)
Theorem rounded_product m t k : all_good (gamma u m) t -> (depth t <= k)%nat -> INR (m + k) * u < 1 ->
  Rabs (computed t - exact t) <= gamma u (m + k) * size t + INR (products t) * eta * (1 + u) ^ (k - 1) /\
  (depth t <= products t)%nat.
Proof.
  intros all le small; pose proof (u_nonneg A) as Hu; split; [|apply depth_below_products].
  eapply Rle_trans; [apply (product_error _ t k (gamma_nonneg u m k Hu small) all le)|]; apply Rplus_le_compat_r.
  apply Rmult_le_compat_r; [apply (size_bounds _ t all)|apply gamma_after; [apply u_nonneg|exact small]].
Qed.

(* Where there is no block, or nothing is left over, the code adds 0 to the other part, which changes nothing. *)
Lemma nothing_added t : rnd A (computed t + 0) = computed t /\ rnd A (0 + computed t) = computed t.
Proof. rewrite Rplus_0_l, Rplus_0_r; split; apply rnd_fixed, computed_float. Qed.

(* Claim roundings.product: the constant of the fast package, for every number of columns n. Blocks of b columns, each
   added up by itself, then these sums, and then what is left over, of less than b columns, take b + ceil(n/b)
   roundings at most; so the error of an entry is gamma_(b + ceil(n/b) + m) of (D |c|)_i at most, but for underflow.
   Where n < b, or b divides n, one of the two parts is missing, and adding 0 in its place changes nothing. *)
Theorem blocked_product m b t : (0 < b)%nat -> blocked b t -> all_good (gamma u m) t ->
  let n := products t in let k := (b + ceiling n b)%nat in INR (k + m) * u < 1 ->
  Rabs (computed t - exact t) <= gamma u (k + m) * size t + INR n * eta * (1 + u) ^ (k - 1) /\
  rnd A (computed t + 0) = computed t /\ rnd A (0 + computed t) = computed t.
Proof.
  intros Hb blocks all n k small; split; [|apply nothing_added]; rewrite Nat.add_comm in small |- *.
  apply rounded_product; [exact all|apply depth_of_blocked; assumption|exact small].
Qed.

End Products.
