// Motion that explains: what changed its place on the board travels there, and the die turns as the hand turned it.
//
//   data-moves="cone-S-R"   the thing of this name, wherever it stands on the old board and on the new one
//   data-turned="cw"        what was done to the die: cw, acw, flip_h, flip_v or rolled
//
// Nothing moves for whoever asked the system for less motion.
"use strict";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const TRAVEL = { duration: 650, easing: "cubic-bezier(.3, .1, .2, 1)" };
const TURNS = {
  cw: "rotate(-90deg)", acw: "rotate(90deg)", flip_h: "rotateY(180deg)", flip_v: "rotateX(180deg)",
  rolled: "rotate(-220deg) scale(.55)",
};

/** Tell where everything stands that may travel. */
function whereabouts(root) {
  if (calm.matches) return new Map();
  return new Map(Array.from(root.querySelectorAll("[data-moves]"), (thing) => [thing.dataset.moves, thing.getBoundingClientRect()]));
}

/** Let everything travel from where it stood to where it stands now. */
function travel(before, root) {
  if (calm.matches) return;
  for (const thing of root.querySelectorAll("[data-moves]")) {
    const from = before.get(thing.dataset.moves);
    const to = thing.getBoundingClientRect();
    if (!from || !from.width || !to.width) continue;
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (Math.hypot(x, y) < 2) continue;
    thing.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], TRAVEL);
  }
  const die = root.querySelector(".die[data-turned]");
  const start = die && TURNS[die.dataset.turned];
  if (start) die.animate([{ transform: start }, { transform: "none" }], TRAVEL);
}
