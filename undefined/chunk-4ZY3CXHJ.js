import {
  NamePattern,
  expressionProblem
} from "./chunk-YLYUBZG2.js";
import {
  atOnce
} from "./chunk-KPUJ7UZQ.js";
import {
  pushAll,
  smallestOf
} from "./chunk-BLE2ZYMV.js";

// src/configuration/stored.ts
function inOrder(stored) {
  const keyed = stored.map(({ id, document }) => {
    if (!isOfPackage(document)) return { id, value: document, packageId: "", position: 0 };
    const { packageId, position, configuration } = document;
    return { id, value: configuration, packageId, position };
  });
  keyed.sort(
    (left, right) => compareTexts(left.packageId, right.packageId) || left.position - right.position || compareTexts(left.id, right.id)
  );
  return keyed.map(({ id, value }) => configurationOf(id, value));
}
function configurationOf(id, value) {
  if (typeof value !== "string") {
    return { id, text: JSON.stringify(value) ?? "null", json: () => value };
  }
  return { id, text: value, json: () => JSON.parse(value) };
}
function isOfPackage(document) {
  return typeof document === "object" && document !== null && "packageId" in document;
}
function compareTexts(left, right) {
  return left < right ? -1 : left > right ? 1 : 0;
}

// src/configuration/literal.ts
var nothing = [];
function literalsNeeded(pattern) {
  if (pattern.includes("\\Q")) return nothing;
  const reader = new Reader(pattern);
  const needs = reader.alternation();
  return reader.at === pattern.length ? needs : nothing;
}
var Reader = class {
  text;
  at = 0;
  constructor(text) {
    this.text = text;
  }
  /** Branches up to the closing bracket or the end: one of them matches. */
  alternation() {
    const branches = [];
    do
      branches.push(this.sequence());
    while (this.takes("|"));
    if (branches.length === 1) return branches[0];
    const best = branches.map(longest);
    return best.includes(null) ? nothing : [best.flatMap((set) => set ?? [])];
  }
  /** One branch: all of its parts match, so it needs what any of them does. */
  sequence() {
    const needs = [];
    let run = "";
    const close = () => {
      if (run !== "") needs.push([run]);
      run = "";
    };
    while (this.at < this.text.length && !"|)".includes(this.text.charAt(this.at))) {
      const part = this.part();
      const { isOptional, isRepeated } = this.quantifier();
      if (typeof part === "string") {
        if (isOptional) close();
        else run += part;
        if (isRepeated) close();
        continue;
      }
      close();
      if (!isOptional) pushAll(needs, part);
    }
    close();
    return needs;
  }
  /** A literal character as a text, else what the part needs. */
  part() {
    const one = this.text.charAt(this.at++);
    if (one === "(") return this.group();
    if (one === "[") return this.skipClass();
    if (one === "\\") return this.escape();
    if (".^$".includes(one) || one > "\x7F") return nothing;
    return one.toLowerCase();
  }
  group() {
    const isMarked = this.takes("?");
    const name = /^(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+(?=\)))/.exec(this.text.slice(this.at));
    const head = isMarked ? name : null;
    this.at += head?.[0].length ?? 0;
    const needs = this.alternation();
    const isClosed = this.takes(")");
    return isClosed && isMarked === (head !== null) ? needs : nothing;
  }
  skipClass() {
    this.takes("^");
    this.takes("]");
    while (this.at < this.text.length && this.text.charAt(this.at) !== "]") {
      this.at += this.text.charAt(this.at) === "\\" ? 2 : 1;
      if (this.text.startsWith("[:", this.at)) {
        this.at = Math.max(this.at, this.text.indexOf(":]", this.at) + 2);
      }
    }
    this.at++;
    return nothing;
  }
  /** An escaped sign stands for itself; a letter or digit for something else. */
  escape() {
    const one = this.text.charAt(this.at++);
    if (/[^\w]/.test(one)) return one;
    if (/[pPx]/.test(one)) {
      const rest = /^(?:\{[^}]*\}|\w{1,2})/.exec(this.text.slice(this.at));
      this.at += rest?.[0].length ?? 0;
    }
    return nothing;
  }
  quantifier() {
    const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.text.slice(this.at));
    if (found === null) return { isOptional: false, isRepeated: false };
    this.at += found[0].length;
    return { isOptional: !found[0].startsWith("+"), isRepeated: true };
  }
  takes(one) {
    if (this.text.charAt(this.at) !== one) return false;
    this.at++;
    return true;
  }
};
function longest(needs) {
  const shortest = (set) => set === null ? 0 : smallestOf(set.map((one) => one.length));
  return needs.reduce(
    (best, set) => shortest(set) > shortest(best) ? set : best,
    null
  );
}

// src/configuration/pattern-index.ts
var pieceLength = 3;
var preparedMax = 1e3;
var PatternIndex = class _PatternIndex {
  parts;
  constructor(parts) {
    this.parts = parts;
  }
  /** Each step takes as long as the engine needs to make ready one expression: 0.3 ms. */
  static *steps(texts) {
    const numbersOf = /* @__PURE__ */ new Map();
    for (const [number, text] of texts.entries()) {
      pushTo(numbersOf, text, number);
      yield;
    }
    const numbers = [...numbersOf.values()];
    const textOf = Array.from(texts, () => 0);
    for (const [text, list] of numbers.entries()) {
      for (const number of list) textOf[number] = text;
    }
    const patterns = [];
    const needs = [];
    let prepared = 0;
    for (const text of numbersOf.keys()) {
      const pattern = new NamePattern(text);
      if (prepared < preparedMax && pattern.prepare()) prepared++;
      patterns.push(pattern);
      needs.push(literalsNeeded(text));
      yield;
    }
    const places = yield* placesOf(needs);
    return new _PatternIndex({ patterns, textOf, needs, numbers, ...places });
  }
  /** Numbers of those that `isWanted` and find something in `name`, ascending. */
  find(name, isWanted) {
    const { patterns, needs, numbers, byPiece, always: always2 } = this.parts;
    const tried = /* @__PURE__ */ new Set();
    const found = [];
    const lower = name.toLowerCase();
    const attempt = (text) => {
      if (tried.has(text)) return;
      tried.add(text);
      if (!needs[text].every((set) => set.some((one) => lower.includes(one)))) return;
      const wanted = numbers[text].filter(isWanted);
      if (wanted.length === 0) return;
      if (patterns[text].finds(name, lower)) pushAll(found, wanted);
    };
    always2.forEach(attempt);
    for (let at = 0; at + pieceLength <= lower.length; at++) {
      byPiece.get(pieceAt(lower, at))?.forEach(attempt);
    }
    return found.sort((left, right) => left - right);
  }
  /** True where the expression of this number fits the whole name. */
  fits(number, name, lower) {
    const { patterns, textOf } = this.parts;
    return patterns[textOf[number]].fits(name, lower);
  }
};
function* placesOf(needs) {
  const frequency = /* @__PURE__ */ new Map();
  for (const sets of needs) {
    countPieces(sets, frequency);
    yield;
  }
  const byPiece = /* @__PURE__ */ new Map();
  const always2 = [];
  for (const [text, sets] of needs.entries()) {
    const pieces = rarestPieces(sets, frequency);
    if (pieces === null) always2.push(text);
    else for (const piece of pieces) pushTo(byPiece, piece, text);
    yield;
  }
  return { byPiece, always: always2 };
}
function pieceAt(text, at) {
  const [first, second] = [text.charCodeAt(at) & 127, text.charCodeAt(at + 1) & 127];
  return first | second << 7 | (text.charCodeAt(at + 2) & 127) << 14;
}
function piecesOf(text) {
  const count = Math.max(0, text.length - pieceLength + 1);
  return Array.from({ length: count }, (_, at) => pieceAt(text, at));
}
function countPieces(sets, frequency) {
  for (const literal of sets.flat()) {
    for (const piece of piecesOf(literal)) frequency.set(piece, (frequency.get(piece) ?? 0) + 1);
  }
}
function rarestPieces(sets, frequency) {
  let best = null;
  let bestCount = Infinity;
  for (const set of sets) {
    if (set.some(({ length }) => length < pieceLength)) continue;
    const pieces = new Set(set.map((literal) => rarest(piecesOf(literal), frequency)));
    const count = [...pieces].reduce((sum, piece) => sum + frequency.get(piece), 0);
    if (count >= bestCount) continue;
    best = pieces;
    bestCount = count;
  }
  return best;
}
function rarest(pieces, frequency) {
  return pieces.reduce(
    (best, piece) => frequency.get(piece) < frequency.get(best) ? piece : best
  );
}
function pushTo(map, key, value) {
  const list = map.get(key);
  if (list === void 0) map.set(key, [value]);
  else list.push(value);
}

// src/configuration/element-index.ts
var rememberedTagsMax = 2e4;
var ElementIndex = class _ElementIndex {
  parts;
  constructor(parts) {
    this.parts = parts;
  }
  static *steps(scopes) {
    const tags = yield* TagIndex.steps(scopes.flatMap(({ elementTags }) => elementTags));
    const named = [];
    const patterns = [];
    const byType = /* @__PURE__ */ new Map();
    const anyType = [];
    for (const [
      scope,
      { elementTypes, elementName, elementTags, elementTagsAll }
    ] of scopes.entries()) {
      const numbers = elementTags.map((tag) => tags.numberOf(tag));
      const asksName = elementName !== null;
      const asked = { scope, asksName, tags: numbers, isAll: elementTagsAll };
      if (elementName !== null) {
        named.push(scope);
        patterns.push(namePattern(elementName));
      }
      if (elementTypes.length === 0) anyType.push(asked);
      for (const type of new Set(elementTypes.map((one) => one.toLowerCase()))) {
        const list = byType.get(type);
        if (list === void 0) byType.set(type, [asked]);
        else list.push(asked);
      }
      yield;
    }
    const names = yield* PatternIndex.steps(patterns);
    return new _ElementIndex({ byType, anyType, named, names, tags });
  }
  /** Numbers of the scopes that the element meets, whatever metrics it has. */
  find(fqn, info) {
    const { byType, anyType, tags } = this.parts;
    const named = this.namedBy(fqn, info);
    const tagged = /* @__PURE__ */ new Set();
    for (const list of [info.tags, info.serviceTags ?? []]) {
      for (const tag of list) for (const met of tags.metBy(tag)) tagged.add(met);
    }
    const isTagged = (wanted) => tagged.has(wanted);
    const found = [];
    for (const list of [byType.get(info.type.toLowerCase()) ?? [], anyType]) {
      for (const { scope, asksName, tags: wanted, isAll } of list) {
        if (asksName && !named.has(scope)) continue;
        if (wanted.length > 0 && !(isAll ? wanted.every(isTagged) : wanted.some(isTagged))) continue;
        found.push(scope);
      }
    }
    return found;
  }
  /** Scopes whose name is found in that of the element or in its id. */
  namedBy(fqn, { name }) {
    const { named, names } = this.parts;
    if (named.length === 0) return nothing2;
    const found = names.find(name, always);
    const all = name === fqn ? found : [...found, ...names.find(fqn, always)];
    return all.length === 0 ? nothing2 : new Set(all.map((place) => named[place]));
  }
};
var nothing2 = /* @__PURE__ */ new Set();
var always = () => true;
function namePattern(wanted) {
  return expressionProblem(wanted) === null ? wanted : wanted.replace(/[^\w\s]/g, "\\$&");
}
var TagIndex = class _TagIndex {
  numbers;
  values;
  names;
  remembered = /* @__PURE__ */ new Map();
  constructor(numbers, values, names) {
    this.numbers = numbers;
    this.values = values;
    this.names = names;
  }
  static *steps(tags) {
    const distinct = new Map(tags.map((tag) => [tagKey(tag), tag]));
    const numbers = new Map([...distinct.keys()].map((key, number) => [key, number]));
    const values = [];
    for (const { value } of distinct.values()) {
      const pattern = new NamePattern(value);
      pattern.prepare();
      values.push(pattern);
      yield;
    }
    const names = yield* PatternIndex.steps([...distinct.values()].map(({ name }) => name));
    return new _TagIndex(numbers, values, names);
  }
  /** Of a tag that is wanted. */
  numberOf(tag) {
    return this.numbers.get(tagKey(tag));
  }
  /** Numbers of the wanted tags. */
  metBy(tag) {
    if (this.values.length === 0) return [];
    const key = tagKey(tag);
    const known = this.remembered.get(key);
    if (known !== void 0) return known;
    if (this.remembered.size >= rememberedTagsMax) this.remembered.clear();
    const lower = tag.value.toLowerCase();
    const met = this.names.find(tag.name, (number) => this.values[number].finds(tag.value, lower));
    this.remembered.set(key, met);
    return met;
  }
};
function tagKey({ name, value }) {
  return `${name}\0${value}`;
}

// src/configuration/scope.ts
var rememberedNamesMax = 1e5;
var Scopes = class _Scopes {
  scopes;
  numbers;
  byElement;
  metricIndex;
  states = /* @__PURE__ */ new WeakMap();
  sets = /* @__PURE__ */ new Map();
  metByName = /* @__PURE__ */ new Map();
  constructor(distinct, byElement, metricIndex) {
    this.scopes = distinct.scopes;
    this.numbers = distinct.numbers;
    this.byElement = byElement;
    this.metricIndex = metricIndex;
  }
  static of(scopes) {
    return atOnce(_Scopes.steps(scopes));
  }
  static *steps(all) {
    const distinct = yield* distinctOf(all);
    const byElement = yield* ElementIndex.steps(distinct.scopes);
    const wanted = distinct.scopes.map(({ metricMatches }) => metricMatches ?? "");
    return new _Scopes(distinct, byElement, yield* PatternIndex.steps(wanted));
  }
  of(subject) {
    let state = this.states.get(subject.info);
    if (state === void 0) this.states.set(subject.info, state = this.stateOf(subject));
    this.lookAtMetrics(state, subject);
    state.set ??= this.setOf(state.met);
    return state.set;
  }
  stateOf({ fqn, info }) {
    const state = { met: /* @__PURE__ */ new Set(), waiting: /* @__PURE__ */ new Set(), metricsSeen: 0, set: null };
    for (const scope of this.byElement.find(fqn, info)) {
      const { metricMatches } = this.scopes[scope];
      const isMet = metricMatches === null;
      if (isMet) state.met.add(scope);
      else state.waiting.add(scope);
    }
    return state;
  }
  lookAtMetrics(state, subject) {
    while (state.metricsSeen < subject.metricCount && state.waiting.size > 0) {
      for (const scope of this.metBy(subject.metricFqn(state.metricsSeen++))) {
        if (!state.waiting.delete(scope)) continue;
        state.met.add(scope);
        state.set = null;
      }
    }
  }
  metBy(fqn) {
    const known = this.metByName.get(fqn);
    if (known !== void 0) return known;
    if (this.metByName.size >= rememberedNamesMax) this.metByName.clear();
    const met = this.metricIndex.find(fqn, (scope) => this.scopes[scope].metricMatches !== null);
    this.metByName.set(fqn, met);
    return met;
  }
  setOf(met) {
    const scopes = [...met].sort((left, right) => left - right);
    const key = scopes.join();
    let set = this.sets.get(key);
    if (set === void 0) {
      set = { numbers: new Set(scopes.flatMap((scope) => this.numbers[scope])) };
      this.sets.set(key, set);
    }
    return set;
  }
};
function* distinctOf(all) {
  const distinct = /* @__PURE__ */ new Map();
  for (const [number, scope] of all.entries()) {
    const text = JSON.stringify(scope);
    const known = distinct.get(text);
    if (known === void 0) distinct.set(text, { scope, numbers: [number] });
    else known.numbers.push(number);
    yield;
  }
  return {
    scopes: Array.from(distinct.values(), ({ scope }) => scope),
    numbers: Array.from(distinct.values(), ({ numbers }) => numbers)
  };
}

export {
  literalsNeeded,
  PatternIndex,
  Scopes,
  inOrder
};
//# sourceMappingURL=chunk-4ZY3CXHJ.js.map
