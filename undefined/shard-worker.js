import {
  PatternIndex,
  Scopes,
  inOrder
} from "./chunk-4ZY3CXHJ.js";
import {
  IngestReader,
  charsetShift,
  charsets,
  createPinoLogger,
  flagInjectTimestamp,
  flagTellsLeftOut,
  requestFlags,
  requestInts,
  requestLength,
  requestOffset,
  requestTenant
} from "./chunk-EQ2NR6YH.js";
import {
  poolWorkerData,
  tidied,
  toOutcome,
  turnOfLoop
} from "./chunk-22IKJ6ZY.js";
import "./chunk-5QVC5N6S.js";
import {
  readingSteps
} from "./chunk-YLYUBZG2.js";
import {
  configurationKind,
  configurationKindPrefix,
  tenantKind
} from "./chunk-PZOPM4PF.js";
import {
  SampleColumns,
  checksum,
  definitionBytes,
  infoBytes,
  mergeByName,
  openWriteStore,
  probeStore
} from "./chunk-TAVG4KYY.js";
import "./chunk-SLADJPH6.js";
import "./chunk-FTDLCQXU.js";
import {
  atOnce
} from "./chunk-KPUJ7UZQ.js";
import "./chunk-QNSZFSTN.js";
import {
  ServiceError,
  invalid
} from "./chunk-BZJGDYVY.js";
import "./chunk-WSUH7ILY.js";
import {
  pushAll
} from "./chunk-BLE2ZYMV.js";
import {
  diskFloorShareDivisor,
  entityTextBytesMax,
  openBytesMax,
  tagsPerEntityMax
} from "./chunk-5L33DSE6.js";
import {
  assert,
  unreachable
} from "./chunk-YBJXGIGP.js";

// src/shard-worker.ts
import { getHeapStatistics } from "node:v8";

// src/engine/disk.ts
import { closeSync, fsyncSync, openSync, statfsSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
var trialBytes = 1024 * 1024;
function diskOf(folder) {
  return {
    freeBytes() {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    takesWrites: () => takesWrites(join(folder, "trial"))
  };
}
function floorOf(folder, askedBytes) {
  const { blocks, bsize } = statfsSync(folder);
  return Math.min(askedBytes, blocks * bsize / diskFloorShareDivisor);
}
function takesWrites(path) {
  try {
    const file = openSync(path, "w", 384);
    try {
      const bytes = Buffer.alloc(trialBytes, 1);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
      unlinkSync(path);
    }
    return true;
  } catch {
    return false;
  }
}

// src/catalogue/amend.ts
function amend(catalogue, amendment, textBytesMax = Infinity) {
  const element = catalogue.findElement(amendment.tenant, amendment.element);
  if (element < 0 || catalogue.isDeleted(element)) {
    throw new ServiceError("missing", `Cannot find element "${amendment.element}"`);
  }
  if (amendment.kind === "tags" && amendment.metric !== null) {
    return amendMetric(catalogue, { element, fqn: amendment.metric, amendment, textBytesMax });
  }
  const before = catalogue.elementInfo(element);
  const { serviceTags, ...rest } = before;
  const after = amendment.kind === "removeElement" ? { ...before, ...forgotten, deletedMs: amendment.nowMs } : { ...rest, ...amendedTags(serviceTags, amendment) };
  const fqn = amendment.element;
  const bytes = infoBytes(fqn, after);
  checkText(catalogue, amendment.tenant, {
    bytes,
    growth: bytes - infoBytes(fqn, before),
    textBytesMax
  });
  catalogue.amendElement(element, after);
  return { element, undo: () => catalogue.amendElement(element, before) };
}
function amendMetric(catalogue, what) {
  const { element, fqn, amendment, textBytesMax } = what;
  const name = catalogue.findName(amendment.tenant, fqn);
  const series = name < 0 ? -1 : catalogue.findSeries(element, name);
  if (series < 0) {
    throw new ServiceError(
      "missing",
      `Cannot find metric "${fqn}" of element "${amendment.element}"`
    );
  }
  const before = catalogue.seriesDefinition(series);
  const { serviceTags, ...rest } = before;
  const after = { ...rest, ...amendedTags(serviceTags, amendment) };
  const bytes = definitionBytes(after);
  const isShorter = bytes < definitionBytes(before);
  const isKnown = isShorter || catalogue.knowsDefinition(after);
  checkText(catalogue, amendment.tenant, { bytes, growth: isKnown ? 0 : bytes, textBytesMax });
  catalogue.amendSeries(series, after);
  return { element, undo: () => catalogue.amendSeries(series, before) };
}
var forgotten = { location: null, tags: [], attributes: [], relations: [] };
function checkText({ text }, tenant, { bytes, growth, textBytesMax }) {
  if (growth <= 0) return;
  if (bytes > entityTextBytesMax) {
    throw invalid(
      `serviceTag: expected at most ${entityTextBytesMax} bytes of text with all that is known, got ${bytes}`
    );
  }
  const known = text.ownOf(tenant) + text.shared;
  if (known + growth > textBytesMax) {
    throw invalid(
      `serviceTag: expected at most ${textBytesMax} bytes of text in all (--text-bytes-limit), got ${growth} more than ${known} known ones`
    );
  }
}
function amendedTags(known = [], { set, remove }) {
  if (remove !== null && !known.some(({ name }) => name === remove)) {
    throw new ServiceError("missing", `Cannot find a service tag "${remove}"`);
  }
  const serviceTags = mergeByName(
    known.filter(({ name }) => name !== remove),
    set
  );
  if (serviceTags.length > tagsPerEntityMax) {
    throw invalid(
      `serviceTag: expected at most ${tagsPerEntityMax} tags with those that are set, got ${serviceTags.length}`
    );
  }
  return serviceTags.length === 0 ? {} : { serviceTags };
}

// src/configuration/configuration-set.ts
var rememberedMax = 2e5;
var ConfigurationSet = class _ConfigurationSet {
  entries;
  index;
  scopes;
  interned = /* @__PURE__ */ new Map();
  ofEntries = /* @__PURE__ */ new Map();
  remembered = /* @__PURE__ */ new Map();
  rememberedCount = 0;
  constructor(entries, index, scopes) {
    this.entries = entries;
    this.index = index;
    this.scopes = scopes;
  }
  /** In order: later ones win over earlier ones. */
  static of(configurations) {
    return atOnce(_ConfigurationSet.steps(configurations));
  }
  /** The same in steps: thousands of expressions take a second to be made ready. */
  static *steps(configurations) {
    const relevant = yield* withoutCopies(
      configurations.filter(({ settings }) => settings.length > 0)
    );
    const scopes = yield* Scopes.steps(relevant.map(({ scope }) => scope));
    const entries = [];
    for (const [i, { settings }] of relevant.entries()) {
      for (const one of settings) entries.push(entryOf(one, i));
      yield;
    }
    const index = yield* PatternIndex.steps(entries.map(({ match }) => match));
    return new _ConfigurationSet(entries, index, scopes);
  }
  /** True where no metric gets any settings. */
  get isEmpty() {
    return this.entries.length === 0;
  }
  /**
   * Which configurations are for an element: the same object as long as they are the same ones. A
   * change means that every metric of the element may have other settings.
   */
  scopeOf(subject) {
    return this.scopes.of(subject);
  }
  /** Undefined where no entry says anything. Equal settings are the same object. */
  settingsOf(subject, metricFqn) {
    const scope = this.scopes.of(subject);
    if (scope.numbers.size === 0) return void 0;
    let known = this.remembered.get(scope);
    if (known === void 0) this.remembered.set(scope, known = /* @__PURE__ */ new Map());
    const settings = known.get(metricFqn);
    if (settings !== void 0 || known.has(metricFqn)) return settings;
    return this.remember(scope, metricFqn);
  }
  remember(scope, fqn) {
    if (++this.rememberedCount > rememberedMax) {
      this.remembered = /* @__PURE__ */ new Map();
      this.rememberedCount = 1;
    }
    let known = this.remembered.get(scope);
    if (known === void 0) this.remembered.set(scope, known = /* @__PURE__ */ new Map());
    const settings = this.resolve(scope, fqn);
    known.set(fqn, settings);
    return settings;
  }
  resolve(scope, fqn) {
    const isWanted = (entry) => scope.numbers.has(this.entries[entry].configuration);
    const found = this.index.find(fqn, isWanted);
    const lower = fqn.toLowerCase();
    const named = /* @__PURE__ */ new Set();
    for (const number of found) {
      const { plain, configuration } = this.entries[number];
      if (plain === lower) named.add(configuration);
    }
    const byRank = [[], [], []];
    for (const number of found) {
      const { plain, configuration } = this.entries[number];
      const isWhole = () => this.index.fits(number, fqn, lower);
      const rank = plain === lower ? 2 : isWhole() ? 1 : 0;
      const isPassedOver = rank === 0 && plain !== null && named.has(configuration);
      if (!isPassedOver) byRank[rank].push(number);
    }
    return this.settingsOfEntries(byRank.flat());
  }
  /** The same entries come together for many names, as those of the disks of one host. */
  settingsOfEntries(numbers) {
    if (numbers.length === 0) return void 0;
    const key = numbers.join();
    const known = this.ofEntries.get(key);
    if (known !== void 0 || this.ofEntries.has(key)) return known;
    if (this.ofEntries.size >= rememberedMax) this.ofEntries.clear();
    const settings = this.intern(merged(numbers.map((number) => this.entries[number].settings)));
    this.ofEntries.set(key, settings);
    return settings;
  }
  intern(settings) {
    const pairs = Object.entries(settings).sort(([left], [right]) => left < right ? -1 : 1);
    if (pairs.length === 0) return void 0;
    const text = JSON.stringify(pairs);
    let known = this.interned.get(text);
    if (known === void 0) {
      known = Object.freeze(Object.fromEntries(pairs));
      this.interned.set(text, known);
    }
    return known;
  }
};
function entryOf(entry, configuration) {
  const { match } = entry;
  return {
    ...entry,
    configuration,
    plain: plainName(match)
  };
}
function plainName(match) {
  const name = match.replace(/^\^|\$$/g, "").replaceAll("\\.", ".").replaceAll("[.]", ".");
  return /^[\w.-]+$/.test(name) ? name.toLowerCase() : null;
}
function* withoutCopies(configurations) {
  const distinct = /* @__PURE__ */ new Map();
  for (const configuration of configurations) {
    const { scope, settings } = configuration;
    const text = JSON.stringify([scope, settings]);
    distinct.delete(text);
    distinct.set(text, configuration);
    yield;
  }
  return [...distinct.values()];
}
function merged(list) {
  const tags = {};
  const settings = {};
  for (const one of list) {
    Object.assign(settings, one);
    Object.assign(tags, one.tags);
  }
  const sorted = sortedTags(tags);
  return sorted === null ? settings : { ...settings, tags: sorted };
}
function sortedTags(tags) {
  const names = Object.keys(tags).sort();
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, tags[name]]));
}

// src/engine/tenant-configurations.ts
var documentsPerStep = 4;
var TenantConfigurations = class {
  /** Undefined where no metric gets any settings. */
  set;
  /** Tells these configurations from others; null where there are none. */
  mark = null;
  /** What each JSON text came to; those that stay as they are, are read once. */
  read = /* @__PURE__ */ new Map();
  /** Takes the documents of a kind as the store has them; ends with those that were left out. */
  *steps(store, kind) {
    const documents = yield* documentsOf(store, kind);
    const mark = documents.length === 0 ? null : yield* markOf(documents);
    const read = /* @__PURE__ */ new Map();
    const taken = [];
    const leftOut = [];
    for (const { id, text, json } of inOrder(documents)) {
      const one = this.read.get(text) ?? (yield* readingSteps(json()));
      this.read.set(text, one);
      read.set(text, one);
      if (one.configuration !== null) taken.push(one.configuration);
      else leftOut.push({ id, problems: one.problems });
      yield;
    }
    const set = yield* ConfigurationSet.steps(taken);
    this.read = read;
    this.set = set.isEmpty ? void 0 : set;
    this.mark = mark;
    return leftOut;
  }
};
function* documentsOf(store, kind) {
  const documents = [];
  for (; ; ) {
    const last = documents.at(-1);
    const range = last === void 0 ? {} : { from: last.id };
    const found = store.listDocuments(kind, { ...range, limit: documentsPerStep + 1 });
    const more = last === void 0 ? found : found.slice(1);
    if (more.length === 0) return documents;
    pushAll(documents, more);
    yield;
  }
}
function* markOf(documents) {
  const encoder = new TextEncoder();
  const sums = [];
  for (const document of documents) {
    sums.push(checksum(encoder.encode(JSON.stringify(document))));
    yield;
  }
  return checksum(encoder.encode(sums.join()));
}

// src/engine/settler.ts
var stepMs = 2;
var markKind = "settledConfigurations";
function configurationChanges(store, tenant, configurations) {
  const kind = configurationKind(tenant);
  const stays = new Set(configurations.map(({ id }) => id));
  const gone = store.listDocuments(kind).filter(({ id }) => !stays.has(id));
  return [
    ...gone.map(({ id }) => ({ kind, id, document: null })),
    ...configurations.map(({ id, document }) => ({ kind, id, document }))
  ];
}
var Settler = class {
  elapsedMs;
  warn;
  store = null;
  tenants = /* @__PURE__ */ new Map();
  /** Tenants whose documents have changed since their set was built. */
  stale = /* @__PURE__ */ new Set();
  building = null;
  /** Tenants whose known metrics are to be settled, with the mark to be left: null for none. */
  due = /* @__PURE__ */ new Map();
  marks = [];
  nextElement = 0;
  settling = null;
  constructor(elapsedMs, warn = () => {
  }) {
    this.elapsedMs = elapsedMs;
    this.warn = warn;
  }
  /** True where a step would find something to do. */
  get isDue() {
    return this.isBuilding || this.due.size > 0;
  }
  /** True where documents were stored that are not in effect yet. */
  get isBuilding() {
    return this.stale.size > 0;
  }
  /**
   * To be called before anything is done with a store: loads what it keeps where it is new, at
   * once, so that no metric comes in before the settings that it is to have.
   */
  attend(store) {
    if (store === this.store) return;
    this.store = store;
    this.forget();
    const marks = new Map(store.listDocuments(markKind).map(({ id, document }) => [id, document]));
    const tenantCount = Math.max(1, store.listDocuments(tenantKind).length);
    for (let tenant = 0; tenant < tenantCount; tenant++) {
      const hasMark = marks.has(String(tenant));
      if (!hasMark && store.listDocuments(configurationKind(tenant), { limit: 1 }).length === 0) {
        continue;
      }
      const leftOut = atOnce(this.configurationsOf(tenant).steps(store, configurationKind(tenant)));
      this.taken(tenant, leftOut, marks.get(String(tenant)));
    }
    this.useSets(store);
  }
  /** Tells what documents were stored. What it comes to is worked out by the steps that follow. */
  noticed(changes) {
    for (const { kind } of changes) {
      if (!kind.startsWith(configurationKindPrefix)) continue;
      const tenant = Number(kind.slice(configurationKindPrefix.length));
      this.stale.add(tenant);
      if (this.building?.tenant === tenant) this.building = null;
    }
  }
  /** Only builds sets, for a while. */
  build() {
    const { store } = this;
    assert(store !== null, "Expected a store that was attended");
    this.buildUntil(store, this.timer());
  }
  /** Builds sets, then settles elements, for a while, wherever the last step ended. */
  step(onChange) {
    const { store } = this;
    assert(store !== null, "Expected a store that was attended");
    const isOver = this.timer();
    if (this.isBuilding) {
      this.buildUntil(store, isOver);
      if (this.isBuilding || isOver()) return;
    }
    while (this.due.size > 0 && this.nextElement < store.catalogue.elementCount) {
      const isWhole = this.settleFor(store, isOver, onChange);
      if (!isWhole || isOver()) return;
    }
    this.finish();
  }
  /** Marks of what is settled, to be stored after what was settled is. */
  takeMarks() {
    const { marks } = this;
    this.marks = [];
    return marks;
  }
  forget() {
    this.tenants.clear();
    this.stale.clear();
    this.due.clear();
    this.building = null;
    this.settling = null;
    this.marks = [];
  }
  finish() {
    for (const [tenant, document] of this.due) {
      this.marks.push({ kind: markKind, id: String(tenant), document });
    }
    this.due.clear();
  }
  /** True once a step's time is over. */
  timer() {
    const endMs = this.elapsedMs() + stepMs;
    return () => this.elapsedMs() >= endMs;
  }
  buildUntil(store, isOver) {
    for (const tenant of this.stale) {
      const isThis = this.building?.tenant === tenant;
      const building = isThis ? this.building : this.buildOf(store, tenant);
      this.building = building;
      let next = building.steps.next();
      while (next.done !== true && !isOver()) next = building.steps.next();
      if (next.done !== true) return;
      this.building = null;
      this.stale.delete(tenant);
      this.taken(tenant, next.value, void 0);
      this.useSets(store);
    }
  }
  buildOf(store, tenant) {
    const steps = this.configurationsOf(tenant).steps(store, configurationKind(tenant));
    return { tenant, steps };
  }
  /** True where all of an element is settled, or nothing of it was to be. */
  settleFor({ catalogue }, isOver, onChange) {
    const element = this.nextElement;
    if (this.settling?.element !== element) {
      const isDue = this.due.has(catalogue.elementTenant(element));
      this.settling = { element, steps: isDue ? catalogue.settlingSteps(element) : nothing() };
    }
    const { steps } = this.settling;
    let isChanged = false;
    let isWhole = false;
    do {
      const { done, value } = steps.next();
      isWhole = done === true;
      if (value === true) isChanged = true;
    } while (!isWhole && !isOver());
    if (isChanged) onChange(element);
    if (isWhole) {
      this.settling = null;
      this.nextElement++;
    }
    return isWhole;
  }
  configurationsOf(tenant) {
    let configurations = this.tenants.get(tenant);
    if (configurations === void 0) {
      this.tenants.set(tenant, configurations = new TenantConfigurations());
    }
    return configurations;
  }
  /** A set was built: elements are due where `mark` is that of another one. */
  taken(tenant, leftOut, mark) {
    for (const { id, problems } of leftOut) {
      this.warn({ tenant, id, problems }, "a configuration is left out");
    }
    const newMark = this.configurationsOf(tenant).mark;
    if (mark === newMark) return;
    this.due.set(tenant, newMark);
    this.nextElement = 0;
    this.settling = null;
  }
  useSets(store) {
    store.catalogue.useSettings((tenant) => this.tenants.get(tenant)?.set);
  }
};
function* nothing() {
}

// src/engine/shard.ts
var Shard = class {
  columns = new SampleColumns();
  deps;
  settler;
  constructor(deps) {
    this.deps = deps;
    this.settler = new Settler(deps.elapsedMs, deps.warn);
  }
  /** Does one task. A rejection means that nothing of it was stored. */
  async run(task) {
    return await this.dispatch(task);
  }
  dispatch(task) {
    const { store } = this.deps;
    this.settler.attend(store);
    switch (task.kind) {
      case "ingest":
        return this.ingest(task);
      case "maintain":
        return this.maintain(task);
      case "openSamples":
        return store.openSamples(task.series, task.span, task.onlyFirst);
      case "publish":
        return this.publish();
      case "getDocument":
        return store.getDocument(task.document, task.id);
      case "putDocuments":
        return this.putDocuments(task.changes);
      case "listDocuments":
        return store.listDocuments(task.document, task.range);
      case "countDocuments":
        return store.countDocuments(task.prefix);
      case "configure":
        return this.putDocuments(configurationChanges(store, task.tenant, task.configurations));
      case "buildSettings":
        this.settler.build();
        return this.settler.isBuilding;
      case "amend":
        return this.amend(task.amendment);
      case "closePart":
        return this.closePart(task.part);
      case "figures":
        return this.figures();
      case "close":
        return store.close().then(() => null);
      default:
        return unreachable(task);
    }
  }
  maintain(moment) {
    const { guard } = this.deps;
    guard.recover();
    const { store } = this.deps;
    if (!guard.mayTend()) {
      const isFolded = moment.foldUpToMs === void 0;
      return { ...waitingIn(store), moreDue: false, isFolded, folded: 0, sealed: 0, dropped: 0 };
    }
    this.settler.attend(store);
    const isSettling = this.settle();
    const maintenance = this.writing(() => store.maintain(moment));
    return isSettling ? { ...maintenance, moreDue: true } : maintenance;
  }
  /** One step of giving known metrics their settings; true where another is due. */
  settle() {
    const { store, reader } = this.deps;
    if (!this.settler.isDue) return false;
    this.settler.step((element) => reader.changed(element));
    if (store.catalogue.hasChanges()) {
      this.columns.clear();
      this.writing(() => store.append({ columns: this.columns }));
    }
    const marks = this.settler.takeMarks();
    if (marks.length > 0) {
      this.writing(() => store.publish());
      this.writing(() => store.putDocuments(marks));
    }
    return this.settler.isDue;
  }
  closePart(part) {
    const refusal = this.deps.guard.refusal();
    if (refusal !== null) throw refusal;
    return this.writing(() => this.deps.store.closePart(part));
  }
  putDocuments(changes) {
    const { store, guard } = this.deps;
    const refusal = guard.refusal();
    if (refusal !== null) throw refusal;
    this.writing(() => store.putDocuments(changes));
    this.settler.noticed(changes);
    return this.settler.isBuilding;
  }
  /** Reads every body of the task, then makes all that are valid durable in one commit. */
  ingest(task) {
    const { store, reader, guard, elapsedMs } = this.deps;
    const count = task.requests.length / requestInts;
    if (guard.ingestRefusal() !== null) return refusedAnswer(count, store);
    const seriesBefore = store.catalogue.seriesCount;
    const verdicts = emptyVerdicts(count);
    this.columns.clear();
    for (let request = 0; request < count; request++) {
      this.readOne(task, request, verdicts, reader);
    }
    const startedMs = elapsedMs();
    const isStored = this.commit();
    if (!isStored) refuseAll(verdicts);
    return {
      ...verdicts,
      samples: isStored ? this.columns.count : 0,
      newSeries: store.catalogue.seriesCount - seriesBefore,
      ...waitingIn(store),
      commitMs: elapsedMs() - startedMs
    };
  }
  readOne(task, request, verdicts, reader) {
    const { requests, bytes, nowMs } = task;
    const at = request * requestInts;
    const offset = requests[at + requestOffset];
    const flags = requests[at + requestFlags];
    const samplesBefore = this.columns.count;
    const outcome = reader.read(
      bytes.subarray(offset, offset + requests[at + requestLength]),
      {
        tenant: requests[at + requestTenant],
        injectTimestamp: (flags & flagInjectTimestamp) !== 0,
        charset: charsets[flags >> charsetShift & 3],
        tellsLeftOut: (flags & flagTellsLeftOut) !== 0,
        nowMs
      },
      this.columns
    );
    if (outcome.ok) {
      verdicts.statuses[request] = 202;
      verdicts.elements[request] = outcome.elements;
      verdicts.requestSamples[request] = this.columns.count - samplesBefore;
      if (outcome.leftOut !== void 0) verdicts.leftOut.push({ request, ...outcome.leftOut });
    } else {
      const { detail, errors, retryAfterSeconds } = outcome;
      verdicts.statuses[request] = retryAfterSeconds === void 0 ? 400 : 429;
      verdicts.refusals.push({ request, detail, errors, retryAfterSeconds });
    }
  }
  /** True when everything read is durable; false when nothing is, because the store refused. */
  commit() {
    const { store } = this.deps;
    if (this.columns.count === 0 && !store.catalogue.hasChanges()) return true;
    try {
      this.writing(() => store.append({ columns: this.columns }));
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }
  /** Changes the catalogue as somebody asked, durable on return; or throws and changes nothing. */
  amend(amendment) {
    const { store, reader, guard } = this.deps;
    const refusal = guard.refusal();
    if (refusal !== null) throw refusal;
    const { element, undo } = amend(store.catalogue, amendment, this.deps.textBytesMax);
    this.columns.clear();
    try {
      this.writing(() => store.append({ columns: this.columns }));
    } catch (error) {
      undo();
      throw error;
    }
    reader.changed(element);
    return store.isUnpublished;
  }
  /**
   * True where names are left that readers do not see: while the disk refuses, questions are
   * answered from what was published before.
   */
  publish() {
    const { store, guard } = this.deps;
    if (!store.isUnpublished || !guard.mayTend()) return store.isUnpublished;
    try {
      this.writing(() => store.publish());
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return store.isUnpublished;
  }
  writing(work) {
    try {
      return work();
    } catch (error) {
      this.deps.guard.noteFailure(error);
      throw error;
    }
  }
  figures() {
    const { store, reader, guard } = this.deps;
    return {
      ...store.figures(),
      fastBodies: reader.fastBodies,
      slowBodies: reader.slowBodies,
      refusals: guard.ingestRefusal()?.problems ?? [],
      freeDiskBytes: guard.freeDiskBytes,
      textBytes: store.catalogue.text.perTenant(),
      sharedTextBytes: store.catalogue.text.shared
    };
  }
};
function emptyVerdicts(count) {
  return {
    statuses: new Uint16Array(count),
    elements: new Int32Array(count),
    requestSamples: new Int32Array(count),
    refusals: [],
    leftOut: []
  };
}
function refusedAnswer(count, store) {
  const verdicts = emptyVerdicts(count);
  verdicts.statuses.fill(503);
  return { ...verdicts, ...waitingIn(store), samples: 0, newSeries: 0, commitMs: 0 };
}
function waitingIn({ openSampleCount, isUnpublished }) {
  return { openSamples: openSampleCount, isUnpublished };
}
function isRefusal(error) {
  return error instanceof ServiceError && error.code === "storage";
}
function refuseAll(verdicts) {
  verdicts.leftOut.length = 0;
  for (let request = 0; request < verdicts.statuses.length; request++) {
    if (verdicts.statuses[request] === 202) verdicts.statuses[request] = 503;
  }
}

// src/engine/store-keeper.ts
var lookPauseMs = 200;
var reopenPauseMs = 1e3;
var backgroundShare = 1 / 4;
var StoreKeeper = class {
  options;
  kept;
  freeBytes = Infinity;
  isFull = false;
  hasFailed = false;
  isBehind = false;
  lastLookMs = -Infinity;
  lastAttemptMs = -Infinity;
  constructor(options) {
    this.options = options;
    this.kept = options.kept;
  }
  get store() {
    return this.kept.store;
  }
  get reader() {
    return this.kept.reader;
  }
  /** Why nothing may be written now, or null. */
  refusal() {
    this.look();
    if (this.hasFailed) return readOnly("The disk refused a write; the store is being reopened");
    if (!this.isFull) return null;
    const { freeBytesMin } = this.options;
    return readOnly(`The disk has ${this.freeBytes} bytes left, fewer than ${freeBytesMin}`);
  }
  /** Why no samples may be stored now, or null. */
  ingestRefusal() {
    const { openBytesMax: openBytesMax2, warn } = this.options;
    const openBytes = this.store.openBytes;
    const isBehind = openBytes >= openBytesMax2;
    if (isBehind !== this.isBehind) {
      this.isBehind = isBehind;
      const fields = { openBytes, openBytesMax: openBytesMax2, failingJob: this.store.figures().failingJob };
      if (isBehind) warn(fields, "too many samples are not rolled up: no samples are taken");
      else warn(fields, "samples are rolled up again: samples are taken");
    }
    const refusal = this.refusal();
    if (refusal !== null || !isBehind) return refusal;
    return readOnly(
      `${openBytes} bytes of samples are not rolled up, at most ${openBytesMax2} may be`
    );
  }
  /** Bytes that may still be written to the disk, as of the last look. */
  get freeDiskBytes() {
    this.look();
    return this.freeBytes;
  }
  /** True where background work may write. */
  mayTend() {
    this.look();
    return !this.hasFailed && this.freeBytes >= this.options.freeBytesMin * backgroundShare;
  }
  /** To be called after every write that threw. */
  noteFailure(error) {
    if (this.hasFailed || !this.store.isBroken) return;
    this.hasFailed = true;
    this.lastAttemptMs = this.options.elapsedMs();
    this.options.warn({ err: error }, "the disk refused a write: nothing is stored until it works");
  }
  /** Opens the store anew where it failed and it is time to try. */
  recover() {
    if (!this.hasFailed) return;
    const { elapsedMs, disk, warn } = this.options;
    if (elapsedMs() - this.lastAttemptMs < reopenPauseMs) return;
    this.look();
    try {
      if (!this.isFull && disk.takesWrites()) this.reopen();
    } catch (error) {
      warn({ err: error }, "the store could not be opened anew");
    }
    this.lastAttemptMs = elapsedMs();
  }
  reopen() {
    const problems = this.options.probe();
    if (problems.length > 0) {
      throw new ServiceError("storage", ["The store is damaged", ...problems]);
    }
    const old = this.kept;
    this.kept = this.options.open();
    this.hasFailed = false;
    this.options.warn({}, "the store was verified and opened anew: samples are stored again");
    void old.store.close();
  }
  look() {
    const { elapsedMs, disk, freeBytesMin, warn } = this.options;
    const nowMs = elapsedMs();
    if (nowMs - this.lastLookMs < lookPauseMs) return;
    this.lastLookMs = nowMs;
    this.freeBytes = disk.freeBytes();
    const isFull = this.freeBytes < freeBytesMin;
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    const fields = { freeBytes: this.freeBytes, freeBytesMin };
    if (isFull)
      warn(fields, "the disk is nearly full: no samples are taken, questions are answered");
    else warn(fields, "the disk has room again: samples are taken");
  }
};
function readOnly(problem) {
  return new ServiceError("readOnly", `${problem}; nothing was stored`);
}

// src/shard-worker.ts
var shard = null;
function openShard(data) {
  const log = createPinoLogger({ level: data.logLevel, format: data.logFormat });
  const elapsedMs = () => performance.now();
  const warn = (fields, message) => log.warn({ ...fields }, message);
  const { folder } = data;
  const keeper = new StoreKeeper({
    kept: openKept(data, elapsedMs, warn),
    open: () => openKept(data, elapsedMs, warn),
    probe: () => probeStore(folder),
    disk: diskOf(folder),
    freeBytesMin: floorOf(folder, data.diskFloorBytes),
    openBytesMax,
    elapsedMs,
    warn
  });
  return new Shard({
    get store() {
      return keeper.store;
    },
    get reader() {
      return keeper.reader;
    },
    guard: keeper,
    textBytesMax: textBytesMaxOf(data),
    elapsedMs,
    warn
  });
}
function openKept(data, elapsedMs, warn) {
  const store = openWriteStore({
    folder: data.folder,
    retentionMs: data.retentionMs,
    cycleGraceMs: data.cycleGraceMs,
    elapsedMs,
    warn
  });
  const reader = new IngestReader({
    catalogue: store.catalogue,
    acceptPastMs: data.acceptPastMs,
    acceptFutureMs: data.acceptFutureMs,
    cardinality: { ...data.cardinality, textBytesMax: textBytesMaxOf(data) },
    crowd: (columns, from) => store.crowd(columns, from)
  });
  return { store, reader };
}
function textBytesMaxOf({ cardinality }) {
  return Math.min(cardinality.textBytesMax, Math.floor(getHeapStatistics().heap_size_limit / 4));
}
function runTask(task) {
  if (task === null) return turnOfLoop();
  if (task.kind === "tidy") return tidied();
  return toOutcome(() => {
    shard ??= openShard(poolWorkerData());
    return shard.run(task);
  });
}
export {
  runTask as default
};
//# sourceMappingURL=shard-worker.js.map
