/**
 * Which language a Python string holds, if any: Lua scripts and SQL statements sit in strings. Pure.
 * A guess from the text alone, for colours only: a wrong one costs nothing but colours.
 */

const LUA = /\bredis\.p?call\s*\(|\bKEYS\s*\[|\bARGV\s*\[/;
const SQL = /^(?:\s|--[^\n]*\n)*(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|CREATE\s+TABLE|WITH|BEGIN|COMMIT|ROLLBACK)\b/;

/**
 * languageOf names the language inside a string.
 * @param {string} text what stands between the quotes
 * @returns {"lua" | "sql" | null}
 */
export function languageOf(text) {
  if (LUA.test(text)) return "lua";
  return SQL.test(text) ? "sql" : null;
}

/**
 * insideOf returns where the text of a string literal begins and ends, counted from the literal's start; null where the
 * literal is not closed.
 * @param {string} literal with prefix and quotes
 * @returns {{from: number, to: number} | null}
 */
export function insideOf(literal) {
  const opening = /^[rbuRBU]{0,2}("""|'''|"|')/.exec(literal);
  if (!opening) return null;
  const [from, to] = [opening[0].length, literal.length - opening[1].length];
  return from < to && literal.endsWith(opening[1]) ? { from, to } : null;
}
