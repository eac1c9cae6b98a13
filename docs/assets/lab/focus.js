/**
 * Hands the focus on where a button goes away under it: browsers drop it then, and whoever uses the keyboard would be nowhere.
 * Decides who gets it; which buttons there are, and when they go, is their owners'.
 */

/** @typedef {HTMLButtonElement | HTMLSelectElement} Control */

/**
 * handOn makes a change. Where it takes away the control that has the focus, the first of them that can still be used gets it.
 * @param {Control[]} controls
 * @param {() => void} change
 */
export function handOn(controls, change) {
  const held = controls.find((one) => one === document.activeElement);
  change();
  if (held && !usable(held)) controls.find(usable)?.focus({ preventScroll: true });
}

/**
 * What begins work of the lab, and the button that stops it, which is there only meanwhile. Whoever begins by keyboard is on Stop
 * at once, and back on what was pressed when the work is over.
 */
export class BeginStop {
  #begins;
  #stop;
  #pressed;
  #possible = false;
  #working = false;

  /**
   * @param {HTMLButtonElement} stop
   * @param {Control} begin
   * @param {...Control} others
   */
  constructor(stop, begin, ...others) {
    this.#stop = stop;
    this.#begins = [begin, ...others];
    this.#pressed = begin;
    this.#update();
  }

  /** enable hears whether the lab is free. @param {boolean} possible */
  enable(possible) {
    this.#possible = possible;
    this.#update();
  }

  /**
   * during has Stop there while some work is done, however that ends, and returns what came of it.
   * @template Answer
   * @param {() => Promise<Answer>} work begins it
   */
  async during(work) {
    this.#work(true);
    try {
      return await work();
    } finally {
      this.#work(false);
    }
  }

  /** alone hears of work that nothing else can keep the lab from. @param {boolean} working */
  alone(working) {
    this.#possible = !working;
    this.#work(working);
  }

  /** @param {boolean} working */
  #work(working) {
    this.#working = working;
    this.#update();
  }

  #update() {
    this.#pressed = this.#begins.find((one) => one === document.activeElement) ?? this.#pressed;
    handOn([this.#pressed, ...this.#begins, this.#stop], () => {
      for (const begin of this.#begins) begin.disabled = !this.#possible;
      this.#stop.hidden = !this.#working;
    });
  }
}

/** @param {Control} control */
function usable(control) {
  return !control.disabled && control.checkVisibility();
}
