/**
 * Folds a scene view's changes up to a position. Pure; how a view looks is decided in views/.
 */

import { lastAtOrBefore } from "../search.js";

/**
 * latestBy groups changes by what they change and returns a function that gives the latest change of one at a position.
 * @template {{position: number}} Item
 * @param {Item[]} changes in order of position
 * @param {(change: Item) => string} subject
 * @returns {(id: string, position: number) => Item | null}
 */
export function latestBy(changes, subject) {
  const groups = /** @type {Map<string, Item[]>} */ (new Map());
  for (const change of changes) {
    const group = groups.get(subject(change));
    if (group) group.push(change);
    else groups.set(subject(change), [change]);
  }
  return (id, position) => {
    const group = groups.get(id);
    if (!group) return null;
    return group[lastAtOrBefore(group, position, (change) => change.position)] ?? null;
  };
}

/**
 * valueAt returns the value of a stepped line at an instant, or null before its first point.
 * @param {[number, number][]} points [at_us, value], in order
 * @param {number} at_us
 */
export function valueAt(points, at_us) {
  const index = lastAtOrBefore(points, at_us, (point) => point[0]);
  return index < 0 ? null : points[index][1];
}

/**
 * reachedDots counts the dots of a row that have been reached: by position where a dot has one, else by its instant.
 * @param {import("../shapes.js").Dot[]} dots in order
 * @param {number} position
 * @param {number} at_us
 */
export function reachedDots(dots, position, at_us) {
  let count = 0;
  for (const dot of dots) {
    const reached = typeof dot.position === "number" ? dot.position <= position : dot.at_us <= at_us;
    if (!reached) break;
    count += 1;
  }
  return count;
}

/**
 * ranksOf arranges cards into rows of ranks along their arrows: cards that arrows join form one row, and a card stands
 * one rank after the last card that points to it. Cards without an arrow share one row with a single rank each.
 * @param {{id: string}[]} cards
 * @param {[string, string][]} arrows
 * @returns {{linked: boolean, ranks: string[][]}[]}
 */
export function ranksOf(cards, arrows) {
  const ids = cards.map((card) => card.id);
  const edges = arrows.filter(([from, to]) => ids.includes(from) && ids.includes(to) && from !== to);
  const linked = ids.filter((id) => edges.some((edge) => edge.includes(id)));
  const rank = new Map(linked.map((id) => [id, 0]));
  const highest = linked.length - 1; // arrows in a circle would push each other up for ever
  for (let round = 0; round < highest; round++) {
    for (const [from, to] of edges) {
      rank.set(to, Math.max(rank.get(to) ?? 0, Math.min((rank.get(from) ?? 0) + 1, highest)));
    }
  }
  const rows = [];
  for (const group of groupsOf(linked, edges)) {
    const used = [...new Set(group.map((id) => rank.get(id) ?? 0))].sort((one, other) => one - other);
    rows.push({ linked: true, ranks: used.map((value) => group.filter((id) => rank.get(id) === value)) });
  }
  const single = ids.filter((id) => !linked.includes(id));
  if (single.length > 0) rows.push({ linked: false, ranks: single.map((id) => [id]) });
  return rows;
}

/**
 * groupsOf splits ids into those that edges connect, keeping their order.
 * @param {string[]} ids
 * @param {[string, string][]} edges
 */
function groupsOf(ids, edges) {
  const group = new Map(ids.map((id) => [id, id]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [from, to] of edges) {
      const lower = [group.get(from), group.get(to)].sort()[0] ?? from;
      for (const id of [from, to]) {
        if (group.get(id) !== lower) {
          group.set(id, lower);
          changed = true;
        }
      }
    }
  }
  const names = [...new Set(ids.map((id) => group.get(id)))];
  return names.map((name) => ids.filter((id) => group.get(id) === name));
}
