import { button, element, enhance, fill, frame, OWN_KEYS, uniqueId } from "./base.js";

/**
 * Turns the static list into a quiz or a stack of flash cards.
 * @param {HTMLElement} root
 * @param {any} data  words and either questions [{text, options [{text, why, right}], several}] or cards
 */
export function mount(root, data) {
  const list = /** @type {HTMLElement} */ (root.querySelector(".rv-static"));
  list.hidden = true;
  for (const part of list.querySelectorAll("details")) part.open = true; // for paper, which shows the list
  list.before(data.questions ? quiz(data.words, data.questions) : cards(data.words, data.cards));
  frame(root);
}

// ---------- quiz ----------

function quiz(words, questions) {
  const box = element("div", { class: "rv-quiz" });
  const score = element("p", { class: "rv-score", role: "status" });
  const again = button("again", words, () => {
    start();
    again.focus(); // it was taken out with the rest, and put back
  });
  const start = () => {
    const tries = new Map(); // question -> whether the first try was right
    const answered = (number, right) => {
      if (tries.has(number)) return;
      tries.set(number, right);
      const first = [...tries.values()].filter(Boolean).length;
      score.textContent = fill(words.score, { right: first, answered: tries.size, count: questions.length });
    };
    score.textContent = "";
    const parts = questions.map((question, i) => {
      const ask = question.several ? several : single;
      return ask(words, question, (right) => answered(i, right));
    });
    box.replaceChildren(...parts, element("div", { class: "rv-foot" }, score, again));
  };
  start();
  return box;
}

/** One right option: whichever is pressed answers at once; the others may be pressed as well. */
function single(words, { text, options }, answered) {
  const list = options.map((option) => {
    const why = element("div", { class: "rv-why", role: "status" });
    const press = element("button", { type: "button", class: "rv-option", ...OWN_KEYS }, option.text);
    press.addEventListener("click", () => {
      press.classList.add(option.right ? "rv-right" : "rv-not");
      show(why, words, option.right ? "right" : "wrong", option, option.right);
      answered(option.right);
    });
    return element("li", {}, press, why);
  });
  return asked(text, words.one, list);
}

/** Several right options: choose, then check; each says whether it belonged. */
function several(words, { text, options }, answered) {
  const parts = options.map((option) => {
    const input = element("input", { type: "checkbox", ...OWN_KEYS });
    const why = element("div", { class: "rv-why" });
    const label = element("label", { class: "rv-option" }, input, element("span", {}, option.text));
    input.addEventListener("change", () => {
      why.replaceChildren();
      label.classList.remove("rv-right", "rv-not");
    });
    return { option, input, why, label, item: element("li", {}, label, why) };
  });
  const verdict = element("p", { class: "rv-verdict", role: "status" });
  const check = button("check", words, () => {
    for (const { option, input, why, label } of parts) {
      const well = input.checked === option.right;
      label.classList.toggle("rv-right", well);
      label.classList.toggle("rv-not", !well);
      const name = `${option.right ? "right" : "wrong"}_${input.checked ? "chosen" : "left"}`;
      show(why, words, name, option, well);
    }
    const well = parts.filter(({ option, input }) => input.checked === option.right).length;
    verdict.textContent = fill(words.verdict, { well, count: parts.length });
    answered(well === parts.length);
  });
  return asked(
    text,
    words.several,
    parts.map(({ item }) => item),
    element("div", { class: "rv-foot" }, check, verdict),
  );
}

function asked(text, hint, items, ...rest) {
  const name = element("p", { class: "rv-question", id: uniqueId() }, text);
  const list = element("ul", {}, ...items);
  return element(
    "div",
    { class: "rv-asked", role: "group", "aria-labelledby": name.id },
    name,
    element("p", { class: "rv-hint" }, hint),
    list,
    ...rest,
  );
}

function show(node, words, verdict, { why }, well) {
  node.className = `rv-why ${well ? "rv-why-right" : "rv-why-wrong"}`;
  node.replaceChildren(element("strong", {}, words[verdict]), words.gap, why);
}

// ---------- flash cards ----------

function cards(words, stack) {
  let at = 0;
  const open = new Set();
  const position = element("p", { class: "rv-position", "aria-live": "polite" });
  const question = element("p", { class: "rv-question" });
  const level = element("span", { class: "rv-level" });
  const sides = ["short", "long", "trap"].map((side) => {
    const answer = element("p", { id: uniqueId(), class: `rv-answer rv-answer-${side}` });
    const press = element("button", { type: "button", class: "rv-option", "aria-controls": answer.id, ...OWN_KEYS });
    press.textContent = words[side];
    press.addEventListener("click", () => {
      if (!open.delete(side)) open.add(side);
      render();
    });
    return { side, answer, press };
  });
  const go = (to) => {
    if (to < 0 || to >= stack.length) return;
    at = to;
    open.clear();
    render();
  };
  const previous = button("previous", words, () => go(at - 1));
  const next = button("next", words, () => go(at + 1));
  const render = () => {
    const card = stack[at];
    question.textContent = card.question;
    level.textContent = words[card.level];
    position.textContent = fill(words.position, { number: at + 1, count: stack.length });
    for (const { side, answer, press } of sides) {
      answer.textContent = card[side];
      answer.hidden = !open.has(side);
      press.setAttribute("aria-expanded", `${open.has(side)}`);
    }
    previous.setAttribute("aria-disabled", `${at === 0}`);
    next.setAttribute("aria-disabled", `${at === stack.length - 1}`);
  };
  const answers = sides.flatMap(({ answer, press }) => [press, answer]);
  const front = element("div", { class: "rv-front" }, element("div", { class: "rv-head" }, position, level), question);
  const foot = element("div", { class: "rv-foot" }, previous, next, element("span", { class: "rv-hint" }, words.keys));
  const box = element("div", { class: "rv-cards" }, front, ...answers, foot);
  box.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(at + step);
  });
  render();
  return box;
}

enhance("quiz", mount);
