import {
  ElementAnalysis,
  Rows,
  baselineHotFloats,
  correlationFloats,
  fillRow,
  gatherRow,
  historyCycle,
  historyFloats,
  inputPaused,
  inputSparse,
  isActive,
  predictRows,
  rememberRow,
  slotFloats,
  slotsOfCycle,
  suddenChange,
  suddenChangeValues
} from "./chunk-E55FANQB.js";
import {
  Scopes,
  inOrder,
  literalsNeeded
} from "./chunk-4ZY3CXHJ.js";
import {
  PolicySet,
  Query,
  TenantDirectory,
  helpWithParts,
  inMaintenance,
  partName,
  statisticsOfPart,
  yieldToOthers
} from "./chunk-JNOKX46Y.js";
import {
  ToldPlaces
} from "./chunk-JVQ4VFPB.js";
import {
  poolWorkerData,
  tidied,
  toOutcome,
  turnOfLoop
} from "./chunk-22IKJ6ZY.js";
import "./chunk-5QVC5N6S.js";
import {
  NamePattern,
  bindGroups,
  collectedPercentFqn,
  compileExpressionCapture,
  elementUuid,
  expressionProblem,
  fillTemplate,
  readConfiguration,
  referencesOf
} from "./chunk-YLYUBZG2.js";
import {
  configurationKind
} from "./chunk-PZOPM4PF.js";
import {
  openReadStore,
  openSeriesReader
} from "./chunk-TAVG4KYY.js";
import {
  CellColumns,
  averageOf,
  bandWidth,
  definitionAverage,
  definitionCode,
  flagSparse,
  hasActual,
  sparseStrategyOf
} from "./chunk-SLADJPH6.js";
import "./chunk-FTDLCQXU.js";
import "./chunk-FNENV4GL.js";
import "./chunk-KPUJ7UZQ.js";
import "./chunk-IEKB2XZW.js";
import "./chunk-QNSZFSTN.js";
import "./chunk-BZJGDYVY.js";
import {
  cyclesPerDay
} from "./chunk-WSUH7ILY.js";
import {
  largestOf,
  pushAll,
  smallestOf
} from "./chunk-BLE2ZYMV.js";
import {
  computedPerElementMax,
  fqnCharactersMax,
  seriesPerBlock
} from "./chunk-5L33DSE6.js";
import {
  assert,
  unreachable
} from "./chunk-YBJXGIGP.js";

// src/cycle/computing.ts
function computeMetrics(world, where, metricFqns, take) {
  const { computed, catalogue } = world;
  const subject = {
    fqn: catalogue.elementFqn(where.element),
    info: catalogue.elementInfo(where.element),
    metricFqns,
    valueOf: (place, statistic) => valueOf(world, where.from + place, statistic)
  };
  computed.evaluate(subject, take);
}
function valueOf({ cells, rows, cycle }, row, statistic) {
  const actual = rows.inputs.actual[row];
  if (statistic === "actual") return Number.isNaN(actual) ? void 0 : actual;
  const { cells: columns, slot } = cells.of(rows.series[row], cycle);
  const count = columns.count[slot];
  if (!(count > 0)) return Number.isNaN(actual) || statistic === "cnt" ? void 0 : actual;
  switch (statistic) {
    case "avg":
      return averageOf(columns.sum[slot], count);
    case "min":
      return columns.min[slot];
    case "max":
      return columns.max[slot];
    case "sum":
      return columns.sum[slot];
    case "cnt":
      return count;
  }
}

// src/cycle/cycle-cells.ts
var blocksMax = 128;
var CycleCells = class {
  store;
  cells;
  bands;
  constructor(store) {
    this.store = store;
    this.cells = new BlockCache(
      () => new CellColumns(seriesPerBlock),
      (block, cycle, cells) => store.cycleCells(block, cycle, cells)
    );
    this.bands = new BlockCache(
      () => new Float32Array(seriesPerBlock * bandWidth),
      (block, cycle, bands) => store.cycleBands(block, cycle, bands)
    );
  }
  /** Forgets everything that was read. */
  clear() {
    this.cells.clear();
    this.bands.clear();
  }
  /** Valid until `blocksMax` other blocks were asked for. */
  of(series, cycle) {
    const { catalogue } = this.store;
    const cells = this.cells.of(catalogue.seriesBlock(series), cycle);
    return { cells, slot: catalogue.seriesSlot(series) };
  }
  /** Likewise. */
  bandOf(series, cycle) {
    const { catalogue } = this.store;
    const bands = this.bands.of(catalogue.seriesBlock(series), cycle);
    return { bands, at: catalogue.seriesSlot(series) * bandWidth };
  }
};
var BlockCache = class {
  blocks = /* @__PURE__ */ new Map();
  spare = [];
  make;
  read;
  constructor(make, read) {
    this.make = make;
    this.read = read;
  }
  clear() {
    pushAll(this.spare, this.blocks.values());
    this.blocks.clear();
  }
  of(block, cycle) {
    const key = `${cycle}:${block}`;
    const known = this.blocks.get(key);
    if (known !== void 0) return known;
    if (this.blocks.size >= blocksMax) {
      const [oldest, columns2] = this.blocks.entries().next().value;
      this.blocks.delete(oldest);
      this.spare.push(columns2);
    }
    const columns = this.spare.pop() ?? this.make();
    this.read(block, cycle, columns);
    this.blocks.set(key, columns);
    return columns;
  }
};

// src/cycle/element-view.ts
var historyChunk = 12;
var ElementView = class {
  metricFqns;
  world;
  cycle;
  where;
  /** Values of computed metrics that are new in this cycle, behind the rows. */
  added;
  places = null;
  histories = /* @__PURE__ */ new Map();
  constructor(world, cycle, where, metrics) {
    this.world = world;
    this.cycle = cycle;
    this.where = where;
    this.metricFqns = metrics.fqns;
    this.added = metrics.added;
  }
  placeOf(fqn) {
    this.places ??= new Map(this.metricFqns.map((name, place) => [name, place]));
    return this.places.get(fqn) ?? -1;
  }
  tagsOf(place) {
    if (this.isAdded(place)) return [];
    const definition = this.world.catalogue.seriesDefinition(this.seriesAt(place));
    const { tags, serviceTags = [], settings } = definition;
    const given = Object.entries(settings?.tags ?? {}).map(([name, value]) => ({ name, value }));
    const winning = new Set([...serviceTags, ...given].map(({ name }) => name));
    return [...serviceTags, ...given, ...tags.filter(({ name }) => !winning.has(name))];
  }
  actual(place, back) {
    if (this.isAdded(place)) {
      return back === 0 ? this.added[place - this.rowCount] : NaN;
    }
    if (back === 0) return this.world.rows.inputs.actual[this.where.from + place];
    if (this.isToday(back)) {
      const { cells, slot } = this.world.cells.of(this.seriesAt(place), this.cycle - back);
      return hasActual(cells, slot) ? cells.actual[slot] : NaN;
    }
    const { history, at } = this.historyAt(place, back);
    return history.actuals[at];
  }
  baseline(place, back) {
    const { baselineMean, baselineStddev } = this.world.rows.bands;
    return this.band(place, back, { mean: baselineMean, stddev: baselineStddev, field: 0 });
  }
  contextual(place, back) {
    const { contextualMean, contextualStddev } = this.world.rows.bands;
    return this.band(place, back, { mean: contextualMean, stddev: contextualStddev, field: 2 });
  }
  /** Sparse values count as missing: they were not observed. */
  sudden(place, back) {
    if (this.isAdded(place)) return null;
    const cycle = this.cycle - back;
    const previous = Array.from(
      { length: suddenChangeValues },
      (_, i) => this.observed(place, cycle - suddenChangeValues + i)
    );
    const observed = this.observed(place, cycle);
    const change = suddenChange(previous, observed);
    return change === void 0 ? null : { percent: 100 * change.change };
  }
  band(place, back, columns) {
    if (this.isAdded(place)) return null;
    if (back === 0) {
      const row = this.where.from + place;
      return bandOf(columns.mean[row], columns.stddev[row]);
    }
    if (this.isToday(back)) {
      const { bands, at: at2 } = this.world.cells.bandOf(this.seriesAt(place), this.cycle - back);
      return bandOf(bands[at2 + columns.field], bands[at2 + columns.field + 1]);
    }
    const { history, at } = this.historyAt(place, back);
    const from = at * bandWidth + columns.field;
    return bandOf(history.bands[from], history.bands[from + 1]);
  }
  /**
   * Of the day of the cycle that closes, cycles are read one by one, for all elements of a part:
   * 25 µs a block, where a question for 12 cycles of one element takes 9 ms. Earlier days may be
   * sealed, and then a single cycle takes as long as all of them.
   */
  isToday(back) {
    return back <= this.cycle % cyclesPerDay;
  }
  observed(place, cycle) {
    if (cycle === this.cycle) {
      const row = this.where.from + place;
      const { actual, flags } = this.world.rows.inputs;
      return (flags[row] & inputSparse) !== 0 ? NaN : actual[row];
    }
    const { cells, slot } = this.world.cells.of(this.seriesAt(place), cycle);
    const isObserved = hasActual(cells, slot) && (cells.flags[slot] & flagSparse) === 0;
    return isObserved ? cells.actual[slot] : NaN;
  }
  /** The chunk of the past that holds a cycle, for all metrics of the element at once. */
  historyAt(place, back) {
    const chunk = Math.floor((back - 1) / historyChunk);
    const toCycle = this.cycle - chunk * historyChunk;
    let history = this.histories.get(chunk);
    if (history === void 0) {
      const { rows, store } = this.world;
      const series = rows.series.slice(this.where.from, this.where.to);
      history = store.bucketHistory(series, toCycle - historyChunk, toCycle);
      this.histories.set(chunk, history);
    }
    const offset = this.cycle - back - (toCycle - historyChunk);
    return { history, at: place * history.cycles + offset };
  }
  get rowCount() {
    return this.where.to - this.where.from;
  }
  isAdded(place) {
    return place >= this.rowCount;
  }
  seriesAt(place) {
    return this.world.rows.series[this.where.from + place];
  }
};
function bandOf(mean, stddev) {
  return Number.isNaN(mean) ? null : { mean, stddev };
}

// src/cycle/metric-names.ts
var listsMax = 5e3;
var MetricNamesBook = class {
  /** Asked for its catalogue anew each time: it may open another. */
  store;
  byInfo = /* @__PURE__ */ new WeakMap();
  byNumbers = /* @__PURE__ */ new Map();
  constructor(store) {
    this.store = store;
  }
  /** The same object as long as the element's metrics are the same: none ever goes. */
  of(element) {
    const { catalogue } = this.store;
    const info = catalogue.elementInfo(element);
    const series = catalogue.elementSeries(element);
    const known = this.byInfo.get(info);
    if (known?.fqns.length === series.length) return known;
    const names = this.intern(Array.from(series, (one) => catalogue.seriesName(one)));
    this.byInfo.set(info, names);
    return names;
  }
  intern(numbers) {
    const key = numbers.join();
    const known = this.byNumbers.get(key);
    if (known !== void 0) return known;
    if (this.byNumbers.size >= listsMax) this.byNumbers.clear();
    const names = namesOf(numbers.map((number) => this.store.catalogue.name(number).fqn));
    this.byNumbers.set(key, names);
    return names;
  }
};
function namesOf(fqns) {
  let places = null;
  return {
    fqns,
    placeOf(fqn) {
      places ??= new Map(fqns.map((name, place) => [name, place]));
      return places.get(fqn) ?? -1;
    }
  };
}

// src/cycle/outputs.ts
var Outputs = class {
  fills = { series: [], actuals: [] };
  definitions = { series: [], codes: [] };
  computed = {
    elements: [],
    fqns: [],
    actuals: [],
    definitions: []
  };
  bands = { series: [], values: [] };
  states = [];
  addFill(series, actual) {
    this.fills.series.push(series);
    this.fills.actuals.push(actual);
  }
  addDefinition(series, code) {
    this.definitions.series.push(series);
    this.definitions.codes.push(code);
  }
  addComputed(element, fqn, actual, patch) {
    this.computed.elements.push(element);
    this.computed.fqns.push(fqn);
    this.computed.actuals.push(actual);
    this.computed.definitions.push(patch);
  }
  /** Takes the bands of a row, where it has any. */
  addBands(series, bands, row) {
    const baseline = bands.baselineMean[row];
    const contextual = bands.contextualMean[row];
    if (Number.isNaN(baseline) && Number.isNaN(contextual)) return;
    this.bands.series.push(series);
    this.bands.values.push(baseline, bands.baselineStddev[row]);
    this.bands.values.push(contextual, bands.contextualStddev[row]);
  }
  addStates(changes) {
    pushAll(this.states, changes);
  }
  facts(cycle, fromElement) {
    const { fills, definitions, computed, bands, states } = this;
    return {
      cycle,
      part: partName(fromElement),
      fills: { series: Int32Array.from(fills.series), actuals: Float64Array.from(fills.actuals) },
      computed: {
        elements: Int32Array.from(computed.elements),
        fqns: computed.fqns,
        actuals: Float64Array.from(computed.actuals),
        definitions: computed.definitions
      },
      definitions: {
        series: Int32Array.from(definitions.series),
        codes: Uint8Array.from(definitions.codes)
      },
      bands: { series: Int32Array.from(bands.series), values: Float32Array.from(bands.values) },
      states
    };
  }
};

// src/cycle/states.ts
var hotFloats = historyFloats + baselineHotFloats;
function readStates(store, cycle, { element, from, to }, rows) {
  const hot = floats64(store.state("hot", elementKey(element)));
  const remembered = Math.min(to - from, hot.length / hotFloats);
  for (let i = 0; i < remembered; i++) {
    const at = i * hotFloats;
    rows.history.set(hot.subarray(at, at + historyFloats), (from + i) * historyFloats);
    const baseline = hot.subarray(at + historyFloats, at + hotFloats);
    rows.columns.hot.set(baseline, (from + i) * baselineHotFloats);
  }
  rows.known.fill(1, from, from + remembered);
  slotsOfCycle(cycle).forEach((slot, i) => {
    const values = floats32(store.state("pattern", patternKey(element, slot)));
    const column = rows.columns.slots[i];
    column.set(values.subarray(0, (to - from) * slotFloats), from * slotFloats);
  });
  return correlationOf(floats32(store.state("correlation", elementKey(element))), to - from);
}
function stateChanges(cycle, { element, from, to }, rows, correlation) {
  const hot = new Float64Array((to - from) * hotFloats);
  for (let row = from; row < to; row++) {
    const at = (row - from) * hotFloats;
    const history = row * historyFloats;
    hot.set(rows.history.subarray(history, history + historyFloats), at);
    const baseline = row * baselineHotFloats;
    hot.set(rows.columns.hot.subarray(baseline, baseline + baselineHotFloats), at + historyFloats);
  }
  const changes = [{ kind: "hot", key: elementKey(element), bytes: bytesOf(hot) }];
  slotsOfCycle(cycle).forEach((slot, i) => {
    const values = rows.columns.slots[i].slice(from * slotFloats, to * slotFloats);
    changes.push({ kind: "pattern", key: patternKey(element, slot), bytes: bytesOf(values) });
  });
  if (correlation !== null) {
    const bytes = bytesOf(correlation);
    changes.push({ kind: "correlation", key: elementKey(element), bytes });
  }
  return changes;
}
function correlationOf(stored, metrics) {
  const length = correlationFloats(metrics);
  if (stored.length === length) return stored;
  const state = new Float32Array(length);
  state.set(stored.subarray(0, length));
  return state;
}
function elementKey(element) {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, element);
  return key;
}
function patternKey(element, slot) {
  const key = new Uint8Array(5);
  new DataView(key.buffer).setUint32(0, element);
  key[4] = slot;
  return key;
}
function floats64(bytes) {
  return bytes === void 0 ? new Float64Array(0) : new Float64Array(bytes.slice().buffer);
}
function floats32(bytes) {
  return bytes === void 0 ? new Float32Array(0) : new Float32Array(bytes.slice().buffer);
}
function bytesOf(values) {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

// src/formula/math.ts
function applyMath(name, args) {
  const [first, second] = [args[0] ?? NaN, args[1] ?? NaN];
  switch (name) {
    case "min":
      return smallestOf(args);
    case "max":
      return largestOf(args);
    case "pow":
      return Number.isNaN(second) ? NaN : first ** second;
    case "abs":
      return Math.abs(first);
    case "round":
      return Math.round(first);
    case "floor":
      return Math.floor(first);
    case "ceil":
      return Math.ceil(first);
    case "sqrt":
      return Math.sqrt(first);
    case "log":
      return Math.log(first);
    case "exp":
      return Math.exp(first);
  }
}

// src/formula/evaluate.ts
function evaluate(expression, surroundings) {
  const number = toNumber(valueOf2(expression, surroundings));
  return Number.isFinite(number) ? number : void 0;
}
function valueOf2(expression, around) {
  switch (expression.kind) {
    case "number":
    case "text":
    case "boolean":
      return expression.value;
    case "null":
      return null;
    case "metric":
      return around.metric(expression.fqn, expression.statistic) ?? null;
    case "hasMetric":
      return around.metric(expression.fqn, "actual") === void 0 ? null : present;
    case "attribute":
      return around.attribute(expression.name) ?? null;
    case "hasAttribute":
      return around.attribute(expression.name) === void 0 ? null : present;
    case "across":
      return combine(expression.function, around.across(expression.pattern));
    case "math":
      return applyMath(
        expression.function,
        expression.args.map((one) => toNumber(valueOf2(one, around)))
      );
    case "unary": {
      const value = valueOf2(expression.of, around);
      return expression.operator === "-" ? -toNumber(value) : !isTruthy(value);
    }
    case "binary":
      return binary(expression.operator, expression.left, expression.right, around);
    case "choice": {
      const condition = valueOf2(expression.condition, around);
      if (Number.isNaN(condition)) return NaN;
      return valueOf2(isTruthy(condition) ? expression.yes : expression.no, around);
    }
  }
}
var present = "[present]";
function binary(operator, leftSide, rightSide, around) {
  const left = valueOf2(leftSide, around);
  if (operator === "||") return isTruthy(left) ? left : valueOf2(rightSide, around);
  if (operator === "&&") return isTruthy(left) ? valueOf2(rightSide, around) : left;
  const right = valueOf2(rightSide, around);
  if (operator === "==") return equal(left, right);
  if (operator === "!=") return negated(equal(left, right));
  return numeric(operator, toNumber(left), toNumber(right));
}
function numeric(operator, left, right) {
  if (Number.isNaN(left) || Number.isNaN(right)) return NaN;
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? NaN : left / right;
    case "%":
      return right === 0 ? NaN : left % right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}
function equal(left, right) {
  if (Number.isNaN(left) || Number.isNaN(right)) return NaN;
  if (left === null || right === null) return left === right;
  if (typeof left === "string" && typeof right === "string") return left === right;
  const [first, second] = [toNumber(left), toNumber(right)];
  return !Number.isNaN(first) && first === second;
}
function negated(value) {
  return typeof value === "boolean" ? !value : value;
}
function isTruthy(value) {
  return Boolean(value);
}
function toNumber(value) {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || value.trim() === "") return NaN;
  return Number(value);
}
function combine(how, values) {
  if (how === "cnt") return values.length;
  if (values.length === 0) return NaN;
  if (how === "min") return values.reduce((least, value) => Math.min(least, value));
  if (how === "max") return values.reduce((most, value) => Math.max(most, value));
  const sum = values.reduce((total, value) => total + value, 0);
  return how === "sum" ? sum : sum / values.length;
}

// src/configuration/order.ts
function dependencyOrder(names, sourcesOf) {
  const order = [];
  const cycles = [];
  const states = /* @__PURE__ */ new Map();
  const path = [];
  const visit = (name) => {
    const state = states.get(name);
    if (state === "open") {
      cycles.push([...path.slice(path.indexOf(name)), name]);
      return false;
    }
    if (state !== void 0) return state === "done";
    states.set(name, "open");
    path.push(name);
    let isSound = true;
    for (const source of sourcesOf(name)) isSound = visit(source) && isSound;
    path.pop();
    states.set(name, isSound ? "done" : "cyclic");
    if (isSound) order.push(name);
    return isSound;
  };
  for (const name of names) visit(name);
  return { order, cycles };
}

// src/configuration/outputs.ts
function ruleOf(entry, configuration) {
  const { fqn, capture } = entry;
  const pieces = fqn.split(/\$\{\d{1,2}\}/);
  const own = pieces.map((piece) => piece.replace(/[.-]/g, "\\$&")).join(".*");
  return {
    entry,
    configuration,
    capture: capture === null ? null : compileExpressionCapture(capture),
    ownNames: new NamePattern(own),
    needs: capture === null ? [] : literalsNeeded(capture)
  };
}
function outputsOf(rules, metricFqns) {
  const outputs = /* @__PURE__ */ new Map();
  const problems = [];
  const names = [...metricFqns];
  const known = new Set(names);
  const add = (rule, groups) => {
    const output = outputOf(rule, groups);
    if (output === null || outputs.has(output.fqn)) return;
    if (outputs.size >= computedPerElementMax) {
      const most = `expected at most ${computedPerElementMax} computed metrics of one element`;
      problems.push(`${rule.entry.fqn}: ${most}, left out the others`);
      return;
    }
    outputs.set(output.fqn, output);
    if (!known.has(output.fqn)) names.push(output.fqn);
    known.add(output.fqn);
  };
  for (const rule of rules) if (rule.capture === null) add(rule, []);
  const capturing = rules.filter(({ capture }) => capture !== null);
  for (let at = 0; at < names.length; at++) {
    const lower = names[at].toLowerCase();
    for (const rule of capturing) {
      if (!rule.needs.every((set) => set.some((one) => lower.includes(one)))) continue;
      const groups = rule.capture.find(names[at]);
      if (groups !== null && !rule.ownNames.fits(names[at], lower)) add(rule, groups);
    }
  }
  return { outputs, problems: [...new Set(problems)] };
}
function outputOf(rule, groups) {
  const { entry } = rule;
  const fqn = fillTemplate(entry.fqn, groups);
  if (fqn.length > fqnCharactersMax) return null;
  const expressions = entry.expressions.map((one) => bindGroups(one, groups));
  const references = expressions.map(referencesOf);
  return {
    fqn,
    name: entry.name === null ? null : fillTemplate(entry.name, groups),
    rule,
    expressions,
    fqns: new Set(references.flatMap(({ fqns }) => [...fqns])),
    patterns: new Set(references.flatMap(({ patterns }) => [...patterns]))
  };
}

// src/configuration/computed.ts
var patternsMax = 5e3;
var problemsMax = 100;
function compileComputed(configurations) {
  const plan = new ComputedPlan(configurations);
  return { problems: plan.takeProblems(), plan };
}
var ComputedPlan = class {
  rules;
  scopes;
  /** Some kB each; they go with the lists of metrics. */
  shapes = /* @__PURE__ */ new Map();
  patterns = /* @__PURE__ */ new Map();
  told = /* @__PURE__ */ new Set();
  untold = [];
  constructor(configurations) {
    const relevant = configurations.filter(({ computed }) => computed.length > 0);
    this.scopes = Scopes.of(relevant.map(({ scope }) => scope));
    this.rules = relevant.map(({ computed }, i) => computed.map((entry) => ruleOf(entry, i)));
    for (const rules of this.rules) this.makeShape(rules, []);
  }
  /** True where nothing is computed. */
  get isEmpty() {
    return this.rules.length === 0;
  }
  /** Problems that were found since the last call; each is told once. */
  takeProblems() {
    const problems = this.untold;
    this.untold = [];
    return problems;
  }
  /**
   * Works out every computed metric of the element for which one of its expressions can be
   * evaluated, sources first. The caller leaves out elements that are deleted or inactive: a
   * trailing "0" gives a value to whoever is asked.
   */
  evaluate(element, emit) {
    const shape = this.shapeOf(element);
    if (shape !== null && shape.steps.length > 0) run(shape, element, emit);
  }
  /** True where a metric of the element is computed, whether or not it has a value in a cycle. */
  isComputed(element, fqn) {
    return this.shapeOf(element)?.outputs.has(fqn) ?? false;
  }
  /** Null where no configuration is for the element. */
  shapeOf({ metricFqns, info, fqn }) {
    const scope = this.scopes.of({
      fqn,
      info,
      metricCount: metricFqns.length,
      metricFqn: (at) => metricFqns[at]
    });
    return scope.numbers.size === 0 ? null : this.shapeIn(scope, metricFqns);
  }
  shapeIn(scope, metricFqns) {
    let ofScope = this.shapes.get(scope);
    if (ofScope === void 0) this.shapes.set(scope, ofScope = /* @__PURE__ */ new WeakMap());
    const known = ofScope.get(metricFqns);
    if (known !== void 0) return known;
    const numbers = [...scope.numbers].sort((left, right) => left - right);
    const shape = this.makeShape(
      numbers.flatMap((number) => this.rules[number]),
      metricFqns
    );
    ofScope.set(metricFqns, shape);
    return shape;
  }
  makeShape(rules, metricFqns) {
    const { outputs, problems } = outputsOf(rules, metricFqns);
    const names = [.../* @__PURE__ */ new Set([...metricFqns, ...outputs.keys()])];
    const lowers = names.map((name) => name.toLowerCase());
    const members = new Map(
      [...outputs].map(([fqn, output]) => [fqn, this.membersOf(output, names, lowers)])
    );
    const sourcesOf = (fqn) => {
      const across = [...members.get(fqn).values()].flat();
      return [...outputs.get(fqn).fqns, ...across].filter((source) => outputs.has(source));
    };
    const { order, cycles } = dependencyOrder(outputs.keys(), sourcesOf);
    problems.forEach((problem) => this.tell(problem));
    for (const cycle of cycles) this.tell(cycleProblem(cycle));
    const places = new Map(names.map((name, place) => [name, place]));
    const placeOf = (fqn) => places.get(fqn);
    const steps = order.map((fqn) => {
      const { name, expressions } = outputs.get(fqn);
      const across = Array.from(members.get(fqn), ([text, found]) => {
        return [text, found.map(placeOf)];
      });
      return { fqn, name, place: placeOf(fqn), expressions, members: new Map(across) };
    });
    return { steps, outputs: new Set(outputs.keys()), places };
  }
  /** Members of each expression across metrics; never what the same rule computes. */
  membersOf({ patterns, rule }, names, lowers) {
    const members = /* @__PURE__ */ new Map();
    for (const text of patterns) {
      const pattern = this.patternOf(text);
      if (pattern === null) continue;
      const found = names.filter((name, i) => {
        return pattern.fits(name, lowers[i]) && !rule.ownNames.fits(name, lowers[i]);
      });
      members.set(text, found);
    }
    return members;
  }
  /** Null where captured names make an expression longer than any that is taken. */
  patternOf(text) {
    let pattern = this.patterns.get(text);
    if (pattern === void 0) {
      if (this.patterns.size >= patternsMax) this.patterns.clear();
      pattern = expressionProblem(text) === null ? new NamePattern(text) : null;
      this.patterns.set(text, pattern);
    }
    return pattern;
  }
  tell(problem) {
    if (this.told.has(problem) || this.told.size >= problemsMax) return;
    this.told.add(problem);
    this.untold.push(problem);
  }
};
function cycleProblem(cycle) {
  const around = cycle.slice(0, -1);
  const first = around.indexOf([...around].sort()[0]);
  const turned = [...around.slice(first), ...around.slice(0, first), around[first]];
  return `computed metrics depend on one another and are skipped: ${turned.join(" \u2192 ")}`;
}
function run(shape, element, emit) {
  const surroundings = new CycleSurroundings(shape, element);
  for (const step of shape.steps) {
    surroundings.members = step.members;
    for (const expression of step.expressions) {
      const value = evaluate(expression, surroundings);
      if (value === void 0) continue;
      surroundings.computed[step.place] = value;
      emit(step, value);
      break;
    }
  }
}
var CycleSurroundings = class {
  members = /* @__PURE__ */ new Map();
  /** By place; NaN where nothing was computed. */
  computed;
  places;
  element;
  constructor({ places }, element) {
    this.element = element;
    this.places = places;
    this.computed = new Float64Array(places.size).fill(NaN);
  }
  metric(fqn, statistic) {
    const place = this.places.get(fqn);
    return place === void 0 ? void 0 : this.valueAt(place, statistic);
  }
  attribute(name) {
    return this.element.info.attributes.find((one) => one.name === name)?.value;
  }
  across(pattern) {
    const values = [];
    for (const place of this.members.get(pattern) ?? []) {
      const value = this.valueAt(place, "actual");
      if (value !== void 0) values.push(value);
    }
    return values;
  }
  /** A computed metric has one value a cycle: that is its average, its sum and so on. */
  valueAt(place, statistic) {
    const computed = this.computed[place];
    if (!Number.isNaN(computed)) return statistic === "cnt" ? 1 : computed;
    const { metricFqns } = this.element;
    return place < metricFqns.length ? this.element.valueOf(place, statistic) : void 0;
  }
};

// src/cycle/tenant-rules.ts
var TenantRules = class {
  store;
  compiled = /* @__PURE__ */ new Map();
  looked = /* @__PURE__ */ new Map();
  constructor(store) {
    this.store = store;
  }
  /** Looks again at what is stored, the next time that each tenant is asked for. */
  refresh() {
    this.looked = /* @__PURE__ */ new Map();
  }
  of(tenant) {
    const known = this.looked.get(tenant);
    if (known !== void 0) return known;
    const rules = this.look(tenant);
    this.looked.set(tenant, rules);
    return rules;
  }
  /** Problems of what was compiled since the last call. */
  takeProblems() {
    return [...this.compiled.values()].flatMap(({ computed }) => [...computed.takeProblems()]);
  }
  look(tenant) {
    const policies = this.store.listDocuments(`policy:${tenant}`);
    const configurations = this.store.listDocuments(configurationKind(tenant));
    const policyText = JSON.stringify(policies);
    const configurationText = JSON.stringify(configurations);
    const former = this.compiled.get(tenant);
    const compiled = {
      policyText,
      configurationText,
      policies: former?.policyText === policyText ? former.policies : PolicySet.ofDocuments(policies),
      computed: former?.configurationText === configurationText ? former.computed : computedOf(configurations)
    };
    this.compiled.set(tenant, compiled);
    return compiled;
  }
};
function computedOf(stored) {
  const configurations = inOrder(stored).flatMap(({ json }) => {
    const read = readConfiguration(json());
    return read.configuration ?? [];
  });
  return compileComputed(configurations).plan;
}

// src/cycle/closer.ts
var CycleCloser = class {
  world;
  rows = new Rows();
  cells;
  rules;
  names;
  analysis = new ElementAnalysis();
  outputs = new Outputs();
  cycle = -1;
  constructor(world) {
    this.world = world;
    this.cells = new CycleCells(world.store);
    this.rules = new TenantRules(world.store);
    this.names = new MetricNamesBook(world.store);
  }
  /** Works out one part; the samples of the cycle must be folded. */
  close(question) {
    const { store } = this.world;
    store.refresh();
    const { cycle, fromElement } = question;
    if (store.isClosed(cycle, partName(fromElement))) {
      return { facts: null, findings: [], problems: [] };
    }
    if (cycle !== this.cycle) this.rules.refresh();
    this.cycle = cycle;
    this.cells.clear();
    this.analysis.begin(cycle);
    this.outputs = new Outputs();
    const elements = this.takeElements(question);
    const findings = /* @__PURE__ */ new Map();
    for (const where of elements) {
      const tenant = store.catalogue.elementTenant(where.element);
      let ofTenant = findings.get(tenant);
      if (ofTenant === void 0) {
        findings.set(tenant, ofTenant = { violations: [], judged: [] });
      }
      ofTenant.judged.push(store.catalogue.elementFqn(where.element));
      pushAll(ofTenant.violations, this.closeElement(where, question));
    }
    return {
      facts: this.outputs.facts(cycle, fromElement),
      findings: Array.from(findings, ([tenant, found]) => ({ tenant, ...found })),
      problems: this.rules.takeProblems()
    };
  }
  /** Lays out a row for each metric of the part's elements. */
  takeElements({ fromElement, toElement }) {
    const { catalogue } = this.world.store;
    const elements = [];
    let count = 0;
    const end = Math.min(toElement, catalogue.elementCount);
    for (let element = fromElement; element < end; element++) {
      const { length } = catalogue.elementSeries(element);
      elements.push({ element, from: count, to: count + length });
      count += length;
    }
    this.rows.reset(count);
    for (const { element, from } of elements) {
      this.rows.series.set(catalogue.elementSeries(element), from);
    }
    return elements;
  }
  closeElement(where, question) {
    const { store } = this.world;
    const { catalogue } = store;
    const { rows, cycle } = this;
    const info = catalogue.elementInfo(where.element);
    if (info.deletedMs !== void 0 || where.to === where.from) return [];
    const correlation = readStates(store, cycle, where, rows);
    const observed = this.gather(where);
    if (!isActive(rows, where, cycle, question.inactiveCycles)) return [];
    this.fillSparse(where, question, (row) => !this.isComputed(where, row));
    const added = this.compute(where, observed);
    this.fillSparse(where, question, (row) => this.isComputed(where, row));
    const isPaused = inMaintenance(info.serviceTags, question.closingMs);
    if (isPaused) this.flag(where, inputPaused);
    predictRows(this.analysis, rows, where, correlation);
    for (let row = where.from; row < where.to; row++) {
      this.outputs.addBands(rows.series[row], rows.bands, row);
      rememberRow(rows, row);
    }
    const isCorrelated = where.to - where.from > 1;
    this.outputs.addStates(stateChanges(cycle, where, rows, isCorrelated ? correlation : null));
    return isPaused ? [] : this.judge(where, added);
  }
  /** Reads the cycle's cells into the rows; gives how many collected metrics had samples. */
  gather(where) {
    const { rows, cycle } = this;
    const { catalogue } = this.world.store;
    let observed = 0;
    let collected = 0;
    for (let row = where.from; row < where.to; row++) {
      const series = rows.series[row];
      const definition = catalogue.seriesDefinition(series);
      const found = gatherRow(rows, row, cycle, definition, this.cells.of(series, cycle));
      if (found.code !== null) this.outputs.addDefinition(series, found.code);
      if (found.hasSamples) observed++;
      if (rows.history[row * historyFloats + historyCycle] >= 0) collected++;
    }
    return { observed, collected };
  }
  /**
   * Whether the metric of a row comes from configurations or the server itself, as far as closings
   * have seen: one of which they saw a sample is collected.
   */
  isComputed({ element, from }, row) {
    if (!Number.isNaN(this.rows.history[row * historyFloats + historyCycle])) return false;
    const { catalogue } = this.world.store;
    const { fqns } = this.names.of(element);
    const metric = fqns[row - from];
    if (metric === collectedPercentFqn) return true;
    const { computed } = this.rules.of(catalogue.elementTenant(element));
    if (computed.isEmpty) return false;
    const fqn = catalogue.elementFqn(element);
    const info = catalogue.elementInfo(element);
    return computed.isComputed({ fqn, info, metricFqns: fqns }, metric);
  }
  /** Fills those of the rows without a sample whose turn it is. */
  fillSparse({ from, to }, { isMissed }, isTurn) {
    const { rows, cycle } = this;
    const { catalogue } = this.world.store;
    for (let row = from; row < to; row++) {
      const definition = catalogue.seriesDefinition(rows.series[row]);
      const strategy = sparseStrategyOf(definition);
      if (strategy === "None" || !isTurn(row)) continue;
      const filling = fillRow(rows, row, strategy, { cycle, isMissed });
      if (Number.isNaN(filling)) continue;
      this.outputs.addFill(rows.series[row], filling);
      const code = definitionCode(definition);
      if (code !== definitionAverage) this.outputs.addDefinition(rows.series[row], code);
    }
  }
  /** Works out computed metrics; those that are new to the element come behind its rows. */
  compute(where, { observed, collected }) {
    const { rows, cells, cycle } = this;
    const { catalogue } = this.world.store;
    const names = this.names.of(where.element);
    const addedFqns = [];
    const added = [];
    const take = ({ fqn, name, place }, value) => {
      if (place >= names.fqns.length) {
        if (addedFqns.includes(fqn)) return;
        addedFqns.push(fqn);
        added.push(value);
      } else {
        if (!Number.isNaN(rows.inputs.actual[where.from + place])) return;
        rows.inputs.actual[where.from + place] = value;
      }
      this.outputs.addComputed(where.element, fqn, value, name === null ? void 0 : { name });
    };
    if (collected > 0) {
      const known = names.placeOf(collectedPercentFqn);
      const place = known < 0 ? names.fqns.length : known;
      const metric = { fqn: collectedPercentFqn, name: null, place };
      take(metric, 100 * observed / collected);
    }
    const { computed } = this.rules.of(catalogue.elementTenant(where.element));
    if (!computed.isEmpty) {
      computeMetrics({ computed, catalogue, cells, rows, cycle }, where, names.fqns, take);
    }
    return { fqns: added.length === 0 ? names.fqns : [...names.fqns, ...addedFqns], added };
  }
  flag({ from, to }, flag) {
    for (let row = from; row < to; row++) this.rows.inputs.flags[row] |= flag;
  }
  judge(where, metrics) {
    const { store } = this.world;
    const { catalogue } = store;
    const { element } = where;
    const info = catalogue.elementInfo(element);
    const set = this.rules.of(catalogue.elementTenant(element)).policies;
    const tags = [...info.serviceTags ?? [], ...info.tags];
    const fqn = catalogue.elementFqn(element);
    const subject = () => ({ ...info, fqn, tags });
    const policies = set.policiesOf(element, info, subject);
    if (policies.length === 0) return [];
    const { cells, rows, cycle } = this;
    const view = new ElementView({ store, catalogue, cells, rows }, cycle, where, metrics);
    return set.violations(policies, view, () => this.found(element));
  }
  found(element) {
    const { store, tenantUuid } = this.world;
    const { catalogue } = store;
    const { name, type, location, tags, serviceTags = [] } = catalogue.elementInfo(element);
    const fqn = catalogue.elementFqn(element);
    const id = elementUuid(tenantUuid(catalogue.elementTenant(element)), fqn);
    const winning = new Set(serviceTags.map((tag) => tag.name));
    const all = [...serviceTags, ...tags.filter((tag) => !winning.has(tag.name))];
    return { id, fqn, name, type, location, tags: all };
  }
};

// src/query/helper.ts
var none = new Int32Array(0);
var nowhere = new ToldPlaces({
  series: none,
  places: none,
  codes: new Uint8Array(0),
  blocks: none,
  blockSizes: none
});
var Helper = class {
  store;
  constructor(store) {
    this.store = store;
  }
  /** Does parts of a plan that has a spread, until none is free; failing, it leaves them free. */
  help({ question, spread }, open, side) {
    assert(question.kind === "statistics", `Expected no ${question.kind} in parts`);
    assert(spread !== void 0, "Expected a question in parts");
    this.store.tell(new ToldPlaces(spread.places));
    helpWithParts(spread.parts, statisticsOfPart(this.store, question, open), side);
    this.store.tell(nowhere);
  }
};

// src/query-worker.ts
function openWorkshop(data) {
  yieldToOthers();
  return data.helps ? openHelper(data) : openAsker(data);
}
function openHelper(data) {
  const helper = new Helper(openSeriesReader(data));
  return (task) => {
    assert(task.kind === "help", `Expected no ${task.kind} on a thread that helps`);
    helper.help(task.plan, task.open, task.side);
  };
}
function openAsker(data) {
  const store = openReadStore(data);
  const tenants = new TenantDirectory(data.tenants);
  const elapsedMs = () => performance.now();
  const tenantUuid = (tenant) => tenants.uuidOf(tenant);
  const query = new Query({ store, tenantUuid, elapsedMs, partMs: data.partMs });
  const closer = new CycleCloser({ store, tenantUuid });
  return (task) => {
    switch (task.kind) {
      case "ask":
        return query.ask(task.request, task.others);
      case "answer":
        return query.answer(task.plan, task.open, task.sharing);
      case "rehearse":
        return query.rehearse(task.step, task.nowMs);
      case "closePart":
        return closer.close(task.question);
      case "help":
        throw new Error("Expected this on a thread that helps");
      default:
        return unreachable(task);
    }
  };
}
function openAhead() {
  try {
    return openWorkshop(poolWorkerData());
  } catch {
    return null;
  }
}
var workshop = openAhead();
function runTask(task) {
  if (task === null) return turnOfLoop();
  if (task.kind === "tidy") return tidied();
  return toOutcome(() => {
    workshop ??= openWorkshop(poolWorkerData());
    return workshop(task);
  });
}
export {
  runTask as default
};
//# sourceMappingURL=query-worker.js.map
