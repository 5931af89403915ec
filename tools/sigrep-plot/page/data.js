// data.js - an input as the page has it: bytes, samples in time, levels of detail, matches.
"use strict";

// All bytes of a blob: base64 of what zlib deflated.
async function bytesOf(id) {
  const element = document.getElementById(id);
  const text = atob(element.textContent);
  const deflated = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) deflated[i] = text.charCodeAt(i);
  element.remove();
  const inflate = new DecompressionStream("deflate");
  const stream = new Blob([deflated]).stream().pipeThrough(inflate);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The index of the last item whose `key` is not above the value; of the first, if all are above.
const lastUntil = (items, key, value) =>
  Math.max(0, d3.bisector((item) => item[key]).right(items, value) - 1);

// ---- Time and numbers ------------------------------------------------------------------

const TICK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600,
  43200, 86400, 172800, 604800, 2592000, 7776000, 31536000];

const DAY_MS = 864e5;

function tickStep(span, most) {
  const wanted = span / most;
  if (wanted > 1) return TICK_STEPS.find((s) => s >= wanted) || wanted;
  const power = Math.pow(10, Math.floor(Math.log10(wanted)));
  return [1, 2, 5, 10].map((k) => k * power).find((s) => s >= wanted * 0.999);
}

function decimalsOf(step) {
  return Math.max(0, Math.min(9, -Math.floor(Math.log10(step * 1.0001))));
}

const two = (n) => String(n).padStart(2, "0");

// Seconds, [h:]mm:ss or, of dates, hh:mm:ss; `decimals` after the point. `hours`: show them.
function clockText(seconds, decimals, hours) {
  const scale = Math.pow(10, decimals);
  const rounded = Math.round(seconds * scale) / scale;
  const h = Math.floor(rounded / 3600);
  const m = Math.floor(rounded / 60) % 60;
  const s = rounded - 3600 * h - 60 * m;
  const text = two(Math.floor(s + 1e-9)) +
    (decimals ? (s - Math.floor(s + 1e-9)).toFixed(decimals).replace(/^-?[01]/, "") : "");
  if (hours) return `${two(h)}:${two(m)}:${text}`;
  return `${h ? h + ":" + two(m) : m}:${text}`;
}

function lengthText(seconds) {
  if (seconds >= 7200) return `${(seconds / 3600).toFixed(1)} h`;
  if (seconds >= 120) return `${(seconds / 60).toFixed(1)} min`;
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  return seconds >= 1e-3 ? `${(seconds * 1e3).toFixed(1)} ms` : `${(seconds * 1e6).toFixed(1)} µs`;
}

function numberText(v) {
  if (v === null || v === undefined) return "–";
  return v === 0 ? "0" : String(Number(v.toPrecision(4)));
}

// A score or a threshold: rounded up, so that as a threshold it keeps its match.
function scoreText(v) {
  const near = v ? Number(v.toPrecision(4)) : v;
  if (!v || near >= v) return numberText(v);
  return numberText(near + 10 ** (Math.floor(Math.log10(v)) - 3));
}

// Seconds as sigrep prints them, with the same decimals: 150.01750 gives 2:30.01750.
function minutesText(seconds) {
  const [whole, decimals] = seconds.split(".");
  return `${clockText(Number(whole), 0, false)}.${decimals}`;
}

// Samples in time. Pieces are straight lines; between two of them may be a gap.
class Timeline {
  constructor({step, counts, origin, first = 0, pieces}, samples) {
    Object.assign(this, {step, counts, first, pieces, samples});
    this.originMs = origin ? Date.parse(origin) : null;
    this.end = this.timeOf(samples);
    this.isLong = this.end + first > 120;
  }

  // A sample at the end of a piece belongs to that piece.
  timeOf(sample) {
    const [first, time] = this.pieces[lastUntil(this.pieces, 0, sample > 0 ? sample - 1e-9 : sample)];
    return time + (sample - first) * this.step;
  }

  // In a gap: the first sample after it.
  sampleOf(time) {
    const i = lastUntil(this.pieces, 1, time);
    const [first, start] = this.pieces[i];
    const last = i + 1 < this.pieces.length ? this.pieces[i + 1][0] : this.samples;
    return Math.min(Math.max(first + (time - start) / this.step, 0), last);
  }

  // Is there a gap between two samples?
  breaksBetween(a, b) {
    return lastUntil(this.pieces, 0, a) !== lastUntil(this.pieces, 0, b) &&
      this.timeOf(b + 1e-6) - this.timeOf(a + 1e-6) > 2 * (b - a) * this.step;
  }

  // ---- As text -----------------------------------------------------------------------

  text(time, decimals) {
    if (this.counts) return Math.round(time).toLocaleString("en");
    if (this.originMs !== null) {
      const dayMs = Math.floor((this.originMs + time * 1000) / DAY_MS) * DAY_MS;
      return clockText((this.originMs - dayMs) / 1000 + time, decimals, true);
    }
    if (this.isLong && time + this.first >= 0) return clockText(time + this.first, decimals, false);
    return (time + this.first).toFixed(decimals);
  }

  date(time) {
    return new Date(this.originMs + time * 1000).toISOString().slice(0, 10);
  }

  get unit() {
    if (this.counts) return "samples";
    if (!this.isLong) return "s";
    return this.end + this.first < 3600 ? "min:s" : "h:min:s";
  }

  // Ticks at round times.
  ticks(from, to, most) {
    if (this.counts) {
      return d3.ticks(from, to, most).filter(Number.isInteger).map((t) => ({t, text: this.text(t, 0)}));
    }
    const hasDates = this.originMs !== null;
    const step = tickStep(to - from, most);
    const shift = hasDates ? (this.originMs % DAY_MS) / 1000 : this.first;
    const list = [];
    for (let i = Math.ceil((from + shift) / step); i * step - shift <= to; i++) {
      const t = i * step - shift;
      list.push({t, text: hasDates && step >= 86400 ? this.date(t) : this.text(t, decimalsOf(step))});
    }
    return list;
  }

  // For people who hear it.
  span(from, to) {
    const decimals = Math.min(6, decimalsOf((to - from) / 100));
    const date = this.originMs !== null ? this.date(from) + " " : "";
    const unit = this.originMs !== null || this.isLong || this.counts ? "" : " s";
    return `${date}${this.text(from, decimals)} to ${this.text(to, decimals)}${unit}`;
  }
}

// ---- Values ----------------------------------------------------------------------------

// A part of the input at one resolution: [first, first + n) in buckets.
class Segment {
  constructor([first, n, bucket, offset], bytes, kind, rows) {
    const buckets = Math.ceil(n / bucket);
    Object.assign(this, {first, end: first + n, bucket, buckets, rows});
    if (kind === "columns") {
      this.values = bytes.subarray(offset, offset + buckets * rows);
    } else if (kind === "ranges") {
      const both = bytes.subarray(offset, offset + 2 * buckets * rows);
      this.top = 255;
      this.least = both.filter((_, i) => i % 2 === 0);
      this.highest = both.filter((_, i) => i % 2 === 1);
    } else {
      this.top = 65535;
      this.least = new Uint16Array(bytes.slice(offset, offset + 2 * buckets * rows).buffer);
      this.highest = this.least;
    }
  }

  // [least, highest] of positions [a, b) in row k, each 0 to 1; null: no value.
  range(a, b, k) {
    const from = Math.max(0, Math.floor((a - this.first) / this.bucket));
    const to = Math.min(this.buckets, Math.max(from + 1, Math.ceil((b - this.first) / this.bucket)));
    const {least, highest, rows} = this;
    let [low, high] = [0, 0]; // 0 is no value
    for (let i = from * rows + k; i < to * rows; i += rows) {
      if (least[i] && (!low || least[i] < low)) low = least[i];
      if (highest[i] > high) high = highest[i];
    }
    return low ? [(low - 1) / (this.top - 1), (high - 1) / (this.top - 1)] : null;
  }
}

// The segments of one kind: perhaps one over all, coarse, and fine ones.
class Layer {
  constructor(segments, bytes, kind, rows) {
    const all = segments.map((s) => new Segment(s, bytes, kind, rows));
    this.fine = all.filter((s) => s.bucket === 1).sort((a, b) => a.first - b.first);
    this.coarse = all.find((s) => s.bucket > 1) || null;
  }

  // The fine segment that holds all of [a, b), else null.
  fineAt(a, b) {
    const s = this.fine[lastUntil(this.fine, "first", a)];
    return s && s.first <= a && b <= s.end ? s : null;
  }

  at(a, b) {
    return this.fineAt(a, b) || this.coarse;
  }
}

const MATCH_ITEMS = ["template", "start", "end", "score", "threshold", "startText", "endText",
  "pathAt", "pairs", "templateFrames", "matchFrames"];

// An input with its layers.
class Input {
  constructor(json, bytes, templates) {
    Object.assign(this, json);
    this.timeline = new Timeline(json.times, json.samples);
    const rows = json.channels.length;
    const segments = json.segments;
    this.wave = new Layer(segments.samples, bytes, "samples", rows);
    if (segments.ranges.length) {
      this.wave.coarse = new Segment(segments.ranges[0], bytes, "ranges", rows);
    }
    this.scores = new Layer(segments.scores, bytes, "scores", json.curves.length);
    this.columns = json.spectrogram
      ? new Layer(segments.columns, bytes, "columns", json.spectrogram.bands) : null;
    this.labels = [...new Set(templates.map((t) => t.label))];
    const saysMinutes = this.isAudio && this.timeline.isLong && !this.timeline.counts;
    if (saysMinutes) this.unit = this.timeline.unit;
    json.matches.sort((a, b) => a[1] - b[1]);
    this.matches = json.matches.map((items, i) => {
      const match = {i};
      MATCH_ITEMS.forEach((name, k) => { match[name] = items[k]; });
      match.label = templates[match.template].label;
      match.colour = this.labels.indexOf(match.label) % 8;
      match.startTime = this.timeline.timeOf(match.start + 1e-6);
      match.endTime = this.timeline.timeOf(match.end);
      if (saysMinutes) {
        match.startText = minutesText(match.startText);
        match.endText = minutesText(match.endText);
      }
      if (match.pairs) match.path = bytes.subarray(match.pathAt, match.pathAt + 2 * match.pairs);
      return match;
    });
  }

  // Samples [a, b) of all channels as numbers, if all of them are in the page; else null.
  samplesOf(a, b) {
    const s = this.wave.fineAt(a, b);
    return s && this.channels.map(({least, most}, k) => Float32Array.from({length: b - a}, (_, i) => {
      const range = s.range(a + i, a + i + 1, k);
      return range ? least + range[0] * (most - least) : NaN;
    }));
  }
}
