/* A figure: its legend and tools, and one plot for each of its charts. Plots are made when they come near the window. */
"use strict";

class Plot {
  constructor(figure, chart, place) {
    Object.assign(this, { figure, chart, place, at: -1 });
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-roledescription", "chart");
    place.setAttribute("aria-label", `${figure.caption}${chart.title ? " " + chart.title : ""} ${this.sum()} Arrow keys go from point to point, plus and minus zoom.`);
    place.style.height = this.height() + "px";
    place.addEventListener("keydown", event => this.key(event));
    place.addEventListener("blur", () => this.leave());
  }

  /* What a screen reader is told of the data before any point. */
  sum() {
    const n = this.chart.series ? this.chart.series.length : 0;
    return n > 1 ? `${n} series: ${this.chart.series.slice(0, 12).map(s => s.name).join(", ")}.` : "";
  }

  height() {
    return heightOf(this.chart, this.place.clientWidth || 640);
  }

  draw() {
    const theme = this.figure.page.theme(), many = isLarge(this.chart);
    if (!this.echart) {
      this.echart = echarts.init(this.place, null, { renderer: many || this.chart.kind === "network" ? "canvas" : "svg" });
      if (this.place.firstElementChild) this.place.firstElementChild.setAttribute("aria-hidden", "true");
      const zr = this.echart.getZr();
      if (isPlane(this.chart)) {
        zr.on("mousemove", e => this.pointAt(e.offsetX, e.offsetY));
        zr.on("click", e => this.pointAt(e.offsetX, e.offsetY));
        zr.on("globalout", () => this.leave());
        this.echart.on("datazoom", () => { this.pixels = null; this.retick(); });
      }
      zr.on("dblclick", () => this.figure.resetZoom());
    }
    const option = optionOf(this.chart, theme, this.figure.hidden, this.place.clientWidth);
    option.tooltip.formatter = params => bubbleOf(isPlane(this.chart) ? this.said || { head: "", rows: [] } : describeItem(this.chart, params));
    this.echart.setOption(option, { notMerge: true });
    this.pixels = null;
    this.points = null;
    this.figure.armZoom(this);
  }

  /* Axes get marks for what is seen of them. */
  retick() {
    const box = this.echart.getOption().grid[0], w = this.echart.getWidth(), h = this.echart.getHeight(), option = {};
    const low = this.echart.convertFromPixel("grid", [box.left, h - box.bottom]), high = this.echart.convertFromPixel("grid", [w - box.right, box.top]);
    ["x", "y"].forEach((place, i) => {
      const ticks = ticksOf(this.chart[place], low[i], high[i]);
      if (ticks) option[place + "Axis"] = { axisLabel: { customValues: ticks }, axisTick: { customValues: ticks } };
    });
    if (Object.keys(option).length) this.echart.setOption(option);
  }

  /* Every visible point of a plane: its series, its index there, and its index among what ECharts draws. */
  visible() {
    if (this.points) return this.points;
    this.points = [];
    const drawn = this.echart.getOption().series;
    for (const series of this.chart.series) {
      if (isHidden(series, this.figure.hidden)) continue;
      const seriesIndex = drawn.findIndex(d => d.name === series.name);
      series.points.forEach((p, dataIndex) => this.points.push({ series, seriesIndex, dataIndex }));
    }
    return this.points;
  }

  /* Where points are on the screen. In bars a row counts, wherever the bar ends. */
  placed() {
    if (this.pixels) return this.pixels;
    const bars = isBars(this.chart);
    this.pixels = this.visible().map(({ series, dataIndex }) => {
      const p = series.points[dataIndex];
      return this.echart.convertToPixel("grid", bars ? [p[1], p[0]] : [p[0], p[1]]);
    });
    return this.pixels;
  }

  pointAt(x, y) {
    if (!this.echart.containPixel("grid", [x, y])) return this.leave();
    const bars = isBars(this.chart);
    let best = -1, least = Infinity;
    this.placed().forEach((q, i) => {
      if (!q || !this.echart.containPixel("grid", bars ? [x, q[1]] : q)) return;
      const away = bars ? Math.abs(q[1] - y) + 1e-3 * Math.abs(q[0] - x) : Math.hypot(q[0] - x, q[1] - y);
      if (away < least) { least = away; best = i; }
    });
    if (best >= 0 && least < (bars ? 30 : 90)) this.show(best);
    else this.leave();
  }

  show(i) {
    const point = this.visible()[i];
    if (!point) return;
    this.at = i;
    this.said = describePoint(this.chart, point.series, point.dataIndex, this.figure.hidden);
    this.echart.dispatchAction({ type: "showTip", seriesIndex: point.seriesIndex, dataIndex: point.dataIndex });
  }

  leave() {
    if (this.echart) this.echart.dispatchAction({ type: "hideTip" });
  }

  /* Left and right go along a series, up and down to the nearest place of another. */
  key(event) {
    const moves = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 0, ArrowUp: 0, Home: 0, End: 0 };
    if (event.key === "Escape") return this.leave();
    if (event.key === "+" || event.key === "=" || event.key === "-") return this.zoom(event.key === "-" ? 1.5 : 1 / 1.5);
    if (event.key === "0") return this.figure.resetZoom();
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.figure.drawPlot(this);
    if (!isPlane(this.chart)) return this.stepItem(event.key);
    const points = this.visible(), here = points[this.at];
    if (!points.length) return;
    let next = this.at + moves[event.key];
    if (!here) next = 0;
    else if (event.key === "Home") next = points.findIndex(p => p.series === here.series);
    else if (event.key === "End") next = points.map(p => p.series).lastIndexOf(here.series);
    else if (!moves[event.key]) next = this.other(points, here, event.key === "ArrowDown" ? 1 : -1);
    this.show(Math.min(Math.max(next, 0), points.length - 1));
    this.figure.page.say(spoken(this.said));
  }

  other(points, here, way) {
    const shown = [...new Set(points.map(p => p.series))];
    const series = shown[(shown.indexOf(here.series) + way + shown.length) % shown.length], x = here.series.points[here.dataIndex][0];
    let best = -1, least = Infinity;
    points.forEach((p, i) => {
      const away = Math.abs(p.series.points[p.dataIndex][0] - x);
      if (p.series === series && away < least) { least = away; best = i; }
    });
    return best;
  }

  stepItem(key) {
    const data = this.echart.getOption().series[0].data, heat = this.chart.heat;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: heat ? -heat.columns : 1, ArrowUp: heat ? heat.columns : -1, Home: -Infinity, End: Infinity }[key];
    this.at = Math.min(Math.max(this.at < 0 ? 0 : this.at + step, 0), data.length - 1);
    this.echart.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: this.at });
    const value = data[this.at];
    this.figure.page.say(spoken(describeItem(this.chart, { value, dataIndex: this.at, data: value })));
  }

  zoom(factor) {
    if (!hasAxes(this.chart)) return;
    this.figure.drawPlot(this);
    this.echart.getOption().dataZoom.forEach((zoom, i) => {
      const middle = (zoom.start + zoom.end) / 2, half = Math.min((zoom.end - zoom.start) / 2 * factor, 50);
      this.echart.dispatchAction({ type: "dataZoom", dataZoomIndex: i, start: Math.max(middle - half, 0), end: Math.min(middle + half, 100) });
    });
  }
}

class Figure {
  constructor(element, data, page) {
    Object.assign(this, { element, page, name: data.name, charts: data.charts, hidden: new Set(data.hidden || []), zooming: matchMedia("(pointer: fine)").matches });
    this.caption = element.querySelector("figcaption").textContent;
    this.build(data);
  }

  build(data) {
    const body = document.createElement("div");
    this.tools = make("div", "tools", body);
    this.makeLegend(body);
    const panels = make("div", "panels", body);
    if (data.narrow) panels.style.setProperty("--narrow", data.narrow);
    this.plots = this.charts.map(chart => {
      const panel = make("div", "panel", panels);
      if (chart.title) make("p", "soft", panel).textContent = chart.title;
      return { chart, panel };
    });
    this.element.prepend(body);
    this.plots = this.plots.map(({ chart, panel }) => new Plot(this, chart, make("div", "plot", panel)));
    this.makeTools();
  }

  makeTools() {
    const tool = (text, title, act) => {
      const button = make("button", "", this.tools);
      button.type = "button";
      button.textContent = text;
      button.title = title;
      button.setAttribute("aria-label", `${text}: ${title}`);
      button.addEventListener("click", () => act(button));
      return button;
    };
    if (this.charts.some(hasAxes)) {
      const zoom = tool("Zoom", "drag over a part of a chart to see it large", button => {
        this.zooming = !this.zooming;
        button.setAttribute("aria-pressed", this.zooming);
        this.plots.forEach(p => this.armZoom(p));
      });
      zoom.setAttribute("aria-pressed", this.zooming);
    }
    tool("Whole", "undo zooming; so does a double click", () => this.resetZoom());
    tool("Numbers", "the data as a table", button => this.toggleNumbers(button)).setAttribute("aria-expanded", "false");
    tool("SVG", "save this figure as a drawing", () => save(this.name + ".svg", "image/svg+xml", this.svg()));
    tool("CSV", "save the numbers of this figure", () => save(this.name + ".csv", "text/csv", csvOf(this.charts)));
  }

  makeLegend(body) {
    const names = seriesNames(this.charts);
    if (names.size < 2 && this.charts.every(isPlane)) return;
    this.legend = make("div", "legend", body);
    this.legend.setAttribute("role", "group");
    this.legend.setAttribute("aria-label", "series, to show or hide");
    this.keys = [...names].map(([name, series]) => {
      const button = make("button", "", this.legend);
      button.type = "button";
      button.setAttribute("aria-pressed", !this.hidden.has(name));
      button.title = "show or hide; with Shift, this one alone";
      button.addEventListener("click", event => this.toggle(name, event.shiftKey));
      return { button, name, series };
    });
    this.paintLegend();
  }

  paintLegend() {
    for (const { button, name, series } of this.keys || []) {
      button.innerHTML = keyOf(series, this.page.theme(), this.charts[0].kind);
      button.append(name);
      button.setAttribute("aria-pressed", !this.hidden.has(name));
    }
  }

  toggle(name, alone) {
    const all = this.keys.map(k => k.name);
    if (alone) this.hidden = new Set(this.hidden.size === all.length - 1 && !this.hidden.has(name) ? [] : all.filter(n => n !== name));
    else if (!this.hidden.delete(name)) this.hidden.add(name);
    this.redraw();
  }

  drawPlot(plot) {
    if (!plot.echart) plot.draw();
  }

  draw() {
    this.plots.forEach(p => this.drawPlot(p));
  }

  /* After a change of theme or of what is shown. */
  redraw() {
    this.paintLegend();
    this.plots.filter(p => p.echart).forEach(p => p.draw());
  }

  resize() {
    for (const plot of this.plots) {
      plot.place.style.height = plot.height() + "px";
      if (plot.echart) plot.echart.resize();
      plot.pixels = null;
    }
  }

  armZoom(plot) {
    if (plot.echart && hasAxes(plot.chart))
      plot.echart.dispatchAction({ type: "takeGlobalCursor", key: "dataZoomSelect", dataZoomSelectActive: this.zooming });
  }

  resetZoom() {
    for (const plot of this.plots) {
      if (!plot.echart) continue;
      if (hasAxes(plot.chart)) plot.echart.dispatchAction({ type: "dataZoom", batch: [0, 1].map(i => ({ dataZoomIndex: i, start: 0, end: 100 })) });
      else plot.draw();
      plot.pixels = null;
    }
  }

  toggleNumbers(button) {
    const open = !this.numbers;
    button.setAttribute("aria-expanded", open);
    if (!open) {
      this.numbers.remove();
      this.numbers = null;
      return;
    }
    this.numbers = make("div", "shown", this.element);
    this.numbers.tabIndex = 0;
    this.numbers.setAttribute("role", "region");
    this.numbers.setAttribute("aria-label", "numbers of the figure");
    for (const chart of this.charts) this.numbers.append(tableOf(chart));
  }

  svg() {
    return drawing(this.charts, this.page.lightTheme(), { hidden: this.hidden, ground: true, address: canvasAddress });
  }

  /* On paper a drawing stands in the place of the plots: it is as wide as the paper, whatever that is in px. */
  forPaper() {
    this.paper = make("div", "paper", this.element);
    this.paper.innerHTML = drawing(this.charts, this.page.lightTheme(), { hidden: this.hidden, address: canvasAddress, width: 680 });
    this.element.prepend(this.paper);
  }

  fromPaper() {
    if (this.paper) this.paper.remove();
  }
}

/* Pixels as the address of an image. */
function canvasAddress({ width, height, rgba }) {
  const canvas = Object.assign(make("canvas"), { width, height });
  canvas.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
  return canvas.toDataURL();
}
