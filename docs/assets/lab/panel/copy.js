/**
 * Copies text, or says that the browser did not allow it. Pages in frames and without https often may not.
 */

import { text } from "../text/index.js";

/**
 * copyText copies and returns the sentence to show. When copying is refused, the text is selected where it stands.
 * @param {string} whole
 * @param {HTMLElement} shown a field that holds the text, or an element that is made to show it
 */
export async function copyText(whole, shown) {
  try {
    await navigator.clipboard.writeText(whole);
    return text.share.copied;
  } catch {
    if (shown instanceof HTMLTextAreaElement) {
      shown.focus();
      shown.select();
    } else {
      shown.textContent = whole;
      getSelection()?.selectAllChildren(shown);
    }
    return text.share.copyFailed;
  }
}
