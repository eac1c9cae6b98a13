/**
 * The page inside a frame: reads the address, sets the theme, tells the host page its height and how runs ended.
 * Decides whom it talks to: its parent only, under the origin that said hello, or that the browser names as referrer.
 * Nothing is posted to an origin that is not known.
 */

import { heightMessage, isHello, runEndedMessage } from "./embed-messages.js";

const THEMES = ["light", "dark"];
/** How long changes are gathered before the page is measured. */
const MEASURE_MS = 100;

/**
 * readAddress puts what the address asks for on the page's element, before it starts.
 * @param {URLSearchParams} asked
 */
function readAddress(asked) {
  const theme = asked.get("theme");
  document.documentElement.dataset.theme = theme !== null && THEMES.includes(theme) ? theme : "auto";
  for (const element of document.querySelectorAll("ownership-lab")) {
    for (const name of ["variant", "parameters", "position", "theme"]) {
      const value = asked.get(name);
      if (value !== null) element.setAttribute(name, value);
    }
  }
}

/** referrerOrigin is the host's origin as far as the browser says; null when it says nothing. */
function referrerOrigin() {
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null;
}

/** talk connects the page with its host, if it is in a frame at all. */
function talk() {
  const host = window.parent;
  if (host === window) return;
  let origin = referrerOrigin();
  let told = 0;
  /** @param {object} message */
  const send = (message) => {
    if (origin !== null) host.postMessage(message, origin);
  };
  const tellHeight = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    send(heightMessage(height));
  };
  window.addEventListener("message", (event) => {
    if (event.source !== host || !isHello(event.data)) return;
    // A host with an opaque origin cannot be named as a target, and is not told anything.
    origin = event.origin === "null" ? null : event.origin;
    told = 0;
    tellHeight();
  });
  document.addEventListener("ownership-lab:run-ended", (event) => {
    if ("report" in event) send(runEndedMessage(/** @type {import("./events.js").RunEndedEvent} */ (event).report));
  });
  new ResizeObserver(tellHeight).observe(document.body);
  // A frame that is loaded but not yet in view is not drawn, so no size is observed in it; changes to the page are.
  let measuring = 0;
  const measureSoon = () => {
    measuring ||= window.setTimeout(() => {
      measuring = 0;
      tellHeight();
    }, MEASURE_MS);
  };
  new MutationObserver(measureSoon).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
  window.addEventListener("load", measureSoon);
}

if (document.documentElement.classList.contains("lab-embed")) {
  readAddress(new URLSearchParams(location.search));
  talk();
}
