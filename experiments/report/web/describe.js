/* What a point of a chart says: the text of bubbles, of tables and of CSV files. */
"use strict";

const escapeHtml = text => String(text).replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[c]));
const nameOn = (axis, value) => axis.names ? axis.names[value] : format(value, axis.unit);

/* What the interval of a chart's points is. */
const intervalOf = chart => chart.interval || "95 %";

function withInterval(chart, value, low, high, unit) {
  const known = low !== null && low !== undefined && high !== null && high !== undefined;
  return format(value, unit) + (known ? ` (${intervalOf(chart)}: ${format(low, unit)} to ${format(high, unit)})` : "");
}

/* [name, value] of what else is known of a point. */
const notesOf = (chart, p) => (chart.kind === "scatter" ? p[7] : p[4]) || [];

/* {head, rows: [name, value, is this the point]} of a point of a plane; other series at the same place are listed too. */
function describePoint(chart, series, index, hidden) {
  const p = series.points[index], bars = isBars(chart);
  if (chart.kind === "scatter")
    return {
      head: p[6] || series.name,
      rows: [[series.name, "", true], [chart.x.title, withInterval(chart, p[0], p[2], p[3], chart.x.unit), false], [chart.y.title, withInterval(chart, p[1], p[4], p[5], chart.y.unit), false],
        ...notesOf(chart, p).map(([name, value]) => [name, value, false])],
    };
  const axis = bars ? chart.y : chart.x, values = bars ? chart.x : chart.y, rows = [];
  for (const other of chart.series) {
    if (isHidden(other, hidden)) continue;
    const q = other === series ? p : other.style === "steps" ? undefined : other.points.find(r => r[0] === p[0]);
    if (q) rows.push([other.name, other.said || withInterval(chart, q[1], q[2], q[3], values.unit), other === series]);
  }
  if (rows.length > 12) rows.splice(0, rows.length, ...rows.filter(r => r[2]));
  rows.push(...notesOf(chart, p).map(([name, value]) => [name, value, false]));
  return { head: (axis.title ? axis.title + ": " : "") + nameOn(axis, p[0]), rows };
}

function describeCell(chart, cell) {
  const heat = chart.heat, at = (axis, i) => axis.step > 1 && axis.unit === ""
    ? `${format(axis.from + i * axis.step, axis.unit)} to ${format(axis.from + (i + 1) * axis.step - 1, axis.unit)}`
    : format(axis.from + i * axis.step, axis.unit);
  return {
    head: `${chart.y.title} ${at(chart.y, cell[1])}, ${chart.x.title} ${at(chart.x, cell[0])}`,
    rows: [[heat.title, format(cell[2], heat.unit), true]],
  };
}

function describeNetwork(chart, params) {
  const net = chart.network, at = i => net.nodes[i][2];
  if (params.dataType !== "edge") {
    const node = net.nodes[params.dataIndex];
    return { head: node[2], rows: node[4] ? [[node[4], "", false]] : [] };
  }
  const { source, target, value } = params.data;
  for (const series of chart.series) {
    const p = series.points.find(q => String(q[0]) === source && String(q[1]) === target);
    if (p) return { head: `${at(source)} – ${at(target)}`, rows: [[series.name, (value > 1 ? `${format(value, "count")} cables` : "1 cable") + (p[3] !== undefined ? ", " + format(p[3], "m") : ""), true]] };
  }
  return { head: "", rows: [] };
}

function describeItem(chart, params) {
  if (chart.kind === "heat") return describeCell(chart, params.value);
  if (chart.kind === "network") return describeNetwork(chart, params);
  const cell = chart.cells.values[params.dataIndex];
  return { head: cell[5], rows: [[chart.cells.title, format(cell[4], chart.cells.unit), true]] };
}

const bubbleOf = said => `<strong>${escapeHtml(said.head)}</strong><table>` +
  said.rows.map(([name, value, here]) => `<tr${here && said.rows.length > 1 ? ' class="here"' : ""}><td>${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`).join("") + "</table>";
const spoken = said => said.head + ". " + said.rows.map(([name, value]) => `${name} ${value}`).join("; ");

/* All numbers of a chart: a heading and rows, raw values in the units that the heading names. */
function rowsOf(chart) {
  const titled = axis => axis.title + (unitName(axis.unit) && !axis.names ? ` (${unitName(axis.unit)})` : "");
  if (chart.kind === "heat")
    return [[chart.y.title, titled(chart.x), chart.heat.title + ` (${chart.heat.unit})`],
      ...chart.heat.values.map((v, i) => [chart.y.from + Math.floor(i / chart.heat.columns) * chart.y.step, chart.x.from + (i % chart.heat.columns) * chart.x.step, v]).filter(r => r[2] !== null)];
  if (chart.kind === "cells")
    return [["place", `${chart.cells.title} (${unitName(chart.cells.unit)})`], ...chart.cells.values.map(v => [v[5], v[4]])];
  if (chart.kind === "network")
    return [["class", "from", "to", "cables"], ...chart.series.flatMap(s => s.points.map(p => [s.name, chart.network.nodes[p[0]][2], chart.network.nodes[p[1]][2], p[2]]))];
  const noted = [...new Set(chart.series.flatMap(s => s.points.flatMap(p => notesOf(chart, p).map(note => note[0]))))];
  const notes = p => noted.map(name => (notesOf(chart, p).find(note => note[0] === name) || ["", ""])[1]);
  if (chart.kind === "scatter")
    return [["series", "point", titled(chart.x), "low", "high", titled(chart.y), "low", "high", ...noted],
      ...chart.series.flatMap(s => s.points.map(p => [s.name, p[6] || "", p[0], p[2], p[3], p[1], p[4], p[5], ...notes(p)]))];
  const bars = isBars(chart), axis = bars ? chart.y : chart.x, values = bars ? chart.x : chart.y;
  return [["series", titled(axis), titled(values), `low (${intervalOf(chart)})`, `high (${intervalOf(chart)})`, ...noted],
    ...chart.series.flatMap(s => s.points.map(p => [s.name, axis.names ? axis.names[p[0]] : p[0], s.said || p[1], p[2], p[3], ...notes(p)]))];
}

function csvOf(charts) {
  const field = v => v === null || v === undefined ? "" : /[",\n\r]/.test(v) || /^[=+@]/.test(v) ? `"${String(v).replace(/"/g, '""')}"` : String(v);
  const several = charts.length > 1;
  return charts.flatMap((chart, i) => rowsOf(chart).slice(i && several ? 1 : 0)
    .map((row, k) => (several ? [k || i ? chart.title || i : "panel", ...row] : row).map(field).join(",") + "\n")).join("");
}
