/* The paper in plain C: short, dense, in double precision. */

#include "plain.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* ------------------------------------------------------------------------------------------ kernels */

double log_profile(const Kernel *kernel, const double *x, const double *y, size_t d) {
    /* Differences first, in bandwidths: the squares of large coordinates would swallow them. */
    double s = 0;
    for (size_t j = 0; j < d; j++) {
        double step = (x[j] - y[j]) / kernel->bandwidth;
        s += step * step;
    }
    switch (kernel->name) {
    case GAUSSIAN: return -s / 2;
    case LAPLACIAN: return -sqrt(s);
    default: return -(kernel->dof + (double)d) / 2 * log1p(s / kernel->dof);
    }
}

/* log Gamma(z + steps / 2) - log Gamma(z); at a large z the difference itself would lose its digits. */
static double log_gamma_ratio(double z, size_t steps) {
    double value = 0;
    for (size_t i = 0; i < steps / 2; i++) value += log(z + (double)i);
    if (steps % 2 == 0) return value;
    double top = z + (double)(steps / 2);
    if (top < 100) return value + lgamma(top + 0.5) - lgamma(top);
    return value + log(top) / 2 - 1 / (8 * top) + 1 / (192 * pow(top, 3)) - 1 / (640 * pow(top, 5));
}

double log_normaliser(const Kernel *kernel, size_t columns) {
    double d = (double)columns, scale = d * log(kernel->bandwidth);
    switch (kernel->name) {
    case GAUSSIAN: return -scale - d / 2 * log(2 * PI);
    case LAPLACIAN: return -(log(2) + d / 2 * log(PI) - lgamma(d / 2)) - lgamma(d) - scale;
    default: return log_gamma_ratio(kernel->dof / 2, columns) - d / 2 * log(kernel->dof * PI) - scale;
    }
}

/* ------------------------------------------------------------------------------------------- losses */

double rho(const Loss *loss, double t) {
    double a = loss->a, b = loss->b, c = loss->c, left = fmax(c - t, 0);
    if (loss->name == ABSOLUTE) return t;
    if (loss->name == QUADRATIC || t <= a) return t * t / 2;
    if (loss->name == HUBER || t <= b) return a * (t - a / 2);
    return a / 2 * (b - a + c) - a * left * left / (c - b) / 2;
}

double psi(const Loss *loss, double t) {
    double a = loss->a, b = loss->b, c = loss->c;
    if (loss->name == QUADRATIC) return t;
    if (loss->name == ABSOLUTE) return 1;
    if (loss->name == HUBER || t <= b) return fmin(t, a);
    return a * fmax(c - t, 0) / (c - b);
}

double phi(const Loss *loss, double t) {
    if (t > 0) return psi(loss, t) / t;
    return loss->name == ABSOLUTE ? INFINITY : 1;
}

static int beyond(double t, double kink, int from_right) { return t > kink || (from_right && t == kink); }

double q(const Loss *loss, double t, int from_right) {
    if (loss->name == ABSOLUTE) return -1;
    if (loss->name == QUADRATIC || !beyond(t, loss->a, from_right)) return 0;
    if (loss->name == HUBER || !beyond(t, loss->b, from_right)) return -loss->a;
    return beyond(t, loss->c, from_right) ? 0 : -loss->a * loss->c / (loss->c - loss->b);
}

/* ------------------------------------------------------------------------------------- the estimate */

void feature_distances(const Kernel *kernel, const double *x, size_t n, size_t d, double *distances) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            distances[i * n + j] = -2 * expm1(log_profile(kernel, x + i * d, x + j * d, d));
}

void residual_norms(const double *distances, const double *w, size_t n, double *norms) {
    /* (D w)_i - w'Dw / 2 keeps small residuals; the form 1 - 2 Kw + w'Kw loses them. */
    double half = 0;
    for (size_t i = 0; i < n; i++) {
        norms[i] = 0;
        for (size_t j = 0; j < n; j++) norms[i] += distances[i * n + j] * w[j];
        half += w[i] * norms[i] / 2;
    }
    for (size_t i = 0; i < n; i++) norms[i] = sqrt(fmax(norms[i] - half, 0));
}

double objective(const Loss *loss, const double *norms, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += rho(loss, norms[i]);
    return sum / (double)n;
}

int next_weights(const Loss *loss, const double *norms, size_t n, double *w) {
    int at_data = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) at_data |= loss->name == ABSOLUTE && norms[i] == 0;
    for (size_t i = 0; i < n; i++) sum += w[i] = at_data ? norms[i] == 0 : phi(loss, norms[i]);
    for (size_t i = 0; i < n; i++) w[i] /= sum;
    return sum > 0;
}

double log_density(const Kernel *kernel, const double *x, const double *w, size_t n, size_t d,
                   const double *query) {
    /* log of a sum of exponentials, without underflow; a weight of 0 adds nothing. */
    double top = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++)
        if (w[i] > 0) top = fmax(top, log(w[i]) + log_profile(kernel, query, x + i * d, d));
    if (isinf(top)) return top;
    for (size_t i = 0; i < n; i++)
        if (w[i] > 0) sum += exp(log(w[i]) + log_profile(kernel, query, x + i * d, d) - top);
    return log(sum) + top + log_normaliser(kernel, d);
}
