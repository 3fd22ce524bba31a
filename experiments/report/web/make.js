/* From records to figures. A maker of a module gets the records of a place in the page and returns its figures, and notes
 * between them: {name, caption, charts} and {note}. The charts are those of charts.js. */
"use strict";

const makers = {};

const isNumber = v => typeof v === "number" && isFinite(v);
const axis = (title, unit = "", more = {}) => Object.assign({ title, unit }, more);
const series = (key, name, style, points, more = {}) => Object.assign({ key, name, style, points }, more);
const unique = list => [...new Set(list)];
/* Are positive values far enough apart for a logarithmic axis? */
const isWide = values => {
  const known = values.filter(v => v > 0), low = Math.min(...known);
  return known.length > 0 && Math.max(...known) >= 6 * low;
};
/* An axis of values: logarithmic, or from 0. */
const spanned = (title, unit, values) => axis(title, unit, isWide(values) ? { log: true } : { zero: true });
/* [x, y] or [x, y, low, high]. */
const point = (x, y, low, high) => isNumber(low) && isNumber(high) ? [x, y, low, high] : [x, y];
/* The same with what else is known of it: [name, value]. */
const noted = (p, notes) => p.length > 2 ? [...p.slice(0, 4), notes] : [p[0], p[1], null, null, notes];

/* Of bars: one row a name, in order of first use. */
class Rows {
  constructor() {
    this.names = [];
  }

  at(name) {
    const found = this.names.indexOf(name);
    return found >= 0 ? found : this.names.push(name) - 1;
  }

  add(name) {
    return this.names.push(name) - 1;
  }
}

/* Colours by keys and names of figures: one of each for the whole page. */
const newBook = () => ({ hues: new Map(), names: new Map() });

function hueOf(key, book) {
  if (!book.hues.has(key)) book.hues.set(key, book.hues.size);
  return book.hues.get(key);
}

/* A name of a file; the second of a name is NAME-2. */
function nameOf(wanted, book) {
  const name = wanted.replace(/[/\\\x00-\x1f]/g, "-").replace(/^\.+/, "").slice(0, 100);
  const n = (book.names.get(name) || 0) + 1;
  book.names.set(name, n);
  return n > 1 ? `${name}-${n}` : name;
}

const hasMarks = chart => Boolean(chart.heat || chart.cells || chart.network || chart.series.some(s => s.points.length));

/* Axes without anything on them are left out, and said to be. NULL if nothing remains. */
function finish(figure, book) {
  for (const chart of figure.charts) {
    chart.series.forEach(s => { s.hue = s.hue ?? hueOf(s.key, book); });
    if (chart.kind !== "network") chart.series = chart.series.filter(s => s.points.length);
  }
  const empty = figure.charts.filter(c => !hasMarks(c) && c.title).map(c => c.title);
  figure.charts = figure.charts.filter(hasMarks);
  if (!figure.charts.length) return null;
  if (empty.length) figure.caption += ` Nothing was measured under ${empty.join(", ")}.`;
  figure.name = nameOf(figure.name, book);
  prepare(figure.charts);
  return figure;
}

/* The figures and notes of a place: {make, of} with the ids of records, or a figure itself. */
function expand(place, records, book) {
  try {
    const made = place.charts ? [place] : makers[place.make](...[].concat(place.of).map(id => records[id]));
    return made.map(item => item.charts ? finish(item, book) : item).filter(Boolean);
  } catch (e) { // of a file that was damaged, or written by hand
    return [{ note: `Figures of ${place.make || place.name} are missing: its records are not as they should be (${e.message}).` }];
  }
}
