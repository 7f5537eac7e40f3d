% Adapter of the authors' program: addons/rkde_code in churchilln/oppni-code-nwc at commit 0c00625, unchanged.
%   RKDE_CODE=path/to/rkde_code rkde verify --adapter "octave-cli --quiet docs/adapters/peers/authors.m" --timeout 5
%
% The program works with the kernel itself, so its thresholds and norms are divided by tau = sqrt(k(x, x)).
% It has no step and no residual norms of its own to ask for. It can run for ever, hence the short time limit.

1;
addpath (getenv ("RKDE_CODE"));

function refuse (kind, message)
  error (["rkde:" kind], "%s", message);
end

function unsupported ()
  refuse ("unsupported", "the program lacks this");
end

function value = number (value)
  if (ischar (value))
    value = str2double (strrep (lower (value), "nan", "NaN"));
  end
end

function values = numbers (list)
  if (iscell (list))
    values = cellfun (@number, list);
  else
    values = list;
  end
  values = values(:);
end

function table = rows_of (value)
  parts = cellfun (@(row) numbers (row)', value(:), "UniformOutput", false);
  table = vertcat (parts{:});
end

function h = gaussian (kernel)
  if (! strcmp (kernel.name, "gaussian"))
    unsupported ();
  end
  h = number (kernel.bandwidth);
end

function [type, a, b, c] = loss_of (loss)
  [a, b, c] = deal (0);
  switch (loss.name)
    case "huber"
      type = 1;
      a = number (loss.a);
    case "hampel"
      type = 2;
      a = number (loss.a);
      b = number (loss.b);
      c = number (loss.c);
    otherwise
      unsupported ();
  end
end

function text = spelt (values)
  parts = arrayfun (@spelt_one, values(:)', "UniformOutput", false);
  text = ["[" strjoin(parts, ",") "]"];
end

function text = spelt_one (value)
  if (isnan (value))
    text = "\"nan\"";
  elseif (isinf (value))
    text = {"\"-inf\"", "\"inf\""}{1 + (value > 0)};
  else
    text = sprintf ("%.17g", value);
  end
end

function text = op_kernel (request)
  h = gaussian (request.kernel);
  x = numbers (request.x)';
  text = "\"log_kernel\":[]";
  if (! isempty (request.Y))
    squares = sum ((rows_of (request.Y) - x) .^ 2, 2);
    text = ["\"log_kernel\":" spelt(log (gauss_kern (squares, h, columns (x))))];
  end
end

function text = op_loss (request)
  [type, a, b, c] = loss_of (request.loss);
  t = numbers (request.t);
  psi = psi2 (t, type, a, b, c);
  q = t .* psi_prime (t, type, a, b, c) - psi;
  % The mean of one value is the value.
  values = arrayfun (@(one) rho (one, type, a, b, c), t);
  text = ["\"rho\":" spelt(values) ",\"psi\":" spelt(psi) ",\"phi\":" spelt(psi ./ t) ",\"q\":" spelt(q)];
end

function text = op_bandwidth (request)
  % The program's third rule is the paper's, but "only distinct data points" are among the neighbours.
  if (! any (strcmp (request.rule, {"median_nn", "median_nn_distinct"})))
    unsupported ();
  end
  text = ["\"bandwidth\":" spelt_one(bandwidth_select (rows_of (request.X), 3))];
end

function text = op_rkde (request)
  known = {"id", "op", "X", "loss", "kernel", "bandwidth"};
  if (! isempty (setdiff (fieldnames (request), known)) || ! any (strcmp (request.loss, {"huber", "hampel"})))
    unsupported ();
  end
  if (isfield (request, "kernel") && ! strcmp (request.kernel.name, "gaussian"))
    unsupported ();
  end
  x = rows_of (request.X);
  h = NaN;
  if (isfield (request, "bandwidth"))
    h = number (request.bandwidth);
    if (isnan (h) && ! strcmp (request.bandwidth, "median_nn"))
      unsupported ();
    end
  end
  if (isnan (h))
    h = bandwidth_select (x, 3);
  end
  [w, a, b, c] = robkde (x, h, 1 + strcmp (request.loss, "hampel"));
  tau = sqrt (gauss_kern (0, h, columns (x)));
  text = ["\"weights\":" spelt(w) ",\"bandwidth\":" spelt_one(h) ",\"a\":" spelt_one(a / tau)];
  if (strcmp (request.loss, "hampel"))
    text = [text ",\"b\":" spelt_one(b / tau) ",\"c\":" spelt_one(c / tau)];
  else
    text = [text ",\"b\":null,\"c\":null"];
  end
end

function text = op_influence (request)
  h = gaussian (request.kernel);
  [type, a, b, c] = loss_of (request.loss);
  x = rows_of (request.X);
  x_new = numbers (request.x_new)';
  tau = sqrt (gauss_kern (0, h, columns (x)));
  alpha = IF (numbers (request.weights), x, x_new, h, type, a * tau, b * tau, c * tau);
  points = [x; x_new];
  at = @(z) exp (-sum ((points - z) .^ 2, 2) / (2 * h ^ 2))' * alpha;
  values = [];
  if (! isempty (request.queries))
    queries = rows_of (request.queries);
    values = arrayfun (@(i) at (queries(i, :)), 1:rows (queries));
  end
  text = ["\"if_coef\":" spelt(alpha(1:end - 1)) ",\"if_coef_new\":" spelt_one(alpha(end)) ...
          ",\"influence\":" spelt(values) ",\"if_at_new\":" spelt_one(at (x_new))];
end

function text = answer (request)
  operations = struct ("kernel", @op_kernel, "loss", @op_loss, "bandwidth", @op_bandwidth, ...
                       "rkde", @op_rkde, "influence", @op_influence);
  if (strcmp (request.op, "hello"))
    text = ["\"name\":\"the authors' program\",\"version\":\"0c00625\",\"protocol\":1," ...
            "\"language\":\"MATLAB (Octave)\",\"precision\":\"float64\"," ...
            "\"homepage\":\"https://github.com/churchilln/oppni-code-nwc\"," ...
            "\"operations\":[\"hello\",\"" strjoin(fieldnames (operations)', "\",\"") "\"]"];
  elseif (isfield (operations, request.op))
    text = operations.(request.op) (request);
  else
    unsupported ();
  end
end

while (true)
  try
    line = input ("", "s");
  catch
    break;
  end
  % Numbers go as text: jsondecode misses the nearest double by a last digit at times.
  request = jsondecode (regexprep (line, '([\[,:]\s*)(-?\d[-+.\deE]*)', '$1"$2"'));
  try
    text = answer (request);
  catch failure
    if (strcmp (failure.identifier, "rkde:unsupported"))
      text = "\"unsupported\":true";
    else
      text = ["\"error\":{\"kind\":\"Internal\",\"message\":" jsonencode(failure.message) "}"];
    end
  end
  % As it was written: the numbers of the request have become text, an id that is text must stay text.
  id = regexp (line, '"id":\s*("(?:[^"\\]|\\.)*"|-?\d+)', "tokens", "once"){1};
  printf ("{\"id\":%s,%s}\n", id, text);
  fflush (stdout);
end
