/* Drawings by node: every kind of chart, bars to scale, one drawing for light and dark, widths on paper, keys of colours. */
"use strict";
const assert = require("assert"), load = require("./load.js");
const { drawAll, themeOf } = load(["draw.js"], ["drawAll", "themeOf"]);

const axis = (title, unit, more) => Object.assign({ title, unit }, more);
const series = (name, points, more) => Object.assign({ name, hue: 0, style: "line", points }, more);
const bars = (values, more) => Object.assign({
  kind: "bars", title: "", x: axis("rate", "Gb/s", { zero: true }), y: axis("", "", { names: values.map((_, i) => "case " + i) }),
  series: [series("rates", values.map((v, i) => [i, v]))],
}, more);
const heat = (rows, columns) => ({
  kind: "heat", title: "", x: axis("port", "", { from: 0, step: 1 }), y: axis("switch", "", { from: 0, step: 1 }), series: [],
  heat: { title: "mean queue", unit: "B", rows, columns, max: 2000, values: Array.from({ length: rows * columns }, (_, i) => i % 5 ? i % 2000 : null) },
});

/* {page, file}: one figure of the charts, each way. */
function draw(charts, width = "") {
  const places = [{ name: "f", caption: "a <caption>", charts }];
  const [{ html, files: [{ svg }] }] = drawAll({ style: load.style(), width, records: {}, places, page: true, files: true });
  return { page: html, file: svg };
}
const count = (text, word) => text.split(word).length - 1;

/* Left and right ends of the bars of a colour, from their outlines. */
function lengths(svg, colour) {
  const found = [...svg.matchAll(new RegExp(`<path d="M([\\d.]+) [\\d.]+l([\\d.]+) 0[^"]*Z"[^>]*fill="${colour}"`, "g"))];
  return found.map(m => +m[2]);
}

const tests = {
  "bars are as long as their values"() {
    const values = [71, 46, 71, 46], found = lengths(draw([bars(values)]).file, "#0072b2");
    assert.equal(found.length, 4);
    found.forEach((length, i) => assert.ok(Math.abs(length / found[0] - values[i] / values[0]) < 0.005, `${found}`));
  },
  "stacked bars are as long as their parts, and say what they come to"() {
    const chart = bars([], { kind: "stack", y: axis("", "", { names: ["one", "two"] }), x: axis("time", "ns", { zero: true }) });
    chart.series = [series("first", [[0, 300], [1, 100]], { colour: "#c6dbef" }), series("second", [[0, 100], [1, 100]], { colour: "#990000" })];
    const svg = draw([chart]).file, [a, b] = lengths(svg, "#c6dbef"), [c, d] = lengths(svg, "#990000");
    assert.ok(Math.abs(a / b - 3) < 0.02 && Math.abs(c / d - 1) < 0.01 && Math.abs(b / d - 1) < 0.01, `${[a, b, c, d]}`);
    assert.ok(svg.includes(">400 ns<") && svg.includes(">200 ns<"));
  },
  "one drawing has the colours of the page, the other stands alone"() {
    const { page, file } = draw([bars([1, 2])]), theme = themeOf(load.style());
    assert.ok(page.includes(`"var(--ink,${theme.ink})"`) || page.includes(`"var(--soft,${theme.soft})"`));
    assert.ok(page.includes('"var(--hue-0,#0072b2)"') && !file.includes("var("));
    assert.ok(file.includes('<rect width="100%" height="100%" fill="#fff"/>') && !page.includes("<rect width=\"100%\""));
    assert.ok(page.includes('aria-label="a &lt;caption&gt;"'));
  },
  "nothing in a drawing acts"() {
    const chart = { kind: "lines", title: "<script>1</script>", x: axis("<b>x", "ns"), y: axis("y&", "ns"), series: [series("<script>2", [[1, 2], [3, 4]]), series("b", [[1, 2]])] };
    const svg = draw([chart]).file;
    assert.ok(!svg.includes("<script") && !svg.includes("<b>") && !svg.includes("<style"));
  },
  "heat maps have a key, and many cells are one image"() {
    const small = draw([heat(4, 5)]), large = draw([heat(100, 50)]);
    for (const { page, file } of [small, large]) for (const svg of [page, file]) assert.ok(svg.includes("2 KB mean queue") && svg.includes("linearGradient"));
    assert.equal(count(small.file, "<image"), 0);
    const image = /xlink:href="data:image\/png;base64,([^"]+)"/.exec(large.file)[1], head = Buffer.from(image, "base64");
    assert.deepEqual([head.readUInt32BE(16), head.readUInt32BE(20)], [50, 100]);
    assert.ok(large.file.length < 40000, `${large.file.length} bytes`);
  },
  "a width on paper gives text of 8 points there"() {
    const svg = draw([bars([1, 2]), bars([3, 4])], "3.5in").file, [, width, height, across, down] = /width="([^"]+)" height="([^"]+)" viewBox="0 0 (\d+) (\d+)"/.exec(svg);
    assert.equal(width, "3.5in");
    assert.ok(Math.abs(12 * 3.5 / across * 72 - 8) < 0.02, "points");
    assert.ok(Math.abs(parseFloat(height) / 3.5 - down / across) < 1e-6, "not stretched");
    assert.match(draw([bars([1])], "89mm").file, /width="89mm" height="[\d.]+mm"/);
  },
  "every other kind of chart is drawn"() {
    const spots = { kind: "scatter", title: "", x: axis("time", "ns", { zero: true }), y: axis("share", "share"), series: [series("it's \"one\"", [[5000, 0.25, null, null, 0.2, 0.3, "spot"]], { style: "" }), series("two", [[4000, 0.3]], { style: "" })] };
    const cells = { kind: "cells", title: "", series: [], cells: { title: "in use", unit: "share", max: 1, box: [0, -1, 2, 0], aspect: 0.5, width: 400, rows: ["row 0"], columns: ["column 0", "column 1"], values: [[0, -1, 1, 0, 0.38, "a"], [1, -1, 2, 0, 0.9, "b"]], texts: [[2.02, -0.5, "a band", 0]] } };
    const net = { kind: "network", title: "", network: { aspect: 0.5, symbol: "circle", size: 8, opacity: 0.5, nodes: [[0, 0, "switch 0", -1, ""], [1, 1, "switch 1", 2, ""]] }, series: [series("copper", [[0, 1, 2, 3]])] };
    const [a, b, c] = [spots, cells, net].map(chart => draw([chart]).file);
    assert.ok(a.includes(">5 µs<") && a.includes(">30 %<") && a.includes("it's &quot;one&quot;"));
    for (const said of [">38<", ">90<", ">row 0<", ">column 1<", ">a band<", ">100 % in use<"]) assert.ok(b.includes(said), said);
    assert.ok(c.includes(">copper<") && count(c, "<path") >= 3);
  },
  "the legend has every series once"() {
    const chart = name => ({ kind: "lines", title: name, x: axis("load", ""), y: axis("latency", "ns"), series: [series("minimal", [[0, 1], [1, 2]]), series("valiant", [[0, 2]], { hue: 1 })] });
    const svg = draw([chart("uniform"), chart("tornado")]).file;
    for (const said of [">minimal<", ">valiant<", ">uniform<", ">tornado<"]) assert.equal(count(svg, said), 1, said);
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log("passed:", name);
}
