/**
 * What each tone looks like besides its colour: a glyph for text, a shape for drawings, a dash pattern for lines.
 * The colours themselves are in lab.css under the same names.
 */

/** @type {Record<import("./shapes.js").Tone, {glyph: string, dash: string}>} */
export const TONES = {
  neutral: { glyph: "▪", dash: "7 2" },
  good: { glyph: "●", dash: "" },
  bad: { glyph: "✕", dash: "6 3" },
  warn: { glyph: "▲", dash: "2 3" },
  busy: { glyph: "◆", dash: "9 3 2 3" },
  muted: { glyph: "○", dash: "1 4" },
};

/**
 * toneOf returns a tone that exists; an unknown one is neutral, so that a newer report still draws.
 * @param {string | undefined} tone
 * @returns {import("./shapes.js").Tone}
 */
export function toneOf(tone) {
  return tone !== undefined && tone in TONES ? /** @type {import("./shapes.js").Tone} */ (tone) : "neutral";
}
