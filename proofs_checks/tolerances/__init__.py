"""Every tolerance of the project, each derived from a count of roundings.

The model is the usual one: a float64 operation returns the exact result times 1 + delta with |delta| <= u,
u = 2^-53, and m such factors together are 1 + theta with |theta| <= sum_bound(m). Numbers that two
implementations receive as input carry no error. Bounds are first order where their text says so.
Only the standard library is used, so neither implementation can leak into its own yardstick.

One file for each tier, each resting on those before it: `roundings`, `densities`, `steps`, `influence`,
`statistics`. This module offers all their bounds.
"""

from rkde.proofs_checks.tolerances.densities import bandwidth_bound as bandwidth_bound
from rkde.proofs_checks.tolerances.densities import complement_bound as complement_bound
from rkde.proofs_checks.tolerances.densities import coordinate_bound as coordinate_bound
from rkde.proofs_checks.tolerances.densities import gradient_bound as gradient_bound
from rkde.proofs_checks.tolerances.densities import log_density_bound as log_density_bound
from rkde.proofs_checks.tolerances.densities import log_density_of_weights as log_density_of_weights
from rkde.proofs_checks.tolerances.densities import log_mean_bound as log_mean_bound
from rkde.proofs_checks.tolerances.densities import log_profile_bound as log_profile_bound
from rkde.proofs_checks.tolerances.densities import moved_bound as moved_bound
from rkde.proofs_checks.tolerances.densities import normaliser_bound as normaliser_bound
from rkde.proofs_checks.tolerances.densities import profile_bound as profile_bound
from rkde.proofs_checks.tolerances.densities import quadrature_request as quadrature_request
from rkde.proofs_checks.tolerances.densities import search_bound as search_bound
from rkde.proofs_checks.tolerances.densities import table_bound as table_bound
from rkde.proofs_checks.tolerances.densities import table_end as table_end
from rkde.proofs_checks.tolerances.densities import vkde_bandwidth_bound as vkde_bandwidth_bound
from rkde.proofs_checks.tolerances.densities import vkde_log_density_bound as vkde_log_density_bound
from rkde.proofs_checks.tolerances.densities import without_row_bound as without_row_bound
from rkde.proofs_checks.tolerances.influence import condition_bound as condition_bound
from rkde.proofs_checks.tolerances.influence import equation_bound as equation_bound
from rkde.proofs_checks.tolerances.influence import first_order_band as first_order_band
from rkde.proofs_checks.tolerances.influence import influence_bound as influence_bound
from rkde.proofs_checks.tolerances.influence import influence_error as influence_error
from rkde.proofs_checks.tolerances.influence import integral_rounding as integral_rounding
from rkde.proofs_checks.tolerances.influence import kernel_quadrature as kernel_quadrature
from rkde.proofs_checks.tolerances.influence import quotient_rounding as quotient_rounding
from rkde.proofs_checks.tolerances.influence import refinement_bound as refinement_bound
from rkde.proofs_checks.tolerances.influence import self_complement_bound as self_complement_bound
from rkde.proofs_checks.tolerances.influence import self_convolution_bound as self_convolution_bound
from rkde.proofs_checks.tolerances.influence import shrunk as shrunk
from rkde.proofs_checks.tolerances.influence import stopped_bound as stopped_bound
from rkde.proofs_checks.tolerances.roundings import ELEMENTARY_ULP as ELEMENTARY_ULP
from rkde.proofs_checks.tolerances.roundings import amplified as amplified
from rkde.proofs_checks.tolerances.roundings import eigenvalue_bound as eigenvalue_bound
from rkde.proofs_checks.tolerances.roundings import elementwise as elementwise
from rkde.proofs_checks.tolerances.roundings import largest as largest
from rkde.proofs_checks.tolerances.roundings import least_positive as least_positive
from rkde.proofs_checks.tolerances.roundings import printed_digits as printed_digits
from rkde.proofs_checks.tolerances.roundings import quadrature_bound as quadrature_bound
from rkde.proofs_checks.tolerances.roundings import reference_bound as reference_bound
from rkde.proofs_checks.tolerances.roundings import sum_bound as sum_bound
from rkde.proofs_checks.tolerances.roundings import unit_roundoff as unit_roundoff
from rkde.proofs_checks.tolerances.statistics import depth_bound as depth_bound
from rkde.proofs_checks.tolerances.statistics import distribution_band as distribution_band
from rkde.proofs_checks.tolerances.statistics import mean_ratio_bound as mean_ratio_bound
from rkde.proofs_checks.tolerances.statistics import normal_mean_band as normal_mean_band
from rkde.proofs_checks.tolerances.statistics import pair_bound as pair_bound
from rkde.proofs_checks.tolerances.statistics import practical_thresholds_bound as practical_thresholds_bound
from rkde.proofs_checks.tolerances.statistics import quantile_bound as quantile_bound
from rkde.proofs_checks.tolerances.statistics import standard_error_bound as standard_error_bound
from rkde.proofs_checks.tolerances.steps import cancellation as cancellation
from rkde.proofs_checks.tolerances.steps import common_limit_bounds as common_limit_bounds
from rkde.proofs_checks.tolerances.steps import contracting_path_bound as contracting_path_bound
from rkde.proofs_checks.tolerances.steps import convex_gap as convex_gap
from rkde.proofs_checks.tolerances.steps import element_step_bound as element_step_bound
from rkde.proofs_checks.tolerances.steps import geometric_bound as geometric_bound
from rkde.proofs_checks.tolerances.steps import gram_bounds as gram_bounds
from rkde.proofs_checks.tolerances.steps import left_out_bound as left_out_bound
from rkde.proofs_checks.tolerances.steps import limit_bound as limit_bound
from rkde.proofs_checks.tolerances.steps import longest_step as longest_step
from rkde.proofs_checks.tolerances.steps import loss_bound as loss_bound
from rkde.proofs_checks.tolerances.steps import neg_gradient_bound as neg_gradient_bound
from rkde.proofs_checks.tolerances.steps import objective_bound as objective_bound
from rkde.proofs_checks.tolerances.steps import objective_slack as objective_slack
from rkde.proofs_checks.tolerances.steps import offset_bound as offset_bound
from rkde.proofs_checks.tolerances.steps import path_bound as path_bound
from rkde.proofs_checks.tolerances.steps import phi_error as phi_error
from rkde.proofs_checks.tolerances.steps import phi_slope as phi_slope
from rkde.proofs_checks.tolerances.steps import product_bounds as product_bounds
from rkde.proofs_checks.tolerances.steps import reference_step_error as reference_step_error
from rkde.proofs_checks.tolerances.steps import residual_bound as residual_bound
from rkde.proofs_checks.tolerances.steps import residual_sq_bound as residual_sq_bound
from rkde.proofs_checks.tolerances.steps import rho_bound as rho_bound
from rkde.proofs_checks.tolerances.steps import sum_order_bound as sum_order_bound
from rkde.proofs_checks.tolerances.steps import weight_step_bound as weight_step_bound
