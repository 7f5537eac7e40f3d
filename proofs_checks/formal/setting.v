(* The paper's setting: losses, the assumptions (A1) to (A5), J, V, the step of KIRWLS and the surrogate.

   Row i has the mass m_i >= 0, and the masses sum to 1. The paper has the masses 1/n; the last section shows that
   J, V and the weights are then the formulas that it prints. Other masses are those of the contaminated sample
   F_n,s of its Theorem 5. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space.
Local Open Scope R_scope.

(* rho on x >= 0, its derivative psi, and phi(0), which psi(x)/x does not define. *)
Record loss := Loss { rho : R -> R; psi : R -> R; phi_zero : R }.

(* phi(x) = psi(x)/x, and phi(0) beside it. *)
Definition phi (L : loss) (x : R) : R := if Req_EM_T x 0 then phi_zero L else psi L x / x.

(* psi is the derivative of rho. *)
Definition psi_is_slope (L : loss) : Prop := forall x, 0 < x -> is_derive (rho L) x (psi L x).

(* rho does not decrease, rho(0) = 0, and rho(x)/x tends to 0 as x falls to 0. *)
Definition A1 (L : loss) : Prop :=
  (forall x y, 0 <= x -> x <= y -> rho L x <= rho L y) /\ rho L 0 = 0 /\
  filterlim (fun x => rho L x / x) (at_right 0) (locally 0).

(* psi(x)/x tends to a finite phi(0) as x falls to 0. *)
Definition A2 (L : loss) : Prop := filterlim (fun x => psi L x / x) (at_right 0) (locally (phi_zero L)).

(* psi and phi are continuous on x >= 0. *)
Definition A3 (L : loss) : Prop := continuous_on (Rle 0) (psi L) /\ continuous_on (Rle 0) (phi L).

(* psi and phi are bounded. *)
Definition A4 (L : loss) : Prop := exists B, forall x, 0 <= x -> Rabs (psi L x) <= B /\ Rabs (phi L x) <= B.

(* |phi(x) - phi(y)| <= K |x - y| for x, y >= 0; and (A5): there is such a K. *)
Definition phi_Lipschitz (L : loss) (K : R) : Prop :=
  forall x y, 0 <= x -> 0 <= y -> Rabs (phi L x - phi L y) <= K * Rabs (x - y).
Definition A5 (L : loss) : Prop := exists K, phi_Lipschitz L K.

(* phi does not increase. *)
Definition phi_falls (L : loss) : Prop := forall x y, 0 <= x -> x <= y -> phi L y <= phi L x.

(* w_i >= 0 with sum 1. *)
Definition simplex (n : nat) (w : nat -> R) : Prop := (forall i, (i < n)%nat -> 0 <= w i) /\ sum n w = 1.

(* u(x; r) = rho(r) - r psi(r)/2 + phi(r) x^2/2. *)
Definition u (L : loss) (x r : R) : R := rho L r - / 2 * r * psi L r + / 2 * phi L r * x ^ 2.

Section Rows.
Context {H : space} (n : nat) (P : nat -> H) (m : nat -> R) (L : loss).

(* The residual norm |P_i - g|. *)
Definition residual (g : H) (i : nat) : R := norm (sub (P i) g).

(* J(g) = sum m_i rho(|P_i - g|). *)
Definition J (g : H) : R := sum n (fun i => m i * rho L (residual g i)).

(* V(g) = sum m_i phi(|P_i - g|) (P_i - g). *)
Definition V (g : H) : H := comb n (fun i => m i * phi L (residual g i)) (fun i => sub (P i) g).

(* The mean of phi at g, sum m_i phi(|P_i - g|). *)
Definition mean_phi (g : H) : R := sum n (fun i => m i * phi L (residual g i)).

(* Q(g; f) = sum m_i u(|P_i - g|; |P_i - f|). *)
Definition Q (g f : H) : R := sum n (fun i => m i * u L (residual g i) (residual f i)).

(* The weights after f, m_i phi(|P_i - f|) over their sum, and the next iterate Tf. *)
Definition next_weights (f : H) (i : nat) : R := m i * phi L (residual f i) / mean_phi f.
Definition step (f : H) : H := comb n (next_weights f) P.

(* KIRWLS from the weights w: the weights of step k, and the iterates f_1, f_2, ..., numbered from 0 here. *)
Fixpoint weights (w : nat -> R) (k : nat) : nat -> R :=
  match k with O => w | S j => next_weights (comb n (weights w j) P) end.
Definition iterate (w : nat -> R) (k : nat) : H := comb n (weights w k) P.

(* g = sum w_i P_i with w_i >= 0 of sum 1: the set D_n of the paper. *)
Definition in_hull (g : H) : Prop := exists w, simplex n w /\ g = comb n w P.

Definition stationary (g : H) : Prop := V g = origin.

(* J(g) < sup rho. *)
Definition below_sup (g : H) : Prop := exists x, 0 <= x /\ J g < rho L x.

End Rows.

Arguments J {H}. Arguments V {H}. Arguments Q {H}. Arguments step {H}. Arguments iterate {H}.

Section Functionals.
Context {H : space}.
Implicit Type T : H -> R.

Definition minimiser T (g : H) : Prop := forall h, T g <= T h.

(* l g + (1 - l) h. *)
Definition between (l : R) (g h : H) : H := add (scale l g) (scale (1 - l) h).

Definition convex T : Prop :=
  forall g h l, 0 < l < 1 -> T (between l g h) <= l * T g + (1 - l) * T h.

Definition strictly_convex T : Prop :=
  forall g h l, g <> h -> 0 < l < 1 -> T (between l g h) < l * T g + (1 - l) * T h.

(* The Gateaux differential of T at g along h is d. *)
Definition Gateaux T (g h : H) (d : R) : Prop := is_derive (fun s => T (add g (scale s h))) 0 d.

End Functionals.

(* The masses 1/n give the formulas of the paper. *)
Definition equal (n : nat) : nat -> R := fun _ => / INR n.

Section Printed.
Context {H : space} (n : nat) (P : nat -> H) (L : loss).

Lemma equal_simplex : (0 < n)%nat -> simplex n (equal n).
Proof.
  intros pos; assert (0 < INR n) by (apply lt_0_INR; assumption).
  split; [intros i _; unfold equal; apply Rlt_le, Rinv_0_lt_compat; assumption|].
  unfold equal; rewrite sum_constant; apply Rinv_r; lra.
Qed.

Lemma J_printed g : J n P (equal n) L g = / INR n * sum n (fun i => rho L (norm (sub (P i) g))).
Proof. exact (sum_scale _ _ _). Qed.

Lemma V_printed g :
  V n P (equal n) L g = scale (/ INR n) (comb n (fun i => phi L (norm (sub (P i) g))) (fun i => sub (P i) g)).
Proof.
  apply same; intros x; unfold V; rewrite dot_scale, !dot_comb, <- sum_scale.
  apply sum_ext; intros i _; unfold equal, residual; ring.
Qed.

Lemma mean_phi_printed g :
  mean_phi n P (equal n) L g = / INR n * sum n (fun j => phi L (norm (sub (P j) g))).
Proof. exact (sum_scale _ _ _). Qed.

Lemma weights_printed f i : (0 < n)%nat ->
  next_weights n P (equal n) L f i =
  phi L (norm (sub (P i) f)) / sum n (fun j => phi L (norm (sub (P j) f))).
Proof.
  intros pos; assert (0 < INR n) by (apply lt_0_INR; assumption).
  unfold next_weights, Rdiv; rewrite mean_phi_printed, Rinv_mult, Rinv_inv; unfold equal, residual.
  set (p := phi L _); set (s := / sum n _); replace (_ * (INR n * s)) with (/ INR n * INR n * (p * s)) by ring.
  rewrite Rinv_l by lra; ring.
Qed.

End Printed.
