// A lesson's page: asks what to do now, sends what is tapped, and draws over the live picture.
"use strict";

const lesson = document.getElementById("lesson");
const panel = document.getElementById("panel");
const PANEL_MS = 700;
const STILL_MS = 250;
const points = new Points(document.getElementById("stage"), pointsChanged);
let taps = null;

function now() { return document.getElementById("now"); }

function overlay() {
  const drawn = JSON.parse(now().dataset.overlay);
  taps = drawn.taps;
  points.show(taps, { lines: drawn.lines || [], letters: drawn.letters || {}, words: drawn.words || [], zoom: drawn.zoom });
}

// What is typed or opened outlives a fresh panel of the same step.
function fill(html) {
  const old = now();
  const kept = new Map();
  for (const field of panel.querySelectorAll("input, select")) {
    if (field.id) kept.set(field.id, field.type === "radio" || field.type === "checkbox" ? field.checked : field.value);
  }
  const open = new Set([...panel.querySelectorAll("details[open]")].map((each) => each.id));
  const focus = panel.contains(document.activeElement) ? document.activeElement.id : "";
  panel.innerHTML = html;
  if (old && old.dataset.at === now().dataset.at) {
    for (const [id, value] of kept) {
      const field = document.getElementById(id);
      if (!field) continue;
      if (field.type === "radio" || field.type === "checkbox") field.checked = value; else field.value = value;
    }
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  } else {
    const heading = panel.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }
  count();
  overlay();
  announce();
}

// A region that comes with a fresh panel isn't read aloud; one that stays is.
function announce() {
  const words = (each) => [...each.querySelectorAll("p")].map((line) => line.textContent.trim()).join(" ");
  const text = [...panel.querySelectorAll("[data-told]")].map(words).filter(Boolean).join(" ");
  const told = document.getElementById("told");
  if (told.textContent !== text) told.textContent = text;
}

function count() {
  const busy = panel.querySelector("[data-since]");
  if (!busy) return;
  const began = performance.now() - 1000 * Number(busy.dataset.since);
  const tick = () => {
    if (!busy.isConnected) return;
    busy.querySelector("output").textContent = `${Math.floor((performance.now() - began) / 1000)} s`;
    setTimeout(tick, 1000);
  };
  tick();
}

async function ask(verb, wish) {
  const options = { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(wish) };
  let answer;
  try { answer = await fetchInTime(lesson.dataset.ask + verb, options); } catch {
    tell(lesson.dataset.unreachable);
    return;
  }
  if (answer.ok) { fill(await answer.text()); return; }
  let text = lesson.dataset.failed;
  try { text = (await answer.json()).error || text; } catch { /* not JSON: the plain sentence serves */ }
  tell(text);
}

function sheet() {
  const chosen = panel.querySelector("input[name=sheet]:checked");
  if (!chosen || chosen.value !== "own") return chosen ? chosen.value : "a4";
  return ["sheet-w", "sheet-h"].map((id) => Number(document.getElementById(id).value));
}

let later = 0;
function pointsChanged(all, complete) {
  clearTimeout(later);
  if (!taps || !complete) return;
  const { verb } = taps;
  later = setTimeout(() => {
    if (!taps || taps.verb !== verb) return;  // the next step came meanwhile
    const wish = { [taps.key]: all.map((point) => point.map((value) => Math.round(value * 10) / 10)) };
    if (panel.querySelector("input[name=sheet]")) wish.sheet = sheet();
    if (document.getElementById("card-w")) wish.card_mm = ["card-w", "card-h"].map((id) => Number(document.getElementById(id).value));
    ask(taps.verb, wish);
  }, STILL_MS);
}

async function follow() {
  try {
    const answer = await fetchInTime(lesson.dataset.panel + "?seen=" + now().dataset.version);
    status("");
    if (answer.status === 403) location.assign(lesson.dataset.door);
    // What is being dragged isn't taken out of the hand.
    if (answer.status === 200 && points.held < 0) fill(await answer.text());
  } catch { status(lesson.dataset.reconnecting); }
  if (document.visibilityState === "visible") setTimeout(follow, PANEL_MS);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.toy) carefully(button, "/toy/" + button.dataset.toy, JSON.parse(button.dataset.args || "{}"));
  else if (button.dataset.ask && !isDoubled(button.dataset.ask)) ask(button.dataset.ask, JSON.parse(button.dataset.wish || "{}"));
  else if ("placeAll" in button.dataset) points.setAll();
});

panel.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const fields = Object.fromEntries(new FormData(form));
  if (form.dataset.form === "die") ask("die", { which: "own", names: fields });
  else if (form.dataset.form === "mat") ask("mat", { ruler_mm: Number(fields.ruler_mm) });
  else if (form.dataset.form === "labels") {
    const dial = (name) => ({ labels: fields[name + ".labels"], sizes: fields[name + ".sizes"] });
    ask("labels", { number: dial("number"), letter: dial("letter") });
  }
});

panel.addEventListener("change", (event) => {
  if (event.target.closest(".lesson-sheet")) pointsChanged(points.points, points.wanted && points.points.length === points.wanted);
});

document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") follow(); });
count();
overlay();
follow();
