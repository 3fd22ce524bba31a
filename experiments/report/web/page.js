/* The page: theme, bubbles of definitions, tables that sort, and when figures are drawn. Begins everything. */
"use strict";

function make(tag, className, parent) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (parent) parent.append(element);
  return element;
}

function save(name, type, text) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function tableOf(chart) {
  const rows = rowsOf(chart), table = make("table"), most = 2000;
  if (chart.title) make("caption", "", table).textContent = chart.title;
  rows.slice(0, most + 1).forEach((row, i) => {
    const line = make("tr", "", table);
    for (const value of row) {
      const cell = make(i ? "td" : "th", typeof value === "string" ? "l" : "", line);
      cell.textContent = value === null || value === undefined ? "" : typeof value === "number" ? decimals(value, 6) : value;
      if (!i) cell.scope = "col";
    }
  });
  if (rows.length > most) make("caption", "", table).textContent = `the first ${most} of ${rows.length - 1} rows; the CSV file has all`;
  return table;
}

class Page {
  constructor() {
    this.live = make("div", "aside", document.body);
    this.live.setAttribute("aria-live", "polite");
    this.makeTheme();
    this.figures = [];
    this.makeFigures();
    this.watch();
    this.build(document.querySelector("main"));
    contents();
    document.querySelectorAll("table.sortable").forEach(sortable);
    new Definitions();
    document.querySelectorAll(".scroll").forEach(reachable);
    addEventListener("beforeprint", () => this.forPrint());
    this.ready = performance.now(); /* ms after the page was asked for */
  }

  say(text) {
    this.live.textContent = text;
  }

  theme() {
    if (this.known) return this.known;
    const style = getComputedStyle(document.documentElement), value = name => style.getPropertyValue(name).trim();
    this.known = { ink: value("--ink"), soft: value("--soft"), page: value("--page"), line: value("--line"), hues: hueNames.map(value), font: "system-ui, sans-serif" };
    return this.known;
  }

  /* For drawings that leave the page. */
  lightTheme() {
    const root = document.documentElement, before = root.dataset.theme;
    root.dataset.theme = "light";
    this.known = null;
    const light = this.theme();
    if (before) root.dataset.theme = before;
    else delete root.dataset.theme;
    this.known = null;
    return Object.assign(light, { font: "sans-serif" });
  }

  recolour() {
    this.known = null;
    this.figures.forEach(f => f.redraw());
  }

  makeTheme() {
    const button = document.querySelector(".theme"), kinds = ["auto", "light", "dark"];
    let now = 0;
    const apply = () => {
      if (now) document.documentElement.dataset.theme = kinds[now];
      else delete document.documentElement.dataset.theme;
      button.textContent = "Colours: " + ["as the system", "light", "dark"][now];
      if (this.figures) this.recolour();
    };
    button.hidden = false;
    button.addEventListener("click", () => { now = (now + 1) % 3; apply(); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    apply();
  }

  watch() {
    this.plotOf = new Map();
    this.near = new IntersectionObserver(seen => seen.filter(s => s.isIntersecting).forEach(s => {
      const plot = this.plotOf.get(s.target);
      plot.figure.drawPlot(plot);
      this.near.unobserve(s.target);
    }), { rootMargin: "400px" });
    let width = innerWidth, waiting = 0;
    addEventListener("resize", () => {
      if (innerWidth === width) return;
      width = innerWidth;
      clearTimeout(waiting);
      waiting = setTimeout(() => this.figures.forEach(f => f.resize()), 100);
    });
    document.addEventListener("toggle", event => event.target.open && this.build(event.target), true);
  }

  /* An element for each figure that is made from the records of the page. */
  makeFigures() {
    const records = {}, book = newBook(), read = element => JSON.parse(element.textContent);
    this.made = new Map();
    document.querySelectorAll("script.records").forEach(e => { records[e.dataset.id] = read(e); });
    for (const place of document.querySelectorAll(".figures")) {
      for (const item of expand(read(place.querySelector("script")), records, book)) {
        const element = make(item.charts ? "figure" : "p", item.charts ? "charts" : "soft", place);
        if (item.charts) this.made.set(element, item);
        (item.charts ? make("figcaption", "", element) : element).textContent = item.caption ?? item.note;
      }
    }
  }

  /* The figures below an element, but for those that are folded away: they have no width yet. */
  build(root) {
    for (const element of root.querySelectorAll("figure.charts:not(.built)")) {
      if (element.closest("details:not([open])")) continue;
      element.classList.add("built");
      const figure = new Figure(element, this.made.get(element), this);
      this.figures.push(figure);
      figure.plots.forEach(p => { this.plotOf.set(p.place, p); this.near.observe(p.place); });
    }
  }

  /* Nothing on paper unfolds or moves. */
  forPrint() {
    document.querySelectorAll("details.run").forEach(d => { d.open = true; });
    this.build(document.body);
    this.figures.forEach(f => f.forPaper());
    addEventListener("afterprint", () => this.figures.forEach(f => f.fromPaper()), { once: true });
  }

  drawAll() {
    this.figures.forEach(f => f.draw());
  }
}

/* A word with data-term shows what it means to the mouse, the keyboard and a finger. */
class Definitions {
  constructor() {
    const script = document.getElementById("terms");
    this.text = script ? JSON.parse(script.textContent) : {};
    this.tip = make("div", "tip", document.body);
    this.tip.id = "tip";
    this.tip.setAttribute("role", "tooltip");
    this.tip.hidden = true;
    for (const type of ["mouseover", "focusin"]) document.addEventListener(type, e => this.show(e.target.closest && e.target.closest("[data-term]")));
    for (const type of ["mouseout", "focusout"]) document.addEventListener(type, e => this.of && this.of.contains(e.target) && this.hide());
    document.addEventListener("keydown", e => e.key === "Escape" && this.hide());
    document.querySelectorAll("[data-term]:not(button)").forEach(e => { e.tabIndex = 0; });
  }

  show(element) {
    if (!element || !this.text[element.dataset.term]) return;
    this.hide();
    const box = element.getBoundingClientRect();
    this.tip.textContent = this.text[element.dataset.term];
    this.tip.hidden = false;
    this.tip.style.left = Math.max(8, Math.min(box.left, innerWidth - this.tip.offsetWidth - 8)) + "px";
    const below = box.bottom + 6;
    this.tip.style.top = (below + this.tip.offsetHeight < innerHeight ? below : box.top - this.tip.offsetHeight - 6) + "px";
    element.setAttribute("aria-describedby", "tip");
    this.of = element;
  }

  hide() {
    this.tip.hidden = true;
    if (this.of) this.of.removeAttribute("aria-describedby");
    this.of = null;
  }
}

/* Headings of the first row become buttons that sort by their column. */
function sortable(table) {
  const heads = [...table.rows[0].cells], key = cell => {
    const raw = cell.dataset.value ?? cell.textContent, number = parseFloat(raw.replace(/[,>]/g, ""));
    return isNaN(number) ? raw : number;
  };
  heads.forEach((head, i) => {
    const button = make("button", "");
    button.type = "button";
    const term = head.querySelector("[data-term]");
    if (term) button.dataset.term = term.dataset.term;
    button.append(...(term || head).childNodes);
    head.replaceChildren();
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(h => h.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.rows].slice(1), order = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1;
      rows.sort((a, b) => (down ? -1 : 1) * order(a.cells[i] ? key(a.cells[i]) : "", b.cells[i] ? key(b.cells[i]) : ""));
      rows.forEach(r => r.parentNode.append(r));
    });
  });
}

/* Where there are many sections, a list of them. */
function contents() {
  const heads = [...document.querySelectorAll("main > h2")];
  if (heads.length < 3) return;
  const nav = make("nav"), list = make("ol");
  nav.setAttribute("aria-label", "sections");
  nav.append(list);
  heads.forEach((head, i) => {
    head.id = head.id || "section-" + (i + 1);
    const link = make("a", "", make("li", "", list));
    link.href = "#" + head.id;
    link.textContent = head.textContent;
  });
  document.querySelector("main").prepend(nav);
}

/* What scrolls must be reached with the keyboard. */
function reachable(element) {
  element.tabIndex = 0;
  element.setAttribute("role", "region");
  if (!element.hasAttribute("aria-label")) element.setAttribute("aria-label", "table");
}

window.tilefly = new Page();
