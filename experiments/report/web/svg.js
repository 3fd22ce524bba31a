/* A figure as one drawing in SVG: its legend, its panels and their titles. The page saves it; node draws with it. */
"use strict";

/* The sign of a series in legends. */
function keyOf(series, theme, kind) {
  const style = look(series, theme), dash = { solid: "", dashed: "5 3", dotted: "2 3" }[style.dash] ?? String(style.dash).replace(/,/g, " ");
  const filled = kind === "bars" || kind === "stack";
  return `<svg width="24" height="12" aria-hidden="true">` + (filled
    ? `<rect x="5" y="0" width="14" height="12" rx="2" fill="${style.area}"/>`
    : (series.style === "marks" || kind === "scatter" && series.style !== "front" ? "" : `<path d="M0 6H24" stroke="${style.color}" stroke-width="2.4" stroke-dasharray="${dash}"/>`) +
      (series.style === "steps" || series.style === "plain" || kind === "network" ? "" : markOf(style))) + "</svg>";
}

function markOf(style) {
  const paint = style.marker.startsWith("empty") ? `fill="none" stroke="${style.color}" stroke-width="1.6"` : `fill="${style.color}"`;
  const shape = style.marker.replace("empty", "").toLowerCase();
  if (shape === "rect") return `<rect x="8" y="2" width="8" height="8" ${paint}/>`;
  if (shape === "triangle") return `<path d="M12 1L17 10H7Z" ${paint}/>`;
  if (shape === "diamond") return `<path d="M12 1L17 6L12 11L7 6Z" ${paint}/>`;
  return `<circle cx="12" cy="6" r="4" ${paint}/>`;
}

/* All series of all charts, once each. */
function seriesNames(charts) {
  const found = new Map();
  charts.forEach(chart => chart.series.forEach(s => found.has(s.name) || s.of !== undefined || found.set(s.name, s)));
  return found;
}

function textAt(x, y, said, theme, weight = "normal") {
  return `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" font-weight="${weight}" fill="${theme.ink}">${escapeHtml(said)}</text>`;
}

/* {parts, height} of the signs of all series in rows as wide as the drawing. */
function legendOf(names, kind, theme, width) {
  const parts = [];
  let x = 12, row = 0;
  for (const [name, series] of names) {
    const own = 46 + textWidth(name);
    if (x > 12 && x + own > width) {
      x = 12;
      row++;
    }
    parts.push(`<g transform="translate(${x},${8 + 20 * row})">${keyOf(series, theme, kind)}${textAt(30, 10, name, theme)}</g>`);
    x += own;
  }
  return { parts, height: 20 * (row + 1) + 14 };
}

/* Without what ECharts' server adds for pages with a pointer; the place of texts as every reader of SVG knows it. */
const bare = svg => svg.replaceAll('dominant-baseline="central"', 'dy="0.35em"').replace(/<style[^]*?<\/style>/g, "").replace(/ (class|pointer-events|ecmeta_[a-z_]+)="[^"]*"/g, "");

/* Between the colours of viridis. */
function shade(share) {
  const at = Math.min(Math.max(share, 0), 1) * (viridis.length - 1), k = Math.min(Math.floor(at), viridis.length - 2), colour = mix(viridis[k], viridis[k + 1], at - k);
  return [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16));
}

/* The cells of a heat map as pixels, the highest row first. */
function pixelsOf(heat) {
  const { rows, columns, values, max } = heat, rgba = new Uint8ClampedArray(4 * rows * columns);
  values.forEach((value, i) => {
    if (value !== null) rgba.set([...shade(value / max), 255], 4 * ((rows - 1 - Math.floor(i / columns)) * columns + i % columns));
  });
  return { width: columns, height: rows, rgba };
}

const imageAt = (box, address) => `<image x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" preserveAspectRatio="none" image-rendering="pixelated" style="image-rendering:pixelated" xlink:href="${address}"/>`;

/* One chart. address: of an image of pixels, for the cells of a large heat map. */
function chartSvg(chart, theme, hidden, width, height, address) {
  const drawer = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  const option = optionOf(chart, theme, hidden, width), image = address && isLarge(chart);
  if (option.visualMap) option.visualMap.calculable = false;
  if (image) option.series[0].data = [];
  drawer.setOption(option);
  const box = image && drawer.getModel().getComponent("grid").coordinateSystem.getRect();
  const text = bare(drawer.renderToSVGString());
  drawer.dispose();
  return image ? text.replace("</svg>", imageAt(box, address(pixelsOf(chart.heat))) + "</svg>") : text;
}

/* ground: on white. width: in px, else as the charts need it; unit: the width as it is written into the drawing. */
function drawing(charts, theme, { hidden = new Set(), ground = false, width = 0, length = "", address = null, label = "" } = {}) {
  const names = new Map([...seriesNames(charts)].filter(([name]) => !hidden.has(name)));
  const own = Math.max(...charts.map(c => c.cells && c.cells.width || 640)), columns = Math.min(charts.length, width ? Math.max(1, Math.floor(width / 320)) : 2);
  const across = width ? width / columns : own, all = across * columns, titled = charts.some(c => c.title) ? 24 : 0;
  const legend = names.size > 1 || !charts.every(isPlane) && names.size ? legendOf(names, charts[0].kind, theme, all) : { parts: [], height: 0 };
  const heights = charts.map(c => heightOf(c, across) + titled), parts = [...legend.parts];
  let y = legend.height;
  for (let first = 0; first < charts.length; first += columns) {
    for (let i = first; i < Math.min(first + columns, charts.length); i++) {
      const x = (i - first) * across;
      if (titled) parts.push(textAt(x + 12, y + 16, charts[i].title || "", theme, "bold"));
      parts.push(chartSvg(charts[i], theme, hidden, across, heights[i] - titled, address).replace("<svg ", `<svg x="${x}" y="${y + titled}" ${charts[i].kind === "heat" ? 'shape-rendering="crispEdges" ' : ""}`)); // no seams between cells
    }
    y += Math.max(...heights.slice(first, first + columns));
  }
  const tall = length ? parseFloat(length) * y / all + length.replace(/^[\d.]+/, "") : y, said = label ? ` role="img" aria-label="${escapeHtml(label)}"` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${length || all}" height="${tall}" viewBox="0 0 ${all} ${y}"${said}>` +
    `${ground ? '<rect width="100%" height="100%" fill="#fff"/>' : ""}${parts.join("")}</svg>\n`;
}
