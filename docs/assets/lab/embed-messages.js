/**
 * The messages between an embedded page and the page that frames it, with a guard each. embed-host.js, a script for other
 * sites that must stand alone, repeats the names.
 */

export const MESSAGE_VERSION = 1;

/**
 * heightMessage tells the host how tall the frame should be.
 * @param {number} height in CSS pixels
 */
export function heightMessage(height) {
  return { type: "ownership-lab:height", version: MESSAGE_VERSION, height };
}

/**
 * runEndedMessage tells the host how a run ended. It holds nothing about the reader.
 * @param {import("./shapes.js").Report} report
 */
export function runEndedMessage({ experiment, variant, parameters, outcome, digest, schedule, readings }) {
  return { type: "ownership-lab:run-ended", version: MESSAGE_VERSION, experiment, variant, parameters, outcome, digest, schedule, readings };
}

/**
 * isHello guards the host's only message: it says that it listens, and so shows its origin.
 * @param {unknown} value
 * @returns {value is {type: "ownership-lab:hello", version: 1}}
 */
export function isHello(value) {
  return typeof value === "object" && value !== null && "type" in value && value.type === "ownership-lab:hello" && "version" in value && value.version === MESSAGE_VERSION;
}
