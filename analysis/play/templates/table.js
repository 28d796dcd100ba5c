"use strict";
/* Draws a table: the market, the lot, each seat. A page calls drawTable(frame, game) after every change.
   `game` has: artists, artist_names, names (by seat), end_count, rounds, has_pile. */

const KINDS = { O: "open", R: "once around", S: "sealed", F: "fixed price", D: "double", B: "black-framed" };

const byId = (id) => document.getElementById(id);

/* Makes an element; text is set as text, never as HTML, since names come from files. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function partsOfCard(card) {
  const [artist, rest] = card.split("-");
  const [kind, crowns] = rest.split("*");
  return { artist, kind, crowns };
}

function cardInWords(card, game) {
  const { artist, kind, crowns } = partsOfCard(card);
  const name = game.artist_names[game.artists.indexOf(artist)];
  return `${name}, ${KINDS[kind]}${crowns ? `, ${crowns} crowns` : ""}`;
}

/* A card as an element; `tag` is "span", or "button" for one that can be chosen. */
function cardElement(card, game, tag = "span", attributes = {}) {
  const { artist, kind, crowns } = partsOfCard(card);
  const words = cardInWords(card, game);
  const label = tag === "button" ? { "aria-label": words } : { role: "img", "aria-label": words };
  return make(tag, { class: `card artist-${game.artists.indexOf(artist)}`, title: words, ...label, ...attributes },
    make("b", { text: artist + (crowns ? ` ${"♛".repeat(+crowns)}` : "") }), make("small", { text: KINDS[kind] }),
    make("span", { class: "letter", text: kind }));
}

function cardRow(cards, game) {
  return cards.length ? cards.map((card) => cardElement(card, game)) : [make("span", { class: "pale", text: "none" })];
}

function drawMarket(frame, game) {
  const rows = game.artists.map((artist, place) => {
    const out = frame.out[place];
    const dots = "●".repeat(out) + "○".repeat(Math.max(game.end_count - out, 0));
    return make("tr", {},
      make("th", { scope: "row" }, make("span", { class: `artist artist-${place}`, text: artist }), ` ${game.artist_names[place]}`),
      make("td", { class: "dots", "aria-label": `${out} of ${game.end_count}`, text: dots }),
      make("td", { class: "number", text: frame.values[place] }));
  });
  byId("market").replaceChildren(
    make("thead", {}, make("tr", {}, make("th", { scope: "col", text: "artist" }),
      make("th", { scope: "col", text: `cards out (${game.end_count} end)` }),
      make("th", { scope: "col", class: "number", text: "gains so far" }))),
    make("tbody", {}, ...rows));
}

function drawLot(frame, game) {
  const lot = byId("lot");
  if (!frame.lot.length) { lot.replaceChildren(make("p", { class: "pale", text: "No lot on sale." })); return; }
  const said = [`sold by ${game.names[frame.seller]}`];
  if (frame.bidder !== null && frame.bidder === frame.seller && partsOfCard(frame.lot.at(-1)).kind === "F") said.push(`asks ${frame.bid}`);
  else if (frame.bidder !== null) said.push(`high bid ${frame.bid} by ${game.names[frame.bidder]}`);
  lot.replaceChildren(make("div", { class: "cards" }, ...cardRow(frame.lot, game)), make("p", { class: "pale", text: said.join("; ") }));
}

function drawSeats(frame, game) {
  const panels = game.names.map((name, seat) => {
    const hand = frame.hands[seat];
    const isOnTurn = frame.lot.length ? frame.seller === seat : false;
    return make("section", { class: `panel seat${isOnTurn ? " on-turn" : ""}`, "data-seat": seat, "aria-label": name },
      make("header", {}, make("span", { class: "name", text: name }), make("span", { class: "money", text: `money ${frame.money[seat] ?? "?"}` })),
      make("div", { class: "part gallery" }, make("span", { text: "bought" }), make("span", { class: "cards small" }, ...cardRow(frame.galleries[seat], game))),
      make("div", { class: "part hand" }, make("span", { text: "hand" }),
        hand ? make("span", { class: "cards small" }, ...cardRow(hand, game)) : make("span", { text: `${frame.sizes[seat]} cards` })));
  });
  byId("seats").replaceChildren(...panels);
}

function drawTable(frame, game) {
  drawMarket(frame, game);
  drawLot(frame, game);
  drawSeats(frame, game);
  byId("pile").textContent = game.has_pile ? `The shill's pile: ${frame.pile} cards.` : "";
}
