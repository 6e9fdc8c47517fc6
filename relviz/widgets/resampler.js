import { button, count, element, enhance, fill, frame, onWidth, svg } from "./base.js";
import { generator, interval, mean, pairedMean, resample, unpairedMean } from "./chance.js";

const SIDE = 16;
const DOTS = 144; // height of the drawn queries
const BARS = 184; // height of the histogram
const BINS = 48;
const FRAME = 8; // milliseconds of drawing in each frame on the way to the end

/**
 * @param {HTMLElement} root
 * @param {any} data  words, a, b, n, seed, measure
 */
export function mount(root, data) {
  return new Resampler(root, data);
}

class Resampler {
  constructor(root, { words, a, b, n, seed, measure }) {
    Object.assign(this, { root, words, a, b, n, seed, measure, timer: 0, width: 460 });
    this.observed = mean(b) - mean(a);
    // Both histograms stand on one axis, wide enough for the wider.
    const reach = 4.2 * Math.sqrt((variance(a) + variance(b)) / a.length) || 0.01;
    this.axis = scale(this.observed - reach, this.observed + reach);
    const gaps = b.map((x, i) => x - a[i]);
    const most = Math.max(...gaps.map(Math.abs)) || 1;
    this.gaps = { values: gaps, axis: scale(-most, most) };
    this.scores = scale(Math.min(0, ...a, ...b), Math.max(1, ...a, ...b));
    this.build();
    this.start();
  }

  build() {
    const { root, words } = this;
    this.sides = Object.fromEntries(
      ["paired", "unpaired"].map((name) => {
        const parts = {
          dots: element("div", { class: "rv-drawn" }),
          last: element("p", { class: "rv-last" }),
          bars: element("div", { class: "rv-histogram" }),
          result: element("p", { class: "rv-interval" }),
        };
        const head = element("p", { class: "rv-side-title" }, words[name]);
        const how = element("p", { class: "rv-how" }, words[`${name}_how`]);
        return [
          name,
          { ...parts, box: element("div", { class: `rv-side rv-${name}` }, head, how, ...Object.values(parts)) },
        ];
      }),
    );
    this.once = button("once", words, () => this.draw(1));
    this.hundred = button("hundred", words, () => this.draw(100));
    this.end = button("end", words, () => this.toEnd());
    this.again = button("again", words, () => this.start());
    this.buttons = element("div", { class: "rv-buttons" }, this.once, this.hundred, this.end, this.again);
    const places = { measure: this.measure, n: count(this.a.length), difference: signed(this.observed) };
    this.intro = element("p", {}, fill(words.observed, places));
    this.count = element("p", { class: "rv-count" });
    this.verdict = element("p", { class: "rv-verdict", "aria-live": "polite" });
    const { paired, unpaired } = this.sides;
    const pair = element("div", { class: "rv-pair" }, paired.box, unpaired.box);
    const box = element("div", { class: "rv-machine" }, this.intro, this.buttons, this.count, pair, this.verdict);
    const list = root.querySelector(".rv-static");
    list.hidden = true;
    list.before(box);
    frame(root);
    onWidth(paired.dots, (width) => {
      this.width = width;
      this.render();
    });
  }

  stop() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
  }

  start() {
    this.stop();
    this.next = generator(this.seed);
    this.rows = null;
    this.means = { paired: [], unpaired: [] };
    this.render();
  }

  /** Resamples both ways; the last one stays in sight. */
  draw(times) {
    this.stop();
    this.take(times);
    this.render();
  }

  take(times) {
    const { a, b, next, means } = this;
    for (let i = 0; i < times && means.paired.length < this.n; i++) {
      const [together, fromA, fromB] = [0, 1, 2].map(() => resample(a.length, next));
      this.rows = { together, fromA, fromB };
      means.paired.push(pairedMean(a, b, together));
      means.unpaired.push(unpairedMean(a, b, fromA, fromB));
    }
  }

  toEnd() {
    this.stop();
    const step = () => {
      const stop = performance.now() + FRAME;
      while (this.means.paired.length < this.n && performance.now() < stop) this.take(20);
      this.render();
      if (this.means.paired.length < this.n) this.timer = requestAnimationFrame(step);
    };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.draw(this.n);
    else step();
  }

  render() {
    const { words, means, rows, a, b, n, width } = this;
    const drawn = means.paired.length;
    const full = drawn >= n;
    this.count.textContent = fill(words.count, { drawn: count(drawn), n: count(n) });
    for (const node of [this.once, this.hundred, this.end]) node.setAttribute("aria-disabled", `${full}`);
    this.again.setAttribute("aria-disabled", `${drawn === 0}`);
    const { paired, unpaired } = this.sides;
    const pick = (/** @type {number[]} */ values, /** @type {number[]} */ order) =>
      order ? order.map((i) => values[i]) : values;
    paired.dots.replaceChildren(
      dotplot(
        [{ values: pick(this.gaps.values, rows?.together), name: "", tone: "rv-tone-gap" }],
        this.gaps.axis,
        words.drawn_paired,
        width,
      ),
    );
    unpaired.dots.replaceChildren(
      dotplot(
        [
          { values: pick(a, rows?.fromA), name: "A", tone: "rv-tone-a" },
          { values: pick(b, rows?.fromB), name: "B", tone: "rv-tone-b" },
        ],
        this.scores,
        words.drawn_unpaired,
        width,
      ),
    );
    for (const [name, { bars, last, result }] of Object.entries(this.sides)) {
      const values = means[name];
      const range = drawn >= 20 ? interval(values) : null;
      const what = drawn ? "last" : "given";
      last.textContent = fill(words[what], { difference: signed(drawn ? values[drawn - 1] : this.observed) });
      const places = range && {
        low: signed(range[0]),
        high: signed(range[1]),
        width: (range[1] - range[0]).toFixed(4),
        n: count(drawn),
      };
      const said = places ? fill(words[`${name}_interval`], places) : words.too_few;
      result.textContent = said;
      bars.replaceChildren(histogram(values, range, this.axis, this.observed, said, width));
    }
    const wide = (/** @type {number[]} */ values) => interval(values).reduce((low, high) => high - low);
    // Said when the machine rests, not in every frame on the way.
    if (drawn > 100 && !full && this.timer) return;
    const narrow = wide(means.paired);
    const ratio = () => fill(words.ratio, { ratio: (wide(means.unpaired) / narrow).toFixed(2) });
    this.verdict.textContent = drawn < 100 ? "" : narrow > 1e-9 ? ratio() : words.flat;
  }
}

/** Every drawn value as a dot over its place on the axis, stacked where several fall together; a line at the mean. */
function dotplot(lists, axis, label, width) {
  const at = (/** @type {number} */ value) => axis.x(value, width);
  const room = DOTS / lists.length;
  const parts = lists.flatMap(({ values, name, tone }, i) => {
    const base = (i + 1) * room - 24;
    const stacks = new Map();
    const places = values.map((value) => {
      const column = Math.round(at(value) / 9) * 9;
      const level = stacks.get(column) ?? 0;
      stacks.set(column, level + 1);
      return [column, level];
    });
    const gap = Math.min(8, (room - 34) / Math.max(1, ...stacks.values()));
    const dots = places.map(([x, level]) => svg("circle", { cx: x, cy: base - 5 - level * gap, r: 3.6, class: tone }));
    const middle = at(mean(values));
    return [
      svg("path", { class: "rv-axis", d: `M${SIDE} ${base}H${width - SIDE}` }),
      ...dots,
      svg("path", { class: `rv-mean ${tone}`, d: `M${middle} ${base - room + 30}V${base + 6}` }),
      ...(name ? [svg("text", { x: 0, y: base - 8, class: "rv-strong" }, name)] : []),
      ...axis.ticks.map((x) => svg("text", { x: at(x), y: base + 18, "text-anchor": "middle" }, plain(x))),
    ];
  });
  return svg("svg", { viewBox: `0 0 ${width} ${DOTS}`, role: "img", "aria-label": label }, ...parts);
}

function histogram(values, range, axis, observed, label, width) {
  const at = (/** @type {number} */ value) => axis.x(value, width);
  const counts = new Array(BINS).fill(0);
  const span = axis.to - axis.from;
  for (const value of values) {
    const bin = Math.floor((BINS * (value - axis.from)) / span);
    counts[Math.min(BINS - 1, Math.max(0, bin))] += 1;
  }
  const tallest = Math.max(8, ...counts);
  const base = BARS - 56;
  const step = (width - 2 * SIDE) / BINS;
  const bars = counts.map((count, i) => {
    const height = ((base - 6) * count) / tallest;
    return svg("rect", { x: SIDE + i * step + 0.5, y: base - height, width: step - 1, height, class: "rv-bin" });
  });
  const parts = [
    ...bars,
    svg("path", { class: "rv-axis", d: `M${SIDE} ${base}H${width - SIDE}` }),
    ...axis.ticks.map((x) => svg("text", { x: at(x), y: base + 25, "text-anchor": "middle" }, plain(x))),
  ];
  if (axis.from < 0 && axis.to > 0) parts.push(svg("path", { class: "rv-zero", d: `M${at(0)} 0V${base}` }));
  parts.push(svg("path", { class: "rv-observed", d: `M${at(observed)} ${base}l-5 9h10z` }));
  if (range) {
    const [low, high] = range.map((x) => Math.min(width, Math.max(0, at(x))));
    parts.push(
      svg("path", {
        class: "rv-range",
        d: `M${low} ${base + 42}H${high}M${low} ${base + 36}v12M${high} ${base + 36}v12`,
      }),
    );
  }
  return svg("svg", { viewBox: `0 0 ${width} ${BARS}`, role: "img", "aria-label": label }, ...parts);
}

function scale(from, to) {
  const rough = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  const ticks = Array.from({ length: count }, (_, i) => (first + i) * step);
  const x = (/** @type {number} */ v, /** @type {number} */ width) =>
    SIDE + ((width - 2 * SIDE) * (v - from)) / (to - from);
  return { from, to, ticks, x };
}

function variance(values) {
  const middle = mean(values);
  return mean(values.map((x) => (x - middle) ** 2));
}

/** As Python writes f"{x:+.4f}". */
function signed(x) {
  return `${x < 0 || Object.is(x, -0) ? "-" : "+"}${Math.abs(x).toFixed(4)}`;
}

function plain(x) {
  return `${Number(x.toFixed(6))}`.replace("-", "−");
}

enhance("resampler", mount);
