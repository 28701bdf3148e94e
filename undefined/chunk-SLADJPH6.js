import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/model/effective-settings.ts
function isCounter({ type, settings }) {
  return settings?.counter === true || type.toUpperCase() === "COUNTER";
}
function actualStatisticOf({ settings }) {
  return settings?.statistic ?? "average";
}
function sparseStrategyOf(definition) {
  return definition.settings?.sparseDataStrategy ?? definition.sparseDataStrategy;
}
function bandsOf({ settings }) {
  return { baseline: settings?.baseline ?? true, correlation: settings?.correlation ?? true };
}

// src/codec/decimal.ts
var scaleMax = 9;
var powersOfTen = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
var scaledMax = 2 ** 50;
function decimalScale(values, from, to) {
  let scale = 0;
  let power = 1;
  let most = 0;
  for (let i = from; i < to; i++) {
    const value = values[i];
    const size = value < 0 ? -value : value;
    most = size > most ? size : most;
    while (Math.round(value * power) / power !== value) {
      if (++scale > scaleMax) return -1;
      power = powersOfTen[scale];
    }
  }
  return most * power <= (scale === 0 ? Number.MAX_SAFE_INTEGER : scaledMax) ? scale : -1;
}
function decimalScaleOf(value, scale) {
  const size = value < 0 ? -value : value;
  for (let k = scale; k <= scaleMax; k++) {
    const power = powersOfTen[k];
    if (size * power > (k === 0 ? Number.MAX_SAFE_INTEGER : scaledMax)) return -1;
    if (Math.round(value * power) / power === value) return k;
  }
  return -1;
}

// src/rollup/sum.ts
function exactSum(values, from, to) {
  const scale = decimalScale(values, from, to);
  return scaledSum(values, from, to, scale);
}
function scaledSum(values, from, to, scale) {
  if (scale < 0) return compensatedSum(values, from, to);
  const power = powersOfTen[scale];
  let sum = 0;
  let size = 0;
  for (let i = from; i < to; i++) {
    const integer = Math.round(values[i] * power);
    sum += integer;
    size += integer < 0 ? -integer : integer;
  }
  return size <= Number.MAX_SAFE_INTEGER ? sum / power : compensatedSum(values, from, to);
}
function compensatedSum(values, from, to) {
  let sum = 0;
  let lost = 0;
  for (let i = from; i < to; i++) {
    const value = values[i];
    const next = sum + value;
    const sumIsLarger = (sum < 0 ? -sum : sum) >= (value < 0 ? -value : value);
    lost += sumIsLarger ? sum - next + value : value - next + sum;
    sum = next;
  }
  const total = sum + lost;
  return Number.isFinite(total) ? total : hugeSum(values, from, to);
}
function hugeSum(values, from, to) {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i] * 2 ** -64;
  return finite(sum * 2 ** 64);
}
function finite(value) {
  if (value > Number.MAX_VALUE) return Number.MAX_VALUE;
  return value < -Number.MAX_VALUE ? -Number.MAX_VALUE : value;
}
var exactCountMax = 9e6;
function averageOf(sum, count) {
  const size = sum < 0 ? -sum : sum;
  const power = size < 1e6 ? 1e9 : size < 1e12 ? 1e3 : 1;
  const integer = Math.round(sum * power);
  if (integer / power !== sum || count > exactCountMax || Math.floor(count) !== count) {
    return finite(sum / count);
  }
  return integer / (power * count);
}

// src/rollup/squares.ts
var moments = { sum: NaN, m2: NaN };
function momentsOf(values, from, to) {
  let scale = 0;
  while (scale >= 0) {
    const failed = decimalMoments(values, from, to, scale);
    if (failed < 0) return;
    scale = decimalScaleOf(values[failed], scale + 1);
  }
  moments.sum = compensatedSum(values, from, to);
  moments.m2 = squaresAround(values, from, to, moments.sum / (to - from));
}
function decimalMoments(values, from, to, scale) {
  const power = powersOfTen[scale];
  const limit = scale === 0 ? Number.MAX_SAFE_INTEGER : scaledMax;
  const count = to - from;
  const first = Math.round(values[from] * power);
  let sum = 0;
  let sizes = 0;
  let distances = 0;
  let squares = 0;
  for (let i = from; i < to; i++) {
    const integer = Math.round(values[i] * power);
    const size = integer < 0 ? -integer : integer;
    if (integer / power !== values[i] || size > limit) return i;
    sum += integer;
    sizes += size;
    const distance = integer - first;
    distances += distance;
    squares += distance * distance;
  }
  const isExact = sizes <= Number.MAX_SAFE_INTEGER;
  moments.sum = isExact ? sum / power : compensatedSum(values, from, to);
  moments.m2 = count * squares <= Number.MAX_SAFE_INTEGER ? squaresFromMoment(count * squares - distances * distances, scale, count) : squaresAround(values, from, to, moments.sum / count);
  return -1;
}
function squaresFromMoment(moment, scale, count) {
  return moment / powersOfTen[2 * scale] / count;
}
function squaresAround(values, from, to, mean) {
  let squares = 0;
  let rest = 0;
  for (let i = from; i < to; i++) {
    const distance = values[i] - mean;
    squares += distance * distance;
    rest += distance;
  }
  return cleaned(squares - rest * rest / (to - from));
}
function squaresAroundOfRatios({ numerators, divisor }, count, mean) {
  let squares = 0;
  let rest = 0;
  for (let i = 0; i < count; i++) {
    const distance = numerators[i] / divisor - mean;
    squares += distance * distance;
    rest += distance;
  }
  return cleaned(squares - rest * rest / count);
}
function weightedSquares(values, weights, count, total) {
  if (count < 2) return 0;
  const scale = weightsAreWhole(weights, count) ? decimalScale(values, 0, count) : -1;
  if (scale >= 0) {
    const power = powersOfTen[scale];
    const first = Math.round(values[0] * power);
    let distances = 0;
    let sizes = 0;
    let squares = 0;
    for (let i = 0; i < count; i++) {
      const distance = Math.round(values[i] * power) - first;
      distances += distance * weights[i];
      sizes += Math.abs(distance) * weights[i];
      squares += distance * distance * weights[i];
    }
    if (total * squares <= Number.MAX_SAFE_INTEGER && sizes <= Number.MAX_SAFE_INTEGER) {
      return squaresFromMoment(total * squares - distances * distances, scale, total);
    }
  }
  return weightedSquaresAround(values, weights, count, total, scale);
}
var products = { array: new Float64Array(64) };
function weightedSquaresAround(values, weights, count, total, scale) {
  if (products.array.length < count) products.array = new Float64Array(count * 2);
  const array = products.array;
  let plain = true;
  for (let i = 0; i < count; i++) {
    array[i] = finite(values[i] * weights[i]);
    if (weights[i] !== 1) plain = false;
  }
  const sum = plain ? scaledSum(array, 0, count, scale) : exactSum(array, 0, count);
  const mean = sum / total;
  let squares = 0;
  let rest = 0;
  for (let i = 0; i < count; i++) {
    const distance = values[i] - mean;
    squares += distance * distance * weights[i];
    rest += distance * weights[i];
  }
  return cleaned(squares - rest * rest / total);
}
function weightsAreWhole(weights, count) {
  for (let i = 0; i < count; i++) {
    if (Math.floor(weights[i]) !== weights[i]) return false;
  }
  return true;
}
function cleaned(squares) {
  if (squares > 0) return finite(squares);
  return squares <= 0 ? 0 : Number.MAX_VALUE;
}
var momentSureMax = 2 ** 45;
var momentTolerance = 2 ** -47;
function settledSquares(squares, count) {
  if (!(squares > 0) || squares > Number.MAX_VALUE) return cleaned(squares);
  if (Math.floor(count) !== count) return squares;
  for (let scale = 0; scale <= 9; scale++) {
    const exact = squares * count * powersOfTen[2 * scale];
    if (exact > momentSureMax) break;
    const moment = Math.round(exact);
    if (Math.abs(exact - moment) <= exact * momentTolerance) {
      return squaresFromMoment(moment, scale, count);
    }
  }
  return squares;
}

// src/rollup/cell.ts
var definitions = ["average", "sum", "min", "max", "last", "cnt", "counter"];
var definitionAverage = 0;
var definitionSum = 1;
var definitionMin = 2;
var definitionMax = 3;
var definitionLast = 4;
var definitionCnt = 5;
var definitionCounter = 6;
var flagSparse = 1;
var flagPartial = 2;
var flagComputed = 4;
var flagFact = flagSparse | flagComputed;
var CellColumns = class {
  length;
  /** Observations in the bucket; may be fractional where a client's `cnt` is. */
  count;
  sum;
  min;
  max;
  /** Sum of squared deviations from the mean. */
  m2;
  /** Earliest and latest value; of an aggregated sample its mean. */
  first;
  last;
  /** The metric's statistic over the bucket; means nothing where `actuals` is 0. */
  actual;
  /** PT5M actuals in the bucket: 0 or 1 in PT5M, up to 12 in PT1H, 288 in PT24H. */
  actuals;
  flags;
  /** Code from `definitions`. */
  definition;
  constructor(length) {
    this.length = length;
    this.count = new Float64Array(length);
    this.sum = new Float64Array(length);
    this.min = new Float64Array(length);
    this.max = new Float64Array(length);
    this.m2 = new Float64Array(length);
    this.first = new Float64Array(length);
    this.last = new Float64Array(length);
    this.actual = new Float64Array(length);
    this.actuals = new Float64Array(length);
    this.flags = new Float64Array(length);
    this.definition = new Float64Array(length);
  }
};
var columnsOfCell = [
  "count",
  "sum",
  "min",
  "max",
  "m2",
  "first",
  "last",
  "actual",
  "actuals",
  "flags",
  "definition"
];
function isPresent(cells, at) {
  return cells.count[at] > 0 || isFact(cells, at);
}
function isFact(cells, at) {
  return (cells.flags[at] & flagFact) !== 0;
}
function hasActual(cells, at) {
  return cells.actuals[at] > 0;
}
function clearCells(cells, from, to) {
  if (to - from === 1) return clearCell(cells, from);
  for (const column of columnsOfCell) cells[column].fill(0, from, to);
}
function clearPresence(cells, from, to) {
  cells.count.fill(0, from, to);
  cells.flags.fill(0, from, to);
  cells.actuals.fill(0, from, to);
}
function clearCell(cells, at) {
  cells.count[at] = 0;
  cells.sum[at] = 0;
  cells.min[at] = 0;
  cells.max[at] = 0;
  cells.m2[at] = 0;
  cells.first[at] = 0;
  cells.last[at] = 0;
  cells.actual[at] = 0;
  cells.actuals[at] = 0;
  cells.flags[at] = 0;
  cells.definition[at] = 0;
}
function copyCell(source, from, target, to) {
  target.count[to] = source.count[from];
  target.sum[to] = source.sum[from];
  target.min[to] = source.min[from];
  target.max[to] = source.max[from];
  target.m2[to] = source.m2[from];
  target.first[to] = source.first[from];
  target.last[to] = source.last[from];
  target.actual[to] = source.actual[from];
  target.actuals[to] = source.actuals[from];
  target.flags[to] = source.flags[from];
  target.definition[to] = source.definition[from];
}
function copyCells(source, from, target, to, count = 1) {
  for (const column of columnsOfCell) {
    target[column].set(source[column].subarray(from, from + count), to);
  }
}
function computeCell(values, from, to, out, at) {
  assert(from < to, "Expected at least one value");
  let min = values[from];
  let max = min;
  for (let i = from + 1; i < to; i++) {
    const value = values[i];
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  momentsOf(values, from, to);
  out.count[at] = to - from;
  out.sum[at] = moments.sum;
  out.m2[at] = moments.m2;
  out.min[at] = min + 0;
  out.max[at] = max + 0;
  out.first[at] = values[from] + 0;
  out.last[at] = values[to - 1] + 0;
  out.flags[at] = 0;
  applyDefinition(out, at);
}
var weighted = {
  means: new Float64Array(64),
  counts: new Float64Array(64),
  sums: new Float64Array(64)
};
function computeWeightedCell(contributions, from, to, out, at) {
  const kept = gather(contributions, from, to, out, at);
  if (kept === 0) {
    const definition = out.definition[at];
    clearCells(out, at, at + 1);
    out.definition[at] = definition;
    return false;
  }
  const { means, counts, sums } = weighted;
  const count = exactSum(counts, 0, kept);
  out.count[at] = count;
  out.sum[at] = exactSum(sums, 0, kept);
  out.m2[at] = weightedSquares(means, counts, kept, count);
  out.first[at] = means[0] + 0;
  out.last[at] = means[kept - 1] + 0;
  applyDefinition(out, at);
  return true;
}
function gather(contributions, from, to, out, at) {
  if (weighted.means.length < to - from) {
    weighted.means = new Float64Array((to - from) * 2);
    weighted.counts = new Float64Array((to - from) * 2);
    weighted.sums = new Float64Array((to - from) * 2);
  }
  let kept = 0;
  let min = Infinity;
  let max = -Infinity;
  let flags = 0;
  for (let i = from; i < to; i++) {
    if (contributions.count[i] === 0) continue;
    weighted.means[kept] = contributions.mean[i];
    weighted.counts[kept] = contributions.count[i];
    weighted.sums[kept] = contributions.sum[i];
    min = Math.min(min, contributions.min[i]);
    max = Math.max(max, contributions.max[i]);
    if (contributions.partial[i]) flags = flagPartial;
    kept++;
  }
  out.min[at] = min + 0;
  out.max[at] = max + 0;
  out.flags[at] = flags;
  return kept;
}
function fillSparse(cells, at, actual, flags = flagSparse) {
  const definition = cells.definition[at];
  clearCells(cells, at, at + 1);
  cells.definition[at] = definition;
  cells.actual[at] = actual;
  cells.actuals[at] = 1;
  cells.flags[at] = flags;
}
function redefineCell(cells, at, definition) {
  if (cells.definition[at] === definition) return;
  cells.definition[at] = definition;
  if (cells.count[at] > 0) applyDefinition(cells, at);
}
function applyDefinition(cells, at) {
  const counter = cells.definition[at] === definitionCounter;
  cells.actuals[at] = counter ? 0 : 1;
  cells.actual[at] = counter ? 0 : derivedActual(cells, at);
}
function applyCounter(cells, at, previousLast) {
  cells.actuals[at] = previousLast === void 0 ? 0 : 1;
  cells.actual[at] = previousLast === void 0 ? 0 : counterIncrease(cells.last[at], previousLast);
}
function counterIncrease(last, previousLast) {
  if (last < previousLast) return last;
  pair[0] = last;
  pair[1] = -previousLast;
  return exactSum(pair, 0, 2);
}
var pair = new Float64Array(2);
function derivedActual(cells, at) {
  if (!(cells.count[at] > 0)) return NaN;
  switch (cells.definition[at]) {
    case definitionAverage:
      return averageOf(cells.sum[at], cells.count[at]);
    case definitionSum:
      return averageOf(cells.sum[at], cells.actuals[at]);
    case definitionMin:
      return cells.min[at];
    case definitionMax:
      return cells.max[at];
    case definitionLast:
      return cells.last[at];
    case definitionCnt:
      return averageOf(cells.count[at], cells.actuals[at]);
    // A counter, whose increase is no function of the cell alone.
    default:
      return NaN;
  }
}

// src/rollup/definition-code.ts
function definitionCode(definition) {
  if (isCounter(definition)) return definitionCounter;
  return definitions.indexOf(actualStatisticOf(definition));
}

// src/model/band.ts
var bandSigmas = 4;
function deviationOf(value, { mean, stddev }) {
  const reach = bandSigmas * stddev;
  if (value > mean && value - mean >= reach) return "upper";
  if (value < mean && mean - value >= reach) return "lower";
  return void 0;
}
function upperEnd({ mean, stddev }, valid) {
  return within(mean + bandSigmas * stddev, valid);
}
function lowerEnd({ mean, stddev }, valid) {
  return within(mean - bandSigmas * stddev, valid);
}
function within(value, valid) {
  const { validMin = -Infinity, validMax = Infinity } = valid ?? {};
  return Math.min(Math.max(value, validMin), validMax);
}

// src/store/cycle-part.ts
var bandFields = [
  "baselineMean",
  "baselineStddev",
  "contextualMean",
  "contextualStddev"
];
var bandWidth = bandFields.length;
var historyCyclesMax = 72;
var closingKeyBytesMax = 512;
var emptyPart = {
  fills: { series: new Int32Array(0), actuals: new Float64Array(0) },
  computed: { elements: new Int32Array(0), fqns: [], actuals: new Float64Array(0) },
  definitions: { series: new Int32Array(0), codes: new Uint8Array(0) },
  bands: { series: new Int32Array(0), values: new Float32Array(0) },
  states: [],
  documents: []
};

export {
  bandWidth,
  historyCyclesMax,
  closingKeyBytesMax,
  isCounter,
  actualStatisticOf,
  sparseStrategyOf,
  bandsOf,
  scaleMax,
  powersOfTen,
  scaledMax,
  decimalScale,
  decimalScaleOf,
  exactSum,
  scaledSum,
  finite,
  averageOf,
  moments,
  momentsOf,
  squaresFromMoment,
  squaresAroundOfRatios,
  settledSquares,
  definitionAverage,
  definitionSum,
  definitionCounter,
  flagSparse,
  flagPartial,
  flagComputed,
  flagFact,
  CellColumns,
  isPresent,
  isFact,
  hasActual,
  clearCells,
  clearPresence,
  copyCell,
  copyCells,
  computeCell,
  computeWeightedCell,
  fillSparse,
  redefineCell,
  applyCounter,
  derivedActual,
  definitionCode,
  deviationOf,
  upperEnd,
  lowerEnd
};
//# sourceMappingURL=chunk-SLADJPH6.js.map
