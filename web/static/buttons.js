// The host's page for the buttons at the table: asks how they are, and shows it. All words are in the page already.
"use strict";

const ASK_MS = 250;
const desk = document.getElementById("desk");
const order = desk ? Array.from(desk.querySelectorAll("[data-button]"), (row) => row.dataset.button) : [];
const trial = { on: false, before: null, done: new Set() };

async function post(url, body) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 5000);
  try {
    const answer = await fetch(url, {
      method: "POST", body: JSON.stringify(body), signal: stop.signal,
      headers: { "Content-Type": "application/json", Accept: "application/json" },
    });
    if (answer.status === 204) return {};
    const said = await answer.json();
    return answer.ok ? said : { error: said.error };
  } finally { clearTimeout(timer); }
}

function when(name) {
  for (const words of desk.querySelectorAll("#ask [data-when]")) words.hidden = words.dataset.when !== name;
}

function warn(text) {
  const line = document.getElementById("desk-said");
  line.textContent = text || "";
  line.hidden = !text;
}

function showRow(row, state) {
  const name = row.dataset.button;
  const pin = state.pins[name];
  row.classList.toggle("is-down", state.down.includes(name));
  row.querySelector(".done").hidden = !trial.done.has(name);
  row.querySelector("[data-pin]").hidden = pin === null;
  row.querySelector("[data-no-pin]").hidden = pin !== null;
  row.querySelector("[data-gpio]").textContent = pin;
  row.querySelector("[data-header]").textContent = state.header[name];
}

// Which words fit now: a trial asks for one button after the other.
function follow(state) {
  const trying = trial.on && state.testing;  // only then a press counts for nothing in the game
  if (trying) {
    trial.before ||= state.pressed;
    for (const name of order) if (state.pressed[name] > trial.before[name]) trial.done.add(name);
  }
  const next = order.find((name) => !trial.done.has(name));
  if (state.learning) when("learning");
  else if (trying) when(next ? "ask-" + next : "all");
  else when("idle");
}

function show(state) {
  if (state.error) { warn(state.error); return; }
  follow(state);
  for (const row of desk.querySelectorAll("[data-button]")) showRow(row, state);
  warn(state.said);
  document.getElementById("stop-learning").hidden = !state.learning;
  for (const button of desk.querySelectorAll("[data-learn]")) {
    button.disabled = Boolean(state.learning);
    button.classList.toggle("is-on", button.dataset.learn === state.learning);
  }
}

async function ask() {
  if (document.visibilityState === "visible") {
    try { show(await post(desk.dataset.state, { testing: trial.on })); } catch { when("lost"); }
  }
  setTimeout(ask, ASK_MS);
}

async function toggleTrial() {
  Object.assign(trial, { on: !trial.on, before: null, done: new Set() });
  const button = document.getElementById("test");
  for (const words of button.querySelectorAll("[data-when]")) words.hidden = (words.dataset.when === "testing") !== trial.on;
  show(await post(desk.dataset.state, { testing: trial.on }));
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  try {
    if (button.id === "test") await toggleTrial();
    else if (button.id === "stop-learning") show(await post(desk.dataset.cancel, {}));
    else if (button.dataset.learn) show(await post(desk.dataset.learn, { button: button.dataset.learn }));
    else if (button.dataset.press) await post("/press/" + button.dataset.press, {});
  } catch { if (desk) when("lost"); }
});

if (desk) ask();
