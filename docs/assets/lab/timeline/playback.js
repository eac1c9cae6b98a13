/**
 * Moves a position forward in real time. Decides how fast; draws nothing.
 * A run of any length takes the same time at speed 1, measured along the axis, so that pauses in virtual time are felt.
 */

/** Real seconds that a whole run takes at speed 1. */
export const WHOLE_RUN_S = 24;

/** Speeds that readers can choose. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/** A frame after a long break (a hidden tab, a busy page) counts as no more than this. */
const FRAME_MS_MAX = 100;

/** With reduced motion the picture changes this often only. */
const CALM_FRAME_MS = 500;

export class Playback {
  #frame = 0;
  #move;
  #end;

  /**
   * @param {(value: number) => void} move called with the axis value reached
   * @param {() => void} end called once, when the axis is over
   */
  constructor(move, end) {
    this.#move = move;
    this.#end = end;
  }

  get playing() {
    return this.#frame !== 0;
  }

  /**
   * start plays from a value to the end of the axis.
   * @param {import("../log/axis.js").Axis} axis
   * @param {number} from
   * @param {() => number} speed asked at every frame, so that it can change while playing
   */
  start(axis, from, speed) {
    this.stop();
    const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
    const perMs = (axis.high - axis.low) / (WHOLE_RUN_S * 1000);
    let value = from;
    let shown = from;
    let before = performance.now();
    let waited = 0;
    /** @param {number} now */
    const step = (now) => {
      const elapsed = Math.min(Math.max(now - before, 0), FRAME_MS_MAX);
      before = now;
      waited += elapsed;
      value = Math.min(axis.high, value + elapsed * perMs * speed());
      if (!calm || waited >= CALM_FRAME_MS || value >= axis.high) {
        waited = 0;
        if (value !== shown) this.#move((shown = value));
      }
      if (this.#frame === 0) return;
      if (value < axis.high) {
        this.#frame = requestAnimationFrame(step);
      } else {
        this.#frame = 0;
        this.#end();
      }
    };
    this.#frame = requestAnimationFrame(step);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }
}
