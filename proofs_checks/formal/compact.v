(* Lemma 5: the set D_n of the weighted means of P_0, ..., P_(n-1) is compact.

   Instead of subsequences there are falling sets S_0, S_1, ..., none of them empty: some point is approached by the
   elements of every one of them. So no choice of elements is needed. *)
From Coq Require Import Reals Lra Lia Classical ConstructiveEpsilon.
From Coquelicot Require Import Coquelicot.
From Rkde Require Import space setting continuity.
Local Open Scope R_scope.

Definition falling {X : Type} (S : nat -> X -> Prop) : Prop := forall k x, S (Datatypes.S k) x -> S k x.
Definition inhabited {X : Type} (S : nat -> X -> Prop) : Prop := forall k, exists x, S k x.

Lemma falling_le {X : Type} (S : nat -> X -> Prop) : falling S -> forall j k x, (j <= k)%nat -> S k x -> S j x.
Proof. intros fall j k x le; induction le as [|k le IH]; [trivial|intros Sx; apply IH, fall, Sx]. Qed.

(* 1/(k + 1). *)
Definition share (k : nat) : R := / INR (S k).

Lemma share_positive k : 0 < share k.
Proof. apply Rinv_0_lt_compat, lt_0_INR; lia. Qed.

Lemma share_falls j k : (j <= k)%nat -> share k <= share j.
Proof. intros le; apply Rinv_le_contravar; [apply lt_0_INR; lia|apply le_INR; lia]. Qed.

Lemma share_small e : 0 < e -> exists k, share k < e.
Proof.
  intros pos; destruct (archimed_cor1 e pos) as [k [small Hk]]; exists k.
  eapply Rle_lt_trans; [|exact small]; apply Rinv_le_contravar; [apply lt_0_INR, Hk|apply le_INR; lia].
Qed.

(* One bounded coordinate: Bolzano and Weierstrass. *)
Lemma cluster_1 {X : Type} (S : nat -> X -> Prop) (x : X -> R) B : falling S -> inhabited S ->
  (forall k y, S k y -> Rabs (x y) <= B) -> exists l, forall k, exists y, S k y /\ Rabs (x y - l) < share k.
Proof.
  intros fall some bound; set (E := fun t => forall k, exists y, S k y /\ t <= x y).
  destruct (completeness E) as [l [upper least]].
  - exists B; intros t Et; destruct (Et 0%nat) as [y [Sy le]]; specialize (bound 0%nat y Sy).
    pose proof (Rle_abs (x y)); lra.
  - exists (- B); intros k; destruct (some k) as [y Sy]; exists y; split; [exact Sy|].
    specialize (bound k y Sy); pose proof (Rle_abs (- x y)) as le; rewrite Rabs_Ropp in le; lra.
  - exists l; intros k; pose proof (share_positive k) as pos.
    assert (above : exists j, forall y, S j y -> x y < l + share k / 2).
    { apply NNPP; intros none; cut (E (l + share k / 2)); [intros inE; specialize (upper _ inE); lra|].
      intros j; apply NNPP; intros free; apply none; exists j; intros y Sy; apply Rnot_le_lt; intros le.
      apply free; exists y; split; assumption. }
    assert (below : exists t, E t /\ l - share k / 2 < t).
    { apply NNPP; intros none; cut (l <= l - share k / 2); [lra|]; apply least; intros t Et.
      apply Rnot_lt_le; intros lt; apply none; exists t; split; assumption. }
    destruct above as [j above], below as [t [Et lt]], (Et (max j k)) as [y [Sy le]]; exists y.
    split; [apply (falling_le S fall k (max j k)); [lia|exact Sy]|].
    specialize (above y (falling_le S fall j (max j k) y ltac:(lia) Sy)); apply Rabs_def1; lra.
Qed.

Lemma cluster {X : Type} n (x : X -> nat -> R) B : forall S : nat -> X -> Prop, falling S -> inhabited S ->
  (forall k y i, (i < n)%nat -> S k y -> Rabs (x y i) <= B) ->
  exists l : nat -> R, forall k, exists y, S k y /\ forall i, (i < n)%nat -> Rabs (x y i - l i) < share k.
Proof.
  induction n as [|n IH]; intros S fall some bound.
  - exists (fun _ => 0); intros k; destruct (some k) as [y Sy]; exists y; split; [exact Sy|lia].
  - destruct (cluster_1 S (fun y => x y n) B fall some) as [last near].
    { intros k y Sy; apply (bound k); [lia|exact Sy]. }
    destruct (IH (fun k y => S k y /\ Rabs (x y n - last) < share k)) as [l close].
    + intros k y [Sy lt]; split; [apply fall, Sy|].
      eapply Rlt_le_trans; [exact lt|apply share_falls; lia].
    + exact near.
    + intros k y i Hi [Sy _]; apply (bound k); [lia|exact Sy].
    + exists (fun i => if Nat.eq_dec i n then last else l i); intros k; destruct (close k) as [y [[Sy lt] all]].
      exists y; split; [exact Sy|]; intros i Hi; destruct (Nat.eq_dec i n) as [->|ne]; [exact lt|apply all; lia].
Qed.

Section Hull.
Context {H : space} (n : nat) (P : nat -> H).

Lemma simplex_bound w i : simplex n w -> (i < n)%nat -> Rabs (w i) <= 1.
Proof.
  intros [pos one] Hi; rewrite Rabs_right by (apply Rle_ge, pos, Hi); rewrite <- one.
  apply sum_term; assumption.
Qed.

Lemma comb_near w l e : 0 <= e -> (forall i, (i < n)%nat -> Rabs (w i - l i) < e) ->
  norm (sub (comb n w P) (comb n l P)) <= e * sum n (fun i => norm (P i)).
Proof.
  intros He near; replace (sub _ _) with (comb n (fun i => w i - l i) P).
  - eapply Rle_trans; [apply norm_comb|]; rewrite <- sum_scale; apply sum_le; intros i Hi.
    apply Rmult_le_compat_r; [apply norm_nonneg|apply Rlt_le, near, Hi].
  - apply same; intros x; rewrite dot_sub, !dot_comb; unfold Rminus; rewrite <- sum_opp, <- sum_add.
    apply sum_ext; intros i _; ring.
Qed.

(* Falling sets of weights approach the weights of one point of the hull. *)
Lemma hull_cluster (S : nat -> (nat -> R) -> Prop) : falling S -> inhabited S ->
  (forall k w, S k w -> simplex n w) ->
  exists l, simplex n l /\
    forall e k, 0 < e -> exists w, S k w /\ norm (sub (comb n w P) (comb n l P)) < e.
Proof.
  intros fall some inside; destruct (cluster n (fun w i => w i) 1 S fall some) as [l near].
  { intros k w i Hi Sw; apply simplex_bound; [apply (inside k), Sw|exact Hi]. }
  exists l; split; [split|].
  - intros i Hi; apply Rnot_lt_le; intros neg; destruct (share_small (- l i)) as [k small]; [lra|].
    destruct (near k) as [w [Sw all]]; specialize (all i Hi); apply Rabs_def2 in all.
    destruct (inside k w Sw) as [pos _]; specialize (pos i Hi); lra.
  - apply NNPP; intros differ; set (gap := Rabs (sum n l - 1)).
    assert (Hgap : 0 < gap) by (apply Rabs_pos_lt; lra).
    assert (Hn : 0 < INR n + 1) by (pose proof (pos_INR n); lra).
    destruct (share_small (gap / (INR n + 1))) as [k small]; [apply Rdiv_lt_0_compat; lra|].
    destruct (near k) as [w [Sw all]]; destruct (inside k w Sw) as [_ one].
    assert (close : gap <= INR n * share k).
    { unfold gap; rewrite <- one, <- sum_constant; apply Rabs_le; split.
      - apply Ropp_le_cancel; rewrite Ropp_involutive, Ropp_minus_distr; unfold Rminus.
        rewrite <- sum_opp, <- sum_add; apply sum_le; intros i Hi; specialize (all i Hi); apply Rabs_def2 in all; lra.
      - unfold Rminus; rewrite <- sum_opp, <- sum_add; apply sum_le; intros i Hi; specialize (all i Hi).
        apply Rabs_def2 in all; lra. }
    apply (Rmult_lt_compat_r (INR n + 1)) in small; [|exact Hn].
    replace (gap / (INR n + 1) * (INR n + 1)) with gap in small by (field; lra).
    pose proof (share_positive k); lra.
  - intros e k pos; set (size := sum n (fun i => norm (P i))).
    assert (Hsize : 0 <= size) by (apply sum_nonneg; intros; apply norm_nonneg).
    destruct (share_small (e / (size + 1))) as [j small]; [apply Rdiv_lt_0_compat; lra|].
    destruct (near (max j k)) as [w [Sw all]]; exists w.
    split; [apply (falling_le S fall k (max j k)); [lia|exact Sw]|].
    pose proof (share_positive (max j k)) as sp; pose proof (share_falls j (max j k) ltac:(lia)) as sf.
    apply Rle_lt_trans with (share (max j k) * size); [apply comb_near; [lra|exact all]|].
    apply Rle_lt_trans with (e / (size + 1) * size); [apply Rmult_le_compat_r; lra|].
    apply Rlt_le_trans with (e / (size + 1) * (size + 1)); [apply Rmult_lt_compat_l; [apply Rdiv_lt_0_compat|]; lra|].
    right; field; lra.
Qed.

(* An index beyond j at which the sequence is within 1/(k + 1) of g. *)
Definition close_later (f : nat -> H) (g : H) (j k i : nat) : Prop := (j < i)%nat /\ norm (sub (f i) g) < share k.

Lemma close_later_dec f g j k i : {close_later f g j k i} + {~ close_later f g j k i}.
Proof.
  unfold close_later; destruct (lt_dec j i), (Rlt_dec (norm (sub (f i) g)) (share k)); try (left; split; assumption);
    right; intros [? ?]; contradiction.
Qed.

Lemma subsequence (f : nat -> H) g : (forall e j, 0 < e -> exists i, (j < i)%nat /\ norm (sub (f i) g) < e) ->
  exists pick : nat -> nat, (forall k, (pick k < pick (S k))%nat) /\
    is_lim_seq (fun k => norm (sub (f (pick k)) g)) 0.
Proof.
  intros often; assert (next : forall j k, {i | close_later f g j k i}).
  { intros j k; apply constructive_indefinite_ground_description_nat; [apply close_later_dec|].
    apply often, share_positive. }
  set (pick := fix pick k := match k with O => proj1_sig (next O O) | S j => proj1_sig (next (pick j) (S j)) end).
  assert (close : forall k, norm (sub (f (pick k)) g) < share k).
  { intros [|k]; simpl; [destruct (next O O) as [i [later lt]]|destruct (next (pick k) (S k)) as [i [later lt]]]; exact lt. }
  exists pick; split; [intros k; simpl; destruct (next (pick k) (S k)) as [i [lt near]]; exact lt|].
  apply is_lim_seq_spec; intros e; destruct (share_small e (cond_pos e)) as [k small]; exists k; intros j Hj.
  rewrite Rminus_0_r, Rabs_right by apply Rle_ge, norm_nonneg.
  pose proof (close j); pose proof (share_falls k j Hj); lra.
Qed.

(* Claims existence.compact_hull and theorems.lemma_5: D_n is compact: each sequence in it has a subsequence that
   converges to a point of it. *)
Theorem lemma_5 (f : nat -> H) : (forall k, in_hull n P (f k)) ->
  exists g pick, in_hull n P g /\ (forall k, (pick k < pick (S k))%nat) /\
    is_lim_seq (fun k => norm (sub (f (pick k)) g)) 0.
Proof.
  intros inside; destruct (hull_cluster (fun k w => simplex n w /\ exists j, (k <= j)%nat /\ f j = comb n w P))
    as [l [Hl near]].
  - intros k w [Hw [j [le eq]]]; split; [exact Hw|exists j; split; [lia|exact eq]].
  - intros k; destruct (inside k) as [w [Hw eq]]; exists w; split; [exact Hw|exists k; split; [lia|exact eq]].
  - intros k w [Hw _]; exact Hw.
  - destruct (subsequence f (comb n l P)) as [pick [up lim]].
    + intros e j pos; destruct (near e (S j) pos) as [w [[_ [i [le eq]]] lt]]; exists i; rewrite eq.
      split; [lia|exact lt].
    + exists (comb n l P), pick; split; [exists l; split; [exact Hl|reflexivity]|split; assumption].
Qed.

(* A continuous function is at its least somewhere on the hull. *)
Lemma least_on_hull (T : H -> R) b : (0 < n)%nat -> continuous_functional T -> (forall g, b <= T g) ->
  exists f, in_hull n P f /\ forall g, in_hull n P g -> T f <= T g.
Proof.
  intros pos cont low.
  assert (vertex : simplex n (fun i => if Nat.eq_dec i 0 then 1 else 0)).
  { split; [intros i _; destruct (Nat.eq_dec i 0); lra|].
    clear T cont low; induction n as [|k IH]; [lia|]; simpl.
    destruct k as [|k]; [simpl; ring|rewrite IH by lia; destruct (Nat.eq_dec (S k) 0); [lia|ring]]. }
  destruct (completeness (fun y => exists w, simplex n w /\ y = - T (comb n w P))) as [top [upper least]].
  - exists (- b); intros y [w [_ ->]]; specialize (low (comb n w P)); lra.
  - eexists; eexists; split; [exact vertex|reflexivity].
  - destruct (hull_cluster (fun k w => simplex n w /\ T (comb n w P) < - top + share k)) as [l [Hl near]].
    + intros k w [Hw lt]; split; [exact Hw|]; pose proof (share_falls k (S k) ltac:(lia)); lra.
    + intros k; apply NNPP; intros none; pose proof (share_positive k); cut (top <= top - share k); [lra|].
      apply least; intros y [w [Hw ->]]; apply Rnot_lt_le; intros lt; apply none; exists w; split; [exact Hw|lra].
    + intros k w [Hw _]; exact Hw.
    + exists (comb n l P); split; [exists l; split; [exact Hl|reflexivity]|]; intros g [w [Hw ->]].
      assert (bottom : - top <= T (comb n w P)).
      { assert (- T (comb n w P) <= top) by (apply upper; exists w; split; [exact Hw|reflexivity]); lra. }
      apply Rle_trans with (- top); [|exact bottom]; apply Rnot_lt_le; intros gap.
      destruct (cont (comb n l P) ((T (comb n l P) + top) / 2)) as [d [Hd close]]; [lra|].
      destruct (share_small ((T (comb n l P) + top) / 2)) as [k small]; [lra|].
      destruct (near d k Hd) as [v [[Hv lt] close_v]]; specialize (close _ close_v); apply Rabs_def2 in close; lra.
Qed.

End Hull.
