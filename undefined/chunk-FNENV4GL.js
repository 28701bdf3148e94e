import {
  nearest
} from "./chunk-IEKB2XZW.js";
import {
  invalid
} from "./chunk-BZJGDYVY.js";
import {
  cycleMs
} from "./chunk-WSUH7ILY.js";
import {
  errorStringsMax
} from "./chunk-5L33DSE6.js";

// src/wire/problems.ts
var Problems = class {
  sentences = [];
  untold = 0;
  /** `sentence` names the field and the value. */
  add(sentence2) {
    if (this.sentences.length < errorStringsMax - 1) this.sentences.push(sentence2);
    else this.untold++;
  }
  /** Throws `invalid` where something was added. */
  throwIfAny() {
    if (this.sentences.length === 0) return;
    const rest = this.untold === 0 ? [] : [`and ${this.untold} more problems`];
    throw invalid([...this.sentences, ...rest]);
  }
};
var shownCharactersMax = 80;
function shown(value) {
  const text = typeof value === "string" ? JSON.stringify(value) : compact(value);
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}\u2026` : text;
}
function compact(value) {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
function didYouMean(word, known) {
  const name = nearest(word, known);
  return name === null ? "" : `; did you mean ${shown(name)}?`;
}

// src/wire/body.ts
import * as v from "valibot";
var textValue = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], "a text"),
  v.transform(String)
);
var booleanValue = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(["true", "false"]),
      v.transform((text) => text === "true")
    )
  ],
  "true or false"
);
var noArray = v.custom(() => false, "an object");
function objectValue(entries) {
  const object2 = v.object(entries);
  return v.lazy((raw) => Array.isArray(raw) ? noArray : object2);
}
function wholeNumber(min, max) {
  const expected = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  return v.pipe(
    v.union(
      [v.number(), v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number))],
      `a whole number, ${expected}`
    ),
    v.check(
      (value) => Number.isInteger(value) && value >= min && value <= max,
      `a whole number, ${expected}`
    )
  );
}
function readWith(schema, raw, { path, problems }) {
  const result = v.safeParse(schema, raw);
  if (result.success) return result.output;
  for (const issue of result.issues) problems.add(sentence(issue, path));
  return null;
}
function sentence(issue, path) {
  if (issue.message.startsWith("Invalid key")) {
    return `${pathOf(issue, path)}: expected a value, got undefined`;
  }
  const expected = issue.message.startsWith("Invalid") ? named(issue.expected) : issue.message;
  return `${pathOf(issue, path)}: expected ${expected}, got ${shown(issue.input)}`;
}
function named(expected) {
  if (expected === "Object") return "an object";
  if (expected === "Array") return "an array";
  return expected === "string" ? "a text" : expected ?? "something else";
}
function pathOf(issue, start) {
  let path = start;
  for (const { key } of issue.path ?? []) {
    path += typeof key === "number" ? `[${key}]` : path === "" ? `${String(key)}` : `.${String(key)}`;
  }
  return path || "body";
}

// src/model/event-level.ts
var eventLevels = ["INFO", "WARNING", "CRITICAL"];
var levelNumbers = [1, 2, 3];
var levelByWord = {
  __proto__: null,
  INFO: "INFO",
  WARN: "WARNING",
  WARNING: "WARNING",
  CRIT: "CRITICAL",
  CRITICAL: "CRITICAL"
};
function levelOf(dataLevel, type) {
  return levelOfWord(dataLevel ?? "") ?? levelOfWord(type) ?? "INFO";
}
function levelOfWord(word) {
  return levelByWord[word.trim().toUpperCase()];
}

// src/model/policy.ts
var analytics = [
  "actual",
  "baselineDeviation",
  "contextualDeviation",
  "suddenDeviation"
];
var operators = {
  actual: [">", ">=", "<", "<=", "==", "!="],
  baselineDeviation: [">", "<", "defined", "undefined"],
  contextualDeviation: [">", "<", "defined", "undefined"],
  suddenDeviation: [">", ">=", "<", "<="]
};
var openScope = {
  elementName: null,
  elementNameRegex: false,
  elementNameExclude: null,
  elementNameExcludeRegex: false,
  fqnIncludes: [],
  fqnExcludes: [],
  elementType: null,
  elementTypes: [],
  elementTags: [],
  elementTagsAll: true,
  excludedElementTags: [],
  elementAttributes: [],
  elementAttributesAll: true,
  excludedElementAttributes: []
};
var blankPolicy = {
  name: "",
  description: null,
  scope: openScope,
  duration: cycleMs / 1e3,
  anyCondition: false,
  conditions: [],
  eventConditions: [],
  checkCondition: null,
  actions: [],
  enabled: true,
  deleted: false,
  creatorEmail: null
};

export {
  eventLevels,
  levelNumbers,
  levelOf,
  levelOfWord,
  analytics,
  operators,
  openScope,
  blankPolicy,
  Problems,
  shown,
  didYouMean,
  textValue,
  booleanValue,
  objectValue,
  wholeNumber,
  readWith
};
//# sourceMappingURL=chunk-FNENV4GL.js.map
