// Points set on the live picture by tap, drag or arrow keys, under a magnifying glass. Pixels are the picture's own.
"use strict";

const ZOOM = 4;         // of the glass, against the picture's own pixels
const NEAR_PX = 26;     // a tap so near to a point, on the screen, takes hold of it

class Points {
  // `stage` holds the picture, the drawing over it and the glass; `onChange` gets the points when one was set or moved.
  constructor(stage, onChange) {
    this.picture = stage.querySelector("img");
    this.overlay = stage.querySelector("svg");
    this.glass = stage.querySelector("canvas");
    this.near = stage.querySelector(".lesson-zoom");
    this.box = null;
    this.onChange = onChange;
    this.points = [];
    this.names = [];
    this.labels = [];
    this.isOutline = false;
    this.held = -1;
    this.fixed = { lines: [], letters: {}, words: [] };
    this.overlay.addEventListener("pointerdown", (event) => this.take(event));
    this.overlay.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.overlay.addEventListener(end, () => this.drop());
    this.overlay.addEventListener("keydown", (event) => this.key(event));
    this.overlay.addEventListener("focusin", (event) => this.magnifyFocus(event));
    this.overlay.addEventListener("focusout", () => { if (this.held < 0) this.glass.hidden = true; });
    this.picture.addEventListener("load", () => { if (!this.glass.hidden && this.shown) this.magnify(this.shown); });
    window.addEventListener("resize", () => this.draw());
  }

  get wanted() { return this.labels.length; }

  size() { return [this.picture.naturalWidth || 1280, this.picture.naturalHeight || 720]; }

  // What may be set (labels and names, empty for nothing), the points so far, and what is drawn besides.
  show(taps, fixed) {
    this.labels = taps ? taps.labels : [];
    this.names = taps ? taps.names : [];
    this.isOutline = Boolean(taps && taps.key === "corners");
    this.fixed = fixed;
    if (this.held < 0) this.points = taps ? taps.points.map((point) => [...point]) : [];
    this.overlay.classList.toggle("is-open", this.wanted > 0);
    this.zoom(fixed.zoom);
    this.draw();
  }

  // Show a piece of the picture large: left, top, right and bottom, or all of it.
  zoom(box) {
    this.box = box;
    this.near.style.setProperty("--near", "1");
    if (!box) { this.near.style.transform = ""; return; }
    const [width, height] = this.size();
    const times = Math.max(1, Math.min(4, width / (box[2] - box[0]), height / (box[3] - box[1])));
    const shift = (low, high, all) => Math.min(Math.max((low + high) / 2 - all / times / 2, 0), all - all / times) / all;
    const [x, y] = [shift(box[0], box[2], width), shift(box[1], box[3], height)];
    this.near.style.setProperty("--near", String(times));  // strokes stay as thin as they are
    this.near.style.transform = `scale(${times}) translate(${-100 * x}%, ${-100 * y}%)`;
  }

  // For the keyboard: all points at once, to be moved from there.
  setAll() {
    const [left, top, right, bottom] = this.box || [0, 0, ...this.size()];
    const around = [[0.3, 0.3], [0.7, 0.3], [0.75, 0.75], [0.25, 0.75]];
    const set = (share) => [left + share[0] * (right - left), top + share[1] * (bottom - top)].map(Math.round);
    this.points = this.labels.map((_, at) => set(around[at % 4]));
    this.draw();
    this.overlay.querySelector(".point")?.focus();
    this.onChange(this.points, false);
  }

  place(event) {
    const box = this.picture.getBoundingClientRect();
    const [width, height] = this.size();
    const x = (event.clientX - box.left) / box.width * width - 0.5;
    const y = (event.clientY - box.top) / box.height * height - 0.5;
    return [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  }

  scale() { return this.picture.getBoundingClientRect().width / this.size()[0] || 1; }

  nearest(at) {
    let best = -1;
    let least = Infinity;
    this.points.forEach((point, index) => {
      const away = Math.hypot(point[0] - at[0], point[1] - at[1]);
      if (away < least) { least = away; best = index; }
    });
    return [best, least * this.scale()];
  }

  take(event) {
    if (!this.wanted || event.button) return;
    event.preventDefault();
    const at = this.place(event);
    const [best, away] = this.nearest(at);
    if (best >= 0 && (away < NEAR_PX || this.points.length >= this.wanted)) {
      this.held = best;
      // A point is held where it was taken hold of, so that it doesn't jump under the finger.
      this.offset = away < NEAR_PX ? [this.points[best][0] - at[0], this.points[best][1] - at[1]] : [0, 0];
    } else {
      this.held = this.points.length;
      this.offset = [0, 0];
      this.points.push(at);
    }
    try { this.overlay.setPointerCapture(event.pointerId); } catch { /* the finger is gone already */ }
    this.drag(event);
  }

  drag(event) {
    if (this.held < 0) return;
    const at = this.place(event);
    this.points[this.held] = [at[0] + this.offset[0], at[1] + this.offset[1]];
    this.magnify(this.points[this.held]);
    this.draw();
  }

  drop() {
    if (this.held < 0) return;
    this.held = -1;
    this.glass.hidden = true;
    this.draw();
    this.onChange(this.points, this.points.length === this.wanted);
  }

  key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const point = event.target.closest(".point");
    if (!point || !moves[event.key]) return;
    event.preventDefault();
    const index = Number(point.dataset.index);
    const far = event.shiftKey ? 10 : 1;
    this.points[index] = this.points[index].map((value, axis) => value + far * moves[event.key][axis]);
    this.draw();
    this.overlay.querySelector(`[data-index="${index}"]`).focus();
    this.magnify(this.points[index]);
    clearTimeout(this.later);
    this.later = setTimeout(() => this.onChange(this.points, this.points.length === this.wanted), 400);
  }

  magnifyFocus(event) {
    const point = event.target.closest(".point");
    if (point && point.matches(":focus-visible")) this.magnify(this.points[Number(point.dataset.index)]);
  }

  magnify(at) {
    this.shown = at;
    const [width] = this.size();
    const side = this.glass.width / ZOOM;
    const pen = this.glass.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, this.glass.width, this.glass.height);
    pen.drawImage(this.picture, at[0] + 0.5 - side / 2, at[1] + 0.5 - side / 2, side, side, 0, 0, this.glass.width, this.glass.height);
    const middle = this.glass.width / 2;
    for (const [colour, thick] of [["#000", 5], ["#fff", 2]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = thick;
      pen.beginPath();
      for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        pen.moveTo(middle + 12 * x, middle + 12 * y);
        pen.lineTo(middle + 90 * x, middle + 90 * y);
      }
      pen.stroke();
    }
    // The glass keeps out of the finger's way.
    this.glass.classList.toggle("on-right", at[0] < (this.box ? (this.box[0] + this.box[2]) / 2 : width / 2));
    this.glass.hidden = false;
  }

  draw() {
    const [width, height] = this.size();
    const one = 1 / this.scale();  // a pixel of the screen
    const focused = document.activeElement?.dataset?.index;
    this.overlay.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
    const parts = [];
    for (const [from, to] of this.fixed.lines) {
      for (const back of ["line back", "line"]) {
        parts.push(make("line", { class: back, x1: from[0], y1: from[1], x2: to[0], y2: to[1] }));
      }
    }
    for (const [letter, at] of Object.entries(this.fixed.letters)) {
      const group = make("g", { class: "side-letter side-" + letter });
      group.append(make("circle", { cx: at[0], cy: at[1], r: 15 * one }), write(letter, at, 19 * one));
      parts.push(group);
    }
    for (const [word, at] of this.fixed.words) {
      const element = write(word, at, (this.overlay.clientWidth < 500 ? 11 : 15) * one);
      element.classList.add("word");
      parts.push(element);
    }
    if (this.points.length > 2) {
      const corners = this.points.slice(0, 4);
      if (corners.length === 4 && this.isOutline) parts.push(make("polygon", { class: "outline", points: corners.map((p) => p.join(",")).join(" ") }));
    }
    this.points.slice(0, this.wanted).forEach((point, index) => {
      const words = `${this.names[index]} ${this.labels[index]}: ${Math.round(point[0])}, ${Math.round(point[1])}`;
      const group = make("g", { class: "point" + (index === this.held ? " is-held" : ""), tabindex: 0, role: "button", "aria-label": words, "data-index": index });
      group.append(
        make("circle", { cx: point[0], cy: point[1], r: 14 * one }),
        make("path", { d: `M${point[0] - 5 * one} ${point[1]}h${10 * one}M${point[0]} ${point[1] - 5 * one}v${10 * one}` }),
        write(this.labels[index], [point[0] + 20 * one, point[1] - 14 * one], 16 * one),
      );
      parts.push(group);
    });
    this.overlay.replaceChildren(...parts);
    if (focused !== undefined) this.overlay.querySelector(`[data-index="${focused}"]`)?.focus();
  }
}

function make(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function write(words, at, size) {
  const element = make("text", { x: at[0], y: at[1] + size * 0.36, "font-size": size });
  element.textContent = words;
  return element;
}
