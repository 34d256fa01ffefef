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
  const focus = document.activeElement && document.activeElement.id;
  board().replaceWith(next);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("board"));
  if (!same) {
    const words = next.querySelector("#turn h1, h1");
    document.getElementById("changed").textContent = words ? words.textContent.trim() : "";
  }
}

// One stream while the page is seen; without a stream the board is asked for every 2 seconds.
const link = { source: null, timer: 0 };

function status(text) { document.getElementById("link").textContent = text; }

function connect() {
  disconnect();
  const source = new EventSource(live.dataset.live);
  link.source = source;
  source.addEventListener("board", (event) => { status(""); show(event.data); });
  source.addEventListener("open", () => status(""));
  source.addEventListener("error", () => {
    status("reconnecting…");
    // A refused stream closes for good: then the board is polled, and the stream tried again later.
    if (source.readyState === EventSource.CLOSED) poll(15);
  });
}

function disconnect() {
  clearTimeout(link.timer);
  if (link.source) link.source.close();
  link.source = null;
}

async function poll(left) {
  try {
    const answer = await fetch(live.dataset.board + "?tick=" + board().dataset.tick);
    if (answer.status === 200) show(await answer.text());
    if (answer.status === 403) location.assign("/");
    status(answer.ok ? "" : "reconnecting…");
  } catch { status("reconnecting…"); }
  link.timer = setTimeout(() => (left > 0 ? poll(left - 1) : connect()), 2000);
}

async function send(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.ok) return true;
  let text = "That didn't work. Try again.";
  try { text = (await answer.json()).error || text; } catch { /* not JSON: the plain sentence serves */ }
  tell(text);
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
    tell("No answer from the table. Is the phone on the right Wi-Fi?");
    return false;
  }
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
    if (button.dataset.verb || button.dataset.act) say(button);
    else if (button.dataset.press) send("/press/" + button.dataset.press, {});
    else if (button.dataset.toy) send("/toy/" + button.dataset.toy, JSON.parse(button.dataset.args || "{}"));
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") connect(); else disconnect();
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  window.addEventListener("pagehide", disconnect);
  document.dispatchEvent(new CustomEvent("board"));
  connect();
}

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
