// panels.js - the parts of a chart, one below the other. Each draws its data on the canvas, pixel
// column by pixel column, and its axes as SVG.
"use strict";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

// The context of a canvas of this size, in pixels of the page.
function contextOf(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const context = canvas.getContext("2d");
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  context.scale(ratio, ratio);
  return context;
}

// A line through points [x, y]; null breaks it.
function trace(context, points) {
  let isDown = false;
  context.beginPath();
  for (const at of points) {
    if (at && isDown) context.lineTo(...at);
    else if (at) context.moveTo(...at);
    isDown = at !== null;
  }
  context.lineWidth = 1.25;
  context.stroke();
}

// From quiet to loud, of one hue with even steps of lightness.
function loudnessColours() {
  const ramp = isDark()
    ? d3.interpolateRgbBasis(["#151b22", "#12304a", "#155a8a", "#2f93c8", "#8fd0ee", "#f4fbff"])
    : d3.interpolateRgbBasis(["#ffffff", "#d7e6f2", "#8fbbdc", "#3c83bd", "#12508c", "#051f45"]);
  return Uint32Array.from({length: 256}, (_, i) => {
    const c = d3.rgb(ramp(i / 255));
    return 0xff000000 | Math.round(c.b) << 16 | Math.round(c.g) << 8 | Math.round(c.r);
  });
}

// Of lists of levels those between which a spectrogram's colours lie: most of what is quiet, nearly
// all that is loud.
function contrastOf(lists) {
  const counts = new Float64Array(256);
  for (const levels of lists) {
    for (let i = 0; i < levels.length; i += 3) counts[levels[i]]++;
  }
  counts[0] = 0;
  const all = d3.sum(counts);
  const part = (share) => {
    let sum = 0;
    let i = 0;
    while (i < 255 && (sum += counts[i]) < share * all) i++;
    return i;
  };
  const high = part(0.998);
  return {low: Math.min(part(0.3), high - 50), high};
}

const contrastOfLayer = ({coarse, fine}) => contrastOf((coarse ? [coarse] : fine).map((s) => s.values));

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

// Paint levels as pixels: column(i) has those of column i, from below; null: empty.
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
    Object.assign(this, {input, name, height});
  }

  // y from 0 to 1 of this panel in pixels.
  pixel(part) {
    return this.y + (1 - part) * this.height;
  }

  // Ticks, by default as many as there is room for, and the name. Returns the scale. Ticks of whole
  // numbers are whole.
  axis(g, least, most, ticks, format) {
    const scale = d3.scaleLinear([least, most], [this.y + this.height, this.y]);
    const room = scale.ticks(Math.max(2, Math.floor(this.height / 20)));
    const axis = d3.axisLeft(scale).tickSize(4)
      .tickFormat(format || (this.isWhole ? d3.format(",d") : null))
      .tickValues(ticks || (this.isWhole ? room.filter(Number.isInteger) : room));
    g.append("g").attr("transform", `translate(${this.x},0)`).call(axis);
    g.append("text").attr("class", "name").attr("x", this.x).attr("y", this.y - 6).text(this.name);
    return scale;
  }

  // [least, highest] of a layer's row k in pixel column i; null: no value. `scale`: positions a sample.
  rangeAt(layer, k, edges, i, scale) {
    const a = Math.floor(edges[i] * scale);
    const b = Math.max(a + 1, Math.floor(edges[i + 1] * scale));
    const s = edges[i] < edges[i + 1] ? layer.at(a, b) : null;
    return s ? s.range(a, b, k) : null;
  }
}

class WavePanel extends Panel {
  constructor(input, channel, height) {
    const {name, least, most, isWhole} = input.channels[channel];
    super(input, name, height);
    this.isWhole = isWhole;
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
    this.axis(g, this.least, this.most);
  }

  draw(context, view) {
    const {edges, width} = view;
    const perPixel = (edges[width] - edges[0]) / width;
    const from = Math.max(0, Math.floor(edges[0]) - 1);
    const to = Math.min(this.input.samples, Math.ceil(edges[width]) + 2);
    const s = perPixel >= 1.5 ? null : this.input.wave.fineAt(from, to) ||
      this.input.wave.fineAt(Math.ceil(edges[0]), Math.floor(edges[width]));
    context.fillStyle = css("--signal");
    context.strokeStyle = css("--signal");
    view.showsSamples = s !== null;
    if (s) this.drawSamples(context, view, s, Math.max(from, s.first), Math.min(to, s.end), perPixel);
    else this.drawRanges(context, view);
  }

  drawRanges(context, {edges, width}) {
    let before = null;
    for (let i = 0; i < width; i++) {
      const range = this.rangeAt(this.input.wave, this.channel, edges, i, 1);
      const [low, high] = range ? range.map((part) => this.at(part)) : [];
      if (range) {
        const bottom = before ? Math.max(low, before[1]) : low;
        const top = before ? Math.min(high, before[0]) : high;
        context.fillRect(this.x + i, top - 0.5, 1, bottom - top + 1);
      }
      before = range ? [low, high] : null;
    }
  }

  // A line through samples [from, to) of a segment, dots if there is room.
  drawSamples(context, {x}, segment, from, to, perPixel) {
    const {timeline} = this.input;
    const points = [];
    for (let i = from; i < to; i++) {
      const range = segment.range(i, i + 1, this.channel);
      if (i > from && timeline.breaksBetween(i - 1, i)) points.push(null);
      points.push(range && [this.x + x(timeline.timeOf(i + 1e-6)), this.at(range[0])]);
    }
    trace(context, points);
    for (const at of perPixel < 0.15 ? points.filter((point) => point) : []) {
      context.beginPath();
      context.arc(...at, 2.5, 0, 7);
      context.fill();
    }
  }
}

class SpectrogramPanel extends Panel {
  constructor(input, height) {
    super(input, "spectrogram, Hz", height);
    this.contrast = contrastOfLayer(input.columns);
  }

  axes(g) {
    const {top, bands} = this.input.spectrogram;
    const step = melOf(top) / (bands + 1); // band k is centred at k + 1 steps
    const ticks = [250, 500, 1000, 2000, 4000, 8000, 16000].filter((hz) => hz < 0.95 * top);
    this.axis(g, 0.5 * step, (bands + 0.5) * step, ticks.map(melOf),
      (mel, i) => (ticks[i] < 1000 ? ticks[i] : ticks[i] / 1000 + "k"));
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
    const {curves} = input;
    // One axis for all: their scores, or scores in thresholds.
    const inThresholds = curves.some((c) => c.isRatio || c.threshold !== curves[0].threshold) &&
      curves.every((c) => c.threshold > 0);
    super(input, `score of a match ending here${inThresholds ? ", in thresholds" : ""}`, height);
    this.inThresholds = inThresholds;
    this.units = curves.map((c) => (inThresholds ? c.threshold : 1));
    this.top = Math.max(...curves.map((c, k) => c.top / this.units[k]));
    // Without a threshold nothing says how low a score must be, so the axis need not begin at 0.
    this.bottom = curves.some((c) => c.threshold !== null) ? 0
      : Math.max(0, 2 * Math.min(...curves.map((c) => c.least)) - this.top);
    this.threshold = inThresholds ? 1 : curves[0].threshold;
  }

  axes(g, width) {
    const scale = this.axis(g, this.bottom, this.top);
    if (this.threshold === null || this.threshold > this.top) return;
    const y = scale(this.threshold);
    g.append("line").attr("class", "threshold").attr("x1", this.x).attr("x2", this.x + width)
      .attr("y1", y).attr("y2", y);
    const name = this.inThresholds ? "threshold" : `threshold ${numberText(this.threshold)}`;
    g.append("text").attr("class", "threshold-name").attr("x", this.x + width)
      .attr("y", this.y - 6).attr("text-anchor", "end").text(`- - ${name}`);
  }

  draw(context, view) {
    const {edges, width} = view;
    const scale = this.input.frames / this.input.samples; // frames a sample
    const hasFrames = (edges[width] - edges[0]) * scale < 0.7 * width;
    this.input.curves.forEach((curve, k) => {
      const points = hasFrames ? this.frames(view, k, scale)
        : d3.range(width).map((i) => [i + 0.5, this.rangeAt(this.input.scores, k, edges, i, scale)]);
      const y = (part) => this.pixel((part * curve.top / this.units[k] - this.bottom) /
        (this.top - this.bottom));
      context.strokeStyle = css(`--label-${this.input.labels.indexOf(curve.label) % 8}`);
      trace(context, points.map(([x, range]) => range && [this.x + x, y(range[0])]));
    });
  }

  // A frame's score stands at its end: that is where a match with this score would end.
  frames({edges, width, x}, k, scale) {
    const {frames, samples, scores, timeline} = this.input;
    const first = Math.max(0, Math.floor(edges[0] * scale) - 2);
    const end = Math.min(frames, Math.ceil(edges[width] * scale) + 1);
    return d3.range(first, end).map((j) => {
      const s = scores.at(j, j + 1);
      return [x(timeline.timeOf(Math.min(samples, (j + 1) / scale))), s && s.range(j, j + 1, k)];
    });
  }
}
