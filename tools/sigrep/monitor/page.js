'use strict';

const PAUSE_MS = 250, PATIENCE_MS = 5000, SILENT_MS = 2000;
const seen = { samples: 0, at_ms: 0 };
const get = (id) => document.getElementById(id);

function cell(text, name = '') {
  const td = document.createElement('td');
  td.textContent = text;
  td.className = name;
  return td;
}

const shown = {}; // what each table shows, as JSON

// A table that stays the same is left alone: what is selected in it stays selected.
function fill(id, values, cells) {
  const text = JSON.stringify(values);
  if (shown[id] === text) return;
  shown[id] = text;
  get(id).tBodies[0].replaceChildren(...values.map((row) => {
    const tr = document.createElement('tr');
    tr.append(...cells(row));
    return tr;
  }));
}

const number = (x) => cell(x ?? '–', 'number');

// As full as the threshold is a part of the score.
function bar({ score, threshold }) {
  const td = cell('', 'bar');
  const inner = document.createElement('div');
  if (score === null || threshold === null) return td;
  const part = score <= threshold ? 1 : threshold / score;
  inner.style.width = `${100 * part}%`;
  inner.className = part === 1 ? 'full' : '';
  td.append(inner);
  return td;
}

function level(values) {
  if (!values) return '–';
  if ('least' in values) return `${values.least} to ${values.largest}`;
  return `${values.level_db ?? '−∞'} dB, peak ${values.peak_db ?? '−∞'} dB`;
}

function state({ input, samples }) {
  const now_ms = performance.now();
  if (input === null) return 'Waiting for the first samples';
  if (samples !== seen.samples) Object.assign(seen, { samples, at_ms: now_ms });
  return now_ms - seen.at_ms < SILENT_MS ? 'Live' : 'No new samples';
}

function show(now) {
  get('input').textContent = now.input ?? 'sigrep';
  get('state').textContent = state(now);
  const samples = `${now.samples} samples`;
  get('read').textContent = now.seconds === null ? samples : `${now.seconds} s, ${samples}`;
  get('lost').textContent = `${now.lost} samples in ${now.gaps} gaps`;
  get('matches').textContent = now.matches;
  get('level').textContent = level(now.level);
  fill('labels', now.labels, (row) =>
    [cell(row.label), number(row.score), number(row.threshold), bar(row)]);
  get('left-out').textContent = now.labels_left_out > 0
    ? `${now.labels_left_out} more labels are farther from their thresholds` : '';
  fill('last', now.last, (m) =>
    [cell(m.start), cell(m.end), number(m.score), cell(m.label), cell(m.input)]);
}

async function poll() {
  try {
    const answer = await fetch('now.json', { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) throw new Error(answer.statusText);
    show(await answer.json());
  } catch {
    get('state').textContent = 'The search has ended, or does not answer';
  }
  setTimeout(poll, PAUSE_MS);
}

poll();
