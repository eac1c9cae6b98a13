/**
 * Binary searches over sorted arrays. Pure.
 */

/**
 * lastAtOrBefore returns the index of the last item whose key is at most `limit`, or -1.
 * @template Item
 * @param {ArrayLike<Item>} items sorted by key, ascending
 * @param {number} limit
 * @param {(item: Item) => number} key
 */
export function lastAtOrBefore(items, limit, key) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(items[middle]) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** @param {number} number */
export const itself = (number) => number;
