/**
 * Where a run of edited programs went wrong. Pure.
 */

/**
 * failureIn returns where a run of edited programs first raised what nobody caught, if it did so in one of them.
 * @param {import("../shapes.js").Report} report
 * @param {Record<string, string>} sources
 * @returns {import("../inspect/source.js").ProgramProblem | null}
 */
export function failureIn(report, sources) {
  const failed = report.trace.find(({ kind, fields }) => kind === "task.failed" && fields.file in sources && fields.line > 0);
  return failed ? { file: failed.fields.file, line: failed.fields.line, message: failed.fields.error } : null;
}
