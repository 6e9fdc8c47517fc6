// What every widget shares in the browser.

/**
 * JupyterLab and Notebook take the arrow keys and single letters for themselves unless the focused element
 * itself says otherwise, so every focusable element of a widget carries this attribute.
 */
export const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

let ids = 0;

/** An id that no other widget on the page has. */
export function uniqueId() {
  ids += 1;
  return `rv${ids}-${Math.random().toString(36).slice(2, 8)}`;
}

/**
 * An element; children that are strings become text, never markup.
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * The same for SVG, where attributes may be numbers.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function svg(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, `${value}`);
  node.append(...children);
  return node;
}

/**
 * Words with their {places} filled.
 * @param {string} words
 * @param {Record<string, unknown>} places
 */
export function fill(words, places) {
  return words.replace(/\{(\w+)\}/g, (_, name) => `${places[name]}`);
}

/**
 * A count as Python writes f"{n:,}".
 * @param {number} n
 */
export function count(n) {
  return `${n}`.replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * Makes a widget one thing for assistive technology, named by its title, and keeps its keys from slides and notebooks.
 * @param {HTMLElement} root
 * @param {Record<string, string>} attributes
 */
export function frame(root, attributes = {}) {
  const title = /** @type {HTMLElement} */ (root.querySelector(".rv-title"));
  title.id = uniqueId();
  const names = { role: "group", "aria-labelledby": title.id, ...attributes };
  for (const [name, value] of Object.entries(names)) root.setAttribute(name, value);
  root.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.altKey && !event.metaKey && event.key !== "Tab") event.stopPropagation();
  });
}

/**
 * A button that says what it does in words and keeps the notebook's shortcuts away.
 * @param {string} name  its class is rv-NAME, its label words[NAME]
 * @param {Record<string, string>} words
 * @param {() => void} press
 */
export function button(name, words, press) {
  const node = element("button", { type: "button", class: `rv-button rv-${name}`, ...OWN_KEYS }, words[name]);
  node.addEventListener("click", () => node.getAttribute("aria-disabled") === "true" || press());
  return node;
}

/**
 * Tells the width of a box whenever it has another one, so that pictures are drawn for it: stretched to it, their words
 * would be too small on one page and too large on the next.
 * @param {HTMLElement} box
 * @param {(width: number) => void} draw
 */
export function onWidth(box, draw) {
  let last = 0;
  const watch = new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (width === last || width === 0) return; // 0: on a slide that is not shown
    last = width;
    requestAnimationFrame(() => draw(width)); // not now: what is drawn changes the size of the box
  });
  watch.observe(box);
}

/**
 * Brings to life every output of a kind that the page holds. Some hosts attach the output only after
 * its script has run, hence the patience.
 * @param {string} kind
 * @param {(root: HTMLElement, data: any) => void} mount
 */
export function enhance(kind, mount, tries = 50) {
  const roots = document.querySelectorAll(`[data-relviz="${kind}"]:not([data-live])`);
  for (const root of /** @type {NodeListOf<HTMLElement>} */ (roots)) {
    root.dataset.live = "";
    mount(root, dataOf(root));
  }
  if (!roots.length && tries > 0) setTimeout(() => enhance(kind, mount, tries - 1), 100);
}

/**
 * What Python put beside the static content.
 * @param {HTMLElement} root
 */
export function dataOf(root) {
  return JSON.parse(root.querySelector("script[type='application/json']")?.textContent ?? "null");
}
