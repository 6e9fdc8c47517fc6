import { count, element, enhance, fill, frame, OWN_KEYS, onWidth, svg, uniqueId } from "./base.js";
import { powerOf, queriesNeeded, sdInterval } from "./chance.js";

const LEFT = 34;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 46;
const ASIDE = 96; // beside the end of the bar: the name of the line that it lies on
/** What each number may be; a slider runs over from..to in equal ratios, beside a field that takes any number. */
const FIELDS = {
  sd: { from: 0.01, to: 0.5, bad: "bad", holds: (x) => x > 0 && x < 1e6 },
  delta: { from: 0.005, to: 0.2, bad: "bad", holds: (x) => x > 0 && x < 1e6 },
  seen: { from: 5, to: 1000, whole: true, bad: "bad_count", holds: (x) => Number.isInteger(x) && x >= 2 && x <= 1e6 },
  power: { from: 0.5, to: 0.99, even: true, bad: "bad_share", holds: (x) => x > 0 && x < 1 },
  alpha: { from: 0.001, to: 0.2, bad: "bad_share", holds: (x) => x > 0 && x < 1 },
};

/**
 * @param {HTMLElement} root
 * @param {any} data  words, sd, delta, alpha, power, seen
 */
export function mount(root, { words, ...start }) {
  const state = { ...start };
  const list = /** @type {HTMLElement} */ (root.querySelector(".rv-static"));
  const answer = element("p", { class: "rv-answer" });
  const range = element("p", { class: "rv-range" });
  const says = element("div", { class: "rv-says" });
  const chart = element("div", { class: "rv-chart" });
  const status = element("p", { class: "rv-unseen", "aria-live": "polite" });
  let width = 500;

  const render = () => {
    const found = plan(state);
    answer.textContent = fill(words.answer, found);
    range.textContent = fill(words.range, found);
    says.replaceChildren(
      ...["words", "uncertain", "now"].map((key) => element("p", {}, fill(words[key], found))),
      element("p", {}, fill(words.halve, { n: found.double })),
      element("p", { class: "rv-normal" }, words.normal),
    );
    chart.replaceChildren(curve(words, state, found, width));
  };
  const fields = Object.keys(FIELDS).map((name) =>
    field(name, words, state[name], (value) => {
      state[name] = value;
      render();
      status.textContent = `${answer.textContent}. ${range.textContent}.`;
    }),
  );
  render();
  const side = element("div", { class: "rv-side" }, ...fields);
  const result = element("div", { class: "rv-result" }, answer, range, chart);
  list.before(
    element("div", { class: "rv-planner" }, element("div", { class: "rv-split" }, side, result), says, status),
  );
  list.hidden = true;
  frame(root);
  onWidth(chart, (now) => {
    width = now;
    render();
  });
}

/** All numbers on show, those with a fraction already as words. */
function plan({ sd, delta, alpha, power, seen }) {
  const [low, high] = sdInterval(sd, seen);
  const needed = (/** @type {number} */ spread, by = delta) => queriesNeeded(spread, by, alpha, power);
  const counts = { n: needed(sd), low: needed(low), high: needed(high), double: needed(sd, delta / 2), seen };
  return {
    counts,
    ...Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, count(n)])),
    ...Object.fromEntries(Object.entries({ sd, delta, alpha, power }).map(([name, x]) => [name, short(x)])),
    spread: [low, high],
    sd_low: short(low),
    sd_high: short(high),
    power_now: powerOf(seen, sd, delta, alpha).toFixed(2),
  };
}

function field(name, words, value, change) {
  const { from, to, whole, even, bad, holds } = FIELDS[name];
  const along = (/** @type {number} */ t) => (even ? from + t * (to - from) : from * (to / from) ** t);
  const back = (/** @type {number} */ x) =>
    even ? (x - from) / (to - from) : Math.log(x / from) / Math.log(to / from);
  const label = element("label", { for: uniqueId() }, words[name]);
  const note = element("p", { class: "rv-bad", id: uniqueId(), role: "alert" });
  const type = { id: label.htmlFor, type: "number", step: "any", "aria-describedby": note.id };
  const number = element("input", { ...type, ...OWN_KEYS });
  const slider = element("input", { type: "range", min: "0", max: "200", "aria-label": words[name], ...OWN_KEYS });
  const place = (/** @type {number} */ x) => {
    slider.value = `${200 * Math.min(1, Math.max(0, back(x)))}`;
    slider.setAttribute("aria-valuetext", short(x));
  };
  number.value = short(value);
  place(value);
  number.addEventListener("input", () => {
    const x = number.valueAsNumber;
    const fine = holds(x);
    note.textContent = fine ? "" : words[bad];
    number.setAttribute("aria-invalid", `${!fine}`);
    if (!fine) return;
    place(x);
    change(x);
  });
  slider.addEventListener("input", () => {
    const x = along(slider.valueAsNumber / 200);
    const rounded = whole ? Math.round(x) : Number(x.toPrecision(3));
    number.value = `${rounded}`;
    note.textContent = "";
    number.setAttribute("aria-invalid", "false");
    slider.setAttribute("aria-valuetext", short(rounded));
    change(rounded);
  });
  return element("div", { class: "rv-field" }, label, number, slider, note);
}

/** Power against n, with the band that an uncertain sd leaves. */
function curve(words, { sd, delta, alpha, power }, found, width) {
  const height = Math.min(310, Math.max(210, width / 2));
  const most = Math.max(10, found.counts.high * Math.max(1.25, 1 / (1 - ASIDE / (width - LEFT - RIGHT))));
  const x = (/** @type {number} */ n) => LEFT + ((width - LEFT - RIGHT) * n) / most;
  const y = (/** @type {number} */ p) => TOP + (height - TOP - BOTTOM) * (1 - p);
  const line = (/** @type {number} */ spread) =>
    Array.from({ length: 81 }, (_, i) => (i / 80) ** 2 * most).map((n) => [x(n), y(powerOf(n, spread, delta, alpha))]);
  const path = (/** @type {number[][]} */ points) =>
    points.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L");
  const [low, high] = found.spread;
  const text = (/** @type {any} */ attributes, /** @type {string} */ what) => svg("text", attributes, what);
  const ticks = steps(most, width).flatMap((n) => [
    svg("path", { class: "rv-grid", d: `M${x(n)} ${y(0)}v5` }),
    text({ x: x(n), y: y(0) + 19, "text-anchor": "middle" }, count(n)),
  ]);
  const shares = [0, 0.5, 1].flatMap((p) => [
    svg("path", { class: "rv-grid", d: `M${LEFT} ${y(p)}H${width - RIGHT}` }),
    text({ x: LEFT - 8, y: y(p) + 5, "text-anchor": "end" }, `${p}`),
  ]);
  const left = x(found.counts.n) - LEFT > width - RIGHT - x(found.counts.n);
  const mark = (/** @type {number} */ n, /** @type {string} */ name) =>
    svg("circle", { cx: x(n), cy: y(power), r: 4, class: name });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": fill(words.figure, found) },
    ...shares,
    ...ticks,
    svg("path", { class: "rv-band", d: `M${path([...line(low), ...line(high).reverse()])}Z` }),
    svg("path", { class: "rv-line", d: `M${path(line(sd))}` }),
    svg("path", { class: "rv-target", d: `M${LEFT} ${y(power)}H${width - RIGHT}` }),
    svg("path", { class: "rv-span", d: `M${x(found.counts.low)} ${y(power)}H${x(found.counts.high)}` }),
    svg("path", { class: "rv-drop", d: `M${x(found.counts.n)} ${y(power)}V${y(0)}` }),
    mark(found.counts.low, "rv-end"),
    mark(found.counts.high, "rv-end"),
    mark(found.counts.n, "rv-dot"),
    text(
      left
        ? { class: "rv-strong", x: x(found.counts.n) - 8, y: y(0.06), "text-anchor": "end" }
        : { class: "rv-strong", x: x(found.counts.n) + 8, y: y(0.06) },
      `n = ${found.n}`,
    ),
    text({ x: width - RIGHT, y: y(power) + 17, "text-anchor": "end" }, fill(words.target, found)),
    text({ x: width - RIGHT, y: height - 6, "text-anchor": "end" }, words.axis_x),
  );
}

/** Round numbers up to most, as many as have room: each number is about one size of letters wide per digit. */
function steps(/** @type {number} */ most, /** @type {number} */ width) {
  const rough = most / Math.min(5, Math.max(1, Math.floor(width / (40 + 10 * `${Math.round(most)}`.length))));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => Math.round(i * step));
}

function short(/** @type {number} */ x) {
  return `${Number(x.toPrecision(4))}`;
}

enhance("planner", mount);
