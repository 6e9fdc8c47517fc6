// The four measures of one query, as relviz/metrics.py has them: the same names, the same rules, the same errors.
// A test gives random rankings to both and compares every answer, so neither may change alone.
//
// `ranking` is an array of document ids, best first; `rel` is a Map from document id to grade. A measure that would
// divide by 0 because nothing is relevant is null.

export function recallAtK(ranking, rel, k, { threshold = 1 } = {}) {
  return recall(gradesOf(rel), top(ranking, k), asThreshold(threshold));
}

export function precisionAtK(ranking, rel, k, { threshold = 1 } = {}) {
  return precision(gradesOf(rel), top(ranking, k), k, asThreshold(threshold));
}

export function reciprocalRank(ranking, rel, k = 10, { threshold = 1 } = {}) {
  return firstRank(gradesOf(rel), top(ranking, k), asThreshold(threshold));
}

export function ndcgAtK(ranking, rel, k, { gain = "linear" } = {}) {
  return ndcg(gradesOf(rel), top(ranking, k), k, gain);
}

export function dcg(grades, { gain = "linear" } = {}) {
  const gainOf = asGain(gain);
  return grades.reduce((sum, grade, i) => sum + gainOf(grade) / discount(i + 1), 0);
}

export function idealGrades(rel, k) {
  return [...gradesOf(rel).values()].sort((a, b) => b - a).slice(0, asK(k));
}

export function discount(rank) {
  return Math.log2(rank + 1);
}

export function asGain(gain) {
  if (gain === "linear") return (grade) => grade;
  if (gain === "exponential") return (grade) => 2 ** grade - 1;
  throw new Error(`gain is 'linear' or 'exponential', got ${repr(gain)}`);
}

// The first document that stands twice, with both ranks; null when each stands once.
export function duplicate(ranking) {
  const seen = new Map();
  for (const [i, doc] of ranking.entries()) {
    if (seen.has(doc)) return { doc, first: seen.get(doc), second: i + 1 };
    seen.set(doc, i + 1);
  }
  return null;
}

// What a tool prints that does not look: a document that stands twice counts twice. Wrong on purpose.
export function unchecked(ranking, rel, k, { threshold = 1, gain = "linear" } = {}) {
  const first = ranking.slice(0, k);
  return {
    recall: recall(rel, first, threshold),
    precision: precision(rel, first, k, threshold),
    rr: firstRank(rel, first, threshold),
    ndcg: ndcg(rel, first, k, gain),
  };
}

// Three decimals, exact halves to the even digit: what Python prints for f"{x:.3f}".
export function shown(x) {
  const scaled = x * 1000;
  const half = Math.floor(scaled) + 0.5;
  // Only multiples of 1/16 have an exact half in the fourth decimal; any other x is not at a half, it looks like one.
  if (scaled === half && Number.isInteger(x * 16)) return ((2 * Math.round(half / 2)) / 1000).toFixed(3);
  return x.toFixed(3);
}

// ---------- the arithmetic, and the rules, each in one place ----------

function recall(rel, first, threshold) {
  const relevant = [...rel.values()].filter((grade) => grade >= threshold).length;
  return relevant === 0 ? null : hits(rel, first, threshold) / relevant;
}

function precision(rel, first, k, threshold) {
  return hits(rel, first, threshold) / k;
}

function firstRank(rel, first, threshold) {
  const i = first.findIndex((doc) => (rel.get(doc) ?? 0) >= threshold);
  return i < 0 ? 0 : 1 / (i + 1);
}

function ndcg(rel, first, k, gain) {
  const ideal = dcg(idealGrades(rel, k), { gain });
  return ideal === 0
    ? null
    : dcg(
        first.map((doc) => rel.get(doc) ?? 0),
        { gain },
      ) / ideal;
}

function hits(rel, first, threshold) {
  return first.filter((doc) => (rel.get(doc) ?? 0) >= threshold).length;
}

function top(ranking, k) {
  asK(k);
  const twice = duplicate(ranking);
  if (twice) {
    throw new Error(
      `document ${repr(twice.doc)} stands twice in the ranking, at ranks ${twice.first} and ${twice.second}; ` +
        "it would count twice. To keep the first, pass relviz.unique(ranking).",
    );
  }
  return ranking.slice(0, k);
}

function asK(k) {
  if (!Number.isInteger(k) || k < 1) throw new Error(`k is a whole number of at least 1, got ${repr(k)}`);
  return k;
}

function asThreshold(threshold) {
  if (!Number.isInteger(threshold) || threshold < 1) {
    throw new Error(
      `threshold is a whole number of at least 1, got ${repr(threshold)}; ` +
        "at 0 every document would be relevant, judged or not",
    );
  }
  return threshold;
}

function gradesOf(rel) {
  for (const [doc, grade] of rel) {
    if (!Number.isInteger(grade) || grade < 0) {
      throw new Error(
        `the grade of document ${repr(doc)} is ${repr(grade)}; grades are whole numbers 0, 1, 2, ... ` +
          "(to weigh them differently, use gain={grade: weight})",
      );
    }
  }
  return rel;
}

function repr(value) {
  if (typeof value !== "string") return String(value);
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r");
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}
