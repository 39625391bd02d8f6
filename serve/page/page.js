// Keeps the page up to date from server-sent events. Without it the page works all the same, after a reload.
"use strict";

const said = document.getElementById("said");
const connection = document.getElementById("connection");

// grouped writes a whole number with thin spaces between thousands, as the service does.
function grouped(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// pace is the rate and the time left, in the words of the service.
function pace(event) {
  const parts = [];
  if (event.rate > 0) parts.push(`${event.rate < 10 ? event.rate.toFixed(1) : grouped(Math.floor(event.rate))}/s`);
  const left = Math.floor(event.left || 0);
  if (left > 0) {
    const [size, unit] = left < 60 ? [1, "s"] : left < 3600 ? [60, "min"] : left < 172800 ? [3600, "h"] : [86400, "days"];
    parts.push(`about ${Math.floor(left / size)} ${unit} left`);
  }
  return parts.join(", ");
}

const newest = new Map(); // by job: the newest step or progress that was heard of

// show puts the progress of a run into the places that the page has for its job.
function show(event) {
  newest.set(event.job, event);
  for (const place of document.querySelectorAll(`[data-progress="${CSS.escape(event.job)}"]`)) {
    if (!place.querySelector("progress")) return refresh();
    update(place);
  }
}

// update brings a place up to date with the newest event of its job. The page may have been made after that event, or before it.
function update(place) {
  const event = newest.get(place.dataset.progress);
  const bar = place.querySelector("progress");
  if (!event || !bar || event.run !== place.dataset.run || Date.parse(event.time) < Number(place.dataset.time || 0)) return;
  place.querySelector("[data-step]").textContent = event.step || "starting";
  const count = place.querySelector("[data-count]");
  if (event.expected > 0) {
    bar.value = (100 * event.done) / event.expected;
    count.textContent = `${grouped(event.done)} of ${grouped(event.expected)} ${event.unit}`;
  } else {
    bar.removeAttribute("value");
    count.textContent = "";
  }
  place.querySelector("[data-pace]").textContent = pace(event);
}

let waiting = false;
let again = false;

// refresh fetches the page anew and replaces its content; what has the focus keeps it.
async function refresh() {
  if (waiting) {
    again = true;
    return;
  }
  waiting = true;
  try {
    const whole = new URL(location.href); // all jobs: the form filters them here
    for (const name of ["q", "state"]) whole.searchParams.delete(name);
    const answer = await fetch(whole, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
    const old = document.getElementById("main");
    if (fresh && old && fresh.innerHTML !== old.innerHTML) {
      const focused = document.activeElement && old.contains(document.activeElement) ? document.activeElement.id : "";
      const field = document.activeElement;
      const range = focused && field.type === "search" ? [field.selectionStart, field.selectionEnd] : null;
      const chosen = [...old.querySelectorAll("form[data-chosen] input[type=radio]:checked")].map((radio) => [radio.name, radio.value]);
      const typed = old.querySelector("form.filter");
      old.replaceChildren(...fresh.childNodes);
      const form = old.querySelector("form.filter");
      if (form && typed) [form.q.value, form.state.value] = [typed.q.value, typed.state.value];
      for (const [name, value] of chosen) {
        const radio = old.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`);
        if (radio) {
          radio.checked = true;
          radio.form.dataset.chosen = "true";
        }
      }
      prepare();
      for (const place of old.querySelectorAll("[data-progress]")) update(place);
      const target = focused && document.getElementById(focused);
      if (target) target.focus({ preventScroll: true });
      if (target && range) target.setSelectionRange(...range);
    }
  } catch (error) {
    connection.hidden = false;
  } finally {
    setTimeout(() => {
      waiting = false;
      if (again) {
        again = false;
        refresh();
      }
    }, 500);
  }
}

// filter hides the jobs that the form leaves out, and keeps the address in step with it.
function filter() {
  const form = document.querySelector("form.filter");
  if (!form) return;
  const words = form.q.value.trim().toLowerCase();
  const group = form.state.value;
  let shown = 0;
  for (const row of document.querySelectorAll("#jobs tbody tr")) {
    row.hidden = !row.dataset.words.includes(words) || (group && !row.dataset.groups.split(",").includes(group));
    if (!row.hidden) shown++;
  }
  document.getElementById("none").hidden = shown > 0;
}

// address puts the form's values into the address and the links, so that a reload shows the same.
function address(change) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(change)) value ? url.searchParams.set(name, value) : url.searchParams.delete(name);
  history.replaceState(null, "", url);
}

// sort orders the rows at once. The heads of the columns and the list of the form show how.
function sort(key, down) {
  const value = (row) => (key === "name" ? row.dataset.name : Number(row.dataset[key]) * (key === "last" ? -1 : 1));
  const body = document.querySelector("#jobs tbody");
  const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (down ? -1 : 1);
  body.replaceChildren(...[...body.querySelectorAll("tr")].sort(order));
  for (const head of document.querySelectorAll("#jobs thead th")) head.removeAttribute("aria-sort");
  document.getElementById(`sort-${key}`).closest("th").setAttribute("aria-sort", down ? "descending" : "ascending");
  document.getElementById("filter-sort").value = key;
  address({ sort: key, dir: down ? "down" : "" });
}

// prepare shows what works by script alone. A filtered table lacks rows, so the first filter fetches them all.
function prepare() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  const apply = document.getElementById("filter-apply");
  if (apply) apply.hidden = true;
  filter();
}

document.addEventListener("input", (e) => {
  if (e.target.type === "radio") e.target.form.dataset.chosen = "true";
  if (!e.target.closest("form.filter")) return;
  if (e.target.name === "sort") return sort(e.target.value, false);
  const partial = document.getElementById("jobs").dataset.partial === "true";
  filter();
  address({ q: e.target.form.q.value.trim(), state: e.target.form.state.value });
  if (partial) refresh();
});

document.addEventListener("click", async (e) => {
  const link = e.target.closest("a[data-sort]");
  if (link && !e.ctrlKey && !e.metaKey && !e.shiftKey) {
    e.preventDefault();
    sort(link.dataset.sort, link.closest("th").getAttribute("aria-sort") === "ascending");
  }
  const button = e.target.closest("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    said.textContent = "copied";
    button.textContent = "Copied";
  } catch (error) {
    said.textContent = "the browser does not allow copying: select the text";
  }
});

function listen() {
  const source = new EventSource("/api/events");
  let lost = false;
  source.onopen = () => {
    connection.hidden = true;
    if (lost) refresh();
    lost = false;
  };
  source.onerror = () => {
    connection.hidden = false;
    lost = true;
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
  };
  for (const kind of ["step", "progress"]) source.addEventListener(kind, (e) => show(JSON.parse(e.data)));
  for (const kind of ["started", "queued", "retrying", "idle"]) source.addEventListener(kind, refresh);
  for (const kind of ["ended", "skipped", "missed"]) {
    source.addEventListener(kind, (e) => {
      const event = JSON.parse(e.data);
      said.textContent = `${event.job}: ${event.record.state}`;
      refresh();
    });
  }
}

prepare();

// Only pages that show jobs or runs have something that changes.
if (document.querySelector("[data-job], [data-run]")) listen();
