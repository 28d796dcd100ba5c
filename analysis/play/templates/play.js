"use strict";
/* Plays one game: asks the server what a seat knows, shows the steps one by one, and sends answers. */

const given = JSON.parse(byId("data").textContent);
let name = location.hash.slice(1) || given.last;
let view = null; /* the last answer of the server */
let seen = 0; /* points of the game shown so far */
let isShowing = false, isSkipping = false;
let reader = null; /* the person who sits before the screen, once they have said so */

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function ask(path, message) {
  const options = message === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) };
  let answer;
  try { answer = await fetch(path, options); } catch { throw new Error("The server does not answer. Start it again with: modernart play --web --resume last"); }
  const text = await answer.text();
  if (answer.status === 403) throw new Error(text);
  const data = JSON.parse(text || "{}");
  if (!answer.ok) throw Object.assign(new Error(data.error || `The server says ${answer.status}.`), { code: answer.status });
  return data;
}

/* Runs what may fail, and says why it did. */
async function attempt(work) {
  byId("problem").textContent = "";
  try { await work(); } catch (error) {
    byId("problem").textContent = error.message;
    if (error.code === 409) await look(view.seat);
  }
}

async function look(seat) {
  const query = seat === undefined ? "" : `?seat=${seat}`;
  view = await ask(`/api/games/${name}${query}`);
  seen = view.n_seen;
  byId("game").classList.remove("hidden");
  byId("log").replaceChildren(...view.frames.map(logLine));
  settle();
}

const logLine = (frame) => make("li", { text: frame.text + (frame.heard ? `. ${frame.heard}` : "") });

/* Shows the steps since the last answer one after the other, then the question that is open. */
async function show(next) {
  view = next;
  isShowing = true;
  isSkipping = false;
  drawControls(null);
  byId("skip").classList.remove("hidden");
  for (const frame of view.frames) {
    drawAll(frame);
    const line = logLine(frame);
    byId("log").append(line);
    byId("log").scrollTop = byId("log").scrollHeight;
    const pace = +byId("pace").value;
    if (pace && !isSkipping) await pause(pace);
  }
  byId("skip").classList.add("hidden");
  isShowing = false;
  seen = view.n_seen;
  settle();
}

/* The table and the question as they stand; another person at this machine is called to it first. */
function settle() {
  if (view.people.length === 1) reader = view.people[0];
  const other = view.people.includes(view.asked) && view.asked !== reader;
  byId("pass").classList.toggle("hidden", !other);
  byId("board").classList.toggle("hidden", other);
  byId("end").classList.toggle("hidden", !view.is_over);
  if (other) {
    byId("hand").replaceChildren();
    byId("pass-text").textContent = `${view.game.names[view.asked]}, it is your turn.`;
    byId("pass-done").focus();
    return;
  }
  drawAll(view.table);
  byId("log").scrollTop = byId("log").scrollHeight;
  drawControls(view.question);
  if (view.is_over) drawEnd();
}

function drawAll(frame) {
  const hand = frame.hands[view.seat];
  const game = { ...view.game, names: view.game.names.map((one, seat) => (seat === view.seat ? `${one} (you)` : one)) };
  drawTable({ ...frame, hands: frame.hands.map(() => null) }, game);
  byId("told").textContent = frame.text + (frame.heard ? `. ${frame.heard}` : "");
  byId("place").textContent = `Round ${frame.round} of ${view.game.rounds}`;
  drawHand(hand, null);
}

/* The own hand: cards that can be chosen are buttons. */
function drawHand(hand, question) {
  const choices = question ? question.cards : [];
  byId("hand").replaceChildren(...hand.map((card) => {
    if (!choices.length) return cardElement(card, view.game);
    const number = choices.findIndex((one) => one.card === card) + 1;
    if (!number) return cardElement(card, view.game, "button", { disabled: true });
    const { answer } = choices[number - 1];
    return cardElement(card, view.game, "button", { "data-answer": answer, "aria-keyshortcuts": number, onclick: () => send(answer) });
  }));
}

function drawControls(question) {
  byId("hints").replaceChildren();
  byId("explanation").classList.add("hidden");
  byId("hint").disabled = byId("explain").disabled = !question;
  byId("question").textContent = question ? question.text : view.is_over ? "The game is over" : "Wait";
  const parts = [];
  if (question && question.high >= question.low) {
    const amount = make("input", { id: "amount", type: "number", inputmode: "numeric", min: question.low, max: question.high, value: question.low, "aria-label": `Amount from ${question.low} to ${question.high}` });
    amount.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); sendAmount(question); } });
    parts.push(amount, make("button", { class: "main", id: "send", text: "OK", onclick: () => sendAmount(question) }), make("span", { class: "pale", text: `${question.low} to ${question.high}` }));
  }
  for (const { text, answer } of question ? question.other : []) {
    parts.push(make("button", { "data-answer": answer, "data-key": text[0], "aria-keyshortcuts": text[0], text, onclick: () => send(answer) }));
  }
  if (question && question.cards.length) parts.unshift(make("span", { class: "pale", text: "Choose a card of your hand below." }));
  byId("controls").replaceChildren(...parts);
  byId("explanation").textContent = question ? question.explanation : "";
  if (!question) return;
  drawHand(view.table.hands[view.seat], question);
  const first = byId("amount") || byId("hand").querySelector("button[data-answer]") || byId("controls").querySelector("button");
  if (first) { first.focus({ preventScroll: true }); if (first.select) first.select(); }
}

function sendAmount(question) {
  const amount = byId("amount").valueAsNumber;
  if (!Number.isInteger(amount) || amount < question.low || amount > question.high) {
    byId("problem").textContent = `Give a whole number from ${question.low} to ${question.high}.`;
    byId("amount").focus();
    return;
  }
  send(amount);
}

function send(answer) {
  if (isShowing || !view.question) return;
  const message = { seat: view.seat, turn: view.turn, since: seen, answer };
  view.question = null; /* one answer to one question, however often a key is pressed */
  attempt(async () => { await show(await ask(`/api/games/${name}/answer`, message)); });
}

function drawEnd() {
  const order = view.game.names.map((one, seat) => seat).sort((a, b) => view.money[b] - view.money[a]);
  const rows = order.map((seat) => make("tr", {}, make("th", { scope: "row", text: view.game.names[seat] + (view.winners.includes(seat) ? " wins" : "") }), make("td", { class: "number", text: view.money[seat] })));
  byId("end").replaceChildren(make("h2", { text: "The game is over" }), make("table", { class: "market" }, ...rows),
    make("p", { class: "row" }, make("a", { href: `/api/games/${name}/record`, download: "", text: "Download the record" }),
      make("a", { href: `/api/games/${name}/replay`, text: "Step through the game" })),
    make("div", { class: "row" }, make("button", { id: "review", text: "Look back: what each decision cost", onclick: () => attempt(review) }), make("span", { id: "review-told", role: "status" })));
}

/* Starts a review, tells how far it is, and links to it when it is done. */
async function review() {
  byId("review").disabled = true;
  const path = `/api/games/${name}/review`;
  let state = await ask(path, {});
  while (!state.is_ready && !state.error) {
    byId("review-told").textContent = `${state.done} of ${state.total} decisions`;
    await pause(1000);
    state = await ask(path);
  }
  if (state.error) { byId("review-told").textContent = `No review: ${state.error}`; return; }
  byId("review-told").replaceChildren(make("a", { href: `${path}/page`, text: "The review" }), " ", make("a", { href: `${path}/replay`, text: "Step through the game with the mistakes marked" }));
}

byId("skip").addEventListener("click", () => { isSkipping = true; });
byId("pass-done").addEventListener("click", () => attempt(() => { reader = view.asked; return look(view.asked); }));
byId("explain").addEventListener("click", () => byId("explanation").classList.toggle("hidden"));
byId("hint").addEventListener("click", () => attempt(async () => {
  byId("hints").replaceChildren(make("p", { text: "Thinking …" }));
  try {
    const { lines } = await ask(`/api/games/${name}/hint?seat=${view.seat}`);
    byId("hints").replaceChildren(...lines.map((text) => make("p", { text })));
  } catch (error) { byId("hints").replaceChildren(make("p", { text: `No hint: ${error.message}` })); }
}));
byId("new").addEventListener("click", () => { byId("begin").classList.toggle("hidden"); byId("who").focus(); });
byId("edition").append(...given.editions.map((one) => make("option", { value: one, text: one, selected: one === "classic" })));
byId("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    ({ name } = await ask("/api/games", { seats: byId("who").value, edition: byId("edition").value }));
    location.hash = name;
    reader = null;
    byId("begin").classList.add("hidden");
    await look();
  });
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, input:not([type=number])")) return;
  if (event.key === " " && isShowing) { event.preventDefault(); isSkipping = true; return; }
  const click = (element) => { if (element && !element.disabled) { event.preventDefault(); element.click(); } };
  if (event.key === "h") click(byId("hint"));
  else if (event.key === "?") click(byId("explain"));
  else if (/^[1-9]$/.test(event.key) && !byId("amount")) click(byId("hand").querySelector(`[aria-keyshortcuts="${event.key}"]`));
  else if (/^[a-z]$/.test(event.key)) click(byId("controls").querySelector(`[data-key="${event.key}"]`));
});

location.hash = name;
attempt(() => look());
