/**
 * The editor proper: CodeMirror 6 with Python, and Lua and SQL inside its strings. Loaded when a reader first edits.
 * Decides keys, colours and how a run is marked. It is handed texts and functions, and knows neither panel nor storage.
 * It lives in a shadow root: there CodeMirror's styles are style sheet objects, which a content security policy without
 * inline styles allows.
 */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { PostgreSQL } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, LanguageSupport, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState, MapMode, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, gutter, GutterMarker, keymap, lineNumbers } from "@codemirror/view";
import { parseMixed } from "@lezer/common";
import { tags } from "@lezer/highlight";
import { insideOf, languageOf } from "./languages.js";

/**
 * @typedef {object} EditorOptions
 * @property {string} text
 * @property {string} label accessible name
 * @property {(text: string) => void} changed after every change by the reader
 * @property {() => void} run the reader pressed the keys for Run
 * @property {(line: number) => void} jump the reader asked for the next event of a line of the run
 * @property {(line: number) => string} title what the mark of a line that ran says
 */

/** @typedef {{line: number, message: string}} Problem line counted from 1 in the present text */

const NESTED = { lua: StreamLanguage.define(lua).parser, sql: PostgreSQL.language.parser };

/** Python whose strings are parsed once more where they hold another language. */
const PYTHON = pythonLanguage.configure({
  wrap: parseMixed((node, input) => {
    if (node.name !== "String") return null;
    const literal = input.read(node.from, node.to);
    const inside = insideOf(literal);
    const language = inside && languageOf(literal.slice(inside.from, inside.to));
    if (!inside || !language) return null;
    return { parser: NESTED[language], overlay: [{ from: node.from + inside.from, to: node.from + inside.to }] };
  }),
});

const COLOURS = HighlightStyle.define([
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--lab-soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.special(tags.string), tags.docString], color: "var(--lab-good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--lab-warn)" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], color: "var(--lab-busy)" },
  { tag: tags.typeName, color: "var(--lab-ink)" },
]);

const LOOK = EditorView.theme({
  "&": { color: "var(--lab-ink)", backgroundColor: "var(--lab-raised)", fontSize: "inherit" },
  "&.cm-focused": { outline: "2px solid var(--lab-accent)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--lab-mono)", lineHeight: "24px", maxHeight: "26em" },
  ".cm-content": { caretColor: "var(--lab-ink)", padding: "0.5em 0" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--lab-ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--lab-accent-wash)", outline: "1px solid var(--lab-accent)" },
  ".cm-gutters": { backgroundColor: "var(--lab-raised)", color: "var(--lab-soft)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.5em" },
  ".cm-lab-ran": { width: "1.4em" },
  ".cm-lab-ran .cm-gutterElement": { color: "var(--lab-accent)", cursor: "pointer", textAlign: "center" },
  ".cm-lab-now": { backgroundColor: "var(--lab-accent-wash)", boxShadow: "inset 4px 0 0 var(--lab-accent)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--lab-bad) 2px", textUnderlineOffset: "4px" },
  ".cm-tooltip": { backgroundColor: "var(--lab-ground)", color: "var(--lab-ink)", border: "1px solid var(--lab-edge)" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--lab-bad)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--lab-accent-wash)", outline: "1px solid var(--lab-edge)" },
});

/** @type {import("@codemirror/state").StateEffectType<Set<number> | null>} lines that ran in the run shown, null: none is known */
const setRan = StateEffect.define();
/** @type {import("@codemirror/state").StateEffectType<number>} line of the run at the position shown, 0: none */
const setNow = StateEffect.define();

/**
 * Where the lines of the run's text are now: the reader goes on editing, and marks move with their lines.
 * @typedef {{starts: (number | null)[], ran: Set<number>, now: number}} Marks `starts` by line of the run, from 1
 */

/** @type {StateField<Marks>} */
const MARKS = StateField.define({
  create: () => /** @type {Marks} */ ({ starts: [], ran: new Set(), now: 0 }),
  update(marks, transaction) {
    let { starts, ran, now } = marks;
    if (transaction.docChanged) starts = starts.map((at) => (at === null ? null : transaction.changes.mapPos(at, 1, MapMode.TrackDel)));
    for (const effect of transaction.effects) {
      if (effect.is(setNow)) now = effect.value;
      if (!effect.is(setRan)) continue;
      const doc = transaction.state.doc;
      ran = effect.value ?? new Set();
      starts = effect.value === null ? [] : [null, ...Array.from({ length: doc.lines }, (_, index) => doc.line(index + 1).from)];
    }
    return { starts, ran, now };
  },
  provide: (field) =>
    EditorView.decorations.from(field, ({ starts, now }) => (view) => {
      const at = starts[now] ?? null;
      if (at === null) return Decoration.none;
      const mark = Decoration.line({ class: "cm-lab-now", attributes: { "aria-current": "true" } });
      return Decoration.set([mark.range(view.state.doc.lineAt(at).from)]);
    }),
});

class RanMarker extends GutterMarker {
  /** @param {string} title */
  constructor(title) {
    super();
    this.title = title;
  }

  /** @param {RanMarker} other */
  eq(other) {
    return other.title === this.title;
  }

  toDOM() {
    const mark = document.createElement("span");
    mark.textContent = "▸";
    mark.title = this.title;
    return mark;
  }
}

/**
 * What is typed over a selection, put in by CodeMirror. Left to it, Chromium joins the lines by writing inline styles, which
 * a content security policy refuses and reports.
 */
const TYPED_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || event.data === null || view.composing || view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/**
 * openEditor makes an editor inside an element.
 * @param {HTMLElement} parent
 * @param {EditorOptions} options
 */
export function openEditor(parent, options) {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  /** @param {EditorView} view @param {number} at */
  const jumpFrom = (view, at) => {
    const line = ranAt(view.state, view.state.doc.lineAt(at).from);
    if (line !== null) options.jump(line);
    return line !== null;
  };
  const extensions = [
    lineNumbers(),
    gutter({
      class: "cm-lab-ran",
      lineMarker: (view, block) => {
        const line = ranAt(view.state, view.state.doc.lineAt(block.from).from);
        return line === null ? null : new RanMarker(options.title(line));
      },
      lineMarkerChange: (update) => update.docChanged || update.startState.field(MARKS).ran !== update.state.field(MARKS).ran,
      domEventHandlers: { click: (view, block) => jumpFrom(view, block.from) },
    }),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of("    "),
    bracketMatching(),
    new LanguageSupport(PYTHON),
    syntaxHighlighting(COLOURS),
    MARKS,
    TYPED_OVER,
    LOOK,
    // Escape and then Tab leaves the editor: CodeMirror lets the Tab after an Escape through.
    keymap.of([
      { key: "Mod-Enter", run: () => (options.run(), true) },
      { key: "Alt-Enter", run: (view) => jumpFrom(view, view.state.selection.main.head) },
      ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter" && key !== "Alt-Enter"),
      ...historyKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.changed(update.state.doc.toString());
    }),
    EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
  ];
  const view = new EditorView({ state: EditorState.create({ doc: options.text, extensions }), parent: root, root });

  // Whoever is typing keeps the place at which they type.
  const revealNow = () => {
    const { starts, now } = view.state.field(MARKS);
    const at = starts[now] ?? null;
    if (at !== null && !view.hasFocus) reveal(view, at);
  };

  return {
    /** focus puts the cursor into the editor. */
    focus: () => view.focus(),

    /**
     * replace puts another text in place of the whole, as one change that can be undone.
     * @param {string} text
     */
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input" }),

    /**
     * setRun says which lines ran in the run shown; null when the run was made from another text.
     * @param {Set<number> | null} lines
     */
    setRun(lines) {
      view.dispatch({ effects: setRan.of(lines) });
      revealNow();
    },

    /**
     * setNow marks the line of the run at the position shown, and brings it into sight inside the editor.
     * @param {number} line counted from 1, 0 for none
     */
    setNow(line) {
      if (view.state.field(MARKS).now === line) return;
      view.dispatch({ effects: setNow.of(line) });
      revealNow();
    },

    /**
     * setProblem underlines one line, or takes the underline away.
     * @param {Problem | null} problem
     */
    setProblem(problem) {
      const doc = view.state.doc;
      if (problem === null || problem.line < 1 || problem.line > doc.lines) {
        view.dispatch(setDiagnostics(view.state, []));
        return;
      }
      const line = doc.line(problem.line);
      const from = line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0);
      const to = Math.max(line.to, Math.min(from + 1, doc.length)); // an empty line has nothing to underline but its end
      view.dispatch(setDiagnostics(view.state, [{ from: Math.min(from, to), to, severity: "error", message: problem.message }]));
      reveal(view, line.from);
    },

    /** close takes the editor out of the page. */
    close: () => view.destroy(),
  };
}

/**
 * ranAt returns which line of the run begins at a place of the present text, if that line ran.
 * @param {EditorState} state
 * @param {number} from
 */
function ranAt(state, from) {
  const { starts, ran } = state.field(MARKS);
  const line = starts.indexOf(from);
  return line > 0 && ran.has(line) ? line : null;
}

/**
 * reveal scrolls the editor's own box, never the page.
 * @param {EditorView} view
 * @param {number} at
 */
function reveal(view, at) {
  view.requestMeasure({
    key: reveal,
    read() {
      const [block, box] = [view.lineBlockAt(at), view.scrollDOM];
      const seen = block.top >= box.scrollTop + 24 && block.bottom <= box.scrollTop + box.clientHeight - 24;
      return seen ? null : block.top - box.clientHeight / 3;
    },
    write(top) {
      if (top !== null) view.scrollDOM.scrollTop = top;
    },
  });
}
