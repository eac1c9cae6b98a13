/**
 * The parameters of an experiment as a form. Decides how each type is entered and where a problem is told. What was typed
 * is never changed or lost by a wrong value; only Reset puts the defaults back.
 */

import { define, h, setAll, uniqueId } from "../dom.js";
import { ParametersEvent } from "../events.js";
import { text } from "../text/index.js";
import { formatValue } from "../format.js";
import { allowed, checkParameter, notUsual, sameValue, writeParameter } from "./parameter-check.js";

/** @typedef {import("../shapes.js").Parameter} Parameter */
/** @typedef {{parameter: Parameter, input: HTMLInputElement | HTMLSelectElement, problem: HTMLElement}} Field */

export class LabParameters extends HTMLElement {
  /** @type {Field[]} */
  #fields = [];

  connectedCallback() {
    this.classList.add("lab-parameters");
  }

  /**
   * setParameters makes the fields, with default values except where others are given.
   * @param {Parameter[]} parameters
   * @param {Record<string, any>} given
   */
  setParameters(parameters, given) {
    this.#fields = [];
    this.replaceChildren(...parameters.map((parameter) => this.#make(parameter, parameter.name in given ? given[parameter.name] : parameter.default)));
    for (const field of this.#fields) this.#check(field);
  }

  /** reset puts every default back. */
  reset() {
    for (const field of this.#fields) {
      field.input.value = writeParameter(field.parameter.default);
      this.#check(field);
    }
  }

  /**
   * setValues puts values in by name; fields that are not named keep theirs.
   * @param {Record<string, any>} values
   */
  setValues(values) {
    for (const field of this.#fields) {
      if (field.parameter.name in values) field.input.value = writeParameter(values[field.parameter.name]);
      this.#check(field);
    }
  }

  /** values returns all parameters by name, or null when one of them has a problem. */
  values() {
    const all = this.#fields.map(({ parameter, input }) => ({ name: parameter.name, ...checkParameter(parameter, input.value) }));
    if (all.some(({ problem }) => problem !== null)) return null;
    return Object.fromEntries(all.map(({ name, value }) => [name, value]));
  }

  /** changedValues returns the parameters that are not their defaults, by name, or null when one has a problem. */
  changedValues() {
    const values = this.values();
    if (values === null) return null;
    const changed = notUsual(this.#fields.map(({ parameter }) => parameter), values);
    return Object.fromEntries(changed.map(({ name }) => [name, values[name]]));
  }

  /** changed counts the parameters whose value is not the default. */
  changed() {
    return this.#fields.filter(({ parameter, input }) => {
      const { value, problem } = checkParameter(parameter, input.value);
      return problem !== null || !sameValue(value, parameter.default);
    }).length;
  }

  /** focusProblem moves the focus to the first field with a problem. */
  focusProblem() {
    this.#fields.find(({ input }) => input.getAttribute("aria-invalid") === "true")?.input.focus();
  }

  /**
   * tell shows a sentence from Python at the parameter that it names. It returns the
   * sentence with labels instead of names such as lease_ms, which readers of the page do not know; null if it names none.
   * @param {string} sentence
   */
  tell(sentence) {
    const named = this.#fields.find(({ parameter }) => sentence.includes(parameter.name));
    if (!named) return null;
    const labelled = this.#fields.filter(({ parameter }) => parameter.name.includes("_"));
    const words = labelled.reduce((said, { parameter }) => said.replaceAll(new RegExp(`\\b${parameter.name}\\b`, "g"), () => parameter.label), sentence);
    this.#mark(named, words);
    return words;
  }

  /**
   * @param {Parameter} parameter
   * @param {any} value
   */
  #make(parameter, value) {
    const [id, helpId, problemId] = [uniqueId("field"), uniqueId("help"), uniqueId("problem")];
    const shared = { id, class: "lab-input", name: parameter.name, "aria-describedby": `${helpId} ${problemId}`, "data-parameter": parameter.name };
    const input =
      parameter.type === "choice"
        ? h("select", shared, ...choicesWith(parameter, value).map((choice) => h("option", { value: choice }, choice)))
        : h("input", { ...shared, type: "text", inputmode: parameter.type === "integer" ? "numeric" : null, autocomplete: "off", spellcheck: "false" });
    input.value = writeParameter(value);
    const problem = h("span", { class: "lab-problem", id: problemId });
    const field = { parameter, input, problem };
    this.#fields.push(field);
    input.addEventListener(parameter.type === "choice" ? "change" : "input", () => {
      // All of them: what Python refused at one field may have been mended at another.
      for (const one of this.#fields) this.#check(one);
      this.dispatchEvent(new ParametersEvent());
    });
    const range = parameter.type === "choice" ? "" : `${allowed(parameter)}, `;
    return h(
      "div",
      { class: "lab-field" },
      h("label", { for: id }, parameter.label),
      h("span", { class: "lab-field-input" }, input, parameter.unit && h("span", { class: "lab-unit" }, parameter.unit)),
      h("span", { class: "lab-field-help", id: helpId }, `${parameter.help} `, h("span", { class: "lab-field-range" }, `(${range}${text.parameters.default(formatValue(parameter.default))})`)),
      problem,
    );
  }

  /** @param {Field} field */
  #check(field) {
    this.#mark(field, checkParameter(field.parameter, field.input.value).problem);
  }

  /**
   * @param {Field} field
   * @param {string | null} problem
   */
  #mark({ input, problem: element }, problem) {
    setAll(input, { "aria-invalid": problem === null ? null : "true" });
    element.textContent = problem ?? "";
  }
}

/**
 * choicesWith lists the choices, and a wrong value that the page asked for: it is shown, and refused, like a wrong number.
 * @param {Parameter} parameter
 * @param {any} value
 */
function choicesWith({ choices }, value) {
  const known = choices ?? [];
  return known.includes(value) ? known : [...known, writeParameter(value)];
}

define("lab-parameters", LabParameters);
