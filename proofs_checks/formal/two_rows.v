(* Three distinct rows are needed in Lemma 2: with two, all its other conditions do not make J strictly convex. *)
From Coq Require Import Reals Lra Lia.
From Rkde Require Import space setting losses convexity features product lemma_2 convergence.
Local Open Scope R_scope.

Lemma absolute_convex_rises phi_0 : rho_convex (absolute phi_0) /\ rho_strictly_rises (absolute phi_0).
Proof. split; [intros x y l _ _ _; simpl; lra|intros x y _ lt; exact lt]. Qed.

Lemma between_ends {H : space} (p q : H) : between 1 p q = p /\ between 0 p q = q.
Proof. split; apply same; intros x; unfold between; rewrite dot_add, !dot_scale; ring. Qed.

(* Halfway between two points of a line that lie as far from its middle. *)
Lemma between_middle {H : space} (p q : H) w :
  between (/ 2) (between w p q) (between (1 - w) p q) = between (/ 2) p q.
Proof. apply same; intros x; unfold between; rewrite !dot_add, !dot_scale, !dot_add, !dot_scale; field. Qed.

Lemma between_differ {H : space} (p q : H) w : p <> q -> w <> / 2 -> between w p q <> between (1 - w) p q.
Proof.
  intros ne half eq; apply ne, sub_origin, dot_definite; set (d := sub p q).
  assert (zero : dot (between w p q) d = dot (between (1 - w) p q) d) by (rewrite eq; reflexivity).
  unfold between in zero; rewrite !dot_add, !dot_scale in zero.
  assert (apart : (2 * w - 1) * dot d d = 0) by (unfold d at 1; rewrite dot_sub; lra).
  apply Rmult_integral in apart; destruct apart as [edge|done]; [lra|exact done].
Qed.

(* A function with one value at two points and halfway between them is not strictly convex. *)
Lemma not_strict {H : space} (T : H -> R) g h c : g <> h -> T g = c -> T h = c -> T (between (/ 2) g h) = c ->
  ~ strictly_convex T.
Proof. intros ne at_g at_h mid strict; specialize (strict g h (/ 2) ne ltac:(lra)); lra. Qed.

(* Claim convergence.two_rows: three is sharp. Let rho be that of the absolute loss, or of Huber's with 2a < |P_0 -
   P_1|: it is convex and strictly increasing, but J of two distinct rows is not strictly convex. There are two such
   rows of norm 1, with a nonnegative inner product and a regular kernel matrix, at a distance of more than 1. *)
Theorem three_is_sharp :
  (forall (H : space) (P : nat -> H) phi_0, P 0%nat <> P 1%nat ->
    rho_convex (absolute phi_0) /\ rho_strictly_rises (absolute phi_0) /\
    ~ strictly_convex (J 2 P (equal 2) (absolute phi_0))) /\
  (forall (H : space) (P : nat -> H) a, 0 < a -> 2 * a < norm (sub (P 0%nat) (P 1%nat)) ->
    rho_convex (Huber a) /\ rho_strictly_rises (Huber a) /\ ~ strictly_convex (J 2 P (equal 2) (Huber a))) /\
  exists (H : space) (P : nat -> H), positive_definite 2 P /\ norm (P 0%nat) = 1 /\ norm (P 1%nat) = 1 /\
    0 <= dot (P 0%nat) (P 1%nat) /\ 1 < norm (sub (P 0%nat) (P 1%nat)).
Proof.
  split; [|split].
  - intros H P phi_0 ne; destruct (absolute_convex_rises phi_0) as [convex rises].
    split; [exact convex|split; [exact rises|]]; destruct (between_ends (P 0%nat) (P 1%nat)) as [first second].
    apply (not_strict _ _ _ (norm (sub (P 0%nat) (P 1%nat)) / 2) ne).
    + pose proof (proj1 (two_rows H P phi_0 1 1 ltac:(lra))) as value; rewrite first in value; exact value.
    + pose proof (proj1 (two_rows H P phi_0 1 0 ltac:(lra))) as value; rewrite second in value; exact value.
    + apply (two_rows H P phi_0 1 (/ 2)); lra.
  - intros H P a pos far; destruct (Huber_convex a pos) as [convex rises].
    split; [exact convex|split; [exact rises|]]; set (D := norm (sub (P 0%nat) (P 1%nat))) in *.
    assert (ne : P 0%nat <> P 1%nat) by (intros eq; unfold D in far; rewrite eq, norm_sub_self in far; lra).
    set (e := a / D); assert (eD : e * D = a) by (unfold e; field; lra).
    assert (He : 0 < e < / 2).
    { split; [apply Rdiv_lt_0_compat; lra|apply Rmult_lt_reg_r with D; lra]. }
    apply (not_strict _ _ _ (a * D / 2 - a ^ 2 / 2) (between_differ _ _ e ne ltac:(lra))).
    + apply (two_rows H P 0 a e); [lra|fold D; lra|fold D; lra].
    + apply (two_rows H P 0 a (1 - e)); [lra|fold D; lra|fold D; lra].
    + rewrite between_middle; apply (two_rows H P 0 a (/ 2)); [lra|fold D; lra|fold D; lra].
  - destruct unit_vectors as [E [N [right differ]]].
    exists plane, (fun i => match i with O => east | _ => north end); split; [|split; [exact E|split; [exact N|]]].
    + intros c [[|[|i]] [Hi nz]]; [..|lia]; cbn; nra.
    + split; [lra|]; apply Rsqr_incrst_0; [|lra|apply norm_nonneg]; unfold Rsqr at 2.
      rewrite norm_sqr; cbn; unfold Rsqr; lra.
Qed.
