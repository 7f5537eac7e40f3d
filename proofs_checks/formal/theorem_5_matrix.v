(* The matrix of Theorem 5, for every number n of rows: its determinant, and when it is regular.

   Over every real closed field, because the claim takes square roots. No axiom is used. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Rkde Require Import theorem_5.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* det(g I - XY) and det(g I - YX): two factorizations of one block matrix. *)
Lemma determinants_of_products (F : fieldType) (n m : nat) (g : F) (X : 'M[F]_(n, m)) (Y : 'M[F]_(m, n)) :
  g != 0 -> g ^+ m * \det (g%:M - X *m Y) = g ^+ n * \det (g%:M - Y *m X).
Proof.
move=> g0.
have upper : block_mx g%:M X Y 1%:M = block_mx 1%:M X 0 1%:M *m block_mx (g%:M - X *m Y) 0 Y 1%:M.
  by rewrite mulmx_block !mul1mx !mul0mx !mulmx1 !add0r subrK.
have lower : block_mx g%:M X Y 1%:M
           = block_mx 1%:M 0 (g^-1 *: Y) 1%:M *m block_mx g%:M X 0 (1%:M - g^-1 *: (Y *m X)).
  rewrite mulmx_block !mul1mx !mul0mx !addr0 mul_mx_scalar scalerA divff // scale1r.
  by rewrite -scalemxAl addrC subrK.
have scaled : g ^+ m * \det (1%:M - g^-1 *: (Y *m X)) = \det (g%:M - Y *m X).
  by rewrite -detZ scalerBr scalerA divff // scale1r scalemx1.
move: (congr1 determinant lower); rewrite upper !det_mulmx !det_ublock !det_lblock !det1 !mul1r mulr1.
by rewrite det_scalar => ->; rewrite mulrCA scaled.
Qed.

Section Spectrum.

Variables (R : rcfType) (V : lmodType R) (dot : V -> V -> R) (n : nat).
Variables (Phi : 'I_n -> V) (w q : 'cV[R]_n) (gamma : R).
Hypothesis dot_form : symmetric_bilinear dot.
Hypothesis gamma_positive : 0 < gamma.
Hypothesis bends_nonpositive : forall i, q i 0 <= 0.

(* u_i = Phi(X_i) - f, the set A of rows with q_i != 0, and G_A, the Gram matrix of the |q_i|^(1/2) u_i over A. *)
Definition residual (i : 'I_n) : V := Phi i - estimate Phi w.
Definition active : {set 'I_n} := [set i | q i 0 != 0].
Definition root (i : 'I_n) : R := Num.sqrt `|q i 0|.
Definition gram_of_active : 'M[R]_#|active| :=
  \matrix_(a, b) dot (root (enum_val a) *: residual (enum_val a)) (root (enum_val b) *: residual (enum_val b)).

(* The operator on the left of the equation of the derivative. *)
Definition operator (h : V) : V := gamma *: h + \sum_i (q i 0 * dot h (residual i)) *: residual i.

Definition columns : 'M[R]_(n, #|active|) := \matrix_(i, a) (root i *+ (i == enum_val a)).

Lemma root_square i : root i * root i = - q i 0.
Proof. by rewrite -expr2 sqr_sqrtr ?normr_ge0 // ler0_norm. Qed.

Lemma columns_square : diag_mx q^T = - (columns *m columns^T).
Proof.
apply/matrixP => i j; rewrite !mxE.
under eq_bigr do rewrite !mxE.
rewrite -(big_enum_val (fun k => root i *+ (i == k) * (root j *+ (j == k)))) /=.
have [<-|neq] := eqVneq i j; last first.
  rewrite big1 ?oppr0 ?mulr0n // => k _; case: eqP => [<-|_]; last by rewrite mul0r.
  by rewrite eq_sym (negbTE neq) mulr0.
have [act|] := boolP (i \in active); last first.
  rewrite inE negbK => /eqP q0; rewrite q0 mulr1n big1 ?oppr0 // => k _.
  by rewrite /root q0 normr0 sqrtr0 mul0rn mul0r.
rewrite (bigD1 i) //= eqxx !mulr1n root_square big1 ?addr0 ?opprK // => k /andP [_ neq].
by rewrite eq_sym (negbTE neq) mulr0n mul0r.
Qed.

Lemma gram_centred :
  centring w *m kernel_matrix dot Phi *m (centring w)^T = \matrix_(i, j) dot (residual i) (residual j).
Proof.
have left i j : (centring w *m kernel_matrix dot Phi) i j = dot (residual i) (Phi j).
  rewrite /centring mulmxBl mul1mx -mulmxA mxE [kernel_matrix _ _ _ _]mxE [X in _ + X]mxE.
  rewrite /residual [RHS](dotC dot_form) (dotBr dot_form) [dot (Phi j) (Phi i)](dotC dot_form); congr (_ - _).
  rewrite mxE big_ord1 !mxE mul1r (dot_sumr dot_form).
  by apply: eq_bigr => k _; rewrite !mxE (dotC dot_form).
apply/matrixP => i j; rewrite centring_tr mulmxBr mulmx1 mulmxA [LHS]mxE left [RHS]mxE [X in _ + X]mxE.
rewrite {2}/residual (dotBr dot_form); congr (_ - _).
rewrite mxE big_ord1 !mxE mulr1 (dot_sumr dot_form).
by apply: eq_bigr => k _; rewrite left mulrC.
Qed.

Lemma gram_product :
  columns^T *m centring w *m kernel_matrix dot Phi *m ((centring w)^T *m columns) = gram_of_active.
Proof.
rewrite !mulmxA -2!(mulmxA columns^T) gram_centred; apply/matrixP => a b.
have pick (M : 'M[R]_n) (i : 'I_n) c : (M *m columns) i c = M i (enum_val c) * root (enum_val c).
  rewrite mxE (bigD1 (enum_val c)) //= big1 => [|k /negbTE neq]; first by rewrite mxE eqxx mulr1n addr0.
  by rewrite mxE neq mulr0n mulr0.
have pick_tr (M : 'M[R]_(n, #|active|)) (i : 'I_#|active|) c :
    (columns^T *m M) i c = root (enum_val i) * M (enum_val i) c.
  rewrite mxE (bigD1 (enum_val i)) //= big1 => [|k /negbTE neq]; first by rewrite !mxE eqxx mulr1n addr0.
  by rewrite !mxE neq mulr0n mul0r.
by rewrite -mulmxA pick_tr pick !mxE (dotZl dot_form) (dotZr dot_form) [_ * root _]mulrC.
Qed.

Lemma system_is_difference :
  system gamma w q (kernel_matrix dot Phi)
  = gamma%:M - ((centring w)^T *m columns) *m (columns^T *m centring w *m kernel_matrix dot Phi).
Proof. by rewrite /system /bent columns_square mulmxN !mulNmx !mulmxA. Qed.

Lemma determinant :
  \det (system gamma w q (kernel_matrix dot Phi))
  = gamma ^+ (n - #|active|) * \det (gamma%:M - gram_of_active).
Proof.
have gamma0 : gamma != 0 by rewrite lt0r_neq0.
have few : (#|active| <= n)%N by rewrite -[X in (_ <= X)%N]card_ord max_card.
apply: (mulfI (expf_neq0 #|active| gamma0)).
rewrite system_is_difference determinants_of_products // gram_product.
by rewrite mulrA -exprD subnKC.
Qed.


(* The coordinates of an element along the active residuals, and the element with given coefficients. *)
Definition along (h : V) : 'cV[R]_#|active| := \col_a (root (enum_val a) * dot h (residual (enum_val a))).
Definition built (c : 'cV[R]_#|active|) : V := \sum_a (root (enum_val a) * c a 0) *: residual (enum_val a).

Lemma operatorE h : operator h = gamma *: h - built (along h).
Proof.
rewrite /operator /built; congr (_ + _).
rewrite (bigID (mem active)) /= addrC big1 ?add0r => [|i]; last first.
  by rewrite inE negbK => /eqP ->; rewrite mul0r scale0r.
rewrite big_enum_val /= -sumrN; apply: eq_bigr => a _.
by rewrite mxE mulrA root_square mulNr scaleNr opprK.
Qed.

Lemma along_built c : along (built c) = gram_of_active *m c.
Proof.
apply/colP => a; rewrite !mxE (dot_suml dot_form) mulr_sumr; apply: eq_bigr => b _.
rewrite mxE (dotZl dot_form) (dotZr dot_form) [dot (residual (enum_val a)) _](dotC dot_form).
by rewrite !mulrA mulrAC.
Qed.

Lemma builtB c d : built (c - d) = built c - built d.
Proof. by rewrite /built -sumrB; apply: eq_bigr => a _; rewrite !mxE mulrBr scalerBl. Qed.

Lemma builtZ x c : built (x *: c) = x *: built c.
Proof. by rewrite /built scaler_sumr; apply: eq_bigr => a _; rewrite !mxE scalerA mulrCA. Qed.

Lemma built0 : built 0 = 0.
Proof. by rewrite -[X in built X](subrr 0) builtB subrr. Qed.

Lemma alongD g h : along (g + h) = along g + along h.
Proof. by apply/colP => a; rewrite !mxE (dotDl dot_form) mulrDr. Qed.

Lemma alongZ x g : along (x *: g) = x *: along g.
Proof. by apply/colP => a; rewrite !mxE (dotZl dot_form) mulrCA. Qed.

Lemma alongB g h : along (g - h) = along g - along h.
Proof. by rewrite -scaleN1r alongD alongZ scaleN1r. Qed.

Lemma along0 : along 0 = 0.
Proof. by rewrite -[X in along X](subrr 0) alongB subrr. Qed.

Lemma operator_is_regular :
  gamma%:M - gram_of_active \in unitmx <-> (forall g, exists! h, operator h = g).
Proof.
have gamma0 : gamma != 0 by rewrite lt0r_neq0.
split=> [regular g | bijective].
  set inner := invmx (gamma%:M - gram_of_active); set c := inner *m along g.
  have eq_c : gamma *: c - gram_of_active *m c = along g.
    by rewrite -mul_scalar_mx -mulmxBl mulmxA mulmxV // mul1mx.
  exists (gamma^-1 *: (g + built c)); split=> [|h eq_h].
    rewrite operatorE alongZ alongD along_built -eq_c subrK.
    by rewrite (scalerKV gamma0) (scalerK gamma0) addrK.
  suff -> : c = along h by rewrite -eq_h operatorE subrK scalerA mulVf // scale1r.
  rewrite /c -eq_h operatorE alongB alongZ along_built -mul_scalar_mx -mulmxBl mulmxA.
  by rewrite mulVmx // mul1mx.
rewrite unitmxE unitfE -det_tr; apply/negP => /det0P [v v0 kernel].
have {kernel} eq_v : gamma *: v^T = gram_of_active *m v^T.
  apply/eqP; rewrite -subr_eq0 -mul_scalar_mx -mulmxBl.
  by rewrite -[_ - _]trmxK -trmx_mul kernel trmx0.
have zero : operator (built v^T) = 0 by rewrite operatorE along_built -eq_v builtZ subrr.
have built_zero : built v^T = 0.
  case: (bijective 0) => h [_ unique]; rewrite -(unique _ zero); apply: unique.
  by rewrite operatorE along0 built0 scaler0 subrr.
move: (along_built v^T); rewrite built_zero along0 -eq_v => /esym/eqP.
by rewrite scaler_eq0 (negbTE gamma0) /= -trmx0 (inj_eq trmx_inj) (negbTE v0).
Qed.

(* Claim influence_matrix.spectrum. Let gamma > 0 and every q_i <= 0. Then Theorem 5's matrix has the determinant
   gamma^(n - |A|) det(gamma I - G_A), and it is regular exactly if the operator
   h -> gamma h + sum q_i <h, u_i> u_i, which is n times the Hessian of J, takes each value exactly once. *)
Theorem spectrum :
  \det (system gamma w q (kernel_matrix dot Phi)) = gamma ^+ (n - #|active|) * \det (gamma%:M - gram_of_active)
  /\ (system gamma w q (kernel_matrix dot Phi) \in unitmx <-> (forall g, exists! h, operator h = g)).
Proof.
split; first exact: determinant.
rewrite -operator_is_regular !unitmxE !unitfE determinant mulf_eq0.
by rewrite expf_eq0 (negbTE (lt0r_neq0 gamma_positive)) andbF.
Qed.

End Spectrum.
