import {
  CellColumns,
  applyCounter,
  averageOf,
  bandWidth,
  clearCells,
  clearPresence,
  closingKeyBytesMax,
  computeCell,
  computeWeightedCell,
  copyCell,
  copyCells,
  decimalScale,
  decimalScaleOf,
  definitionAverage,
  definitionCode,
  definitionCounter,
  definitionSum,
  derivedActual,
  exactSum,
  fillSparse,
  finite,
  flagComputed,
  flagFact,
  flagPartial,
  flagSparse,
  hasActual,
  historyCyclesMax,
  isFact,
  isPresent,
  lowerEnd,
  moments,
  momentsOf,
  powersOfTen,
  redefineCell,
  scaleMax,
  scaledMax,
  scaledSum,
  settledSquares,
  squaresAroundOfRatios,
  squaresFromMoment,
  upperEnd
} from "./chunk-SLADJPH6.js";
import {
  defaultDefinition
} from "./chunk-FTDLCQXU.js";
import {
  ServiceError
} from "./chunk-BZJGDYVY.js";
import {
  bucketWidthMs,
  cycleMs,
  cyclesPerDay,
  dayMs,
  hourMs,
  resolutions
} from "./chunk-WSUH7ILY.js";
import {
  largestOf,
  pushAll,
  smallestOf
} from "./chunk-BLE2ZYMV.js";
import {
  crowdedBlockSamples,
  crowdedSeriesSamples,
  exactBucketSamplesMax,
  exactSamplesMax,
  seriesPerBlock
} from "./chunk-5L33DSE6.js";
import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/store/lmdb/private-files.ts
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync
} from "node:fs";
import { join } from "node:path";
var forOthers = 63;
var ownName = /^(?:data\.mdb|lock\.mdb|journal-\w+|run\.json|backup\.json|secrets\.key|control\.sock)(?:\.new)?$/;
var ownFolder = /^quarantine-[\dTZ-]+$/;
function closeToOthers(folder, uid = process.geteuid?.() ?? -1) {
  const warnings = [];
  if (!existsSync(folder)) return warnings;
  const path = realpathSync(folder);
  const at = { uid, warnings };
  const isOwn = closeFiles(path, ownName, at);
  if (isOwn) closePath(path, at);
  else if (isOpen(path)) {
    warnings.push(`${openToOthers(path)}: it holds other files too, so its rights were left`);
  }
  return warnings;
}
function closeFiles(folder, own, at) {
  let isAllOwn = true;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (own.test(name)) closePath(path, at);
    else if (ownFolder.test(name)) {
      closePath(path, at);
      closeFiles(path, anyName, at);
    } else isAllOwn = false;
  }
  return isAllOwn;
}
var anyName = /./;
function closePath(path, { uid, warnings }) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === void 0 || !(stats.isFile() || stats.isDirectory())) return;
  if ((stats.mode & forOthers) === 0) return;
  try {
    if (stats.uid !== uid) throw new ServiceError("storage", `it belongs to user ${stats.uid}`);
    chmodPath(path);
  } catch (error) {
    warnings.push(`${openToOthers(path)}: ${error.message}`);
  }
}
function chmodPath(path) {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    fchmodSync(file, fstatSync(file).mode & 4032);
  } finally {
    closeSync(file);
  }
}
function isOpen(path) {
  return (statSync(path).mode & forOthers) !== 0;
}
function openToOthers(path) {
  return `"${path}" is open to other users of this machine`;
}

// src/store/open.ts
import { existsSync as existsSync6 } from "node:fs";
import { join as join13 } from "node:path";

// src/store/lmdb/backup.ts
import { existsSync as existsSync4, mkdirSync as mkdirSync2, readFileSync as readFileSync3, rmSync as rmSync2, statSync as statSync4, writeFileSync as writeFileSync3 } from "node:fs";
import { join as join7 } from "node:path";

// src/catalogue/column.ts
var IntColumn = class {
  data = new Int32Array(1024).fill(-1);
  get(index) {
    return index < this.data.length ? this.data[index] : -1;
  }
  set(index, value) {
    this.reserve(index + 1);
    this.data[index] = value;
  }
  /** Makes room for so many entries; `data` may be another array then. */
  reserve(length) {
    if (length <= this.data.length) return;
    const larger2 = new Int32Array(Math.max(length, Math.ceil(this.data.length * 1.25))).fill(-1);
    larger2.set(this.data);
    this.data = larger2;
  }
};

// src/catalogue/settings-source.ts
var texts = /* @__PURE__ */ new WeakMap();
function settingsText(settings) {
  let text = texts.get(settings);
  if (text === void 0) texts.set(settings, text = JSON.stringify(settings));
  return text;
}

// src/catalogue/definitions.ts
var Definitions = class {
  all = [];
  byText = /* @__PURE__ */ new Map();
  text;
  constructor(text) {
    this.text = text;
  }
  get count() {
    return this.all.length;
  }
  at(index) {
    return this.all[index];
  }
  has(definition) {
    return this.byText.has(textOf(definition));
  }
  /**
   * The number of a definition, which is new where nobody had it. `guess` is one that it may well
   * equal, -1 where there is none: comparing takes 20 ns, making the text and looking it up 900.
   */
  upsert(definition, guess = -1) {
    if (guess >= 0 && isPlainly(this.all[guess], definition)) return guess;
    const text = textOf(definition);
    const known = this.byText.get(text);
    if (known !== void 0) return known;
    this.byText.set(text, this.all.length);
    this.text.definition(definition);
    return this.all.push(definition) - 1;
  }
};
function isPlainly(one, other) {
  return one.unit === other.unit && one.type === other.type && one.sparseDataStrategy === other.sparseDataStrategy && one.name === other.name && one.settings === other.settings && one.tags.length + other.tags.length === 0 && one.serviceTags === void 0 && other.serviceTags === void 0;
}
function textOf(definition) {
  const { name, unit, type, sparseDataStrategy, tags, serviceTags, settings } = definition;
  if (tags.length > 0 || serviceTags !== void 0) return JSON.stringify(definition);
  const text = `${sparseDataStrategy}\0${type}\0${unit}\0${name ?? "\0"}`;
  return settings === void 0 ? text : `${text}\0\0${settingsText(settings)}`;
}

// src/catalogue/int-lists.ts
var roomMin = 8;
var IntLists = class {
  count = 0;
  entries = new IntColumn();
  used = 0;
  starts = new IntColumn();
  lengths = new IntColumn();
  rooms = new IntColumn();
  /** Adds an empty list, whose number is the count of those before it. */
  addList() {
    this.starts.set(this.count, this.used);
    this.lengths.set(this.count, 0);
    this.rooms.set(this.count, 0);
    this.count++;
  }
  /** The list as it is now; a view that the caller must not change, and that does not grow. */
  view(list) {
    const start = this.starts.get(list);
    return this.entries.data.subarray(start, start + this.lengths.get(list));
  }
  push(list, value) {
    assert(list < this.count, `Expected one of ${this.count} lists, got ${list}`);
    const length = this.lengths.get(list);
    if (length === this.rooms.get(list)) this.makeRoom(list, length);
    this.entries.data[this.starts.get(list) + length] = value;
    this.lengths.set(list, length + 1);
  }
  makeRoom(list, length) {
    const start = this.starts.get(list);
    const isLast = start + length === this.used;
    const at = isLast ? start : this.used;
    const room = isLast || length === 0 ? length + 1 : Math.max(roomMin, 2 * length);
    this.entries.reserve(at + room);
    if (at !== start) this.entries.data.copyWithin(at, start, start + length);
    this.used = at + room;
    this.starts.set(list, at);
    this.rooms.set(list, room);
  }
};

// src/catalogue/interning.ts
var placesDefault = 16384;
var Interning = class {
  texts;
  pairs;
  mask;
  /** `places` is a power of two. */
  constructor(places3 = placesDefault) {
    this.texts = Array.from({ length: places3 }, () => void 0);
    this.pairs = Array.from({ length: places3 }, () => void 0);
    this.mask = places3 - 1;
  }
  text(text) {
    const place = hashOf(text, 0) & this.mask;
    const known = this.texts[place];
    if (known === text) return known;
    this.texts[place] = text;
    return text;
  }
  /** The same info with texts and pairs of before, as far as they are known. */
  info(info) {
    const { name, type, location, tags, attributes, serviceTags } = info;
    return {
      ...info,
      name,
      type: this.text(type),
      location: location === null ? null : this.text(location),
      tags: this.list(tags),
      attributes: this.list(attributes),
      ...serviceTags === void 0 ? {} : { serviceTags: this.list(serviceTags) }
    };
  }
  list(pairs) {
    return pairs.length === 0 ? pairs : pairs.map((pair) => this.pair(pair));
  }
  pair({ name, value }) {
    const place = hashOf(value, hashOf(name, 0)) & this.mask;
    const known = this.pairs[place];
    if (known !== void 0 && known.name === name && known.value === value) return known;
    const pair = { name: this.text(name), value: this.text(value) };
    this.pairs[place] = pair;
    return pair;
  }
};
var edge = 16;
function hashOf(text, seed) {
  let hash = (2166136261 ^ seed ^ text.length) >>> 0;
  const { length } = text;
  for (let i = 0; i < Math.min(edge, length); i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  }
  for (let i = Math.max(edge, length - edge); i < length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  }
  return hash ^ hash >>> 15;
}

// src/catalogue/merge.ts
function newInfo(fqn, say, nowMs) {
  return {
    name: say.name || fqn,
    type: say.type || "unknown",
    location: say.location ?? null,
    tags: mergeByName(noPairs, say.tags),
    attributes: mergeByName(noPairs, say.attributes),
    relations: mergeTexts(noTexts, say.relations),
    createdMs: nowMs
  };
}
var noPairs = [];
var noTexts = [];
function mergeInfo(info, say) {
  return {
    name: say.name || info.name,
    type: say.type || info.type,
    location: say.location ?? info.location,
    tags: mergeByName(info.tags, say.tags),
    attributes: mergeByName(info.attributes, say.attributes),
    relations: mergeTexts(info.relations, say.relations),
    createdMs: info.createdMs,
    ...info.serviceTags === void 0 ? {} : { serviceTags: info.serviceTags }
  };
}
function sameInfo(left, right) {
  return left.name === right.name && left.type === right.type && left.location === right.location && left.deletedMs === right.deletedMs && samePairs(left.tags, right.tags) && samePairs(left.attributes, right.attributes) && left.relations.length === right.relations.length && left.relations.every((relation, i) => relation === right.relations[i]);
}
function mergeDefinition(before2, say) {
  return {
    name: say.name ?? before2.name,
    unit: say.unit ?? before2.unit,
    type: say.type ?? before2.type,
    sparseDataStrategy: say.sparseDataStrategy ?? before2.sparseDataStrategy,
    tags: mergeByName(before2.tags, say.tags),
    ...before2.serviceTags === void 0 ? {} : { serviceTags: before2.serviceTags },
    ...before2.settings === void 0 ? {} : { settings: before2.settings }
  };
}
function withSettings(definition, settings) {
  if (definition.settings === settings) return definition;
  const { settings: _before, ...rest } = definition;
  return settings === void 0 ? rest : { ...rest, settings };
}
function mergeByName(known, said) {
  if (said === void 0 || said.length === 0) return known;
  if (known.length === 0) return sortedByName(said);
  const merged2 = [...known];
  for (const { name, value } of said) {
    const same = merged2.findIndex((pair) => pair.name === name);
    if (same >= 0) merged2[same] = { name, value };
    else insertBefore(merged2, { name, value }, (pair) => pair.name > name);
  }
  return merged2;
}
function sortedByName(said) {
  const byName = new Map(said.map((pair) => [pair.name, pair.value]));
  return [...byName].map(([name, value]) => ({ name, value })).sort(byNameAscending);
}
function mergeTexts(known, said) {
  if (said === void 0 || said.length === 0) return known;
  if (known.length === 0) return [...new Set(said)].sort();
  const merged2 = [...known];
  for (const text of said) {
    if (!merged2.includes(text)) insertBefore(merged2, text, (one) => one > text);
  }
  return merged2;
}
function insertBefore(list, item, comesAfter) {
  const at = list.findIndex(comesAfter);
  list.splice(at < 0 ? list.length : at, 0, item);
}
function byNameAscending(left, right) {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
function samePairs(left, right) {
  return left === right || left.length === right.length && left.every((pair, i) => pair.name === right[i].name && pair.value === right[i].value);
}

// src/catalogue/series-table.ts
var empty = -1;
var slotsMin = 1024;
var SeriesTable = class {
  size = 0;
  elements;
  names;
  slots = new Int32Array(slotsMin).fill(empty);
  /** Which element and which metric name a series is of, both by its number. */
  constructor(elements, names) {
    this.elements = elements;
    this.names = names;
  }
  /** The series of the pair, or -1 where it has none. */
  get(element, name) {
    const { slots } = this;
    const elements = this.elements.data;
    const names = this.names.data;
    const mask = slots.length - 1;
    let slot = hashPair(element, name) & mask;
    for (; ; ) {
      const series = slots[slot];
      if (series === empty) return -1;
      if (elements[series] === element && names[series] === name) return series;
      slot = slot + 1 & mask;
    }
  }
  /** Adds a series whose pair stands in the columns and is not in the table yet. */
  add(series) {
    assert(this.names.get(series) >= 0, `Expected the name of series ${series} to be known`);
    if (4 * (this.size + 1) > 3 * this.slots.length) this.grow();
    this.insert(series);
    this.size++;
  }
  insert(series) {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hashPair(this.elements.data[series], this.names.data[series]) & mask;
    while (slots[slot] !== empty) slot = slot + 1 & mask;
    slots[slot] = series;
  }
  grow() {
    const { slots } = this;
    this.slots = new Int32Array(2 * slots.length).fill(empty);
    for (const series of slots) {
      if (series !== empty) this.insert(series);
    }
  }
};
function hashPair(left, right) {
  let h = Math.imul(left ^ 2654435769, 2246822507) ^ Math.imul(right + 2135587861, 3266489909);
  h ^= h >>> 16;
  h = Math.imul(h, 2246822507);
  h ^= h >>> 13;
  h = Math.imul(h, 3266489909);
  return (h ^ h >>> 16) >>> 0;
}

// src/model/text-bytes.ts
function utf8Bytes(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) continue;
    bytes += code < 2048 || code >= 55296 && code < 57344 ? 1 : 2;
  }
  return bytes;
}
function infoBytes(fqn, info) {
  const { name, type, location, tags, attributes, relations, serviceTags } = info;
  let bytes = fqn.length + utf8Bytes(type);
  if (name !== fqn) bytes += utf8Bytes(name);
  if (location !== null) bytes += utf8Bytes(location);
  for (const relation of relations) bytes += relation.length;
  return bytes + pairsBytes(tags) + pairsBytes(attributes) + pairsBytes(serviceTags);
}
function definitionBytes(definition) {
  const { name, unit, type, tags, serviceTags } = definition;
  const texts2 = utf8Bytes(name ?? "") + utf8Bytes(unit) + utf8Bytes(type);
  return texts2 + pairsBytes(tags) + pairsBytes(serviceTags);
}
function pairsBytes(pairs) {
  let bytes = 0;
  for (const { name, value } of pairs ?? []) bytes += utf8Bytes(name) + utf8Bytes(value);
  return bytes;
}

// src/catalogue/text-count.ts
var TextCount = class {
  /** Of definitions, in bytes. */
  shared = 0;
  /** Of the longest definition, in bytes. */
  longest = 0;
  own = [];
  /** Of a tenant's own, in bytes. */
  ownOf(tenant) {
    return this.own[tenant] ?? 0;
  }
  /** Of all tenants' own by index, in bytes. */
  perTenant() {
    return Array.from(this.own, (bytes) => bytes ?? 0);
  }
  /** Counts an element, known before as `before` or not at all. */
  element(of, info, before2) {
    const known = before2 === void 0 ? 0 : infoBytes(of.fqn, before2);
    this.add(of.tenant, infoBytes(of.fqn, info) - known);
  }
  name(tenant, fqn) {
    this.add(tenant, fqn.length);
  }
  definition(definition) {
    const bytes = definitionBytes(definition);
    this.shared += bytes;
    this.longest = Math.max(this.longest, bytes);
  }
  add(tenant, bytes) {
    this.own[tenant] = this.ownOf(tenant) + bytes;
  }
};

// src/catalogue/catalogue.ts
var Catalogue = class {
  elementsByFqn = [];
  namesByFqn = [];
  elementFqns = [];
  elementTenants = [];
  elementInfos = [];
  seriesOfElements = new IntLists();
  names = [];
  nameBlocks = [];
  /** Bytes of text that are kept. */
  text = new TextCount();
  interning = new Interning();
  definitions = new Definitions(this.text);
  blocks = [];
  blockSizes = [];
  seriesElements = new IntColumn();
  seriesNames = new IntColumn();
  seriesByPair = new SeriesTable(this.seriesElements, this.seriesNames);
  seriesDefinitions = new IntColumn();
  seriesPlaces = new IntColumn();
  tenantSeriesCounts = [];
  seriesCount = 0;
  /** Who says which settings metrics get; nobody in replicas, which read them. */
  settingsSources = null;
  /** What the source said of each element when its metrics were settled last. */
  elementScopes = [];
  changedElements = /* @__PURE__ */ new Set();
  keptNames = 0;
  keptDefinitions = 0;
  get elementCount() {
    return this.elementFqns.length;
  }
  elementCountOf(tenant) {
    return this.elementsByFqn[tenant]?.size ?? 0;
  }
  seriesCountOf(tenant) {
    return this.tenantSeriesCounts[tenant] ?? 0;
  }
  get nameCount() {
    return this.names.length;
  }
  get blockCount() {
    return this.blocks.length;
  }
  get definitionCount() {
    return this.definitions.count;
  }
  /** Index of an element by its cleaned id, or -1. */
  findElement(tenant, fqn) {
    return this.elementsByFqn[tenant]?.get(fqn) ?? -1;
  }
  elementFqn(element) {
    return this.elementFqns[element];
  }
  elementTenant(element) {
    return this.elementTenants[element];
  }
  elementInfo(element) {
    return this.elementInfos[element];
  }
  /** True where somebody deleted the element and it has not been posted since. */
  isDeleted(element) {
    return this.elementInfos[element].deletedMs !== void 0;
  }
  /** Series of an element in order of appearance; a view that the caller must not change. */
  elementSeries(element) {
    return this.seriesOfElements.view(element);
  }
  /** Index of a metric name by its cleaned id, or -1. */
  findName(tenant, fqn) {
    return this.namesByFqn[tenant]?.get(fqn) ?? -1;
  }
  name(name) {
    return this.names[name];
  }
  /** Blocks that hold series of this name, ascending. */
  blocksOfName(name) {
    return this.nameBlocks[name];
  }
  /** Series of a block by slot; a view that the caller must not change. */
  blockSeries(block) {
    return this.blocks[block].subarray(0, this.blockSizes[block]);
  }
  /** The metric name that all series of a block share. */
  blockName(block) {
    return this.seriesName(this.blocks[block][0]);
  }
  /** Index of a series, or -1. */
  findSeries(element, name) {
    return this.seriesByPair.get(element, name);
  }
  seriesElement(series) {
    return this.seriesElements.data[series];
  }
  seriesName(series) {
    return this.seriesNames.data[series];
  }
  seriesDefinition(series) {
    return this.definitions.at(this.seriesDefinitions.data[series]);
  }
  seriesDefinitionIndex(series) {
    return this.seriesDefinitions.data[series];
  }
  /** What `seriesPlace` gives, by series; a view that is good until the next series is added. */
  get seriesPlaceColumn() {
    return this.seriesPlaces.data;
  }
  /** block · 256 + slot. */
  seriesPlace(series) {
    return this.seriesPlaces.data[series];
  }
  seriesBlock(series) {
    return this.seriesPlaces.data[series] >>> 8;
  }
  seriesSlot(series) {
    return this.seriesPlaces.data[series] & 255;
  }
  definition(index) {
    return this.definitions.at(index);
  }
  knowsDefinition(definition) {
    return this.definitions.has(definition);
  }
  /** Adds or amends an element; returns its index. `fqn` is cleaned. */
  upsertElement(tenant, fqn, say) {
    const known = this.findElement(tenant, fqn);
    if (known < 0) return this.addElement(tenant, fqn, newInfo(fqn, say, say.nowMs));
    const info = mergeInfo(this.elementInfos[known], say);
    if (!sameInfo(info, this.elementInfos[known])) {
      this.amendElement(known, info);
    }
    return known;
  }
  /** Adds or amends a metric of an element; returns its series. `fqn` is cleaned. */
  upsertSeries(element, fqn, say = {}) {
    const name = this.upsertName(this.elementTenant(element), fqn);
    const known = this.findSeries(element, name);
    const before2 = known < 0 ? defaultDefinition : this.seriesDefinition(known);
    const guess = known < 0 ? this.latestDefinition(name) : this.seriesDefinitionIndex(known);
    const definition = this.definitions.upsert(mergeDefinition(before2, say), guess);
    if (known < 0) {
      this.changedElements.add(element);
      const series = this.addSeries(this.seriesCount, { element, name, definition, place: -1 });
      this.settleNew(element, series);
      return series;
    }
    if (definition !== this.seriesDefinitions.get(known)) {
      this.seriesDefinitions.set(known, definition);
      this.changedElements.add(element);
    }
    return known;
  }
  /** Replaces what is known of an element. */
  amendElement(element, info) {
    this.setInfo(element, info);
    this.changedElements.add(element);
    this.settleElement(element);
  }
  /** From now on, new and changed elements and metrics get their settings from these. */
  useSettings(sources) {
    this.settingsSources = sources;
    this.elementScopes.length = 0;
  }
  /**
   * Gives every metric of an element the settings that hold now, where configurations for it or
   * what is known of it have changed since it was settled last. True where any was changed.
   */
  settleElement(element) {
    let isChanged = false;
    for (const changed of this.settlingSteps(element)) isChanged ||= changed;
    return isChanged;
  }
  /**
   * The same a metric a step; each tells whether it changed one. Until all are done, metrics behind
   * have the settings that they had, new ones those that hold now.
   */
  *settlingSteps(element) {
    if (this.settingsSources === null) return;
    const source = this.settingsSources(this.elementTenant(element));
    const subject = this.subjectOf(element);
    const scope = source?.scopeOf(subject) ?? null;
    if (this.elementScopes[element] === scope) return;
    this.elementScopes[element] = scope;
    for (const series of this.elementSeries(element)) {
      const { fqn } = this.names[this.seriesName(series)];
      yield this.settle(series, source?.settingsOf(subject, fqn));
    }
  }
  settleNew(element, series) {
    const source = this.settingsSources?.(this.elementTenant(element));
    if (source === void 0) return;
    const subject = this.subjectOf(element);
    if (this.elementScopes[element] !== source.scopeOf(subject)) this.settleElement(element);
    else this.settle(series, source.settingsOf(subject, this.names[this.seriesName(series)].fqn));
  }
  settle(series, settings) {
    const before2 = this.seriesDefinition(series);
    if (before2.settings === settings) return false;
    const definition = this.definitions.upsert(withSettings(before2, settings));
    if (definition === this.seriesDefinitionIndex(series)) return false;
    this.seriesDefinitions.set(series, definition);
    this.changedElements.add(this.seriesElement(series));
    return true;
  }
  subjectOf(element) {
    const list = this.elementSeries(element);
    return {
      fqn: this.elementFqn(element),
      info: this.elementInfo(element),
      metricCount: list.length,
      metricFqn: (at) => this.names[this.seriesName(list[at])].fqn
    };
  }
  /** Replaces what is known of a metric of an element. */
  amendSeries(series, definition) {
    this.seriesDefinitions.set(series, this.definitions.upsert(definition));
    this.changedElements.add(this.seriesElement(series));
  }
  /** True where `takeChanges` would have something to tell. */
  hasChanges() {
    return this.changedElements.size > 0 || this.keptNames < this.names.length || this.keptDefinitions < this.definitions.count;
  }
  /** What has changed; call `keepChanges` once it is durable, or the same is told again. */
  changes() {
    return {
      elements: [...this.changedElements],
      firstName: this.keptNames,
      firstDefinition: this.keptDefinitions
    };
  }
  /** Marks everything as stored. */
  keepChanges() {
    this.changedElements.clear();
    this.keptNames = this.names.length;
    this.keptDefinitions = this.definitions.count;
  }
  /** Loads a name that the store read; names come in order of their index. */
  loadName(entry) {
    this.addName(entry);
    this.keptNames = this.names.length;
  }
  /** Loads a definition that the store read; definitions come in order of their index. */
  loadDefinition(definition) {
    this.definitions.upsert(definition);
    this.keptDefinitions = this.definitions.count;
  }
  /** Loads an element that the store read, or replaces what is known of it. */
  loadElement(element, entry) {
    if (element < this.elementCount) this.setInfo(element, entry.info);
    else {
      assert(element === this.elementCount, `Expected element ${this.elementCount}, got ${element}`);
      this.addElement(entry.tenant, entry.fqn, entry.info);
      this.changedElements.delete(element);
    }
    for (let at = 0; at < entry.series.length; at += storedSeriesInts) {
      const [series, name, definition, place] = entry.series.subarray(at, at + storedSeriesInts);
      this.loadSeries(series, { element, name, definition, place });
    }
  }
  /** An element as the store keeps it. */
  storedElement(element) {
    const list = this.elementSeries(element);
    const series = new Int32Array(list.length * storedSeriesInts);
    for (let i = 0; i < list.length; i++) {
      const s = list[i];
      series[i * storedSeriesInts] = s;
      series[i * storedSeriesInts + 1] = this.seriesName(s);
      series[i * storedSeriesInts + 2] = this.seriesDefinitionIndex(s);
      series[i * storedSeriesInts + 3] = this.seriesPlaces.get(s);
    }
    return {
      tenant: this.elementTenant(element),
      fqn: this.elementFqn(element),
      info: this.elementInfo(element),
      series
    };
  }
  addElement(tenant, fqn, info) {
    const element = this.elementFqns.length;
    this.elementFqns.push(fqn);
    this.elementTenants.push(tenant);
    this.elementInfos.push(this.interning.info(info));
    this.text.element({ tenant, fqn }, info);
    this.seriesOfElements.addList();
    byTenant(this.elementsByFqn, tenant).set(fqn, element);
    this.changedElements.add(element);
    return element;
  }
  setInfo(element, info) {
    const of = { tenant: this.elementTenant(element), fqn: this.elementFqn(element) };
    this.text.element(of, info, this.elementInfos[element]);
    this.elementInfos[element] = this.interning.info(info);
  }
  upsertName(tenant, fqn) {
    const known = this.findName(tenant, fqn);
    return known >= 0 ? known : this.addName({ tenant, fqn });
  }
  addName(entry) {
    const name = this.names.length;
    this.names.push(entry);
    this.nameBlocks.push([]);
    this.text.name(entry.tenant, entry.fqn);
    byTenant(this.namesByFqn, entry.tenant).set(entry.fqn, name);
    return name;
  }
  /** The definition of the newest metric of this name, of whatever element; -1 for the first. */
  latestDefinition(name) {
    const block = this.nameBlocks[name].at(-1);
    if (block === void 0) return -1;
    return this.seriesDefinitions.data[this.blocks[block][this.blockSizes[block] - 1]];
  }
  loadSeries(series, entry) {
    if (this.seriesElements.get(series) < 0) this.addSeries(series, entry);
    else this.seriesDefinitions.set(series, entry.definition);
  }
  addSeries(series, entry) {
    const place = entry.place >= 0 ? entry.place : this.allotPlace(entry.name);
    this.occupy(place, entry.name, series);
    this.seriesElements.set(series, entry.element);
    this.seriesNames.set(series, entry.name);
    this.seriesDefinitions.set(series, entry.definition);
    this.seriesPlaces.set(series, place);
    this.seriesByPair.add(series);
    this.seriesOfElements.push(entry.element, series);
    const tenant = this.elementTenant(entry.element);
    this.tenantSeriesCounts[tenant] = this.seriesCountOf(tenant) + 1;
    this.seriesCount = Math.max(this.seriesCount, series + 1);
    return series;
  }
  /**
   * The next free place for a series of this name: in its last block, or at the start of a new one.
   */
  allotPlace(name) {
    const last = this.nameBlocks[name].at(-1);
    if (last === void 0 || this.blockSizes[last] === seriesPerBlock) return this.blockCount << 8;
    return last << 8 | this.blockSizes[last];
  }
  occupy(place, name, series) {
    const block = place >>> 8;
    const slot = place & 255;
    while (this.blocks.length <= block) {
      this.blocks.push(new Int32Array(0));
      this.blockSizes.push(0);
    }
    if (this.blockSizes[block] === 0) insertSorted(this.nameBlocks[name], block);
    if (slot >= this.blocks[block].length) this.blocks[block] = roomier(this.blocks[block], slot);
    this.blocks[block][slot] = series;
    this.blockSizes[block] = Math.max(this.blockSizes[block], slot + 1);
  }
};
var storedSeriesInts = 4;
function byTenant(maps, tenant) {
  return maps[tenant] ??= /* @__PURE__ */ new Map();
}
function roomier(list, slot) {
  const larger2 = new Int32Array(Math.min(seriesPerBlock, Math.max(4, 2 * list.length, slot + 1)));
  larger2.set(list);
  return larger2;
}
function insertSorted(list, value) {
  let at = list.length;
  while (at > 0 && list[at - 1] > value) at--;
  list.splice(at, 0, value);
}

// src/codec/corrupt.ts
var CorruptError = class extends Error {
  name = "CorruptError";
};

// src/codec/bytes.ts
var ByteWriter = class {
  bytes;
  view;
  position = 0;
  constructor(capacityBytes = 1024) {
    this.bytes = new Uint8Array(Math.max(capacityBytes, 16));
    this.view = new DataView(this.bytes.buffer);
  }
  /** Makes room for `count` more bytes. */
  reserve(count) {
    const wanted2 = this.position + count;
    if (wanted2 > this.bytes.length) this.grow(wanted2);
  }
  u8(value) {
    this.reserve(1);
    this.bytes[this.position++] = value;
  }
  u16(value) {
    this.reserve(2);
    this.view.setUint16(this.position, value, true);
    this.position += 2;
  }
  u32(value) {
    this.reserve(4);
    this.view.setUint32(this.position, value, true);
    this.position += 4;
  }
  f64(value) {
    this.reserve(8);
    this.view.setFloat64(this.position, value, true);
    this.position += 8;
  }
  /** A whole number in [0, 2^53). */
  varint(value) {
    if (!(value >= 0 && Number.isSafeInteger(value))) refuse(value);
    this.reserve(8);
    let rest = value;
    while (rest >= 2147483648) {
      this.bytes[this.position++] = rest % 128 | 128;
      rest = Math.floor(rest / 128);
    }
    let low = rest | 0;
    while (low >= 128) {
      this.bytes[this.position++] = low & 127 | 128;
      low >>>= 7;
    }
    this.bytes[this.position++] = low;
  }
  /** A safe integer of either sign. */
  zigzag(value) {
    if (!Number.isSafeInteger(value)) refuse(value);
    const negative = value < 0;
    const magnitude = negative ? -value - 1 : value;
    const rest = Math.floor(magnitude / 64);
    const low = magnitude - rest * 64 << 1 | (negative ? 1 : 0);
    if (rest === 0) {
      this.u8(low);
    } else {
      this.u8(low | 128);
      this.varint(rest);
    }
  }
  append(source) {
    this.reserve(source.length);
    this.bytes.set(source, this.position);
    this.position += source.length;
  }
  /** Writes `value` over four bytes written before at `at`. */
  patchU32(at, value) {
    assert(at + 4 <= this.position, `Expected a written place, got ${at} of ${this.position}`);
    this.view.setUint32(at, value, true);
  }
  /** A copy of everything written; the writer may go on or be reset. */
  finish() {
    return this.bytes.slice(0, this.position);
  }
  /** Forgets what was written and keeps the memory. */
  reset() {
    this.position = 0;
  }
  grow(wanted2) {
    const larger2 = new Uint8Array(Math.max(wanted2, this.bytes.length * 2));
    larger2.set(this.bytes.subarray(0, this.position));
    this.bytes = larger2;
    this.view = new DataView(larger2.buffer);
  }
};
var ByteReader = class {
  bytes;
  view;
  position;
  end;
  constructor(bytes, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = start;
    this.end = Math.min(end, bytes.length);
  }
  /** Throws CorruptError unless `count` bytes are left. */
  require(count) {
    if (this.position + count > this.end) {
      throw new CorruptError(
        `Expected ${count} bytes at ${this.position}, only ${this.end - this.position} are left`
      );
    }
  }
  u8() {
    this.require(1);
    return this.bytes[this.position++];
  }
  u16() {
    this.require(2);
    this.position += 2;
    return this.view.getUint16(this.position - 2, true);
  }
  u32() {
    this.require(4);
    this.position += 4;
    return this.view.getUint32(this.position - 4, true);
  }
  f64() {
    this.require(8);
    this.position += 8;
    return this.view.getFloat64(this.position - 8, true);
  }
  varint() {
    let byte = this.u8();
    if (byte < 128) return byte;
    let value = byte & 127;
    let factor = 128;
    do {
      byte = this.u8();
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte >= 128 && factor <= 562949953421312);
    if (byte >= 128 || value > Number.MAX_SAFE_INTEGER) {
      throw new CorruptError(`Expected a varint below 2^53 before ${this.position}`);
    }
    return value;
  }
  zigzag() {
    const first = this.u8();
    let magnitude = (first & 127) >>> 1;
    if (first >= 128) magnitude += this.varint() * 64;
    if (magnitude > Number.MAX_SAFE_INTEGER) {
      throw new CorruptError(`Expected a safe integer before ${this.position}`);
    }
    const value = first & 1 ? -magnitude - 1 : magnitude;
    if (!Number.isSafeInteger(value)) {
      throw new CorruptError(`Expected a safe integer before ${this.position}`);
    }
    return value;
  }
  /** Moves on over the next `count` bytes. */
  skip(count) {
    this.require(count);
    this.position += count;
  }
  /** The next `count` bytes, as a view of the same memory. */
  take(count) {
    this.require(count);
    this.position += count;
    return this.bytes.subarray(this.position - count, this.position);
  }
};
function refuse(value) {
  assert(false, `Expected a safe integer, for a varint one from 0 on, got ${value}`);
}
function zigzagSize(value) {
  let rest = value < 0 ? -value - 1 : value;
  let size = 1;
  for (let limit = 64; rest >= limit; rest /= 128) size++;
  return size;
}

// src/store/lmdb/record.ts
import { Packr } from "msgpackr";

// src/base/checksum.ts
import { crc32 } from "node:zlib";
function checksum(bytes) {
  return crc32(bytes);
}

// src/store/lmdb/record.ts
var recordVersion = 2;
var keylessVersion = 1;
var keylessHeadBytes = 5;
var versionAt = 4;
var keyChecksumAt = 5;
var recordHeadBytes = 9;
var shared = new ByteWriter(1 << 20);
function encodeRecord(key, write) {
  shared.reset();
  shared.u32(0);
  shared.u8(recordVersion);
  shared.u32(checksum(key));
  write(shared);
  shared.patchU32(0, checksum(shared.bytes.subarray(versionAt, shared.position)));
  return shared.finish();
}
function openRecord(key, bytes) {
  if (bytes.length < keylessHeadBytes)
    throw new CorruptError(`Expected a record, got ${bytes.length} bytes`);
  const reader = new ByteReader(bytes);
  const expected = reader.u32();
  const actual = checksum(bytes.subarray(versionAt));
  if (expected !== actual) {
    throw new CorruptError(`Expected checksum ${expected}, got ${actual}: the record is damaged`);
  }
  const version2 = reader.u8();
  if (version2 === keylessVersion) return reader;
  if (version2 !== recordVersion) {
    throw new CorruptError(`Expected record version ${recordVersion}, got ${version2}`);
  }
  if (reader.u32() !== checksum(key)) throw ofAnotherKey(key);
  return reader;
}
function checkRecordKey(key, head3) {
  if (head3.length < recordHeadBytes || head3[versionAt] !== recordVersion) return;
  if (head3.readUInt32LE(keyChecksumAt) !== checksum(key)) throw ofAnotherKey(key);
}
function toldByRecord(bytes) {
  if (bytes.length < recordHeadBytes || bytes[versionAt] !== recordVersion) return void 0;
  if (bytes.readUInt32LE(0) !== checksum(bytes.subarray(versionAt))) return void 0;
  return bytes.readUInt32LE(keyChecksumAt);
}
function ofAnotherKey(key) {
  const hex = Buffer.from(key).toString("hex");
  return new CorruptError(`The record under key ${hex} is that of another key: one is damaged`);
}
function holdSame(key, left, right) {
  return Buffer.compare(left, right) === 0 || payload(key, left).equals(payload(key, right));
}
function payload(key, bytes) {
  const { position } = openRecord(key, bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset + position, bytes.length - position);
}
var packr = new Packr({ useRecords: false });
function packDocument(key, document) {
  return encodeRecord(key, (writer) => writer.append(packr.pack(document)));
}
function unpackDocument(key, bytes) {
  const reader = openRecord(key, bytes);
  return packr.unpack(reader.take(reader.end - reader.position));
}

// src/store/lmdb/tables.ts
import { mkdirSync } from "node:fs";
import { open } from "lmdb";

// src/store/lmdb/table.ts
var Table = class {
  database;
  constructor(database) {
    this.database = database;
  }
  /** A copy of the value, or undefined. */
  get(key) {
    const bytes = this.database.getBinary(key);
    return bytes === void 0 ? void 0 : exact(bytes);
  }
  /**
   * The value without a copy, or undefined. The next read of any table of this thread overwrites
   * its bytes, so the caller decodes them before it reads again.
   */
  view(key) {
    const bytes = this.database.getBinaryFast(key);
    return bytes === void 0 ? void 0 : exact(bytes);
  }
  doesExist(key) {
    return this.database.doesExist(key);
  }
  /** Copies of the entries in the order of their keys; `end` is not part of the range. */
  *getRange(range4 = {}) {
    for (const { key, value } of this.database.getRange(range4)) {
      yield { key, value: exact(value) };
    }
  }
  /** Copies of the keys in order; `end` is not part of the range. */
  getKeys(range4 = {}) {
    return this.database.getKeys(range4);
  }
  /** Writes within a transaction that the caller has begun. */
  put(key, value) {
    void this.database.put(key, value);
  }
  /** Removes within a transaction that the caller has begun. */
  remove(key) {
    void this.database.remove(key);
  }
  /** Writes and commits. */
  putSync(key, value) {
    this.database.putSync(key, value);
  }
  /** Removes and commits. */
  removeSync(key) {
    this.database.removeSync(key);
  }
};
function exact(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

// src/store/lmdb/tables.ts
var windowMs = dayMs / 4;
var cyclesPerWindow = windowMs / cycleMs;
var mapBytesMax = 2 ** 38;
var tableNames = [
  "meta",
  "inbox",
  "names",
  "definitions",
  "elements",
  "elementLog",
  "recentRaw",
  "recentCells",
  "recentBands",
  "openDays",
  "raw",
  "cells",
  "bands",
  "hours",
  "days",
  "documents",
  "states",
  "closed"
];
function openTables(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 448 });
    const root = open(folder, {
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: tableNames.length + 4,
      maxReaders: 512,
      mapSize: mapBytesMax,
      // A commit returns after its sync; overlapping would save no CPU (160 µs a commit against
      // 200).
      overlappingSync: false
    });
    const open_ = (name) => new Table(root.openDB(name, { encoding: "binary", keyEncoding: "binary" }));
    const tables = Object.fromEntries(tableNames.map((name) => [name, open_(name)]));
    return { root, ...tables };
  } catch (cause) {
    throw new ServiceError("storage", `Cannot open the store in "${folder}": ${String(cause)}`, {
      cause
    });
  }
}
var foldedKey = textKey("folded");
var publishedKey = textKey("published");
function packSequence(sequence) {
  const bytes = Buffer.alloc(12);
  sequenceKey(sequence).copy(bytes);
  bytes.writeUInt32LE(checksum(bytes.subarray(0, 8)), 8);
  return bytes;
}
function readFolded({ meta }) {
  return readSequence(foldedKey, meta.get(foldedKey));
}
function readPublished({ meta }) {
  return readSequence(publishedKey, meta.get(publishedKey));
}
function readSequence(key, bytes) {
  if (bytes === void 0) return 0;
  const isWhole = bytes.length === 12 && bytes.readUInt32LE(8) === checksum(bytes.subarray(0, 8));
  if (bytes.length !== 8 && !isWhole) {
    throw new CorruptError(`number of the newest frame that is ${key.toString("utf8")}`);
  }
  return keyToSequence(bytes);
}
function sequenceKey(sequence) {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(Math.floor(sequence / 2 ** 32), 0);
  key.writeUInt32BE(sequence % 2 ** 32, 4);
  return key;
}
function keyToSequence(key) {
  return key.readUInt32BE(0) * 2 ** 32 + key.readUInt32BE(4);
}
function indexKey(index) {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(index, 0);
  return key;
}
function keyToIndex(key) {
  return key.readUInt32BE(0);
}
function periodKey(period, block) {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(period, 0);
  key.writeUInt32BE(block, 4);
  return key;
}
function keyToPeriod(key) {
  return { period: key.readUInt32BE(0), block: key.readUInt32BE(4) };
}
function columnKey(day, block, column) {
  const key = Buffer.allocUnsafe(9);
  key.writeUInt32BE(day, 0);
  key.writeUInt32BE(block, 4);
  key.writeUInt8(column, 8);
  return key;
}
function textKey(text) {
  return Buffer.from(text, "utf8");
}

// src/store/lmdb/catalogue-table.ts
var logEntriesMax = 4096;
var elementBytes = 4;
function putCatalogueChanges(tables, catalogue, changes) {
  for (let name = changes.firstName; name < catalogue.nameCount; name++) {
    const key2 = indexKey(name);
    tables.names.put(key2, packDocument(key2, catalogue.name(name)));
  }
  for (let index = changes.firstDefinition; index < catalogue.definitionCount; index++) {
    const key2 = indexKey(index);
    tables.definitions.put(key2, packDocument(key2, catalogue.definition(index)));
  }
  for (const element of changes.elements) {
    const key2 = indexKey(element);
    tables.elements.put(key2, packElement(key2, catalogue.storedElement(element)));
  }
  const last = lastLogSequence(tables);
  const key = sequenceKey(last + 1);
  tables.elementLog.put(key, packLogEntry(key, changes.elements));
  if (last >= logEntriesMax) tables.elementLog.remove(sequenceKey(last + 1 - logEntriesMax));
}
function packLogEntry(key, elements) {
  const list = new Uint8Array(Int32Array.from(elements).buffer);
  return encodeRecord(key, (writer) => writer.append(list));
}
function isBareLogEntry(length) {
  return length % elementBytes === 0;
}
function* unpackLogEntry(key, value) {
  const isBare = isBareLogEntry(value.length);
  const reader = isBare ? new ByteReader(value) : openRecord(key, value);
  while (reader.position < reader.end) yield reader.u32();
}
function lastLogSequence(tables) {
  for (const key of tables.elementLog.getKeys({ reverse: true, limit: 1 })) {
    return keyToSequence(key);
  }
  return 0;
}
function loadCatalogue(tables, catalogue) {
  const sequence = lastLogSequence(tables);
  loadNamesAndDefinitions(tables, catalogue);
  for (const { key, value } of tables.elements.getRange({})) {
    catalogue.loadElement(keyToIndex(key), unpackElement(key, value));
  }
  return sequence;
}
function refreshCatalogue(tables, catalogue, sequence) {
  const last = lastLogSequence(tables);
  if (last === sequence) return sequence;
  if (last - sequence >= logEntriesMax) return -1;
  const changed = /* @__PURE__ */ new Set();
  for (const { key, value } of tables.elementLog.getRange({ start: sequenceKey(sequence + 1) })) {
    for (const element of unpackLogEntry(key, value)) changed.add(element);
  }
  loadNamesAndDefinitions(tables, catalogue);
  for (const element of [...changed].sort((left, right) => left - right)) {
    const key = indexKey(element);
    const bytes = tables.elements.get(key);
    if (bytes !== void 0) catalogue.loadElement(element, unpackElement(key, bytes));
  }
  return last;
}
function loadNamesAndDefinitions(tables, catalogue) {
  for (const { key, value } of tables.names.getRange({ start: indexKey(catalogue.nameCount) })) {
    catalogue.loadName(unpackDocument(key, value));
  }
  const start = indexKey(catalogue.definitionCount);
  for (const { key, value } of tables.definitions.getRange({ start })) {
    catalogue.loadDefinition(unpackDocument(key, value));
  }
}
function packElement(key, element) {
  return packDocument(key, elementToDocument(element));
}
function unpackElement(key, bytes) {
  return documentToElement(unpackDocument(key, bytes));
}
function elementToDocument({ tenant, fqn, info, series }) {
  return [tenant, fqn, info, new Uint8Array(series.buffer, series.byteOffset, series.byteLength)];
}
function documentToElement([tenant, fqn, info, packed]) {
  const series = new Int32Array(packed.byteLength / 4);
  new Uint8Array(series.buffer).set(packed);
  return { tenant, fqn, info, series };
}

// src/store/lmdb/file-checksum.ts
import { closeSync as closeSync2, openSync as openSync2, readSync } from "node:fs";
import { crc32 as crc322 } from "node:zlib";
var pieceBytes = 1024 * 1024;
function fileChecksum(path) {
  const file = openSync2(path, "r");
  try {
    const piece = Buffer.allocUnsafe(pieceBytes);
    let checksum2 = 0;
    for (; ; ) {
      const read = readSync(file, piece, 0, pieceBytes, null);
      if (read === 0) return checksum2;
      checksum2 = crc322(piece.subarray(0, read), checksum2);
    }
  } finally {
    closeSync2(file);
  }
}

// src/store/lmdb/format-version.ts
var formatVersion = 5;
var migrations = [
  { from: 1, apply: () => {
  } },
  { from: 2, apply: () => {
  } },
  { from: 3, apply: () => {
  } },
  { from: 4, apply: () => {
  } }
];
var versionKey = textKey("formatVersion");
function settleFormat(tables, steps2 = migrations, target = formatVersion, onPoint = () => {
}) {
  const found = readVersion(tables.meta);
  if (found === void 0) {
    onPoint("bootstrap.version");
    writeVersion(tables, target);
    onPoint("bootstrap.versioned");
    return;
  }
  refuseAbove(found, target);
  for (let version2 = found; version2 < target; version2++) {
    const step = steps2.find((migration) => migration.from === version2);
    if (step === void 0) {
      throw new ServiceError("storage", `No way from store format ${version2} to ${target}`);
    }
    onPoint("migration.begin");
    tables.root.transactionSync(() => {
      step.apply(tables);
      onPoint("migration.applied");
      tables.meta.put(versionKey, Buffer.from(String(version2 + 1)));
    });
    onPoint("migration.committed");
  }
}
function readVersion(meta) {
  const bytes = meta.get(versionKey);
  if (bytes === void 0) return void 0;
  return toVersion(bytes);
}
function toVersion(bytes) {
  const text = bytes.toString();
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CorruptError(`format version "${text}"`);
  return Number(text);
}
function refuseNewer(bytes) {
  const text = bytes?.toString() ?? "";
  if (/^[1-9]\d{0,5}$/.test(text)) refuseAbove(Number(text), formatVersion);
}
function refuseAbove(found, known) {
  if (found <= known) return;
  throw new ServiceError(
    "storage",
    `The store has format version ${found}, this program knows up to ${known}: run the newer program that wrote it`
  );
}
function writeVersion(tables, version2) {
  tables.root.transactionSync(() => {
    tables.meta.put(versionKey, Buffer.from(String(version2)));
  });
}

// src/store/lmdb/journal-hold.ts
import { existsSync as existsSync2, rmSync, statSync as statSync2, writeFileSync } from "node:fs";
import { join as join2 } from "node:path";
var holdMsMax = 9e5;
var holdFile = "journal-hold";
function holdJournal(folder) {
  writeFileSync(join2(folder, holdFile), "", { mode: 384 });
}
function letJournalGo(folder) {
  rmSync(join2(folder, holdFile), { force: true });
}
function isHeld(folder, nowMs) {
  const path = join2(folder, holdFile);
  return existsSync2(path) && Math.abs(nowMs - statSync2(path).mtimeMs) < holdMsMax;
}

// src/store/lmdb/journal.ts
import { readdirSync as readdirSync3, readFileSync } from "node:fs";
import { join as join4 } from "node:path";

// src/model/sample-columns.ts
var sampleFields = ["val", "min", "max", "avg", "cnt", "sum"];
var fieldVal = 0;
var fieldMin = 1;
var fieldMax = 2;
var fieldAvg = 3;
var fieldCnt = 4;
var fieldSum = 5;
var fieldCount = 6;
var SampleColumns = class {
  count = 0;
  series = new Int32Array(1024);
  values = new Float64Array(1024);
  runCount = 0;
  /** Index of the first sample of each run. */
  runStart = new Int32Array(64);
  runTimeMs = new Float64Array(64);
  /**
   * Ordinal of the request, from 0, in this group; samples of one request form a bag (decisions
   * §4).
   */
  runRequest = new Int32Array(64);
  requestCount = 0;
  aggregateCount = 0;
  /** Index of the sample that each aggregate entry describes, ascending. */
  aggregateSample = new Int32Array(16);
  /** Bit `1 << field` is set where the client sent that field. */
  aggregateMask = new Uint8Array(16);
  /** Six fields an entry, in the order of `sampleFields`; 0 where the mask has no bit. */
  aggregateFields = new Float64Array(16 * fieldCount);
  /** Begins the next request; everything pushed from here on belongs to it. */
  startRequest() {
    const mark = {
      count: this.count,
      runCount: this.runCount,
      requestCount: this.requestCount,
      aggregateCount: this.aggregateCount
    };
    this.requestCount++;
    return mark;
  }
  /** Forgets everything since `mark`, the request that it began included. */
  rollback(mark) {
    this.count = mark.count;
    this.runCount = mark.runCount;
    this.requestCount = mark.requestCount;
    this.aggregateCount = mark.aggregateCount;
  }
  /** Adds one sample. `value` is finite; `timeMs` whole epoch milliseconds. */
  push(series, timeMs, value) {
    const at = this.count;
    if (at === this.series.length) this.growSamples();
    const run2 = this.runCount - 1;
    if (run2 < 0 || this.runTimeMs[run2] !== timeMs || this.runRequest[run2] !== this.requestCount - 1) {
      this.startRun(timeMs);
    }
    this.series[at] = series;
    this.values[at] = value;
    this.count = at + 1;
  }
  /**
   * Adds one sample with client-side aggregates. `fields` holds the six values in the order of
   * `sampleFields`; `mean` is what `values` shall hold.
   */
  pushAggregate(series, timeMs, mean, mask, fields4) {
    this.push(series, timeMs, mean);
    const at = this.aggregateCount;
    if (at === this.aggregateSample.length) this.growAggregates();
    this.aggregateSample[at] = this.count - 1;
    this.aggregateMask[at] = mask;
    for (let f = 0; f < fieldCount; f++) {
      this.aggregateFields[at * fieldCount + f] = mask >> f & 1 ? fields4[f] : 0;
    }
    this.aggregateCount = at + 1;
  }
  /** Empties the columns and keeps their memory. */
  clear() {
    this.count = 0;
    this.runCount = 0;
    this.requestCount = 0;
    this.aggregateCount = 0;
  }
  startRun(timeMs) {
    assert(this.requestCount > 0, "Expected startRequest() before the first sample");
    const at = this.runCount;
    if (at === this.runStart.length) {
      this.runStart = grown(this.runStart, Int32Array);
      this.runTimeMs = grown(this.runTimeMs, Float64Array);
      this.runRequest = grown(this.runRequest, Int32Array);
    }
    this.runStart[at] = this.count;
    this.runTimeMs[at] = timeMs;
    this.runRequest[at] = this.requestCount - 1;
    this.runCount = at + 1;
  }
  growSamples() {
    this.series = grown(this.series, Int32Array);
    this.values = grown(this.values, Float64Array);
  }
  growAggregates() {
    this.aggregateSample = grown(this.aggregateSample, Int32Array);
    this.aggregateMask = grown(this.aggregateMask, Uint8Array);
    this.aggregateFields = grown(this.aggregateFields, Float64Array);
  }
};
function grown(column, kind) {
  const larger2 = new kind(column.length * 2);
  larger2.set(column);
  return larger2;
}

// src/store/lmdb/frame.ts
var magic = 826689364;
var headerBytes = 32;
function columnsToFrame(columns, sequence) {
  const { count, runCount, requestCount, aggregateCount } = columns;
  const head3 = { sequence, count, runCount, requestCount, aggregateCount };
  const frame = viewFrame(new Uint8Array(frameBytes(head3)), head3);
  frame.values.set(columns.values.subarray(0, count));
  frame.runTimeMs.set(columns.runTimeMs.subarray(0, runCount));
  frame.aggregateFields.set(columns.aggregateFields.subarray(0, aggregateCount * fieldCount));
  frame.series.set(columns.series.subarray(0, count));
  frame.runStart.set(columns.runStart.subarray(0, runCount));
  frame.runRequest.set(columns.runRequest.subarray(0, runCount));
  frame.aggregateSample.set(columns.aggregateSample.subarray(0, aggregateCount));
  frame.aggregateMask.set(columns.aggregateMask.subarray(0, aggregateCount));
  sealHeader(frame);
  return frame;
}
function bytesToFrame(bytes) {
  if (bytes.length < headerBytes) throw new CorruptError(`frame of ${bytes.length} bytes`);
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  const head3 = new DataView(copy.buffer);
  if (head3.getUint32(0, true) !== magic) throw new CorruptError("frame without its magic number");
  if (head3.getUint32(4, true) !== checksum(copy.subarray(8))) {
    throw new CorruptError("frame whose checksum differs");
  }
  const counts3 = {
    sequence: head3.getUint32(28, true) * 2 ** 32 + head3.getUint32(24, true),
    count: head3.getUint32(8, true),
    runCount: head3.getUint32(12, true),
    requestCount: head3.getUint32(16, true),
    aggregateCount: head3.getUint32(20, true)
  };
  if (frameBytes(counts3) !== bytes.length) {
    throw new CorruptError(`frame of ${bytes.length} bytes where its counts need another length`);
  }
  return viewFrame(copy, counts3);
}
function frameBytes(counts3) {
  const wide2 = counts3.count + counts3.runCount + counts3.aggregateCount * fieldCount;
  const narrow2 = counts3.count + 2 * counts3.runCount + counts3.aggregateCount;
  return headerBytes + 8 * wide2 + 4 * narrow2 + counts3.aggregateCount;
}
function viewFrame(bytes, counts3) {
  const { count, runCount, aggregateCount } = counts3;
  const { buffer } = bytes;
  assert(bytes.byteOffset === 0, "Expected a frame to own its buffer, so that columns are aligned");
  let at = headerBytes;
  const wide2 = (length) => new Float64Array(buffer, (at += 8 * length) - 8 * length, length);
  const narrow2 = (length) => new Int32Array(buffer, (at += 4 * length) - 4 * length, length);
  return {
    bytes,
    sequence: counts3.sequence,
    count,
    runCount,
    requestCount: counts3.requestCount,
    aggregateCount,
    values: wide2(count),
    runTimeMs: wide2(runCount),
    aggregateFields: wide2(aggregateCount * fieldCount),
    series: narrow2(count),
    runStart: narrow2(runCount),
    runRequest: narrow2(runCount),
    aggregateSample: narrow2(aggregateCount),
    aggregateMask: bytes.subarray(at, at + aggregateCount)
  };
}
function sealHeader(frame) {
  const head3 = new DataView(frame.bytes.buffer);
  head3.setUint32(0, magic, true);
  head3.setUint32(8, frame.count, true);
  head3.setUint32(12, frame.runCount, true);
  head3.setUint32(16, frame.requestCount, true);
  head3.setUint32(20, frame.aggregateCount, true);
  head3.setUint32(24, frame.sequence % 2 ** 32, true);
  head3.setUint32(28, Math.floor(frame.sequence / 2 ** 32), true);
  head3.setUint32(4, checksum(frame.bytes.subarray(8)), true);
}

// src/store/lmdb/names-section.ts
function countsOf(catalogue) {
  return {
    elements: catalogue.elementCount,
    names: catalogue.nameCount,
    definitions: catalogue.definitionCount,
    series: catalogue.seriesCount
  };
}
function encodeNames(sequence, catalogue, base) {
  const { elements, firstName, firstDefinition } = catalogue.changes();
  const document = [
    [base.elements, base.names, base.definitions, base.series],
    range(firstName, catalogue.nameCount).map((name) => catalogue.name(name)),
    range(firstDefinition, catalogue.definitionCount).map((index) => catalogue.definition(index)),
    elements.toSorted((left, right) => left - right).map((element) => [element, elementToDocument(catalogue.storedElement(element))])
  ];
  return packDocument(sequenceKey(sequence), document);
}
function checkNames(sequence, bytes) {
  openRecord(sequenceKey(sequence), bytes);
}
function decodeNames(sequence, bytes) {
  const document = unpackDocument(sequenceKey(sequence), bytes);
  if (!Array.isArray(document) || document.length !== 4) {
    throw new CorruptError(`Expected the names of record ${sequence}, got something else`);
  }
  const [base, names, definitions, stored] = document;
  const [elements, nameCount, definitionCount, series] = base;
  return {
    base: { elements, names: nameCount, definitions: definitionCount, series },
    names,
    definitions,
    elements: stored.map(([element, each]) => ({ element, ...documentToElement(each) }))
  };
}
function applyNames(catalogue, section) {
  const { base, names, definitions, elements } = section;
  const have = countsOf(catalogue);
  const isBase = have.elements === base.elements && have.names === base.names && have.definitions === base.definitions && have.series === base.series;
  if (!isBase) return false;
  for (const name of names) catalogue.loadName(name);
  for (const definition of definitions) catalogue.loadDefinition(definition);
  for (const { element, ...stored } of elements) catalogue.loadElement(element, stored);
  return true;
}
function range(from2, to) {
  return Array.from({ length: to - from2 }, (_, i) => from2 + i);
}

// src/store/lmdb/journal-disk.ts
import {
  closeSync as closeSync3,
  constants as constants2,
  fsyncSync,
  openSync as openSync3,
  unlinkSync,
  writeSync,
  writevSync
} from "node:fs";
import { dirname } from "node:path";
var zeros = Buffer.alloc(256 * 1024);
var systemDisk = {
  create(path, bytes) {
    const file = openSync3(path, constants2.O_CREAT | constants2.O_EXCL | constants2.O_WRONLY, 384);
    try {
      for (let at = 0; at < bytes; )
        at += writeSync(file, zeros, 0, Math.min(bytes - at, zeros.length));
      fsyncSync(file);
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      closeSync3(file);
    }
    syncPath(dirname(path));
  },
  open: (path) => openSync3(path, constants2.O_WRONLY | constants2.O_DSYNC),
  write: (file, parts, at) => writevSync(file, parts, at),
  close: closeSync3,
  remove: unlinkSync
};
function syncPath(path) {
  const file = openSync3(path, constants2.O_RDONLY);
  try {
    fsyncSync(file);
  } finally {
    closeSync3(file);
  }
}

// src/store/lmdb/store-files.ts
import { readdirSync as readdirSync2, renameSync } from "node:fs";
import { join as join3 } from "node:path";
var dataFile = "data.mdb";
var lockFile = "lock.mdb";
function journalFiles(folder) {
  return readdirSync2(folder).filter((name) => /^journal-\d+$/.test(name));
}
function moveFiles(names, from2, to) {
  for (const name of names) renameSync(join3(from2, name), join3(to, name));
  syncPath(to);
  syncPath(from2);
}

// src/store/lmdb/journal.ts
var segmentBytesDefault = 8 * 1024 * 1024;
var freeSegmentsMax = 8;
var restingSegmentsMin = 1;
var magic2 = 826951508;
var headerBytes2 = 24;
var alignment = 8;
var endBytes = 8;
var Journal = class {
  /** Greatest number that any record bears, the damaged ones included; 0 where there is none. */
  greatestSequence = 0;
  folder;
  segmentBytes;
  disk;
  used = [];
  free = [];
  current = null;
  nextName = 0;
  /** Segments in use when the newest fold ended; 0 after a start. */
  usedLately = 0;
  header = Buffer.alloc(headerBytes2);
  headerView = new DataView(this.header.buffer, this.header.byteOffset);
  constructor(folder, segmentBytes = segmentBytesDefault, disk = systemDisk) {
    assert(segmentBytes % alignment === 0, `Expected whole words, got ${segmentBytes} bytes`);
    this.folder = folder;
    this.segmentBytes = segmentBytes;
    this.disk = disk;
  }
  /**
   * Reads what an earlier process left, once, before the first append: every whole record newer
   * than `folded`, in order, and what had to be cut.
   */
  recover(folded) {
    const records = [];
    const cuts = [];
    for (const name of readdirSync3(this.folder)) {
      const number2 = /^journal-(\d+)$/.exec(name)?.[1];
      if (number2 === void 0) continue;
      this.nextName = Math.max(this.nextName, Number(number2) + 1);
      this.recoverSegment(join4(this.folder, name), folded, { records, cuts });
    }
    records.sort((left, right) => left.sequence - right.sequence);
    return { records, cuts };
  }
  /** True where frame and names of so many bytes together can be a record. */
  fits(bytes) {
    return recordBytes(bytes) <= this.segmentBytes;
  }
  /**
   * Writes one frame and its names, encoded for this number; on return they are on disk, synced.
   * Throws what the system threw, and then the number is used up: the record may be there or not.
   */
  append(sequence, frame, names = noNames) {
    assert(sequence > this.greatestSequence, "Expected numbers to grow");
    this.greatestSequence = sequence;
    const content = frame.length + names.length;
    const segment2 = this.segmentFor(recordBytes(content));
    this.writeHeader(sequence, frame.length, names.length);
    const end = Math.min(segment2.end + recordBytes(content) + endBytes, this.segmentBytes);
    const length = end - segment2.end;
    const rest = zeros2.subarray(0, length - headerBytes2 - content);
    try {
      const written = this.disk.write(segment2.file, [this.header, frame, names, rest], segment2.end);
      if (written !== length) throw shortWrite(length, written);
    } catch (error) {
      segment2.lastSequence = sequence;
      this.current = null;
      throw error;
    }
    segment2.end += recordBytes(content);
    segment2.lastSequence = sequence;
  }
  /**
   * Removes what `recover` found, damaged records too: all of it stands elsewhere now. The caller
   * syncs the folder.
   */
  removeRecovered() {
    for (const segment2 of this.used.splice(0)) this.removeSegment(segment2);
    this.current = null;
  }
  /** Frees the segments that hold nothing newer than `folded`. */
  release(folded) {
    this.usedLately = this.used.length;
    for (const segment2 of this.used.splice(0)) {
      if (segment2.lastSequence > folded || segment2 === this.current) this.used.push(segment2);
      else this.freeSegment(segment2);
    }
  }
  /** True where more segments are free than a fold like the newest one had in use. */
  get hasSpare() {
    return this.free.length > Math.max(restingSegmentsMin, this.usedLately);
  }
  /** Removes the one that was longest unused; a later burst makes it anew. */
  removeSpare() {
    assert(this.hasSpare, "Expected a segment to spare");
    this.removeSegment(this.free.shift());
  }
  /** True while a backup reads the segments. */
  isHeld(nowMs) {
    return isHeld(this.folder, nowMs);
  }
  close() {
    for (const { file } of [...this.used, ...this.free]) if (file >= 0) this.disk.close(file);
    this.used.length = 0;
    this.free.length = 0;
    this.current = null;
  }
  writeHeader(sequence, frameBytes2, namesBytes) {
    const view = this.headerView;
    view.setUint32(0, magic2, true);
    view.setUint32(8, sequence % 2 ** 32, true);
    view.setUint32(12, Math.floor(sequence / 2 ** 32), true);
    view.setUint32(16, frameBytes2, true);
    view.setUint32(20, namesBytes, true);
    view.setUint32(4, checksum(this.header.subarray(8)), true);
  }
  segmentFor(bytes) {
    const { current } = this;
    if (current !== null && current.end + bytes <= this.segmentBytes) return current;
    const segment2 = this.free.pop() ?? this.createSegment();
    if (segment2.file < 0) segment2.file = this.disk.open(segment2.path);
    segment2.end = 0;
    this.used.push(segment2);
    this.current = segment2;
    return segment2;
  }
  /** A segment whose blocks the file owns, zeros all of them. */
  createSegment() {
    const path = join4(this.folder, `journal-${this.nextName++}`);
    this.disk.create(path, this.segmentBytes);
    return { path, file: -1, end: 0, lastSequence: -1 };
  }
  freeSegment(segment2) {
    segment2.lastSequence = -1;
    if (this.free.length < freeSegmentsMax) this.free.push(segment2);
    else this.removeSegment(segment2);
  }
  removeSegment(segment2) {
    if (segment2.file >= 0) this.disk.close(segment2.file);
    this.disk.remove(segment2.path);
  }
  recoverSegment(path, folded, into) {
    const segment2 = { path, file: -1, end: 0, lastSequence: -1 };
    let cuts = 0;
    for (const found of recordsOf(readFileSync(path), this.segmentBytes)) {
      const { sequence, offset, bytes } = found;
      if (sequence !== null) {
        this.greatestSequence = Math.max(this.greatestSequence, sequence);
        if (sequence <= folded) continue;
        segment2.lastSequence = Math.max(segment2.lastSequence, sequence);
      }
      if (sequence !== null && found.frame !== null) {
        into.records.push({ sequence, frame: found.frame, names: found.names });
      } else {
        into.cuts.push({ path, offset, bytes, reason: found.reason });
        cuts++;
      }
    }
    if (segment2.lastSequence >= 0) this.used.push(segment2);
    else if (cuts > 0) this.disk.remove(path);
    else this.free.push(segment2);
  }
};
function shortWrite(length, written) {
  return Object.assign(new Error(`wrote ${written} of ${length} bytes`), { code: "EIO" });
}
var zeros2 = new Uint8Array(alignment + endBytes);
var noNames = new Uint8Array(0);
function recordBytes(contentBytes) {
  return Math.ceil((headerBytes2 + contentBytes) / alignment) * alignment;
}
function* recordsOf(bytes, segmentBytes = 0) {
  let last = 0;
  let offset = 0;
  while (offset + headerBytes2 <= bytes.length && !isEnd(bytes, offset)) {
    const head3 = headerAt(bytes, offset);
    if (head3 === null || head3.sequence <= last) {
      const next = nextRecord(bytes, offset + alignment, last);
      const reason = "neither a record nor the end of the journal";
      yield { sequence: null, offset, bytes: next - offset, ...nothing, reason };
      offset = next;
      continue;
    }
    last = head3.sequence;
    const length = head3.frameBytes + head3.namesBytes;
    yield { sequence: head3.sequence, offset, bytes: length, ...contentOf(bytes, offset, head3) };
    offset += recordBytes(length);
  }
  if (bytes.length < segmentBytes && !(offset + 8 <= bytes.length && isEnd(bytes, offset))) {
    const rest = { offset: bytes.length, bytes: segmentBytes - bytes.length };
    yield { sequence: null, ...rest, ...nothing, reason: "journal segment was cut short" };
  }
}
function readJournal(folder) {
  const records = [];
  for (const name of journalFiles(folder)) {
    for (const { sequence, frame, names } of recordsOf(readFileSync(join4(folder, name)))) {
      if (sequence !== null && frame !== null) records.push({ sequence, frame, names });
    }
  }
  return records.sort((left, right) => left.sequence - right.sequence);
}
function isEnd(bytes, at) {
  return bytes.readUInt32LE(at) === 0 && bytes.readUInt32LE(at + 4) === 0;
}
function nextRecord(bytes, from2, last) {
  for (let at = from2; at + headerBytes2 <= bytes.length; at += alignment) {
    const head3 = headerAt(bytes, at);
    if (head3 === null || head3.sequence <= last) continue;
    if (contentOf(bytes, at, head3).frame !== null) return at;
  }
  return bytes.length;
}
function headerAt(bytes, at) {
  if (bytes.readUInt32LE(at) !== magic2) return null;
  if (bytes.readUInt32LE(at + 4) !== checksum(bytes.subarray(at + 8, at + headerBytes2))) return null;
  return {
    sequence: bytes.readUInt32LE(at + 12) * 2 ** 32 + bytes.readUInt32LE(at + 8),
    frameBytes: bytes.readUInt32LE(at + 16),
    namesBytes: bytes.readUInt32LE(at + 20)
  };
}
var nothing = { frame: null, names: null };
function contentOf(bytes, at, { sequence, frameBytes: frameBytes2, namesBytes }) {
  const start = at + headerBytes2;
  const middle2 = start + frameBytes2;
  try {
    const frame = bytesToFrame(bytes.subarray(start, middle2));
    const names = namesBytes === 0 ? null : bytes.subarray(middle2, middle2 + namesBytes);
    if (names !== null) checkNames(sequence, names);
    return { frame, names, reason: "" };
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return { ...nothing, reason: error.message };
  }
}

// src/rollup/contribution.ts
var valBit = 1 << fieldVal;
var minBit = 1 << fieldMin;
var maxBit = 1 << fieldMax;
var avgBit = 1 << fieldAvg;
var cntBit = 1 << fieldCnt;
var sumBit = 1 << fieldSum;
var fullSet = minBit | maxBit | avgBit | cntBit | sumBit;
function isPartial(mask) {
  return mask !== valBit && (mask & fullSet) !== fullSet;
}
function sampleMean(mask, fields4, at = 0) {
  const start = at * fieldCount;
  if (mask & avgBit) return fields4[start + fieldAvg];
  if (mask & cntBit && !(fields4[start + fieldCnt] > 0)) {
    return mask & sumBit ? fields4[start + fieldSum] : 0;
  }
  if (mask & valBit) return fields4[start + fieldVal];
  if (mask & sumBit) return averageOf(fields4[start + fieldSum], sampleCount(mask, fields4, at));
  return middle(mask, fields4, start);
}
function sampleCount(mask, fields4, at = 0) {
  if (!(mask & cntBit)) return 1;
  const count = fields4[at * fieldCount + fieldCnt];
  return count > 0 ? count : 0;
}
function sampleSum(mask, fields4, at, count) {
  const start = at * fieldCount;
  if (mask & sumBit) return fields4[start + fieldSum];
  if (mask & avgBit) return finite(fields4[start + fieldAvg] * count);
  if (mask & valBit) return finite(fields4[start + fieldVal] * count);
  return finite(middle(mask, fields4, start) * count);
}
function middle(mask, fields4, start) {
  const min = fields4[start + fieldMin];
  const max = fields4[start + fieldMax];
  if ((mask & (minBit | maxBit)) === (minBit | maxBit)) {
    const sum = min + max;
    return Number.isFinite(sum) ? averageOf(sum, 2) : min / 2 + max / 2;
  }
  if (mask & minBit) return min;
  return mask & maxBit ? max : 1;
}
var Contributions = class {
  length = 0;
  mean = new Float64Array(64);
  /** Above 0, or 0 where the sample contributes nothing. */
  count = new Float64Array(64);
  sum = new Float64Array(64);
  min = new Float64Array(64);
  max = new Float64Array(64);
  /** 1 where the sample is a partial aggregate. */
  partial = new Uint8Array(64);
  /** Adds a sample that is a lone `val`. */
  pushValue(value) {
    const at = this.next();
    this.mean[at] = value;
    this.count[at] = 1;
    this.sum[at] = value;
    this.min[at] = value;
    this.max[at] = value;
    this.partial[at] = 0;
  }
  /** Adds an aggregated sample; arguments as in `sampleMean`. */
  pushSample(mask, fields4, entry = 0) {
    const at = this.next();
    const start = entry * fieldCount;
    const count = sampleCount(mask, fields4, entry);
    const mean = sampleMean(mask, fields4, entry);
    const min = mask & minBit ? fields4[start + fieldMin] : mean;
    const max = mask & maxBit ? fields4[start + fieldMax] : mean;
    this.mean[at] = mean;
    this.count[at] = count;
    this.sum[at] = sampleSum(mask, fields4, entry, count);
    this.min[at] = mask & minBit ? min : Math.min(min, max);
    this.max[at] = mask & maxBit ? max : Math.max(min, max);
    this.partial[at] = isPartial(mask) ? 1 : 0;
  }
  /** Mean of sample `at` inside its own [min, max]: what the digest takes. */
  digestMean(at) {
    return Math.max(this.min[at], Math.min(this.max[at], this.mean[at]));
  }
  clear() {
    this.length = 0;
  }
  next() {
    if (this.length === this.mean.length) this.grow();
    return this.length++;
  }
  grow() {
    this.mean = doubled(this.mean);
    this.count = doubled(this.count);
    this.sum = doubled(this.sum);
    this.min = doubled(this.min);
    this.max = doubled(this.max);
    const partial = new Uint8Array(this.partial.length * 2);
    partial.set(this.partial);
    this.partial = partial;
  }
};
function doubled(column) {
  const larger2 = new Float64Array(column.length * 2);
  larger2.set(column);
  return larger2;
}

// src/store/lmdb/memtable.ts
var Memtable = class {
  active = [];
  frozen = [];
  activeSamples = 0;
  frozenSamples = 0;
  bytes = 0;
  /** Oldest sample time among the active frames; Infinity when there is none. */
  activeOldestMs = Infinity;
  get sampleCount() {
    return this.activeSamples + this.frozenSamples;
  }
  add(held) {
    const { frame } = held;
    this.active.push(held);
    this.activeSamples += frame.count;
    this.bytes += frame.bytes.length;
    for (let run2 = 0; run2 < frame.runCount; run2++) {
      if (frame.runTimeMs[run2] < this.activeOldestMs) this.activeOldestMs = frame.runTimeMs[run2];
    }
  }
  /** Hands the active frames to a fold. */
  freeze() {
    this.frozen = this.active;
    this.frozenSamples = this.activeSamples;
    this.active = [];
    this.activeSamples = 0;
    this.activeOldestMs = Infinity;
    return this.frozen;
  }
  /** Forgets the frozen frames: their samples are in buckets now. */
  dropFrozen() {
    for (const { frame } of this.frozen) this.bytes -= frame.bytes.length;
    this.frozen = [];
    this.frozenSamples = 0;
  }
  /** Takes the frozen frames back: their fold did not come to its end. */
  thaw() {
    const later2 = this.active;
    const frozen = this.frozen;
    this.active = [];
    this.activeSamples = 0;
    this.frozen = [];
    this.frozenSamples = 0;
    this.bytes = 0;
    for (const held of [...frozen, ...later2]) this.add(held);
  }
  /**
   * Samples of the wanted series in `span`, in order of arrival; or the first one of each. Of
   * counters those before the span as well, which its first cycle is a function of.
   */
  select(series, span, seriesCount, options = {}) {
    const { onlyFirst = false, isCounter } = options;
    const wanted2 = new Uint8Array(seriesCount);
    for (const one of series) {
      if (one < seriesCount) wanted2[one] = isCounter?.(one) && !onlyFirst ? wantedEarlier : 1;
    }
    const picked = new Picked();
    let requests = 0;
    for (const { frame } of [...this.frozen, ...this.active]) {
      picked.addFrame(frame, { wanted: wanted2, span, firstRequest: requests, onlyFirst });
      requests += frame.requestCount;
    }
    return picked.toOpenSamples();
  }
};
var wantedEarlier = 2;
var Picked = class {
  series = [];
  timesMs = [];
  values = [];
  requests = [];
  aggregates = [];
  masks = [];
  fields = [];
  addFrame(frame, wish) {
    for (let run2 = 0; run2 < frame.runCount; run2++) {
      const timeMs = frame.runTimeMs[run2];
      if (timeMs >= wish.span.endMs) continue;
      const least = timeMs < wish.span.startMs ? wantedEarlier : 1;
      const end = run2 + 1 < frame.runCount ? frame.runStart[run2 + 1] : frame.count;
      for (let at = frame.runStart[run2]; at < end; at++) {
        if (!(wish.wanted[frame.series[at]] >= least)) continue;
        if (wish.onlyFirst && isObserved(frame, at)) wish.wanted[frame.series[at]] = 0;
        this.add(frame, at, { timeMs, request: wish.firstRequest + frame.runRequest[run2] });
      }
    }
  }
  add(frame, at, said) {
    this.series.push(frame.series[at]);
    this.timesMs.push(said.timeMs);
    this.values.push(frame.values[at]);
    this.requests.push(said.request);
    const entry = frame.aggregateCount > 0 ? findAggregate(frame, at) : -1;
    this.aggregates.push(entry < 0 ? -1 : this.masks.length);
    if (entry < 0) return;
    this.masks.push(frame.aggregateMask[entry]);
    for (let f = 0; f < fieldCount; f++) {
      this.fields.push(frame.aggregateFields[entry * fieldCount + f]);
    }
  }
  toOpenSamples() {
    return {
      series: Int32Array.from(this.series),
      timesMs: Float64Array.from(this.timesMs),
      values: Float64Array.from(this.values),
      requests: Int32Array.from(this.requests),
      aggregates: Int32Array.from(this.aggregates),
      aggregateMasks: Uint8Array.from(this.masks),
      aggregateFields: Float64Array.from(this.fields)
    };
  }
};
function isObserved(frame, at) {
  const entry = frame.aggregateCount > 0 ? findAggregate(frame, at) : -1;
  if (entry < 0) return true;
  return sampleCount(frame.aggregateMask[entry], frame.aggregateFields, entry) > 0;
}
function findAggregate(frame, sample3) {
  let low = 0;
  let high = frame.aggregateCount - 1;
  while (low <= high) {
    const middle2 = low + high >>> 1;
    const found = frame.aggregateSample[middle2];
    if (found === sample3) return middle2;
    if (found < sample3) low = middle2 + 1;
    else high = middle2 - 1;
  }
  return -1;
}

// src/store/lmdb/known-samples.ts
function keepKnown(frame, sequence, isKnown) {
  if (frame.series.every(isKnown)) return frame;
  return columnsToFrame(knownSamples(frame, isKnown), sequence);
}
function knownSamples(frame, isKnown) {
  const columns = new SampleColumns();
  let request = -1;
  for (let run2 = 0; run2 < frame.runCount; run2++) {
    for (; request < frame.runRequest[run2]; request++) columns.startRequest();
    const end = run2 + 1 < frame.runCount ? frame.runStart[run2 + 1] : frame.count;
    for (let at = frame.runStart[run2]; at < end; at++) {
      const series = frame.series[at];
      if (!isKnown(series)) continue;
      const entry = frame.aggregateCount > 0 ? findAggregate(frame, at) : -1;
      const timeMs = frame.runTimeMs[run2];
      const value = frame.values[at];
      if (entry < 0) columns.push(series, timeMs, value);
      else {
        const fields4 = frame.aggregateFields.slice(entry * 6, entry * 6 + 6);
        columns.pushAggregate(series, timeMs, value, frame.aggregateMask[entry], fields4);
      }
    }
  }
  return columns;
}

// src/store/lmdb/probe.ts
import { existsSync as existsSync3 } from "node:fs";
import { join as join5 } from "node:path";

// src/rollup/column-name.ts
var cellColumnNames = [
  "count",
  "sum",
  "min",
  "max",
  "m2",
  "first",
  "last",
  "actual"
];
function columnBit(column) {
  return 1 << cellColumnNames.indexOf(column);
}
function columnsOfBits(bits2) {
  return cellColumnNames.filter((column) => bits2 & columnBit(column));
}

// src/store/lmdb/horizons.ts
var horizonsKey = textKey("horizons");
var nothingDropped = { ZERO: 0, PT5M: 0, PT1H: 0, PT24H: 0 };
function readHorizons(tables) {
  const bytes = tables.meta.get(horizonsKey);
  return bytes === void 0 ? nothingDropped : unpackHorizons(bytes);
}
function unpackHorizons(bytes) {
  return unpackDocument(horizonsKey, bytes);
}
function packHorizons(horizons) {
  return { key: horizonsKey, value: packDocument(horizonsKey, horizons) };
}
function horizonsAt(nowMs, retentionMs) {
  const horizon = (resolution) => Math.max(0, Math.ceil((nowMs - retentionMs[resolution]) / dayMs) - 1);
  return Object.fromEntries(resolutions.map((each) => [each, horizon(each)]));
}
function keptSpan(span, horizons, resolution) {
  const startMs = Math.max(span.startMs, horizons[resolution] * dayMs);
  return { startMs, endMs: Math.max(startMs, span.endMs) };
}

// src/store/lmdb/marker.ts
var markerTables = /* @__PURE__ */ new Set(["openDays", "closed"]);
var markerBytes = 4;
var blankBytes = 1;
function packMarker(key) {
  const value = Buffer.allocUnsafe(markerBytes);
  value.writeUInt32LE(checksum(key), 0);
  return value;
}
function checkMarker(key, value) {
  if (value.length === blankBytes) return;
  if (toldByMarker(value) === checksum(key)) return;
  throw new CorruptError(`The marker ${Buffer.from(key).toString("hex")} is that of another key`);
}
function toldByMarker(value) {
  return value.length === markerBytes ? value.readUInt32LE(0) : void 0;
}
function isMarkerOf(key, value) {
  const told = toldByMarker(value);
  if (told === void 0) return false;
  const flipped = (told ^ checksum(key)) >>> 0;
  return (flipped & flipped - 1) === 0;
}

// src/store/lmdb/key-check.ts
function checkKey(name, key, head3, length) {
  if (name === "meta" || name === "inbox") return;
  if (markerTables.has(name)) checkMarker(key, head3);
  else if (name !== "elementLog" || !isBareLogEntry(length)) checkRecordKey(key, head3);
}
function trueKey(name, key, value) {
  if (name === "inbox") return keyOfFrame(value);
  const told = toldChecksum(name, value);
  if (told === void 0) return void 0;
  if (told === checksum(key) || markerTables.has(name) && isMarkerOf(key, value)) return key;
  const other = Buffer.from(key);
  for (let bit = 0; bit < 8 * key.length; bit++) {
    other[bit >> 3] ^= 1 << (bit & 7);
    if (told === checksum(other)) return other;
    other[bit >> 3] ^= 1 << (bit & 7);
  }
  return null;
}
function toldChecksum(name, value) {
  if (name === "meta" || name === "elementLog" && isBareLogEntry(value.length)) return void 0;
  return markerTables.has(name) ? toldByMarker(value) : toldByRecord(value);
}
function keyOfFrame(value) {
  try {
    const { sequence } = bytesToFrame(value);
    return sequence === 0 ? void 0 : sequenceKey(sequence);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return void 0;
  }
}

// src/store/lmdb/key-list.ts
var KeyList = class {
  keyBytes;
  count = 0;
  bytes = new Uint8Array(0);
  constructor(keyBytes2) {
    this.keyBytes = keyBytes2;
  }
  push(key) {
    const at = this.count * this.keyBytes;
    if (at + this.keyBytes > this.bytes.length) {
      const larger2 = new Uint8Array(Math.max(1024 * this.keyBytes, 2 * this.bytes.length));
      larger2.set(this.bytes);
      this.bytes = larger2;
    }
    for (let i = 0; i < this.keyBytes; i++) this.bytes[at + i] = key[i];
    this.count++;
  }
  /** A view on one key. */
  at(index) {
    return Buffer.from(this.bytes.buffer, index * this.keyBytes, this.keyBytes);
  }
  /** A number of a key, big-endian. */
  u32(index, offset) {
    const { bytes } = this;
    const at = index * this.keyBytes + offset;
    const low = bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
    return bytes[at] * 2 ** 24 + low;
  }
  /** The keys that are not in `other`; both lists ascend. */
  *without(other) {
    let o = 0;
    for (let i = 0; i < this.count; i++) {
      while (o < other.count && compareAt(other, o, this, i) < 0) o++;
      if (o === other.count || compareAt(other, o, this, i) !== 0) yield this.at(i);
    }
  }
  /** Orders a key of one list against a key of another. */
  static compare(left, l, right, r) {
    const { keyBytes: keyBytes2 } = left;
    for (let i = 0; i < keyBytes2; i++) {
      const difference2 = left.bytes[l * keyBytes2 + i] - right.bytes[r * keyBytes2 + i];
      if (difference2 !== 0) return difference2;
    }
    return 0;
  }
};
var compareAt = KeyList.compare;
function compareKeys(left, right) {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    if (left[i] !== right[i]) return left[i] - right[i];
  }
  return left.length - right.length;
}

// src/store/lmdb/lost-days.ts
var lostDaysKey = textKey("lostDays");
var LostDays = class {
  names;
  /** `bytes` as they stand in `meta`. Throws CorruptError. */
  constructor(bytes) {
    this.names = new Set(
      bytes === void 0 ? [] : unpackDocument(lostDaysKey, bytes)
    );
  }
  has(where) {
    return this.names.size > 0 && this.names.has(nameOf(where));
  }
  add(tables, where) {
    this.names.add(nameOf(where));
    tables.meta.putSync(lostDaysKey, packDocument(lostDaysKey, [...this.names]));
  }
};
function nameOf({ day, block }) {
  return `${day} ${block}`;
}

// src/store/lmdb/retention.ts
var lookKey = textKey("retentionLook");
var keysPerStep = 256;
function* retentionJob(context, nowMs) {
  const { tables, retentionMs, openDays, writes } = context;
  const verdict = judgeClock(context, nowMs);
  if (verdict === "believed" || verdict === "first") {
    writes.put(tables.meta, lookKey, textKey(String(nowMs)));
  }
  if (verdict !== "believed") return;
  const before2 = readHorizons(tables);
  const horizons = laterOf(before2, horizonsAt(nowMs, retentionMs), openDays.oldestDay());
  if (resolutions.every((each) => horizons[each] === before2[each])) return;
  const { key, value } = packHorizons(horizons);
  writes.put(tables.meta, key, value);
  yield;
  yield* dropBefore(context, tables.raw, horizons.ZERO * (dayMs / windowMs));
  yield* dropBefore(context, tables.recentRaw, horizons.ZERO * (dayMs / cycleMs));
  yield* dropBefore(context, tables.recentCells, horizons.PT5M * (dayMs / cycleMs));
  yield* dropBefore(context, tables.recentBands, horizons.PT5M * (dayMs / cycleMs));
  yield* dropBefore(context, tables.closed, horizons.ZERO * (dayMs / cycleMs));
  yield* dropBefore(context, tables.cells, horizons.PT5M);
  yield* dropBefore(context, tables.bands, horizons.PT5M);
  yield* dropBefore(context, tables.hours, horizons.PT1H);
  yield* dropBefore(context, tables.days, horizons.PT24H);
}
function judgeClock({ tables, clockTrust, elapsedMs, warn }, nowMs) {
  const bytes = tables.meta.get(lookKey);
  const lastMs = bytes === void 0 ? void 0 : Number(bytes.toString());
  const verdict = clockTrust.judge({ nowMs, elapsedMs: elapsedMs() }, lastMs);
  if (verdict === "jumped") warn({ nowMs, lastMs }, "the clock jumped ahead: retention waits a day");
  return verdict;
}
function laterOf(before2, wanted2, oldestOpenDay) {
  const settle4 = (resolution) => Math.max(before2[resolution], Math.min(wanted2[resolution], oldestOpenDay));
  return Object.fromEntries(resolutions.map((each) => [each, settle4(each)]));
}
function* dropBefore(context, table, period) {
  if (period <= 0) return;
  let many = 0;
  for (const key of Array.from(table.getKeys({ end: indexKey(period) }))) {
    context.writes.remove(table, Buffer.from(key));
    context.counters.dropped++;
    if (++many % keysPerStep === 0) yield;
  }
}

// src/store/lmdb/meta-check.ts
function checkMeta(key, value) {
  if (key.equals(foldedKey) || key.equals(publishedKey)) readSequence(key, value);
  else if (key.equals(horizonsKey)) unpackHorizons(value);
  else if (key.equals(lostDaysKey)) new LostDays(value);
  else if (key.equals(versionKey)) toVersion(value);
  else if (!key.equals(lookKey)) throw new CorruptError(`unknown entry "${key.toString("utf8")}"`);
}

// src/store/lmdb/page-file.ts
import { closeSync as closeSync4, fstatSync as fstatSync2, openSync as openSync4, readSync as readSync2 } from "node:fs";
var pageHeaderBytes = 24;
var branchFlag = 1;
var leafFlag = 2;
var overflowFlag = 4;
var metaFlag = 8;
var kindFlags = 15;
var metaMagic = 3203383518;
var metaVersion = 2;
var metaBytes = pageHeaderBytes + 136;
var lastPageFactor = 2;
var lastPageExtra = 16384;
var treeHeadBytes = 48;
var PageFile = class {
  pageBytes;
  pageCount;
  file;
  /** Throws CorruptError where the file is shorter than its head. */
  constructor(path) {
    this.file = openSync4(path, "r");
    try {
      this.pageBytes = pageBytesOf(this.readAt(0, metaBytes));
      this.pageCount = Math.floor(fstatSync2(this.file).size / this.pageBytes);
    } catch (error) {
      this.close();
      throw error;
    }
  }
  /** The newer of the two heads. Throws CorruptError where they cannot be two of one file. */
  meta() {
    const both = [this.metaAt(0), this.metaAt(1)];
    const [older, newer] = both.toSorted((left, right) => left.transaction - right.transaction);
    const { transaction } = newer;
    if (both[transaction % 2] !== newer && transaction > 0) {
      throw new CorruptError(`transaction ${transaction} stands in the other meta page`);
    }
    if (transaction - older.transaction > 1) {
      throw new CorruptError(`meta pages of transactions ${older.transaction} and ${transaction}`);
    }
    if (newer.lastPage > lastPageFactor * this.pageCount + lastPageExtra) {
      throw new CorruptError(`last page ${newer.lastPage} in a file of ${this.pageCount} pages`);
    }
    return newer;
  }
  /**
   * Of a file whose heads do not fit each other: the one whose main tree was written last. Throws
   * CorruptError where neither can be read.
   */
  bestMeta() {
    const found = [];
    for (const number2 of [0, 1]) {
      try {
        const meta = this.metaAt(number2);
        const writtenAt = meta.main.root < 0 ? 0 : this.page(meta.main.root).transaction;
        found.push({
          meta: { ...meta, transaction: Infinity, lastPage: this.pageCount },
          writtenAt
        });
      } catch (error) {
        if (!(error instanceof CorruptError)) throw error;
      }
    }
    found.sort((left, right) => right.writtenAt - left.writtenAt);
    if (found.length === 0) throw new CorruptError("both meta pages are damaged");
    return found[0].meta;
  }
  /** Throws CorruptError where it lies behind the end of the file. */
  page(number2) {
    const bytes = this.bytes(number2, this.pageBytes);
    return {
      number: readU64(bytes, 0),
      kind: bytes.readUInt16LE(18),
      transaction: readU64(bytes, 8),
      bytes
    };
  }
  /** `length` bytes from the start of a page on, which may reach into the next ones. */
  bytes(number2, length) {
    if (number2 * this.pageBytes + length > this.pageCount * this.pageBytes) {
      throw new CorruptError(`page ${number2} lies behind the end of the file`);
    }
    return this.readAt(number2 * this.pageBytes, length);
  }
  close() {
    closeSync4(this.file);
  }
  metaAt(number2) {
    const bytes = this.readAt(number2 * this.pageBytes, metaBytes);
    const at = pageHeaderBytes;
    const isMeta = (bytes.readUInt16LE(18) & kindFlags) === metaFlag && bytes.readUInt32LE(at) === metaMagic && (bytes.readUInt32LE(at + 4) & 65535) === metaVersion && bytes.readUInt32LE(at + 24) === this.pageBytes;
    if (!isMeta) throw new CorruptError(`page ${number2} is no meta page`);
    return {
      transaction: readU64(bytes, at + 128),
      lastPage: readU64(bytes, at + 120),
      free: readTreeHead(bytes, at + 24),
      main: readTreeHead(bytes, at + 72)
    };
  }
  readAt(offset, length) {
    const bytes = Buffer.allocUnsafe(length);
    const read = readSync2(this.file, bytes, 0, length, offset);
    if (read < length) throw new CorruptError(`the file ends at byte ${offset + read}`);
    return bytes;
  }
};
function pageBytesOf(head3) {
  const told = head3.readUInt32LE(pageHeaderBytes + 24);
  const isPower = told >= 4096 && told <= 65536 && (told & told - 1) === 0;
  return isPower ? told : 4096;
}
function readTreeHead(bytes, at) {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branchPages: readU64(bytes, at + 8),
    leafPages: readU64(bytes, at + 16),
    overflowPages: readU64(bytes, at + 24),
    entries: readU64(bytes, at + 32),
    root: isNoPage(bytes, at + 40) ? -1 : readU64(bytes, at + 40)
  };
}
function isNoPage(bytes, at) {
  return bytes.readUInt32LE(at) === 4294967295 && bytes.readUInt32LE(at + 4) === 4294967295;
}
function readU64(bytes, at) {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
}

// src/store/lmdb/free-list.ts
function* freePages(bytes, lastPage) {
  const count = bytes.length < 8 ? 0 : readU64(bytes, 0);
  if (8 * (count + 1) > bytes.length) throw new CorruptError(`free list of ${count} pages`);
  for (let i = 1; i <= count; i++) {
    const many = -Number(bytes.readBigInt64LE(8 * i));
    if (many === 0) continue;
    const first = many < 0 ? -many : i < count ? readU64(bytes, 8 * ++i) : 0;
    const end = first + Math.max(many, 1);
    if (end > lastPage + 1) throw new CorruptError(`pages ${first} to ${end - 1} listed as free`);
    for (let page = first; page < end; page++) yield page;
  }
}
function compareU64(left, right) {
  return readU64(left, 0) - readU64(right, 0);
}

// src/store/lmdb/page-walk.ts
var nodeHeaderBytes = 8;
var bigDataFlag = 1;
var subTreeFlag = 2;
var bigHeadBytes = 24;
var copyTransaction = 1;
var listOfTables = "the list of tables";
var headBytes = 16;
var orderFlags = 126;
var numberKeysFlag = 8;
var problemsMax = 1e3;
var PageWalk = class {
  problems = [];
  file;
  meta;
  used;
  largeValuesLeft;
  visitsStrays;
  counts = noCounts();
  treeName = "";
  compare = compareKeys;
  /** What the next key comes after; it may repeat what is a bound only. */
  floor = null;
  constructor(file, meta, options) {
    this.file = file;
    this.meta = meta;
    this.used = new Uint8Array(Math.ceil((Math.min(meta.lastPage, file.pageCount) + 1) / 8));
    this.largeValuesLeft = options.largeValuesMax;
    this.visitsStrays = options.visitsStrays ?? false;
  }
  /** The trees that the main tree names. */
  trees() {
    const found = /* @__PURE__ */ new Map();
    this.walk(listOfTables, this.meta.main, (entry) => {
      const { key, isTree } = entry;
      const bytes = entry.value();
      const name = key.toString("utf8").replace(/\0$/, "");
      if (isTree && bytes.length === treeHeadBytes) found.set(name, readTreeHead(bytes, 0));
      else this.tell(`entry "${name}" is no table`);
    });
    return found;
  }
  /** Visits every entry of a tree that can be trusted, in order. */
  walk(name, head3, visit, compare) {
    this.treeName = name;
    this.compare = compare ?? compareKeys;
    this.counts = noCounts();
    this.floor = null;
    this.checkHead(head3);
    if (head3.root >= 0) this.descend({ number: head3.root, depth: 1, end: null }, head3, visit);
    const told = this.counts;
    for (const each of Object.keys(told)) {
      if (told[each] !== head3[each]) this.tell(`${head3[each]} ${each} where ${told[each]} are`);
    }
  }
  /** Checks that no page that is used is listed as free: it would be written over. */
  checkFree() {
    const seen = new Uint8Array(this.used.length);
    const visit = (entry) => {
      const transaction = readU64(entry.key, 0);
      if (transaction > this.meta.transaction) {
        throw new CorruptError(`pages that transaction ${transaction} freed, after the last`);
      }
      for (const page of freePages(entry.value(), this.meta.lastPage)) {
        if (page < 2) this.tell(`page ${page} is listed as free`);
        else if (hasBit(this.used, page)) this.tell(`page ${page} is used and listed as free`);
        else if (hasBit(seen, page)) this.tell(`page ${page} is listed as free twice`);
        else setBit(seen, page);
      }
    };
    this.walk("the list of free pages", this.meta.free, visit, compareU64);
  }
  checkHead({ flags, depth, root }) {
    const isFreeList = this.compare === compareU64;
    const isOurs = isFreeList ? (flags & orderFlags) === numberKeysFlag : flags === 0;
    if (!isOurs) this.tell(`flags ${flags}`);
    if (root < 0 && depth > 0) this.tell(`depth ${depth} of an empty tree`);
  }
  descend(at, head3, visit) {
    const page = this.treePage(at, head3);
    if (page === null) return;
    const isLeaf = page.kind === leafFlag;
    this.counts[isLeaf ? "leafPages" : "branchPages"]++;
    for (let i = 0; i < page.nodes.length; i++) {
      const node = page.nodes[i];
      if (isLeaf) this.leafNode(page, node, at, visit);
      else {
        const end = page.nodes[i + 1]?.key ?? at.end;
        this.descend({ number: node.number, depth: at.depth + 1, end }, head3, visit);
        if (end !== null) this.floor = { key: end, isKey: false };
      }
    }
  }
  /** A page of a tree with its nodes; null, and told, where it cannot be one. */
  treePage(at, head3) {
    try {
      const page = this.claim(at.number);
      const isLeaf = page.kind === leafFlag;
      if (!isLeaf && page.kind !== branchFlag) throw new CorruptError(`of kind ${page.kind}`);
      if (isLeaf !== (at.depth === head3.depth)) throw new CorruptError(`at depth ${at.depth}`);
      return { ...page, nodes: nodesOf(page, isLeaf) };
    } catch (error) {
      this.tellDamage(error, at.number);
      return null;
    }
  }
  leafNode(page, node, at, visit) {
    try {
      const isInOrder = this.isInOrder(node.key, at.end);
      if (!isInOrder)
        this.tell(`page ${at.number}: key ${node.key.toString("hex")} is out of order`);
      if ((node.flags & subTreeFlag) !== 0 && this.treeName !== listOfTables) {
        this.tell(`page ${at.number}: key ${node.key.toString("hex")} has a tree as its value`);
      }
      const isLarge = (node.flags & bigDataFlag) !== 0;
      const large = isLarge ? this.checkLarge(page, node) : null;
      this.counts.entries++;
      if (!isInOrder && !this.visitsStrays) return;
      const entry = new WalkEntry(this.file, page, node);
      entry.isInOrder = isInOrder;
      entry.large = large;
      visit(entry);
    } catch (error) {
      this.tellDamage(error, at.number);
    }
  }
  /** True where a key may stand here; then the next one stands behind it. */
  isInOrder(key, end) {
    const { floor, compare } = this;
    const isBehind = floor === null || compare(floor.key, key) < (floor.isKey ? 0 : 1);
    if (!isBehind || end !== null && compare(key, end) >= 0) return false;
    this.floor = { key, isKey: true };
    return true;
  }
  /** Gives the first page of a large value, where that is looked at. */
  checkLarge(page, node) {
    const { number: number2, transaction, count } = largeHead(page, node);
    const least = Math.ceil((pageHeaderBytes + node.number) / this.file.pageBytes);
    if (count < least || count > this.file.pageCount) {
      throw new CorruptError(`a value of ${node.number} bytes in ${count} pages`);
    }
    for (let i = 0; i < count; i++) this.mark(number2 + i);
    this.counts.overflowPages += count;
    if (this.largeValuesLeft <= 0) return null;
    this.largeValuesLeft--;
    const head3 = this.file.page(number2);
    const isWhole = head3.number === number2 && head3.kind === overflowFlag && this.fits(transaction, head3.transaction) && head3.bytes.readUInt32LE(20) === count;
    if (!isWhole) throw new CorruptError(`page ${number2} is not the value of this entry`);
    return head3;
  }
  /** True where an entry of one transaction may have a large value of the other. */
  fits(entry, value) {
    return entry === value || entry === copyTransaction && value <= this.meta.transaction;
  }
  /** A page of a tree, which no other place may hold. */
  claim(number2) {
    this.mark(number2);
    const page = this.file.page(number2);
    if (page.number !== number2) throw new CorruptError(`says that it is page ${page.number}`);
    if (page.transaction > this.meta.transaction) {
      throw new CorruptError(`of transaction ${page.transaction}, after the last`);
    }
    return page;
  }
  mark(number2) {
    if (number2 < 2 || number2 > this.meta.lastPage || number2 >= this.file.pageCount) {
      throw new CorruptError(`page ${number2} does not exist`);
    }
    if (hasBit(this.used, number2)) throw new CorruptError(`page ${number2} is used twice`);
    setBit(this.used, number2);
  }
  tellDamage(error, page) {
    if (!(error instanceof CorruptError)) throw error;
    this.tell(`page ${page}: ${error.message}`);
  }
  tell(problem) {
    if (this.problems.length < problemsMax) this.problems.push(`${this.treeName}: ${problem}`);
  }
};
var WalkEntry = class {
  isInOrder = true;
  /** The first page of a large value that was looked at. */
  large = null;
  file;
  page;
  node;
  constructor(file, page, node) {
    this.file = file;
    this.page = page;
    this.node = node;
  }
  get key() {
    return this.node.key;
  }
  get length() {
    return this.node.number;
  }
  get head() {
    const { flags, number: length, valueAt: valueAt2 } = this.node;
    const isLarge = (flags & bigDataFlag) !== 0;
    if (isLarge && this.large === null) return null;
    const at = isLarge ? pageHeaderBytes : valueAt2;
    const { bytes } = this.large ?? this.page;
    return bytes.subarray(at, at + Math.min(length, headBytes));
  }
  get isTree() {
    return (this.node.flags & subTreeFlag) !== 0;
  }
  value() {
    const { flags, number: length, valueAt: valueAt2 } = this.node;
    if ((flags & bigDataFlag) === 0) return this.page.bytes.subarray(valueAt2, valueAt2 + length);
    const { number: number2 } = largeHead(this.page, this.node);
    return this.file.bytes(number2, pageHeaderBytes + length).subarray(pageHeaderBytes);
  }
};
function noCounts() {
  return { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
}
function nodesOf({ bytes }, isLeaf) {
  const size = bytes.length - pageHeaderBytes;
  const lower = bytes.readUInt16LE(20);
  const upper = bytes.readUInt16LE(22);
  const isFilled = lower % 2 === 0 && lower > 0 && lower <= upper && upper <= size;
  if (!isFilled) throw new CorruptError(`bounds ${lower} and ${upper}`);
  const nodes = [];
  let total = 0;
  for (let i = 0; i < lower / 2; i++) {
    const start = bytes.readUInt16LE(pageHeaderBytes + 2 * i);
    if (start < upper || start + nodeHeaderBytes > size) throw new CorruptError(`node at ${start}`);
    const { node, length } = nodeAt(bytes, pageHeaderBytes + start, isLeaf);
    if (start + length > size) throw new CorruptError(`node of ${length} bytes at ${start}`);
    total += length + length % 2;
    nodes.push(node);
  }
  if (total !== size - upper) throw new CorruptError(`nodes of ${total} bytes in ${size - upper}`);
  return nodes;
}
function nodeAt(bytes, at, isLeaf) {
  const low = bytes.readUInt32LE(at);
  const flags = bytes.readUInt16LE(at + 4);
  const keyLength = bytes.readUInt16LE(at + 6);
  const valueAt2 = at + nodeHeaderBytes + keyLength;
  const key = bytes.subarray(at + nodeHeaderBytes, valueAt2);
  if (!isLeaf) {
    const number2 = low + flags * 2 ** 32;
    return { node: { key, flags: 0, number: number2, valueAt: valueAt2 }, length: nodeHeaderBytes + keyLength };
  }
  if ((flags & ~(bigDataFlag | subTreeFlag)) !== 0) throw new CorruptError(`node flags ${flags}`);
  const inPlace = (flags & bigDataFlag) === 0 ? low : bigHeadBytes;
  const length = nodeHeaderBytes + keyLength + inPlace;
  return { node: { key, flags, number: low, valueAt: valueAt2 }, length };
}
function largeHead({ bytes }, { valueAt: valueAt2 }) {
  return {
    number: readU64(bytes, valueAt2),
    transaction: readU64(bytes, valueAt2 + 8),
    count: readU64(bytes, valueAt2 + 16)
  };
}
function hasBit(bits2, at) {
  return (bits2[at >> 3] & 1 << (at & 7)) !== 0;
}
function setBit(bits2, at) {
  bits2[at >> 3] |= 1 << (at & 7);
}

// src/store/lmdb/probe.ts
var largeValuesMax = 1e5;
var problemsMax2 = 100;
var keyBytes = {
  recentRaw: 8,
  recentCells: 8,
  recentBands: 8,
  openDays: 8,
  cells: 9,
  hours: 8,
  days: 8
};
function probeLmdb(folder) {
  const path = join5(folder, dataFile);
  if (!existsSync3(path)) return [];
  try {
    const file = new PageFile(path);
    try {
      return new Probe(file, file.meta()).run();
    } finally {
      file.close();
    }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return [error.message];
  }
}
var Probe = class {
  walk;
  problems = [];
  keys = /* @__PURE__ */ new Map();
  lostDays = new LostDays(void 0);
  horizons = { ZERO: 0, PT5M: 0, PT1H: 0, PT24H: 0 };
  constructor(file, meta) {
    this.walk = new PageWalk(file, meta, { largeValuesMax });
  }
  run() {
    const trees = this.walk.trees();
    for (const [name, head3] of trees) {
      if (!isTableName(name)) this.tell(`unknown table "${name}"`);
      else this.walk.walk(name, head3, this.visitorOf(name));
    }
    if (trees.size > 0 && !trees.has("meta")) this.tell(`table "meta" is missing`);
    this.walk.checkFree();
    if (this.walk.problems.length === 0) this.compareTables();
    return [...this.walk.problems, ...this.problems].slice(0, problemsMax2);
  }
  visitorOf(name) {
    const visit = this.contentVisitorOf(name);
    return (entry) => {
      const { key, head: head3, length } = entry;
      if (head3 !== null) checkKey(name, key, head3, length);
      visit(entry);
    };
  }
  contentVisitorOf(name) {
    if (isCompared(name)) {
      const keys = new KeyList(keyBytes[name]);
      this.keys.set(name, keys);
      return ({ key }) => {
        if (key.length !== keys.keyBytes) throw new CorruptError(`key ${key.toString("hex")}`);
        keys.push(key);
      };
    }
    if (name === "names" || name === "definitions" || name === "elements") {
      let next = 0;
      return (entry) => {
        const isNext = entry.key.equals(indexKey(next++));
        if (!isNext) throw new CorruptError(`entry ${next - 1} is missing`);
        openRecord(entry.key, entry.value());
      };
    }
    if (name === "documents") return (entry) => void openRecord(entry.key, entry.value());
    if (name === "meta") return (entry) => this.metaEntry(entry);
    return () => {
    };
  }
  metaEntry(entry) {
    const { key } = entry;
    const value = entry.value();
    checkMeta(key, value);
    if (key.equals(horizonsKey)) this.horizons = unpackHorizons(value);
    else if (key.equals(lostDaysKey)) this.lostDays = new LostDays(value);
  }
  compareTables() {
    this.compareRecent();
    const days = this.keysOf("days");
    const { PT1H, PT5M } = this.horizons;
    this.has(from(days, PT1H), "hours", this.keysOf("hours"));
    const cells2 = this.keysOf("cells");
    for (const [column] of cellColumnNames.entries()) {
      const wanted2 = new KeyList(keyBytes.cells);
      const found = new KeyList(keyBytes.cells);
      for (const key of keysOf(from(days, PT5M))) {
        const { period, block } = keyToPeriod(key);
        wanted2.push(columnKey(period, block, column));
      }
      for (const key of keysOf(cells2)) if (key[8] === column) found.push(key);
      this.has(wanted2, "cells", found);
    }
  }
  /** Recent records have their marks, and marks stand for something. */
  compareRecent() {
    for (const key of this.keysOf("recentRaw").without(this.keysOf("recentCells"))) {
      this.tell(`recentRaw has ${nameOf2(key)} alone`);
    }
    let unexplained = this.keysOf("openDays");
    for (const name of ["recentCells", "recentBands"]) {
      const found = this.daysOf(name);
      for (const key of found.without(this.keysOf("openDays"))) {
        this.tell(`${name} has ${nameOf2(key)} alone`);
      }
      unexplained = difference(unexplained, found);
    }
    for (const key of unexplained.without(this.keysOf("days"))) {
      this.tell(`openDays has ${nameOf2(key)} alone`);
    }
  }
  /** Day and block of every recent record of a table, once each. */
  daysOf(name) {
    const keys = this.keysOf(name);
    const days = new KeyList(8);
    let blocks = /* @__PURE__ */ new Set();
    for (let i = 0; i < keys.count; i++) {
      blocks.add(keys.u32(i, 4));
      const day = Math.floor(keys.u32(i, 0) / cyclesPerDay);
      if (i + 1 < keys.count && Math.floor(keys.u32(i + 1, 0) / cyclesPerDay) === day) continue;
      for (const block of [...blocks].sort((left, right) => left - right)) {
        days.push(periodKey(day, block));
      }
      blocks = /* @__PURE__ */ new Set();
    }
    return days;
  }
  has(wanted2, name, found) {
    for (const key of wanted2.without(found)) {
      const { period: day, block } = keyToPeriod(key);
      if (!this.lostDays.has({ day, block })) this.tell(`${name} of ${nameOf2(key)} is missing`);
    }
  }
  keysOf(name) {
    return this.keys.get(name) ?? new KeyList(keyBytes[name]);
  }
  tell(problem) {
    if (this.problems.length < problemsMax2) this.problems.push(problem);
  }
};
function isTableName(name) {
  return tableNames.includes(name);
}
function isCompared(name) {
  return name in keyBytes;
}
function* keysOf(list) {
  for (let i = 0; i < list.count; i++) yield list.at(i);
}
function difference(left, right) {
  const rest = new KeyList(left.keyBytes);
  for (const key of left.without(right)) rest.push(key);
  return rest;
}
function from(list, period) {
  const later2 = new KeyList(list.keyBytes);
  for (const key of keysOf(list)) if (keyToPeriod(key).period >= period) later2.push(key);
  return later2;
}
function nameOf2(key) {
  const { period, block } = keyToPeriod(key);
  return `period ${period}, block ${block}`;
}

// src/store/lmdb/publishing.ts
var publishPauseMs = 1e3;
var pendingElementsMax = 500;
var Publishing = class {
  tables;
  catalogue;
  /** What LMDB lacks: these elements, and names and definitions from these numbers on. */
  elements = /* @__PURE__ */ new Set();
  firstName = 0;
  firstDefinition = 0;
  /** Since when anything waits, monotonic milliseconds; Infinity where nothing does. */
  sinceMs = Infinity;
  /** What the catalogue had when all of it was durable last. */
  durable;
  constructor(tables, catalogue) {
    this.tables = tables;
    this.catalogue = catalogue;
    this.durable = countsOf(catalogue);
  }
  /** True where the journal has names that LMDB has not. */
  get isPending() {
    return this.sinceMs < Infinity;
  }
  /** True where no more should wait. */
  get isFull() {
    return this.elements.size >= pendingElementsMax;
  }
  /** `atOnce`: where nothing better is to be done, or somebody waits. */
  isDue(elapsedMs, atOnce) {
    return this.isPending && (atOnce || elapsedMs - this.sinceMs >= publishPauseMs);
  }
  /** To be called when the catalogue is as LMDB has it. */
  begin() {
    this.elements.clear();
    this.firstName = this.catalogue.nameCount;
    this.firstDefinition = this.catalogue.definitionCount;
    this.sinceMs = Infinity;
    this.durable = countsOf(this.catalogue);
  }
  /** The names section of the record of this number: what is not durable yet. */
  section(sequence) {
    return encodeNames(sequence, this.catalogue, this.durable);
  }
  /** Notes that all changes of the catalogue are durable now, in the journal. */
  noteDurable(elapsedMs) {
    this.note(this.catalogue.changes().elements, elapsedMs);
    this.catalogue.keepChanges();
  }
  /** Takes a section of the journal into the catalogue; false where it does not stand on that. */
  recover(section, elapsedMs) {
    if (!applyNames(this.catalogue, section)) return false;
    this.note(
      section.elements.map(({ element }) => element),
      elapsedMs
    );
    return true;
  }
  note(elements, elapsedMs) {
    for (const element of elements) this.elements.add(element);
    this.sinceMs = Math.min(this.sinceMs, elapsedMs);
    this.durable = countsOf(this.catalogue);
  }
  /**
   * Puts what waits, and changes of the catalogue that are nowhere yet; inside the caller's
   * transaction, after which `notePublished` is to be called. `sequence`: the newest number given.
   */
  put(sequence) {
    const changes = this.catalogue.changes();
    if (this.isPending || this.catalogue.hasChanges()) {
      putCatalogueChanges(this.tables, this.catalogue, {
        elements: [.../* @__PURE__ */ new Set([...this.elements, ...changes.elements])],
        firstName: this.firstName,
        firstDefinition: this.firstDefinition
      });
    }
    this.tables.meta.put(publishedKey, packSequence(sequence));
  }
  notePublished() {
    this.catalogue.keepChanges();
    this.begin();
  }
};

// src/store/lmdb/run-mark.ts
import { readFileSync as readFileSync2, statSync as statSync3, writeFileSync as writeFileSync2 } from "node:fs";
import { join as join6 } from "node:path";
var markFile = "run.json";
function markRunning(folder, pid) {
  writeMark(folder, { state: "running", pid, birth: birthOf(pid) });
}
function markStopped(folder) {
  const { size, mtimeMs } = statSync3(join6(folder, dataFile));
  writeMark(folder, { state: "stopped", bytes: size, changedMs: mtimeMs });
}
function wasLeftInOrder(folder) {
  const mark = readMark(folder);
  if (mark?.state !== "stopped") return false;
  const { size, mtimeMs } = statSync3(join6(folder, dataFile));
  return size === mark.bytes && mtimeMs === mark.changedMs;
}
function writerOf(folder) {
  const mark = readMark(folder);
  if (mark?.state !== "running" || mark.birth === "") return null;
  return birthOf(mark.pid) === mark.birth ? mark.pid : null;
}
function otherWriterOf(folder) {
  const writer = writerOf(folder);
  return writer === process.pid ? null : writer;
}
function refuseOtherWriter(folder) {
  const writer = otherWriterOf(folder);
  if (writer === null) return;
  throw new ServiceError("storage", `The store in "${folder}" is open in process ${writer}`);
}
var endedStates = ["Z", "X"];
function birthOf(pid) {
  try {
    const boot = readFileSync2("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync2(`/proc/${pid}/stat`, "utf8");
    const fields4 = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const hasEnded = endedStates.includes(fields4[0]) && Number(fields4[17]) <= 1;
    return hasEnded ? "" : `${boot} ${fields4[19]}`;
  } catch {
    return "";
  }
}
function writeMark(folder, mark) {
  writeFileSync2(join6(folder, markFile), JSON.stringify(mark), { mode: 384 });
}
function readMark(folder) {
  try {
    return JSON.parse(readFileSync2(join6(folder, markFile), "utf8"));
  } catch {
    return void 0;
  }
}

// src/store/lmdb/backup.ts
var manifestFile = "backup.json";
async function backupLmdb(folder, backup, nowMs) {
  if (!existsSync4(join7(folder, dataFile))) {
    throw new ServiceError("storage", `There is no store in "${folder}"`);
  }
  if (existsSync4(backup)) throw new ServiceError("storage", `"${backup}" exists already`);
  refuseDamage(folder, damageAtRest(folder));
  mkdirSync2(backup, { recursive: true, mode: 448 });
  try {
    await copyStore(folder, backup, nowMs);
    refuseDamage(folder, probeLmdb(backup));
    return { bytes: writeManifest(backup) };
  } catch (error) {
    rmSync2(backup, { recursive: true, force: true });
    throw error;
  }
}
function damageAtRest(folder) {
  if (writerOf(folder) !== null || wasLeftInOrder(folder)) return [];
  const problems = probeLmdb(folder);
  return writerOf(folder) === null ? problems : [];
}
function readManifest(backup) {
  try {
    return JSON.parse(readFileSync3(join7(backup, manifestFile), "utf8"));
  } catch {
    return void 0;
  }
}
async function copyStore(folder, backup, nowMs) {
  holdJournal(folder);
  try {
    const before2 = readJournal(folder).map(({ sequence }) => sequence);
    const source = openTables(folder);
    try {
      await source.root.backup(backup, true);
    } finally {
      await source.root.close();
    }
    const waiting = readJournal(folder);
    if (!isHeld(folder, nowMs())) {
      throw new ServiceError(
        "storage",
        "The backup took so long that its hold of the journal ended"
      );
    }
    const copy = openTables(backup);
    try {
      addFrames(copy, waiting, before2);
    } finally {
      await copy.root.close();
    }
    rmSync2(join7(backup, lockFile), { force: true });
  } finally {
    letJournalGo(folder);
  }
}
function addFrames(copy, waiting, before2) {
  const folded = readFolded(copy);
  const inbox = new Set(Array.from(copy.inbox.getKeys({}), keyToSequence));
  const numbers = /* @__PURE__ */ new Set([...inbox, ...waiting.map(({ sequence }) => sequence)]);
  if (before2.some((sequence) => sequence > folded && !numbers.has(sequence))) {
    throw new ServiceError("storage", "The store was opened anew meanwhile: take the backup again");
  }
  const newest = before2.at(-1) ?? 0;
  let end = folded + 1;
  while (numbers.has(end) || end < newest) end++;
  const missing = waiting.filter(({ sequence }) => sequence > folded && !inbox.has(sequence));
  const names = new WaitingNames(copy, newest);
  const last = names.take(missing, Math.max(end - 1, newest));
  copy.root.transactionSync(() => {
    copy.meta.put(foldedKey, packSequence(folded));
    names.put(last);
    for (const { sequence, frame } of missing) {
      if (sequence > last) continue;
      copy.inbox.put(sequenceKey(sequence), names.known(sequence, frame).bytes);
    }
  });
}
var WaitingNames = class {
  copy;
  newest;
  /** Loaded where any wait. */
  catalogue = new Catalogue();
  publishing = null;
  constructor(copy, newest) {
    this.copy = copy;
    this.newest = newest;
  }
  /**
   * Takes those of the records up to `last`; gives the last that can be had with its names. Those
   * that were there before the snapshot can, unless something is damaged.
   */
  take(records, last) {
    const published = readPublished(this.copy);
    for (const { sequence, names } of records) {
      if (names === null || sequence <= published || sequence > last) continue;
      const isTaken = this.load().recover(decodeNames(sequence, names), 0);
      if (!isTaken && sequence > this.newest) return sequence - 1;
    }
    return last;
  }
  /** To be called inside a transaction. */
  put(sequence) {
    this.publishing?.put(sequence);
  }
  /** The frame without samples whose names were damaged. */
  known(sequence, frame) {
    if (this.publishing === null) return frame;
    const { seriesCount } = this.catalogue;
    return keepKnown(frame, sequence, (series) => series < seriesCount);
  }
  load() {
    if (this.publishing !== null) return this.publishing;
    loadCatalogue(this.copy, this.catalogue);
    const publishing = new Publishing(this.copy, this.catalogue);
    publishing.begin();
    return this.publishing = publishing;
  }
};
function writeManifest(backup) {
  const path = join7(backup, dataFile);
  syncPath(path);
  const bytes = statSync4(path).size;
  const manifest = { formatVersion, bytes, checksum: fileChecksum(path) };
  const manifestPath = join7(backup, manifestFile);
  writeFileSync3(manifestPath, `${JSON.stringify(manifest)}
`, { mode: 384 });
  syncPath(manifestPath);
  syncPath(backup);
  return bytes;
}
function refuseDamage(folder, problems) {
  if (problems.length === 0) return;
  const advice = `run \`tidegauge repair --data ${folder}\` first`;
  throw new ServiceError("storage", [`The store is damaged: ${problems[0]}`, advice]);
}

// src/store/lmdb/read-ahead.ts
import { open as open2 } from "node:fs/promises";
import { join as join8 } from "node:path";
var pieceBytes2 = 1024 * 1024;
async function* readAheadLmdb(folder, bytesMax) {
  const file = await open2(join8(folder, dataFile), "r");
  try {
    const { size } = await file.stat();
    const piece = Buffer.allocUnsafe(pieceBytes2);
    for (let at = Math.max(0, size - bytesMax); at < size; ) {
      const { bytesRead } = await file.read(piece, 0, pieceBytes2, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield bytesRead;
    }
  } finally {
    await file.close();
  }
}

// src/codec/scratch.ts
var FloatScratch = class {
  array = new Float64Array(1024);
  /** At least `length` numbers of undefined content. */
  take(length) {
    if (this.array.length < length) this.array = new Float64Array(length * 2);
    return this.array;
  }
};
var IntegerScratch = class {
  array = new Int32Array(1024);
  /** At least `length` numbers of undefined content. */
  take(length) {
    if (this.array.length < length) this.array = new Int32Array(length * 2);
    return this.array;
  }
};

// src/rollup/select-few.ts
var fewMax = 8064;
var bucketsMax = 1024;
var keptMax = 192;
var ranksMax = 16;
function makeTables() {
  const all2 = new Float64Array(fewMax);
  const places3 = new Uint16Array(fewMax);
  const ends2 = new Int32Array(bucketsMax);
  const wanted2 = new Uint8Array(bucketsMax);
  const keptAt2 = new Int32Array(fewMax);
  function countBuckets3(count, low, factor, top) {
    ends2.fill(0, 0, top + 1);
    for (let i = 0; i < count; i++) {
      const position = (all2[i] - low) * factor;
      const place = position > 0 ? position < top ? position | 0 : top : 0;
      places3[i] = place;
      ends2[place] = ends2[place] + 1;
    }
  }
  function keepWanted2(count) {
    let kept2 = 0;
    for (let i = 0; i < count; i++) {
      keptAt2[kept2] = i;
      kept2 += wanted2[places3[i]];
    }
    return kept2;
  }
  return { all: all2, ends: ends2, wanted: wanted2, keptAt: keptAt2, countBuckets: countBuckets3, keepWanted: keepWanted2 };
}
var { all, ends, wanted, keptAt, countBuckets, keepWanted } = makeTables();
var kept = new Float64Array(keptMax);
var keptRanks = new Int32Array(ranksMax);
function selectFew(values, count, ranks, out, { low, high }) {
  const top = Math.min(bucketsMax, 1 << 31 - Math.clz32(count)) - 1;
  const factor = top / (high - low);
  if (!(factor > 0 && factor < Infinity) || ranks.length > ranksMax) return false;
  all.set(count === values.length ? values : values.subarray(0, count));
  countBuckets(count, low, factor, top);
  if (markWanted(count, ranks) > keptMax) return false;
  const size = keepWanted(count);
  for (let k = 0; k < size; k++) kept[k] = all[keptAt[k]];
  sortFew(kept, 0, size);
  for (let r = 0; r < ranks.length; r++) out[r] = kept[keptRanks[r]];
  return true;
}
function markWanted(count, ranks) {
  wanted.fill(0);
  let start = 0;
  let size = 0;
  let r = 0;
  for (let bucket = 0; r < ranks.length && start < count; bucket++) {
    const end = start + ends[bucket];
    if (ranks[r] < end) {
      wanted[bucket] = 1;
      for (; r < ranks.length && ranks[r] < end; r++) keptRanks[r] = ranks[r] - start + size;
      size += end - start;
    }
    start = end;
  }
  return size;
}
function sortFew(values, from2, to) {
  for (let i = from2 + 1; i < to; i++) {
    const value = values[i];
    let at = i;
    while (at > from2 && values[at - 1] > value) {
      values[at] = values[at - 1];
      at--;
    }
    values[at] = value;
  }
}

// src/rollup/select.ts
var bucketsMax2 = 1024;
var sortMax = 40;
var depthMax = 4;
var keptMax2 = 96;
var sampledMin = 512;
var sampleSize = 64;
var SelectScratch = class {
  /** Where in the buckets of one depth each value lies; not needed once it is dealt. */
  places = new Uint16Array(0);
  levels = [];
  reserve(count, rankCount) {
    const level = this.levels[0];
    if (level && level.values.length >= count && level.keptRanks.length >= rankCount) return;
    this.places = new Uint16Array(count * 2);
    for (let depth = 0; depth < depthMax; depth++) {
      this.levels[depth] = new Level(count * 2, rankCount * 2);
    }
  }
};
var Level = class {
  values;
  ends = new Int32Array(bucketsMax2);
  wanted = new Uint8Array(bucketsMax2);
  keptRanks;
  constructor(length, rankCount) {
    this.values = new Float64Array(length);
    this.keptRanks = new Int32Array(rankCount);
  }
};
function selectRanks(values, count, ranks, out, scratch6) {
  if (count > sortMax && count <= fewMax) {
    findRange(values, 0, count);
    if (selectFew(values, count, ranks, out, { low: range2[0], high: range2[1] })) return;
  }
  scratch6.reserve(count, ranks.length);
  if (count > sortMax) {
    select(
      { values, from: 0, to: count, first: 0, last: ranks.length, depth: 0 },
      ranks,
      out,
      scratch6
    );
    return;
  }
  const sorted = scratch6.levels[0].values;
  for (let i = 0; i < count; i++) sorted[i] = values[i];
  sortFew(sorted, 0, count);
  for (let r = 0; r < ranks.length; r++) out[r] = sorted[ranks[r]];
}
function select(part, ranks, out, scratch6) {
  const { values, from: from2, to, first, last, depth } = part;
  const level = scratch6.levels[depth];
  const buckets = countBuckets2(values, from2, to, level, scratch6.places);
  if (buckets === 0) {
    out.fill(values[from2], first, last);
    return;
  }
  if (buckets === 1) {
    level.values.set(values.subarray(from2, to), from2);
    level.values.subarray(from2, to).sort();
    for (let r = first; r < last; r++) out[r] = level.values[ranks[r]];
    return;
  }
  const wantedCount = markWanted2(part, ranks, level);
  if (wantedCount <= keptMax2) {
    sortWanted(part, level, scratch6.places);
    for (let r = first; r < last; r++) out[r] = level.values[from2 + level.keptRanks[r - first]];
    return;
  }
  deal(part, level, scratch6.places);
  selectInBuckets(part, level, ranks, out, scratch6);
}
function selectInBuckets({ from: from2, first, last, depth }, level, ranks, out, scratch6) {
  const { values, ends: ends2 } = level;
  let bucket = 0;
  for (let r = first; r < last; ) {
    while (ends2[bucket] <= ranks[r]) bucket++;
    const end = ends2[bucket];
    let next = r + 1;
    while (next < last && ranks[next] < end) next++;
    const start = bucket === 0 ? from2 : ends2[bucket - 1];
    if (end - start <= sortMax || depth + 1 === depthMax) {
      sortRange(values, start, end);
      for (let s = r; s < next; s++) out[s] = values[ranks[s]];
    } else {
      const inner = { values, from: start, to: end, first: r, last: next, depth: depth + 1 };
      select(inner, ranks, out, scratch6);
    }
    r = next;
  }
}
function markWanted2({ from: from2, to, first, last }, ranks, level) {
  const { ends: ends2, wanted: wanted2, keptRanks: keptRanks2 } = level;
  let start = from2;
  let kept2 = 0;
  let r = first;
  for (let bucket = 0; start < to; bucket++) {
    const size = ends2[bucket];
    ends2[bucket] = start;
    const isWanted = r < last && ranks[r] < start + size;
    wanted2[bucket] = isWanted ? 1 : 0;
    for (; r < last && ranks[r] < start + size; r++)
      keptRanks2[r - first] = ranks[r] - start + kept2;
    if (isWanted) kept2 += size;
    start += size;
  }
  return kept2;
}
function sortWanted({ values, from: from2, to }, level, places3) {
  const { wanted: wanted2, values: kept2 } = level;
  let next = from2;
  for (let i = from2; i < to; i++) {
    kept2[next] = values[i];
    next += wanted2[places3[i]];
  }
  sortFew(kept2, from2, next);
}
function deal({ values, from: from2, to }, level, places3) {
  const { ends: ends2, values: dealt } = level;
  for (let i = from2; i < to; i++) {
    const place = places3[i];
    const at = ends2[place];
    dealt[at] = values[i];
    ends2[place] = at + 1;
  }
}
var range2 = new Float64Array(2);
function countBuckets2(values, from2, to, { ends: ends2 }, places3) {
  const count = to - from2;
  findRange(values, from2, to);
  if (range2[0] === range2[1]) return 0;
  const least = range2[0];
  const buckets = Math.min(bucketsMax2, 1 << 31 - Math.clz32(count));
  const factor = (buckets - 1) / (range2[1] - least);
  if (!(factor > 0) || factor === Infinity) return 1;
  const top = buckets - 1;
  ends2.fill(0);
  for (let i = from2; i < to; i++) {
    const position = (values[i] - least) * factor;
    const place = position > 0 ? position < top ? position | 0 : top : 0;
    places3[i] = place;
    ends2[place] = ends2[place] + 1;
  }
  return buckets;
}
function findRange(values, from2, to) {
  if (to - from2 < sampledMin || !sampleRange(values, from2, to)) fullRange(values, from2, to);
}
function fullRange(values, from2, to) {
  let min = values[from2];
  let max = min;
  for (let i = from2 + 1; i < to; i++) {
    const value = values[i];
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  range2[0] = min;
  range2[1] = max;
}
var sample = new Float64Array(sampleSize);
function sampleRange(values, from2, to) {
  const step = Math.floor((to - from2) / sampleSize);
  for (let s = 0; s < sampleSize; s++) sample[s] = values[from2 + s * step];
  sortFew(sample, 0, sampleSize);
  range2[0] = sample[1];
  range2[1] = sample[sampleSize - 2];
  return range2[0] < range2[1];
}
function sortRange(values, from2, to) {
  if (to - from2 <= sortMax) sortFew(values, from2, to);
  else values.subarray(from2, to).sort();
}

// src/rollup/statistics.ts
var percentiles = Float64Array.of(0.05, 0.25, 0.5, 0.75, 0.95);
var StatisticsScratch = class {
  select = new SelectScratch();
  ranks = new Int32Array(2 * percentiles.length);
  found = new Float64Array(2 * percentiles.length);
  values = new FloatScratch();
};
function statisticsOf(values, count, scratch6) {
  assert(count > 0, "Expected a population");
  let min = values[0];
  let max = min;
  for (let i = 1; i < count; i++) {
    const value = values[i];
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  const { ranks, found } = scratch6;
  rankPercentiles(count, ranks);
  selectRanks(values, count, ranks, found, scratch6.select);
  momentsOf(values, 0, count);
  return statisticsFrom({ count, min, max, ...moments }, found);
}
function rankPercentiles(count, ranks) {
  for (let at = 0; at < percentiles.length; at++) {
    const below = Math.floor((count + 1) * percentiles[at]);
    ranks[2 * at] = clamp(below - 1, 0, count - 1);
    ranks[2 * at + 1] = clamp(below, 0, count - 1);
  }
}
function statisticsFrom(totals, found) {
  const { count, min, max, sum, m2 } = totals;
  const at = (index) => {
    const position = (count + 1) * percentiles[index];
    return between(found[2 * index], found[2 * index + 1], position - Math.floor(position));
  };
  return {
    avg: averageBetween(sum, count, min, max),
    min,
    median: at(2),
    max,
    percentile5: at(0),
    percentile25: at(1),
    percentile75: at(3),
    percentile95: at(4),
    count,
    sum,
    stddev: stddevOf(m2, count)
  };
}
function stddevOf(m2, count) {
  return count > 1 ? Math.sqrt(m2 / (count - 1)) : 0;
}
function averageBetween(sum, count, min, max) {
  return clamp(averageOf(sum, count), min, max);
}
function between(low, high, fraction) {
  if (fraction === 0 || low === high) return low;
  const value = low * (1 - fraction) + high * fraction;
  return clamp(value, low, high);
}
function clamp(value, least, most) {
  return value < least ? least : value > most ? most : value;
}

// src/codec/bits.ts
var packedWidthMax = 24;
var bytesNearMax = 1073741823 / 8;
function bitLength(value) {
  return value < 4294967296 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / 4294967296);
}
function packedSize(count, width) {
  return count * width + 7 >>> 3;
}
function packBits(writer, fields4, count, width) {
  writer.reserve(packedSize(count, width) + 4);
  const view = writer.view;
  let at = writer.position;
  let word = 0;
  let filled = 0;
  for (let i = 0; i < count; i++) {
    const field = fields4[i];
    word |= field << filled;
    filled += width;
    if (filled >= 32) {
      view.setInt32(at, word, true);
      at += 4;
      filled -= 32;
      word = filled > 0 ? field >>> width - filled : 0;
    }
  }
  if (filled > 0) view.setInt32(at, word, true);
  writer.position += packedSize(count, width);
}
var tailBytes = new Uint8Array(64 * 8 + 8);
var tailView = new DataView(tailBytes.buffer);
function unpackBits(reader, count, width, base, out, at) {
  const size = packedSize(count, width);
  reader.require(size);
  const start = reader.position;
  reader.position = start + size;
  if (start + size + 4 <= reader.view.byteLength) {
    unpackWords(reader.view, start, count, width, base, out, at);
    return;
  }
  tailBytes.set(reader.bytes.subarray(start, start + size));
  unpackWords(tailView, 0, count, width, base, out, at);
}
function unpackSums(reader, count, width, { base, sum: before2 }, out, at) {
  const size = packedSize(count, width);
  let sum = before2;
  if (reader.position + size + 4 > reader.view.byteLength || reader.position > bytesNearMax) {
    unpackBits(reader, count, width, base, out, at);
    return addUp(out, at, at + count, sum);
  }
  reader.require(size);
  const { view } = reader;
  const mask = (1 << width) - 1;
  let bit = reader.position * 8 | 0;
  for (let i = 0; i < count; i++) {
    sum += base + (view.getInt32(bit >>> 3, true) >>> (bit & 7) & mask);
    out[at + i] = sum;
    bit = bit + width | 0;
  }
  reader.position += size;
  return sum;
}
function addUp(out, from2, to, sum) {
  let total = sum;
  for (let i = from2; i < to; i++) {
    total += out[i];
    out[i] = total;
  }
  return total;
}
function unpackWords(view, start, count, width, base, out, at) {
  const mask = (1 << width) - 1;
  let bit = start * 8;
  if (start > bytesNearMax) {
    unpackFar(view, start, count, width, base, out, at);
    return;
  }
  bit |= 0;
  for (let i = 0; i < count; i++) {
    out[at + i] = base + (view.getInt32(bit >>> 3, true) >>> (bit & 7) & mask);
    bit = bit + width | 0;
  }
}
function unpackFar(view, start, count, width, base, out, at) {
  const mask = (1 << width) - 1;
  for (let i = 0; i < count; i++) {
    const bit = i * width;
    out[at + i] = base + (view.getInt32(start + (bit >>> 3), true) >>> (bit & 7) & mask);
  }
}

// src/codec/integer-group.ts
var groupSize = 64;
var widthMax = 53;
var widthRaw = 64;
var powersOfTwo = Float64Array.from({ length: widthRaw + 1 }, (_, k) => 2 ** k);
var outlierBit = 128;
var outlierWidthMin = 6;
var outlierGroupMin = 16;
var outlierCountMax = 12;
var plan = { base: NaN, width: 0, outliers: false, size: 0 };
var GroupPlans = class {
  bases = new Float64Array(64);
  /** Width of each group, with `outlierBit`. */
  heads = new Uint8Array(64);
  reserve(groupCount) {
    if (this.heads.length >= groupCount) return;
    this.bases = new Float64Array(groupCount * 2);
    this.heads = new Uint8Array(groupCount * 2);
  }
};
function planGroups(values, count, plans) {
  plans.reserve(Math.ceil(count / groupSize));
  let size = 0;
  for (let from2 = 0, group = 0; from2 < count; from2 += groupSize, group++) {
    planGroup(values, from2, Math.min(from2 + groupSize, count));
    plans.bases[group] = plan.base;
    plans.heads[group] = plan.outliers ? plan.width | outlierBit : plan.width;
    size += plan.size;
  }
  return size;
}
function writeGroups(writer, values, count, plans) {
  for (let from2 = 0, group = 0; from2 < count; from2 += groupSize, group++) {
    const to = Math.min(from2 + groupSize, count);
    writeGroup(writer, values, from2, to, plans.heads[group], plans.bases[group]);
  }
}
function planGroup(values, from2, to) {
  let min = values[from2];
  let max = min;
  for (let i = from2 + 1; i < to; i++) {
    const value = values[i];
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  const count = to - from2;
  plan.base = min;
  plan.outliers = false;
  if (max - min > Number.MAX_SAFE_INTEGER) {
    plan.width = widthRaw;
    plan.size = 1 + count * 8;
    return;
  }
  plan.width = bitLength(max - min);
  plan.size = 1 + zigzagSize(min) + packedSize(count, plan.width);
  if (plan.width < outlierWidthMin || count < outlierGroupMin) return;
  const pivot = middleOfFive(values, from2, count);
  if (countBeyond(values, from2, to, pivot, (max - min) / 8) <= outlierCountMax) {
    planOutliers(values, from2, to, pivot);
  }
}
function countBeyond(values, from2, to, pivot, reach2) {
  const low = pivot - reach2;
  const high = pivot + reach2;
  let count = 0;
  for (let i = from2; i < to; i++) {
    const value = values[i];
    count += value < low || value > high ? 1 : 0;
  }
  return count;
}
var lengths = new Int32Array(64);
function planOutliers(values, from2, to, pivot) {
  const count = to - from2;
  lengths.fill(0, 0, plan.width + 1);
  for (let i = from2; i < to; i++) {
    const distance = values[i] - pivot;
    const index = bitLength(distance < 0 ? -distance : distance);
    lengths[index] = lengths[index] + 1;
  }
  let bestLength = -1;
  let bestSize = plan.size - 3;
  let outside = 0;
  for (let length = plan.width; length > 0; length--) {
    const here = lengths[length];
    if (here === 0) continue;
    const size = 3 + packedSize(count, length + 1) + outside;
    if (outside > 0 && size < bestSize) {
      bestSize = size;
      bestLength = length;
    }
    outside += here * (2 + (length / 7 | 0));
  }
  if (lengths[0] > 0 && outside > 0 && 3 + outside < bestSize) bestLength = 0;
  if (bestLength >= 0) planWindow(values, from2, to, pivot, bestLength);
}
function planWindow(values, from2, to, pivot, length) {
  const reach2 = powersOfTwo[length];
  let min = pivot;
  let max = pivot;
  for (let i = from2; i < to; i++) {
    const value = values[i];
    const distance = value < pivot ? pivot - value : value - pivot;
    if (distance >= reach2) continue;
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  const width = bitLength(max - min);
  const span = powersOfTwo[width];
  let size = 2 + zigzagSize(min) + packedSize(to - from2, width);
  for (let i = from2; i < to; i++) {
    const offset = values[i] - min;
    if (offset < 0 || offset >= span) size += 1 + zigzagSize(offset);
  }
  if (size >= plan.size) return;
  plan.base = min;
  plan.width = width;
  plan.size = size;
  plan.outliers = true;
}
function middleOfFive(values, from2, count) {
  const second = values[from2 + (count >> 2)];
  const fourth = values[from2 + (count * 3 >> 2)];
  const last = values[from2 + count - 1];
  return middleOf(values[from2], second, values[from2 + (count >> 1)], fourth, last);
}
function middleOf(a, b, c, d, e) {
  const low = Math.max(Math.min(a, b), Math.min(d, e));
  const high = Math.min(Math.max(a, b), Math.max(d, e));
  return Math.max(Math.min(low, high), Math.min(c, Math.max(low, high)));
}
var fields = new Int32Array(groupSize);
var offsets = new Float64Array(groupSize);
function writeGroup(writer, values, from2, to, head3, base) {
  const width = head3 & ~outlierBit;
  writer.u8(head3);
  if (width === widthRaw) {
    for (let i = from2; i < to; i++) writer.f64(values[i]);
    return;
  }
  writer.zigzag(base);
  const count = to - from2;
  const span = powersOfTwo[width];
  for (let i = 0; i < count; i++) {
    const offset = values[from2 + i] - base;
    offsets[i] = offset < 0 || offset >= span ? 0 : offset;
  }
  if (width > 0) writeOffsets(writer, count, width);
  if (head3 & outlierBit) writeOutliers(writer, values, from2, to, base, span);
}
function writeOffsets(writer, count, width) {
  if (width <= packedWidthMax) {
    for (let i = 0; i < count; i++) fields[i] = offsets[i];
    packBits(writer, fields, count, width);
    return;
  }
  const lowBits = width <= 40 ? 16 : 32;
  const factor = 2 ** lowBits;
  for (let i = 0; i < count; i++) {
    const high = Math.floor(offsets[i] / factor);
    fields[i] = high;
    const low = offsets[i] - high * factor;
    if (lowBits === 16) writer.u16(low);
    else writer.u32(low);
  }
  packBits(writer, fields, count, width - lowBits);
}
function writeOutliers(writer, values, from2, to, base, span) {
  const at = writer.position;
  let count = 0;
  writer.u8(0);
  for (let i = from2; i < to; i++) {
    const offset = values[i] - base;
    if (offset >= 0 && offset < span) continue;
    writer.u8(i - from2);
    writer.zigzag(offset);
    count++;
  }
  writer.bytes[at] = count;
}
function readGroup(reader, out, at, count) {
  const head3 = reader.u8();
  const width = head3 & 127;
  if (width === widthRaw) {
    for (let i = 0; i < count; i++) out[at + i] = reader.f64();
    return;
  }
  if (width > widthMax) throw new CorruptError(`Expected a width up to 53 bits, got ${width}`);
  const base = reader.zigzag();
  if (width === 0) out.fill(base, at, at + count);
  else if (width <= packedWidthMax) unpackBits(reader, count, width, base, out, at);
  else readWide(reader, out, at, count, width, base);
  if (head3 & outlierBit) readOutliers(reader, out, at, count, base);
}
function readSums(reader, out, at, count, sum) {
  reader.require(1);
  const width = reader.bytes[reader.position];
  if (width === 0 || width > packedWidthMax) {
    readGroup(reader, out, at, count);
    return addUp(out, at, at + count, sum);
  }
  reader.position++;
  return unpackSums(reader, count, width, { base: reader.zigzag(), sum }, out, at);
}
function readWide(reader, out, at, count, width, base) {
  const lowBits = width <= 40 ? 16 : 32;
  const factor = 2 ** lowBits;
  const lowAt = reader.position;
  const lowSize = lowBits >>> 3;
  reader.require(count * lowSize);
  reader.position += count * lowSize;
  unpackBits(reader, count, width - lowBits, 0, out, at);
  const view = reader.view;
  for (let i = 0; i < count; i++) {
    const place = lowAt + i * lowSize;
    const low = lowBits === 16 ? view.getUint16(place, true) : view.getUint32(place, true);
    out[at + i] = base + (out[at + i] * factor + low);
  }
}
function readOutliers(reader, out, at, count, base) {
  for (let left = reader.u8(); left > 0; left--) {
    const place = reader.u8();
    if (place >= count) throw new CorruptError(`Expected a place below ${count}, got ${place}`);
    out[at + place] = base + reader.zigzag();
  }
}

// src/codec/integer-shape.ts
var plain = 0;
var delta = 1;
var deltaDelta = 2;
var constant = 3;
var steps = 4;
var divided = 5;

// src/codec/narrow-group.ts
var narrowMax = 2 ** 26;
var plan2 = { width: 0, base: 0, outliers: false, size: 0 };
function planNarrowGroups(values, count, origin, plans) {
  plans.reserve(Math.ceil(count / groupSize));
  let size = 0;
  for (let from2 = 0, group = 0; from2 < count; from2 += groupSize, group++) {
    const to = from2 + groupSize < count ? from2 + groupSize : count;
    planGroup2(values, from2, to, origin);
    plans.bases[group] = plan2.base;
    plans.heads[group] = plan2.outliers ? plan2.width | outlierBit : plan2.width;
    size += plan2.size;
  }
  return size;
}
function writeNarrowGroups(writer, values, count, origin, plans) {
  for (let from2 = 0, group = 0; from2 < count; from2 += groupSize, group++) {
    const to = from2 + groupSize < count ? from2 + groupSize : count;
    const head3 = plans.heads[group];
    const base = plans.bases[group] | 0;
    writer.u8(head3);
    writer.zigzag(origin + base);
    const width = head3 & ~outlierBit;
    if ((head3 & outlierBit) === 0) {
      for (let i = from2; i < to; i++) fields2[i - from2] = values[i] - base;
      writeFields(writer, to - from2, width);
    } else {
      const outliers = keepInside(values, from2, to, base, width);
      writeFields(writer, to - from2, width);
      writeOutliers2(writer, outliers);
    }
  }
}
function planGroup2(values, from2, to, origin) {
  let min = values[from2];
  let max = min;
  for (let i = from2 + 1; i < to; i++) {
    const below = values[i] - min | 0;
    min = min + (below & below >> 31) | 0;
    const above = values[i] - max | 0;
    max = max + (above & ~(above >> 31)) | 0;
  }
  const count = to - from2;
  const span = max - min | 0;
  const width = 32 - Math.clz32(span);
  plan2.base = min;
  plan2.width = width;
  plan2.outliers = false;
  plan2.size = 1 + zigzagSize(origin + min) + packedSize(count, width);
  if (width < outlierWidthMin || count < outlierGroupMin) return;
  const pivot = middleOfFive2(values, from2, count);
  if (countBeyond2(values, from2, to, pivot, span >> 3) <= outlierCountMax) {
    planOutliers2(values, from2, to, pivot, origin);
  }
}
function countBeyond2(values, from2, to, pivot, reach2) {
  let count = 0;
  for (let i = from2; i < to; i++) {
    const away = values[i] - pivot | 0;
    const sign = away >> 31;
    count += reach2 - ((away ^ sign) - sign) >>> 31;
  }
  return count;
}
var lengths2 = new Int32Array(32);
function planOutliers2(values, from2, to, pivot, origin) {
  const count = to - from2;
  const { width } = plan2;
  for (let length = 0; length <= width; length++) lengths2[length] = 0;
  for (let i = from2; i < to; i++) {
    const away = values[i] - pivot | 0;
    const sign = away >> 31;
    lengths2[32 - Math.clz32((away ^ sign) - sign)]++;
  }
  let bestLength = -1;
  let bestSize = plan2.size - 3;
  let outside = 0;
  for (let length = width; length > 0; length--) {
    const here = lengths2[length];
    if (here === 0) continue;
    const size = 3 + packedSize(count, length + 1) + outside;
    if (outside > 0 && size < bestSize) {
      bestSize = size;
      bestLength = length;
    }
    outside += here * (2 + (length / 7 | 0));
  }
  if (lengths2[0] > 0 && outside > 0 && 3 + outside < bestSize) bestLength = 0;
  if (bestLength >= 0) planWindow2(values, { from: from2, to, pivot, origin, length: bestLength });
}
function planWindow2(values, which) {
  const { from: from2, to, pivot, origin } = which;
  const reach2 = 1 << which.length;
  let min = pivot;
  let max = pivot;
  for (let i = from2; i < to; i++) {
    const value = values[i];
    if (value - pivot >= reach2 || pivot - value >= reach2) continue;
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  const width = 32 - Math.clz32(max - min);
  const span = 1 << width;
  let size = 2 + zigzagSize(origin + min) + packedSize(to - from2, width);
  for (let i = from2; i < to; i++) {
    const offset = values[i] - min;
    if (offset < 0 || offset >= span) size += 1 + zigzagSize(offset);
  }
  if (size >= plan2.size) return;
  plan2.base = min;
  plan2.width = width;
  plan2.size = size;
  plan2.outliers = true;
}
function middleOfFive2(values, from2, count) {
  const second = values[from2 + (count >> 2)];
  const fourth = values[from2 + (count * 3 >> 2)];
  const last = values[from2 + count - 1];
  return middleOf(values[from2], second, values[from2 + (count >> 1)], fourth, last);
}
var fields2 = new Int32Array(groupSize);
var highs = new Int32Array(groupSize);
var places = new Int32Array(groupSize);
var offsets2 = new Int32Array(groupSize);
function keepInside(values, from2, to, base, width) {
  const span = 1 << width;
  let outside = 0;
  for (let i = from2; i < to; i++) {
    const offset = values[i] - base | 0;
    const isInside = offset >= 0 && offset < span;
    fields2[i - from2] = isInside ? offset : 0;
    if (isInside) continue;
    places[outside] = i - from2;
    offsets2[outside++] = offset;
  }
  return outside;
}
function writeFields(writer, count, width) {
  if (width === 0) return;
  if (width <= packedWidthMax) {
    packBits(writer, fields2, count, width);
    return;
  }
  for (let i = 0; i < count; i++) {
    highs[i] = fields2[i] >>> 16;
    writer.u16(fields2[i] & 65535);
  }
  packBits(writer, highs, count, width - 16);
}
function writeOutliers2(writer, count) {
  writer.u8(count);
  for (let i = 0; i < count; i++) {
    writer.u8(places[i]);
    writer.zigzag(offsets2[i]);
  }
}

// src/codec/narrow-stream.ts
var originMax = 2 ** 50;
var distanceScratch = new IntegerScratch();
var deltaScratch = new IntegerScratch();
var deltaDeltaScratch = new IntegerScratch();
var plainPlans = new GroupPlans();
var deltaPlans = new GroupPlans();
var deltaDeltaPlans = new GroupPlans();
function writeNarrow(writer, values, count, head3) {
  const first = values[0];
  if (!(first < originMax && first > -originMax)) return false;
  const distances = distanceScratch.take(count);
  for (let i = 0; i < count; i++) {
    const distance = values[i] - first;
    if (distance >= narrowMax || distance <= -narrowMax) return false;
    distances[i] = distance;
  }
  const divisor = commonDivisor(distances, count);
  if (!isWorthDividing(divisor, count)) {
    writeSmallest(writer, distances, count, { origin: first, head: head3, headBytes: null });
    return true;
  }
  for (let i = 0; i < count; i++) distances[i] = distances[i] / divisor | 0;
  const remainder = first % divisor;
  const origin = (first - remainder) / divisor;
  writeSmallest(writer, distances, count, { origin, head: head3, headBytes: { divisor, remainder } });
  return true;
}
function isWorthDividing(divisor, count) {
  return (bitLength(divisor) - 1) * count > 32;
}
function commonDivisor(distances, count) {
  let divisor = 0;
  for (let i = 1; i < count; i++) {
    let a = Math.abs(distances[i]);
    if (divisor > 0 && a % divisor === 0) continue;
    while (divisor !== 0) {
      const rest = a % divisor;
      a = divisor;
      divisor = rest;
    }
    divisor = a;
    if (divisor === 1) return 1;
  }
  return divisor;
}
function writeSmallest(writer, distances, count, { origin, head: head3, headBytes: headBytes2 }) {
  const plainSize = planNarrowGroups(distances, count, origin, plainPlans);
  const deltas = differences(distances, count, deltaScratch);
  const deltaSize = zigzagSize(origin) + planNarrowGroups(deltas, count - 1, 0, deltaPlans);
  let shape = deltaSize < plainSize ? delta : plain;
  let deltaDeltas = deltas;
  if (shape === delta) {
    deltaDeltas = differences(deltas, count - 1, deltaDeltaScratch);
    const size = zigzagSize(origin) + zigzagSize(deltas[0]);
    const groupsSize = planNarrowGroups(deltaDeltas, count - 2, 0, deltaDeltaPlans);
    if (size + groupsSize < deltaSize) shape = deltaDelta;
  }
  writer.u8(head3 | (headBytes2 === null ? shape : shape + divided));
  if (headBytes2 !== null) {
    writer.varint(headBytes2.divisor);
    writer.zigzag(headBytes2.remainder);
  }
  if (shape >= delta) writer.zigzag(origin);
  if (shape === deltaDelta) writer.zigzag(deltas[0]);
  if (shape === plain) writeNarrowGroups(writer, distances, count, origin, plainPlans);
  else if (shape === delta) writeNarrowGroups(writer, deltas, count - 1, 0, deltaPlans);
  else writeNarrowGroups(writer, deltaDeltas, count - 2, 0, deltaDeltaPlans);
}
function differences(values, count, scratch6) {
  const out = scratch6.take(count);
  for (let i = 1; i < count; i++) out[i - 1] = values[i] - values[i - 1];
  return out;
}

// src/codec/integer-stream.ts
var tagMax = 31;
var spanMax = 2 ** 51;
var quotientScratch = new FloatScratch();
var deltaScratch2 = new FloatScratch();
var deltaDeltaScratch2 = new FloatScratch();
var plainPlans2 = new GroupPlans();
var deltaPlans2 = new GroupPlans();
var deltaDeltaPlans2 = new GroupPlans();
function encodeIntegers(writer, values, count, tag = 0) {
  if (count === 0) return;
  assert(tag >= 0 && tag <= tagMax, "Expected a tag of five bits");
  const head3 = tag << 3;
  if (writeSteps(writer, values, count, head3)) return;
  if (writeNarrow(writer, values, count, head3)) return;
  writeWide(writer, values, count, head3);
}
function writeWide(writer, values, count, head3) {
  if (!differencesAreSafe(values, count)) {
    writer.u8(head3 | plain);
    planGroups(values, count, plainPlans2);
    writeGroups(writer, values, count, plainPlans2);
    return;
  }
  const divisor = commonDivisor2(values, count);
  if (!isWorthDividing(divisor, count)) {
    writeSmallest2(writer, values, count, { head: head3, divisor: 1, remainder: 0 });
    return;
  }
  const remainder = values[0] % divisor;
  const quotients2 = quotientScratch.take(count);
  for (let i = 0; i < count; i++) quotients2[i] = (values[i] - remainder) / divisor;
  writeSmallest2(writer, quotients2, count, { head: head3, divisor, remainder });
}
function decodeIntegers(reader, out, at, count) {
  if (count === 0) return 0;
  const head3 = reader.u8();
  const shape = head3 & 7;
  if (shape === constant) {
    out.fill(reader.zigzag(), at, at + count);
  } else if (shape === steps) {
    readSteps(reader, out, at, count);
  } else if (shape < divided) {
    readShape(reader, out, at, count, shape);
  } else {
    const divisor = reader.varint();
    const remainder = reader.zigzag();
    readShape(reader, out, at, count, shape - divided);
    for (let i = at; i < at + count; i++) out[i] = out[i] * divisor + remainder;
  }
  return head3 >>> 3;
}
function writeSteps(writer, values, count, head3) {
  const first = values[0];
  const step = count > 1 ? values[1] - first : 0;
  if (!Number.isSafeInteger(values[count - 1] - first)) return false;
  for (let i = 2; i < count; i++) {
    if (values[i] - values[i - 1] !== step) return false;
  }
  writer.u8(head3 | (step === 0 ? constant : steps));
  writer.zigzag(first);
  if (step !== 0) writer.zigzag(step);
  return true;
}
function readSteps(reader, out, at, count) {
  const first = reader.zigzag();
  const step = reader.zigzag();
  for (let i = 0; i < count; i++) out[at + i] = first + i * step;
}
function differencesAreSafe(values, count) {
  let min = values[0];
  let max = min;
  for (let i = 1; i < count; i++) {
    const value = values[i];
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  return max - min < spanMax && max < spanMax && min > -spanMax;
}
function commonDivisor2(values, count) {
  const first = values[0];
  let divisor = 0;
  for (let i = 1; i < count; i++) {
    const value = values[i];
    const distance = value < first ? first - value : value - first;
    if (divisor > 0 && Math.round(distance / divisor) * divisor === distance) continue;
    let a = distance;
    while (divisor !== 0) {
      const rest = a - Math.floor(a / divisor) * divisor;
      a = divisor;
      divisor = rest < 0 ? rest + divisor : rest;
    }
    divisor = a;
    if (divisor === 1) return 1;
  }
  return divisor;
}
function writeSmallest2(writer, values, count, division) {
  const plainSize = planGroups(values, count, plainPlans2);
  const deltas = differences2(values, count, deltaScratch2);
  const deltaSize = zigzagSize(values[0]) + planGroups(deltas, count - 1, deltaPlans2);
  let shape = deltaSize < plainSize ? delta : plain;
  let deltaDeltas = deltas;
  if (shape === delta) {
    deltaDeltas = differences2(deltas, count - 1, deltaDeltaScratch2);
    const size = zigzagSize(values[0]) + zigzagSize(deltas[0]);
    if (size + planGroups(deltaDeltas, count - 2, deltaDeltaPlans2) < deltaSize) shape = deltaDelta;
  }
  const isDivided = division.divisor > 1;
  writer.u8(division.head | (isDivided ? shape + divided : shape));
  if (isDivided) {
    writer.varint(division.divisor);
    writer.zigzag(division.remainder);
  }
  if (shape >= delta) writer.zigzag(values[0]);
  if (shape === deltaDelta) writer.zigzag(deltas[0]);
  if (shape === plain) writeGroups(writer, values, count, plainPlans2);
  else if (shape === delta) writeGroups(writer, deltas, count - 1, deltaPlans2);
  else writeGroups(writer, deltaDeltas, count - 2, deltaDeltaPlans2);
}
function differences2(values, count, scratch6) {
  const out = scratch6.take(count);
  for (let i = 1; i < count; i++) out[i - 1] = values[i] - values[i - 1];
  return out;
}
function readShape(reader, out, at, count, shape) {
  let start = at;
  if (shape >= delta) out[start++] = reader.zigzag();
  if (shape === deltaDelta && count > 1) out[start++] = reader.zigzag();
  const end = at + count;
  let sum = shape === plain || start > end ? 0 : out[start - 1];
  for (let from2 = start; from2 < end; from2 += groupSize) {
    const size = Math.min(groupSize, end - from2);
    if (shape === plain) readGroup(reader, out, from2, size);
    else sum = readSums(reader, out, from2, size, sum);
  }
  if (shape === deltaDelta && count > 1) addUp(out, at + 1, end, out[at]);
}

// src/store/lmdb/plain-bytes.ts
function bytesOf(column, count) {
  return new Uint8Array(column.buffer, column.byteOffset, count * column.BYTES_PER_ELEMENT);
}
var OffsetScratch = class {
  array = new Uint32Array(1024);
  /** At least `length` numbers of undefined content, valid until the next call. */
  take(length) {
    if (this.array.length < length) this.array = new Uint32Array(length * 2);
    return this.array;
  }
};

// src/store/lmdb/bands-record.ts
var cycleBandsLength = seriesPerBlock * bandWidth;
var dayBandsLength = cyclesPerDay * bandWidth;
var presentNone = 0;
var presentAll = 1;
var presentMap = 2;
var mapBytes = cyclesPerDay / 8;
function packRecentBands(key, values) {
  let slots = seriesPerBlock;
  while (slots > 0 && !hasBand(values, slots - 1)) slots--;
  return encodeRecord(key, (writer) => {
    writer.varint(slots);
    writer.append(bytesOf(values, slots * bandWidth));
  });
}
function unpackRecentBands(key, bytes, out) {
  out.fill(NaN);
  const reader = openRecord(key, bytes);
  const count = readSlots(reader) * bandWidth;
  bytesOf(out, count).set(reader.take(4 * count));
}
function hasBand(values, slot) {
  for (let i = slot * bandWidth; i < (slot + 1) * bandWidth; i++) {
    if (!Number.isNaN(values[i])) return true;
  }
  return false;
}
function packDayRun(values, at) {
  run.reset();
  for (let column = 0; column < bandWidth; column++) {
    packDayColumn(values, at + column * cyclesPerDay);
  }
  return run.finish();
}
function packDayBands(key, runs2) {
  const lengths4 = Float64Array.from(runs2, ({ length }) => length);
  return encodeRecord(key, (writer) => {
    writer.varint(runs2.length);
    encodeIntegers(writer, lengths4, runs2.length);
    for (const bytes of runs2) writer.append(bytes);
  });
}
function openDayBands(key, bytes) {
  const reader = openRecord(key, bytes);
  const slots = readSlots(reader);
  const lengths4 = new Float64Array(slots);
  decodeIntegers(reader, lengths4, 0, slots);
  return Array.from(lengths4, (length) => new ByteReader(reader.take(length)));
}
function unpackDayRun(reader, out, at) {
  for (let column = 0; column < bandWidth; column++) {
    unpackDayColumn(reader, out, at + column * cyclesPerDay);
  }
}
var run = new ByteWriter(8 * 1024);
var integers = new Float64Array(cyclesPerDay);
var float = new Float32Array(1);
var bits = new Int32Array(float.buffer);
function packDayColumn(values, from2) {
  let count = 0;
  for (let i = from2; i < from2 + cyclesPerDay; i++) {
    if (!Number.isNaN(values[i])) integers[count++] = orderedBits(values[i]);
  }
  const kind = count === 0 ? presentNone : count === cyclesPerDay ? presentAll : presentMap;
  run.u8(kind);
  if (kind === presentMap) packMap(values, from2);
  encodeIntegers(run, integers, count);
}
function packMap(values, from2) {
  for (let first = 0; first < cyclesPerDay; first += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) {
      if (!Number.isNaN(values[from2 + first + bit])) byte |= 1 << bit;
    }
    run.u8(byte);
  }
}
function unpackDayColumn(reader, out, from2) {
  const kind = reader.u8();
  if (kind > presentMap) throw new CorruptError(`Expected a presence of 0 to 2, got ${kind}`);
  out.fill(NaN, from2, from2 + cyclesPerDay);
  if (kind === presentNone) return;
  const map2 = kind === presentMap ? reader.take(mapBytes) : null;
  const isThere = (cycle) => map2 === null || (map2[cycle >>> 3] >>> (cycle & 7) & 1) === 1;
  let count = 0;
  for (let cycle = 0; cycle < cyclesPerDay; cycle++) if (isThere(cycle)) count++;
  decodeIntegers(reader, integers, 0, count);
  let next = 0;
  for (let cycle = 0; cycle < cyclesPerDay; cycle++) {
    if (isThere(cycle)) out[from2 + cycle] = fromOrderedBits(integers[next++]);
  }
}
function orderedBits(value) {
  float[0] = value;
  const found = bits[0];
  return found < 0 ? -(found & 2147483647) : found;
}
function fromOrderedBits(integer) {
  bits[0] = Math.abs(integer);
  return integer < 0 ? -float[0] : float[0];
}
function readSlots(reader) {
  const slots = reader.varint();
  if (slots > seriesPerBlock) throw new CorruptError(`Expected at most 256 slots, got ${slots}`);
  return slots;
}

// src/store/lmdb/bands.ts
var BandScratch = class {
  cycle = new Float32Array(cycleBandsLength);
  /** Column by column, each of 288 cycles. */
  day = new Float32Array(dayBandsLength);
};
function readRecentBands(tables, cycle, block, out) {
  const key = periodKey(cycle, block);
  const bytes = tables.recentBands.view(key);
  if (bytes === void 0) {
    out.fill(NaN);
    return false;
  }
  unpackRecentBands(key, bytes, out);
  return true;
}
function readCycleBands(tables, where, out, scratch6) {
  const { cycle, block } = where;
  const isRecent = readRecentBands(tables, cycle, block, out);
  const day = Math.floor(cycle / cyclesPerDay);
  const key = periodKey(day, block);
  const bytes = tables.bands.view(key);
  if (bytes === void 0) return isRecent;
  const at = cycle - day * cyclesPerDay;
  let found = isRecent;
  for (const [slot, reader] of openDayBands(key, bytes).entries()) {
    if (hasBand(out, slot)) continue;
    unpackDayRun(reader, scratch6.day, 0);
    for (let i = 0; i < bandWidth; i++) {
      out[slot * bandWidth + i] = scratch6.day[i * cyclesPerDay + at];
    }
    found ||= hasBand(out, slot);
  }
  return found;
}
function readSlotDay(tables, where, cycles, scratch6) {
  const { day, block, slot } = where;
  scratch6.day.fill(NaN);
  const key = periodKey(day, block);
  const sealed = tables.bands.view(key);
  const run2 = sealed === void 0 ? void 0 : openDayBands(key, sealed)[slot];
  if (run2 !== void 0) unpackDayRun(run2, scratch6.day, 0);
  let found = run2 !== void 0;
  if (!tables.openDays.doesExist(key)) return found;
  for (let at = cycles.from; at < cycles.to; at++) {
    if (!readRecentBands(tables, day * cyclesPerDay + at, block, scratch6.cycle)) continue;
    if (!hasBand(scratch6.cycle, slot)) continue;
    found = true;
    for (let i = 0; i < bandWidth; i++) {
      scratch6.day[i * cyclesPerDay + at] = scratch6.cycle[slot * bandWidth + i];
    }
  }
  return found;
}
function bandOfDay({ day }, cycleOfDay) {
  return Array.from({ length: bandWidth }, (_, i) => day[i * cyclesPerDay + cycleOfDay]);
}
function dayOfBands() {
  return new Float32Array(seriesPerBlock * dayBandsLength);
}

// src/rollup/counter.ts
var counterReachDays = 90;
function isCounterCell(cells2, at) {
  return cells2.definition[at] === definitionCounter && cells2.count[at] > 0;
}
function applyCounters(cells2, from2, to, previousLast) {
  let previous = previousLast;
  for (let at = from2; at < to; at++) {
    if (!(cells2.count[at] > 0)) continue;
    const isCounter = cells2.definition[at] === definitionCounter;
    if (isCounter && !Number.isNaN(previous)) applyCounter(cells2, at, previous);
    previous = cells2.last[at];
  }
}

// src/rollup/merge.ts
var mergedCellsMax = 4096;
var sums = new Float64Array(mergedCellsMax);
var counts = new Float64Array(mergedCellsMax);
function mergeCells(cells2, from2, to, out, at) {
  assert(to - from2 <= mergedCellsMax, "Expected fewer cells to merge");
  clearCells(out, at, at + 1);
  let present = false;
  let flags = 0;
  for (let i = from2; i < to; i++) {
    if (!isPresent(cells2, i)) continue;
    present = true;
    flags |= cells2.flags[i];
    if (out.definition[at] !== definitionCounter) out.definition[at] = cells2.definition[i];
  }
  if (!present) return false;
  mergeObservations(cells2, from2, to, out, at);
  out.flags[at] = flags & (out.count[at] === 0 ? flagFact : flagPartial);
  mergeActuals(cells2, from2, to, out, at);
  return true;
}
function mergeObservations(cells2, from2, to, out, at) {
  let count = 0;
  let m2 = 0;
  let filled = 0;
  let min = Infinity;
  let max = -Infinity;
  let first = 0;
  let last = 0;
  for (let i = from2; i < to; i++) {
    const n = cells2.count[i];
    if (!(n > 0)) continue;
    if (filled === 0) first = cells2.first[i];
    last = cells2.last[i];
    if (cells2.min[i] < min) min = cells2.min[i];
    if (cells2.max[i] > max) max = cells2.max[i];
    m2 += cells2.m2[i];
    count += n;
    counts[filled] = n;
    sums[filled++] = cells2.sum[i];
  }
  if (filled === 0) return;
  const scale = decimalScale(sums, 0, filled);
  const sum = scaledSum(sums, 0, filled, scale);
  const between3 = filled === 1 ? 0 : squaresBetween(filled, { sum, count, scale });
  out.count[at] = count;
  out.sum[at] = sum;
  out.min[at] = min;
  out.max[at] = max;
  out.first[at] = first;
  out.last[at] = last;
  out.m2[at] = filled === 1 ? m2 : settledSquares(m2 + between3, count);
}
function squaresBetween(filled, of) {
  const { sum, count, scale } = of;
  const power = scale < 0 ? 1 : powersOfTen[scale];
  const total = scale < 0 ? sum : Math.round(sum * power);
  let squares = 0;
  for (let i = 0; i < filled; i++) {
    const n = counts[i];
    const scaled = scale < 0 ? sums[i] : Math.round(sums[i] * power);
    const distance = (scaled * count - total * n) / count;
    squares += distance * distance / n;
  }
  return squares / (power * power);
}
function mergeActuals(cells2, from2, to, out, at) {
  let actuals = 0;
  let filled = 0;
  let alike = true;
  let first = -1;
  for (let i = from2; i < to; i++) {
    const n = cells2.actuals[i];
    if (!(n > 0)) {
      if (cells2.count[i] > 0) alike = false;
      continue;
    }
    if (first < 0) first = i;
    alike = alike && isAlike(cells2, first, i);
    actuals += n;
    sums[filled++] = finite(cells2.actual[i] * n);
  }
  out.actuals[at] = actuals;
  if (filled === 0) return;
  out.actual[at] = alike ? derivedActual(out, at) : averageOf(exactSum(sums, 0, filled), actuals);
}
function isAlike(cells2, first, at) {
  const definition = cells2.definition[at];
  if (definition !== cells2.definition[first]) return false;
  if (definition !== definitionAverage && definition !== definitionSum) return false;
  if (cells2.actual[at] !== derivedActual(cells2, at)) return false;
  return definition === definitionSum || cells2.count[at] * cells2.actuals[first] === cells2.count[first] * cells2.actuals[at];
}

// src/codec/xor-stream.ts
var groupSize2 = 64;
var partBits = 24;
var mapBit = 128;
var number = new Float64Array(1);
var halves = new Uint32Array(number.buffer);
var lows = new Int32Array(groupSize2);
var highs2 = new Int32Array(groupSize2);
var fields3 = new Int32Array(groupSize2);
var partValues = new Float64Array(groupSize2);
var map = new Uint8Array(groupSize2 / 8);
function encodeXor(writer, values, count) {
  if (count === 0) return;
  writer.f64(values[0]);
  for (let from2 = 1; from2 < count; from2 += groupSize2) {
    writeGroup2(writer, values, from2, Math.min(groupSize2, count - from2));
  }
}
function decodeXor(reader, out, at, count) {
  if (count === 0) return;
  out[at] = reader.f64();
  for (let from2 = 1; from2 < count; from2 += groupSize2) {
    readGroup2(reader, out, at + from2, Math.min(groupSize2, count - from2));
  }
}
function writeGroup2(writer, values, from2, count) {
  number[0] = values[from2 - 1];
  let low = halves[0];
  let high = halves[1];
  let lowUnion = 0;
  let highUnion = 0;
  let kept2 = 0;
  map.fill(0);
  for (let i = 0; i < count; i++) {
    number[0] = values[from2 + i];
    const lowBits = halves[0] ^ low;
    const highBits = halves[1] ^ high;
    low = halves[0];
    high = halves[1];
    lows[i] = lowBits;
    highs2[i] = highBits;
    lowUnion |= lowBits;
    highUnion |= highBits;
    if ((lowBits | highBits) === 0) continue;
    map[i >>> 3] = map[i >>> 3] | 1 << (i & 7);
    kept2++;
  }
  const shift = lowUnion !== 0 ? lowestBit(lowUnion) : highUnion !== 0 ? 32 + lowestBit(highUnion) : 0;
  const top = highUnion !== 0 ? 64 - Math.clz32(highUnion) : 32 - Math.clz32(lowUnion);
  const width = kept2 === 0 ? 0 : top - shift;
  const mapSize = count + 7 >>> 3;
  const mapped = packedSize(kept2, width) + mapSize < packedSize(count, width);
  writer.u8(shift);
  writer.u8(mapped ? width | mapBit : width);
  if (mapped) {
    writer.append(map.subarray(0, mapSize));
    dropZeros(count);
  }
  writeParts(writer, mapped ? kept2 : count, shift, width);
}
function dropZeros(count) {
  let kept2 = 0;
  for (let i = 0; i < count; i++) {
    if ((lows[i] | highs2[i]) === 0) continue;
    lows[kept2] = lows[i];
    highs2[kept2] = highs2[i];
    kept2++;
  }
}
function writeParts(writer, count, shift, width) {
  for (let done = 0; done < width; done += partBits) {
    const bits2 = Math.min(partBits, width - done);
    const mask = (1 << bits2) - 1;
    for (let i = 0; i < count; i++) fields3[i] = bitsFrom(lows[i], highs2[i], shift + done) & mask;
    packBits(writer, fields3, count, bits2);
  }
}
function bitsFrom(low, high, start) {
  if (start >= 32) return high >>> start - 32;
  return start === 0 ? low : low >>> start | high << 32 - start;
}
function lowestBit(bits2) {
  return 31 - Math.clz32(bits2 & -bits2);
}
function readGroup2(reader, out, at, count) {
  const shift = reader.u8();
  const head3 = reader.u8();
  const width = head3 & 127;
  if (shift + width > 64) {
    throw new CorruptError(`Expected at most 64 bits, got ${width} shifted by ${shift}`);
  }
  const kept2 = head3 & mapBit ? readMap(reader, count) : count;
  readParts(reader, kept2, shift, width);
  number[0] = out[at - 1];
  let low = halves[0];
  let high = halves[1];
  let next = 0;
  for (let i = 0; i < count; i++) {
    if (!(head3 & mapBit) || map[i >>> 3] >>> (i & 7) & 1) {
      low ^= lows[next];
      high ^= highs2[next];
      next++;
    }
    halves[0] = low;
    halves[1] = high;
    out[at + i] = number[0];
  }
}
function readMap(reader, count) {
  map.set(reader.take(count + 7 >>> 3));
  let kept2 = 0;
  for (let i = 0; i < count; i++) kept2 += map[i >>> 3] >>> (i & 7) & 1;
  return kept2;
}
function readParts(reader, count, shift, width) {
  lows.fill(0, 0, count);
  highs2.fill(0, 0, count);
  for (let done = 0; done < width; done += partBits) {
    unpackBits(reader, count, Math.min(partBits, width - done), 0, partValues, 0);
    const start = shift + done;
    for (let i = 0; i < count; i++) {
      const bits2 = partValues[i];
      if (start >= 32) {
        highs2[i] = highs2[i] | bits2 << start - 32;
      } else {
        lows[i] = lows[i] | bits2 << start;
        if (start > 32 - partBits) highs2[i] = highs2[i] | bits2 >>> 32 - start;
      }
    }
  }
}

// src/codec/value-stream.ts
var exceptionTag = scaleMax + 1;
var xorTag = 30;
var rawTag = 31;
var exceptionShift = 5;
function encodeValues(writer, values, count) {
  if (count === 0) return;
  let scale = 0;
  while (scale >= 0 && scale <= scaleMax) {
    const wanted2 = convert(values, count, scale);
    if (wanted2 === scale) {
      writeDecimals(writer, values, count, scale);
      return;
    }
    scale = wanted2;
  }
  writeDoubles(writer, values, count);
}
function encodePlainValues(writer, values, count) {
  if (count === 0) return;
  writer.u8(rawTag << 3);
  writer.reserve(count * 8);
  for (let i = 0; i < count; i++) writer.f64(values[i]);
}
function decodeValues(reader, out, at, count) {
  if (count === 0) return;
  reader.require(1);
  const tag = reader.bytes[reader.position] >>> 3;
  if (tag <= scaleMax + exceptionTag) {
    decodeIntegers(reader, out, at, count);
    if (tag % exceptionTag > 0) divide(out, at, count, powersOfTen[tag % exceptionTag]);
    if (tag >= exceptionTag) readExceptions(reader, out, at, count);
    return;
  }
  reader.position++;
  if (tag === xorTag) {
    decodeXor(reader, out, at, count);
  } else if (tag === rawTag) {
    reader.require(count * 8);
    for (let i = 0; i < count; i++) out[at + i] = reader.f64();
  } else {
    throw new CorruptError(`Expected the tag of a value stream, got ${tag}`);
  }
}
function decodeScaled(reader, out, at, count) {
  reader.require(1);
  const tag = reader.bytes[reader.position] >>> 3;
  return tag <= scaleMax ? decodeIntegers(reader, out, at, count) : -1;
}
function holdsOneValue(reader) {
  reader.require(1);
  const head3 = reader.bytes[reader.position];
  return head3 >>> 3 <= scaleMax && (head3 & 7) === constant;
}
function divide(out, at, count, power) {
  for (let i = at; i < at + count; i++) out[i] = out[i] / power;
}
var integerScratch = new FloatScratch();
var exceptionScratch = new FloatScratch();
var converted = {
  integers: new Float64Array(0),
  exceptions: new Float64Array(0),
  exceptionCount: 0
};
function convert(values, count, scale) {
  const integers2 = integerScratch.take(count);
  const exceptionsMax = count >>> exceptionShift;
  const exceptions = exceptionScratch.take(exceptionsMax + 1);
  const power = powersOfTen[scale];
  const limit = scale === 0 ? Number.MAX_SAFE_INTEGER : scaledMax;
  let exceptionCount = 0;
  let last = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i];
    const integer = Math.round(value * power);
    if (integer / power === value && integer <= limit && integer >= -limit && (integer !== 0 || !Object.is(value, -0))) {
      last = integer;
    } else {
      const wanted2 = decimalScaleOf(value, scale);
      if (wanted2 > scale) return wanted2;
      if (exceptionCount === exceptionsMax) return -1;
      exceptions[exceptionCount++] = i;
    }
    integers2[i] = last;
  }
  converted.integers = integers2;
  converted.exceptions = exceptions;
  converted.exceptionCount = exceptionCount;
  return scale;
}
function writeDecimals(writer, values, count, scale) {
  const { integers: integers2, exceptions, exceptionCount } = converted;
  encodeIntegers(writer, integers2, count, exceptionCount > 0 ? scale + exceptionTag : scale);
  if (exceptionCount > 0) writeExceptions(writer, values, exceptions, exceptionCount);
}
function writeExceptions(writer, values, places3, count) {
  writer.varint(count);
  let last = 0;
  for (let e = 0; e < count; e++) {
    const place = places3[e];
    writer.varint(place - last);
    writer.f64(values[place]);
    last = place;
  }
}
function readExceptions(reader, out, at, count) {
  let place = 0;
  for (let left = reader.varint(); left > 0; left--) {
    place += reader.varint();
    if (place >= count) throw new CorruptError(`Expected a place below ${count}, got ${place}`);
    out[at + place] = reader.f64();
  }
}
function writeDoubles(writer, values, count) {
  const start = writer.position;
  writer.u8(xorTag << 3);
  encodeXor(writer, values, count);
  if (writer.position - start <= 1 + count * 8) return;
  writer.position = start;
  encodePlainValues(writer, values, count);
}

// src/rollup/actual-codec.ts
var allDerived = 0;
var allStored = 1;
var mixed = 2;
var sourceBits = [
  columnBit("sum"),
  columnBit("sum"),
  columnBit("min"),
  columnBit("max"),
  columnBit("last"),
  0,
  0
];
var markScratch = new FloatScratch();
var valueScratch = new FloatScratch();
function encodeActual(writer, cells2, from2, to) {
  const marks = markScratch.take(to - from2);
  const values = valueScratch.take(to - from2);
  let count = 0;
  let stored = 0;
  let sources = 0;
  for (let i = from2; i < to; i++) {
    if (!hasActual(cells2, i)) continue;
    const actual = cells2.actual[i];
    const isDerived = Object.is(actual, derivedActual(cells2, i));
    marks[count++] = isDerived ? 0 : 1;
    if (isDerived) sources |= sourceBits[cells2.definition[i]] ?? 0;
    else values[stored++] = actual;
  }
  writer.u8(stored === 0 ? allDerived : stored === count ? allStored : mixed);
  if (stored > 0 && stored < count) encodeIntegers(writer, marks, count);
  encodeValues(writer, values, stored);
  return sources;
}
function decodeActual(reader, cells2, from2, to) {
  const form = reader.u8();
  if (form === allDerived) deriveAll(cells2, from2, to);
  else if (form === allStored || form === mixed) readStored(reader, cells2, from2, to, form);
  else throw new CorruptError(`Expected the form of an actual column, got ${form}`);
}
function isAllDerived(reader) {
  return reader.end - reader.position === 1 && reader.u8() === allDerived;
}
function deriveAll(cells2, from2, to) {
  const { actual, actuals, sum, count, definition } = cells2;
  for (let i = from2; i < to; i++) {
    if (!(actuals[i] > 0)) actual[i] = 0;
    else if (definition[i] === definitionAverage) actual[i] = averageOf(sum[i], count[i]);
    else actual[i] = derivedActual(cells2, i);
  }
}
function readStored(reader, cells2, from2, to, form) {
  let count = 0;
  for (let i = from2; i < to; i++) if (hasActual(cells2, i)) count++;
  const marks = markScratch.take(to - from2);
  if (form === mixed) decodeIntegers(reader, marks, 0, count);
  else marks.fill(1, 0, count);
  let stored = 0;
  for (let i = 0; i < count; i++) stored += marks[i] === 1 ? 1 : 0;
  const values = valueScratch.take(to - from2);
  decodeValues(reader, values, 0, stored);
  let nextMark = 0;
  let nextValue = 0;
  for (let i = from2; i < to; i++) {
    if (!hasActual(cells2, i)) cells2.actual[i] = 0;
    else cells2.actual[i] = marks[nextMark++] === 1 ? values[nextValue++] : derivedActual(cells2, i);
  }
}

// src/rollup/presence-codec.ts
var presentNone2 = 0;
var presentAll2 = 1;
var presentRuns = 2;
var presentMap2 = 3;
var flagsBit = 4;
var definitionBit = 8;
var actualsBit = 16;
var scratch = new FloatScratch();
var maskScratch = new FloatScratch();
var runs = new ByteWriter(256);
function countPresent(cells2, from2, to) {
  const counts3 = cells2.count;
  const flags = cells2.flags;
  let present = 0;
  for (let i = from2; i < to; i++) {
    present += counts3[i] > 0 || (flags[i] & flagFact) !== 0 ? 1 : 0;
  }
  return present;
}
function gatherPresent(column, cells2, from2, to, values) {
  let count = 0;
  for (let i = from2; i < to; i++) {
    if (isPresent(cells2, i)) values[count++] = column[i];
  }
  return count;
}
function spreadPresent(column, cells2, from2, to, count) {
  if (count === to - from2) return;
  let next = from2 + count;
  for (let i = to - 1; i >= from2; i--) column[i] = isPresent(cells2, i) ? column[--next] : 0;
}
function encodePresence(writer, cells2, from2, to) {
  const present = countPresent(cells2, from2, to);
  if (present === 0) {
    writer.u8(presentNone2);
    return;
  }
  const kind = present === to - from2 ? presentAll2 : smallerOfRunsAndMap(cells2, from2, to);
  const form = kind | (differs(cells2.flags, cells2, from2, to, 0) ? flagsBit : 0) | (differs(cells2.definition, cells2, from2, to, 0) ? definitionBit : 0) | (differs(cells2.actuals, cells2, from2, to, 1) ? actualsBit : 0);
  writer.u8(form);
  if (kind === presentRuns) writer.append(runs.bytes.subarray(0, runs.position));
  if (kind === presentMap2) writeMap(writer, cells2, from2, to);
  writeColumn(writer, cells2.count, cells2, from2, to);
  if (form & flagsBit) writeColumn(writer, cells2.flags, cells2, from2, to);
  if (form & definitionBit) writeColumn(writer, cells2.definition, cells2, from2, to);
  if (form & actualsBit) writeColumn(writer, cells2.actuals, cells2, from2, to);
}
function smallerOfRunsAndMap(cells2, from2, to) {
  writeRuns(cells2, from2, to);
  const mapSize = to - from2 + 7 >>> 3;
  return runs.position <= mapSize ? presentRuns : presentMap2;
}
function writeColumn(writer, column, cells2, from2, to) {
  const values = scratch.take(to - from2);
  encodeValues(writer, values, gatherPresent(column, cells2, from2, to, values));
}
function differs(column, cells2, from2, to, usual) {
  for (let i = from2; i < to; i++) {
    if (column[i] !== usual && isPresent(cells2, i)) return true;
  }
  return false;
}
function writeRuns(cells2, from2, to) {
  runs.reset();
  let present = false;
  let start = from2;
  for (let i = from2; i < to; i++) {
    if (isPresent(cells2, i) === present) continue;
    runs.varint(i - start);
    present = !present;
    start = i;
  }
  runs.varint(to - start);
}
function writeMap(writer, cells2, from2, to) {
  for (let i = from2; i < to; i += 8) {
    let bits2 = 0;
    for (let bit = 0; bit < 8 && i + bit < to; bit++) {
      if (isPresent(cells2, i + bit)) bits2 |= 1 << bit;
    }
    writer.u8(bits2);
  }
}
function decodePresence(reader, cells2, from2, to) {
  const form = reader.u8();
  if (form > 31) throw new CorruptError(`Expected the form of a count column, got ${form}`);
  const kind = form & 3;
  if (kind === presentNone2 && form !== presentNone2) {
    throw new CorruptError(`Expected no form beside absence, got ${form}`);
  }
  const mask = maskScratch.take(to - from2);
  const present = readMask(reader, kind, mask, to - from2);
  readColumn(reader, cells2.count, from2, to, mask, present);
  if (form & flagsBit) readColumn(reader, cells2.flags, from2, to, mask, present);
  else cells2.flags.fill(0, from2, to);
  if (form & definitionBit) readColumn(reader, cells2.definition, from2, to, mask, present);
  else cells2.definition.fill(0, from2, to);
  if (form & actualsBit) readColumn(reader, cells2.actuals, from2, to, mask, present);
  else cells2.actuals.set(mask.subarray(0, to - from2), from2);
}
function readUniformCount(reader, length) {
  if (reader.u8() !== presentAll2 || length === 0) return 0;
  const counts3 = scratch.take(1);
  if (!holdsOneValue(reader)) return 0;
  decodeValues(reader, counts3, 0, 1);
  return reader.position === reader.end && counts3[0] > 0 ? counts3[0] : 0;
}
function readMask(reader, kind, mask, length) {
  if (kind === presentRuns) return readRuns(reader, mask, length);
  if (kind === presentMap2) return readMap2(reader, mask, length);
  mask.fill(kind === presentAll2 ? 1 : 0, 0, length);
  return kind === presentAll2 ? length : 0;
}
function readRuns(reader, mask, length) {
  let at = 0;
  let value = 0;
  let present = 0;
  while (at < length) {
    const run2 = reader.varint();
    if (run2 > length - at || run2 === 0 && at > 0) {
      throw new CorruptError(`Expected a run of 1 to ${length - at} cells, got ${run2}`);
    }
    mask.fill(value, at, at + run2);
    present += value * run2;
    at += run2;
    value = 1 - value;
  }
  return present;
}
function readMap2(reader, mask, length) {
  const map2 = reader.take(length + 7 >>> 3);
  let present = 0;
  for (let i = 0; i < length; i++) {
    const bit = map2[i >>> 3] >>> (i & 7) & 1;
    mask[i] = bit;
    present += bit;
  }
  return present;
}
function readColumn(reader, column, from2, to, mask, present) {
  decodeValues(reader, column, from2, present);
  if (present === to - from2) return;
  let next = from2 + present;
  for (let i = to - from2 - 1; i >= 0; i--) column[from2 + i] = mask[i] === 1 ? column[--next] : 0;
}

// src/rollup/squares-codec.ts
var momentTag = 20;
var scratch2 = new FloatScratch();
function encodeSquares(writer, squares, counts3, length) {
  const moments2 = scratch2.take(length);
  let scale = 0;
  while (scale <= scaleMax) {
    const failed = toMoments(squares, counts3, length, scale, moments2);
    if (failed < 0) {
      encodeIntegers(writer, moments2, length, momentTag + scale);
      return;
    }
    scale = nextScale(squares[failed], counts3[failed], scale + 1);
  }
  encodeValues(writer, squares, length);
}
function decodeMoments(reader, out, at, length) {
  reader.require(1);
  const scale = (reader.bytes[reader.position] >>> 3) - momentTag;
  if (scale < 0 || scale > scaleMax) {
    decodeValues(reader, out, at, length);
    return -1;
  }
  decodeIntegers(reader, out, at, length);
  return scale;
}
function divideMoments(out, counts3, from2, to, scale) {
  const power = powersOfTen[2 * scale];
  for (let i = from2; i < to; i++) {
    const moment = out[i];
    out[i] = moment === 0 ? 0 : moment / power / counts3[i];
  }
}
function toMoments(squares, counts3, length, scale, moments2) {
  const power = powersOfTen[2 * scale];
  for (let i = 0; i < length; i++) {
    const value = squares[i];
    const count = counts3[i];
    const moment = value === 0 ? 0 : Math.round(value * count * power);
    if (moment !== 0 && (moment / power / count !== value || moment > Number.MAX_SAFE_INTEGER)) {
      return i;
    }
    if (moment === 0 && !Object.is(value, 0)) return i;
    moments2[i] = moment;
  }
  return -1;
}
function nextScale(squares, count, from2) {
  for (let scale = from2; scale <= scaleMax; scale++) {
    const moment = Math.round(squares * count * powersOfTen[2 * scale]);
    if (moment > Number.MAX_SAFE_INTEGER) return scaleMax + 1;
    if (moment !== 0 && squaresFromMoment(moment, scale, count) === squares) return scale;
  }
  return scaleMax + 1;
}

// src/rollup/cell-codec.ts
var sameAsSum = 29 << 3;
var scratch3 = new FloatScratch();
var countScratch = new FloatScratch();
function encodeColumn(writer, column, cells2, from2, to) {
  if (column === "count") {
    encodePresence(writer, cells2, from2, to);
    return 0;
  }
  if (column === "actual") return encodeActual(writer, cells2, from2, to);
  const values = scratch3.take(to - from2);
  const count = gatherPresent(cells2[column], cells2, from2, to, values);
  if (count === 0) return 0;
  if (column === "m2") {
    const counts3 = countScratch.take(to - from2);
    gatherPresent(cells2.count, cells2, from2, to, counts3);
    encodeSquares(writer, values, counts3, count);
    return 0;
  }
  if (column !== "sum" && equalsSum(cells2[column], cells2, from2, to)) {
    writer.u8(sameAsSum);
    return columnBit("sum");
  }
  encodeValues(writer, values, count);
  return 0;
}
function decodeColumn(reader, column, cells2, from2, to) {
  if (column === "count") decodePresence(reader, cells2, from2, to);
  else if (column === "actual") decodeActual(reader, cells2, from2, to);
  else if (column === "m2") decodeSquares(reader, cells2, from2, to);
  else decodePlain(reader, cells2[column], cells2, from2, to);
}
function decodePlain(reader, column, cells2, from2, to) {
  const count = countPresent(cells2, from2, to);
  if (count > 0) {
    reader.require(1);
    if (reader.bytes[reader.position] === sameAsSum) {
      reader.position++;
      column.set(cells2.sum.subarray(from2, to), from2);
      return;
    }
  }
  decodeValues(reader, column, from2, count);
  spreadPresent(column, cells2, from2, to, count);
}
function decodeSquares(reader, cells2, from2, to) {
  const count = countPresent(cells2, from2, to);
  if (count === 0) {
    cells2.m2.fill(0, from2, to);
    return;
  }
  const scale = decodeMoments(reader, cells2.m2, from2, count);
  spreadPresent(cells2.m2, cells2, from2, to, count);
  if (scale >= 0) divideMoments(cells2.m2, cells2.count, from2, to, scale);
}
function equalsSum(column, cells2, from2, to) {
  for (let i = from2; i < to; i++) {
    if (!Object.is(column[i], cells2.sum[i]) && isPresent(cells2, i)) return false;
  }
  return true;
}

// src/rollup/column-block.ts
var version = 1;
var layoutSlots = 0;
var layoutSame = 1;
var slotCountMax = 65536;
var bucketCountMax = 65536;
var body = new ByteWriter(1 << 16);
var head = new ByteWriter(1 << 10);
var sizeScratch = new FloatScratch();
function encodeColumnBlock(column, cells2, { slotCount, bucketCount }, { stride, offset } = { stride: bucketCount, offset: 0 }) {
  assert(offset + bucketCount <= stride, "Expected the buckets of a slot within its stride");
  assert(slotCount * stride <= cells2.length, "Expected cells for all slots");
  assert(slotCount <= slotCountMax && bucketCount <= bucketCountMax, "Expected a smaller block");
  const sizes = sizeScratch.take(slotCount);
  let sources = 0;
  body.reset();
  for (let slot = 0; slot < slotCount; slot++) {
    const start = body.position;
    const from2 = slot * stride + offset;
    sources |= encodeColumn(body, column, cells2, from2, from2 + bucketCount);
    sizes[slot] = body.position - start;
  }
  const isSame = slotCount > 1 && slotsAreSame(sizes, slotCount);
  head.reset();
  head.u8(version);
  head.u8(isSame ? layoutSame : layoutSlots);
  head.u8(sources);
  head.varint(slotCount);
  head.varint(bucketCount);
  encodeIntegers(head, sizes, isSame ? 1 : slotCount);
  head.append(body.bytes.subarray(0, isSame ? sizes[0] : body.position));
  return head.finish();
}
function slotsAreSame(sizes, slotCount) {
  const size = sizes[0];
  for (let slot = 1; slot < slotCount; slot++) if (sizes[slot] !== size) return false;
  const { bytes } = body;
  for (let at = size; at < size * slotCount; at++) if (bytes[at] !== bytes[at - size]) return false;
  return true;
}
var OpenColumnBlock = class {
  column;
  slotCount = 0;
  bucketCount = 0;
  /** True where all slots have the same bytes. */
  isSame = false;
  reader = new ByteReader(new Uint8Array(0));
  /** Where each slot begins, and the last one ends. */
  starts = new Int32Array(2);
  constructor(column) {
    this.column = column;
  }
  /** Throws CorruptError where the bytes are no block, or not all of them are. */
  open(bytes) {
    const { reader, isSame, slotCount, bucketCount, start, sizes } = openBlock(bytes);
    const many = isSame ? 1 : slotCount;
    if (this.starts.length <= many) this.starts = new Int32Array(many + 1);
    let at = start;
    for (let slot = 0; slot < many; slot++) {
      this.starts[slot] = at;
      at += checkedSize(sizes[slot], at, bytes.length);
    }
    this.starts[many] = at;
    if (slotCount > 0 && at !== bytes.length) {
      throw new CorruptError(`Expected ${at} bytes, got ${bytes.length}`);
    }
    Object.assign(this, { reader, isSame, slotCount, bucketCount });
  }
  /** A reader at the column of a slot, which ends where that does; valid until the next call. */
  slot(slot) {
    const at = this.isSame ? 0 : slot;
    assert(slot < this.slotCount, `Expected a slot below ${this.slotCount}`);
    this.reader.position = this.starts[at];
    this.reader.end = this.starts[at + 1];
    return this.reader;
  }
  /** Reads the column of a slot into the cells from `at` on, which hold its sources. */
  decode(slot, cells2, at) {
    const reader = this.slot(slot);
    decodeColumn(reader, this.column, cells2, at, at + this.bucketCount);
    checkEnd(reader);
  }
};
function checkEnd(reader) {
  if (reader.position !== reader.end) {
    throw new CorruptError(`Expected the slot to end at ${reader.end}, not ${reader.position}`);
  }
}
function checkedSize(size, start, length) {
  if (Number.isInteger(size) && size >= 0 && start + size <= length) return size;
  throw new CorruptError(`Expected ${size} bytes at ${start}, got ${length} in all`);
}
function openBlock(bytes) {
  const reader = new ByteReader(bytes);
  const written = reader.u8();
  if (written !== version) throw new CorruptError(`Expected block version 1, got ${written}`);
  const layout = reader.u8();
  if (layout > layoutSame) throw new CorruptError(`Expected a block layout 0 or 1, got ${layout}`);
  const sources = reader.u8();
  const slotCount = reader.varint();
  const bucketCount = reader.varint();
  if (slotCount > slotCountMax || bucketCount > bucketCountMax) {
    throw new CorruptError(`Expected a smaller block, got ${slotCount} \xD7 ${bucketCount}`);
  }
  const isSame = layout === layoutSame;
  const sizes = sizeScratch.take(slotCount);
  decodeIntegers(reader, sizes, 0, isSame ? 1 : slotCount);
  return { reader, isSame, sources, slotCount, bucketCount, start: reader.position, sizes };
}
function columnBlockShape(bytes) {
  const { slotCount, bucketCount } = openBlock(bytes);
  return { slotCount, bucketCount };
}
function columnBlockSources(bytes) {
  return columnsOfBits(openBlock(bytes).sources);
}
function decodeColumnBlock(bytes, column, cells2, placement) {
  const block = openBlock(bytes);
  const { stride, offset } = placement ?? { stride: block.bucketCount, offset: 0 };
  assert(block.slotCount * stride <= cells2.length, "Expected room for all slots");
  let start = block.start;
  for (let slot = 0; slot < block.slotCount; slot++) {
    const size = block.sizes[block.isSame ? 0 : slot];
    decodeSlot(block, start, size, column, cells2, slot * stride + offset);
    if (!block.isSame) start += size;
  }
  const end = block.isSame ? start + block.sizes[0] : start;
  if (block.slotCount > 0 && end !== bytes.length) {
    throw new CorruptError(`Expected ${end} bytes, got ${bytes.length}`);
  }
}
function decodeColumnOfSlot(bytes, column, slot, cells2, at) {
  const block = openBlock(bytes);
  assert(slot >= 0 && slot < block.slotCount, `Expected a slot below ${block.slotCount}`);
  assert(at + block.bucketCount <= cells2.length, "Expected room for the slot");
  let start = block.start;
  if (!block.isSame) for (let s = 0; s < slot; s++) start += block.sizes[s];
  decodeSlot(block, start, block.sizes[block.isSame ? 0 : slot], column, cells2, at);
}
function decodeSlot({ reader, bucketCount }, start, size, column, cells2, at) {
  reader.position = start;
  reader.end = start + checkedSize(size, start, reader.bytes.length);
  decodeColumn(reader, column, cells2, at, at + bucketCount);
  checkEnd(reader);
}

// src/store/lmdb/sealed-cells.ts
var dayCellsMax = seriesPerBlock * cyclesPerDay;
var wholeDay = { from: 0, to: cyclesPerDay };
var noCycles = { from: 0, to: 0 };
function packColumn(key, name, cells2, shape) {
  const { from: from2, to } = shape.range;
  const block = { slotCount: shape.slots, bucketCount: to - from2 };
  const placement = { stride: cyclesPerDay, offset: from2 };
  return encodeRecord(key, (writer) => {
    writer.varint(from2);
    writer.append(encodeColumnBlock(name, cells2, block, placement));
  });
}
function overlayCycle(cycle, day, cycleOfDay) {
  for (let slot = 0; slot < seriesPerBlock; slot++) {
    if (isPresent(cycle, slot)) copyCell(cycle, slot, day, slot * cyclesPerDay + cycleOfDay);
  }
}
function presentRange(cells2, slots, within = wholeDay) {
  let from2 = within.to;
  let to = within.from;
  for (let slot = 0; slot < slots; slot++) {
    const start = slot * cyclesPerDay;
    for (let cycle = within.from; cycle < from2; cycle++) {
      if (isPresent(cells2, start + cycle)) from2 = cycle;
    }
    for (let cycle = within.to; cycle > to; cycle--) {
      if (isPresent(cells2, start + cycle - 1)) to = cycle;
    }
  }
  return from2 < to ? { from: from2, to } : noCycles;
}
function readDayCells(tables, where, cells2, options) {
  const onlySlot = options.onlySlot ?? -1;
  if (onlySlot < 0) clearPresence(cells2, 0, options.slots * cyclesPerDay);
  else clearPresence(cells2, onlySlot * cyclesPerDay, (onlySlot + 1) * cyclesPerDay);
  const reading = new DayReading(tables, where, cells2, onlySlot);
  if (!reading.read("count")) return false;
  for (const name of options.columns) {
    if (!reading.read(name)) throw new CorruptError(`Expected column ${name} of day ${where.day}`);
  }
  return true;
}
var DayReading = class {
  tables;
  where;
  cells;
  onlySlot;
  done = 0;
  constructor(tables, where, cells2, onlySlot) {
    this.tables = tables;
    this.where = where;
    this.cells = cells2;
    this.onlySlot = onlySlot;
  }
  /** Reads a column and, before it, its sources; false where it is not stored. */
  read(name) {
    if ((this.done & columnBit(name)) !== 0) return true;
    const { day, block } = this.where;
    const key = columnKey(day, block, cellColumnNames.indexOf(name));
    let bytes = this.tables.cells.view(key);
    if (bytes === void 0) return false;
    const sources = columnBlockSources(payload2(key, bytes).column);
    if (sources.length > 0) {
      for (const source of sources) this.read(source);
      bytes = this.tables.cells.view(key);
    }
    this.decode(key, bytes, name);
    this.done |= columnBit(name);
    return true;
  }
  decode(key, bytes, name) {
    const { onlySlot, cells: cells2 } = this;
    const { column, offset } = payload2(key, bytes);
    if (onlySlot < 0) decodeColumnBlock(column, name, cells2, { stride: cyclesPerDay, offset });
    else if (onlySlot < columnBlockShape(column).slotCount) {
      decodeColumnOfSlot(column, name, onlySlot, cells2, onlySlot * cyclesPerDay + offset);
    }
  }
};
function payload2(key, bytes) {
  const reader = openRecord(key, bytes);
  const offset = reader.varint();
  return { offset, column: reader.take(reader.end - reader.position) };
}
function isSealed(tables, day, block) {
  return tables.days.doesExist(periodKey(day, block));
}

// src/store/lmdb/coarse-cells.ts
var hoursPerDay = dayMs / hourMs;
var cyclesPerHour = hourMs / cycleMs;
var hourScratch = hourTable();
var dayScratch = dayTable();
function hourTable() {
  return new CellColumns(seriesPerBlock * hoursPerDay);
}
function dayTable() {
  return new CellColumns(seriesPerBlock);
}
function mergeHours(cycles, slots, { range: range4 = wholeDay, hourCells: hourCells2 = hourScratch } = {}) {
  clearPresence(hourCells2, 0, slots * hoursPerDay);
  const first = Math.floor(range4.from / cyclesPerHour);
  const end = Math.ceil(range4.to / cyclesPerHour);
  for (let slot = 0; slot < slots; slot++) {
    for (let hour = first; hour < end; hour++) {
      if (isEmptyHour(cycles, slot * cyclesPerDay + hour * cyclesPerHour)) continue;
      const from2 = slot * cyclesPerDay + hour * cyclesPerHour;
      mergeCells(cycles, from2, from2 + cyclesPerHour, hourCells2, slot * hoursPerDay + hour);
    }
  }
  return hourCells2;
}
function isEmptyHour(cycles, from2) {
  for (let at = from2; at < from2 + cyclesPerHour; at++) if (isPresent(cycles, at)) return false;
  return true;
}
function mergeDay(hours, slots, dayCells2 = dayScratch) {
  for (let slot = 0; slot < slots; slot++) {
    const from2 = slot * hoursPerDay;
    mergeCells(hours, from2, from2 + hoursPerDay, dayCells2, slot);
  }
  return dayCells2;
}

// src/digest/cluster.ts
var delta2 = 256;
var cosine = 0.9996988186962042;
var sine = 0.024541228522912288;
var tailPart = 0.0125;
var tailSpan = 1e-3;
var crumb = 0.25;
var gapsMax = 16;
var centroidsMax = delta2 + 2 * gapsMax + 2 * 90;
function endOf(q) {
  const s = 2 * q - 1;
  const end = s >= cosine ? 1 : (s * cosine + Math.sqrt(Math.max(0, 1 - s * s)) * sine + 1) / 2;
  if (q < tailPart) return Math.min(end, q + Math.min(tailSpan, q / 2));
  if (end <= 1 - tailPart) return end;
  return Math.max(Math.min(end, 1 - tailPart), q + Math.min(tailSpan, (1 - q) / 3));
}
function cluster(means3, weights3, count, total) {
  if (count === 0) return 0;
  const gapMax = (means3[count - 1] - means3[0]) / gapsMax;
  let kept2 = 0;
  let least = means3[0];
  let most = least;
  let weight = weights3[0];
  let sum = least * weight;
  let before2 = 0;
  let limit = endOf(0) * total;
  for (let i = 1; i < count; i++) {
    const mean = means3[i];
    const more = weights3[i];
    const room = limit - before2;
    const fits = weight + more <= room || weight <= room * crumb && weight + more <= room * (1 + crumb);
    if (fits && mean - most <= gapMax) {
      weight += more;
      sum += mean * more;
      most = mean;
      continue;
    }
    means3[kept2] = meanOf(sum, weight, least, most);
    weights3[kept2++] = weight;
    before2 += weight;
    limit = endOf(before2 / total) * total;
    weight = more;
    sum = mean * more;
    least = mean;
    most = mean;
  }
  means3[kept2] = meanOf(sum, weight, least, most);
  weights3[kept2++] = weight;
  assert(kept2 <= centroidsMax, "Expected the scale to bound the centroids");
  return kept2;
}
function meanOf(sum, weight, least, most) {
  if (least === most) return least;
  const mean = sum / weight;
  if (!(mean >= least)) return Number.isNaN(mean) || mean > most ? most : least;
  return mean > most ? most : mean;
}

// src/digest/codec.ts
var minStored = 1;
var maxStored = 2;
function encodeDigest(writer, digest) {
  const { means: means3, weights: weights3, length, min, max, gridCode } = digest.state();
  writer.varint(length);
  if (length === 0) return;
  const ends2 = (Object.is(min, means3[0]) ? 0 : minStored) | (Object.is(max, means3[length - 1]) ? 0 : maxStored);
  writer.u8(gridCode);
  writer.u8(ends2);
  if (ends2 & minStored) writer.f64(min);
  if (ends2 & maxStored) writer.f64(max);
  encodeValues(writer, means3, length);
  encodeValues(writer, weights3, length);
}
var means = new Float64Array(centroidsMax);
var weights = new Float64Array(centroidsMax);
var head2 = { length: 0, count: 0, min: NaN, max: NaN, gridCode: 0 };
function readCentroids(reader, means3, weights3) {
  const length = reader.varint();
  if (length > centroidsMax) {
    throw new CorruptError(`Expected at most ${centroidsMax} centroids, got ${length}`);
  }
  head2.length = length;
  head2.count = 0;
  if (length === 0) return head2;
  head2.gridCode = reader.u8();
  const ends2 = reader.u8();
  const storedMin = ends2 & minStored ? reader.f64() : 0;
  const storedMax = ends2 & maxStored ? reader.f64() : 0;
  decodeValues(reader, means3, 0, length);
  decodeValues(reader, weights3, 0, length);
  head2.count = checkedCount(means3, weights3, length);
  head2.min = ends2 & minStored ? storedMin : means3[0];
  head2.max = ends2 & maxStored ? storedMax : means3[length - 1];
  return head2;
}
function checkedCount(means3, weights3, length) {
  let count = 0;
  let last = -Infinity;
  for (let i = 0; i < length; i++) {
    const mean = means3[i];
    const weight = weights3[i];
    if (!(weight > 0) || mean < last) {
      throw new CorruptError(`Expected ascending centroids, got ${mean} \xD7 ${weight}`);
    }
    last = mean;
    count += weight;
  }
  return count;
}

// src/store/lmdb/cells-record.ts
function encodeCells(writer, cells2, from2, to) {
  for (const name of cellColumnNames) {
    const at = writer.position;
    writer.u32(0);
    encodeColumn(writer, name, cells2, from2, to);
    writer.patchU32(at, writer.position - at - 4);
  }
}
function decodeFirstColumn(reader, cells2, from2, to) {
  reader.u32();
  decodeColumn(reader, cellColumnNames[0], cells2, from2, to);
}
function decodeCells(reader, cells2, from2, to) {
  for (const name of cellColumnNames) {
    reader.u32();
    decodeColumn(reader, name, cells2, from2, to);
  }
}

// src/store/lmdb/coarse-record.ts
function packCoarse(key, cells2, shape, digests) {
  return encodeRecord(key, (writer) => {
    writer.varint(shape.slots);
    writer.varint(totalOf(shape.samples, shape.slots));
    encodeCells(writer, cells2, 0, shape.slots * shape.buckets);
    encodeIntegers(writer, shape.samples, shape.slots);
    writer.varint(digests.size);
    for (const [place, digest] of digests) {
      writer.varint(place);
      const at = writer.position;
      writer.u32(0);
      encodeDigest(writer, digest);
      writer.patchU32(at, writer.position - at - 4);
    }
  });
}
function readCoarse(key, bytes, buckets, cells2) {
  const reader = openRecord(key, bytes);
  const slots = reader.varint();
  reader.varint();
  decodeCells(reader, cells2, 0, slots * buckets);
  const samples = new Float64Array(slots);
  decodeIntegers(reader, samples, 0, slots);
  return { samples, digests: new CoarseDigests(reader) };
}
function readCoarsePresence(key, bytes, buckets, cells2) {
  const reader = openRecord(key, bytes);
  const slots = reader.varint();
  reader.varint();
  decodeFirstColumn(reader, cells2, 0, slots * buckets);
}
function readSampleTotal(key, bytes) {
  const reader = openRecord(key, bytes);
  reader.varint();
  return reader.varint();
}
function totalOf(samples, slots) {
  let total = 0;
  for (let slot = 0; slot < slots; slot++) total += samples[slot];
  return total;
}
var CoarseDigests = class {
  reader;
  /** Where the digest of each place begins, and where it ends. */
  starts = /* @__PURE__ */ new Map();
  constructor(reader) {
    this.reader = reader;
    const count = reader.varint();
    for (let i = 0; i < count; i++) {
      const place = reader.varint();
      this.starts.set(place, reader.position);
      reader.skip(reader.u32());
    }
  }
  has(place) {
    return this.starts.has(place);
  }
  /** Adds the digest of a place to a union; nothing where there is none. */
  readInto(union2, place) {
    const { reader } = this;
    const start = this.starts.get(place);
    if (start === void 0) return;
    reader.position = start;
    reader.u32();
    union2.readFrom(reader);
  }
};

// src/store/lmdb/plain-cells.ts
var wide = ["count", "sum", "min", "max", "m2", "first", "last", "actual"];
var narrow = ["actuals", "flags", "definition"];
var viewedMin = 32;
function encodePlainCells(writer, cells2) {
  let slots = seriesPerBlock;
  while (slots > 0 && !isPresent(cells2, slots - 1)) slots--;
  for (let slot = 0; slot < slots; slot++) {
    if (!isPresent(cells2, slot)) clearCells(cells2, slot, slot + 1);
  }
  writer.varint(slots);
  for (const name of wide) writeWide2(writer, cells2[name], slots);
  for (const name of narrow) writeNarrow2(writer, cells2[name], slots);
}
function writeWide2(writer, column, slots) {
  if (slots >= viewedMin) writer.append(bytesOf(column, slots));
  else for (let slot = 0; slot < slots; slot++) writer.f64(column[slot]);
}
function writeNarrow2(writer, column, slots) {
  writer.reserve(slots);
  const { bytes, position } = writer;
  for (let slot = 0; slot < slots; slot++) bytes[position + slot] = column[slot];
  writer.position += slots;
}
function decodePlainCells(reader, cells2) {
  const slots = reader.varint();
  if (slots > seriesPerBlock) throw new CorruptError(`Expected at most 256 slots, got ${slots}`);
  for (const name of wide) bytesOf(cells2[name], slots).set(reader.take(8 * slots));
  for (const name of narrow) cells2[name].set(reader.take(slots));
}

// src/store/lmdb/raw-codec.ts
var scratch4 = new FloatScratch();
var offsets3 = new OffsetScratch();
var counts2 = new Int32Array(seriesPerBlock);
var countMax = 2 ** 31 - 1;
var codedCounts = new Float64Array(seriesPerBlock);
var lengths3 = new Float64Array(seriesPerBlock);
function encodeRecentRaw(writer, raw, startMs) {
  writeCounts(writer, raw);
  const times = offsets3.take(raw.count);
  for (let i = 0; i < raw.count; i++) times[i] = raw.timesMs[i] - startMs;
  writer.append(bytesOf(times, raw.count));
  writer.append(bytesOf(raw.values, raw.count));
  writeAggregates(writer, raw, { from: 0, to: raw.count }, encodePlainValues);
}
function decodeRecentRaw(reader, raw, startMs) {
  raw.reset();
  const slots = readCounts(reader);
  let total = 0;
  for (let slot = 0; slot < slots; slot++) total += counts2[slot];
  readPlainColumns(reader, raw, { startMs, count: total });
  raw.count = 0;
  for (let slot = 0; slot < slots; slot++) {
    raw.count += counts2[slot];
    raw.endSlot();
  }
}
function encodeSealedRaw(writer, raw, startMs) {
  writeCounts(writer, raw);
  const lengthsAt = writer.position;
  writer.reserve(4 * raw.slotCount);
  for (let slot = 0; slot < raw.slotCount; slot++) writer.u32(0);
  for (let slot = 0; slot < raw.slotCount; slot++) {
    const before2 = writer.position;
    writeRange(writer, raw, { startMs, from: raw.slotStart[slot], to: raw.slotStart[slot + 1] });
    writer.patchU32(lengthsAt + 4 * slot, writer.position - before2);
  }
}
function decodeSealedRaw(reader, raw, startMs, onlySlot = -1) {
  raw.reset();
  const slots = readCounts(reader);
  for (let slot = 0; slot < slots; slot++) lengths3[slot] = reader.u32();
  for (let slot = 0; slot < slots; slot++) {
    if (onlySlot < 0 || slot === onlySlot) readRange(reader, raw, { startMs, count: counts2[slot] });
    else reader.take(lengths3[slot]);
    raw.endSlot();
  }
}
function readPlainColumns(reader, raw, what) {
  const { startMs, count } = what;
  raw.reserve(count);
  const times = offsets3.take(count);
  bytesOf(times, count).set(reader.take(4 * count));
  for (let i = 0; i < count; i++) raw.timesMs[i] = startMs + times[i];
  bytesOf(raw.values, count).set(reader.take(8 * count));
  raw.aggregate.fill(0, 0, count);
  raw.count = count;
  readAggregates(reader, raw, 0);
}
function writeCounts(writer, raw) {
  for (let slot = 0; slot < raw.slotCount; slot++) {
    codedCounts[slot] = raw.slotStart[slot + 1] - raw.slotStart[slot];
  }
  writer.varint(raw.slotCount);
  encodeIntegers(writer, codedCounts, raw.slotCount);
}
function readCounts(reader) {
  const slots = reader.varint();
  if (slots > seriesPerBlock) throw new CorruptError(`Expected at most 256 slots, got ${slots}`);
  decodeIntegers(reader, codedCounts, 0, slots);
  for (let slot = 0; slot < slots; slot++) {
    const count = codedCounts[slot];
    if (!(count >= 0 && count <= countMax)) {
      throw new CorruptError(`Expected a count of samples, got ${count}`);
    }
    counts2[slot] = count;
  }
  return slots;
}
function writeRange(writer, raw, range4) {
  const { startMs, from: from2, to } = range4;
  const times = scratch4.take(to - from2);
  for (let i = from2; i < to; i++) times[i - from2] = raw.timesMs[i] - startMs;
  encodeIntegers(writer, times, to - from2);
  encodeValues(writer, raw.values.subarray(from2, to), to - from2);
  if (to > from2) writeAggregates(writer, raw, { from: from2, to }, encodeValues);
}
function readRange(reader, raw, what) {
  const { count } = what;
  const from2 = raw.count;
  raw.reserve(from2 + count);
  decodeIntegers(reader, raw.timesMs, from2, count);
  for (let i = from2; i < from2 + count; i++) raw.timesMs[i] += what.startMs;
  decodeValues(reader, raw.values, from2, count);
  raw.aggregate.fill(0, from2, from2 + count);
  raw.count = from2 + count;
  if (count > 0) readAggregates(reader, raw, from2);
}
function writeAggregates(writer, raw, range4, encode) {
  const { from: from2, to } = range4;
  let many = 0;
  let first = 0;
  if (raw.aggregateCount > 0) {
    for (let i = from2; i < to; i++) {
      if (raw.aggregate[i] === 0) continue;
      if (many++ === 0) first = raw.aggregate[i] - 1;
    }
  }
  writer.varint(many);
  if (many === 0) return;
  let last = from2;
  for (let i = from2; i < to; i++) {
    const entry = raw.aggregate[i] - 1;
    if (entry < 0) continue;
    writer.varint(i - last);
    last = i;
    writer.u8(raw.masks[entry]);
  }
  for (let field = 0; field < fieldCount; field++) {
    const [values, count] = fieldOf(raw, { field, first, end: first + many });
    encode(writer, values, count);
  }
}
function fieldOf(raw, which) {
  const { field, first, end } = which;
  const { masks, fields: fields4 } = raw;
  const values = scratch4.take(end - first);
  let many = 0;
  for (let entry = first; entry < end; entry++) {
    if ((masks[entry] >> field & 1) === 0) continue;
    values[many++] = fields4[entry * fieldCount + field];
  }
  return [values, many];
}
function readAggregates(reader, raw, from2) {
  const many = reader.varint();
  if (many === 0) return;
  if (many > raw.count - from2) throw new CorruptError(`Expected fewer aggregates, got ${many}`);
  let at = from2;
  const first = raw.aggregateCount;
  for (let entry = first; entry < first + many; entry++) {
    at += reader.varint();
    if (at >= raw.count) throw new CorruptError(`Expected a sample under ${raw.count}, got ${at}`);
    raw.addAggregate(at, reader.u8());
  }
  for (let field = 0; field < fieldCount; field++) readField(reader, raw, { field, first });
}
function readField(reader, raw, which) {
  let many = 0;
  for (let entry = which.first; entry < raw.aggregateCount; entry++) {
    many += raw.masks[entry] >> which.field & 1;
  }
  const values = scratch4.take(many);
  decodeValues(reader, values, 0, many);
  let next = 0;
  for (let entry = which.first; entry < raw.aggregateCount; entry++) {
    if ((raw.masks[entry] >> which.field & 1) === 0) continue;
    raw.fields[entry * fieldCount + which.field] = values[next++];
  }
}

// src/store/lmdb/recent.ts
function readRecentRaw(tables, cycle, block, raw) {
  const key = periodKey(cycle, block);
  const bytes = tables.recentRaw.view(key);
  if (bytes === void 0) {
    raw.reset();
    return false;
  }
  decodeRecentRaw(openRecord(key, bytes), raw, cycle * cycleMs);
  return true;
}
function packRecentRaw(key, raw, cycle) {
  return encodeRecord(key, (writer) => encodeRecentRaw(writer, raw, cycle * cycleMs));
}
function readRecentCells(tables, cycle, block, cells2) {
  if (findRecentCells(tables, cycle, block, cells2)) return true;
  clearCells(cells2, 0, cells2.length);
  return false;
}
function findRecentCells(tables, cycle, block, cells2) {
  const key = periodKey(cycle, block);
  const bytes = tables.recentCells.view(key);
  if (bytes === void 0) return false;
  clearCells(cells2, 0, cells2.length);
  decodePlainCells(openRecord(key, bytes), cells2);
  return true;
}
function packRecentCells(key, cells2) {
  return encodeRecord(key, (writer) => encodePlainCells(writer, cells2));
}
var nothingRecent = { raw: [], cells: [], bands: [] };
function recentDay(tables, day, block) {
  if (!tables.openDays.doesExist(periodKey(day, block))) return nothingRecent;
  const first = day * cyclesPerDay;
  const cycles = Array.from({ length: cyclesPerDay }, (_, cycle) => first + cycle);
  const keys = cycles.map((cycle) => periodKey(cycle, block));
  const cyclesIn = (table) => cycles.filter((_, i) => table.doesExist(keys[i]));
  return {
    raw: cyclesIn(tables.recentRaw),
    cells: cyclesIn(tables.recentCells),
    bands: cyclesIn(tables.recentBands)
  };
}
function slotCells() {
  return new CellColumns(seriesPerBlock);
}

// src/store/lmdb/counter-past.ts
var CounterPast = class {
  /** By slot, what the last call found; NaN where it found nothing or was not asked. */
  last = new Float64Array(seriesPerBlock);
  tables;
  dayCell = slotCells();
  /** 6.5 MB, made for the first sealed day that is looked into. */
  dayCells = null;
  missing = [];
  where = { block: 0, slots: 0, cycle: 0 };
  constructor(tables) {
    this.tables = tables;
  }
  /** Fills `last` for the wanted slots with what went before a cycle, as far as PT5M reaches. */
  find(where, wanted2, source) {
    this.last.fill(NaN);
    this.missing = wanted2;
    this.where = where;
    const { tables } = this;
    const oldestDay = Math.min(source.oldestDay, firstDay(tables.days), firstDay(tables.openDays));
    const reach2 = Math.floor(where.cycle / cyclesPerDay) - counterReachDays;
    const firstDayKept = Math.max(oldestDay, reach2, readHorizons(tables).PT5M);
    let day = Math.floor((where.cycle - 1) / cyclesPerDay);
    let end = where.cycle - day * cyclesPerDay;
    for (; day >= firstDayKept && this.missing.length > 0; day--) {
      if (source.isTouched(day) || end < cyclesPerDay) this.searchCycles(day, end, source);
      else this.searchDay(day);
      end = cyclesPerDay;
    }
  }
  searchCycles(day, end, source) {
    const { block, slots } = this.where;
    const columns = ["last"];
    const hasSealed = isSealed(this.tables, day, block);
    const sealed = hasSealed ? this.dayCells ??= new CellColumns(dayCellsMax) : this.dayCell;
    if (hasSealed) readDayCells(this.tables, { day, block }, sealed, { columns, slots });
    for (let cycle = end - 1; cycle >= 0 && this.missing.length > 0; cycle--) {
      const cells2 = source.cellsOf(day * cyclesPerDay + cycle);
      this.take((slot) => {
        if (cells2 !== null && isPresent(cells2, slot)) return lastOf(cells2, slot);
        return hasSealed ? lastOf(sealed, slot * cyclesPerDay + cycle) : NaN;
      });
    }
  }
  searchDay(day) {
    const key = periodKey(day, this.where.block);
    const bytes = this.tables.days.view(key);
    if (bytes === void 0) return;
    clearPresence(this.dayCell, 0, seriesPerBlock);
    readCoarse(key, bytes, 1, this.dayCell);
    this.take((slot) => lastOf(this.dayCell, slot));
  }
  take(lastOfSlot) {
    this.missing = this.missing.filter((slot) => {
      const last = lastOfSlot(slot);
      this.last[slot] = last;
      return Number.isNaN(last);
    });
  }
};
function lastOf(cells2, at) {
  return cells2.count[at] > 0 ? cells2.last[at] : NaN;
}
function recentSource(tables, block) {
  const cells2 = slotCells();
  return {
    oldestDay: Infinity,
    isTouched: (day) => tables.openDays.doesExist(periodKey(day, block)),
    cellsOf: (cycle) => findRecentCells(tables, cycle, block, cells2) ? cells2 : null
  };
}
function isDisturbed(tables, block, endDay) {
  for (let day = firstDay(tables.openDays); day < endDay; day++) {
    if (tables.openDays.doesExist(periodKey(day, block))) return true;
  }
  return false;
}
function counterSlots(cells2, slots, range4) {
  const { from: from2, to, perSlot } = range4;
  return slots.filter((slot) => {
    for (let at = from2; at < to; at++) if (isCounterCell(cells2, slot * perSlot + at)) return true;
    return false;
  });
}
function slotNumbers(slots) {
  return Array.from({ length: slots }, (_, slot) => slot);
}
function firstDay(table) {
  for (const key of table.getKeys({ limit: 1 })) return keyToPeriod(key).period;
  return Infinity;
}
function newestDay(table) {
  for (const key of table.getKeys({ limit: 1, reverse: true })) return keyToPeriod(key).period;
  return -Infinity;
}

// src/store/lmdb/bag.ts
function mergeBags(stored, arrived, out) {
  if (isStrictlyLater(stored, arrived)) {
    out.append(stored.columns, stored.from, stored.to);
    pushAllArrived(arrived, out);
    return;
  }
  sortArrived(arrived);
  let s = stored.from;
  let a = arrived.from;
  while (a < arrived.to) {
    while (s < stored.to && compareStored(stored, s, arrived, a) < 0) {
      out.appendOne(stored.columns, s++);
    }
    let multiplicity = 0;
    while (s < stored.to && compareStored(stored, s, arrived, a) === 0) {
      multiplicity++;
      s++;
    }
    const first = a;
    let run2 = 0;
    let request = -1;
    for (; a < arrived.to && compareArrived(arrived, first, a) === 0; a++) {
      const its = arrived.samples.requests[arrived.order[a]];
      run2 = its === request ? run2 + 1 : 1;
      request = its;
      if (run2 > multiplicity) multiplicity = run2;
    }
    for (let copy = 0; copy < multiplicity; copy++) pushArrived(arrived, first, out);
  }
  out.append(stored.columns, s, stored.to);
}
function appendIfLater(arrived, out) {
  if (!appendTimes(arrived, out)) return false;
  const { samples, order, from: from2, to } = arrived;
  const { aggregates, masks, fields: fields4 } = samples;
  if (aggregates.length === 0) return true;
  for (let i = from2; i < to; i++) {
    const entry = aggregates[order[i]];
    if (entry >= 0) out.copyAggregate(i - from2, masks, fields4, entry);
  }
  return true;
}
function appendTimes({ samples, order, from: from2, to }, out) {
  const { slots } = samples;
  out.reserve(to - from2);
  const { timesMs, values, aggregate } = out;
  let slot = slots[order[from2]];
  let lastMs = -Infinity;
  for (let i = from2; i < to; i++) {
    const at = order[i];
    const timeMs = samples.timesMs[at];
    if (slots[at] !== slot) {
      out.count = i - from2;
      out.endSlots(slot + 1);
      slot = slots[at];
    } else if (timeMs <= lastMs) return false;
    lastMs = timeMs;
    timesMs[i - from2] = timeMs;
    values[i - from2] = samples.values[at];
    aggregate[i - from2] = 0;
  }
  out.count = to - from2;
  out.endSlots(slot + 1);
  return true;
}
function isStrictlyLater(stored, arrived) {
  const { timesMs } = arrived.samples;
  let last = stored.to > stored.from ? stored.columns.timesMs[stored.to - 1] : -Infinity;
  for (let i = arrived.from; i < arrived.to; i++) {
    const timeMs = timesMs[arrived.order[i]];
    if (timeMs <= last) return false;
    last = timeMs;
  }
  return true;
}
function pushAllArrived(arrived, out) {
  const { samples, order, from: from2, to } = arrived;
  if (samples.aggregates.length === 0) out.pushPlain(samples, order, from2, to);
  else for (let i = from2; i < to; i++) pushArrived(arrived, i, out);
}
function pushArrived(arrived, i, out) {
  const { samples, order } = arrived;
  const at = order[i];
  const entry = samples.aggregates.length > 0 ? samples.aggregates[at] : -1;
  if (entry < 0) out.push(samples.timesMs[at], samples.values[at]);
  else {
    const { masks, fields: fields4 } = samples;
    out.pushAggregate(samples.timesMs[at], samples.values[at], { masks, fields: fields4, entry });
  }
}
function sortArrived(arrived) {
  const { order, from: from2, to } = arrived;
  const { requests } = arrived.samples;
  const compare = (left, right) => compareSamples(arrived.samples, left, arrived.samples, right) || requests[left] - requests[right];
  if (to - from2 > insertionSortMax) {
    order.subarray(from2, to).sort(compare);
    return;
  }
  for (let i = from2 + 1; i < to; i++) {
    const moving = order[i];
    let at = i;
    while (at > from2 && compare(order[at - 1], moving) > 0) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = moving;
  }
}
var insertionSortMax = 64;
function compareArrived(arrived, left, right) {
  const { samples, order } = arrived;
  return compareSamples(samples, order[left], samples, order[right]);
}
function compareSamples(left, l, right, r) {
  const byTime = left.timesMs[l] - right.timesMs[r];
  if (byTime !== 0) return byTime;
  const byValue = compareValues(left.values[l], right.values[r]);
  if (byValue !== 0 || left.aggregates.length === 0 && right.aggregates.length === 0) {
    return byValue;
  }
  const leftEntry = left.aggregates.length > 0 ? left.aggregates[l] : -1;
  const rightEntry = right.aggregates.length > 0 ? right.aggregates[r] : -1;
  return compareAggregates(left, leftEntry, right, rightEntry);
}
function compareStored(stored, s, arrived, a) {
  const { columns } = stored;
  const { samples } = arrived;
  const at = arrived.order[a];
  const byTime = columns.timesMs[s] - samples.timesMs[at];
  if (byTime !== 0) return byTime;
  const byValue = compareValues(columns.values[s], samples.values[at]);
  if (byValue !== 0) return byValue;
  const entry = samples.aggregates.length > 0 ? samples.aggregates[at] : -1;
  return compareAggregates(columns, columns.aggregate[s] - 1, samples, entry);
}
function compareValues(left, right) {
  if (left < right) return -1;
  if (left > right) return 1;
  if (left !== 0) return 0;
  return (Object.is(left, -0) ? 0 : 1) - (Object.is(right, -0) ? 0 : 1);
}
function compareAggregates(left, l, right, r) {
  if (l < 0 || r < 0) return (l < 0 ? 0 : 1) - (r < 0 ? 0 : 1);
  const byMask = left.masks[l] - right.masks[r];
  if (byMask !== 0) return byMask;
  for (let f = 0; f < fieldCount; f++) {
    const byField = compareValues(
      left.fields[l * fieldCount + f],
      right.fields[r * fieldCount + f]
    );
    if (byField !== 0) return byField;
  }
  return 0;
}

// src/store/lmdb/cell-of-raw.ts
var contributions = new Contributions();
function cellOfRaw(raw, range4, cells2, at) {
  const { from: from2, to } = range4;
  if (!hasAggregates(raw, from2, to)) {
    computeCell(raw.values, from2, to, cells2, at);
    return;
  }
  gatherContributions(raw, from2, to, contributions);
  const fact = cells2.flags[at] & flagFact;
  const actual = cells2.actual[at];
  const isObserved3 = computeWeightedCell(contributions, 0, contributions.length, cells2, at);
  if (!isObserved3 && fact !== 0) fillSparse(cells2, at, actual, fact);
}
function gatherContributions(raw, from2, to, out) {
  out.clear();
  for (let i = from2; i < to; i++) {
    const entry = raw.aggregate[i] - 1;
    if (entry < 0) out.pushValue(raw.values[i]);
    else out.pushSample(raw.masks[entry], raw.fields, entry);
  }
}
function hasAggregates(raw, from2, to) {
  if (raw.aggregateCount === 0) return false;
  for (let i = from2; i < to; i++) if (raw.aggregate[i] > 0) return true;
  return false;
}

// src/store/lmdb/raw-columns.ts
var keptSamplesMax = 1024 * 1024;
var RawColumns = class _RawColumns {
  /** Slots that were ended so far; `slotStart` holds one entry more. */
  slotCount = 0;
  slotStart = new Int32Array(seriesPerBlock + 1);
  count = 0;
  timesMs;
  values;
  /** Index of the aggregate of each sample plus one; 0 for a plain value. */
  aggregate;
  aggregateCount = 0;
  masks = new Uint8Array(16);
  fields = new Float64Array(16 * fieldCount);
  /** Empty columns with room for `capacity` samples; they grow beyond it. */
  constructor(capacity = 256) {
    const size = Math.max(1, capacity);
    this.timesMs = new Float64Array(size);
    this.values = new Float64Array(size);
    this.aggregate = new Int32Array(size);
  }
  /** Empties the columns and keeps their memory. */
  reset() {
    this.slotCount = 0;
    this.count = 0;
    this.aggregateCount = 0;
  }
  /** Empties them and gives back what only many samples needed. */
  shrink() {
    this.reset();
    if (this.timesMs.length <= keptSamplesMax) return;
    this.timesMs = new Float64Array(1);
    this.values = new Float64Array(1);
    this.aggregate = new Int32Array(1);
  }
  /** Closes the next slot: its samples are those pushed since the last call. */
  endSlot() {
    assert(this.slotCount < seriesPerBlock, "Expected at most one slot a series");
    this.slotCount++;
    this.slotStart[this.slotCount] = this.count;
  }
  /** Closes the slots up to `slots`: the last one with what was pushed since, others empty. */
  endSlots(slots) {
    assert(slots <= seriesPerBlock, "Expected at most one slot a series");
    const end = this.slotStart[this.slotCount];
    while (this.slotCount < slots - 1) this.slotStart[++this.slotCount] = end;
    if (this.slotCount < slots) this.endSlot();
  }
  /** Where the samples of a slot begin, and end; a slot that was never ended has none. */
  slotFrom(slot) {
    return slot < this.slotCount ? this.slotStart[slot] : 0;
  }
  slotTo(slot) {
    return slot < this.slotCount ? this.slotStart[slot + 1] : 0;
  }
  push(timeMs, value) {
    if (this.count === this.timesMs.length) this.reserve(this.count + 1);
    this.timesMs[this.count] = timeMs;
    this.values[this.count] = value;
    this.aggregate[this.count] = 0;
    this.count++;
  }
  /** Adds plain samples: those that stand at `order[from..to)` of the columns. */
  pushPlain(source, order, from2, to) {
    this.reserve(this.count + to - from2);
    const { timesMs, values, aggregate } = this;
    let count = this.count;
    for (let i = from2; i < to; i++, count++) {
      const at = order[i];
      timesMs[count] = source.timesMs[at];
      values[count] = source.values[at];
      aggregate[count] = 0;
    }
    this.count = count;
  }
  /** Adds a sample with the aggregate that stands at `entry` of `masks` and `fields`. */
  pushAggregate(timeMs, value, from2) {
    this.push(timeMs, value);
    this.copyAggregate(this.count - 1, from2.masks, from2.fields, from2.entry);
  }
  /** Gives sample `i`, which is behind all that have one, a copy of an aggregate. */
  copyAggregate(i, masks, fields4, entry) {
    const to = this.nextAggregate(i, masks[entry]) * fieldCount;
    const own = this.fields;
    const from2 = entry * fieldCount;
    for (let f = 0; f < fieldCount; f++) own[to + f] = fields4[from2 + f];
  }
  /**
   * Gives sample `i`, which is behind all that have one, an aggregate whose fields are all 0 yet;
   * returns where they stand.
   */
  addAggregate(i, mask) {
    const at = this.nextAggregate(i, mask);
    this.fields.fill(0, at * fieldCount, (at + 1) * fieldCount);
    return at;
  }
  nextAggregate(i, mask) {
    if (this.aggregateCount === this.masks.length) this.growAggregates();
    const at = this.aggregateCount++;
    this.aggregate[i] = at + 1;
    this.masks[at] = mask;
    return at;
  }
  /** Copies samples `[from, to)` of other columns to the end. */
  append(source, from2, to) {
    const length = to - from2;
    if (length === 0) return;
    this.reserve(this.count + length);
    if (source.aggregateCount > 0) {
      for (let i = from2; i < to; i++) this.appendOne(source, i);
      return;
    }
    for (let i = from2, at = this.count; i < to; i++, at++) {
      this.timesMs[at] = source.timesMs[i];
      this.values[at] = source.values[i];
      this.aggregate[at] = 0;
    }
    this.count += length;
  }
  appendOne(source, i) {
    const entry = source.aggregate[i] - 1;
    if (entry < 0) this.push(source.timesMs[i], source.values[i]);
    else this.pushAggregate(source.timesMs[i], source.values[i], aggregateAt(source, entry));
  }
  /** The same samples in columns of their own, of just the size they need. */
  copy() {
    const { count, slotCount, aggregateCount } = this;
    const copy = new _RawColumns(count);
    copy.timesMs.set(this.timesMs.subarray(0, count));
    copy.values.set(this.values.subarray(0, count));
    copy.aggregate.set(this.aggregate.subarray(0, count));
    copy.slotStart.set(this.slotStart);
    if (aggregateCount > 0) {
      copy.masks = this.masks.slice(0, aggregateCount);
      copy.fields = this.fields.slice(0, aggregateCount * fieldCount);
    }
    return Object.assign(copy, { count, slotCount, aggregateCount });
  }
  /** Index of the first sample in `[from, to)` at or after `timeMs`; `to` where none is. */
  lowerBound(timeMs, from2, to) {
    let low = from2;
    let high = to;
    while (low < high) {
      const middle2 = low + high >>> 1;
      if (this.timesMs[middle2] < timeMs) low = middle2 + 1;
      else high = middle2;
    }
    return low;
  }
  reserve(length) {
    if (length <= this.timesMs.length) return;
    const size = Math.max(length, 2 * this.timesMs.length);
    const timesMs = new Float64Array(size);
    const values = new Float64Array(size);
    const aggregate = new Int32Array(size);
    timesMs.set(this.timesMs);
    values.set(this.values);
    aggregate.set(this.aggregate);
    this.timesMs = timesMs;
    this.values = values;
    this.aggregate = aggregate;
  }
  growAggregates() {
    const masks = new Uint8Array(this.masks.length * 2);
    const fields4 = new Float64Array(this.fields.length * 2);
    masks.set(this.masks);
    fields4.set(this.fields);
    this.masks = masks;
    this.fields = fields4;
  }
};
function aggregateAt(source, entry) {
  return { masks: source.masks, fields: source.fields, entry };
}

// src/store/lmdb/cycle-merge.ts
var CycleMerger = class {
  /** Result of the last merge: all recent samples of the cycle, and the arrived ones. */
  raw = new RawColumns();
  /** Result of the last merge: the cells of the slots that `raw` has samples of. */
  cells = slotCells();
  /**
   * Cycles that end by then are closed: their cells keep the definitions they have. A reader does
   * not know when the fold will be, and takes them for closed.
   */
  closedMs = Infinity;
  tables;
  codes;
  members = new Int32Array(0);
  sealed;
  stored = new RawColumns();
  nothing = new RawColumns();
  constructor(tables, sealed, codes) {
    this.tables = tables;
    this.codes = codes;
    this.sealed = sealed;
  }
  /** Merges one cycle; the result is valid until the next call. */
  merge(samples, group) {
    const { tables, sealed } = this;
    const { cycle, block } = group;
    this.raw.reset();
    this.members = this.codes.members(block);
    const hasRaw = readRecentRaw(tables, cycle, block, this.stored);
    const hasCells = readRecentCells(tables, cycle, block, this.cells);
    const isNew = !hasRaw && !hasCells && !sealed.has(cycle, block);
    if (isNew && this.takeNew(samples, group)) return;
    this.mergeSlots(samples, group);
  }
  /** Gives back what only many samples of a block needed. */
  shrink() {
    this.raw.shrink();
    this.stored.shrink();
  }
  /**
   * The common case: nothing is stored of this cycle. False where samples of a slot are not one
   * later than the other; then nothing is merged.
   */
  takeNew(samples, { order, from: from2, to }) {
    const { raw, cells: cells2, codes, members } = this;
    if (!appendIfLater({ samples, order, from: from2, to }, raw)) return false;
    for (let slot = 0; slot < raw.slotCount; slot++) {
      const range4 = { from: raw.slotStart[slot], to: raw.slotStart[slot + 1] };
      if (range4.from === range4.to) continue;
      cells2.definition[slot] = codes.ofSeries(members[slot]);
      cellOfRaw(raw, range4, cells2, slot);
    }
    return true;
  }
  mergeSlots(samples, group) {
    this.raw.reset();
    let from2 = group.from;
    for (let slot = 0; slot < seriesPerBlock; slot++) {
      let to = from2;
      while (to < group.to && samples.slots[group.order[to]] === slot) to++;
      if (to > from2) this.mergeSlot(group, { samples, order: group.order, from: from2, to }, slot);
      else if (slot < this.stored.slotCount) this.keepSlot(slot);
      else if (from2 === group.to) break;
      this.raw.endSlot();
      from2 = to;
    }
  }
  mergeSlot(group, arrived, slot) {
    const from2 = this.raw.count;
    mergeBags(this.storedRange(group, slot), arrived, this.raw);
    this.recall(group, slot);
    cellOfRaw(this.raw, { from: from2, to: this.raw.count }, this.cells, slot);
  }
  /**
   * Puts into the cell what its samples do not tell: where there is none here, the sealed fact or
   * the definition of the sealed cell; and where the cycle is open still, the definition in force.
   */
  recall({ cycle, block }, slot) {
    const { cells: cells2 } = this;
    const isKnown = isPresent(cells2, slot) || this.sealed.cells.read(cycle, block, slot, cells2);
    const isClosed2 = (cycle + 1) * cycleMs <= this.closedMs;
    if (!isKnown || !isClosed2) cells2.definition[slot] = this.codes.ofSeries(this.members[slot]);
  }
  /** What is stored of the slot: its recent samples, or else the sealed ones of the cycle. */
  storedRange(group, slot) {
    const { stored } = this;
    if (stored.slotTo(slot) > stored.slotFrom(slot)) {
      return { columns: stored, from: stored.slotFrom(slot), to: stored.slotTo(slot) };
    }
    const sealed = this.sealed.cycleOfSlot(group.cycle, group.block, slot);
    return sealed ?? { columns: this.nothing, from: 0, to: 0 };
  }
  keepSlot(slot) {
    const { stored } = this;
    this.raw.append(stored, stored.slotStart[slot], stored.slotStart[slot + 1]);
  }
};

// src/store/lmdb/grouping.ts
var GroupScratch = class {
  slots = new Uint8Array(0);
  timesMs = new Float64Array(0);
  values = new Float64Array(0);
  requests = new Int32Array(0);
  reserve(count) {
    if (count <= this.slots.length) return;
    this.resize(Math.ceil(count / samplesPerGrowth) * samplesPerGrowth);
  }
  /** Gives back what an ordinary fold does not need. */
  shrink() {
    if (this.slots.length > samplesPerPassMin) this.clear();
  }
  /** Up to 11 MB that nobody needs until the next fold. */
  clear() {
    if (this.slots.length > 0) this.resize(0);
  }
  resize(size) {
    this.slots = new Uint8Array(size);
    this.timesMs = new Float64Array(size);
    this.values = new Float64Array(size);
    this.requests = new Int32Array(size);
  }
};
var samplesPerGrowth = 65536;
var samplesPerPassMin = 8 * samplesPerGrowth;
var passesMax = 4;
function* planGroups2(frames, catalogue, perPassMin = samplesPerPassMin) {
  const counts3 = new Int32Array(catalogue.blockCount);
  const aggregateCount = frames.reduce((sum, { frame }) => sum + frame.aggregateCount, 0);
  const masks = new Uint8Array(aggregateCount);
  const fields4 = new Float64Array(aggregateCount * fieldCount);
  let aggregates = 0;
  for (const { frame } of frames) {
    countByBlock(frame, catalogue.seriesPlaceColumn, counts3);
    masks.set(frame.aggregateMask, aggregates);
    fields4.set(frame.aggregateFields, aggregates * fieldCount);
    aggregates += frame.aggregateCount;
    yield;
  }
  const { blocks, starts } = blocksWithSamples(counts3);
  const perPassMax = Math.max(perPassMin, Math.ceil(starts.at(-1) / passesMax));
  const passes = passesOf(starts, perPassMax);
  return { blocks, starts, aggregates: { masks, fields: fields4 }, passes };
}
function countByBlock({ series, count }, places3, counts3) {
  for (let i = 0; i < count; i++) counts3[places3[series[i]] >>> 8]++;
}
function blocksWithSamples(counts3) {
  const blocks = [];
  const starts = [0];
  for (let block = 0; block < counts3.length; block++) {
    if (counts3[block] === 0) continue;
    blocks.push(block);
    starts.push(starts.at(-1) + counts3[block]);
  }
  return { blocks: Int32Array.from(blocks), starts: Int32Array.from(starts) };
}
function passesOf(starts, perPassMax) {
  const passes = [0];
  for (let i = 1; i + 1 < starts.length; i++) {
    if (starts[i + 1] - starts[passes.at(-1)] > perPassMax) passes.push(i);
  }
  return starts.length > 1 ? [...passes, starts.length - 1] : passes;
}
function* groupPass(frames, catalogue, { plan: plan3, pass, scratch: scratch6 }) {
  const from2 = plan3.passes[pass];
  const to = plan3.passes[pass + 1];
  const blocks = plan3.blocks.subarray(from2, to);
  const starts = plan3.starts.subarray(from2, to + 1).map((start) => start - plan3.starts[from2]);
  const count = starts.at(-1);
  scratch6.reserve(count);
  const grouped = { blocks, starts, ...plan3.aggregates, ...emptyColumns(scratch6, count, plan3) };
  const cursor = cursorOf(grouped);
  let requests = 0;
  let aggregates = 0;
  for (const { frame } of frames) {
    scatter(frame, catalogue.seriesPlaceColumn, { grouped, cursor, requests, aggregates });
    requests += frame.requestCount;
    aggregates += frame.aggregateCount;
    yield;
  }
  return grouped;
}
function cursorOf({ blocks, starts }) {
  const first = blocks[0];
  const cursor = new Int32Array(blocks.at(-1) + 1 - first);
  for (const [i, block] of blocks.entries()) cursor[block - first] = starts[i];
  return cursor;
}
function emptyColumns(scratch6, count, { aggregates }) {
  return {
    slots: scratch6.slots.subarray(0, count),
    timesMs: scratch6.timesMs.subarray(0, count),
    values: scratch6.values.subarray(0, count),
    requests: scratch6.requests.subarray(0, count),
    aggregates: new Int32Array(aggregates.masks.length > 0 ? count : 0)
  };
}
function scatter(frame, places3, target) {
  const { slots, timesMs, values, requests, aggregates } = target.grouped;
  const { cursor } = target;
  const { series, runStart, runCount } = frame;
  const first = target.grouped.blocks[0];
  const withAggregates = aggregates.length > 0;
  let run2 = 0;
  let entry = 0;
  for (let i = 0; i < frame.count; i++) {
    const place = places3[series[i]];
    const block = (place >>> 8) - first;
    if (block >>> 0 >= cursor.length) continue;
    if (run2 + 1 < runCount && runStart[run2 + 1] <= i) run2 = runOf(frame, i, run2);
    const at = cursor[block]++;
    slots[at] = place & 255;
    timesMs[at] = frame.runTimeMs[run2];
    values[at] = frame.values[i];
    requests[at] = target.requests + frame.runRequest[run2];
    if (!withAggregates) continue;
    while (entry < frame.aggregateCount && frame.aggregateSample[entry] < i) entry++;
    const isNext = entry < frame.aggregateCount && frame.aggregateSample[entry] === i;
    aggregates[at] = isNext ? target.aggregates + entry : -1;
  }
}
function runOf({ runStart, runCount }, sample3, from2) {
  let run2 = from2;
  let step = 1;
  for (; run2 + step < runCount && runStart[run2 + step] <= sample3; step *= 2) run2 += step;
  for (; step >= 1; step >>= 1) {
    if (run2 + step < runCount && runStart[run2 + step] <= sample3) run2 += step;
  }
  return run2;
}

// src/store/lmdb/order.ts
var countersPerSampleMax = 64;
var slotCounts = new Int32Array(seriesPerBlock + 1);
function orderByCycleAndSlot(samples, from2, to) {
  const { slots, timesMs } = samples;
  const [first, last] = cyclesOf(timesMs, from2, to);
  if (first === last) return orderBySlot(slots, from2, to);
  if ((last - first + 1) * seriesPerBlock <= countersPerSampleMax * (to - from2)) {
    return countingSort(
      samples,
      { from: from2, to },
      { firstMs: first * cycleMs, count: last - first + 1 }
    );
  }
  const cycleOf = (at) => Math.floor(timesMs[at] / cycleMs);
  return orderBySlot(slots, from2, to).sort((left, right) => cycleOf(left) - cycleOf(right));
}
function cyclesOf(timesMs, from2, to) {
  let firstMs = Infinity;
  let lastMs = -Infinity;
  for (let i = from2; i < to; i++) {
    const timeMs = timesMs[i];
    if (timeMs < firstMs) firstMs = timeMs;
    if (timeMs > lastMs) lastMs = timeMs;
  }
  return [Math.floor(firstMs / cycleMs), Math.floor(lastMs / cycleMs)];
}
function orderBySlot(slots, from2, to) {
  slotCounts.fill(0);
  for (let i = from2; i < to; i++) slotCounts[slots[i] + 1]++;
  for (let slot = 0; slot < seriesPerBlock; slot++) slotCounts[slot + 1] += slotCounts[slot];
  const order = new Int32Array(to - from2);
  for (let i = from2; i < to; i++) order[slotCounts[slots[i]]++] = i;
  return order;
}
function countingSort({ slots, timesMs }, range4, cycles) {
  const { from: from2, to } = range4;
  const starts = new Int32Array(cycles.count * seriesPerBlock + 1);
  const places3 = new Int32Array(to - from2);
  for (let i = from2; i < to; i++) {
    const cycle = (timesMs[i] - cycles.firstMs) / cycleMs | 0;
    const place = cycle * seriesPerBlock + slots[i];
    places3[i - from2] = place;
    starts[place + 1]++;
  }
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const sorted = new Int32Array(to - from2);
  for (let i = from2; i < to; i++) sorted[starts[places3[i - from2]]++] = i;
  return sorted;
}

// src/store/lmdb/open-days.ts
var sealDelayMs = 36e5;
var quietMs = 1e4;
var quietSealedMs = 6e5;
var foldsPassedBy = 2;
function sealClockMs(moment) {
  const { nowMs, closedUpToMs = Infinity } = moment;
  return Math.min(nowMs, closedUpToMs + sealDelayMs);
}
function isPastDay(day, nowMs) {
  return (day + 1) * dayMs + sealDelayMs <= nowMs;
}
var OpenDays = class {
  days = /* @__PURE__ */ new Map();
  foldNumber = 0;
  /** Reads the markers, and only those; what they name counts as touched long ago. */
  load(tables) {
    this.days.clear();
    for (const key of tables.openDays.getKeys({})) {
      const { period, block } = keyToPeriod(key);
      this.entry(period).set(block, { touchedMs: -Infinity, touchedFold: -2, sinceMs: -Infinity });
    }
  }
  beginFold() {
    this.foldNumber++;
  }
  /** Notes that a fold writes recent records of (day, block). */
  touch(day, block, to) {
    const blocks = this.entry(day);
    const known = blocks.get(block);
    if (known !== void 0) {
      known.touchedMs = to.elapsedMs;
      known.touchedFold = this.foldNumber;
      return;
    }
    blocks.set(block, {
      touchedMs: to.elapsedMs,
      touchedFold: this.foldNumber,
      sinceMs: to.elapsedMs
    });
    const key = periodKey(day, block);
    to.writes.put(to.tables.openDays, key, packMarker(key));
  }
  /** Forgets (day, block): it was sealed. */
  close(day, block) {
    const blocks = this.days.get(day);
    blocks?.delete(block);
    if (blocks?.size === 0) this.days.delete(day);
  }
  /** The oldest day's next block that is ready to be sealed, or null. */
  nextToSeal(moment, isSealed2) {
    for (const day of [...this.days.keys()].sort((left, right) => left - right)) {
      if (!isPastDay(day, moment.nowMs)) break;
      for (const [block, open3] of this.days.get(day)) {
        if (this.isReady(open3, moment, () => isSealed2(day, block))) return { day, block };
      }
    }
    return null;
  }
  /** Number of the oldest open day; Infinity when there is none. */
  oldestDay() {
    return smallestOf(this.days.keys());
  }
  get size() {
    let size = 0;
    for (const blocks of this.days.values()) size += blocks.size;
    return size;
  }
  isReady(open3, moment, isSealed2) {
    const untouchedMs = moment.elapsedMs - open3.touchedMs;
    const passedBy = this.foldNumber - open3.touchedFold >= foldsPassedBy;
    if (untouchedMs < quietMs && !passedBy) return false;
    return moment.elapsedMs - open3.sinceMs >= quietSealedMs || !isSealed2();
  }
  entry(day) {
    let blocks = this.days.get(day);
    if (blocks === void 0) this.days.set(day, blocks = /* @__PURE__ */ new Map());
    return blocks;
  }
};

// src/digest/grid.ts
var decimalSteps = 2 ** 13;
var otherSteps = 2 ** 20;
var tiedBit = 16;
var Grid = class {
  /** Scale of all values so far, or -1. */
  scale = 0;
  power = 1;
  /** Some value that is no decimal was met twice: nothing may be rounded. */
  tied = false;
  /** Takes note of a value. */
  hold(value) {
    if (this.scale < 0 || Math.round(value * this.power) / this.power === value) return;
    this.setScale(decimalScaleOf(value, this.scale));
  }
  holdGrid(other) {
    this.holdCode(other.code);
  }
  /** Takes note of a grid by its `code`. */
  holdCode(code) {
    const scale = scaleOfCode(code);
    if (scale < 0 || this.scale < 0) this.setScale(-1);
    else if (scale > this.scale) this.setScale(scale);
    this.tied ||= (code & tiedBit) !== 0;
  }
  /** Looks for equal neighbours among sorted values that are no decimals. */
  noticeTies(means3, count) {
    if (this.scale >= 0 || this.tied) return;
    for (let i = 1; i < count; i++) {
      if (means3[i] !== means3[i - 1] || decimalScaleOf(means3[i], 0) >= 0) continue;
      this.tied = true;
      return;
    }
  }
  /** Rounds the sorted `means[0..count)`, inside [min, max]; they stay sorted. */
  round(means3, count, min, max) {
    const scale = this.chooseScale(means3, count, Math.max(Math.abs(min), Math.abs(max)));
    if (scale < 0) return;
    const power = powersOfTen[scale];
    for (let i = 0; i < count; i++) {
      const mean = Math.round(means3[i] * power) / power + 0;
      means3[i] = mean < min ? min : mean > max ? max : mean;
    }
  }
  /** The nearest number that a value can be, where all are decimals. */
  nearest(value) {
    if (this.scale < 0) return value;
    const nearest = Math.round(value * this.power) / this.power;
    return Number.isFinite(nearest) ? nearest : value;
  }
  reset() {
    this.setScale(0);
    this.tied = false;
  }
  /** All of it in one number below 32, for the codec. */
  get code() {
    return this.scale + 1 + (this.tied ? tiedBit : 0);
  }
  set code(code) {
    this.setScale(scaleOfCode(code));
    this.tied = (code & tiedBit) !== 0;
  }
  setScale(scale) {
    this.scale = scale;
    this.power = scale < 0 ? 1 : powersOfTen[scale];
  }
  chooseScale(means3, count, size) {
    if (this.scale < 0 && this.tied) return -1;
    const spread = spreadOf(means3, count);
    const step = spread / (this.scale < 0 ? otherSteps : decimalSteps);
    let scale = this.scale < 0 ? 0 : this.scale;
    while (scale < scaleMax && powersOfTen[scale] * step < 1) scale++;
    if (this.scale < 0 && powersOfTen[scale] * step < 1) return -1;
    if (size * powersOfTen[scale] <= scaledMax) return scale;
    if (this.scale >= 0 && size * powersOfTen[this.scale] <= scaledMax) return this.scale;
    return -1;
  }
};
function scaleOfCode(code) {
  return Math.min((code & 15) - 1, scaleMax);
}
function spreadOf(means3, count) {
  const middle2 = means3[count * 3 >> 2] - means3[count >> 2];
  return middle2 > 0 ? middle2 : means3[count - 1] - means3[0];
}

// src/digest/interpolate.ts
var gapRatio = 6;
var segment = new Float64Array(8);
function interpolateQuantile(state, grid, q) {
  if (state.length === 0) return NaN;
  const rank = (state.count + 1) * q;
  if (!(rank > 1)) return state.min;
  if (rank >= state.count) return state.max;
  const { weights: weights3, length } = state;
  let before2 = 0;
  let at = 0;
  while (at < length && before2 + (weights3[at] + 1) / 2 <= rank) before2 += weights3[at++];
  layOut(state, at - 1, before2 - (at > 0 ? weights3[at - 1] : 0));
  const isExact = (at === 0 || weights3[at - 1] === 1) && (at === length || weights3[at] === 1);
  const value = valueAt(rank);
  return clamp2(isExact ? value : grid.nearest(value), state.min, state.max);
}
function interpolateCdf(state, x) {
  if (state.length === 0) return NaN;
  if (x < state.min) return 0;
  if (x >= state.max) return 1;
  const { means: means3, weights: weights3, length } = state;
  let before2 = 0;
  let at = 0;
  while (at < length && means3[at] <= x) before2 += weights3[at++];
  layOut(state, at - 1, before2 - (at > 0 ? weights3[at - 1] : 0));
  return clamp2(rankAt(x) / state.count, 0, 1);
}
function layOut(state, at, before2) {
  const { means: means3, weights: weights3, length, count, min, max } = state;
  const hasLeft = at >= 0;
  const hasRight = at + 1 < length;
  const leftWeight = hasLeft ? weights3[at] : 1;
  const rightWeight = hasRight ? weights3[at + 1] : 1;
  const after = hasLeft ? before2 + leftWeight : 0;
  const leftRank = hasLeft ? before2 + (leftWeight + 1) / 2 : 1;
  const rightRank = hasRight ? after + (rightWeight + 1) / 2 : count;
  const left = !hasLeft ? min : isAlone(state, at) ? edge2(state, at) : means3[at];
  const right = !hasRight ? max : isAlone(state, at + 1) ? edge2(state, at + 1) : means3[at + 1];
  set(0, leftRank, left);
  set(1, leftRank, left);
  set(2, rightRank, right);
  set(3, rightRank, right);
  if (!hasLeft || !hasRight) return;
  const slope = (right - left) / (rightRank - leftRank);
  const leftSlope = slopeBefore(state, at, leftRank);
  const rightSlope = slopeAfter(state, at + 1, rightRank);
  if (slope <= gapRatio * Math.max(leftSlope, rightSlope)) return;
  const leftReach = Math.max(0, (leftWeight - 1) / 2);
  const rightReach = Math.max(0, (rightWeight - 1) / 2);
  set(1, leftRank + leftReach, left + leftReach * leftSlope);
  set(2, rightRank - rightReach, right - rightReach * rightSlope);
}
function isAlone({ weights: weights3, length }, at) {
  return (at === 0 || at === length - 1) && weights3[at] === 1;
}
function edge2({ min, max }, at) {
  return at === 0 ? min : max;
}
function slopeBefore({ means: means3, weights: weights3, min }, at, rank) {
  if (at === 0) return rank > 1 ? (means3[0] - min) / (rank - 1) : 0;
  return (means3[at] - means3[at - 1]) / ((weights3[at] + weights3[at - 1]) / 2);
}
function slopeAfter({ means: means3, weights: weights3, length, count, max }, at, rank) {
  if (at === length - 1) return count > rank ? (max - means3[at]) / (count - rank) : 0;
  return (means3[at + 1] - means3[at]) / ((weights3[at] + weights3[at + 1]) / 2);
}
function set(corner, rank, value) {
  segment[2 * corner] = rank;
  segment[2 * corner + 1] = value;
}
function valueAt(rank) {
  let corner = 1;
  while (corner < 3 && segment[2 * corner] < rank) corner++;
  const fromRank = segment[2 * corner - 2];
  const toRank = segment[2 * corner];
  const from2 = segment[2 * corner - 1];
  const to = segment[2 * corner + 1];
  if (toRank <= fromRank || from2 === to) return to;
  const part = (rank - fromRank) / (toRank - fromRank);
  if (part <= 0) return from2;
  const width = to - from2;
  const value = width < Infinity ? from2 + width * part : 2 * (from2 / 2 + (to / 2 - from2 / 2) * part);
  return part >= 1 ? to : clamp2(value, from2, to);
}
function rankAt(value) {
  let corner = 1;
  while (corner < 3 && segment[2 * corner + 1] < value) corner++;
  const fromRank = segment[2 * corner - 2];
  const toRank = segment[2 * corner];
  const from2 = segment[2 * corner - 1];
  const to = segment[2 * corner + 1];
  if (value <= from2) return fromRank;
  if (value >= to || to <= from2) return toRank;
  const width = to - from2;
  const part = width < Infinity ? (value - from2) / width : (value / 2 - from2 / 2) / (to / 2 - from2 / 2);
  return fromRank + part * (toRank - fromRank);
}
function clamp2(value, least, most) {
  return value < least ? least : value > most ? most : value;
}

// src/digest/sort-pairs.ts
var bucketsMax3 = 2048;
var roundsMax = 3;
var insertionMax = 24;
var sampledMin2 = 512;
var sampleSize2 = 32;
var otherKeys = new Float64Array(1024);
var otherWeights = new Float64Array(1024);
var places2 = new Uint16Array(1024);
var endsOfRound = Array.from({ length: roundsMax }, () => new Int32Array(bucketsMax3));
function sortPairs(keys, weights3, count) {
  if (otherKeys.length < count) {
    otherKeys = new Float64Array(count * 2);
    otherWeights = new Float64Array(count * 2);
    places2 = new Uint16Array(count * 2);
  }
  sortPart(keys, weights3, 0, count, 0);
}
function sortPart(keys, weights3, from2, to, round) {
  if (to - from2 > insertionMax && !isSorted(keys, from2, to)) {
    const buckets = round < roundsMax ? deal2(keys, weights3, from2, to, round) : 0;
    if (buckets === 0) {
      mergeSort(keys, weights3, from2, to);
      return;
    }
    const ends2 = endsOfRound[round];
    for (let b = 0, start = from2; b < buckets; start = ends2[b++]) {
      if (ends2[b] - start > insertionMax) sortPart(keys, weights3, start, ends2[b], round + 1);
    }
  }
  insertionSort(keys, weights3, from2, to);
}
function isSorted(keys, from2, to) {
  for (let i = from2 + 1; i < to; i++) if (keys[i - 1] > keys[i]) return false;
  return true;
}
function deal2(keys, weights3, from2, to, round) {
  findRange2(keys, from2, to);
  const least = range3[0];
  const buckets = Math.min(bucketsMax3, 2 << 31 - Math.clz32(to - from2));
  const factor = (buckets - 1) / (range3[1] - least);
  if (!(factor > 0) || factor === Infinity) return 0;
  const ends2 = endsOfRound[round];
  const top = buckets - 1;
  ends2.fill(0, 0, buckets);
  for (let i = from2; i < to; i++) {
    const position = (keys[i] - least) * factor;
    const place = position > 0 ? position < top ? position | 0 : top : 0;
    places2[i] = place;
    ends2[place] = ends2[place] + 1;
  }
  let start = from2;
  for (let b = 0; b < buckets; b++) {
    const size = ends2[b];
    ends2[b] = start;
    start += size;
  }
  for (let i = from2; i < to; i++) {
    const place = places2[i];
    const at = ends2[place];
    otherKeys[at] = keys[i];
    otherWeights[at] = weights3[i];
    ends2[place] = at + 1;
  }
  keys.set(otherKeys.subarray(from2, to), from2);
  weights3.set(otherWeights.subarray(from2, to), from2);
  return buckets;
}
var range3 = new Float64Array(2);
var sample2 = new Float64Array(sampleSize2);
var noWeights = new Float64Array(sampleSize2);
function findRange2(keys, from2, to) {
  if (to - from2 >= sampledMin2) {
    const step = Math.floor((to - from2) / sampleSize2);
    for (let s = 0; s < sampleSize2; s++) sample2[s] = keys[from2 + s * step];
    insertionSort(sample2, noWeights, 0, sampleSize2);
    range3[0] = sample2[1];
    range3[1] = sample2[sampleSize2 - 2];
    if (range3[0] < range3[1]) return;
  }
  let min = keys[from2];
  let max = min;
  for (let i = from2 + 1; i < to; i++) {
    const key = keys[i];
    min = key < min ? key : min;
    max = key > max ? key : max;
  }
  range3[0] = min;
  range3[1] = max;
}
function insertionSort(keys, weights3, from2, to) {
  for (let i = from2 + 1; i < to; i++) {
    const key = keys[i];
    if (keys[i - 1] <= key) continue;
    const weight = weights3[i];
    let at = i;
    do {
      keys[at] = keys[at - 1];
      weights3[at] = weights3[at - 1];
      at--;
    } while (at > from2 && keys[at - 1] > key);
    keys[at] = key;
    weights3[at] = weight;
  }
}
function mergeSort(keys, weights3, from2, to) {
  for (let start = from2; start < to; start += insertionMax) {
    insertionSort(keys, weights3, start, Math.min(start + insertionMax, to));
  }
  for (let length = insertionMax; length < to - from2; length *= 2) {
    for (let start = from2; start < to; start += 2 * length) {
      const middle2 = Math.min(start + length, to);
      mergeRuns(keys, weights3, start, middle2, Math.min(middle2 + length, to));
    }
    keys.set(otherKeys.subarray(from2, to), from2);
    weights3.set(otherWeights.subarray(from2, to), from2);
  }
}
function mergeRuns(keys, weights3, start, middle2, end) {
  let left = start;
  let right = middle2;
  for (let at = start; at < end; at++) {
    const isLeft = right >= end || left < middle2 && keys[left] <= keys[right];
    const source = isLeft ? left++ : right++;
    otherKeys[at] = keys[source];
    otherWeights[at] = weights3[source];
  }
}

// src/digest/digest.ts
var pendingDefault = 1024;
var Digest = class {
  /** Sum of all weights. */
  count = 0;
  /** Least and greatest value, exactly; Infinity and -Infinity in an empty digest. */
  min = Infinity;
  max = -Infinity;
  means;
  weights;
  used = 0;
  compressed = 0;
  /** What is known of the decimals of the values that were added. */
  grid = new Grid();
  /**
   * `pendingMax` bounds what waits: more makes a merge of many digests cheaper, which then are
   * sorted and clustered once.
   */
  constructor(pendingMax = pendingDefault) {
    this.means = new Float64Array(centroidsMax + Math.max(pendingMax, centroidsMax));
    this.weights = new Float64Array(this.means.length);
  }
  /** Centroids after `compress`, which this does first. */
  get centroidCount() {
    this.compress();
    return this.compressed;
  }
  /** Adds `value` (finite) `weight` times; a weight that is not above 0 adds nothing. */
  add(value, weight = 1) {
    if (!(weight > 0)) return;
    if (!(value - value === 0 && weight < Infinity)) refuse2(value, weight);
    if (this.used === this.means.length) this.compress();
    const at = this.used++;
    this.means[at] = value;
    this.weights[at] = weight;
    this.grid.hold(value);
    this.count += weight;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }
  /** Adds `values[from..to)`, each once. */
  addAll(values, from2, to) {
    for (let i = from2; i < to; i++) this.add(values[i]);
  }
  /** Adds everything that `other` holds, and leaves it as it is but compressed. */
  mergeFrom(other) {
    assert(other !== this, "Expected another digest");
    other.compress();
    const more = other.compressed;
    if (this.used + more > this.means.length) this.compress();
    this.means.set(other.means.subarray(0, more), this.used);
    this.weights.set(other.weights.subarray(0, more), this.used);
    this.used += more;
    this.grid.holdGrid(other.grid);
    this.count += other.count;
    if (other.min < this.min) this.min = other.min;
    if (other.max > this.max) this.max = other.max;
  }
  /** Merges what is pending; costs nothing where nothing is. */
  compress() {
    if (this.used === this.compressed) return;
    const { means: means3, weights: weights3 } = this;
    sortPairs(means3, weights3, this.used);
    this.grid.noticeTies(means3, this.used);
    const kept2 = cluster(means3, weights3, this.used, this.count);
    this.grid.round(means3, kept2, this.min, this.max);
    this.used = kept2;
    this.compressed = kept2;
  }
  /**
   * The value at position (count + 1) × q of the sorted values, as the exact percentiles count it
   * (decisions §5); NaN in an empty digest. Never falls as `q` grows; q = 0 is min, 1 is max.
   */
  quantile(q) {
    this.compress();
    return interpolateQuantile(this.state(), this.grid, q);
  }
  /** About which part of the values is at most `x`; NaN in an empty digest. */
  cdf(x) {
    this.compress();
    return interpolateCdf(this.state(), x);
  }
  /** Empties the digest and keeps its memory. */
  reset() {
    this.count = 0;
    this.min = Infinity;
    this.max = -Infinity;
    this.used = 0;
    this.compressed = 0;
    this.grid.reset();
  }
  /** A view of the compressed centroids, for the codec; valid until the next change. */
  state() {
    this.compress();
    const { means: means3, weights: weights3, compressed, count, min, max, grid } = this;
    return { means: means3, weights: weights3, length: compressed, count, min, max, gridCode: grid.code };
  }
  /** Takes over what `state` gave once; `means` and `weights` are copied. */
  restore(state) {
    assert(state.length <= this.means.length, `Expected fewer centroids, got ${state.length}`);
    this.means.set(state.means.subarray(0, state.length));
    this.weights.set(state.weights.subarray(0, state.length));
    this.used = state.length;
    this.compressed = state.length;
    this.count = state.count;
    this.min = state.min;
    this.max = state.max;
    this.grid.code = state.gridCode;
  }
};
function refuse2(value, weight) {
  assert(false, `Expected finite numbers, got ${value} \xD7 ${weight}`);
}

// src/store/lmdb/day-digests.ts
var contributions2 = new Contributions();
var DayDigests = class {
  /** By slot · 24 + hour. */
  hours = /* @__PURE__ */ new Map();
  /** Raw samples of the day by slot. */
  samples = new Float64Array(seriesPerBlock);
  daysBySlot = /* @__PURE__ */ new Map();
  hourCells;
  slots;
  constructor(slots, hourCells2, dayCells2) {
    this.slots = slots;
    this.hourCells = hourCells2;
    for (let slot = 0; slot < slots; slot++) {
      if (dayCells2.count[slot] > exactBucketSamplesMax) this.daysBySlot.set(slot, new Digest());
    }
  }
  /** Takes the samples of one hour of the day from the window that holds it. */
  addHour(window, hour, day) {
    const startMs = day * dayMs + hour * hourMs;
    for (let slot = 0; slot < this.slots; slot++) {
      const end = window.slotTo(slot);
      const from2 = window.lowerBound(startMs, window.slotFrom(slot), end);
      const to = window.lowerBound(startMs + hourMs, from2, end);
      this.samples[slot] += to - from2;
      const daily = this.daysBySlot.get(slot);
      if (daily === void 0 || from2 === to) continue;
      this.addSlotHour(window, { from: from2, to }, { place: slot * hoursPerDay + hour, daily });
    }
  }
  /** By slot. */
  days() {
    for (const digest of this.daysBySlot.values()) digest.compress();
    return this.daysBySlot;
  }
  addSlotHour(window, range4, into) {
    if (!(this.hourCells.count[into.place] > exactBucketSamplesMax)) {
      addSamples(window, range4, into.daily);
      return;
    }
    const hourly = new Digest();
    addSamples(window, range4, hourly);
    hourly.compress();
    this.hours.set(into.place, hourly);
    into.daily.mergeFrom(hourly);
  }
};
function addSamples(raw, range4, digest) {
  const { from: from2, to } = range4;
  if (!hasAggregates(raw, from2, to)) {
    for (let i = from2; i < to; i++) digest.add(raw.values[i]);
    return;
  }
  gatherContributions(raw, from2, to, contributions2);
  for (let i = 0; i < contributions2.length; i++) {
    if (contributions2.count[i] > 0)
      digest.add(contributions2.digestMean(i), contributions2.count[i]);
  }
}

// src/store/lmdb/seal-counters.ts
var before = slotCells();
var later = slotCells();
function settleCounters({ tables, counterPast }, { day, block }, cells2, { slots, range: range4 = wholeDay }) {
  const { from: from2, to } = range4;
  const wanted2 = counterSlots(cells2, slotNumbers(slots), { from: from2, to, perSlot: cyclesPerDay });
  if (wanted2.length === 0) return false;
  const cycle = day * cyclesPerDay;
  counterPast.find({ block, slots, cycle }, wanted2, recentSource(tables, block));
  for (const slot of wanted2) {
    const at = slot * cyclesPerDay;
    applyCounters(cells2, at + from2, at + to, counterPast.last[slot]);
  }
  return true;
}
function markFollowing(context, { day, block }, cells2, slots) {
  const { tables, openDays, writes, elapsedMs } = context;
  const newest = newestDay(tables.days);
  if (newest <= day) return;
  const lostDays = new LostDays(tables.meta.get(lostDaysKey));
  const { ZERO } = readHorizons(tables);
  readDay(context, { day, block }, before);
  let changed = slotNumbers(slots).filter(
    (slot) => cells2.count[slot] > 0 && !(before.count[slot] > 0 && before.last[slot] === cells2.last[slot])
  );
  for (let next = day + 1; next <= newest && changed.length > 0; next++) {
    if (!readDay(context, { day: next, block }, later)) continue;
    const found = changed.filter((slot) => later.count[slot] > 0);
    changed = changed.filter((slot) => !(later.count[slot] > 0));
    if (next < ZERO || lostDays.has({ day: next, block })) continue;
    if (!found.some((slot) => later.definition[slot] === definitionCounter)) continue;
    openDays.touch(next, block, { tables, writes, elapsedMs: elapsedMs() });
  }
}
function readDay({ tables }, { day, block }, cells2) {
  clearPresence(cells2, 0, cells2.length);
  const key = periodKey(day, block);
  const bytes = tables.days.view(key);
  if (bytes !== void 0) readCoarse(key, bytes, 1, cells2);
  return bytes !== void 0;
}

// src/store/lmdb/seal-bands.ts
var slotsPerStep = 32;
var cyclesPerStep = 32;
var dayBands;
var cycleBands = new Float32Array(cycleBandsLength);
function* sealBands(tables, where, slots, cycles) {
  if (cycles.length === 0) return null;
  const day = dayBands ??= dayOfBands();
  day.fill(NaN);
  const key = periodKey(where.day, where.block);
  const sealed = tables.bands.get(key);
  if (sealed !== void 0) {
    for (const [slot, run2] of openDayBands(key, sealed).entries()) {
      unpackDayRun(run2, day, slot * dayBandsLength);
    }
  }
  for (const [i, cycle] of cycles.entries()) {
    if (i % cyclesPerStep === 0) yield;
    readRecentBands(tables, cycle, where.block, cycleBands);
    overlay(day, slots, cycle - where.day * cyclesPerDay);
  }
  const runs2 = [];
  for (let slot = 0; slot < slots; slot++) {
    if (slot % slotsPerStep === 0) yield;
    runs2.push(packDayRun(day, slot * dayBandsLength));
  }
  return packDayBands(key, runs2);
}
function overlay(day, slots, cycle) {
  for (let slot = 0; slot < slots; slot++) {
    if (!hasBand(cycleBands, slot)) continue;
    for (let i = 0; i < bandWidth; i++) {
      day[slot * dayBandsLength + i * cyclesPerDay + cycle] = cycleBands[slot * bandWidth + i];
    }
  }
}

// src/store/lmdb/seal.ts
var windowsPerDay = dayMs / windowMs;
var cyclesPerStep2 = 32;
var dayCells = new CellColumns(dayCellsMax);
var recentCells = slotCells();
var hourCells = hourTable();
var wholeDayCells = dayTable();
function* sealJob(context, where, incoming = null) {
  const { catalogue, writes, tables, counters, openDays, windows } = context;
  const slots = catalogue.blockSeries(where.block).length;
  context.sealed.forget();
  context.sealing.day = where.day;
  const recent = recentDay(tables, where.day, where.block);
  const wasSealed = yield* gatherCells(context, { ...where, slots, recent });
  const arrived = incoming === null ? noneArrived : yield* gatherArrived(context, incoming);
  const touched = wasSealed ? wholeDay : touchedRange(where.day, recent, arrived);
  const range4 = presentRange(dayCells, slots, touched);
  const hasCounters2 = settleCounters(context, where, dayCells, { slots, range: range4 });
  const hours = mergeHours(dayCells, slots, { range: range4, hourCells });
  const days = mergeDay(hours, slots, wholeDayCells);
  const digests = new DayDigests(slots, hours, days);
  const sealed = [];
  for (let i = 0; i < windowsPerDay; i++) {
    const window = where.day * windowsPerDay + i;
    const hasRecent = recent.raw.some((cycle) => Math.floor(cycle / cyclesPerWindow) === window);
    const merged2 = windows.read({ window, block: where.block, slots, hasRecent }, arrived);
    if (merged2 === null) continue;
    yield;
    const key2 = periodKey(window, where.block);
    const value = encodeRecord(key2, (writer) => encodeSealedRaw(writer, merged2, window * windowMs));
    sealed.push({ table: tables.raw, key: key2, value });
    yield;
    for (let hour = 0; hour < windowMs / hourMs; hour++) {
      digests.addHour(merged2, i * (windowMs / hourMs) + hour, where.day);
      yield;
    }
  }
  for (const [index, name] of cellColumnNames.entries()) {
    const key2 = columnKey(where.day, where.block, index);
    const value = packColumn(key2, name, dayCells, { slots, range: range4 });
    sealed.push({ table: tables.cells, key: key2, value });
    yield;
  }
  const bands2 = yield* sealBands(tables, where, slots, recent.bands);
  if (bands2 !== null) {
    sealed.push({ table: tables.bands, key: periodKey(where.day, where.block), value: bands2 });
  }
  for (const { table, key: key2, value } of sealed) writes.put(table, key2, value);
  markFollowing(context, where, days, slots);
  const key = periodKey(where.day, where.block);
  const { samples } = digests;
  const hourShape = { slots, buckets: hoursPerDay, samples };
  writes.put(tables.hours, key, packCoarse(key, hours, hourShape, digests.hours));
  writes.put(
    tables.days,
    key,
    packCoarse(key, days, { slots, buckets: 1, samples }, digests.days())
  );
  removeRecent(context, where, recent);
  writes.afterCommit(() => openDays.close(where.day, where.block));
  counters.sealed++;
  context.sealing.day = -1;
  if (!hasCounters2) return;
  writes.urge();
  yield;
}
function* gatherCells({ tables }, where) {
  const { day, block, slots, recent } = where;
  const wasSealed = readDayCells(tables, where, dayCells, { columns: cellColumnNames, slots });
  for (const [i, cycle] of recent.cells.entries()) {
    if (i % cyclesPerStep2 === 0) yield;
    readRecentCells(tables, cycle, block, recentCells);
    overlayCycle(recentCells, dayCells, cycle - day * cyclesPerDay);
  }
  return wasSealed;
}
function touchedRange(day, recent, arrived) {
  const cycles = [...recent.cells, ...arrived.keys()];
  if (cycles.length === 0) return noCycles;
  const first = day * cyclesPerDay;
  return { from: smallestOf(cycles) - first, to: largestOf(cycles) + 1 - first };
}
var noneArrived = /* @__PURE__ */ new Map();
function* gatherArrived(context, incoming) {
  const { merger } = context;
  const arrived = /* @__PURE__ */ new Map();
  for (const group of incoming.groups) {
    merger.merge(incoming.samples, group);
    overlayCycle(merger.cells, dayCells, group.cycle % cyclesPerDay);
    arrived.set(group.cycle, merger.raw.copy());
    yield;
  }
  return arrived;
}
function removeRecent(context, where, recent) {
  const { tables, writes } = context;
  const remove2 = (table, cycles) => {
    for (const cycle of cycles) writes.remove(table, periodKey(cycle, where.block));
  };
  remove2(tables.recentRaw, recent.raw);
  remove2(tables.recentCells, recent.cells);
  remove2(tables.recentBands, recent.bands);
  writes.remove(tables.openDays, periodKey(where.day, where.block));
}

// src/store/lmdb/states.ts
var separator = Buffer.of(0);
var afterSeparator = Buffer.of(1);
function putState(tables, writes, change) {
  const { kind, key, bytes } = change;
  const at = stateKey(kind, Uint8Array.from(key));
  if (bytes === null) writes.remove(tables.states, at);
  else {
    writes.put(
      tables.states,
      at,
      encodeRecord(at, (writer) => writer.append(bytes))
    );
  }
}
function getState(tables, kind, key) {
  const at = stateKey(kind, key);
  const bytes = tables.states.view(at);
  return bytes === void 0 ? void 0 : contentOf2(at, bytes);
}
function listStates(tables, kind, { from: from2, to, limit } = {}) {
  const prefix = stateKey(kind, new Uint8Array(0)).length;
  const start = stateKey(kind, from2 ?? new Uint8Array(0));
  const end = to === void 0 ? Buffer.concat([textKey(kind), afterSeparator]) : stateKey(kind, to);
  const bounds = limit === void 0 ? { start, end } : { start, end, limit };
  return [...tables.states.getRange(bounds)].map(({ key, value }) => ({
    key: Uint8Array.from(key.subarray(prefix)),
    bytes: contentOf2(key, value)
  }));
}
function markClosed(tables, writes, of) {
  const key = closedKey(of.cycle, of.part);
  writes.put(tables.closed, key, packMarker(key));
}
function isClosed(tables, cycle, part) {
  return tables.closed.doesExist(closedKey(cycle, part));
}
function newestClosed(tables) {
  for (const key of tables.closed.getKeys({ limit: 1, reverse: true })) return keyToIndex(key);
  return -1;
}
function closedKey(cycle, part) {
  const key = Buffer.concat([indexKey(cycle), textKey(part)]);
  assert(key.length <= closingKeyBytesMax, "Expected a shorter name of a part");
  return key;
}
function stateKey(kind, key) {
  const name = textKey(kind);
  assert(!name.includes(0), "Expected a kind without NUL");
  assert(name.length + 1 + key.length <= closingKeyBytesMax, "Expected a shorter key of a state");
  return Buffer.concat([name, separator, key]);
}
function contentOf2(key, bytes) {
  const reader = openRecord(key, bytes);
  return Uint8Array.from(reader.take(reader.end - reader.position));
}

// src/store/lmdb/fold.ts
var sealSamplesMin = 16384;
var sealShareMin = 1 / 8;
function* foldJob(context, nowMs, sealMs = nowMs) {
  const { memtable, journal, catalogue, writes, tables, counters, openDays } = context;
  const frames = memtable.freeze();
  openDays.beginFold();
  context.sealed.forget();
  const closedMs = (newestClosed(tables) + 1) * cycleMs;
  context.merger.closedMs = Math.max(nowMs - context.cycleGraceMs, closedMs);
  const plan3 = yield* planGroups2(frames, catalogue);
  for (let pass = 0; pass + 1 < plan3.passes.length; pass++) {
    const scratch6 = context.groups;
    const grouped = yield* groupPass(frames, catalogue, { plan: plan3, pass, scratch: scratch6 });
    for (let i = 0; i < grouped.blocks.length; i++) {
      yield* foldBlock(context, grouped, { i, nowMs: sealMs });
      counters.folded += grouped.starts[i + 1] - grouped.starts[i];
    }
  }
  context.groups.shrink();
  for (const { sequence, isInInbox } of frames) {
    if (isInInbox) writes.remove(tables.inbox, sequenceKey(sequence));
  }
  const folded = frames.at(-1)?.sequence ?? 0;
  writes.put(tables.meta, foldedKey, packSequence(folded));
  writes.afterCommit(() => {
    memtable.dropFrozen();
    if (!journal.isHeld(nowMs)) journal.release(folded);
  });
}
function* foldBlock(context, grouped, which) {
  const { i, nowMs } = which;
  const block = grouped.blocks[i];
  const range4 = { from: grouped.starts[i], to: grouped.starts[i + 1] };
  for (const groups of dayGroups(cycleGroups(grouped, block, range4))) {
    noteCrowds(context, block, groups);
    const day = Math.floor(groups[0].cycle / cyclesPerDay);
    const count = groups.at(-1).to - groups[0].from;
    if (isWorthSealing(context, { day, block, count, nowMs })) {
      yield* sealJob(context, { day, block }, { samples: grouped, groups });
    } else yield* foldDay(context, grouped, groups);
  }
}
function noteCrowds(context, block, groups) {
  const { crowds, catalogue, warn } = context;
  for (const { cycle, from: from2, to } of groups) {
    if (!crowds.noteFolded(cycle, block, to - from2)) continue;
    const { fqn: metric } = catalogue.name(catalogue.blockName(block));
    const sinceMs = cycle * cycleMs;
    warn({ metric, block, sinceMs }, "a block of series is crowded: each takes few samples more");
  }
}
function* foldDay(context, grouped, groups) {
  const { tables, writes, openDays, elapsedMs, merger } = context;
  for (const group of groups) {
    const { cycle, block } = group;
    merger.merge(grouped, group);
    const key = periodKey(cycle, block);
    const day = Math.floor(cycle / cyclesPerDay);
    openDays.touch(day, block, { tables, writes, elapsedMs: elapsedMs() });
    writes.put(tables.recentRaw, key, packRecentRaw(key, merger.raw, cycle));
    writes.put(tables.recentCells, key, packRecentCells(key, merger.cells));
    yield;
  }
}
function isWorthSealing(context, what) {
  const { day, block, count, nowMs } = what;
  if (count < sealSamplesMin || !isPastDay(day, nowMs)) return false;
  const key = periodKey(day, block);
  const bytes = context.tables.days.view(key);
  return bytes === void 0 || count >= readSampleTotal(key, bytes) * sealShareMin;
}
function* dayGroups(cycles) {
  let groups = [];
  for (const group of cycles) {
    const [first] = groups;
    const isSameDay = first !== void 0 && Math.floor(first.cycle / cyclesPerDay) === Math.floor(group.cycle / cyclesPerDay);
    if (!isSameDay && first !== void 0) {
      yield groups;
      groups = [];
    }
    groups.push(group);
  }
  if (groups.length > 0) yield groups;
}
function* cycleGroups(samples, block, range4) {
  const order = orderByCycleAndSlot(samples, range4.from, range4.to);
  let from2 = 0;
  while (from2 < order.length) {
    const cycle = Math.floor(samples.timesMs[order[from2]] / cycleMs);
    const to = firstAtOrAfter(samples.timesMs, order, { from: from2, timeMs: (cycle + 1) * cycleMs });
    yield { cycle, block, order, from: from2, to };
    from2 = to;
  }
}
function firstAtOrAfter(timesMs, order, { from: from2, timeMs }) {
  let at = from2;
  while (at < order.length && timesMs[order[at]] < timeMs) at++;
  return at;
}

// src/store/lmdb/sealed-facts.ts
var SealedFacts = class {
  tables;
  /** Flags, definitions and counts of the day; made when first needed, as it takes 6.5 MB. */
  presence;
  scratch;
  day = -1;
  block = -1;
  found = false;
  constructor(tables) {
    this.tables = tables;
  }
  forget() {
    this.day = -1;
  }
  /** True where the day of a cycle is sealed. */
  has(cycle, block) {
    this.find(cycle, block, 0);
    return this.found;
  }
  /**
   * Puts definition and, of a fact, the whole cell into `out`; false, and it is as it was, where
   * none is sealed.
   */
  read(cycle, block, slot, out) {
    const at = this.find(cycle, block, slot);
    if (at < 0) return false;
    if (isFact(this.presence, at)) this.readWhole(cycle, block, slot, out);
    else out.definition[slot] = this.presence.definition[at];
    return true;
  }
  /** Puts the whole sealed cell into `out`; false, and it is empty, where none is sealed. */
  readWhole(cycle, block, slot, out) {
    const at = this.find(cycle, block, slot);
    clearCells(out, slot, slot + 1);
    if (at < 0) return false;
    this.scratch ??= new CellColumns(dayCellsMax);
    const where = { day: this.day, block };
    const wish = { columns: cellColumnNames, slots: slot + 1, onlySlot: slot };
    readDayCells(this.tables, where, this.scratch, wish);
    copyCell(this.scratch, at, out, slot);
    return true;
  }
  /** Where the cell stands in its day; -1 where it is not sealed, or not present. */
  find(cycle, block, slot) {
    const day = Math.floor(cycle / cyclesPerDay);
    if (day !== this.day || block !== this.block) this.load(day, block);
    const at = slot * cyclesPerDay + (cycle - day * cyclesPerDay);
    return this.found && isPresent(this.presence, at) ? at : -1;
  }
  load(day, block) {
    this.day = day;
    this.block = block;
    this.found = isSealed(this.tables, day, block);
    if (!this.found) return;
    this.presence ??= new CellColumns(dayCellsMax);
    const wish = { columns: [], slots: dayCellsMax / cyclesPerDay };
    this.found = readDayCells(this.tables, { day, block }, this.presence, wish);
  }
};

// src/store/lmdb/sealed-windows.ts
var SealedWindows = class {
  tables;
  raw = new RawColumns();
  window = -1;
  block = -1;
  found = false;
  /** What is sealed of the cells. */
  cells;
  constructor(tables) {
    this.tables = tables;
    this.cells = new SealedFacts(tables);
  }
  /** True where raw samples or cells of the block are sealed that a cycle may be among. */
  has(cycle, block) {
    return this.cells.has(cycle, block) || this.read(windowOf(cycle), block) !== null;
  }
  /** All slots of a window, or null where nothing is sealed. Valid until the next call. */
  read(window, block) {
    if (window !== this.window || block !== this.block) this.load(window, block);
    return this.found ? this.raw : null;
  }
  /** The sealed samples of a slot in a cycle, or null where there are none. */
  cycleOfSlot(cycle, block, slot) {
    const raw = this.read(windowOf(cycle), block);
    return raw === null ? null : rangeOfCycle(raw, slot, cycle);
  }
  /** Forgets what was decoded: the store has changed. */
  forget() {
    this.window = -1;
    this.cells.forget();
  }
  /** Gives back what only many samples of a block needed. */
  shrink() {
    this.forget();
    this.raw.shrink();
  }
  load(window, block) {
    this.window = window;
    this.block = block;
    const key = periodKey(window, block);
    const bytes = this.tables.raw.view(key);
    this.found = bytes !== void 0;
    if (bytes !== void 0) decodeSealedRaw(openRecord(key, bytes), this.raw, window * windowMs);
  }
};
function windowOf(cycle) {
  return Math.floor(cycle / cyclesPerWindow);
}
function rangeOfCycle(raw, slot, cycle) {
  if (slot >= raw.slotCount) return null;
  const end = raw.slotStart[slot + 1];
  const from2 = raw.lowerBound(cycle * cycleMs, raw.slotStart[slot], end);
  const to = raw.lowerBound((cycle + 1) * cycleMs, from2, end);
  return from2 === to ? null : { columns: raw, from: from2, to };
}

// src/store/lmdb/window-merge.ts
var noOverrides = /* @__PURE__ */ new Map();
var WindowMerger = class {
  tables;
  sealed;
  recent = Array.from({ length: cyclesPerWindow }, () => new RawColumns());
  cycles = [];
  /** Those of `cycles` that are there, in order. */
  present = [];
  merged = new RawColumns();
  constructor(tables, sealed) {
    this.tables = tables;
    this.sealed = sealed;
  }
  /** Gives back what only many samples of a block needed. */
  shrink() {
    this.merged.shrink();
    for (const raw of this.recent) raw.shrink();
  }
  /** Samples of all slots, or null where there are none. Valid until the next call. */
  read(where, overrides = noOverrides) {
    const sealed = this.sealed.read(where.window, where.block);
    const first = where.window * cyclesPerWindow;
    if (!this.gatherCycles(where, first, overrides)) return sealed;
    this.merged.reset();
    for (let slot = 0; slot < where.slots; slot++) {
      if (sealed === null) this.joinSlot(slot);
      else this.mergeSlot(sealed, slot, first);
      this.merged.endSlot();
    }
    return this.merged;
  }
  /** Fills `cycles`; false where no cycle has anything beside what is sealed. */
  gatherCycles(where, first, overrides) {
    this.present = [];
    for (let i = 0; i < cyclesPerWindow; i++) {
      const raw = this.recent[i];
      const override = overrides.get(first + i);
      const isRecent = override === void 0 && where.hasRecent && readRecentRaw(this.tables, first + i, where.block, raw);
      const cycle = override ?? (isRecent ? raw : null);
      this.cycles[i] = cycle;
      if (cycle !== null) this.present.push(cycle);
    }
    return this.present.length > 0;
  }
  /** Nothing is sealed: one cycle after the other. */
  joinSlot(slot) {
    for (const raw of this.present) this.merged.append(raw, raw.slotFrom(slot), raw.slotTo(slot));
  }
  mergeSlot(sealed, slot, firstCycle) {
    for (let i = 0; i < cyclesPerWindow; i++) {
      const raw = this.cycles[i];
      if (raw !== null && raw.slotTo(slot) > raw.slotFrom(slot)) {
        this.merged.append(raw, raw.slotFrom(slot), raw.slotTo(slot));
        continue;
      }
      const range4 = rangeOfCycle(sealed, slot, firstCycle + i);
      if (range4 !== null) this.merged.append(range4.columns, range4.from, range4.to);
    }
  }
};

// src/store/lmdb/block-view.ts
var ViewScratch = class {
  tables;
  sealed;
  windows;
  merger;
  recentCells = slotCells();
  counterPast;
  ownDayCells = null;
  /** `places` may be replaced by others. */
  constructor(tables, places3) {
    this.tables = tables;
    this.counterPast = new CounterPast(tables);
    this.sealed = new SealedWindows(tables);
    this.windows = new WindowMerger(tables, this.sealed);
    this.merger = new CycleMerger(tables, this.sealed, {
      members: (block) => places3().blockSeries(block),
      ofSeries: (series) => places3().definitionCode(series)
    });
  }
  /** PT5M cells at slot · 288 + cycle of the day: 6.5 MB, which not every reader needs. */
  get dayCells() {
    return this.ownDayCells ??= new CellColumns(dayCellsMax);
  }
};
var BlockView = class {
  block;
  slots;
  scratch;
  open;
  openGroups = /* @__PURE__ */ new Map();
  /** `open` holds unfolded samples of this block alone. */
  constructor(scratch6, where, open3) {
    this.scratch = scratch6;
    this.block = where.block;
    this.slots = where.slots;
    this.open = open3;
    if (open3 === null) return;
    const range4 = { from: 0, to: open3.timesMs.length };
    for (const group of cycleGroups(open3, where.block, range4)) {
      this.openGroups.set(group.cycle, group);
    }
  }
  /** True where nothing at all is known of the day. */
  isEmpty(day) {
    if (isSealed(this.scratch.tables, day, this.block)) return false;
    return !this.hasRecent(day) && !this.hasOpen(day);
  }
  /** True where the day is answered from its sealed hours, day and digests alone. */
  isCoarse(day) {
    return isSealed(this.scratch.tables, day, this.block) && !this.hasRecent(day) && !this.hasOpen(day);
  }
  /** Reads what is not sealed of the cycles [from, to) of a day. */
  readUnsealed(day, { from: from2, to }, into) {
    into.reset();
    const hasRecent = this.hasRecent(day);
    if (!hasRecent && !this.hasOpen(day)) return;
    for (let cycle = from2; cycle < to; cycle++) {
      const number2 = day * cyclesPerDay + cycle;
      if (this.openGroups.has(number2)) into.keepCopy(cycle, this.unsealedCells(number2, hasRecent));
      else if (hasRecent && findRecentCells(this.scratch.tables, number2, this.block, into.room)) {
        into.keep(cycle);
      }
    }
  }
  /**
   * PT5M cells of a day at slot · 288 + cycle; the cycles outside `span` may be missing. Scratch
   * memory that the next call overwrites.
   */
  cyclesOf(day, span, options) {
    const cells2 = this.scratch.dayCells;
    const first = Math.max(day * cyclesPerDay, Math.floor(span.startMs / cycleMs));
    const end = Math.min((day + 1) * cyclesPerDay, Math.ceil(span.endMs / cycleMs));
    const range4 = { first, end, ...options };
    const hasRecent = this.hasRecent(day);
    const hasUnsealed = hasRecent || this.hasOpen(day);
    const isStored = !hasUnsealed && !this.isDisturbed(day);
    const derives = !isStored && options.columns.includes("actual");
    this.readSealed(day, range4, { derives, hasUnsealed });
    for (let cycle = first; cycle < end; cycle++) {
      const found = this.unsealedCells(cycle, hasRecent);
      if (found !== null) overlayCycle(found, cells2, cycle - day * cyclesPerDay);
    }
    if (derives) this.deriveCounters(day, range4);
    return cells2;
  }
  /** PT1H cells of a day at slot · 24 + hour, made from its PT5M cells; scratch memory. */
  hoursOf(day) {
    const span = { startMs: day * dayMs, endMs: (day + 1) * dayMs };
    return mergeHours(this.cyclesOf(day, span, { columns: cellColumnNames }), this.slots);
  }
  /** The PT24H cell of a day at each slot, made from its PT5M cells; scratch memory. */
  dayOf(day) {
    return mergeDay(this.hoursOf(day), this.slots);
  }
  /** Raw samples of a window, or null where there are none; scratch memory. */
  rawOf(window) {
    const { block, slots } = this;
    const overrides = /* @__PURE__ */ new Map();
    const first = window * cyclesPerWindow;
    for (let cycle = first; cycle < first + cyclesPerWindow; cycle++) {
      const group = this.openGroups.get(cycle);
      if (group === void 0) continue;
      this.scratch.merger.merge(this.open, group);
      overrides.set(cycle, this.scratch.merger.raw.copy());
    }
    const hasRecent = this.hasRecent(Math.floor(first * cycleMs / dayMs));
    return this.scratch.windows.read({ window, block, slots, hasRecent }, overrides);
  }
  /**
   * True where the counters of a sealed day may be stale, since more has come of a day before it.
   * Days whose raw samples are gone stay as they are.
   */
  isDisturbed(day) {
    const { tables } = this.scratch;
    const { ZERO, PT5M } = readHorizons(tables);
    if (day < Math.max(ZERO, PT5M)) return false;
    return this.oldestOpenDay < day || isDisturbed(tables, this.block, day);
  }
  readSealed(day, range4, { derives, hasUnsealed }) {
    const { block, slots } = this;
    const { tables, dayCells: dayCells2 } = this.scratch;
    const options = { ...range4, slots };
    if (!readDayCells(tables, { day, block }, dayCells2, options) || !derives) return;
    const place = { from: 0, to: cyclesPerDay, perSlot: cyclesPerDay };
    if (!hasUnsealed && counterSlots(dayCells2, this.slotsOf(range4), place).length === 0) return;
    const columns = [...range4.columns, "last"];
    readDayCells(tables, { day, block }, dayCells2, { ...options, columns });
  }
  /** Open cells of a cycle, else recent ones, by slot; null where there are none. Scratch memory. */
  unsealedCells(cycle, hasRecent) {
    const { tables, merger, recentCells: recentCells2 } = this.scratch;
    const group = this.openGroups.get(cycle);
    if (group !== void 0) {
      merger.merge(this.open, group);
      return merger.cells;
    }
    return hasRecent && findRecentCells(tables, cycle, this.block, recentCells2) ? recentCells2 : null;
  }
  /** Gives the counters of the range their actuals; their other columns are there. */
  deriveCounters(day, range4) {
    const { dayCells: dayCells2, counterPast } = this.scratch;
    const { block, slots } = this;
    const { first, end } = range4;
    const from2 = first - day * cyclesPerDay;
    const to = end - day * cyclesPerDay;
    const place = { from: from2, to, perSlot: cyclesPerDay };
    const wanted2 = counterSlots(dayCells2, this.slotsOf(range4), place);
    if (wanted2.length === 0) return;
    counterPast.find({ block, slots, cycle: first }, wanted2, this.pastSource());
    for (const slot of wanted2) {
      const at = slot * cyclesPerDay;
      applyCounters(dayCells2, at + from2, at + to, counterPast.last[slot]);
    }
  }
  pastSource() {
    return {
      oldestDay: this.oldestOpenDay,
      isTouched: (day) => this.hasRecent(day) || this.hasOpen(day),
      cellsOf: (cycle) => this.unsealedCells(cycle, true)
    };
  }
  slotsOf({ onlySlot }) {
    return onlySlot === void 0 ? slotNumbers(this.slots) : [onlySlot];
  }
  get oldestOpenDay() {
    return Math.floor(smallestOf(this.openGroups.keys()) / cyclesPerDay);
  }
  hasRecent(day) {
    return this.scratch.tables.openDays.doesExist(periodKey(day, this.block));
  }
  hasOpen(day) {
    for (const cycle of this.openGroups.keys()) {
      if (Math.floor(cycle / cyclesPerDay) === day) return true;
    }
    return false;
  }
};

// src/rollup/ratios.ts
var numeratorMax = scaledMax / 2;
var countMax2 = 9e6;
function isAverageExact(size, scale, count) {
  if (size > numeratorMax || count > countMax2 || Math.floor(count) !== count) return false;
  const power = powersOfTen[scale];
  return scale === 0 ? size < 1e12 : size < 1e6 * power || scale <= 3 && size < 1e12 * power;
}
function statisticsOfRatios(ratios, count, scratch6) {
  assert(count > 0, "Expected a population");
  const { numerators: numerators2, divisor, min, max } = ratios;
  const { ranks, found } = scratch6;
  rankPercentiles(count, ranks);
  selectRanks(numerators2, count, ranks, found, scratch6.select);
  for (let i = 0; i < found.length; i++) found[i] = found[i] / divisor;
  if (!ratioMoments(ratios, count)) {
    momentsOf(quotients(ratios, count, scratch6), 0, count);
  }
  return statisticsFrom({ count, min: min / divisor, max: max / divisor, ...moments }, found);
}
function ratioMoments(ratios, count) {
  const { numerators: numerators2, divisor, min, max } = ratios;
  const scale = scaleOf(divisor);
  if (scale < 0) return false;
  const power = powersOfTen[scale];
  const factor = power / divisor;
  const size = Math.max(max, -min) * factor;
  if (size > numeratorMax || size * count > Number.MAX_SAFE_INTEGER) return false;
  const first = numerators2[0];
  const { distances, squares } = ratios.sums ?? sumsOf(numerators2, count);
  const total = distances + count * first;
  const scaledSquares = squares * factor * factor;
  if (count * scaledSquares <= Number.MAX_SAFE_INTEGER) {
    const scaledDistances = distances * factor;
    const moment = count * scaledSquares - scaledDistances * scaledDistances;
    moments.sum = total * factor / power;
    moments.m2 = squaresFromMoment(moment, scale, count);
    return true;
  }
  if (isSmallerScale(ratios, count, factor)) return false;
  moments.sum = total * factor / power;
  moments.m2 = squaresAroundOfRatios(ratios, count, moments.sum / count);
  return true;
}
function scaleOf(divisor) {
  for (let scale = 0; scale <= scaleMax; scale++) {
    if (powersOfTen[scale] % divisor === 0) return scale;
  }
  return -1;
}
function isSmallerScale({ numerators: numerators2 }, count, factor) {
  for (let i = 0; i < count; i++) if (numerators2[i] * factor % 10 !== 0) return false;
  return true;
}
function sumsOf(numerators2, count) {
  const first = numerators2[0];
  let distances = 0;
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const distance = numerators2[i] - first;
    distances += distance;
    squares += distance * distance;
  }
  return { distances, squares };
}
function quotients({ numerators: numerators2, divisor }, count, scratch6) {
  const values = scratch6.values.take(count);
  for (let i = 0; i < count; i++) values[i] = numerators2[i] / divisor;
  return values;
}

// src/store/lmdb/bucket-values.ts
var BucketValues = class {
  /** Those of slot s stand from `s · stride` on, `counts[s]` of them. */
  values = new Float64Array(0);
  timesMs = new Float64Array(0);
  counts = new Int32Array(seriesPerBlock);
  stride = 0;
  divisors = new Float64Array(seriesPerBlock);
  /** Least and greatest numerator of the slots that have a divisor. */
  mins = new Float64Array(seriesPerBlock);
  maxs = new Float64Array(seriesPerBlock);
  /** Sums of their distances from the first one, and of the squares; NaN where not known. */
  distances = new Float64Array(seriesPerBlock);
  squares = new Float64Array(seriesPerBlock);
  reset(slots, stride, withTimes) {
    this.stride = stride;
    this.counts.fill(0);
    this.divisors.fill(0);
    if (this.values.length < slots * stride) this.values = new Float64Array(slots * stride);
    const times = withTimes ? slots * stride : 0;
    if (this.timesMs.length < times) this.timesMs = new Float64Array(times);
  }
  /** The first numerator of a slot; NaN where it has none. */
  origin(slot) {
    return this.divisors[slot] === 0 ? NaN : this.values[slot * this.stride];
  }
  /** Adds the ratios of a day; `grid` tells when its first cycle began, where times are wanted. */
  addRatios(slot, day, grid) {
    const { from: from2, to, numerators: numerators2 } = day;
    if (from2 === to) return;
    const isFirst = this.counts[slot] === 0;
    if (!isFirst && this.divisors[slot] !== day.divisor) this.settle(slot);
    const { values, timesMs } = this;
    const start = slot * this.stride + this.counts[slot] - from2;
    if (grid !== null) {
      for (let i = from2; i < to; i++) timesMs[start + i] = grid.timeMs + i * grid.width;
    }
    this.counts[slot] += to - from2;
    if (!isFirst && this.divisors[slot] === 0) {
      for (let i = from2; i < to; i++) values[start + i] = numerators2[i] / day.divisor;
      return;
    }
    values.set(numerators2.subarray(from2, to), start + from2);
    this.divisors[slot] = day.divisor;
    this.distances[slot] = isFirst ? day.distances : this.distances[slot] + day.distances;
    this.squares[slot] = isFirst ? day.squares : this.squares[slot] + day.squares;
    this.mins[slot] = isFirst ? day.min : Math.min(day.min, this.mins[slot]);
    this.maxs[slot] = isFirst ? day.max : Math.max(day.max, this.maxs[slot]);
  }
  /** Tells that so many values themselves were written behind those of a slot. */
  added(slot, count) {
    if (this.divisors[slot] > 0 && !this.toRatios(slot, count)) this.settle(slot);
    this.counts[slot] += count;
  }
  /** Makes the values of a slot the values themselves. */
  settle(slot) {
    const divisor = this.divisors[slot];
    this.divisors[slot] = 0;
    if (divisor === 0) return;
    const { values } = this;
    const from2 = slot * this.stride;
    const to = from2 + this.counts[slot];
    for (let i = from2; i < to; i++) values[i] = values[i] / divisor;
  }
  /** Statistics of a slot that has values. */
  statistics(slot, scratch6) {
    const count = this.counts[slot];
    const from2 = slot * this.stride;
    const numerators2 = this.values.subarray(from2, from2 + count);
    const divisor = this.divisors[slot];
    if (divisor === 0) return statisticsOf(numerators2, count, scratch6);
    const ends2 = { min: this.mins[slot], max: this.maxs[slot] };
    const [distances, squares] = [this.distances[slot], this.squares[slot]];
    const sums2 = Number.isNaN(squares) ? null : { distances, squares };
    return statisticsOfRatios({ numerators: numerators2, divisor, ...ends2, sums: sums2 }, count, scratch6);
  }
  /** Makes the `count` values behind those of a slot ratios like these; false where one is none. */
  toRatios(slot, count) {
    const { values } = this;
    const divisor = this.divisors[slot];
    const from2 = slot * this.stride + this.counts[slot];
    let min = this.mins[slot];
    let max = this.maxs[slot];
    for (let i = from2; i < from2 + count; i++) {
      const numerator = Math.round(values[i] * divisor);
      if (!Object.is(numerator / divisor, values[i]) || Object.is(numerator, -0)) return false;
      min = numerator < min ? numerator : min;
      max = numerator > max ? numerator : max;
    }
    if (max > numeratorMax || min < -numeratorMax) return false;
    for (let i = from2; i < from2 + count; i++) values[i] = Math.round(values[i] * divisor);
    this.mins[slot] = min;
    this.maxs[slot] = max;
    if (count > 0) this.squares[slot] = NaN;
    return true;
  }
};

// src/store/lmdb/sealed-day.ts
var DayColumn = class {
  block;
  /** First cycle that it holds. */
  offset = 0;
  bytes = new Uint8Array(0);
  constructor(name) {
    this.block = new OpenColumnBlock(name);
  }
  open(column, offset) {
    if (this.bytes.length < column.length) this.bytes = new Uint8Array(2 * column.length);
    this.bytes.set(column);
    this.block.open(this.bytes.subarray(0, column.length));
    this.offset = offset;
    const end = offset + this.block.bucketCount;
    if (end > cyclesPerDay) throw new CorruptError(`Expected cycles of one day, got ${end}`);
  }
};
function makeNumerators() {
  const numerators2 = new Float64Array(cyclesPerDay);
  function sum(from2, to, origin, into) {
    const first = from2 < to ? numerators2[from2] : 0;
    const zero = Number.isNaN(origin) ? first : origin;
    let min = first;
    let max = first;
    let distances = 0;
    let squares = 0;
    for (let i = from2; i < to; i++) {
      const value = numerators2[i];
      const distance = value - zero;
      distances += distance;
      squares += distance * distance;
      min = value < min ? value : min;
      max = value > max ? value : max;
    }
    into.min = min;
    into.max = max;
    into.distances = distances;
    into.squares = squares;
  }
  return { numerators: numerators2, sum };
}
var { numerators, sum: sumNumerators } = makeNumerators();
var averages = {
  numerators,
  from: 0,
  to: 0,
  divisor: 1,
  min: NaN,
  max: NaN,
  distances: NaN,
  squares: NaN
};
var SealedDay = class {
  /** Cells of the slot that was read last, by cycle of the day. */
  cells = new CellColumns(cyclesPerDay);
  columns = new Map(cellColumnNames.map((name) => [name, new DayColumn(name)]));
  /** Those that are open, each after its sources. */
  opened = [];
  done = 0;
  /** The count of all cells of the day, 0 where there is none; -1 where slots are to be asked. */
  uniform = -1;
  /** Opens columns, and those that they derive from; false where the day is not sealed. */
  open(tables, where, columns) {
    this.close();
    if (!this.add(tables, where, "count")) return false;
    for (const name of columns) {
      if (!this.add(tables, where, name)) {
        throw new CorruptError(`Expected column ${name} of day ${where.day}`);
      }
    }
    const { block } = this.columns.get("count");
    this.uniform = block.isSame ? readUniformCount(block.slot(0), block.bucketCount) : -1;
    return true;
  }
  /** Makes it a day that has nothing. */
  close() {
    this.opened = [];
    this.done = 0;
  }
  /** True where one of the slots has a counter. */
  hasCounters(slots) {
    if (this.opened.length === 0 || this.uniform > 0) return false;
    const { block, offset } = this.columns.get("count");
    const { cells: cells2 } = this;
    return slots.some((slot) => {
      if (slot >= block.slotCount) return false;
      if (readUniformCount(block.slot(slot), block.bucketCount) > 0) return false;
      clearPresence(cells2, 0, cyclesPerDay);
      block.decode(slot, cells2, offset);
      for (let at = 0; at < cyclesPerDay; at++) if (isCounterCell(cells2, at)) return true;
      return false;
    });
  }
  /** Fills `cells` with those of a slot; one that is younger than the seal has none. */
  read(slot) {
    const { cells: cells2 } = this;
    clearPresence(cells2, 0, cyclesPerDay);
    for (const { block, offset } of this.opened) {
      if (slot < block.slotCount) block.decode(slot, cells2, offset);
    }
  }
  /**
   * The actuals of a slot in the cycles of `range`, where all of the day are averages of equally
   * many observations: whole numbers in `averages`, to be divided by its divisor. False, and they
   * mean nothing, where they are anything else. Sums are those of distances from `origin`, of the
   * first numerator where that is NaN. Needs the columns of `actual`.
   */
  readAverages(slot, range4, origin) {
    const { block } = this.columns.get("count");
    const { block: sums2, offset } = this.columns.get("sum");
    const length = block.bucketCount;
    if ((this.done & columnBit("sum")) === 0 || sums2.bucketCount !== length) return false;
    if (slot >= block.slotCount) return false;
    const count = this.uniform >= 0 ? this.uniform : readUniformCount(block.slot(slot), length);
    if (count === 0 || !isAllDerived(this.columns.get("actual").block.slot(slot))) return false;
    const reader = sums2.slot(slot);
    const scale = decodeScaled(reader, numerators, offset, length);
    if (scale < 0) return false;
    checkEnd(reader);
    averages.from = Math.max(range4.from, offset);
    averages.to = Math.max(averages.from, Math.min(range4.to, offset + length));
    averages.divisor = powersOfTen[scale] * count;
    sumNumerators(averages.from, averages.to, origin, averages);
    return isAverageExact(Math.max(averages.max, -averages.min), scale, count);
  }
  add(tables, { day, block }, name) {
    if ((this.done & columnBit(name)) !== 0) return true;
    const key = columnKey(day, block, cellColumnNames.indexOf(name));
    const bytes = tables.cells.view(key);
    if (bytes === void 0) return false;
    const { column, offset } = payload2(key, bytes);
    const opened = this.columns.get(name);
    opened.open(column, offset);
    for (const source of columnBlockSources(column)) this.add(tables, { day, block }, source);
    this.opened.push(opened);
    this.done |= columnBit(name);
    return true;
  }
};

// src/store/lmdb/unsealed-day.ts
var UnsealedDay = class {
  /** By cycle of the day its cells by slot; null where it has none. */
  cycles = Array.from({ length: cyclesPerDay }, () => null);
  isEmpty = true;
  pool = [];
  used = 0;
  reset() {
    this.cycles.fill(null);
    this.isEmpty = true;
    this.used = 0;
  }
  /** Where the cells of a cycle can be read into; they count once `keep` is called. */
  get room() {
    return this.pool[this.used] ??= slotCells();
  }
  /** What stands in `room` are the cells of this cycle of the day. */
  keep(cycle) {
    this.cycles[cycle] = this.room;
    this.isEmpty = false;
    this.used++;
  }
  keepCopy(cycle, cells2) {
    copyCells(cells2, 0, this.room, 0, seriesPerBlock);
    this.keep(cycle);
  }
  /** True where one of the slots has a counter in some cycle. */
  hasCounters(slots) {
    for (let i = 0; i < this.used; i++) {
      const cells2 = this.pool[i];
      for (const slot of slots) if (isCounterCell(cells2, slot)) return true;
    }
    return false;
  }
};

// src/store/lmdb/bucket-statistics.ts
var bucketsPerDay = {
  PT5M: cyclesPerDay,
  PT1H: hoursPerDay,
  PT24H: 1
};
var columnsOfField = {
  actual: ["actual"],
  avg: ["sum"],
  min: ["min"],
  max: ["max"],
  cnt: [],
  sum: ["sum"]
};
var sealedDay = new SealedDay();
var unsealedDay = new UnsealedDay();
var coarseCells = new CellColumns(seriesPerBlock * hoursPerDay);
function collectValues(tables, view, question, out) {
  const { span, resolution, field } = question;
  const columns = columnsOfField[field];
  const width = bucketWidthMs[resolution];
  const firstDay2 = Math.floor(span.startMs / dayMs);
  const endDay = Math.ceil(span.endMs / dayMs);
  const stride = Math.ceil((span.endMs - span.startMs) / width) + 1;
  out.reset(view.slots, stride, question.withTimes);
  for (let day = firstDay2; day < endDay; day++) {
    const perDay = bucketsPerDay[resolution];
    const from2 = Math.max(0, Math.ceil((span.startMs - day * dayMs) / width));
    const to = Math.min(perDay, Math.ceil((span.endMs - day * dayMs) / width));
    const place = { day, from: from2, to };
    if (resolution === "PT5M" && collectCycles(tables, view, { ...question, place }, out)) continue;
    const cells2 = cellsOfDay(tables, view, day, { ...question, columns });
    if (cells2 === null) continue;
    const layers = { sealed: cells2, unsealed: null };
    for (const slot of question.slots) {
      const range4 = { slot, from: from2, to, cell: slot * perDay, timeMs: day * dayMs, width };
      append(layers, range4, out, question);
    }
  }
}
function collectCycles(tables, view, question, out) {
  const { slots, field, withTimes, place } = question;
  const { day } = place;
  const where = { day, block: view.block };
  const isStored = isSealed(tables, day, view.block);
  if (!isStored) sealedDay.close();
  else if (!sealedDay.open(tables, where, columnsOfField[field])) return true;
  view.readUnsealed(day, place, unsealedDay);
  const isActual = field === "actual";
  const { isEmpty } = unsealedDay;
  if (isActual && !(isEmpty && view.isCoarse(day) && !view.isDisturbed(day))) {
    if (unsealedDay.hasCounters(slots) || sealedDay.hasCounters(slots)) return false;
  }
  if (!isStored && isEmpty) return true;
  const times = withTimes ? { timeMs: day * dayMs, width: cycleMs } : null;
  for (const slot of slots) {
    if (isActual && isEmpty && sealedDay.readAverages(slot, place, out.origin(slot))) {
      out.addRatios(slot, averages, times);
      continue;
    }
    sealedDay.read(slot);
    const layers = { sealed: sealedDay.cells, unsealed: isEmpty ? null : unsealedDay.cycles };
    const { from: from2, to } = place;
    const range4 = { slot, from: from2, to, cell: 0, timeMs: day * dayMs, width: cycleMs };
    append(layers, range4, out, question);
  }
  return true;
}
function append({ sealed, unsealed }, range4, out, { field, withTimes }) {
  const { slot } = range4;
  const start = slot * out.stride + out.counts[slot];
  let at = start;
  for (let bucket = range4.from; bucket < range4.to; bucket++) {
    let cells2 = sealed;
    let cell = range4.cell + bucket;
    const instead = unsealed === null ? null : unsealed[bucket];
    if (instead !== null && isPresent(instead, slot)) {
      cells2 = instead;
      cell = slot;
    }
    if (!(field === "actual" ? hasActual(cells2, cell) : cells2.count[cell] > 0)) continue;
    out.values[at] = field === "actual" ? cells2.actual[cell] : fieldOf2(cells2, cell, field);
    if (withTimes) out.timesMs[at] = range4.timeMs + bucket * range4.width;
    at++;
  }
  out.added(slot, at - start);
}
function fieldOf2(cells2, at, field) {
  switch (field) {
    case "avg":
      return averageOf(cells2.sum[at], cells2.count[at]);
    case "cnt":
      return cells2.count[at];
    default:
      return cells2[field][at];
  }
}
function cellsOfDay(tables, view, day, question) {
  const { slots, span, resolution, columns } = question;
  if (view.isEmpty(day)) return null;
  if (resolution === "PT5M") {
    const only = slots.length === 1 ? { onlySlot: slots[0] } : {};
    return view.cyclesOf(day, span, { columns, ...only });
  }
  if (view.isCoarse(day)) {
    const table = resolution === "PT1H" ? tables.hours : tables.days;
    const key = periodKey(day, view.block);
    const bytes = table.view(key);
    clearCells(coarseCells, 0, coarseCells.length);
    const perSlot = bucketsPerDay[resolution];
    if (bytes !== void 0) readCoarse(key, bytes, perSlot, coarseCells);
    const hasCounters2 = () => counterSlots(coarseCells, slots, { from: 0, to: perSlot, perSlot }).length > 0;
    if (!view.isDisturbed(day) || !hasCounters2()) return coarseCells;
  }
  return resolution === "PT1H" ? view.hoursOf(day) : view.dayOf(day);
}

// src/store/lmdb/damage.ts
function damageToService(cause) {
  if (!(cause instanceof CorruptError)) return cause;
  const advice = "run `tidegauge verify` on the stopped store, and restore what it names";
  return new ServiceError("storage", `The store is damaged: ${cause.message}; ${advice}`, { cause });
}
function whileOpening(tables, load) {
  try {
    load();
  } catch (cause) {
    void tables.root.close();
    throw damageToService(cause);
  }
}
function isDiskError(error) {
  if (!(error instanceof Error)) return false;
  const { code } = error;
  return typeof code === "number" || /^E[A-Z]+$/.test(String(code));
}

// src/store/lmdb/definition-codes.ts
var DefinitionCodes = class {
  catalogue;
  /** By index of the catalogue's definition, which never changes; -1 where it was not asked for. */
  codes = new Int8Array(0);
  /** A reader's catalogue may be replaced by another: it is asked for every time. */
  constructor(catalogue) {
    this.catalogue = catalogue;
  }
  ofSeries(series) {
    const catalogue = this.catalogue();
    const index = catalogue.seriesDefinitionIndex(series);
    if (index >= this.codes.length) this.grow(index);
    const known = this.codes[index];
    return known >= 0 ? known : this.codes[index] = definitionCode(catalogue.definition(index));
  }
  isCounter(series) {
    return this.ofSeries(series) === definitionCounter;
  }
  /** Series of a block by slot. */
  members(block) {
    return this.catalogue().blockSeries(block);
  }
  grow(index) {
    const larger2 = new Int8Array(Math.max(64, 2 * (index + 1))).fill(-1);
    larger2.set(this.codes);
    this.codes = larger2;
  }
};
var CataloguePlaces = class {
  catalogue;
  codes;
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.codes = new DefinitionCodes(catalogue);
  }
  get seriesCount() {
    return this.catalogue().seriesCount;
  }
  seriesBlock(series) {
    return this.catalogue().seriesBlock(series);
  }
  seriesSlot(series) {
    return this.catalogue().seriesSlot(series);
  }
  blockSeries(block) {
    return this.catalogue().blockSeries(block);
  }
  definitionCode(series) {
    return this.codes.ofSeries(series);
  }
};

// src/store/lmdb/write-buffer.ts
var bytesMaxDefault = 256 * 1024;
var quietBytesMaxDefault = 1024 * 1024;
var WriteBuffer = class {
  writes = [];
  callbacks = [];
  bytes = 0;
  isUrgent = false;
  bytesMax;
  bytesMaxAsked;
  /** `bytesMax`: where it is not left to us how much is collected. */
  constructor(bytesMax) {
    this.bytesMaxAsked = bytesMax;
    this.bytesMax = bytesMax ?? bytesMaxDefault;
  }
  /** From now on collects as much as is right where nobody posts, or where somebody does. */
  expectPosts(areExpected) {
    this.bytesMax = this.bytesMaxAsked ?? (areExpected ? bytesMaxDefault : quietBytesMaxDefault);
  }
  get isEmpty() {
    return this.writes.length === 0 && this.callbacks.length === 0;
  }
  get isFull() {
    return this.isUrgent || this.bytes >= this.bytesMax;
  }
  /** Has it committed after this step, since the next one reads it. */
  urge() {
    this.isUrgent = true;
  }
  put(table, key, value) {
    this.writes.push({ table, key, value });
    this.bytes += value.length;
  }
  remove(table, key) {
    this.writes.push({ table, key, value: null });
    this.bytes += key.length;
  }
  /** Calls back once everything that was put before is on disk. */
  afterCommit(callback) {
    this.callbacks.push(callback);
  }
  /**
   * Writes everything, and what `also` writes, in one transaction, synced. Throws what the store
   * threw; then nothing of it was written.
   */
  commit(tables, also = () => {
  }) {
    const { writes, callbacks } = this;
    this.clear();
    if (writes.length > 0) {
      tables.root.transactionSync(() => {
        for (const { table, key, value } of writes) {
          if (value === null) table.remove(key);
          else table.put(key, value);
        }
        also();
      });
    }
    for (const callback of callbacks) callback();
  }
  /** Forgets everything that was not committed. */
  clear() {
    this.writes = [];
    this.callbacks = [];
    this.bytes = 0;
    this.isUrgent = false;
  }
};

// src/store/lmdb/documents.ts
var separator2 = "\0";
function putDocuments(tables, changes) {
  const writes = new WriteBuffer();
  collectDocuments(tables, changes, writes);
  writes.commit(tables);
}
function collectDocuments(tables, changes, writes) {
  const keys = changes.map(({ kind, id }) => documentKey(kind, id));
  changes.forEach(({ document }, i) => {
    if (document === null) writes.remove(tables.documents, keys[i]);
    else writes.put(tables.documents, keys[i], packDocument(keys[i], document));
  });
}
function getDocument(tables, kind, id) {
  const key = documentKey(kind, id);
  const bytes = tables.documents.get(key);
  return bytes === void 0 ? void 0 : unpackDocument(key, bytes);
}
function listDocuments(tables, kind, { from: from2, to, limit } = {}) {
  const prefix = documentKey(kind, "").length;
  const start = documentKey(kind, from2 ?? "");
  const end = to === void 0 ? textKey(`${kind}`) : documentKey(kind, to);
  const bounds = limit === void 0 ? { start, end } : { start, end, limit };
  return [...tables.documents.getRange(bounds)].map(({ key, value }) => ({
    id: key.subarray(prefix).toString("utf8"),
    document: unpackDocument(key, value)
  }));
}
function countDocuments(tables, prefix) {
  const start = textKey(prefix);
  const end = Buffer.concat([start, Buffer.of(255)]);
  let count = 0;
  for (const _ of tables.documents.getKeys({ start, end })) count++;
  return count;
}
function documentKey(kind, id) {
  assert(!kind.includes(separator2) && !id.includes(separator2), "Expected names without NUL");
  return textKey(kind + separator2 + id);
}

// src/store/lmdb/last-seen.ts
var coarseCells2 = new CellColumns(seriesPerBlock * hoursPerDay);
function lastSeen(scratch6, catalogue, { series, span, onlyWhether }) {
  const seenMs = new Float64Array(series.length).fill(NaN);
  const search = new LastSeenSearch(scratch6, { span, onlyWhether });
  const placeOfSlot = new Int32Array(seriesPerBlock);
  for (const [block, places3] of placesByBlock(series, catalogue)) {
    const slots = places3.map((place) => catalogue.seriesSlot(series[place]));
    slots.forEach((slot, i) => placeOfSlot[slot] = places3[i]);
    search.block(block, slots, (slot, timeMs) => {
      seenMs[placeOfSlot[slot]] = timeMs;
    });
  }
  return seenMs;
}
function placesByBlock(series, catalogue) {
  const byBlock = /* @__PURE__ */ new Map();
  for (let place = 0; place < series.length; place++) {
    if (series[place] >= catalogue.seriesCount) continue;
    const block = catalogue.seriesBlock(series[place]);
    const places3 = byBlock.get(block);
    if (places3 === void 0) byBlock.set(block, [place]);
    else places3.push(place);
  }
  return byBlock;
}
var LastSeenSearch = class {
  scratch;
  cycles;
  onlyWhether;
  horizons;
  missing = [];
  found = () => {
  };
  current = { block: 0, slots: 0 };
  constructor(scratch6, question) {
    const { startMs, endMs } = question.span;
    this.scratch = scratch6;
    this.cycles = { from: Math.floor(startMs / cycleMs), to: Math.ceil(endMs / cycleMs) };
    this.onlyWhether = question.onlyWhether;
    this.horizons = readHorizons(scratch6.tables);
  }
  /** Tells the slots, of those that are asked for, that had data, each once. */
  block(block, slots, found) {
    this.missing = [...slots];
    this.found = found;
    this.current = { block, slots: Math.max(0, largestOf(slots)) + 1 };
    if (this.cycles.from >= this.cycles.to) return;
    const { PT5M, PT1H, PT24H } = this.horizons;
    const firstDay2 = Math.max(
      Math.floor(this.cycles.from / cyclesPerDay),
      Math.min(PT5M, PT1H, PT24H)
    );
    for (let day = Math.floor((this.cycles.to - 1) / cyclesPerDay); day >= firstDay2; day--) {
      if (this.missing.length === 0) return;
      this.searchDay(day);
    }
  }
  searchDay(day) {
    const { PT5M, PT1H, PT24H } = this.horizons;
    if (day < PT5M) {
      if (day >= PT1H) this.searchCoarse(day, "PT1H");
      else if (day >= PT24H) this.searchCoarse(day, "PT24H");
      return;
    }
    const { tables } = this.scratch;
    const { block } = this.current;
    const sealed = isSealed(tables, day, block);
    const hasRecent = tables.openDays.doesExist(periodKey(day, block));
    if (sealed && hasRecent && !this.onlyWhether) return this.searchBoth(day);
    if (hasRecent) this.searchRecent(day);
    if (sealed) this.searchSealed(day);
  }
  /** The cycles of a day that are asked for, counted from its start. */
  cyclesOf(day) {
    const start = day * cyclesPerDay;
    return {
      from: Math.max(0, this.cycles.from - start),
      to: Math.min(cyclesPerDay, this.cycles.to - start)
    };
  }
  searchRecent(day) {
    const { tables, recentCells: recentCells2 } = this.scratch;
    const { from: from2, to } = this.cyclesOf(day);
    for (let cycle = to - 1; cycle >= from2 && this.missing.length > 0; cycle--) {
      const absolute = day * cyclesPerDay + cycle;
      if (!findRecentCells(tables, absolute, this.current.block, recentCells2)) continue;
      this.take((slot) => isPresent(recentCells2, slot) ? absolute * cycleMs : NaN);
    }
  }
  searchSealed(day) {
    const { from: from2, to } = this.cyclesOf(day);
    if (!this.isAnyPresent(day, { whole: from2 === 0 && to === cyclesPerDay })) return;
    if (this.onlyWhether) this.searchHours(day, { from: from2, to });
    if (this.missing.length > 0) this.searchCells(day, { from: from2, to });
  }
  /** False where the day holds nothing of what is missing; of a whole day no more is to be asked. */
  isAnyPresent(day, { whole }) {
    if (!this.readCoarse(day, "days")) return true;
    if (this.onlyWhether && whole) {
      this.take((slot) => isPresent(coarseCells2, slot) ? day * dayMs : NaN);
      return false;
    }
    return this.missing.some((slot) => isPresent(coarseCells2, slot));
  }
  /** The whole hours of a range; enough where it is only asked whether there is data. */
  searchHours(day, { from: from2, to }) {
    const first = Math.ceil(from2 / cyclesPerHour);
    const end = Math.floor(to / cyclesPerHour);
    if (first >= end || !this.readCoarse(day, "hours")) return;
    this.take((slot) => {
      const hour = lastPresent(coarseCells2, { from: first, to: end }, slot * hoursPerDay);
      return hour < 0 ? NaN : day * dayMs + hour * hourMs;
    });
  }
  searchCells(day, range4) {
    const { tables, dayCells: dayCells2 } = this.scratch;
    const { block, slots } = this.current;
    const only = this.missing.length === 1 ? { onlySlot: this.missing[0] } : {};
    const columns = [];
    if (!readDayCells(tables, { day, block }, dayCells2, { columns, slots, ...only })) return;
    this.takeCycles(day, range4, dayCells2);
  }
  /** A sealed day with late samples: both parts as one. */
  searchBoth(day) {
    const { block, slots } = this.current;
    const span = { startMs: day * dayMs, endMs: (day + 1) * dayMs };
    const view = new BlockView(this.scratch, { block, slots }, null);
    this.takeCycles(day, this.cyclesOf(day), view.cyclesOf(day, span, { columns: [] }));
  }
  takeCycles(day, range4, cells2) {
    this.take((slot) => {
      const cycle = lastPresent(cells2, range4, slot * cyclesPerDay);
      return cycle < 0 ? NaN : day * dayMs + cycle * cycleMs;
    });
  }
  /** A day whose PT5M values retention has taken: any of its buckets that the span touches. */
  searchCoarse(day, resolution) {
    const { block, slots } = this.current;
    const view = new BlockView(this.scratch, { block, slots }, null);
    const span = { startMs: day * dayMs, endMs: (day + 1) * dayMs };
    const question = { slots: this.missing, span, resolution, columns: [] };
    const cells2 = cellsOfDay(this.scratch.tables, view, day, question);
    if (cells2 === null) return;
    const { from: from2, to } = this.cyclesOf(day);
    const perDay = resolution === "PT1H" ? hoursPerDay : 1;
    const cyclesEach = cyclesPerDay / perDay;
    const range4 = { from: Math.floor(from2 / cyclesEach), to: Math.ceil(to / cyclesEach) };
    this.take((slot) => {
      const bucket = lastPresent(cells2, range4, slot * perDay);
      return bucket < 0 ? NaN : day * dayMs + bucket * (dayMs / perDay);
    });
  }
  readCoarse(day, table) {
    const key = periodKey(day, this.current.block);
    const bytes = this.scratch.tables[table].view(key);
    if (bytes === void 0) return false;
    const buckets = table === "hours" ? hoursPerDay : 1;
    clearPresence(coarseCells2, 0, seriesPerBlock * buckets);
    readCoarsePresence(key, bytes, buckets, coarseCells2);
    return true;
  }
  /** Tells the missing slots that `timeOf` has a time for, and misses them no more. */
  take(timeOf) {
    this.missing = this.missing.filter((slot) => {
      const timeMs = timeOf(slot);
      if (Number.isNaN(timeMs)) return true;
      this.found(slot, timeMs);
      return false;
    });
  }
};
function lastPresent(cells2, { from: from2, to }, start) {
  for (let at = to - 1; at >= from2; at--) if (isPresent(cells2, start + at)) return at;
  return -1;
}
function withOpen(seenMs, { series, span }, open3) {
  const openMs = newestOpen(open3, span);
  if (openMs.size === 0) return seenMs;
  for (let i = 0; i < series.length; i++) {
    const ms = openMs.get(series[i]);
    if (ms !== void 0 && !(seenMs[i] >= ms)) seenMs[i] = ms;
  }
  return seenMs;
}
function newestOpen(open3, { startMs, endMs }) {
  const cycles = { from: Math.floor(startMs / cycleMs), to: Math.ceil(endMs / cycleMs) };
  const newest = /* @__PURE__ */ new Map();
  for (let i = 0; i < (open3?.series.length ?? 0); i++) {
    const cycle = Math.floor(open3.timesMs[i] / cycleMs);
    if (cycle < cycles.from || cycle >= cycles.to || !isObserved2(open3, i)) continue;
    const series = open3.series[i];
    newest.set(series, Math.max(newest.get(series) ?? -Infinity, cycle * cycleMs));
  }
  return newest;
}
function isObserved2({ aggregates, aggregateMasks, aggregateFields }, at) {
  const entry = aggregates[at];
  return entry < 0 || sampleCount(aggregateMasks[entry], aggregateFields, entry) > 0;
}

// src/store/lmdb/cycle-reading.ts
function clearedCells(out) {
  clearCells(out, 0, seriesPerBlock);
  return false;
}
function readCycleCells(scratch6, view, cycle, out) {
  const { tables } = scratch6;
  const day = Math.floor(cycle / cyclesPerDay);
  if (!isSealed(tables, day, view.block)) {
    readRecentCells(tables, cycle, view.block, out);
    if (!hasCounters(out)) return countPresent(out, 0, seriesPerBlock) > 0;
  }
  const span = { startMs: cycle * cycleMs, endMs: (cycle + 1) * cycleMs };
  const cells2 = view.cyclesOf(day, span, { columns: cellColumnNames });
  clearCells(out, 0, seriesPerBlock);
  let found = false;
  for (let slot = 0; slot < view.slots; slot++) {
    const at = slot * cyclesPerDay + cycle - day * cyclesPerDay;
    if (!isPresent(cells2, at)) continue;
    copyCell(cells2, at, out, slot);
    found = true;
  }
  return found;
}
function hasCounters(cells2) {
  return cells2.definition.includes(definitionCounter);
}
var HistoryReading = class {
  result;
  tables;
  scratch;
  fromCycle;
  toCycle;
  /** Where in the question each series stands. */
  places;
  constructor(tables, scratch6, question) {
    const { series, fromCycle, toCycle } = question;
    const cycles = toCycle - fromCycle;
    assert(cycles >= 0 && cycles <= historyCyclesMax, `Expected 0 to 72 cycles, got ${cycles}`);
    this.tables = tables;
    this.scratch = scratch6;
    this.fromCycle = fromCycle;
    this.toCycle = toCycle;
    this.places = new Map(Array.from(series, (one, i) => [one, i]));
    this.result = {
      cycles,
      actuals: new Float64Array(series.length * cycles).fill(NaN),
      bands: new Float32Array(series.length * cycles * bandWidth).fill(NaN)
    };
  }
  /** Reads these slots of a block, whose series are `members` by slot. */
  read(view, slots, members, values) {
    const { fromCycle, toCycle } = this;
    const span = { startMs: fromCycle * cycleMs, endMs: toCycle * cycleMs };
    const wish = { slots, span, resolution: "PT5M", field: "actual", withTimes: true };
    collectValues(this.tables, view, wish, values);
    for (const slot of slots) {
      values.settle(slot);
      const first = this.places.get(members[slot]) * this.result.cycles;
      const from2 = slot * values.stride;
      for (let at = from2; at < from2 + values.counts[slot]; at++) {
        const cycle = values.timesMs[at] / cycleMs;
        this.result.actuals[first + cycle - fromCycle] = values.values[at];
      }
      this.readBands(view.block, slot, first);
    }
  }
  readBands(block, slot, first) {
    const { fromCycle, toCycle, scratch: scratch6, result } = this;
    const endDay = Math.ceil(toCycle / cyclesPerDay);
    for (let day = Math.floor(fromCycle / cyclesPerDay); day < endDay; day++) {
      const start = day * cyclesPerDay;
      const from2 = Math.max(0, fromCycle - start);
      const to = Math.min(cyclesPerDay, toCycle - start);
      if (!readSlotDay(this.tables, { day, block, slot }, { from: from2, to }, scratch6)) continue;
      for (let at = from2; at < to; at++) {
        result.bands.set(bandOfDay(scratch6, at), (first + start + at - fromCycle) * bandWidth);
      }
    }
  }
};

// src/store/lmdb/open-blocks.ts
var OpenBlocks = class {
  open;
  places;
  positions = /* @__PURE__ */ new Map();
  constructor(open3, places3) {
    this.open = open3;
    this.places = places3;
    for (let i = 0; i < (open3?.series.length ?? 0); i++) {
      const block = places3.seriesBlock(open3.series[i]);
      const list = this.positions.get(block);
      if (list === void 0) this.positions.set(block, [i]);
      else list.push(i);
    }
  }
  /** Samples of a block in order of arrival; null where it has none. */
  of(block) {
    const list = this.positions.get(block);
    return list === void 0 ? null : gather(this.open, list, this.places);
  }
};
function gather(open3, list, places3) {
  const hasAggregates2 = open3.aggregateMasks.length > 0;
  return {
    slots: Uint8Array.from(list, (i) => places3.seriesSlot(open3.series[i])),
    timesMs: Float64Array.from(list, (i) => open3.timesMs[i]),
    values: Float64Array.from(list, (i) => open3.values[i]),
    requests: Int32Array.from(list, (i) => open3.requests[i]),
    aggregates: Int32Array.from(hasAggregates2 ? list : [], (i) => open3.aggregates[i]),
    masks: open3.aggregateMasks,
    fields: open3.aggregateFields
  };
}

// src/store/band-fields.ts
function bandRecord(band, settings) {
  const fields4 = {};
  const add = (kind, mean, stddev) => {
    if (Number.isNaN(mean) || Number.isNaN(stddev)) return;
    fields4[`${kind}Mean`] = mean;
    fields4[`${kind}Stddev`] = stddev;
    fields4[`${kind}Upper`] = upperEnd({ mean, stddev }, settings);
    fields4[`${kind}Lower`] = lowerEnd({ mean, stddev }, settings);
  };
  add("baseline", band[0], band[1]);
  add("contextual", band[2], band[3]);
  return fields4;
}

// src/store/lmdb/series-samples.ts
function rawRecords(view, slot, span) {
  const records = [];
  const end = Math.ceil(span.endMs / windowMs);
  for (let window = Math.floor(span.startMs / windowMs); window < end; window++) {
    if (view.isEmpty(Math.floor(window * windowMs / dayMs))) continue;
    const raw = view.rawOf(window);
    if (raw === null) continue;
    const slotEnd = raw.slotTo(slot);
    const from2 = raw.lowerBound(span.startMs, raw.slotFrom(slot), slotEnd);
    const to = raw.lowerBound(span.endMs, from2, slotEnd);
    for (let i = from2; i < to; i++) records.push(recordOfRaw(raw, i));
  }
  return records;
}
function bucketRecords(tables, view, question) {
  const { slot, span, resolution, settings, bands: bands2 } = question;
  const records = [];
  const width = bucketWidthMs[resolution];
  const perDay = dayMs / width;
  const endDay = Math.ceil(span.endMs / dayMs);
  for (let day = Math.floor(span.startMs / dayMs); day < endDay; day++) {
    const columns = cellColumnNames;
    const cells2 = cellsOfDay(tables, view, day, { slots: [slot], span, resolution, columns });
    if (cells2 === null) continue;
    const from2 = Math.max(0, Math.ceil((span.startMs - day * dayMs) / width));
    const to = Math.min(perDay, Math.ceil((span.endMs - day * dayMs) / width));
    const where = { day, block: view.block, slot };
    const hasBands = resolution === "PT5M" && readSlotDay(tables, where, { from: from2, to }, bands2);
    for (let bucket = from2; bucket < to; bucket++) {
      const at = slot * perDay + bucket;
      if (!isPresent(cells2, at)) continue;
      const band = hasBands ? bandRecord(bandOfDay(bands2, bucket), settings) : null;
      records.push(recordOfCell(cells2, at, { timeMs: day * dayMs + bucket * width, band }));
    }
  }
  return records;
}
function recordOfRaw(raw, i) {
  const timeMs = raw.timesMs[i];
  const entry = raw.aggregate[i] - 1;
  if (entry < 0) return { timeMs, fields: { val: raw.values[i] } };
  const fields4 = {};
  for (const [f, field] of sampleFields.entries()) {
    if (raw.masks[entry] >> f & 1) fields4[field] = raw.fields[entry * fieldCount + f];
  }
  return { timeMs, fields: fields4 };
}
function recordOfCell(cells2, at, { timeMs, band }) {
  const cnt = cells2.count[at];
  const actual = hasActual(cells2, at) ? { actual: cells2.actual[at] } : {};
  if (cnt === 0) {
    const isSparse = (cells2.flags[at] & flagSparse) !== 0;
    const sparse = isSparse ? { sparseValue: cells2.actual[at] } : {};
    return { timeMs, fields: { ...actual, cnt, ...sparse, ...band } };
  }
  const sum = cells2.sum[at];
  const ends2 = { min: cells2.min[at], max: cells2.max[at] };
  return { timeMs, fields: { ...actual, avg: averageOf(sum, cnt), ...ends2, cnt, sum, ...band } };
}

// src/digest/curves.ts
var Curves = class {
  count = 0;
  values = new Float64Array(16 * centroidsMax);
  masses = new Float64Array(16 * centroidsMax);
  /** Where each curve begins; one more tells where the last one ends. */
  starts = new Int32Array(65);
  /** All of the mass of each curve. */
  totals = new Float64Array(64);
  /** Takes all curves away and keeps the memory. */
  reset() {
    this.count = 0;
  }
  /** Adds the curve of at least one centroid. */
  add(centroids) {
    const { means: means3, weights: weights3, length, count, min, max } = centroids;
    this.reserve(length);
    const { values, masses } = this;
    const gapMin = (means3[length - 1] - means3[0]) / gapsMax;
    let at = this.starts[this.count];
    values[at] = min;
    masses[at++] = Math.min(0.5, weights3[0] / 2);
    let before2 = 0;
    let last = means3[0];
    for (let i = 0; i < length; i++) {
      const mean = means3[i];
      const weight = weights3[i];
      if (mean - last > gapMin) at = this.addGap(centroids, i, before2, at);
      values[at] = mean;
      masses[at++] = before2 + weight / 2;
      before2 += weight;
      last = mean;
    }
    values[at] = max;
    masses[at++] = count - Math.min(0.5, weights3[length - 1] / 2);
    this.totals[this.count++] = count;
    this.starts[this.count] = at;
  }
  /** How much of a curve lies below a value, of which `at` is the first knot that is not below. */
  massBelow(curve, at, value) {
    const { values, masses, starts } = this;
    if (at === starts[curve]) return 0;
    if (at === starts[curve + 1]) return this.totals[curve];
    const mass = masses[at - 1];
    const left = values[at - 1];
    const part = (value - left) / (values[at] - left);
    return mass + (masses[at] - mass) * (part <= 1 ? part : 0.5);
  }
  /** How much of a curve lies below the first knot above a value that has knots itself. */
  massUpTo(curve, above) {
    return above === this.starts[curve + 1] ? this.totals[curve] : this.masses[above - 1];
  }
  /**
   * Adds the knots of a gap before centroid `right`, where one of its neighbours stands for several
   * values. Gives the place of the next knot.
   */
  addGap({ means: means3, weights: weights3, length }, right, mass, at) {
    const left = right - 1;
    if (weights3[left] === 1 && weights3[right] === 1) return at;
    const leftReach = left > 0 ? reach(means3, weights3, left, left - 1) : 0;
    const rightReach = right + 1 < length ? reach(means3, weights3, right, right + 1) : 0;
    const leftEnd = means3[left] + leftReach;
    const rightEnd = means3[right] - rightReach;
    if (!(leftEnd < rightEnd)) return at;
    this.values[at] = leftEnd;
    this.masses[at] = mass;
    this.values[at + 1] = rightEnd;
    this.masses[at + 1] = mass;
    return at + 2;
  }
  /** Makes room for a curve of so many centroids: three knots each at most, and two ends. */
  reserve(length) {
    const knots = this.starts[this.count] + 3 * length + 2;
    if (knots > this.values.length) {
      this.values = longer(this.values, knots);
      this.masses = longer(this.masses, knots);
    }
    if (this.count < this.totals.length) return;
    this.totals = longer(this.totals, this.count + 1);
    const starts = new Int32Array(this.totals.length + 1);
    starts.set(this.starts);
    this.starts = starts;
  }
};
function reach(means3, weights3, at, from2) {
  const distance = Math.abs(means3[at] - means3[from2]);
  return distance * weights3[at] / (weights3[at] + weights3[from2]);
}
function longer(column, length) {
  const larger2 = new Float64Array(Math.max(length, 2 * column.length));
  larger2.set(column);
  return larger2;
}

// src/digest/union.ts
var valuesMax = 4096;
var means2 = new Float64Array(centroidsMax);
var weights2 = new Float64Array(centroidsMax);
var DigestUnion = class {
  /** Sum of all weights. */
  count = 0;
  min = Infinity;
  max = -Infinity;
  grid = new Grid();
  curves = new Curves();
  /** By curve the knots that may lie between the bounds of a search: [low, high). */
  lows = new Int32Array(64);
  highs = new Int32Array(64);
  /** By curve where its knots from a value on begin, and those above it. */
  from = new Int32Array(64);
  above = new Int32Array(64);
  /** The lower bound of a search, and what lies up to it. */
  low = NaN;
  lowMass = NaN;
  /** What lies below the value that was weighed last, and what up to it. */
  under = NaN;
  upTo = NaN;
  /** Empties the union and keeps its memory. */
  reset() {
    this.count = 0;
    this.min = Infinity;
    this.max = -Infinity;
    this.grid.reset();
    this.curves.reset();
  }
  /**
   * Adds `values[0..length)` (finite), each `weights[i]` (above 0) times; may put them in order.
   */
  addValues(values, weights3, length) {
    if (length === 0) return;
    for (let i = 0; i < length; i++) this.grid.hold(values[i]);
    if (length > valuesMax) {
      const digest = new Digest(valuesMax);
      for (let i = 0; i < length; i++) digest.add(values[i], weights3[i]);
      this.addCurve(digest.state());
      return;
    }
    sortPairs(values, weights3, length);
    let count = 0;
    for (let i = 0; i < length; i++) count += weights3[i];
    this.addCurve({
      means: values,
      weights: weights3,
      length,
      count,
      min: values[0],
      max: values[length - 1]
    });
  }
  /** Adds the digest that stands at the reader. Throws CorruptError. */
  readFrom(reader) {
    const head3 = readCentroids(reader, means2, weights2);
    if (head3.length === 0) return;
    this.grid.holdCode(head3.gridCode);
    this.addCurve({ means: means2, weights: weights2, ...head3 });
  }
  /** Writes to `out` what `Digest.quantile` means, for ascending `qs`. */
  quantiles(qs, out) {
    if (this.curves.count === 0) {
      out.fill(NaN, 0, qs.length);
      return;
    }
    this.reserve();
    this.low = this.min;
    this.lowMass = 0;
    this.lows.set(this.curves.starts.subarray(0, this.curves.count));
    for (let i = 0; i < qs.length; i++) {
      const value = this.grid.nearest(this.valueAt((this.count + 1) * qs[i] - 0.5));
      out[i] = value < this.min ? this.min : value > this.max ? this.max : value;
    }
  }
  addCurve(centroids) {
    const { count, min, max } = centroids;
    this.curves.add(centroids);
    this.count += count;
    if (min < this.min) this.min = min;
    if (max > this.max) this.max = max;
  }
  /** The value below which lies so much; no less than when it was called before. */
  valueAt(mass) {
    const { lows: lows2, highs: highs3, from: from2, above } = this;
    const { count, starts, values } = this.curves;
    for (let c = 0; c < count; c++) highs3[c] = starts[c + 1];
    let high = this.max;
    let highMass = this.count;
    for (let pivot; (pivot = this.pivot()) >= 0; ) {
      const value = values[pivot];
      this.weigh(value);
      if (this.upTo <= mass) {
        this.low = value;
        this.lowMass = this.upTo;
        for (let c = 0; c < count; c++) lows2[c] = above[c];
      } else if (this.under <= mass) {
        return value;
      } else {
        high = value;
        highMass = this.under;
        for (let c = 0; c < count; c++) highs3[c] = from2[c];
      }
    }
    if (!(highMass > this.lowMass)) return this.low;
    return between2(this.low, high, (mass - this.lowMass) / (highMass - this.lowMass));
  }
  /** A knot in the middle of those that some curve has between the bounds; -1 where none has. */
  pivot() {
    const { lows: lows2, highs: highs3 } = this;
    let most = 0;
    let pivot = -1;
    for (let c = 0; c < this.curves.count; c++) {
      const size = highs3[c] - lows2[c];
      if (size <= most) continue;
      most = size;
      pivot = lows2[c] + (size >> 1);
    }
    return pivot;
  }
  /** Tells how much lies below a value that is between the bounds, and how much up to it. */
  weigh(value) {
    const { lows: lows2, highs: highs3, from: from2, above, curves } = this;
    const { count, values } = curves;
    this.under = 0;
    this.upTo = 0;
    for (let c = 0; c < count; c++) {
      let low = lows2[c];
      let high = highs3[c];
      while (low < high) {
        const middle2 = low + high >> 1;
        if (values[middle2] < value) low = middle2 + 1;
        else high = middle2;
      }
      let next = low;
      while (next < highs3[c] && values[next] === value) next++;
      from2[c] = low;
      above[c] = next;
      const under = curves.massBelow(c, low, value);
      this.under += under;
      this.upTo += next > low ? curves.massUpTo(c, next) : under;
    }
  }
  reserve() {
    const { count } = this.curves;
    if (count <= this.lows.length) return;
    this.lows = new Int32Array(2 * count);
    this.highs = new Int32Array(2 * count);
    this.from = new Int32Array(2 * count);
    this.above = new Int32Array(2 * count);
  }
};
function between2(low, high, part) {
  const value = low * (1 - part) + high * part;
  return value < low ? low : value > high ? high : value;
}

// src/rollup/population.ts
var sortedValues = new Float64Array(1024);
var sortedWeights = new Float64Array(1024);
function statisticsOfObservations({ values, weights: weights3 }, length, totals, scratch6) {
  for (let i = 0; i < length; i++) {
    if (weights3[i] !== 1) return statisticsOfWeighted(values, weights3, length, totals);
  }
  const found = statisticsOf(values, length, scratch6);
  const { sum, m2, min, max } = totals;
  const avg = averageBetween(sum, length, min, max);
  return { ...found, min, max, sum, avg, stddev: stddevOf(m2, length) };
}
function statisticsOfWeighted(values, weights3, length, totals) {
  assert(length > 0, "Expected a population");
  if (sortedValues.length < length) {
    sortedValues = new Float64Array(length * 2);
    sortedWeights = new Float64Array(length * 2);
  }
  sortedValues.set(values.subarray(0, length));
  sortedWeights.set(weights3.subarray(0, length));
  sortPairs(sortedValues, sortedWeights, length);
  const found = percentiles.map((p) => weightedQuantile(length, totals.count, p));
  return statisticsFromQuantiles(found, totals);
}
function statisticsFromQuantiles(quantiles2, totals) {
  const { count, sum, m2, min, max } = totals;
  const at = (index) => Math.min(max, Math.max(min, quantiles2[index]));
  return {
    avg: averageBetween(sum, count, min, max),
    min,
    median: at(2),
    max,
    percentile5: at(0),
    percentile25: at(1),
    percentile75: at(3),
    percentile95: at(4),
    count,
    sum,
    stddev: stddevOf(m2, count)
  };
}
function weightedQuantile(length, count, p) {
  const position = (count + 1) * p;
  if (position < 1) return sortedValues[0];
  if (position >= count) return sortedValues[length - 1];
  const whole = Math.floor(position);
  let at = 0;
  let until = sortedWeights[0];
  while (until < whole && at < length - 1) until += sortedWeights[++at];
  const low = sortedValues[at];
  const high = until < whole + 1 && at < length - 1 ? sortedValues[at + 1] : low;
  return between(low, high, position - whole);
}

// src/store/lmdb/slot-population.ts
var contributions3 = new Contributions();
var SlotPopulation = class {
  count = 0;
  /** What percentiles are taken of: a plain value, or an aggregate's mean within its own ends. */
  values = new Float64Array(64);
  /** Observations that each value stands for. */
  weights = new Float64Array(64);
  /** What `showValues` shows, and when. */
  shown = new Float64Array(0);
  timesMs = new Float64Array(0);
  reset() {
    this.count = 0;
  }
  /** Adds samples `[from, to)`; those that stand for no observation are left out. */
  add(raw, from2, to, withShown) {
    this.reserve(this.count + to - from2, withShown);
    if (hasAggregates(raw, from2, to)) return this.addAggregated(raw, from2, to, withShown);
    for (let i = from2; i < to; i++) {
      const at = this.count++;
      this.values[at] = raw.values[i];
      this.weights[at] = 1;
      if (withShown) this.show(at, raw, i);
    }
  }
  /** Adds the whole population to a union; its values may then stand in another order. */
  pourInto(union2) {
    union2.addValues(this.values, this.weights, this.count);
  }
  /** What `showValues` shows; only where it was taken. A copy. */
  told() {
    const { shown, timesMs, count } = this;
    return { values: shown.slice(0, count), timesMs: timesMs.slice(0, count) };
  }
  /** What percentiles are taken of, as a copy; `m2` is told beside. */
  observations(m2) {
    const { values, weights: weights3, count } = this;
    return { values: values.slice(0, count), weights: weights3.slice(0, count), m2 };
  }
  addAggregated(raw, from2, to, withShown) {
    gatherContributions(raw, from2, to, contributions3);
    for (let i = from2; i < to; i++) {
      const weight = contributions3.count[i - from2];
      if (!(weight > 0)) continue;
      const at = this.count++;
      this.values[at] = contributions3.digestMean(i - from2);
      this.weights[at] = weight;
      if (withShown) this.show(at, raw, i);
    }
  }
  show(at, raw, i) {
    this.shown[at] = raw.values[i];
    this.timesMs[at] = raw.timesMs[i];
  }
  reserve(length, withShown) {
    if (length > this.values.length) {
      this.values = larger(this.values, length);
      this.weights = larger(this.weights, length);
    }
    if (withShown && length > this.shown.length) {
      this.shown = larger(this.shown, length);
      this.timesMs = larger(this.timesMs, length);
    }
  }
};
function larger(column, length) {
  const copy = new Float64Array(Math.max(length, 2 * column.length));
  copy.set(column);
  return copy;
}

// src/model/span.ts
function spanIntersection(left, right) {
  const startMs = Math.max(left.startMs, right.startMs);
  return { startMs, endMs: Math.max(startMs, Math.min(left.endMs, right.endMs)) };
}

// src/store/lmdb/zero-pieces.ts
function piecesOf(view, span, exact2) {
  const pieces = [];
  const endDay = Math.ceil(span.endMs / dayMs);
  for (let day = Math.floor(span.startMs / dayMs); day < endDay; day++) {
    if (view.isEmpty(day)) continue;
    const isWhole = span.startMs <= day * dayMs && (day + 1) * dayMs <= span.endMs;
    if (isWhole && !exact2 && view.isCoarse(day)) pieces.push({ kind: "day", day });
    else pushAll(pieces, rawPiecesOfDay(day, span));
  }
  return pieces;
}
function rawPiecesOfDay(day, span) {
  const pieces = [];
  const first = day * dayMs / windowMs;
  for (let window = first; window < first + dayMs / windowMs; window++) {
    const whole = { startMs: window * windowMs, endMs: (window + 1) * windowMs };
    const part = spanIntersection(whole, span);
    if (part.startMs < part.endMs) pieces.push({ kind: "raw", window, span: part });
  }
  return pieces;
}

// src/store/lmdb/zero-statistics.ts
var scratch5 = new StatisticsScratch();
var populations = Array.from({ length: seriesPerBlock }, () => new SlotPopulation());
var merged = new CellColumns(1);
var union = new DigestUnion();
var quantiles = new Float64Array(percentiles.length);
function zeroStatistics(tables, view, question) {
  return new ZeroReading(tables, view, question).answers();
}
var ZeroReading = class {
  tables;
  view;
  question;
  pieces;
  /** Cells of the pieces at slot · pieces + piece. */
  cells;
  days = /* @__PURE__ */ new Map();
  /** Raw samples of a slot in the span. */
  samples = new Int32Array(seriesPerBlock);
  constructor(tables, view, question) {
    this.tables = tables;
    this.view = view;
    this.question = question;
    const { exact: exact2, withValues, withObservations } = question;
    this.pieces = piecesOf(view, question.span, exact2 || withValues || withObservations);
    this.cells = new CellColumns(view.slots * this.pieces.length);
  }
  answers() {
    for (const slot of this.question.slots) populations[slot].reset();
    for (const [index, piece] of this.pieces.entries()) {
      if (piece.kind === "day") this.readDay(piece.day, index);
      else this.readRaw(piece, index, this.question.slots);
    }
    this.readRawOfSmallDays();
    return this.question.slots.flatMap((slot) => this.answer(slot) ?? []);
  }
  readDay(day, index) {
    const key = periodKey(day, this.view.block);
    const bytes = this.tables.days.get(key);
    if (bytes === void 0) return;
    const dayCells2 = new CellColumns(seriesPerBlock);
    const record = readCoarse(key, bytes, 1, dayCells2);
    this.days.set(day, record);
    for (const slot of this.question.slots) {
      copyCell(dayCells2, slot, this.cells, slot * this.pieces.length + index);
      this.samples[slot] += record.samples[slot] ?? 0;
    }
  }
  /** Reads the samples of the slots; with an index, their cells too. */
  readRaw(piece, index, slots) {
    const raw = this.view.rawOf(piece.window);
    if (raw === null) return;
    for (const slot of slots) {
      const end = raw.slotTo(slot);
      const from2 = raw.lowerBound(piece.span.startMs, raw.slotFrom(slot), end);
      const to = raw.lowerBound(piece.span.endMs, from2, end);
      if (from2 === to) continue;
      populations[slot].add(raw, from2, to, this.question.withValues);
      if (index < 0) continue;
      this.samples[slot] += to - from2;
      cellOfRaw(raw, { from: from2, to }, this.cells, slot * this.pieces.length + index);
    }
  }
  /**
   * The samples of sealed days that no digest can answer for: few in the span, or few in the day.
   */
  readRawOfSmallDays() {
    for (const [day, record] of this.days) {
      const slots = this.question.slots.filter(
        (slot) => (record.samples[slot] ?? 0) > 0 && (this.isExact(slot) || !record.digests.has(slot))
      );
      if (slots.length === 0) continue;
      for (const piece of rawPiecesOfDay(day, this.question.span)) {
        if (piece.kind === "raw") this.readRaw(piece, -1, slots);
      }
    }
  }
  isExact(slot) {
    return this.days.size === 0 || this.samples[slot] <= exactSamplesMax;
  }
  answer(slot) {
    const from2 = slot * this.pieces.length;
    mergeCells(this.cells, from2, from2 + this.pieces.length, merged, 0);
    if (!(merged.count[0] > 0)) return null;
    const population = populations[slot];
    const totals = totalsOf(merged);
    const statistics = this.isExact(slot) ? statisticsOfObservations(population, population.count, totals, scratch5) : this.fromDigests(slot, totals);
    const { withValues, withObservations } = this.question;
    return {
      slot,
      statistics,
      ...withValues && population.told(),
      ...withObservations && { observations: population.observations(totals.m2) }
    };
  }
  fromDigests(slot, totals) {
    union.reset();
    populations[slot].pourInto(union);
    for (const record of this.days.values()) record.digests.readInto(union, slot);
    union.quantiles(percentiles, quantiles);
    return statisticsFromQuantiles(quantiles, totals);
  }
};
function totalsOf(cell) {
  return {
    count: cell.count[0],
    sum: cell.sum[0],
    m2: cell.m2[0],
    min: cell.min[0],
    max: cell.max[0]
  };
}

// src/store/lmdb/read-store.ts
var LmdbReadStore = class {
  catalogue = new Catalogue();
  /** Where the series stand that are asked for. */
  places = new CataloguePlaces(() => this.catalogue);
  tables;
  scratch;
  bucketScratch = new BucketValues();
  statisticsScratch = new StatisticsScratch();
  bands = new BandScratch();
  openGrouped = /* @__PURE__ */ new WeakMap();
  sequence = 0;
  closed = false;
  /**
   * `withCatalogue: false`: it is neither loaded nor refreshed, and questions follow `tell`.
   */
  constructor(options) {
    this.tables = openTables(options.folder);
    this.scratch = new ViewScratch(this.tables, () => this.places);
    if (options.withCatalogue === false) return;
    whileOpening(this.tables, () => {
      this.sequence = loadCatalogue(this.tables, this.catalogue);
    });
    this.tables.root.resetReadTxn();
  }
  /** Says where the series of the next questions stand. */
  tell(places3) {
    this.places = places3;
  }
  refresh() {
    this.guarded(() => this.bringUpToDate());
  }
  bringUpToDate() {
    const sequence = refreshCatalogue(this.tables, this.catalogue, this.sequence);
    if (sequence >= 0) {
      this.sequence = sequence;
      return;
    }
    this.catalogue = new Catalogue();
    this.sequence = loadCatalogue(this.tables, this.catalogue);
  }
  statistics(question, open3 = null) {
    return this.guarded(() => {
      const byBlock = this.seriesByBlock(question.series);
      const openBlocks = this.openBlocks(open3);
      const answers = /* @__PURE__ */ new Map();
      for (const [block, slots] of byBlock) {
        const view = this.view(block, openBlocks.of(block));
        for (const answer of this.answerBlock(view, slots, question)) {
          answers.set(answer.series, answer);
        }
      }
      return Array.from(question.series).flatMap((series) => answers.get(series) ?? []);
    });
  }
  samples(series, question, open3 = null) {
    return this.guarded(() => {
      const { resolution } = question;
      const span = this.keptPart(question.span, resolution);
      if (series >= this.catalogue.seriesCount) return [];
      const block = this.catalogue.seriesBlock(series);
      const slot = this.catalogue.seriesSlot(series);
      const view = this.view(block, this.openBlocks(open3).of(block));
      if (resolution === "ZERO") return rawRecords(view, slot, span);
      const { settings } = this.catalogue.seriesDefinition(series);
      const { bands: bands2 } = this;
      return bucketRecords(this.tables, view, { slot, span, resolution, settings, bands: bands2 });
    });
  }
  bucketValues(question, open3, take) {
    this.guarded(() => {
      const { resolution, field } = question;
      const span = this.keptPart(question.span, resolution);
      if (span.startMs >= span.endMs) return;
      const openBlocks = this.openBlocks(open3);
      const { bucketScratch: found } = this;
      for (const [block, slots] of this.seriesByBlock(question.series)) {
        const view = this.view(block, openBlocks.of(block));
        collectValues(this.tables, view, { slots, span, resolution, field, withTimes: true }, found);
        const members = this.places.blockSeries(block);
        for (const slot of slots) {
          const from2 = slot * found.stride;
          const to = from2 + found.counts[slot];
          if (from2 === to) continue;
          found.settle(slot);
          take(members[slot], found.timesMs.subarray(from2, to), found.values.subarray(from2, to));
        }
      }
    });
  }
  lastSeen(question, open3 = null) {
    return this.guarded(() => {
      const seenMs = lastSeen(this.scratch, this.catalogue, question);
      return withOpen(seenMs, question, open3);
    });
  }
  listDocuments(kind, range4 = {}) {
    return this.guarded(() => listDocuments(this.tables, kind, range4));
  }
  cycleCells(block, cycle, out) {
    return this.guarded(() => {
      if (block >= this.catalogue.blockCount) return clearedCells(out);
      return readCycleCells(this.scratch, this.view(block, null), cycle, out);
    });
  }
  cycleBands(block, cycle, out) {
    return this.guarded(() => readCycleBands(this.tables, { cycle, block }, out, this.bands));
  }
  bucketHistory(series, fromCycle, toCycle) {
    return this.guarded(() => {
      const history = new HistoryReading(this.tables, this.bands, { series, fromCycle, toCycle });
      for (const [block, slots] of this.seriesByBlock(series)) {
        const members = this.places.blockSeries(block);
        history.read(this.view(block, null), slots, members, this.bucketScratch);
      }
      return history.result;
    });
  }
  state(kind, key) {
    return this.guarded(() => getState(this.tables, kind, key));
  }
  states(kind, range4 = {}) {
    return this.guarded(() => listStates(this.tables, kind, range4));
  }
  isClosed(cycle, part) {
    return this.guarded(() => isClosed(this.tables, cycle, part));
  }
  async close() {
    if (this.closed) return;
    this.closed = true;
    await this.tables.root.close();
  }
  answerBlock(view, slots, question) {
    const { resolution, exact: exact2, withValues, withObservations = false } = question;
    const span = this.keptPart(question.span, resolution);
    if (span.startMs >= span.endMs) return [];
    const members = this.places.blockSeries(view.block);
    if (resolution !== "ZERO") {
      return this.answerBuckets(view, slots, { ...question, span, resolution });
    }
    const asked = { slots, span, exact: exact2, withValues, withObservations };
    return zeroStatistics(this.tables, view, asked).map(({ slot, ...rest }) => ({
      series: members[slot],
      ...rest
    }));
  }
  answerBuckets(view, slots, question) {
    const { span, resolution, withValues } = question;
    const { bucketScratch: actuals, statisticsScratch } = this;
    const asked = { slots, span, resolution, field: "actual", withTimes: withValues };
    collectValues(this.tables, view, asked, actuals);
    const members = this.places.blockSeries(view.block);
    const answers = [];
    for (const slot of slots) {
      const count = actuals.counts[slot];
      if (count === 0) continue;
      const statistics = actuals.statistics(slot, statisticsScratch);
      const series = members[slot];
      if (!withValues) answers.push({ series, statistics });
      else {
        actuals.settle(slot);
        const from2 = slot * actuals.stride;
        const values = actuals.values.subarray(from2, from2 + count);
        const timesMs = actuals.timesMs.slice(from2, from2 + count);
        answers.push({ series, statistics, values: values.slice(), timesMs });
      }
    }
    return answers;
  }
  view(block, open3) {
    const slots = this.places.blockSeries(block).length;
    return new BlockView(this.scratch, { block, slots }, open3);
  }
  /** The parts of one question come with the same samples, one after the other. */
  openBlocks(open3) {
    if (open3 === null) return new OpenBlocks(null, this.places);
    const known = this.openGrouped.get(open3) ?? new OpenBlocks(open3, this.places);
    this.openGrouped.set(open3, known);
    return known;
  }
  /** Slots of each block that the series stand in, ascending. */
  seriesByBlock(series) {
    const byBlock = /* @__PURE__ */ new Map();
    for (const one of series) {
      if (one >= this.places.seriesCount) continue;
      const block = this.places.seriesBlock(one);
      const slots = byBlock.get(block);
      if (slots === void 0) byBlock.set(block, [this.places.seriesSlot(one)]);
      else slots.push(this.places.seriesSlot(one));
    }
    for (const slots of byBlock.values()) slots.sort((left, right) => left - right);
    return byBlock;
  }
  keptPart(span, resolution) {
    return keptSpan(span, readHorizons(this.tables), resolution);
  }
  /**
   * Answers on a snapshot of its own; damage becomes `storage`. The snapshot is given back at once:
   * lmdb does so in a timer, which a thread that waits for its next task never runs, and while it
   * is held no page that the writer frees can be used again (a store of 77 MB grew to 285).
   */
  guarded(work) {
    this.scratch.sealed.forget();
    try {
      return work();
    } catch (cause) {
      throw damageToService(cause);
    } finally {
      this.tables.root.resetReadTxn();
    }
  }
};

// src/store/lmdb/repair.ts
import { rmSync as rmSync3 } from "node:fs";
import { join as join10 } from "node:path";

// src/store/lmdb/quarantine.ts
import { mkdirSync as mkdirSync3, writeFileSync as writeFileSync4 } from "node:fs";
import { join as join9 } from "node:path";
var Quarantine = class {
  /** Inside the store's folder; made when the first thing is put there. */
  path;
  folder;
  constructor(folder, nowMs) {
    this.folder = folder;
    const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, "-");
    this.path = join9(folder, `quarantine-${stamp}`);
  }
  /** Moves files of the store there. */
  takeFiles(names) {
    if (names.length === 0) return;
    mkdirSync3(this.path, { recursive: true, mode: 448 });
    moveFiles(names, this.folder, this.path);
  }
  /** Keeps a copy of a value, which the caller removes from its table. */
  keepValue(table, key, value) {
    mkdirSync3(this.path, { recursive: true, mode: 448 });
    const name = `${table}-${Buffer.from(key).toString("hex")}`;
    writeFileSync4(join9(this.path, name), value, { mode: 384 });
  }
};

// src/store/lmdb/repair-catalogue.ts
var strayGap = 1e3;
var storedSeriesInts2 = 4;
function repairCatalogue(context, nowMs) {
  const repair = new CatalogueRepair(context, nowMs);
  const elements = repair.setAside("elements");
  const used = { names: 0, definitions: 0 };
  const known = /* @__PURE__ */ new Set();
  for (const [element, value] of elements) {
    const { series } = unpackElement(indexKey(element), value);
    for (let at = 0; at < series.length; at += storedSeriesInts2) {
      known.add(series[at]);
      used.names = Math.max(used.names, series[at + 1] + 1);
      used.definitions = Math.max(used.definitions, series[at + 2] + 1);
    }
  }
  repair.fill("elements", elements, 0);
  repair.fill("names", repair.setAside("names"), used.names);
  repair.fill("definitions", repair.setAside("definitions"), used.definitions);
  repair.fillPlaces(known);
  return repair.hasLost ? known : null;
}
var CatalogueRepair = class {
  hasLost = false;
  context;
  nowMs;
  constructor(context, nowMs) {
    this.context = context;
    this.nowMs = nowMs;
  }
  /** Takes out of a table what cannot be read; gives the rest by its numbers. */
  setAside(name) {
    const { tables, quarantine } = this.context;
    const entries = Array.from(tables[name].getRange({}), ({ key, value }) => {
      return { key: Buffer.from(key), value: Buffer.from(value) };
    });
    const good = /* @__PURE__ */ new Map();
    for (const { key, value } of entries) {
      const index = key.length === 4 ? keyToIndex(key) : Infinity;
      if (index <= entries.length + strayGap && isRecord(key, value)) good.set(index, value);
      else {
        quarantine.keepValue(name, key, value);
        tables[name].removeSync(key);
        this.tellLost(`${name}, entry ${key.toString("hex")}: set aside`);
      }
    }
    return good;
  }
  /** Puts a placeholder for every number that is missing, of at least `countMin`. */
  fill(name, good, countMin) {
    const { tables } = this.context;
    const count = Math.max(countMin - 1, largestOf(good.keys())) + 1;
    for (let index = 0; index < count; index++) {
      if (good.has(index)) continue;
      tables[name].putSync(indexKey(index), this.placeholder(name, index));
      this.tellLost(`${name}, entry ${index}: lost, a placeholder stands in its place`);
    }
  }
  /**
   * Gives every place that no element claims any more to an element of its own, and every number of
   * a series that is missing to such a place.
   */
  fillPlaces(known) {
    const { tables } = this.context;
    const catalogue = new Catalogue();
    loadCatalogue(tables, catalogue);
    const numbers = Array.from({ length: catalogue.seriesCount }, (_, series) => series);
    const missing = numbers.filter((series) => !known.has(series));
    let { seriesCount, elementCount, nameCount } = catalogue;
    const give = (place, name, tenant) => {
      const fqn = `lost-place-${place >> 8}-${place & 255}`;
      const entry = Int32Array.of(missing.shift() ?? seriesCount++, name, 0, place);
      const key = indexKey(elementCount++);
      tables.elements.putSync(key, this.element(key, { fqn, tenant, series: entry }));
      this.tellLost(`slot ${place & 255} of block ${place >> 8} lost its series: ${fqn} has it now`);
    };
    const newName = () => {
      tables.names.putSync(indexKey(nameCount), this.placeholder("names", nameCount));
      return nameCount++;
    };
    const slotsStored = slotsByBlock(tables);
    if (slotsStored.size > 0 && catalogue.definitionCount === 0) {
      const key = indexKey(0);
      tables.definitions.putSync(key, packDocument(key, defaultDefinition));
    }
    let blocks = catalogue.blockCount;
    for (const block of blocksOf(catalogue, slotsStored)) {
      blocks = Math.max(blocks, block + 1);
      const { vacant, held } = placesOf(catalogue, block, slotsStored.get(block) ?? 0);
      if (vacant.length === 0) continue;
      const name = held < 0 ? newName() : catalogue.seriesName(held);
      const tenant = held < 0 ? 0 : catalogue.name(name).tenant;
      for (const slot of vacant) give(block << 8 | slot, name, tenant);
    }
    for (; missing.length > 0; blocks++) {
      const name = newName();
      for (let slot = 0; slot < 256 && missing.length > 0; slot++) {
        give(blocks << 8 | slot, name, 0);
      }
    }
  }
  tellLost(line) {
    this.hasLost = true;
    this.context.tell(line);
  }
  placeholder(name, index) {
    const fqn = `lost-${name}-${index}`;
    const key = indexKey(index);
    if (name === "names") return packDocument(key, { tenant: 0, fqn });
    if (name === "definitions") return packDocument(key, { ...defaultDefinition, name: fqn });
    return this.element(key, { fqn, tenant: 0, series: new Int32Array(0) });
  }
  element(key, of) {
    return packElement(key, { ...of, info: newInfo(of.fqn, {}, this.nowMs) });
  }
};
function blocksOf({ blockCount }, slotsStored) {
  const known = Array.from({ length: blockCount }, (_, block) => block);
  const end = blockCount + slotsStored.size + strayGap;
  const beyond = [...slotsStored.keys()].filter((block) => block >= blockCount && block < end);
  return [...known, ...beyond.sort((left, right) => left - right)];
}
function placesOf(catalogue, block, slotsStored) {
  const members = block < catalogue.blockCount ? [...catalogue.blockSeries(block)] : [];
  const isHeld2 = (slot) => slot < members.length && catalogue.seriesPlace(members[slot]) === (block << 8 | slot);
  const slots = Array.from({ length: Math.max(members.length, slotsStored) }, (_, slot) => slot);
  const heldSlot = slots.find(isHeld2);
  const held = heldSlot === void 0 ? -1 : members[heldSlot];
  return { vacant: slots.filter((slot) => !isHeld2(slot)), held };
}
function isRecord(key, value) {
  try {
    openRecord(key, value);
    return true;
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return false;
  }
}
function slotsByBlock(tables) {
  const slots = /* @__PURE__ */ new Map();
  for (const table of [tables.recentRaw, tables.raw, tables.hours, tables.days]) {
    for (const { key, value } of table.getRange({})) {
      const { block } = keyToPeriod(key);
      if (isRecord(key, value)) {
        slots.set(block, Math.max(slots.get(block) ?? 0, openRecord(key, value).varint()));
      }
    }
  }
  return slots;
}

// src/store/lmdb/inbox.ts
function recoverInbox(tables, warn) {
  const found = [];
  const strays = [];
  for (const { key, value } of tables.inbox.getRange({})) {
    const { reason, ...one } = readInboxFrame(key, value);
    found.push(one);
    if (reason === null) continue;
    strays.push({ key: Buffer.from(key), frame: one.frame });
    const told = one.frame === null ? "damaged inbox frame was cut" : "inbox frame was put back";
    warn({ sequence: one.sequence, bytes: value.length, reason }, told);
  }
  if (strays.length > 0) settle(tables, strays);
  return found;
}
function readInboxFrame(key, value) {
  const sequence = keyToSequence(key);
  try {
    const frame = bytesToFrame(value);
    if (frame.sequence === 0 || frame.sequence === sequence) {
      return { sequence, frame, reason: null };
    }
    return { sequence: frame.sequence, frame, reason: `frame stood under number ${sequence}` };
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return { sequence, frame: null, reason: error.message };
  }
}
function settle({ root, inbox }, strays) {
  root.transactionSync(() => {
    for (const { key } of strays) inbox.remove(key);
    for (const { frame } of strays) {
      if (frame !== null) inbox.put(sequenceKey(frame.sequence), frame.bytes);
    }
  });
}

// src/store/lmdb/repair-frames.ts
function repairFrames({ tables, quarantine, tell }, folder, known) {
  const folded = readFolded(tables);
  const frames = readJournal(folder).filter(({ sequence }) => sequence > folded).map(({ sequence, frame }) => ({ sequence, frame }));
  const strays = [];
  for (const { key, value } of tables.inbox.getRange({})) {
    const { sequence, frame, reason } = readInboxFrame(key, value);
    if (frame === null) continue;
    frames.push({ sequence, frame });
    if (reason !== null) strays.push(Buffer.from(key));
  }
  for (const key of strays) tables.inbox.removeSync(key);
  for (const { sequence, frame } of frames) {
    const kept2 = keepKnown(frame, sequence, (series) => known.has(series));
    const lost = frame.count - kept2.count;
    if (lost > 0) tell(`frame ${sequence}: ${lost} samples of lost series left out`);
    tables.inbox.putSync(sequenceKey(sequence), kept2.bytes);
  }
  quarantine.takeFiles(journalFiles(folder));
}

// src/store/lmdb/repair-keys.ts
function repairKeys(context) {
  for (const name of tableNames) {
    const strays = [];
    for (const { key, value } of context.tables[name].getRange({})) {
      if (isStray(name, key, value))
        strays.push({ key: Buffer.from(key), value: Buffer.from(value) });
    }
    for (const stray of strays) settle2(context, name, stray);
  }
}
function isStray(name, key, value) {
  try {
    checkKey(name, key, value.subarray(0, recordHeadBytes), value.length);
    return false;
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return true;
  }
}
function settle2({ tables, quarantine, tell }, name, { key, value }) {
  const home = trueKey(name, key, value);
  const isMarker = markerTables.has(name);
  if (home === void 0 && !isMarker && name !== "elementLog") return;
  tables[name].removeSync(key);
  const isTaken = home instanceof Buffer && tables[name].doesExist(home);
  if (home instanceof Buffer && !isTaken) {
    tables[name].putSync(home, isMarker ? packMarker(home) : value);
    return tell(`${name}: what stood under a key with a flipped bit was put back under its own`);
  }
  quarantine.keepValue(name, key, value);
  tell(`${name}: what stood under a key that is not its own was set aside`);
}

// src/store/lmdb/repair-names.ts
function repairNames(tables, folder) {
  const published = readPublished(tables);
  const waiting = readJournal(folder).filter(({ sequence }) => sequence > published);
  if (!waiting.some(({ names }) => names !== null)) return;
  tables.root.transactionSync(() => {
    for (const { sequence, names } of waiting) {
      if (names !== null) putSection(tables, decodeNames(sequence, names));
    }
    tables.meta.put(publishedKey, packSequence(waiting.at(-1).sequence));
  });
}
function putSection(tables, section) {
  const { base, names, definitions, elements } = section;
  const isLater = base.names >= countOf(tables.names) && base.definitions >= countOf(tables.definitions) && base.elements >= countOf(tables.elements);
  if (!isLater) return;
  for (const [i, name] of names.entries()) putAt(tables.names, base.names + i, name);
  for (const [i, definition] of definitions.entries()) {
    putAt(tables.definitions, base.definitions + i, definition);
  }
  for (const { element, ...stored } of elements) {
    putAt(tables.elements, element, elementToDocument(stored));
  }
}
function putAt(table, index, document) {
  const key = indexKey(index);
  table.put(key, packDocument(key, document));
}
function countOf(table) {
  for (const key of table.getKeys({ reverse: true })) {
    if (key.length === indexKey(0).length) return keyToIndex(key) + 1;
  }
  return 0;
}

// src/store/lmdb/recompute.ts
var windowsPerDay2 = dayMs / windowMs;
var Recomputation = class {
  windows;
  tables;
  cells = slotCells();
  counterPast;
  constructor(tables) {
    this.tables = tables;
    this.counterPast = new CounterPast(tables);
    this.windows = new SealedWindows(tables);
  }
  /**
   * The record of recent cells of `where`; definitions and facts are those of `stored`. A cell that
   * the closing of a sealed cycle redefined stands on the sealed samples.
   */
  recentCells(where, raw, stored) {
    clearCells(this.cells, 0, this.cells.length);
    for (let slot = 0; slot < seriesPerBlock; slot++) {
      const hasRaw = slot < raw.slotCount && raw.slotFrom(slot) < raw.slotTo(slot);
      if (!hasRaw && !isPresent(stored, slot)) continue;
      this.keepStored(stored, slot, slot);
      const range4 = hasRaw ? { columns: raw, from: raw.slotFrom(slot), to: raw.slotTo(slot) } : this.windows.cycleOfSlot(where.cycle, where.block, slot);
      if (range4 !== null) cellOfRaw(range4.columns, range4, this.cells, slot);
    }
    return packRecentCells(periodKey(where.cycle, where.block), this.cells);
  }
  /** Puts into cell `to` what nothing can be recomputed from: its definition, or a whole fact. */
  keepStored(stored, at, to) {
    clearCells(this.cells, to, to + 1);
    if (isFact(stored, at)) copyCell(stored, at, this.cells, to);
    else this.cells.definition[to] = stored.definition[at];
  }
  /** How many sealed raw samples a day has. */
  rawCount({ day, block }) {
    let count = 0;
    for (let i = 0; i < windowsPerDay2; i++) {
      count += this.windows.read(day * windowsPerDay2 + i, block)?.count ?? 0;
    }
    return count;
  }
  /**
   * Computes `dayCells` from the sealed windows; definitions and fillings stay as they are, and
   * where `keepsCounters` the actuals of counters. Else those are computed with what went before;
   * the first one of all stays where retention may have taken that.
   */
  dayCells(where, slots, dayCells2, { keepsCounters = false } = {}) {
    const keeps = keepsCounters || readHorizons(this.tables).PT5M > 0;
    for (let first = 0; first < cyclesPerDay; first += cyclesPerWindow) {
      for (let slot = 0; slot < slots; slot++) {
        for (let cycle = first; cycle < first + cyclesPerWindow; cycle++) {
          this.dayCell(where, { slot, cycle, keeps }, dayCells2);
        }
      }
    }
    if (!keepsCounters) settleCounters(this, where, dayCells2, { slots });
  }
  /** Hours and the day of the cells, with digests of the raw samples that there are. */
  coarse(where, slots, dayCells2) {
    const hours = mergeHours(dayCells2, slots);
    const days = mergeDay(hours, slots);
    const digests = new DayDigests(slots, hours, days);
    for (let hour = 0; hour < hoursPerDay; hour++) {
      const window = Math.floor((where.day * dayMs + hour * hourMs) / windowMs);
      const raw = this.windows.read(window, where.block);
      if (raw !== null) digests.addHour(raw, hour, where.day);
    }
    const { samples } = digests;
    const key = periodKey(where.day, where.block);
    return {
      samples,
      hours: packCoarse(key, hours, { slots, buckets: hoursPerDay, samples }, digests.hours),
      day: packCoarse(key, days, { slots, buckets: 1, samples }, digests.days())
    };
  }
  dayCell(where, { slot, cycle, keeps }, dayCells2) {
    const number2 = where.day * cyclesPerDay + cycle;
    const raw = this.windows.read(Math.floor(number2 / cyclesPerWindow), where.block);
    const range4 = raw === null ? null : rangeOfCycle(raw, slot, number2);
    const at = slot * cyclesPerDay + cycle;
    this.keepStored(dayCells2, at, 0);
    if (range4 !== null) cellOfRaw(range4.columns, range4, this.cells, 0);
    if (keeps && isCounterCell(this.cells, 0) && isCounterCell(dayCells2, at)) {
      this.cells.actual[0] = dayCells2.actual[at];
      this.cells.actuals[0] = dayCells2.actuals[at];
    }
    copyCell(this.cells, 0, dayCells2, at);
  }
};
function packColumns({ day, block }, dayCells2, slots) {
  const range4 = presentRange(dayCells2, slots);
  return cellColumnNames.map((name, index) => {
    const key = columnKey(day, block, index);
    return { key, value: packColumn(key, name, dayCells2, { slots, range: range4 }) };
  });
}

// src/store/lmdb/repair-values.ts
var windowsPerDay3 = dayMs / windowMs;
var recordTables = [
  "recentRaw",
  "recentCells",
  "recentBands",
  "raw",
  "cells",
  "bands",
  "hours",
  "days"
];
function repairValues(context, catalogue) {
  const repair = new ValueRepair(context, catalogue);
  for (const name of recordTables) repair.setAsideDamaged(name);
  repair.recent();
  repair.markers();
  repair.sealed();
}
var ValueRepair = class {
  context;
  catalogue;
  codes;
  recomputation;
  raw = new RawColumns();
  cells = slotCells();
  dayCells = new CellColumns(dayCellsMax);
  coarse = hourTable();
  lostDays;
  /** Days and blocks of which raw samples were set aside. */
  rawLost = /* @__PURE__ */ new Set();
  constructor(context, catalogue) {
    this.context = context;
    this.catalogue = catalogue;
    this.codes = new DefinitionCodes(() => catalogue);
    this.recomputation = new Recomputation(context.tables);
    this.lostDays = new LostDays(context.tables.meta.get(lostDaysKey));
  }
  /** Takes out of a table every value that is no record any more, or of a block without series. */
  setAsideDamaged(name) {
    const { tables, quarantine, tell } = this.context;
    const damaged = [];
    for (const { key, value } of tables[name].getRange({})) {
      const isOfNone = keyToPeriod(key).block >= this.catalogue.blockCount;
      const reason = damageOf(key, value) ?? (isOfNone ? "no series is in that block" : null);
      if (reason === null) continue;
      damaged.push({ key: Buffer.from(key), value: Buffer.from(value), reason });
    }
    for (const { key, value, reason } of damaged) {
      quarantine.keepValue(name, key, value);
      remove(tables[name], key);
      const { period, block } = keyToPeriod(key);
      if (name === "raw") this.rawLost.add(`${Math.floor(period / windowsPerDay3)} ${block}`);
      tell(`${name} of period ${period}, block ${block}: set aside (${reason})`);
    }
  }
  recent() {
    const { tables, tell } = this.context;
    for (const key of keysOf2(tables.recentCells)) {
      if (!tables.recentRaw.doesExist(key)) this.cellsWithoutRaw(key);
    }
    for (const key of keysOf2(tables.recentRaw)) {
      if (tables.recentCells.doesExist(key)) continue;
      const { period, block } = keyToPeriod(key);
      readRecentRaw(tables, period, block, this.raw);
      readRecentCells(tables, period, block, this.cells);
      this.defineByCatalogue(block, this.cells, 1);
      const where = { cycle: period, block };
      put(tables.recentCells, key, this.recomputation.recentCells(where, this.raw, this.cells));
      tell(`recent cells of cycle ${period}, block ${block}: computed anew`);
    }
  }
  /** Facts of a closing, and what stands on sealed samples, need no recent ones; the rest goes. */
  cellsWithoutRaw(key) {
    const { tables, tell } = this.context;
    const { period: cycle, block } = keyToPeriod(key);
    readRecentCells(tables, cycle, block, this.cells);
    const slots = countPresent(this.cells, 0, this.cells.length);
    this.raw.reset();
    const left = this.recomputation.recentCells({ cycle, block }, this.raw, this.cells);
    if (holdSame(key, left, tables.recentCells.get(key))) return;
    put(tables.recentCells, key, left);
    readRecentCells(tables, cycle, block, this.cells);
    const kept2 = countPresent(this.cells, 0, this.cells.length);
    if (kept2 === 0) remove(tables.recentCells, key);
    if (kept2 === slots) return;
    this.markCounters({ day: Math.floor(cycle / cyclesPerDay), block });
    tell(`cycle ${cycle} of block ${block}: lost, as its recent raw samples are`);
  }
  /** The markers of open days are what the recent records say. */
  markers() {
    const { tables, tell } = this.context;
    const wanted2 = /* @__PURE__ */ new Map();
    const recent = [tables.recentRaw, tables.recentCells, tables.recentBands];
    for (const key of recent.flatMap(keysOf2)) {
      const { period, block } = keyToPeriod(key);
      const day = periodKey(Math.floor(period / cyclesPerDay), block);
      wanted2.set(day.toString("hex"), day);
    }
    for (const key of keysOf2(tables.openDays)) {
      if (wanted2.delete(key.toString("hex"))) continue;
      if (tables.days.doesExist(key)) continue;
      remove(tables.openDays, key);
      tell(`marker of an open day ${key.toString("hex")}: removed`);
    }
    for (const [text, key] of wanted2) {
      put(tables.openDays, key, packMarker(key));
      tell(`marker of an open day ${text}: put back`);
    }
  }
  /** Every day and block of which anything is sealed. */
  sealed() {
    const { tables } = this.context;
    const found = /* @__PURE__ */ new Map();
    const add = (day, block) => found.set(`${day} ${block}`, { day, block });
    for (const table of [tables.days, tables.hours, tables.cells]) {
      for (const key of keysOf2(table)) add(keyToPeriod(key).period, keyToPeriod(key).block);
    }
    for (const key of keysOf2(tables.raw)) {
      const { period, block } = keyToPeriod(key);
      add(Math.floor(period / windowsPerDay3), block);
    }
    for (const where of found.values()) this.day(where);
  }
  day(where) {
    const { tables, tell } = this.context;
    const horizons = readHorizons(tables);
    const key = periodKey(where.day, where.block);
    const name = `day ${where.day} of block ${where.block}`;
    if (where.day < horizons.PT24H) return;
    const isRawWhole = this.isRawWhole(where);
    if (!isRawWhole && where.day >= horizons.ZERO && !this.lostDays.has(where)) {
      this.lostDays.add(tables, where);
      tell(`raw samples of ${name}: some are lost`);
    }
    const lacksCells = where.day >= horizons.PT5M && !this.hasCells(where);
    const lacksHours = where.day >= horizons.PT1H && !tables.hours.doesExist(key);
    if (!lacksCells && !lacksHours && tables.days.doesExist(key)) return;
    const slots = this.catalogue.blockSeries(where.block).length;
    this.readCells(where, slots);
    if (isRawWhole) {
      this.recomputation.dayCells(where, slots, this.dayCells);
      this.putCells(where, slots);
    } else if (lacksCells) {
      this.dropCells(where);
      this.lostDays.add(tables, where);
      this.markCounters({ day: where.day + 1, block: where.block });
      return tell(`five-minute buckets of ${name}: lost, as raw samples are`);
    }
    const coarse = this.recomputation.coarse(where, slots, this.dayCells);
    if (where.day >= horizons.PT1H) put(tables.hours, key, coarse.hours);
    put(tables.days, key, coarse.day);
    this.markCounters(where);
    tell(`${name}: computed anew`);
  }
  hasCells(where) {
    return cellColumnNames.every((name) => this.hasColumn(where, name));
  }
  hasColumn({ day, block }, name) {
    const column = cellColumnNames.indexOf(name);
    return this.context.tables.cells.doesExist(columnKey(day, block, column));
  }
  /**
   * What can be read of the cells: all columns; or what cannot be computed anew, the definitions
   * and the actuals of facts; or nothing. Facts without their actual are lost.
   */
  readCells(where, slots) {
    const { tables } = this.context;
    const hasActual2 = this.hasColumn(where, "actual");
    const left = hasActual2 ? ["count", "actual"] : ["count"];
    const columns = this.hasCells(where) ? cellColumnNames : left;
    clearCells(this.dayCells, 0, slots * cyclesPerDay);
    const isRead = readDayCells(tables, where, this.dayCells, { columns, slots });
    if (!isRead) this.defineByCatalogue(where.block, this.dayCells, cyclesPerDay);
    if (hasActual2) return;
    for (let at = 0; at < slots * cyclesPerDay; at++) {
      if (isFact(this.dayCells, at)) clearCells(this.dayCells, at, at + 1);
    }
  }
  /** What cells were made with is lost with them: they get the definitions in force. */
  defineByCatalogue(block, cells2, perSlot) {
    if (block >= this.catalogue.blockCount) return;
    for (const [slot, series] of this.catalogue.blockSeries(block).entries()) {
      cells2.definition.fill(this.codes.ofSeries(series), slot * perSlot, (slot + 1) * perSlot);
    }
  }
  /**
   * Has a block's days from this one on sealed anew, where there are counters in it: each may look
   * back on what the repair has changed. Days without all of their raw samples stay as they are.
   */
  markCounters({ day, block }) {
    const { tables } = this.context;
    if (block >= this.catalogue.blockCount) return;
    if (!this.catalogue.blockSeries(block).some((one) => this.codes.isCounter(one))) return;
    const first = Math.max(day, readHorizons(tables).ZERO);
    for (const key of keysOf2(tables.days)) {
      const found = keyToPeriod(key);
      if (found.block !== block || found.period < first) continue;
      if (this.lostDays.has({ day: found.period, block })) continue;
      put(tables.openDays, key, packMarker(key));
    }
  }
  /** True where the raw samples are all there: as many as hours or day say. */
  isRawWhole(where) {
    const { tables } = this.context;
    if (where.day < readHorizons(tables).ZERO) return false;
    if (this.rawLost.has(`${where.day} ${where.block}`)) return false;
    const key = periodKey(where.day, where.block);
    const [table, buckets] = tables.days.doesExist(key) ? [tables.days, 1] : [tables.hours, 24];
    const bytes = table.get(key);
    if (bytes === void 0) return true;
    const { samples } = readCoarse(key, bytes, buckets, this.coarse);
    return samples.reduce((sum, each) => sum + each, 0) === this.recomputation.rawCount(where);
  }
  putCells(where, slots) {
    const { cells: cells2 } = this.context.tables;
    for (const { key, value } of packColumns(where, this.dayCells, slots)) put(cells2, key, value);
  }
  dropCells({ day, block }) {
    const { cells: cells2 } = this.context.tables;
    for (const [column] of cellColumnNames.entries()) remove(cells2, columnKey(day, block, column));
  }
};
function damageOf(key, value) {
  try {
    openRecord(key, value);
    return null;
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return error.message;
  }
}
function keysOf2(table) {
  return Array.from(table.getKeys({}), (key) => Buffer.from(key));
}
function put(table, key, value) {
  table.putSync(key, value);
}
function remove(table, key) {
  table.removeSync(key);
}

// src/store/lmdb/verify.ts
var problemsMax3 = 100;
async function verifyLmdb(folder) {
  refuseOtherWriter(folder);
  const damage = probeLmdb(folder);
  if (damage.length > 0) return { compared: 0, problems: damage };
  const tables = openTables(folder);
  try {
    return new Verification(tables).run();
  } finally {
    await tables.root.close();
  }
}
var Verification = class {
  tables;
  problems = [];
  lostDays;
  compared = 0;
  raw = new RawColumns();
  stored = slotCells();
  bands = new Float32Array(cycleBandsLength);
  bandsOfDay = new Float32Array(dayBandsLength);
  ownDayCells = null;
  coarse = dayTable();
  recomputation;
  constructor(tables) {
    this.tables = tables;
    this.lostDays = new LostDays(tables.meta.get(lostDaysKey));
    this.recomputation = new Recomputation(tables);
  }
  /** Made where a day is sealed. */
  get dayCells() {
    return this.ownDayCells ??= new CellColumns(dayCellsMax);
  }
  /** Names that wait in the journal are not looked at: nothing that is compared speaks of them. */
  run() {
    this.attempt("the catalogue", () => loadCatalogue(this.tables, new Catalogue()));
    for (const { period, block } of this.recentKeys()) {
      this.attempt(`recent cycle ${period} of block ${block}`, () => this.recent(period, block));
    }
    this.facts();
    for (const key of this.tables.days.getKeys({})) {
      const { period, block } = keyToPeriod(key);
      this.attempt(`day ${period} of block ${block}`, () => this.day({ day: period, block }));
    }
    return { compared: this.compared, problems: this.problems };
  }
  /** Cycles with raw samples, and those that hold nothing but what a closing wrote. */
  *recentKeys() {
    const { recentRaw, recentCells: recentCells2 } = this.tables;
    for (const key of recentRaw.getKeys({})) yield keyToPeriod(key);
    for (const key of recentCells2.getKeys({})) {
      if (!recentRaw.doesExist(key)) yield keyToPeriod(key);
    }
  }
  /** Bands and states are facts: nothing to compare them with, but they must be readable. */
  facts() {
    const check = (name, table, read) => {
      for (const { key, value } of table.getRange({})) {
        this.compared++;
        this.attempt(`${name} ${key.toString("hex")}`, () => read(key, value));
      }
    };
    check(
      "recent bands",
      this.tables.recentBands,
      (key, bytes) => unpackRecentBands(key, bytes, this.bands)
    );
    check("bands", this.tables.bands, (key, bytes) => {
      for (const run2 of openDayBands(key, bytes)) unpackDayRun(run2, this.bandsOfDay, 0);
    });
    check("state", this.tables.states, openRecord);
  }
  /** Damage is told like a difference, and what follows is checked all the same. */
  attempt(what, check) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.tell(`${what}: ${error.message}`);
    }
  }
  recent(cycle, block) {
    readRecentRaw(this.tables, cycle, block, this.raw);
    readRecentCells(this.tables, cycle, block, this.stored);
    const key = periodKey(cycle, block);
    const bytes = this.tables.recentCells.get(key);
    const computed = this.recomputation.recentCells({ cycle, block }, this.raw, this.stored);
    const name = `recent cells of cycle ${cycle}, block ${block}`;
    this.compare(name, bytes, { key, value: computed });
  }
  day(where) {
    const key = periodKey(where.day, where.block);
    const hourBytes = this.tables.hours.get(key);
    const dayBytes = this.tables.days.get(key);
    const name = `of day ${where.day}, block ${where.block}`;
    if (dayBytes === void 0 || this.lostDays.has(where)) return;
    const horizons = readHorizons(this.tables);
    if (hourBytes === void 0 && where.day >= horizons.PT1H) this.tell(`hours ${name}: missing`);
    const { samples } = readCoarse(key, dayBytes, 1, this.coarse);
    const slots = samples.length;
    const columns = cellColumnNames;
    if (!readDayCells(this.tables, where, this.dayCells, { columns, slots })) {
      if (where.day >= horizons.PT5M) this.tell(`cells ${name}: missing`);
      return;
    }
    if (where.day < horizons.ZERO) return;
    const wanted2 = samples.reduce((sum, each) => sum + each, 0);
    const found = this.recomputation.rawCount(where);
    if (found !== wanted2) return this.tell(`raw samples ${name}: ${found} of ${wanted2} are there`);
    const keepsCounters = isDisturbed(this.tables, where.block, where.day + 1);
    this.recomputation.dayCells(where, slots, this.dayCells, { keepsCounters });
    for (const [index, computed] of packColumns(where, this.dayCells, slots).entries()) {
      const bytes = this.tables.cells.get(computed.key);
      this.compare(`column ${cellColumnNames[index]} ${name}`, bytes, computed);
    }
    const { hours, day } = this.recomputation.coarse(where, slots, this.dayCells);
    this.compare(`hours ${name}`, hourBytes, { key, value: hours });
    this.compare(`day ${name}`, dayBytes, { key, value: day });
  }
  compare(name, stored, { key, value }) {
    this.compared++;
    if (stored === void 0) return this.tell(`${name}: missing`);
    if (holdSame(key, stored, value)) return;
    this.tell(`${name}: stored ${stored.length} bytes differ from ${value.length} computed`);
  }
  tell(problem) {
    if (this.problems.length < problemsMax3) this.problems.push(problem);
  }
};

// src/store/lmdb/repair.ts
var commitBytes = 4 * 1024 * 1024;
async function repairLmdb(folder, nowMs) {
  const writer = writerOf(folder);
  if (writer !== null) {
    throw new ServiceError("storage", `The store in "${folder}" is open in process ${writer}`);
  }
  const quarantine = new Quarantine(folder, nowMs);
  const done = [];
  const tell = (line) => void done.push(line);
  if (!hasGoodPages(folder)) await rebuildFile(folder, quarantine, tell);
  markRunning(folder, process.pid);
  const tables = openTables(folder);
  try {
    refuseNewer(tables.meta.get(versionKey));
    repairTables({ tables, quarantine, tell }, folder, nowMs);
  } finally {
    await tables.root.close();
  }
  const { problems } = await verifyLmdb(folder);
  if (problems.length === 0) markStopped(folder);
  return { done, problems, setAside: done.length > 0 ? quarantine.path : null };
}
function repairTables(context, folder, nowMs) {
  repairMeta(context);
  repairKeys(context);
  repairNames(context.tables, folder);
  const known = repairCatalogue(context, nowMs);
  if (known !== null) repairFrames(context, folder, known);
  repairDocuments(context);
  repairStates(context);
  const catalogue = new Catalogue();
  loadCatalogue(context.tables, catalogue);
  repairValues(context, catalogue);
}
function repairMeta({ tables, quarantine, tell }) {
  for (const { key, value } of Array.from(tables.meta.getRange({}))) {
    try {
      checkMeta(key, value);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      quarantine.keepValue("meta", key, value);
      tables.meta.removeSync(key);
      tell(`meta, ${key.toString("utf8")}: set aside`);
    }
  }
}
function repairDocuments({ tables, quarantine, tell }) {
  for (const { key, value } of Array.from(tables.documents.getRange({}))) {
    try {
      openRecord(key, value);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      quarantine.keepValue("documents", key, value);
      tables.documents.removeSync(key);
      tell(`a document of kind ${key.toString("utf8").split("\0")[0]}: set aside`);
    }
  }
}
function repairStates({ tables, quarantine, tell }) {
  for (const { key, value } of Array.from(tables.states.getRange({}))) {
    try {
      openRecord(key, value);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      quarantine.keepValue("states", key, value);
      tables.states.removeSync(key);
      tell(`a state of kind ${key.toString("utf8").split("\0")[0]}: set aside`);
    }
  }
}
function hasGoodPages(folder) {
  try {
    return withFile(folder, (file) => {
      const walk = walkAll(file, file.meta(), () => {
      });
      walk.checkFree();
      return walk.problems.length === 0;
    });
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return false;
  }
}
function walkAll(file, meta, visit) {
  const walk = new PageWalk(file, meta, { largeValuesMax: Infinity, visitsStrays: true });
  const trees = walk.trees();
  for (const [name, head3] of trees) {
    const table = tableOf(name, trees);
    if (table !== name) walk.problems.push(`table "${name}" is ${table ?? "none of ours"}`);
    if (table === null) continue;
    walk.walk(name, head3, (entry) => visit(table, entry));
  }
  return walk;
}
function tableOf(name, trees) {
  const isNearly = (other) => other.length === name.length && !trees.has(other) && Array.from(other).filter((letter, i) => letter !== name[i]).length === 1;
  return tableNames.find((each) => each === name) ?? tableNames.find(isNearly) ?? null;
}
async function rebuildFile(folder, quarantine, tell) {
  const fresh = join10(folder, "rebuild");
  rmSync3(fresh, { recursive: true, force: true });
  const tables = openTables(fresh);
  try {
    const problems = withFile(folder, (file) => copyEntries(file, tables));
    for (const problem of problems) tell(problem);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    throw new ServiceError("storage", `Nothing can be read of "${folder}": ${error.message}`);
  } finally {
    await tables.root.close();
  }
  quarantine.takeFiles([dataFile, lockFile]);
  moveFiles([dataFile], fresh, folder);
  rmSync3(fresh, { recursive: true });
  tell(`${dataFile}: written anew, the old one set aside`);
}
function copyEntries(file, tables) {
  let writes = [];
  let bytes = 0;
  const commit = () => {
    tables.root.transactionSync(() => {
      for (const { table, key, value } of writes) tables[table].put(key, value);
    });
    writes = [];
    bytes = 0;
  };
  const { problems } = walkAll(file, file.bestMeta(), (table, entry) => {
    const value = entry.value();
    if (table === "meta" && entry.key.equals(versionKey)) refuseNewer(value);
    const home = trueKey(table, entry.key, value) ?? null;
    if (home === null && !entry.isInOrder) return;
    writes.push({ table, key: home ?? entry.key, value });
    bytes += value.length;
    if (bytes >= commitBytes) commit();
  });
  commit();
  return problems;
}
function withFile(folder, work) {
  const file = new PageFile(join10(folder, dataFile));
  try {
    return work(file);
  } finally {
    file.close();
  }
}

// src/store/lmdb/restore.ts
import { copyFileSync, existsSync as existsSync5, mkdirSync as mkdirSync4, rmSync as rmSync4, statSync as statSync5 } from "node:fs";
import { join as join11 } from "node:path";
function restoreLmdb(backup, folder) {
  checkBackup(backup);
  mkdirSync4(folder, { recursive: true, mode: 448 });
  if (existsSync5(join11(folder, dataFile)) || journalFiles(folder).length > 0) {
    throw refused(`"${folder}" has a store already: move it away first`);
  }
  const path = join11(folder, dataFile);
  try {
    copyFileSync(join11(backup, dataFile), path);
    syncPath(path);
    syncPath(folder);
    if (fileChecksum(path) !== readManifest(backup)?.checksum) throw refused("the copy differs");
  } catch (error) {
    rmSync4(path, { force: true });
    throw error;
  }
  markStopped(folder);
  return { bytes: statSync5(path).size };
}
function checkBackup(backup) {
  const manifest = readManifest(backup);
  const path = join11(backup, dataFile);
  if (manifest === void 0 || !existsSync5(path)) {
    throw refused(`"${backup}" is no backup, or was not finished: "${manifestFile}" is missing`);
  }
  if (manifest.formatVersion > formatVersion) {
    throw refused(`the backup is of format ${manifest.formatVersion}, later than ${formatVersion}`);
  }
  const { size } = statSync5(path);
  if (size !== manifest.bytes) throw refused(`"${path}" has ${size} of ${manifest.bytes} bytes`);
  if (fileChecksum(path) !== manifest.checksum) throw refused(`"${path}" is damaged: its checksum`);
  const [problem] = probeLmdb(backup);
  if (problem !== void 0) throw refused(`"${path}" is damaged: ${problem}`);
}
function refused(problem) {
  return new ServiceError("storage", `Not restored: ${problem}`);
}

// src/store/lmdb/write-store.ts
import { mkdirSync as mkdirSync5, statSync as statSync6 } from "node:fs";
import { dirname as dirname2, join as join12 } from "node:path";

// src/store/lmdb/clock-trust.ts
var jumpMsMax = 7 * dayMs;
var steadyMs = dayMs;
var driftMsMax = hourMs;
var ClockTrust = class {
  /** Where the clock stood when it was first found too far on. */
  jump = null;
  /** `lastMs` is the clock at retention's last look; undefined before the first of a store. */
  judge(look, lastMs) {
    if (lastMs === void 0) return "first";
    if (look.nowMs - lastMs <= jumpMsMax) {
      this.jump = null;
      return "believed";
    }
    const { jump } = this;
    if (jump === null || driftMs(jump, look) > driftMsMax) {
      this.jump = look;
      return "jumped";
    }
    return look.elapsedMs - jump.elapsedMs >= steadyMs ? "believed" : "waiting";
  }
};
function driftMs(from2, to) {
  return Math.abs(to.nowMs - from2.nowMs - (to.elapsedMs - from2.elapsedMs));
}

// src/store/lmdb/crowds.ts
var countedMax = 65536;
var crowdedMax = 1024;
var blocksMax = 2 ** 24;
var limitsDefault = {
  blockSamples: crowdedBlockSamples,
  seriesSamples: crowdedSeriesSamples
};
var Crowds = class {
  limits;
  /** Folded samples by window and block. */
  folded = /* @__PURE__ */ new Map();
  /** Of a crowded window and block: by cycle, what each slot brought since. */
  crowded = /* @__PURE__ */ new Map();
  constructor(limits = limitsDefault) {
    this.limits = limits;
  }
  /** So many samples of this cycle were folded; true where the block became crowded by them. */
  noteFolded(cycle, block, samples) {
    const key = keyOf(cycle, block);
    const total = (this.folded.get(key) ?? 0) + samples;
    this.folded.set(key, total);
    forgetOldest(this.folded, countedMax);
    if (total < this.limits.blockSamples || this.crowded.has(key)) return false;
    this.crowded.set(key, /* @__PURE__ */ new Map());
    forgetOldest(this.crowded, crowdedMax);
    return true;
  }
  /**
   * Counts the samples from `from` on, which begin a request; or gives the first one that is too
   * many, and counts none.
   */
  admit(columns, from2, places3) {
    if (this.crowded.size === 0) return null;
    const refused2 = this.count({ columns, places: places3, from: from2, to: columns.count }, 1);
    if (refused2 === null) return null;
    this.count({ columns, places: places3, from: from2, to: refused2.at }, -1);
    const { seriesSamples: samplesMax } = this.limits;
    return { series: columns.series[refused2.at], cycle: refused2.cycle, samplesMax };
  }
  /** Adds to the counts, or takes back; stops at a sample that is too many, and gives it. */
  count(what, by) {
    const { columns, places: places3, from: from2, to } = what;
    const { series, runStart, runCount, runTimeMs } = columns;
    for (let run2 = firstRun(columns, from2), at = from2; at < to; run2++) {
      const cycle = Math.floor(runTimeMs[run2] / cycleMs);
      const end = run2 + 1 < runCount ? runStart[run2 + 1] : columns.count;
      for (; at < Math.min(end, to); at++) {
        if (series[at] < 0) continue;
        const place = places3[series[at]];
        const counts3 = this.countsOf(cycle, place >>> 8);
        if (counts3 === null) continue;
        if (by > 0 && counts3[place & 255] >= this.limits.seriesSamples) return { at, cycle };
        counts3[place & 255] += by;
      }
    }
    return null;
  }
  /** What the slots of a crowded block brought of a cycle; null where it is not crowded. */
  countsOf(cycle, block) {
    const cycles = this.crowded.get(keyOf(cycle, block));
    if (cycles === void 0) return null;
    let counts3 = cycles.get(cycle);
    if (counts3 === void 0) cycles.set(cycle, counts3 = new Int32Array(seriesPerBlock));
    return counts3;
  }
};
function keyOf(cycle, block) {
  return Math.floor(cycle / cyclesPerWindow) * blocksMax + block;
}
function firstRun({ runStart, runCount }, from2) {
  let run2 = runCount;
  while (run2 > 0 && runStart[run2 - 1] >= from2) run2--;
  return run2;
}
function forgetOldest(counted, sizeMax) {
  if (counted.size <= sizeMax) return;
  for (const key of counted.keys()) {
    counted.delete(key);
    return;
  }
}

// src/store/lmdb/close-part.ts
var cells = slotCells();
var bands = new Float32Array(cycleBandsLength);
function checkPart(catalogue, part) {
  const { fills, computed, definitions, bands: said } = part;
  assert(Number.isSafeInteger(part.cycle) && part.cycle >= 0, `Expected a cycle: ${part.cycle}`);
  const sameLength = fills.series.length === fills.actuals.length && computed.elements.length === computed.fqns.length && computed.elements.length === computed.actuals.length && definitions.series.length === definitions.codes.length && said.series.length * bandWidth === said.values.length;
  assert(sameLength, "Expected columns of equal length");
  const isSeries = (series) => series >= 0 && series < catalogue.seriesCount;
  for (const { series } of [fills, definitions, said]) {
    assert(series.every(isSeries), "Expected series of the catalogue");
  }
  const { elementCount } = catalogue;
  assert(
    computed.elements.every((one) => one >= 0 && one < elementCount),
    "Expected elements of the catalogue"
  );
  for (const { actuals } of [fills, computed]) {
    assert(actuals.every(Number.isFinite), "Expected finite actuals");
  }
}
function computedSeries(catalogue, computed) {
  const { elements, fqns, definitions } = computed;
  return elements.map((element, i) => {
    const name = catalogue.findName(catalogue.elementTenant(element), fqns[i]);
    const known = name < 0 ? -1 : catalogue.findSeries(element, name);
    return known >= 0 ? known : catalogue.upsertSeries(element, fqns[i], definitions?.[i]);
  });
}
function putPart(context, part, computed) {
  const { tables, writes } = context;
  context.sealed.forget();
  const touched = /* @__PURE__ */ new Set();
  putCells(context, part, computed, touched);
  putBands(context, part, touched);
  for (const change of part.states) putState(tables, writes, change);
  markClosed(tables, writes, part);
  const day = Math.floor(part.cycle / cyclesPerDay);
  const elapsedMs = context.elapsedMs();
  for (const block of touched) context.openDays.touch(day, block, { tables, writes, elapsedMs });
}
function putCells(context, part, computed, touched) {
  const { tables, writes } = context;
  for (const [block, changes] of changesByBlock(context.catalogue, part, computed)) {
    const editor = new CellEditor(context, part.cycle, block);
    for (const i of changes.fills) {
      editor.fill(part.fills.series[i], part.fills.actuals[i], flagSparse);
    }
    for (const i of changes.computed) {
      editor.fill(computed[i], part.computed.actuals[i], flagComputed);
    }
    for (const i of changes.definitions) {
      editor.redefine(part.definitions.series[i], part.definitions.codes[i]);
    }
    if (!editor.hasChanged) continue;
    const key = periodKey(part.cycle, block);
    writes.put(tables.recentCells, key, packRecentCells(key, cells));
    touched.add(block);
  }
}
function changesByBlock(catalogue, part, computed) {
  const byBlock = /* @__PURE__ */ new Map();
  const add = (series, kind) => {
    for (const [block, places3] of placesByBlock2(catalogue, series)) {
      const none = { fills: [], computed: [], definitions: [] };
      byBlock.set(block, { ...byBlock.get(block) ?? none, [kind]: places3 });
    }
  };
  add(part.fills.series, "fills");
  add(computed, "computed");
  add(part.definitions.series, "definitions");
  return byBlock;
}
var CellEditor = class {
  hasChanged = false;
  context;
  cycle;
  block;
  isSealed;
  /** The slot whose sealed cell stands in `cells`, or -1. */
  borrowed = -1;
  constructor(context, cycle, block) {
    this.context = context;
    this.cycle = cycle;
    this.block = block;
    this.isSealed = isSealed(context.tables, Math.floor(cycle / cyclesPerDay), block);
    readRecentCells(context.tables, cycle, block, cells);
  }
  fill(series, actual, flag) {
    const slot = this.take(series);
    if (cells.count[slot] > 0) return this.giveBack(slot);
    if (!isPresent(cells, slot)) cells.definition[slot] = this.context.codes.ofSeries(series);
    fillSparse(cells, slot, actual, flag);
    this.hasChanged = true;
  }
  redefine(series, code) {
    const slot = this.take(series);
    if (!isPresent(cells, slot) || cells.definition[slot] === code) return this.giveBack(slot);
    redefineCell(cells, slot, code);
    this.hasChanged = true;
  }
  /** The slot of a series, its cell in `cells`: the recent one, or else the sealed one. */
  take(series) {
    const slot = this.context.catalogue.seriesSlot(series);
    this.borrowed = -1;
    if (!this.isSealed || isPresent(cells, slot)) return slot;
    this.context.sealed.cells.readWhole(this.cycle, this.block, slot, cells);
    this.borrowed = slot;
    return slot;
  }
  /** The slot was not changed: what was taken from the sealed cells stays there. */
  giveBack(slot) {
    if (this.borrowed === slot) clearCells(cells, slot, slot + 1);
  }
};
function putBands(context, part, touched) {
  const { catalogue, tables, writes } = context;
  const { series, values } = part.bands;
  for (const [block, places3] of placesByBlock2(catalogue, series)) {
    readRecentBands(tables, part.cycle, block, bands);
    for (const place of places3) {
      const to = catalogue.seriesSlot(series[place]) * bandWidth;
      for (let i = 0; i < bandWidth; i++) {
        const value = values[place * bandWidth + i];
        bands[to + i] = Number.isFinite(value) ? value + 0 : NaN;
      }
    }
    const key = periodKey(part.cycle, block);
    writes.put(tables.recentBands, key, packRecentBands(key, bands));
    touched.add(block);
  }
}
function placesByBlock2(catalogue, series) {
  const byBlock = /* @__PURE__ */ new Map();
  for (let place = 0; place < series.length; place++) {
    const block = catalogue.seriesBlock(series[place]);
    const places3 = byBlock.get(block);
    if (places3 === void 0) byBlock.set(block, [place]);
    else places3.push(place);
  }
  return byBlock;
}

// src/store/lmdb/fold-due.ts
var foldSamplesMax = 2e6;
var foldFramesMax = 65536;
var foldPauseMs = 1e4;
var FoldDue = class {
  /** Elapsed time when the newest fold began. */
  lastMs = -Infinity;
  memtable;
  cycleGraceMs;
  /** What is to be folded at once: samples before `upToMs`, in frames before `sequence`. */
  goal = { upToMs: -Infinity, sequence: 0 };
  constructor(memtable, cycleGraceMs) {
    this.memtable = memtable;
    this.cycleGraceMs = cycleGraceMs;
  }
  isDue(moment, elapsedMs) {
    const { active, activeSamples, activeOldestMs } = this.memtable;
    if (activeSamples >= foldSamplesMax || active.length >= foldFramesMax) return true;
    if (this.isGoalActive()) return true;
    const cycleEndMs = Math.floor(activeOldestMs / cycleMs) * cycleMs + cycleMs;
    if (cycleEndMs + this.cycleGraceMs > moment.nowMs) return false;
    return moment.idle || elapsedMs - this.lastMs >= foldPauseMs;
  }
  /** `nextSequence`: that of the first frame that comes later. True where the goal is a new one. */
  noteGoal(upToMs = -Infinity, nextSequence) {
    if (upToMs === this.goal.upToMs) return false;
    this.goal = { upToMs, sequence: nextSequence };
    return upToMs > -Infinity;
  }
  /** True where any sample that the goal names may not be in a bucket yet. */
  isGoalOpen() {
    const { frozen } = this.memtable;
    return this.isGoalActive() || frozen.length > 0 && frozen[0].sequence < this.goal.sequence;
  }
  /** True where frames that the goal names wait for a fold. */
  isGoalActive() {
    const { active, activeOldestMs } = this.memtable;
    const { upToMs, sequence } = this.goal;
    return activeOldestMs < upToMs && active[0].sequence < sequence;
  }
};

// src/store/lmdb/job-failures.ts
var JobFailures = class {
  byJob = /* @__PURE__ */ new Map();
  /** Counts a failure of `job`. */
  noteFailure(job, error) {
    const failures = (this.byJob.get(job)?.failures ?? 0) + 1;
    const reason = error instanceof Error ? error.message : String(error);
    this.byJob.set(job, { job, failures, reason });
  }
  /** Forgets the failures of `job`, which has run to its end. */
  noteSuccess(job) {
    this.byJob.delete(job);
  }
  /** The job with the most failures in a row, or null if each job ended well the last time. */
  get worst() {
    const jobs = [...this.byJob.values()].sort((left, right) => right.failures - left.failures);
    return jobs[0] ?? null;
  }
};

// src/store/lmdb/recovery.ts
function recover(parts) {
  const { tables, journal, publishing } = parts;
  const folded = readFolded(tables);
  const published = readPublished(tables);
  const { records, cuts } = journal.recover(folded);
  for (const cut of cuts) parts.warn({ ...cut }, "damaged journal record was cut");
  const inbox = recoverInbox(tables, parts.warn);
  const inInbox = new Set(inbox.map(({ sequence }) => sequence));
  const left = records.filter(({ sequence }) => !inInbox.has(sequence));
  const hurt = recoverNames(parts, left, published);
  const held = heldOf(left, inbox);
  const frames = held.map((one) => ({ ...one, frame: knownPart(parts, one, hurt) }));
  const numbers = [...inInbox].reduce((most, each) => Math.max(most, each), 0);
  const greatestSequence = Math.max(folded, published, journal.greatestSequence, numbers);
  const isDamaged = cuts.length > 0 || hurt.size > 0;
  const kept2 = isDamaged ? frames.map((one) => ({ ...one, isInInbox: true })) : frames;
  if (isDamaged || publishing.isPending) settle3(parts, isDamaged ? kept2 : null, greatestSequence);
  const damagedInbox = inbox.filter(({ frame }) => frame === null).length;
  return {
    frames: kept2,
    greatestSequence,
    cutFrames: cuts.length + damagedInbox + hurt.size
  };
}
function recoverNames({ publishing, warn, elapsedMs }, records, published) {
  const refused2 = /* @__PURE__ */ new Set();
  for (const { sequence, names } of records) {
    if (names === null || sequence <= published) continue;
    if (publishing.recover(decodeNames(sequence, names), elapsedMs())) continue;
    refused2.add(sequence);
    warn({ sequence }, "names in the journal were left out: those before them are damaged");
  }
  return refused2;
}
function heldOf(records, inbox) {
  const held = records.map(({ sequence, frame }) => {
    return { sequence, frame, isInInbox: false };
  });
  for (const { sequence, frame } of inbox) {
    if (frame !== null) held.push({ sequence, frame, isInInbox: true });
  }
  return held.sort((left, right) => left.sequence - right.sequence);
}
function knownPart({ catalogue, warn }, { sequence, frame }, hurt) {
  const { seriesCount } = catalogue;
  const known = keepKnown(frame, sequence, (series) => series < seriesCount);
  if (known === frame) return frame;
  hurt.add(sequence);
  const samples = frame.count - known.count;
  warn({ sequence, samples }, "samples whose names were damaged were left out");
  return known;
}
function settle3({ folder, tables, publishing, journal, point }, moved, sequence) {
  point("recovery.commit");
  tables.root.transactionSync(() => {
    publishing.put(sequence);
    for (const { sequence: number2, frame } of moved ?? []) {
      tables.inbox.put(sequenceKey(number2), frame.bytes);
    }
  });
  publishing.notePublished();
  point("recovery.committed");
  if (moved === null) return;
  journal.removeRecovered();
  syncPath(folder);
}

// src/store/lmdb/rest.ts
var journalRestMs = 9e4;
var scratchRestMs = 9e4;
var Rest = class {
  context;
  lastShrinkMs = -Infinity;
  constructor(context) {
    this.context = context;
  }
  /** Gives back what only work needs. `lastFoldMs`: elapsed time when the newest fold began. */
  take({ nowMs, idle }, lastFoldMs) {
    const elapsedMs = this.context.elapsedMs();
    if (elapsedMs - lastFoldMs >= journalRestMs) this.trimJournal(nowMs);
    if (idle) this.context.groups.clear();
    if (elapsedMs - this.lastShrinkMs >= scratchRestMs) this.shrink(elapsedMs);
  }
  /** Else a burst would leave 72 MiB for good, as much as 20 million sealed samples take. */
  trimJournal(nowMs) {
    const { journal } = this.context;
    if (journal.hasSpare && !journal.isHeld(nowMs)) journal.removeSpare();
  }
  shrink(elapsedMs) {
    const { merger, windows, sealed } = this.context;
    this.lastShrinkMs = elapsedMs;
    for (const scratch6 of [merger, windows, sealed]) scratch6.shrink();
  }
};

// src/store/lmdb/write-store.ts
var retentionPauseMs = 36e5;
var LmdbWriteStore = class {
  catalogue = new Catalogue();
  isBroken = false;
  options;
  tables;
  journal;
  publishing;
  memtable = new Memtable();
  foldDue;
  openDays = new OpenDays();
  codes = new DefinitionCodes(() => this.catalogue);
  writes;
  /** Told each moment before and after something is made durable (`StoreTrial`). */
  point;
  failures = new JobFailures();
  /** The job that runs or ran last; `publish` while names are published. */
  activity = "";
  counters = { folded: 0, sealed: 0, dropped: 0 };
  context;
  rest;
  nextSequence = 1;
  cutFrames = 0;
  job = null;
  jobName = "";
  lastRetentionMs = -Infinity;
  closed = false;
  constructor(options) {
    this.options = options;
    const { onPoint = () => {
    }, commitBytes: commitBytes2, segmentBytes, crowds } = options.trial ?? {};
    this.point = onPoint;
    this.writes = new WriteBuffer(commitBytes2);
    this.foldDue = new FoldDue(this.memtable, options.cycleGraceMs);
    onPoint("bootstrap.open");
    claimFolder(options.folder);
    this.tables = openTables(options.folder);
    syncPath(options.folder);
    syncPath(dirname2(options.folder));
    onPoint("bootstrap.opened");
    this.journal = new Journal(options.folder, segmentBytes);
    this.publishing = new Publishing(this.tables, this.catalogue);
    whileOpening(this.tables, () => {
      settleFormat(this.tables, migrations, formatVersion, onPoint);
      loadCatalogue(this.tables, this.catalogue);
      this.openDays.load(this.tables);
      this.recover();
    });
    const { tables, catalogue, memtable, journal, openDays, writes, counters } = this;
    const { retentionMs, cycleGraceMs, elapsedMs, warn } = options;
    const sealed = new SealedWindows(tables);
    const merger = new CycleMerger(tables, sealed, this.codes);
    const windows = new WindowMerger(tables, sealed);
    this.context = {
      sealed,
      merger,
      windows,
      counterPast: new CounterPast(tables),
      cycleGraceMs,
      tables,
      catalogue,
      codes: this.codes,
      crowds: new Crowds(crowds),
      memtable,
      journal,
      groups: new GroupScratch(),
      openDays,
      writes,
      counters,
      sealing: { day: -1 },
      retentionMs,
      elapsedMs,
      warn,
      clockTrust: new ClockTrust()
    };
    this.rest = new Rest(this.context);
    this.releaseSnapshot();
  }
  get openSampleCount() {
    return this.memtable.sampleCount;
  }
  get openBytes() {
    return this.memtable.bytes;
  }
  append(batch) {
    const sequence = this.nextSequence++;
    const { publishing, journal } = this;
    const frame = columnsToFrame(batch.columns, sequence);
    const names = this.catalogue.hasChanges() ? publishing.section(sequence) : void 0;
    const bytes = frame.bytes.length + (names?.length ?? 0);
    const isInInbox = names !== void 0 && publishing.isFull || !journal.fits(bytes);
    this.guarded(() => {
      this.point("append.commit");
      if (isInInbox) this.appendToInbox(sequence, frame);
      else this.journal.append(sequence, frame.bytes, names);
      this.point("append.committed");
      if (names !== void 0 && !isInInbox) publishing.noteDurable(this.options.elapsedMs());
    });
    this.memtable.add({ sequence, frame, isInInbox });
  }
  /** Samples with all names that are not published, in one transaction. */
  appendToInbox(sequence, frame) {
    this.tables.root.transactionSync(() => {
      this.publishing.put(sequence);
      this.tables.inbox.put(sequenceKey(sequence), frame.bytes);
    });
    this.publishing.notePublished();
  }
  crowd(columns, from2) {
    return this.context.crowds.admit(columns, from2, this.catalogue.seriesPlaceColumn);
  }
  get isUnpublished() {
    return this.publishing.isPending;
  }
  publish() {
    if (this.isUnpublished) this.guarded(() => this.publishNames());
    this.releaseSnapshot();
  }
  publishNames() {
    this.point("publish.commit");
    this.tables.root.transactionSync(() => this.publishing.put(this.nextSequence - 1));
    this.publishing.notePublished();
    this.point("publish.committed");
    this.failures.noteSuccess("publish");
  }
  maintain(moment) {
    const deadlineMs = this.options.elapsedMs() + moment.budgetMs;
    Object.assign(this.counters, { folded: 0, sealed: 0, dropped: 0 });
    this.writes.expectPosts(!moment.idle);
    const isAsked = this.foldDue.noteGoal(moment.foldUpToMs, this.nextSequence);
    this.countingFailures(() => this.work(moment, isAsked, deadlineMs));
    const moreDue = this.job !== null || this.isFoldDue(moment) || this.isSealDue(moment);
    this.releaseSnapshot();
    const { isUnpublished, openSampleCount: openSamples } = this;
    const isFolded = !this.foldDue.isGoalOpen();
    return { moreDue, isFolded, isUnpublished, openSamples, ...this.counters };
  }
  work(moment, isAsked, deadlineMs) {
    const { elapsedMs } = this.options;
    this.activity = "publish";
    if (this.publishing.isDue(elapsedMs(), moment.idle || isAsked)) this.publishNames();
    do {
      this.job ??= this.nextJob(moment);
      if (this.job === null) break;
      this.activity = this.jobName;
      this.stepJob(this.job);
    } while (elapsedMs() < deadlineMs);
    if (this.job === null) this.rest.take(moment, this.foldDue.lastMs);
  }
  /** Runs background work; a job that fails begins again at the next step, and is counted. */
  countingFailures(work) {
    try {
      this.guarded(work);
    } catch (error) {
      this.failures.noteFailure(this.activity, error);
      throw error;
    }
  }
  stepJob(job) {
    const isDone = job.next().done === true;
    if (isDone) this.job = null;
    if (isDone || this.writes.isFull) this.commitJob();
    if (isDone) this.failures.noteSuccess(this.jobName);
  }
  closePart(part) {
    checkPart(this.catalogue, part);
    const isNew = !isClosed(this.tables, part.cycle, part.part);
    if (isNew) this.guarded(() => this.storePart(part));
    this.releaseSnapshot();
    return isNew;
  }
  storePart(part) {
    const { tables, catalogue, writes, context } = this;
    const day = Math.floor(part.cycle * cycleMs / dayMs);
    while (this.job !== null && context.sealing.day === day) this.stepJob(this.job);
    if (!writes.isEmpty) this.commitJob();
    collectDocuments(tables, part.documents, writes);
    putPart(context, part, computedSeries(catalogue, part.computed));
    const hasNames = catalogue.hasChanges() || this.isUnpublished;
    this.point("closing.commit");
    writes.commit(tables, () => {
      if (hasNames) this.publishing.put(this.nextSequence - 1);
    });
    if (hasNames) this.publishing.notePublished();
    this.point("closing.committed");
  }
  commitJob() {
    this.point(`${this.jobName}.commit`);
    this.writes.commit(this.tables);
    this.point(`${this.jobName}.committed`);
  }
  openSamples(series, span, onlyFirst = false) {
    const isCounter = (one) => this.codes.isCounter(one);
    const { seriesCount } = this.catalogue;
    return this.memtable.select(series, span, seriesCount, { onlyFirst, isCounter });
  }
  putDocuments(changes) {
    this.guarded(() => {
      this.point("documents.commit");
      putDocuments(this.tables, changes);
      this.point("documents.committed");
    });
  }
  getDocument(kind, id) {
    const document = getDocument(this.tables, kind, id);
    this.releaseSnapshot();
    return document;
  }
  listDocuments(kind, range4 = {}) {
    const documents = listDocuments(this.tables, kind, range4);
    this.releaseSnapshot();
    return documents;
  }
  countDocuments(prefix) {
    const count = countDocuments(this.tables, prefix);
    this.releaseSnapshot();
    return count;
  }
  figures() {
    return {
      seriesCount: this.catalogue.seriesCount,
      elementCount: this.catalogue.elementCount,
      openSamples: this.openSampleCount,
      inboxBytes: this.memtable.bytes,
      failingJob: this.failures.worst,
      cutFrames: this.cutFrames,
      // Blocks that the file occupies, since it is sparse; 512 bytes each (stat(2)).
      storeBytes: statSync6(join12(this.options.folder, "data.mdb")).blocks * 512
    };
  }
  async close() {
    if (this.closed) return;
    this.closed = true;
    this.publishAtEnd();
    this.journal.close();
    await this.tables.root.close();
    if (!this.isBroken) markStopped(this.options.folder);
  }
  /** What cannot be published now is in the journal, and the next start does it. */
  publishAtEnd() {
    if (this.isBroken) return;
    try {
      this.publish();
    } catch (error) {
      this.options.warn({ err: error }, "new names could not be published at the end");
    }
  }
  /** Lets the pages be used again that were freed since the last read; see read-store.ts. */
  releaseSnapshot() {
    this.tables.root.resetReadTxn();
  }
  nextJob(moment) {
    const elapsedMs = this.options.elapsedMs();
    if (this.isFoldDue(moment)) {
      if (this.isUnpublished) this.publishNames();
      this.foldDue.lastMs = elapsedMs;
      this.jobName = "fold";
      return foldJob(this.context, moment.nowMs, sealClockMs(moment));
    }
    const seal = this.nextToSeal(moment);
    this.context.sealing.day = -1;
    if (seal !== null) {
      this.jobName = isSealed(this.tables, seal.day, seal.block) ? "compaction" : "seal";
      return sealJob(this.context, seal);
    }
    if (elapsedMs - this.lastRetentionMs >= retentionPauseMs) {
      this.lastRetentionMs = elapsedMs;
      this.jobName = "retention";
      return retentionJob(this.context, moment.nowMs);
    }
    return null;
  }
  isFoldDue(moment) {
    return this.foldDue.isDue(moment, this.options.elapsedMs());
  }
  isSealDue(moment) {
    return this.nextToSeal(moment) !== null;
  }
  nextToSeal(moment) {
    const elapsedMs = this.options.elapsedMs();
    return this.openDays.nextToSeal(
      { nowMs: sealClockMs(moment), elapsedMs },
      (day, block) => isSealed(this.tables, day, block)
    );
  }
  /**
   * Takes back what was acknowledged and not folded, in order. A frame that is damaged is skipped
   * and told: each frame is a value of its own, so those after it are as good as those before it.
   */
  recover() {
    const { tables, catalogue, publishing, journal, point } = this;
    const { folder, warn, elapsedMs } = this.options;
    publishing.begin();
    const parts = { folder, tables, catalogue, publishing, journal, warn, point, elapsedMs };
    const { frames, greatestSequence, cutFrames } = recover(parts);
    this.cutFrames = cutFrames;
    this.nextSequence = greatestSequence + 1;
    for (const one of frames) this.memtable.add(one);
  }
  /**
   * Runs work on the store; what LMDB throws becomes `storage`, and a running job begins anew
   * later.
   */
  guarded(work) {
    if (this.isBroken) throw new ServiceError("storage", "The store refused to write before");
    try {
      work();
    } catch (cause) {
      this.writes.clear();
      if (this.job !== null || this.memtable.frozen.length > 0) {
        this.job = null;
        this.memtable.thaw();
        this.openDays.load(this.tables);
      }
      if (!isDiskError(cause)) throw damageToService(cause);
      this.isBroken = true;
      throw new ServiceError("storage", `The store refused to write: ${String(cause)}`, { cause });
    }
  }
};
function claimFolder(folder) {
  mkdirSync5(folder, { recursive: true, mode: 448 });
  refuseOtherWriter(folder);
  markRunning(folder, process.pid);
}

// src/store/open.ts
function openWriteStore(options) {
  return new LmdbWriteStore(options);
}
function openReadStore(options) {
  return new LmdbReadStore(options);
}
function readAheadStore(folder, bytesMax) {
  return readAheadLmdb(folder, bytesMax);
}
function openSeriesReader({ folder }) {
  return new LmdbReadStore({ folder, withCatalogue: false });
}
function probeStore(folder) {
  refuseOtherWriter(folder);
  return probeLmdb(folder);
}
function repairStore(folder, nowMs) {
  closeToOthers(folder);
  return repairLmdb(folder, nowMs);
}
function backupStore(folder, backup, nowMs) {
  closeToOthers(folder);
  return backupLmdb(folder, backup, nowMs);
}
function restoreStore(backup, folder) {
  const report = restoreLmdb(backup, folder);
  for (const place of [backup, folder]) closeToOthers(place);
  return report;
}
function mustBeProbed(folder) {
  if (!existsSync6(join13(folder, dataFile)) || otherWriterOf(folder) !== null) return false;
  return !wasLeftInOrder(folder);
}
function verifyStore(folder) {
  return verifyLmdb(folder);
}

export {
  StatisticsScratch,
  statisticsOf,
  stddevOf,
  averageBetween,
  sampleFields,
  fieldVal,
  fieldMin,
  fieldMax,
  fieldAvg,
  fieldCnt,
  fieldSum,
  fieldCount,
  SampleColumns,
  sampleMean,
  Contributions,
  mergedCellsMax,
  mergeCells,
  statisticsOfObservations,
  infoBytes,
  definitionBytes,
  newInfo,
  mergeInfo,
  mergeDefinition,
  mergeByName,
  checksum,
  closeToOthers,
  openWriteStore,
  openReadStore,
  readAheadStore,
  openSeriesReader,
  probeStore,
  repairStore,
  backupStore,
  restoreStore,
  mustBeProbed,
  verifyStore
};
//# sourceMappingURL=chunk-TAVG4KYY.js.map
