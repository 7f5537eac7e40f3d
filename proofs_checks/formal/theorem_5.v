(* Theorem 5, for every number n of rows: the linear system, the coefficients of its solution, and their sum.

   Everything here is algebra and holds over every field; the real numbers are the case that the paper needs.
   No axiom is used. gamma is sum phi(r_i), q_i is q(r_i)/r_i^3, and pull is n phi(r'). *)
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(* A symmetric bilinear form: an inner product without its positivity, of which no statement here has need. *)
Definition symmetric_bilinear (F : fieldType) (V : lmodType F) (dot : V -> V -> F) : Prop :=
  (forall x y, dot x y = dot y x) /\
  (forall a x y z, dot (a *: x + y) z = a * dot x z + dot y z).

Section System.

Variables (F : fieldType) (n : nat).
Implicit Types (gamma pull alpha_new : F) (w q cross alpha : 'cV[F]_n) (K : 'M[F]_n).

(* The column of ones, I - 1 w', and (I - 1 w')' Q (I - 1 w') with Q = diag(q_1, ..., q_n). *)
Definition ones : 'cV[F]_n := const_mx 1.
Definition centring w : 'M[F]_n := 1%:M - ones *m w^T.
Definition bent w q : 'M[F]_n := (centring w)^T *m diag_mx q^T *m centring w.

(* The matrix of Theorem 5. *)
Definition system gamma w q K : 'M[F]_n := gamma%:M + bent w q *m K.

(* alpha and alpha_new satisfy the system of Theorem 5. *)
Definition solves gamma w q K cross pull alpha alpha_new : Prop :=
  system gamma w q K *m alpha = - (pull *: w) - alpha_new *: (bent w q *m cross).

Lemma ones_tr (v : 'cV[F]_n) : ones^T *m v = (\sum_i v i 0)%:M.
Proof.
rewrite [LHS]mx11_scalar; congr (_ %:M).
by rewrite mxE; apply: eq_bigr => i _; rewrite !mxE mul1r.
Qed.

Lemma centring_tr w : (centring w)^T = 1%:M - w *m ones^T.
Proof. by rewrite /centring linearB /= trmx1 trmx_mul trmxK. Qed.

Lemma ones_bent w q : \sum_i w i 0 = 1 -> ones^T *m bent w q = 0.
Proof.
move=> sum_w; rewrite /bent !mulmxA centring_tr mulmxBr mulmx1 mulmxA ones_tr sum_w.
by rewrite mul1mx subrr !mul0mx.
Qed.

(* Claim influence_theorem.sum_rule. If the weights sum to 1, gamma is not 0, alpha_new = pull/gamma and alpha
   solves the system, then sum alpha_i = -alpha_new. *)
Theorem coefficients_sum gamma w q K cross pull alpha alpha_new :
  gamma != 0 -> \sum_i w i 0 = 1 ->
  alpha_new = pull / gamma -> solves gamma w q K cross pull alpha alpha_new ->
  \sum_i alpha i 0 = - alpha_new.
Proof.
move=> gamma0 sum_w -> /(congr1 (mulmx ones^T)) rows.
have {rows} : gamma * (\sum_i alpha i 0) = - pull.
  move: rows; rewrite /system; move: (bent w q) (ones_bent q sum_w) => B B0.
  rewrite mulmxDl mulmxBr mulmxDr mulmxN -!scalemxAr mul_scalar_mx -scalemxAr -[_ *m K *m _]mulmxA.
  rewrite ![ones^T *m (B *m _)]mulmxA B0 !mul0mx addr0 scaler0 subr0 !ones_tr sum_w.
  by move/matrixP/(_ 0 0); rewrite !mxE /= !mulr1n mulr1.
by move=> rows; apply: (mulfI gamma0); rewrite rows mulrN mulrC divfK.
Qed.

(* Claim influence_theorem.sum_rule, its second half. For every linear form I that is 1 on each Phi(X_i) and on
   Phi(x'), as the integral over x is on kernels, I vanishes on the influence. *)
Theorem influence_integral (V : lmodType F) (I : {linear V -> F^o}) (Phi : 'I_n -> V) (Phi_new : V)
    gamma w q K cross pull alpha alpha_new :
  gamma != 0 -> \sum_i w i 0 = 1 ->
  alpha_new = pull / gamma -> solves gamma w q K cross pull alpha alpha_new ->
  (forall i, I (Phi i) = 1) -> I Phi_new = 1 ->
  I (\sum_i alpha i 0 *: Phi i + alpha_new *: Phi_new) = 0.
Proof.
move=> gamma0 sum_w def_new solved I_Phi I_new.
rewrite linearD linearZ linear_sum /= I_new.
under eq_bigr do rewrite linearZ /= I_Phi /GRing.scale /= mulr1.
by rewrite (coefficients_sum gamma0 sum_w def_new solved) /GRing.scale /= mulr1 addNr.
Qed.

(* Claim influence_theorem.proportional. Where gamma is not 0 and the matrix M of Theorem 5 is regular, the
   system has exactly one solution, alpha = -alpha' M^-1 (gamma w + P'QP k'): alpha' times a column in which x'
   enters through k' alone. alpha' = n phi(r')/gamma is phi(r') over the mean of phi, and where phi(r') = 0
   alpha and alpha' are 0. *)
Theorem coefficients_proportional gamma w q K cross phi_new alpha alpha_new :
  n%:R != 0 :> F -> gamma != 0 -> system gamma w q K \in unitmx ->
  alpha_new = n%:R * phi_new / gamma ->
  [/\ solves gamma w q K cross (n%:R * phi_new) alpha alpha_new <->
        alpha = - (alpha_new *: (invmx (system gamma w q K) *m (gamma *: w + bent w q *m cross))),
      alpha_new = phi_new / (gamma / n%:R) &
      phi_new = 0 -> solves gamma w q K cross (n%:R * phi_new) alpha alpha_new -> alpha = 0 /\ alpha_new = 0].
Proof.
move=> n0 gamma0 regular def_new.
have right : - (n%:R * phi_new *: w) - alpha_new *: (bent w q *m cross)
             = - (alpha_new *: (gamma *: w + bent w q *m cross)).
  by rewrite scalerDr opprD scalerA def_new divfK.
have unique : solves gamma w q K cross (n%:R * phi_new) alpha alpha_new <->
        alpha = - (alpha_new *: (invmx (system gamma w q K) *m (gamma *: w + bent w q *m cross))).
  rewrite /solves right; split=> [eq_alpha | ->]; last first.
    by rewrite mulmxN -scalemxAr mulmxA mulmxV // mul1mx.
  by rewrite scalemxAr -mulmxN -eq_alpha mulmxA mulVmx // mul1mx.
split=> //; first by rewrite def_new invf_div mulrA [phi_new * _]mulrC.
move=> phi0 /unique ->; have -> : alpha_new = 0 by rewrite def_new phi0 mulr0 mul0r.
by rewrite scale0r oppr0.
Qed.

End System.

Section Coefficients.

Variables (F : fieldType) (V : lmodType F) (dot : V -> V -> F) (n : nat).
Variables (Phi : 'I_n -> V) (Phi_new : V) (w q : 'cV[F]_n).
Hypothesis dot_form : symmetric_bilinear dot.
Implicit Types (gamma pull alpha_new : F) (alpha : 'cV[F]_n) (m : V).

(* The estimate f, the kernel matrix K, and the column k' of the kernel at x'. *)
Definition estimate : V := \sum_i w i 0 *: Phi i.
Definition kernel_matrix : 'M[F]_n := \matrix_(i, j) dot (Phi i) (Phi j).
Definition kernel_new : 'cV[F]_n := \col_i dot Phi_new (Phi i).

(* The equation of the derivative, multiplied by n: gamma m + sum q_i <m, Phi_i - f> (Phi_i - f)
   = n phi(r') (Phi(x') - f). *)
Definition derivative_equation gamma pull m : Prop :=
  gamma *: m + \sum_i (q i 0 * dot m (Phi i - estimate)) *: (Phi i - estimate) = pull *: (Phi_new - estimate).

Definition combination alpha alpha_new : V := \sum_i alpha i 0 *: Phi i + alpha_new *: Phi_new.

(* Phi(X_1), ..., Phi(X_n) and Phi(x') are linearly independent. *)
Definition independent : Prop :=
  forall (c : 'cV[F]_n) (c_new : F), combination c c_new = 0 -> c = 0 /\ c_new = 0.

(* d_i = q_i <m, Phi_i - f> of the paper. *)
Definition pulls alpha alpha_new : 'cV[F]_n :=
  \col_i (q i 0 * dot (combination alpha alpha_new) (Phi i - estimate)).

Lemma dotC x y : dot x y = dot y x. Proof. by case: dot_form. Qed.
Lemma dotDl x y z : dot (x + y) z = dot x z + dot y z.
Proof. by case: dot_form => _ /(_ 1 x y z); rewrite scale1r mul1r. Qed.
Lemma dot0l z : dot 0 z = 0.
Proof. by apply: (addrI (dot 0 z)); rewrite -dotDl !addr0. Qed.
Lemma dotZl a x z : dot (a *: x) z = a * dot x z.
Proof. by case: dot_form => _ /(_ a x 0 z); rewrite !addr0 dot0l addr0. Qed.
Lemma dotDr x y z : dot x (y + z) = dot x y + dot x z.
Proof. by rewrite dotC dotDl ![dot _ x]dotC. Qed.
Lemma dotZr a x z : dot x (a *: z) = a * dot x z.
Proof. by rewrite dotC dotZl dotC. Qed.
Lemma dotBr x y z : dot x (y - z) = dot x y - dot x z.
Proof. by rewrite -scaleN1r dotDr dotZr mulN1r. Qed.
Lemma dot_suml (I : finType) (c : I -> F) (v : I -> V) z :
  dot (\sum_i c i *: v i) z = \sum_i c i * dot (v i) z.
Proof.
by elim/big_rec2: _ => [|i y x _ <-]; rewrite ?dot0l // dotDl dotZl.
Qed.
Lemma dot_sumr (I : finType) (c : I -> F) (v : I -> V) z :
  dot z (\sum_i c i *: v i) = \sum_i c i * dot z (v i).
Proof. by rewrite dotC dot_suml; apply: eq_bigr => i _; rewrite dotC. Qed.

Lemma pullsE alpha alpha_new :
  pulls alpha alpha_new
  = diag_mx q^T *m centring w *m (kernel_matrix *m alpha + alpha_new *: kernel_new).
Proof.
have at_row j : dot (combination alpha alpha_new) (Phi j)
              = (kernel_matrix *m alpha + alpha_new *: kernel_new) j 0.
  rewrite /combination dotDl dotZl dot_suml !mxE; congr (_ + _).
  by apply: eq_bigr => i _; rewrite mxE mulrC dotC.
apply/colP => i; rewrite -mulmxA mul_diag_mx [LHS]mxE [RHS]mxE [q^T _ _]mxE; congr (_ * _).
rewrite dotBr dot_sumr at_row /centring mulmxBl mul1mx -mulmxA [RHS]mxE [X in _ = _ + X]mxE; congr (_ - _).
by rewrite !mxE big_ord1 !mxE mul1r; apply: eq_bigr => j _; rewrite at_row [w^T _ _]mxE.
Qed.

Lemma regroup (U : zmodType) (x1 x2 d s p t : U) :
  x1 + x2 + (d - s) - (p - t) = x1 + d - s + t + (x2 - p).
Proof.
rewrite opprB -!addrA; congr (_ + _).
by rewrite addrC -!addrA; do 3 congr (_ + _); rewrite addrC.
Qed.

(* The difference of the two sides of the equation, in coefficients. *)
Lemma equation_in_coefficients gamma pull alpha alpha_new :
  gamma *: combination alpha alpha_new
  + \sum_i (q i 0 * dot (combination alpha alpha_new) (Phi i - estimate)) *: (Phi i - estimate)
  - pull *: (Phi_new - estimate)
  = combination (gamma *: alpha + pulls alpha alpha_new - (\sum_i pulls alpha alpha_new i 0) *: w + pull *: w)
                (gamma * alpha_new - pull).
Proof.
set d := pulls alpha alpha_new.
rewrite [X in _ + X - _](_ : _ = \sum_i d i 0 *: Phi i - (\sum_i d i 0) *: estimate); last first.
  by rewrite scaler_suml -sumrB; apply: eq_bigr => i _; rewrite mxE scalerBr.
have split_sum (a b : 'cV[F]_n) : \sum_i (a + b) i 0 *: Phi i = \sum_i a i 0 *: Phi i + \sum_i b i 0 *: Phi i.
  by rewrite -big_split; apply: eq_bigr => i _; rewrite mxE scalerDl.
have scale_sum c (a : 'cV[F]_n) : \sum_i (c *: a) i 0 *: Phi i = c *: \sum_i a i 0 *: Phi i.
  by rewrite scaler_sumr; apply: eq_bigr => i _; rewrite mxE scalerA.
have opp_sum (a : 'cV[F]_n) : \sum_i (- a) i 0 *: Phi i = - \sum_i a i 0 *: Phi i.
  by rewrite -sumrN; apply: eq_bigr => i _; rewrite mxE scaleNr.
rewrite /combination !split_sum opp_sum !scale_sum -/estimate scalerDr scalerBl scalerBr scalerA.
exact: regroup.
Qed.

Lemma system_in_coefficients gamma pull alpha alpha_new :
  gamma *: alpha + pulls alpha alpha_new - (\sum_i pulls alpha alpha_new i 0) *: w + pull *: w
  = system gamma w q kernel_matrix *m alpha
    - (- (pull *: w) - alpha_new *: (bent w q *m kernel_new)).
Proof.
have sum_pulls (d : 'cV[F]_n) : (\sum_i d i 0) *: w = w *m (ones F n)^T *m d.
  by rewrite -mulmxA ones_tr mul_mx_scalar.
rewrite sum_pulls pullsE /system.
have -> : bent w q = (1%:M - w *m (ones F n)^T) *m (diag_mx q^T *m centring w).
  by rewrite -centring_tr mulmxA.
move: (diag_mx q^T *m centring w) (w *m (ones F n)^T) => C E.
have step v : gamma *: alpha + C *m v - E *m (C *m v) = gamma *: alpha + (1%:M - E) *m C *m v.
  by rewrite mulmxBl mul1mx mulmxBl mulmxA addrA.
rewrite step; move: ((1%:M - E) *m C) => B.
rewrite mulmxDr -scalemxAr mulmxDl mul_scalar_mx -mulmxA opprB opprK addrA.
by rewrite -!addrA.
Qed.

(* Claim influence_theorem.coefficients. For gamma other than 0 and an m = sum alpha_i Phi(X_i) + alpha' Phi(x'):
   (1) if alpha' = n phi(r')/gamma and alpha solves the system of Theorem 5, then m solves the equation of the
   derivative; (2) if the n + 1 features are linearly independent, only then, so that alpha' is unique; (3) the
   comparison of coefficients, gamma alpha_j + d_j - w_j sum d_i = -w_j n phi(r') for every j, is the same
   system. *)
Theorem coefficients_compared gamma pull alpha alpha_new :
  gamma != 0 ->
  let solved := solves gamma w q kernel_matrix kernel_new pull alpha alpha_new in
  let d := pulls alpha alpha_new in
  [/\ alpha_new = pull / gamma -> solved -> derivative_equation gamma pull (combination alpha alpha_new),
      independent -> derivative_equation gamma pull (combination alpha alpha_new) ->
        alpha_new = pull / gamma /\ solved &
      solved <-> forall j, gamma * alpha j 0 + d j 0 - w j 0 * (\sum_i d i 0) = - (w j 0 * pull)].
Proof.
move=> gamma0 solved d.
have solvedE : solved <-> gamma *: alpha + d - (\sum_i d i 0) *: w + pull *: w = 0.
  rewrite /d system_in_coefficients /solved /solves.
  by split=> [->|/eqP]; [rewrite subrr | rewrite subr_eq0 => /eqP].
have newE : alpha_new = pull / gamma <-> gamma * alpha_new - pull = 0.
  split=> [->|/eqP]; first by rewrite mulrC divfK ?subrr.
  by rewrite subr_eq0 => /eqP <-; rewrite mulrC mulKf.
have equationE : derivative_equation gamma pull (combination alpha alpha_new) <->
    combination (gamma *: alpha + d - (\sum_i d i 0) *: w + pull *: w) (gamma * alpha_new - pull) = 0.
  rewrite -equation_in_coefficients /derivative_equation.
  by split=> [->|/eqP]; [rewrite subrr | rewrite subr_eq0 => /eqP].
split.
- move=> /newE new0 /solvedE sys0; apply/equationE; rewrite sys0 new0 /combination scale0r addr0.
  by rewrite big1 // => i _; rewrite mxE scale0r.
- by move=> free /equationE /free [sys0 new0]; split; [apply/newE | apply/solvedE].
- apply: (iff_trans solvedE); split=> [zero j | rows].
    move/colP/(_ j): zero; rewrite !mxE -/d => /eqP; rewrite addr_eq0 => /eqP.
    by rewrite ![_ * w j 0]mulrC.
  apply/colP => j; move: (rows j); rewrite !mxE => /eqP; rewrite -subr_eq0 opprK => /eqP.
  by rewrite ![_ * w j 0]mulrC.
Qed.

End Coefficients.
