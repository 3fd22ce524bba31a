/* Figures of a run, of its applications and of several runs. The records of a run, in ns and bytes:
 *
 *   name, window [from, to] or null, histograms [{job, quantity, points}], timeline [[time, created, delivered]] in Gb/s an endpoint,
 *   occupancy [{vc, map}], activity {bin_ns, maps [4]} or null, applications [{name, maps [3], path [[time, rank]]}];
 *   slowdowns [{job, points [[mean bytes, messages, p50, p99]]}] by size of message;
 *   map: {rows, columns, values, top, x_from, x_step, y_step}, row after row, the lowest first */
"use strict";

const latencyAxes = () => ({ x: axis("packet latency", "ns", { log: true }), y: axis("share of packets above", "share", { log: true }) });

/* A heat map of means; most: of its scale. */
const heatChart = (title, x, y, map, said, most) => ({
  kind: "heat", title, x: Object.assign(x, { from: map.x_from, step: map.x_step }), y: Object.assign(y, { from: 0, step: map.y_step }), series: [],
  heat: { title: said[0], unit: said[1], rows: map.rows, columns: map.columns, max: most || 1, values: map.values },
});

function distributionChart(run) {
  const titles = { latency: "from creation", network_latency: "from injection", message_latency: "whole messages" }, quantities = Object.keys(titles);
  const drawn = run.histograms.map(h => {
    const dash = Math.max(0, quantities.indexOf(h.quantity)) % 3;
    return series(h.job, `${h.job}, ${titles[h.quantity] || titles.message_latency}`, "steps", h.points, dash ? { dash } : {});
  });
  return Object.assign({ kind: "lines", title: "", series: drawn }, latencyAxes());
}

function timelineChart(run) {
  const lines = ["created", "delivered"].map((name, k) => series(name, name, "plain", run.timeline.map(bin => [bin[0], bin[1 + k]])));
  return Object.assign({ kind: "lines", title: "", x: axis("simulated time", "ns"), y: axis("bytes created and delivered, an endpoint on average", "Gb/s", { zero: true }), series: lines },
    run.window ? { edges: run.window } : {});
}

/* Medians and 99th percentiles by size, at the mean of the messages' bytes. */
function slowdownCharts(run) {
  const lines = run.slowdowns.flatMap(({ job, points }) => ["median", "99th percentile"].map((name, k) =>
    series(job, `${job}, ${name}`, "line", points.map(p => [p[0], p[2 + k]]), k ? {} : { dash: 1 })));
  const values = lines.flatMap(l => l.points.map(p => p[1]));
  return [{ kind: "lines", title: "", x: axis("message size", "B", { log: true }), y: axis("slowdown", "", isWide(values) ? { log: true } : { zero: true }), series: lines }];
}

const activities = ["endpoint sends", "endpoint receives", "switch sends", "switch receives"];

/* Sends and receives of a kind share their scale. */
function activityCharts({ bin_ns, maps }) {
  const said = [`packets a switch in ${+(bin_ns / 1000).toPrecision(6)} µs`, "count"], top = k => maps[k] ? maps[k].top : 0;
  return maps.map((map, k) => map && heatChart(activities[k], axis("simulated time", "ns"), axis("switch"), map, said, Math.max(top(k & 2), top((k & 2) + 1)))).filter(Boolean);
}

makers.run = run => {
  const top = Math.max(0, ...run.occupancy.map(o => o.map.top));
  const figure = (suffix, caption, charts) => ({ name: `${run.name}-${suffix}`, caption, charts });
  return [
    figure("latency-distribution", "Distribution of packet latency: the share of measured packets that took longer; from creation (waiting at the source included) and from injection.", [distributionChart(run)]),
    figure("timeline", "Bytes created and delivered over time, all endpoints and jobs together. Created ones may wait at their source, so their rate is not bounded by the links. " +
      "The measured window lies between the dashed lines; what comes after it is left out.", [timelineChart(run)]),
    figure("occupancy", "Occupancy: bytes queued for each output port and virtual channel, averaged over the run. Ports beyond the network ports lead to endpoints.",
      run.occupancy.map(o => heatChart(`virtual channel ${o.vc}`, axis("output port"), axis("switch"), o.map, ["mean queue", "B"], top))),
    figure("activity", "Sends and receives over time, by switch; endpoints are counted at the switch they sit on.", run.activity ? activityCharts(run.activity) : []),
    figure("slowdown", "Slowdown of messages by size: how many times as long a message took as it would have in the same network if that were empty; medians and 99th percentiles " +
      "of messages that began in the measured window, sizes from one power of two to the next.", slowdownCharts(run)),
    ...run.applications.flatMap(a => applicationFigures(run.name, a)),
  ];
};

function applicationFigures(name, application) {
  const { maps, path } = application;
  return [{
    name: `${name}-${application.name}-ranks`,
    caption: "What ranks do over time, as a share of it: computing; busy with messages and calls, or waiting until their own messages have left; waiting for others. The rest is idle: a rank has ended, or has not begun.",
    charts: maps.map((map, k) => map && heatChart(["computing", "sending", "waiting"][k], axis("simulated time", "ns"), axis("rank"), map, ["of the time", "share"], 1)).filter(Boolean),
  }, {
    name: `${name}-${application.name}-path`,
    caption: "The critical path: the chain of computations and messages that the end depends on, by the rank that it is at. What is not on it could take longer, as long as it does not reach the path, and nothing would end later.",
    charts: [{ kind: "lines", title: "", x: axis("simulated time", "ns"), y: axis("rank", "", { zero: true }), series: [series(application.name, "critical path", "steps", path)] }],
  }];
}

/* --- several runs ---------------------------------------------------------------------------------------------- */

const shownRuns = 8; /* distributions that are not hidden at first */

/* runs: [{name, load [value, low, high], latency [value, low, high], points or null}] */
makers.runs = ({ runs }) => {
  const spots = runs.filter(r => isNumber(r.load[0]) && isNumber(r.latency[0])).map(r => [r.load[0], r.latency[0], ...r.load.slice(1), ...r.latency.slice(1), r.name]);
  const drawn = runs.filter(r => r.points).map(r => series(r.name, r.name, "steps", r.points));
  return [{
    name: "compared-runs", caption: "Every run as a point: mean packet latency and accepted load; bars: 95 % intervals, where a run knows them.",
    charts: [{ kind: "scatter", title: "", x: axis("accepted load (of injection bandwidth)", "", { zero: true }), y: axis("mean packet latency", "ns", { log: true }), series: [series("runs", "runs", "", spots)] }],
  }, {
    name: "compared-latency-distribution", hidden: drawn.slice(shownRuns).map(s => s.name),
    caption: "Distribution of packet latency of several runs, all jobs together: the share of measured packets that took longer, from creation to the last byte's arrival.",
    charts: [Object.assign({ kind: "lines", title: "", series: drawn }, latencyAxes())],
  }];
};

/* --- networks -------------------------------------------------------------------------------------------------- */

/* Nodes [x, y, name, group, note], and cables [a, b, number, metres] by class. */
makers.network = net => [{
  name: net.name, caption: net.caption,
  charts: [{
    kind: "network", title: "", network: { aspect: net.aspect, symbol: net.symbol, size: net.size, opacity: net.opacity, nodes: net.nodes },
    series: net.classes.map((c, hue) => series(c.name, c.name, "", c.cables, { hue, curve: net.curve })).filter(s => s.points.length),
  }],
}];
