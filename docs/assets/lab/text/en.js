/**
 * Every string of the panel that a reader can see or hear, in English.
 * Sentences with values in them are functions, so that another language can order the words as it must.
 * Names, questions and captions of experiments are not here: they come with the catalogue.
 */

import { challenge } from "./en-challenge.js";
import { compare } from "./en-compare.js";
import { events } from "./en-events.js";
import { outlook } from "./en-outlook.js";
import { predict } from "./en-predict.js";
import { steer } from "./en-steer.js";
import { counted } from "./en-words.js";

export const en = {
  locale: "en",
  nothing: "—",
  none: "none",
  yes: "yes",
  no: "no",
  events,
  challenge,
  compare,
  outlook,
  predict,
  steer,

  panel: {
    name: /** @param {string} title */ (title) => `Experiment: ${title}`,
    unknownExperiment: /** @param {string} slug @param {string[]} known */ (slug, known) =>
      `There is no experiment “${slug}”. Known are: ${known.join(", ")}.`,
    unknownVariant: /** @param {string} variant @param {string[]} known */ (variant, known) =>
      `There is no variant “${variant}”; showing “${known[0]}”. Known are: ${known.join(", ")}.`,
    badPosition: /** @param {string} given */ (given) => `The position “${given}” is not the number of an event, counted from 0, so the end of the run is shown.`,
    positionOutside: /** @param {string} given @param {string} last */ (given, last) =>
      `There is no position ${given} in this run, so its end is shown. Positions go from 0 to ${last}.`,
    unknownTheme: /** @param {string} theme @param {string[]} known */ (theme, known) =>
      `There is no theme “${theme}”, so the usual one is shown. Known are: ${known.join(", ")}.`,
    badParameters: "The parameters in the address are not a JSON object, so the default values are used.",
    unknownParameters: /** @param {string[]} names @param {string[]} known */ (names, known) =>
      `Not a parameter of this experiment, so left out: ${names.join(", ")}. Known are: ${known.join(", ")}.`,
    failed: /** @param {string} why */ (why) =>
      `The interactive panel could not be shown (${why}). The recorded run stays readable as it is.`,
    variants: "Variant",
    showAll: "Show timeline, store and program",
    notShown: "What this does not show",
  },

  controls: {
    group: "Run",
    run: "Run",
    stop: "Stop",
    reset: "Reset",
    retry: "Try again",
    parameters: "Parameters",
    changed: /** @param {number} count */ (count) => (count === 1 ? "1 changed" : `${count} changed`),
  },

  status: {
    fetching: "Fetching the recorded run …",
    recorded: /** @param {string} invitation */ (invitation) => `Shown is the recorded run. ${invitation}`,
    recordedOther: "Shown is the recorded run of the default parameters. Press Run to use yours.",
    noRecord: /** @param {string} why */ (why) => `The recorded run could not be fetched (${why}). Press Run to make one.`,
    download: /** @param {string} loaded @param {string} total */ (loaded, total) => `${loaded} of ${total}`,
    downloadUnknown: "Fetching Python …",
    compile: "Preparing Python …",
    start: "Starting Python …",
    progress: "Loading Python",
    running: "Running …",
    ran: "This run was made here, in your browser.",
    ranSame: "This run was made here, in your browser. Its trace is the recorded one, event for event.",
    ranEdited: /** @param {string[]} files */ (files) => `This run was made here, with your version of ${files.join(" and ")}.`,
    recordedEdited: "Shown is the recorded run of the published program. You have edited it: press Run to run your version.",
    edited: "The program is not the published one any more. Press Run to run your version.",
    unedited: "The program is the published one again.",
    stopped: "Stopped. The last finished run is still shown.",
    loadFailed: /** @param {string} why */ (why) => `Python could not be loaded: ${why} The recorded run stays usable.`,
    busyElsewhere: "Another experiment on this page is running.",
    fixParameters: "Nothing was run: mend the marked parameter first.",
    inputError: /** @param {string} message */ (message) => `Nothing was run: ${message}`,
    programError: /** @param {string} message @param {string} place */ (message, place) => `The program failed${place}: ${message}`,
    place: /** @param {string} file @param {number | null} line */ (file, line) => (line === null ? ` in ${file}` : ` in ${file}, line ${line}`),
    internalError: /** @param {string} message */ (message) => `The lab itself failed: ${message} The last finished run is still shown.`,
  },

  parameters: {
    range: /** @param {string} low @param {string} high */ (low, high) => `${low} to ${high}`,
    default: /** @param {string} value */ (value) => `default ${value}`,
    whole: "a whole number",
    notWhole: /** @param {string} label @param {string} given @param {string} allowed */ (label, given, allowed) =>
      `${label} must be ${allowed}; “${given}” is not.`,
    outside: /** @param {string} label @param {string} given @param {string} allowed */ (label, given, allowed) =>
      `${label} must be ${allowed}; ${given} is outside.`,
    empty: /** @param {string} label @param {string} allowed */ (label, allowed) => `${label} must be ${allowed}; it is empty.`,
    oneOf: /** @param {string} choices */ (choices) => `one of ${choices}`,
    between: /** @param {string} low @param {string} high @param {string} unit */ (low, high, unit) => `from ${low} to ${high}${unit}`,
    atLeast: /** @param {string} low @param {string} unit */ (low, unit) => `at least ${low}${unit}`,
    numbers: "whole numbers separated by commas",
    each: "each",
  },

  verdict: {
    /** @type {Record<string, string>} */
    outcomes: {
      "counterexample found": "Counterexample found",
      "holds within bounds": "Holds within bounds",
      "bounds reached, not finished": "Bounds reached, not finished",
      "never reached": "Never reached",
      deadlock: "Deadlock",
      livelock: "Livelock",
      escaped: "Escaped",
    },
    expected: /** @param {boolean} breaks */ (breaks) => (breaks ? "This variant is meant to break." : "This variant is meant to hold."),
    claims: "Claims, checked on this run",
    holds: "holds",
    violated: "violated",
    silent: "does not apply here",
    observed: "Observed",
    goTo: "Show the moment",
    oneRun: /** @param {string} events */ (events) => `One run, ${events} events.`,
    announce: /** @param {string} variant @param {string} outcome @param {number} held @param {number} all */ (variant, outcome, held, all) =>
      `${variant}: ${outcome}. ${held} of ${all} claims hold.`,
  },

  readings: { heading: "Readings" },

  timeline: {
    name: "Timeline",
    slider: "Position in the run",
    lanes: "Lanes of the run",
    place: /** @param {string} number @param {string} count @param {string} at @param {string} what */ (number, count, at, what) =>
      `event ${number} of ${count}, ${at}: ${what}`,
    counter: /** @param {string} number @param {string} count */ (number, count) => `Event ${number} of ${count}`,
    empty: "Nothing has happened in this run so far.",
    first: "First event",
    back: "One event back",
    play: "Play",
    pause: "Pause",
    forward: "One event forward",
    last: "Last event",
    violation: "Go to the first violation",
    speed: "Speed",
    axis: "Axis",
    byTime: "Time",
    byOrder: "Order",
    zoom: "Zoom",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    zoomAll: "Show the whole run",
    keys: "Keyboard help",
    order: /** @param {string} number */ (number) => `#${number}`,
    picture: /** @param {number} lanes */ (lanes) => `Drawing of the run in ${lanes} lanes. The table tab holds the same events as text.`,
    /** @type {Record<import("../log/spans.js").SpanKind, string>} */
    spans: { alive: "running", busy: "busy", paused: "paused", offload: "in a thread", crashed: "crashed" },
    legend: { request: "request", reply: "answer", failed: "error", lost: "lost", mark: "mark", violation: "violation" },
  },

  views: {
    newer: /** @param {string} kind */ (kind) => `This page cannot draw a view of kind “${kind}” yet.`,
    at: /** @param {string} at */ (at) => `at ${at}`,
    cell: /** @param {string} label @param {string} state @param {string} by */ (label, state, by) => `${label}: ${state}${by ? `, ${by}` : ""}`,
    legend: "Meaning of the marks",
  },

  tabs: { name: "Details at this position", store: "Store", source: "Program", table: "Table", output: "Output" },

  store: {
    empty: "Nothing is stored at this position.",
    never: "This run changes no store.",
    key: "Key",
    type: "Type",
    value: "Value",
    expires: "Expires",
    change: "Change",
    caption: /** @param {string} store */ (store) => `Keys in ${store}`,
    rows: /** @param {string} table */ (table) => `Rows of ${table}`,
    row: "Row",
    never_expires: "never",
    inTime: /** @param {string} left */ (left) => `in ${left}`,
    expired: "expired",
    touched: { added: "added", changed: "changed", removed: "removed" },
    was: /** @param {string} before */ (before) => `was ${before}`,
    group: /** @param {string} name @param {string} last @param {string[]} consumers */ (name, last, consumers) =>
      `group ${name}: delivered up to ${last}; ${consumers.length === 0 ? "no consumers" : `consumers: ${consumers.join(", ")}`}`,
    pending: /** @param {string} id @param {string} consumer @param {string} since @param {number} times @param {boolean} deleted */ (id, consumer, since, times, deleted) =>
      `${id} pending for ${consumer} since ${since}, delivered ${times === 1 ? "once" : `${times} times`}${deleted ? "; the entry is deleted" : ""}`,
  },

  source: {
    none: "This experiment publishes no program.",
    files: "Files",
    lines: /** @param {string} file */ (file) => `Lines of ${file}`,
    jump: /** @param {number} line @param {number} times */ (line, times) =>
      times === 1 ? `Line ${line}, ran once: go there` : `Line ${line}, ran ${times} times: go to the next`,
    hint: "Choose a marked line number to go to the next event of that line.",
    elsewhere: /** @param {string} file @param {number} line */ (file, line) => `Now in ${file}, line ${line}.`,
    nowhere: "No program line belongs to this event.",
  },

  editor: {
    edit: "Edit",
    close: "Close the editor",
    reset: "Reset to published",
    bringBack: "Bring my edit back",
    accept: "Keep my edit",
    edited: "edited",
    name: /** @param {string} file */ (file) => `Text of ${file}`,
    loading: "Loading the editor …",
    failed: "The editor could not be loaded from this site. The program can still be read, and what you had written is kept.",
    keys: "Ctrl or ⌘ with Enter runs. Alt with Enter goes to the next event of the line. Esc, then Tab, leaves the editor.",
    notRun: "The run shown was made from another text than this one. Press Run to see which of these lines run.",
    notKept: "This browser keeps nothing for this page: your edit is lost when the page is closed.",
    outdated: /** @param {string} file */ (file) => `The published ${file} has changed since you edited it. Your edit is shown.`,
  },

  table: {
    caption: /** @param {string} from @param {string} to @param {string} count */ (from, to, count) => `Events ${from} to ${to} of ${count}`,
    number: "Event",
    at: "Time",
    actor: "Actor",
    kind: "Kind",
    what: "What happened",
    line: "Line",
    previous: "Earlier events",
    next: "Later events",
    pages: "Pages of the table",
    go: /** @param {string} number */ (number) => `Go to event ${number}`,
  },

  event: { heading: "At this position", changes: "Changed", reply: "Answer", line: "Line" },

  share: {
    digest: "Digest",
    copyDigest: "Copy the whole digest",
    link: "Copy link to this moment",
    longLink: /** @param {string} length */ (length) => `It has ${length} characters: some programs cut links that are longer than 2,048.`,
    embed: "Copy embed code",
    embedTitle: "Embed this experiment",
    embedHelp: "Paste this into a page of yours. The script gives the frame the height it needs; once per page is enough.",
    copy: "Copy",
    copied: "Copied.",
    copyFailed: "The browser did not allow copying. The text is selected: copy it with the keyboard.",
    close: "Close",
  },

  safeguards: {
    name: "Safeguards",
    summary: /** @param {number} count */ (count) => `Safeguards: take one out (${count})`,
    why: "Switch one off, guess what falls without it, then run, or let the lab try to break it.",
    rewritten: /** @param {string} file */ (file) => `Its lines in ${file} are not as published: switch on what you switched off, or mend your edit.`,
    what: "What happens?",
    falls: "Falls without it:",
    safe: "Stays safe without it, within the bounds of the search.",
    ownCase: "While it alone is off, “Try to break it” searches the case in which it matters.",
  },
  search: {
    why: "One run shows what happens under one schedule. The lab can try the others: every order of simultaneous steps, and faults at every moment, within bounds.",
    start: "Try to break it",
    stop: "Stop the search",
    faults: "Faults in one run, at most",
    runs: "Runs, at most",
    usual: "as usual here",
    begun: "Searching …",
    ran: "The search was made here, in your browser.",
    simpler: "A counterexample was found. Looking for a simpler one …",
    progress: /** @param {string} runs @param {string} rate @param {string} saved @param {string} level */ (runs, rate, saved, level) =>
      `${counted(runs, "run")} so far, ${rate} per second. Under way: those with at most ${counted(level, "deviation")} from the usual order. ${counted(saved, "equivalent run")} left out.`,
    stopped: /** @param {string} runs */ (runs) => `Stopped after ${counted(runs, "run")}. None broke a claim; nothing is said of the others.`,
    stoppedFound: "Stopped. The counterexample found until then is shown; a simpler one may exist.",
    found: /** @param {string} runs */ (runs) => `Counterexample found after ${counted(runs, "run")}. It is shown, at the moment at which the first claim falls.`,
    falls: "Falls:",
    shrunk: /** @param {string} steps @param {string} tries @param {boolean | null} minimal */ (steps, tries, minimal) =>
      `It takes ${counted(steps, "step")}. ${counted(tries, "more run")} looked for a simpler one: fewer faults, then fewer deviations from the usual order, then fewer steps.${minimal ? " There is none within the bounds." : ""}`,
    holds: /** @param {string} runs @param {string} saved */ (runs, saved) => `Holds within bounds (all ${counted(runs, "run")}): none broke a claim. ${counted(saved, "more run")} would have been equivalent to one of them.`,
    unfinished: /** @param {string} runs */ (runs) => `Bounds reached, not finished: ${counted(runs, "run")} made, and none broke a claim. There are more.`,
    bounds: /** @param {string} faults @param {string | null} deviations @param {string} runs */ (faults, deviations, runs) =>
      `Bounds: at most ${counted(faults, "fault")} in a run, ${deviations === null ? "any number of deviations" : `at most ${counted(deviations, "deviation")}`} from the usual order, at most ${counted(runs, "run")}. Nothing is said of what lies outside.`,
    tried: /** @param {string[]} faults */ (faults) => `Faults that were tried: ${faults.join("; ")}.`,
    noFaults: "No faults were tried.",
    /** @type {Record<string, (targets: string, ms: string, writes: string) => string>} */
    faultKinds: {
      crash: (targets) => `a crash of ${targets}`,
      pause: (targets, ms) => `a pause of ${ms} ms of ${targets}`,
      "clock-step": (targets, ms) => `the clock of ${targets} ${ms.replace(/^[-−]/, "")} ms ${/^[-−]/.test(ms) ? "back" : "ahead"}`,
      "lost-request": (targets) => `a request to ${targets} that is lost`,
      "lost-reply": (targets) => `an answer of ${targets} that is lost`,
      "duplicate-request": (targets) => `a request to ${targets} that arrives twice`,
      outage: (targets, ms) => `an outage of ${targets} for ${ms} ms`,
      restart: (targets) => `a restart of ${targets} that loses what it holds in memory`,
      failover: (targets, ms, writes) => `a failover of ${targets} to a replica that lacks ${writes === "0" ? "nothing" : writes === "1" ? "the last write" : `the last ${writes} writes`}`,
    },
    anyOf: /** @param {string[]} names */ (names) => (names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names[names.length - 1]}`),
    smallCase: /** @param {string[]} values */ (values) => `Searched in this case: ${values.join("; ")}.`,
    usualCase: "Searched with the default parameters.",
  },

  link: {
    replays: "Run replays the schedule",
    usual: "Make the usual run instead",
    code: "This link brings a program that somebody has edited. Read it, then press Run. Your own edits are kept apart from it.",
    tooLong: /** @param {number} most */ (most) => `The link in the address is longer than ${most.toLocaleString("en")} characters, so it was not used.`,
    otherVersion: /** @param {string} given @param {string} known */ (given, known) => `The link in the address was made by another version of this lab (${given}, not ${known}), so it was not used.`,
    badSchedule: "The link in the address names no schedule of this lab, so it was not used.",
    badPosition: "The link in the address names no event of a run, so it was not used.",
    notHere: /** @param {string} slug */ (slug) => `The link in the address is to the experiment “${slug.slice(0, 40)}”, which is not on this page.`,
    usualNext: "Run makes the usual run again.",
    unfit: /** @param {string} why */ (why) =>
      `Nothing was run: ${why}. Choose “Make the usual run instead” above, or “Try to break it” to search for a schedule of this program.`,
    badCode: "The program that the link in the address brings cannot be read, so the link was not used.",
    unknownVariant: /** @param {string} variant @param {string[]} known */ (variant, known) =>
      `The link in the address names a variant “${variant.slice(0, 40)}” that there is not. Known are: ${known.join(", ")}.`,
  },

  live: {
    switch: "Live",
    help: "Measure on this machine, in real time, instead of in virtual time.",
    notice: "Live: these numbers come from this machine, in real time. They differ from run to run and are no part of the documented outcome.",
    running: "Measuring in real time …",
    done: "Measured on this machine.",
    stopped: "Stopped. Nothing was measured.",
    failed: /** @param {string} why */ (why) => `Nothing was measured: ${why}`,
    dots: "Heartbeats, real time",
    ran: "ran",
    beats: /** @param {string} count */ (count) => `Beats so far: ${count}`,
  },

  help: {
    title: "Keys",
    intro: "With the focus on the timeline:",
    keys: /** @type {[string[], string][]} */ ([
      [["←", "→"], "one event back or forward"],
      [["Page Up", "Page Down"], "a twentieth of the run back or forward"],
      [["Home", "End"], "first or last event"],
      [["Space"], "play or pause"],
      [["+", "−"], "zoom in or out around the position"],
      [["0"], "show the whole run"],
      [["V"], "go to the first violation"],
      [["?"], "this sheet"],
      [["Esc"], "close this sheet"],
    ]),
    steerIntro: "With the focus in a game in which you are the scheduler:",
    steerKeys: /** @type {[string[], string][]} */ ([
      [["1", "…", "9"], "let that step happen"],
      [["U"], "undo the last move"],
      [["R"], "make it again"],
    ]),
  },
};
