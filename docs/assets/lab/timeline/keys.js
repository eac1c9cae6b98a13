/**
 * The keyboard map of the timeline: which key means which action. Pure; the help sheet (text table) lists the same keys.
 */

/** @typedef {{step: number} | {to: "first" | "last" | "violation"} | {zoom: number} | {act: "play" | "all" | "help"}} Action */

/**
 * actionOf returns what a key means, or null. Keys with a modifier belong to the browser.
 * @param {KeyboardEvent} event
 * @param {number} count number of events; Page Up and Down move by a twentieth of them
 * @returns {Action | null}
 */
export function actionOf(event, count) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const page = Math.max(5, Math.round(count / 20));
  switch (event.key) {
    case "ArrowLeft":
    case "ArrowDown":
      return { step: -1 };
    case "ArrowRight":
    case "ArrowUp":
      return { step: 1 };
    case "PageUp":
      return { step: -page };
    case "PageDown":
      return { step: page };
    case "Home":
      return { to: "first" };
    case "End":
      return { to: "last" };
    case "v":
    case "V":
      return { to: "violation" };
    case " ":
      return { act: "play" };
    case "+":
    case "=":
      return { zoom: 0.5 };
    case "-":
      return { zoom: 2 };
    case "0":
      return { act: "all" };
    case "?":
      return { act: "help" };
    default:
      return null;
  }
}
