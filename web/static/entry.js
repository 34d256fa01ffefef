// Entering what one tap can't say. A form on the board becomes one command:
//
//   <form id="…" data-verb="plan" [data-outcome] [data-seat="red"]>
//
// Its inputs, in their order on the page, make the command's data by their names:
//   number           {"number": …}                a key
//   add.Castello     {"add": {"Castello": …}}     a key within a key
//   squares[]        {"squares": […, …]}          one more in a list
//   cards[1].area    {"cards": [{"area": …}]}     a key of the list's entry 1; entries left out are closed up
//   square+          {"square": "4" + "C"}        joined to what is there already
//   _choice          a name that begins with "_" is never sent
// Values are text; numbers from type=number or data-as="number"; true and false from a checkbox with data-as="flag";
// any JSON from data-as="json" (a hidden one gives what holds when nothing else is entered). data-repeat="long" puts
// that word into a list as often as the number says. Left out are empty texts, what isn't ticked, buttons but the
// one tapped, and all that stands in a [data-slot] whose [data-tick] is off (a box, a choice or an empty list).
//
// A refused form stays as it is. A push of the board carries over what is entered in forms of the same id, so an id
// tells what the form is for: "lay-3-red" is red's plan of round 3.
"use strict";

const entry = {
  /** The newest board, held back while a form is being sent or something is being typed. */
  held: null,
  sending: false,
};

function inUse(input) {
  const tick = input.closest("[data-slot]")?.querySelector("[data-tick]");
  if (!tick || tick === input) return true;
  return tick.matches("select") ? tick.value !== "" : tick.checked;
}

function valueOf(input) {
  if (input.dataset.as === "flag") return input.checked;
  if (/^(radio|checkbox)$/.test(input.type) && !input.checked) return undefined;
  if (input.value === "") return undefined;
  if (input.dataset.as === "json") return JSON.parse(input.value);
  if (input.dataset.as === "number" || input.type === "number") return Number(input.value);
  return input.value;
}

function put(data, name, value) {
  const steps = name.replace(/\+$/, "").match(/[^.[\]]+|\[\d*\]/g).map((step) => {
    if (step === "[]") return null;
    return step.startsWith("[") ? Number(step.slice(1, -1)) : step;
  });
  let here = data;
  steps.forEach((step, at) => {
    const key = step === null ? here.length : step;
    if (at === steps.length - 1) {
      here[key] = name.endsWith("+") && here[key] !== undefined ? here[key] + value : value;
    } else {
      here[key] ??= typeof steps[at + 1] === "string" ? {} : [];
      here = here[key];
    }
  });
}

function closeUp(value) {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(closeUp);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closeUp(item)]));
}

function collect(form, submitter) {
  const data = {};
  for (const input of form.elements) {
    if (!input.name || input.name.startsWith("_") || input.disabled) continue;
    if (input.matches("button") && input !== submitter) continue;
    const value = inUse(input) ? valueOf(input) : undefined;
    if (value === undefined) continue;
    if (input.dataset.repeat) for (let i = 0; i < value; i += 1) put(data, input.name, input.dataset.repeat);
    else put(data, input.name, value);
  }
  return closeUp(data);
}

async function submitForm(form, submitter) {
  const data = collect(form, submitter);
  const buttons = form.querySelectorAll("button");
  const open = Array.from(buttons).filter((button) => !button.disabled);
  entry.sending = true;
  open.forEach((button) => { button.disabled = true; });
  try {
    if (await command({ verb: form.dataset.verb, data, outcome: form.dataset.outcome, seat: form.dataset.seat })) {
      form.dataset.sent = "1";
    }
  } finally {
    open.forEach((button) => { button.disabled = false; });
    entry.sending = false;
    showHeld();
  }
}

/** Whether a push must wait: `same` when the game hasn't moved, so that nothing is missed by waiting. */
function mustWait(same) {
  return entry.sending || (same && document.activeElement?.matches("#board input:not([type=checkbox], [type=radio])"));
}

function showHeld() {
  const html = entry.held;
  entry.held = null;
  if (html !== null) show(html);
}

/** Carry what is half entered from the board that goes to the one that comes. */
function carryOver(old, next, same) {
  for (const input of old.querySelectorAll("input[id], select[id], textarea[id], details[id]")) {
    const twin = next.querySelector("#" + CSS.escape(input.id));
    if (!twin || twin.tagName !== input.tagName) continue;
    if (input.matches("details")) { twin.open = input.open; continue; }
    const form = input.closest("form[id]");
    if (!same && !(form && twin.closest("form")?.id === form.id && !form.dataset.sent)) continue;
    if (input.matches("[type=checkbox], [type=radio]")) twin.checked = input.checked;
    else twin.value = input.value;
  }
}

/** Show what a form's inputs add up to: what is left, which steps are still possible. */
function refresh(form) {
  const inputs = Array.from(form.querySelectorAll("[data-counted]")).filter(inUse);
  const sum = inputs.reduce((total, input) => total + Number(input.value || 0), 0);
  const used = inputs.filter((input) => Number(input.value) > 0).length;
  const total = form.dataset.total === undefined ? Infinity : Number(form.dataset.total);
  const most = form.dataset.most === undefined ? Infinity : Number(form.dataset.most);
  for (const output of form.querySelectorAll("[data-left]")) output.textContent = String(total - sum);
  for (const output of form.querySelectorAll("[data-sum]")) output.textContent = String(sum);
  for (const button of form.querySelectorAll("[data-step]")) {
    const input = button.parentElement.querySelector("input");
    const counted = "counted" in input.dataset;
    const value = Number(input.value || 0);
    button.disabled = button.dataset.step === "1"
      ? value >= Number(input.max || Infinity) || (counted && (sum >= total || (!value && used >= most)))
      : value <= Number(input.min || 0);
  }
}

function refreshAll() {
  for (const form of document.querySelectorAll("#board form[data-verb]")) {
    refresh(form);
    if (form.dataset.pick) drawPicks(form);
  }
}

function step(button) {
  const input = button.parentElement.querySelector("input");
  const change = Number(button.dataset.step);
  // The first step may go farther: with 3 of one other there, one must come with 3 at least.
  const first = Number(input.dataset.first || 1);
  const value = Number(input.value || 0);
  let next = value + change;
  if (change > 0 && value < first) next = first;
  if (change < 0 && next < first) next = Number(input.min || 0);
  input.value = String(Math.max(Number(input.min || 0), Math.min(Number(input.max || Infinity), next)));
  const tick = input.closest("[data-slot]")?.querySelector("input[data-tick]");
  if (tick && change > 0) tick.checked = true;
  if (input.form) refresh(input.form);
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-verb]");
  if (!form) return;
  event.preventDefault();
  submitForm(form, event.submitter);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-step]");
  if (button) step(button);
});
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-verb]");
  if (form) refresh(form);
});
document.addEventListener("focusout", () => setTimeout(() => { if (!entry.sending) showHeld(); }));
document.addEventListener("board", refreshAll);
