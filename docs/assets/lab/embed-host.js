/**
 * For pages that frame an experiment: gives every such frame the height it needs, and passes on how runs ended.
 * Stands alone (no imports), may be included more than once, and listens only to frames whose address lies in the folder
 * this script came from, under the origin that the frame's address names.
 *
 * Each frame element then fires `ownership-lab:run-ended`, a CustomEvent that bubbles, with the message as `detail`.
 */

(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement) || !script.src) return;
  const site = new URL("../../embed/", script.src).href;
  // Copied with every frame, so it may stand on a page several times; only the first listens, or each run would end twice.
  const once = Symbol.for(`ownership-lab:host ${site}`);
  if (once in window) return;
  Object.assign(window, { [once]: true });
  const hello = { type: "ownership-lab:hello", version: 1 };
  const HEIGHT_MIN = 120;
  const HEIGHT_MAX = 20000;

  /** @returns {HTMLIFrameElement[]} frames of this lab */
  const frames = () => [...document.querySelectorAll("iframe")].filter((frame) => frame.src.startsWith(site));

  /** @param {HTMLIFrameElement} frame */
  const greet = (frame) => {
    // The target is the lab's own origin: a frame that has gone elsewhere does not get the message.
    frame.contentWindow?.postMessage(hello, new URL(frame.src).origin);
  };

  /** @param {any} message @returns {boolean} */
  const isHeight = (message) => message.type === "ownership-lab:height" && Number.isFinite(message.height) && message.height > 0;

  /** @param {any} message @returns {boolean} */
  const isRunEnded = (message) =>
    message.type === "ownership-lab:run-ended" &&
    ["experiment", "variant", "outcome", "digest"].every((name) => typeof message[name] === "string") &&
    typeof message.readings === "object" &&
    message.readings !== null;

  window.addEventListener("message", (event) => {
    const message = event.data;
    if (typeof message !== "object" || message === null || message.version !== 1) return;
    const frame = frames().find((one) => one.contentWindow === event.source);
    if (!frame || event.origin !== new URL(frame.src).origin) return;
    if (isHeight(message)) frame.height = String(Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, Math.ceil(message.height))));
    else if (isRunEnded(message)) frame.dispatchEvent(new CustomEvent("ownership-lab:run-ended", { bubbles: true, detail: message }));
  });

  // Frames load lazily and may be added later: greet those that are here, and each one that loads.
  document.addEventListener("load", (event) => event.target instanceof HTMLIFrameElement && frames().includes(event.target) && greet(event.target), true);
  const greetAll = () => frames().forEach(greet);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", greetAll);
  else greetAll();
})();
