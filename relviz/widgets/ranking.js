// The ranking lab without its page: lists of cards, what the four measures say about them, what they noticed, and
// what a challenge asks for. Nothing here touches the document.

import {
  asGain,
  discount,
  duplicate,
  ndcgAtK,
  precisionAtK,
  recallAtK,
  reciprocalRank,
  shown,
  unchecked,
} from "./metrics.js";

export const MEASURES = ["recall", "precision", "rr", "ndcg"];

/** A list is cards in order and END among them, once: above it stands the ranking, below it what was not retrieved. */
export const END = { key: "END", doc: "" };

const EQUAL = 1e-12;

/** A ranking as cards, and below END the judged documents that it misses, highest grade first. */
export function cardsOf(ranking, grades) {
  const missed = [...grades.keys()]
    .filter((doc) => !ranking.includes(doc))
    .sort((a, b) => grades.get(b) - grades.get(a));
  const card = (doc, i) => ({ key: ranking.indexOf(doc) < i ? `${i}:${doc}` : doc, doc });
  return [...ranking.map(card), END, ...missed.map((doc) => ({ key: doc, doc }))];
}

export function rankingOf(cards) {
  return cards.slice(0, cards.indexOf(END)).map((card) => card.doc);
}

/** The cards with one of them (or END) at another place; `to` counts the other cards. */
export function moved(cards, key, to) {
  const rest = cards.filter((card) => card.key !== key);
  return rest.toSpliced(to, 0, ...cards.filter((card) => card.key === key));
}

/** A second card of the same document, right below the first. */
export function doubled(cards, key) {
  const at = cards.findIndex((card) => card.key === key);
  const { doc } = cards[at];
  const copies = cards.filter((card) => card.doc === doc).length;
  return cards.toSpliced(at + 1, 0, { key: `copy ${copies}:${doc}`, doc });
}

/** Each document once: the best placed card stays. Below END a copy would mean nothing. */
export function single(cards, everywhere = true) {
  const end = cards.indexOf(END);
  const seen = new Set();
  return cards.filter((card, i) => {
    const again = seen.has(card.doc);
    seen.add(card.doc);
    return !again || (!everywhere && i < end);
  });
}

/** All judged documents and whatever else was retrieved, best first: the ideal that nDCG compares with. */
export function ideal(cards, grades) {
  const grade = (card) => grades.get(card.doc) ?? 0;
  const end = cards.indexOf(END);
  const judged = cards.filter((card, i) => card !== END && (i < end || grades.has(card.doc)));
  const rest = cards.filter((card, i) => i > end && !grades.has(card.doc));
  return single([...judged.sort((a, b) => grade(b) - grade(a)), END, ...rest]);
}

/** The retrieved documents, worst first. */
export function worst(cards, grades) {
  const grade = (card) => grades.get(card.doc) ?? 0;
  const end = cards.indexOf(END);
  return single([...cards.slice(0, end).sort((a, b) => grade(a) - grade(b)), ...cards.slice(end)]);
}

/**
 * All that the measures say about a list. Where a document stands twice, relviz refuses: then `twice` names it,
 * `values` are right for the ranking with each document once, and `wrong` is what a tool prints that does not look.
 */
export function look(cards, { grades, k, gain, threshold }) {
  const all = rankingOf(cards);
  const twice = duplicate(all);
  const ranking = twice ? [...new Set(all)] : all;
  const first = ranking.slice(0, k);
  const isRelevant = (doc) => (grades.get(doc) ?? 0) >= threshold;
  const gainOf = asGain(gain);
  const gains = [...grades.values()].map(gainOf).sort((a, b) => b - a);
  const earned = new Map(first.map((doc, i) => [doc, gainOf(grades.get(doc) ?? 0) / discount(i + 1)]));
  const rank = first.findIndex(isRelevant) + 1;
  return {
    all,
    ranking,
    first,
    twice,
    grades,
    k,
    gain,
    threshold,
    earned,
    rank,
    hits: first.filter(isRelevant).length,
    relevant: [...grades.keys()].filter(isRelevant).length,
    unjudged: first.filter((doc) => !grades.has(doc)).length,
    dcg: [...earned.values()].reduce((sum, x) => sum + x, 0),
    ideal: gains.slice(0, k).reduce((sum, x, i) => sum + x / discount(i + 1), 0),
    values: {
      recall: recallAtK(ranking, grades, k, { threshold }),
      precision: precisionAtK(ranking, grades, k, { threshold }),
      rr: reciprocalRank(ranking, grades, k, { threshold }),
      ndcg: ndcgAtK(ranking, grades, k, { gain }),
    },
    wrong: twice && unchecked(all, grades, k, { threshold, gain }),
  };
}

/** "up", "down", "same", or "now" where there is nothing to compare with. */
export function change(was, is) {
  if (was == null || is == null) return "now";
  if (Math.abs(is - was) < EQUAL) return "same";
  return is > was ? "up" : "down";
}

/**
 * What a measure noticed between two looks, and what it is blind to: keys of words with what goes into their places.
 * Without a look before, what it sees now.
 */
export function noticed(measure, before, after) {
  const how = change(before?.values[measure], after.values[measure]);
  return { how, ...REASONS[measure](how, before ?? after, after) };
}

const REASONS = {
  recall(how, before, after) {
    const { hits, relevant, k, threshold } = after;
    if (relevant === 0) return { reason: ["recall_none", { threshold }], blind: ["blind_order", { k }] };
    const still = how === "same" && sameSet(before.first, after.first) && relevant === before.relevant;
    return {
      reason: [still ? "same_set" : "recall_hits", { hits, relevant, k }],
      blind: binaryBlind(how, before, after),
    };
  },
  precision(how, before, after) {
    const { hits, k, first, relevant } = after;
    const still = how === "same" && sameSet(before.first, after.first) && hits === before.hits;
    const empty = k - first.length;
    const reason = still ? "same_set" : empty > 0 ? "precision_empty" : "precision_hits";
    const missed = relevant - hits;
    const blind =
      how === "now" && missed > 0 ? ["precision_blind_missed", { missed }] : binaryBlind(how, before, after);
    return { reason: [reason, { hits, k, empty }], blind };
  },
  rr(how, before, after) {
    const { rank, k } = after;
    if (rank === 0) return { reason: ["rr_none", { k }], blind: ["rr_blind_below", { k }] };
    const doc = after.first[rank - 1];
    const reason = how === "same" && rank === before.rank && doc === before.first[rank - 1] ? "rr_still" : "rr_first";
    const graded = how === "same" && !sameGrades(before, after);
    return { reason: [reason, { doc, rank }], blind: [graded ? "blind_grade" : "rr_blind_after", { rank }] };
  },
  ndcg(how, before, after) {
    const { k, unjudged } = after;
    const sum = { dcg: shown(after.dcg), ideal: shown(after.ideal), k };
    const below = how === "same" && same(before.first, after.first) && !same(before.ranking, after.ranking);
    const blind = below
      ? ["blind_below", { k }]
      : unjudged > 0
        ? ["ndcg_blind_unjudged", { unjudged }]
        : ["ndcg_blind_ideal", {}];
    if (after.values.ndcg === null) return { reason: ["ndcg_none", {}], blind };
    if (how === "same" && same(before.first, after.first)) return { reason: ["ndcg_still", sum], blind };
    if (how === "same") return { reason: ["ndcg_equal", sum], blind };
    const most = how === "now" ? null : biggest(before, after);
    return { reason: most ? ["ndcg_earns", { ...most, ...sum }] : ["ndcg_sum", sum], blind };
  },
};

/** What a measure that sees relevant or not, in or out, did not see this time. */
function binaryBlind(how, before, after) {
  const { k } = after;
  if (how === "same" && !sameGrades(before, after)) return ["blind_grade", { k }];
  if (how === "same" && same(before.first, after.first) && !same(before.ranking, after.ranking))
    return ["blind_below", { k }];
  return ["blind_order", { k }];
}

/** The document whose share of DCG changed most, if the rules of the count stayed the same. */
function biggest(before, after) {
  if (before.k !== after.k || before.gain !== after.gain || !sameGrades(before, after)) return null;
  let most = null;
  for (const doc of new Set([...before.first, ...after.first])) {
    const was = before.earned.get(doc) ?? 0;
    const is = after.earned.get(doc) ?? 0;
    if (!most || Math.abs(is - was) > Math.abs(most.by) + EQUAL) most = { doc, by: is - was, was, is };
  }
  return most && Math.abs(most.by) > EQUAL ? { doc: most.doc, old: shown(most.was), new: shown(most.is) } : null;
}

function same(a, b) {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

function sameSet(a, b) {
  return same([...a].sort(), [...b].sort());
}

function sameGrades(before, after) {
  return (
    before.grades.size === after.grades.size && [...before.grades].every(([doc, g]) => after.grades.get(doc) === g)
  );
}

// ---------- challenges ----------

/** What a challenge lets change (`only`) and what each measure has to do meanwhile (`want`). */
export const CHALLENGES = [
  { name: "soon", only: "order", want: { recall: "same", rr: "down" } },
  { name: "fine", only: "order", want: { recall: "same", rr: "same", ndcg: "up" } },
  { name: "quarrel", only: "order", want: { rr: "up", ndcg: "down" } },
  {
    name: "unseen",
    only: "order",
    want: { recall: "same", precision: "same", rr: "same", ndcg: "same", first: "changed" },
  },
  { name: "deeper", only: "k", want: { recall: "up", precision: "down" } },
  { name: "copy", only: "copy", want: { ndcg: "impossible" } },
];

/** Each condition of a challenge with whether it holds now. */
export function progress({ only, want }, start, now) {
  const met = (what, how) => {
    if (how === "impossible") return now.wrong !== null && now.wrong.ndcg > 1 + EQUAL;
    if (how === "changed") return !same(start.first, now.first);
    return !now.twice && change(start.values[what], now.values[what]) === how;
  };
  const conditions = Object.entries(want).map(([what, how]) => ({ what, how, met: met(what, how) }));
  return [...conditions, { what: "only", how: only, met: kept(only, start, now) }];
}

function kept(only, start, now) {
  const settings = sameGrades(start, now) && start.gain === now.gain && start.threshold === now.threshold;
  const k = only === "k" ? same(start.all, now.all) : start.k === now.k;
  return settings && k && (only === "copy" || !now.twice);
}

/** Whether a challenge can be met from here in at most two moves; others would only vex. */
export function solvable(challenge, state, cards) {
  const start = look(cards, state);
  const works = (after, k = state.k) =>
    progress(challenge, start, look(after, { ...state, k })).every(({ met }) => met);
  if (challenge.only === "k") return cards.some((_, i) => works(cards, i + 1));
  const movable = cards.filter((card) => card !== END);
  if (challenge.only === "copy") {
    const best = ideal(cards, state.grades);
    return best[0] !== END && works(doubled(best, best[0].key));
  }
  const once = movable.flatMap((card) => cards.map((_, to) => moved(cards, card.key, to)));
  if (once.some((after) => works(after))) return true;
  let tries = 6000;
  for (const after of once)
    for (const card of movable)
      for (let to = 0; to < cards.length; to++) {
        if (works(moved(after, card.key, to))) return true;
        if (--tries === 0) return false;
      }
  return false;
}
