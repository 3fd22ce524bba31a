/* From a chart's data to what ECharts draws. Nothing here touches the page.
 *
 * A figure {name, caption, charts, hidden, narrow} is one chart or several panels, with one legend, one caption and one CSV file;
 * hidden: names of series that are not shown at first; narrow: the least width of a panel. A chart has a kind, a title, axes x and
 * y and series. Kinds:
 *
 *   "lines"    series of style "line", "steps" (to the right of a point its value holds), "plain" (without marks), "marks" or
 *              "edge" (marks at the upper edge that say `said`, of the line `of`); points [x, y, low, high]; edges: dashed lines at two x
 *   "scatter"  points [x, y, x low, x high, y low, y high, name, notes]; style "front": steps between them
 *   "bars"     bars of the names of the y axis: points [name's index, value, low, high, notes]; single: a name has a bar of one series
 *              alone; ends: values and notes are written at the ends of bars
 *   "stack"    one bar a name, the series one after another
 *   "heat"     {title, unit, rows, columns, values, max}, row after row, the lowest first; axes have from and step
 *   "cells"    rectangles [left, bottom, right, top, value, label] inside box, and texts [x, y, text, width] beside them
 *   "network"  nodes [x, y, name, group, note] and, as series, cables [a, b, number, metres]
 *
 * An axis has a title, a unit, and may be log, zero (begins at 0) or have names. Units: "ns", "s", "B", "Gb/s", "/s", "W", "m" (with
 * prefixes as the value needs them), "share" (0.5 is 50 %), "count", "" (as it is), or any other text, which stands behind the number.
 * interval: what the intervals of a chart's points are, if not 95 % intervals of a mean. notes: [[name, value]], what else is known.
 * A series has a key, which gives its colour, or a colour of its own; dash and mark choose others than the key's. */
"use strict";

const size = 12; /* of every label of every chart, in px */
const viridis = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];
const dashes = ["solid", "dashed", "dotted", [8, 3, 2, 3], [12, 4]];
const hueNames = ["--hue-0", "--hue-1", "--hue-2", "--hue-3", "--hue-4", "--hue-5", "--hue-6", "--hue-7"];
const markers = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle", "emptyDiamond"];

/* Between two colours "#rrggbb". */
function mix(a, b, share) {
  const part = (c, i) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
  return "#" + [0, 1, 2].map(i => Math.round(part(a, i) + (part(b, i) - part(a, i)) * share).toString(16).padStart(2, "0")).join("");
}

/* Hues come again with another dash and another marker; areas that have neither are paler then. */
function look(series, theme) {
  const n = theme.hues.length, round = Math.floor(series.hue / n);
  return {
    color: series.colour || theme.hues[series.hue % n],
    area: series.colour || mix(theme.hues[series.hue % n], theme.page, Math.min(0.45 * round, 0.7)),
    dash: dashes[((series.dash || 0) + round) % dashes.length],
    marker: markers[((series.mark || 0) + round) % markers.length],
  };
}

/* --- axes ------------------------------------------------------------------------------------------------- */

/* Marks of a logarithmic axis that a reader knows: 1, 2, 5 where there is room, else powers of ten. */
function logTicks(low, high) {
  const decades = Math.log10(high / low), within = decades < 2.2 ? [1, 2, 5] : [1], ticks = [];
  if (decades < 0.9) return evenTicks(low, high);
  const every = Math.max(1, Math.ceil(decades / 7));
  for (let k = Math.floor(Math.log10(low)); k <= Math.ceil(Math.log10(high)); k++)
    for (const m of within)
      if (k % every === 0 && m * 10 ** k >= low * 0.9999 && m * 10 ** k <= high * 1.0001) ticks.push(m * 10 ** k);
  return ticks;
}

/* 1, 2 or 5 times a power of ten, so that about five steps fill a span. */
function niceStep(span) {
  const rough = span / 5, power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find(m => m * power >= rough * 0.999) || 10);
}

function evenTicks(low, high) {
  const step = niceStep(high - low), ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-9); k++) ticks.push(+(k * step).toPrecision(12));
  return ticks;
}

/* Undefined where the library chooses. */
function ticksOf(axis, low, high) {
  if (axis.names || !(high > low)) return undefined;
  return axis.log ? (low > 0 ? logTicks(low, high) : undefined) : evenTicks(low, high);
}

/* Values of the points along an axis, their intervals among them. */
function valuesOn(chart, place) {
  if (chart.kind === "scatter") {
    const at = place === "x" ? [0, 2, 3] : [1, 4, 5];
    return chart.series.flatMap(s => s.points.flatMap(p => at.map(k => p[k])));
  }
  return chart.series.flatMap(s => s.points.flatMap(p => place === "x" ? [p[0]] : [p[1], p[2], p[3]]));
}

/* Panels of one figure show the same range of what is the same quantity, so that they can be compared. */
function shareAxes(charts) {
  const planes = charts.filter(c => c.kind === "lines" || c.kind === "scatter");
  for (const place of ["x", "y"])
    for (const title of new Set(planes.map(c => c[place].title))) shareAxis(planes.filter(c => c[place].title === title), place);
}

function shareAxis(planes, place) {
  const values = planes.flatMap(c => valuesOn(c, place)).filter(v => typeof v === "number");
  if (!values.length) return;
  let low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  const axis = planes[0][place];
  if (axis.log) [low, high] = [low / 1.08, high * 1.08];
  else {
    if (axis.zero) low = Math.min(low, 0);
    const step = niceStep(high - low || Math.abs(high) || 1);
    [low, high] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
    if (low === high) high += step;
  }
  for (const chart of planes) {
    chart[place].min = chart[place].min ?? low;
    chart[place].max = chart[place].max ?? high;
  }
}

/* Bars begin at 0, and end below a mark. */
function roundBars(chart) {
  const sums = chart.y.names.map(() => 0), axis = chart.x;
  let most = 0;
  for (const series of chart.series)
    for (const p of series.points) {
      sums[p[0]] = chart.kind === "stack" ? sums[p[0]] + p[1] : p[1];
      most = Math.max(most, sums[p[0]], p[3] ?? 0);
    }
  if (axis.log || !(most > 0)) return;
  const step = niceStep(most);
  axis.min = axis.min ?? 0;
  axis.max = axis.max ?? Math.ceil(most / step - 1e-9) * step;
}

/* Once for all panels of a figure. */
function prepare(charts) {
  shareAxes(charts);
  charts.filter(isBars).forEach(roundBars);
  const ending = charts.filter(c => c.ends), most = Math.max(...ending.map(c => c.x.max));
  ending.forEach(c => { c.x.max = most; });
  for (const chart of charts) chart.series.filter(s => s.style === "edge").forEach(s => s.points.forEach(p => { p[1] = chart.y.max ?? 1; }));
}

const textWidth = text => 7 * text.length; /* about so many px at the size of labels */

/* In two lines where one is too narrow. */
function folded(text, width) {
  if (textWidth(text) <= width) return text;
  const at = text.lastIndexOf(" ", text.length / 2 + 4);
  return at < 0 ? text : text.slice(0, at) + "\n" + text.slice(at + 1);
}

function axisOf(axis, theme, place) {
  const text = { color: theme.soft, fontSize: size, fontFamily: theme.font };
  const ticks = ticksOf(axis, axis.min, axis.max);
  const own = axis.unit && axis.unit !== "share" && !prefixes[axis.unit]; /* without prefixes: said once */
  return {
    type: axis.names ? "category" : axis.log ? "log" : "value",
    data: axis.names,
    name: folded(axis.title + (own ? ` (${axis.unit})` : ""), place === "x" ? Infinity : theme.width - 80),
    nameLocation: place === "x" ? "middle" : axis.names ? "start" : "end",
    nameGap: place === "x" ? 30 : 12,
    nameTextStyle: Object.assign({ align: place === "x" ? "center" : "left", lineHeight: 13 }, text),
    nameMoveOverlap: false,
    min: axis.min, max: axis.max,
    scale: !axis.zero,
    inverse: axis.names !== undefined && place === "y",
    axisLabel: Object.assign({
      hideOverlap: true, width: axis.names && place === "y" ? Math.min(theme.labels || 230, 7 * Math.max(...axis.names.map(n => n.length)) + 4) : undefined, overflow: "break", lineHeight: 13,
      customValues: ticks,
      formatter: axis.names ? undefined : value => format(value, own ? "" : axis.unit, 3),
    }, text),
    axisLine: { show: true, lineStyle: { color: theme.line } },
    axisTick: { show: !axis.names, customValues: ticks },
    splitLine: { show: !axis.names, lineStyle: { color: theme.line, width: 0.7 } },
    splitNumber: place === "x" ? 5 : 4,
    minorTick: { show: false },
    axisPointer: { show: false },
  };
}

/* Bars from `low` to `high` with ends, along x or y; aside: so many px off the place of the other axis;
 * halo: the colour of an edge that sets them off from a bar. */
function intervals(rows, color, along, aside = 0, halo = null) {
  return {
    type: "custom", silent: true, z: 3, animation: false, data: rows, tooltip: { show: false }, clip: true,
    encode: along === "y" ? { x: 0, y: [1, 2] } : { x: [1, 2], y: 0 },
    renderItem(params, api) {
      const ends = [1, 2].map(k => along === "y" ? api.coord([api.value(0), api.value(k)]) : api.coord([api.value(k), api.value(0)]));
      if (aside) ends.forEach(e => { e[1] += aside; });
      const across = along === "y" ? [4, 0] : [0, 4];
      const lines = [[ends[0], ends[1]], ...ends.map(e => [[e[0] - across[0], e[1] - across[1]], [e[0] + across[0], e[1] + across[1]]])];
      return {
        type: "group",
        children: (halo ? [[halo, 4], [color, 1.6]] : [[color, 1.4]]).flatMap(([stroke, lineWidth]) => lines.map(([a, b]) =>
          ({ type: "line", shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, style: { stroke, lineWidth } }))),
      };
    },
  };
}

function edgeSeries(series, theme) {
  return [{
    type: "scatter", name: series.name, animation: false, emphasis: { disabled: true }, clip: false, data: series.points.map(p => [p[0], p[1]]),
    symbol: "triangle", symbolSize: 11, itemStyle: { color: look(series, theme).color, opacity: 1 }, z: 5,
  }];
}

function lineSeries(series, theme) {
  if (series.style === "edge") return edgeSeries(series, theme);
  const style = look(series, theme), marks = series.style === "marks", bare = series.style === "steps" || series.style === "plain";
  const drawn = [{
    type: marks ? "scatter" : "line", name: series.name, animation: false, emphasis: { disabled: true }, clip: true,
    data: series.points.map(p => [p[0], p[1]]),
    step: series.style === "steps" ? "end" : false,
    symbol: style.marker, symbolSize: marks ? 9 : 6, showSymbol: !bare,
    lineStyle: { color: style.color, width: 2, type: style.dash },
    itemStyle: { color: style.color },
    z: 4,
  }];
  const known = series.points.filter(p => p.length > 3 && p[2] !== null);
  if (known.length) drawn.push(intervals(known.map(p => [p[0], p[2], p[3]]), style.color, "y"));
  return drawn;
}

function scatterSeries(series, theme) {
  const style = look(series, theme), points = series.points, drawn = [];
  const across = points.filter(p => p[2] !== null && p[2] !== undefined), up = points.filter(p => p[4] !== null && p[4] !== undefined);
  if (across.length) drawn.push(intervals(across.map(p => [p[1], p[2], p[3]]), style.color, "x"));
  if (up.length) drawn.push(intervals(up.map(p => [p[0], p[4], p[5]]), style.color, "y"));
  drawn.unshift({
    type: series.style === "front" ? "line" : "scatter", name: series.name, animation: false, emphasis: { disabled: true },
    data: points.map(p => [p[0], p[1]]), step: series.style === "front" ? "end" : false,
    symbol: style.marker, symbolSize: 9, itemStyle: { color: style.color }, lineStyle: { color: style.color, type: style.dash, width: 1.6 },
    z: 4,
  });
  return drawn;
}

/* Nearly black on a pale colour, white on a dark one. */
function inkOn(colour) {
  const [r, g, b] = [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16));
  return 299 * r + 587 * g + 114 * b > 140000 ? "#111" : "#fff";
}

/* What is said at the end of a bar: its value, and how far it is from the first; or why there is none. */
function endText(chart, p) {
  const said = (p[4] || []).map(note => note[1]);
  return (p[1] === null ? said : [format(p[1], chart.x.unit), ...said]).join(", ");
}

/* Texts [x, row, text, is there no value] behind their places, so many px below those; a dashed line leads to what has none. */
function endTexts(rows, color, theme, aside) {
  return {
    type: "custom", silent: true, animation: false, data: rows.map(r => r.slice(0, 2)), encode: { x: 0, y: 1 }, tooltip: { show: false }, clip: false, z: 5,
    renderItem(params, api) {
      const at = api.coord([api.value(0), api.value(1)]), y = at[1] + aside, [, , text, none] = rows[params.dataIndex];
      const said = { type: "text", style: { text, x: at[0] + 7, y, verticalAlign: "middle", fontSize: size, fill: theme.soft } };
      const line = { type: "line", shape: { x1: api.coord([0, 0])[0], y1: y, x2: at[0], y2: y }, style: { stroke: color, lineWidth: 1.4, lineDash: [4, 3] } };
      return none ? { type: "group", children: [line, said] } : said;
    },
  };
}

/* The value of a part of a bar, if it has room there. */
function partText(chart, value, theme) {
  const names = Math.max(...chart.y.names.map(textWidth)), room = theme.width - Math.min(theme.labels, names) - 76, text = format(value, chart.x.unit, 3);
  return textWidth(text) + 4 < room * value / chart.x.max ? text : "";
}

/* The k-th of n series that are shown: bars of one name lie next to each other. */
function barSeries(chart, series, theme, k, n) {
  const style = look(series, theme), stacked = chart.kind === "stack" || Boolean(chart.single), width = stacked || n === 1 ? 20 : 14;
  const drawn = [{
    type: "bar", name: series.name, animation: false, emphasis: { disabled: true },
    data: series.points.map(p => [p[1], p[0]]), stack: stacked ? "all" : undefined,
    itemStyle: { color: style.area, borderColor: theme.page, borderWidth: chart.kind === "stack" ? 0.4 : 1 },
    barWidth: width, barGap: "0%",
  }];
  if (chart.ends) drawn.push(endTexts(series.points.map(p => [p[1] === null ? chart.x.max : Math.max(p[1], p[3] ?? 0), p[0], endText(chart, p), p[1] === null]), style.color, theme, (k - (n - 1) / 2) * width));
  if (chart.kind === "stack")
    drawn[0].label = { show: true, color: inkOn(style.area), fontSize: size, formatter: p => partText(chart, p.value[0], theme) };
  const known = series.points.filter(p => p.length > 3 && p[2] !== null);
  if (known.length && chart.kind !== "stack") drawn.push(intervals(known.map(p => [p[0], p[2], p[3]]), theme.ink, "x", stacked ? 0 : (k - (n - 1) / 2) * width, theme.page));
  return drawn;
}

/* What the bars of a stack come to, behind their ends. */
function totalsOf(chart, shown, theme) {
  const sums = chart.y.names.map(() => 0);
  shown.forEach(s => s.points.forEach(p => { sums[p[0]] += p[1]; }));
  return {
    type: "bar", silent: true, animation: false, stack: "all", data: sums.map((_, row) => [0, row]), barWidth: 20, tooltip: { show: false },
    label: { show: true, position: "right", color: theme.soft, fontSize: size, formatter: p => format(sums[p.value[1]], chart.x.unit) },
  };
}

/* Cells of a heat map: [column, row, value]; those without a value are left out. */
function heatSeries(chart) {
  const cells = [], heat = chart.heat;
  heat.values.forEach((value, i) => {
    if (value !== null) cells.push([i % heat.columns, Math.floor(i / heat.columns), value]);
  });
  return { type: "heatmap", animation: false, data: cells, progressive: 4000, emphasis: { itemStyle: { borderColor: "#ffffff", borderWidth: 1 } }, itemStyle: { borderWidth: 0 } };
}

function heatAxis(axis, n, theme, place) {
  const drawn = axisOf({ title: axis.title, unit: axis.unit, names: Array.from({ length: n }, (_, i) => String(i)) }, theme, place);
  const value = i => axis.from + i * axis.step;
  drawn.inverse = false;
  if (place === "y") drawn.nameLocation = "end";
  drawn.axisLabel.width = undefined; // the numbers that it shows are not those names
  drawn.axisLabel.formatter = i => format(value(+i), axis.unit, 3);
  drawn.axisLabel.interval = Math.ceil(n / 12) - 1;
  drawn.splitArea = { show: false };
  return drawn;
}

/* The key of colours below a heat map. */
function colourKey(title, unit, max, theme) {
  return {
    type: "continuous", min: 0, max, calculable: true, orient: "horizontal", left: "center", bottom: 0,
    itemWidth: 12, itemHeight: 150, text: [`${format(max, unit, 3)} ${title}`, "0"], textGap: 12, inRange: { color: viridis },
    textStyle: { color: theme.soft, fontSize: size }, formatter: value => format(value, unit, 3),
  };
}

function heatOption(chart, theme) {
  const heat = chart.heat;
  return {
    xAxis: heatAxis(chart.x, heat.columns, theme, "x"), yAxis: heatAxis(chart.y, heat.rows, theme, "y"),
    visualMap: colourKey(heat.title, heat.unit, heat.max || 1, theme),
    series: [heatSeries(chart)],
  };
}

/* An axis of a floor plan: names in the middle of its columns or rows. */
function floorAxis(chart, from, to, names, theme, place) {
  const at = names.map((_, i) => place === "x" ? i + 0.5 : -i - 0.5), nothing = { show: false };
  return {
    type: "value", min: from, max: to, axisPointer: nothing, position: place === "x" ? "top" : "left", splitLine: nothing, axisLine: nothing,
    axisTick: { show: false, customValues: at },
    axisLabel: { color: theme.soft, fontSize: size, customValues: at, hideOverlap: true, formatter: value => names[at.findIndex(v => Math.abs(v - value) < 0.25)] || "" },
  };
}

/* Texts [x, y, said, width]: in the middle of so wide a place, if that has room for a number; without a width to its right. */
function floorTexts(texts, theme) {
  return {
    type: "custom", silent: true, animation: false, data: texts.map(t => [t[0], t[1], t[3]]), encode: { x: 0, y: 1 }, tooltip: { show: false },
    renderItem(params, api) {
      const at = api.coord([api.value(0), api.value(1)]), width = api.value(2);
      if (width ? api.size([width, 0])[0] < 22 : api.size([0, 0.2])[1] < 11) return null;
      return { type: "text", style: { text: texts[params.dataIndex][2], x: at[0], y: at[1], align: width ? "center" : "left", verticalAlign: "middle", fontSize: size, fill: theme.soft } };
    },
  };
}

/* Rectangles [left, bottom, right, top, value, label]: a floor plan. */
function cellsOption(chart, theme) {
  const cells = chart.cells;
  return {
    xAxis: floorAxis(chart, cells.box[0], cells.box[2], cells.columns || [], theme, "x"), yAxis: floorAxis(chart, cells.box[1], cells.box[3], cells.rows || [], theme, "y"),
    visualMap: Object.assign(colourKey(cells.title, cells.unit, cells.max, theme), { dimension: 4, seriesIndex: 0 }),
    series: [{
      type: "custom", animation: false, data: cells.values.map(v => v.slice(0, 5)), encode: { x: [0, 2], y: [1, 3] },
      renderItem(params, api) {
        const a = api.coord([api.value(0), api.value(3)]), b = api.coord([api.value(2), api.value(1)]);
        const width = Math.max(b[0] - a[0], 0.5), height = Math.max(b[1] - a[1], 0.5), share = api.value(4) / cells.max;
        const rect = { type: "rect", shape: { x: a[0], y: a[1], width, height }, style: { fill: api.visual("color") } };
        if (width < 22 || height < 14) return rect;
        const text = cells.unit === "share" ? String(Math.round(100 * api.value(4))) : format(api.value(4), cells.unit, 2);
        return { type: "group", children: [rect, { type: "text", silent: true, style: { text, x: a[0] + width / 2, y: a[1] + height / 2, align: "center", verticalAlign: "middle", fontSize: size, fill: share < 0.52 ? "#fff" : "#111" } }] };
      },
    }, floorTexts(cells.texts || [], theme)],
  };
}

/* Nodes at given places and cables between them, by class. */
function networkOption(chart, theme, hidden) {
  const net = chart.network, shown = chart.series.filter(s => !hidden.has(s.name));
  const curved = chart.series.some(s => s.curve), many = chart.series.reduce((n, s) => n + s.points.length, 0) > 1500;
  const edges = shown.flatMap(s => s.points.map(p => ({ source: p[0], target: p[1], value: p[2], lineStyle: { color: look(s, theme).color, width: p[2] > 1 ? Math.min(1 + Math.log2(p[2]) / 2, 5) : 1, type: look(s, theme).dash, curveness: s.curve || 0 } })));
  return {
    series: [{
      type: "graph", layout: "none", roam: true, animation: false, left: "4%", right: "4%", top: curved ? "12%" : "5%", bottom: curved ? "12%" : "5%",
      preserveAspect: true,
      scaleLimit: { min: 0.8, max: 20 }, symbol: net.symbol || "circle", symbolSize: net.size || 7,
      data: net.nodes.map((n, i) => ({ id: String(i), name: n[2], x: 1000 * n[0], y: -1000 * n[1], itemStyle: { color: n[3] >= 0 ? theme.hues[n[3] % theme.hues.length] : theme.ink } })), /* lines shorter than 1 would be rounded away */
      links: edges.map(e => Object.assign(e, { source: String(e.source), target: String(e.target) })),
      lineStyle: { opacity: (net.opacity || 0.35) * (many ? 0.6 : 1) },
      label: { show: Boolean(net.labels), color: theme.ink, fontSize: size, position: "inside" },
      emphasis: { focus: "adjacency", lineStyle: { width: 2.5, opacity: 1 } }, blur: { itemStyle: { opacity: 0.25 }, lineStyle: { opacity: 0.03 } },
    }],
  };
}

function windowMarks(chart, theme) {
  if (!chart.edges) return [];
  return [{
    type: "line", silent: true, data: [], animation: false, tooltip: { show: false },
    markLine: {
      silent: true, symbol: "none", animation: false, label: { show: false }, lineStyle: { color: theme.soft, type: "dashed" },
      data: chart.edges.map(x => ({ xAxis: x })),
    },
  }];
}

function planeOption(chart, theme, hidden) {
  const shown = chart.series.filter(s => !isHidden(s, hidden)), totals = chart.kind === "stack" && chart.x.unit !== "share" ? [totalsOf(chart, shown, theme)] : [];
  const draw = (s, k) => isBars(chart) ? barSeries(chart, s, theme, k, shown.length) : chart.kind === "scatter" ? scatterSeries(s, theme) : lineSeries(s, theme);
  return {
    xAxis: axisOf(chart.x, theme, "x"), yAxis: axisOf(chart.y, theme, "y"),
    series: shown.flatMap(draw).concat(totals, windowMarks(chart, theme)),
  };
}

/* Drawings that are pictures of a thing rather than of numbers have no axes to zoom. */
const hasAxes = chart => chart.kind !== "network" && chart.kind !== "cells";
const isPlane = chart => hasAxes(chart) && chart.kind !== "heat";

/* Marks at an edge go with their line. */
const isHidden = (s, hidden) => hidden.has(s.of || s.name);
const isBars = chart => chart.kind === "bars" || chart.kind === "stack";
/* Cells by the thousand are drawn into one image. */
const isLarge = chart => chart.kind === "heat" && chart.heat.values.length > 4000;

/* How high a chart is that has so much width. */
function heightOf(chart, width) {
  if (isBars(chart)) return 84 + chart.y.names.length * (chart.kind === "bars" && !chart.single ? 12 + 14 * chart.series.length : 26);
  if (chart.kind === "cells") return Math.max(180, 80 + width * chart.cells.aspect);
  if (chart.kind === "network") return Math.min(Math.max(width * chart.network.aspect, 240), 640);
  return chart.kind === "heat" ? 400 : Math.min(380, Math.max(280, width * 0.6));
}

/* hidden: names of series that are switched off. width: of the drawing, in px. */
function optionOf(chart, ground, hidden, width) {
  const theme = Object.assign({ width, labels: Math.min(230, Math.max(110, 0.38 * width)) }, ground);
  const option = chart.kind === "heat" ? heatOption(chart, theme)
    : chart.kind === "cells" ? cellsOption(chart, theme)
    : chart.kind === "network" ? networkOption(chart, theme, hidden) : planeOption(chart, theme, hidden);
  const low = chart.kind === "heat" || chart.kind === "cells";
  option.backgroundColor = "transparent";
  option.textStyle = { fontFamily: theme.font, fontSize: size, color: theme.ink };
  option.animation = false;
  option.grid = { left: 12, right: chart.kind === "cells" ? 80 : chart.ends ? 120 : chart.kind === "stack" ? 64 : 24, top: chart.kind === "cells" ? 30 : chart.y && chart.y.title ? (folded(chart.y.title, width - 80) === chart.y.title ? 30 : 43) : 12, bottom: low ? 88 : 34 };
  option.tooltip = {
    trigger: "item", triggerOn: isPlane(chart) ? "none" : "mousemove|click", confine: true, transitionDuration: 0, className: "bubble",
    backgroundColor: theme.page, borderColor: theme.line, textStyle: { color: theme.ink, fontSize: size }, extraCssText: "white-space:normal;max-width:min(24rem,80vw)",
  };
  if (hasAxes(chart)) {
    option.dataZoom = ["x", "y"].map(a => ({ type: "inside", [a + "AxisIndex"]: 0, zoomOnMouseWheel: "ctrl", moveOnMouseMove: false, moveOnMouseWheel: false, preventDefaultMouseMove: false, filterMode: "none" }));
    option.toolbox = { show: true, itemSize: 0, left: -99, feature: { dataZoom: { title: { zoom: "", back: "" }, filterMode: "none", brushStyle: { color: "rgba(128,128,128,.25)" } } } };
  }
  return option;
}
