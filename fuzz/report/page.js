// The script of a report: charts, filters, buttons that copy. Text of users is only ever set as text, or escaped where
// the chart library takes markup.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const escapeText = (text) =>
    String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const short = (value) =>
    Math.abs(value) >= 1e6 ? `${(value / 1e6).toPrecision(3)}M`
      : Math.abs(value) >= 1e4 ? `${(value / 1e3).toPrecision(3)}k`
        : String(Number(value.toPrecision(4)));
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));

  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const palette = (count) => {
    const light = dark.matches ? 70 : 38, result = [];
    for (let i = 0; i < count; ++i) result.push(`hsl(${(215 + i * 137) % 360}, 65%, ${light}%)`);
    return result;
  };
  const numbersOnly = (rows) => rows.map((row) => row.map((v) => (v === null ? NaN : v)));

  const drawn = [];
  function drawChart(box) {
    const chart = data.charts[Number(box.dataset.chart)];
    const named = chart.names.length > 0;
    const nameOf = (x) => (named ? chart.names[Math.round(x)] || '' : short(x));
    const rows = numbersOnly(chart.rows);
    const options = () => ({
      labels: chart.labels, colors: palette(chart.labels.length - 1), xlabel: escapeText(chart.x),
      ylabel: escapeText(chart.y), legend: 'onmouseover', labelsSeparateLines: true, connectSeparatedPoints: true,
      includeZero: !chart.y.endsWith('= 100'), drawPoints: rows.length < 100, pointSize: 2.5, strokeWidth: 2,
      gridLineColor: color('--line'), axisLineColor: color('--soft'), animatedZooms: false,
      xRangePad: 8, yRangePad: 8,
      axes: {
        x: {
          pixelsPerLabel: named ? 110 : 70,
          axisLabelWidth: named ? 105 : 60,
          axisLabelFormatter: (x) => (named && x !== Math.round(x) ? '' : escapeText(String(nameOf(x)).slice(0, 16))),
          valueFormatter: (x) => escapeText(nameOf(x)),
        },
        y: { axisLabelFormatter: (y) => escapeText(short(y)), valueFormatter: (y) => escapeText(short(y)) },
      },
    });
    const graph = new Dygraph(box, rows, options());
    graph.setAnnotations(chart.marks.map(([x, text], i) => ({
      series: chart.labels[1], x, shortText: String(i + 1), text, width: 18, height: 18, attachAtBottom: true,
    })));
    drawn.push(() => graph.updateOptions(options()));
  }

  function drawSparkline(box) {
    const [values, steps] = data.sparklines[Number(box.dataset.spark)];
    const options = () => ({
      labels: ['build', 'value'], colors: [color('--ink')], strokeWidth: 1.5, legend: 'never', drawGrid: false,
      drawAxis: false, highlightCircleSize: 0, interactionModel: {}, yRangePad: 4, xRangePad: 4,
      connectSeparatedPoints: true,
      underlayCallback: (context, area, graph) => {
        context.fillStyle = color('--bad');
        for (const step of steps) context.fillRect(graph.toDomXCoord(step - 0.5) - 1, area.y, 2, area.h);
      },
    });
    const rows = numbersOnly(values.map((value, i) => [i, value]));
    if (rows.length === 1) rows.push([1, rows[0][1]]);
    const graph = new Dygraph(box, rows, options());
    drawn.push(() => graph.updateOptions(options()));
  }

  if (window.Dygraph) {
    all('.chart').forEach(drawChart);
    // A table of hundreds: each is drawn when it comes into sight.
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries)
        if (entry.isIntersecting) {
          seen.unobserve(entry.target);
          drawSparkline(entry.target);
        }
    });
    all('.spark').forEach((box) => seen.observe(box));
    dark.addEventListener('change', () => drawn.forEach((draw) => draw()));
  } else {
    all('.chart, .spark').forEach((box) => { box.hidden = true; });
    all('.numbers').forEach((box) => { box.open = true; });
  }

  // Filters: what does not have all words of the text, or the chosen state, is hidden.
  for (const box of all('.filters[data-filters]')) {
    const items = all(box.dataset.filters), text = box.querySelector('input'), state = box.querySelector('select');
    const count = box.querySelector('output');
    const apply = () => {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const item of items) {
        const has = (item.dataset.text || item.textContent).toLowerCase();
        item.hidden = !words.every((word) => has.includes(word)) ||
          Boolean(state && state.value && item.dataset.state !== state.value);
        shown += item.hidden ? 0 : 1;
      }
      count.textContent = `${shown} of ${items.length}`;
    };
    text.addEventListener('input', apply);
    if (state) state.addEventListener('change', apply);
    box.hidden = false;
    apply();
  }

  for (const button of all('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const code = button.parentElement.querySelector('code');
      try {
        await navigator.clipboard.writeText(code.textContent);
      } catch (error) { // a file, or no permission: the selection is copied
        const selection = window.getSelection();
        selection.removeAllRanges();
        const range = document.createRange();
        range.selectNodeContents(code);
        selection.addRange(range);
        document.execCommand('copy');
      }
      button.textContent = 'copied';
      setTimeout(() => { button.textContent = 'copy'; }, 1500);
    });
  }

  // A link to a bug opens it.
  const openTarget = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === 'DETAILS') target.open = true;
  };
  window.addEventListener('hashchange', openTarget);
  openTarget();

  // Two builds beside each other.
  const compare = document.getElementById('compare');
  if (compare && data.perf) {
    const [first, second] = all('select', compare), result = compare.querySelector('.result');
    data.perf.builds.forEach((build, i) => {
      for (const select of [first, second]) select.add(new Option(build, String(i)));
    });
    first.value = String(Math.max(0, data.perf.builds.length - 2));
    second.value = String(data.perf.builds.length - 1);
    const cell = (row, text, name) => {
      const td = row.insertCell();
      td.textContent = text;
      if (name) td.className = name;
    };
    const show = () => {
      const a = Number(first.value), b = Number(second.value), changed = [];
      for (const [kernel, figure, values] of data.perf.series) {
        const at = (i) => (Array.isArray(values) ? values[i] : values);
        const before = at(a), after = at(b);
        if (before === null || after === null || before === after) continue;
        changed.push([kernel, figure, before, after, before ? after / before - 1 : Infinity]);
      }
      changed.sort((x, y) => y[4] - x[4]);
      const table = document.createElement('table');
      const head = table.createTHead().insertRow();
      for (const title of ['kernel', 'figure', data.perf.builds[a], data.perf.builds[b], 'change']) {
        const th = document.createElement('th');
        th.textContent = title;
        head.append(th);
      }
      const body = table.createTBody();
      for (const [kernel, figure, before, after, change] of changed.slice(0, 500)) {
        const row = body.insertRow();
        cell(row, kernel);
        cell(row, figure);
        cell(row, short(before), 'number');
        cell(row, short(after), 'number');
        cell(row, Number.isFinite(change) ? `${(change * 100).toFixed(1)} %` : 'new',
          change > 0 ? 'number bad' : 'number good');
      }
      const note = document.createElement('p');
      note.textContent = changed.length
        ? `${changed.length} figures differ${changed.length > 500 ? '; the first 500' : ''}` : 'no figure differs';
      result.replaceChildren(note, ...(changed.length ? [table] : []));
    };
    first.addEventListener('change', show);
    second.addEventListener('change', show);
    compare.hidden = false;
    show();
  }
})();
