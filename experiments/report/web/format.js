/* Numbers for people: a value and the name of its unit become "1.25 µs". Units are those of charts.js. */
"use strict";

const prefixes = {
  ns: [[1e-3, "ps"], [1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]],
  s: [[1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"], [60, "min"], [3600, "h"]],
  B: [[1, "B"], [1e3, "KB"], [1e6, "MB"], [1e9, "GB"], [1e12, "TB"]],
  "Gb/s": [[1e-6, "kb/s"], [1e-3, "Mb/s"], [1, "Gb/s"], [1e3, "Tb/s"]],
  "/s": [[1, "/s"], [1e3, "thousand/s"], [1e6, "million/s"], [1e9, "billion/s"]],
  count: [[1, ""], [1e6, "million"], [1e9, "billion"], [1e12, "trillion"]],
  W: [[1, "W"], [1e3, "kW"], [1e6, "MW"]],
  m: [[1, "m"], [1e3, "km"]],
};

/* Plain decimals with `digits` significant ones and thousands set apart, never an exponent. */
function decimals(value, digits) {
  if (value === 0) return "0";
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  const after = Math.min(Math.max(digits - whole, 0), 12);
  return value.toLocaleString("en-GB", { maximumFractionDigits: after });
}

function format(value, unit, digits = 4) {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  if (value === 0) return "0";
  if (unit === "share") return decimals(100 * value, digits) + " %";
  const list = prefixes[unit];
  if (!list) return decimals(value, digits) + (unit ? " " + unit : "");
  const size = Math.abs(value) * 1.00001;
  const [factor, name] = list.filter(entry => entry[0] <= size).pop() || list[0];
  return decimals(value / factor, digits) + (name ? " " + name : "");
}

/* What the heading of a column of raw values says of their unit. */
function unitName(unit) {
  const names = { "": "", count: "", share: "fraction" };
  return unit in names ? names[unit] : unit;
}
