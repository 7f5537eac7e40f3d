(* J of two pairs of rows has two minimisers, each the mirror image of the other. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone losses losses_assumptions continuity existence pairs saddle.
Local Open Scope R_scope.

Local Notation L := loss_of_pairs.


Section Mirror.
Context {H : space} (P : nat -> H).
Hypothesis are_pairs : pairs P.
Notation J := (J 4 P (equal 4) L).

Definition reversed (w : nat -> R) (i : nat) : R := w (3 - i)%nat.

Lemma mirror_image w : J (comb 4 (reversed w) P) = J (comb 4 w P).
Proof.
  assert (dots : forall i, (i < 4)%nat -> dot (P i) (comb 4 (reversed w) P) = dot (P (3 - i)%nat) (comb 4 w P)).
  { intros i Hi; rewrite !dot_comb_r; cbn [sum]; unfold reversed; simpl Nat.sub.
    destruct i as [|[|[|[|i]]]]; [..|lia]; simpl Nat.sub; to_values P are_pairs; ring. }
  assert (length : dot (comb 4 (reversed w) P) (comb 4 (reversed w) P) = dot (comb 4 w P) (comb 4 w P)).
  { rewrite !dot_comb; cbn [sum]; rewrite !dots by lia; unfold reversed; simpl Nat.sub; ring. }
  assert (same_residual : forall i, (i < 4)%nat ->
    residual P (comb 4 (reversed w) P) i = residual P (comb 4 w P) (3 - i)%nat).
  { intros i Hi; unfold residual, norm; f_equal; rewrite !dot_sub, !dot_sub_r.
    rewrite (dot_comm _ (comb 4 (reversed w) P) (P i)), (dot_comm _ (comb 4 w P) (P (3 - i)%nat)), length, dots by exact Hi.
    destruct (kernel_values P are_pairs) as [own _]; rewrite !own by lia; ring. }
  unfold setting.J; cbn [sum]; rewrite !same_residual, !quarter by lia; simpl Nat.sub; ring.
Qed.

Lemma even_is_higher p : 0 <= p <= / 2 -> 14 / 100 <= J (even P p).
Proof.
  intros Hp; assert (row_high : forall i, (i < 4)%nat -> 14 / 100 <= rho L (residual P (even P p) i)).
  { intros i Hi; rewrite even_residual by assumption; pose proof (root_narrow _ (square_bounds i p Hp)) as root.
    rewrite rho_between by lra; nra. }
  pose proof (row_high 0%nat ltac:(lia)); pose proof (row_high 1%nat ltac:(lia)).
  pose proof (row_high 2%nat ltac:(lia)); pose proof (row_high 3%nat ltac:(lia)).
  unfold setting.J; cbn [sum]; rewrite !quarter; lra.
Qed.

Definition left_pair : H := comb 4 (fun i => match i with O | 1%nat => / 2 | _ => 0 end) P.

Lemma rho_top r : 0 <= r -> rho L r <= 225 / 1000.
Proof.
  intros Hr; simpl; unfold Hampel_rho.
  destruct (Rlt_dec r (3 / 10)); [nra|]; destruct (Rlt_dec r (6 / 10)); [lra|].
  destruct (Rlt_dec r (12 / 10)); [pose proof (pow2_ge_0 (12 / 10 - r)); lra|lra].
Qed.

Lemma pair_is_low : J left_pair <= 116 / 1000.
Proof.
  destruct values as [VA _].
  assert (close : forall i, (i < 2)%nat -> rho L (residual P left_pair i) <= / 200).
  { intros i Hi; assert (sq : dot (sub (P i) left_pair) (sub (P i) left_pair) = (1 - k_02) / 2).
    { unfold sub, left_pair; cbn [comb]; repeat rewrite ?dot_add, ?dot_add_r, ?dot_scale, ?dot_scale_r, ?dot_origin, ?dot_origin_r.
      destruct i as [|[|i]]; [..|lia]; to_values P are_pairs; field. }
    unfold residual, norm; rewrite sq; set (x := (1 - k_02) / 2); assert (Hx : 0 <= x <= / 100) by (unfold x; lra).
    assert (small : sqrt x < 3 / 10).
    { apply Rsqr_incrst_0; [unfold Rsqr; rewrite sqrt_sqrt by lra; lra|apply sqrt_pos|lra]. }
    simpl; unfold Hampel_rho; destruct (Rlt_dec (sqrt x) (3 / 10)); [|lra].
    replace (sqrt x ^ 2) with (sqrt x * sqrt x) by ring; rewrite sqrt_sqrt; lra. }
  pose proof (close 0%nat ltac:(lia)); pose proof (close 1%nat ltac:(lia)).
  pose proof (rho_top (residual P left_pair 2) (norm_nonneg _)); pose proof (rho_top (residual P left_pair 3) (norm_nonneg _)).
  unfold setting.J; cbn [sum]; rewrite !quarter; lra.
Qed.

End Mirror.

(* Claim local_minima.two_disjoint, which FAILS: for the rows -2.1, -1.9, 1.9, 2.1, Gaussian features with sigma = 1 and
   Hampel's loss with (0.3, 0.6, 1.2), J has two minimisers at least. Such features exist. *)
Theorem two_minimisers :
  (exists (H : space) (P : nat -> H), pairs P) /\
  forall (H : space) (P : nat -> H), pairs P ->
  exists f g, f <> g /\ minimiser (J 4 P (equal 4) L) f /\ minimiser (J 4 P (equal 4) L) g.
Proof.
  split; [exact pairs_exist|]; intros H P are_pairs.
  destruct (Hampel_assumptions (3 / 10) (6 / 10) (12 / 10)) as [a1 _]; try lra.
  destruct (Hampel_slope (3 / 10) (6 / 10) (12 / 10)) as [slope _]; try lra.
  destruct (minimiser_exists 4 P (equal 4) L) as [f [[w [[pos one] ->]] least]].
  { apply equal_simplex; lia. } { exact (proj1 a1). } { apply rho_continuous; assumption. }
  exists (comb 4 w P), (comb 4 (reversed w) P); split; [|split; [exact least|]].
  2: { intros h; rewrite mirror_image by exact are_pairs; apply least. }
  intros eq; pose proof (least (left_pair P)) as low; pose proof (pair_is_low P are_pairs) as pair.
  assert (halves : comb 4 w P = even P ((w 0%nat + w 3%nat) / 2)).
  { apply same; intros x; assert (dots : dot (comb 4 w P) x = dot (comb 4 (reversed w) P) x) by (rewrite <- eq; reflexivity).
    cbn [sum] in one; unfold even, mirrored; rewrite !dot_comb in *; cbn [sum] in *; unfold reversed in dots; simpl in *.
    replace (/ 2 - (w 0%nat + w 3%nat) / 2) with ((w 1%nat + w 2%nat) / 2) by lra; lra. }
  pose proof (pos 0%nat ltac:(lia)); pose proof (pos 1%nat ltac:(lia)); pose proof (pos 2%nat ltac:(lia)).
  pose proof (pos 3%nat ltac:(lia)); cbn [sum] in one.
  pose proof (even_is_higher P are_pairs ((w 0%nat + w 3%nat) / 2) ltac:(lra)) as high; rewrite <- halves in high; lra.
Qed.
