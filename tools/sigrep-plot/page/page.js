// page.js - the page: a section for each input, with its chart, its matches and their paths.
"use strict";

const MOST_ROWS = 100; // of a table, until all are asked for

function make(parent, tag, properties = {}, text = null) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return parent.appendChild(element);
}

function makeButton(parent, text, properties, action) {
  const button = make(parent, "button", {type: "button", ...properties}, text);
  button.addEventListener("click", action);
  return button;
}

const counted = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const countedMatches = (n) => counted(n, "match", "matches");

// Plays samples; one at a time on the page.
const player = {
  // onTime: gets the seconds since the start in each frame, and null at the end.
  play(channels, rate, onTime) {
    if (this.source) this.source.stop();
    if (!this.context) this.context = new AudioContext();
    this.context.resume();
    const buffer = this.context.createBuffer(channels.length, channels[0].length, rate);
    channels.forEach((values, k) => buffer.copyToChannel(values.map((v) => v || 0), k));
    const source = this.context.createBufferSource();
    const began = this.context.currentTime;
    source.buffer = buffer;
    source.connect(this.context.destination);
    source.start();
    this.source = source;
    const tick = () => {
      const isOver = this.source !== source;
      onTime(isOver ? null : this.context.currentTime - began);
      if (!isOver) requestAnimationFrame(tick);
    };
    source.onended = () => {
      if (this.source === source) this.source = null;
    };
    tick();
  },
};

class Section {
  constructor(input, number, shared, parent) {
    Object.assign(this, {input, shared});
    this.root = make(parent, "section", {"aria-labelledby": `name-${number}`});
    make(this.root, "h2", {id: `name-${number}`}, input.name);
    make(this.root, "p", {class: "facts"}, this.facts());
    this.makeBar();
    const chart = make(this.root, "div", {
      class: "chart", tabindex: 0, role: "application", "aria-roledescription": "chart",
      "aria-label": `${input.name}: ${this.facts()}`, "aria-describedby": "keys",
    });
    this.live = make(this.root, "p", {class: "skip", role: "status", "aria-live": "polite"});
    this.chart = new Chart(input, chart, this);
    if (input.timeline.end > 0) {
      this.map = new MapStrip(this.chart, make(this.root, "div", {class: "map", "aria-hidden": "true"}));
    }
    this.makeBelow();
    this.makeRemarks();
    this.changed();
  }

  get canPlay() {
    return this.input.isAudio && this.input.rate >= 3000 && this.input.rate <= 384000;
  }

  facts() {
    const {input} = this;
    const words = [input.format];
    if (input.rateKnown) words.push(`${numberText(input.rate)} Hz`);
    if (input.channels.length > 1) words.push(counted(input.channels.length, "channel"));
    words.push(input.rateKnown && !input.timeline.counts ? lengthText(input.timeline.end)
      : counted(input.samples, "sample"));
    words.push(`compared by ${this.shared.frontEnd}`);
    words.push(countedMatches(input.allMatches));
    return words.join(" · ");
  }

  // ---- Above the chart ---------------------------------------------------------------

  makeBar() {
    const bar = make(this.root, "div", {class: "bar", role: "group", "aria-label": "View"});
    const button = (text, label, action) =>
      makeButton(bar, text, {"aria-label": label, title: label}, action);
    button("+", "Zoom in", () => this.chart.scale(0.5));
    button("−", "Zoom out", () => this.chart.scale(2));
    button("Whole", "Show the whole input", () => this.chart.show(0, this.input.timeline.end));
    if (this.input.matches.length) {
      button("‹ Match", "Go to the match before", () => this.step(-1));
      button("Match ›", "Go to the next match", () => this.step(1));
    }
    if (this.input.matches.length && this.canPlay) {
      this.playButton = button("▶ Play", "Play the selected match", () => this.play(this.chart.selected));
      this.playButton.disabled = true;
    }
    this.view = make(bar, "p", {class: "view"});
  }

  changed() {
    const {chart} = this;
    const span = chart.timeline.span(chart.from, chart.to);
    this.view.textContent = chart.timeline.counts ? `samples ${span}`
      : `${span} · ${lengthText(chart.to - chart.from)}`;
    if (this.map) this.map.update();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const words = `Shows ${span}, ${countedMatches(chart.inView().length)}.`;
      if (this.live.textContent !== words) this.live.textContent = words;
    }, 400);
  }

  // ---- Matches -----------------------------------------------------------------------

  describe(m) {
    const unit = ["s", "samples"].includes(this.input.unit) ? ` ${this.input.unit}` : "";
    return `Match ${m.i + 1} of ${this.input.matches.length}: ${m.label}, ${m.startText} to ` +
      `${m.endText}${unit}, score ${scoreText(m.score)}`;
  }

  step(by) {
    const {matches} = this.input;
    if (!matches.length) return;
    const i = this.chart.selected.i + by;
    const next = matches[Math.max(0, Math.min(matches.length - 1, i))];
    this.select(next, false);
    this.chart.showMatch(next);
    this.live.textContent = this.describe(next);
  }

  select(m, plays) {
    if (!m) return;
    this.chart.select(m);
    this.path.show(m);
    this.pathTitle.textContent = `Path of match ${m.i + 1}, against ${this.shared.templates[m.template].name}`;
    for (const row of this.body.querySelectorAll(".selected")) row.classList.remove("selected");
    const row = this.body.querySelector(`[data-match="${m.i}"]`);
    if (row) row.classList.add("selected");
    if (this.playButton) this.playButton.disabled = !this.hasSamples(m);
    this.root.dataset.selected = m.i;
    if (plays) this.play(m);
  }

  hasSamples(m) {
    return this.canPlay && this.input.wave.fineAt(m.start, m.end) !== null;
  }

  play(m) {
    if (!this.hasSamples(m)) return;
    const channels = this.input.samplesOf(m.start, m.end);
    player.play(channels.slice(0, 2), this.input.rate, (seconds) => {
      this.root.dataset.playing = seconds === null ? "" : m.i;
      this.chart.showPlayhead(seconds === null ? null : m.startTime + seconds);
    });
  }

  // ---- Below the chart ---------------------------------------------------------------

  makeBelow() {
    const {input} = this;
    if (!input.matches.length) return;
    const below = make(this.root, "div", {class: "below"});
    const side = make(below, "div", {class: "matches"});
    make(side, "h3", {}, "Matches");
    const scroll = make(side, "div", {
      class: "scroll", tabindex: 0, role: "region", "aria-label": `Table of matches in ${input.name}`,
    });
    const table = make(scroll, "table");
    make(table, "caption", {}, `Matches in ${input.name}`);
    const head = make(make(table, "thead"), "tr");
    for (const [text, kind] of [["#", "number"], ["label", ""], [`start, ${input.unit}`, "number"],
      [`end, ${input.unit}`, "number"], ["score", "number"], ["threshold", "number"], ["actions", ""]]) {
      make(head, "th", {scope: "col", class: kind}, text);
    }
    this.body = make(table, "tbody");
    for (const m of input.matches.slice(0, MOST_ROWS)) this.addRow(m);
    if (input.matches.length > MOST_ROWS) this.makeMore(side);
    const path = make(below, "div", {class: "path"});
    this.pathTitle = make(path, "h3", {}, "Path");
    this.path = new PathDrawing(input, this.shared.templates, this.shared.bytes,
      make(path, "div", {class: "drawing"}));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.path.draw());
    this.select(input.matches[0], false);
  }

  makeMore(side) {
    const {matches} = this.input;
    const more = makeButton(side, `List all ${matches.length} matches`, {}, () => {
      for (const m of matches.slice(MOST_ROWS)) this.addRow(m);
      more.remove();
    });
  }

  addRow(m) {
    const row = make(this.body, "tr", {"data-match": m.i});
    make(row, "td", {class: "number"}, m.i + 1);
    const label = make(row, "td", {class: "text"});
    make(label, "span", {class: "swatch", style: `background:var(--label-${m.colour})`});
    label.append(m.label);
    for (const text of [m.startText, m.endText, scoreText(m.score), scoreText(m.threshold)]) {
      make(row, "td", {class: "number"}, text);
    }
    const actions = make(row, "td");
    const button = (text, action) => {
      makeButton(actions, text, {"aria-label": `${text} match ${m.i + 1}`}, action);
      actions.append(" ");
    };
    button("Show", () => {
      this.select(m, false);
      this.chart.showMatch(m);
    });
    if (this.hasSamples(m)) button("Play", () => this.select(m, true));
  }

  makeRemarks() {
    const {remarks, channels} = this.input;
    const all = channels.length <= MOST_CHANNELS ? remarks
      : [...remarks, `Of ${channels.length} channels, the first ${MOST_CHANNELS} are drawn.`];
    if (!all.length) return;
    const list = make(this.root, "ul", {class: "remarks", "aria-label": "What this page leaves out"});
    for (const remark of all) make(list, "li", {}, remark);
  }
}

async function main() {
  const json = JSON.parse(document.getElementById("data").textContent);
  const shared = {...json, bytes: await bytesOf("templates-0")};
  const parent = document.getElementById("main");
  document.getElementById("version").textContent = json.version;
  const n = d3.sum(json.inputs, (input) => input.allMatches);
  const labels = new Set(json.templates.map((t) => t.label));
  document.getElementById("summary").textContent = `${countedMatches(n)} of ` +
    `${[...labels].slice(0, 5).join(", ")}${labels.size > 5 ? ` and ${labels.size - 5} more labels` : ""}`;
  for (let i = 0; i < json.inputs.length; i++) {
    const input = new Input(json.inputs[i], await bytesOf(`input-${i}`), json.templates);
    new Section(input, i, shared, parent);
    await new Promise((resolve) => setTimeout(resolve));
  }
  document.body.dataset.ready = "true";
}

main().catch((error) => {
  const words = `This page could not be drawn: ${error.message}`;
  make(document.getElementById("main"), "p", {role: "alert"}, words);
  console.error(error);
});
