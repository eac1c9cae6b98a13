/**
 * Which of two counterexamples is simpler: fewer faults, then fewer deviations from the usual order, then fewer steps, which is
 * the order in which a search looks for a simpler one. Pure.
 */

/** @typedef {{faults: number, deviations: number, steps: number}} Size */

/**
 * sizeOf reads faults and deviations from a schedule's text.
 * @param {{schedule: string, steps: number}} found
 * @returns {Size}
 */
export function sizeOf({ schedule, steps }) {
  const listed = schedule.split("~")[3]?.split("_")[1] ?? "0";
  const parts = listed === "0" ? [] : listed.split("-");
  const faults = parts.filter((part) => part.startsWith("x")).length;
  return { faults, deviations: parts.length - faults, steps };
}

/**
 * simpler compares the lab's counterexample with the reader's.
 * @param {Size} labs
 * @param {Size} readers
 * @returns {"smaller" | "equal" | "larger"}
 */
export function simpler(labs, readers) {
  for (const name of /** @type {const} */ (["faults", "deviations", "steps"])) {
    if (labs[name] !== readers[name]) return labs[name] < readers[name] ? "smaller" : "larger";
  }
  return "equal";
}
