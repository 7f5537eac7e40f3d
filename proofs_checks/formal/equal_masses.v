(* Theorems 1 to 3 and the corollary for the masses 1/n, with J, V and the weights written out as the paper prints them. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting sufficient existence theorem_3 corollary.
Local Open Scope R_scope.

Section Paper.
Context {H : space} (n : nat) (Phi : nat -> H) (L : loss).
Hypothesis rows : (0 < n)%nat.

(* J(g) = (1/n) sum rho(|Phi_i - g|). *)
Definition objective (g : H) : R := / INR n * sum n (fun i => rho L (norm (sub (Phi i) g))).

(* V(g) = (1/n) sum phi(|Phi_i - g|) (Phi_i - g). *)
Definition pull (g : H) : H :=
  scale (/ INR n) (comb n (fun i => phi L (norm (sub (Phi i) g))) (fun i => sub (Phi i) g)).

(* phi(|Phi_i - f|) over sum_j phi(|Phi_j - f|). *)
Definition weight (f : H) (i : nat) : R :=
  phi L (norm (sub (Phi i) f)) / sum n (fun j => phi L (norm (sub (Phi j) f))).

(* KIRWLS from the weights w^(0): w^(k), and f^(k + 1) = sum w^(k)_i Phi_i. *)
Fixpoint kirwls_weights (start : nat -> R) (k : nat) : nat -> R :=
  match k with O => start | S j => weight (comb n (kirwls_weights start j) Phi) end.
Definition kirwls (start : nat -> R) (k : nat) : H := comb n (kirwls_weights start k) Phi.

Lemma objective_J g : objective g = J n Phi (equal n) L g.
Proof. symmetry; apply J_printed. Qed.

Lemma pull_V g : pull g = V n Phi (equal n) L g.
Proof. symmetry; apply V_printed. Qed.

Lemma comb_ext (v w : nat -> R) : (forall i, (i < n)%nat -> v i = w i) -> comb n v Phi = comb n w Phi.
Proof.
  intros eq; apply same; intros x; rewrite !dot_comb; apply sum_ext; intros i Hi; rewrite eq by exact Hi; reflexivity.
Qed.

Lemma kirwls_iterate start k : (forall i, kirwls_weights start k i = weights n Phi (equal n) L start k i) /\
  kirwls start k = iterate n Phi (equal n) L start k.
Proof.
  assert (same_weights : forall i, kirwls_weights start k i = weights n Phi (equal n) L start k i).
  { induction k as [|k IH]; [reflexivity|]; intros i; simpl; rewrite (comb_ext _ _ (fun j _ => IH j)).
    unfold weight; rewrite weights_printed by exact rows; reflexivity. }
  split; [exact same_weights|]; apply comb_ext; intros i _; apply same_weights.
Qed.

Lemma sum_positive g : 0 < mean_phi n Phi (equal n) L g <-> 0 < sum n (fun j => phi L (norm (sub (Phi j) g))).
Proof.
  rewrite mean_phi_printed; assert (pos : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR, rows); split; intros lt.
  - apply Rmult_lt_reg_l with (/ INR n); lra.
  - apply Rmult_lt_0_compat; assumption.
Qed.

Lemma minimiser_ext g : minimiser objective g <-> minimiser (J n Phi (equal n) L) g.
Proof. unfold minimiser; split; intros least h; specialize (least h); rewrite !objective_J in *; exact least. Qed.

Lemma strictly_convex_ext : strictly_convex objective -> strictly_convex (J n Phi (equal n) L).
Proof. intros strict g h l ne Hl; specialize (strict g h l ne Hl); rewrite !objective_J in strict; exact strict. Qed.

(* Claim theorems.theorem_1: for the masses 1/n: J has a global minimiser, and each one is f = sum w_i Phi_i with
   w_i = phi(|Phi_i - f|) / sum phi(|Phi_j - f|), which are nonnegative and sum to 1. *)
Theorem theorem_1_equal_masses : psi_is_slope L -> A1 L -> phi_falls L -> (exists x, 0 <= x /\ rho L x <> 0) ->
  (exists f, minimiser objective f) /\
  forall f, minimiser objective f -> 0 < sum n (fun j => phi L (norm (sub (Phi j) f))) /\
    simplex n (weight f) /\ f = comb n (weight f) Phi.
Proof.
  intros slope a1 falls some.
  destruct (theorem_1 n Phi (equal n) L (equal_simplex n rows) slope a1 falls some) as [[f least] form].
  split; [exists f; apply minimiser_ext, least|]; intros g Mg; apply minimiser_ext in Mg.
  destruct (form g Mg) as [pos [w [[sign one] [eq prop]]]].
  assert (w_eq : forall i, (i < n)%nat -> w i = weight g i).
  { intros i Hi; rewrite (prop i Hi); apply (weights_printed n Phi L g i rows). }
  split; [apply sum_positive, pos|split; [split|]].
  - intros i Hi; rewrite <- w_eq by exact Hi; apply sign, Hi.
  - rewrite <- one; symmetry; apply sum_ext, w_eq.
  - rewrite eq at 1; apply comb_ext, w_eq.
Qed.

(* Claim theorems.theorem_2: for the masses 1/n: where J is convex, f = sum w_i Phi_i with weights of sum 1 that are
   proportional to phi(|Phi_i - f|) is a global minimiser of J, and the only one if J is strictly convex. *)
Theorem theorem_2_equal_masses f c w : psi_is_slope L -> A1 L -> convex objective ->
  (forall i, (i < n)%nat -> w i = c * phi L (norm (sub (Phi i) f))) -> sum n w = 1 -> f = comb n w Phi ->
  minimiser objective f /\ (strictly_convex objective -> forall g, minimiser objective g -> g = f).
Proof.
  intros slope a1 conv prop one eq; assert (HN : 0 < INR n) by (apply lt_0_INR, rows).
  destruct (theorem_2 n Phi (equal n) L f (INR n * c) w slope a1) as [least only]; [| |exact one|exact eq|].
  - intros g h l Hl; specialize (conv g h l Hl); rewrite !objective_J in conv; exact conv.
  - intros i Hi; rewrite (prop i Hi); unfold equal, residual; field; lra.
  - split; [apply minimiser_ext, least|]; intros strict g Mg.
    apply only; [apply strictly_convex_ext, strict|apply minimiser_ext, Mg].
Qed.

(* Claim theorems.theorem_3: for the masses 1/n, with (A1), (A3), a phi that does not increase and J(f_1) < sup rho:
   no step is 0/0, J(f_k) falls at each step unless V(f_k) = 0, and converges; V has a zero; and the distance of f_k
   from the zeros of V tends to 0. *)
Theorem theorem_3_equal_masses start : psi_is_slope L -> A1 L -> A3 L -> phi_falls L -> simplex n start ->
  (exists x, 0 <= x /\ objective (kirwls start 0) < rho L x) ->
  (forall k, 0 < sum n (fun j => phi L (norm (sub (Phi j) (kirwls start k)))) /\ simplex n (kirwls_weights start k)) /\
  (forall k, objective (kirwls start (S k)) <= objective (kirwls start k) /\
    (pull (kirwls start k) <> origin -> objective (kirwls start (S k)) < objective (kirwls start k))) /\
  ex_finite_lim_seq (fun k => objective (kirwls start k)) /\
  (exists g, pull g = origin) /\
  is_lim_seq (fun k => distance (fun g => pull g = origin) (kirwls start k)) 0.
Proof.
  intros slope a1 a3 falls Hw [x [Hx low]].
  assert (f_eq : forall k, kirwls start k = iterate n Phi (equal n) L start k) by (intros k; apply kirwls_iterate).
  assert (below : below_sup n Phi (equal n) L (iterate n Phi (equal n) L start 0)).
  { exists x; split; [exact Hx|]; rewrite <- objective_J, <- f_eq; exact low. }
  destruct (theorem_3 H n Phi (equal n) L start (equal_simplex n rows) slope a1 a3 falls Hw below)
    as [exist [fall [conv [[g zero] lim]]]].
  split; [|split; [|split; [|split]]].
  - intros k; rewrite f_eq; destruct (exist k) as [pos [sign one]]; split; [apply sum_positive, pos|split].
    + intros i Hi; rewrite (proj1 (kirwls_iterate start k)); apply sign, Hi.
    + rewrite <- one; apply sum_ext; intros i _; apply kirwls_iterate.
  - intros k; rewrite !f_eq, !objective_J, pull_V; apply fall.
  - destruct conv as [l Hl]; exists l; apply is_lim_seq_ext with (2 := Hl); intros k; rewrite f_eq, objective_J; reflexivity.
  - exists g; rewrite pull_V; exact zero.
  - apply is_lim_seq_ext with (2 := lim); intros k; rewrite f_eq; unfold distance; f_equal; apply Glb_Rbar_eqset.
    intros d; split; intros [h [Hh eq]]; exists h; (split; [|exact eq]);
      [rewrite pull_V; exact Hh|rewrite pull_V in Hh; exact Hh].
Qed.

(* Claim theorems.corollary: for the masses 1/n, with (A1), (A3), a phi that does not increase and a strictly convex J:
   V has one zero, the minimiser of J, and f_k converges to it from any weights. *)
Theorem corollary_equal_masses (g h : H) start : g <> h ->
  psi_is_slope L -> A1 L -> A3 L -> phi_falls L -> strictly_convex objective -> simplex n start ->
  exists f, (forall s, pull s = origin <-> s = f) /\ (forall s, minimiser objective s <-> s = f) /\
    is_lim_seq (fun k => norm (sub (kirwls start k) f)) 0.
Proof.
  intros ne slope a1 a3 falls strict Hw.
  destruct (corollary n Phi (equal n) L g h start ne (equal_simplex n rows) slope a1 a3 falls
    (strictly_convex_ext strict) Hw) as [f [zeros [only lim]]].
  exists f; split; [intros s; rewrite pull_V; apply zeros|split].
  - intros s; rewrite minimiser_ext; apply only.
  - apply is_lim_seq_ext with (2 := lim); intros k; rewrite (proj2 (kirwls_iterate start k)); reflexivity.
Qed.

End Paper.
