/**
 * Makes elements. The one place where the page's code creates nodes, so that text from a report can only ever
 * become a text node. Knows nothing of experiments.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * h makes an HTML element. Attributes that are null or false are left out, true becomes an empty attribute, a
 * function named `on…` becomes a listener. Children that are null or false are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAll(element, attributes);
  element.append(...present(children));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * s makes an SVG element, by the same rules as h.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAll(element, attributes);
  element.append(...present(children));
  return element;
}

/**
 * setAll sets attributes and listeners by the rules of h.
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
export function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** How long a drawing waits for a frame; browsers give none to tabs and frames that are out of sight. */
const FRAME_WAIT_MS = 60;

/**
 * atNextFrame calls a function at the next frame, or a moment later where no frame comes. Returns what cancels it.
 * @param {() => void} draw
 * @returns {() => void}
 */
export function atNextFrame(draw) {
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const once = () => {
    cancel();
    draw();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, FRAME_WAIT_MS);
  return cancel;
}

let count = 0;

/**
 * uniqueId returns an id that no other element of the page has.
 * @param {string} stem
 */
export function uniqueId(stem) {
  count += 1;
  return `lab-${stem}-${count}`;
}

/**
 * define registers an element once; a second evaluation of a module, or a second copy of it, changes nothing.
 * @param {string} tag
 * @param {CustomElementConstructor} constructor
 */
export function define(tag, constructor) {
  if (!customElements.get(tag)) customElements.define(tag, constructor);
}

/** @param {Child[]} children */
function present(children) {
  const kept = /** @type {(Node | string)[]} */ ([]);
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    kept.push(child instanceof Node ? child : String(child));
  }
  return kept;
}
