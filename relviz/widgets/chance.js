// Chance: seeded random numbers, resampled means, and how many queries a difference needs.
// Held to relviz/significance.py: queriesNeeded and sdInterval answer the same; intervals agree within chance.

// A generator of whole numbers below n: `draw(n)`. The same seed gives the same numbers (sfc32, Chris Doty-Humphrey).
export function generator(seed) {
  let a = 0x9e3779b9,
    b = 0x243f6a88,
    c = 0xb7e15162,
    count = seed >>> 0;
  const next = () => {
    const t = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 20; i++) next();
  return (n) => Math.floor(next() * n);
}

export function mean(values) {
  return values.reduce((sum, x) => sum + x, 0) / values.length;
}

// Which query stands in each place of one resample: as many draws as there are queries, with replacement.
export function resample(size, draw) {
  return Array.from({ length: size }, () => draw(size));
}

// Paired: a query is drawn with both its scores.
export function pairedMean(a, b, rows) {
  return rows.reduce((sum, i) => sum + b[i] - a[i], 0) / rows.length;
}

// Unpaired: A and B are drawn apart.
export function unpairedMean(a, b, rowsA, rowsB) {
  return mean(rowsB.map((i) => b[i])) - mean(rowsA.map((i) => a[i]));
}

// The middle `level` of the values, between neighbours on a straight line, as numpy.percentile does.
export function interval(values, level = 0.95) {
  const sorted = Float64Array.from(values).sort();
  const at = (share) => {
    const place = share * (sorted.length - 1),
      below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  };
  return [at((1 - level) / 2), at((1 + level) / 2)];
}

// Queries that detect a mean difference of delta, for differences of standard deviation sd.
export function queriesNeeded(sd, delta, alpha = 0.05, power = 0.8) {
  const z = normalQuantile(1 - alpha / 2) + normalQuantile(power);
  return Math.max(1, Math.ceil(((Math.max(0, z) * sd) / delta) ** 2));
}

// The chance to find a difference of delta with n queries: the inverse of queriesNeeded.
export function powerOf(n, sd, delta, alpha = 0.05) {
  return normal((delta * Math.sqrt(n)) / sd - normalQuantile(1 - alpha / 2));
}

// Where the true standard deviation may be when sd comes from n queries (differences taken as normal).
export function sdInterval(sd, n, level = 0.95) {
  const half = (n - 1) / 2;
  return [(1 + level) / 2, (1 - level) / 2].map((p) => sd * Math.sqrt(half / inverse((x) => gammaShare(half, x), p)));
}

export function normal(z) {
  const half = gammaShare(0.5, (z * z) / 2) / 2;
  return z < 0 ? 0.5 - half : 0.5 + half;
}

export function normalQuantile(p) {
  return p < 0.5 ? -normalQuantile(1 - p) : inverse(normal, p);
}

// The regularised lower incomplete gamma function, by its power series.
function gammaShare(a, x) {
  if (x <= 0) return 0;
  if (x > a + 12 * Math.sqrt(a) + 150) return 1; // the rest is below 1e-30, and the series would overflow
  let term = 1 / a,
    sum = term;
  for (let n = 1; term > sum * 1e-17; n++) sum += term *= x / (a + n);
  return Math.min(1, sum * Math.exp(a * Math.log(x) - x - logGamma(a)));
}

// Stirling's series; below 16 by gamma(x) = gamma(x + 1) / x.
function logGamma(x) {
  let shift = 0;
  for (; x < 16; x++) shift += Math.log(x);
  const y = 1 / (x * x);
  const tail = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x;
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + tail - shift;
}

// Where a growing function of x > 0 reaches p: halve the bracket until it cannot shrink.
function inverse(f, p) {
  let low = 0,
    high = 1;
  while (f(high) < p) high *= 2;
  for (let middle = high / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (f(middle) < p) low = middle;
    else high = middle;
  }
  return high;
}
