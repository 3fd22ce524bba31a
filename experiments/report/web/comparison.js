/* Figures of a comparison, from compare.json. A network has one colour on the page, whatever its routing; what was not simulated
 * is grey. */
"use strict";

const grey = "#8c8c8c", mostDesigns = 60; /* of a chart; tables have all */
const reaches = [["by long runs", "#00805c"], ["by short runs", "#2f86bd"], ["until it could not be first", "#c9a227"], ["by bounds alone", grey], ["failed", "#b3261e"]];

const designName = d => joined(d.network, d.routing, d.congestion);
const variantOf = d => joined(d.routing, d.congestion);
const columnsOf = c => (c.designs[0] ? c.designs[0].series : []).map(s => s.traffic + (s.message ? ", messages of " + s.message : ""));
/* Units of what worth is counted by: 1000 of money. */
const unitsOf = c => c.cost_model && !["ports", "watts", "cables"].includes(c.equal) ? 1000 : 1;
const pointsOf = s => s && s.points || [];

/* How far a series was taken: a name of the list above. */
function reachOf(design, s) {
  const points = pointsOf(s);
  if (!s || s.state === "failed" || design.failed || s.impossible || points.some(p => p.failed)) return "failed";
  if (!points.length) return "by bounds alone";
  if (!(s.saturation && s.saturation[0] > 0)) return "until it could not be first";
  return points.some(p => p.fidelity === "long") ? "by long runs" : "by short runs";
}

/* Designs in the order of their places in a column, those that have none last. */
function ranked(c, k) {
  const place = d => d.series[k] && d.series[k].place >= 1 ? d.series[k].place : Infinity;
  const middle = d => d.series[k] && d.series[k].worth ? d.series[k].worth[0] + d.series[k].worth[1] : 0;
  return [...c.designs].sort((a, b) => place(a) - place(b) || middle(b) - middle(a) || 0);
}

/* A series for each network, in the order of the file, and one for the others, of the points that each has. */
function coloured(c, bars, other) {
  const of = name => bars.filter(b => b.network === name).map(b => b.point);
  return [...c.networks.map(n => series(n.name, n.name, "", of(n.name))), ...other ? [series(other, other, "", of(null), { colour: grey })] : []];
}

/* A bar of one design: from what is sure, or up to what its bound allows. */
function rankedBar(design, s, row, member, factor) {
  const reach = reachOf(design, s), ran = reach.endsWith("runs"), [low, high] = (s && s[member] || []).map(v => factor * v), points = pointsOf(s);
  if (reach === "failed" || !isNumber(low) || !isNumber(high)) return [];
  const few = points.filter(p => p.fidelity === "short").length;
  const notes = [["known", reach], ["runs", `${few} short, ${points.length - few} long`]];
  if (ran && s.bound > 0) notes.push(["bound of saturation", decimals(Math.min(s.bound, 1), 4)]);
  return [{ network: ran ? design.network : null, point: noted(ran ? point(row, low, low, high) : point(row, high), notes) }];
}

function rankedFigure(c, name, caption, member, factor, title) {
  const charts = columnsOf(c).map((column, k) => {
    const shown = ranked(c, k).slice(0, mostDesigns), reach = d => reachOf(d, d.series[k]);
    const names = shown.map(d => designName(d) + (reach(d) === "failed" ? " (failed)" : ""));
    const bars = shown.flatMap((d, row) => rankedBar(d, d.series[k], row, member, factor));
    return { kind: "bars", title: column, single: true, interval: "between", x: axis(title, "", { zero: true }), y: axis("", "", { names }), series: coloured(c, bars, "not simulated to the end: at most") };
  });
  return { name, caption, narrow: "24rem", charts };
}

const rankedCaption = " In the order of places. A bar is what is surely delivered, its mark reaches to the most that may be. Grey: not simulated, or not to the end, as it cannot be first; at most so much, by its bound.";

makers["comparison.worth"] = c => {
  const unit = `Gb/s delivered per ${unitsOf(c) > 1 ? "1,000 " : ""}${c.worth_per || ""}`;
  return [rankedFigure(c, "worth", `${unit}.${rankedCaption}${c.designs.length > mostDesigns ? " The first 60; the tables have all." : ""}`, "worth", unitsOf(c), unit)];
};

makers["comparison.saturation"] = c => [rankedFigure(c, "saturation",
  `Saturation, as a share of what endpoints can inject: the largest load at which every job gets 98 % of what it offers.${rankedCaption}`, "saturation", 1, "saturation (of injection bandwidth)")];

makers["comparison.networks"] = c => {
  const rows = c.networks.filter(n => n.endpoints > 0).map(n => {
    const parts = n.cost_parts_per_endpoint || {};
    return {
      name: n.name, key: n.name, priced: n.cost_total > 0, parts: [n.ports_per_endpoint, n.cables_per_endpoint, n.optical_m_per_endpoint, n.watts_per_endpoint],
      costs: [parts.switches + parts.ports, parts.copper_cables, parts.optical_cables, parts.endpoint_cables, parts.energy],
    };
  });
  return billFigures(rows, unitsOf(c) > 1 ? c.worth_per : "");
};

/* --- latency --------------------------------------------------------------------------------------------------- */

/* The runs of a design that measured latency, by load. */
function measuredOf(design) {
  const curve = (design.curve || []).filter(p => isNumber(p.load)), own = design.latency;
  const more = own && isNumber(own.load) && !curve.some(p => Math.abs(p.load - own.load) < 1e-9) ? [own] : [];
  return [...curve, ...more].sort((a, b) => a.load - b.load);
}

makers["comparison.latency"] = c => [["latency-load", "mean_ns", "mean_half_width_ns", "mean packet latency", "Mean packet latency"],
  ["latency-p99", "p99_ns", "p99_half_width_ns", "99th percentile of packet latency", "99th percentile of packet latency"]].map(([name, value, half, title, head]) => {
  const y = spanned(title, "ns", c.designs.flatMap(d => measuredOf(d).map(p => p[value])));
  const line = d => series(d.network, d.network, "line", measuredOf(d).filter(p => p[value] > 0 && p.stationary !== false)
    .map(p => point(p.load, p[value], Math.max(p[value] - p[half], p[value] / 100), p[value] + p[half])));
  return {
    name, caption: `${head} against load, under the traffic that ranks (${c.ranked_by}); bars are 95 % intervals. Of designs that were simulated; a line ends at the last of the study's loads that is carried.`,
    charts: unique(c.designs.map(variantOf)).map(variant => ({ kind: "lines", title: variant, x: axis("offered load", "", { zero: true }), y: Object.assign({}, y), series: c.designs.filter(d => variantOf(d) === variant).map(line) }))
      .filter(chart => chart.series.some(s => s.points.length)),
  };
});

/* --- collectives, failures ------------------------------------------------------------------------------------- */

makers["comparison.collectives"] = c => {
  const key = one => `${one.name} of ${one.size}`, all = c.designs.flatMap(d => (d.collectives || []).map(one => ({ d, key: key(one), ns: one.time_ns > 0 ? one.time_ns : Infinity })));
  return [{
    name: "collectives", narrow: "24rem",
    caption: "Collectives alone on the network: all members begin at once; until the last one has ended, all phases. Of designs that were simulated, or of finalists, as the study says.",
    charts: unique(all.map(one => one.key)).map(title => {
      const shown = all.filter(one => one.key === title).sort((a, b) => a.ns === b.ns ? 0 : a.ns - b.ns).slice(0, mostDesigns);
      return {
        kind: "bars", title, single: true, x: axis("until the last member has ended", "ns", { zero: true }),
        y: axis("", "", { names: shown.map(({ d, ns }) => designName(d) + (isFinite(ns) ? "" : " (not ended)")) }),
        series: coloured(c, shown.flatMap(({ d, ns }, row) => isFinite(ns) ? [{ network: d.network, point: [row, ns] }] : [])),
      };
    }),
  }];
};

makers["comparison.failures"] = c => {
  const known = c.networks.filter(n => n.resilience && isNumber(n.resilience.disconnected_median)), removed = n => n.resilience && n.resilience.removed || [];
  const bars = known.map((n, row) => {
    const r = n.resilience;
    return { network: n.name, point: noted(point(row, r.disconnected_median, r.disconnected_p05, r.disconnected_p95), [["by the degrees of switches", format(r.disconnected_form, "share", 4)]]) };
  });
  return [{
    name: "cut-off",
    caption: "The share of the cables, taken out one by one at random, after which some switch with endpoints is cut off from another: median over the orders; the mark reaches from the 5 % to the 95 % of them.",
    charts: [{ kind: "bars", title: "", single: true, interval: "5 % and 95 % of orders", x: axis("share of the cables", "share", { zero: true }), y: axis("", "", { names: known.map(n => n.name) }), series: coloured(c, bars) }],
  }, {
    name: "failures",
    caption: "Uniform throughput that is left when a share of the cables has failed at random, over what it was, by the loads of channels on shortest paths: mean over the draws that cut no switch off. Nothing of it is simulated.",
    charts: [{
      kind: "lines", title: "", x: axis("share of the cables that failed", "share", { zero: true }), y: axis("uniform throughput left", "share", { zero: true }),
      series: c.networks.map(n => series(n.name, n.name, "line", removed(n).length ? [[0, 1], ...removed(n).filter(r => isNumber(r.uniform_left)).map(r => [r.share, r.uniform_left])] : [])),
    }],
  }];
};

makers["comparison.spent"] = c => {
  const columns = columnsOf(c), count = (name, k) => c.designs.filter(d => reachOf(d, d.series[k]) === name).length;
  return [{
    name: "reach", caption: "How far designs were taken: most are known well enough by bounds or few runs.",
    charts: [{
      kind: "stack", title: "", x: axis("designs", "count", { zero: true }), y: axis("", "", { names: columns }),
      series: reaches.map(([name, colour]) => series(name, name, "", columns.map((_, k) => [k, count(name, k)]).filter(p => p[1] > 0), { colour })),
    }],
  }];
};
