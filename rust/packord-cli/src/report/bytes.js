// The page of `inspect --html`. Only visible rows and bytes are drawn, so that megabytes of data
// stay fast.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = atob(data.bytes);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const { starts, lens, depths, formats, values, kinds } = data.rows;
  const count = starts.length;
  const ROW = 20;
  // The bytes of a line: those that a phone is wide enough for.
  const WIDTH = matchMedia("(max-width: 700px)").matches ? 8 : 16;
  // The next row after each row and its content.
  const next = new Int32Array(count);
  const open = [];
  for (let row = 0; row < count; row++) {
    while (open.length && depths[open[open.length - 1]] >= depths[row]) next[open.pop()] = row;
    open.push(row);
  }
  while (open.length) next[open.pop()] = count;

  // The number of the message that begins in a row or at a byte.
  const begins = new Map();
  const firstBytes = new Set();
  for (let row = 0; row < count; row++) {
    if (depths[row] > 0) continue;
    begins.set(row, data.first + begins.size);
    firstBytes.add(starts[row]);
  }
  const isStream = begins.size > 1 || data.first > 0;

  const folded = new Uint8Array(count);
  let shown = [];
  let selected = -1;
  let matches = [];
  let match = -1;
  const tree = document.getElementById("tree");
  const hex = document.getElementById("hex");
  const status = document.getElementById("status");
  const panes = new Map([tree, hex].map((pane) => [pane, { space: pane.firstElementChild, body: pane.lastElementChild }]));

  const element = (name, className, content) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (content !== undefined) made.textContent = content;
    return made;
  };
  const address = (offset) => offset.toString(16).padStart(8, "0");
  const isContainer = (row) => kinds[row] === 1;

  function refold() {
    shown = [];
    for (let row = 0; row < count; row = folded[row] ? next[row] : row + 1) shown.push(row);
    panes.get(tree).space.style.height = `${shown.length * ROW}px`;
    draw();
  }

  // Draws the visible lines of a pane, with some above and below.
  function lines(pane, total, line) {
    const { body } = panes.get(pane);
    const first = Math.max(0, Math.floor(pane.scrollTop / ROW) - 10);
    const last = Math.min(total, first + Math.ceil(pane.clientHeight / ROW) + 20);
    body.style.transform = `translateY(${first * ROW}px)`;
    body.replaceChildren(...Array.from({ length: last - first }, (_, index) => line(first + index)));
  }

  function treeLine(index) {
    const row = shown[index];
    const made = element("div", row === selected ? "row selected" : "row");
    if (isStream && begins.has(row)) made.classList.add("begins");
    made.dataset.row = row;
    made.append(element("span", "address", address(data.base + starts[row])));
    const indent = element("span", "indent");
    indent.style.width = `${depths[row] * 14}px`;
    made.append(indent);
    const mark = isContainer(row) && next[row] > row + 1 ? (folded[row] ? "▸" : "▾") : "";
    made.append(element("span", "fold", mark));
    made.append(element("span", "format", data.formats[formats[row]]));
    made.append(element("span", `value k${kinds[row]}`, values[row]));
    if (isStream && begins.has(row)) made.append(element("span", "message", `message ${begins.get(row)}`));
    return made;
  }

  function hexLine(index) {
    const made = element("div", "line");
    made.append(element("span", "address", address(data.base + index * WIDTH)));
    const from = selected < 0 ? -1 : starts[selected];
    const header = selected < 0 ? -1 : from + lens[selected];
    const to = selected < 0 ? -1 : end(selected);
    let letters = "";
    for (let at = index * WIDTH; at < Math.min(bytes.length, (index + 1) * WIDTH); at++) {
      const cell = element("span", "byte", bytes[at].toString(16).padStart(2, "0"));
      if (at >= from && at < header) cell.className = "byte own";
      else if (at >= header && at < to) cell.className = "byte inner";
      if (firstBytes.has(at)) cell.classList.add("first");
      if (data.fault !== null && at === data.fault - data.base) cell.classList.add("k5");
      cell.dataset.at = at;
      made.append(cell);
      letters += bytes[at] >= 32 && bytes[at] < 127 ? String.fromCharCode(bytes[at]) : "·";
    }
    made.append(element("span", "letters", letters));
    return made;
  }

  // Returns where the bytes of a row and its content end.
  function end(row) {
    return next[row] < count ? starts[next[row]] : bytes.length;
  }

  function draw() {
    lines(tree, shown.length, treeLine);
    lines(hex, Math.ceil(bytes.length / WIDTH), hexLine);
  }

  function center(pane, line) {
    const top = line * ROW;
    if (top < pane.scrollTop + ROW || top > pane.scrollTop + pane.clientHeight - 2 * ROW) pane.scrollTop = top - pane.clientHeight / 3;
  }

  function select(row) {
    selected = row;
    // Unfolds the rows around it.
    for (let at = 0; at < row; at = next[at] <= row ? next[at] : at + 1) if (next[at] > row) folded[at] = 0;
    refold();
    center(tree, shown.indexOf(row));
    center(hex, Math.floor(starts[row] / WIDTH));
    draw();
    status.textContent = `byte ${data.base + starts[row]} (0x${(data.base + starts[row]).toString(16)}), ${end(row) - starts[row]} bytes: ${data.formats[formats[row]]} ${values[row]}`;
  }

  function search(step) {
    const wanted = document.getElementById("search").value.toLowerCase();
    if (!wanted) return;
    const offset = /^(0x[0-9a-f]+|@\d+)$/.test(wanted) ? Number(wanted.replace("@", "")) : NaN;
    if (!Number.isNaN(offset)) return select(rowAt(offset - data.base));
    matches = [];
    for (let row = 0; row < count; row++)
      if (values[row].toLowerCase().includes(wanted) || data.formats[formats[row]].includes(wanted)) matches.push(row);
    if (!matches.length) {
      status.textContent = "not found";
      return;
    }
    const next = step > 0 ? matches.findIndex((row) => row > selected) : matches.findLastIndex((row) => row < selected);
    match = next < 0 ? (step > 0 ? 0 : matches.length - 1) : next;
    select(matches[match]);
    status.textContent += `, match ${match + 1} of ${matches.length}`;
  }

  // Returns the row whose own bytes contain the offset.
  function rowAt(offset) {
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  tree.addEventListener("click", (event) => {
    const line = event.target.closest(".row");
    if (!line) return;
    const row = Number(line.dataset.row);
    if (event.target.className === "fold") folded[row] ^= 1;
    select(row);
  });
  hex.addEventListener("click", (event) => {
    if (event.target.dataset.at !== undefined) select(rowAt(Number(event.target.dataset.at)));
  });
  for (const pane of [tree, hex]) pane.addEventListener("scroll", () => requestAnimationFrame(draw));
  addEventListener("resize", draw);
  document.getElementById("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") search(event.shiftKey ? -1 : 1);
  });
  document.getElementById("fold").addEventListener("click", () => {
    for (let row = 0; row < count; row++) folded[row] = isContainer(row) && depths[row] > 0 ? 1 : 0;
    refold();
  });
  document.getElementById("unfold").addEventListener("click", () => {
    folded.fill(0);
    refold();
  });
  document.getElementById("jump")?.addEventListener("click", () => select(rowAt(data.fault - data.base)));
  panes.get(hex).space.style.height = `${Math.ceil(bytes.length / WIDTH) * ROW}px`;
  refold();
  const asked = /^#byte=(\d+)$/.exec(location.hash);
  if (asked && count) select(rowAt(Number(asked[1]) - data.base));
})();
