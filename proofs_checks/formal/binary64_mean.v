(* Means in binary64, where the number of terms is itself a float. *)
From Coq Require Import ZArith Reals.
From Rkde Require Import arithmetic binary64 rounded_sums.
Local Open Scope R_scope.

(* Claim roundings.mean: the sum of n floats, in whatever order, over n, which for n <= 2^53 is a float, is the mean but
   for ((1 + u)^n - 1) times the mean of the |x_i|, and eta if the quotient underflows. *)
Theorem rounded_mean t : of_floats binary64 t -> (Z.of_nat (terms t) <= 2 ^ 53)%Z ->
  rnd binary64 (INR (terms t)) = INR (terms t) /\
  Rabs (rnd binary64 (computed binary64 t / rnd binary64 (INR (terms t))) - exact t / INR (terms t)) <=
    growth (u binary64) (terms t) * (size t / INR (terms t)) + eta binary64.
Proof.
  intros floats few; pose proof (rnd_fixed binary64 _ (whole_float _ few)) as fixed; split; [exact fixed|].
  rewrite fixed; apply mean_error, floats.
Qed.
