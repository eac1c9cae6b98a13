/**
 * The shapes of the wire format as the page reads them: catalogue, report, trace, scene views.
 * Decides which versions are understood. Knows no experiment and draws nothing.
 */

/** @typedef {"neutral" | "good" | "bad" | "warn" | "busy" | "muted"} Tone */

/**
 * @typedef {object} Variant
 * @property {string} id
 * @property {string} label
 * @property {string} summary
 * @property {"breaks" | "holds"} expected
 * @property {string | null} [breaks] id of the claim that is expected to be violated
 */

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} label
 * @property {string | null} unit
 * @property {"integer" | "choice" | "integers"} type
 * @property {any} default
 * @property {number | null} [minimum]
 * @property {number | null} [maximum]
 * @property {string[] | null} [choices]
 * @property {string} help
 */

/** @typedef {{name: string, label: string, unit: string | null, caption: string}} Reading */
/** @typedef {{file: string, text: string}} Program */
/** @typedef {{id: string, kind: "moment" | "choice", question: string, choices: {id: string, label: string}[]}} Question */
/** @typedef {{id: string, value: number | string | null, text: string}} PredictionAnswer value: µs of a moment, null: never; id of a choice */

/**
 * @typedef {object} Safeguard a part of a variant's program that can be taken out alone
 * @property {string} id
 * @property {string} variant
 * @property {string} file
 * @property {[string, string][]} changes old text and new; the old one leaves with the safeguard, the new one comes
 * @property {{id: string, text: string}[]} falls claims that fall without it; none: its removal stays safe within the bounds
 * @property {boolean} own_case a search for it is made in a case of its own
 * @property {string} label
 * @property {string} protects
 * @property {string} without what happens without it, or why nothing does
 */

/**
 * @typedef {object} Experiment
 * @property {string} slug
 * @property {string} title
 * @property {string} kicker
 * @property {string} question
 * @property {string} summary
 * @property {string} status the sentence shown before anything was run
 * @property {boolean} live
 * @property {Variant[]} variants
 * @property {Parameter[]} parameters
 * @property {Reading[]} readings
 * @property {Safeguard[]} safeguards
 * @property {string[]} not_shown
 * @property {Question[]} [predictions] what a reader may be asked before a run
 * @property {Record<string, Program[]>} programs by variant
 * @property {ChallengeText | null} [challenge]
 */

/**
 * @typedef {object} ChallengeText what a challenge asks of a reader
 * @property {string} file the program that a repair replaces
 * @property {string} edition which version of the published programs this is; a token fits one edition only
 * @property {string} goal
 * @property {string[]} hints
 * @property {string} reference the text of a repair that passes
 * @property {string} explained
 */

/** @typedef {{slug: string, title: string, kicker: string, question: string, challenge: {goal: string, edition: string} | null}} IndexEntry */
/** @typedef {{version: number, experiments: IndexEntry[]}} Catalogue the index of experiments */

/** @typedef {{id: string, consumer: string, delivered_at_ms: number, deliveries: number, deleted: boolean}} Pending */
/** @typedef {{name: string, last_id: string, consumers: string[], pending: Pending[]}} Group of a stream's consumers */

/**
 * @typedef {object} Change what one event did to one key or row
 * @property {string} store
 * @property {string} key
 * @property {string} type
 * @property {any} value the whole new value, null when the key was removed
 * @property {number} [expires_at_ms]
 * @property {Group[]} [groups] of a stream that has any
 */

/**
 * @typedef {object} TraceEvent
 * @property {number} sequence
 * @property {number} at_us
 * @property {string | null} actor
 * @property {string} kind
 * @property {Record<string, any>} fields
 * @property {{file: string, line: number}} [line]
 */

/**
 * @typedef {object} Claim
 * @property {string} id
 * @property {string} text
 * @property {string} kind
 * @property {boolean | null} holds null: the claim says nothing about this run
 * @property {string} observed
 * @property {number | null} [position] index into the trace of the moment of violation
 */

/** @typedef {{id: string, label: string, actors: string[]}} Lane */

/** @typedef {{position: number, cell: string, state: string, text?: string}} CellChange */
/**
 * @typedef {object} CellsView
 * @property {"cells"} view
 * @property {string} id
 * @property {string} label
 * @property {{id: string, label: string}[]} cells
 * @property {{id: string, label: string, tone: Tone, glyph: string}[]} states
 * @property {string} initial
 * @property {CellChange[]} changes
 */
/**
 * @typedef {object} SeriesView
 * @property {"series"} view
 * @property {string} id
 * @property {string} label
 * @property {string} unit
 * @property {number} minimum
 * @property {number} maximum
 * @property {{id: string, label: string, tone: Tone, points: [number, number][]}[]} lines points are [at_us, value]
 */
/** @typedef {{at_us: number, position?: number | null, text?: string}} Dot */
/**
 * @typedef {object} DotsView
 * @property {"dots"} view
 * @property {string} id
 * @property {string} label
 * @property {{id: string, label: string, tone: Tone, points: Dot[]}[]} rows
 */
/** @typedef {{position: number, card: string, text: string, tone: Tone}} CardChange */
/**
 * @typedef {object} CardsView
 * @property {"cards"} view
 * @property {string} id
 * @property {string} label
 * @property {{id: string, title: string, role?: string}[]} cards
 * @property {[string, string][]} [arrows]
 * @property {CardChange[]} changes
 */
/** @typedef {CellsView | SeriesView | DotsView | CardsView} View */

/**
 * @typedef {object} Report
 * @property {number} version
 * @property {string} experiment
 * @property {string} variant
 * @property {Record<string, any>} parameters
 * @property {number} seed
 * @property {string} outcome
 * @property {string} ended
 * @property {string} digest
 * @property {string} schedule
 * @property {number} events
 * @property {number} until_us
 * @property {Record<string, number>} bounds
 * @property {Record<string, any>} readings
 * @property {Claim[]} claims
 * @property {Lane[]} lanes
 * @property {TraceEvent[]} trace
 * @property {View[]} scene
 * @property {string[]} [output]
 * @property {PredictionAnswer[]} [predictions] none where the run was cut short
 * @property {boolean} [partial] the run is not over: a reader is about to choose how it goes on
 */

/** The only version of reports and descriptions that these modules can draw. */
export const VERSION = 1;

/**
 * checkReport returns the value as a report, or throws a RangeError that names what is wrong with it.
 * It looks at what the panel cannot draw without; a missing optional part is filled in.
 * @param {any} value
 * @returns {Report}
 */
export function checkReport(value) {
  if (value?.version !== VERSION) {
    throw new RangeError(`report version ${value?.version} is not ${VERSION}`);
  }
  for (const part of ["trace", "claims"]) {
    if (!Array.isArray(value[part])) throw new RangeError(`report has no list "${part}"`);
  }
  return { ...value, lanes: value.lanes ?? [], scene: value.scene ?? [], readings: value.readings ?? {}, output: value.output ?? [] };
}

/**
 * checkExperiment returns a description's experiment, or throws a RangeError that names what is wrong with it.
 * @param {any} value
 * @returns {Experiment}
 */
export function checkExperiment(value) {
  if (value?.version !== VERSION) throw new RangeError(`description version ${value?.version} is not ${VERSION}`);
  return value.experiment;
}
