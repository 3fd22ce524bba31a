#!/usr/bin/env node
/* page.js - one page of a file that bench/run.sh wrote: rates and their ratio to one rank, where the time goes, weak scaling,
 * memory, instructions. The charts are drawn by the scripts of tilefly report (experiments/report/web/) and need ECharts, which
 * scripts/web.sh installs.
 *
 *   node bench/page.js FILE.jsonl [--out PAGE.html] [--svg FOLDER] */
"use strict";
const fs = require("fs"), path = require("path");
const root = path.join(__dirname, ".."), web = name => fs.readFileSync(path.join(root, "experiments/report/web", name), "utf8");
const library = path.join(root, "build/web/node_modules/echarts/dist/echarts.min.js");

function fail(said) {
  console.error("bench/page.js: " + said);
  process.exit(1);
}
if (!fs.existsSync(library)) fail("ECharts is missing (scripts/web.sh installs it with npm)");
const common = ["format.js", "charts.js", "describe.js", "svg.js", "make.js"].map(web).join("\n");
const names = "axis, series, unique, isNumber, decimals, format, escapeHtml, drawAll";
const { axis, series, unique, isNumber, decimals, format, escapeHtml, drawAll } =
  new Function("echarts", "require", "module", `${common}\n${web("draw.js")}\nreturn { ${names} };`)(require(library), require, {});

/* --- the file ------------------------------------------------------------------------------------------------ */

function readRecords(file) {
  const records = [];
  let whole = true;
  for (const text of fs.readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    try {
      records.push(JSON.parse(text));
    } catch {
      whole = false;
    }
  }
  if (!records[0] || records[0].record !== "machine") fail(`${file} is no file of bench/run.sh`);
  return { records, whole };
}

/* Work of a case's best run: packet-hops, or events. */
const workOf = c => c.packet_hops ?? c.events_committed;
const phases = { execute: "#0072b2", speculate: "#56b4e9", queue: "#009e73", rollback: "#d55e00", communicate: "#cc79a7", wait: "#bdbdbd", gvt: "#e69f00", fossil: "#6a51a3", other: "#6e6e6e" };
const sumOf = part => Object.keys(phases).reduce((sum, name) => sum + (part && part[name] || 0), 0);

/* --- charts -------------------------------------------------------------------------------------------------- */

/* Bars of the cases by name, a series for each value of a member. */
function casesChart(cases, member, title, x, value, named = name => name) {
  const rows = unique(cases.map(c => c.name));
  return {
    kind: "bars", title, interval: "least and best", x, y: axis("", "", { names: rows }),
    series: unique(cases.map(c => c[member])).map(name => series(name, named(name), "", cases.filter(c => c[member] === name && isNumber(value(c)[0])).map(c => [rows.indexOf(c.name), ...value(c)]))),
  };
}

function ratesFigure(name, cases) {
  const known = cases.filter(c => c.mode);
  return {
    name: `${name}-rates`, caption: "Strong scaling: the median rate of each case and mode with the least and the best run, and its ratio to one rank.",
    charts: [casesChart(known, "mode", "rate", axis("packet-hops (PHOLD: events)", "/s", { zero: true }), c => [c.median, c.least, c.best]),
      casesChart(known, "mode", "ratio to one rank", axis("ratio to one rank", "", { zero: true }), c => [c.ratio_to_one_rank])],
  };
}

function phasesFigure(name, cases) {
  const known = cases.filter(c => sumOf(c.phase_s) > 0), label = c => `${c.name}, ${c.mode}: ${Math.round(1e9 * sumOf(c.phase_s) / workOf(c))} ns each`;
  return {
    name: `${name}-phases`, caption: "Where the time goes: the best run of each case and mode, its phases summed over ranks. wait: nothing to do until news from other ranks.",
    charts: [{
      kind: "stack", title: "", x: axis("share of the time of all ranks", "share", { zero: true, min: 0, max: 1 }), y: axis("", "", { names: known.map(label) }),
      series: Object.entries(phases).map(([phase, colour]) => series(phase, phase, "", known.map((c, i) => [i, (c.phase_s[phase] || 0) / sumOf(c.phase_s)]), { colour })),
    }],
  };
}

function weakFigure(name, cases) {
  const named = sync => sync === "sequential" ? "one rank, same network" : sync;
  return {
    name: `${name}-weak`, caption: "Weak scaling: the network grows with the ranks. With more ranks than cores the rate should stay, and the memory of a rank too; the digest is that of one rank.",
    charts: [casesChart(cases, "sync", "rate", axis("packet-hops", "/s", { zero: true }), c => [c.median], named),
      casesChart(cases, "sync", "memory of the largest rank", axis("memory", "B", { zero: true }), c => [c.peak_rss_rank_bytes], named)],
  };
}

/* --- the page ------------------------------------------------------------------------------------------------ */

const cell = (value, digits, factor = 1) => `<td>${isNumber(value) ? decimals(factor * value, digits) : "–"}</td>`;
const text = said => `<td class="l">${escapeHtml(said ?? "")}</td>`;
const table = (heads, rows) => `<div class="scroll"><table class="sortable">\n<tr>${heads.map(([head, what]) => `<th scope="col"${what ? ` title="${escapeHtml(what)}"` : ' class="l"'}>${head}</th>`).join("")}</tr>\n` +
  rows.map(cells => `<tr>${cells.join("")}</tr>\n`).join("") + "</table></div>\n";

function casesTable(cases) {
  const heads = [["case"], ["mode"], ["M/s, median", "Median rate of the runs of this case: packet-hops a second, PHOLD: events."], ["best", "The best of these runs."],
    ["spread", "Best less least, relative to the median."], ["ratio", "Median rate over that of one rank on the same network."],
    ["of copies", "Median rate over what as many independent copies gave together."], ["MB in all", "Peak resident memory of all ranks."],
    ["bytes an endpoint", "Peak resident memory over the number of endpoints."], ["efficiency", "1 less rolled back over processed events."],
    ["rounds", "Rounds of GVT, or exchanges that end a conservative window."], ["a round", "Wall time over the number of rounds."]];
  const percent = share => `<td>${isNumber(share) ? Math.round(100 * share) + " %" : "–"}</td>`;
  return table(heads, cases.map(c => [text(c.name), text(c.mode), cell(c.median, 4, 1e-6), cell(c.best, 4, 1e-6), percent((c.best - c.least) / c.median), cell(c.ratio_to_one_rank, 3), percent(c.ratio_to_copies),
    cell(c.peak_rss_bytes, 4, 1e-6), cell(c.bytes_per_endpoint, 6), cell(c.efficiency, 4), cell(c.gvt_rounds || null, 12), `<td>${c.gvt_rounds ? format(c.wall_s / c.gvt_rounds, "s") : "–"}</td>`]));
}

function machineFacts(machine, calibrations) {
  const span = (member, unit, digits) => [Math.min, Math.max].map(f => decimals(f(...calibrations.map(c => c.machine[member])), digits)).join(" to ") + unit;
  const facts = [["machine", `${machine.cpu}, ${machine.cores} cores`], ["tilefly", `${machine.version}; ${machine.built}`], ["MPI", machine.mpi], ["time", machine.time]];
  if (calibrations.length)
    facts.push(["meanwhile", `${span("ghz", " GHz", 3)}; ${span("load_64m_ns", " ns a dependent load from 64 MiB", 3)}; at least ${Math.round(100 * Math.min(...calibrations.map(c => c.machine.available)))} % of a core available`]);
  return `<div class="scroll"><table class="facts">\n${facts.map(([name, said]) => `<tr><th class="l">${name}</th><td>${escapeHtml(said ?? "")}</td></tr>\n`).join("")}</table></div>\n`;
}

/* {html, figures}: figures stand in the page as their data. */
function makePage(name, { records, whole }) {
  const of = kind => records.filter(r => r.record === kind), weak = of("case").filter(c => c.study === "weak"), strong = of("case").filter(c => c.study !== "weak"), figures = [];
  const place = figure => {
    figures.push(figure);
    return `<div class="figures"><script type="application/json">${JSON.stringify(figure).replaceAll("<", "\\u003c")}</script></div>\n`;
  };
  const parts = [`<h2>Benchmarks ${escapeHtml(name)}</h2>\n`, whole ? "" : '<p class="mark">This file is not whole: what follows is drawn from what it holds.</p>\n',
    machineFacts(records[0], of("calibration").filter(c => c.machine && isNumber(c.machine.ghz) && isNumber(c.machine.load_64m_ns)))];
  if (strong.length) parts.push("<h3>Rates</h3>\n", place(ratesFigure(name, strong)), casesTable(strong), "<h3>Phases</h3>\n", place(phasesFigure(name, strong)));
  if (weak.length) parts.push("<h3>Weak scaling</h3>\n", place(weakFigure(name, weak)), casesTable(weak), place(phasesFigure(`${name}-weak`, weak)));
  if (of("instructions").length)
    parts.push("<h3>Instructions</h3>\n", table([["case"], ["instructions", "Instructions that the processor retired for one unit of work, by valgrind."], ["per"]],
      of("instructions").map(i => [text(i.name), cell(i.instructions, 4), text(i.unit)])));
  return { html: parts.join(""), figures };
}

function wholePage(name, body) {
  const title = `tilefly benchmarks: ${escapeHtml(name)}`;
  return `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>${title}</title>\n<style>\n${web("page.css")}</style>\n<body>\n` +
    `<header class="top">\n<h1>${title}</h1>\n<button type="button" class="theme" hidden></button>\n</header>\n<main>\n${body}</main>\n` +
    `<script>\n${fs.readFileSync(library, "utf8")}\n</script>\n<script>\n${common}\n${web("figure.js")}\n${web("page.js")}</script>\n</body>\n</html>\n`;
}

const words = process.argv.slice(2), option = name => words.includes(name) ? words.splice(words.indexOf(name), 2)[1] : null;
const out = option("--out"), svg = option("--svg"), [file] = words;
if (!file || words.length > 1) fail("usage: node bench/page.js FILE.jsonl [--out PAGE.html] [--svg FOLDER]");
const name = path.basename(file).replace(/\.jsonl.*/, ""), page = makePage(name, readRecords(file));
if (svg) {
  fs.mkdirSync(svg, { recursive: true });
  for (const { files } of drawAll({ style: web("page.css"), width: "", records: {}, places: JSON.parse(JSON.stringify(page.figures)), page: false, files: true }))
    for (const drawn of files) fs.writeFileSync(path.join(svg, drawn.name + ".svg"), drawn.svg);
}
fs.writeFileSync(out || file.replace(/\.jsonl.*/, "") + ".html", wholePage(name, page.html));
