/**
 * Small pieces of English that several texts use.
 */

/** counted writes a formatted number with its noun. @param {string} number @param {string} noun that takes an s */
export const counted = (number, noun) => (number === "1" ? `1 ${noun}` : `${number} ${noun}s`);
