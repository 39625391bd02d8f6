// Keeps the page up to date from server-sent events. Without it the page works all the same, after a reload.
"use strict";

const said = document.getElementById("said");
const connection = document.getElementById("connection");

// show puts the progress of a run into the places that the page has for its job.
function show(event) {
  for (const place of document.querySelectorAll(`[data-progress="${CSS.escape(event.job)}"]`)) {
    const bar = place.querySelector("progress");
    if (!bar) return refresh();
    place.querySelector("[data-step]").textContent = event.step || "starting";
    const count = place.querySelector("[data-count]");
    if (event.expected > 0) {
      bar.value = (100 * event.done) / event.expected;
      count.textContent = `${event.done} of ${event.expected} ${event.unit}`;
    } else {
      bar.removeAttribute("value");
      count.textContent = "";
    }
  }
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
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
    const old = document.getElementById("main");
    if (fresh && old && fresh.innerHTML !== old.innerHTML) {
      const focused = document.activeElement && old.contains(document.activeElement) ? document.activeElement.id : "";
      old.replaceChildren(...fresh.childNodes);
      const target = focused && document.getElementById(focused);
      if (target) target.focus({ preventScroll: true });
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

// Only pages that show jobs or runs have something that changes.
if (document.querySelector("[data-job], [data-run]")) listen();
