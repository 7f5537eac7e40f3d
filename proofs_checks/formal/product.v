(* Spaces of every finite dimension: the product of two spaces, and its powers of the line. *)
From Coq Require Import Reals Lra Lia.
From Rkde Require Import space.
Local Open Scope R_scope.

Definition product (H K : space) : space.
Proof.
  refine (Space (H * K) (origin, origin) (fun p q => (add (fst p) (fst q), add (snd p) (snd q)))
    (fun a p => (scale a (fst p), scale a (snd p))) (fun p q => dot (fst p) (fst q) + dot (snd p) (snd q))
    _ _ _ _ _ _ _ _ _ _ _ _ _).
  - abstract (intros u v; f_equal; apply add_comm).
  - abstract (intros u v w; cbn; f_equal; apply add_assoc).
  - abstract (intros [u1 u2]; cbn; f_equal; apply add_origin).
  - abstract (intros u; cbn; f_equal; apply add_opposite).
  - abstract (intros [u1 u2]; cbn; f_equal; apply scale_one).
  - abstract (intros a b u; cbn; f_equal; apply scale_scale).
  - abstract (intros a u v; cbn; f_equal; apply scale_add).
  - abstract (intros a b u; cbn; f_equal; apply add_scale).
  - abstract (intros u v; cbn; rewrite (dot_comm _ (fst u)), (dot_comm _ (snd u)); reflexivity).
  - abstract (intros u v w; cbn; rewrite !dot_add; ring).
  - abstract (intros a u v; cbn; rewrite !dot_scale; ring).
  - abstract (intros u; cbn; apply Rplus_le_le_0_compat; apply dot_nonneg).
  - abstract (intros [u1 u2]; cbn; intros zero; pose proof (dot_nonneg _ u1); pose proof (dot_nonneg _ u2);
    f_equal; apply dot_definite; lra).
Defined.

Fixpoint power (d : nat) : space := match d with O => line | S k => product line (power k) end.

(* The plane, and two of its unit vectors. *)
Definition plane : space := power 1.
Definition east : plane := (1, 0).
Definition north : plane := (0, 1).

Lemma unit_vectors : @norm plane east = 1 /\ @norm plane north = 1 /\ @dot plane east north = 0 /\ east <> north.
Proof.
  split; [|split; [|split]].
  - unfold norm; cbn; transitivity (sqrt 1); [f_equal; ring|apply sqrt_1].
  - unfold norm; cbn; transitivity (sqrt 1); [f_equal; ring|apply sqrt_1].
  - cbn; ring.
  - intros eq; apply (f_equal fst) in eq; cbn in eq; lra.
Qed.
