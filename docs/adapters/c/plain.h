/* The paper in plain C, as an example of an implementation; put your own in its place.
   Arguments of losses, thresholds and residual norms are in units of tau = sqrt(k(x, x)). */

#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>

typedef enum { GAUSSIAN, LAPLACIAN, STUDENT } KernelName;
typedef enum { QUADRATIC, ABSOLUTE, HUBER, HAMPEL } LossName;

typedef struct {
    KernelName name;
    double bandwidth, dof;
} Kernel;

typedef struct {
    LossName name;
    double a, b, c;
} Loss;

/* log k(x, y) - log k(x, x), and log k(x, x): the kernel integrates to 1 over d coordinates. */
double log_profile(const Kernel *kernel, const double *x, const double *y, size_t d);
double log_normaliser(const Kernel *kernel, size_t d);

/* phi = psi(t) / t, with its limit at 0; q = t psi'(t) - psi(t), with psi' from the right or the left. */
double rho(const Loss *loss, double t);
double psi(const Loss *loss, double t);
double phi(const Loss *loss, double t);
double q(const Loss *loss, double t, int from_right);

/* `x` holds n rows of d numbers, `distances` the n x n squared distances of their features. */
void feature_distances(const Kernel *kernel, const double *x, size_t n, size_t d, double *distances);
void residual_norms(const double *distances, const double *w, size_t n, double *norms);
double objective(const Loss *loss, const double *norms, size_t n);
/* Writes the weights after one step; answers 0 where phi vanishes at every residual. */
int next_weights(const Loss *loss, const double *norms, size_t n, double *w);
double log_density(const Kernel *kernel, const double *x, const double *w, size_t n, size_t d,
                   const double *query);

#endif
