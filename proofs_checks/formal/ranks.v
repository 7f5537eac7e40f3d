(* Wilcoxon's signed-rank test for the 15 data sets of section 6, and the 44 printed cells of Tables 1 to 3.

   The differences are ranked by size from 1 to 15, and no two are equal. An outcome says for each rank which of
   the two methods won there. Everything is computed in whole numbers, and no axiom is used. *)
From Coq Require Import Arith List Lia ZArith QArith Qminmax.
Import ListNotations.
Local Open Scope nat_scope.

(* The sum of the ranks that method 1 won, R_1, and of those that it did not, R_2; the first rank is r. *)
Fixpoint won_from (r : nat) (outcome : list bool) : nat :=
  match outcome with
  | [] => 0
  | true :: others => r + won_from (S r) others
  | false :: others => won_from (S r) others
  end.
Definition R_1 (outcome : list bool) : nat := won_from 1 outcome.
Definition R_2 (outcome : list bool) : nat := won_from 1 (map negb outcome).
Definition statistic (outcome : list bool) : nat := min (R_1 outcome) (R_2 outcome).

(* All outcomes for n data sets. *)
Fixpoint outcomes (n : nat) : list (list bool) :=
  match n with
  | O => [[]]
  | S m => map (cons true) (outcomes m) ++ map (cons false) (outcomes m)
  end.

(* How many outcomes have a statistic of at most T; with fair and independent signs, all are equally likely, and
   this is the exact two-sided p-value of T. *)
Definition count (n T : nat) : Z :=
  Z.of_nat (length (filter (fun outcome => statistic outcome <=? T) (outcomes n))).
Definition p_value (T : nat) : Q := count 15 T # (2 ^ 15).

(* The printed cells in the order of the paper: R_1, R_2, T, and the p-value in hundredths. *)
Definition printed : list (nat * nat * nat * nat) :=
  [(120, 0, 0, 0); (120, 0, 0, 0); (26, 94, 26, 6); (67, 53, 53, 72); (78, 42, 42, 33); (83, 37, 37, 21);
   (94, 26, 26, 6); (101, 19, 19, 2); (103, 17, 17, 1); (104, 16, 16, 1); (117, 3, 3, 0); (117, 3, 3, 0);
   (117, 3, 3, 0); (117, 3, 3, 0); (119, 1, 1, 0); (119, 1, 1, 0); (0, 120, 0, 0); (0, 120, 0, 0);
   (0, 120, 0, 0); (0, 120, 0, 0); (0, 120, 0, 0); (0, 120, 0, 0); (0, 120, 0, 0); (26, 94, 26, 6);
   (46, 74, 46, 45); (67, 53, 53, 72); (90, 30, 30, 9); (95, 25, 25, 5); (96, 24, 24, 4); (99, 21, 21, 3);
   (33, 87, 33, 14); (49, 71, 49, 56); (58, 62, 58, 93); (75, 45, 45, 42); (80, 40, 40, 28); (90, 30, 30, 9);
   (86, 34, 34, 15); (38, 82, 38, 23); (70, 50, 50, 60); (79, 41, 41, 30); (91, 29, 29, 8); (95, 25, 25, 5);
   (96, 24, 24, 4); (99, 21, 21, 3)].

Lemma outcomes_are_all n outcome : In outcome (outcomes n) <-> length outcome = n.
Proof.
  revert outcome; induction n as [|n IH]; intros outcome; simpl.
  - split; [intros [<-|[]]; reflexivity|]; destruct outcome; [left; reflexivity|discriminate].
  - rewrite in_app_iff, !in_map_iff; split.
    + intros [[others [<- within]]|[others [<- within]]]; simpl; f_equal; apply IH; assumption.
    + destruct outcome as [|[|] others]; simpl; [discriminate|left|right]; exists others;
        (split; [reflexivity|apply IH; lia]).
Qed.

Lemma outcomes_are_distinct n : NoDup (outcomes n).
Proof.
  assert (injective : forall b (lists : list (list bool)), NoDup lists -> NoDup (map (cons b) lists)).
  { intros b lists distinct; induction distinct as [|first others new _ IH]; simpl; constructor; [|assumption].
    rewrite in_map_iff; intros [other [eq within]]; injection eq as ->; contradiction. }
  assert (joined : forall front back : list (list bool), NoDup front -> NoDup back ->
            (forall outcome, In outcome front -> ~ In outcome back) -> NoDup (front ++ back)).
  { intros front back left right apart; induction left as [|first others new _ IH]; simpl; [assumption|].
    constructor; [rewrite in_app_iff; intros [within|within]; [contradiction|]|].
    - apply (apart first); [left; reflexivity|assumption].
    - apply IH; intros outcome within; apply apart; right; assumption. }
  induction n as [|n IH]; simpl; [constructor; [intros []|constructor]|].
  apply joined; try (apply injective; assumption).
  intros outcome; rewrite !in_map_iff; intros [one [<- _]] [other [eq _]]; discriminate eq.
Qed.

Lemma outcomes_number n : length (outcomes n) = 2 ^ n.
Proof. induction n as [|n IH]; simpl; [reflexivity|]; rewrite app_length, !map_length, IH; lia. Qed.

Lemma both_from r outcome :
  2 * (won_from r outcome + won_from r (map negb outcome)) = length outcome * (2 * r + length outcome) - length outcome.
Proof.
  revert r; induction outcome as [|[|] others IH]; intros r; simpl; [reflexivity| |];
    specialize (IH (S r)); nia.
Qed.

(* Claim ranks.total. Whichever method wins on which data set, R_1 + R_2 = 120 and T = min(R_1, R_2) <= 60, as the
   ranks 1 to 15 sum to 120 (and 1 to n to n(n + 1)/2); every printed cell obeys it. *)
Theorem ranks_total :
  (forall outcome, 2 * (R_1 outcome + R_2 outcome) = length outcome * (length outcome + 1)) /\
  (forall outcome, length outcome = 15 -> R_1 outcome + R_2 outcome = 120 /\ statistic outcome <= 60) /\
  length printed = 44 /\
  Forall (fun cell => match cell with (first, second, T, _) => first + second = 120 /\ T = min first second end)
         printed.
Proof.
  assert (total : forall outcome, 2 * (R_1 outcome + R_2 outcome) = length outcome * (length outcome + 1)).
  { intros outcome; unfold R_1, R_2; rewrite both_from; nia. }
  split; [exact total|split; [|split; [reflexivity|repeat constructor]]].
  intros outcome fifteen; specialize (total outcome); rewrite fifteen in total; unfold statistic; lia.
Qed.

(* Counting without listing: h holds at place s how many outcomes have the rank sum s. *)
Fixpoint both (h g : list Z) : list Z :=
  match h, g with
  | [], _ => g
  | _, [] => h
  | c :: h', d :: g' => (c + d)%Z :: both h' g'
  end.
Fixpoint histogram (r n : nat) : list Z :=
  match n with
  | O => [1%Z]
  | S m => let h := histogram (S r) m in both h (repeat 0%Z r ++ h)
  end.
Fixpoint weight (f : nat -> bool) (h : list Z) : Z :=
  match h with
  | [] => 0%Z
  | c :: h' => ((if f O then c else 0) + weight (fun s => f (S s)) h')%Z
  end.

Lemma weight_both f h g : weight f (both h g) = (weight f h + weight f g)%Z.
Proof.
  revert f g; induction h as [|c h IH]; intros f g; simpl; [reflexivity|].
  destruct g as [|d g]; simpl; [ring|]; rewrite IH; destruct (f O); ring.
Qed.

Lemma weight_shifted f r h : weight f (repeat 0%Z r ++ h) = weight (fun s => f (r + s)) h.
Proof.
  revert f; induction r as [|r IH]; intros f; simpl; [reflexivity|].
  rewrite IH; destruct (f O); reflexivity.
Qed.

Lemma filter_map_length (A B : Type) (g : A -> B) (f : B -> bool) (l : list A) :
  length (filter f (map g l)) = length (filter (fun a => f (g a)) l).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]; destruct (f (g a)); simpl; rewrite IH; reflexivity. Qed.

Lemma weight_counts f r n :
  Z.of_nat (length (filter (fun outcome => f (won_from r outcome)) (outcomes n))) = weight f (histogram r n).
Proof.
  revert f r; induction n as [|n IH]; intros f r; simpl; [destruct (f O); reflexivity|].
  rewrite filter_app, app_length, Nat2Z.inj_add, !filter_map_length, weight_both, weight_shifted; simpl.
  rewrite (IH (fun s => f (r + s)) (S r)), (IH f (S r)); ring.
Qed.

Lemma filter_same (A : Type) (f g : A -> bool) (l : list A) :
  (forall a, In a l -> f a = g a) -> filter f l = filter g l.
Proof.
  intros same; induction l as [|a l IH]; simpl; [reflexivity|].
  rewrite (same a) by (left; reflexivity); rewrite IH by (intros b within; apply same; right; exact within).
  reflexivity.
Qed.

Lemma count_fast n N T : 2 * N = n * (n + 1) ->
  count n T = weight (fun s => min s (N - s) <=? T) (histogram 1 n).
Proof.
  intros half; rewrite <- weight_counts; unfold count; do 2 f_equal; apply filter_same.
  intros outcome within; apply outcomes_are_all in within; unfold statistic, R_1, R_2.
  pose proof (both_from 1 outcome) as total; rewrite within in total; do 2 f_equal; nia.
Qed.

Lemma count_15 T : count 15 T = weight (fun s => min s (120 - s) <=? T) (histogram 1 15).
Proof. exact (count_fast 15 120 T eq_refl). Qed.

Lemma filter_shorter (A : Type) (f g : A -> bool) (l : list A) :
  (forall a, f a = true -> g a = true) -> length (filter f l) <= length (filter g l).
Proof.
  intros less; induction l as [|a l IH]; simpl; [lia|].
  specialize (less a); destruct (f a), (g a); simpl; try lia; discriminate (less eq_refl).
Qed.

Lemma count_rises n T U : T <= U -> (count n T <= count n U)%Z.
Proof.
  intros le; apply inj_le, filter_shorter; intros outcome; rewrite !Nat.leb_le; lia.
Qed.

Lemma p_value_rises T U : T <= U -> (p_value T <= p_value U)%Q.
Proof. intros le; unfold p_value, Qle; cbn [Qnum Qden]; apply Z.mul_le_mono_nonneg_r, count_rises; [easy|exact le]. Qed.

(* Claim ranks.critical_value. For 15 data sets p(25) = 1570/32768 and p(26) = 1814/32768, and T is significant at
   the level 0.05 exactly if T <= 25. *)
Theorem critical_value :
  (p_value 25 == 1570 # 32768)%Q /\ (p_value 26 == 1814 # 32768)%Q /\
  forall T, (p_value T <= 5 # 100)%Q <-> T <= 25.
Proof.
  assert (at_25 : count 15 25 = 1570%Z) by (rewrite count_15; vm_compute; reflexivity).
  assert (at_26 : count 15 26 = 1814%Z) by (rewrite count_15; vm_compute; reflexivity).
  split; [unfold p_value; rewrite at_25; reflexivity|split; [unfold p_value; rewrite at_26; reflexivity|]].
  intros T; destruct (le_lt_dec T 25) as [low|high].
  - split; [intros _; exact low|intros _].
    apply Qle_trans with (p_value 25); [apply p_value_rises; exact low|].
    unfold p_value; rewrite at_25; discriminate.
  - split; [|lia]; intros le; exfalso.
    assert (more : (p_value 26 <= 5 # 100)%Q).
    { apply Qle_trans with (p_value T); [apply p_value_rises; lia|exact le]. }
    unfold p_value in more; rewrite at_26 in more; apply more; reflexivity.
Qed.

(* Claim ranks.p_values. Each of the 44 printed p-values is the exact two-sided one, rounded to two decimals. *)
Theorem printed_p_values :
  length printed = 44 /\
  Forall (fun cell => match cell with (_, _, T, hundredths) =>
            ((Z.of_nat hundredths # 100) - (1 # 200) <= p_value T <= (Z.of_nat hundredths # 100) + (1 # 200))%Q end)
         printed.
Proof.
  split; [reflexivity|].
  assert (checked : forallb (fun cell => match cell with (_, _, T, hundredths) =>
     let p := weight (fun s => min s (120 - s) <=? T) (histogram 1 15) # (2 ^ 15) in
     Qle_bool ((Z.of_nat hundredths # 100) - (1 # 200)) p &&
     Qle_bool p ((Z.of_nat hundredths # 100) + (1 # 200)) end)%bool
     printed = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in checked; apply Forall_forall; intros [[[first second] T] hundredths] within.
  specialize (checked _ within); cbv beta iota zeta in checked; apply andb_prop in checked.
  unfold p_value; rewrite count_15; destruct checked as [low high]; split; apply Qle_bool_iff; assumption.
Qed.
