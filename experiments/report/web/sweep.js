/* Figures of a sweep: throughput, latency and time along its x axis, the distribution of latency, saturation. Its records:
 *
 *   axes [{name, title}], x and panels (indices of axes; panels -1: as it suits), title, repeat, published (has it curves?),
 *   scales [{label, factor}], duration {column, title} or null, saturation [{labels, low, high}] or null,
 *   distribution {x, lines [{labels, points}]},
 *   rows: those of summary.jsonl with x (null: no number), published (null: not), worth ("known", "bound", "none"), ran */
"use strict";

/* The axis of panels, and those of series. */
function orderOf(sweep) {
  const others = sweep.axes.map((_, i) => i).filter(i => i !== sweep.x);
  const panel = sweep.panels >= 0 ? sweep.panels : others.length > 1 ? others[0] : -1;
  return { panel: panel >= 0 ? sweep.axes[panel].name : null, series: others.filter(i => i !== panel).map(i => sweep.axes[i].name) };
}

const labelOn = (row, name) => name === null ? "" : row.labels[name] || "";
const seriesName = (order, row) => order.series.map(name => labelOn(row, name)).join(", ");

/* Names along the x axis, if they are no numbers, or no more than off and on. */
function categoriesOf(sweep) {
  const known = sweep.rows.filter(r => isNumber(r.x)), values = unique(known.map(r => r.x));
  const switched = values.length === 2 && values.includes(0) && values.includes(1) && sweep.axes[sweep.x].points;
  if (known.length && !switched) return null;
  return unique(sweep.rows.map(r => labelOn(r, sweep.axes[sweep.x].name)));
}

/* A quantity: where its values are, and what is drawn of it. */
const quantities = {
  accepted: { value: "accepted_load", ends: ["accepted_load_low", "accepted_load_high"], name: "accepted", title: "accepted load (of injection bandwidth)", unit: "" },
  mean: { value: "latency_mean_ns", ends: ["latency_mean_low_ns", "latency_mean_high_ns"], name: "mean", title: "packet latency", unit: "ns" },
  p99: { value: "latency_p99_ns", ends: ["latency_p99_low_ns", "latency_p99_high_ns"], name: "99th percentile", title: "packet latency", unit: "ns" },
};
const pointOf = (row, x, q) => point(x, row[q.value], row[q.ends[0]], row[q.ends[1]]);
const timeOf = sweep => ({ value: sweep.duration.column, ends: sweep.duration.ends, name: "time", title: sweep.duration.title, unit: "ns" });

/* Rows by panel and series, in the order of their first use. */
function grouped(sweep) {
  const order = orderOf(sweep), ran = sweep.rows.filter(r => r.ran);
  return unique(sweep.rows.map(r => labelOn(r, order.panel))).map(panel => ({
    panel,
    lines: unique(sweep.rows.map(r => seriesName(order, r))).map(name => ({
      name, key: name || sweep.title, rows: ran.filter(r => labelOn(r, order.panel) === panel && seriesName(order, r) === name),
    })),
  }));
}

const joined = (...parts) => parts.filter(Boolean).join(", ");

/* --- along numbers ------------------------------------------------------------------------------------------- */

function xAxis(sweep) {
  const xs = sweep.rows.map(r => r.x).filter(isNumber), low = Math.min(...xs), high = Math.max(...xs);
  const more = low >= 1 && high >= 16 * low ? { log: true } : low >= 0 && high <= 1 && high >= 0.5 ? { zero: true } : {};
  return axis(sweep.axes[sweep.x].title, "", more);
}

/* Marks at the upper edge: of rows that have no value there. */
const edge = (line, rows, said) => series(line.key, joined(line.name, said), "edge", rows.map(r => [r.x, null]), { of: line.name, said });

const isMeasured = (row, q) => isNumber(row.x) && isNumber(row[q.value]);

function throughputLines(sweep, line) {
  const q = quantities.accepted, known = line.rows.filter(r => isNumber(r.x) && isNumber(r.published));
  return [
    series(line.key, line.name || q.name, "line", line.rows.filter(r => isMeasured(r, q)).map(r => pointOf(r, r.x, q))),
    ...sweep.scales.slice(0, 4).map((scale, k) => series(line.key, joined(line.name, scale.label), "marks", known.map(r => [r.x, scale.factor * r.published]), { mark: 4 + k })),
  ];
}

/* A line ends where the network saturates: a mark at the upper edge, at the first load where it has. */
function latencyLines(sweep, line) {
  const { mean, p99 } = quantities, of = (worth, q) => line.rows.filter(r => r.worth === worth && isMeasured(r, q));
  const past = line.rows.filter(r => r.worth === "none" && isNumber(r.x)), first = Math.min(...past.map(r => r.x));
  return [
    series(line.key, line.name || mean.name, "line", of("known", mean).map(r => pointOf(r, r.x, mean))),
    series(line.key, joined(line.name, p99.name), "line", of("known", p99).map(r => pointOf(r, r.x, p99)), { dash: 1 }),
    series(line.key, joined(line.name, "lower bound of the mean"), "marks", of("bound", mean).map(r => pointOf(r, r.x, mean)), { mark: 4 }),
    edge(line, past.filter(r => r.x === first), "saturated"),
  ];
}

function timeLines(sweep, line) {
  const q = timeOf(sweep);
  return [
    series(line.key, line.name || q.name, "line", line.rows.filter(r => isMeasured(r, q)).map(r => pointOf(r, r.x, q))),
    edge(line, line.rows.filter(r => isNumber(r.x) && !isNumber(r[q.value])), "none ended"),
  ];
}

function linesFigure(sweep, name, caption, y, linesOf) {
  const charts = grouped(sweep).map(({ panel, lines }) => ({ kind: "lines", title: panel, x: xAxis(sweep), y: Object.assign({}, y), series: lines.flatMap(line => linesOf(sweep, line)) }));
  return { name, caption, charts };
}

/* --- along names --------------------------------------------------------------------------------------------- */

/* "+12.3 %": a tenth is shown, of large ones three digits. */
const signed = share => (share < 0 ? "−" : "+") + (Math.abs(share) < 1 ? Math.abs(100 * share).toFixed(1) : decimals(Math.abs(100 * share), 3)) + " %";

/* Bars of every name, each with its difference from the first one's. nothing: what is said where there is no value. */
function barsFigure(sweep, categories, name, caption, q, nothing) {
  const x = sweep.axes[sweep.x].name;
  const charts = grouped(sweep).map(({ panel, lines }) => ({
    kind: "bars", title: panel, x: axis(q.title, q.unit, { zero: true }), y: axis(sweep.axes[sweep.x].title, "", { names: categories }), ends: true,
    series: lines.map(line => {
      const rows = categories.map(c => line.rows.find(r => labelOn(r, x) === c)), past = row => nothing === "saturated" && row.worth === "none";
      const first = rows[0] && !past(rows[0]) && rows[0][q.value];
      return series(line.key, line.name || q.name, "", rows.flatMap((row, i) => {
        if (!row || past(row) || !isNumber(row[q.value])) return row && nothing ? [[i, null, null, null, [["result", nothing !== "saturated" || past(row) ? nothing : "none measured"]]]] : [];
        return i && first > 0 ? [noted(pointOf(row, i, q), [[`against ${categories[0]}`, signed(row[q.value] / first - 1)]])] : [pointOf(row, i, q)];
      }));
    }),
  }));
  charts.forEach(c => { if (!c.series.some(s => s.points.some(p => p[1] !== null))) c.series = []; });
  return { name, caption: caption + (categories.length > 1 ? ` Differences are from ${categories[0]}.` : ""), charts };
}

function categoryFigures(sweep, categories) {
  const title = sweep.axes[sweep.x].title, made = [];
  if (sweep.duration)
    made.push(barsFigure(sweep, categories, "time", `${sweep.duration.caption}, by ${title}.`, timeOf(sweep), "none ended"));
  made.push(barsFigure(sweep, categories, "accepted-load", `Accepted load by ${title}.`, quantities.accepted, ""));
  for (const [q, name] of [["mean", "latency"], ["p99", "latency-p99"]])
    made.push(barsFigure(sweep, categories, name, `${q === "mean" ? "Mean" : "99th percentile of"} packet latency by ${title}, from creation to the last byte's arrival; past saturation it grows with the length of the run, and has no bar.`, quantities[q], "saturated"));
  return made;
}

/* --- the figures --------------------------------------------------------------------------------------------- */

const latencyRest = "from creation to the last byte's arrival; mean (solid) and 99th percentile (dashed). Open marks without a line: means that are lower bounds, " +
  "because more than 1 % of the measured packets were still under way at the end. Bars: 95 % intervals, where a run knows them. A triangle at the upper edge: " +
  "from this load on the network is saturated, and latency grows with the length of the run.";

function lineFigures(sweep) {
  const title = sweep.axes[sweep.x].title, made = [], rows = sweep.rows.filter(r => r.ran);
  if (sweep.duration) {
    const values = rows.flatMap(r => [r[sweep.duration.column], ...sweep.duration.ends.map(e => r[e])]);
    made.push(linesFigure(sweep, "time", `${sweep.duration.caption} against ${title}.${sweep.repeat > 1 ? " Bars: 95 % intervals of the mean over runs." : ""}` +
      (rows.some(r => !isNumber(r[sweep.duration.column])) ? " A triangle at the upper edge: none has ended." : ""), spanned(sweep.duration.title, "ns", values), timeLines));
  }
  if (rows.some(r => r.accepted_load > 0))
    made.push(linesFigure(sweep, "accepted-load", `Accepted load against ${title}.${sweep.published ? " Lines: this program. Open marks: published values, where they are stated." : ""}`,
      axis(quantities.accepted.title, "", { zero: true }), throughputLines));
  const drawn = rows.filter(r => r.worth !== "none");
  if (drawn.some(r => isNumber(r.latency_mean_ns)))
    made.push(linesFigure(sweep, "latency", `Packet latency against ${title}, ${latencyRest}`,
      spanned("packet latency", "ns", drawn.flatMap(r => r.worth === "known" ? [r.latency_mean_ns, r.latency_p99_ns, r.latency_p99_high_ns] : [r.latency_mean_ns])), latencyLines));
  return made;
}

/* Distributions at the middle of the x axis; the first ten are shown at first. */
function distributionFigure(sweep) {
  const order = orderOf(sweep), panels = unique(sweep.rows.map(r => labelOn(r, order.panel))), { x, lines } = sweep.distribution;
  const drawn = lines.map(({ labels, points }) => {
    const panel = labelOn({ labels }, order.panel), name = seriesName(order, { labels }), dash = name ? Math.max(0, panels.indexOf(panel)) : 0;
    return series(name || panel || sweep.title, joined(panel, name) || sweep.title, "steps", points, dash ? { dash } : {});
  });
  return {
    name: "latency-distribution", hidden: drawn.slice(10).map(s => s.name),
    caption: `Distribution of packet latency at ${sweep.axes[sweep.x].name} = ${decimals(x, 6)}: the share of measured packets that took longer.`,
    charts: [{ kind: "lines", title: "", x: axis("packet latency", "ns", { log: true }), y: axis("share of packets above", "share", { log: true }), series: drawn }],
  };
}

makers.sweep = sweep => {
  const categories = categoriesOf(sweep);
  return categories ? categoryFigures(sweep, categories) : [...lineFigures(sweep), distributionFigure(sweep)];
};

makers.saturation = sweep => {
  const title = sweep.axes[sweep.x].title, rows = new Rows(), known = sweep.saturation.filter(e => isNumber(e.low));
  const name = e => sweep.axes.filter((_, i) => i !== sweep.x).map(a => labelOn(e, a.name)).join(", ") || "all";
  const points = known.map(e => point(rows.add(name(e)), e.low, e.low, e.high));
  return [{
    name: "saturation", caption: `Saturation: the largest ${title} at which every run was stationary; the bar's end reaches to the least at which one was not.`,
    charts: [{ kind: "bars", title: "", interval: "between", x: axis(title, "", { zero: true }), y: axis("", "", { names: rows.names }), series: [series("saturation", "saturation", "", points)] }],
  }];
};

/* --- several sweeps ------------------------------------------------------------------------------------------ */

/* A colour is a series, a dash and a mark are a sweep; without a series in common colours are sweeps. */
makers.overlay = (...known) => {
  const all = known.filter(Boolean), last = all.map(s => s.file), files = unique(last).length < last.length ? all.map(s => s.path) : last;
  all.forEach((s, i) => { s.file = files[i]; });
  if (all.length < 2) return [];
  const [first] = all, x = s => s.axes[s.x].name, same = all.filter(s => x(s) === x(first) && !categoriesOf(s));
  const notes = all.filter(s => !same.includes(s)).map(s => ({ note: `Not compared: ${s.file}, which has another horizontal axis.` }));
  if (same.length < 2) return notes;
  const own = orderOf(first), panel = same.every(s => s.axes.some((a, i) => i !== s.x && a.name === own.panel)) ? own.panel : null;
  const named = same.map(s => ({ sweep: s, order: { panel, series: s.axes.filter((a, i) => i !== s.x && a.name !== panel).map(a => a.name) } }));
  const rows = named.flatMap(({ sweep, order }, n) => sweep.rows.filter(r => r.ran).map(row => ({ row, n, panel: labelOn(row, panel), name: seriesName(order, row) })));
  const names = unique(rows.map(r => r.name)), panels = unique(rows.map(r => r.panel)), { accepted, mean, p99 } = quantities;
  const value = (row, q) => q === accepted || row.worth === "known" ? row[q.value] : null;
  const figure = (name, caption, q, title) => {
    const y = q === accepted ? axis(title, "", { zero: true }) : spanned(title, "ns", rows.map(r => value(r.row, q)));
    const line = (p, n, s) => series(names.length === 1 ? same[n].file : s, same[n].file + (s ? ": " + s : ""), "line",
      rows.filter(r => r.panel === p && r.n === n && r.name === s && isNumber(r.row.x) && isNumber(value(r.row, q))).map(r => [r.row.x, value(r.row, q)]), { dash: n, mark: n });
    return { name, caption, charts: panels.map(p => ({ kind: "lines", title: p, x: axis(first.axes[first.x].title), y: Object.assign({}, y), series: same.flatMap((_, n) => names.map(s => line(p, n, s))) })) };
  };
  return [
    ...notes, { note: same.map(s => `${s.file}: ${s.title}`).join("; ") },
    figure("compared-accepted-load", "Accepted load of several sweeps. A colour is a series, a dash pattern and a mark are a sweep.", accepted, accepted.title),
    figure("compared-latency", "Mean packet latency of several sweeps, from creation to the last byte's arrival. Points past saturation and those whose latency is only a lower bound are left out.", mean, "mean packet latency"),
    figure("compared-latency-p99", "99th percentile of packet latency of several sweeps. Points past saturation and those whose latency is only a lower bound are left out.", p99, "99th percentile of packet latency"),
  ];
};
