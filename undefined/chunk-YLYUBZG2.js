import {
  sparseStrategies
} from "./chunk-FTDLCQXU.js";
import {
  atOnce,
  compileCapture,
  compilePattern,
  compileStarts,
  groupCountOf,
  patternProblem
} from "./chunk-KPUJ7UZQ.js";
import {
  uuidV3
} from "./chunk-QNSZFSTN.js";
import {
  largestOf
} from "./chunk-BLE2ZYMV.js";
import {
  entriesPerConfigurationMax,
  expressionsPerEntryMax,
  formulaCharactersMax,
  formulaDepthMax,
  formulaNodesMax,
  fqnCharactersMax,
  tagsPerEntityMax,
  textCharactersMax
} from "./chunk-5L33DSE6.js";

// src/formula/cursor.ts
var FormulaError = class extends Error {
  position;
  constructor(problem, position) {
    super(`${problem} at position ${position}`);
    this.position = position;
  }
};
var Cursor = class {
  text;
  at = 0;
  depth = 0;
  nodes = 0;
  constructor(text) {
    this.text = text;
  }
  skipSpaces() {
    while (/\s/.test(this.text.charAt(this.at))) this.at++;
  }
  /** Passes over `token` where it stands next, after spaces. */
  take(token) {
    this.skipSpaces();
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }
  expect(token) {
    if (!this.take(token)) this.fail(`Expected "${token}"`);
  }
  /** What `pattern`, which is sticky, matches here after spaces; null where nothing. */
  match(pattern) {
    this.skipSpaces();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at += found[0].length;
    return found[0];
  }
  get atEnd() {
    this.skipSpaces();
    return this.at >= this.text.length;
  }
  /** Where the next thing stands, after spaces. */
  get next() {
    this.skipSpaces();
    return this.text.charAt(this.at);
  }
  /** Reads something that stands within something else. */
  within(read) {
    if (++this.depth > formulaDepthMax) {
      throw new FormulaError(`Expected at most ${formulaDepthMax} levels of nesting`, this.at + 1);
    }
    const result = read();
    this.depth--;
    return result;
  }
  /** Counts a part of the expression. */
  made(part) {
    if (++this.nodes > formulaNodesMax) {
      throw new FormulaError(`Expected at most ${formulaNodesMax} parts`, this.at + 1);
    }
    return part;
  }
  /** Throws what was expected at `at`, where another thing stands. */
  fail(expected, at = this.at) {
    const got = at >= this.text.length ? "the end" : `"${this.text.slice(at, at + 20)}"`;
    throw new FormulaError(`${expected}, got ${got}`, at + 1);
  }
};

// src/formula/expression.ts
var cycleStatistics = ["actual", "avg", "min", "max", "sum", "cnt", "last"];
var acrossFunctions = ["sum", "max", "min", "avg", "cnt"];
var mathFunctions = [
  "min",
  "max",
  "abs",
  "round",
  "floor",
  "ceil",
  "sqrt",
  "pow",
  "log",
  "exp"
];

// src/formula/template.ts
var placeholder = /\$\{(\d{1,2})\}/g;
function highestGroup(text) {
  return Math.max(
    0,
    largestOf(Array.from(text.matchAll(placeholder), ([, group]) => Number(group)))
  );
}
function fillTemplate(text, groups) {
  return text.replace(placeholder, (_, digits) => groups[Number(digits)] ?? "");
}
function fillPattern(text, groups) {
  return fillTemplate(text, groups.map(quoted));
}
function quoted(text) {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

// src/formula/text.ts
function readText(cursor) {
  const start = (cursor.skipSpaces(), cursor.at);
  const quote = cursor.next;
  let value = "";
  for (let at = start + 1; at < cursor.text.length; at++) {
    const one = cursor.text.charAt(at);
    if (one === quote) {
      cursor.at = at + 1;
      return value;
    }
    const after = cursor.text.charAt(at + 1);
    const isEscape = one === "\\" && (after === quote || after === "\\");
    value += isEscape ? cursor.text.charAt(++at) : one;
  }
  return cursor.fail(`Expected a closing ${quote}`, cursor.text.length);
}
function readBracketed(cursor) {
  if (cursor.next === "'" || cursor.next === '"') {
    const value2 = readText(cursor);
    cursor.expect(")");
    return value2;
  }
  const start = cursor.at;
  const end = closingBracket(cursor.text, start);
  if (end < 0) cursor.fail('Expected ")"', cursor.text.length);
  const value = cursor.text.slice(start, end).trim();
  if (value === "") cursor.fail("Expected a name or an expression", start);
  cursor.at = end + 1;
  return value;
}
function closingBracket(text, start) {
  let open = 0;
  let inClass = false;
  for (let at = start; at < text.length; at++) {
    const one = text.charAt(at);
    if (one === "\\") at++;
    else if (inClass) inClass = one !== "]";
    else if (one === "[") inClass = true;
    else if (one === "(") open++;
    else if (one === ")" && open-- === 0) return at;
  }
  return -1;
}

// src/formula/reference.ts
var word = /[A-Za-z_]\w*/y;
var synonyms = { average: "avg", count: "cnt" };
function readMathName(cursor) {
  const start = cursor.at;
  const isMath = cursor.take("Math.");
  const name = cursor.match(word) ?? "";
  const known = mathFunctions.find((one) => one === name);
  const isCall = known !== void 0 && cursor.next === "(";
  if (isCall && (isMath || !isAcross(name) || holdsMetric(cursor))) return known;
  if (isMath) cursor.fail(`Expected one of ${mathFunctions.join(", ")}`, start + "Math.".length);
  cursor.at = start;
  return null;
}
function holdsMetric(cursor) {
  const start = cursor.at;
  cursor.take("(");
  const inside = readBracketed(cursor);
  cursor.at = start;
  return /\$\{\D|data\s*\[|attribute/.test(inside);
}
function isAcross(name) {
  return acrossFunctions.includes(synonyms[name] ?? name);
}
function readReference(cursor) {
  if (cursor.take("${")) return readMetric(cursor);
  const start = cursor.at;
  const name = cursor.match(word);
  if (name === null) return null;
  if (name === "data") return readData(cursor);
  if (name === "attribute" || name === "attributes") return readAttribute(cursor);
  if (name === "null" || name === "undefined") return { kind: "null" };
  if (name === "true" || name === "false") return { kind: "boolean", value: name === "true" };
  if (isAcross(name) && cursor.take("(")) return readAcross(cursor, name);
  return cursor.fail(
    `Expected a function (${acrossFunctions.join(", ")}, attribute, Math.min \u2026), data or a metric such as \${cpu.idle}.actual`,
    start
  );
}
function readMetric(cursor) {
  const start = cursor.at;
  const inside = cursor.match(/(?:\$\{\d{1,2}\}|[^{}])*/y) ?? "";
  const fqn = inside.trim();
  if (fqn === "") cursor.fail("Expected the name of a metric", start);
  cursor.expect("}");
  return { kind: "metric", fqn, statistic: readStatistic(cursor) ?? "actual" };
}
function readStatistic(cursor) {
  if (!cursor.take(".")) return null;
  const start = cursor.at;
  const name = cursor.match(word) ?? "";
  const known = cycleStatistics.find((one) => one === (synonyms[name] ?? name));
  return known ?? cursor.fail(`Expected one of ${cycleStatistics.join(", ")}`, start);
}
function readData(cursor) {
  if (cursor.take("[")) {
    const fqn = readQuotedName(cursor);
    const statistic = readStatistic(cursor);
    return statistic === null ? { kind: "hasMetric", fqn } : { kind: "metric", fqn, statistic };
  }
  cursor.expect(".");
  const start = cursor.at;
  const name = cursor.match(word) ?? "";
  if (!isAcross(name)) cursor.fail(`Expected one of ${acrossFunctions.join(", ")}`, start);
  cursor.expect("(");
  return readAcross(cursor, name);
}
function readQuotedName(cursor) {
  const start = cursor.at;
  if (cursor.next !== "'" && cursor.next !== '"') cursor.fail("Expected a name in quotes");
  const name = readText(cursor).trim();
  if (name === "") cursor.fail("Expected a name", start);
  cursor.expect("]");
  return name;
}
function readAttribute(cursor) {
  if (cursor.take("(")) return { kind: "attribute", name: readBracketed(cursor) };
  cursor.expect("[");
  const name = readQuotedName(cursor);
  if (!cursor.take(".")) return { kind: "hasAttribute", name };
  cursor.expect("value");
  return { kind: "attribute", name };
}
function readAcross(cursor, name) {
  const start = cursor.at;
  const pattern = readBracketed(cursor);
  const problem = patternProblem(fillTemplate(pattern, []));
  if (problem !== null) cursor.fail(`Expected a regular expression (${problem})`, start);
  return { kind: "across", function: synonyms[name] ?? name, pattern };
}

// src/formula/parse.ts
function parseExpression(text) {
  if (text.length > formulaCharactersMax) {
    const problem = `Expected at most ${formulaCharactersMax} characters, got ${text.length}`;
    throw new FormulaError(problem, formulaCharactersMax + 1);
  }
  const cursor = new Cursor(text);
  const expression = readChoice(cursor);
  cursor.take(";");
  if (!cursor.atEnd) cursor.fail("Expected an operator or the end");
  return expression;
}
var levels = [
  [["||", "||"]],
  [["&&", "&&"]],
  [
    ["===", "=="],
    ["!==", "!="],
    ["==", "=="],
    ["!=", "!="]
  ],
  [
    ["<=", "<="],
    [">=", ">="],
    ["<", "<"],
    [">", ">"]
  ],
  [
    ["+", "+"],
    ["-", "-"]
  ],
  [
    ["*", "*"],
    ["/", "/"],
    ["%", "%"]
  ]
];
function readChoice(cursor) {
  return cursor.within(() => {
    const condition = readBinary(cursor, 0);
    if (!cursor.take("?")) return condition;
    const yes = readChoice(cursor);
    cursor.expect(":");
    const no = readChoice(cursor);
    return cursor.made({ kind: "choice", condition, yes, no });
  });
}
function readBinary(cursor, level) {
  const operators = levels[level];
  if (operators === void 0) return readUnary(cursor);
  let left = readBinary(cursor, level + 1);
  for (; ; ) {
    const found = operators.find(([spelling]) => cursor.take(spelling));
    if (found === void 0) return left;
    const right = readBinary(cursor, level + 1);
    left = cursor.made({ kind: "binary", operator: found[1], left, right });
  }
}
function readUnary(cursor) {
  if (cursor.take("+")) return cursor.within(() => readUnary(cursor));
  const operator = ["-", "!"].find((sign) => cursor.take(sign));
  if (operator === void 0) return readPrimary(cursor);
  return cursor.within(() => cursor.made({ kind: "unary", operator, of: readUnary(cursor) }));
}
function readPrimary(cursor) {
  if (cursor.take("(")) {
    const inner = readChoice(cursor);
    cursor.expect(")");
    return inner;
  }
  const start = (cursor.skipSpaces(), cursor.at);
  const number = cursor.match(/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y);
  if (number !== null) return cursor.made(numberNode(cursor, number, start));
  if (cursor.next === "'" || cursor.next === '"') {
    return cursor.made({ kind: "text", value: readText(cursor) });
  }
  const math = readMathName(cursor);
  if (math !== null) return cursor.made(readMath(cursor, math));
  const reference = readReference(cursor);
  if (reference !== null) return cursor.made(reference);
  return cursor.fail("Expected a number, a metric such as ${cpu.idle}.actual, a function or (");
}
function numberNode(cursor, text, start) {
  const value = Number(text);
  if (!Number.isFinite(value)) cursor.fail("Expected a finite number", start);
  return { kind: "number", value };
}
function readMath(cursor, name) {
  const start = cursor.at;
  cursor.expect("(");
  const args = [readChoice(cursor)];
  while (cursor.take(",")) args.push(readChoice(cursor));
  cursor.expect(")");
  const isVariadic = name === "min" || name === "max";
  const wanted = name === "pow" ? 2 : 1;
  if (!isVariadic && args.length !== wanted) {
    cursor.fail(`Expected ${wanted} argument${wanted > 1 ? "s" : ""} of ${name}`, start);
  }
  return { kind: "math", function: name, args };
}

// src/formula/bind.ts
function renamed(expression, change) {
  const again = (one) => renamed(one, change);
  switch (expression.kind) {
    case "metric":
    case "hasMetric":
      return { ...expression, fqn: change.name(expression.fqn) };
    case "attribute":
    case "hasAttribute":
      return { ...expression, name: change.name(expression.name) };
    case "across":
      return { ...expression, pattern: change.pattern(expression.pattern) };
    case "math":
      return { ...expression, args: expression.args.map(again) };
    case "unary":
      return { ...expression, of: again(expression.of) };
    case "binary":
      return { ...expression, left: again(expression.left), right: again(expression.right) };
    case "choice": {
      const { condition, yes, no } = expression;
      return { ...expression, condition: again(condition), yes: again(yes), no: again(no) };
    }
    default:
      return expression;
  }
}
function bindGroups(expression, groups) {
  return renamed(expression, {
    name: (text) => fillTemplate(text, groups),
    pattern: (text) => fillPattern(text, groups)
  });
}
function referencesOf(expression) {
  const fqns = /* @__PURE__ */ new Set();
  const patterns = /* @__PURE__ */ new Set();
  let group = 0;
  const look = (text) => {
    group = Math.max(group, highestGroup(text));
    return text;
  };
  visit(expression, (one) => {
    if (one.kind === "metric" || one.kind === "hasMetric") fqns.add(look(one.fqn));
    else if (one.kind === "across") patterns.add(look(one.pattern));
    else if (one.kind === "attribute" || one.kind === "hasAttribute") look(one.name);
  });
  return { fqns, patterns, highestGroup: group };
}
function visit(expression, see) {
  see(expression);
  if (expression.kind === "math") for (const one of expression.args) visit(one, see);
  else if (expression.kind === "unary") visit(expression.of, see);
  else if (expression.kind === "binary") {
    visit(expression.left, see);
    visit(expression.right, see);
  } else if (expression.kind === "choice") {
    visit(expression.condition, see);
    visit(expression.yes, see);
    visit(expression.no, see);
  }
}

// src/model/fqn.ts
var spaceCode = 32;
var isFqnCode = new Uint8Array(128);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") {
  isFqnCode[character.charCodeAt(0)] = 1;
}
function cleanFqn(raw) {
  for (let i = 0; i < raw.length; i++) {
    const code = raw.charCodeAt(i);
    if (code > 127 || isFqnCode[code] === 0) return cleanFrom(raw, i);
  }
  return raw;
}
function cleanFrom(raw, start) {
  let clean = raw.slice(0, start);
  for (let i = start; i < raw.length; i++) {
    const code = raw.charCodeAt(i);
    if (code === spaceCode) clean += "_";
    else if (code < 128 && isFqnCode[code] === 1) clean += raw[i];
  }
  return clean;
}
function elementUuid(tenantUuid, elementFqn) {
  return uuidV3(tenantUuid, elementFqn);
}
function metricUuid(tenantUuid, elementFqn, metricFqn) {
  return uuidV3(tenantUuid, `${elementFqn}\0${metricFqn}`);
}
var collectedPercentFqn = "netuitive.metrics.collected.percent";

// src/configuration/lookahead.ts
var head = /^(?:\(\?[a-zA-Z]+\))?\^?/;
var opening = "(?!";
var backtracking = /\(\?(?:<?[=!]|>)|\\[1-9]|\\k<|(?<!\\)[*+?}]\+/;
function expressionProblem(text) {
  const split = splitLookahead(text);
  if (split === null) return patternProblem(text);
  for (const part of [split.rest, ...split.without]) {
    const problem = patternProblem(part);
    if (problem !== null) return problem;
  }
  return null;
}
function needsBacktracking(text) {
  return backtracking.test(text);
}
function compileExpression(text) {
  const split = splitLookahead(text);
  if (split === null) return compilePattern(text, { caseless: true });
  const rest = compilePattern(split.rest, { caseless: true });
  const places = placesOf(split);
  return {
    test: (given) => placeOf(places, given) >= 0,
    fits: (given) => rest.fits(given) && isAllowed(places, given, 0)
  };
}
function compileExpressionCapture(text) {
  const split = splitLookahead(text);
  if (split === null) return compileCapture(text, { caseless: true });
  const rest = compileCapture(split.rest, { caseless: true });
  const places = placesOf(split);
  const empty = Array.from({ length: groupsOf(split.without) }, () => "");
  return {
    find(given) {
      const at = placeOf(places, given);
      const found = at < 0 ? null : rest.find(given, at);
      return found === null ? null : [found[0], ...empty, ...found.slice(1)];
    }
  };
}
function expressionGroups(text) {
  const split = splitLookahead(text);
  return split === null ? groupCountOf(text) : groupsOf([split.rest, ...split.without]);
}
function groupsOf(texts) {
  return texts.reduce((sum, text) => sum + groupCountOf(text), 0);
}
function placesOf({ rest, without }) {
  const caseless = { caseless: true };
  return {
    rest: compileStarts(rest, caseless),
    without: without.map((one) => compileStarts(one, caseless))
  };
}
function placeOf(places, given) {
  for (let from = 0; from <= given.length; from++) {
    from = places.rest.next(given, from);
    if (from < 0) return -1;
    if (isAllowed(places, given, from)) return from;
  }
  return -1;
}
function isAllowed({ without }, given, at) {
  return without.every((one) => one.next(given, at) !== at);
}
function splitLookahead(text) {
  const start = head.exec(text)[0];
  const without = [];
  let at = start.length;
  while (text.startsWith(opening, at)) {
    const end = closingOf(text, at);
    if (end < 0) return null;
    without.push(text.slice(at + opening.length, end));
    at = end + 1;
  }
  const behind = text.slice(at);
  if (without.length === 0 || /^[*+?{]/.test(behind) || hasAlternatives(behind)) return null;
  return { rest: start + behind, without };
}
function closingOf(text, open) {
  let depth = 0;
  for (const { at, sign } of signsOf(text, open)) {
    if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0) return at;
  }
  return -1;
}
function hasAlternatives(text) {
  let depth = 0;
  for (const { sign } of signsOf(text, 0)) {
    if (sign === "(") depth++;
    else if (sign === ")") depth--;
    else if (sign === "|" && depth === 0) return true;
  }
  return false;
}
function* signsOf(text, from) {
  const token = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:\w*:\]|\\.|[^\]\\])*\]|[()|]/gs;
  token.lastIndex = from;
  for (const found of text.matchAll(token)) {
    if (found.index >= from && found[0].length === 1) yield { at: found.index, sign: found[0] };
  }
}

// src/configuration/name-pattern.ts
var plainName = /^[\x20-\x7e]*$/;
var simpleStep = /\.\*|\.\+|\.|\\[^\w\s]|\[\.\]|[\w\- /%:=@,;<>&#!~]/y;
var simpleCharactersMax = 200;
var anyOne = "\0";
function isSimplePattern(text) {
  return simpleOf(text) !== null;
}
var NamePattern = class {
  text;
  simple;
  engine = null;
  /** Of an expression in which `expressionProblem` finds none. */
  constructor(text) {
    this.text = text;
    this.simple = simpleOf(text);
  }
  /** Makes the engine ready, so that the first name need not wait; false where none is needed. */
  prepare() {
    if (this.simple !== null) return false;
    this.compiled().test(this.text);
    return true;
  }
  /** True where some part of the name matches; `lower` is the name in lower case. */
  finds(name, lower) {
    if (this.simple !== null && plainName.test(name)) return matches(this.simple, lower);
    return this.compiled().test(name);
  }
  /** True where the whole name matches. */
  fits(name, lower) {
    if (this.simple !== null && plainName.test(name)) {
      return matches({ ...this.simple, fromStart: true, toEnd: true }, lower);
    }
    return this.compiled().fits(name);
  }
  compiled() {
    return this.engine ??= compileExpression(this.text);
  }
};
function simpleOf(text) {
  if (text.length > simpleCharactersMax) return null;
  const fromStart = text.startsWith("^");
  const toEnd = text.endsWith("$") && !text.endsWith("\\$");
  const runs = [""];
  const end = text.length - (toEnd ? 1 : 0);
  let at = fromStart ? 1 : 0;
  while (at < end) {
    simpleStep.lastIndex = at;
    const step = simpleStep.exec(text)?.[0];
    if (step === void 0) return null;
    at += step.length;
    if (/[*+?{]/.test(text.charAt(at))) return null;
    const last = runs.length - 1;
    if (step === ".*") runs.push("");
    else if (step === ".+") runs.splice(last, 1, runs[last] + anyOne, "");
    else if (step === ".") runs[last] += anyOne;
    else runs[last] += step === "[.]" ? "." : step.at(-1).toLowerCase();
  }
  return { runs, fromStart, toEnd };
}
function matches({ runs, fromStart, toEnd }, lower) {
  const last = runs.length - 1;
  let at = 0;
  for (let i = 0; i <= last; i++) {
    const run = runs[i];
    const isFixed = i === 0 && fromStart;
    let found = at;
    if (i === last && toEnd) {
      found = lower.length - run.length;
      if (isFixed && found !== 0) return false;
      if (found < at || !standsAt(run, lower, found)) return false;
    } else if (isFixed) {
      if (!standsAt(run, lower, 0)) return false;
    } else found = placeOf2(run, lower, at);
    if (found < 0) return false;
    at = found + run.length;
  }
  return true;
}
function placeOf2(run, lower, from) {
  if (!run.includes(anyOne)) return lower.indexOf(run, from);
  for (let at = from; at + run.length <= lower.length; at++) if (standsAt(run, lower, at)) return at;
  return -1;
}
function standsAt(run, lower, at) {
  if (at + run.length > lower.length) return false;
  for (let i = 0; i < run.length; i++) {
    const one = run.charAt(i);
    if (one !== anyOne && one !== lower.charAt(at + i)) return false;
  }
  return true;
}

// src/configuration/fields.ts
var Findings = class {
  problems = [];
  /** What is left out, one sentence each, naming a JSON path. */
  warnings = [];
  add(path, expected, got) {
    this.problems.push(`${path}: expected ${expected}, got ${shown(got)}`);
    return void 0;
  }
  /** For an expression that is one, and has no meaning for our engine. */
  leaveOut(path, got) {
    const expected = "a regular expression without look-around but (?!\u2026) at its head";
    this.warnings.push(`${path}: left out, expected ${expected}, got ${shown(got)}`);
    return void 0;
  }
};
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
var Fields = class {
  path;
  object;
  findings;
  constructor(object, path, findings) {
    this.object = object;
    this.path = path;
    this.findings = findings;
  }
  raw(name) {
    const value = Object.hasOwn(this.object, name) ? this.object[name] : void 0;
    return isNothing(value) ? void 0 : value;
  }
  at(name) {
    return this.path === "" ? name : `${this.path}.${name}`;
  }
  wrong(name, expected) {
    return this.findings.add(this.at(name), expected, this.raw(name));
  }
  text(name) {
    const value = this.raw(name);
    if (value === void 0) return void 0;
    if (typeof value === "string" && value.length <= textCharactersMax) return value;
    return this.wrong(name, `a text of at most ${textCharactersMax} characters`);
  }
  /** A regular expression that our engine takes; left out where another engine alone would. */
  pattern(name) {
    const text = this.text(name);
    const isFine = text === void 0 || isSimplePattern(text);
    const problem = isFine ? null : expressionProblem(text);
    if (problem === null) return text;
    if (needsBacktracking(text)) return this.findings.leaveOut(this.at(name), text);
    return this.wrong(name, `a regular expression (${problem})`);
  }
  number(name) {
    const value = this.raw(name);
    if (value === void 0) return void 0;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
    return this.wrong(name, "a finite number");
  }
  boolean(name) {
    const value = this.raw(name);
    if (value === void 0) return void 0;
    if (value === true || value === "true") return true;
    if (value === false || value === "false") return false;
    return this.wrong(name, "true or false");
  }
  child(name) {
    const value = this.raw(name);
    if (value === void 0 || isObject(value)) return value;
    return this.wrong(name, "an object");
  }
  /** Texts; numbers and booleans count as such. */
  texts(name) {
    const value = this.raw(name);
    if (value === void 0) return [];
    if (Array.isArray(value) && value.every(isScalar)) return value.map(String);
    this.wrong(name, "a list of texts");
    return [];
  }
};
function isNothing(value) {
  return value === null || value === "" || value === "null";
}
function isScalar(value) {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
function shown(value) {
  if (value === void 0) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}

// src/configuration/computed-entry.ts
var computedNameMax = fqnCharactersMax / 2;
function readComputed(entry, findings) {
  const child = entry.child("properties");
  if (child === void 0) {
    if (entry.raw("properties") === void 0) entry.wrong("properties", "an object");
    return void 0;
  }
  const fields = new Fields(child, entry.at("properties"), findings);
  const fqn = fields.text("fqn") ?? entry.text("match");
  const captureName = fields.raw("capture") === void 0 ? "for" : "capture";
  const capture = fields.pattern(captureName);
  const expressions = readExpressions(fields, findings);
  if (fqn === void 0 || cleanTemplate(fqn) === "" || fqn.length > computedNameMax) {
    const expected = `the name of the metric, of 1 to ${computedNameMax} characters`;
    return fields.wrong("fqn", expected);
  }
  if (capture === void 0 && fields.raw(captureName) !== void 0) return void 0;
  const groups = capture === void 0 ? 0 : expressionGroups(capture);
  judgeGroups(fields, { fqn, groups, expressions });
  const name = fields.text("name") ?? null;
  return { fqn: cleanTemplate(fqn), name, capture: capture ?? null, expressions };
}
function cleanTemplate(fqn) {
  const pieces = fqn.split(/(\$\{\d{1,2}\})/);
  return pieces.map((piece, i) => i % 2 === 1 ? piece : cleanFqn(piece)).join("");
}
function readExpressions(fields, findings) {
  const list = fields.raw("expressions") ?? fields.raw("expression");
  const name = fields.raw("expressions") === void 0 ? "expression" : "expressions";
  const all = Array.isArray(list) ? list : [list];
  const texts = all.filter((text) => text !== null && text !== void 0 && text !== "");
  if (texts.length === 0 || texts.length > expressionsPerEntryMax) {
    fields.wrong("expressions", `1 to ${expressionsPerEntryMax} expressions`);
    return [];
  }
  return texts.flatMap((text, i) => {
    const at = Array.isArray(list) ? `${fields.at(name)}[${i}]` : fields.at(name);
    try {
      return [parseExpression(String(text))];
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      findings.problems.push(`${at}: ${error.message}`);
      return [];
    }
  });
}
function judgeGroups(fields, what) {
  const named = Math.max(
    highestGroup(what.fqn),
    largestOf(what.expressions.map((one) => referencesOf(one).highestGroup))
  );
  if (named <= what.groups) return;
  fields.wrong("capture", `a regular expression with the group that \${${named}} names`);
}

// src/configuration/configuration.ts
var configurationTypes = ["ACE", "COMPUTED_METRIC", "METRIC_META"];

// src/model/metric-settings.ts
var actualStatistics = ["average", "sum", "min", "max", "last", "cnt"];

// src/configuration/properties.ts
var synonyms2 = {
  avg: "average",
  actual: "average",
  count: "cnt"
};
function readSettings(fields) {
  const settings = {
    statistic: readStatistic2(fields, "STATISTIC") ?? readStatistic2(fields, "statistic"),
    counter: fields.text("type")?.toUpperCase() === "COUNTER" ? true : void 0,
    sparseDataStrategy: readStrategy(fields),
    ...readRange(fields),
    baseline: fields.boolean("baseline"),
    correlation: fields.boolean("correlation"),
    tags: readTags(fields)
  };
  const said = Object.entries(settings).filter(([, value]) => value !== void 0);
  return Object.fromEntries(said);
}
function readStatistic2(fields, name) {
  const text = fields.text(name)?.toLowerCase();
  if (text === void 0) return void 0;
  const known = actualStatistics.find((one) => one === (synonyms2[text] ?? text));
  return known ?? fields.wrong(name, `one of ${actualStatistics.join(", ")}`);
}
function readStrategy(fields) {
  const text = fields.text("sparseDataStrategy")?.toLowerCase();
  if (text === void 0) return void 0;
  const known = sparseStrategies.find((one) => one.toLowerCase() === text);
  return known ?? fields.wrong("sparseDataStrategy", `one of ${sparseStrategies.join(", ")}`);
}
function readRange(fields) {
  const [validMin, validMax] = [fields.number("validMin"), fields.number("validMax")];
  if (validMin !== void 0 && validMax !== void 0 && validMin > validMax) {
    fields.wrong("validMin", `at most validMax (${validMax})`);
  }
  return {
    ...validMin === void 0 ? {} : { validMin },
    ...validMax === void 0 ? {} : { validMax }
  };
}
function readTags(fields) {
  const tags = fields.child("tags");
  if (tags === void 0) return void 0;
  const said = Object.entries(tags).filter(([, value]) => !isNothing(value));
  if (said.length > tagsPerEntityMax || !said.every(([, value]) => isScalar(value))) {
    return fields.wrong("tags", `an object of at most ${tagsPerEntityMax} texts`);
  }
  if (said.length === 0) return void 0;
  said.sort(([left], [right]) => left < right ? -1 : 1);
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
}

// src/configuration/read.ts
function readConfiguration(json) {
  return atOnce(readingSteps(json));
}
function* problemSteps(json) {
  const { problems, warnings } = yield* readingSteps(json);
  return { problems, warnings };
}
function* readingSteps(json) {
  const findings = new Findings();
  const configuration = yield* readAny(json, findings);
  const { problems, warnings } = findings;
  return { configuration: problems.length === 0 ? configuration : null, problems, warnings };
}
function* readAny(json, findings) {
  if (Array.isArray(json)) return yield* readMetaList(json, "", findings);
  if (!isObject(json)) {
    findings.add("(file)", "an object with analyticConfiguration, or a list of entries", json);
    return null;
  }
  const inner = json.analyticConfiguration ?? json;
  const path = inner === json ? "" : "analyticConfiguration";
  if (Array.isArray(inner)) return yield* readMetaList(inner, path, findings);
  if (!isObject(inner)) {
    findings.add(path, "an object", inner);
    return null;
  }
  if (inner === json && !("type" in json) && "match" in json) {
    return yield* readMetaList([json], path, findings);
  }
  return yield* readWhole(new Fields(inner, path, findings), findings);
}
function* readMetaList(list, path, findings) {
  const settings = yield* readEntries(list, path, findings, readSettingsEntry);
  return { type: "METRIC_META", name: "", scope: everything, settings, computed: [] };
}
var everything = {
  elementTypes: [],
  metricMatches: null,
  elementName: null,
  elementTags: [],
  elementTagsAll: true
};
function* readWhole(fields, findings) {
  const type = readType(fields);
  const warnings = findings.warnings.length;
  const scope = readScope(fields, findings);
  const isScopeWhole = findings.warnings.length === warnings;
  const list = fields.raw("metrics") ?? [];
  if (!Array.isArray(list)) {
    fields.wrong("metrics", "a list of entries with match and properties");
    return null;
  }
  if (type === void 0) return null;
  const isComputed = type === "COMPUTED_METRIC";
  const path = fields.at("metrics");
  const name = fields.text("name") ?? "";
  if (isComputed) {
    const computed = yield* readEntries(list, path, findings, readComputed);
    return { type, name, scope, settings: [], computed: isScopeWhole ? computed : [] };
  }
  const settings = yield* readEntries(list, path, findings, readSettingsEntry);
  return { type, name, scope, settings: isScopeWhole ? settings : [], computed: [] };
}
function readType(fields) {
  const text = fields.text("type");
  const known = configurationTypes.find((one) => one === text?.toUpperCase());
  if (text === void 0 && fields.raw("metrics") !== void 0) return "METRIC_META";
  return known ?? fields.wrong("type", `one of ${configurationTypes.join(", ")}`);
}
function* readEntries(list, path, findings, read) {
  if (list.length > entriesPerConfigurationMax) {
    const expected = `at most ${entriesPerConfigurationMax} entries`;
    findings.add(path || "(file)", expected, list.length);
    return [];
  }
  const entries = [];
  for (const [i, entry] of list.entries()) {
    const at = `${path}[${i}]`;
    if (isObject(entry)) {
      const one = read(new Fields(entry, at, findings), findings);
      if (one !== void 0) entries.push(one);
    } else findings.add(at, "an object with match and properties", entry);
    yield;
  }
  return entries;
}
function readSettingsEntry(fields, findings) {
  const match = fields.pattern("match");
  if (match === void 0 && fields.raw("match") === void 0) {
    fields.wrong("match", "a regular expression");
  }
  const settings = readSettings(
    new Fields(fields.child("properties") ?? {}, fields.at("properties"), findings)
  );
  return match === void 0 ? void 0 : { match, settings };
}
function readScope(parent, findings) {
  const fields = new Fields(parent.child("scope") ?? {}, parent.at("scope"), findings);
  const one = fields.text("elementType");
  return {
    elementTypes: [...one === void 0 ? [] : [one], ...fields.texts("elementTypes")],
    metricMatches: fields.pattern("metricMatches") ?? null,
    elementName: fields.text("elementName") ?? null,
    elementTags: readScopeTags(fields, findings),
    elementTagsAll: fields.boolean("elementTagsAll") ?? true
  };
}
function readScopeTags(fields, findings) {
  const said = fields.raw("elementTags");
  if (said === void 0) return [];
  const path = fields.at("elementTags");
  if (isObject(said)) return Object.entries(said).flatMap((pair) => mapTag(pair, path, findings));
  if (!Array.isArray(said)) {
    fields.wrong("elementTags", "a list of tags with name and value");
    return [];
  }
  return said.flatMap((tag, i) => {
    const at = `${path}[${i}]`;
    if (!isObject(tag)) {
      findings.add(at, "a tag with name and value", tag);
      return [];
    }
    const tagFields = new Fields(tag, at, findings);
    const name = tagFields.pattern("name");
    if (tagFields.raw("name") === void 0) tagFields.wrong("name", "a regular expression");
    return name === void 0 ? [] : [{ name, value: tagFields.pattern("value") ?? "" }];
  });
}
function mapTag([name, value], path, findings) {
  const at = `${path}.${name}`;
  const text = String(value);
  const problem = isScalar(value) ? expressionProblem(name) ?? expressionProblem(text) : "";
  if (problem === null) return [{ name, value: text }];
  if (isScalar(value) && [name, text].some(needsBacktracking)) findings.leaveOut(at, value);
  else findings.add(at, `a regular expression${problem && ` (${problem})`}`, value);
  return [];
}

export {
  cleanFqn,
  elementUuid,
  metricUuid,
  collectedPercentFqn,
  fillTemplate,
  bindGroups,
  referencesOf,
  expressionProblem,
  compileExpressionCapture,
  NamePattern,
  readConfiguration,
  problemSteps,
  readingSteps
};
//# sourceMappingURL=chunk-YLYUBZG2.js.map
