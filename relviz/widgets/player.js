import { button, dataOf, element, enhance, OWN_KEYS, uniqueId } from "./base.js";

const DWELL = [3, 5, 8, 15]; // seconds that a step stays while playing
const GLIDE = { duration: 400, easing: "ease-in-out" };
const SCROLL = 80; // pixels for Shift with an arrow

/**
 * Turns the static list of steps into a player. The list stays in the page: hidden, shown on request, and printed.
 * @param {HTMLElement} root
 * @param {Record<string, string>} words
 */
export function mount(root, words, index = 0, onStep = (/** @type {number} */ _index) => {}) {
  return new Player(root, words, index, onStep);
}

class Player {
  constructor(root, words, index, onStep) {
    Object.assign(this, { root, words, onStep, index: -1, timer: 0 });
    this.list = root.querySelector("ol");
    this.steps = [...this.list.children].map((item) => {
      const image = item.querySelector("img");
      const caption = [...item.children].filter((child) => !child.contains(image));
      for (const [name, value] of Object.entries(OWN_KEYS)) image.closest("div").setAttribute(name, value);
      const narrow = item.querySelector("source");
      const url = narrow && matchMedia(narrow.media).matches ? narrow.srcset : image.src;
      return { caption, svg: inlineSvg(url, image.alt) };
    });
    this.last = this.steps.length - 1;
    this.build();
    this.show(Math.min(index, this.last));
    root.addEventListener("keydown", (event) => this.key(event));
  }

  build() {
    const { words, root } = this;
    this.previous = button("previous", words, () => this.jump(this.index - 1));
    this.play = button("play", words, () => (this.timer ? this.pause() : this.start()));
    this.next = button("next", words, () => this.jump(this.index + 1));
    this.all = button("all", words, () => this.toggleList());
    this.enlarge = button("enlarge", words, () => this.toggleDialog());
    const seconds = DWELL.map((n) => element("option", { value: `${n}` }, words.seconds.replace("{seconds}", `${n}`)));
    this.dwell = element("select", OWN_KEYS, ...seconds);
    this.dwell.value = "5";

    this.marks = element("div", { class: "rv-marks", "aria-hidden": "true" }, ...this.steps.map(() => element("i")));
    this.frame = element("figure", { role: "group", "aria-label": words.figure, tabindex: "0", ...OWN_KEYS });
    for (const side of ["width", "height"]) {
      const drawn = Math.max(...this.steps.map(({ svg }) => svg.viewBox.baseVal?.[side] ?? 0));
      this.frame.style.setProperty(`--rv-${side}`, `${drawn}px`);
    }
    this.caption = element("div", { class: "rv-caption", "aria-live": "polite", "aria-atomic": "true" });
    // Unseen copies of every caption keep the place as tall as the longest, so that nothing below moves.
    const room = this.steps.map((_, n) => element("div", { "aria-hidden": "true" }, ...this.captionOf(n)));
    const hint = element("p", { class: "rv-keys", id: uniqueId() }, words.keys);

    this.stage = element(
      "div",
      { class: "rv-stage" },
      this.marks,
      this.frame,
      element("div", { class: "rv-captions" }, this.caption, ...room),
      hint,
    );
    const controls = [this.previous, this.play, this.next, element("span", { class: "rv-space" })];
    const dwell = element("label", {}, words.dwell, " ", this.dwell);
    this.controls = element("div", { class: "rv-controls" }, ...controls, dwell, this.all, this.enlarge);
    const title = root.querySelector(".rv-title");
    title.id = uniqueId();
    this.card = element("div", { class: "rv-card" }, title, this.controls, this.stage);
    this.dialog = element("dialog", { tabindex: "-1", ...OWN_KEYS });
    this.dialog.addEventListener("close", () => this.leaveDialog());
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.leaveDialog());

    const names = { "aria-labelledby": title.id, "aria-describedby": hint.id, "aria-roledescription": words.role };
    for (const [name, value] of Object.entries({ role: "group", tabindex: "-1", ...names, ...OWN_KEYS }))
      root.setAttribute(name, value);
    this.dialog.setAttribute("aria-labelledby", title.id);
    this.list.hidden = true;
    this.list.before(this.card, this.dialog);
  }

  captionOf(index) {
    const position = this.words.position.replace("{step}", `${index + 1}`).replace("{count}", `${this.last + 1}`);
    const caption = this.steps[index].caption.map((child) => child.cloneNode(true));
    return [element("p", { class: "rv-position" }, position), ...caption];
  }

  /** Shows a step without telling anybody who plays, and without moving the focus. */
  show(index) {
    const before = placesOf(this.frame);
    const { svg } = this.steps[index];
    const moved = this.index !== -1 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.index = index;
    this.frame.replaceChildren(svg);
    if (moved) glide(svg, before);
    this.caption.replaceChildren(...this.captionOf(index));
    for (const [n, mark] of [...this.marks.children].entries()) mark.classList.toggle("rv-done", n <= index);
    this.previous.setAttribute("aria-disabled", `${index === 0}`);
    this.next.setAttribute("aria-disabled", `${index === this.last}`);
    this.label();
    this.onStep(index);
  }

  /** Goes where the reader or Python says; playing stops. */
  jump(index) {
    this.pause();
    const step = Math.max(0, Math.min(this.last, index));
    if (step !== this.index) this.show(step);
  }

  start() {
    this.caption.setAttribute("aria-live", "off");
    this.timer = -1; // playing, before the first wait
    if (this.index === this.last) this.show(0);
    this.wait();
  }

  wait() {
    this.timer = setTimeout(() => {
      if (document.hidden || !this.root.isConnected) return this.pause();
      this.show(this.index + 1);
      return this.index < this.last ? this.wait() : this.pause();
    }, 1000 * this.dwell.value);
    this.label();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.caption.setAttribute("aria-live", "polite");
    this.label();
  }

  label() {
    const name = this.timer ? "pause" : this.index === this.last && this.last > 0 ? "replay" : "play";
    this.play.textContent = this.words[name];
    this.play.classList.toggle("rv-playing", this.timer !== 0);
  }

  toggleList() {
    this.pause();
    const listed = this.list.hidden;
    this.list.hidden = !listed;
    this.stage.hidden = listed;
    this.card.classList.toggle("rv-listed", listed);
    this.all.textContent = this.words[listed ? "one" : "all"];
  }

  toggleDialog() {
    if (this.dialog.open) return this.leaveDialog();
    this.root.style.minHeight = `${this.root.offsetHeight}px`; // the page behind keeps still
    this.dialog.append(this.card);
    this.dialog.showModal();
    this.enlarge.textContent = this.words.shrink;
    return this.enlarge.focus();
  }

  leaveDialog() {
    if (!this.dialog.contains(this.card)) return; // its "close" event comes late
    this.dialog.close();
    this.dialog.before(this.card);
    this.root.style.minHeight = "";
    this.enlarge.textContent = this.words.enlarge;
    this.enlarge.focus();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key, shiftKey, target } = event;
    const step = { ArrowLeft: this.index - 1, ArrowRight: this.index + 1, Home: 0, End: this.last }[key];
    if (step === undefined && key !== " " && !(key === "Escape" && this.dialog.open)) return;
    event.stopPropagation(); // slides listen further out
    const native = target.closest("select, input, textarea") || (key === " " && target.closest("button"));
    if (native || key === "Escape" || this.stage.hidden) return;
    event.preventDefault();
    if (key === " ") this.play.click();
    else if (shiftKey && key.startsWith("Arrow")) this.frame.scrollLeft += key === "ArrowLeft" ? -SCROLL : SCROLL;
    else if (!shiftKey) this.jump(step);
  }
}

/**
 * The SVG of an image, ready to stand in the page: its ids are its own, its styles stay inside, nothing in it runs.
 * @param {string} url  data:image/svg+xml,... percent-encoded
 * @param {string} alt
 */
function inlineSvg(url, alt) {
  const source = decodeURIComponent(url.slice(url.indexOf(",") + 1));
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
  const svg = /** @type {any} */ (document.importNode(parsed.documentElement, true));
  const scope = uniqueId();
  for (const node of [svg, ...svg.querySelectorAll("*")]) {
    if (/^(script|foreignObject)$/i.test(node.localName)) node.remove();
    if (node.localName === "style") node.textContent = `.${scope} { ${node.textContent} }`;
    for (const attribute of [...node.attributes]) {
      const { localName, value } = attribute;
      if (localName.startsWith("on") || (localName === "href" && !/^(#|data:image\/)/.test(value)))
        node.removeAttributeNode(attribute);
      else if (localName === "id") attribute.value = `${scope}-${value}`;
      else if (localName === "href") attribute.value = value.replace(/^#/, `#${scope}-`);
      else if (value.includes("url(")) attribute.value = value.replace(/url\((["']?)#/g, `url($1#${scope}-`);
    }
  }
  svg.classList.add(scope);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", alt);
  return svg;
}

/** Where each keyed element of a figure stands on the screen, even in the middle of a glide. */
function placesOf(frame) {
  const places = new Map();
  for (const node of frame.querySelectorAll("[data-key]"))
    places.set(node.dataset.key, { box: node.getBoundingClientRect(), bar: barOf(node) });
  return places;
}

/** Elements that were in the figure before go from their old place to the new one; those that were not fade in. */
function glide(svg, before) {
  for (const old of svg.getAnimations({ subtree: true })) old.cancel();
  const scale = 1 / (svg.getScreenCTM()?.a || 1);
  const moves = [];
  for (const node of svg.querySelectorAll("[data-key]")) {
    const from = before.get(node.dataset.key);
    moves.push([node, from, node.getBoundingClientRect()]); // measure all before the first starts to move
  }
  for (const [node, from, box] of moves) {
    const bar = barOf(node);
    if (!from) node.animate({ opacity: [0, 1] }, GLIDE);
    else if (bar && from.bar) node.animate([from.bar, bar], GLIDE);
    else {
      const x = scale * (from.box.x + from.box.width / 2 - box.x - box.width / 2);
      const y = scale * (from.box.y + from.box.height / 2 - box.y - box.height / 2);
      const there = { transform: `translate(${x}px, ${y}px)` };
      if (x || y) node.animate([there, { transform: "translate(0, 0)" }], { ...GLIDE, composite: "add" });
    }
  }
}

/** A bar grows from one size to the next; all else keeps its shape. */
function barOf(node) {
  if (node.localName !== "rect") return null;
  const { x, y, width, height } = getComputedStyle(node);
  return { x, y, width, height };
}

export default {
  render({ model, el }) {
    el.innerHTML = model.get("html");
    const root = el.firstElementChild;
    root.dataset.live = "";
    const player = mount(root, dataOf(root), model.get("index"), (index) => {
      if (index === model.get("index")) return;
      model.set("index", index);
      model.save_changes();
    });
    // The model also reports what was just set from here; that is no reason to stop playing.
    const follow = () => model.get("index") !== player.index && player.jump(model.get("index"));
    model.on("change:index", follow);
    return () => model.off("change:index", follow);
  },
};

enhance("player", mount);
