/* Figures of sweeps: lines along numbers, bars along names, what is saturated or has not ended, several sweeps in one figure. */
"use strict";
const assert = require("assert"), load = require("./load.js");
const { expand, newBook, describePoint, rowsOf } = load([], ["expand", "newBook", "describePoint", "rowsOf"]);

/* A sweep of rows [labels, values]; x is the last axis. */
function sweepOf(axes, rows, more = {}) {
  return Object.assign({
    title: "a sweep", path: "results/s", file: "s", axes: axes.map(([name, points]) => ({ name, title: name, points: Boolean(points) })), x: axes.length - 1, panels: -1, repeat: 1,
    published: false, scales: [], duration: null, saturation: null, distribution: { x: 0.5, lines: [] },
    rows: rows.map(([labels, values]) => {
      const row = { labels: Object.fromEntries(axes.map(([name], i) => [name, String(labels[i])])), published: null, worth: "known", ran: true };
      const x = labels[axes.length - 1];
      return Object.assign(row, { x: typeof x === "number" ? x : null }, values);
    }),
  }, more);
}

const made = (sweep, make = "sweep") => expand({ make, of: "s" }, { s: JSON.parse(JSON.stringify(sweep)) }, newBook());
const figure = (all, name) => all.find(f => f.name === name);
const line = (chart, name) => chart.series.find(s => s.name === name);
const loads = sweepOf([["routing"], ["load"]], [
  [["minimal", 0.2], { accepted_load: 0.2, latency_mean_ns: 500, latency_p99_ns: 900, published: 0.21 }],
  [["minimal", 0.6], { accepted_load: 0.6, latency_mean_ns: 700, latency_p99_ns: 1500, accepted_load_low: 0.59, accepted_load_high: 0.61 }],
  [["minimal", 0.9], { accepted_load: 0.7, latency_mean_ns: 9e5, latency_p99_ns: 9e6, worth: "none" }],
  [["valiant", 0.2], { accepted_load: 0.2, latency_mean_ns: 800, latency_p99_ns: 990, worth: "bound" }],
  [["valiant", 0.6], { ran: false }],
], { published: true, scales: [{ label: "raw", factor: 1 }, { label: "scaled", factor: 0.5 }] });
const controls = (x, points) => sweepOf([["control"], ["incast", points]], [
  [["none", x[0]], { accepted_load: 0.1, iteration_ns: 1000, latency_mean_ns: 10, latency_p99_ns: 12 }],
  [["none", x[1]], { accepted_load: 0.3, iteration_ns: null, latency_mean_ns: 30, latency_p99_ns: 40 }],
  [["window", x[0]], { accepted_load: 0.1, iteration_ns: 1000, latency_mean_ns: 10, latency_p99_ns: 12 }],
  [["window", x[1]], { accepted_load: 0.2, iteration_ns: 1250, latency_mean_ns: 15, latency_p99_ns: 20 }],
], { duration: { column: "iteration_ns", ends: ["low", "high"], title: "time of an iteration", caption: "What an iteration takes" } });

const tests = {
  "lines have the points of their rows, with intervals and what is published"() {
    const chart = figure(made(loads), "accepted-load").charts[0];
    assert.deepEqual(line(chart, "minimal").points, [[0.2, 0.2], [0.6, 0.6, 0.59, 0.61], [0.9, 0.7]]);
    assert.deepEqual(line(chart, "minimal, scaled").points, [[0.2, 0.105]]);
    assert.deepEqual(line(chart, "valiant").points, [[0.2, 0.2]], "what did not run has no point");
  },
  "a curve of latency ends with a mark where the network is saturated"() {
    const chart = figure(made(loads), "latency").charts[0], mark = line(chart, "minimal, saturated");
    assert.deepEqual(line(chart, "minimal").points, [[0.2, 500], [0.6, 700]]);
    assert.deepEqual(mark.points, [[0.9, chart.y.max]]);
    assert.ok(chart.y.max < 1e4, "the axis is not stretched by it");
    assert.deepEqual(describePoint(chart, mark, 0, new Set()).rows, [["minimal, saturated", "saturated", true]]);
    assert.ok(rowsOf(chart).some(row => row[0] === "minimal, saturated" && row[2] === "saturated"), "tables have no value of it");
    assert.deepEqual(line(chart, "valiant, lower bound of the mean").points, [[0.2, 800]]);
  },
  "a key has one colour in all figures"() {
    const all = made(loads), hues = all.flatMap(f => f.charts[0].series.filter(s => s.key === "valiant").map(s => s.hue));
    assert.ok(hues.length > 1 && hues.every(h => h === hues[0]));
    assert.notEqual(hues[0], line(all[0].charts[0], "minimal").hue);
  },
  "names are bars, each with its difference from the first"() {
    const chart = figure(made(controls(["off", "on"])), "time").charts[0];
    assert.equal(chart.kind, "bars");
    assert.deepEqual(chart.y.names, ["off", "on"]);
    assert.deepEqual(line(chart, "window").points, [[0, 1000], [1, 1250, null, null, [["against off", "+25.0 %"]]]]);
  },
  "off and on are bars, and numbers of a key are not"() {
    assert.equal(figure(made(controls([0, 1], true)), "time").charts[0].kind, "bars");
    assert.equal(figure(made(controls([0, 1])), "time").charts[0].kind, "lines");
  },
  "what has not ended is drawn"() {
    const bars = line(figure(made(controls(["off", "on"])), "time").charts[0], "none");
    assert.deepEqual(bars.points[1], [1, null, null, null, [["result", "none ended"]]]);
    const chart = figure(made(controls([0, 1])), "time").charts[0];
    assert.deepEqual(line(chart, "none, none ended").points, [[1, chart.y.max]]);
  },
  "bars of what is saturated say so, and panels share their scale"() {
    const sweep = controls(["off", "on"]);
    sweep.rows[1].worth = "none";
    assert.deepEqual(line(figure(made(sweep), "latency").charts[0], "none").points, [[0, 10], [1, null, null, null, [["result", "saturated"]]]]);
    const rows = [["a", "r", "x", 10], ["b", "r", "x", 70]].map(([...labels]) => [labels.slice(0, 3), { accepted_load: labels[3] / 100 }]);
    const [f] = made(sweepOf([["pattern"], ["routing"], ["control"]], rows));
    assert.deepEqual(f.charts.map(c => c.x.max), [0.8, 0.8]);
  },
  "panels are the values of the first of several axes, and an empty one is named"() {
    const rows = [[["uniform", "minimal", 0.2], { accepted_load: 0.2 }], [["tornado", "minimal", 0.2], { ran: false }]];
    const [f] = made(sweepOf([["pattern"], ["routing"], ["load"]], rows));
    assert.deepEqual(f.charts.map(c => c.title), ["uniform"]);
    assert.match(f.caption, /Nothing was measured under tornado/);
  },
  "without a point there is no figure"() {
    assert.deepEqual(made(sweepOf([["load"]], [[[0.2], { ran: false }]])), []);
  },
  "where series saturate"() {
    const found = made(Object.assign({}, loads, { saturation: [{ labels: { routing: "minimal" }, low: 0.6, high: 0.7 }, { labels: { routing: "valiant" }, low: null, high: 0.6 }] }), "saturation");
    assert.deepEqual(found[0].charts[0].y.names, ["minimal"]);
    assert.deepEqual(found[0].charts[0].series[0].points, [[0, 0.6, 0.6, 0.7]]);
  },
  "several sweeps are compared where their x axes are one"() {
    const records = { a: loads, b: Object.assign({}, loads, { file: "t" }), c: sweepOf([["routing"], ["q"]], [[["minimal", 3], { accepted_load: 0.2 }]], { file: "u" }) };
    const all = expand({ make: "overlay", of: ["a", "b", "c", "gone"] }, JSON.parse(JSON.stringify(records)), newBook());
    assert.deepEqual(all[0], { note: "Not compared: u, which has another horizontal axis." });
    const chart = figure(all, "compared-accepted-load").charts[0];
    assert.deepEqual(chart.series.map(s => [s.name, s.dash, s.points.length]), [["s: minimal", 0, 3], ["s: valiant", 0, 1], ["t: minimal", 1, 3], ["t: valiant", 1, 1]]);
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log("passed:", name);
}
