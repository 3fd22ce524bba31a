/* The scripts of the page in one scope, as in the page and in a drawing by node. */
"use strict";
const fs = require("fs"), path = require("path");
const root = path.join(__dirname, "../.."), web = path.join(root, "experiments/report/web");
const library = path.join(root, "build/web/node_modules/echarts/dist/echarts.min.js");

/* What the files of figures, and those that are named, define. Skipped (exit status 77) without ECharts. */
const common = ["format.js", "charts.js", "describe.js", "svg.js", "make.js", "sweep.js", "bill.js", "comparison.js", "front.js", "run.js", "inside.js"];
module.exports = (files, names) => {
  if (!fs.existsSync(library)) {
    console.log("skipped: ECharts is missing (scripts/web.sh installs it with npm)");
    process.exit(77);
  }
  const scripts = [...common, ...files].map(file => fs.readFileSync(path.join(web, file), "utf8")).join("\n");
  return new Function("echarts", "require", "module", `${scripts}\nreturn { ${names.join(", ")} };`)(require(library), require, {});
};
module.exports.style = () => fs.readFileSync(path.join(web, "page.css"), "utf8");
