/* An adapter in C: one JSON request a line in, one JSON answer a line out.
     cc -O2 -o adapter adapter.c json.c plain.c -lm
     rkde verify --adapter ./adapter
   Each operation reads its request, calls the functions of plain.h, and prints the fields of its answer. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "plain.h"

/* ------------------------------------------------------------------------------------- refusing */

static jmp_buf refused;
static const char *error_kind, *error_message;

static void refuse_as(const char *kind, const char *message) {
    error_kind = kind;
    error_message = message;
    longjmp(refused, 1);
}

static void refuse(const char *message) { refuse_as("InvalidInput", message); }

/* What this program does not have, such as a kernel or an operation, is not a mistake in the request. */
static int lacking;

static void lack(void) {
    lacking = 1;
    longjmp(refused, 1);
}

/* ---------------------------------------------------------------------------- reading requests */

/* A number is a JSON number or a string with its digits; infinities and nan are strings. */
static double number(const Json *value) {
    char *end;
    if (value && value->type == JSON_NUMBER) return value->number;
    if (!value || value->type != JSON_STRING) refuse("a number is required");
    double found = strtod(value->text, &end);
    if (end == value->text || *end) refuse("a number is required");
    return found;
}

static const Json *list(const Json *value, const char *message) {
    if (!value || value->type != JSON_LIST) refuse(message);
    return value;
}

static double *numbers(const Json *value, size_t *count) {
    double *found = json_alloc(list(value, "a list of numbers is required")->count * sizeof *found);
    for (size_t i = 0; i < value->count; i++) found[i] = number(&value->items[i]);
    *count = value->count;
    return found;
}

/* Rows of *d numbers each, finite; where *d is 0, the first row decides. */
static double *rows(const Json *value, size_t *n, size_t *d) {
    *n = list(value, "a list of rows is required")->count;
    if (*n && !*d) *d = list(&value->items[0], "a row is required")->count;
    if (*n && !*d) refuse("a row without numbers");
    double *table = json_alloc(*n * *d * sizeof *table);
    for (size_t i = 0; i < *n; i++) {
        size_t length;
        double *row = numbers(&value->items[i], &length);
        if (length != *d) refuse("rows of different lengths");
        for (size_t j = 0; j < *d; j++)
            if (!isfinite(table[i * *d + j] = row[j])) refuse("rows must be finite");
    }
    return table;
}

static double *weights_of(const Json *value, size_t n) {
    size_t count;
    double sum = 0, *w = numbers(value, &count);
    for (size_t i = 0; i < count; i++) {
        if (!(w[i] >= 0)) refuse("weights must not be negative");
        sum += w[i];
    }
    if (count != n || !(fabs(sum - 1) <= 1e-9)) refuse("weights: one for each row, with the sum 1");
    for (size_t i = 0; i < n; i++) w[i] /= sum;
    return w;
}

/* A kernel or a loss: its parameters must be there, positive, and no others. */
static void parameters(const Json *fields, const char *const *names, double *const *values, size_t count) {
    if (fields->count != count + 1) refuse("other parameters than it has");
    for (size_t i = 0; i < count; i++) {
        *values[i] = number(json_get(fields, names[i]));
        if (!(*values[i] > 0 && isfinite(*values[i]))) refuse("a parameter must be positive and finite");
    }
}

static size_t name_of(const Json *fields, const char *const *names, size_t count) {
    const Json *name = json_get(fields, "name");
    for (size_t i = 0; name && name->type == JSON_STRING && i < count; i++)
        if (!strcmp(name->text, names[i])) return i;
    refuse("an unknown kernel or loss");
    return 0;
}

static Kernel kernel_of(const Json *fields) {
    static const char *const known[] = {"gaussian", "laplacian", "student"};
    Kernel kernel = {.name = (KernelName)name_of(fields, known, 3)};
    double *values[] = {&kernel.bandwidth, &kernel.dof};
    parameters(fields, (const char *const[]){"bandwidth", "dof"}, values, kernel.name == STUDENT ? 2 : 1);
    return kernel;
}

static Loss loss_of(const Json *fields) {
    static const char *const known[] = {"quadratic", "absolute", "huber", "hampel"};
    static const size_t counts[] = {0, 0, 1, 3};
    Loss loss = {.name = (LossName)name_of(fields, known, 4)};
    double *values[] = {&loss.a, &loss.b, &loss.c};
    parameters(fields, (const char *const[]){"a", "b", "c"}, values, counts[loss.name]);
    if (loss.name == HAMPEL && !(loss.a <= loss.b && loss.b < loss.c)) refuse("a <= b < c is required");
    return loss;
}

/* ------------------------------------------------------------------------------ writing answers */

static char *answer;
static size_t answer_size;
static FILE *out; /* writes into `answer`, so that an error can still replace what was begun */

/* 17 digits say which double it was; JSON has no infinity. */
static void print_number(double value) {
    if (isfinite(value)) fprintf(out, "%.17g", value);
    else fputs(isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"", out);
}

static void print_list(const char *name, const double *values, size_t count) {
    fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        if (i) fputc(',', out);
        print_number(values[i]);
    }
    fputc(']', out);
}

/* ----------------------------------------------------------------------------------- operations */

typedef struct {
    size_t n, d;
    double *x, *w, *distances, *norms;
    Kernel kernel;
} State;

static State state_of(const Json *request) {
    State state = {0};
    state.x = rows(json_get(request, "X"), &state.n, &state.d);
    if (!state.n) refuse("X: at least one row is required");
    state.kernel = kernel_of(json_get(request, "kernel"));
    state.w = weights_of(json_get(request, "weights"), state.n);
    state.distances = json_alloc(state.n * state.n * sizeof(double));
    state.norms = json_alloc(state.n * sizeof(double));
    feature_distances(&state.kernel, state.x, state.n, state.d, state.distances);
    residual_norms(state.distances, state.w, state.n, state.norms);
    return state;
}

static void op_kernel(const Json *request) {
    size_t d, n;
    double *x = numbers(json_get(request, "x"), &d);
    for (size_t j = 0; j < d; j++)
        if (!isfinite(x[j])) refuse("x must be finite");
    if (!d) refuse("x: at least one number is required");
    Kernel kernel = kernel_of(json_get(request, "kernel"));
    double *y = rows(json_get(request, "Y"), &n, &d), *values = json_alloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = log_profile(&kernel, x, y + i * d, d) + log_normaliser(&kernel, d);
    print_list("log_kernel", values, n);
}

static double q_right(const Loss *loss, double t) { return q(loss, t, 1); }

static void op_loss(const Json *request) {
    static const char *const names[] = {"rho", "psi", "phi", "q"};
    static double (*const functions[])(const Loss *, double) = {rho, psi, phi, q_right};
    Loss loss = loss_of(json_get(request, "loss"));
    size_t n;
    double *t = numbers(json_get(request, "t"), &n), *values = json_alloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        if (!(t[i] >= 0 && isfinite(t[i]))) refuse("t must be finite and not negative");
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < n; i++) values[i] = functions[k](&loss, t[i]);
        print_list(names[k], values, n);
    }
    fputs(",\"q_left\":[", out);
    for (size_t i = 0; i < n; i++) {
        if (i) fputc(',', out);
        if (t[i] == 0) fputs("null", out);
        else print_number(q(&loss, t[i], 0));
    }
    fputc(']', out);
}

static void op_residual_norms(const Json *request) {
    State state = state_of(request);
    print_list("residual_norms", state.norms, state.n);
}

static void op_objective(const Json *request) {
    State state = state_of(request);
    Loss loss = loss_of(json_get(request, "loss"));
    fputs(",\"objective\":", out);
    print_number(objective(&loss, state.norms, state.n));
}

static void op_step(const Json *request) {
    State state = state_of(request);
    Loss loss = loss_of(json_get(request, "loss"));
    double count = number(json_get(request, "count"));
    if (!(count >= 0)) refuse("count must not be negative");
    double *path = json_alloc(((size_t)count + 1) * sizeof *path);
    path[0] = objective(&loss, state.norms, state.n);
    for (size_t k = 1; k <= (size_t)count; k++) {
        if (!next_weights(&loss, state.norms, state.n, state.w))
            refuse_as("AllWeightsZero", "phi vanishes at every residual");
        residual_norms(state.distances, state.w, state.n, state.norms);
        path[k] = objective(&loss, state.norms, state.n);
    }
    print_list("weights", state.w, state.n);
    print_list("objective", path, (size_t)count + 1);
}

static void op_log_density(const Json *request) {
    State state = state_of(request);
    size_t n;
    double *queries = rows(json_get(request, "queries"), &n, &state.d), *values = json_alloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = log_density(&state.kernel, state.x, state.w, state.n, state.d, queries + i * state.d);
    print_list("log_density", values, n);
}

/* Delete the operations that your program lacks: they are then counted as unsupported. */
static const struct {
    const char *name;
    void (*answer)(const Json *request);
} OPERATIONS[] = {
    {"kernel", op_kernel},       {"loss", op_loss}, {"residual_norms", op_residual_norms},
    {"objective", op_objective}, {"step", op_step}, {"log_density", op_log_density},
};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0] };

static void op_hello(void) {
    fputs(",\"name\":\"plain C\",\"version\":\"1\",\"protocol\":1,\"language\":\"C\",\"operations\":[\"hello\"", out);
    for (size_t i = 0; i < OPERATION_COUNT; i++) fprintf(out, ",\"%s\"", OPERATIONS[i].name);
    fputc(']', out);
}

static void dispatch(const Json *request) {
    if (!request) refuse("a line must be a JSON object");
    const Json *op = json_get(request, "op");
    if (!op || op->type != JSON_STRING) refuse("op: the name of an operation is required");
    if (!strcmp(op->text, "hello")) {
        op_hello();
        return;
    }
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (!strcmp(op->text, OPERATIONS[i].name)) {
            OPERATIONS[i].answer(request);
            return;
        }
    lack();
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const Json *request = json_read(line), *id = json_get(request, "id");
        if (!(out = open_memstream(&answer, &answer_size))) return 1;
        if (!setjmp(refused)) dispatch(request);
        fclose(out);
        const char *quote = id && id->type == JSON_STRING ? "\"" : "";
        printf("{\"id\":%s%s%s", quote, id && id->text ? id->text : "null", quote);
        if (lacking) printf(",\"unsupported\":true}\n");
        else if (error_kind)
            printf(",\"error\":{\"kind\":\"%s\",\"message\":\"%s\"}}\n", error_kind, error_message);
        else printf("%s}\n", answer);
        fflush(stdout);
        free(answer);
        json_free();
        error_kind = NULL;
        lacking = 0;
    }
    free(line);
    return 0;
}
