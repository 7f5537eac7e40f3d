// The paper in plain JavaScript, as an example of an implementation; put your own in its place.
// Arguments of losses, thresholds and residual norms are in units of tau = sqrt(k(x, x)).

// ------------------------------------------------------------------------------------------- kernels

// log k(x, y) - log k(x, x)
export function logProfile(kernel, x, y) {
  // Differences first, in bandwidths: the squares of large coordinates would swallow them.
  const s = x.reduce((sum, value, j) => sum + ((value - y[j]) / kernel.bandwidth) ** 2, 0);
  if (kernel.name === "gaussian") return -s / 2;
  if (kernel.name === "laplacian") return -Math.sqrt(s);
  return (-(kernel.dof + x.length) / 2) * Math.log1p(s / kernel.dof);
}

// log k(x, x): the kernel integrates to 1 over d coordinates.
export function logNormaliser(kernel, d) {
  const scale = d * Math.log(kernel.bandwidth);
  if (kernel.name === "gaussian") return -scale - (d / 2) * Math.log(2 * Math.PI);
  if (kernel.name === "student") {
    return logGammaRatio(kernel.dof / 2, d) - (d / 2) * Math.log(kernel.dof * Math.PI) - scale;
  }
  const halfGamma = d % 2 === 0 ? logGammaRatio(1, d - 2) : Math.log(Math.PI) / 2 + logGammaRatio(0.5, d - 1);
  return halfGamma - Math.log(2) - (d / 2) * Math.log(Math.PI) - logGammaRatio(1, 2 * (d - 1)) - scale;
}

// log Gamma(z + steps / 2) - log Gamma(z), without the difference of two large logarithms
function logGammaRatio(z, steps) {
  let value = 0;
  const whole = Math.floor(steps / 2);
  for (let i = 0; i < whole; i += 1) value += Math.log(z + i);
  if (steps % 2 === 0) return value;
  let top = z + whole;
  // The series of the half step is exact to rounding from 100 on; the recurrence leads there.
  for (; top < 100; top += 1) value -= Math.log1p(0.5 / top);
  return value + Math.log(top) / 2 - 1 / (8 * top) + 1 / (192 * top ** 3) - 1 / (640 * top ** 5);
}

// -------------------------------------------------------------------------------------------- losses

export function rho(loss, t) {
  const { a, b, c } = loss;
  if (loss.name === "quadratic") return t ** 2 / 2;
  if (loss.name === "absolute") return t;
  if (t <= a) return t ** 2 / 2;
  if (loss.name === "huber" || t <= b) return a * (t - a / 2);
  return (a / 2) * (b - a + c) - (a * Math.max(c - t, 0) ** 2) / (c - b) / 2;
}

export function psi(loss, t) {
  const { a, b, c } = loss;
  if (loss.name === "quadratic") return t;
  if (loss.name === "absolute") return 1;
  if (loss.name === "huber" || t <= b) return Math.min(t, a);
  return (a * Math.max(c - t, 0)) / (c - b);
}

// psi(t) / t, with its limit at 0
export function phi(loss, t) {
  if (t > 0) return psi(loss, t) / t;
  return loss.name === "absolute" ? Infinity : 1;
}

// t psi'(t) - psi(t), with psi' from the right or from the left
export function q(loss, t, fromRight) {
  const { a, b, c } = loss;
  const beyond = (kink) => t > kink || (fromRight && t === kink);
  if (loss.name === "absolute") return -1;
  if (loss.name === "quadratic" || !beyond(a)) return 0;
  if (loss.name === "huber" || !beyond(b)) return -a;
  return beyond(c) ? 0 : (-a * c) / (c - b);
}

// -------------------------------------------------------------------------------------- the estimate

// Squared distances of the features: (D w)_i - w'Dw / 2 keeps small residuals, 1 - 2 Kw + w'Kw does not.
export function featureDistances(rows, kernel) {
  return rows.map((x) => rows.map((y) => -2 * Math.expm1(logProfile(kernel, x, y))));
}

const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);

export function residualNorms(distances, w) {
  const dw = distances.map((row) => dot(row, w));
  const half = dot(dw, w) / 2;
  return dw.map((value) => Math.sqrt(Math.max(value - half, 0)));
}

// The weights after one step, or null where phi vanishes at every residual
export function nextWeights(loss, norms) {
  const atData = loss.name === "absolute" && norms.some((r) => r === 0);
  const values = norms.map((r) => (atData ? Number(r === 0) : phi(loss, r)));
  const total = values.reduce((sum, value) => sum + value, 0);
  return total === 0 ? null : values.map((value) => value / total);
}

export function objective(loss, norms) {
  return norms.reduce((sum, r) => sum + rho(loss, r), 0) / norms.length;
}

export function logDensity(rows, kernel, w, query) {
  const terms = rows.map((x, i) => Math.log(w[i]) + logProfile(kernel, query, x));
  const top = Math.max(...terms);
  if (!Number.isFinite(top)) return top;
  const sum = terms.reduce((total, term) => total + Math.exp(term - top), 0);
  return Math.log(sum) + top + logNormaliser(kernel, query.length);
}
