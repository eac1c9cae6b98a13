/**
 * Splits Python source into coloured pieces. Pure. Only for reading: it knows comments, strings (also those over several
 * lines), numbers and keywords, and nothing of syntax.
 */

/** @typedef {{text: string, kind: "" | "comment" | "string" | "number" | "keyword"}} Piece */

const KEYWORDS = new Set(
  ("and as assert async await break class continue def del elif else except False finally for from global if import in is " +
    "lambda None nonlocal not or pass raise return True try while with yield match case").split(" "),
);

const TOKEN = /("""|''')[\s\S]*?(?:\1|$)|[rbfuRBFU]{0,2}"(?:\\.|[^"\\\n])*"|[rbfuRBFU]{0,2}'(?:\\.|[^'\\\n])*'|#[^\n]*|\b\d[\d_.]*\b|\b[A-Za-z_]\w*\b/g;

/**
 * highlight returns the lines of a program, each as pieces whose texts joined give the line.
 * @param {string} source
 * @returns {Piece[][]}
 */
export function highlight(source) {
  const pieces = /** @type {Piece[]} */ ([]);
  let done = 0;
  for (const match of source.matchAll(TOKEN)) {
    const kind = kindOf(match[0]);
    if (kind === "") continue;
    if (match.index > done) pieces.push({ text: source.slice(done, match.index), kind: "" });
    pieces.push({ text: match[0], kind });
    done = match.index + match[0].length;
  }
  pieces.push({ text: source.slice(done), kind: "" });
  return linesOf(pieces);
}

/**
 * @param {string} token
 * @returns {Piece["kind"]}
 */
function kindOf(token) {
  if (token.startsWith("#")) return "comment";
  if (/^[rbfuRBFU]{0,2}["']/.test(token)) return "string";
  if (/^\d/.test(token)) return "number";
  return KEYWORDS.has(token) ? "keyword" : "";
}

/**
 * linesOf cuts pieces at line ends.
 * @param {Piece[]} pieces
 */
function linesOf(pieces) {
  const lines = /** @type {Piece[][]} */ ([[]]);
  for (const { text, kind } of pieces) {
    text.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== "") lines[lines.length - 1].push({ text: part, kind });
    });
  }
  if (lines.length > 1 && lines[lines.length - 1].length === 0) lines.pop();
  return lines;
}
