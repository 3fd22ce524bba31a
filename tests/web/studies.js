/* Figures of comparisons and of searches for designs, and what networks take: from small results made by hand. */
"use strict";
const assert = require("assert"), load = require("./load.js");
const { expand, newBook, readable, makers } = load([], ["expand", "newBook", "readable", "makers"]);

const made = (make, records) => expand({ make, of: "r" }, { r: JSON.parse(JSON.stringify(records)) }, newBook());
const line = (chart, name) => chart.series.find(s => s.name === name);

const long = { fidelity: "long" }, short = { fidelity: "short" };
const design = (network, routing, series, more = {}) => Object.assign({ network, routing, congestion: null, failed: null, curve: [], collectives: [], series: [series] }, more);
const column = more => Object.assign({ traffic: "uniform", message: null, state: "searched", impossible: null, points: [], bound: null }, more);
const study = {
  cost_model: "m", equal: "cost", worth_per: "USD", ranked_by: "uniform",
  networks: [
    { name: "fly", endpoints: 4, ports_per_endpoint: 3, cables_per_endpoint: 2, optical_m_per_endpoint: 1, watts_per_endpoint: null, cost_total: 9,
      cost_parts_per_endpoint: { switches: 1, ports: 2, copper_cables: 3, optical_cables: 0, endpoint_cables: 4, energy: 0 },
      resilience: { disconnected_median: 0.4, disconnected_p05: 0.3, disconnected_p95: 0.5, disconnected_form: 0.41, removed: [{ share: 0.1, uniform_left: 0.8 }, { share: 0.2, uniform_left: null }] } },
    { name: "tree", endpoints: 4, ports_per_endpoint: 5, cables_per_endpoint: 3, optical_m_per_endpoint: 0, watts_per_endpoint: 2, cost_total: 8, cost_parts_per_endpoint: { switches: 3, ports: 0, copper_cables: 5 } },
  ],
  designs: [
    design("fly", "minimal", column({ place: 2, points: [short, long], saturation: [0.4, 0.5], worth: [0.01, 0.02], bound: 1.2 }),
      { curve: [{ load: 0.6, mean_ns: 900, mean_half_width_ns: 1e4 }, { load: 0.2, mean_ns: 500, mean_half_width_ns: 20 }, { load: 0.9, mean_ns: 1e6, stationary: false }], latency: { load: 0.2, mean_ns: 1 },
        collectives: [{ name: "barrier", size: "8B", time_ns: 2000 }] }),
    design("tree", "", column({ place: 1, points: [short], saturation: [0.7, 0.8], worth: [0.03, 0.04] }), { collectives: [{ name: "barrier", size: "8B", time_ns: null }] }),
    design("fly", "valiant", column({ place: null, saturation: [0, 0.6], worth: [0, 0.03] })),
    design("wrong", "minimal", column({ state: "failed" }), { failed: "6 is no prime power" }),
  ],
};

const candidate = (name, state, cost, load, more = {}) =>
  Object.assign({ name, state, short_runs: 3, long_runs: 0, beaten_by: null, variables: { topology: `{ kind = "${name.split("_")[1]}"; dims = ( 4, 4 ); }`, "switch.kind": "ideal" }, objectives: { cost: [cost, cost], saturation: load } }, more);
const search = {
  latency_load: 0.3, objectives: [{ name: "cost", unit: "USD per endpoint", best: "least" }, { name: "saturation", unit: "", best: "most" }],
  candidates: [candidate("c2_b", "front", 200, [0.7, 0.8]), candidate("c1_a", "front", 100, [0.4, 0.5]), candidate("c3_c", "beaten", 300, [0, 0.6], { short_runs: 0, beaten_by: "c2_b" }), candidate("c4_d", "rejected", null, [])],
};

const tests = {
  "bars are in the order of places, and say how far each design was taken"() {
    const chart = made("comparison.worth", study)[0].charts[0];
    assert.deepEqual(chart.y.names, ["tree", "fly, minimal", "fly, valiant", "wrong, minimal (failed)"]);
    assert.equal(chart.x.title, "Gb/s delivered per 1,000 USD");
    assert.deepEqual(line(chart, "tree").points, [[0, 30, 30, 40, [["known", "by short runs"], ["runs", "1 short, 0 long"]]]]);
    assert.deepEqual(line(chart, "fly").points[0][4], [["known", "by long runs"], ["runs", "1 short, 1 long"], ["bound of saturation", "1"]]);
    const other = line(chart, "not simulated to the end: at most");
    assert.deepEqual([other.colour, other.points[0].slice(0, 4)], ["#8c8c8c", [2, 30, null, null]]);
    assert.deepEqual(made("comparison.saturation", study)[0].charts[0].series.map(s => s.name), ["fly", "tree"].concat("not simulated to the end: at most"));
  },
  "a network has one colour, whatever is drawn of it"() {
    const book = newBook(), all = ["comparison.worth", "comparison.networks", "comparison.failures"].flatMap(make => expand({ make, of: "r" }, { r: JSON.parse(JSON.stringify(study)) }, book));
    const hues = all.flatMap(f => f.charts.flatMap(c => c.series.filter(s => s.key === "tree").map(s => s.hue)));
    assert.ok(hues.length > 3 && new Set(hues).size === 1, `${hues}`);
  },
  "latency is by load, with intervals that stay positive, and ends where it is carried no more"() {
    const all = made("comparison.latency", study);
    assert.equal(all.length, 1, "nothing has measured the 99th percentile");
    assert.deepEqual(line(all[0].charts[0], "fly").points, [[0.2, 500, 480, 520], [0.6, 900, 9, 10900]]);
  },
  "a collective that did not end has its name and no bar"() {
    const chart = made("comparison.collectives", study)[0].charts[0];
    assert.deepEqual(chart.y.names, ["fly, minimal", "tree (not ended)"]);
    assert.deepEqual(chart.series.map(s => [s.name, s.points]), [["fly", [[0, 2000]]]]);
  },
  "failures, and what was spent"() {
    const [cut, left] = made("comparison.failures", study);
    assert.deepEqual(cut.charts[0].series[0].points, [[0, 0.4, 0.3, 0.5, [["by the degrees of switches", "41 %"]]]]);
    assert.deepEqual(left.charts[0].series.map(s => s.points), [[[0, 1], [0.1, 0.8]]]);
    const counts = made("comparison.spent", study)[0].charts[0].series.map(s => [s.name, s.points[0][1]]);
    assert.deepEqual(counts, [["by long runs", 1], ["by short runs", 1], ["by bounds alone", 1], ["failed", 1]]);
  },
  "parts and costs of an endpoint"() {
    const [parts, cost] = made("comparison.networks", study);
    assert.deepEqual(parts.charts.map(c => c.series.map(s => s.points)), [[[[0, 3]], [[1, 5]]], [[[0, 2]], [[1, 3]]], [[[0, 1]], [[1, 0]]], [[[1, 2]]]]);
    assert.deepEqual(line(cost.charts[0], "switches").points, [[0, 3], [1, 3]], "switches with their ports");
    const [alone] = made("bills", { currency: "", rows: [{ name: "a", parts: [1, 2, 3, 4], costs: [], priced: false }] });
    assert.deepEqual(alone.charts.map(c => c.series[0].name), ["switch ports", "cables, including its own", "optical cable", "power of ports"]);
  },
  "the front is drawn last, in steps, and every point says its values"() {
    const chart = made("design.front", search)[0].charts[0], front = chart.series[chart.series.length - 1];
    assert.deepEqual([front.name, front.style, front.points.map(p => p[6])], ["on the front", "front", ["c1", "c2"]]);
    assert.deepEqual(front.points[0].slice(0, 6), [100, 0.45, null, null, 0.4, 0.5]);
    assert.deepEqual(front.points[0][7], [["topology", "a: dims 4 × 4"], ["configuration file", "configs/c1_a.cfg"]]);
    assert.deepEqual(line(chart, "beaten by bounds").points[0].slice(0, 6), [300, 0.6, null, null, null, null], "at the best that it can be");
    assert.equal(chart.x.unit, "USD");
  },
  "a candidate that does not carry the load of latencies is not drawn at 0"() {
    const without = JSON.parse(JSON.stringify(search)), [, second] = without.objectives;
    second.best = "least";
    without.candidates.find(c => c.name.startsWith("c1")).objectives[second.name] = [null, null];
    const [chart] = made("design.front", without)[0].charts;
    assert.deepEqual(line(chart, "on the front").points.map(p => p[6]), ["c2"]);
    assert.ok(chart.series.every(s => s.points.every(p => p[1] > 0)));
  },
  "candidates left by the values of variables that vary"() {
    const charts = made("design.fates", search)[0].charts;
    assert.deepEqual(charts.map(c => c.title), ["topology"]);
    assert.deepEqual(line(charts[0], "on the front").points, [[0, 1], [1, 1]]);
    assert.deepEqual(line(charts[0], "rejected").points, [[3, 1]]);
  },
  "members of any type are survived, and figures that are missing are said to be"() {
    const values = [null, 7, -1e308, "</script>", [], {}, [[[]]], [null, {}]];
    const inner = ["series", "curve", "latency", "collectives", "variables", "objectives", "resilience", "topology", "name", "cost_parts_per_endpoint", "points"];
    let notes = 0;
    for (const make of Object.keys(makers).filter(name => /^(comparison|design)\./.test(name))) {
      const whole = make.startsWith("design") ? search : study, lists = ["networks", "designs", "candidates", "objectives"];
      const damaged = values.flatMap(v => [...Object.keys(whole).map(m => Object.assign({}, whole, { [m]: v })),
        ...inner.map(m => Object.assign({}, whole, Object.fromEntries(lists.filter(l => whole[l]).map(l => [l, [...whole[l].map(one => Object.assign({}, one, { [m]: v })), null]]))))]);
      for (const records of [{}, ...damaged]) {
        const items = made(make, records);
        assert.ok(Array.isArray(items) && items.every(item => item.charts || typeof item.note === "string"), `${make} of ${JSON.stringify(records)}`);
        notes += items.filter(item => /are missing: its records/.test(item.note)).length;
      }
      assert.ok(made(make, whole).every(item => !/are missing: its records/.test(item.note)), `${make}: the whole one is drawn`);
    }
    assert.ok(notes > 0);
  },
  "values of configurations are written for people"() {
    for (const [text, wanted] of [['{\n kind = "hyperx";\n dims = ( 4, 4 );\n endpoints = 4;\n}', "hyperx: dims 4 × 4; endpoints 4"], ["16KB", "16KB"], ['{ kind = "torus"; }', "torus"], ["[ 1, 2 ]", "1 × 2"]])
      assert.equal(readable(text), wanted);
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log("passed:", name);
}
