/* Figures of runs, of their applications, of the inside of switches, and of networks: from small records made by hand. */
"use strict";
const assert = require("assert"), load = require("./load.js");
const { expand, newBook } = load([], ["expand", "newBook"]);

const made = (make, records) => expand({ make, of: "r" }, { r: JSON.parse(JSON.stringify(records)) }, newBook());
const line = (chart, name) => chart.series.find(s => s.name === name);
const map = (top, more = {}) => Object.assign({ rows: 2, columns: 2, values: [0, top, null, 1], top, x_from: 500, x_step: 1000, y_step: 3 }, more);
const run = {
  name: "a/b", window: [4000, 14000], timeline: [[1000, 50, 40], [3000, 51, 50]], activity: { bin_ns: 1000, maps: [map(5), map(9), map(3), null] },
  histograms: [{ job: "j", quantity: "latency", points: [[400, 1], [500, 0.4]] }, { job: "j", quantity: "network_latency", points: [[300, 1]] }, { job: "none", quantity: "latency", points: [] }],
  occupancy: [{ vc: 0, map: map(910) }, { vc: 2, map: map(100) }], slowdowns: [{ job: "a", points: [[1024, 7, 1, 1.5], [4096, 3, 1.25, 12]] }], applications: [{ name: "app", maps: [map(1), map(1), map(1)], path: [[0, 0], [1020, 1], [5140, 0]] }],
};
const stages = [{ name: "pipeline", wait: false, ps: 4e6, slowest: 1e5 }, { name: "a wait", wait: true, ps: 8e6, slowest: 5e5 }];
const inside = {
  name: "run", switches: 2, classes: [{ name: "bulk", packets: 40, latency: 12e6, slowest: { ps: 6e5, switch: 3, port: 3 }, stages }],
  busiest: {
    switch: 5, ports: 4, tiles: { rows: 2, columns: 2, ports_per_tile: 1 }, bus_utilization: [0.11, 0.22, 0.33, 0.44], crossbar_utilization: [[0.5, 0.25], [0.5, 0.25], [0.25, 0.5], [0.25, 0.5]],
    mux_utilization: [0.55, 0.66, 0.77, 0.88],
  },
};

const tests = {
  "a run has its figures, under names that are no paths"() {
    assert.deepEqual(made("run", run).map(f => f.name), ["latency-distribution", "timeline", "occupancy", "activity", "slowdown", "app-ranks", "app-path"].map(n => "a-b-" + n));
    assert.deepEqual(made("run", Object.assign({}, run, { histograms: [], slowdowns: [], timeline: [], occupancy: [], activity: null, applications: [] })), [], "nothing without records");
  },
  "quantities of a job have its colour, and a dash each"() {
    const { series } = made("run", run)[0].charts[0];
    assert.deepEqual(series.map(s => [s.name, s.hue, s.dash]), [["j, from creation", 0, undefined], ["j, from injection", 0, 1]]);
  },
  "time has the measured window"() {
    const chart = made("run", run)[1].charts[0];
    assert.deepEqual([chart.edges, line(chart, "delivered").points], [[4000, 14000], [[1000, 40], [3000, 50]]]);
  },
  "heat maps of one figure share their scale, those of sends with those of receives"() {
    const [, , occupancy, activity, , ranks] = made("run", run);
    assert.deepEqual(occupancy.charts.map(c => [c.title, c.heat.max]), [["virtual channel 0", 910], ["virtual channel 2", 910]]);
    assert.deepEqual(activity.charts.map(c => [c.title, c.heat.max]), [["endpoint sends", 9], ["endpoint receives", 9], ["switch sends", 3]]);
    assert.deepEqual([ranks.charts[0].heat.max, ranks.charts[0].y.step, ranks.charts[0].x.from], [1, 3, 500]);
    assert.equal(activity.charts[0].heat.title, "packets a switch in 1 µs");
  },
  "slowdowns by size have a line for medians and one for the 99th percentile, in their job's colour"() {
    const chart = made("run", run)[4].charts[0], middle = [1024, 4096];
    assert.deepEqual(chart.series.map(s => [s.name, s.dash, s.points]), [["a, median", 1, [[middle[0], 1], [middle[1], 1.25]]], ["a, 99th percentile", undefined, [[middle[0], 1.5], [middle[1], 12]]]]);
    assert.equal(chart.series[0].hue, chart.series[1].hue);
    assert.deepEqual([chart.x.log, chart.y.log], [true, true]);
  },
  "runs are points with intervals, and the first eight distributions are shown"() {
    const runs = Array.from({ length: 10 }, (_, i) => ({ name: "r" + i, load: [0.1 * i, null, null], latency: i ? [500, 490, 510] : [null, null, null], points: [[400, 1]] }));
    const [points, distributions] = made("runs", { runs });
    assert.equal(points.charts[0].series[0].points.length, 9, "one has no latency");
    assert.deepEqual(points.charts[0].series[0].points[0], [0.1, 500, null, null, 490, 510, "r1"]);
    assert.deepEqual(distributions.hidden, ["r8", "r9"]);
  },
  "a floor plan has every bus, multiplexer and output, and the means of crossbars"() {
    const { cells } = made("inside", inside)[0].charts[0], of = word => cells.values.filter(v => v[5].includes(word)).map(v => v[4]);
    assert.deepEqual([of("row bus").sort(), of("multiplexer").sort()], [inside.busiest.bus_utilization, inside.busiest.mux_utilization]);
    assert.deepEqual(of("crossbar"), [0.375, 0.375, 0.375, 0.375]);
    assert.equal(of("output towards").length, 8, "two outputs of each tile");
    assert.ok(cells.values.every(([left, bottom, right, top]) => left < right && bottom < top && left >= 0 && right <= 2 && top <= 0 && bottom >= -2));
    assert.deepEqual(cells.texts.filter(t => t[3]).map(t => t[2]), ["0", "1", "2", "3"]);
    assert.match(made("inside", inside)[0].caption, /^Floor plan of switch 5, the busiest of those recorded/);
  },
  "stages sum to the time in the switch, all outputs and the slowest"() {
    const chart = made("inside", inside)[1].charts[0], sum = row => chart.series.reduce((all, s) => all + s.points.find(p => p[0] === row)[1], 0);
    assert.deepEqual(chart.y.names, ["all outputs", "slowest: switch 3, port 3"]);
    assert.ok(Math.abs(sum(0) - 300) < 1e-9 && Math.abs(sum(1) - 600) < 1e-9);
    assert.deepEqual(chart.series.map(s => s.colour), ["#c6dbef", "#fdd49e"]);
  },
  "damaged instruments are drawn as far as they make sense"() {
    const broken = [{}, { tiles: [] }, { ports: 4, tiles: { rows: 1e9, columns: -3, ports_per_tile: 0.5 } }, { ports: 100, tiles: { rows: 2, columns: 2, ports_per_tile: 1 } },
      { ports: 4, tiles: { rows: 2, columns: 2, ports_per_tile: 1, places: "x" }, bus_utilization: [1e308, null, "a"], crossbar_utilization: [3, [], [1, 2, 3, 4, 5]] }];
    assert.deepEqual(broken.map(busiest => made("inside", { name: "x", switches: 1, classes: [{ name: "c", packets: 0, stages: [] }], busiest }).length), [0, 0, 0, 0, 1]);
  },
  "a network has its nodes, and its cables by class"() {
    const net = { name: "n", caption: "c", aspect: 0.5, curve: 0.1, symbol: "circle", size: 8, opacity: 0.4, nodes: [[0, 0, "switch 0", -1, ""], [1, 0, "switch 1", 0, ""]], classes: [{ name: "local cables", cables: [] }, { name: "global cables", cables: [[0, 1, 2, 3]] }] };
    assert.deepEqual(made("network", net)[0].charts[0].series.map(s => [s.name, s.hue, s.curve]), [["global cables", 1, 0.1]], "a class has one colour in every drawing");
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log("passed:", name);
}
