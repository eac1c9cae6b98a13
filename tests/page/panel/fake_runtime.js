/**
 * Stands in for runtime.js in tests of the panel: the same exports, no Python. A test steers it through `globalThis.fake`:
 * `fault` {kind, message, file, line} makes the next run fail, `refused` lists schedules that fit no program, `hold` keeps a run going until it is stopped or `release()`d,
 * and a search, or other work of many runs, goes through `states`; with `grown` its worker is replaced after that. The game of steer is fake_game.js's.
 */

import { stateOf } from "./fake_game.js";

export class LabError extends Error {
  constructor(kind, message, file = null, line = null) {
    super(message);
    Object.assign(this, { kind, file, line });
  }
}

const fake = (globalThis.fake ??= { requests: [], searches: [], works: [], steered: [], states: [], refused: [], faultsMax: 1, warmed: 0, hold: null, fault: null, release: () => {}, progress: () => {} });

class Lab extends EventTarget {
  state = "idle";
  progress = { stage: "download", loaded: 0, total: 0 };
  #pending = null;

  warm() {
    fake.warmed += 1;
  }

  async run(request) {
    fake.requests.push(request);
    const result = new Promise((resolve, reject) => (this.#pending = { resolve, reject }));
    result.catch(() => {}); // it may be rejected while this function still waits
    if (fake.hold === "loading") {
      fake.progress = (stage, loaded, total) => {
        this.progress = { stage, loaded, total };
        this.dispatchEvent(new Event("lab-progress"));
      };
      this.#set("loading");
      await this.#released();
    }
    if (this.#pending === null) return result;
    if (fake.refused.includes(request.schedule)) {
      this.#set("ready");
      this.#pending.reject(new LabError("input", "it belongs to another program"));
      return result;
    }
    if (fake.fault) {
      const { kind, message, file, line } = fake.fault;
      this.#set(kind === "load" ? "failed" : "ready");
      this.#pending.reject(new LabError(kind, message, file, line));
      return result;
    }
    this.#set("busy");
    if (fake.hold === "busy") await this.#released();
    if (this.#pending === null) return result;
    const report = await recorded(request.experiment, request.variant);
    this.#set("ready");
    this.#pending?.resolve({ ...report, parameters: request.parameters, ...fake.change });
    return result;
  }

  async steer(request) {
    fake.steered.push(request);
    const result = new Promise((resolve, reject) => (this.#pending = { resolve, reject }));
    result.catch(() => {});
    this.#set("busy");
    if (fake.hold === "busy") await this.#released();
    if (this.#pending === null) return result;
    const recordedRun = await recorded(request.experiment, request.variant);
    this.#set("ready");
    const { fault } = fake;
    if (fault) this.#pending?.reject(new LabError(fault.kind, fault.message, fault.file, fault.line));
    else this.#pending?.resolve(stateOf(recordedRun, request));
    return result;
  }

  search(request, told) {
    fake.searches.push(request);
    return this.#go(told);
  }

  work(text, guard, told) {
    fake.works.push(JSON.parse(text));
    if (!fake.states.every(guard)) throw new LabError("internal", "The answer is not understood.");
    return this.#go(told);
  }

  async #go(told) {
    const result = new Promise((resolve, reject) => (this.#pending = { resolve, reject }));
    result.catch(() => {});
    if (fake.fault) {
      const { kind, message, file, line } = fake.fault;
      this.#set("ready");
      this.#pending.reject(new LabError(kind, message, file, line));
      return result;
    }
    this.#set("busy");
    const last = fake.states.find((state) => state.done);
    for (const state of fake.states) if (state !== last) told(state);
    if (fake.hold === "busy") await this.#released();
    if (fake.hold !== "busy" || last) this.#set(fake.grown ? "loading" : "ready");
    if (last) this.#pending?.resolve(last);
    return result;
  }

  stop() {
    const pending = this.#pending;
    this.#pending = null;
    this.#set("idle");
    pending?.reject(new LabError("stopped", "The run was stopped."));
    fake.release();
  }

  #released() {
    return new Promise((resolve) => (fake.release = resolve));
  }

  #set(state) {
    this.state = state;
    this.dispatchEvent(new Event("lab-state"));
  }
}

const only = new Lab();

export const lab = () => only;

async function recorded(slug, variant) {
  const path = `recorded/${slug}/${variant}.json`;
  const response = await fetch(new URL(`./data/${path}`, import.meta.url));
  if (!response.ok) throw new LabError("load", `${path} could not be loaded from this site.`);
  return response.json();
}
