import {
  bandsOf,
  definitionCode,
  derivedActual,
  flagPartial,
  hasActual
} from "./chunk-SLADJPH6.js";
import {
  cycleMs,
  cyclesPerDay
} from "./chunk-WSUH7ILY.js";
import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/analysis/cycle.ts
var cyclesPerWeek = 7 * cyclesPerDay;
var cyclesPerDailySlot = 6;
var cyclesPerWeeklySlot = 12;
var dailySlots = cyclesPerDay / cyclesPerDailySlot;
var weeklySlots = cyclesPerWeek / cyclesPerWeeklySlot;
var patternSlots = dailySlots + weeklySlots;
var slotsPerCycle = 4;
function cycleOf(epochMs) {
  return Math.floor(epochMs / cycleMs);
}
function cycleStartMs(cycle) {
  return cycle * cycleMs;
}
function slotsOfCycle(cycle) {
  const daily = Math.floor(middle(cycle, cyclesPerDay, cyclesPerDailySlot));
  const weekly = Math.floor(middle(cycle, cyclesPerWeek, cyclesPerWeeklySlot));
  return [
    (daily + dailySlots) % dailySlots,
    (daily + 1) % dailySlots,
    dailySlots + (weekly + weeklySlots) % weeklySlots,
    dailySlots + (weekly + 1) % weeklySlots
  ];
}
function dailyShare(cycle) {
  const at = middle(cycle, cyclesPerDay, cyclesPerDailySlot);
  return at - Math.floor(at);
}
function weeklyShare(cycle) {
  const at = middle(cycle, cyclesPerWeek, cyclesPerWeeklySlot);
  return at - Math.floor(at);
}
function middle(cycle, period, width) {
  const phase = (cycle % period + period) % period;
  return (phase + 0.5) / width - 0.5;
}

// src/analysis/columns.ts
var inputSparse = 1;
var inputPartial = 2;
var inputBaselineOff = 4;
var inputCorrelationOff = 8;
var inputPaused = 16;
function createCycleInputs(length) {
  return {
    actual: new Float64Array(length).fill(NaN),
    flags: new Uint8Array(length)
  };
}
function createCycleBands(length) {
  const column = () => new Float64Array(length).fill(NaN);
  return {
    baselineMean: column(),
    baselineStddev: column(),
    contextualMean: column(),
    contextualStddev: column(),
    expectedMean: column(),
    expectedStddev: column()
  };
}

// src/analysis/baseline-columns.ts
var baselineHotFloats = 12;
var slotFloats = 3;
var baselineBytes = baselineHotFloats * 8 + patternSlots * slotFloats * 4;
function createBaselineColumns(length) {
  const slot = () => new Float32Array(length * slotFloats);
  const slots = Array.from({ length: slotsPerCycle }, slot);
  return {
    hot: new Float64Array(length * baselineHotFloats),
    slots
  };
}

// src/analysis/baseline.ts
var first = 0;
var latest = 1;
var learned = 2;
var level = 3;
var scale = 4;
var lastValue = 5;
var quantum = 6;
var steps = 7;
var outlying = 8;
var stretchCount = 9;
var stretchMean = 10;
var stretchSquares = 11;
var offset = 0;
var shape = 1;
var weight = 2;
var learnedMin = 144;
var uncutValues = 12;
var cutSigmas = 3;
var cutSigmasFirstWeek = 8;
var levelGain = 1 / 576;
var levelGainFirstWeek = 1 / cyclesPerWeek;
var scaleGain = 1 / 576;
var dailyWeightMax = 84;
var weeklyWeightMax = 72;
var dailyPrior = 2;
var weeklyPrior = 2;
var shapePrior = 24;
var shapeMin = 0.04;
var shapeMax = 25;
var outlyingSigmas = 4;
var stretchStart = 3;
var stretchGain = 0.1;
var stretchMax = 144;
var gapMax = 12;
var quantumShare = 0.3;
var stepsNeeded = 32;
var levelShareMin = 1e-6;
var stddevMin = 1e-9;
var BaselineStep = class {
  /** What `predict` found: the cycle's expected value and the standard deviation about it. */
  mean = NaN;
  stddev = NaN;
  #cycle = 0;
  #daily = 0;
  #weekly = 0;
  /** Sets the cycle for all that follows. */
  begin(cycle) {
    this.#cycle = cycle;
    this.#daily = dailyShare(cycle);
    this.#weekly = weeklyShare(cycle);
  }
  /**
   * Sets `mean` and `stddev` for the metric at place `at`; NaN before its first value. Whether
   * enough is known to serve them is told by `isReady`.
   */
  predict(columns, at) {
    const { hot, slots } = columns;
    const h = at * baselineHotFloats;
    if (hot[h + learned] === 0) {
      this.mean = this.stddev = NaN;
      return;
    }
    const s = at * slotFloats;
    const d = this.#daily;
    const w = this.#weekly;
    const [d0, d1, w0, w1] = slots;
    this.mean = hot[h + level] + d0[s + offset] * (1 - d) + d1[s + offset] * d + w0[s + offset] * (1 - w) + w1[s + offset] * w;
    const dailyShape = 1 + d0[s + shape] * (1 - d) + d1[s + shape] * d;
    const weeklyShape = 1 + w0[s + shape] * (1 - w) + w1[s + shape] * w;
    const stddev = Math.sqrt(hot[h + scale] * dailyShape * weeklyShape);
    this.stddev = Math.max(stddev, stddevFloor(hot, h));
  }
  /** Whether a week has passed since the first value and enough of it was seen. */
  isReady(columns, at) {
    const h = at * baselineHotFloats;
    const { hot } = columns;
    return hot[h + learned] >= learnedMin && this.#cycle - hot[h + first] >= cyclesPerWeek;
  }
  /** Learned values so far. */
  learned(columns, at) {
    return columns.hot[at * baselineHotFloats + learned];
  }
  /**
   * Learns a value after `predict` of the same metric and cycle. `trust` is 1 for what was
   * observed, less for a sparse filling.
   */
  learn(columns, at, value, trust) {
    const { hot } = columns;
    const h = at * baselineHotFloats;
    const count2 = hot[h + learned];
    if (count2 === 0) return this.#start(hot, h, value, trust);
    noteStep(hot, h, value);
    const error = value - this.mean;
    const sigmas = Math.abs(error) / this.stddev;
    const isSettled = count2 >= uncutValues;
    const isYoung = this.#cycle - hot[h + first] < cyclesPerWeek;
    const isOutlying = !isYoung && sigmas >= outlyingSigmas;
    const gain = trust * this.#stretch(hot, h, error, isOutlying);
    const cut2 = isSettled ? Math.min(1, (isYoung ? cutSigmasFirstWeek : cutSigmas) / sigmas) : 1;
    this.#learnLevel(hot, h, error * cut2, gain);
    this.#learnScale(hot, h, error, sigmas, gain);
    if (isSettled) {
      this.#learnSlots(columns, at, error * cut2, Math.min(sigmas, cutSigmas) ** 2, gain);
    }
    hot[h + learned] = count2 + trust;
    hot[h + latest] = this.#cycle;
    hot[h + lastValue] = value;
  }
  #start(hot, h, value, trust) {
    hot[h + first] = this.#cycle;
    hot[h + latest] = this.#cycle;
    hot[h + learned] = trust;
    hot[h + level] = value;
    hot[h + lastValue] = value;
  }
  #learnLevel(hot, h, error, gain) {
    const isYoung = this.#cycle - hot[h + first] < cyclesPerWeek;
    const gap = Math.min(gapMax, Math.max(1, this.#cycle - hot[h + latest]));
    const steady = (isYoung ? levelGainFirstWeek : levelGain) * gap;
    hot[h + level] = hot[h + level] + gain * Math.max(1 / (hot[h + learned] + 1), steady) * error;
  }
  /** Errors beyond the cut count as three σ; in steady state a doubling takes hours, not cycles. */
  #learnScale(hot, h, error, sigmas, gain) {
    const count2 = hot[h + learned];
    const was = hot[h + scale];
    const rate = gain * Math.max(1 / (count2 + 1), scaleGain);
    if (count2 < uncutValues) {
      hot[h + scale] = was + rate * (error * error - was);
      return;
    }
    const squares = Math.min(sigmas, cutSigmas) ** 2;
    const floor = stddevFloor(hot, h) ** 2;
    const base = Math.max(was, floor);
    hot[h + scale] = was < floor ? was + rate * (squares * base - was) : was * (1 + rate * (squares - 1));
  }
  /**
   * Follows stretches of outlying cycles: the share with which this cycle is learned. A stretch of
   * half a day becomes the new level and scale.
   */
  #stretch(hot, h, error, isOutlying) {
    const before = hot[h + outlying];
    if (!isOutlying && before === 0) return 1;
    const now = isOutlying ? before + 1 : Math.max(0, before - 2);
    hot[h + outlying] = now;
    const count2 = before === 0 ? 1 : hot[h + stretchCount] + 1;
    const was = before === 0 ? 0 : hot[h + stretchMean];
    const mean = was + (error - was) / count2;
    hot[h + stretchCount] = count2;
    hot[h + stretchMean] = mean;
    hot[h + stretchSquares] = (before === 0 ? 0 : hot[h + stretchSquares]) + (error - was) * (error - mean);
    if (now >= stretchMax) this.#takeOver(hot, h);
    return now >= stretchStart ? stretchGain : 1;
  }
  #takeOver(hot, h) {
    hot[h + level] = hot[h + level] + hot[h + stretchMean];
    const variance = hot[h + stretchSquares] / hot[h + stretchCount];
    hot[h + scale] = Math.max(hot[h + scale], variance);
    hot[h + outlying] = 0;
  }
  #learnSlots(columns, at, error, squares, gain) {
    const [d0, d1, w0, w1] = columns.slots;
    const s = at * slotFloats;
    const d = this.#daily;
    const left = learnPair(d0, d1, s, d, error, squares, gain, dailyPrior, dailyWeightMax);
    learnPair(w0, w1, s, this.#weekly, left, squares, gain, weeklyPrior, weeklyWeightMax);
  }
};
function learnPair(earlier, later, s, share, error, squares, gain, prior, weightMax) {
  const norm = 1 / ((1 - share) * (1 - share) + share * share);
  const a = learnSlot(earlier, s, 1 - share, error, squares, gain, norm, prior, weightMax);
  const b = learnSlot(later, s, share, error, squares, gain, norm, prior, weightMax);
  return error - a * (1 - share) - b * share;
}
function learnSlot(slot, s, share, error, squares, gain, norm, prior, weightMax) {
  const known = slot[s + weight];
  const step = gain * share * norm * error / (known + prior + 1);
  slot[s + offset] = slot[s + offset] + step;
  const was = 1 + slot[s + shape];
  const grown = was * (1 + gain * share * (squares - 1) / (known + shapePrior));
  slot[s + shape] = Math.min(shapeMax, Math.max(shapeMin, grown)) - 1;
  slot[s + weight] = Math.min(weightMax, known + gain * share);
  return step;
}
function noteStep(hot, h, value) {
  const step = Math.abs(value - hot[h + lastValue]);
  if (step === 0) return;
  if (hot[h + steps] < stepsNeeded) hot[h + steps] = hot[h + steps] + 1;
  const smallest = hot[h + quantum];
  if (smallest === 0 || step < smallest) hot[h + quantum] = step;
}
function stddevFloor(hot, h) {
  const grid = hot[h + steps] >= stepsNeeded ? quantumShare * hot[h + quantum] : 0;
  return Math.max(grid, levelShareMin * Math.abs(hot[h + level]), stddevMin);
}

// src/analysis/contextual.ts
var correlatedMetricsMax = 64;
var predictorsMax = 3;
var correlationMin = 0.5;
var explainedMin = 0.3;
var ridge = 0.05;
var header = 1;
var covarianceGain = 1 / 4032;
var errorGain = 1 / 576;
var learnedSigmasMax = 4;
var cutSigmas2 = 3;
var errorsMin = 144;
var errorMin = 0.02;
function correlationFloats(metrics) {
  return rowStart(Math.min(metrics, correlatedMetricsMax));
}
function rowStart(metric) {
  return header + metric * (metric + 1) / 2 + 2 * metric;
}
var ContextualStep = class {
  /** Foretold errors in σ and their standard deviation; NaN where nothing is foretold. */
  foretold = new Float64Array(correlatedMetricsMax);
  spread = new Float64Array(correlatedMetricsMax);
  /** Standard deviations of the metrics' errors, as learned; 0 where too little is known. */
  #deviations = new Float64Array(correlatedMetricsMax);
  #predictors = new Int32Array(predictorsMax);
  #strengths = new Float64Array(predictorsMax);
  #weights = new Float64Array(predictorsMax);
  #matrix = new Float64Array(predictorsMax * predictorsMax);
  #predictorCount = 0;
  /**
   * Fills `foretold` and `spread` for `count` metrics from their errors in σ, NaN for a metric
   * that takes no part. A metric's own error is not looked at for its own foretelling.
   */
  predict(state, sigmas, count2) {
    for (let i = 0; i < count2; i++) {
      const start = rowStart(i);
      this.#deviations[i] = Math.sqrt(state[start + i]);
    }
    for (let i = 0; i < count2; i++) this.#predictOne(state, sigmas, count2, i);
  }
  /** Whether the foretelling of a metric has been tried often enough to be told to people. */
  isReady(state, metric) {
    return state[rowStart(metric) + metric + 2] >= errorsMin;
  }
  /** Learns the errors that `predict` was given, and how wrong it was. */
  learn(state, sigmas, count2) {
    const gain = Math.max(1 / (state[0] + 1), covarianceGain);
    for (let i = 0; i < count2; i++) {
      if (Number.isNaN(sigmas[i])) continue;
      const start = rowStart(i);
      const own = cut(sigmas[i]);
      for (let j = 0; j <= i; j++) {
        const other = sigmas[j];
        if (Number.isNaN(other)) continue;
        const was = state[start + j];
        state[start + j] = was + gain * (own * cut(other) - was);
      }
      this.#learnError(state, start + i + 1, sigmas[i] - this.foretold[i]);
    }
    state[0] = state[0] + 1;
  }
  #learnError(state, at, error) {
    if (Number.isNaN(error)) return;
    const was = state[at];
    const tries = state[at + 1];
    const most = tries < 12 ? Infinity : cutSigmas2 * cutSigmas2 * Math.max(was, errorMin ** 2);
    state[at] = was + Math.max(1 / (tries + 1), errorGain) * (Math.min(error * error, most) - was);
    state[at + 1] = Math.min(tries + 1, cyclesRemembered);
  }
  #predictOne(state, sigmas, count2, i) {
    this.foretold[i] = NaN;
    this.spread[i] = NaN;
    this.#choosePredictors(state, sigmas, count2, i);
    if (this.#predictorCount === 0) return;
    const explained = this.#solve(state);
    if (!(explained >= explainedMin)) return;
    let sum = 0;
    for (let p = 0; p < this.#predictorCount; p++) {
      const j = this.#predictors[p];
      sum += this.#weights[p] * sigmas[j] / this.#deviations[j];
    }
    this.foretold[i] = sum * this.#deviations[i];
    this.spread[i] = Math.max(errorMin, Math.sqrt(state[rowStart(i) + i + 1]));
  }
  /** The strongest correlates that have a value in this cycle, strongest first. */
  #choosePredictors(state, sigmas, count2, i) {
    const strengths = this.#strengths;
    const predictors = this.#predictors;
    const own = this.#deviations[i];
    let chosen = 0;
    for (let j = 0; j < count2 && own > 0; j++) {
      if (j === i || Number.isNaN(sigmas[j]) || this.#deviations[j] === 0) continue;
      const shared = covariance(state, i, j) / (own * this.#deviations[j]);
      const strength = Math.abs(shared);
      if (strength < correlationMin) continue;
      if (chosen === predictorsMax && strength <= Math.abs(strengths[chosen - 1])) continue;
      let place = chosen < predictorsMax ? chosen++ : chosen - 1;
      for (; place > 0 && Math.abs(strengths[place - 1]) < strength; place--) {
        strengths[place] = strengths[place - 1];
        predictors[place] = predictors[place - 1];
      }
      strengths[place] = shared;
      predictors[place] = j;
    }
    this.#predictorCount = chosen;
  }
  /** Solves (R + ridge) w = r by elimination; gives the share of variance explained, r · w. */
  #solve(state) {
    const n = this.#predictorCount;
    const m = this.#matrix;
    const w = this.#weights;
    for (let a = 0; a < n; a++) {
      const i = this.#predictors[a];
      for (let b = 0; b < n; b++) {
        const j = this.#predictors[b];
        const shared = covariance(state, i, j) / (this.#deviations[i] * this.#deviations[j]);
        m[a * n + b] = a === b ? 1 + ridge : shared;
      }
      w[a] = this.#strengths[a];
    }
    for (let a = 0; a < n; a++) {
      if (m[a * n + a] < ridge / 2) return NaN;
      for (let b = a + 1; b < n; b++) {
        const factor = m[b * n + a] / m[a * n + a];
        for (let c = a; c < n; c++) m[b * n + c] = m[b * n + c] - factor * m[a * n + c];
        w[b] = w[b] - factor * w[a];
      }
    }
    let explained = 0;
    for (let a = n - 1; a >= 0; a--) {
      for (let b = a + 1; b < n; b++) w[a] = w[a] - m[a * n + b] * w[b];
      w[a] = w[a] / m[a * n + a];
      explained += w[a] * this.#strengths[a];
    }
    return explained;
  }
};
var cyclesRemembered = 4096;
function covariance(state, i, j) {
  return i > j ? state[rowStart(i) + j] : state[rowStart(j) + i];
}
function cut(sigmas) {
  return Math.max(-learnedSigmasMax, Math.min(learnedSigmasMax, sigmas));
}

// src/analysis/element-analysis.ts
var sparseTrust = 0.25;
var ElementAnalysis = class {
  #baseline = new BaselineStep();
  #contextual = new ContextualStep();
  /** Errors in σ of the correlated metrics; NaN where one takes no part in this cycle. */
  #sigmas = new Float64Array(correlatedMetricsMax);
  #means = new Float64Array(correlatedMetricsMax);
  #stddevs = new Float64Array(correlatedMetricsMax);
  /** Whether a metric's contextual band may be served. */
  #served = new Uint8Array(correlatedMetricsMax);
  /** Sets the cycle of all steps that follow. */
  begin(cycle) {
    this.#baseline.begin(cycle);
  }
  /**
   * Predicts the bands of the metrics in `range` into the same places of `bands`, and then learns
   * their values. `correlation` is the element's state, `undefined` where it has none: then no
   * contextual bands are given. Its first `correlatedMetricsMax` metrics take part in it.
   */
  step(inputs, columns, bands, range, correlation) {
    for (let at = range.from; at < range.to; at++) {
      this.#stepBaseline(inputs, columns, bands, at, at - range.from);
    }
    const count2 = Math.min(correlatedMetricsMax, range.to - range.from);
    if (correlation !== void 0 && count2 > 1) {
      this.#stepContextual(inputs, bands, range.from, count2, correlation);
    }
  }
  #stepBaseline(inputs, columns, bands, at, place) {
    const baseline = this.#baseline;
    const flags = inputs.flags[at];
    clearBands(bands, at);
    baseline.predict(columns, at);
    bands.expectedMean[at] = baseline.mean;
    bands.expectedStddev[at] = baseline.stddev;
    const isServed = (flags & inputPartial) === 0 && baseline.isReady(columns, at);
    if (isServed && (flags & inputBaselineOff) === 0) {
      bands.baselineMean[at] = baseline.mean;
      bands.baselineStddev[at] = baseline.stddev;
    }
    const value = inputs.actual[at];
    if (place < correlatedMetricsMax) this.#noteError(flags, value, place, isServed, columns, at);
    if (Number.isNaN(value) || (flags & inputUnlearned) !== 0) return;
    baseline.learn(columns, at, value, (flags & inputSparse) !== 0 ? sparseTrust : 1);
  }
  /** Keeps what the contextual step needs of a metric before the metric's value is learned. */
  #noteError(flags, value, place, isServed, columns, at) {
    const { mean, stddev } = this.#baseline;
    const isLeftOut = (flags & inputUncorrelated) !== 0 || this.#baseline.learned(columns, at) < correlatedFrom;
    this.#means[place] = mean;
    this.#stddevs[place] = stddev;
    this.#sigmas[place] = isLeftOut ? NaN : (value - mean) / stddev;
    this.#served[place] = isServed && (flags & inputCorrelationOff) === 0 ? 1 : 0;
  }
  #stepContextual(inputs, bands, from, count2, correlation) {
    const contextual = this.#contextual;
    contextual.predict(correlation, this.#sigmas, count2);
    let isPaused = false;
    for (let i = 0; i < count2; i++) {
      const at = from + i;
      if ((inputs.flags[at] & inputPaused) !== 0) isPaused = true;
      const foretold = contextual.foretold[i];
      if (Number.isNaN(foretold) || this.#served[i] === 0) continue;
      if (!contextual.isReady(correlation, i)) continue;
      bands.contextualMean[at] = this.#means[i] + foretold * this.#stddevs[i];
      bands.contextualStddev[at] = contextual.spread[i] * this.#stddevs[i];
    }
    if (!isPaused) contextual.learn(correlation, this.#sigmas, count2);
  }
};
var inputUnlearned = inputPartial | inputPaused;
var inputUncorrelated = inputCorrelationOff | inputSparse | inputPartial;
var correlatedFrom = 288;
function clearBands(bands, at) {
  bands.baselineMean[at] = NaN;
  bands.baselineStddev[at] = NaN;
  bands.contextualMean[at] = NaN;
  bands.contextualStddev[at] = NaN;
}

// src/cycle/rows.ts
var historyFloats = 4;
var historyMin = 0;
var historyMax = 1;
var historyLast = 2;
var historyCycle = 3;
var Rows = class _Rows {
  /** How many are in use. */
  count = 0;
  series;
  inputs;
  columns;
  bands;
  /** `historyFloats` a row; all NaN before the first value. */
  history;
  /** 1 where the row was there when an earlier cycle closed. */
  known;
  constructor(length = 1024) {
    this.series = new Int32Array(length);
    this.inputs = createCycleInputs(length);
    this.columns = createBaselineColumns(length);
    this.bands = createCycleBands(length);
    this.history = new Float64Array(length * historyFloats);
    this.known = new Uint8Array(length);
  }
  /** Empties as many rows as a part needs; room grows by doubling and stays. */
  reset(count2) {
    if (count2 > this.series.length) {
      const grown = new _Rows(Math.max(count2, 2 * this.series.length));
      this.series = grown.series;
      this.inputs = grown.inputs;
      this.columns = grown.columns;
      this.bands = grown.bands;
      this.history = grown.history;
      this.known = grown.known;
    }
    this.count = count2;
    this.clearCycle();
    const { columns } = this;
    columns.hot.fill(0);
    for (const slot of columns.slots) slot.fill(0);
    this.history.fill(NaN, 0, count2 * historyFloats);
    this.known.fill(0, 0, count2);
  }
  /** Empties what belongs to one cycle only. */
  clearCycle() {
    const { inputs, bands, count: count2 } = this;
    inputs.actual.fill(NaN, 0, count2);
    inputs.flags.fill(0, 0, count2);
    for (const column of Object.values(bands)) column.fill(NaN, 0, count2);
  }
};

// src/cycle/gathering.ts
function gatherRow(rows, row, cycle, definition, { cells, slot }) {
  const { inputs } = rows;
  const { baseline, correlation } = bandsOf(definition);
  if (!baseline) inputs.flags[row] |= inputBaselineOff;
  if (!correlation) inputs.flags[row] |= inputCorrelationOff;
  if (!(cells.count[slot] > 0)) return { hasSamples: false, code: null };
  rows.history[row * historyFloats + historyCycle] = cycle;
  if ((cells.flags[slot] & flagPartial) !== 0) inputs.flags[row] |= inputPartial;
  const code = definitionCode(definition);
  const isRecorded = cells.definition[slot] === code;
  if (!isRecorded) {
    cells.definition[slot] = code;
    const actual = derivedActual(cells, slot);
    cells.actuals[slot] = Number.isNaN(actual) ? 0 : 1;
    cells.actual[slot] = Number.isNaN(actual) ? 0 : actual;
  }
  if (hasActual(cells, slot)) inputs.actual[row] = cells.actual[slot];
  return { hasSamples: true, code: isRecorded ? null : code };
}

// src/cycle/rounding.ts
var stepsPerDeviation = 64;
function roundBands(bands, row) {
  roundBand(bands.baselineMean, bands.baselineStddev, row);
  roundBand(bands.contextualMean, bands.contextualStddev, row);
}
function roundBand(means, stddevs, row) {
  const stddev = stddevs[row];
  if (!(stddev > 0)) return;
  const step = 2 ** Math.floor(Math.log2(stddev / stepsPerDeviation));
  means[row] = Math.fround(Math.round(means[row] / step) * step);
  stddevs[row] = Math.fround(Math.round(stddev / step) * step);
}

// src/cycle/sparse.ts
function fillingOf(strategy, history) {
  switch (strategy) {
    case "None":
      return NaN;
    case "ReplaceWithZero":
      return 0;
    case "ReplaceWithHistoricalMin":
      return history.min;
    case "ReplaceWithHistoricalMax":
      return history.max;
    case "ReplaceWithLast":
      return history.last;
  }
}

// src/cycle/steps.ts
function isActive({ history }, { from, to }, cycle, inactiveCycles) {
  for (let row = from; row < to; row++) {
    const last = history[row * historyFloats + historyCycle];
    if (Math.abs(cycle - last) < inactiveCycles) return true;
  }
  return false;
}
function fillRow({ inputs, history, known }, row, strategy, { cycle, isMissed }) {
  if (!Number.isNaN(inputs.actual[row])) return NaN;
  const at = row * historyFloats;
  const last = history[at + historyCycle];
  if (last === cycle || known[row] === 0) return NaN;
  if (isMissed && Number.isNaN(last)) return NaN;
  const filling = fillingOf(strategy, {
    min: history[at + historyMin],
    max: history[at + historyMax],
    last: history[at + historyLast]
  });
  if (Number.isNaN(filling)) return NaN;
  inputs.actual[row] = filling;
  inputs.flags[row] |= inputSparse;
  return filling;
}
function predictRows(analysis, { inputs, columns, bands }, range, correlation) {
  analysis.step(inputs, columns, bands, range, correlation);
  for (let row = range.from; row < range.to; row++) roundBands(bands, row);
}
function rememberRow({ history, inputs }, row) {
  const actual = inputs.actual[row];
  if (Number.isNaN(actual) || (inputs.flags[row] & inputSparse) !== 0) return;
  const at = row * historyFloats;
  const min = history[at + historyMin];
  const max = history[at + historyMax];
  history[at + historyMin] = actual < min || Number.isNaN(min) ? actual : min;
  history[at + historyMax] = actual > max || Number.isNaN(max) ? actual : max;
  history[at + historyLast] = actual;
}

// src/analysis/sudden-change.ts
var suddenChangeValues = 24;
var observationT = 3.792;
var trendT = 2.074;
var uncertaintyShareMax = 0.25;
var count = suddenChangeValues;
var timeMean = (count - 1) / 2;
var timeSquares = count * (count * count - 1) / 12;
var projectionFactor = Math.sqrt(1 + 1 / count + (count - timeMean) ** 2 / timeSquares);
function suddenChange(previous, observed) {
  assert(previous.length === count, `Expected ${count} previous values, got ${previous.length}`);
  let sum = 0;
  let timed = 0;
  for (let i = 0; i < count; i++) {
    sum += previous[i];
    timed += (i - timeMean) * previous[i];
  }
  if (!Number.isFinite(sum + timed) || !Number.isFinite(observed)) return void 0;
  const mean = sum / count;
  const slope = timed / timeSquares;
  const projected = mean + slope * (count - timeMean);
  const error = standardError(previous, mean, slope);
  const distance = Math.abs(observed - projected);
  if (projected === 0 || distance === 0) return void 0;
  const uncertainty = error * projectionFactor;
  if (uncertainty > uncertaintyShareMax * Math.abs(projected)) return void 0;
  if (distance < observationT * uncertainty) return void 0;
  const isUpper = observed > projected;
  if (isContinuation(isUpper ? slope : -slope, error, distance)) return void 0;
  const direction = isUpper ? "upper" : "lower";
  return { projected, change: distance / Math.abs(projected), direction };
}
function standardError(previous, mean, slope) {
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const off = previous[i] - mean - slope * (i - timeMean);
    squares += off * off;
  }
  const rounding = 1e-12 * Math.abs(mean);
  return Math.max(Math.sqrt(squares / (count - 2)), rounding);
}
function isContinuation(slopeThatWay, error, distance) {
  const isKnown = slopeThatWay * Math.sqrt(timeSquares) > trendT * error;
  return isKnown && distance <= slopeThatWay * count;
}

export {
  cyclesPerWeek,
  patternSlots,
  cycleOf,
  cycleStartMs,
  slotsOfCycle,
  baselineHotFloats,
  slotFloats,
  inputSparse,
  inputPaused,
  correlationFloats,
  ElementAnalysis,
  suddenChangeValues,
  suddenChange,
  historyFloats,
  historyCycle,
  Rows,
  gatherRow,
  isActive,
  fillRow,
  predictRows,
  rememberRow
};
//# sourceMappingURL=chunk-E55FANQB.js.map
