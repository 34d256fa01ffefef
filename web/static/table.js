// The page of the table: keeps the board fresh, sends what is tapped, and remembers what is half chosen.
"use strict";

const live = document.getElementById("live");

function board() { return document.getElementById("board"); }

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A sentence that names a rule leads there: "rule VZ-R15" opens the rules at VZ-R15.
function tell(text) {
  const said = document.getElementById("said");
  said.replaceChildren();
  for (const piece of text.split(/\b([A-Z]{2}-[REQL]\d+)\b/)) {
    const link = /^[A-Z]{2}-[REQL]\d+$/.test(piece) && board().dataset.rules;
    if (!link) { said.append(piece); continue; }
    const anchor = document.createElement("a");
    Object.assign(anchor, { href: link + "#" + piece, target: "_blank", textContent: piece, className: "rule" });
    said.append(anchor);
  }
  said.hidden = !text;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { said.hidden = true; }, 9000);
}

// A push replaces the whole board; what a person has half entered on it must survive that (see entry.js).
function show(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const next = fresh.content.firstElementChild;
  if (!next) return;
  const same = next.dataset.seq === board().dataset.seq;
  if (mustWait(same)) { entry.held = html; return; }
  carryOver(board(), next, same);
  chime(board(), next);
  const focused = document.activeElement;
  const before = whereabouts(board());
  board().replaceWith(next);
  twinOf(focused, next)?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("board"));
  if (!same) {
    travel(before, next);
    document.getElementById("changed").textContent = inWords(next);
  }
}

/** Find on the new board what was focused on the old one, so that a keyboard goes on where it was. */
function twinOf(old, next) {
  if (!old || old.isConnected) return null;
  if (old.id) return document.getElementById(old.id);
  const { verb, act, data, step } = old.dataset;
  const like = Array.from(next.querySelectorAll("button")).filter((button) =>
    button.dataset.verb === verb && button.dataset.act === act && (verb || act) && !step);
  return like.find((button) => button.dataset.data === data) || like[0] || next.querySelector(".dock button");
}

/** Say what a new board tells, for a screen reader: what happened, then what is asked. */
function inWords(next) {
  const told = Array.from(next.querySelectorAll(".change, .log li, #turn h1"), (thing) => thing.textContent);
  return told.map((text) => text.replace(/\s+/g, " ").trim()).join(". ");
}

// One stream while the page is seen. Whatever goes wrong with it, the board is asked for every 2 seconds until a
// stream stands again: a browser's own tries can take minutes, and a refused stream it never tries again.
const link = { source: null, timer: 0, watch: 0, failures: 0, tab: newId() };
const SILENCE_MS = 40000;  // the server says something every 15 s
const POLL_MS = 2000;
const MOST_POLLS = 15;     // between two tries for a stream

function status(text) { document.getElementById("link").textContent = text; }

function address(path, query) {
  const url = new URL(path, location.href);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function connect() {
  disconnect();
  const source = new EventSource(address(live.dataset.live, { tab: link.tab }));
  link.source = source;
  const alive = () => {
    if (link.source !== source) return;
    status("");
    clearTimeout(link.watch);
    link.watch = setTimeout(connect, SILENCE_MS);
  };
  source.addEventListener("board", (event) => { link.failures = 0; alive(); show(event.data); });
  source.addEventListener("beat", alive);
  source.addEventListener("open", alive);
  source.addEventListener("error", () => {
    if (link.source !== source) return;
    disconnect();
    link.failures += 1;
    poll(Math.min(link.failures, MOST_POLLS));
  });
  link.watch = setTimeout(connect, SILENCE_MS);
}

function disconnect() {
  clearTimeout(link.timer);
  clearTimeout(link.watch);
  if (link.source) link.source.close();
  link.source = null;
}

async function fetchInTime(url, options = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 8000);
  try { return await fetch(url, { ...options, signal: stop.signal }); } finally { clearTimeout(timer); }
}

async function newest() {
  const answer = await fetchInTime(address(live.dataset.board, { tick: board().dataset.tick }));
  if (answer.status === 403) location.assign(live.dataset.door);
  if (answer.status === 200) show(await answer.text());
  return answer.ok;
}

async function poll(left) {
  let reached = false;
  try { reached = await newest(); } catch { /* said by the status line */ }
  if (document.visibilityState !== "visible" || link.source) return;
  status(reached ? "" : live.dataset.reconnecting);
  // Without an answer a stream has no chance either: ask on.
  link.timer = setTimeout(() => (left > 1 || !reached ? poll(reached ? left - 1 : left) : connect()), POLL_MS);
}

// The screen stays on where the browser allows it, which is on secure pages only.
async function stayAwake() {
  try { await navigator.wakeLock?.request("screen"); } catch { /* a low battery forbids it */ }
}

// Two notes when it becomes this phone's turn, one when it is asked something; only after "tap for sound".
const sound = { context: null };

function note(hertz, from) {
  const { context } = sound;
  const tone = context.createOscillator();
  const loud = context.createGain();
  tone.frequency.value = hertz;
  loud.gain.setValueAtTime(0.0001, context.currentTime + from);
  loud.gain.exponentialRampToValueAtTime(0.2, context.currentTime + from + 0.02);
  loud.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + from + 0.5);
  tone.connect(loud).connect(context.destination);
  tone.start(context.currentTime + from);
  tone.stop(context.currentTime + from + 0.5);
}

function chime(old, next) {
  if (!sound.context) return;
  const turn = live.dataset.chime === "all" ? next.dataset.seq !== old.dataset.seq : next.dataset.myTurn && !old.dataset.myTurn;
  if (next.dataset.question && !old.dataset.question) note(440, 0);
  else if (turn) { note(659, 0); note(880, 0.18); }
}

const soundButton = document.getElementById("sound");
if (soundButton && window.AudioContext) {
  soundButton.hidden = false;
  soundButton.addEventListener("click", () => {
    if (sound.context) { sound.context.close(); sound.context = null; } else { sound.context = new AudioContext(); note(659, 0); }
    soundButton.setAttribute("aria-pressed", String(Boolean(sound.context)));
    soundButton.classList.toggle("is-on", Boolean(sound.context));
  });
}

async function send(url, body) {
  const options = {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  };
  let answer;
  // The same command twice is one command, so it may be sent again when no answer came.
  try { answer = await fetchInTime(url, options); } catch (error) {
    if (!body.id) throw error;
    status(live.dataset.reconnecting);
    answer = await fetchInTime(url, options);
  }
  status("");
  if (answer.ok) return true;
  let text = live.dataset.failed;
  try { text = (await answer.json()).error || text; } catch { /* not JSON: the plain sentence serves */ }
  tell(text);
  if (answer.status === 409) await newest();
  return false;
}

// Send a command on the board as it is seen; tells why when it is refused.
async function command({ act, verb, data, outcome, seat }) {
  const body = { id: newId(), seen: Number(board().dataset.seq) };
  if (act) {
    body.act = act;
  } else {
    Object.assign(body, { verb, data });
    if (outcome) body.outcome = true;
    if (seat || board().dataset.me) body.seat = seat || board().dataset.me;
  }
  try {
    return await send(live.dataset.do, body);
  } catch {
    tell(live.dataset.unreachable);
    return false;
  }
}

async function carefully(button, url, body) {
  button.disabled = true;
  try { await send(url, body); } catch {
    tell(live.dataset.unreachable);
  } finally { button.disabled = false; }
}

// A double tap is one tap: the second would meet the next step's button, which has come in the same place.
const tap = { at: -1000, what: "" };
const DOUBLE_TAP_MS = 500;

function isDoubled(what) {
  const now = performance.now();
  const doubled = now - tap.at < DOUBLE_TAP_MS && what === tap.what;
  if (!doubled) { tap.at = now; tap.what = what; }
  return doubled;
}

async function say(button) {
  const { act, verb, outcome, seat } = button.dataset;
  const data = act ? null : JSON.parse(button.dataset.data);
  const vp = button.parentElement.querySelector("input[name=vp]");
  if (vp && vp.value !== "") data.vp = Number(vp.value);
  button.disabled = true;  // a double tap is one tap
  await command({ act, verb, data, outcome, seat });
  button.disabled = false;
}

if (live) {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { verb, act, press, toy } = button.dataset;
    // data-tap tells apart what may well be tapped in quick succession, such as one district after the other.
    const what = button.dataset.tap || verb || act || press;
    if (toy) carefully(button, "/toy/" + toy, JSON.parse(button.dataset.args || "{}"));
    else if (what && isDoubled(what)) return;
    else if (verb || act) say(button);
    else if (press) carefully(button, "/press/" + press, {});
  });
  const wake = () => { link.failures = 0; connect(); stayAwake(); };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") wake(); else disconnect();
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  window.addEventListener("online", wake);
  window.addEventListener("pagehide", disconnect);
  document.dispatchEvent(new CustomEvent("board"));
  if (document.visibilityState === "visible") wake();
}

// What only works by scripts is inert until all of them have run: an earlier tap would be lost.
document.addEventListener("DOMContentLoaded", () => {
  for (const part of document.querySelectorAll("[inert]")) part.inert = false;
});

// The drawn table's toys are those of the game that lies on it; another may come without a new page.
document.addEventListener("board", () => {
  for (const row of document.querySelectorAll("[data-toys-of]")) row.hidden = row.dataset.toysOf !== board().dataset.game;
});

// The drawn table's picture: the next one is asked for when the last has come.
const camera = document.getElementById("camera");
if (camera) {
  const next = () => setTimeout(() => {
    if (document.visibilityState === "visible") camera.src = camera.dataset.src + "?" + Date.now();
    else next();
  }, 120);
  camera.addEventListener("load", next);
  camera.addEventListener("error", () => setTimeout(next, 1000));
  next();
}
