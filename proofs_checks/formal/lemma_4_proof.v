(* The printed proof of Lemma 4: its relations (13) to (15) are a_i (P_i - g) + b_i (P_i - h) = 0. *)
From Coq Require Import Reals Lra Lia.
From Rkde Require Import space setting convexity features.
Local Open Scope R_scope.

Section Printed_proof.
Context {H : space}.
Implicit Types p q r g h : H.

(* Relations (13) to (15), for one row. *)
Definition relation (a b : R) p g h : Prop := add (scale a (sub p g)) (scale b (sub p h)) = origin.

Lemma relation_dots a b p g h : relation a b p g h ->
  forall x, (a + b) * dot p x = a * dot g x + b * dot h x.
Proof.
  intros rel x; assert (zero : dot (add (scale a (sub p g)) (scale b (sub p h))) x = 0)
    by (rewrite rel; apply dot_origin).
  rewrite dot_add, !dot_scale, !dot_sub in zero; lra.
Qed.

Lemma relation_sum a b p g h : g <> h -> (a <> 0 \/ b <> 0) -> relation a b p g h -> a + b <> 0.
Proof.
  intros ne nz rel zero; apply ne, same; intros x; pose proof (relation_dots a b p g h rel x) as eq.
  replace b with (- a) in eq, nz by lra; assert (product : a * (dot h x - dot g x) = 0) by lra.
  apply Rmult_integral in product; destruct product as [a0|]; [|lra]; destruct nz; lra.
Qed.

(* h from two relations: the printed lambda_1 and lambda_2, and with p, q for rows 2 and 3 lambda_3 and lambda_4. *)
Lemma combination_of_two a1 b1 a2 b2 p q g h : a1 * b2 - a2 * b1 <> 0 -> relation a1 b1 p g h -> relation a2 b2 q g h ->
  h = add (scale (- (a2 * (a1 + b1)) / (a1 * b2 - a2 * b1)) p) (scale (a1 * (a2 + b2) / (a1 * b2 - a2 * b1)) q).
Proof.
  intros nz R1 R2; apply same; intros x; rewrite dot_add, !dot_scale.
  pose proof (relation_dots _ _ _ _ _ R1 x) as E1; pose proof (relation_dots _ _ _ _ _ R2 x) as E2.
  apply Rmult_eq_reg_l with (a1 * b2 - a2 * b1); [|exact nz].
  transitivity (- a2 * ((a1 + b1) * dot p x) + a1 * ((a2 + b2) * dot q x)); [rewrite E1, E2; ring|field; exact nz].
Qed.

Lemma pair_independent p q r : independent 3 (fun i => match i with O => p | S O => q | _ => r end) ->
  forall a b c, (forall x, a * dot p x + b * dot q x + c * dot r x = 0) -> a = 0 /\ b = 0 /\ c = 0.
Proof.
  intros ind a b c zero; set (coef := fun i => match i with O => a | S O => b | _ => c end).
  assert (none : comb 3 coef (fun i => match i with O => p | S O => q | _ => r end) = origin).
  { apply same; intros x; simpl; rewrite !dot_add, !dot_scale, dot_origin; specialize (zero x); lra. }
  repeat split; [apply (ind coef none 0%nat)|apply (ind coef none 1%nat)|apply (ind coef none 2%nat)]; lia.
Qed.

Lemma denominator_zero a1 b1 a2 b2 p q g h : (forall a b, (forall x, a * dot p x + b * dot q x = 0) -> a = 0) ->
  g <> h -> (a1 <> 0 \/ b1 <> 0) -> relation a1 b1 p g h -> relation a2 b2 q g h ->
  a1 * b2 - a2 * b1 = 0 -> a2 = 0.
Proof.
  intros ind differ nz1 R1 R2 zero; assert (product : a2 * (a1 + b1) = 0).
  { apply (ind _ (- (a1 * (a2 + b2)))); intros x.
    pose proof (relation_dots _ _ _ _ _ R1 x) as E1; pose proof (relation_dots _ _ _ _ _ R2 x) as E2.
    transitivity (a2 * ((a1 + b1) * dot p x) - a1 * ((a2 + b2) * dot q x)); [ring|]; rewrite E1, E2.
    transitivity (- (a1 * b2 - a2 * b1) * dot h x); [ring|rewrite zero; ring]. }
  pose proof (relation_sum _ _ _ _ _ differ nz1 R1); apply Rmult_integral in product; destruct product; [assumption|].
  contradiction.
Qed.

Section Rows.
Variables (p q r g h : H) (a1 b1 a2 b2 a3 b3 : R).
Hypothesis ind : independent 3 (fun i => match i with O => p | S O => q | _ => r end).
Hypothesis differ : g <> h.
Hypotheses (nz1 : a1 <> 0 \/ b1 <> 0) (nz2 : a2 <> 0 \/ b2 <> 0) (nz3 : a3 <> 0 \/ b3 <> 0).
Hypotheses (R1 : relation a1 b1 p g h) (R2 : relation a2 b2 q g h) (R3 : relation a3 b3 r g h).

Lemma first_two a b : (forall x, a * dot p x + b * dot q x = 0) -> a = 0.
Proof.
  intros zero; destruct (pair_independent p q r ind a b 0) as [a0 _]; [|exact a0].
  intros x; specialize (zero x); lra.
Qed.

Lemma last_two a b : (forall x, a * dot r x + b * dot q x = 0) -> a = 0.
Proof.
  intros zero; destruct (pair_independent p q r ind 0 b a) as [_ [_ a0]]; [|exact a0].
  intros x; specialize (zero x); lra.
Qed.

(* Where alpha_2 = 0: h = P_2, alpha_1 and alpha_3 are not 0, and both expressions of g. *)
Lemma first_case_facts : a2 = 0 -> h = q /\ a1 <> 0 /\ a3 <> 0 /\
  g = add (scale ((a1 + b1) / a1) p) (scale (- (b1 / a1)) q) /\
  g = add (scale ((a3 + b3) / a3) r) (scale (- (b3 / a3)) q).
Proof.
  intros zero; assert (hq : h = q).
  { apply same; intros x; pose proof (relation_dots _ _ _ _ _ R2 x) as E2; rewrite zero in E2.
    apply Rmult_eq_reg_l with b2; [lra|destruct nz2; lra]. }
  assert (dots : forall a b p', relation a b p' g h -> forall x, (a + b) * dot p' x = a * dot g x + b * dot q x)
    by (intros a b p' rel; rewrite <- hq; apply relation_dots, rel).
  assert (a1nz : a1 <> 0).
  { intros a0; destruct (pair_independent p q r ind b1 (- b1) 0) as [b0 _]; [|destruct nz1; lra].
    intros x; pose proof (dots _ _ _ R1 x) as E; rewrite a0 in E; lra. }
  assert (a3nz : a3 <> 0).
  { intros a0; destruct (pair_independent p q r ind 0 (- b3) b3) as [_ [_ b0]]; [|destruct nz3; lra].
    intros x; pose proof (dots _ _ _ R3 x) as E; rewrite a0 in E; lra. }
  assert (solved : forall a b p', a <> 0 -> relation a b p' g h ->
    g = add (scale ((a + b) / a) p') (scale (- (b / a)) q)).
  { intros a b p' nz rel; apply same; intros x; rewrite dot_add, !dot_scale.
    apply Rmult_eq_reg_l with a; [|exact nz]; transitivity ((a + b) * dot p' x - b * dot q x); [|field; exact nz].
    rewrite (dots _ _ _ rel x); ring. }
  repeat split; [exact hq|exact a1nz|exact a3nz|apply solved; assumption..].
Qed.

Lemma first_case_absurd : a2 <> 0.
Proof.
  intros zero; destruct (first_case_facts zero) as [_ [a1nz [a3nz [G1 G3]]]].
  destruct (pair_independent p q r ind ((a1 + b1) / a1) (b3 / a3 - b1 / a1) (- ((a3 + b3) / a3))) as [lead _].
  - intros x; assert (eq : dot g x = dot g x) by reflexivity; rewrite G1 in eq at 1; rewrite G3 in eq.
    rewrite !dot_add, !dot_scale in eq; lra.
  - destruct (relation_sum _ _ _ _ _ differ nz1 R1).
    apply Rmult_eq_reg_r with (/ a1); [unfold Rdiv in lead; lra|apply Rinv_neq_0_compat, a1nz].
Qed.

End Rows.

(* Claim features.three_points: in the printed proof the case alpha_2 = 0 contradicts the independence of P_1, P_2
   and P_3; in the other case lambda_1 to lambda_4 are right, and lambda_1 = 0 forces alpha_2 = 0. *)
Theorem printed_proof_of_lemma_4 p q r g h a1 b1 a2 b2 a3 b3 :
  independent 3 (fun i => match i with O => p | S O => q | _ => r end) -> g <> h ->
  (a1 <> 0 \/ b1 <> 0) -> (a2 <> 0 \/ b2 <> 0) -> (a3 <> 0 \/ b3 <> 0) ->
  relation a1 b1 p g h -> relation a2 b2 q g h -> relation a3 b3 r g h ->
  a2 <> 0 /\
  h = add (scale (- (a2 * (a1 + b1)) / (a1 * b2 - a2 * b1)) p) (scale (a1 * (a2 + b2) / (a1 * b2 - a2 * b1)) q) /\
  h = add (scale (- (a3 * (a2 + b2)) / (a2 * b3 - a3 * b2)) q) (scale (a2 * (a3 + b3) / (a2 * b3 - a3 * b2)) r) /\
  (- (a2 * (a1 + b1)) / (a1 * b2 - a2 * b1) = 0 -> a2 = 0).
Proof.
  intros ind differ nz1 nz2 nz3 R1 R2 R3.
  assert (a2nz : a2 <> 0) by (apply (first_case_absurd p q r g h a1 b1 a2 b2 a3 b3); assumption).
  assert (den : a1 * b2 - a2 * b1 <> 0).
  { intros zero; apply a2nz, (denominator_zero a1 b1 a2 b2 p q g h); try assumption; apply (first_two p q r ind). }
  assert (den' : a2 * b3 - a3 * b2 <> 0).
  { intros zero; apply a2nz, (denominator_zero a3 b3 a2 b2 r q g h); try assumption; [apply (last_two p q r ind)|lra]. }
  split; [exact a2nz|split; [apply (combination_of_two a1 b1 a2 b2 p q g h); assumption|split]].
  - apply (combination_of_two a2 b2 a3 b3 q r g h); assumption.
  - intros zero; pose proof (relation_sum _ _ _ _ _ differ nz1 R1).
    assert (product : a2 * (a1 + b1) = 0).
    { apply Rmult_eq_reg_r with (- / (a1 * b2 - a2 * b1)); [unfold Rdiv in zero; lra|].
      apply Ropp_neq_0_compat, Rinv_neq_0_compat, den. }
    apply Rmult_integral in product; destruct product; [assumption|contradiction].
Qed.

(* Claim features.denominator: if alpha_1 beta_2 - alpha_2 beta_1 were 0, alpha_2 would be 0, so the printed 'because
   this implies' must read 'because otherwise'; that the number is not 0 implies no such thing: with alpha = (1, 1),
   beta_1 = 0 and beta_2 = 1 it is 1, and alpha_2 (alpha_1 + beta_1) = 1. *)
Theorem denominator p q r g h a1 b1 a2 b2 :
  (independent 3 (fun i => match i with O => p | S O => q | _ => r end) -> g <> h -> (a1 <> 0 \/ b1 <> 0) ->
    relation a1 b1 p g h -> relation a2 b2 q g h -> a1 * b2 - a2 * b1 = 0 -> a2 = 0) /\
  1 * 1 - 1 * 0 = 1 /\ 1 * (1 + 0) = 1.
Proof.
  split; [intros ind differ nz1 R1 R2; apply (denominator_zero a1 b1 a2 b2 p q g h);
    try assumption; apply (first_two p q r ind)|split; ring].
Qed.

(* Claim features.first_case: where alpha_2 = 0, h = P_2, and the two expressions of g follow from the first and the
   third relation; the second, which the print names, holds with every vector in the place of g. *)
Theorem first_case p q r g h a1 b1 a2 b2 a3 b3 : a2 = 0 -> b2 <> 0 -> a1 <> 0 -> a3 <> 0 ->
  relation a1 b1 p g h -> relation a2 b2 q g h -> relation a3 b3 r g h ->
  h = q /\ g = add (scale ((a1 + b1) / a1) p) (scale (- (b1 / a1)) q) /\
  g = add (scale ((a3 + b3) / a3) r) (scale (- (b3 / a3)) q) /\ forall x, relation a2 b2 q x h.
Proof.
  intros zero nz2 a1nz a3nz R1 R2 R3; assert (hq : h = q).
  { apply same; intros x; pose proof (relation_dots _ _ _ _ _ R2 x) as E2; rewrite zero in E2.
    apply Rmult_eq_reg_l with b2; [lra|exact nz2]. }
  assert (solved : forall a b p', a <> 0 -> relation a b p' g h ->
    g = add (scale ((a + b) / a) p') (scale (- (b / a)) q)).
  { intros a b p' nz rel; apply same; intros x; rewrite dot_add, !dot_scale.
    apply Rmult_eq_reg_l with a; [|exact nz]; transitivity ((a + b) * dot p' x - b * dot q x); [|field; exact nz].
    rewrite (relation_dots _ _ _ _ _ rel x), hq; ring. }
  repeat split; [exact hq|apply solved; assumption|apply solved; assumption|].
  intros x; apply same; intros y; rewrite dot_add, !dot_scale, !dot_sub, dot_origin, zero, hq; ring.
Qed.

End Printed_proof.
