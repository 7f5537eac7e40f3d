// An adapter in JavaScript (Node.js): one JSON request a line in, one JSON answer a line out.
//   rkde verify --adapter "node adapter.mjs"
import { createInterface } from "node:readline";
import * as plain from "./plain.mjs";

class Refused extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const refuse = (message) => {
  throw new Refused("InvalidInput", message);
};

// ---------------------------------------------------------------------------------- reading requests

const SPECIAL = { inf: Infinity, "-inf": -Infinity, nan: NaN };

// A number is a JSON number or a string with its digits; infinities and nan are strings.
const number = (value) => SPECIAL[value] ?? Number(value);

function rowsOf(value, what, width) {
  if (!Array.isArray(value) || value.length === 0) refuse(`${what}: at least one row is required`);
  const rows = value.map((row) => row.map(number));
  const columns = width ?? rows[0].length;
  if (columns === 0 || rows.some((row) => row.length !== columns)) refuse(`${what}: rows of another length`);
  if (!rows.flat().every(Number.isFinite)) refuse(`${what}: must be finite`);
  return rows;
}

function member(fields, known) {
  const names = known[fields.name];
  const given = Object.keys(fields).filter((name) => name !== "name");
  if (!names || given.sort().join() !== names.join()) refuse(`${fields.name}: unknown, or other parameters`);
  const values = names.map((name) => [name, number(fields[name])]);
  if (!values.every(([, value]) => value > 0 && value < Infinity)) refuse(`${names}: must be positive`);
  return { name: fields.name, ...Object.fromEntries(values) };
}

const kernelOf = (fields) =>
  member(fields, { gaussian: ["bandwidth"], laplacian: ["bandwidth"], student: ["bandwidth", "dof"] });

function lossOf(fields) {
  const loss = member(fields, { quadratic: [], absolute: [], huber: ["a"], hampel: ["a", "b", "c"] });
  if (loss.name === "hampel" && !(loss.a <= loss.b && loss.b < loss.c)) refuse("a <= b < c is required");
  return loss;
}

function weightsOf(value, n) {
  const w = value.map(number);
  const total = w.reduce((sum, entry) => sum + entry, 0);
  if (w.length !== n || !w.every((entry) => entry >= 0) || !(Math.abs(total - 1) <= 1e-9)) {
    refuse("weights: one for each row, not negative, with the sum 1");
  }
  return w.map((entry) => entry / total);
}

function stateOf(request) {
  const rows = rowsOf(request.X, "X");
  const kernel = kernelOf(request.kernel);
  const w = weightsOf(request.weights, rows.length);
  const distances = plain.featureDistances(rows, kernel);
  return { rows, kernel, w, norms: (weights) => plain.residualNorms(distances, weights) };
}

// ----------------------------------------------------------------------------------------- operations

const ANSWERS = {
  kernel(request) {
    const [x] = rowsOf([request.x], "x");
    const kernel = kernelOf(request.kernel);
    const others = request.Y.length === 0 ? [] : rowsOf(request.Y, "Y", x.length);
    const top = plain.logNormaliser(kernel, x.length);
    return { log_kernel: others.map((y) => plain.logProfile(kernel, x, y) + top) };
  },
  loss(request) {
    const loss = lossOf(request.loss);
    const t = request.t.map(number);
    if (!t.every((value) => value >= 0 && value < Infinity)) refuse("t: must be finite and not negative");
    return {
      rho: t.map((value) => plain.rho(loss, value)),
      psi: t.map((value) => plain.psi(loss, value)),
      phi: t.map((value) => plain.phi(loss, value)),
      q: t.map((value) => plain.q(loss, value, true)),
      q_left: t.map((value) => (value === 0 ? null : plain.q(loss, value, false))),
    };
  },
  residual_norms(request) {
    const { norms, w } = stateOf(request);
    return { residual_norms: norms(w) };
  },
  objective(request) {
    const { norms, w } = stateOf(request);
    return { objective: plain.objective(lossOf(request.loss), norms(w)) };
  },
  step(request) {
    const { norms, w } = stateOf(request);
    const loss = lossOf(request.loss);
    if (request.count < 0) refuse("count: must not be negative");
    let weights = w;
    const path = [plain.objective(loss, norms(w))];
    for (let step = 0; step < request.count; step += 1) {
      weights = plain.nextWeights(loss, norms(weights));
      if (!weights) throw new Refused("AllWeightsZero", "phi vanishes at every residual");
      path.push(plain.objective(loss, norms(weights)));
    }
    return { weights, objective: path };
  },
  log_density(request) {
    const { rows, kernel, w } = stateOf(request);
    const queries = request.queries.length === 0 ? [] : rowsOf(request.queries, "queries", rows[0].length);
    return { log_density: queries.map((query) => plain.logDensity(rows, kernel, w, query)) };
  },
};

function answer(request) {
  if (request.op === "hello") {
    const operations = ["hello", ...Object.keys(ANSWERS)];
    return { name: "plain JavaScript", version: "1", protocol: 1, operations, language: "JavaScript" };
  }
  if (!Object.hasOwn(ANSWERS, request.op)) return { unsupported: true };
  try {
    return ANSWERS[request.op](request);
  } catch (error) {
    return { error: { kind: error.kind ?? "Internal", message: error.message } };
  }
}

// JSON.stringify writes the shortest digits of a double, but null for an infinity: spell that out.
const spell = (_, value) => {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  return String(value).replace("Infinity", "inf").toLowerCase();
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(JSON.stringify({ id: request.id, ...answer(request) }, spell) + "\n");
}
