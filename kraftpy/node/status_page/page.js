"use strict";
// Follows the node by server-sent events. Which value goes where, and in which form, is in attributes of the page; a
// value becomes text exactly as in texts.py. Nothing that comes from the node is ever taken for HTML.
(() => {
  const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  const whole = (value, unit) => Math.floor(value / unit);

  const countText = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  const bytesText = (count) => {
    let power = 0;
    while (count >= 1024 ** (power + 1) && power < UNITS.length - 1) power += 1;
    if (power === 0) return `${count} ${UNITS[0]}`;
    const tenths = whole(count * 10, 1024 ** power);
    return `${whole(tenths, 10)}.${tenths % 10} ${UNITS[power]}`;
  };
  const durationText = (ms) => {
    if (ms < 1000) return `${ms} ms`;
    if (ms < 60000) return `${whole(ms, 1000)} s`;
    if (ms < 3600000) return `${whole(ms, 60000)} min ${whole(ms % 60000, 1000)} s`;
    if (ms < 86400000) return `${whole(ms, 3600000)} h ${whole(ms % 3600000, 60000)} min`;
    return `${whole(ms, 86400000)} d ${whole(ms % 86400000, 3600000)} h`;
  };
  const timeText = (ms) => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  const wordText = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("_", " ");
  const TEXTS = {
    "text": String,
    "id": String,
    "count": countText,
    "bytes": bytesText,
    "duration": durationText,
    "time": timeText,
    "yes-no": (value) => (value ? "yes" : "no"),
    "list": (items) => items.join(", ") || "none",
    "word": wordText,
  };

  const valueAt = (state, path) => path.split(".").reduce((found, name) => found[name], state);
  const fill = (element, value, place) => {
    element.textContent = value === null ? place.absent : TEXTS[place.form](value);
    if (place.form === "word" && value !== null) element.dataset.word = value;
    else delete element.dataset.word;
  };
  const within = (name, path) => document.querySelector(`[data-${name}="${path}"]`);

  const cell = (row, column, number) => {
    const element = document.createElement(number === 0 ? "th" : "td");
    if (number === 0) element.scope = "row";
    else if (column.className) element.className = column.className;
    fill(element, row[column.dataset.key], column.dataset);
    if (number === 0) delete element.dataset.word;
    return element;
  };
  const line = (row, columns) => {
    const element = document.createElement("tr");
    element.append(...columns.map((column, number) => cell(row, column, number)));
    return element;
  };
  const showTable = (table, state) => {
    const path = table.dataset.rows;
    const found = valueAt(state, path);
    const rows = Array.isArray(found) ? found : found.rows;
    const missing = Array.isArray(found) || found.total === null ? 0 : found.total - rows.length;
    const columns = [...table.tHead.rows[0].cells];
    table.tBodies[0].replaceChildren(...rows.map((row) => line(row, columns)));
    table.parentElement.hidden = rows.length === 0;
    within("empty", path).hidden = rows.length > 0;
    within("more", path).hidden = missing <= 0;
    within("more", path).textContent = missing > 0 ? `and ${countText(missing)} more` : "";
  };
  const showWarnings = (list, warnings) => {
    const shown = [...list.children].map((item) => item.textContent);
    // Screen readers announce what changes here, so nothing is touched that stays.
    if (JSON.stringify(shown) === JSON.stringify(warnings)) return;
    list.replaceChildren(...warnings.map((warning) => {
      const item = document.createElement("li");
      item.textContent = warning;
      return item;
    }));
    within("empty", "warnings").hidden = warnings.length > 0;
  };
  const show = (state) => {
    showWarnings(within("list", "warnings"), state.warnings);
    for (const element of document.querySelectorAll("[data-path]")) {
      fill(element, valueAt(state, element.dataset.path), element.dataset);
    }
    for (const table of document.querySelectorAll("[data-rows]")) showTable(table, state);
  };

  const live = document.getElementById("live");
  const say = (text, isLost) => {
    live.textContent = text;
    live.className = isLost ? "lost" : "";
  };
  let time = null;
  const events = new EventSource(document.querySelector("main").dataset.events);
  events.addEventListener("state", (event) => {
    const state = JSON.parse(event.data);
    time = timeText(state.readTimestamp);
    show(state);
    say(`Live. Last change at ${time}.`, false);
  });
  events.onerror = () => {
    const closed = events.readyState === EventSource.CLOSED;
    const next = closed ? "Too many viewers, or no such page any more: reload it." : "Trying again.";
    say(`Not connected to the node; shown is its state of ${time ?? "the time when the page was loaded"}. ${next}`, true);
  };
})();
