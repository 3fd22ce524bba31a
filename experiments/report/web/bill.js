/* What networks take of an endpoint, and what they cost: bars of {name, key, parts [4], costs [5], priced}. */
"use strict";

const billParts = [["switch ports", ""], ["cables, including its own", ""], ["optical cable", "m"], ["power of ports", "W"]];
const costParts = ["switches", "copper cables", "optical cables", "endpoint cables", "energy"];

/* key: of the colour of a network; without it the colour is the panel's. */
function partsFigure(rows) {
  const panel = ([title, unit], k) => {
    const bars = rows.map((r, i) => [r.key ? [r.key, r.name] : [title, title], [i, r.parts[k]]]).filter(([, p]) => isNumber(p[1]));
    const keys = unique(bars.map(([key]) => key.join("\n")));
    return {
      kind: "bars", title: "", single: true, x: axis(title, unit, { zero: true }), y: axis("", "", { names: rows.map(r => r.name) }),
      series: keys.map(both => series(...both.split("\n"), "", bars.filter(([key]) => key.join("\n") === both).map(([, p]) => p))),
    };
  };
  return {
    name: "parts", charts: billParts.map(panel),
    caption: "What an endpoint takes of the network, no price needed: ports of switches, cables, metres of optical cable between switches by the layout, and watts by published figures of a port, where there are any for the rate.",
  };
}

function costFigure(rows, currency) {
  const names = rows.map(r => r.name);
  return {
    name: "cost", caption: "Cost of an endpoint by the cost model of the configuration.",
    charts: [{
      kind: "stack", title: "", x: axis("cost of an endpoint", currency, { zero: true }), y: axis("", "", { names }),
      series: costParts.map((part, k) => series(part, part, "", rows.flatMap((r, i) => r.costs[k] > 0 ? [[i, r.costs[k]]] : []))),
    }],
  };
}

const billFigures = (rows, currency) => {
  const priced = rows.filter(r => r.priced);
  return [...rows.length ? [partsFigure(rows)] : [], ...priced.length ? [costFigure(priced, currency)] : []];
};

makers.bills = ({ rows, currency }) => billFigures(rows, currency);
