import {
  patternCharactersMax,
  patternStepsMax
} from "./chunk-5L33DSE6.js";
import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/base/steps.ts
function atOnce(steps) {
  for (; ; ) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
async function withPauses(steps, pauses) {
  const { elapsedMs, sliceMs, pause } = pauses;
  let endMs = elapsedMs() + sliceMs;
  for (; ; ) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (elapsedMs() < endMs) continue;
    await pause();
    endMs = elapsedMs() + sliceMs;
  }
}

// src/base/pattern.ts
import { RE2JS } from "re2js";
function patternProblem(text) {
  if (text.length > patternCharactersMax) {
    return `it has ${text.length} characters, at most ${patternCharactersMax} are taken`;
  }
  try {
    const steps = RE2JS.compile(text).programSize();
    if (steps <= patternStepsMax) return null;
    return `it comes to ${steps} steps with its repetitions unrolled, at most ${patternStepsMax}`;
  } catch (error) {
    return error.message;
  }
}
function compilePattern(text, { caseless }) {
  const compiled = compile(text, caseless);
  return {
    test: (given) => compiled.test(given),
    fits: (given) => compiled.testExact(given)
  };
}
function compileCapture(text, { caseless }) {
  const compiled = compile(text, caseless);
  const groupCount = compiled.groupCount();
  return {
    find(given, from = 0) {
      if (!compiled.test(given)) return null;
      const matcher = compiled.matcher(given);
      if (!matcher.find(from)) return null;
      return Array.from({ length: groupCount + 1 }, (_, group) => matcher.group(group) ?? "");
    }
  };
}
function compileStarts(text, { caseless }) {
  const compiled = compile(text, caseless);
  return {
    next(given, from) {
      const matcher = compiled.matcher(given);
      return matcher.find(from) ? matcher.start() : -1;
    }
  };
}
function groupCountOf(text) {
  return compile(text, false).groupCount();
}
function compile(text, caseless) {
  assert(text.length <= patternCharactersMax, "Expected an expression that was judged");
  return RE2JS.compile(text, caseless ? RE2JS.CASE_INSENSITIVE : 0);
}
function matchesWildcard(wanted, given) {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let i = 0; i < given.length; ) {
    if (wanted[at] === "*") {
      star = at++;
      taken = i;
    } else if (at < wanted.length && (wanted[at] === "?" || wanted[at] === given[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++taken;
    } else return false;
  }
  while (wanted[at] === "*") at++;
  return at === wanted.length;
}

export {
  patternProblem,
  compilePattern,
  compileCapture,
  compileStarts,
  groupCountOf,
  matchesWildcard,
  atOnce,
  withPauses
};
//# sourceMappingURL=chunk-KPUJ7UZQ.js.map
