// times.js - times as text, and the ticks of a time axis.
"use strict";

const TICK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600,
  43200, 86400, 172800, 604800, 2592000, 7776000, 31536000];

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

// How a timeline writes its times.
class TimeText {
  constructor(timeline) {
    this.timeline = timeline;
    this.isLong = timeline.end + timeline.first > 120;
  }

  text(time, decimals) {
    const {originMs, first, counts} = this.timeline;
    if (counts) return Math.round(time).toLocaleString("en");
    if (originMs !== null) return this.clock(time, decimals);
    if (this.isLong && time + first >= 0) return clockText(time + first, decimals, false);
    return (time + first).toFixed(decimals);
  }

  clock(time, decimals) {
    const dayMs = Math.floor((this.timeline.originMs + time * 1000) / 864e5) * 864e5;
    const seconds = (this.timeline.originMs - dayMs) / 1000 + time;
    return clockText(seconds, decimals, true);
  }

  date(time) {
    return new Date(this.timeline.originMs + time * 1000).toISOString().slice(0, 10);
  }

  get unit() {
    if (this.timeline.counts) return "samples";
    if (this.timeline.originMs !== null) return "UTC";
    return this.isLong ? "min:s" : "s";
  }

  // Ticks at round times.
  ticks(from, to, most) {
    const {originMs, first, counts} = this.timeline;
    const span = to - from;
    if (counts) {
      return d3.ticks(from, to, most).filter(Number.isInteger).map((t) => ({t, text: this.text(t, 0)}));
    }
    const step = tickStep(span, most);
    const shift = originMs !== null ? (originMs % 864e5) / 1000 : first;
    const decimals = decimalsOf(step);
    const list = [];
    for (let i = Math.ceil((from + shift) / step); i * step - shift <= to; i++) {
      const t = i * step - shift;
      list.push({t, text: step >= 86400 && originMs !== null ? this.date(t) : this.text(t, decimals)});
    }
    return list;
  }

  // For people who hear it.
  span(from, to) {
    const decimals = Math.min(6, decimalsOf((to - from) / 100));
    const date = this.timeline.originMs !== null ? this.date(from) + " " : "";
    const unit = this.timeline.originMs !== null || this.isLong || this.timeline.counts ? "" : " s";
    return `${date}${this.text(from, decimals)} to ${this.text(to, decimals)}${unit}`;
  }
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
