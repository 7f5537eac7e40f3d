(* The contaminated sample F_n,s: the rows P_0, ..., P_(n-1) with masses (1 - s)/n, and P_n, the feature of x', with s. *)
From Coq Require Import Reals Lra Lia Classical.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting monotone losses convexity continuity compact residuals existence.
Local Open Scope R_scope.

Definition contaminated (n : nat) (s : R) (i : nat) : R := if Nat.ltb i n then (1 - s) * / INR n else s.

Section Contaminated.
Context {H : space} (n : nat) (P : nat -> H) (L : loss).
Notation J := (J n P (equal n) L).
Notation J_s s := (setting.J (S n) P (contaminated n s) L).

Lemma contaminated_sum s a :
  sum (S n) (fun i => contaminated n s i * a i) = (1 - s) * sum n (fun i => equal n i * a i) + s * a n.
Proof.
  simpl; unfold contaminated at 2; rewrite Nat.ltb_irrefl; f_equal; rewrite <- sum_scale; apply sum_ext; intros i Hi.
  unfold contaminated; apply Nat.ltb_lt in Hi; rewrite Hi; unfold equal; ring.
Qed.

Lemma contaminated_simplex s : (0 < n)%nat -> 0 <= s <= 1 -> simplex (S n) (contaminated n s).
Proof.
  intros pos Hs; split.
  - intros i _; unfold contaminated; destruct (Nat.ltb i n); [|lra].
    apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat, lt_0_INR, pos].
  - rewrite (sum_ext _ _ (fun i => contaminated n s i * 1)) by (intros; ring); rewrite contaminated_sum.
    rewrite (sum_ext n _ (equal n)) by (intros; ring); rewrite (proj2 (equal_simplex n pos)); ring.
Qed.

Lemma J_s_difference s g : J_s s g - J g = s * (rho L (residual P g n) - J g).
Proof.
  unfold setting.J; rewrite (contaminated_sum s (fun i => rho L (residual P g i))); ring.
Qed.

(* On the hull of all n + 1 rows J_s is within s rho(sqrt(2) tau) of J. *)
Lemma uniform_on_hull tau s g : (0 < n)%nat -> 0 <= s -> A1 L -> (forall j, (j < S n)%nat -> norm (P j) = tau) ->
  (forall j k, (j < S n)%nat -> (k < S n)%nat -> 0 <= dot (P j) (P k)) -> in_hull (S n) P g ->
  Rabs (J_s s g - J g) <= s * rho L (sqrt 2 * tau) /\ 0 <= J g <= rho L (sqrt 2 * tau).
Proof.
  intros pos Hs [up [zero _]] sphere kernel Hg.
  assert (rows : forall i, (i < S n)%nat -> 0 <= rho L (residual P g i) <= rho L (sqrt 2 * tau)).
  { intros i Hi; split; [rewrite <- zero; apply up; [lra|apply norm_nonneg]|].
    apply up; [apply norm_nonneg|]; apply (hull_diameter (S n) P tau); assumption. }
  assert (mean : 0 <= J g <= rho L (sqrt 2 * tau)).
  { destruct (equal_simplex n pos) as [mass one]; split.
    - apply sum_nonneg; intros i Hi; apply Rmult_le_pos; [apply mass, Hi|apply rows; lia].
    - rewrite <- (Rmult_1_r (rho L (sqrt 2 * tau))), <- one, <- sum_scale; apply sum_le; intros i Hi.
      rewrite Rmult_comm; apply Rmult_le_compat_r; [apply mass, Hi|apply rows; lia]. }
  split; [|exact mean]; rewrite J_s_difference, Rabs_mult, (Rabs_right s) by lra; apply Rmult_le_compat_l; [exact Hs|].
  specialize (rows n ltac:(lia)); apply Rabs_le; lra.
Qed.

(* Claim influence_proofs.uniform_bound: |J_s(g) - J(g)| is at most s rho(sqrt(2) tau) on the hull, for a nonnegative
   kernel, and so at most the printed 2 s rho(2 tau). *)
Theorem uniform_bound tau s g : (0 < n)%nat -> 0 <= s -> A1 L -> (forall j, (j < S n)%nat -> norm (P j) = tau) ->
  (forall j k, (j < S n)%nat -> (k < S n)%nat -> 0 <= dot (P j) (P k)) -> in_hull (S n) P g ->
  Rabs (J_s s g - J g) <= s * rho L (sqrt 2 * tau) /\ Rabs (J_s s g - J g) <= 2 * s * rho L (2 * tau).
Proof.
  intros pos Hs a1 sphere kernel Hg; destruct (uniform_on_hull tau s g pos Hs a1 sphere kernel Hg) as [le range].
  split; [exact le|]; assert (Htau : 0 <= tau) by (rewrite <- (sphere 0%nat) by lia; apply norm_nonneg).
  assert (root : sqrt 2 <= 2) by (rewrite <- (sqrt_pow2 2) at 2 by lra; apply sqrt_le_1_alt; lra).
  assert (top : rho L (sqrt 2 * tau) <= rho L (2 * tau)).
  { apply (proj1 a1); [apply Rmult_le_pos; [apply sqrt_pos|exact Htau]|apply Rmult_le_compat_r; assumption]. }
  assert (0 <= s * rho L (2 * tau)) by (apply Rmult_le_pos; lra).
  assert (s * rho L (sqrt 2 * tau) <= s * rho L (2 * tau)) by (apply Rmult_le_compat_l; assumption); lra.
Qed.

(* Claim influence_proofs.compactness: if J has one minimiser f on the hull of the P_i and of P_n, the minimisers of J_s
   tend to f as s falls to 0; they lie in that hull, because rho is strictly increasing. *)
Theorem minimisers_tend tau f : (0 < n)%nat -> psi_is_slope L -> A1 L -> rho_strictly_rises L ->
  (forall j, (j < S n)%nat -> norm (P j) = tau) ->
  (forall j k, (j < S n)%nat -> (k < S n)%nat -> 0 <= dot (P j) (P k)) ->
  in_hull (S n) P f -> (forall g, in_hull (S n) P g -> J g <= J f -> g = f) ->
  forall e, 0 < e -> exists d, 0 < d /\ forall s f_s, 0 < s < d -> minimiser (J_s s) f_s -> norm (sub f_s f) < e.
Proof.
  intros pos slope a1 rises sphere kernel Hf only e He.
  assert (gap : exists M, 0 < M /\ forall g, in_hull (S n) P g -> e <= norm (sub g f) -> J f + M <= J g).
  { apply NNPP; intros none.
    destruct (hull_cluster (S n) P (fun k w => simplex (S n) w /\ e <= norm (sub (comb (S n) w P) f) /\
      J (comb (S n) w P) <= J f + share k)) as [l [Hl near]].
    - intros k w [Hw [far low]]; split; [exact Hw|split; [exact far|]].
      pose proof (share_falls k (S k) ltac:(lia)); lra.
    - intros k; apply NNPP; intros empty; apply none; exists (share k); split; [apply share_positive|].
      intros g [w [Hw ->]] far; apply Rnot_lt_le; intros low; apply empty; exists w; split; [exact Hw|].
      split; [exact far|lra].
    - intros k w [Hw _]; exact Hw.
    - set (g := comb (S n) l P) in *; assert (Hg : in_hull (S n) P g) by (exists l; split; [exact Hl|reflexivity]).
      assert (far : e <= norm (sub g f)).
      { apply Rnot_lt_le; intros lt; destruct (near (e - norm (sub g f)) 0%nat) as [w [[_ [far _]] close]]; [lra|].
        pose proof (triangle_sub (comb (S n) w P) g f); lra. }
      assert (low : J g <= J f).
      { apply Rnot_lt_le; intros lt.
        destruct (J_continuous n P (equal n) L (rho_continuous L slope a1) g ((J g - J f) / 2)) as [d [Hd close]]; [lra|].
        destruct (share_small ((J g - J f) / 2)) as [k small]; [lra|].
        destruct (near d k Hd) as [w [[_ [_ le]] close_w]]; specialize (close _ close_w); apply Rabs_def2 in close; lra. }
      rewrite (only g Hg low), norm_sub_self in far; lra. }
  destruct gap as [M [HM gap]]; set (B := rho L (sqrt 2 * tau)).
  assert (HB : 0 <= B) by (destruct (uniform_on_hull tau 0 f pos (Rle_refl 0) a1 sphere kernel Hf) as [_ ?]; fold B in H0; lra).
  exists (Rmin 1 (M / (2 * (B + 1)))); split; [apply Rmin_pos; [lra|apply Rdiv_lt_0_compat; lra]|].
  intros s g [Hs small] least.
  assert (Hs1 : s < 1) by (eapply Rlt_le_trans; [exact small|apply Rmin_l]).
  assert (Hs2 : s < M / (2 * (B + 1))) by (eapply Rlt_le_trans; [exact small|apply Rmin_r]).
  assert (Hg : in_hull (S n) P g).
  { apply (minimiser_in_hull (S n) P (contaminated n s) L); [apply contaminated_simplex; [exact pos|lra]|exact rises|exact least]. }
  apply Rnot_le_lt; intros far; specialize (gap g Hg far); specialize (least f).
  destruct (uniform_on_hull tau s g pos (Rlt_le _ _ Hs) a1 sphere kernel Hg) as [near_g _].
  destruct (uniform_on_hull tau s f pos (Rlt_le _ _ Hs) a1 sphere kernel Hf) as [near_f _].
  apply Rabs_le_between in near_g; apply Rabs_le_between in near_f; fold B in near_g, near_f.
  assert (2 * (s * B) < M); [|lra].
  apply (Rmult_lt_compat_r (2 * (B + 1))) in Hs2; [|lra].
  replace (M / (2 * (B + 1)) * (2 * (B + 1))) with M in Hs2 by (field; lra); lra.
Qed.

End Contaminated.

(* Claim influence_proofs.uniform: |J_s(g) - J(g)| = s |rho(r') - (1/n) sum rho(r_i)|, which is at most
   (s/n) sum rho(r_i) + s rho(r'); the printed sign of equality is wrong: for one row, rho(r') = rho(r_0) = 1 and s = 1/2
   the left side is 0 and the right side 1. *)
Theorem uniform_change :
  (forall (H : space) n (P : nat -> H) L s g, 0 <= s -> (forall x, 0 <= x -> 0 <= rho L x) -> (0 < n)%nat ->
    let J := J n P (equal n) L g in
    Rabs (setting.J (S n) P (contaminated n s) L g - J) = s * Rabs (rho L (residual P g n) - J) /\
    Rabs (setting.J (S n) P (contaminated n s) L g - J) <= s * J + s * rho L (residual P g n)) /\
  exists (P : nat -> line) L g, rho L (residual P g 1) = 1 /\ J 1 P (equal 1) L g = 1 /\
    setting.J 2 P (contaminated 1 (/ 2)) L g - J 1 P (equal 1) L g = 0.
Proof.
  split.
  - intros H n P L s g Hs sign pos J.
    assert (eq : Rabs (setting.J (S n) P (contaminated n s) L g - J) = s * Rabs (rho L (residual P g n) - J)).
    { unfold J; rewrite J_s_difference, Rabs_mult, (Rabs_right s) by lra; reflexivity. }
    assert (HJ : 0 <= J).
    { apply sum_nonneg; intros i Hi; apply Rmult_le_pos; [apply equal_simplex; assumption|apply sign, norm_nonneg]. }
    split; [exact eq|]; rewrite eq; pose proof (sign _ (norm_nonneg (sub (P n) g))) as last; fold (residual P g n) in last.
    rewrite <- Rmult_plus_distr_l; apply Rmult_le_compat_l; [exact Hs|]; apply Rabs_le; lra.
  - exists (fun _ => 1), (absolute 0), 0.
    assert (one : forall i, residual (H := line) (fun _ => 1) 0 i = 1).
    { intros i; unfold residual, norm, sub; simpl; transitivity (sqrt 1); [f_equal; ring|apply sqrt_1]. }
    assert (Jone : J (H := line) 1 (fun _ => 1) (equal 1) (absolute 0) 0 = 1).
    { unfold J; simpl; rewrite one; unfold equal; simpl; field. }
    split; [apply one|split; [exact Jone|]]; rewrite (J_s_difference (H := line) 1), Jone, one; simpl; ring.
Qed.
