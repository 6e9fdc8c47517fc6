import { button, element, enhance, fill, frame, OWN_KEYS, svg, uniqueId } from "./base.js";
import { asGain, discount, shown } from "./metrics.js";
import {
  CHALLENGES,
  cardsOf,
  change,
  doubled,
  END,
  ideal,
  look,
  MEASURES,
  moved,
  noticed,
  progress,
  single,
  solvable,
  worst,
} from "./ranking.js";

const GLIDE = { duration: 220, easing: "cubic-bezier(.2, .8, .2, 1)" };
const TICK = 240; // milliseconds in which a number runs from the old value to the new
const SIGNS = { up: "▲", down: "▼", same: "=", now: "" };

/**
 * Turns the static tables into the lab.
 * @param {HTMLElement} root
 * @param {any} data  words, docs [{id, title, grade}], lists {A, B}, k, gain, threshold
 */
export function mount(root, data) {
  return new Lab(root, data);
}

class Lab {
  constructor(root, data) {
    const { docs, lists, k, gain, threshold } = data;
    this.root = root;
    this.words = data.words;
    this.titles = new Map(docs.map(({ id, title }) => [id, title]));
    const grades = new Map(docs.filter(({ grade }) => grade !== null).map(({ id, grade }) => [id, grade]));
    this.highest = Math.max(3, ...grades.values());
    const cards = { A: cardsOf(lists.A, grades), B: lists.B && cardsOf(lists.B, grades) };
    /** What the reader changes; every change makes a new one, so that undo only has to look back. */
    this.state = { cards, grades, k, gain, threshold };
    this.first = this.state;
    this.base = null; // the state that "did not change" speaks of
    this.history = [];
    this.chosen = { list: "A", key: cards.A[0].key };
    this.picked = null; // the card in hand, with the state to go back to
    this.drag = null;
    this.eye = null;
    this.challenge = null;
    this.nodes = { A: new Map(), B: new Map() };
    this.build();
    this.render({ glide: false });
    root.addEventListener("keydown", (event) => this.key(event));
  }

  say(key, places = {}) {
    return fill(this.words[key], places);
  }

  // ---------- the page ----------

  build() {
    const { root, words } = this;
    this.hint = element("p", { class: "rv-keys", id: uniqueId() }, words.keys);
    this.status = element("div", { class: "rv-unseen", "aria-live": "polite", "aria-atomic": "true" });
    this.lists = { A: this.buildList("A"), B: this.buildList("B") };
    this.measures = Object.fromEntries(MEASURES.map((name) => [name, this.buildMeasure(name)]));
    this.buildSettings();
    this.buildTools();
    this.buildActions();
    this.buildChallenge();
    this.refusal = element("div", { class: "rv-refusal", hidden: "" });
    this.tabs = element(
      "div",
      { class: "rv-tabs", role: "group", "aria-label": words.show_list },
      ...["A", "B"].map((name) => {
        const tab = element("button", { type: "button", class: "rv-button", ...OWN_KEYS }, name);
        tab.addEventListener("click", () => this.choose(name, this.state.cards[name][0].key));
        return tab;
      }),
    );
    const left = element("div", { class: "rv-left" }, this.tabs, this.lists.A.box, this.lists.B.box, this.tools.box);
    const panel = element(
      "div",
      { class: "rv-panel", role: "group", "aria-label": words.panel },
      this.refusal,
      ...MEASURES.map((name) => this.measures[name].box),
    );
    const values = MEASURES.map(() => element("span", {}, element("i"), element("b")));
    this.strip = element("div", { class: "rv-strip", "aria-hidden": "true" }, ...values);
    this.board = element("div", { class: "rv-board" }, left, panel);
    const lab = element(
      "div",
      { class: "rv-lab" },
      this.settings,
      this.challengeBox,
      this.board,
      this.actions,
      this.hint,
      this.strip,
      this.status,
    );
    frame(root, { "aria-roledescription": words.role });
    root.querySelector(".rv-static").hidden = true;
    root.querySelector(".rv-static").before(lab);
  }

  buildList(name) {
    const ol = element("ol", { "aria-label": this.say("list", { name }) });
    const cut = element("li", { class: "rv-line rv-cut", "aria-hidden": "true" }, element("span"));
    const end = element("li", { class: "rv-line rv-end" }, element("span", {}, this.words.missed));
    const badge = element("span", { class: `rv-name rv-name-${name}`, "aria-hidden": "true" }, name);
    const box = element("div", { class: `rv-list rv-list-${name}` }, badge, ol);
    ol.addEventListener("pointerdown", (event) => this.grab(name, event));
    ol.addEventListener("focusin", (event) => this.follow(name, event.target));
    return { box, ol, cut, end };
  }

  buildMeasure(name) {
    const eye = element("button", { type: "button", class: "rv-eye", "aria-pressed": "false", ...OWN_KEYS });
    const label = element("span");
    eye.append(icon(), label);
    eye.addEventListener("click", () => this.look(name));
    const rows = Object.fromEntries(
      ["A", "B"].map((list) => {
        const was = element("i", { class: "rv-was" });
        const is = element("i", { class: "rv-is" });
        const value = element("output", { class: "rv-value" });
        const delta = element("span", { class: "rv-delta" });
        const series = element("span", { class: "rv-series" }, list);
        const bar = element("span", { class: "rv-bar", "aria-hidden": "true" }, was, is);
        return [
          list,
          { box: element("div", { class: `rv-row rv-row-${list}` }, series, bar, value, delta), was, is, value, delta },
        ];
      }),
    );
    const reason = element("p", { class: "rv-noticed" });
    const blind = element("p", { class: "rv-blind" });
    const asks = element("span", { class: "rv-asks" }, this.words[`${name}_asks`]);
    const head = element("div", { class: "rv-head" }, eye, asks);
    const box = element(
      "div",
      { class: "rv-measure" },
      head,
      rows.A.box,
      rows.B.box,
      element("div", { class: "rv-says" }, reason, blind),
    );
    return { box, eye, label, rows, reason, blind };
  }

  buildSettings() {
    const { words, state } = this;
    const step = (sign, by, label) => {
      const node = element(
        "button",
        { type: "button", class: "rv-button rv-step", "aria-label": label, ...OWN_KEYS },
        sign,
      );
      node.addEventListener("click", () => this.setK(this.state.k + by));
      return node;
    };
    this.kValue = element("output", { class: "rv-k" });
    const k = element(
      "div",
      { class: "rv-setting", role: "group", "aria-label": words.cutoff },
      element("span", {}, "k"),
      step("−", -1, words.k_less),
      this.kValue,
      step("+", 1, words.k_more),
    );
    const relevantFrom = Array.from({ length: this.highest }, (_, i) => [i + 1, `${i + 1}`]);
    this.gain = choice(
      words.gain,
      [
        ["linear", words.linear],
        ["exponential", words.exponential],
      ],
      (gain) => this.commit({ gain }),
    );
    this.threshold = choice(words.threshold, relevantFrom, (threshold) =>
      this.commit({ threshold: Number(threshold) }),
    );
    this.settings = element("div", { class: "rv-settings" }, k, this.threshold.box, this.gain.box);
    if (state.gain) this.gain.set(state.gain);
  }

  buildTools() {
    const { words } = this;
    const name = element("p", { class: "rv-tools-id" });
    const title = element("p", { class: "rv-tools-title" });
    const grade = choice(
      words.grade,
      Array.from({ length: this.highest + 1 }, (_, i) => [i, `${i}`]),
      (value) => this.regrade(this.docOf(this.chosen), Number(value)),
    );
    const up = button("up", words, () => this.shift(-1));
    const down = button("down", words, () => this.shift(1));
    const twice = button("double", words, () => this.double());
    const remove = button("remove", words, () => this.remove());
    const buttons = element("div", { class: "rv-buttons" }, grade.box, up, down, twice, remove);
    const box = element("div", { class: "rv-tools", role: "group", "aria-label": words.tools }, name, title, buttons);
    this.tools = { box, name, title, grade, up, down, twice, remove };
  }

  buildActions() {
    const { words } = this;
    this.buttons = {
      ideal: button("ideal", words, () => this.arrange(ideal)),
      worst: button("worst", words, () => this.arrange(worst)),
      undo: button("undo", words, () => this.undo()),
      reset: button("reset", words, () => this.reset()),
      compare: button("compare", words, () => this.compare()),
      challenge: button("challenge", words, () => {
        this.challengeOf(0);
        this.challengeBox.focus(); // the button is gone
      }),
    };
    this.actions = element("div", { class: "rv-actions" }, ...Object.values(this.buttons));
  }

  buildChallenge() {
    const { words } = this;
    const task = element("p", { class: "rv-task" });
    const list = element("ul", { class: "rv-conditions" });
    const done = element("p", { class: "rv-success", role: "status" });
    const again = button("again", words, () => this.challengeOf(this.challenge.number));
    const next = button("next", words, () => this.challengeOf(this.challenge.number + 1));
    const leave = button("leave", words, () => this.leave());
    const buttons = element("div", { class: "rv-buttons" }, again, next, leave);
    this.challengeBox = element(
      "div",
      { class: "rv-quest", role: "group", "aria-label": words.challenge, tabindex: "-1", hidden: "", ...OWN_KEYS },
      task,
      list,
      done,
      buttons,
    );
    this.challengeParts = { task, list, done, next };
  }

  // ---------- what the reader sees ----------

  render({ glide = true } = {}) {
    const { state, base } = this;
    const names = state.cards.B ? ["A", "B"] : ["A"];
    this.views = Object.fromEntries(names.map((name) => [name, look(state.cards[name], state)]));
    this.before = {};
    if (base) for (const name of names) this.before[name] = look(base.cards[name] ?? state.cards[name], base);
    this.root.classList.toggle("rv-two", names.length === 2);
    this.root.classList.toggle("rv-holding", this.holding());
    mark(this.root, "data-shown", this.chosen.list);
    const places = glide && !still() ? this.places() : null;
    for (const name of names) this.renderList(name);
    this.lists.B.box.hidden = names.length === 1;
    if (places) this.glide(places);
    this.renderSettings();
    this.renderTools();
    this.renderChallenge();
    for (const name of MEASURES) this.renderMeasure(name);
    this.renderRefusal();
    const view = this.views[this.chosen.list];
    const values = MEASURES.map((name) =>
      element("span", {}, this.short(name), element("b", {}, this.valueOf(view, name))),
    );
    this.strip.replaceChildren(...values);
  }

  renderList(name) {
    const { cards, k, grades, threshold } = this.state;
    const { ol, cut, end } = this.lists[name];
    const view = this.views[name];
    const known = this.nodes[name];
    const items = [];
    let rank = 0;
    let out = false;
    for (const card of cards[name]) {
      if (card === END) {
        out = true;
        end.classList.toggle("rv-nothing", cards[name].at(-1) === END);
        items.push(end);
        continue;
      }
      rank += 1;
      if (!known.has(card.key)) known.set(card.key, this.buildCard(card));
      const node = known.get(card.key);
      const place = out ? null : rank;
      const grade = grades.has(card.doc) ? grades.get(card.doc) : null;
      const copy = view.twice !== null && !out && cards[name].findIndex((c) => c.doc === card.doc) !== rank - 1;
      this.renderCard(name, node, card, { place, grade, copy, relevant: (grade ?? 0) >= threshold });
      items.push(node.li);
      if (place === k) {
        write(cut.firstChild, this.say("cut", { k }));
        items.push(cut);
      }
    }
    arrange(ol, items);
    for (const [key] of known) if (!cards[name].some((card) => card.key === key)) known.delete(key);
  }

  buildCard(card) {
    const rank = element("span", { class: "rv-rank" });
    const badge = element("span", { class: "rv-badge", title: this.words.next_grade });
    const id = element("span", { class: "rv-id" }, card.doc);
    const text = element("span", { class: "rv-text" }, this.titles.get(card.doc) ?? "");
    const note = element("span", { class: "rv-note" });
    const front = element("button", { type: "button", class: "rv-doc", "aria-describedby": this.hint.id, ...OWN_KEYS });
    front.append(grip(), rank, badge, element("span", { class: "rv-what" }, id, text), note);
    front.dataset.key = card.key;
    return { li: element("li", {}, front), front, rank, badge, note, grade: undefined };
  }

  renderCard(list, node, card, { place, grade, copy, relevant }) {
    const { front } = node;
    const { words } = this;
    const chosen = this.chosen.list === list && this.chosen.key === card.key;
    const inside = place !== null && place <= this.state.k;
    const seen = this.seen(list, { place, grade, inside, relevant, copy });
    write(node.rank, place === null ? "–" : `${place}`);
    write(node.note, seen.note);
    if (node.grade !== grade) node.badge.replaceChildren(badge(grade));
    node.grade = grade;
    classes(front, "rv-doc", {
      "rv-chosen": chosen,
      "rv-held": chosen && this.holding(),
      "rv-copy": copy,
      "rv-out": place === null,
      "rv-fog": seen.fog,
    });
    // One card of each list is a stop for Tab; the arrows reach the others.
    mark(front, "tabindex", chosen || (this.chosen.list !== list && this.state.cards[list][0] === card) ? 0 : -1);
    mark(front, "aria-current", chosen);
    const where = place === null ? words.card_out : this.say("card_rank", { rank: place });
    const graded = grade === null ? words.card_unjudged : this.say("card_grade", { grade });
    const parts = [where, card.doc, graded, copy && words.card_copy, seen.note, this.titles.get(card.doc)];
    mark(front, "aria-label", parts.filter(Boolean).join(words.comma));
  }

  holding() {
    return this.picked !== null || this.drag !== null;
  }

  /** What the measure whose eyes are borrowed sees of a card: a note, and whether it sees the card at all. */
  seen(list, { place, grade, inside, relevant, copy }) {
    const { words } = this;
    const { rank } = this.views[list];
    if (this.eye === null) return { fog: false, note: copy ? words.note_copy : "" };
    if (this.eye === "recall")
      return { fog: !relevant, note: relevant ? words[inside ? "note_found" : "note_missed"] : "" };
    if (this.eye === "precision")
      return { fog: !inside, note: inside ? words[relevant ? "note_hit" : "note_noise"] : "" };
    if (this.eye === "rr") {
      const seen = inside && (rank === 0 || place <= rank);
      return { fog: !seen, note: place === rank && inside ? `1/${rank}` : seen ? words.note_not_yet : "" };
    }
    if (!inside) return { fog: true, note: "" };
    const gain = asGain(this.state.gain)(grade ?? 0);
    return { fog: gain === 0, note: `${gain} ÷ ${discount(place).toFixed(2)} = ${shown(gain / discount(place))}` };
  }

  renderSettings() {
    const { k, gain, threshold } = this.state;
    write(this.kValue, `${k}`);
    this.gain.set(gain);
    this.threshold.set(threshold);
    const two = this.state.cards.B !== null;
    write(this.buttons.compare, this.words[two ? "single" : "compare"]);
    mark(this.buttons.compare, "aria-disabled", `${this.challenge !== null}`);
    mark(this.buttons.undo, "aria-disabled", `${this.history.length === 0}`);
    for (const name of ["ideal", "worst"])
      write(this.buttons[name], this.words[name] + (two ? ` · ${this.chosen.list}` : ""));
    for (const [i, tab] of [...this.tabs.children].entries())
      mark(tab, "aria-pressed", `${this.chosen.list === "AB"[i]}`);
  }

  renderTools() {
    const { list, key } = this.chosen;
    const cards = this.state.cards[list];
    const at = cards.findIndex((card) => card.key === key);
    const out = at > cards.indexOf(END);
    const doc = cards[at].doc;
    write(this.tools.name, doc);
    write(this.tools.title, this.titles.get(doc) ?? "");
    this.tools.grade.set(this.state.grades.get(doc) ?? null);
    write(this.tools.remove, this.words[out ? "put_back" : "remove"]);
    mark(this.tools.up, "aria-disabled", `${at === 0}`);
    mark(this.tools.down, "aria-disabled", `${at === cards.length - 1}`);
    mark(this.tools.twice, "aria-disabled", `${out}`);
  }

  short(measure) {
    return this.say(measure, { k: this.state.k });
  }

  valueOf(view, measure) {
    if (view.twice) return this.words.error;
    const value = view.values[measure];
    return value === null ? this.words.undefined : shown(value);
  }

  renderMeasure(measure) {
    const { box, eye, label, rows, reason, blind } = this.measures[measure];
    const { A, B } = this.views;
    write(label, this.short(measure));
    mark(eye, "aria-pressed", `${this.eye === measure}`);
    mark(eye, "aria-label", this.say("eye", { measure: this.short(measure) }));
    for (const list of ["A", "B"]) {
      const view = this.views[list];
      const row = rows[list];
      row.box.hidden = !view;
      if (!view) continue;
      const value = view.twice ? null : view.values[measure];
      const reference = B ? A.values[measure] : (this.before[list]?.values[measure] ?? null);
      const how = value === null || (B && (list === "A" || A.twice)) ? "now" : change(reference, value);
      scale(row.is, value);
      scale(row.was, B ? value : (reference ?? value));
      tick(row.value, value, this.valueOf(view, measure));
      write(
        row.delta,
        how === "now" ? "" : `${SIGNS[how]} ${how === "same" ? "" : shown(Math.abs(value - reference))}`.trim(),
      );
      classes(row.delta, `rv-delta rv-${how}`, {});
    }
    const words = this.wordsOf(measure);
    write(reason, words.reason);
    write(blind, words.blind);
    box.classList.toggle("rv-wrong", Boolean(A.twice || B?.twice));
  }

  /** What a measure says in words: about the last change, or about A and B. */
  wordsOf(measure) {
    const { A, B } = this.views;
    const list = A.twice ? "A" : B?.twice ? "B" : null;
    if (list) {
      const { wrong, values } = this.views[list];
      const bad = wrong[measure];
      const good = values[measure];
      const places = { bad: bad === null ? "–" : shown(bad), good: good === null ? this.words.undefined : shown(good) };
      const kind = bad === null || good === null ? "none" : bad > 1 + 1e-12 ? "impossible" : change(good, bad);
      return { reason: this.say(`unchecked_${kind}`, places), blind: "" };
    }
    if (!B) return this.noticed(measure, "did", this.before.A, A);
    const moved = this.movedList();
    if (moved === null) return this.noticed(measure, "ab", A, B);
    const { reason, blind } = this.noticed(measure, "of", this.before[moved], this.views[moved], moved);
    const how = change(A.values[measure], B.values[measure]);
    const by = how === "now" ? "" : shown(Math.abs(B.values[measure] - A.values[measure]));
    const beside = how === "now" ? "" : this.words.gap + this.say(`ab_${how}_end`, { by });
    return { reason: reason + beside, blind };
  }

  /** Of two lists the one that the last change touched, the chosen one first. */
  movedList() {
    const { base, state, chosen } = this;
    if (!base) return null;
    const rules = ["k", "gain", "threshold", "grades"].some((name) => base[name] !== state[name]);
    const lists = [chosen.list, "A", "B"];
    return lists.find((list) => base.cards[list] && (rules || base.cards[list] !== state.cards[list])) ?? null;
  }

  noticed(measure, kind, before, now, list = "") {
    const from = before?.twice ? null : before;
    const { how, reason, blind } = noticed(measure, from, now);
    const by = how === "up" || how === "down" ? shown(Math.abs(now.values[measure] - from.values[measure])) : "";
    const lead = how === "now" ? "" : this.say(`${kind}_${how}`, { by, list });
    const [key, places] = reason;
    const words = this.say(`${key}_${kind}` in this.words ? `${key}_${kind}` : key, places);
    return { reason: sentence(lead, words, this.words), blind: this.say("blind", { what: this.say(...blind) }) };
  }

  renderRefusal() {
    const list = this.views.A.twice ? "A" : this.views.B?.twice ? "B" : null;
    this.refusal.hidden = list === null;
    if (list === null) return;
    const { doc, first, second } = this.views[list].twice;
    const fix = button("keep_first", this.words, () => {
      this.commit({ cards: { ...this.state.cards, [list]: single(this.state.cards[list]) } });
      this.focusChosen(); // the button is gone
    });
    this.refusal.replaceChildren(element("p", {}, `✕ ${this.say("refusal", { doc, first, second })}`), fix);
  }

  renderChallenge() {
    this.challengeBox.hidden = this.challenge === null;
    this.buttons.challenge.hidden = this.challenge !== null;
    if (this.challenge === null) return;
    const { number, names, start, moves } = this.challenge;
    const { task, list, done, next } = this.challengeParts;
    const { name } = names[number];
    const conditions = progress(names[number], start, this.views.A);
    const won = conditions.every(({ met }) => met) && this.drag === null && this.picked === null;
    write(
      task,
      `${this.say("challenge_number", { number: number + 1, count: names.length })} ${this.words[`challenge_${name}`]}`,
    );
    list.replaceChildren(
      ...conditions.map(({ what, how, met }) => {
        const is = MEASURES.includes(what);
        const words = is ? this.say(`want_${how}`, { measure: this.short(what) }) : this.words[`want_${what}_${how}`];
        const mark = element("span", { "aria-hidden": "true" }, met ? "✓" : "○");
        const state = element("span", { class: "rv-unseen" }, this.words[met ? "met" : "not_met"]);
        return element("li", { class: met ? "rv-met" : "" }, mark, ` ${words} `, state);
      }),
    );
    const words = won ? `✓ ${this.say("challenge_done", { moves })} ${this.words[`challenge_${name}_why`]}` : "";
    if (done.textContent !== words) done.textContent = words;
    this.challengeBox.classList.toggle("rv-won", won);
    mark(next, "aria-disabled", `${number === names.length - 1}`);
  }

  places() {
    const places = new Map();
    for (const { ol } of Object.values(this.lists))
      for (const li of ol.children) places.set(li, li.getBoundingClientRect().top);
    return places;
  }

  /** Cards run from where they stood to where they stand; the one in hand follows the hand. */
  glide(places) {
    const moves = [];
    for (const { ol } of Object.values(this.lists))
      for (const li of ol.children) {
        const from = places.get(li);
        const by = from === undefined ? 0 : from - li.getBoundingClientRect().top;
        if (Math.abs(by) > 0.5 && li !== this.drag?.li) moves.push([li, by]);
      }
    for (const [li, by] of moves) slide(li, by);
  }

  // ---------- what the reader does ----------

  docOf({ list, key }) {
    return this.state.cards[list].find((card) => card.key === key).doc;
  }

  /** A change is made: it can be undone, is measured against what was, and is told to those who listen. */
  commit(part, base = this.state) {
    this.history.push(base);
    this.base = base;
    this.state = { ...this.state, ...part };
    if (this.challenge) this.challenge.moves += 1;
    this.keepChosen();
    this.render();
    this.tell();
  }

  /** The chosen card may be gone; then the one in its place is chosen, and takes the focus if that went with it. */
  keepChosen() {
    const { list } = this.chosen;
    if (!this.state.cards[list]) this.chosen = { list: "A", key: this.state.cards.A.find((card) => card !== END).key };
    const cards = this.state.cards[this.chosen.list];
    if (cards.some((card) => card.key === this.chosen.key)) return;
    this.chosen = { ...this.chosen, key: cards.find((card) => card !== END).key };
  }

  focusChosen() {
    this.nodes[this.chosen.list].get(this.chosen.key)?.front.focus();
  }

  tell() {
    const view = this.views[this.chosen.list];
    const { cards } = this.state;
    const at = cards[this.chosen.list].findIndex((card) => card.key === this.chosen.key);
    const end = cards[this.chosen.list].indexOf(END);
    const doc = this.docOf(this.chosen);
    const where = at < end ? this.say("told_rank", { doc, rank: at + 1, count: end }) : this.say("told_out", { doc });
    const refused = view.twice ? this.say("refusal", view.twice) : "";
    const before = this.before[this.chosen.list];
    const values = MEASURES.map((measure) => {
      const how = before ? change(before.values[measure], view.values[measure]) : "now";
      return this.say(`told_${how}`, { measure: this.short(measure), value: this.valueOf(view, measure) });
    });
    this.status.textContent = [where, ...(refused ? [refused] : values)].join(" ");
  }

  choose(list, key, focus = false) {
    this.chosen = { list, key };
    this.render({ glide: false });
    if (focus) this.focusChosen();
  }

  follow(list, target) {
    const front = target.closest(".rv-doc");
    if (!front || this.picked || this.drag) return;
    if (this.chosen.list !== list || this.chosen.key !== front.dataset.key) this.choose(list, front.dataset.key);
  }

  put(list, key, to) {
    return { ...this.state.cards, [list]: moved(this.state.cards[list], key, to) };
  }

  settle(list, cards) {
    return { ...cards, [list]: single(cards[list], false) };
  }

  shift(by) {
    const { list, key } = this.chosen;
    const cards = this.state.cards[list];
    const to = cards.findIndex((card) => card.key === key) + by;
    if (to < 0 || to >= cards.length) return;
    if (this.picked) {
      this.state = { ...this.state, cards: this.put(list, key, to) };
      this.base = this.picked.state;
      this.render();
      this.tell();
    } else this.commit({ cards: this.settle(list, this.put(list, key, to)) });
  }

  regrade(doc, grade) {
    if (grade > this.highest || this.state.grades.get(doc) === grade) return;
    this.commit({ grades: new Map(this.state.grades).set(doc, grade) });
  }

  setK(k) {
    const most = Math.max(10, ...["A", "B"].map((name) => (this.state.cards[name]?.length ?? 1) - 1));
    if (k >= 1 && k <= most) this.commit({ k });
  }

  double() {
    const { list, key } = this.chosen;
    this.commit({ cards: { ...this.state.cards, [list]: doubled(this.state.cards[list], key) } });
  }

  /** Out of the ranking, or back in at its end. A copy goes for good. */
  remove() {
    const { list, key } = this.chosen;
    const cards = this.state.cards[list];
    const end = cards.indexOf(END);
    const at = cards.findIndex((card) => card.key === key);
    const after = at > end ? moved(cards, key, end) : single(moved(cards, key, end), false);
    const focused = this.nodes[list].get(key)?.front === document.activeElement;
    if (!after.some((card) => card.key === key)) this.chosen = { list, key: after[Math.min(at, after.length - 1)].key };
    if (this.chosen.key === END.key) this.chosen = { list, key: after[0].key };
    this.commit({ cards: { ...this.state.cards, [list]: after } });
    if (focused) this.focusChosen();
  }

  arrange(order) {
    const { list } = this.chosen;
    this.commit({ cards: { ...this.state.cards, [list]: order(this.state.cards[list], this.state.grades) } });
  }

  undo() {
    if (!this.history.length) return;
    this.base = this.state;
    this.state = this.history.pop();
    if (this.challenge) this.challenge.moves = this.history.length;
    this.keepChosen();
    this.render();
    this.tell();
  }

  reset() {
    if (this.challenge) this.challengeOf(this.challenge.number);
    else this.commit(this.first);
  }

  compare() {
    const { cards } = this.state;
    if (cards.B) this.chosen = { list: "A", key: cards.A.find((card) => card !== END).key };
    this.commit({ cards: { ...cards, B: cards.B ? null : cards.A } });
  }

  look(measure) {
    this.eye = this.eye === measure ? null : measure;
    this.render({ glide: false });
  }

  challengeOf(number) {
    const kept = this.challenge?.kept ?? { state: this.state, history: this.history };
    const state = { ...this.first, cards: { A: this.first.cards.A, B: null } };
    const names = this.challenge?.names ?? CHALLENGES.filter((challenge) => solvable(challenge, state, state.cards.A));
    if (number >= names.length) return;
    this.challenge = { number, names, kept, moves: 0, start: look(state.cards.A, state) };
    this.start(state, []);
    this.challengeParts.task.scrollIntoView?.({ block: "nearest" });
  }

  leave() {
    const { state, history } = this.challenge.kept;
    this.challenge = null;
    this.start(state, history);
    this.buttons.challenge.focus();
  }

  start(state, history) {
    this.state = state;
    this.history = history;
    this.base = null;
    this.chosen = { list: "A", key: state.cards.A.find((card) => card !== END).key };
    this.render();
  }

  // ---------- keys ----------

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key === "Tab") {
      if (event.key === "Tab" && this.picked) this.drop();
      return;
    }
    if (event.key === "Escape" && this.drag) this.release(true);
    const front = event.target.closest(".rv-doc");
    if (front && this.cardKey(event.key, event.shiftKey)) event.preventDefault();
  }

  cardKey(key, shift) {
    const { list } = this.chosen;
    const cards = this.state.cards[list];
    const step = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (step && (shift || this.picked)) this.shift(step);
    else if (step) this.walk(step);
    else if (key === "Home" || key === "End") {
      const last = cards.indexOf(END) - 1;
      if (this.picked)
        this.shift((key === "Home" ? 0 : last) - cards.findIndex((card) => card.key === this.chosen.key));
      else this.choose(list, cards.filter((card) => card !== END).at(key === "Home" ? 0 : -1).key, true);
    } else if (key === "Enter" || key === " ") this.picked ? this.drop() : this.pick();
    else if (key === "Escape") this.picked && this.drop(true);
    else if (this.picked) return /^.$/.test(key);
    else if ((key === "ArrowLeft" || key === "ArrowRight") && this.state.cards.B) this.cross();
    else if (/^\d$/.test(key)) this.regrade(this.docOf(this.chosen), Number(key));
    else if (key === "Delete" || key === "Backspace") this.remove();
    else if (key === "d" || key === "D") this.double();
    else return false;
    return true;
  }

  walk(step) {
    const cards = this.state.cards[this.chosen.list].filter((card) => card !== END);
    const at = cards.findIndex((card) => card.key === this.chosen.key) + step;
    if (cards[at]) this.choose(this.chosen.list, cards[at].key, true);
  }

  cross() {
    const from = this.state.cards[this.chosen.list].findIndex((card) => card.key === this.chosen.key);
    const list = this.chosen.list === "A" ? "B" : "A";
    const cards = this.state.cards[list].filter((card) => card !== END);
    this.choose(list, cards[Math.min(from, cards.length - 1)].key, true);
  }

  pick() {
    this.picked = { state: this.state };
    this.render();
    const cards = this.state.cards[this.chosen.list];
    const at = cards.findIndex((card) => card.key === this.chosen.key);
    this.status.textContent = this.say("told_picked", {
      doc: this.docOf(this.chosen),
      rank: at + 1,
      count: cards.indexOf(END),
    });
  }

  drop(cancel = false) {
    const { state } = this.picked;
    const doc = this.docOf(this.chosen);
    const { list } = this.chosen;
    this.picked = null;
    const now = this.state;
    this.state = state;
    if (cancel || now === state) {
      this.base = this.history.at(-1) ?? null;
      this.render();
      this.status.textContent = this.say(cancel ? "told_cancelled" : "told_dropped", { doc });
    } else {
      this.commit({ cards: this.settle(list, now.cards) }, state);
    }
  }

  // ---------- the hand ----------

  grab(list, event) {
    const front = event.target.closest(".rv-doc");
    if (!front || event.button !== 0 || this.picked || this.drag) return;
    if (event.pointerType === "touch" && !event.target.closest(".rv-grip")) return; // elsewhere a finger scrolls
    const key = front.dataset.key;
    const start = { x: event.clientX, y: event.clientY };
    const onBadge = event.target.closest(".rv-badge") !== null;
    const { ol } = this.lists[list];
    const move = (moving) => {
      if (!this.drag && Math.hypot(moving.clientX - start.x, moving.clientY - start.y) > 4) {
        this.chosen = { list, key };
        this.drag = {
          list,
          key,
          li: front.parentElement,
          state: this.state,
          offset: start.y - front.getBoundingClientRect().top,
        };
        front.focus({ preventScroll: true });
      }
      if (this.drag) this.carry(moving.clientY);
    };
    const stop = (stopping) => {
      ol.ownerDocument.removeEventListener("pointermove", move);
      ol.ownerDocument.removeEventListener("pointerup", stop);
      ol.ownerDocument.removeEventListener("pointercancel", stop);
      if (this.drag) this.release(stopping.type === "pointercancel");
      else if (onBadge && stopping.type === "pointerup") {
        const doc = this.docOf({ list, key });
        this.regrade(doc, ((this.state.grades.get(doc) ?? -1) + 1) % (this.highest + 1));
      }
    };
    ol.ownerDocument.addEventListener("pointermove", move);
    ol.ownerDocument.addEventListener("pointerup", stop);
    ol.ownerDocument.addEventListener("pointercancel", stop);
  }

  /** The card goes where the hand is, and the list makes room: every measure answers on the way. */
  carry(y) {
    const { list, key, li, offset } = this.drag;
    const { ol } = this.lists[list];
    const top = y - offset - ol.getBoundingClientRect().top;
    const middle = top + li.offsetHeight / 2;
    const others = [...ol.children].filter((item) => item !== li && !item.classList.contains("rv-cut"));
    const to = others.filter((item) => item.offsetTop + item.offsetHeight / 2 < middle).length;
    if (to !== this.state.cards[list].findIndex((card) => card.key === key)) {
      this.base = this.drag.state;
      this.state = { ...this.state, cards: this.put(list, key, to) };
      this.render();
    } else if (!li.classList.contains("rv-dragged")) this.render({ glide: false });
    li.classList.add("rv-dragged");
    li.style.transform = `translateY(${top - li.offsetTop}px)`;
  }

  release(cancel) {
    const { list, li, state } = this.drag;
    const from = li.getBoundingClientRect().top;
    const now = this.state;
    this.drag = null;
    li.classList.remove("rv-dragged");
    li.style.transform = "";
    this.state = state;
    if (cancel || now === state) {
      this.base = this.history.at(-1) ?? null;
      this.render();
    } else this.commit({ cards: this.settle(list, now.cards) }, state);
    const by = from - li.getBoundingClientRect().top;
    if (!still() && by) slide(li, by);
  }
}

// ---------- small parts ----------

/** Puts the items in order around the focused one, which does not move in the page and so keeps the focus. */
function arrange(parent, items) {
  for (const child of [...parent.children]) if (!items.includes(child)) child.remove();
  const anchor = items.findIndex((item) => item.contains(document.activeElement));
  for (let i = anchor - 1; i >= 0; i--)
    if (items[i].nextSibling !== items[i + 1]) parent.insertBefore(items[i], items[i + 1]);
  for (let i = Math.max(anchor, 0); i < items.length; i++) {
    const after = i === 0 ? null : items[i - 1];
    if (i === anchor) continue;
    const next = after ? after.nextSibling : parent.firstChild;
    if (next !== items[i]) parent.insertBefore(items[i], next);
  }
}

/** Radio buttons in one frame, the words of the group before them. */
function choice(label, options, pick) {
  const name = uniqueId();
  const inputs = options.map(([value]) => element("input", { type: "radio", name, value: `${value}`, ...OWN_KEYS }));
  const labels = options.map(([, words], i) => element("label", {}, inputs[i], element("span", {}, words)));
  for (const input of inputs) input.addEventListener("change", () => pick(input.value));
  const legend = element("span", { id: uniqueId() }, label);
  const frame = element("span", { class: "rv-choice", role: "radiogroup", "aria-labelledby": legend.id }, ...labels);
  const set = (value) => {
    for (const input of inputs) input.checked = value !== null && input.value === `${value}`;
  };
  return { box: element("div", { class: "rv-setting" }, legend, frame), set };
}

/** A number runs to its new value; what it ends on is there at once for whoever reads it by name. */
function tick(node, value, words) {
  const from = Number(node.dataset.value || NaN);
  if (from === value) return;
  mark(node, "data-value", value ?? "");
  cancelAnimationFrame(node.frame);
  if (value === null || Number.isNaN(from) || still()) {
    write(node, words);
    return;
  }
  const start = performance.now();
  const run = (now) => {
    const t = Math.min(1, Math.max(0, (now - start) / TICK));
    node.textContent = t < 1 ? shown(from + (value - from) * (1 - (1 - t) ** 3)) : words;
    if (t < 1) node.frame = requestAnimationFrame(run);
  };
  run(start + 16);
}

/** Only a difference is written: whatever is written, the browser styles and measures anew. */
function write(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

function mark(node, name, value) {
  if (node.getAttribute(name) !== `${value}`) node.setAttribute(name, `${value}`);
}

function classes(node, base, extra) {
  const all = [base, ...Object.keys(extra).filter((name) => extra[name])].join(" ");
  if (node.className !== all) node.className = all;
}

function scale(bar, share) {
  const transform = `scaleX(${share ?? 0})`;
  if (bar.style.transform !== transform) bar.style.transform = transform;
}

/** From where it stood to where it stands; a glide on the way is cut short. */
function slide(node, by) {
  node.glide?.cancel();
  node.glide = node.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], GLIDE);
}

function sentence(lead, words, { gap }) {
  if (!lead) return words.charAt(0).toUpperCase() + words.slice(1);
  return lead + gap + words;
}

function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A grade as shape and number, as the figures draw it: circle 0, diamond 1, square 2, octagon above; ? unjudged. */
function badge(grade) {
  const shapes = {
    none: svg("circle", { cx: 14, cy: 14, r: 10.5, "stroke-dasharray": "3 3" }),
    0: svg("circle", { cx: 14, cy: 14, r: 10.5 }),
    1: svg("path", { d: "M14 1l13 13l-13 13l-13-13z" }),
    2: svg("rect", { x: 3, y: 3, width: 22, height: 22, rx: 3 }),
    3: svg("path", { d: "M9 2h10l7 7v10l-7 7h-10l-7-7v-10z" }),
  };
  const level = grade === null ? "none" : Math.min(grade, 3);
  const number = svg("text", { x: 14, y: 18.8, "text-anchor": "middle" }, grade === null ? "?" : `${grade}`);
  return svg(
    "svg",
    { viewBox: "0 0 28 28", width: 28, height: 28, class: `rv-grade-${level}`, "aria-hidden": "true" },
    shapes[level],
    number,
  );
}

function grip() {
  const dots = [4, 10, 16].flatMap((y) => [3, 9].map((x) => svg("circle", { cx: x, cy: y, r: 1.6 })));
  return svg("svg", { viewBox: "0 0 12 20", width: 12, height: 20, class: "rv-grip", "aria-hidden": "true" }, ...dots);
}

function icon() {
  const lid = svg("path", { d: "M1 9c4-7 12-7 16 0c-4 7-12 7-16 0z" });
  return svg(
    "svg",
    { viewBox: "0 0 18 18", width: 18, height: 18, "aria-hidden": "true" },
    lid,
    svg("circle", { cx: 9, cy: 9, r: 2.6 }),
  );
}

enhance("lab", mount);
