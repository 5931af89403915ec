// panels.js - the parts of a chart, one below the other. Each draws its data on the canvas, pixel
// column by pixel column, and its axes as SVG.
"use strict";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

// From quiet to loud, of one hue with even steps of lightness.
function loudnessColours() {
  const ramp = isDark()
    ? d3.interpolateRgbBasis(["#151b22", "#12304a", "#155a8a", "#2f93c8", "#8fd0ee", "#f4fbff"])
    : d3.interpolateRgbBasis(["#ffffff", "#d7e6f2", "#8fbbdc", "#3c83bd", "#12508c", "#051f45"]);
  const table = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const c = d3.rgb(ramp(i / 255));
    table[i] = 0xff000000 | Math.round(c.b) << 16 | Math.round(c.g) << 8 | Math.round(c.r);
  }
  return table;
}

// Levels between which a spectrogram's colours lie: most of what is quiet, nearly all that is loud.
function contrastOf(layer) {
  const counts = new Float64Array(256);
  let all = 0;
  for (const s of layer.coarse ? [layer.coarse] : layer.fine) {
    for (let i = 0; i < s.values.length; i += 3) counts[s.values[i]]++;
  }
  counts[0] = 0;
  for (const c of counts) all += c;
  const part = (share) => {
    let sum = 0;
    let i = 0;
    while (i < 255 && (sum += counts[i]) < share * all) i++;
    return i;
  };
  const high = part(0.998);
  return {low: Math.min(part(0.3), high - 50), high};
}

// The levels of `rows` bands at positions [a, b), the highest of each; null: none.
function columnOf(layer, a, b, to) {
  const s = layer.at(Math.floor(a), Math.max(Math.floor(a) + 1, Math.ceil(b)));
  if (!s) return null;
  const from = Math.floor((a - s.first) / s.bucket);
  const last = Math.min(s.buckets, Math.max(from + 1, Math.ceil((b - s.first) / s.bucket)));
  if (from < 0 || from >= s.buckets) return null;
  const stride = Math.max(1, Math.floor((last - from) / 24));
  to.fill(0);
  for (let c = from; c < last; c += stride) {
    for (let k = 0; k < s.rows; k++) {
      const v = s.values[c * s.rows + k];
      if (v > to[k]) to[k] = v;
    }
  }
  return to;
}

// Paint levels as pixels: paint(i, k) is the level of column i, row k from below; null: empty.
function paintImage(context, box, columns, rows, contrast, column) {
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = loudnessColours();
  const scale = 255 / (contrast.high - contrast.low);
  for (let i = 0; i < columns; i++) {
    const levels = column(i);
    for (let k = 0; levels && k < rows; k++) {
      const level = Math.max(0, Math.min(255, (levels[k] - contrast.low) * scale));
      pixels[(rows - 1 - k) * columns + i] = colours[level | 0];
    }
  }
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  canvas.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingEnabled = true;
  context.drawImage(canvas, box.x, box.y, box.width, box.height);
}

const melOf = (hz) => 2595 * Math.log10(1 + hz / 700);

class Panel {
  constructor(input, name, height) {
    this.input = input;
    this.name = name;
    this.height = height;
  }

  // y from 0 to 1 of this panel in pixels.
  pixel(part) {
    return this.y + (1 - part) * this.height;
  }

  axis(g, scale, ticks, format) {
    const axis = d3.axisLeft(scale).tickValues(ticks).tickSize(4);
    if (format) axis.tickFormat(format);
    g.append("g").attr("transform", `translate(${this.x},0)`).call(axis);
  }

  drawName(g, text) {
    g.append("text").attr("class", "name").attr("x", this.x).attr("y", this.y - 6).text(text);
  }
}

class WavePanel extends Panel {
  constructor(input, channel, height) {
    const {name, least, most} = input.channels[channel];
    super(input, name, height);
    this.channel = channel;
    const margin = most > least ? 0.04 * (most - least) : 1;
    this.least = (least === null ? 0 : least) - margin;
    this.most = (most === null ? 0 : most) + margin;
    this.spread = least === null ? 0 : most - least;
    this.low = least;
  }

  // A value of 0 to 1 of the channel's range, in pixels.
  at(part) {
    const value = this.low + part * this.spread;
    return this.pixel((value - this.least) / (this.most - this.least));
  }

  axes(g) {
    const scale = d3.scaleLinear([this.least, this.most], [this.y + this.height, this.y]);
    this.axis(g, scale, scale.ticks(Math.max(2, Math.floor(this.height / 20))));
    this.drawName(g, this.name);
  }

  draw(context, view) {
    const {edges, width} = view;
    const perPixel = (edges[width] - edges[0]) / width;
    context.fillStyle = css("--signal");
    context.strokeStyle = css("--signal");
    view.showsSamples = false;
    if (perPixel < 1.5) this.drawSamples(context, view, perPixel);
    else this.drawRanges(context, view);
  }

  drawRanges(context, {edges, width}) {
    let before = null;
    for (let i = 0; i < width; i++) {
      const a = Math.floor(edges[i]);
      const b = Math.max(a + 1, Math.floor(edges[i + 1]));
      const s = edges[i] < edges[i + 1] ? this.input.wave.at(a, b) : null;
      const range = s ? s.range(a, b, this.channel) : null;
      if (range) {
        let low = this.at(range[0]);
        let high = this.at(range[1]);
        if (before) {
          low = Math.max(low, before[1]);
          high = Math.min(high, before[0]);
        }
        context.fillRect(this.x + i, high - 0.5, 1, low - high + 1);
      }
      before = range ? [this.at(range[0]), this.at(range[1])] : null;
    }
  }

  // A line through all samples, dots if there is room.
  drawSamples(context, view, perPixel) {
    const {edges, width, x} = view;
    const from = Math.max(0, Math.floor(edges[0]) - 1);
    const to = Math.min(this.input.samples, Math.ceil(edges[width]) + 2);
    const s = this.input.wave.fineAt(from, to) ||
      this.input.wave.fineAt(Math.ceil(edges[0]), Math.floor(edges[width]));
    if (!s) {
      this.drawRanges(context, view);
      return;
    }
    view.showsSamples = true;
    const timeline = this.input.timeline;
    let last = -1;
    context.beginPath();
    for (let i = Math.max(from, s.first); i < Math.min(to, s.end); i++) {
      const q = s.least[(i - s.first) * s.rows + this.channel];
      const at = [this.x + x(timeline.timeOf(i + 1e-6)), this.at((q - 1) / 65534)];
      if (!q) last = -1;
      else if (last >= 0 && !timeline.breaksBetween(last, i)) context.lineTo(...at);
      else context.moveTo(...at);
      if (q) last = i;
    }
    context.lineWidth = 1.25;
    context.stroke();
    for (let i = Math.max(from, s.first); perPixel < 0.15 && i < Math.min(to, s.end); i++) {
      const q = s.least[(i - s.first) * s.rows + this.channel];
      if (!q) continue;
      context.beginPath();
      context.arc(this.x + x(timeline.timeOf(i + 1e-6)), this.at((q - 1) / 65534), 2.5, 0, 7);
      context.fill();
    }
  }
}

class SpectrogramPanel extends Panel {
  constructor(input, height) {
    super(input, "spectrogram", height);
    this.contrast = contrastOf(input.columns);
  }

  axes(g) {
    const {top, bands} = this.input.spectrogram;
    const step = melOf(top) / (bands + 1); // band k is centred at k + 1 steps
    const scale = d3.scaleLinear([0.5 * step, (bands + 0.5) * step], [this.y + this.height, this.y]);
    const ticks = [250, 500, 1000, 2000, 4000, 8000, 16000].filter((hz) => hz < 0.95 * top);
    this.axis(g, scale, ticks.map(melOf), (mel, i) => (ticks[i] < 1000 ? ticks[i] : ticks[i] / 1000 + "k"));
    this.drawName(g, "spectrogram, Hz");
  }

  draw(context, {edges, width}) {
    const {hop, bands} = this.input.spectrogram;
    const levels = new Uint8Array(bands);
    const box = {x: this.x, y: this.y, width, height: this.height};
    paintImage(context, box, width, bands, this.contrast, (i) => (edges[i] < edges[i + 1]
      ? columnOf(this.input.columns, edges[i] / hop, edges[i + 1] / hop, levels) : null));
  }
}

class ScorePanel extends Panel {
  constructor(input, height) {
    super(input, "score", height);
    const curves = input.curves;
    // One axis for all: their scores, or scores in thresholds.
    this.inThresholds = curves.some((c) => c.isRatio || c.threshold !== curves[0].threshold) &&
      curves.every((c) => c.threshold > 0);
    const unit = (c) => (this.inThresholds ? c.threshold : 1);
    this.units = curves.map(unit);
    this.top = Math.max(...curves.map((c, k) => c.top / this.units[k]));
    // Without a threshold nothing says how low a score must be, so the axis need not begin at 0.
    this.bottom = curves.some((c) => c.threshold !== null) ? 0
      : Math.max(0, 2 * Math.min(...curves.map((c) => c.least)) - this.top);
    this.threshold = this.inThresholds ? 1 : curves.length ? curves[0].threshold : null;
  }

  axes(g, width) {
    const scale = d3.scaleLinear([this.bottom, this.top], [this.y + this.height, this.y]);
    const ticks = scale.ticks(Math.max(2, Math.floor(this.height / 20)));
    this.axis(g, scale, ticks);
    this.drawName(g, this.inThresholds ? "score of a match ending here, in thresholds" : "score of a match ending here");
    if (this.threshold === null || this.threshold > this.top) return;
    const y = scale(this.threshold);
    g.append("line").attr("class", "threshold").attr("x1", this.x).attr("x2", this.x + width)
      .attr("y1", y).attr("y2", y);
    const name = this.inThresholds ? "threshold" : `threshold ${numberText(this.threshold)}`;
    g.append("text").attr("class", "threshold-name").attr("x", this.x + width)
      .attr("y", this.y - 6).attr("text-anchor", "end").text(`- - ${name}`);
  }

  draw(context, view) {
    const {edges, width, x} = view;
    const frames = this.input.frames / this.input.samples; // a sample
    const wide = (edges[width] - edges[0]) * frames < 0.7 * width;
    this.input.curves.forEach((curve, k) => {
      const y = (part) => this.pixel((part * curve.top / this.units[k] - this.bottom) /
        (this.top - this.bottom));
      const label = this.input.labels.indexOf(curve.label) % 8;
      context.strokeStyle = css(`--label-${label}`);
      context.lineWidth = 1.25;
      context.beginPath();
      if (wide) this.traceFrames(context, view, frames, k, y, x);
      else this.tracePixels(context, view, frames, k, y);
      context.stroke();
    });
  }

  tracePixels(context, {edges, width}, frames, k, y) {
    let isDown = false;
    for (let i = 0; i < width; i++) {
      const a = Math.floor(edges[i] * frames);
      const b = Math.max(a + 1, Math.floor(edges[i + 1] * frames));
      const s = edges[i] < edges[i + 1] ? this.input.scores.at(a, b) : null;
      const range = s ? s.range(a, b, k) : null;
      if (range && isDown) context.lineTo(this.x + i + 0.5, y(range[0]));
      else if (range) context.moveTo(this.x + i + 0.5, y(range[0]));
      isDown = range !== null;
    }
  }

  // A frame's score stands at its end: that is where a match with this score would end.
  traceFrames(context, {edges, width}, frames, k, y, x) {
    let isDown = false;
    const last = Math.min(this.input.frames, Math.ceil(edges[width] * frames) + 1);
    for (let j = Math.max(0, Math.floor(edges[0] * frames) - 2); j < last; j++) {
      const s = this.input.scores.at(j, j + 1);
      const range = s ? s.range(j, j + 1, k) : null;
      const end = Math.min(this.input.samples, (j + 1) / frames);
      const at = range ? [this.x + x(this.input.timeline.timeOf(end)), y(range[0])] : null;
      if (at && isDown) context.lineTo(...at);
      else if (at) context.moveTo(...at);
      isDown = at !== null;
    }
  }
}
