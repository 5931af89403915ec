// data.js - what is in the page: blobs of bytes, samples in time, levels of detail.
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

// Samples in time. Pieces are straight lines; between two of them may be a gap.
class Timeline {
  constructor(times, samples) {
    this.step = times.step;
    this.counts = times.counts;
    this.originMs = times.origin ? Date.parse(times.origin) : null;
    this.first = times.first || 0;
    this.pieces = times.pieces;
    this.samples = samples;
    this.end = this.timeOf(samples);
  }

  // The piece with the last `key` (0: sample, 1: time) that is not above the value.
  pieceOf(value, key) {
    let low = 0;
    let high = this.pieces.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.pieces[middle][key] <= value) low = middle;
      else high = middle;
    }
    return low;
  }

  // A sample at the end of a piece belongs to that piece.
  timeOf(sample) {
    const [first, time] = this.pieces[this.pieceOf(sample > 0 ? sample - 1e-9 : sample, 0)];
    return time + (sample - first) * this.step;
  }

  // In a gap: the first sample after it.
  sampleOf(time) {
    const i = this.pieceOf(time, 1);
    const [first, start] = this.pieces[i];
    const last = i + 1 < this.pieces.length ? this.pieces[i + 1][0] : this.samples;
    return Math.min(Math.max(first + (time - start) / this.step, 0), last);
  }

  isGap(time) {
    const i = this.pieceOf(time, 1);
    const [first, start] = this.pieces[i];
    const last = i + 1 < this.pieces.length ? this.pieces[i + 1][0] : this.samples;
    return time < 0 || first + (time - start) / this.step > last;
  }

  // Is there a gap between two samples?
  breaksBetween(a, b) {
    return this.pieceOf(a, 0) !== this.pieceOf(b, 0) &&
      this.timeOf(b + 1e-6) - this.timeOf(a + 1e-6) > 2 * (b - a) * this.step;
  }
}

// Values in buckets, with least and highest values of 8, 64, 512 ... buckets. 0 is no value.
class Pyramid {
  // at(i, k): [least, highest] of bucket i, row k.
  constructor(n, rows, least, highest) {
    this.rows = rows;
    this.levels = [{n, least, highest}];
    for (let below = this.levels[0]; below.n > 8; below = this.levels[this.levels.length - 1]) {
      this.levels.push(this.reduced(below));
    }
  }

  reduced(below) {
    const n = Math.ceil(below.n / 8);
    const least = new Uint16Array(n * this.rows);
    const highest = new Uint16Array(n * this.rows);
    for (let i = 0; i < below.n; i++) {
      for (let k = 0; k < this.rows; k++) {
        const to = (i >> 3) * this.rows + k;
        const low = below.least[i * this.rows + k];
        const high = below.highest[i * this.rows + k];
        if (low && (!least[to] || low < least[to])) least[to] = low;
        if (high > highest[to]) highest[to] = high;
      }
    }
    return {n, least, highest};
  }

  // [least, highest] of buckets [a, b), row k; [0, 0]: no value.
  range(a, b, k) {
    let low = 0;
    let high = 0;
    let level = 0;
    let step = 1;
    for (let i = a; i < b;) {
      while (level + 1 < this.levels.length && i % (8 * step) === 0 && i + 8 * step <= b) {
        level++;
        step *= 8;
      }
      while (level > 0 && (i % step !== 0 || i + step > b)) {
        level--;
        step /= 8;
      }
      const at = (i / step) * this.rows + k;
      const l = this.levels[level].least[at];
      const h = this.levels[level].highest[at];
      if (l && (!low || l < low)) low = l;
      if (h > high) high = h;
      i += step;
    }
    return [low, high];
  }
}

// A part of the input at one resolution: [first, first + n) in buckets.
class Segment {
  constructor([first, n, bucket, offset], bytes, kind, rows) {
    this.first = first;
    this.end = first + n;
    this.bucket = bucket;
    this.buckets = Math.ceil(n / bucket);
    this.rows = rows;
    if (kind === "ranges") this.readRanges(bytes, offset);
    else if (kind === "columns") this.values = bytes.subarray(offset, offset + this.buckets * rows);
    else this.readPairs(bytes, offset);
  }

  readRanges(bytes, offset) {
    const n = this.buckets * this.rows;
    this.top = 255;
    this.least = new Uint16Array(n);
    this.highest = new Uint16Array(n);
    for (let i = 0; i < n; i++) {
      this.least[i] = bytes[offset + 2 * i];
      this.highest[i] = bytes[offset + 2 * i + 1];
    }
  }

  readPairs(bytes, offset) {
    const n = this.buckets * this.rows;
    this.top = 65535;
    this.least = new Uint16Array(bytes.slice(offset, offset + 2 * n).buffer);
    this.highest = this.least;
  }

  get pyramid() {
    if (!this.made) this.made = new Pyramid(this.buckets, this.rows, this.least, this.highest);
    return this.made;
  }

  // [least, highest] of positions [a, b) in row k, each 0 to 1; null: no value.
  range(a, b, k) {
    const from = Math.max(0, Math.floor((a - this.first) / this.bucket));
    const to = Math.min(this.buckets, Math.max(from + 1, Math.ceil((b - this.first) / this.bucket)));
    const [low, high] = this.pyramid.range(from, to, k);
    return low ? [(low - 1) / (this.top - 1), (high - 1) / (this.top - 1)] : null;
  }
}

// The segments of one kind: perhaps one over all, coarse, and fine ones.
class Layer {
  constructor(segments, bytes, kind, rows) {
    this.segments = segments.map((s) => new Segment(s, bytes, kind, rows));
    this.rows = rows;
    this.fine = this.segments.filter((s) => s.bucket === 1);
    this.coarse = this.segments.find((s) => s.bucket > 1) || null;
    this.fine.sort((a, b) => a.first - b.first);
  }

  // The fine segment that holds all of [a, b), else null.
  fineAt(a, b) {
    let low = 0;
    let high = this.fine.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.fine[middle].first <= a) low = middle;
      else high = middle;
    }
    const s = this.fine[low];
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
    this.ranges = new Layer(segments.ranges, bytes, "ranges", rows);
    if (this.ranges.segments.length) this.wave.coarse = this.ranges.segments[0];
    this.scores = new Layer(segments.scores, bytes, "scores", json.curves.length);
    this.columns = json.spectrogram
      ? new Layer(segments.columns, bytes, "columns", json.spectrogram.bands) : null;
    this.labels = [...new Set(templates.map((t) => t.label))];
    json.matches.sort((a, b) => a[1] - b[1]);
    this.matches = json.matches.map((items, i) => {
      const match = {i};
      MATCH_ITEMS.forEach((name, k) => { match[name] = items[k]; });
      match.label = templates[match.template].label;
      match.colour = this.labels.indexOf(match.label) % 8;
      match.startTime = this.timeline.timeOf(match.start + 1e-6);
      match.endTime = this.timeline.timeOf(match.end);
      if (match.pairs) match.path = bytes.subarray(match.pathAt, match.pathAt + 2 * match.pairs);
      return match;
    });
  }

  // Samples [a, b) of all channels as numbers, if all of them are in the page; else null.
  samplesOf(a, b) {
    const s = this.wave.fineAt(a, b);
    if (!s) return null;
    return this.channels.map(({least, most}, k) => {
      const values = new Float32Array(b - a);
      for (let i = a; i < b; i++) {
        const q = s.least[(i - s.first) * s.rows + k];
        values[i - a] = q ? least + (q - 1) / 65534 * (most - least) : NaN;
      }
      return values;
    });
  }
}
