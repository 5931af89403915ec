// chart.js - an input's chart: panels over one time axis, a lane of matches, zoom and keys.
//
//     panels: canvas for data, SVG for axes      zoom: D3's transform --> view [from, to) in seconds
"use strict";

const LEFT = 56;
const RIGHT = 12;
const TOP = 22;
const BETWEEN = 30;
const LANE = 20;
const MAP = 30;
const MOST_MARKS = 300; // of matches in view; more are drawn without focus
const MOST_CHANNELS = 8;

class Chart {
  // section: is told of changes, and describes, selects and plays matches.
  constructor(input, element, section) {
    Object.assign(this, {input, element, section, timeline: input.timeline, selected: null});
    this.panels = this.makePanels();
    this.labels = input.labels.filter((label) => input.matches.some((m) => m.label === label));
    this.canvas = element.appendChild(document.createElement("canvas"));
    this.canvas.setAttribute("aria-hidden", "true");
    this.svg = d3.select(element).append("svg").attr("role", "presentation");
    this.layers = {};
    for (const name of ["shades", "axes", "time", "marks", "head"]) {
      this.layers[name] = this.svg.append("g");
    }
    const {step, end} = this.timeline;
    this.mostZoom = Math.max(1, end / Math.max(8 * step, end * 1e-9));
    this.zoom = d3.zoom().scaleExtent([1, this.mostZoom])
      .filter(() => !d3.event.button && (d3.event.type !== "wheel" || d3.event.ctrlKey ||
        document.activeElement === element))
      .on("zoom", () => this.redraw());
    d3.select(element).call(this.zoom);
    element.addEventListener("keydown", (event) => this.press(event));
    this.resize();
    new ResizeObserver(() => this.resize()).observe(element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
  }

  makePanels() {
    const {input} = this;
    const channels = input.channels.slice(0, MOST_CHANNELS);
    const height = input.columns ? 64 : channels.length > 3 ? 72 : channels.length > 1 ? 96 : 170;
    const panels = channels.map((c, k) => new WavePanel(input, k, height));
    if (input.columns) panels.push(new SpectrogramPanel(input, 180));
    if (input.curves.length) panels.push(new ScorePanel(input, 120));
    return panels;
  }

  resize() {
    const width = Math.max(320, this.element.clientWidth) - LEFT - RIGHT;
    const isNew = width !== this.width;
    const {from, to} = this.width ? this : {from: 0, to: this.timeline.end};
    this.width = width;
    let y = TOP;
    for (const panel of this.panels) {
      Object.assign(panel, {x: LEFT, y});
      y += panel.height + BETWEEN;
    }
    this.laneY = y;
    this.bottom = y + Math.max(1, Math.min(8, this.labels.length)) * LANE;
    this.height = this.bottom + 24;
    this.element.style.height = `${this.height}px`;
    this.svg.attr("width", width + LEFT + RIGHT).attr("height", this.height);
    const extent = [[LEFT, 0], [LEFT + width, this.height]];
    this.zoom.extent(extent).translateExtent(extent);
    this.drawAxes();
    if (isNew) this.show(from, to);
    else this.redraw();
  }

  // ---- The view ----------------------------------------------------------------------

  // Or as much of it as there is.
  show(from, to) {
    const all = this.timeline.end;
    const span = Math.min(all, Math.max(to - from, all / this.mostZoom));
    const middle = (from + to) / 2;
    const begin = Math.max(0, Math.min(middle - span / 2, all - span));
    const k = all / span;
    const transform = d3.zoomIdentity.translate(LEFT * (1 - k) - begin / all * this.width * k, 0)
      .scale(k);
    d3.select(this.element).call(this.zoom.transform, transform);
  }

  showMatch(match) {
    const length = match.endTime - match.startTime;
    this.show(match.startTime - 0.6 * length, match.endTime + 0.6 * length);
  }

  pan(part) {
    const by = part * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }

  scale(factor) {
    const {startTime, endTime} = this.selected || this;
    const isInView = startTime < this.to && endTime > this.from;
    const middle = isInView ? (startTime + endTime) / 2 : (this.from + this.to) / 2;
    const span = (this.to - this.from) * factor;
    this.show(middle - span / 2, middle + span / 2);
  }

  redraw() {
    const transform = d3.zoomTransform(this.element);
    const all = this.timeline.end;
    this.from = Math.max(0, (LEFT * (1 - transform.k) - transform.x) / (this.width * transform.k) * all);
    this.to = Math.min(all, this.from + all / transform.k);
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  x(time) {
    return (time - this.from) / (this.to - this.from) * this.width;
  }

  // The samples at the edges of all pixels, if the chart shows these times.
  edges(from, to) {
    return Float64Array.from({length: this.width + 1},
      (_, i) => this.timeline.sampleOf(from + (to - from) * i / this.width));
  }

  draw() {
    const {width, element} = this;
    const context = contextOf(this.canvas, width + LEFT + RIGHT, this.height);
    const ticks = this.timeline.ticks(this.from, this.to, Math.max(3, Math.floor(width / 95)));
    const view = {edges: this.edges(this.from, this.to), width, x: (t) => this.x(t)};
    let showsSamples = false;
    this.drawGaps(context);
    this.drawGrid(context, ticks);
    for (const panel of this.panels) {
      context.save();
      context.beginPath();
      context.rect(LEFT, panel.y - 1, width, panel.height + 2);
      context.clip();
      panel.draw(context, view);
      context.restore();
      showsSamples = showsSamples || view.showsSamples;
    }
    this.drawTime(ticks);
    this.drawMatches();
    Object.assign(element.dataset, {from: this.from, to: this.to, samples: showsSamples});
    this.section.changed();
  }

  // ---- Axes --------------------------------------------------------------------------

  drawAxes() {
    const g = this.layers.axes;
    g.selectAll("*").remove();
    for (const panel of this.panels) {
      panel.axes(g, this.width);
      g.append("rect").attr("class", "frame").attr("x", LEFT).attr("y", panel.y)
        .attr("width", this.width).attr("height", panel.height);
    }
    const name = this.input.matches.length ? "matches" : "no matches";
    g.append("text").attr("class", "name").attr("x", LEFT).attr("y", this.laneY - 6).text(name);
    if (this.labels.length < 2) return;
    this.labels.slice(0, 8).forEach((label, k) => {
      g.append("text").attr("x", LEFT - 6).attr("y", this.laneY + k * LANE + 14)
        .attr("text-anchor", "end").text(label.length > 8 ? label.slice(0, 7) + "…" : label);
    });
  }

  drawGrid(context, ticks) {
    context.fillStyle = css("--grid");
    for (const {t} of ticks) {
      for (const panel of this.panels) {
        context.fillRect(Math.round(LEFT + this.x(t)), panel.y, 1, panel.height);
      }
    }
  }

  drawTime(ticks) {
    const g = this.layers.time;
    g.selectAll("*").remove();
    g.attr("transform", `translate(${LEFT},${this.bottom + 2})`);
    for (const {t, text} of ticks) {
      const x = this.x(t);
      g.append("line").attr("x1", x).attr("x2", x).attr("y2", 4).style("stroke", "var(--line)");
      if (x > 14 && x < this.width - 14) {
        g.append("text").attr("x", x).attr("y", 16).attr("text-anchor", "middle").text(text);
      }
    }
    const {originMs, unit} = this.timeline;
    g.append("text").attr("x", -LEFT).attr("y", 16)
      .text(originMs !== null ? this.timeline.date(this.from) : unit);
  }

  drawGaps(context) {
    const {pieces, step} = this.timeline;
    context.fillStyle = css("--gap");
    for (let i = 1; i < pieces.length; i++) {
      const end = pieces[i - 1][1] + (pieces[i][0] - pieces[i - 1][0]) * step;
      if (pieces[i][1] - end < 2 * step || pieces[i][1] < this.from || end > this.to) continue;
      const a = Math.max(0, this.x(end));
      const b = Math.min(this.width, this.x(pieces[i][1]));
      for (const panel of this.panels) {
        context.fillRect(LEFT + a, panel.y, Math.max(1, b - a), panel.height);
      }
    }
  }

  // ---- Matches -----------------------------------------------------------------------

  laneOf(match) {
    return this.laneY + Math.max(0, this.labels.indexOf(match.label)) % 8 * LANE;
  }

  inView() {
    return this.input.matches.filter((m) => m.endTime >= this.from && m.startTime <= this.to);
  }

  // Left edge and width in pixels, inside of the chart.
  boxOf(match, least) {
    const a = Math.max(0, this.x(match.startTime));
    const b = Math.min(this.width, this.x(match.endTime));
    return {a: Math.min(a, this.width - least), w: Math.max(least, b - a)};
  }

  drawMatches() {
    const shown = this.inView();
    const isCrowded = shown.length > MOST_MARKS;
    const marked = isCrowded ? shown.filter((m) => m === this.selected) : shown;
    if (isCrowded) this.drawCrowd(shown);
    this.drawShades(marked);
    const {section} = this;
    const groups = this.layers.marks.selectAll("g.match").data(marked, (m) => m.i);
    groups.exit().remove();
    const made = groups.enter().append("g").attr("class", "match").attr("tabindex", 0)
      .attr("role", "button").attr("aria-label", (m) => section.describe(m))
      .on("click", (m) => section.select(m, false))
      .on("focus", (m) => this.reveal(m));
    made.append("rect").attr("height", LANE - 4);
    made.append("text");
    made.append("title").text((m) => section.describe(m));
    const all = made.merge(groups).classed("selected", (m) => m === this.selected);
    all.select("rect").attr("x", (m) => LEFT + this.boxOf(m, 4).a).attr("y", (m) => this.laneOf(m))
      .attr("width", (m) => this.boxOf(m, 4).w).style("fill", (m) => `var(--label-${m.colour})`);
    all.select("text").attr("x", (m) => LEFT + this.boxOf(m, 4).a + 4)
      .attr("y", (m) => this.laneOf(m) + 12)
      .text((m) => (this.boxOf(m, 4).w > 7 * m.label.length + 4 ? m.label : ""));
    all.order();
  }

  drawShades(marked) {
    this.layers.shades.selectAll("rect").data(marked, (m) => m.i).join("rect")
      .attr("class", (m) => (m === this.selected ? "shade selected" : "shade"))
      .attr("x", (m) => LEFT + this.boxOf(m, 1).a).attr("width", (m) => this.boxOf(m, 1).w)
      .attr("y", TOP).attr("height", this.laneY - BETWEEN - TOP)
      .style("fill", (m) => `var(--label-${m.colour})`)
      .style("stroke", (m) => `var(--label-${m.colour})`);
  }

  drawCrowd(shown) {
    const context = this.canvas.getContext("2d");
    const colours = Array.from({length: 8}, (_, k) => css(`--label-${k}`));
    for (const m of shown) {
      context.fillStyle = colours[m.colour];
      context.fillRect(LEFT + this.boxOf(m, 1).a, this.laneOf(m), this.boxOf(m, 1).w, LANE - 4);
    }
  }

  select(match) {
    this.selected = match;
    this.draw();
  }

  // A match that got the focus must be seen.
  reveal(match) {
    if (match.startTime < this.from || match.endTime > this.to) this.showMatch(match);
  }

  showPlayhead(time) {
    this.layers.head.selectAll("line").data(time === null ? [] : [time]).join("line")
      .attr("class", "playhead")
      .attr("x1", (t) => LEFT + this.x(t)).attr("x2", (t) => LEFT + this.x(t))
      .attr("y1", TOP).attr("y2", this.bottom);
  }

  // ---- Keys --------------------------------------------------------------------------

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const far = event.shiftKey ? 0.9 : 0.2;
    const {section} = this;
    const end = this.timeline.end;
    const span = this.to - this.from;
    const focused = d3.select(event.target).datum();
    const play = () => section.select(focused && focused.startText ? focused : this.selected, true);
    const actions = {
      ArrowLeft: () => this.pan(-far),
      ArrowRight: () => this.pan(far),
      ArrowUp: () => this.scale(0.5),
      ArrowDown: () => this.scale(2),
      "+": () => this.scale(0.5),
      "=": () => this.scale(0.5),
      "-": () => this.scale(2),
      "_": () => this.scale(2),
      0: () => this.show(0, end),
      Home: () => this.show(0, span),
      End: () => this.show(end - span, end),
      n: () => section.step(1),
      p: () => section.step(-1),
      z: () => this.selected && this.showMatch(this.selected),
      Enter: play,
      " ": play,
    };
    const action = actions[event.key] || actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

// A strip of the whole input, with the view in it.
class MapStrip {
  constructor(chart, element) {
    this.chart = chart;
    this.canvas = element.appendChild(document.createElement("canvas"));
    this.svg = d3.select(element).append("svg");
    this.window = this.svg.append("rect").attr("class", "window").attr("y", 0.5).attr("rx", 2)
      .attr("height", MAP - 1);
    element.style.height = `${MAP}px`;
    d3.select(element).call(d3.drag().on("start drag", () => {
      const half = (chart.to - chart.from) / 2;
      const at = (d3.event.x - LEFT) / chart.width * chart.timeline.end;
      chart.show(at - half, at + half);
    }));
  }

  update() {
    const {from, to, width, timeline} = this.chart;
    const look = `${width} ${isDark()}`;
    if (look !== this.look) this.draw();
    this.look = look;
    this.window.attr("x", LEFT + from / timeline.end * width)
      .attr("width", Math.max(3, (to - from) / timeline.end * width));
  }

  draw() {
    const {width, input, timeline} = this.chart;
    const x = (time) => time / timeline.end * width;
    const context = contextOf(this.canvas, width + LEFT + RIGHT, MAP);
    this.svg.attr("width", width + LEFT + RIGHT).attr("height", MAP);
    context.globalAlpha = 0.55;
    const panel = Object.assign(new WavePanel(input, 0, 22), {x: LEFT, y: 1});
    panel.draw(context, {edges: this.chart.edges(0, timeline.end), width, x});
    context.globalAlpha = 1;
    for (const m of input.matches) {
      context.fillStyle = css(`--label-${m.colour}`);
      context.fillRect(LEFT + x(m.startTime), 24, Math.max(1.5, x(m.endTime) - x(m.startTime)), 5);
    }
  }
}
