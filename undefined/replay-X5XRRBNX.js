import {
  replayOptions
} from "./chunk-M5LODFZW.js";
import {
  ElementAnalysis,
  Rows,
  baselineHotFloats,
  correlationFloats,
  cycleOf,
  cycleStartMs,
  cyclesPerWeek,
  fillRow,
  gatherRow,
  isActive,
  patternSlots,
  predictRows,
  rememberRow,
  slotFloats,
  slotsOfCycle,
  suddenChange,
  suddenChangeValues
} from "./chunk-E55FANQB.js";
import {
  bandRecordFields
} from "./chunk-JVQ4VFPB.js";
import {
  formatInstant,
  parseInstant
} from "./chunk-5QVC5N6S.js";
import {
  CellColumns,
  applyCounter,
  clearCells,
  computeCell,
  definitionCode,
  isCounter,
  lowerEnd,
  sparseStrategyOf,
  upperEnd
} from "./chunk-SLADJPH6.js";
import {
  defaultDefinition
} from "./chunk-FTDLCQXU.js";
import {
  ServiceError,
  invalid
} from "./chunk-BZJGDYVY.js";
import {
  cyclesPerDay
} from "./chunk-WSUH7ILY.js";
import "./chunk-5L33DSE6.js";
import "./chunk-YBJXGIGP.js";

// src/command/csv-rows.ts
import { createReadStream } from "node:fs";
import { parse, CsvError } from "csv-parse";
var rowBytesMax = 1024 * 1024;
async function* readCsvRows(path) {
  const rows = parse({
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: rowBytesMax
  });
  rows.on("error", () => {
  });
  try {
    for await (const chunk of createReadStream(path)) {
      rows.write(chunk);
      yield takeRows(rows);
      if (rows.errored !== null) throw rows.errored;
    }
    rows.end();
    for await (const row of rows) yield [csvRow(row)];
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`"${path}" is no CSV: ${error.message}`);
    if (error instanceof Error && "syscall" in error) {
      throw new ServiceError("storage", `Cannot read "${path}": ${error.message}`);
    }
    throw error;
  }
}
function takeRows(rows) {
  const taken = [];
  for (; ; ) {
    const row = rows.read();
    if (row === null) return taken;
    taken.push(csvRow(row));
  }
}
function csvRow({ info, record }) {
  return { line: info.lines, cells: record };
}

// src/analysis/memory.ts
var ElementMemory = class {
  correlation;
  #hot;
  #slots;
  constructor(metrics) {
    this.correlation = new Float32Array(correlationFloats(metrics));
    this.#hot = new Float64Array(metrics * baselineHotFloats);
    const slot = () => new Float32Array(metrics * slotFloats);
    this.#slots = Array.from({ length: patternSlots }, slot);
  }
  /** The states that a cycle reads and writes; they are not copied. */
  columnsOf(cycle) {
    const [a, b, c, d] = slotsOfCycle(cycle);
    const slots = this.#slots;
    return { hot: this.#hot, slots: [slots[a], slots[b], slots[c], slots[d]] };
  }
};

// src/analysis/run-length.ts
var RunLength = class {
  #length = 0;
  /** A stretch since the first value says nothing of how long one lasts: a constant has no other. */
  #hasEnded = false;
  #begins = new Share();
  #continues = new Share();
  /** −ln of the probability of the stretch so far, beyond what is ordinary. */
  step(isGoingOn) {
    if (this.#length === 1) this.#continues.assume(this.#begins);
    const share = this.#length === 0 ? this.#begins : this.#continues;
    if (!isGoingOn) this.#hasEnded = true;
    const nats = isGoingOn && this.#hasEnded ? this.#nats + share.nats() : 0;
    share.learn(isGoingOn);
    this.#length = isGoingOn ? this.#length + 1 : 0;
    this.#nats = nats;
    return Math.max(0, nats - ordinaryNats);
  }
  #nats = 0;
};
var ordinaryNats = 3;
var Share = class {
  #count = 0;
  #share = 0.5;
  nats() {
    return -Math.log(this.#share);
  }
  /** Takes over another share while nothing of its own was learned: as if each cycle were alone. */
  assume(other) {
    if (this.#count === 0) this.#share = Math.max(assumedMin, other.#share);
  }
  learn(happened) {
    this.#count = Math.min(this.#count + 1, countMax);
    const wish = happened ? 1 : 0;
    this.#share += (wish - this.#share) / (this.#count + 1);
    this.#share = Math.min(1 - shareMin, Math.max(shareMin, this.#share));
  }
};
var countMax = 2016;
var shareMin = 1e-4;
var assumedMin = 0.2;

// src/analysis/tail.ts
var binsPerDoubling = 8;
var bins = 20 * binsPerDoubling + 1;
var sizeMin = 0.02;
var priorWeight = 16;
var natsMax = 40;
var weightMax = 1e100;
var Tail = class {
  #counts = new Float64Array(bins);
  #growth;
  #weight = 1;
  #total = 0;
  #meanSum = 0;
  /** `memory`: values after which a value's weight has fallen to 1/e. */
  constructor(memory) {
    this.#growth = 1 + 1 / memory;
  }
  /** −ln P(size or larger) in [0, natsMax], by what was learned before. `size` ≥ 0. */
  nats(size) {
    if (!(size >= sizeMin)) return 0;
    const place = placeOf(size);
    const bin = Math.floor(place);
    let above = this.#counts[bin] * (bin === bins - 1 ? 1 : 1 - (place - bin));
    for (let i = bin + 1; i < bins; i++) above += this.#counts[i];
    const prior = priorWeight * this.#weight;
    const scale = (this.#meanSum + prior) / (this.#total + prior);
    const rarity = (above + prior * Math.exp(-size / scale)) / (this.#total + prior);
    return Math.min(natsMax, Math.max(0, -Math.log(rarity)));
  }
  /**
   * The same for sizes that may be odd without being large: one that falls into a gap between those
   * seen is as rare as its own octave. At least `nats`.
   */
  oddNats(size) {
    const nats = this.nats(size);
    if (nats === 0) return 0;
    const bin = Math.floor(placeOf(size));
    let near = 0;
    const last = Math.min(bins - 1, bin + binsPerDoubling / 2);
    for (let i = Math.max(0, bin - binsPerDoubling / 2); i <= last; i++) near += this.#counts[i];
    const prior = priorWeight * this.#weight;
    const scale = (this.#meanSum + prior) / (this.#total + prior);
    const share = (near + prior * Math.exp(-size / scale)) / (this.#total + prior);
    return Math.min(natsMax, Math.max(nats, -Math.log(share)));
  }
  /** Counts a size as so many values. */
  learn(size, count = 1) {
    this.#weight *= this.#growth;
    if (this.#weight > weightMax) this.#scaleDown();
    const bin = size >= sizeMin ? Math.floor(placeOf(size)) : 0;
    this.#counts[bin] = this.#counts[bin] + count * this.#weight;
    const prior = priorWeight * this.#weight;
    const scale = (this.#meanSum + prior) / (this.#total + prior);
    this.#meanSum += count * this.#weight * Math.min(size, 5 * scale);
    this.#total += count * this.#weight;
  }
  #scaleDown() {
    const factor = 1 / this.#weight;
    for (let i = 0; i < bins; i++) this.#counts[i] = this.#counts[i] * factor;
    this.#total *= factor;
    this.#meanSum *= factor;
    this.#weight = 1;
  }
};
function placeOf(size) {
  return Math.min(bins - 1, binsPerDoubling * Math.log2(1 + size));
}

// src/analysis/usual-value.ts
var UsualValue = class {
  #value = NaN;
  #share = 0;
  #seen = 0;
  /** Whether the value is the one of nearly all values before; it is then learned. */
  step(value) {
    const isCandidate = value === this.#value;
    const isUsual = isCandidate && this.#share >= usualShareMin;
    this.#share += Math.max(gainMin, 1 / (this.#seen + 1)) * ((isCandidate ? 1 : 0) - this.#share);
    if (!isCandidate && this.#share < replacedBelow) {
      this.#value = value;
      this.#share = replacedBelow;
    }
    this.#seen++;
    return isUsual;
  }
};
var gainMin = 1 / 576;
var usualShareMin = 0.85;
var replacedBelow = 0.5;

// src/analysis/surprise.ts
var tailMemory = 4032;
var hourValues = 12;
var hourGain = 1 / hourValues;
var sizeGain = 1 / 1e3;
var foretellGains = [0, 0.25, 1];
var foretellMemory = 1 / 288;
var errorCut = 4;
var sizeDoubt = 6;
var errorsFrom = 2;
var usualShareMin2 = 0.01;
var erringFrom = 3;
var ordinarySize = 0.25;
function beyondOrdinary(size) {
  return Math.max(0, size - ordinarySize);
}
var MetricSurprise = class {
  #tails = Array.from({ length: 7 }, () => new Tail(tailMemory));
  #silence = new RunLength();
  #stillness = new RunLength();
  #usualValue = new UsualValue();
  #recent = new Float64Array(suddenChangeValues).fill(NaN);
  #foretold = new Float64Array(foretellGains.length);
  #foretoldErrors = new Float64Array(foretellGains.length);
  #seen = 0;
  #last = NaN;
  #usual = 0;
  #hourMean = 0;
  #hourSize = 1;
  /**
   * Surprise of this cycle, which is then learned. `value` NaN: missing; `mean` and `stddev`: the
   * baseline's expectation, NaN before a second value; `contextual`: distance in σ from the
   * contextual band's mean, 0 where there is none.
   */
  step(value, mean, stddev, contextual) {
    const isMissing = Number.isNaN(value);
    const silence = this.#seen === 0 ? 0 : this.#silence.step(isMissing);
    const sudden = this.#sudden(value);
    if (isMissing) return silence;
    const stillness = this.#seen === 0 ? 0 : this.#stillness.step(value === this.#last);
    let total = this.#rarity(0, stillness);
    total += this.#rarity(1, sudden) + this.#rarity(2, contextual);
    const isUsual = this.#usualValue.step(value);
    if (this.#seen >= errorsFrom) total += this.#errors(value - mean, stddev, isUsual);
    this.#last = value;
    this.#seen++;
    return Math.cbrt(total);
  }
  /** Third power of the rarity in nats: the sum of such is led by the largest. */
  #rarity(tail, size) {
    const nats = this.#tails[tail].nats(size);
    this.#tails[tail].learn(size);
    return nats * nats * nats;
  }
  /** The same of a size that is also odd where it is smaller than usual large ones. */
  #oddity(tail, size) {
    const nats = this.#tails[tail].oddNats(size);
    this.#tails[tail].learn(size);
    return nats * nats * nats;
  }
  #sudden(value) {
    const change = suddenChange(this.#recent, value);
    this.#recent.copyWithin(0, 1);
    this.#recent[suddenChangeValues - 1] = value;
    return change === void 0 ? 0 : change.change;
  }
  /** A value that the metric nearly always has is no error, and ends what went before. */
  #errors(found, stddev, isUsual) {
    const error = isUsual ? 0 : found;
    const trust = Math.sqrt(this.#seen / (this.#seen + sizeDoubt));
    let total = this.#oddity(3, beyondOrdinary(trust * Math.abs(error) / stddev));
    const foretold = isUsual ? 0 : this.#foretold[this.#bestForeteller()];
    const novelty = error - foretold;
    this.#foretell(error);
    const floor = stddev * usualShareMin2;
    const usual = Math.max(this.#usual, floor);
    const size = Math.abs(novelty) / usual;
    total += this.#oddity(4, beyondOrdinary(trust * size));
    const cut = Math.min(size, errorCut);
    this.#hourMean += hourGain * (Math.sign(novelty) * cut - this.#hourMean);
    this.#hourSize = this.#usual > erringFrom * floor ? this.#hourSize + hourGain * (cut - this.#hourSize) : 1;
    const hourMean = trust * Math.abs(this.#hourMean) * Math.sqrt(hourValues);
    total += this.#rarity(5, isUsual ? 0 : beyondOrdinary(hourMean));
    const hourSize = trust * Math.abs(Math.log(Math.max(this.#hourSize, 0.01)));
    total += this.#rarity(6, isUsual ? 0 : hourSize);
    const gain = Math.max(sizeGain, 1 / (this.#seen + 1));
    const most = this.#seen < hourValues ? Infinity : errorCut * usual;
    this.#usual += gain * (Math.min(Math.abs(novelty), most) - this.#usual);
    return total;
  }
  /** Which way of foretelling has been the least wrong of late. */
  #bestForeteller() {
    let best = 0;
    for (let i = 1; i < foretellGains.length; i++) {
      if (this.#foretoldErrors[i] < this.#foretoldErrors[best]) best = i;
    }
    return best;
  }
  #foretell(error) {
    const gain = Math.max(foretellMemory, 1 / (this.#seen + 1));
    for (let i = 0; i < foretellGains.length; i++) {
      const wrong = Math.abs(error - this.#foretold[i]);
      this.#foretoldErrors[i] = this.#foretoldErrors[i] + gain * (wrong - this.#foretoldErrors[i]);
      this.#foretold[i] = this.#foretold[i] + foretellGains[i] * (error - this.#foretold[i]);
    }
  }
};

// src/analysis/score.ts
var scoreMemory = 8064;
var CycleScore = class {
  #surprises;
  /** Silence is compared with silence: an hourly metric is silent eleven times out of twelve. */
  #spoken = new Tail(scoreMemory);
  #silent = new Tail(scoreMemory);
  /** Rare cycles of the current episode, and cycles since the last of them. */
  #episode = 0;
  #quiet = 0;
  #judged = 0;
  /** The largest surprise of the episode. */
  #worst = 0;
  /** Share of rare cycles of late. */
  #rareShare = 0;
  /** For an element with so many metrics. */
  constructor(metrics) {
    this.#surprises = Array.from({ length: metrics }, () => new MetricSurprise());
  }
  /** The score of a cycle, which is then learned. `actual`: NaN where a value is missing. */
  step(actual, bands) {
    let total = 0;
    let isSilent = true;
    for (let i = 0; i < this.#surprises.length; i++) {
      const value = actual[i];
      if (!Number.isNaN(value)) isSilent = false;
      const distance = Math.abs(value - bands.contextualMean[i]) / bands.contextualStddev[i];
      const contextual = Number.isNaN(distance) ? 0 : distance;
      const nats = this.#surprises[i].step(
        value,
        bands.expectedMean[i],
        bands.expectedStddev[i],
        contextual
      );
      total += nats * nats * nats;
    }
    const surprise = Math.cbrt(total);
    if (isSilent) return this.#judge(surprise, this.#silent);
    return this.#judge(Math.max(0, surprise - ordinarySurprise), this.#spoken);
  }
  /** Rarity of a surprise as a score; what follows an onset counts less and is learned less. */
  #judge(surprise, tail) {
    const isRare = tail.nats(surprise) >= episodeNats;
    if (isRare) {
      const isNews = this.#episode > onsetCycles && surprise > newsFactor * this.#worst;
      this.#episode = isNews ? 2 : this.#episode + 1;
      this.#worst = Math.max(surprise, this.#worst * worstKept);
      this.#quiet = 0;
    } else if (++this.#quiet >= quietMax) this.#episode = this.#worst = 0;
    const late = Math.max(0, this.#episode - onsetCycles);
    const fresh = surprise * Math.exp(-late / fadeCycles);
    const nats = tail.nats(fresh);
    tail.learn(fresh, this.#episode > 1 && isRare ? this.#followerWeight() : 1);
    this.#rareShare += rareGain * ((nats >= episodeNats ? 1 : 0) - this.#rareShare);
    this.#judged++;
    return 1 - Math.exp(-Math.min(nats, certaintyPower * Math.log(this.#judged)));
  }
  /** Where more than one cycle in a hundred is rare, episodes are ordinary: all of them count. */
  #followerWeight() {
    const excess = this.#rareShare / rareShare - 1;
    return Math.min(1, Math.max(followerWeight, excess));
  }
};
var certaintyPower = 2;
var ordinarySurprise = 2;
var episodeNats = Math.log(100);
var quietMax = 12;
var onsetCycles = 6;
var fadeCycles = 36;
var newsFactor = 1.5;
var worstKept = 1 - 1 / 288;
var followerWeight = 0.15;
var rareShare = 0.01;
var rareGain = 1 / 4032;

// src/command/replay-cycle.ts
var inactiveCycles = 84;
var ReplayCycle = class {
  /** What the latest `close` found: actual values, flags, bands. */
  rows;
  /** The filling where the actual value is one; NaN elsewhere. */
  sparseValue;
  score = 0;
  #definition;
  #code;
  #cells;
  #analysis = new ElementAnalysis();
  #memory;
  #score;
  /** A counter's latest running total; undefined before the first. */
  #totals;
  constructor(metrics, { sparse, isCounter: isCounter2 }) {
    const type = isCounter2 ? "COUNTER" : "";
    this.#definition = { ...defaultDefinition, type, sparseDataStrategy: sparse };
    this.#code = definitionCode(this.#definition);
    this.rows = new Rows(metrics);
    this.rows.reset(metrics);
    this.sparseValue = new Float64Array(metrics).fill(NaN);
    this.#cells = new CellColumns(metrics);
    this.#memory = new ElementMemory(metrics);
    this.#score = new CycleScore(metrics);
    this.#totals = Array.from({ length: metrics }, () => void 0);
  }
  /** Closes a cycle, later than the one before; `values` of each metric, `undefined` for none. */
  close(cycle, values) {
    const { rows } = this;
    const range = { from: 0, to: rows.count };
    rows.clearCycle();
    rows.columns = this.#memory.columnsOf(cycle);
    for (let row = 0; row < rows.count; row++) {
      this.#roll(row, values?.[row]);
      gatherRow(rows, row, cycle, this.#definition, { cells: this.#cells, slot: row });
    }
    this.sparseValue.fill(NaN);
    if (isActive(rows, range, cycle, inactiveCycles)) this.#work(cycle);
    this.score = this.#score.step(rows.inputs.actual, rows.bands);
  }
  /** Makes the metric's cell of the cycle, as the store rolls samples up. */
  #roll(row, samples) {
    const cells = this.#cells;
    if (samples === void 0 || samples.count === 0) return clearCells(cells, row, row + 1);
    cells.definition[row] = this.#code;
    computeCell(samples.values, 0, samples.count, cells, row);
    if (!isCounter(this.#definition)) return;
    applyCounter(cells, row, this.#totals[row]);
    this.#totals[row] = cells.last[row];
  }
  #work(cycle) {
    const { rows } = this;
    const strategy = sparseStrategyOf(this.#definition);
    const when = { cycle, isMissed: false };
    for (let row = 0; row < rows.count; row++) {
      this.sparseValue[row] = fillRow(rows, row, strategy, when);
    }
    this.#analysis.begin(cycle);
    predictRows(this.#analysis, rows, { from: 0, to: rows.count }, this.#memory.correlation);
    for (let row = 0; row < rows.count; row++) {
      rememberRow(rows, row);
      if (this.#cells.count[row] > 0) rows.known[row] = 1;
    }
  }
};

// src/command/replay-rows.ts
var replayMetricsMax = 1e3;
var MetricValues = class {
  values = new Float64Array(4);
  count = 0;
  /** The place from which on all have the latest time. */
  #tiedFrom = 0;
  #latestMs = -Infinity;
  clear() {
    this.count = 0;
    this.#latestMs = -Infinity;
  }
  /** Takes a sample that is not earlier than those before. */
  add(timeMs, value) {
    if (timeMs !== this.#latestMs) this.#tiedFrom = this.count;
    this.#latestMs = timeMs;
    if (this.count === this.values.length) this.#grow();
    let at = this.count++;
    for (; at > this.#tiedFrom && this.values[at - 1] > value; at--) {
      this.values[at] = this.values[at - 1];
    }
    this.values[at] = value;
  }
  #grow() {
    const values = new Float64Array(2 * this.values.length);
    values.set(this.values);
    this.values = values;
  }
};
function readHeader({ line, cells }) {
  const metrics = cells.slice(1);
  if (metrics.length === 0 || metrics.length > replayMetricsMax) {
    const columns = `a column of times and 1 to ${replayMetricsMax} of values`;
    throw invalid(`Line ${line}: expected ${columns}, got ${cells.length} columns`);
  }
  if (parseTime(cells[0]) !== void 0) {
    throw invalid(`Line ${line}: expected a header such as timestamp,value, got "${cells[0]}"`);
  }
  metrics.forEach((name, i) => {
    if (name === "") throw invalid(`Line ${line}, column ${i + 2}: expected a name, got ""`);
    if (metrics.indexOf(name) !== i) {
      throw invalid(`Line ${line}, column ${i + 2}: expected names once, got "${name}" again`);
    }
  });
  return metrics;
}
var RowsByCycle = class {
  #header;
  #group;
  #latestMs = -Infinity;
  /** `header`: the first column is the time's. */
  constructor(header) {
    this.#header = header;
    this.#group = { cycle: NaN, values: header.slice(1).map(() => new MetricValues()) };
  }
  /** Cycles that are complete now. Fails with `invalid` for a row that cannot be read. */
  *take(rows) {
    const group = this.#group;
    for (const row of rows) {
      const timeMs = this.#readTime(row);
      const cycle = cycleOf(timeMs);
      if (cycle !== group.cycle) {
        yield* this.end();
        group.cycle = cycle;
      }
      for (let i = 0; i < group.values.length; i++) {
        const value = readValue(row, this.#header, i + 1);
        if (!Number.isNaN(value)) group.values[i].add(timeMs, value);
      }
    }
  }
  /** The cycle that was not complete yet. */
  *end() {
    if (Number.isNaN(this.#group.cycle)) return;
    yield this.#group;
    for (const values of this.#group.values) values.clear();
  }
  #readTime(row) {
    const timeMs = readTime(row, this.#header);
    if (timeMs < this.#latestMs) {
      const place = placeOf2(row, this.#header, 0);
      throw invalid(`${place}: expected ascending times, got "${row.cells[0]}"`);
    }
    this.#latestMs = timeMs;
    return timeMs;
  }
};
function readTime(row, header) {
  if (row.cells.length !== header.length) {
    const { line, cells } = row;
    throw invalid(`Line ${line}: expected ${header.length} columns, got ${cells.length}`);
  }
  const text = row.cells[0];
  const timeMs = parseTime(text);
  if (timeMs === void 0) {
    const forms = "epoch milliseconds, ISO 8601 or yyyy-MM-dd HH:mm:ss";
    throw invalid(`${placeOf2(row, header, 0)}: expected ${forms}, got "${text}"`);
  }
  if (Math.abs(timeMs) < secondsBelow && /^[\d.]+$/.test(text)) {
    const hint = `got "${text}", which looks like seconds`;
    throw invalid(`${placeOf2(row, header, 0)}: expected epoch milliseconds, ${hint}`);
  }
  return timeMs;
}
var secondsBelow = 1e11;
var zoneless = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?$/i;
function parseTime(text) {
  return parseInstant(zoneless.test(text) ? `${text}Z` : text);
}
function readValue(row, header, column) {
  const text = row.cells[column];
  if (text === "" || text === "NaN" || text === "nan" || text === "null") return NaN;
  const value = Number(text);
  if (Number.isFinite(value) && decimal.test(text)) return value;
  throw invalid(`${placeOf2(row, header, column)}: expected a number, got "${text}"`);
}
var decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
function placeOf2(row, header, column) {
  return `Line ${row.line}, column "${header[column]}"`;
}

// src/command/replay-text.ts
var fields = ["actual", "sparseValue", ...bandRecordFields];
function valuesOf({ rows, sparseValue }, row) {
  const { inputs, bands } = rows;
  const baseline = { mean: bands.baselineMean[row], stddev: bands.baselineStddev[row] };
  const contextual = { mean: bands.contextualMean[row], stddev: bands.contextualStddev[row] };
  return [
    inputs.actual[row],
    sparseValue[row],
    baseline.mean,
    baseline.stddev,
    upperEnd(baseline),
    lowerEnd(baseline),
    contextual.mean,
    contextual.stddev,
    upperEnd(contextual),
    lowerEnd(contextual)
  ];
}
function csvHeader(metrics) {
  const names = metrics.flatMap(
    (metric) => fields.map((field) => quoted(metrics.length === 1 ? field : `${metric}.${field}`))
  );
  return `${["timestamp", ...names, "score"].join(",")}
`;
}
function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
function csvLine(cycle, closed) {
  let line = timeText(cycle);
  for (let row = 0; row < closed.rows.count; row++) {
    const values = valuesOf(closed, row);
    for (let i = 0; i < values.length; i++) line += Number.isNaN(values[i]) ? "," : `,${values[i]}`;
  }
  return `${line},${rounded(closed.score)}
`;
}
function jsonLine(cycle, metrics, closed) {
  const entries = metrics.map((metric, row) => {
    const values = valuesOf(closed, row);
    const present = fields.flatMap(
      (field, i) => Number.isNaN(values[i]) ? [] : [[field, values[i]]]
    );
    return [metric, Object.fromEntries(present)];
  });
  const timestamp = timeText(cycle);
  const score = rounded(closed.score);
  return `${JSON.stringify({ timestamp, metrics: Object.fromEntries(entries), score })}
`;
}
function rounded(score) {
  return Math.round(score * 1e9) / 1e9;
}
var timesOfDay = Array.from(
  { length: cyclesPerDay },
  (_, cycle) => formatInstant(cycleStartMs(cycle)).slice("1970-01-01".length)
);
var day = NaN;
var dayText = "";
function timeText(cycle) {
  const cycleDay = Math.floor(cycle / cyclesPerDay);
  const start = cycleDay * cyclesPerDay;
  if (cycleDay !== day) dayText = formatInstant(cycleStartMs(start)).split("T")[0];
  day = cycleDay;
  return dayText + timesOfDay[cycle - start];
}

// src/command/replay.ts
var gapCyclesMax = cyclesPerWeek;
var chunkCharacters = 65536;
async function runReplay({ line, write, printError }) {
  try {
    await replay(replayOptions(line), write);
    return 0;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    printError(`tidegauge: ${error.message}
`);
    return 1;
  }
}
async function replay(options, write) {
  let lines;
  for await (const rows of readCsvRows(options.path)) {
    if (rows.length === 0) continue;
    const isFirst = lines === void 0;
    lines ??= new ReplayLines(options, rows[0]);
    await flush(lines.take(isFirst ? rows.slice(1) : rows), write);
  }
  if (lines === void 0) throw invalid("Expected a header and rows, got an empty file");
  await flush(lines.end(), write);
}
async function flush(lines, write) {
  let text = "";
  try {
    for (const line of lines) {
      text += line;
      if (text.length < chunkCharacters) continue;
      await write(text);
      text = "";
    }
  } finally {
    await write(text);
  }
}
var ReplayLines = class {
  #options;
  #metrics;
  #rows;
  #closed;
  #next = NaN;
  constructor(options, head) {
    this.#options = options;
    this.#metrics = readHeader(head);
    this.#rows = new RowsByCycle(head.cells);
    this.#closed = new ReplayCycle(this.#metrics.length, options);
  }
  *take(rows) {
    for (const cycle of this.#rows.take(rows)) yield* this.#close(cycle);
  }
  *end() {
    for (const cycle of this.#rows.end()) yield* this.#close(cycle);
  }
  *#close({ cycle, values }) {
    if (Number.isNaN(this.#next) && this.#options.format === "csv") yield csvHeader(this.#metrics);
    if (cycle - this.#next <= gapCyclesMax) {
      for (let missing = this.#next; missing < cycle; missing++) yield this.#line(missing);
    }
    yield this.#line(cycle, values);
    this.#next = cycle + 1;
  }
  #line(cycle, values) {
    const closed = this.#closed;
    closed.close(cycle, values);
    if (this.#options.format === "csv") return csvLine(cycle, closed);
    return jsonLine(cycle, this.#metrics, closed);
  }
};
export {
  runReplay
};
//# sourceMappingURL=replay-X5XRRBNX.js.map
