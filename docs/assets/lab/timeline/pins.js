/**
 * Marks on the timeline for what a reader predicted and what the run did. Decides their shapes, which differ without colour.
 */

import { s } from "../dom.js";
import { timeAxis } from "../log/axis.js";
import { text } from "../text/index.js";
import { explainMark } from "./draw.js";
import { xOfValue } from "./layout.js";

/** @typedef {{kind: "guess" | "truth", at_us: number}} Pin */

const HEADS = { guess: "M-5 19a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", truth: "M-5 14h10v10h-10z" };

/**
 * drawPins returns the marks; on the axis of order they stand at the last event of their instant.
 * @param {Pin[]} pins
 * @param {import("../log/log.js").Log} log
 * @param {import("./layout.js").Frame} frame
 * @param {number} bottom
 */
export function drawPins(pins, log, frame, bottom) {
  const time = timeAxis(log);
  return pins.map(({ kind, at_us }) => drawPin(kind, xOfValue(frame, frame.axis.kind === "time" ? at_us : frame.axis.value(time.reached(at_us))), bottom));
}

/**
 * @param {Pin["kind"]} kind
 * @param {number} x
 * @param {number} bottom
 */
function drawPin(kind, x, bottom) {
  return s(
    "g",
    { class: `lab-pin lab-pin-${kind}`, "data-pin": kind, transform: `translate(${x} 0)` },
    s("title", {}, text.predict.legend[kind]),
    s("path", { class: "lab-pin-line", d: `M0 24V${bottom}` }),
    s("path", { class: "lab-pin-head", d: HEADS[kind] }),
  );
}

/**
 * pinLegend explains those marks that are drawn.
 * @param {Pin[]} pins
 */
export function pinLegend(pins) {
  return pins.map(({ kind }) => explainMark((x, bottom) => drawPin(kind, x, bottom), text.predict.legend[kind]));
}
