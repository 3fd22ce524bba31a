/* Figures of a search for designs, from design.json: the Pareto front, and where candidates left by the values of their
 * variables. */
"use strict";

const fates = ["on the front", "not surely worse", "beaten in long runs", "beaten in short runs", "beaten by bounds", "rejected"];
const fateColours = ["#18a06f", "#c9a227", "#2f86bd", "#7fb2d6", "#8c8c8c", "#b3261e"];
const mostNoted = 1000; /* more candidates than this are drawn without what else is known of them */
const mostVariables = 12;

function fateOf(candidate) {
  const known = { front: 0, tied: 1, rejected: 5 }[candidate.state];
  return known ?? (candidate.long_runs > 0 ? 2 : candidate.short_runs > 0 ? 3 : 4);
}

const numberOf = name => name.split("_")[0]; /* "c012" of its name */

/* A value of a configuration for people: "{ kind = "torus"; dims = ( 4, 4 ); }" is "torus: dims 4 × 4". */
function readable(text) {
  const members = text.replace(/[{}[\]()\s]|"([^"]*)"/g, (all, quoted) => quoted === undefined ? "" : quoted).split(";").filter(Boolean);
  const said = members.map(m => m.replace("=", " ").replaceAll(",", " × "));
  return said[0] && said[0].startsWith("kind ") ? said[0].slice(5) + (said.length > 1 ? ": " + said.slice(1).join("; ") : "") : said.join("; ");
}

/* Paths of variables that candidates differ in. */
function varyingOf(study) {
  const first = study.candidates[0] ? Object.keys(study.candidates[0].variables) : [];
  return first.filter(path => unique(study.candidates.map(c => c.variables[path]).filter(v => v !== null && v !== undefined).map(v => JSON.stringify(v))).length > 1);
}

/* An objective as an axis. */
function objectiveAxis(study, objective) {
  const known = {
    cost: ["cost of an endpoint", (objective.unit || "").split(" ")[0]], watts: ["power of an endpoint", "W"], cables: ["cables of an endpoint", ""],
    ports: ["switch ports of an endpoint", ""], buffers: ["input buffers of switches for an endpoint", "B"], saturation: ["saturation of the mix", ""],
    mean: ["mean latency", "ns"], p99: ["99th percentile of latency", "ns"],
  }[objective.name] || [objective.name, objective.unit || ""];
  const timed = known[1] === "ns" && isNumber(study.latency_load) ? ` at a load of ${decimals(study.latency_load, 4)}` : "";
  const values = study.candidates.map(c => endsOf(c, objective).middle).filter(isNumber);
  const more = values.every(v => v > 0) && isWide(values) ? { log: true } : {};
  return axis(known[0] + timed, known[1] === "per" ? "" : known[1], more);
}

/* {low, high, middle} of an objective. A bound alone says what a candidate is at best. */
function endsOf(candidate, objective) {
  const [low, high] = candidate.objectives && candidate.objectives[objective.name] || [], most = objective.best === "most", fate = fateOf(candidate);
  const best = fate === 4 || most && !(low > 0); /* the other end is not known */
  const known = best ? most ? high : low > 0 ? low : null : isNumber(low) && isNumber(high) ? (low + high) / 2 : null;
  const middle = isNumber(known) ? known : null; /* a candidate that does not carry the load has no latency */
  return best || !(high > low) ? { low: null, high: null, middle } : { low, high, middle };
}

function valuesOf(study, varying, candidate) {
  const values = varying.flatMap(path => candidate.variables[path] ? [[path, readable(String(candidate.variables[path]))]] : []);
  if (fateOf(candidate) === 0) values.push(["configuration file", `configs/${candidate.name}.cfg`]);
  if (candidate.beaten_by) values.push(["beaten by", numberOf(candidate.beaten_by)]);
  return values;
}

/* One objective against another; the front is drawn last, on top of the others. */
function pairChart(study, varying, x, y) {
  const few = study.candidates.length <= mostNoted;
  const spots = fate => study.candidates.filter(c => fateOf(c) === fate).flatMap(c => {
    const h = endsOf(c, x), v = endsOf(c, y);
    if (!isNumber(h.middle) || !isNumber(v.middle)) return [];
    return [[h.middle, v.middle, h.low, h.high, v.low, v.high, numberOf(c.name), ...fate === 0 || few ? [valuesOf(study, varying, c)] : []]];
  }).sort((a, b) => a[0] - b[0]);
  const of = fate => series(fates[fate], fates[fate], fate === 0 && study.objectives.length === 2 ? "front" : "", spots(fate), { colour: fateColours[fate], mark: fate % 4 });
  return { kind: "scatter", title: "", x: objectiveAxis(study, x), y: objectiveAxis(study, y), series: [1, 2, 3, 4, 0].map(of) };
}

makers["design.front"] = study => {
  const { objectives } = study, n = objectives.length, varying = varyingOf(study), charts = [];
  for (let i = 0; i < n; i++) for (let k = i + 1; k < n && (i === 0 || n === 3); k++) charts.push(pairChart(study, varying, objectives[i], objectives[k]));
  const front = study.candidates.filter(c => fateOf(c) === 0).length, drawn = charts.map(c => c.series[4].points.length);
  const caption = "What candidates are worth, with intervals: on the front by runs of seeds that took no part in choosing it, else by the runs that eliminated them. " +
    "What was beaten before both ends were known is drawn at the best that it can be; what bounds beat is hidden at first." +
    (n > 2 ? " Each panel is the front seen from one side: a point may be beaten in it and yet be on the front." : "") +
    (drawn.some(d => d < front) ? " A candidate that does not carry the load at which latency is measured has none." : "");
  return n < 2 ? [] : [{ name: "front", caption, narrow: "22rem", hidden: [fates[4]], charts }];
};

makers["design.fates"] = study => [{
  name: "fates", narrow: "24rem",
  caption: "Where candidates left, by the values of their variables: how many of those that have a value are on the front, and how far the others came.",
  charts: varyingOf(study).slice(0, mostVariables).map(path => {
    const having = study.candidates.filter(c => c.variables[path]), values = unique(having.map(c => c.variables[path]));
    const count = (value, fate) => having.filter(c => c.variables[path] === value && fateOf(c) === fate).length;
    return {
      kind: "stack", title: path, x: axis("candidates", "count", { zero: true }), y: axis("", "", { names: values.map(v => readable(String(v))) }),
      series: fates.map((name, fate) => series(name, name, "", values.map((v, i) => [i, count(v, fate)]).filter(p => p[1] > 0), { colour: fateColours[fate] })),
    };
  }),
}];
