// Picking squares of the Piazza San Marco. What is picked lies in hidden inputs of the form, so that it is carried
// over like everything else that is half entered.
//
//   data-pick="one"    input[data-picked] holds the square
//   data-pick="many"   input[data-picked] holds a list; data-pick-max says how many
//   data-pick="move"   input[data-from] holds the pigeon's square, input[data-to] the way; data-targets tells for each
//                      pigeon where it may go and by which way, as the rules found it
"use strict";

function picks(form) {
  const picked = form.querySelector("[data-picked]");
  switch (form.dataset.pick) {
    case "one": return picked.value ? [picked.value] : [];
    case "many": return JSON.parse(picked.value);
    default: return [];
  }
}

function pick(form, square) {
  const picked = form.querySelector("[data-picked]");
  const now = picks(form);
  if (form.dataset.pick === "one") {
    picked.value = now[0] === square ? "" : square;
  } else if (form.dataset.pick === "many") {
    const most = Number(form.dataset.pickMax);
    const next = now.includes(square) ? now.filter((other) => other !== square) : [...now, square];
    // One more than allowed takes the place of the oldest, so that nobody has to clear first.
    picked.value = JSON.stringify(next.slice(-most));
  } else {
    pickMove(form, square);
  }
  drawPicks(form);
}

function pickMove(form, square) {
  const targets = JSON.parse(form.dataset.targets);
  const from = form.querySelector("[data-from]");
  const to = form.querySelector("[data-to]");
  const way = from.value && targets[from.value]?.[square];
  if (way) {
    to.value = JSON.stringify(way);
  } else if (square === from.value || !targets[square]) {
    from.value = "";
    to.value = "";
  } else {
    from.value = square;
    to.value = "";
  }
}

function drawPicks(form) {
  const move = form.dataset.pick === "move";
  const from = move ? form.querySelector("[data-from]").value : "";
  const to = move ? form.querySelector("[data-to]").value : "";
  const way = to ? JSON.parse(to) : [];
  const reach = move ? Object.keys((from && JSON.parse(form.dataset.targets)[from]) || {}) : [];
  const chosen = move ? [from, way.at(-1)] : picks(form);
  for (const button of form.querySelectorAll("[data-square]")) {
    const square = button.dataset.square;
    button.classList.toggle("picked", chosen.includes(square));
    button.classList.toggle("target", reach.includes(square) && square !== way.at(-1));
    button.classList.toggle("way", way.slice(0, -1).includes(square));
    button.setAttribute("aria-pressed", String(chosen.includes(square)));
  }
  const said = move ? [from, ...way].filter(Boolean).join(" → ") : picks(form).join(", ");
  for (const output of form.querySelectorAll("[data-said]")) output.textContent = said || output.dataset.said;
  for (const output of form.querySelectorAll("[data-picked-count]")) output.textContent = String(picks(form).length);
  for (const button of form.querySelectorAll("[data-needs-pick]")) {
    button.disabled = move ? !to : picks(form).length === 0;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("form[data-pick] [data-square]");
  if (button && !button.disabled) pick(button.closest("form"), button.dataset.square);
});
