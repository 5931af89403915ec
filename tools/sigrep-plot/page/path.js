// path.js - the warping path of a match: which frame of the template stands for which frame of the
// match. The template stands on the left and grows upwards, the match lies below.
"use strict";

const SIDE = 52; // of the template's and the match's pictures

class PathDrawing {
  constructor(input, templates, bytes, element) {
    Object.assign(this, {input, templates, bytes, element});
    this.canvas = element.appendChild(document.createElement("canvas"));
    this.canvas.setAttribute("role", "img");
    this.words = element.appendChild(document.createElement("p"));
    this.words.className = "hint";
  }

  show(match) {
    this.match = match;
    this.draw();
  }

  draw() {
    const {match} = this;
    const hasPath = match && match.path;
    this.canvas.style.display = hasPath ? "block" : "none";
    this.words.textContent = this.describe(match);
    if (!hasPath) return;
    this.canvas.setAttribute("aria-label", this.words.textContent);
    const size = Math.max(160, Math.min(340, this.element.clientWidth - SIDE - 8));
    const context = contextOf(this.canvas, size + SIDE + 4, size + SIDE + 4);
    this.drawSquare(context, {x: SIDE + 2, y: 1, width: size, height: size});
    this.drawTemplate(context, {x: 1, y: 1, width: SIDE - 6, height: size});
    this.drawMatch(context, {x: SIDE + 2, y: size + 8, width: size, height: SIDE - 6});
  }

  // ---- Words -------------------------------------------------------------------------

  describe(match) {
    if (!match) return "Select a match to see its path.";
    if (!match.path) return "The page does not keep this match's path.";
    const {templateFrames, matchFrames, path} = match;
    let diagonal = 0;
    for (let i = 1; i < match.pairs; i++) diagonal += path[2 * i] === 3;
    const ratio = matchFrames / templateFrames;
    const speed = Math.abs(ratio - 1) < 0.005 ? "as long as the template"
      : `${ratio.toFixed(2)} times as long as the template`;
    const share = match.pairs > 1 ? Math.round(100 * diagonal / (match.pairs - 1)) : 100;
    return `Up: ${templateFrames} frames of the template; along: ${matchFrames} of the match, ` +
      `which is ${speed}. ${share} % of the steps are diagonal. ` +
      "The path is orange where the frames differ most.";
  }

  // ---- The path ----------------------------------------------------------------------

  drawSquare(context, box) {
    const {templateFrames, matchFrames, path, pairs} = this.match;
    context.strokeStyle = css("--line");
    context.lineWidth = 1;
    context.strokeRect(box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1);
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(box.x, box.y + box.height);
    context.lineTo(box.x + box.width, box.y);
    context.stroke();
    context.setLineDash([]);
    const colour = d3.interpolateRgb(css("--accent"), css("--label-0"));
    const least = Math.min(254, d3.min(path.filter((_, p) => p % 2 === 1)));
    let [i, j] = [0, 0];
    let before = null;
    context.lineWidth = 3;
    context.lineCap = "round";
    for (let p = 0; p < pairs; p++) {
      i += path[2 * p] & 1;
      j += path[2 * p] >> 1;
      const at = [box.x + (j + 0.5) / matchFrames * box.width,
        box.y + box.height - (i + 0.5) / templateFrames * box.height];
      context.strokeStyle = colour((path[2 * p + 1] - least) / (255 - least));
      context.beginPath();
      context.moveTo(...(before || at));
      context.lineTo(...at);
      context.stroke();
      before = at;
    }
  }

  // ---- Beside it ---------------------------------------------------------------------

  // Standing: turned by a quarter, so that time grows upwards.
  drawTemplate(context, box) {
    const t = this.templates[this.match.template];
    if (!t.n) return;
    const levels = this.bytes.subarray(t.at, t.at + t.n * t.rows);
    context.save();
    context.translate(box.x, box.y + box.height);
    context.rotate(-Math.PI / 2);
    const lying = {x: 0, y: 0, width: box.height, height: box.width};
    if (t.isImage) {
      const contrast = t.ofBundle || !this.input.columns ? {low: 0, high: 255} : contrastOf([levels]);
      paintImage(context, lying, t.n, t.rows, contrast,
        (i) => levels.subarray(i * t.rows, (i + 1) * t.rows));
    } else {
      this.drawCurves(context, lying, t.n, t.rows, (i, k) => {
        const q = levels[i * t.rows + k];
        return q ? (q - 1) / 254 : null;
      });
    }
    context.restore();
  }

  drawMatch(context, box) {
    const {start, end} = this.match;
    const {input} = this;
    if (input.columns) {
      const {hop, bands} = input.spectrogram;
      const n = Math.max(1, Math.round((end - start) / hop));
      const levels = new Uint8Array(bands);
      const fine = input.columns.fineAt(Math.floor(start / hop), Math.ceil(end / hop));
      const contrast = fine ? contrastOf([fine.values]) : contrastOfLayer(input.columns);
      paintImage(context, box, n, bands, contrast, (i) => columnOf(input.columns,
        (start + i * (end - start) / n) / hop, (start + (i + 1) * (end - start) / n) / hop, levels));
      return;
    }
    const samples = input.samplesOf(start, end);
    if (!samples) return;
    const ranges = samples.map((values) => d3.extent(values));
    this.drawCurves(context, box, end - start, samples.length, (i, k) => {
      const [low, high] = ranges[k];
      return Number.isNaN(samples[k][i]) ? null : high > low ? (samples[k][i] - low) / (high - low) : 0.5;
    });
  }

  // part(i, k): value i of row k, 0 to 1; null: none.
  drawCurves(context, box, n, rows, part) {
    const step = Math.max(1, Math.floor(n / 2000));
    for (let k = 0; k < rows; k++) {
      context.strokeStyle = css(rows > 1 ? `--label-${[4, 1, 2, 3, 6, 0][k % 6]}` : "--signal");
      trace(context, d3.range(0, n, step).map((i) => {
        const value = part(i, k);
        return value === null ? null
          : [box.x + (i + 0.5) / n * box.width, box.y + (1 - value) * (box.height - 3) + 1.5];
      }));
    }
  }
}
