"use strict";
/* Steps through the frames of one recorded game. */

const data = JSON.parse(byId("data").textContent);
const frames = data.frames;
let now = 0;
let reader = data.seat; /* whose knowledge is shown; null: everybody's */

/* Whether the reader knows of what happened in a frame. */
const isSeen = (frame) => reader === null || frame.only === null || frame.only === reader;

function nextSeen(from, step) {
  let to = from + step;
  while (to > 0 && to < frames.length - 1 && !isSeen(frames[to])) to += step;
  return Math.min(Math.max(to, 0), frames.length - 1);
}

function go(to) {
  now = Math.min(Math.max(to, 0), frames.length - 1);
  draw();
}

function draw() {
  const frame = frames[now];
  const shown = { ...frame, hands: frame.hands.map((hand, seat) => (reader === null || reader === seat ? hand : null)) };
  drawTable(shown, data.game);
  const heard = reader !== null && frame.heard ? `. ${frame.heard}` : "";
  byId("told").textContent = isSeen(frame) ? frame.text + heard : "A player decides in secret.";
  byId("place").textContent = `Round ${frame.round} of ${data.game.rounds}, step ${now + 1} of ${frames.length}`;
  byId("slider").value = now;
  byId("slider").setAttribute("aria-valuetext", byId("place").textContent);
  byId("back").disabled = byId("first").disabled = now === 0;
  byId("next").disabled = byId("last").disabled = now === frames.length - 1;
  drawMarks(frame);
  drawNow();
}

function drawMarks(frame) {
  const marks = frame.marks.filter((mark) => reader === null || reader === mark.seat);
  byId("marks").replaceChildren(...marks.map((mark) => make("p", { class: "mark", text: mark.text })));
}

const SVG = "http://www.w3.org/2000/svg";
function draws(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/* The money of each seat over the game; each curve is named at its end and has a dash pattern of its own. */
const WIDE = window.innerWidth < 600 ? 380 : 640, HIGH = 240, LEFT = 40, RIGHT = 112, TOP = 12, FOOT = 22;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4", "12 4", "1 4", "6 2 1 2"];
const x = (step) => LEFT + ((WIDE - LEFT - RIGHT) * step) / Math.max(frames.length - 1, 1);

function drawCurve() {
  const most = Math.max(...frames.flatMap((frame) => frame.money), 1);
  const least = Math.min(...frames.flatMap((frame) => frame.money), 0);
  const y = (money) => TOP + ((HIGH - TOP - FOOT) * (most - money)) / (most - least);
  const svg = draws("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `Money by step; at the end ${data.game.names.map((name, seat) => `${name} ${frames.at(-1).money[seat]}`).join(", ")}` });
  for (const tick of [0, 0.5, 1]) {
    const money = Math.round(most * tick);
    svg.append(draws("line", { x1: LEFT, x2: WIDE - RIGHT, y1: y(money), y2: y(money), class: "axis" }), draws("text", { x: LEFT - 6, y: y(money) + 4, "text-anchor": "end" }, money));
  }
  frames.forEach((frame, step) => {
    if (frame.starts_round) svg.append(draws("line", { x1: x(step), x2: x(step), y1: TOP, y2: HIGH - FOOT, class: "axis" }), draws("text", { x: x(step) + 3, y: HIGH - 7 }, `round ${frame.round}`));
  });
  const ends = data.game.names.map((name, seat) => ({ name, seat, y: y(frames.at(-1).money[seat]) })).sort((a, b) => a.y - b.y);
  ends.forEach((end, i) => { if (i > 0) end.y = Math.max(end.y, ends[i - 1].y + 13); });
  const over = Math.max((ends.at(-1)?.y ?? 0) - (HIGH - FOOT), 0);
  for (const { name, seat, y: height } of ends) {
    const points = frames.flatMap((frame, step) => (frame.money[seat] === null ? [] : [`${x(step).toFixed(1)},${y(frame.money[seat]).toFixed(1)}`])).join(" ");
    svg.append(draws("polyline", { points, class: `seat-${seat}`, "stroke-dasharray": DASHES[seat] }), draws("text", { x: WIDE - RIGHT + 6, y: height - over + 4, class: `name seat-${seat}` }, name.length > 17 ? `${name.slice(0, 16)}…` : name));
  }
  svg.append(draws("line", { id: "now", class: "now", y1: TOP, y2: HIGH - FOOT }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * WIDE;
    go(Math.round(((place - LEFT) / (WIDE - LEFT - RIGHT)) * (frames.length - 1)));
  });
  byId("curve").replaceChildren(svg);
}

function drawNow() {
  for (const end of ["x1", "x2"]) byId("now").setAttribute(end, x(now));
}

function roundFrom(step) {
  let to = now + step;
  while (to > 0 && to < frames.length - 1 && !frames[to].starts_round) to += step;
  go(to);
}

const ACTIONS = { first: () => go(0), back: () => go(nextSeen(now, -1)), next: () => go(nextSeen(now, 1)), last: () => go(frames.length - 1) };
for (const [id, action] of Object.entries(ACTIONS)) byId(id).addEventListener("click", action);
byId("slider").max = frames.length - 1;
byId("slider").addEventListener("input", (event) => go(+event.target.value));

const KEYS = { ArrowLeft: ACTIONS.back, ArrowRight: ACTIONS.next, Home: ACTIONS.first, End: ACTIONS.last, PageUp: () => roundFrom(-1), PageDown: () => roundFrom(1) };
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, input") || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});

/* A swipe to the left shows the next step, as on paper. */
let touch = null;
document.addEventListener("touchstart", (event) => { touch = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
document.addEventListener("touchend", (event) => {
  if (!touch || event.target.matches("select, input")) return;
  const dx = event.changedTouches[0].clientX - touch.clientX, dy = event.changedTouches[0].clientY - touch.clientY;
  if (Math.abs(dx) > 50 && Math.abs(dx) > 2 * Math.abs(dy)) (dx < 0 ? ACTIONS.next : ACTIONS.back)();
}, { passive: true });

const select = byId("reader");
if (data.seat === null) {
  select.append(make("option", { value: "", text: "everybody" }), ...data.game.names.map((name, seat) => make("option", { value: seat, text: `only ${name}` })));
  select.addEventListener("change", () => { reader = select.value === "" ? null : +select.value; draw(); });
} else {
  byId("reader-label").textContent = `What ${data.game.names[data.seat]} knew`;
  select.remove();
}

drawCurve();
draw();
