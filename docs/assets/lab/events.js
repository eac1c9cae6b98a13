/**
 * The events by which the panel's parts speak to the panel, and the panel to the page. All bubble; none can be cancelled.
 */

/** The reader moved to another position: by a step, a scrub, or playing. */
export class MoveEvent extends Event {
  /**
   * @param {number} position
   * @param {"step" | "scrub" | "play"} by
   */
  constructor(position, by) {
    super("lab-move", { bubbles: true });
    this.position = position;
    this.by = by;
  }
}

/** The reader chose a variant. */
export class VariantEvent extends Event {
  /** @param {string} variant */
  constructor(variant) {
    super("lab-variant", { bubbles: true });
    this.variant = variant;
  }
}

/** The reader asked for something: run, stop, reset, retry, warm (about to press Run), usual (no schedule any more), search. */
export class CommandEvent extends Event {
  /** @param {"run" | "stop" | "reset" | "retry" | "warm" | "usual" | "search"} command */
  constructor(command) {
    super("lab-command", { bubbles: true });
    this.command = command;
  }
}

/** The reader changed a parameter's field. */
export class ParametersEvent extends Event {
  constructor() {
    super("lab-parameters", { bubbles: true });
  }
}

/** The reader changed a program. */
export class EditedEvent extends Event {
  constructor() {
    super("lab-edited", { bubbles: true });
  }
}

/** A run ended with a report; public, also sent to the host page of an embedded panel. */
export class RunEndedEvent extends Event {
  /** @param {import("./shapes.js").Report} report */
  constructor(report) {
    super("ownership-lab:run-ended", { bubbles: true, composed: true });
    this.report = report;
  }
}

/**
 * warmNear asks for Python when the pointer or the focus comes to a button that can be pressed: it takes a while to start.
 * @param {HTMLButtonElement} button
 * @param {() => void} warm
 */
export function warmNear(button, warm) {
  for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => !button.disabled && warm());
}
