/**
 * What Python would answer of a game, made up: six steps, two lanes at each, two events a step of the recorded run, and one
 * fault (a crash of w1) that strikes at the step at which it was set, as often as the request says (else `fake.faultsMax` times) at most. A run with the fault ends in a fallen claim.
 */

const LAST = 6;

/** A schedule's text with one more part in it. */
function plus(schedule, part) {
  const [version, slug, variant, choices, ...parameters] = schedule.split("~");
  const [seed, listed] = choices.split("_");
  const parts = listed === "0" ? [part] : [...listed.split("-"), part];
  return [version, slug, variant, `${seed}_${parts.join("-")}`, ...parameters].join("~");
}

/** A schedule's text without some of its parts. */
function without(schedule, isOut) {
  const [version, slug, variant, choices, ...parameters] = schedule.split("~");
  const [seed, listed] = choices.split("_");
  const parts = listed.split("-").filter((part) => !isOut(part));
  return [version, slug, variant, `${seed}_${parts.join("-") || "0"}`, ...parameters].join("~");
}

export function stateOf(recorded, { variant, schedule = `ol1~demo~${variant}~0_0~limit.1`, steps = 0, until = "step", faults_max = globalThis.fake.faultsMax }) {
  const parts = schedule.split("~")[3].split("_")[1].split("-");
  const step = until === "end" ? LAST : until === "choice" ? Math.min(steps + 1, LAST) : steps;
  const over = step >= LAST;
  const struck = parts.some((part) => part.startsWith("x") && Number(part.slice(1).split(".")[0]) < step);
  const spent = parts.filter((part) => part.startsWith("x")).length;
  const crash = { number: 1, kind: "crash", target: "w1", amount_ms: 0, writes: 0, from_ms: null };
  const armed = parts.includes(`x${step}.1`);
  const violated = over && struck ? ["capacity-returns"] : [];
  const choices = ["w1", "w2"].map((lane, index) => ({
    lane, kind: index === 0 ? "resumes" : "request", actor: index === 0 ? "w1" : "redis", other: index === 0 ? null : "w2",
    text: index === 0 ? null : `<b>GET</b> ${step}`, line: index === 0 ? { file: "lease.py", line: 7 } : null,
    faults: armed && index === 0 ? [crash] : [],
    to: { schedule: index === 0 ? schedule : plus(schedule, `${step}.1`), steps: step + 1 },
  }));
  const fault = { ...crash, armed, to: spent < faults_max && !armed ? { schedule: plus(schedule, `x${step}.1`), steps: step } : null };
  const turn = {
    schedule, step, at_us: step * 1000, over, choices: over ? [] : choices, faults: over ? [] : [fault], missed: [],
    deviations: parts.filter((part) => /^\d/.test(part) && part !== "0").length, spent, faults_max, violated,
    points: Array.from({ length: step + (over ? 0 : 1) }, (_, index) => [index, index * 2]),
  };
  const claims = recorded.claims.map((claim) => ({ ...claim, holds: violated.includes(claim.id) ? false : over ? true : null, position: null }));
  const outcome = violated.length > 0 ? "counterexample found" : over ? "holds within bounds" : "bounds reached, not finished";
  const isOpen = (part) => part.startsWith("x") && Number(part.slice(1).split(".")[0]) >= step;
  const report = { ...recorded, schedule: without(schedule, isOpen), claims, outcome, trace: recorded.trace.slice(0, step * 2), events: step * 2, scene: [], readings: {}, digest: `${step}`.repeat(64) };
  if (over && globalThis.fake.missed) Object.assign(turn, { schedule: without(schedule, (part) => part.startsWith("x")), missed: [1] });
  return { report, turn };
}
