/**
 * What was drawn from a run's moments, asked by position: the continuations that began there and how many of them failed.
 * Decides what is known of a position between two moments. Pure.
 */

import { lastAtOrBefore } from "../search.js";

/**
 * @typedef {object} Point a moment with its continuations
 * @property {number} position first event just after which it holds; -1: the run's start
 * @property {number} until last such event
 * @property {number} at_us
 * @property {number} step
 * @property {boolean} open false where only the run itself is left
 * @property {number} fails
 * @property {number} runs
 * @property {number} cut continuations that met a limit of their own; they are not among the runs
 */

/**
 * @typedef {object} NoReturn where all that was drawn fails, from there to the end
 * @property {number} position
 * @property {boolean} open
 * @property {number | null} before last position drawn at which not all failed
 */

/**
 * @typedef {object} Outlook
 * @property {string[]} violated the claims that count
 * @property {number} runs
 * @property {number} moments
 * @property {Point[]} points ascending
 * @property {NoReturn | null} no_return
 * @property {boolean} done
 */

/**
 * pointAt returns the moment that a position belongs to, where it was drawn from, and else the drawn ones around it.
 * @param {Point[]} points
 * @param {number} position
 * @returns {{at: Point | null, before: Point | null, after: Point | null}}
 */
export function pointAt(points, position) {
  const index = lastAtOrBefore(points, position, (point) => point.position);
  const before = points[index] ?? null;
  if (before && position <= before.until) return { at: before, before: null, after: null };
  return { at: null, before, after: points[index + 1] ?? null };
}

/**
 * shareOf is the share of failures, or null where no continuation could be judged.
 * @param {Point} point
 */
export const shareOf = ({ fails, runs }) => (runs === 0 ? null : fails / runs);

/**
 * gaps lists the positions between the drawn moments from which nothing was drawn, from first to last.
 * @param {Point[]} points
 */
export function gaps(points) {
  return points.slice(1).flatMap((after, index) => {
    const [from, to] = [points[index].until + 1, after.position - 1];
    return from <= to ? [{ from, to, before: points[index], after }] : [];
  });
}
