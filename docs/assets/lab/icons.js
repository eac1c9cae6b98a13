/**
 * The few icons of the panel, as SVG paths drawn in the text's own colour. Always beside or inside something with a name.
 */

import { s } from "./dom.js";

const PATHS = {
  play: "M5 3v10l8-5z",
  pause: "M4.5 3h2.6v10H4.5zM8.9 3h2.6v10H8.9z",
  stop: "M4 4h8v8H4z",
  reset: "M8 3.2a4.8 4.8 0 1 0 4.6 3.4l-1.6.5A3.2 3.2 0 1 1 8 4.8v2L11.4 4 8 1.2z",
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
  back: "M10.5 3v10L4 8z",
  forward: "M5.5 3v10L12 8z",
  flag: "M4 2h1.6v12H4zM6 2.5h7L11 5.5l2 3H6z",
  plus: "M7 3h2v4h4v2H9v4H7V9H3V7h4z",
  minus: "M3 7h10v2H3z",
  all: "M2 3h1.6v10H2zM12.4 3H14v10h-1.6zM4.4 8l3-2.6v1.8h1.2V5.4l3 2.6-3 2.6V8.8H7.4v1.8z",
  keys: "M7.2 11.6h1.7v1.6H7.2zM8 2.8c-1.9 0-3.1 1.1-3.2 2.8h1.7c.1-.8.6-1.3 1.5-1.3.8 0 1.4.5 1.4 1.2 0 .6-.3 1-1.1 1.5-.9.6-1.2 1.1-1.2 2.2v.9h1.6v-.6c0-.7.2-1 1-1.5 1-.6 1.5-1.4 1.5-2.5 0-1.6-1.3-2.7-3.2-2.7z",
  copy: "M5 2h8v9h-2V4H5zM3 5h7v9H3z",
};

/**
 * icon returns one icon by name.
 * @param {keyof typeof PATHS} name
 */
export function icon(name) {
  return s("svg", { class: "lab-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
