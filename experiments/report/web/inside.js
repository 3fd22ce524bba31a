/* The inside of switches: the floor plan of tiles as a heat map, and the latency by stage as stacked bars. Records:
 *
 *   name, switches, busiest: the record "switch" of the one whose links are busiest,
 *   classes [{name, packets, latency (ps over all), slowest {ps, switch, port} or null, stages [{name, wait, ps, slowest}]}]
 *
 * Nothing in a record is trusted: what is missing counts as 0, a floor that makes no sense is not drawn. */
"use strict";

/* A tile is 1 x 1, tile (row r, column c) has its lower left corner at (c, -r - 1). From its top down. */
const bands = [[0.86, 0.64, "row buses", "row bus of port"], [0.62, 0.40, "crossbar", "crossbar, mean of its outputs"],
  [0.385, 0.295, "its outputs", "output towards port"], [0.28, 0.06, "to ports", "column multiplexer of port"]];
const itemOf = (list, i) => Array.isArray(list) && isNumber(list[i]) ? list[i] : 0;

/* {rows, columns, per, ports, portAt}: of each place its port, undefined where there is none. */
function floorOf(record) {
  const { rows, columns, ports_per_tile: per, places } = record.tiles || {}, { ports } = record, row = columns * per;
  const whole = (v, most) => Number.isInteger(v) && v >= 1 && v <= most;
  if (!whole(rows, 64) || !whole(columns, 128) || !whole(per, 128) || !whole(ports, rows * row)) return null;
  const portAt = Array(rows * row);
  for (let port = 0; port < ports; port++) {
    const place = places ? itemOf(places, port) : port; /* older records: in order */
    portAt[place >= 0 && place < rows * row ? Math.floor(place) : port] = port;
  }
  return { rows: Math.ceil(portAt.length && (portAt.findLastIndex(p => p !== undefined) + 1) / row), allRows: rows, columns, per, portAt };
}

/* [left, bottom, right, top, value, label] of the n-th of `of` cells of a band. */
function cellAt(floor, tile, r, c, band, n, of, port, value) {
  const [top, bottom, , label] = bands[band], margin = 5 / tile, gap = band === 2 ? 0 : 1 / tile, width = (1 - 2 * margin) / of, left = c + margin + n * width + gap;
  return [left, bottom - r - 1, left + width - 2 * gap, top - r - 1, Math.min(Math.max(value, 0), 1), `tile row ${r}, column ${c}: ${label}${band === 1 ? "" : " " + port}`];
}

/* The cells and texts of one tile. */
function tileOf(floor, record, tile, r, c) {
  const { per, columns, portAt } = floor, cells = [], texts = [], own = portAt.slice((r * columns + c) * per, (r * columns + c + 1) * per), outputs = [];
  const margin = 5 / tile, width = (1 - 2 * margin) / per;
  for (let k = 0; k < per; k++) {
    if (own[k] === undefined) continue;
    cells.push(cellAt(floor, tile, r, c, 0, k, per, own[k], itemOf(record.bus_utilization, own[k])), cellAt(floor, tile, r, c, 3, k, per, own[k], itemOf(record.mux_utilization, own[k])));
    texts.push([c + margin + width * (k + 0.5), -r - 0.07, String(own[k]), width]);
  }
  for (let row = 0; row < floor.rows; row++) /* ports of this column, row by row */
    outputs.push(...portAt.slice((row * columns + c) * per, (row * columns + c + 1) * per).filter(p => p !== undefined));
  const values = outputs.map(port => itemOf((record.crossbar_utilization || [])[port], r));
  outputs.forEach((port, n) => cells.push(cellAt(floor, tile, r, c, 2, n, outputs.length, port, values[n])));
  if (outputs.length) cells.push(cellAt(floor, tile, r, c, 1, 0, 1, 0, values.reduce((a, b) => a + b, 0) / outputs.length));
  return { cells, texts };
}

function floorFigure({ name, switches, busiest }) {
  const floor = floorOf(busiest);
  if (!floor) return [];
  const { rows, columns, per } = floor, tile = Math.min(Math.max(per * 34, 74, floor.allRows * 16), Math.max(1000 / columns, 30)), named = (kind, n) => Array.from({ length: n }, (_, i) => `${kind} ${i}`);
  const tiles = named("", rows * columns).map((_, i) => tileOf(floor, busiest, tile, Math.floor(i / columns), i % columns));
  const texts = named("", rows).flatMap((_, r) => bands.map(([top, bottom, label]) => [columns + 0.02, (top + bottom) / 2 - r - 1, label, 0]));
  return [{
    name: `${name}-floor`,
    caption: `Floor plan of switch ${busiest.switch}${switches > 1 ? ", the busiest of those recorded" : ""}: share of the time in use, per cent. A tile, from its top: its ports' numbers (grey) and their row buses; ` +
      `its crossbar (mean of its outputs); its outputs, at most ${rows * per}, with the column channels behind them, to the column's ports from the first row to the last; ` +
      `the multiplexers where the column channels reach the tile's own ports.${rows < floor.allRows ? " Rows without ports are left out." : ""}`,
    charts: [{
      kind: "cells", title: "", series: [],
      cells: {
        title: "time in use", unit: "share", max: 1, box: [0, -rows, columns, 0], aspect: 1.1 * rows / columns, width: tile * columns + 130,
        rows: named("row", rows), columns: named("column", columns), values: tiles.flatMap(t => t.cells), texts: [...tiles.flatMap(t => t.texts), ...texts],
      },
    }],
  }];
}

/* Constants of the pipeline are blue, waits orange to red, paler where the packet comes first (ColorBrewer's Blues and OrRd). */
function stageColour(stages, k) {
  const constant = ["#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b", "#041c40"], wait = ["#fdd49e", "#fdbb84", "#fc8d59", "#ef6548", "#d7301f", "#990000", "#660000", "#330000"];
  return (stages[k].wait ? wait : constant)[stages.slice(0, k).filter(s => s.wait === stages[k].wait).length % constant.length];
}

/* Stages of all classes that have one name are one series. */
function stackFigure({ name, classes }) {
  const rows = new Rows(), found = new Map();
  for (const c of classes.filter(c => c.packets > 0)) {
    const all = rows.add(joined(classes.length > 1 ? c.name : "", "all outputs")), slow = c.slowest ? rows.add(`slowest: switch ${c.slowest.switch}, port ${c.slowest.port}`) : -1;
    c.stages.forEach((stage, k) => {
      if (!found.has(stage.name)) found.set(stage.name, series(stage.name, stage.name, "", [], { colour: stageColour(c.stages, k) }));
      found.get(stage.name).points.push([all, stage.ps / c.packets / 1000], ...slow >= 0 ? [[slow, stage.slowest / 1000]] : []);
    });
  }
  return {
    name: `${name}-latency-stack`,
    caption: "Where the time in a switch goes: mean over the packets that left, from the header's arrival to the first bit on the next link. Blue: constants of the pipeline; orange and red: waits. The stages of each packet sum to its time exactly.",
    charts: [{ kind: "stack", title: "", x: axis("mean time in the switch", "ns", { zero: true }), y: axis("", "", { names: rows.names }), series: [...found.values()] }],
  };
}

makers.inside = inside => [...floorFigure(inside), stackFigure(inside)];
