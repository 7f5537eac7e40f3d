(* A tree of products that adds up one row of D w: it has the products of the row, each once, in whatever order. *)
From Coq Require Import Reals List Permutation Lra Lia.
From Rkde Require Import arithmetic rounded_products.
From Rkde Require Import space.
Local Open Scope R_scope.

Definition adds_row (n : nat) (d w : nat -> R) (t : rounded_products.dot) : Prop :=
  Permutation (map (fun f => (entry f, weight f)) (leaves t)) (map (fun j => (d j, w j)) (seq 0 n)).

Definition total (l : list (R * R)) : R := fold_right (fun f s => fst f * snd f + s) 0 l.

Lemma total_app l k : total (l ++ k) = total l + total k.
Proof. induction l as [|f l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma total_permuted l k : Permutation l k -> total l = total k.
Proof. intros H; induction H; simpl; lra. Qed.

Lemma total_of_row n d w : total (map (fun j => (d j, w j)) (seq 0 n)) = sum n (fun j => d j * w j).
Proof. induction n as [|n IH]; [reflexivity|]; rewrite seq_S, map_app, total_app, IH; simpl; ring. Qed.

Lemma exact_total t : exact t = total (map (fun f => (entry f, weight f)) (leaves t)).
Proof. induction t as [f|f s IH|l IHl r IHr]; simpl; [ring|rewrite IH; ring|rewrite map_app, total_app; lra]. Qed.

Lemma size_is_exact t : Forall (fun f => 0 <= weight f) (leaves t) -> size t = exact t.
Proof.
  induction t as [f|f s IH|l IHl r IHr]; simpl; intros pos.
  - inversion pos; subst; rewrite Rabs_pos_eq by assumption; reflexivity.
  - inversion pos; subst; rewrite IH, Rabs_pos_eq by assumption; reflexivity.
  - apply Forall_app in pos; destruct pos; rewrite IHl, IHr by assumption; reflexivity.
Qed.

Lemma products_are_leaves t : products t = length (leaves t).
Proof. induction t as [f|f s IH|l IHl r IHr]; simpl; [reflexivity|lia|rewrite app_length; lia]. Qed.

Lemma row_added n d w t : (forall j, (j < n)%nat -> 0 <= w j) -> adds_row n d w t ->
  exact t = sum n (fun j => d j * w j) /\ size t = exact t /\ products t = n /\
  Forall (fun f => 0 <= weight f) (leaves t).
Proof.
  intros pos same; assert (all : Forall (fun f => 0 <= weight f) (leaves t)).
  { apply Forall_forall; intros f here; assert (there : In (entry f, weight f) (map (fun j => (d j, w j)) (seq 0 n))).
    { apply (Permutation_in _ same), in_map_iff; exists f; split; [reflexivity|exact here]. }
    apply in_map_iff in there; destruct there as [j [eq Hj]]; apply in_seq in Hj; injection eq; intros <- _.
    apply pos; lia. }
  split; [rewrite exact_total, (total_permuted _ _ same); apply total_of_row|].
  split; [apply size_is_exact, all|]; split; [|exact all].
  rewrite products_are_leaves, <- (map_length (fun f => (entry f, weight f))), (Permutation_length same).
  rewrite map_length; apply seq_length.
Qed.

Lemma computed_nonneg A g t : g <= 1 -> all_good g t -> Forall (fun f => 0 <= weight f) (leaves t) ->
  0 <= computed A t.
Proof.
  intros Hg; assert (one : forall f, good g f -> 0 <= weight f -> 0 <= stored f * weight f).
  { intros f [Hd close] Hw; apply Rmult_le_pos; [|exact Hw]; pose proof (Rle_abs (- (stored f - entry f))) as low.
    rewrite Rabs_Ropp in low; assert (g * entry f <= 1 * entry f) by (apply Rmult_le_compat_r; lra); lra. }
  induction t as [f|f s IH|l IHl r IHr]; simpl; intros good pos; apply rnd_nonneg.
  - inversion pos; subst; apply one; assumption.
  - destruct good; inversion pos; subst; apply Rplus_le_le_0_compat; [apply one|apply IH]; assumption.
  - destruct good; apply Forall_app in pos; destruct pos; apply Rplus_le_le_0_compat; [apply IHl|apply IHr]; assumption.
Qed.
