/**
 * What a part of the panel may ask of the panel that it stands in. Types only: the session answers.
 */

/**
 * @typedef {object} Asked what a run or search would be made of now
 * @property {string} experiment
 * @property {string} variant
 * @property {Record<string, unknown>} parameters those that the reader has changed, for a search, all of them, for a run, or none,
 *   for checks, which have their own
 * @property {Record<string, string>} [sources] edited programs, where there are any
 */

/**
 * @typedef {object} Panel
 * @property {import("./runner.js").Runner} runner
 * @property {(purpose: "run" | "search" | "check") => Asked | null} ask null where nothing can be asked for now: the reader has been told
 *   why, or sees that the lab is busy
 * @property {() => () => boolean} keep what it returns says whether the reader still looks at what was shown then
 * @property {(schedule: string, position?: number | null) => Promise<import("../shapes.js").Report | null>} replay runs a schedule
 *   on the programs as they are now, and shows it; the next Run repeats it
 * @property {(report: import("../shapes.js").Report, position: number | null, sources?: Record<string, string>) => boolean} show
 *   shows a report that the part has got; false where it cannot be drawn, and then the reader has been told
 * @property {import("../shapes.js").Report | null} report the run shown
 * @property {number} position in it
 * @property {import("../shapes.js").Experiment | null} experiment
 * @property {import("../inspect/inspector.js").LabInspector} inspector
 */

export {};
