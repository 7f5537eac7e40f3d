% An adapter in Octave (7 or newer): one JSON request a line in, one JSON answer a line out.
%   rkde verify --adapter "octave-cli --quiet adapter.m"
%
% Arguments of losses, thresholds and residual norms are in units of tau = sqrt(k(x, x)).

1;  % this file is a script that defines functions, not a function file

% --------------------------------------------------------------------------------------------- kernels

function total = squared_distances (x, y, h)
  % In bandwidths. Differences first: the squares of large coordinates would swallow them.
  total = zeros (rows (x), rows (y));
  for j = 1:columns (x)
    total += ((x(:, j) - y(:, j)') / h) .^ 2;
  end
end

function value = log_profile (kernel, x, y)
  % log k(x, y) - log k(x, x)
  s = squared_distances (x, y, kernel.bandwidth);
  switch (kernel.name)
    case "gaussian"
      value = -s / 2;
    case "laplacian"
      value = -sqrt (s);
    case "student"
      value = -(kernel.dof + columns (x)) / 2 * log1p (s / kernel.dof);
  end
end

function value = log_normaliser (kernel, d)
  % log k(x, x): the kernel integrates to 1 over d coordinates.
  scale = d * log (kernel.bandwidth);
  switch (kernel.name)
    case "gaussian"
      value = -scale - d / 2 * log (2 * pi);
    case "laplacian"
      value = -(log (2) + d / 2 * log (pi) - gammaln (d / 2)) - gammaln (d) - scale;
    case "student"
      value = log_gamma_ratio (kernel.dof / 2, d) - d / 2 * log (kernel.dof * pi) - scale;
  end
end

function value = log_gamma_ratio (z, steps)
  % log Gamma(z + steps / 2) - log Gamma(z); at a large z the difference itself would lose its digits.
  half = floor (steps / 2);
  value = sum (log (z + (0:half - 1)));
  if (mod (steps, 2) == 1)
    top = z + half;
    if (top < 100)
      value += gammaln (top + 0.5) - gammaln (top);
    else
      value += log (top) / 2 - 1 / (8 * top) + 1 / (192 * top ^ 3) - 1 / (640 * top ^ 5);
    end
  end
end

% ---------------------------------------------------------------------------------------------- losses

function value = rho (loss, t)
  switch (loss.name)
    case "quadratic"
      value = t .^ 2 / 2;
    case "absolute"
      value = t;
    otherwise
      value = t .^ 2 / 2;
      beyond = t > loss.a;
      value(beyond) = loss.a * (t(beyond) - loss.a / 2);
  end
  if (strcmp (loss.name, "hampel"))
    beyond = t > loss.b;
    left = max (loss.c - t(beyond), 0);
    value(beyond) = loss.a / 2 * (loss.b - loss.a + loss.c) - loss.a * left .^ 2 / (loss.c - loss.b) / 2;
  end
end

function value = psi_of (loss, t)
  switch (loss.name)
    case "quadratic"
      value = t;
    case "absolute"
      value = ones (size (t));
    otherwise
      value = min (t, loss.a);
  end
  if (strcmp (loss.name, "hampel"))
    beyond = t > loss.b;
    value(beyond) = loss.a * max (loss.c - t(beyond), 0) / (loss.c - loss.b);
  end
end

function value = phi (loss, t)
  % psi(t) / t, with its limit at 0
  value = ones (size (t));
  if (strcmp (loss.name, "absolute"))
    value(:) = Inf;
  end
  slopes = psi_of (loss, t);
  value(t > 0) = slopes(t > 0) ./ t(t > 0);
end

function value = q_of (loss, t, from_right)
  % t psi'(t) - psi(t), with psi' from the right, or from the left
  value = zeros (size (t));
  if (strcmp (loss.name, "absolute"))
    value -= 1;
    return;
  end
  if (any (strcmp (loss.name, {"huber", "hampel"})))
    value(is_beyond (t, loss.a, from_right)) = -loss.a;
  end
  if (strcmp (loss.name, "hampel"))
    value(is_beyond (t, loss.b, from_right)) = -loss.a * loss.c / (loss.c - loss.b);
    value(is_beyond (t, loss.c, from_right)) = 0;
  end
end

function found = is_beyond (t, kink, from_right)
  found = (t > kink) | (from_right & t == kink);
end

% ---------------------------------------------------------------------------------------- the estimate

function distances = feature_distances (x, kernel)
  % Squared distances of the features; their use keeps small residuals, unlike 1 - 2 Kw + w'Kw.
  distances = -2 * expm1 (log_profile (kernel, x, x));
end

function r = residual_norms (distances, w)
  dw = distances * w;
  r = sqrt (max (dw - w' * dw / 2, 0));
end

function w = next_weights (loss, r)
  if (strcmp (loss.name, "absolute") && any (r == 0))
    value = double (r == 0);
  else
    value = phi (loss, r);
  end
  if (sum (value) == 0)
    refuse ("AllWeightsZero", "phi vanishes at every residual");
  end
  w = value / sum (value);
end

function value = objective (loss, r)
  value = mean (rho (loss, r));
end

function w = median_weights (distances)
  n = rows (distances);
  w = ones (n, 1) / n;
  for step = 1:100000
    new = next_weights (struct ("name", "absolute"), residual_norms (distances, w));
    done = max (abs (new - w)) <= 4 * eps * max (new);
    w = new;
    if (done)
      return;
    end
  end
  refuse ("NotConverged", "f_med after 100000 steps");
end

function value = log_sum_exp (terms)
  % log of the sum of exp over each row, without underflow
  top = max (terms, [], 2);
  top(! isfinite (top)) = 0;
  value = log (sum (exp (terms - top), 2)) + top;
end

function value = log_densities (x, kernel, w, queries)
  value = log_sum_exp (log_profile (kernel, queries, x) + log (w)') + log_normaliser (kernel, columns (x));
end

% ----------------------------------------------------------------------------------- reading requests

function refuse (kind, message)
  error (["rkde:" kind], "%s", message);
end

function value = number (value)
  if (ischar (value))
    value = str2double (strrep (lower (value), "nan", "NaN"));
  end
end

function values = numbers (list)
  % jsondecode gives a column where all entries are numbers, a cell where some are text.
  if (iscell (list))
    values = cellfun (@number, list);
  else
    values = list;
  end
  values = values(:);
end

function table = rows_of (value, what, width)
  % jsondecode gives a matrix where all rows are numbers of one length, a cell of rows otherwise.
  if (iscell (value))
    lengths = cellfun (@numel, value);
    if (isempty (lengths) || any (lengths != lengths(1)) || lengths(1) == 0)
      refuse ("InvalidInput", [what ": rows of one length are required"]);
    end
    parts = cellfun (@(row) numbers (row)', value(:), "UniformOutput", false);
    table = vertcat (parts{:});
  else
    table = value;
  end
  if (isempty (table) || ! all (isfinite (table(:))))
    refuse ("InvalidInput", [what ": must hold finite numbers"]);
  end
  if (nargin > 2 && columns (table) != width)
    refuse ("InvalidInput", [what ": another number of columns"]);
  end
end

function fields = member (fields, names, parameters)
  found = find (strcmp (fields.name, names));
  if (isempty (found) || ! isequal (sort (fieldnames (fields)), sort ([{"name"}; parameters{found}(:)])))
    refuse ("InvalidInput", "an unknown kernel or loss, or other parameters than it has");
  end
  for k = 1:numel (parameters{found})
    name = parameters{found}{k};
    fields.(name) = number (fields.(name));
    if (! isfinite (fields.(name)) || fields.(name) <= 0)
      refuse ("InvalidInput", [name ": must be positive"]);
    end
  end
end

function kernel = kernel_of (fields)
  parameters = {{"bandwidth"}, {"bandwidth"}, {"bandwidth", "dof"}};
  kernel = member (fields, {"gaussian", "laplacian", "student"}, parameters);
end

function loss = loss_of (fields)
  parameters = {{}, {}, {"a"}, {"a", "b", "c"}};
  loss = member (fields, {"quadratic", "absolute", "huber", "hampel"}, parameters);
  if (strcmp (loss.name, "hampel") && ! (loss.a <= loss.b && loss.b < loss.c))
    refuse ("InvalidInput", "a <= b < c is required");
  end
end

function w = weights_of (value, n)
  w = numbers (value);
  if (numel (w) != n || ! all (isfinite (w)) || any (w < 0) || abs (sum (w) - 1) > 1e-9)
    refuse ("InvalidInput", "weights: one a row, not negative, with the sum 1");
  end
  w /= sum (w);
end

% ------------------------------------------------------------------------------------------- answering

function text = spelt (values)
  % A JSON array of any length; JSON has no infinity.
  text = "[]";
  if (! isempty (values))
    parts = arrayfun (@spelt_one, values(:)', "UniformOutput", false);
    text = ["[" strjoin(parts, ",") "]"];
  end
end

function text = spelt_one (value)
  if (isnan (value))
    text = "\"nan\"";
  elseif (isinf (value))
    text = ifelse_text (value > 0, "\"inf\"", "\"-inf\"");
  else
    text = sprintf ("%.17g", value);
  end
end

function text = ifelse_text (condition, one, other)
  if (condition)
    text = one;
  else
    text = other;
  end
end

function text = answer (request)
  switch (request.op)
    case "hello"
      names = "\"hello\",\"kernel\",\"loss\",\"residual_norms\",\"objective\",\"step\",\"log_density\"";
      text = ["\"name\":\"plain Octave\",\"version\":\"1\",\"protocol\":1,\"operations\":[" names "]"];
      return;
    case "kernel"
      x = rows_of ({request.x}, "x");
      kernel = kernel_of (request.kernel);
      value = [];
      if (! isempty (request.Y))
        y = rows_of (request.Y, "Y", columns (x));
        value = log_profile (kernel, x, y) + log_normaliser (kernel, columns (x));
      end
      text = ["\"log_kernel\":" spelt(value)];
      return;
    case "loss"
      loss = loss_of (request.loss);
      t = numbers (request.t);
      if (! all (isfinite (t)) || any (t < 0))
        refuse ("InvalidInput", "t: must be finite and not negative");
      end
      left = "[]";
      if (! isempty (t))
        parts = arrayfun (@spelt_one, q_of (loss, t, false)', "UniformOutput", false);
        parts(t' == 0) = {"null"};
        left = ["[" strjoin(parts, ",") "]"];
      end
      text = ["\"rho\":" spelt(rho (loss, t)) ",\"psi\":" spelt(psi_of (loss, t)) ",\"phi\":" ...
              spelt(phi (loss, t)) ",\"q\":" spelt(q_of (loss, t, true)) ",\"q_left\":" left];
      return;
  end
  if (! any (strcmp (request.op, {"residual_norms", "objective", "step", "log_density"})))
    text = "\"unsupported\":true";
    return;
  end
  x = rows_of (request.X, "X");
  kernel = kernel_of (request.kernel);
  w = weights_of (request.weights, rows (x));
  distances = feature_distances (x, kernel);
  switch (request.op)
    case "residual_norms"
      text = ["\"residual_norms\":" spelt(residual_norms (distances, w))];
    case "objective"
      loss = loss_of (request.loss);
      text = ["\"objective\":" spelt_one(objective (loss, residual_norms (distances, w)))];
    case "step"
      loss = loss_of (request.loss);
      count = number (request.count);
      if (count < 0)
        refuse ("InvalidInput", "count: must not be negative");
      end
      path = objective (loss, residual_norms (distances, w));
      for k = 1:count
        w = next_weights (loss, residual_norms (distances, w));
        path(end + 1) = objective (loss, residual_norms (distances, w));
      end
      text = ["\"weights\":" spelt(w) ",\"objective\":" spelt(path)];
    case "log_density"
      value = [];
      if (! isempty (request.queries))
        value = log_densities (x, kernel, w, rows_of (request.queries, "queries", columns (x)));
      end
      text = ["\"log_density\":" spelt(value)];
  end
end

while (true)
  % Not fgetl: it waits for the first byte of the line after. At the end of the input, input is an error.
  try
    line = input ("", "s");
  catch
    break;
  end
  % jsondecode misses the nearest double by a last digit at times, str2double does not: numbers go as text.
  request = jsondecode (regexprep (line, '([\[,:]\s*)(-?\d[-+.\deE]*)', '$1"$2"'));
  try
    text = answer (request);
  catch failure
    if (strncmp (failure.identifier, "rkde:", 5))
      kind = failure.identifier(6:end);
    else
      kind = "Internal";
    end
    text = ["\"error\":{\"kind\":\"" kind "\",\"message\":" jsonencode(failure.message) "}"];
  end
  % As it was written: the numbers of the request have become text, an id that is text must stay text.
  id = regexp (line, '"id":\s*("(?:[^"\\]|\\.)*"|-?\d+)', "tokens", "once"){1};
  printf ("{\"id\":%s,%s}\n", id, text);
  fflush (stdout);
end
