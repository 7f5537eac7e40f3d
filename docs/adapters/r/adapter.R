# An adapter in R: one JSON request a line in, one JSON answer a line out. Needs the package jsonlite.
#   rkde verify --adapter "Rscript adapter.R"
#
# Arguments of losses, thresholds and residual norms are in units of tau = sqrt(k(x, x)).

suppressPackageStartupMessages(library(jsonlite))

refuse <- function(kind, message) {
  stop(structure(class = c("refused", "error", "condition"), list(message = message, call = NULL, kind = kind)))
}

# ------------------------------------------------------------------------------------------- kernels

# In bandwidths. Differences first: the squares of large coordinates would swallow them.
squared_distances <- function(x, y, h) {
  total <- matrix(0, nrow(x), nrow(y))
  for (j in seq_len(ncol(x))) total <- total + (outer(x[, j], y[, j], "-") / h)^2
  total
}

# log k(x, y) - log k(x, x)
log_profile <- function(kernel, x, y) {
  s <- squared_distances(x, y, kernel$bandwidth)
  switch(kernel$name,
    gaussian = -s / 2,
    laplacian = -sqrt(s),
    student = -(kernel$dof + ncol(x)) / 2 * log1p(s / kernel$dof)
  )
}

# log Gamma(z + steps / 2) - log Gamma(z); at a large z the difference itself would lose its digits.
log_gamma_ratio <- function(z, steps) {
  whole <- sum(log(z + seq_len(steps %/% 2) - 1))
  if (steps %% 2 == 0) return(whole)
  top <- z + steps %/% 2
  if (top < 100) return(whole + lgamma(top + 0.5) - lgamma(top))
  whole + log(top) / 2 - 1 / (8 * top) + 1 / (192 * top^3) - 1 / (640 * top^5)
}

# log k(x, x): the kernel integrates to 1 over d coordinates.
log_normaliser <- function(kernel, d) {
  scale <- d * log(kernel$bandwidth)
  switch(kernel$name,
    gaussian = -scale - d / 2 * log(2 * pi),
    laplacian = -(log(2) + d / 2 * log(pi) - lgamma(d / 2)) - lgamma(d) - scale,
    student = log_gamma_ratio(kernel$dof / 2, d) - d / 2 * log(kernel$dof * pi) - scale
  )
}

# -------------------------------------------------------------------------------------------- losses

rho <- function(loss, t) {
  a <- loss$a
  switch(loss$name,
    quadratic = t^2 / 2,
    absolute = t,
    huber = ifelse(t <= a, t^2 / 2, a * (t - a / 2)),
    hampel = {
      left <- pmax(loss$c - t, 0)
      beyond <- a / 2 * (loss$b - a + loss$c) - a * left^2 / (loss$c - loss$b) / 2
      ifelse(t <= a, t^2 / 2, ifelse(t <= loss$b, a * (t - a / 2), beyond))
    }
  )
}

psi <- function(loss, t) {
  switch(loss$name,
    quadratic = t,
    absolute = rep(1, length(t)),
    huber = pmin(t, loss$a),
    hampel = ifelse(t > loss$b, loss$a * pmax(loss$c - t, 0) / (loss$c - loss$b), pmin(t, loss$a))
  )
}

# psi(t) / t, with its limit at 0
phi <- function(loss, t) {
  at_zero <- if (loss$name == "absolute") Inf else 1
  ifelse(t > 0, psi(loss, t) / t, at_zero)
}

# t psi'(t) - psi(t), with psi' from the right, or from the left
q <- function(loss, t, from_right) {
  beyond <- function(kink) if (from_right) t >= kink else t > kink
  value <- rep(0, length(t))
  if (loss$name == "absolute") return(value - 1)
  if (loss$name %in% c("huber", "hampel")) value[beyond(loss$a)] <- -loss$a
  if (loss$name == "hampel") {
    value[beyond(loss$b)] <- -loss$a * loss$c / (loss$c - loss$b)
    value[beyond(loss$c)] <- 0
  }
  value
}

# --------------------------------------------------------------------------------------- the estimate

# Squared distances of the features; their use keeps small residuals, unlike 1 - 2 Kw + w'Kw.
feature_distances <- function(x, kernel) -2 * expm1(log_profile(kernel, x, x))

residual_norms <- function(distances, w) {
  dw <- as.vector(distances %*% w)
  sqrt(pmax(dw - sum(w * dw) / 2, 0))
}

next_weights <- function(loss, r) {
  value <- if (loss$name == "absolute" && any(r == 0)) as.numeric(r == 0) else phi(loss, r)
  if (sum(value) == 0) refuse("AllWeightsZero", "phi vanishes at every residual")
  value / sum(value)
}

objective <- function(loss, r) mean(rho(loss, r))

median_weights <- function(distances) {
  w <- rep(1 / nrow(distances), nrow(distances))
  for (step in seq_len(100000)) {
    new <- next_weights(list(name = "absolute"), residual_norms(distances, w))
    done <- max(abs(new - w)) <= 4 * .Machine$double.eps * max(new)
    w <- new
    if (done) return(w)
  }
  refuse("NotConverged", "f_med after 100000 steps")
}

# log of the sum of exp over each row, without underflow
log_sum_exp <- function(terms) {
  top <- apply(terms, 1, max)
  top[!is.finite(top)] <- 0
  log(rowSums(exp(terms - top))) + top
}

log_densities <- function(x, kernel, w, queries) {
  terms <- sweep(log_profile(kernel, queries, x), 2, log(w), "+")
  log_sum_exp(terms) + log_normaliser(kernel, ncol(x))
}

# ---------------------------------------------------------------------------------- reading requests

number <- function(value) {
  if (is.character(value)) value <- switch(value, inf = Inf, "-inf" = -Inf, nan = NaN, as.numeric(value))
  as.numeric(value)
}

numbers <- function(values) vapply(values, number, 0)

rows_of <- function(value, what, columns = NULL) {
  lengths <- vapply(value, length, 0L)
  if (length(value) == 0 || lengths[1] == 0 || any(lengths != lengths[1])) {
    refuse("InvalidInput", paste0(what, ": rows of one length are required"))
  }
  table <- matrix(numbers(unlist(value, recursive = FALSE)), nrow = length(value), byrow = TRUE)
  if (!all(is.finite(table))) refuse("InvalidInput", paste0(what, ": must be finite"))
  if (!is.null(columns) && ncol(table) != columns) refuse("InvalidInput", paste0(what, ": other columns"))
  table
}

member <- function(fields, known) {
  parameters <- known[[fields$name]]
  if (is.null(parameters) || !setequal(names(fields), c("name", parameters[parameters != ""]))) {
    refuse("InvalidInput", "an unknown kernel or loss, or other parameters than it has")
  }
  for (name in parameters[parameters != ""]) {
    fields[[name]] <- number(fields[[name]])
    if (!is.finite(fields[[name]]) || fields[[name]] <= 0) refuse("InvalidInput", paste0(name, ": must be positive"))
  }
  fields
}

kernel_of <- function(fields) {
  member(fields, list(gaussian = "bandwidth", laplacian = "bandwidth", student = c("bandwidth", "dof")))
}

loss_of <- function(fields) {
  loss <- member(fields, list(quadratic = "", absolute = "", huber = "a", hampel = c("a", "b", "c")))
  if (loss$name == "hampel" && !(loss$a <= loss$b && loss$b < loss$c)) refuse("InvalidInput", "a <= b < c")
  loss
}

weights_of <- function(value, n) {
  w <- numbers(value)
  if (length(w) != n || !all(is.finite(w)) || any(w < 0) || abs(sum(w) - 1) > 1e-9) {
    refuse("InvalidInput", "weights: one a row, not negative, with the sum 1")
  }
  w / sum(w)
}

# As text, since toJSON writes 15 digits; JSON has no infinity.
spell_one <- function(v) {
  if (is.nan(v)) "nan" else if (is.finite(v)) sprintf("%.17g", v) else if (v > 0) "inf" else "-inf"
}

# A list, so that one number is an array too.
spell <- function(values) lapply(values, spell_one)

# ----------------------------------------------------------------------------------------- operations

state_of <- function(request) {
  x <- rows_of(request$X, "X")
  kernel <- kernel_of(request$kernel)
  distances <- feature_distances(x, kernel)
  w <- if (is.null(request$weights)) NULL else weights_of(request$weights, nrow(x))
  list(x = x, kernel = kernel, distances = distances, w = w)
}

operations <- list(
  kernel = function(request) {
    x <- rows_of(list(request$x), "x")
    kernel <- kernel_of(request$kernel)
    if (length(request$Y) == 0) return(list(log_kernel = list()))
    y <- rows_of(request$Y, "Y", ncol(x))
    list(log_kernel = spell(log_profile(kernel, x, y)[1, ] + log_normaliser(kernel, ncol(x))))
  },
  loss = function(request) {
    loss <- loss_of(request$loss)
    t <- numbers(request$t)
    if (!all(is.finite(t)) || any(t < 0)) refuse("InvalidInput", "t: must be finite and not negative")
    left <- spell(q(loss, t, FALSE))
    left[t == 0] <- list(NULL)
    list(
      rho = spell(rho(loss, t)), psi = spell(psi(loss, t)), phi = spell(phi(loss, t)),
      q = spell(q(loss, t, TRUE)), q_left = left
    )
  },
  residual_norms = function(request) {
    state <- state_of(request)
    list(residual_norms = spell(residual_norms(state$distances, state$w)))
  },
  objective = function(request) {
    state <- state_of(request)
    list(objective = spell_one(objective(loss_of(request$loss), residual_norms(state$distances, state$w))))
  },
  step = function(request) {
    state <- state_of(request)
    loss <- loss_of(request$loss)
    if (request$count < 0) refuse("InvalidInput", "count: must not be negative")
    w <- state$w
    path <- objective(loss, residual_norms(state$distances, w))
    for (step in seq_len(request$count)) {
      w <- next_weights(loss, residual_norms(state$distances, w))
      path <- c(path, objective(loss, residual_norms(state$distances, w)))
    }
    list(weights = spell(w), objective = spell(path))
  },
  thresholds = function(request) {
    # R's quantile types that have a name in the protocol; the other rules are left out.
    types <- c(
      inverted_cdf = 1, averaged_inverted_cdf = 2, interpolated_inverted_cdf = 4, hazen = 5,
      weibull = 6, linear = 7, median_unbiased = 8, normal_unbiased = 9
    )
    others <- c("closest_observation", "lower", "higher", "midpoint", "nearest")
    if (request$quantile_rule %in% others) return(list(unsupported = TRUE))
    if (!request$quantile_rule %in% names(types)) refuse("InvalidInput", "an unknown quantile rule")
    levels <- numbers(request$quantiles)
    if (length(levels) != 3 || !all(is.finite(levels)) || any(diff(levels) < 0) || any(levels < 0 | levels > 1)) {
      refuse("InvalidInput", "quantiles: three from 0 to 1, not falling")
    }
    state <- state_of(request)
    if (all(state$distances == 0)) return(list(a = 0, b = 0, c = 0))
    r <- residual_norms(state$distances, median_weights(state$distances))
    found <- quantile(r, levels, type = types[[request$quantile_rule]], names = FALSE)
    setNames(spell(found), c("a", "b", "c"))
  },
  log_density = function(request) {
    state <- state_of(request)
    if (length(request$queries) == 0) return(list(log_density = list()))
    at <- rows_of(request$queries, "queries", ncol(state$x))
    list(log_density = spell(log_densities(state$x, state$kernel, state$w, at)))
  }
)

answer <- function(request) {
  if (request$op == "hello") {
    return(list(name = "plain R", version = "1", protocol = 1L, operations = c("hello", names(operations))))
  }
  if (!request$op %in% names(operations)) return(list(unsupported = TRUE))
  tryCatch(operations[[request$op]](request),
    refused = function(error) list(error = list(kind = error$kind, message = conditionMessage(error))),
    error = function(error) list(error = list(kind = "Internal", message = conditionMessage(error)))
  )
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  request <- fromJSON(line, simplifyVector = FALSE)
  reply <- c(list(id = request$id), answer(request))
  cat(toJSON(reply, auto_unbox = TRUE, null = "null"), "\n", sep = "")
  flush(stdout())
}
