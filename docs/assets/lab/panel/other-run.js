/**
 * Gets the run to compare with: another variant, or the published program, under the schedule of the run shown.
 * Decides where it comes from: the recorded run where that has this very schedule, else Python; and what is left of a schedule
 * that does not fit the other program. Draws nothing.
 */

import { checkReport } from "../shapes.js";

/** @typedef {import("../shapes.js").Report} Report */
/** @typedef {"recorded" | "same" | "faults" | "usual"} Made under what the other run was made: see otherRun */

/**
 * @typedef {object} Sources
 * @property {(slug: string, variant: string) => Promise<any>} recorded
 * @property {(request: import("../messages.js").RunRequest, refused: (message: string) => void) => Promise<Report | null>} run makes a
 *   run; null where there is none: then `refused` was called, or the reader has been told why
 */

/**
 * schedulesFor lists what to try, from the whole schedule to less of it: a program that never comes to some of the choices can
 * still meet the same faults, and any program has a usual run. The last one is always legal.
 * @param {string} schedule of the run shown
 * @param {string} variant
 * @returns {{made: Made, schedule: string}[]}
 */
export function schedulesFor(schedule, variant) {
  const [version, slug, , choices, ...parameters] = schedule.split("~");
  const [seed, listed] = choices.split("_");
  const faults = listed.split("-").filter((choice) => choice.startsWith("x"));
  /** @param {Made} made @param {string} rest */
  const attempt = (made, rest) => ({ made, schedule: [version, slug, variant, `${seed}_${rest}`, ...parameters].join("~") });
  const attempts = [attempt("same", listed), ...(faults.length > 0 ? [attempt("faults", faults.join("-"))] : []), attempt("usual", "0")];
  return attempts.filter((one, index) => attempts.findIndex(({ schedule: text }) => text === one.schedule) === index);
}

/**
 * otherRun returns the run to compare with, how it was made (`recorded` and `same`: the whole schedule; `faults`: without its
 * choices of order; `usual`: only seed and parameters are the same), and why Python refused more; or null.
 * @param {Report} report the run shown
 * @param {string} variant
 * @param {Sources} sources
 * @returns {Promise<{report: Report, made: Made, refusal: string | null} | null>}
 */
export async function otherRun(report, variant, sources) {
  const attempts = schedulesFor(report.schedule, variant);
  const kept = await sources.recorded(report.experiment, variant).then(checkReport, () => null);
  if (kept?.schedule === attempts[0].schedule) return { report: kept, made: "recorded", refusal: null };
  let refusal = /** @type {string | null} */ (null);
  for (const { made, schedule } of attempts) {
    let refused = /** @type {string | null} */ (null);
    const request = { experiment: report.experiment, variant, parameters: report.parameters, schedule };
    const answer = await sources.run(request, (message) => (refused = message));
    if (answer) return { report: answer, made, refusal };
    if (refused === null) return null;
    refusal ??= refused;
  }
  return null;
}
