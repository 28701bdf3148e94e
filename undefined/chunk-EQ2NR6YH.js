import {
  formatInstant,
  isoProblem,
  parseInstant,
  parseInstantBytes
} from "./chunk-5QVC5N6S.js";
import {
  cleanFqn
} from "./chunk-YLYUBZG2.js";
import {
  SampleColumns,
  definitionBytes,
  fieldAvg,
  fieldCnt,
  fieldCount,
  fieldMax,
  fieldMin,
  fieldSum,
  fieldVal,
  infoBytes,
  mergeDefinition,
  mergeInfo,
  newInfo,
  sampleFields,
  sampleMean
} from "./chunk-TAVG4KYY.js";
import {
  defaultDefinition,
  sparseStrategies
} from "./chunk-FTDLCQXU.js";
import {
  cycleMs
} from "./chunk-WSUH7ILY.js";
import {
  elementsPerRequestMax,
  entityTextBytesMax,
  errorStringsMax,
  fqnCharactersMax,
  jsonDepthMax,
  tagsPerEntityMax,
  textCharactersMax
} from "./chunk-5L33DSE6.js";

// src/log-pino.ts
import { pino } from "pino";
function createPinoLogger(options) {
  const destination = options.destination ?? pino.destination({ fd: 2, sync: true });
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) }
  };
  if (options.format === "json") return adapt(pino(settings, destination));
  return adapt(pino(settings, { write: (line) => destination.write(textLine(line)) }));
}
function adapt(logger) {
  return {
    debug: (fields, message) => logger.debug(withoutSecrets(fields), message),
    info: (fields, message) => logger.info(withoutSecrets(fields), message),
    warn: (fields, message) => logger.warn(withoutSecrets(fields), message),
    error: (fields, message) => logger.error(withoutSecrets(fields), message),
    child: (fields) => adapt(logger.child(withoutSecrets(fields)))
  };
}
var secretName = /(?:password|api_?key|authorization)$/i;
var fieldDepthMax = 6;
function withoutSecrets(fields) {
  return redacted(fields, 0);
}
function redacted(value, depth) {
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  if (depth > fieldDepthMax) return "[deep]";
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    secretName.test(name) ? "[secret]" : redacted(field, depth + 1)
  ]);
  return Object.fromEntries(entries);
}
function isPlainObject(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
function textLine(json) {
  const { time, level, msg, err, ...fields } = JSON.parse(json);
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${textValue(value)}`);
  const stack = err === void 0 ? "" : `
  ${errorText(err).replaceAll("\n", "\n  ")}`;
  return `${String(time)} ${String(level).padEnd(5)} ${String(msg)}${pairs.join("")}${stack}
`;
}
function textValue(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(value);
}
function errorText(err) {
  const { stack, message } = err ?? {};
  return stack ?? message ?? JSON.stringify(err);
}

// src/ingest/cardinality.ts
var minuteMs = 6e4;
var seriesDetail = "Series Limit Exceeded";
var Cardinality = class {
  catalogue;
  limits;
  /** By tenant: what was added in which minute of the server's clock. */
  minutes = [];
  constructor(catalogue, limits) {
    this.catalogue = catalogue;
    this.limits = limits;
  }
  /** Why a body that would add `growth` is not taken, or `undefined`. */
  refusal(tenant, growth, nowMs) {
    return this.totalRefusal(tenant, growth) ?? this.rateRefusal(tenant, growth, nowMs);
  }
  /** Counts what was added. */
  added(tenant, growth, nowMs) {
    this.minuteOf(tenant, nowMs).added += sum(growth);
  }
  totalRefusal(tenant, growth) {
    const { catalogue } = this;
    const { seriesMax } = this.limits;
    const known = {
      series: catalogue.seriesCountOf(tenant),
      elements: catalogue.elementCountOf(tenant),
      definitions: catalogue.definitionCount
    };
    for (const what of ["series", "elements", "definitions"]) {
      if (growth[what] === 0 || known[what] + growth[what] <= seriesMax) continue;
      const problem = `The body brings ${growth[what]} new ${what} to ${known[what]} known ones, more than the series limit of ${seriesMax}; known series are still accepted`;
      return { detail: seriesDetail, problem };
    }
    return this.textRefusal(tenant, growth.text);
  }
  textRefusal(tenant, growth) {
    const { text } = this.catalogue;
    const { textBytesMax } = this.limits;
    const known = text.ownOf(tenant) + text.shared;
    if (growth <= 0 || known + growth <= textBytesMax) return void 0;
    const problem = `The body brings ${growth} bytes of text to ${known} known ones, more than the text limit of ${textBytesMax} bytes (--text-bytes-limit); known series are still accepted`;
    return { detail: "Text Limit Exceeded", problem };
  }
  rateRefusal(tenant, growth, nowMs) {
    const { newSeriesPerMinuteMax } = this.limits;
    const { added } = this.minuteOf(tenant, nowMs);
    const more = sum(growth);
    if (more === 0 || added + more <= newSeriesPerMinuteMax) return void 0;
    const problem = `The body brings ${more} new series, elements and definitions to ${added} of this minute, more than the new-series limit of ${newSeriesPerMinuteMax} a minute; known series are still accepted`;
    return {
      detail: seriesDetail,
      problem,
      retryAfterSeconds: Math.ceil((minuteMs - modulo(nowMs, minuteMs)) / 1e3)
    };
  }
  /** A clock that jumps, either way, begins another minute: it can neither stop growth nor hoard. */
  minuteOf(tenant, nowMs) {
    const minute = Math.floor(nowMs / minuteMs);
    const current = this.minutes[tenant] ??= { minute, added: 0 };
    if (current.minute !== minute) {
      current.minute = minute;
      current.added = 0;
    }
    return current;
  }
};
function sum({ series, elements, definitions }) {
  return series + elements + definitions;
}
function modulo(value, by) {
  return (value % by + by) % by;
}

// src/ingest/slow/decode.ts
import { isUtf8 } from "node:buffer";
function decodeBody(body, charset) {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes[0] === 255 && bytes[1] === 254) return littleEndian(bytes.subarray(2));
  if (bytes[0] === 254 && bytes[1] === 255) return bigEndian(bytes.subarray(2));
  if (hasUtf8Mark(bytes)) return utf8(bytes.subarray(3));
  if (charset === "utf-16") return bytes[0] === 0 ? bigEndian(bytes) : littleEndian(bytes);
  if (charset === "iso-8859-1") return bytes.toString("latin1");
  return utf8(bytes) ?? (charset === "none" ? bytes.toString("latin1") : void 0);
}
function hasUtf8Mark(bytes) {
  return bytes[0] === 239 && bytes[1] === 187 && bytes[2] === 191;
}
function utf8(bytes) {
  return isUtf8(bytes) ? bytes.toString("utf8") : void 0;
}
function littleEndian(bytes) {
  return bytes.length % 2 === 0 ? bytes.toString("utf16le") : void 0;
}
function bigEndian(bytes) {
  return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16().toString("utf16le") : void 0;
}

// src/ingest/scanner/amend.ts
import { isUtf8 as isUtf82 } from "node:buffer";

// src/ingest/slow/depth.ts
var quote = 34;
var backslash = 92;
var plain = 0;
var opens = 1;
var closes = 2;
var quotes = 3;
var kinds = new Uint8Array(256);
for (const code of [91, 123]) kinds[code] = opens;
for (const code of [93, 125]) kinds[code] = closes;
kinds[quote] = quotes;
function isDeeperThan(bytes, depthMax) {
  const length = bytes.length;
  let depth = 0;
  for (let at = 0; at < length; at++) {
    const kind = kinds[bytes[at]];
    if (kind === plain) continue;
    if (kind === quotes) at = stringEnd(bytes, at + 1, length);
    else if (kind === closes) depth--;
    else if (++depth > depthMax) return true;
  }
  return false;
}
function stringEnd(bytes, at, length) {
  let end = at;
  while (end < length) {
    const code = bytes[end];
    if (code === quote) return end;
    end += code === backslash ? 2 : 1;
  }
  return end;
}

// src/ingest/slow/problems.ts
var quotedCharactersMax = 80;
var quotedMembersMax = 4;
var Problems = class {
  count = 0;
  texts = [];
  /** Adds a problem; `tell` is called only where there is still room for its text. */
  add(tell) {
    this.count++;
    if (this.texts.length < errorStringsMax) this.texts.push(tell());
  }
  /** At most `errorStringsMax` sentences; the last one says how many more there were. */
  list() {
    if (this.count <= errorStringsMax) return this.texts;
    const told = errorStringsMax - 1;
    return [...this.texts.slice(0, told), `\u2026 and ${this.count - told} more problems`];
  }
};
function quoted(value) {
  if (typeof value === "object" && value !== null) return quotedObject(value);
  if (typeof value !== "string") return String(value);
  const text = JSON.stringify(value.slice(0, quotedCharactersMax + 1));
  return text.length <= quotedCharactersMax ? text : `${text.slice(0, quotedCharactersMax)}\u2026`;
}
function quotedObject(value) {
  const members = Object.values(value);
  const isSmall = members.length <= quotedMembersMax && members.every((member) => isShort(member));
  if (isSmall) return JSON.stringify(value);
  return Array.isArray(value) ? `a list of ${members.length}` : `an object of ${members.length} members`;
}
function isShort(member) {
  return typeof member === "string" ? member.length < 40 : typeof member !== "object";
}
var Place = class {
  elementIndex = 0;
  elementId = void 0;
  /** Index of the sample, or -1 outside of samples. */
  sampleIndex = -1;
  metricId = void 0;
  /** Quoted once: whatever a client sent as an id stands in each of its errors. */
  quotedId = void 0;
  startElement(index, id) {
    this.elementIndex = index;
    this.elementId = id;
    this.quotedId = void 0;
    this.leaveSample();
  }
  startSample(index, metricId) {
    this.sampleIndex = index;
    this.metricId = metricId;
  }
  leaveSample() {
    this.sampleIndex = -1;
    this.metricId = void 0;
  }
  toString() {
    const id = this.elementId === void 0 ? "" : ` ${this.quotedId ??= quoted(this.elementId)}`;
    const metric = this.metricId === void 0 ? "" : `, metric ${quoted(this.metricId)}`;
    const sample = this.sampleIndex < 0 ? "" : `, sample ${this.sampleIndex}`;
    return `element ${this.elementIndex}${id}${metric}${sample}`;
  }
};

// src/ingest/slow/fields.ts
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isAbsent(value) {
  return value === void 0 || value === null || value === "";
}
var FieldReader = class {
  problems;
  place;
  /**
   * True where an escape or UTF-16 may have brought half a surrogate pair, which no store can keep.
   */
  repairs;
  constructor(problems, place, repairs) {
    this.problems = problems;
    this.place = place;
    this.repairs = repairs;
  }
  refuse(what) {
    this.problems.add(() => `${capital(String(this.place))}: ${what}`);
    return void 0;
  }
  /** An optional text; numbers and booleans become text, and so does nothing else. */
  text(value, field) {
    if (isAbsent(value)) return void 0;
    const text = typeof value === "string" ? value : scalarText(value);
    if (text === void 0) return this.refuse(`${field} ${quoted(value)} is not a text`);
    if (text.length > textCharactersMax) {
      return this.refuse(`${field} has ${text.length} characters, at most ${textCharactersMax} fit`);
    }
    return this.repairs ? repaired(text) : text;
  }
  /** A required id, cleaned (decisions §2). */
  fqn(value, field) {
    const raw = typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
    const fqn = cleanFqn(raw);
    if (fqn.length > 0 && fqn.length <= fqnCharactersMax) return fqn;
    if (fqn.length > 0) {
      return this.refuse(`${field} has ${fqn.length} characters, at most ${fqnCharactersMax} fit`);
    }
    if (isAbsent(value)) return this.refuse(`Missing required field '${field}'`);
    if (raw === "") return this.refuse(`${field} ${quoted(value)} is not a text`);
    return this.refuse(`${field} ${quoted(value)} holds none of the characters a-z A-Z 0-9 . _ -`);
  }
  /** Tags or attributes: `[{name, value}]`, or leniently `{name: value}`. */
  pairs(value, field) {
    if (isAbsent(value)) return void 0;
    const entries = Array.isArray(value) ? value : isObject(value) ? mapEntries(value) : void 0;
    if (entries === void 0) return this.refuse(`${field} ${quoted(value)} is not a list`);
    if (entries.length > tagsPerEntityMax) return this.tooMany(field, entries.length);
    if (entries.length === 0) return void 0;
    return entries.map((entry) => this.pair(entry, field));
  }
  tooMany(field, count) {
    return this.refuse(`${count} ${field} are given, at most ${tagsPerEntityMax} fit`);
  }
  pair(entry, field) {
    const { name, value } = isObject(entry) ? entry : {};
    const text = this.text(name, `a name of ${field}`);
    if (text === void 0) this.refuse(`an entry of ${field} has no name: ${quoted(entry)}`);
    return { name: text ?? "", value: this.text(value, `${field} value of ${quoted(name)}`) ?? "" };
  }
};
function mapEntries(map) {
  return Object.entries(map).map(([name, value]) => ({ name, value }));
}
function scalarText(value) {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : void 0;
}
function repaired(text) {
  return text.replace(new RegExp("\\p{Surrogate}", "gu"), "\uFFFD");
}
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// src/ingest/slow/element.ts
function readElementPatch(reader, element) {
  return {
    name: reader.text(element["name"], "name"),
    type: reader.text(element["type"], "type"),
    location: reader.text(element["location"], "location"),
    tags: reader.pairs(element["tags"], "tags"),
    attributes: reader.pairs(element["attributes"], "attributes"),
    relations: readRelations(reader, element["relations"])
  };
}
function readMetrics(reader, value) {
  const list = readList(reader, value, "metrics");
  if (list.length === 0) return noMetrics;
  const metrics = /* @__PURE__ */ new Map();
  for (const metric of list) {
    if (!isObject(metric)) {
      reader.refuse(`an entry of metrics is no object: ${quoted(metric)}`);
      continue;
    }
    reader.place.metricId = metric["id"];
    const fqn = reader.fqn(metric["id"], "id");
    const patch = readMetricPatch(reader, metric);
    if (fqn !== void 0) metrics.set(fqn, patch);
  }
  reader.place.metricId = void 0;
  return metrics;
}
var noMetrics = /* @__PURE__ */ new Map();
function readList(reader, value, field) {
  if (Array.isArray(value)) return value;
  if (!isAbsent(value)) reader.refuse(`${field} ${quoted(value)} is not a list`);
  return [];
}
function readMetricPatch(reader, metric) {
  return {
    name: reader.text(metric["name"], "name"),
    unit: reader.text(metric["unit"], "unit"),
    type: reader.text(metric["type"], "type"),
    sparseDataStrategy: strategyOf(reader.text(metric["sparseDataStrategy"], "sparseDataStrategy")),
    tags: reader.pairs(metric["tags"], "tags")
  };
}
var strategiesByText = new Map(sparseStrategies.map((s) => [s.toLowerCase(), s]));
function strategyOf(text) {
  return text === void 0 ? void 0 : strategiesByText.get(text.toLowerCase());
}
function readRelations(reader, value) {
  const entries = readList(reader, value, "relations");
  if (entries.length > tagsPerEntityMax) return reader.tooMany("relations", entries.length);
  const fqns = [];
  for (const entry of entries) {
    const fqn = cleanFqn(reader.text(isObject(entry) ? entry["fqn"] : entry, "fqn") ?? "");
    if (fqn.length > fqnCharactersMax) {
      reader.refuse(
        `fqn of a relation has ${fqn.length} characters, at most ${fqnCharactersMax} fit`
      );
    } else if (fqn.length > 0) fqns.push(fqn);
  }
  return fqns.length > 0 ? fqns : void 0;
}

// src/ingest/scanner/skip.ts
var quote2 = 34;
var comma = 44;
var colon = 58;
var openBracket = 91;
var backslash2 = 92;
var closeBracket = 93;
var openBrace = 123;
var closeBrace = 125;
var letterN = 110;
function skipSpace(bytes, at) {
  for (; ; ) {
    const byte = bytes[at];
    if (byte > 32 || byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return at;
    at++;
  }
}
function plainTextEnd(bytes, at, limit) {
  while (at < limit && isPlain[bytes[at]] === 1) at++;
  return at < limit && bytes[at] === quote2 ? at : -1;
}
var isPlain = new Uint8Array(256).fill(1, 32, 127);
isPlain[quote2] = 0;
isPlain[backslash2] = 0;
function skipNull(bytes, at) {
  return bytes[at] === letterN ? skipWord(bytes, at, nullWord) : -1;
}
var nullWord = Buffer.from("null");
var trueWord = Buffer.from("true");
var falseWord = Buffer.from("false");
function skipKeyword(bytes, at) {
  const byte = bytes[at];
  const word = byte === letterN ? nullWord : byte === trueWord[0] ? trueWord : falseWord;
  return skipWord(bytes, at, word);
}
function skipWord(bytes, at, word) {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return -1;
  return at + word.length;
}
function skipLoosely(bytes, at, limit) {
  let depth = 0;
  while (at < limit) {
    const byte = bytes[at];
    if (byte === quote2) {
      at = looseTextEnd(bytes, at + 1, limit) + 1;
      if (at === 0) return -1;
      if (depth === 0) return at;
      continue;
    }
    if ((byte | 32) === openBrace) depth++;
    else if ((byte | 32) === closeBrace) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || byte <= 32)) return at;
    at++;
  }
  return -1;
}
function looseTextEnd(bytes, at, limit) {
  while (at < limit) {
    const byte = bytes[at];
    if (byte === quote2) return at;
    at += byte === backslash2 ? 2 : 1;
  }
  return -1;
}

// src/ingest/scanner/amend.ts
var changesMax = 8;
var levelsAbove = 3;
var chunkBytes = 512;
function readAmended(scan, start2, section, isKnown) {
  const metrics = /* @__PURE__ */ new Map();
  let before = 0;
  let now = start2;
  for (let changes = 0; changes <= changesMax; changes++) {
    const same = sameBytes(scan, now, section, before);
    if (before + same === section.length) return { metrics, end: now + same };
    const item = itemAt(section, before, before + same);
    if (item === void 0) return void 0;
    const itemStart = now + item.start - before;
    const itemEnd = skipLoosely(scan.bytes, itemStart, scan.limit);
    if (itemEnd < 0 || !readMetric(scan, itemStart, itemEnd, metrics, isKnown)) return void 0;
    before = item.end;
    now = itemEnd;
  }
  return void 0;
}
function sameBytes({ bytes, limit }, now, section, before) {
  const length = Math.min(section.length - before, limit - now);
  let same = 0;
  for (; same + chunkBytes <= length; same += chunkBytes) {
    const from = before + same;
    const at = now + same;
    if (section.compare(bytes, at, at + chunkBytes, from, from + chunkBytes) !== 0) break;
  }
  while (same < length && section[before + same] === bytes[now + same]) same++;
  return same;
}
function itemAt(section, from, at) {
  let end = from;
  while (end <= at) {
    const start2 = skipSpace(section, skipSpace(section, end) + 1);
    if (start2 > at || section[start2] !== openBrace) return void 0;
    end = skipLoosely(section, start2, section.length);
    if (end < 0) return void 0;
    if (end > at) return { start: start2, end };
  }
  return void 0;
}
function readMetric(scan, start2, end, metrics, isKnown) {
  const bytes = Buffer.from(scan.bytes.buffer, start2, end - start2);
  if (!isUtf82(bytes) || isDeeperThan(bytes, jsonDepthMax - levelsAbove)) return false;
  const text = bytes.toString("utf8");
  const reader = new FieldReader(new Problems(), new Place(), text.includes("\\u"));
  for (const [fqn, patch] of readMetrics(reader, [parsed(text)])) {
    if (isKnown(fqn) || metrics.has(fqn)) return false;
    metrics.set(fqn, patch);
  }
  return reader.problems.count === 0;
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// src/ingest/scanner/extents.ts
function findExtents(scan, start2) {
  const { bytes, limit } = scan;
  let metricsStart = start2;
  let metricsEnd = start2;
  let hasMetrics = false;
  let headEnd = -1;
  let tailStart = -1;
  let at = bytes[start2] === openBrace ? skipSpace(bytes, start2 + 1) : limit;
  while (at < limit && bytes[at] === quote2) {
    const keyStart = at + 1;
    const keyEnd = looseTextEnd(bytes, keyStart, limit);
    if (keyEnd < 0 || isEscaped(bytes, keyStart, keyEnd)) return void 0;
    at = skipSpace(bytes, keyEnd + 1);
    if (bytes[at] !== colon) return void 0;
    const valueStart = skipSpace(bytes, at + 1);
    const isSamples = isKey(bytes, keyStart, keyEnd, samplesKey);
    const valueEnd = isSamples ? skipSamples(scan, valueStart) : skipLoosely(bytes, valueStart, limit);
    if (valueEnd < 0) return void 0;
    if (isSamples) {
      if (headEnd >= 0) return void 0;
      if (bytes[valueStart] === openBracket) {
        headEnd = valueStart + 1;
        tailStart = valueEnd;
      }
    } else if (isKey(bytes, keyStart, keyEnd, metricsKey)) {
      if (hasMetrics) return void 0;
      hasMetrics = true;
      if (headEnd < 0) {
        metricsStart = valueStart;
        metricsEnd = valueEnd;
      }
    }
    at = skipSpace(bytes, valueEnd);
    if (bytes[at] === closeBrace) {
      const end = at + 1;
      if (headEnd < 0) return { metricsStart, metricsEnd, headEnd: end, tailStart: end, end };
      return { metricsStart, metricsEnd, headEnd, tailStart, end };
    }
    if (bytes[at] !== comma) return void 0;
    at = skipSpace(bytes, at + 1);
  }
  return void 0;
}
function skipSamples({ bytes, buffer, limit }, at) {
  const close = bytes[at] === openBracket ? buffer.indexOf(closeBracket, at) : -1;
  let last = close - 1;
  while (last > at && bytes[last] <= 32) last--;
  return last > at && bytes[last] === closeBrace ? close + 1 : skipLoosely(bytes, at, limit);
}
var samplesKey = Buffer.from("samples");
var metricsKey = Buffer.from("metrics");
var idKey = Buffer.from("id");
function isKey(bytes, start2, end, key) {
  if (end - start2 !== key.length) return false;
  for (let i = 0; i < key.length; i++) if (bytes[start2 + i] !== key[i]) return false;
  return true;
}
function isEscaped(bytes, start2, end) {
  for (let at = start2; at < end; at++) if (bytes[at] === backslash2) return true;
  return false;
}
function findId(scan, start2) {
  const { bytes, limit } = scan;
  let at = skipSpace(bytes, start2 + 1);
  while (at < limit && bytes[at] === quote2) {
    const keyStart = at + 1;
    const keyEnd = looseTextEnd(bytes, keyStart, limit);
    if (keyEnd < 0) return -1;
    at = skipSpace(bytes, keyEnd + 1);
    if (bytes[at] !== colon) return -1;
    at = skipSpace(bytes, at + 1);
    if (isKey(bytes, keyStart, keyEnd, idKey)) return bytes[at] === quote2 ? at + 1 : -1;
    at = skipLoosely(bytes, at, limit);
    if (at < 0) return -1;
    at = skipSpace(bytes, at);
    if (bytes[at] !== comma) return -1;
    at = skipSpace(bytes, at + 1);
  }
  return -1;
}

// src/ingest/scanner/literal.ts
var wordBytes = 8;
var halfBytes = 4;
var scratchWord = new Float64Array(1);
var scratchHalves = new Int32Array(scratchWord.buffer);
var scratchBytes = new Uint8Array(scratchWord.buffer);
function wordsOf(length) {
  return length + wordBytes - 1 >>> 3;
}
function putLiteral(words3, at, source, start2, length) {
  const whole = length >>> 3;
  for (let i = 0; i < whole; i++) words3[at + i] = source.getFloat64(start2 + i * wordBytes, true);
  if ((length & 7) === 0) return;
  if (whole > 0) words3[at + whole] = source.getFloat64(start2 + length - wordBytes, true);
  else words3[at] = shortWord(source, start2, length);
}
function shortWord(source, start2, length) {
  scratchWord[0] = 0;
  if (length >= halfBytes) {
    scratchHalves[0] = source.getInt32(start2, true);
    scratchHalves[1] = source.getInt32(start2 + length - halfBytes, true);
  } else for (let i = 0; i < length; i++) scratchBytes[i] = source.getUint8(start2 + i);
  return scratchWord[0];
}
function matchesLiteral(text, start2, words3, at, length) {
  if (length < wordBytes) return matchesShort(text, start2, words3[at], length);
  const lastStart = start2 + length - wordBytes;
  while (start2 < lastStart) {
    if (text.getFloat64(start2, true) !== words3[at]) return false;
    start2 += wordBytes;
    at++;
  }
  return text.getFloat64(lastStart, true) === words3[at];
}
function matchesShort(text, start2, word, length) {
  scratchWord[0] = word;
  if (length >= halfBytes) {
    return text.getInt32(start2, true) === scratchHalves[0] && text.getInt32(start2 + length - halfBytes, true) === scratchHalves[1];
  }
  for (let i = 0; i < length; i++) if (text.getUint8(start2 + i) !== scratchBytes[i]) return false;
  return true;
}
function hashBytes(text, start2, end, seed) {
  let hash = seed ^ end - start2;
  let at = start2;
  for (; at + 4 <= end; at += 4) hash = mixed(hash, text.getInt32(at, true));
  for (; at < end; at++) hash = mixed(hash, text.getUint8(at));
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 2246822507);
  return hash ^ hash >>> 13;
}
function mixed(hash, word) {
  const product = Math.imul(word, 3432918353);
  const turned = hash ^ Math.imul(product << 15 | product >>> 17, 461845907);
  return Math.imul(turned << 13 | turned >>> 19, 5) + 3864292196 | 0;
}

// src/ingest/scanner/heads.ts
var variantsMax = 4;
var admitEvery = 16;
var entryBytes = 320;
var unknownSeries = -(2 ** 31);
var HeadCache = class {
  /** What entries and shapes hold, in bytes, roughly. */
  byteSize = 0;
  bytesMax;
  entries = /* @__PURE__ */ new Map();
  shapes = /* @__PURE__ */ new Map();
  turnedAway = 0;
  constructor(bytesMax) {
    this.bytesMax = bytesMax;
  }
  /** The entry whose head stands at `at`, or `undefined`. */
  find(scan, hash, at) {
    let entry = this.entries.get(hash);
    while (entry !== void 0 && matchHead(scan, entry, at) < 0) entry = entry.older;
    return entry;
  }
  /** The entry that was added last for a hash, whatever stands in the body. */
  newest(hash) {
    return this.entries.get(hash);
  }
  /** Adds an entry, where there is room for it now. */
  add(entry) {
    const bytes = sizeOf(entry);
    if (!this.admits(bytes + entry.shape.byteSize - entry.shape.accountedBytes)) {
      this.abandon(entry);
      return;
    }
    entry.older = this.entries.get(entry.hash);
    this.entries.set(entry.hash, entry);
    this.shapes.set(entry.shape.hash, entry.shape);
    entry.byteSize = bytes;
    this.byteSize += bytes;
    entry.shape.users++;
    this.dropOldVariants(entry);
    this.account(entry);
  }
  /** Forgets the shape of an entry that is not kept, where no other rests on it. */
  abandon({ shape }) {
    if (shape.users === 0) this.dropShape(shape);
  }
  /** Counts what the entry and its shape have grown by; one that is not kept is not counted. */
  account(entry) {
    if (entry.byteSize === 0) return;
    const bytes = sizeOf(entry);
    const shapeBytes = entry.shape.byteSize;
    this.byteSize += bytes - entry.byteSize + shapeBytes - entry.shape.accountedBytes;
    entry.byteSize = bytes;
    entry.shape.accountedBytes = shapeBytes;
    if (this.byteSize > this.bytesMax) this.shrinkTo(this.bytesMax);
  }
  /** Gives a kept entry its amended section in place of the one that it had. */
  amend(entry) {
    const { shape, amended: section } = entry;
    entry.amended = void 0;
    if (section === void 0 || entry.byteSize === 0) return;
    const hash = hashSection(section, entry.tenant);
    const known = this.shapes.get(hash);
    if (known?.tenant === entry.tenant && known.section.equals(section)) this.reshape(entry, known);
    else if (shape.users > 1 || shape.isFull) this.reshape(entry, shape.withSection(section, hash));
    else {
      if (this.shapes.get(shape.hash) === shape) this.shapes.delete(shape.hash);
      shape.section = section;
      shape.hash = hash;
      this.shapes.set(hash, shape);
    }
    this.account(entry);
  }
  reshape(entry, shape) {
    this.shapes.set(shape.hash, shape);
    shape.users++;
    if (--entry.shape.users === 0) this.dropShape(entry.shape);
    entry.shape = shape;
    entry.series = new Int32Array(0);
  }
  remove(entry) {
    let kept = this.entries.get(entry.hash);
    if (kept === entry) {
      if (entry.older === void 0) this.entries.delete(entry.hash);
      else this.entries.set(entry.hash, entry.older);
    } else {
      while (kept !== void 0 && kept.older !== entry) kept = kept.older;
      if (kept === void 0) return;
      kept.older = entry.older;
    }
    this.forget(entry);
  }
  shape(hash) {
    return this.shapes.get(hash);
  }
  /** Adds a shape, in place of one that differs and has the same hash. */
  addShape(shape) {
    this.shapes.set(shape.hash, shape);
  }
  admits(bytes) {
    if (this.byteSize + bytes <= this.bytesMax) return true;
    if (bytes > this.bytesMax || ++this.turnedAway % admitEvery !== 0) return false;
    this.shrinkTo(this.bytesMax - bytes);
    return true;
  }
  /** Drops the oldest entries. */
  shrinkTo(bytesMax) {
    for (const [hash, entry] of this.entries) {
      if (this.byteSize <= bytesMax) return;
      this.entries.delete(hash);
      for (let old = entry; old !== void 0; old = old.older) {
        this.forget(old);
      }
    }
  }
  dropOldVariants(newest) {
    let last = newest;
    for (let i = 1; i < variantsMax && last.older !== void 0; i++) last = last.older;
    for (let old = last.older; old !== void 0; old = old.older) this.forget(old);
    last.older = void 0;
  }
  forget(entry) {
    this.byteSize -= entry.byteSize;
    entry.byteSize = 0;
    if (--entry.shape.users === 0) this.dropShape(entry.shape);
  }
  dropShape(shape) {
    this.byteSize -= shape.accountedBytes;
    shape.accountedBytes = 0;
    if (this.shapes.get(shape.hash) === shape) this.shapes.delete(shape.hash);
  }
};
function sizeOf(entry) {
  return entryBytes + 8 * entry.words.length + 4 * entry.series.length;
}
function hashSection(section, tenant) {
  const view = new DataView(section.buffer, section.byteOffset, section.length);
  return hashBytes(view, 0, section.length, tenant);
}
function matchHead(scan, entry, at) {
  const { view } = scan;
  const { words: words3, shape, startLength, middleLength } = entry;
  const sectionStart = at + startLength;
  const sectionEnd = sectionStart + shape.section.length;
  const end = sectionEnd + middleLength;
  if (entry.tenant !== scan.tenant || end > scan.limit) return -1;
  if (!matchesLiteral(view, at, words3, 0, startLength)) return -1;
  if (!matchesLiteral(view, sectionEnd, words3, entry.middleAt, middleLength)) return -1;
  return shape.section.compare(scan.bytes, sectionStart, sectionEnd) === 0 ? end : -1;
}
function matchTail(scan, entry, at) {
  const end = at + entry.tailLength;
  if (end > scan.limit) return -1;
  return matchesLiteral(scan.view, at, entry.words, entry.tailAt, entry.tailLength) ? end : -1;
}
function matchAround(scan, entry, at, sectionEnd) {
  const { words: words3, startLength, middleAt, middleLength } = entry;
  const end = sectionEnd + middleLength;
  if (end > scan.limit || !matchesLiteral(scan.view, at, words3, 0, startLength)) return -1;
  return matchesLiteral(scan.view, sectionEnd, words3, middleAt, middleLength) ? end : -1;
}

// src/ingest/scanner/learn.ts
import { isUtf8 as isUtf84 } from "node:buffer";

// src/ingest/holds.ts
function infoHolds(info, say) {
  return info.deletedMs === void 0 && (!say.name || say.name === info.name) && (!say.type || say.type === info.type) && (say.location === void 0 || say.location === info.location) && pairsHold(info.tags, say.tags) && pairsHold(info.attributes, say.attributes) && (say.relations === void 0 || say.relations.every((fqn) => info.relations.includes(fqn)));
}
function definitionHolds(definition, say) {
  return (say.name === void 0 || say.name === definition.name) && (say.unit === void 0 || say.unit === definition.unit) && (say.type === void 0 || say.type === definition.type) && (say.sparseDataStrategy === void 0 || say.sparseDataStrategy === definition.sparseDataStrategy) && pairsHold(definition.tags, say.tags);
}
function pairsHold(known, said) {
  if (said === void 0) return true;
  return said.every(
    ({ name, value }) => known.some((pair) => pair.name === name && pair.value === value)
  );
}

// src/ingest/value.ts
var observationsMax = 2 ** 53;
var numericCharactersMax = 1024;
var plainMask = 1 << fieldVal;
var SampleFields = class {
  mask = 0;
  /** Fields that hold something that is no observation (left-out.ts). */
  oddMask = 0;
  values = new Float64Array(fieldCount);
  set(field, value) {
    this.values[field] = value + 0;
    this.mask |= 1 << field;
  }
};
function hasUsableCount(fields) {
  const cnt = fields.values[fieldCnt];
  return (fields.mask & 1 << fieldCnt) === 0 || cnt >= 0 && cnt <= observationsMax;
}
function pushFields(columns, series, timeMs, fields) {
  if (fields.mask === plainMask) {
    columns.push(series, timeMs, fields.values[fieldVal]);
    return true;
  }
  const mean = sampleMean(fields.mask, fields.values);
  if (!Number.isFinite(mean)) return false;
  columns.pushAggregate(series, timeMs, mean, fields.mask, fields.values);
  return true;
}

// src/ingest/scanner/number.ts
var point = 46;
var minus = 45;
var plus = 43;
var zero = 48;
var letterE = 101;
var mantissaMax = 2 ** 53 - 1;
var exponentMax = 22;
var powersOfTen = Float64Array.from({ length: exponentMax + 1 }, (_, i) => Number(`1e${i}`));
var integerDigits = 9;
function readNumber(bytes, start2, out, slot) {
  let at = start2;
  let byte = bytes[at];
  const negative = byte === minus;
  if (negative) byte = bytes[++at];
  const digitsStart = at;
  let digit = byte ^ zero;
  if (digit > 9) return -1;
  let integer = 0;
  const integerEnd = at + integerDigits;
  do {
    integer = integer * 10 + digit | 0;
    byte = bytes[++at];
    digit = byte ^ zero;
  } while (digit <= 9 && at < integerEnd);
  if (digit <= 9) return readLongNumber(bytes, start2, out, slot);
  if (bytes[digitsStart] === zero && at > digitsStart + 1) return -1;
  let exponent = 0;
  if (byte === point) {
    if (at === integerEnd) return readLongNumber(bytes, start2, out, slot);
    const pointAt = at;
    byte = bytes[++at];
    digit = byte ^ zero;
    if (digit > 9) return -1;
    do {
      integer = integer * 10 + digit | 0;
      byte = bytes[++at];
      digit = byte ^ zero;
    } while (digit <= 9 && at <= integerEnd);
    if (digit <= 9) return readLongNumber(bytes, start2, out, slot);
    exponent = at - pointAt - 1;
  }
  if ((byte | 32) === letterE) return readLongNumber(bytes, start2, out, slot);
  const value = exponent === 0 ? integer : integer / powersOfTen[exponent];
  out[slot] = negative ? 0 - value : value;
  return at;
}
function readLongNumber(bytes, start2, out, slot) {
  let at = start2;
  const negative = bytes[at] === minus;
  if (negative) at++;
  const digitsStart = at;
  let mantissa = 0;
  let digit = bytes[at] ^ zero;
  for (; digit <= 9; digit = bytes[++at] ^ zero) mantissa = mantissa * 10 + digit;
  if (bytes[digitsStart] === zero && at > digitsStart + 1) return -1;
  let exponent = 0;
  if (bytes[at] === point) {
    const fractionStart = ++at;
    digit = bytes[at] ^ zero;
    for (; digit <= 9; digit = bytes[++at] ^ zero) mantissa = mantissa * 10 + digit;
    if (at === fractionStart) return -1;
    exponent = fractionStart - at;
  }
  if ((bytes[at] | 32) === letterE) {
    const sign = bytes[++at];
    if (sign === minus || sign === plus) at++;
    const exponentStart = at;
    let power = 0;
    digit = bytes[at] ^ zero;
    for (; digit <= 9; digit = bytes[++at] ^ zero) power = Math.min(power * 10 + digit, 1e6);
    if (at === exponentStart) return -1;
    exponent += sign === minus ? -power : power;
  }
  const value = scaled(mantissa, exponent) ?? Math.abs(textNumber(bytes, start2, at));
  if (!(value < Infinity)) return -1;
  out[slot] = negative ? 0 - value : value;
  return at;
}
function scaled(mantissa, exponent) {
  if (mantissa > mantissaMax || exponent > exponentMax || exponent < -exponentMax) return void 0;
  return exponent < 0 ? mantissa / powersOfTen[-exponent] : mantissa * powersOfTen[exponent];
}
function textNumber(bytes, start2, end) {
  return Number(Buffer.from(bytes.buffer, bytes.byteOffset + start2, end - start2).toString("latin1"));
}

// src/ingest/scanner/odd.ts
import { isUtf8 as isUtf83 } from "node:buffer";

// src/ingest/left-out.ts
var leftOutReasons = ["nan", "infinity", "null", "object"];
var LeftOut = class {
  total = 0;
  isTold = false;
  counts = noCounts();
  warnings = [];
  /** Begins a request; `isTold` if its answer names the samples. */
  start(isTold) {
    this.isTold = isTold;
    if (this.total === 0) return;
    this.total = 0;
    this.counts = noCounts();
    this.warnings = [];
  }
  /** Counts a sample; `tell` is called only if its sentence is wanted. */
  add(reason, tell) {
    this.total++;
    this.counts[leftOutReasons.indexOf(reason)]++;
    if (this.isTold && this.warnings.length < errorStringsMax) this.warnings.push(sentence(tell()));
  }
  /** `undefined` if nothing was left out. */
  report() {
    const { total, counts, warnings } = this;
    return total === 0 ? void 0 : { total, counts, warnings };
  }
};
function noCounts() {
  return leftOutReasons.map(() => 0);
}
function sentence({ elementIndex, element, metric, sampleIndex, field, sent }) {
  const place = new Place();
  place.startElement(elementIndex, element);
  place.startSample(sampleIndex, metric);
  const text = place.toString();
  return `E${text.slice(1)}: ${sampleFields[field]} ${sent} is no observation`;
}
var sumBits = 1 << fieldVal | 1 << fieldAvg | 1 << fieldSum;
function isStillMeant({ mask, oddMask, values }) {
  if ((mask & sumBits) === 0) return false;
  if (mask >> fieldCnt & 1) return values[fieldCnt] > 0;
  return (oddMask >> fieldCnt & 1) === 0 || (mask >> fieldSum & 1) === 0;
}

// src/ingest/slow/sample.ts
var missingTimestamp = "Missing required field on Sample, 'timestamp'. Send it, or send the header X-Service-Api-Options: INJECT_TIMESTAMP, which gives every sample the server's time.";
var numericText = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
var noNumber = /^\s*(?:NaN|-?Infinity)\s*$/;
var SampleReader = class {
  fields = new SampleFields();
  /**
   * Why the last sample was left out: its first field that is no observation, else its first null.
   * The field is -1 if there is neither.
   */
  odd = { field: -1, value: void 0 };
  reader;
  period;
  constructor(reader, period) {
    this.reader = reader;
    this.period = period;
  }
  /** Fills `fields`; a sample without meaning is refused, and that is told. */
  readValues(sample) {
    this.fields.mask = 0;
    this.fields.oddMask = 0;
    this.odd.field = -1;
    const taken = this.take(fieldVal, sample["val"]) && this.take(fieldMin, sample["min"]) && this.take(fieldMax, sample["max"]) && this.take(fieldAvg, sample["avg"]) && this.take(fieldCnt, sample["cnt"]) && this.take(fieldSum, sample["sum"]);
    if (!taken) return "refused";
    const { fields, odd } = this;
    if (fields.mask === 0 && odd.field < 0) {
      this.reader.refuse(
        `at least one of val, min, max, avg, cnt and sum is needed; its keys are ${keysOf(sample)}`
      );
      return "refused";
    }
    if (!hasUsableCount(fields)) {
      this.reader.refuse(`cnt ${quoted(sample["cnt"])} is not a count: expected 0 to 2^53`);
      return "refused";
    }
    if (fields.oddMask === 0) return fields.mask === 0 ? "leftOut" : "kept";
    return isStillMeant(fields) ? "kept" : "leftOut";
  }
  /** Epoch milliseconds of a timestamp; NaN where it has no meaning, which is then told. */
  readTimestamp(value) {
    if (isAbsent(value)) {
      this.reader.problems.add(() => `${missingTimestamp} (${String(this.reader.place)})`);
      return NaN;
    }
    const ms = timestampMs(value);
    if (ms === void 0) {
      const why = typeof value === "string" ? isoProblem(value) : timestampForms;
      this.reader.refuse(`Cannot read timestamp ${quoted(value)}: ${why}`);
      return NaN;
    }
    if (ms >= this.period.oldestMs && ms <= this.period.newestMs) return ms;
    this.reader.refuse(outsideProblem(value, ms, this.period));
    return NaN;
  }
  take(field, value) {
    if (value === void 0) return true;
    if (value === null || value === "") {
      if (this.odd.field < 0) this.odd = { field, value };
      return true;
    }
    if (typeof value !== "number") return this.takeOther(field, value);
    if (!Number.isFinite(value)) return this.refuseValue(field, value);
    this.fields.set(field, value);
    return true;
  }
  takeOther(field, value) {
    const number = typeof value === "string" ? numberOfText(value) : void 0;
    if (number !== void 0) {
      this.fields.set(field, number);
      return true;
    }
    const isOdd = typeof value === "string" ? noNumber.test(value) : typeof value === "object";
    if (!isOdd) return this.refuseValue(field, value);
    if (this.fields.oddMask === 0) this.odd = { field, value };
    this.fields.oddMask |= 1 << field;
    return true;
  }
  refuseValue(field, value) {
    this.reader.refuse(`${sampleFields[field]} ${quoted(value)} is not a finite number`);
    return false;
  }
};
var timestampForms = "expected epoch milliseconds or ISO 8601 with Z or \xB1hh:mm";
function timestampMs(value) {
  if (typeof value === "number") return Number.isFinite(value) ? Math.floor(value) : void 0;
  if (typeof value !== "string") return void 0;
  const number = numberOfText(value);
  return number === void 0 ? parseInstant(value) : Math.floor(number);
}
function numberOfText(text) {
  if (text.length > numericCharactersMax || !numericText.test(text)) return void 0;
  const number = Number(text);
  return Number.isFinite(number) ? number : void 0;
}
function outsideProblem(value, ms, accepted2) {
  const { oldestMs, newestMs } = accepted2;
  const period = `${new Date(oldestMs).toISOString()} to ${new Date(newestMs).toISOString()}`;
  const hint = unitHint(ms, accepted2);
  return `timestamp ${quoted(value)} lies outside the accepted period ${period}${hint}`;
}
var units = [
  ["seconds", 1e3, "multiply it by 1000"],
  ["microseconds", 1e-3, "divide it by 1000"],
  ["nanoseconds", 1e-6, "divide it by 1000000"]
];
function unitHint(time, { oldestMs, newestMs }) {
  for (const [unit, factor, remedy] of units) {
    const ms = time * factor;
    if (ms >= oldestMs && ms <= newestMs) return `; it seems to be in epoch ${unit}: ${remedy}`;
  }
  return "";
}
var namedKeysMax = 8;
function keysOf(sample) {
  const keys = Object.keys(sample);
  const more = keys.length > namedKeysMax ? ` and ${keys.length - namedKeysMax} more` : "";
  return `${keys.slice(0, namedKeysMax).map(quoted).join(", ")}${more}`;
}
function reasonOf(value) {
  if (value === null || value === "") return "null";
  if (typeof value !== "string") return "object";
  return value.includes("NaN") ? "nan" : "infinity";
}
function sentText(value) {
  return typeof value === "string" && value !== "" ? value.trim() : quoted(value);
}

// src/ingest/scanner/odd.ts
var words = ["NaN", "Infinity", "-Infinity"].map((word) => Buffer.from(word));
var levelsAbove2 = 4;
var fieldKeys = (1 << fieldCount) - 1;
function readOddField(scan, field, at) {
  const { bytes } = scan;
  const first = bytes[at];
  const isNested = first === openBrace || first === openBracket;
  const end = isNested ? nestedEnd(scan, at) : wordEnd(bytes, at);
  if (end < 0) return -1;
  scan.repeatable = false;
  scan.fields.oddMask |= 1 << field;
  scan.oddStarts[field] = at;
  scan.oddEnds[field] = end;
  return end;
}
function judgeOdd(scan, seen) {
  const { fields } = scan;
  if ((seen & fieldKeys) === 0 || !hasUsableCount(fields)) return false;
  scan.isLeftOut = !isStillMeant(fields);
  const first = fields.oddMask === 0 ? seen & fieldKeys : fields.oddMask;
  scan.oddField = 31 - Math.clz32(first & -first);
  return true;
}
function oddReason(scan) {
  return reasonOf(oddValue(scan));
}
function oddText(scan) {
  return sentText(oddValue(scan));
}
function oddValue({ fields, bytes, oddField, oddStarts, oddEnds }) {
  if (fields.oddMask === 0) return null;
  const text = textOf(bytes, oddStarts[oddField], oddEnds[oddField]).toString("utf8");
  return text.startsWith("{") || text.startsWith("[") ? parsed(text) : text.replaceAll('"', "");
}
function wordEnd(bytes, at) {
  const isText = bytes[at] === quote2;
  const start2 = isText ? at + 1 : at;
  for (const word of words) {
    const end = skipWord(bytes, start2, word);
    if (end >= 0) return isText ? closedEnd(bytes, end) : end;
  }
  return -1;
}
function closedEnd(bytes, at) {
  return bytes[at] === quote2 ? at + 1 : -1;
}
function nestedEnd({ bytes, limit }, at) {
  const end = skipLoosely(bytes, at, limit);
  if (end < 0) return -1;
  const text = textOf(bytes, at, end);
  if (!isUtf83(text) || isDeeperThan(text, jsonDepthMax - levelsAbove2)) return -1;
  return parsed(text.toString("utf8")) === null ? -1 : end;
}
function textOf(bytes, start2, end) {
  return Buffer.from(bytes.buffer, start2, end - start2);
}

// src/ingest/scanner/scan.ts
var slotsMax = 7;
var timeSlot = 6;
var timeBytesMax = 64;
var Scan = class {
  /** The whole memory that the body lies in; positions count from its start. */
  bytes = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  /** The same, to be searched by native code. */
  buffer = Buffer.from(this.bytes.buffer);
  /** Index behind the `]` that closes the body. */
  limit = 0;
  columns = new SampleColumns();
  tenant = 0;
  inject = false;
  nowMs = 0;
  oldestMs = 0;
  newestMs = 0;
  /** The sample that was read last. */
  fields = new SampleFields();
  /** Its time, the only entry: a property would box the number. */
  timeMs = new Float64Array(1);
  metricStart = 0;
  /** Index of its metric name, or -1, where it was looked up. */
  name = -1;
  /** What the key that was read last is (sample.ts). */
  key = 0;
  metricEnd = 0;
  /** Where its values stand: kind, start and end of each, in order. */
  slotCount = 0;
  slotKinds = new Int32Array(slotsMax);
  slotStarts = new Int32Array(slotsMax);
  slotEnds = new Int32Array(slotsMax);
  /** False where no template can stand for the sample. */
  repeatable = true;
  /** True if the sample that `readSample` read last has nothing to be stored (left-out.ts). */
  isLeftOut = false;
  /** Its first field that is no observation, and where those fields stand. */
  oddField = 0;
  oddStarts = new Int32Array(fieldCount);
  oddEnds = new Int32Array(fieldCount);
  /** What was left out of the body so far. */
  leftOut = new LeftOut();
  /** Index of the element that is read. */
  elementIndex = 0;
  /** Samples that were stored and left out before those of this element. */
  samplesBefore = 0;
  /** The timestamp that was read last with the byte that ended it; length 0 where there is none. */
  lastTimeWords = new Float64Array(timeBytesMax / 8);
  lastTimeLength = 0;
  lastTimeIsText = false;
  lastTimeMs = new Float64Array(1);
  /** The timestamp that was read last together with the literal behind it, as one literal. */
  repeatedWords = new Float64Array(timeBytesMax / 8);
  repeatedLength = 0;
  /** Whose literal stands behind it, and where in its words. */
  repeatedOwner = void 0;
  repeatedAt = 0;
  repeatedMs = new Float64Array(1);
  /** Where a walk through samples stands, the template predicted there, and the one before it. */
  at = 0;
  template = -1;
  before = -1;
  /** Points at a body; false where it does not end in `]`, as every readable one does. */
  start(body, request, period) {
    if (this.bytes.buffer !== body.buffer) {
      this.bytes = new Uint8Array(body.buffer);
      this.view = new DataView(body.buffer);
      this.buffer = Buffer.from(body.buffer);
    }
    let limit = body.byteOffset + body.byteLength;
    while (limit > body.byteOffset && this.bytes[limit - 1] <= 32) {
      if (!isSpace(this.bytes[limit - 1])) return false;
      limit--;
    }
    this.limit = limit;
    this.tenant = request.tenant;
    this.leftOut.start(request.tellsLeftOut);
    this.repeatedOwner = void 0;
    this.lastTimeLength = 0;
    this.inject = request.injectTimestamp;
    this.nowMs = request.nowMs;
    this.timeMs[0] = request.injectTimestamp ? request.nowMs : NaN;
    this.oldestMs = period.oldestMs;
    this.newestMs = period.newestMs;
    return limit > body.byteOffset && this.bytes[limit - 1] === 93;
  }
  addSlot(kind, start2, end) {
    const at = this.slotCount++;
    this.slotKinds[at] = kind;
    this.slotStarts[at] = start2;
    this.slotEnds[at] = end;
  }
};
function isSpace(byte) {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

// src/ingest/scanner/sample.ts
var timestampKey = 6;
var metricIdKey = 7;
var otherKey = 8;
function readSample(scan, start2) {
  const { bytes } = scan;
  if (bytes[start2] !== openBrace) return -1;
  let at = skipSpace(bytes, start2 + 1);
  let seen = 0;
  scan.fields.mask = 0;
  scan.fields.oddMask = 0;
  scan.isLeftOut = false;
  scan.slotCount = 0;
  scan.repeatable = true;
  scan.timeMs[0] = scan.inject ? scan.nowMs : NaN;
  for (; ; ) {
    if (bytes[at] !== quote2) return -1;
    at = readKey(scan, at);
    if (at < 0) return -1;
    const { key } = scan;
    if (seen >> key & 1 && key !== otherKey) return -1;
    seen |= 1 << key;
    at = readMember(scan, key, at);
    if (at < 0) return -1;
    at = skipSpace(bytes, at);
    if (bytes[at] === closeBrace) break;
    if (bytes[at] !== comma) return -1;
    at = skipSpace(bytes, at + 1);
  }
  if ((seen >> metricIdKey & 1) === 0 || Number.isNaN(scan.timeMs[0])) return -1;
  const { fields } = scan;
  const isPlain2 = fields.mask !== 0 && fields.oddMask === 0;
  return (isPlain2 ? hasUsableCount(fields) : judgeOdd(scan, seen)) ? at + 1 : -1;
}
function readKey(scan, at) {
  const { bytes, view } = scan;
  let end = -1;
  scan.key = otherKey;
  if (at + knownKeyBytesMin <= scan.limit) {
    const field = fieldKey(view.getInt32(at + 1, true));
    if (field < otherKey) {
      scan.key = field;
      end = at + 4;
    } else if (isMetricId(view, at + 1)) {
      scan.key = metricIdKey;
      end = at + 9;
    } else if (isTimestamp(view, at + 1)) {
      scan.key = timestampKey;
      end = at + 10;
    }
  }
  if (end < 0) end = plainTextEnd(bytes, at + 1, scan.limit);
  if (end < 0) return -1;
  at = skipSpace(bytes, end + 1);
  return bytes[at] === colon ? skipSpace(bytes, at + 1) : -1;
}
var knownKeyBytesMin = 11;
function fieldKey(letters) {
  switch (letters) {
    case 577528182:
      return 0;
    // val"
    case 577661293:
      return 1;
    // min"
    case 578314605:
      return 2;
    // max"
    case 577205857:
      return 3;
    // avg"
    case 578055779:
      return 4;
    // cnt"
    case 577598835:
      return 5;
    // sum"
    default:
      return otherKey;
  }
}
function isMetricId(view, at) {
  return view.getInt32(at, true) === 1920230765 && // metr
  view.getInt32(at + 4, true) === 1682531177 && // icId
  view.getUint8(at + 8) === quote2;
}
function isTimestamp(view, at) {
  return view.getInt32(at, true) === 1701669236 && // time
  view.getInt32(at + 4, true) === 1835103347 && // stam
  view.getInt16(at + 8, true) === 8816;
}
function readMember(scan, key, at) {
  if (key < timestampKey) return readField(scan, key, at);
  if (key === timestampKey) return readTimestamp(scan, at);
  return key === metricIdKey ? readMetricId(scan, at) : skipScalar(scan, at);
}
function readField(scan, field, at) {
  const { bytes } = scan;
  const first = bytes[at];
  if (first === letterN) return skipNull(bytes, at);
  const isText = first === quote2;
  const start2 = isText ? at + 1 : at;
  const end = readNumber(bytes, start2, scan.fields.values, field);
  if (end < 0) return readOddField(scan, field, at);
  scan.fields.mask |= 1 << field;
  scan.addSlot(field, start2, end);
  return isText ? behindText(scan, start2, end) : end;
}
function behindText(scan, start2, end) {
  return scan.bytes[end] === quote2 && end - start2 <= numericCharactersMax ? end + 1 : -1;
}
function readTimestamp(scan, at) {
  if (scan.inject) {
    scan.repeatable = false;
    return skipScalar(scan, at);
  }
  const { bytes } = scan;
  const isText = bytes[at] === quote2;
  const start2 = isText ? at + 1 : at;
  const end = readTime(scan, start2, isText);
  if (end < 0) return -1;
  scan.addSlot(timeSlot, start2, end);
  return isText ? end + 1 : end;
}
function readTime(scan, start2, isText) {
  const { view, timeMs, lastTimeLength: length } = scan;
  if (length > 0 && isText === scan.lastTimeIsText && start2 + length <= scan.limit && matchesLiteral(view, start2, scan.lastTimeWords, 0, length)) {
    timeMs[0] = scan.lastTimeMs[0];
    return start2 + length - 1;
  }
  const end = readOtherTime(scan, start2, isText);
  if (end >= 0 && end - start2 < timeBytesMax) {
    scan.lastTimeLength = end - start2 + 1;
    scan.lastTimeIsText = isText;
    scan.lastTimeMs[0] = timeMs[0];
    putLiteral(scan.lastTimeWords, 0, view, start2, scan.lastTimeLength);
  }
  return end;
}
function readOtherTime(scan, start2, isText) {
  const { bytes, timeMs } = scan;
  let end = readNumber(bytes, start2, timeMs, 0);
  if (isText && (end < 0 || behindText(scan, start2, end) < 0)) {
    end = plainTextEnd(bytes, start2, scan.limit);
    if (end < 0) return -1;
    timeMs[0] = parseInstantBytes(bytes, start2, end);
  } else if (end < 0) return -1;
  const ms = Math.floor(timeMs[0]);
  timeMs[0] = ms;
  return ms >= scan.oldestMs && ms <= scan.newestMs ? end : -1;
}
function readMetricId(scan, at) {
  if (scan.bytes[at] !== quote2) return -1;
  const end = plainTextEnd(scan.bytes, at + 1, scan.limit);
  if (end < 0) return -1;
  scan.metricStart = at + 1;
  scan.metricEnd = end;
  return end + 1;
}
function skipScalar(scan, at) {
  const { bytes } = scan;
  const first = bytes[at];
  if (first === quote2) return plainTextEnd(bytes, at + 1, scan.limit) + 1 || -1;
  if (first > 57) return skipKeyword(bytes, at);
  return readNumber(bytes, at, skipped, 0);
}
var skipped = new Float64Array(1);

// src/ingest/scanner/shape.ts
var templateBytesMax = 1024;
var wildnessMax = 128;
var wildnessRelief = 64;
var tameEvery = 16;
var undeclaredMax = 64;
var noIntegers = new Int32Array(0);
var noFlags = new Uint8Array(0);
var noKinds = new Int8Array(0);
var noWords = new Float64Array(0);
var templatesMin = 8;
var partsMin = 32;
var Shape = class _Shape {
  tenant;
  /** The metrics section; empty where elements have none that can be shared. */
  section;
  hash;
  /** True where the section declares no metric twice. */
  isPlain;
  metrics;
  templatesMax;
  /** Entries that rest on this shape. */
  users = 0;
  /** What the cache has counted for it. */
  accountedBytes = 0;
  count = 0;
  /** Predicted for the first sample of an element, and after each template; -1 where none is. */
  first = -1;
  next = noIntegers;
  /** Metric name of each template. */
  names = noIntegers;
  /** Fields that a template's sample has. */
  masks = noFlags;
  /** 1 where it has a timestamp. */
  timed = noFlags;
  /** 1 where a sample is a timestamp, then a value, then its closing brace (predicted.ts). */
  simple = noFlags;
  firstParts = noIntegers;
  /** Templates by hash of all their parts, and the newest by hash of the metric id alone. */
  ordinals = /* @__PURE__ */ new Map();
  templatesById = /* @__PURE__ */ new Map();
  /** Where the metric id stands in the first template; 0 where there is none yet. */
  idOffset = 0;
  /** How many samples of late had no template, and could get none. */
  wildness = 0;
  sights = 0;
  /**
   * Parts of all templates, each followed by a slot of its kind or, with -1, by the sample's end.
   */
  partCount = 0;
  partWords = noIntegers;
  partLengths = noIntegers;
  partKinds = noKinds;
  words = noWords;
  wordCount = 0;
  constructor(options) {
    this.tenant = options.tenant;
    this.section = options.section;
    this.hash = options.hash;
    this.isPlain = options.isPlain;
    this.metrics = options.metrics;
    this.templatesMax = 2 * options.metrics + undeclaredMax;
  }
  /** True where no other template fits. */
  get isFull() {
    return this.count === this.templatesMax;
  }
  /** A new shape of as many metrics. */
  withSection(section, hash) {
    const { tenant, metrics, isPlain: isPlain2 } = this;
    return new _Shape({ tenant, section, hash, metrics, isPlain: isPlain2 });
  }
  /** Memory in use, roughly. */
  get byteSize() {
    const templates = this.next.length * 100 + this.partWords.length * 9 + this.words.length * 8;
    return 500 + this.section.length + templates;
  }
  /** True where the samples of an element are better read without looking for templates. */
  isWild() {
    return this.wildness > wildnessMax && ++this.sights % tameEvery !== 0;
  }
  /** Tells how many samples of an element had no template and got none. */
  judge(strangers) {
    if (strangers > 0) this.wildness = Math.min(2 * wildnessMax, this.wildness + strangers);
    else if (this.wildness > 0) this.wildness = Math.max(0, this.wildness - wildnessRelief);
  }
  /**
   * The template that the metric id of the sample at `at` points to, if the id stands where it did
   * in the first template; -1 where there is none. For senders whose order of metrics changes.
   */
  guess(scan, at) {
    const { bytes, view, limit } = scan;
    const start2 = at + this.idOffset;
    if (this.idOffset === 0 || start2 >= limit || bytes[start2 - 1] !== quote2) return -1;
    let end = start2;
    while (end < limit && bytes[end] !== quote2) end++;
    return this.templatesById.get(hashBytes(view, start2, end, 0)) ?? -1;
  }
  /** The template of the sample `[start, end)` that `scan` has just read; -1 where it gets none. */
  templateOf(scan, start2, end, name) {
    if (!scan.repeatable || end - start2 > templateBytesMax) return -1;
    const hash = hashParts(scan, start2, end);
    const known = this.ordinals.get(hash);
    if (known !== void 0) return matchTemplate(scan, this, known, start2) === end ? known : -1;
    if (this.isFull) return -1;
    this.ordinals.set(hash, this.count);
    return this.add(scan, start2, end, name);
  }
  add(scan, start2, end, name) {
    const template = this.count;
    if (template === this.next.length) this.growTemplates();
    this.firstParts[template] = this.partCount;
    let timed = 0;
    let partStart = start2;
    for (let slot = 0; slot < scan.slotCount; slot++) {
      const kind = scan.slotKinds[slot];
      if (kind === timeSlot) timed = 1;
      this.addPart(scan, partStart, scan.slotStarts[slot], kind);
      partStart = scan.slotEnds[slot];
    }
    this.addPart(scan, partStart, end, -1);
    this.next[template] = -1;
    this.names[template] = name;
    if (template === 0) this.idOffset = scan.metricStart - start2;
    this.templatesById.set(hashBytes(scan.view, scan.metricStart, scan.metricEnd, 0), template);
    this.masks[template] = scan.fields.mask;
    this.timed[template] = timed;
    this.simple[template] = isSimple(scan, end) ? 1 : 0;
    this.count = template + 1;
    return template;
  }
  addPart(scan, start2, end, kind) {
    const part = this.partCount;
    if (part === this.partWords.length) this.growParts();
    const length = end - start2;
    this.partLengths[part] = length;
    this.partKinds[part] = kind;
    this.partWords[part] = this.sharedWords(scan, start2, length);
    this.partCount = part + 1;
  }
  /**
   * Most templates differ in their first part only: a part like one of the last few is not
   * repeated.
   */
  sharedWords(scan, start2, length) {
    const oldest = Math.max(0, this.partCount - 8);
    for (let part = this.partCount - 1; part >= oldest; part--) {
      const at2 = this.partWords[part];
      if (this.partLengths[part] !== length) continue;
      if (matchesLiteral(scan.view, start2, this.words, at2, length)) return at2;
    }
    const at = this.wordCount;
    const end = at + wordsOf(length);
    if (end > this.words.length) this.words = grown(this.words, new Float64Array(2 * end));
    putLiteral(this.words, at, scan.view, start2, length);
    this.wordCount = end;
    return at;
  }
  growTemplates() {
    const length = Math.max(templatesMin, 2 * this.next.length);
    this.next = grown(this.next, new Int32Array(length));
    this.names = grown(this.names, new Int32Array(length));
    this.masks = grown(this.masks, new Uint8Array(length));
    this.simple = grown(this.simple, new Uint8Array(length));
    this.timed = grown(this.timed, new Uint8Array(length));
    this.firstParts = grown(this.firstParts, new Int32Array(length));
  }
  growParts() {
    const length = Math.max(partsMin, 2 * this.partWords.length);
    this.partWords = grown(this.partWords, new Int32Array(length));
    this.partLengths = grown(this.partLengths, new Int32Array(length));
    this.partKinds = grown(this.partKinds, new Int8Array(length));
  }
};
function grown(column, larger) {
  larger.set(column);
  return larger;
}
function isSimple({ slotCount, slotKinds, slotEnds }, end) {
  const isPlain2 = slotCount === 2 && slotKinds[0] === timeSlot && slotKinds[1] === fieldVal;
  return isPlain2 && slotEnds[1] === end - 1;
}
function hashParts(scan, start2, end) {
  let hash = 0;
  for (let slot = 0; slot < scan.slotCount; slot++) {
    hash = hashBytes(scan.view, start2, scan.slotStarts[slot], hash + scan.slotKinds[slot]);
    start2 = scan.slotEnds[slot];
  }
  return hashBytes(scan.view, start2, end, hash);
}
function matchTemplate(scan, shape, template, at) {
  const { bytes, view, limit, fields } = scan;
  const { words: words3, partWords, partLengths, partKinds } = shape;
  if (shape.timed[template] === (scan.inject ? 1 : 0)) return -1;
  let part = shape.firstParts[template];
  for (; ; ) {
    const length = partLengths[part];
    if (at + length > limit || !matchesLiteral(view, at, words3, partWords[part], length)) return -1;
    at += length;
    let kind = partKinds[part++];
    if (kind === timeSlot) {
      if (isRepeated(scan, shape, partWords[part], at)) {
        scan.timeMs[0] = scan.repeatedMs[0];
        at += scan.repeatedLength;
      } else {
        at = readNewTime(scan, shape, part, at);
        if (at < 0) return -1;
      }
      kind = partKinds[part++];
    }
    if (kind < 0) break;
    const end = readNumber(bytes, at, fields.values, kind);
    if (end < 0 || end - at > numericCharactersMax) return -1;
    at = end;
  }
  const mask = shape.masks[template];
  fields.mask = mask;
  if (mask >> fieldCnt !== 0 && !hasUsableCount(fields)) return -1;
  return at;
}
function isRepeated(scan, shape, literalAt, at) {
  return scan.repeatedOwner === shape && scan.repeatedAt === literalAt && at + scan.repeatedLength <= scan.limit && matchesLiteral(scan.view, at, scan.repeatedWords, 0, scan.repeatedLength);
}
function readNewTime(scan, shape, part, at) {
  const end = readTime(scan, at, scan.bytes[at - 1] === quote2);
  const literalAt = shape.partWords[part];
  const length = shape.partLengths[part];
  if (end < 0 || end + length > scan.limit) return -1;
  if (!matchesLiteral(scan.view, end, shape.words, literalAt, length)) return -1;
  const bothLength = end - at + length;
  if (bothLength <= timeBytesMax) {
    putLiteral(scan.repeatedWords, 0, scan.view, at, bothLength);
    scan.repeatedLength = bothLength;
    scan.repeatedOwner = shape;
    scan.repeatedAt = literalAt;
    scan.repeatedMs[0] = scan.timeMs[0];
  }
  return end + length;
}

// src/ingest/scanner/learn.ts
var sectionBytesMin = 16;
var noSection = Buffer.alloc(0);
function learnHead(scan, start2, lesson) {
  const extents = findExtents(scan, start2);
  if (extents === void 0) return void 0;
  const post = parsePost(scan, start2, extents, lesson.sections);
  if (post === void 0) return void 0;
  const { catalogue } = lesson;
  const element = catalogue.findElement(scan.tenant, post.fqn);
  const shape = shapeOf(scan, start2, extents, { ...lesson, post });
  const hasSamples = extents.tailStart > extents.headEnd;
  const copied = copyWords(scan, start2, extents, shape.section.length > 0);
  return {
    hash: lesson.hash,
    tenant: scan.tenant,
    element,
    news: element < 0 ? post : newsOf(post, element, scan.tenant, catalogue),
    amended: void 0,
    info: element < 0 ? void 0 : catalogue.elementInfo(element),
    stamp: element < 0 ? 0 : lesson.stampOf(element),
    shape,
    words: copied.words,
    startLength: copied.startLength,
    middleAt: copied.middleAt,
    middleLength: copied.middleLength,
    tailAt: copied.tailAt,
    tailLength: copied.tailLength,
    hasSamples,
    series: new Int32Array(0),
    older: void 0,
    byteSize: 0
  };
}
function isKnownId(scan, start2, end, catalogue) {
  const raw = Buffer.from(scan.bytes.buffer, start2, end - start2).toString("utf8");
  return raw.includes("\\") || catalogue.findElement(scan.tenant, cleanFqn(raw)) >= 0;
}
function parsePost(scan, start2, extents, sections) {
  const { metricsStart, metricsEnd, headEnd, tailStart, end } = extents;
  const hasSamples = tailStart > headEnd;
  const before = textOf2(scan, start2, metricsStart);
  const behind = [textOf2(scan, metricsEnd, headEnd), textOf2(scan, tailStart, end)];
  if (before === void 0 || behind[0] === void 0 || behind[1] === void 0) return void 0;
  const rest = behind.join(hasSamples ? "]" : "");
  const known = sections.find(scan, metricsStart, metricsEnd);
  const section = known === void 0 ? textOf2(scan, metricsStart, metricsEnd) : "[]";
  if (section === void 0) return void 0;
  const text = `${before}${section}${rest}`;
  if (isDeeperThan(Buffer.from(text), jsonDepthMax - 1)) return void 0;
  const post = parsed(text);
  if (!isObject(post) || !(hasSamples || isAbsent(post["samples"]))) return void 0;
  const reader = new FieldReader(new Problems(), new Place(), text.includes("\\u"));
  const fqn = reader.fqn(post["id"], "id");
  const patch = readElementPatch(reader, post);
  const metrics = known?.metrics ?? readMetrics(reader, post["metrics"]);
  if (fqn === void 0 || reader.problems.count > 0) return void 0;
  const { metrics: list } = post;
  const isPlain2 = known?.isPlain ?? (Array.isArray(list) && list.length === metrics.size);
  const isSectionClear = known === void 0 && !section.includes("\\");
  return { fqn, patch, metrics, isPlain: isPlain2, isSectionClear };
}
function textOf2({ bytes }, start2, end) {
  const part = Buffer.from(bytes.buffer, start2, end - start2);
  return isUtf84(part) ? part.toString("utf8") : void 0;
}
function newsOf({ fqn, patch, metrics }, element, tenant, catalogue) {
  let news;
  for (const [fqn2, say] of metrics) {
    const name = catalogue.findName(tenant, fqn2);
    const series = name < 0 ? -1 : catalogue.findSeries(element, name);
    if (series >= 0 && definitionHolds(catalogue.seriesDefinition(series), say)) continue;
    news ??= /* @__PURE__ */ new Map();
    news.set(fqn2, say);
  }
  if (news === void 0 && infoHolds(catalogue.elementInfo(element), patch)) return void 0;
  return { fqn, patch, metrics: news ?? /* @__PURE__ */ new Map() };
}
function shapeOf(scan, start2, { metricsStart, metricsEnd, headEnd }, { cache, sections, post }) {
  const { tenant, view } = scan;
  const isShared = metricsEnd - metricsStart >= sectionBytesMin;
  const [from, to] = isShared ? [metricsStart, metricsEnd] : [start2, headEnd];
  const hash = hashBytes(view, from, to, isShared ? tenant : ~tenant);
  const section = isShared ? Buffer.from(scan.bytes.buffer, from, to - from) : noSection;
  let shape = cache.shape(hash);
  if (shape?.tenant !== tenant || !shape.section.equals(section)) {
    const copy = isShared ? copyBytes(scan, from, to) : noSection;
    const { isPlain: isPlain2, metrics } = post;
    shape = new Shape({ tenant, section: copy, hash, metrics: metrics.size, isPlain: isPlain2 });
    cache.addShape(shape);
  }
  if (isShared && post.isSectionClear) sections.remember(shape.section, post);
  return shape;
}
function copyBytes(scan, start2, end) {
  const copy = Buffer.allocUnsafeSlow(end - start2);
  Buffer.from(scan.bytes.buffer, start2, end - start2).copy(copy);
  return copy;
}
function copyWords({ view }, start2, { metricsStart, metricsEnd, headEnd, tailStart, end }, isShared) {
  const startLength = isShared ? metricsStart - start2 : headEnd - start2;
  const middleStart = isShared ? metricsEnd : headEnd;
  const middleLength = headEnd - middleStart;
  const tailLength = end - tailStart;
  const middleAt = wordsOf(startLength);
  const tailAt = middleAt + wordsOf(middleLength);
  const words3 = new Float64Array(tailAt + wordsOf(tailLength));
  putLiteral(words3, 0, view, start2, startLength);
  putLiteral(words3, middleAt, view, middleStart, middleLength);
  putLiteral(words3, tailAt, view, tailStart, tailLength);
  return { words: words3, startLength, middleAt, middleLength, tailAt, tailLength };
}

// src/ingest/scanner/names.ts
var spellingsMax = 1 << 16;
var slotsLength = 2 * spellingsMax;
var wordsMax = 1 << 19;
var MetricSpellings = class {
  catalogue;
  /** Ordinal of a spelling plus one; 0 where the slot is free. Grown on first use only. */
  slots = new Int32Array(0);
  count = 0;
  hashes = new Int32Array(spellingsMax);
  tenants = new Int32Array(spellingsMax);
  names = new Int32Array(spellingsMax);
  starts = new Int32Array(spellingsMax);
  lengths = new Int32Array(spellingsMax);
  words = new Float64Array(1024);
  wordCount = 0;
  constructor(catalogue) {
    this.catalogue = catalogue;
  }
  /** Index of the metric name that the scan's sample bears, or -1 where the tenant has no such. */
  find(scan) {
    const { view, metricStart, metricEnd, tenant } = scan;
    if (this.slots.length === 0) this.slots = new Int32Array(slotsLength);
    const length = metricEnd - metricStart;
    const hash = hashBytes(view, metricStart, metricEnd, tenant);
    let slot = hash & slotsLength - 1;
    for (; this.slots[slot] !== 0; slot = slot + 1 & slotsLength - 1) {
      const at = this.slots[slot] - 1;
      if (this.hashes[at] === hash && this.tenants[at] === tenant && this.lengths[at] === length && matchesLiteral(view, metricStart, this.words, this.starts[at], length)) {
        return this.names[at];
      }
    }
    return this.add(scan, hash, slot);
  }
  add(scan, hash, slot) {
    const { view, metricStart, metricEnd, tenant } = scan;
    const length = metricEnd - metricStart;
    const raw = Buffer.from(scan.bytes.buffer, metricStart, length).toString("latin1");
    const name = this.catalogue.findName(tenant, cleanFqn(raw));
    if (name < 0) return -1;
    const wordsEnd = this.wordCount + wordsOf(length);
    if (this.count === spellingsMax || wordsEnd > wordsMax) {
      this.clear();
      return name;
    }
    if (wordsEnd > this.words.length) this.growWords(wordsEnd);
    const at = this.count++;
    putLiteral(this.words, this.wordCount, view, metricStart, length);
    this.starts[at] = this.wordCount;
    this.lengths[at] = length;
    this.hashes[at] = hash;
    this.tenants[at] = tenant;
    this.names[at] = name;
    this.slots[slot] = at + 1;
    this.wordCount = wordsEnd;
    return name;
  }
  clear() {
    this.slots.fill(0);
    this.count = 0;
    this.wordCount = 0;
  }
  growWords(atLeast) {
    const larger = new Float64Array(Math.max(atLeast, 2 * this.words.length));
    larger.set(this.words);
    this.words = larger;
  }
};

// src/ingest/slow/crowd-refusal.ts
function crowdRefusal({ crowd, catalogue, columns, request }, firstSample) {
  const found = crowd?.(columns, firstSample) ?? null;
  if (found === null) return void 0;
  const { series, cycle, samplesMax } = found;
  const element = catalogue.elementFqn(catalogue.seriesElement(series));
  const metric = catalogue.name(catalogue.seriesName(series)).fqn;
  const problem = `Metric "${metric}" of element "${element}" has had the ${samplesMax} samples that it may have of the five minutes from ${formatInstant(cycle * cycleMs)}, as too many came of "${metric}" in these six hours; other metrics are still accepted`;
  const waitMs = (cycle + 1) * cycleMs - request.nowMs;
  const retry = waitMs > 0 ? { retryAfterSeconds: Math.ceil(waitMs / 1e3) } : {};
  return { ok: false, detail: "Sample Limit Exceeded", errors: [problem], ...retry };
}

// src/ingest/slow/carry-out.ts
function checkGrowth(post, reader, plan) {
  const info = plan.amendedInfo(post);
  if (info !== void 0) {
    for (const field of ["tags", "attributes", "relations"]) {
      const count = info[field].length;
      if (count > tagsPerEntityMax) reader.tooMany(`${field}, known ones included,`, count);
    }
    const known = plan.knownInfo(post);
    checkText(reader, "the element", {
      bytes: infoBytes(post.fqn, info),
      known: known === void 0 ? 0 : infoBytes(post.fqn, known)
    });
  }
  for (const [fqn, patch] of post.metrics) {
    const definition = plan.amendedDefinition(post, fqn, patch);
    if (definition === void 0) continue;
    const { length } = definition.tags;
    if (length > tagsPerEntityMax)
      reader.tooMany(`tags of metric ${fqn}, known ones included,`, length);
    const known = plan.knownDefinition(post.element, fqn);
    checkText(reader, `metric ${fqn}`, {
      bytes: definitionBytes(definition),
      known: known === void 0 ? 0 : definitionBytes(known)
    });
  }
}
function checkText(reader, of, { bytes, known }) {
  if (bytes <= Math.max(entityTextBytesMax, known)) return;
  reader.refuse(
    `tags, attributes and all other text of ${of}, known ones included, have ${bytes} bytes, at most ${entityTextBytesMax} fit`
  );
}
function carryOut(plan, reading, firstSample) {
  const tooMuch = growthRefusal(plan, reading) ?? crowdRefusal(reading, firstSample);
  if (tooMuch === void 0) apply(plan, reading, firstSample);
  return tooMuch;
}
function growthRefusal(plan, reading) {
  const { cardinality, request } = reading;
  const { tenant, nowMs } = request;
  if (cardinality.refusal(tenant, plan.growthMost(), nowMs) === void 0) return void 0;
  const refused = cardinality.refusal(tenant, plan.growth(), nowMs);
  if (refused === void 0) return void 0;
  const { detail, problem, ...retry } = refused;
  return { ok: false, detail, errors: [problem], ...retry };
}
function apply(plan, reading, firstSample) {
  const { catalogue, cardinality, request, columns, onChange } = reading;
  const { seriesCount, elementCount, definitionCount } = catalogue;
  plan.apply({ nowMs: request.nowMs, columns, firstSample, onChange });
  const growth = {
    series: catalogue.seriesCount - seriesCount,
    elements: catalogue.elementCount - elementCount,
    definitions: catalogue.definitionCount - definitionCount,
    text: 0
  };
  cardinality.added(request.tenant, growth, request.nowMs);
}

// src/ingest/slow/text-growth.ts
var unitBytesMax = 3;
function textMost(posts, unborn) {
  let units2 = 0;
  for (const fqn of unborn) units2 += fqn.length;
  for (const { fqn, patch, metrics } of posts) {
    units2 += fqn.length + lengthOf(patch.name) + lengthOf(patch.type) + lengthOf(patch.location);
    units2 += pairsLength(patch.tags) + pairsLength(patch.attributes);
    for (const relation of patch.relations ?? []) units2 += relation.length;
    for (const [name, metric] of metrics) {
      units2 += name.length + lengthOf(metric.name) + lengthOf(metric.unit) + lengthOf(metric.type);
      units2 += pairsLength(metric.tags);
    }
  }
  return units2 * unitBytesMax;
}
function lengthOf(text) {
  return text?.length ?? 0;
}
function pairsLength(pairs) {
  let length = 0;
  for (const { name, value } of pairs ?? []) length += name.length + value.length;
  return length;
}
function textGrowth(question) {
  return ofElements(question) + ofNames(question) + ofDefinitions(question);
}
function ofElements({ catalogue, posts }) {
  const infos = /* @__PURE__ */ new Map();
  let bytes = 0;
  for (const { fqn, element, patch } of posts) {
    const stored = element < 0 ? void 0 : catalogue.elementInfo(element);
    const known = infos.get(fqn) ?? stored;
    const info = known === void 0 ? newInfo(fqn, patch, 0) : mergeInfo(known, patch);
    bytes += infoBytes(fqn, info) - (known === void 0 ? 0 : infoBytes(fqn, known));
    infos.set(fqn, info);
  }
  return bytes;
}
function ofNames({ catalogue, tenant, posts, unborn }) {
  const names = new Set(unborn);
  for (const { metrics } of posts) for (const fqn of metrics.keys()) names.add(fqn);
  let bytes = 0;
  for (const fqn of names) if (catalogue.findName(tenant, fqn) < 0) bytes += fqn.length;
  return bytes;
}
function ofDefinitions({ catalogue, posts, knownDefinition }) {
  const counted = /* @__PURE__ */ new Set();
  let bytes = 0;
  for (const { element, metrics } of posts) {
    for (const [fqn, patch] of metrics) {
      const known = knownDefinition(element, fqn) ?? defaultDefinition;
      const definition = mergeDefinition(known, patch);
      const text = JSON.stringify(definition);
      if (counted.has(text) || catalogue.knowsDefinition(definition)) continue;
      counted.add(text);
      bytes += definitionBytes(definition);
    }
  }
  return bytes;
}

// src/ingest/slow/plan.ts
var Plan = class {
  catalogue;
  tenant;
  posts = [];
  unborn = [];
  unbornByElement = /* @__PURE__ */ new Map();
  infos = /* @__PURE__ */ new Map();
  /** Definitions that posts with tags make of those known, by element and metric fqn. */
  tagged = /* @__PURE__ */ new Map();
  /** While applying: changed definitions of series, to be made known when all posts were heard. */
  changed = /* @__PURE__ */ new Map();
  declaredCount = 0;
  newPosts = 0;
  constructor(catalogue, tenant) {
    this.catalogue = catalogue;
    this.tenant = tenant;
  }
  get elementCount() {
    return this.posts.length;
  }
  add(fqn, patch, metrics) {
    const element = this.catalogue.findElement(this.tenant, fqn);
    const firstUnborn = this.unborn.length;
    const post = { fqn, element, patch, metrics, unborn: void 0, firstUnborn };
    this.posts.push(post);
    this.declaredCount += metrics.size;
    if (element < 0) this.newPosts++;
    return post;
  }
  /**
   * What will be known of the post's element, where the post changes it; undefined also for a new
   * element without lists, whose text cannot be too long.
   */
  amendedInfo(post) {
    const { fqn, element, patch } = post;
    const hasLists = patch.tags ?? patch.attributes ?? patch.relations;
    if (hasLists === void 0 && element < 0) return void 0;
    const known = this.infos.get(fqn) ?? this.knownInfo(post);
    if (known !== void 0 && infoHolds(known, patch)) return void 0;
    const info = known === void 0 ? newInfo(fqn, patch, 0) : mergeInfo(known, patch);
    this.infos.set(fqn, info);
    return info;
  }
  /** What the catalogue has of the post's element. */
  knownInfo({ element }) {
    return element < 0 ? void 0 : this.catalogue.elementInfo(element);
  }
  /** What will be known of a metric, where a post with tags says anything new of it. */
  amendedDefinition(post, fqn, patch) {
    if (patch.tags === void 0) return void 0;
    const key = `${post.fqn}\0${fqn}`;
    const known = this.tagged.get(key) ?? this.knownDefinition(post.element, fqn);
    if (known !== void 0 && definitionHolds(known, patch)) return void 0;
    const definition = mergeDefinition(known ?? defaultDefinition, patch);
    this.tagged.set(key, definition);
    return definition;
  }
  /** The series of a metric of the post's element, perhaps provisional. */
  series(post, fqn) {
    const known = this.knownSeries(post.element, fqn);
    if (known >= 0) return known;
    post.unborn ??= this.unbornOf(post.fqn);
    const ordinal = post.unborn.get(fqn);
    if (ordinal !== void 0) return -1 - ordinal;
    post.unborn.set(fqn, this.unborn.length);
    return -this.unborn.push(fqn);
  }
  unbornOf(element) {
    let unborn = this.unbornByElement.get(element);
    if (unborn === void 0) this.unbornByElement.set(element, unborn = /* @__PURE__ */ new Map());
    return unborn;
  }
  /** Index of a series that exists, or -1. */
  knownSeries(element, fqn) {
    if (element < 0) return -1;
    const name = this.catalogue.findName(this.tenant, fqn);
    return name < 0 ? -1 : this.catalogue.findSeries(element, name);
  }
  /** What is known of a metric; `undefined` where nothing is. */
  knownDefinition(element, fqn) {
    const series = this.knownSeries(element, fqn);
    return series < 0 ? void 0 : this.catalogue.seriesDefinition(series);
  }
  /** At most this would be added to the catalogue, told without looking anything up. */
  growthMost() {
    const { declaredCount: declared, newPosts: elements } = this;
    const series = this.unborn.length + declared;
    const kept = declared * this.catalogue.text.longest;
    const text = kept + textMost(this.posts, this.unborn);
    return { series, elements, definitions: declared, text };
  }
  /**
   * What applying the plan would add to the catalogue. Definitions of new series are not counted,
   * since there are no more of them than of those; changed ones of known series are.
   */
  growth() {
    const elements = /* @__PURE__ */ new Set();
    const declared = /* @__PURE__ */ new Set();
    let definitions = 0;
    for (const post of this.posts) {
      if (post.element < 0) elements.add(post.fqn);
      const unborn = this.unbornByElement.get(post.fqn);
      for (const [fqn, patch] of post.metrics) {
        const known = this.knownDefinition(post.element, fqn);
        if (known !== void 0) definitions += this.isNewDefinition(known, patch) ? 1 : 0;
        else if (unborn?.has(fqn) !== true) declared.add(`${post.fqn}\0${fqn}`);
      }
    }
    const text = textGrowth({ ...this.textSources(), posts: this.posts, unborn: this.unborn });
    return {
      series: this.unborn.length + declared.size,
      elements: elements.size,
      definitions,
      text
    };
  }
  textSources() {
    const { catalogue, tenant } = this;
    return {
      catalogue,
      tenant,
      knownDefinition: (element, fqn) => this.knownDefinition(element, fqn)
    };
  }
  isNewDefinition(known, patch) {
    if (definitionHolds(known, patch)) return false;
    return !this.catalogue.knowsDefinition(mergeDefinition(known, patch));
  }
  /**
   * Brings the catalogue up to date and gives the samples from `firstSample` on their real series.
   * `onChange` hears of every element that was known and is now known differently.
   */
  apply(moment) {
    const born = [];
    for (let at = 0; at < this.posts.length; at++) {
      const post = this.posts[at];
      const element = this.applyElement(post, moment);
      for (const [fqn, patch] of post.metrics) this.applyMetric(element, fqn, patch);
      const end = this.posts[at + 1]?.firstUnborn ?? this.unborn.length;
      for (let ordinal = post.firstUnborn; ordinal < end; ordinal++) {
        const fqn = this.unborn[ordinal];
        const declared = this.knownSeries(element, fqn);
        born.push(declared >= 0 ? declared : this.catalogue.upsertSeries(element, fqn));
      }
    }
    for (const [series, definition] of this.changed)
      this.applyDefinition(series, definition, moment);
    if (born.length > 0) settle(moment.columns, moment.firstSample, born);
  }
  applyElement(post, moment) {
    const { catalogue } = this;
    const known = catalogue.findElement(this.tenant, post.fqn);
    const before = known < 0 ? void 0 : catalogue.elementInfo(known);
    if (before !== void 0 && infoHolds(before, post.patch)) return known;
    const say = patchWithTime(post.patch, moment.nowMs);
    const element = catalogue.upsertElement(this.tenant, post.fqn, say);
    if (before !== void 0 && catalogue.elementInfo(element) !== before) moment.onChange(element);
    return element;
  }
  /**
   * A known metric gets its definition at the end: two thousand posts of one body that each add a
   * tag to it would else leave two thousand definitions, which are never forgotten.
   */
  applyMetric(element, fqn, patch) {
    const { catalogue } = this;
    const known = this.knownSeries(element, fqn);
    if (known < 0) {
      catalogue.upsertSeries(element, fqn, patch);
      return;
    }
    const definition = this.changed.get(known) ?? catalogue.seriesDefinition(known);
    if (!definitionHolds(definition, patch)) {
      this.changed.set(known, mergeDefinition(definition, patch));
    }
  }
  applyDefinition(series, definition, moment) {
    const { catalogue } = this;
    const element = catalogue.seriesElement(series);
    const before = catalogue.seriesDefinitionIndex(series);
    const { name, ...rest } = definition;
    const say = name === null ? rest : { ...rest, name };
    catalogue.upsertSeries(element, catalogue.name(catalogue.seriesName(series)).fqn, say);
    if (catalogue.seriesDefinitionIndex(series) !== before) moment.onChange(element);
  }
};
function patchWithTime(patch, nowMs) {
  const { name, type, location, tags, attributes, relations } = patch;
  const say = { name, type, location, tags, attributes, relations, nowMs };
  return say;
}
function settle(columns, firstSample, born) {
  const { series, count } = columns;
  for (let i = firstSample; i < count; i++) {
    if (series[i] < 0) series[i] = born[-1 - series[i]];
  }
}

// src/ingest/scanner/news.ts
var News = class {
  /** What the body will do to the catalogue; `undefined` where it says nothing new. */
  plan;
  catalogue;
  cache;
  tenant = 0;
  /** Of the element that is read now, once it says something new. */
  post;
  elements = /* @__PURE__ */ new Set();
  /** Cleaned ids of elements that this body is the first to name. */
  strangers = /* @__PURE__ */ new Set();
  /** Entries of posts that said something new: they change nothing from when that is known. */
  waiting = [];
  constructor(catalogue, cache) {
    this.catalogue = catalogue;
    this.cache = cache;
  }
  /** Begins a body. True where the last one named strangers, and came to nothing. */
  start(tenant) {
    this.tenant = tenant;
    this.post = void 0;
    if (this.plan === void 0) return false;
    const isVain = this.waiting.some(({ element }) => element < 0);
    this.plan = void 0;
    this.elements.clear();
    this.strangers.clear();
    for (const entry of this.waiting) {
      entry.news = void 0;
      entry.amended = void 0;
      this.cache.abandon(entry);
    }
    this.waiting.length = 0;
    return isVain;
  }
  /**
   * Begins an element; false where the body must go down the slow path. It must where an element
   * comes again after news of it: what is known of it by then stands in no catalogue yet.
   */
  startElement(entry) {
    const { element, news } = entry;
    this.post = void 0;
    if (news !== void 0) this.waiting.push(entry);
    if (element < 0) return this.addStranger(news);
    if (this.plan !== void 0 && this.elements.has(element)) return false;
    return news === void 0 || this.add(element, news);
  }
  /** The provisional series of a metric that the element does not have yet; it is negative. */
  series(element, fqn) {
    if (this.post === void 0) {
      this.add(element, { fqn: this.catalogue.elementFqn(element), patch: {}, metrics: /* @__PURE__ */ new Map() });
    }
    return this.plan.series(this.post, fqn);
  }
  /** Keeps the heads of the body, once its plan was carried out. */
  keep(stampOf) {
    for (const entry of this.waiting) {
      if (entry.element < 0) {
        entry.element = this.catalogue.findElement(entry.tenant, entry.news.fqn);
        entry.series = new Int32Array(0);
      }
      entry.news = void 0;
      entry.info = this.catalogue.elementInfo(entry.element);
      entry.stamp = stampOf(entry.element);
      if (entry.amended === void 0) this.cache.add(entry);
      else this.cache.amend(entry);
    }
    this.waiting.length = 0;
  }
  addStranger(news) {
    if (this.strangers.has(news.fqn)) return false;
    this.strangers.add(news.fqn);
    return this.addPost(news);
  }
  add(element, news) {
    this.elements.add(element);
    return this.addPost(news);
  }
  /** False where a list would outgrow its limit, which the slow path tells. */
  addPost({ fqn, patch, metrics }) {
    this.plan ??= new Plan(this.catalogue, this.tenant);
    this.post = this.plan.add(fqn, patch, metrics);
    const reader = new FieldReader(new Problems(), new Place(), false);
    checkGrowth(this.post, reader, this.plan);
    return reader.problems.count === 0;
  }
};

// src/ingest/scanner/predicted.ts
function readPredicted(scan, shape, series) {
  const { bytes, view, limit, columns } = scan;
  const { words: words3, next, simple, firstParts, partWords, partLengths } = shape;
  const seriesColumn = columns.series;
  const valuesColumn = columns.values;
  let { at, template, before } = scan;
  let count = columns.count;
  let isRunOpen = false;
  let isCommaMissing = false;
  while (template >= 0 && template < series.length && simple[template] === 1) {
    const part = firstParts[template];
    const length = partLengths[part];
    const timeAt = at + length;
    if (timeAt > limit || !matchesLiteral(view, at, words3, partWords[part], length)) break;
    if (series[template] === unknownSeries || count === valuesColumn.length) break;
    const isAsBefore = isRepeated(scan, shape, partWords[part + 1], timeAt);
    const valueAt = isAsBefore ? timeAt + scan.repeatedLength : readNewTime(scan, shape, part + 1, timeAt);
    if (valueAt < 0) break;
    const end = readNumber(bytes, valueAt, valuesColumn, count);
    if (end < 0 || bytes[end] !== closeBrace) break;
    if (isAsBefore && isRunOpen) seriesColumn[count] = series[template];
    else {
      const ms = isAsBefore ? scan.repeatedMs[0] : scan.timeMs[0];
      columns.count = count;
      columns.push(series[template], ms, valuesColumn[count]);
      isRunOpen = true;
    }
    count++;
    before = template;
    template = next[template];
    at = end + 1;
    if (bytes[at] <= 32) at = skipSpace(bytes, at);
    isCommaMissing = bytes[at] !== comma;
    if (isCommaMissing) break;
    if (bytes[++at] <= 32) at = skipSpace(bytes, at);
  }
  columns.count = count;
  scan.at = at;
  scan.template = template;
  scan.before = before;
  return !isCommaMissing;
}

// src/ingest/scanner/samples.ts
var start = -1;
var stranger = -2;
function readSamples(scan, entry, from, lookup) {
  const { bytes } = scan;
  const { shape } = entry;
  scan.samplesBefore = scan.columns.count + scan.leftOut.total;
  scan.at = skipSpace(bytes, from);
  if (bytes[scan.at] === closeBracket) return scan.at + 1;
  const isWild = shape.isWild();
  scan.before = start;
  scan.template = isWild ? -1 : shape.first;
  const strangers = readAll(scan, entry, lookup, isWild);
  if (strangers < 0) return -1;
  if (!isWild) shape.judge(strangers);
  return bytes[scan.at] === closeBracket ? scan.at + 1 : -1;
}
function readAll(scan, entry, lookup, isWild) {
  const { bytes } = scan;
  let strangers = 0;
  while (scan.inject || isWild || readPredicted(scan, entry.shape, entry.series)) {
    const end = isWild ? readStranger(scan, entry, lookup) : readOne(scan, entry, lookup);
    if (end < 0) return -1;
    if (scan.before === stranger) strangers++;
    scan.at = bytes[end] > 32 ? end : skipSpace(bytes, end);
    if (bytes[scan.at] !== comma) return strangers;
    scan.at = skipSpace(bytes, scan.at + 1);
  }
  return strangers;
}
function readOne(scan, entry, lookup) {
  const { shape } = entry;
  const { at, before } = scan;
  let { template } = scan;
  let end = template < 0 ? -1 : matchTemplate(scan, shape, template, at);
  if (end < 0) {
    const guess = shape.guess(scan, at);
    if (guess >= 0 && guess !== template) end = matchTemplate(scan, shape, guess, at);
    template = guess;
  }
  if (end >= 0) {
    if (!push(scan, seriesOfTemplate(entry, template, lookup))) return -1;
  } else {
    end = readStranger(scan, entry, lookup);
    if (end < 0) return -1;
    if (scan.fields.oddMask !== 0 || scan.isLeftOut) {
      predictPast(scan, shape, template);
      return end;
    }
    template = scan.name < 0 ? -1 : shape.templateOf(scan, at, end, scan.name);
  }
  if (template >= 0) predictAfter(shape, before, template);
  scan.before = template < 0 ? stranger : template;
  scan.template = template < 0 ? -1 : shape.next[template];
  return end;
}
function readStranger(scan, entry, lookup) {
  const end = readSample(scan, scan.at);
  if (end < 0) return -1;
  if (scan.isLeftOut) return leaveOut(scan, entry, lookup) ? end : -1;
  scan.name = lookup.spellings.find(scan);
  const known = scan.name < 0 ? -1 : seriesOf(entry, scan.name, lookup.catalogue);
  if (known >= 0) return push(scan, known) ? end : -1;
  const fqn = metricFqn(scan);
  return fqn !== void 0 && push(scan, lookup.news.series(entry.element, fqn)) ? end : -1;
}
function leaveOut(scan, { element, news }, { catalogue }) {
  const metric = metricFqn(scan);
  if (metric === void 0) return false;
  const { leftOut, elementIndex, oddField: field } = scan;
  const sampleIndex = scan.columns.count + leftOut.total - scan.samplesBefore;
  leftOut.add(oddReason(scan), () => ({
    elementIndex,
    element: element < 0 ? news.fqn : catalogue.elementFqn(element),
    metric,
    sampleIndex,
    field,
    sent: oddText(scan)
  }));
  return true;
}
function metricFqn({ metricStart, metricEnd, bytes }) {
  const raw = Buffer.from(bytes.buffer, metricStart, metricEnd - metricStart).toString("latin1");
  const fqn = cleanFqn(raw);
  return fqn.length > 0 && fqn.length <= fqnCharactersMax ? fqn : void 0;
}
function push(scan, series) {
  return pushFields(scan.columns, series, scan.timeMs[0], scan.fields);
}
function predictAfter(shape, before, template) {
  if (before === start) shape.first = template;
  else if (before >= 0) shape.next[before] = template;
}
function predictPast(scan, shape, template) {
  if (template >= 0) scan.before = template;
  const { before } = scan;
  scan.template = before >= 0 ? shape.next[before] : before === start ? shape.first : -1;
}
function seriesOfTemplate(entry, template, lookup) {
  const { series, element, shape } = entry;
  if (template < series.length && series[template] !== unknownSeries) return series[template];
  const { catalogue, news } = lookup;
  const name = shape.names[template];
  const known = seriesOf(entry, name, catalogue);
  const found = known >= 0 ? known : news.series(element, catalogue.name(name).fqn);
  if (known >= 0 || element < 0) remember(entry, template, found);
  return found;
}
function remember(entry, template, series) {
  if (template >= entry.series.length) {
    const larger = new Int32Array(entry.shape.next.length).fill(unknownSeries);
    larger.set(entry.series);
    entry.series = larger;
  }
  entry.series[template] = series;
}
function seriesOf({ element }, name, catalogue) {
  return element < 0 ? -1 : catalogue.findSeries(element, name);
}

// src/ingest/scanner/sections.ts
var sectionsMax = 16;
var Sections = class {
  kept = /* @__PURE__ */ new Map();
  /** What the section `[start, end)` says, where it was remembered. */
  find({ bytes, view }, start2, end) {
    const known = this.kept.get(hashBytes(view, start2, end, 0));
    if (known?.bytes.length !== end - start2) return void 0;
    return known.bytes.compare(bytes, start2, end) === 0 ? known : void 0;
  }
  /** `bytes` are those of the section, in memory that stays as it is. */
  remember(bytes, parsed2) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const { metrics, isPlain: isPlain2 } = parsed2;
    this.kept.set(hashBytes(view, 0, bytes.length, 0), { metrics, isPlain: isPlain2, bytes });
    if (this.kept.size > sectionsMax) this.kept.delete(this.kept.keys().next().value);
  }
};

// src/ingest/scanner/scanner.ts
var restSlots = 65536;
var restAfterFailure = 8;
var restPerLesson = 3;
var restMax = 24;
var lessonsMax = 256;
var lessonBytesMin = 512;
var Scanner = class {
  cache;
  /** Read by `readSamples`. */
  catalogue;
  spellings;
  /** What the body that was read last says that is not known yet. */
  news;
  scan = new Scan();
  sections = new Sections();
  /** Changes of each element that this reader made. */
  stamps = new Uint32Array(0);
  /**
   * How much learning was spent in vain on ids, by hash: posts that differ every time would
   * otherwise cost a lesson each, on top of the slow path.
   */
  restlessness = new Uint8Array(restSlots);
  /** How many strangers to send down the slow path unseen: their ids tell nothing. */
  strangersLeft = 0;
  /** Heads that were parsed for the body that is read. */
  lessons = 0;
  constructor(catalogue, cacheBytesMax) {
    this.catalogue = catalogue;
    this.cache = new HeadCache(cacheBytesMax);
    this.spellings = new MetricSpellings(catalogue);
    this.news = new News(catalogue, this.cache);
  }
  /**
   * Reads a body into `columns`, where the caller has begun a request. Returns the count of
   * elements, or -1 where the slow path has to read it; the caller then rolls the columns back.
   * Where the body brings news, the caller carries out their plan and then calls `keepNews`.
   */
  read(body, request, period, columns) {
    const { scan } = this;
    if (request.charset === "utf-16" || request.charset === "iso-8859-1") return -1;
    if (!scan.start(body, request, period)) return -1;
    scan.columns = columns;
    if (this.news.start(request.tenant)) this.strangersLeft = restAfterFailure;
    this.lessons = 0;
    const mark = hasUtf8Mark(body) ? 3 : 0;
    const { bytes } = scan;
    let at = skipSpace(bytes, body.byteOffset + mark);
    if (bytes[at] !== openBracket) return -1;
    at = skipSpace(bytes, at + 1);
    if (bytes[at] === closeBracket) return at + 1 === scan.limit ? 0 : -1;
    for (let elements = 1; elements <= elementsPerRequestMax; elements++) {
      scan.elementIndex = elements - 1;
      at = this.readElement(at);
      if (at < 0 || this.isTeachingTooMuch(at - body.byteOffset)) return -1;
      at = skipSpace(bytes, at);
      if (bytes[at] === closeBracket) return at + 1 === scan.limit ? elements : -1;
      if (bytes[at] !== comma) return -1;
      at = skipSpace(bytes, at + 1);
    }
    return -1;
  }
  /** What was left out of the body that was read last. */
  get leftOut() {
    return this.scan.leftOut;
  }
  /** Tells that something about a known element has changed: its heads are no longer believed. */
  changed(element) {
    if (element >= this.stamps.length) {
      const larger = new Uint32Array(Math.max(1024, element + 1, 2 * this.stamps.length));
      larger.set(this.stamps);
      this.stamps = larger;
    }
    this.stamps[element]++;
  }
  /** What the last body said is known now. */
  keepNews() {
    this.news.keep(this.stampOf);
  }
  stampOf = (element) => element < this.stamps.length ? this.stamps[element] : 0;
  readElement(start2) {
    const { scan } = this;
    if (scan.bytes[start2] !== openBrace) return -1;
    const idStart = findId(scan, start2);
    const idEnd = idStart < 0 ? -1 : looseTextEnd(scan.bytes, idStart, scan.limit);
    if (idEnd < 0) return -1;
    const hash = hashBytes(scan.view, idStart, idEnd, scan.tenant);
    const entry = this.recognise(hash, start2) ?? this.amend(hash, start2) ?? this.learn(hash, start2, idStart, idEnd);
    if (entry === void 0 || !this.news.startElement(entry)) return -1;
    const section = entry.amended ?? entry.shape.section;
    const at = start2 + entry.startLength + section.length + entry.middleLength;
    if (!entry.hasSamples) return at;
    const end = readSamples(scan, entry, at, this);
    this.cache.account(entry);
    if (end < 0) return -1;
    const behind = matchTail(scan, entry, end);
    if (behind < 0) this.cache.remove(entry);
    return behind;
  }
  /** True where what it took for `bytes` of a body is better done by the slow path. */
  isTeachingTooMuch(bytes) {
    return this.lessons > lessonsMax && bytes < this.lessons * lessonBytesMin;
  }
  recognise(hash, at) {
    const entry = this.cache.find(this.scan, hash, at);
    if (entry === void 0) return void 0;
    if (!this.isTrue(entry)) {
      this.cache.remove(entry);
      return void 0;
    }
    const slot = hash & restSlots - 1;
    if (this.restlessness[slot] > 0) this.restlessness[slot]--;
    return entry;
  }
  /** False where something about the element has changed since the entry was made. */
  isTrue({ element, info, stamp }) {
    return info === this.catalogue.elementInfo(element) && stamp === this.stampOf(element);
  }
  /** The entry of a post that is as before but for metrics that its element never had. */
  amend(hash, at) {
    const { scan, catalogue } = this;
    const entry = this.cache.newest(hash);
    if (entry?.tenant !== scan.tenant || !entry.shape.isPlain || !this.isTrue(entry)) {
      return void 0;
    }
    const { element, startLength, shape } = entry;
    const fqn = catalogue.elementFqn(element);
    const isKnown = (fqn2) => {
      const name = catalogue.findName(scan.tenant, fqn2);
      return name >= 0 && catalogue.findSeries(element, name) >= 0;
    };
    const start2 = at + startLength;
    const amended = readAmended(scan, start2, shape.section, isKnown);
    if (amended === void 0 || matchAround(scan, entry, at, amended.end) < 0) return void 0;
    entry.news = { fqn, patch: {}, metrics: amended.metrics };
    entry.amended = copyBytes(scan, start2, amended.end);
    return entry;
  }
  learn(hash, start2, idStart, idEnd) {
    const { scan, catalogue, cache, sections, stampOf } = this;
    if (this.strangersLeft > 0 && !isKnownId(scan, idStart, idEnd, catalogue)) {
      this.strangersLeft--;
      return void 0;
    }
    const slot = hash & restSlots - 1;
    const rest = this.restlessness[slot];
    if (rest >= restAfterFailure) {
      this.restlessness[slot] = rest - 1;
      return void 0;
    }
    this.lessons++;
    const learned = learnHead(scan, start2, { catalogue, cache, sections, hash, stampOf });
    const cost = learned === void 0 ? restAfterFailure : restPerLesson;
    this.restlessness[slot] = Math.min(restMax, rest + cost);
    if (learned !== void 0 && learned.news === void 0) cache.add(learned);
    return learned;
  }
};

// src/ingest/slow/outcome.ts
function accepted(elements, samples, leftOut) {
  return leftOut === void 0 ? { ok: true, elements, samples } : { ok: true, elements, samples, leftOut };
}

// src/ingest/slow/bare-values.ts
var sampleBrackets = "[{[{";
var elementDepth = 2;
var sampleDepth = 4;
var words2 = ["NaN", "Infinity", "-Infinity"];
var fieldKeys2 = new Set(sampleFields);
function quoteBareValues(text) {
  if (!words2.some((word) => text.includes(word))) return void 0;
  const walk = new Walk(text);
  walk.run();
  return walk.parts.length === 0 ? void 0 : walk.parts.join("") + text.slice(walk.from);
}
var Walk = class {
  /** The text before `from`, with quotes. */
  parts = [];
  from = 0;
  text;
  brackets = "";
  /** The last key of the element, and of the sample. */
  elementKey = "";
  sampleKey = "";
  constructor(text) {
    this.text = text;
  }
  run() {
    const { text } = this;
    for (let at = 0; at < text.length; at++) {
      const one = text[at];
      if (one === '"') at = this.passText(at);
      else if (one === "{" || one === "[") this.open(one);
      else if (one === "}" || one === "]") this.brackets = this.brackets.slice(0, -1);
      else if (one === ",") this.forgetKey();
      else if (one === "N" || one === "I" || one === "-") at = this.passWord(at);
    }
  }
  open(bracket) {
    this.brackets += bracket;
    this.forgetKey();
  }
  /** What follows is no value of the key that came last. */
  forgetKey() {
    if (this.brackets.length === elementDepth) this.elementKey = "";
    if (this.brackets.length === sampleDepth) this.sampleKey = "";
  }
  /** Index of the quote that closes the text at `at`; remembers it if it may be a key. */
  passText(at) {
    const end = closingQuote(this.text, at + 1);
    const depth = this.brackets.length;
    if (depth !== elementDepth && depth !== sampleDepth) return end;
    if (!isFollowedByColon(this.text, end + 1)) return end;
    const key = keyText(this.text.slice(at, end + 1));
    if (depth === elementDepth) this.elementKey = key;
    else this.sampleKey = key;
    return end;
  }
  /** Index of the last character of the word at `at`, which gets its quotes. */
  passWord(at) {
    const word = words2.find((one) => this.text.startsWith(one, at));
    if (word === void 0 || !this.isSampleValue()) return at;
    this.parts.push(this.text.slice(this.from, at), `"${word}"`);
    this.from = at + word.length;
    return this.from - 1;
  }
  isSampleValue() {
    return this.brackets === sampleBrackets && this.elementKey === "samples" && fieldKeys2.has(this.sampleKey);
  }
};
function closingQuote(text, at) {
  let end = at;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end;
}
function isFollowedByColon(text, at) {
  let next = at;
  while (next < text.length && " \n\r	".includes(text[next])) next++;
  return text[next] === ":";
}
function keyText(literal) {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return "";
  }
}

// src/ingest/slow/slow.ts
function readSlowly(body, reading) {
  const parsed2 = parseBody(body, reading.request);
  if ("problem" in parsed2) return refusal("Error Parsing JSON Request", [parsed2.problem]);
  if (!Array.isArray(parsed2.value)) {
    return refusal("Input Validation Failed", [
      `The body is no array of elements: ${quoted(parsed2.value)}`
    ]);
  }
  const { length } = parsed2.value;
  if (length > elementsPerRequestMax) {
    return refusal("Input Validation Failed", [
      `The body has ${length} elements, at most ${elementsPerRequestMax} fit`
    ]);
  }
  return readElements(parsed2.value, parsed2.repairs, reading);
}
var parserWordsMax = 300;
function parseBody(body, request) {
  const text = decodeBody(body, request.charset);
  if (text === void 0)
    return { problem: `Could not read JSON: the bytes are not ${request.charset}` };
  const isWide = request.charset === "utf-16" || hasWideMark(body);
  if (isDeeperThan(isWide ? Buffer.from(text) : body, jsonDepthMax)) {
    return { problem: `Could not read JSON: it nests deeper than ${jsonDepthMax} levels` };
  }
  const repairs = isWide || text.includes("\\u");
  try {
    return { value: parseJson(text), repairs };
  } catch (error) {
    const words3 = error instanceof Error ? error.message : String(error);
    return { problem: `Could not read JSON: ${repaired(words3.slice(0, parserWordsMax))}` };
  }
}
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const quotedText = quoteBareValues(text);
    if (quotedText === void 0) throw error;
    return JSON.parse(quotedText);
  }
}
function hasWideMark(body) {
  return body[0] === 255 || body[0] === 254;
}
function readElements(elements, repairs, reading) {
  const { catalogue, request, columns } = reading;
  const firstSample = columns.count;
  const reader = new FieldReader(new Problems(), new Place(), repairs);
  const plan = new Plan(catalogue, request.tenant);
  const leftOut = new LeftOut();
  leftOut.start(request.tellsLeftOut);
  const sampleReader = new SampleReader(reader, reading.period);
  const samples = { ...reading, reader, plan, samples: sampleReader, leftOut };
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index];
    reader.place.startElement(index, isObject(element) ? element["id"] : void 0);
    if (!isObject(element)) {
      reader.refuse(`${quoted(element)} is no element`);
      continue;
    }
    const post = readPost(element, reader, plan);
    readSamples2(element, post, samples);
  }
  if (reader.problems.count > 0) return refusal("Input Validation Failed", reader.problems.list());
  const tooMuch = carryOut(plan, reading, firstSample);
  if (tooMuch !== void 0) return tooMuch;
  return accepted(elements.length, columns.count - firstSample, leftOut.report());
}
function readPost(element, reader, plan) {
  const fqn = reader.fqn(element["id"], "id");
  const patch = readElementPatch(reader, element);
  const metrics = readMetrics(reader, element["metrics"]);
  if (fqn === void 0) return void 0;
  const post = plan.add(fqn, patch, metrics);
  checkGrowth(post, reader, plan);
  return post;
}
function readSamples2(element, post, reading) {
  const { reader, request, columns, plan, samples } = reading;
  const { elementIndex } = reader.place;
  const list = readList(reader, element["samples"], "samples");
  for (let i = 0; i < list.length; i++) {
    const sample = list[i];
    if (!isObject(sample)) {
      reader.place.startSample(i, void 0);
      reader.refuse(`${quoted(sample)} is no sample`);
      continue;
    }
    reader.place.startSample(i, sample["metricId"]);
    const fqn = reader.fqn(sample["metricId"], "metricId");
    const timeMs = request.injectTimestamp ? request.nowMs : samples.readTimestamp(sample["timestamp"]);
    const verdict = samples.readValues(sample);
    if (verdict === "refused" || reader.problems.count > 0) continue;
    if (verdict === "leftOut") {
      leaveOut2({ elementIndex, element: post.fqn, metric: fqn, sampleIndex: i }, reading);
      continue;
    }
    const series = plan.series(post, fqn);
    if (!pushFields(columns, series, timeMs, samples.fields)) {
      reader.refuse("the aggregates have no finite mean");
    }
  }
  reader.place.leaveSample();
}
function leaveOut2(place, { samples, leftOut }) {
  const { field, value } = samples.odd;
  leftOut.add(reasonOf(value), () => ({ ...place, field, sent: sentText(value) }));
}
function refusal(detail, errors) {
  return { ok: false, detail, errors };
}

// src/ingest/ingest.ts
var scannerCacheBytesDefault = 128 * 1024 * 1024;
var noLimits = {
  seriesMax: Infinity,
  newSeriesPerMinuteMax: Infinity,
  textBytesMax: Infinity
};
var IngestReader = class {
  /** Bodies that the scanner took, and bodies that it left to the slow path. */
  fastBodies = 0;
  slowBodies = 0;
  options;
  scanner;
  cardinality;
  constructor(options) {
    this.options = options;
    this.cardinality = new Cardinality(options.catalogue, options.cardinality ?? noLimits);
    if (options.scanner !== false) {
      const cacheBytesMax = options.cacheBytesMax ?? scannerCacheBytesDefault;
      this.scanner = new Scanner(options.catalogue, cacheBytesMax);
    }
  }
  /** What the scanner keeps to recognise posts by, in bytes, roughly. */
  get cacheBytes() {
    return this.scanner?.cache.byteSize ?? 0;
  }
  /**
   * Reads one body into `columns`, as one request of theirs. Where it is refused, columns and
   * catalogue are as before.
   */
  read(body, request, columns) {
    const { catalogue, crowd } = this.options;
    const { cardinality, onChange } = this;
    const period = this.period(request.nowMs);
    const mark = columns.startRequest();
    const reading = { catalogue, cardinality, request, period, columns, crowd, onChange };
    let outcome = this.scan(body, reading, mark.count);
    if (outcome === void 0) {
      columns.rollback(mark);
      columns.startRequest();
      this.slowBodies++;
      outcome = readSlowly(body, reading);
    }
    if (!outcome.ok) columns.rollback(mark);
    return outcome;
  }
  /** What the scanner makes of a body; `undefined` where the slow path has to read it. */
  scan(body, reading, firstSample) {
    const { scanner } = this;
    const { request, period, columns } = reading;
    const elements = scanner?.read(body, request, period, columns) ?? -1;
    if (scanner === void 0 || elements < 0) return void 0;
    this.fastBodies++;
    const { plan } = scanner.news;
    const tooMuch = plan === void 0 ? crowdRefusal(reading, firstSample) : carryOut(plan, reading, firstSample);
    if (tooMuch !== void 0) return tooMuch;
    if (plan !== void 0) scanner.keepNews();
    return accepted(elements, columns.count - firstSample, scanner.leftOut.report());
  }
  /**
   * Tells that somebody else has changed metric definitions of an element: posts that were known to
   * say nothing new may do so now. What this reader changes itself, and changed infos, it sees by
   * itself.
   */
  changed(element) {
    this.scanner?.changed(element);
  }
  onChange = (element) => this.changed(element);
  period(nowMs) {
    const { acceptPastMs, acceptFutureMs } = this.options;
    return { oldestMs: nowMs - acceptPastMs, newestMs: nowMs + acceptFutureMs };
  }
};

// src/engine/task.ts
var charsets = ["none", "utf-8", "utf-16", "iso-8859-1"];
var requestInts = 4;
var requestOffset = 0;
var requestLength = 1;
var requestTenant = 2;
var requestFlags = 3;
var flagInjectTimestamp = 1;
var flagTellsLeftOut = 8;
var charsetShift = 1;

export {
  createPinoLogger,
  charsets,
  requestInts,
  requestOffset,
  requestLength,
  requestTenant,
  requestFlags,
  flagInjectTimestamp,
  flagTellsLeftOut,
  charsetShift,
  decodeBody,
  leftOutReasons,
  IngestReader
};
//# sourceMappingURL=chunk-EQ2NR6YH.js.map
