"use strict";
// Without this script the page is whole, only plain: nothing here makes content.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Tables: a click on a heading sorts, a second one the other way round.
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.n !== undefined) return Number(cell.dataset.n);
    const text = cell.textContent.trim();
    return text === "" || text === "-" ? null : text;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  const sort = (table, column) => {
    const heading = table.tHead.rows[0].cells[column];
    const isFirst = heading.getAttribute("aria-sort") === null;
    // Numbers are looked at from the largest, names from A.
    const isNumber = !heading.classList.contains("text");
    const rises = isFirst ? !isNumber : heading.getAttribute("aria-sort") === "descending";
    all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", rises ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows].map((row) => [valueOf(row, column), row]);
    rows.sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : rises ? compare(a, b) : compare(b, a)));
    table.tBodies[0].append(...rows.map(([, row]) => row));
  };
  const filter = (table, words) => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
    }
  };
  for (const table of all("table")) {
    const n = table.tBodies[0].rows.length;
    if (n < 2) continue;
    all("th", table).forEach((heading, column) => {
      heading.setAttribute("role", "button");
      heading.tabIndex = 0;
      heading.title = "sort";
      heading.addEventListener("click", () => sort(table, column));
      heading.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          sort(table, column);
        }
      });
    });
    if (n > 8) {
      const box = document.createElement("input");
      box.type = "search";
      box.className = "filter";
      box.placeholder = `filter ${n} rows`;
      box.setAttribute("aria-label", "show rows with these words");
      box.addEventListener("input", () => filter(table, box.value));
      table.parentElement.before(box);
    }
  }

  // Figures: what stands under the pointer, or under the finger, at once.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "status");
  document.body.append(tip);
  let marked = null;
  const hide = () => {
    tip.style.display = "none";
    if (marked) marked.classList.remove("on");
    marked = null;
  };
  const show = (mark, x, y) => {
    hide();
    marked = mark;
    mark.classList.add("on");
    tip.textContent = mark.dataset.words;
    tip.style.display = "block";
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 4))}px`;
    tip.style.top = `${y - height - 12 > 0 ? y - height - 12 : y + 16}px`;
  };
  for (const mark of all(".mark")) {
    const title = mark.querySelector("title");
    mark.dataset.words = title.textContent;
    title.remove();
  }
  for (const kind of ["pointerover", "pointerdown"]) {
    document.addEventListener(kind, (event) => {
      if (event.target.classList && event.target.classList.contains("mark")) show(event.target, event.clientX, event.clientY);
      else hide();
    });
  }
  addEventListener("scroll", hide, { passive: true });

  // Light or dark: as the system has it, until the reader says otherwise.
  const root = document.documentElement;
  const stored = () => { try { return localStorage.getItem("modernart-theme"); } catch { return null; } };
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const button = document.createElement("button");
  button.id = "theme";
  const name = () => { button.textContent = isDark() ? "light" : "dark"; };
  if (stored()) root.dataset.theme = stored();
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("modernart-theme", root.dataset.theme); } catch { /* a page that may not keep it */ }
    name();
  });
  name();
  document.querySelector("nav").append(button);

  // Contents: the section that is being read.
  const links = new Map(all("nav a").map((link) => [link.getAttribute("href").slice(1), link]));
  const follow = () => {
    const read = all("main > section").filter((section) => section.getBoundingClientRect().top < innerHeight / 3).pop();
    for (const [id, link] of links) {
      const isHere = read !== undefined && read.id === id;
      if (isHere && !link.classList.contains("here")) link.parentElement.scrollTo({ left: link.offsetLeft - 60 });
      link.classList.toggle("here", isHere);
      if (isHere) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", follow, { passive: true });
  follow();

  // Folded tables are printed too.
  let opened = [];
  addEventListener("beforeprint", () => { opened = all("details:not([open])"); opened.forEach((one) => { one.open = true; }); });
  addEventListener("afterprint", () => opened.forEach((one) => { one.open = false; }));
})();
