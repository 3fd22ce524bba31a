/* In node: draws the figures of a report. Reads {style, width, records, places, page, files} from standard input and writes
 * for each place its part of a static page, whose drawings take their colours from the page, and the files of its figures,
 * which stand alone, on white. page, files: are they wanted? */
"use strict";

/* The light theme of the style sheet: the first value of each property. */
function themeOf(style) {
  const value = name => new RegExp(name + ":\\s*([^;]+);").exec(style)[1];
  return { ink: value("--ink"), soft: value("--soft"), page: value("--page"), line: value("--line"), hues: hueNames.map(value), font: "sans-serif" };
}

/* The colours of the theme as properties of the page, which has light and dark ones. */
function followPage(svg, theme) {
  const named = [["--ink", theme.ink], ["--soft", theme.soft], ["--page", theme.page], ["--line", theme.line], ...hueNames.map((name, i) => [name, theme.hues[i]])];
  return named.reduce((text, [name, colour]) => text.replaceAll(`"${colour}"`, `"var(${name},${colour})"`), svg);
}

/* --- large heat maps: an image of a pixel a cell ------------------------------------------------------------ */

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? crc >>> 1 ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function chunk(kind, data) {
  const all = Buffer.alloc(12 + data.length);
  all.writeUInt32BE(data.length);
  all.write(kind, 4, "latin1");
  data.copy(all, 8);
  all.writeUInt32BE(crc32(all.subarray(4, 8 + data.length)), 8 + data.length);
  return all;
}

function png(pixels, width, height) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", require("zlib").deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))]);
}

/* Rows of RGBA, each behind a 0, as PNG has them. */
function pngAddress({ width, height, rgba }) {
  const pixels = Buffer.alloc(height * (1 + 4 * width)), all = Buffer.from(rgba.buffer);
  for (let row = 0; row < height; row++) all.copy(pixels, row * (1 + 4 * width) + 1, row * 4 * width, (row + 1) * 4 * width);
  return "data:image/png;base64," + png(pixels, width, height).toString("base64");
}

/* --- all figures -------------------------------------------------------------------------------------------- */

/* A width as "3.5in" or "89mm" in px, so that labels have 8 pt there. */
function lengthOf(length) {
  const inches = { in: 1, cm: 1 / 2.54, mm: 1 / 25.4, pt: 1 / 72 }[length.replace(/^[\d.]+/, "")];
  return Math.round(parseFloat(length) * inches * 72 * size / 8);
}

/* Nothing measures texts here: those of DejaVu Sans, a wide one, are about so wide. */
echarts.setPlatformAPI({ measureText: text => ({ width: textWidth(text) }) });

/* A figure in a static page. */
function inPage(figure, theme) {
  const svg = followPage(drawing(figure.charts, theme, { label: figure.caption, address: pngAddress }), theme);
  return `<figure>\n${svg}<figcaption>${escapeHtml(figure.caption)}</figcaption></figure>\n`;
}

function drawAll({ style, width, records, places, page, files }) {
  const theme = themeOf(style), book = newBook(), paper = { ground: true, width: width ? lengthOf(width) : 0, length: width, address: pngAddress };
  return places.map(place => {
    const made = expand(place, records, book), figures = made.filter(item => item.charts);
    return {
      html: page ? made.map(item => item.charts ? inPage(item, theme) : `<p class="soft">${escapeHtml(item.note)}</p>\n`).join("") : "",
      files: files ? figures.map(f => ({ name: f.name, svg: drawing(f.charts, theme, paper) })) : [],
    };
  });
}

if (require.main === module) {
  const fs = require("fs");
  fs.writeFileSync(1, JSON.stringify(drawAll(JSON.parse(fs.readFileSync(0, "utf8")))));
}
