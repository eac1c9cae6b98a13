/**
 * Judges what a reader predicted against what the run answered. Pure.
 */

/** @typedef {number | string | null} Answer microseconds of a moment, null where it never comes; the id of a choice */
/** @typedef {"exact" | "later" | "earlier" | "never" | "came" | "agreed" | "right" | "wrong"} How see judge */

/**
 * judge says how far off a prediction is. Of a moment: `exact`, or the truth is `later` or `earlier` by so much; it `never` comes though
 * an instant was marked; it `came` though the reader said never; both `agreed` that it never comes. Of a choice: `right` or `wrong`.
 * @param {"moment" | "choice"} kind
 * @param {Answer} guess
 * @param {Answer} truth
 * @returns {{how: How, offUs: number}}
 */
export function judge(kind, guess, truth) {
  if (kind === "choice") return { how: guess === truth ? "right" : "wrong", offUs: 0 };
  if (guess === null || truth === null) return { how: guess === truth ? "agreed" : truth === null ? "never" : "came", offUs: 0 };
  const offUs = Number(truth) - Number(guess);
  return { how: offUs === 0 ? "exact" : offUs > 0 ? "later" : "earlier", offUs: Math.abs(offUs) };
}

/**
 * stepOf chooses how far one press of a key moves a mark: a round part of the run, about one in a hundred.
 * @param {number} endUs length of the axis
 */
export function stepOf(endUs) {
  const rough = Math.max(endUs / 100, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([5, 2, 1].find((factor) => factor * power <= rough) ?? 1);
}
