// The page of `inspect --html`. Only visible rows and bytes are drawn, so that megabytes of data
// stay fast.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  // The parts one after another: those of the file, then the bodies of its blocks.
  const parts = data.parts.map((part) => ({ ...part, text: atob(part.bytes) }));
  const order = [...parts.filter((part) => !part.title), ...parts.filter((part) => part.title)];
  let total = 0;
  for (const part of order) {
    part.at = total;
    total += part.text.length;
    part.end = total;
  }
  const bytes = new Uint8Array(total);
  for (const part of order) for (let at = 0; at < part.text.length; at++) bytes[part.at + at] = part.text.charCodeAt(at);
  const { lens, depths, formats, values, kinds } = data.rows;
  const partOf = data.rows.parts.map((number) => parts[number]);
  const starts = data.rows.starts.map((start, row) => start + partOf[row].at);
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

  // The rows by their first byte, those without bytes before the others.
  const byStart = Array.from(starts.keys()).sort((one, other) => starts[one] - starts[other] || Math.sign(lens[one]) - Math.sign(lens[other]) || one - other);
  const faults = Array.from(kinds.keys()).filter((row) => kinds[row] === 5);
  const faulty = new Set(faults.map((row) => starts[row]).filter((start, index) => start < partOf[faults[index]].end));

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
  // The address of a byte; in a body, how far it is from its start.
  const address = (part, at) => {
    const offset = part.base + at - part.at;
    return part.title ? `+${offset.toString(16).padStart(7, "0")}` : offset.toString(16).padStart(8, "0");
  };
  // The lines of bytes: where each begins, or the title of a part.
  const byteLines = [];
  for (const part of order) {
    part.line = byteLines.length;
    if (part.title || part.at > 0) byteLines.push({ part });
    for (let at = part.at; at < part.end; at += WIDTH) byteLines.push({ part, at });
  }
  const isContainer = (row) => next[row] > row + 1;

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
    made.id = `row-${row}`;
    made.role = "treeitem";
    made.ariaLevel = depths[row] + 1;
    made.ariaSelected = row === selected;
    if (isContainer(row)) made.ariaExpanded = !folded[row];
    made.append(element("span", "address", address(partOf[row], starts[row])));
    const indent = element("span", "indent");
    indent.style.width = `${depths[row] * 14}px`;
    made.append(indent);
    const mark = isContainer(row) ? (folded[row] ? "▸" : "▾") : "";
    made.append(element("span", "fold", mark));
    made.append(element("span", "format", data.formats[formats[row]]));
    made.append(element("span", `value k${kinds[row]}`, values[row]));
    if (data.notes[row]) made.append(element("span", "note", data.notes[row]));
    if (isStream && begins.has(row)) made.append(element("span", "message", `message ${begins.get(row)}`));
    return made;
  }

  function hexLine(index) {
    const { part, at: begin } = byteLines[index];
    if (begin === undefined) return element("div", "line title", part.title || `file, from byte ${part.base}`);
    const made = element("div", "line");
    made.append(element("span", "address", address(part, begin)));
    const from = selected < 0 ? -1 : starts[selected];
    const header = selected < 0 ? -1 : from + lens[selected];
    const to = selected < 0 ? -1 : end(selected);
    let letters = "";
    for (let at = begin; at < Math.min(part.end, begin + WIDTH); at++) {
      const cell = element("span", "byte", bytes[at].toString(16).padStart(2, "0"));
      if (at >= from && at < header) cell.className = "byte own";
      else if (at >= header && at < to) cell.className = "byte inner";
      if (firstBytes.has(at)) cell.classList.add("first");
      if (faulty.has(at)) cell.classList.add("k5");
      cell.dataset.at = at;
      made.append(cell);
      letters += bytes[at] >= 32 && bytes[at] < 127 ? String.fromCharCode(bytes[at]) : "·";
    }
    made.append(element("span", "letters", letters));
    return made;
  }

  // Returns where the bytes of a row and its content end.
  function end(row) {
    const after = next[row];
    const part = partOf[row];
    if (part.title) return after < count && partOf[after] === part ? starts[after] : part.end;
    return after < count ? starts[after] : order.findLast((part) => !part.title).end;
  }

  // Returns the bytes of a row and its content, with those that are not shown.
  function size(row) {
    const after = next[row];
    if (partOf[row].title || after === count) return end(row) - starts[row];
    return partOf[after].base - partOf[after].at + starts[after] - (partOf[row].base - partOf[row].at + starts[row]);
  }

  function draw() {
    lines(tree, shown.length, treeLine);
    lines(hex, byteLines.length, hexLine);
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
    const part = partOf[row];
    center(hex, part.line + (byteLines[part.line].at === undefined) + Math.floor((starts[row] - part.at) / WIDTH));
    draw();
    const offset = part.base + starts[row] - part.at;
    tree.setAttribute("aria-activedescendant", `row-${row}`);
    status.textContent = `byte ${offset} (0x${offset.toString(16)})${part.title && ` of the ${part.title}`}, ${size(row)} byte${size(row) === 1 ? "" : "s"}: ${data.formats[formats[row]]} ${values[row]}`;
  }

  function search(step) {
    const wanted = document.getElementById("search").value.toLowerCase();
    if (!wanted) return;
    const offset = /^(0x[0-9a-f]+|@\d+)$/.test(wanted) ? Number(wanted.replace("@", "")) : NaN;
    if (!Number.isNaN(offset)) return select(rowAt(placeOf(offset)));
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

  // Returns the place of a byte of the file.
  function placeOf(offset) {
    const part = order.findLast((part) => !part.title && part.base <= offset) ?? order[0];
    return Math.min(Math.max(offset - part.base, 0) + part.at, part.end - 1);
  }

  // Returns the row whose own bytes contain a place.
  function rowAt(place) {
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[byStart[middle]] <= place) low = middle;
      else high = middle - 1;
    }
    return byStart[low];
  }

  tree.addEventListener("click", (event) => {
    const line = event.target.closest(".row");
    if (!line) return;
    const row = Number(line.dataset.row);
    if (event.target.className === "fold") folded[row] ^= 1;
    select(row);
  });
  // The row that a key leads to from the selected one. Left folds or goes to the row around it, right unfolds or goes in.
  function rowFor(key) {
    const at = shown.indexOf(selected);
    if (key === "ArrowDown" || selected < 0) return shown[Math.min(at + 1, shown.length - 1)];
    if (key === "ArrowUp") return shown[Math.max(at - 1, 0)];
    if (key === "Home") return shown[0];
    if (key === "End") return shown[shown.length - 1];
    const wanted = key === "ArrowLeft" ? 1 : 0;
    if (isContainer(selected) && folded[selected] !== wanted) {
      folded[selected] = wanted;
      return selected;
    }
    if (wanted) return shown.slice(0, at).findLast((row) => depths[row] < depths[selected]) ?? selected;
    return isContainer(selected) ? shown[at + 1] : selected;
  }

  tree.addEventListener("keydown", (event) => {
    if (!["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) || !count) return;
    event.preventDefault();
    select(rowFor(event.key));
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
  document.getElementById("jump")?.addEventListener("click", () => select(faults.find((row) => row > selected) ?? faults[0]));
  panes.get(hex).space.style.height = `${byteLines.length * ROW}px`;
  refold();
  const asked = /^#byte=(\d+)$/.exec(location.hash);
  if (asked && count) select(rowAt(placeOf(Number(asked[1]))));
})();
