import {
  isCallable,
  version
} from "./chunk-EHO5KM2D.js";
import {
  SimulatedClock
} from "./chunk-S7IU6GVY.js";
import {
  charsetShift,
  charsets,
  createPinoLogger,
  decodeBody,
  flagInjectTimestamp,
  flagTellsLeftOut,
  leftOutReasons,
  requestFlags,
  requestInts,
  requestLength,
  requestOffset,
  requestTenant
} from "./chunk-EQ2NR6YH.js";
import {
  Parameters,
  PolicySet,
  TenantDirectory,
  acrossAnswer,
  aggregateStatisticsAnswer,
  aggregations,
  anything,
  askedWindow,
  categoryDocument,
  categoryRecord,
  checkKey,
  checkKind,
  checkUuid,
  constant,
  either,
  elementFieldNames,
  elementIdsBody,
  elementMetricRecord,
  elementRecord,
  elementScopeBody,
  elementTermNames,
  elementsPerPart,
  epochUnitProblem,
  eventDocument,
  eventRecord,
  flag,
  foundElementRecord,
  foundMetricRecord,
  giveBack,
  inMaintenance,
  instant,
  isScalar,
  keyAfter,
  listGroup,
  listOf,
  lowerHelpers,
  maintenanceEndTag,
  mapGroup,
  mapOf,
  mayHaveOpen,
  metricMetaAnswer,
  metricMetaRecord,
  metricRecord,
  metricStatisticsRecord,
  namePreviewBody,
  nameValueRecord,
  number,
  oneOf,
  optional,
  orNull,
  pageAnswer,
  parseJson,
  policyDocument,
  policyRecord,
  querySchema,
  readInstant,
  readWindow,
  record,
  relationshipsAnswer,
  sampleFieldNames,
  sampleFieldsRecord,
  sampleRecord,
  samplesAnswer,
  samplesWithSummaryAnswer,
  shareOut,
  statistics,
  statisticsAnswer,
  statisticsRecord,
  tagMap,
  text,
  textMap,
  timeText,
  timedKind,
  told,
  uuid,
  wholeNumber
} from "./chunk-JNOKX46Y.js";
import "./chunk-JVQ4VFPB.js";
import {
  collectWhatGrew,
  createThreadPool,
  fromOutcome,
  watchGarbage
} from "./chunk-22IKJ6ZY.js";
import {
  formatInstant,
  formatInstantSeconds,
  isoProblem,
  parseInstant
} from "./chunk-5QVC5N6S.js";
import {
  cleanFqn,
  elementUuid,
  metricUuid,
  problemSteps
} from "./chunk-YLYUBZG2.js";
import {
  customDatasourceId,
  defaultCost,
  holdStore,
  integrationId,
  openAccounts,
  runAccountCommand
} from "./chunk-TE4R7E5U.js";
import {
  features,
  integrationKind
} from "./chunk-LIDZTVNQ.js";
import {
  systemRandom
} from "./chunk-UKLA2F2A.js";
import {
  configurationKind
} from "./chunk-PZOPM4PF.js";
import {
  systemClock
} from "./chunk-YG6N4YZL.js";
import {
  closeToOthers,
  mustBeProbed,
  readAheadStore
} from "./chunk-TAVG4KYY.js";
import "./chunk-SLADJPH6.js";
import "./chunk-FTDLCQXU.js";
import {
  archiveBytesMax,
  archiveLimits,
  archivesAtOnceMax,
  changedDashboardBody,
  changedWidgetBody,
  dashboardCopyBody,
  entryNameCharactersMax,
  isDeeper,
  newDashboardBody,
  newWidgetBody,
  nonEmptyText,
  numberIdOf,
  packagesMax,
  policyWrapper,
  propertiesValue,
  ratioFloorBytes,
  readPackage,
  readPolicy,
  readRecord,
  readingSteps,
  uuidOf,
  versionFilter,
  widgetsPerDashboardMax
} from "./chunk-33XIY2C7.js";
import {
  Problems,
  blankPolicy,
  booleanValue,
  eventLevels,
  levelOf,
  levelOfWord,
  objectValue,
  readWith,
  shown,
  textValue
} from "./chunk-FNENV4GL.js";
import {
  withPauses
} from "./chunk-KPUJ7UZQ.js";
import "./chunk-ELSLXJNS.js";
import "./chunk-LB2TN2PK.js";
import "./chunk-IEKB2XZW.js";
import {
  uuidV3
} from "./chunk-QNSZFSTN.js";
import {
  ServiceError,
  invalid
} from "./chunk-BZJGDYVY.js";
import {
  cycleMs,
  resolutions
} from "./chunk-WSUH7ILY.js";
import {
  largestOf,
  pushAll
} from "./chunk-BLE2ZYMV.js";
import {
  batchBytesMax,
  batchesInFlightMax,
  bodyBytesDefault,
  bodyTimeoutMs,
  checkNameCharactersMax,
  checkTtlSecondsMax,
  eventBodyBytesMax,
  eventRetentionMs,
  eventsPerAnswerMax,
  fqnCharactersMax,
  headersTimeoutMs,
  jobFailuresMax,
  jsonDepthMax,
  queueBytesDefault,
  readAheadBytesMax,
  readAheadShareDivisor,
  relationshipLevelsMax,
  requestsPerBatchMax,
  tagsPerEntityMax,
  textCharactersMax
} from "./chunk-5L33DSE6.js";
import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/compiler.ts
import { setFlagsFromString } from "node:v8";
var inlinedBytesMax = 400;
function inlineLess() {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${inlinedBytesMax}`);
}

// src/command/first-start-text.ts
function firstSecretsText(first) {
  return `
The first account was made before the start failed. This is printed once:

${secretLines(first)}
`;
}
function secretLines({ adminEmail, adminPassword, apiKey }) {
  return `  administrator   ${adminEmail}
  password        ${adminPassword}
  API key         ${apiKey}`;
}
function firstStartText(url, first) {
  const sample2 = `[{"id":"my-server","type":"SERVER","metrics":[{"id":"cpu.total","unit":"percent"}],"samples":[{"metricId":"cpu.total","val":42}]}]`;
  return `
Tidegauge is listening on ${url}
The API as a page to read and try: ${url}/docs

${secretLines(first)}

This is printed once; the store keeps only hashes. Post a first sample:

  curl -X POST ${url}/ingest/${first.apiKey} \\
    -H 'X-Service-Api-Options: INJECT_TIMESTAMP,SEND_RESPONSE_BODY' \\
    -d '${sample2}'

and read its statistics back:

  curl -u '${first.adminEmail}:${first.adminPassword}' \\
    '${url}/metrics/statistics?fqn=cpu.total&duration=PT1H&rollup=ZERO'
`;
}

// src/serve.ts
import { setTimeout as wait } from "node:timers/promises";

// src/asking.ts
var partMs = 3;
var Asking = class {
  parts;
  constructor(parts) {
    this.parts = parts;
  }
  /** The finished answer, UTF-8. Rejects with a ServiceError as `Query.plan` and `answer` throw. */
  async ask(request) {
    const { queryPool, shard } = this.parts;
    if (shard.isUnpublished) await shard.publish();
    const others = { areOpen: shard.openSampleCount > 0, mayShare: this.idleHelpers() > 0 };
    const task = { kind: "ask", request, others };
    const { bytes, plan } = fromOutcome(await queryPool.run(task));
    if (plan === void 0) return bytes;
    const isOpen2 = shard.openSampleCount > 0 && mayHaveOpen(plan);
    const open4 = isOpen2 ? await shard.openSamples(plan.series, plan.span, plan.onlyFirst ?? false) : null;
    return fromOutcome(await this.answer(plan, open4));
  }
  answer(plan, open4) {
    const { queryPool } = this.parts;
    const { spread, ...lean } = plan;
    const parts = spread?.parts ?? [];
    const helpers = Math.min(this.idleHelpers(), parts.length - 1);
    if (helpers <= 0) {
      const task2 = { kind: "answer", plan: lean, open: open4, sharing: null };
      return queryPool.run(task2);
    }
    const { sharing, sides } = shareOut(parts.length, helpers);
    const task = { kind: "answer", plan, open: open4, sharing };
    const answered2 = queryPool.run(task, sharing.ports);
    for (const side of sides) void this.help({ kind: "help", plan, open: open4, side });
    return answered2;
  }
  /** What a helper meets the asker meets, too; only that its thread ended the asker cannot know. */
  async help(task) {
    const { side } = task;
    try {
      await this.parts.helperPool.run(task, [side.port]);
    } catch {
      giveBack(side.state, side.thread);
    }
  }
  /** With whom no more threads work than there are helpers and one who asks. */
  idleHelpers() {
    const { queryPool, helperPool, isIngesting } = this.parts;
    if (helperPool === null || isIngesting()) return 0;
    return helperPool.threads - helperPool.taskCount - Math.min(queryPool.taskCount, queryPool.threads);
  }
};

// src/cycle/ticker.ts
var spansMax = 100;
var fallBackCycles = 288;
var retryMs = 5e3;
var Ticker = class {
  options;
  state = { next: 0, unobserved: [] };
  stopped = false;
  cancel = null;
  running = null;
  tellStop = () => {
  };
  stopping = new Promise((resolve2) => this.tellStop = resolve2);
  constructor(options2) {
    this.options = options2;
  }
  /** Reads where it stood and begins. A new store begins with the cycle that runs. */
  async start() {
    const { load, save, clock } = this.options;
    const stored = await load();
    const began = Math.floor(clock.nowMs() / cycleMs);
    this.state = stored ?? { next: began, unobserved: [], began };
    if (stored === void 0) await save(this.state);
    this.running = this.loop();
  }
  /** Every cycle that ended by this instant is closed. */
  get closedUpToMs() {
    return this.state.next * cycleMs;
  }
  /** Cycles that were not closed, in the outages that are remembered. */
  get missedCycles() {
    return this.state.unobserved.reduce((sum2, { from, to }) => sum2 + to - from, 0);
  }
  /** Ends after the part that runs, without waiting for a fold, which a full disk may hold up. */
  async stop() {
    this.stopped = true;
    this.tellStop();
    this.cancel?.();
    await this.running;
  }
  async loop() {
    while (!this.stopped) {
      try {
        const waitMs = await this.look();
        if (waitMs > 0) await this.pause(waitMs);
      } catch (error) {
        if (this.stopped) return;
        this.options.onError(error);
        await this.pause(retryMs);
      }
    }
  }
  /** Closes one cycle where one is due; gives how long to wait before the next look. */
  async look() {
    const { clock, graceMs, missedMax } = this.options;
    const nowMs = clock.nowMs();
    const due = Math.floor((nowMs - graceMs) / cycleMs) - 1;
    const place = placeOf(this.state, due, missedMax);
    if (place !== this.state) await this.move(place);
    const missed = due - this.state.next + 1;
    if (missed > Math.max(1, missedMax)) await this.move(leftOut(this.state, due, missedMax));
    const { next } = this.state;
    const closingMs = (next + 1) * cycleMs + graceMs;
    if (nowMs < closingMs) return Math.min(closingMs - nowMs, cycleMs);
    await this.close(next, closingMs, nowMs - closingMs >= cycleMs);
    return 0;
  }
  async close(cycle, closingMs, isMissed) {
    const { fold, elementCount, inactiveMs, onClosed } = this.options;
    const step = this.options.partElements ?? elementsPerPart;
    await Promise.race([fold((cycle + 1) * cycleMs), this.stopping]);
    if (this.stopped) return;
    const elements2 = await elementCount();
    const inactiveCycles = Math.ceil(inactiveMs / cycleMs);
    const questions = [];
    for (let fromElement = 0; fromElement < elements2; fromElement += step) {
      const toElement = fromElement + step;
      questions.push({ cycle, fromElement, toElement, closingMs, isMissed, inactiveCycles });
    }
    await this.closeParts(questions);
    if (this.stopped) return;
    await onClosed({ cycle, closingMs, elements: elements2 });
    await this.move({ ...this.state, next: cycle + 1 });
  }
  async closeParts(questions) {
    let next = 0;
    const lane = async () => {
      while (next < questions.length && !this.stopped) {
        await this.options.closePart(questions[next++]);
      }
    };
    const lanes = Array.from({ length: this.options.parallelParts }, lane);
    const ends = await Promise.allSettled(lanes);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== void 0) throw failed.reason;
  }
  async move(state) {
    await this.options.save(state);
    this.state = state;
  }
  pause(ms) {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve2) => {
      const cancel = this.options.delay(resolve2, ms);
      this.cancel = () => {
        cancel();
        resolve2();
      };
    });
  }
};
function leftOut(state, due, missedMax) {
  const to = due - Math.max(1, missedMax) + 1;
  const missed = without([{ from: state.next, to }], state.closed);
  return { ...state, next: to, unobserved: bounded([...state.unobserved, ...missed]) };
}
function placeOf(state, due, missedMax) {
  const { next, unobserved } = state;
  const reach = due + 1 - missedMax;
  const near = due + 1 + fallBackCycles;
  const span = due + 1 < next && unobserved.find(({ from, to }) => from <= near && reach < to);
  if (span) {
    const start2 = Math.max(span.from, reach);
    const kept = without(unobserved, [{ from: start2, to: Infinity }]);
    const ahead = without([{ from: start2, to: next }], unobserved);
    return { ...state, next: start2, unobserved: kept, closed: latest(state, ahead) };
  }
  if (next <= due + fallBackCycles) return state;
  const began = state.began ?? next;
  const before = without([{ from: began, to: next }], unobserved);
  const behind = without(unobserved, [{ from: due + 1, to: Infinity }]);
  const closed3 = latest(state, before);
  return { next: due + 1, unobserved: behind, began: Math.min(began, due + 1), closed: closed3 };
}
function latest({ closed: closed3 = [] }, more) {
  return [...closed3, ...more].slice(-spansMax);
}
function without(spans, others = []) {
  return others.reduce((left, other) => left.flatMap((span) => outside(span, other)), spans);
}
function outside({ from, to }, other) {
  const before = { from, to: Math.min(to, other.from) };
  const after = { from: Math.max(from, other.to), to };
  return [before, after].filter((span) => span.from < span.to);
}
function bounded(spans) {
  if (spans.length <= spansMax) return [...spans];
  const [first, second, ...rest] = spans;
  return [{ from: first.from, to: second.to }, ...rest];
}

// src/engine/pace.ts
var restMsMax = 50;
var Pace = class {
  last = Promise.resolve();
  elapsedMs;
  pause;
  /** `elapsedMs`: monotonic milliseconds. */
  constructor(elapsedMs, pause) {
    this.elapsedMs = elapsedMs;
    this.pause = pause;
  }
  /** Does the work when its turn has come; settles as it does, before the rest. */
  run(work) {
    let startedMs = 0;
    const done = this.last.then(() => {
      startedMs = this.elapsedMs();
      return work();
    });
    const rest = () => this.pause(Math.min(this.elapsedMs() - startedMs, restMsMax));
    this.last = done.then(rest, rest);
    return done;
  }
};

// src/engine/slots.ts
var Slots = class {
  free;
  waiting = [];
  constructor(count) {
    this.free = count;
  }
  /** Does the work when there is a slot for it; settles as it does. */
  async run(work) {
    if (this.free > 0) this.free--;
    else await new Promise((resolve2) => this.waiting.push(resolve2));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === void 0) this.free++;
      else next();
    }
  }
};

// src/closing.ts
var tickerKind = "cycle";
var tickerId = "ticker";
function makeTicker(parts) {
  const { config, clock, delay: delay2, shard, caretaker, documents, log } = parts;
  const pace = new Pace(() => performance.now(), parts.rest);
  const threads = Math.max(1, config.workerCount - 1);
  const slots = new Slots(threads);
  const way = {
    workOut: (task) => slots.run(() => parts.queryPool.run(task)),
    store: (part) => pace.run(() => shard.closePart(part))
  };
  let startedMs = 0;
  return new Ticker({
    clock,
    delay: delay2,
    graceMs: config.cycleGraceMs,
    missedMax: config.missedCyclesMax,
    inactiveMs: config.inactiveAfterMs,
    // One more than are worked out: it is stored meanwhile.
    parallelParts: threads + 1,
    partElements: parts.partElements,
    load: async () => await documents.get(tickerKind, tickerId),
    save: (state) => documents.put(tickerKind, tickerId, state),
    fold: (upToMs) => {
      startedMs = performance.now();
      return caretaker.foldUpTo(upToMs);
    },
    elementCount: async () => (await shard.figures()).elementCount,
    closePart: (question) => closePart(parts, question, way),
    onClosed: async ({ closingMs, elements: elements2 }) => {
      for (const tenant of parts.tenants()) await parts.records.findings.sweep(tenant, closingMs);
      parts.onClosed({ durationMs: performance.now() - startedMs, elements: elements2 });
    },
    onError: (err) => log.error({ err }, "closing a cycle failed; it is tried again")
  });
}
async function closePart(parts, question, way) {
  const answer = fromOutcome(await way.workOut({ kind: "closePart", question }));
  for (const problem of answer.problems) parts.log.warn({}, problem);
  if (answer.facts === null) return;
  const findings = answer.findings.toSorted((left, right) => left.tenant - right.tenant);
  const world = { findings: parts.records.findings, way };
  await store(world, question, { ...answer.facts, documents: [] }, findings);
}
async function store(world, question, part, findings) {
  const [first, ...rest] = findings;
  if (first === void 0) return world.way.store(part);
  let isStored = false;
  await world.findings.closePart(
    first.tenant,
    {
      cycleStartMs: question.cycle * cycleMs,
      nowMs: question.closingMs,
      elementFqns: first.judged,
      violations: first.violations
    },
    async (changes) => {
      const documents = [...part.documents, ...changes];
      isStored = await store(world, question, { ...part, documents }, rest);
      return isStored;
    }
  );
  return isStored;
}

// src/engine/caretaker.ts
var stepBudgetMs = 2;
var idleStepBudgetMs = 6;
var openSamplesCalm = 3e6;
var openSamplesPerStep = 1e5;
var stepBudgetMsMax = 60;
var idleAfterMs = 500;
var restsPerStep = 3;
var restsPerAwaitedStep = 1;
var pauseMs = 250;
var failurePauseMsMax = 1e4;
var Caretaker = class {
  options;
  lastIngestMs = -Infinity;
  cancelPause = null;
  stopped = false;
  openSamples = 0;
  failures = 0;
  fold = null;
  running = null;
  constructor(options2) {
    this.options = options2;
  }
  start() {
    this.running ??= this.loop();
  }
  /** Tells that a batch was ingested; `openSamples` of it wait. */
  ingested() {
    this.lastIngestMs = this.options.elapsedMs();
  }
  /**
   * Resolves when all samples before an instant that have come so far are folded. One at a time;
   * rejects where the caretaker stops first.
   */
  foldUpTo(foldUpToMs) {
    assert(this.fold === null, "Expected one fold at a time");
    return new Promise((resolve2, reject) => {
      this.fold = { foldUpToMs, resolve: resolve2, reject };
      this.cancelPause?.();
    }).finally(() => this.fold = null);
  }
  /** Ends after the step that runs now. */
  async stop() {
    this.stopped = true;
    this.fold?.reject(new ServiceError("stopping", "The server is shutting down"));
    this.cancelPause?.();
    await this.running;
  }
  async loop() {
    while (!this.stopped) {
      const startedMs = this.options.elapsedMs();
      const moreDue = await this.step();
      if (this.stopped) return;
      if (!moreDue) await this.pause(this.pauseMs());
      else if (this.mayRest()) {
        const rests = this.fold === null ? restsPerStep : restsPerAwaitedStep;
        await this.pause(rests * (this.options.elapsedMs() - startedMs));
      }
    }
  }
  async step() {
    const { run: run2, nowMs, elapsedMs, closedUpToMs, onStep, onError } = this.options;
    const startedMs = elapsedMs();
    try {
      const idle = this.isIdle();
      const budgetMs = stepBudget(this.openSamples, idle);
      const { fold } = this;
      const maintenance = await run2({
        nowMs: nowMs(),
        budgetMs,
        idle,
        ...fold === null ? {} : { foldUpToMs: fold.foldUpToMs },
        ...closedUpToMs === void 0 ? {} : { closedUpToMs: closedUpToMs() }
      });
      this.openSamples = maintenance.openSamples;
      if (!maintenance.moreDue) this.failures = 0;
      if (fold !== null && maintenance.isFolded) fold.resolve();
      onStep?.(maintenance, elapsedMs() - startedMs);
      const isAsked2 = fold === null && this.fold !== null;
      return maintenance.moreDue || isAsked2;
    } catch (error) {
      this.failures++;
      onError(error);
      return false;
    }
  }
  pauseMs() {
    return Math.min(pauseMs * 2 ** Math.max(0, this.failures - 1), failurePauseMsMax);
  }
  mayRest() {
    return !this.isIdle() && this.openSamples <= openSamplesCalm;
  }
  isIdle() {
    return this.options.elapsedMs() - this.lastIngestMs >= idleAfterMs;
  }
  pause(ms) {
    return new Promise((resolve2) => {
      const cancel = this.options.delay(resolve2, ms);
      this.cancelPause = () => {
        cancel();
        resolve2();
      };
    });
  }
};
function stepBudget(openSamples, idle) {
  const excess = Math.max(0, openSamples - openSamplesCalm);
  const budgetMs = idle ? idleStepBudgetMs : stepBudgetMs;
  return Math.min(stepBudgetMsMax, budgetMs * (1 + excess / openSamplesPerStep));
}

// src/engine/pack.ts
function packTask(bodies2, slab, nowMs) {
  const all = Buffer.from(slab);
  const requests = new Int32Array(bodies2.length * requestInts);
  let at = 0;
  for (let index = 0; index < bodies2.length; index++) {
    const body2 = bodies2[index];
    const row = index * requestInts;
    requests[row + requestOffset] = at;
    requests[row + requestLength] = body2.length;
    requests[row + requestTenant] = body2.tenant;
    requests[row + requestFlags] = flagsOf(body2);
    for (const chunk of body2.chunks) at = copyInto(all, at, chunk);
    assert(
      at === requests[row + requestOffset] + body2.length,
      "Expected chunks as long as announced"
    );
  }
  return { kind: "ingest", bytes: new Uint8Array(slab, 0, at), requests, nowMs };
}
function copyInto(all, at, chunk) {
  if (chunk.length === 0) return at;
  all.fill(chunk, at, at + chunk.length);
  return at + chunk.length;
}
function flagsOf({ charset, injectTimestamp, tellsLeftOut }) {
  const flags2 = charsets.indexOf(charset) << charsetShift;
  return flags2 | (injectTimestamp ? flagInjectTimestamp : 0) | (tellsLeftOut ? flagTellsLeftOut : 0);
}
var slabBytesMin = 256 * 1024;
var SlabPool = class {
  free = [];
  slabsMax;
  slabBytesMax;
  constructor(bounds) {
    this.slabsMax = bounds.slabsMax;
    this.slabBytesMax = bounds.slabBytesMax;
  }
  /** A slab of at least `bytes`, whose content is whatever it held before. */
  take(bytes) {
    if (bytes > this.slabBytesMax) return new SharedArrayBuffer(bytes);
    const slab = this.free.pop();
    if (slab !== void 0 && slab.byteLength >= bytes) return slab;
    let size = slabBytesMin;
    while (size < bytes) size *= 2;
    return new SharedArrayBuffer(Math.min(size, Math.max(bytes, this.slabBytesMax)));
  }
  /** Gives a slab back that nobody reads any more. */
  give(slab) {
    if (slab.byteLength > this.slabBytesMax || this.free.length === this.slabsMax) return;
    this.free.push(slab);
  }
};

// src/engine/share.ts
var newcomerShare = 1 / 8;
var promiseMs = 1e3;
var promiseBytesMin = 64 * 1024;
var Share = class {
  pot;
  delay;
  bytes = 0;
  constructor(pot, delay2) {
    this.pot = pot;
    this.delay = delay2;
  }
  /** Whether a request of so many bytes may begin. Up to half of the pot anybody may. */
  admission(bytes) {
    const { pot } = this;
    const total = pot.held + pot.promised + bytes;
    if (total > pot.bytesMax) return "full";
    if (total * 2 <= pot.bytesMax || this.bytes === 0) return "room";
    const fair = pot.bytesMax * (1 - newcomerShare) / pot.active;
    return this.bytes + bytes <= fair ? "room" : "overShare";
  }
  /** Counts bytes as they arrive; false where there is no room, and then nothing is counted. */
  hold(bytes) {
    const { pot } = this;
    if (pot.held + bytes > pot.bytesMax) return false;
    pot.held += bytes;
    this.add(bytes);
    return true;
  }
  release(bytes) {
    this.pot.held -= bytes;
    this.add(-bytes);
  }
  /** Announces a body. What arrives of it is held and taken from the promise by the caller. */
  promise(bytes) {
    if (bytes < promiseBytesMin || this.delay === void 0) return null;
    return new SharePromise(bytes, this.delay, (change7) => {
      this.pot.promised += change7;
      this.add(change7);
    });
  }
  add(bytes) {
    if (this.bytes === 0) this.pot.active++;
    this.bytes += bytes;
    if (this.bytes === 0) this.pot.active--;
  }
};
var SharePromise = class {
  left;
  isKept = false;
  cancel;
  delay;
  count;
  constructor(bytes, delay2, count) {
    this.left = bytes;
    this.delay = delay2;
    this.count = count;
    count(bytes);
    this.cancel = this.watch();
  }
  keep(bytes) {
    this.isKept = true;
    this.take(Math.min(bytes, this.left));
  }
  end() {
    this.cancel();
    this.take(this.left);
  }
  /** Forgets the rest once nothing has come for a while. */
  watch() {
    return this.delay(() => {
      if (this.isKept) this.cancel = this.watch();
      else this.take(this.left);
      this.isKept = false;
    }, promiseMs);
  }
  take(bytes) {
    if (bytes === 0) return;
    this.left -= bytes;
    this.count(-bytes);
  }
};

// src/engine/intake.ts
var defaultIntakeLimits = {
  queueBytesMax: queueBytesDefault,
  batchBytesMax,
  batchRequestsMax: requestsPerBatchMax,
  tasksInFlightMax: batchesInFlightMax,
  // Scanned in half a millisecond: what a commit costs is little beside it.
  gatherBytesMax: 256 * 1024
};
var requestOverheadBytes = 2048;
var gatherMs = 1;
var Intake = class {
  options;
  limits;
  slabs;
  pot;
  /** By API key; only keys that are known come here. */
  shares = /* @__PURE__ */ new Map();
  /** Oldest first; only the last one takes further bodies. */
  waiting = [];
  drained = [];
  tasksInFlight = 0;
  scheduled = false;
  stopped = false;
  /** While gathering: requests that are worth a commit, and how to end the wait. */
  requestsExpected = 0;
  endGathering = null;
  constructor(options2) {
    this.options = options2;
    this.limits = { ...defaultIntakeLimits, ...options2.limits };
    this.pot = { bytesMax: this.limits.queueBytesMax, held: 0, promised: 0, active: 0 };
    this.slabs = new SlabPool({
      slabsMax: this.limits.tasksInFlightMax,
      slabBytesMax: this.limits.batchBytesMax
    });
  }
  /** Bytes held for requests that are uploading, waiting or with the shard. */
  get queueBytes() {
    return this.pot.held;
  }
  /** Requests that wait for a task to be free. */
  get waitingRequests() {
    return this.waiting.reduce((sum2, batch) => sum2 + batch.bodies.length, 0);
  }
  /** What the requests of an API key hold. */
  shareOf(apiKey) {
    let share = this.shares.get(apiKey);
    if (share === void 0) {
      share = new Share(this.pot, this.options.delay);
      this.shares.set(apiKey, share);
    }
    return share;
  }
  /**
   * Queues one body. Its share holds its bytes and `requestOverheadBytes`; from here on they are
   * the intake's to release. `done` is called exactly once, later or, when stopped, at
   * once.
   */
  submit(body2, done) {
    if (this.stopped) {
      body2.share.release(body2.length + requestOverheadBytes);
      const error = new ServiceError("stopping", "The server is shutting down");
      done({ outcome: "failed", error });
      return;
    }
    const batch = this.batchFor(body2.length);
    batch.bodies.push(body2);
    batch.dones.push(done);
    batch.bytes += body2.length;
    this.scheduleSend();
  }
  /** Resolves when every submitted request has its result. */
  drain() {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve2) => this.drained.push(resolve2));
  }
  /** Takes nothing more; what was submitted before is still sent and answered. */
  stop() {
    this.stopped = true;
    this.stopGathering();
    this.sendWaiting();
  }
  isIdle() {
    return this.waiting.length === 0 && this.tasksInFlight === 0;
  }
  batchFor(bytes) {
    const last = this.waiting.at(-1);
    const fits = last !== void 0 && last.bytes + bytes <= this.limits.batchBytesMax && last.bodies.length < this.limits.batchRequestsMax;
    if (fits) return last;
    const batch = { bodies: [], dones: [], bytes: 0 };
    this.waiting.push(batch);
    return batch;
  }
  scheduleSend() {
    if (this.scheduled || !this.maySend()) return;
    this.scheduled = true;
    this.options.schedule(() => {
      this.scheduled = false;
      this.sendWaiting();
    });
  }
  sendWaiting() {
    while (this.maySend()) {
      const batch = this.waiting.shift();
      this.stopGathering();
      this.tasksInFlight++;
      void this.send(batch);
    }
  }
  maySend() {
    const [first] = this.waiting;
    if (first === void 0 || this.tasksInFlight === this.limits.tasksInFlightMax) return false;
    if (first.bytes >= this.limits.gatherBytesMax || this.waiting.length > 1) return true;
    if (this.tasksInFlight > 0) return false;
    return this.endGathering === null || first.bodies.length >= this.requestsExpected;
  }
  /** Begins to wait for as many requests as were with the last batch and behind it. */
  gather(requestsAnswered) {
    const { delay: delay2 } = this.options;
    const waiting = this.waitingRequests;
    if (delay2 === void 0 || this.stopped || this.tasksInFlight > 0) return;
    this.stopGathering();
    this.requestsExpected = requestsAnswered + waiting;
    this.endGathering = delay2(() => {
      this.endGathering = null;
      this.sendWaiting();
    }, gatherMs);
  }
  stopGathering() {
    this.endGathering?.();
    this.endGathering = null;
  }
  async send(batch) {
    const slab = this.slabs.take(batch.bytes);
    const task = packTask(batch.bodies, slab, this.options.clock.nowMs());
    let answer = null;
    let failure = null;
    try {
      answer = await this.options.run(task);
    } catch (error) {
      failure = error;
    }
    this.slabs.give(slab);
    this.tasksInFlight--;
    for (const body2 of batch.bodies) body2.share.release(body2.length + requestOverheadBytes);
    assert(this.pot.held >= 0, "Expected to release only what was held");
    this.gather(batch.bodies.length);
    this.sendWaiting();
    if (answer === null) answerFailed(batch, failure);
    else this.answerBatch(batch, answer);
    if (this.isIdle()) for (const resolve2 of this.drained.splice(0)) resolve2();
  }
  answerBatch(batch, answer) {
    answerEach(batch, answer);
    this.options.onBatch?.({ requests: batch.bodies.length, bytes: batch.bytes, answer });
  }
};
function answerFailed(batch, error) {
  for (const done of batch.dones) done({ outcome: "failed", error });
}
function answerEach(batch, answer) {
  const count = batch.dones.length;
  assert(
    answer.statuses.length === count,
    `Expected ${count} statuses, got ${answer.statuses.length}`
  );
  const refusals = new Map(answer.refusals.map((refusal) => [refusal.request, refusal]));
  const leftOut2 = new Map(answer.leftOut.map((report) => [report.request, report]));
  let failure;
  for (let index = 0; index < count; index++) {
    const done = batch.dones[index];
    const refusal = refusals.get(index);
    if (answer.statuses[index] === 202) {
      const samples2 = answer.requestSamples[index];
      const report = leftOut2.get(index);
      const more = report === void 0 ? {} : { leftOut: report };
      done({ outcome: "accepted", elements: answer.elements[index], samples: samples2, ...more });
    } else if (answer.statuses[index] === 400 && refusal !== void 0) {
      done({ outcome: "refused", detail: refusal.detail, errors: refusal.errors });
    } else if (answer.statuses[index] === 429 && refusal !== void 0) {
      done({ outcome: "failed", error: tooSoon(refusal) });
    } else {
      failure ??= new ServiceError("readOnly", "The store takes no samples now; none were kept");
      done({ outcome: "failed", error: failure });
    }
  }
}
function tooSoon({ errors, retryAfterSeconds }) {
  const options2 = retryAfterSeconds === void 0 ? {} : { retryAfterSeconds };
  return new ServiceError("throttled", errors, options2);
}

// src/engine/shard-client.ts
var ShardClient = class {
  /** Unfolded samples as of the last answer that told; 0 means that nobody need ask for them. */
  openSampleCount = 0;
  /** True where readers may not see all names, likewise. */
  isUnpublished = false;
  pool;
  publishing = null;
  constructor(pool) {
    this.pool = pool;
  }
  async ingest(task) {
    const answer = await this.run("ingest", task);
    this.note(answer);
    return answer;
  }
  async maintain(moment2) {
    const answer = await this.run("maintain", { kind: "maintain", ...moment2 });
    this.note(answer);
    return answer;
  }
  note(answer) {
    this.openSampleCount = answer.openSamples;
    this.isUnpublished = answer.isUnpublished;
  }
  /**
   * Resolves when readers that refresh see all names of every answer that came before the call, or
   * the disk refuses. The shard's tasks are done and answered in order, so one that is under way is
   * enough: what was answered before its own answer it has seen.
   */
  publish() {
    this.publishing ??= this.publishAll();
    return this.publishing;
  }
  async publishAll() {
    try {
      this.isUnpublished = await this.run("publish", { kind: "publish" });
    } finally {
      this.publishing = null;
    }
  }
  openSamples(series, span, onlyFirst) {
    return this.run("openSamples", { kind: "openSamples", series, span, onlyFirst });
  }
  figures() {
    return this.run("figures", { kind: "figures" });
  }
  getDocument(document, id2) {
    return this.run("getDocument", { kind: "getDocument", document, id: id2 });
  }
  /**
   * Resolves when the changes are synced, and in effect: where they change what metrics get, that
   * is built in small steps, between which ingest goes on.
   */
  async putDocuments(changes) {
    const isBuilding = await this.run("putDocuments", { kind: "putDocuments", changes });
    if (isBuilding) await this.buildSettings();
  }
  async listDocuments(document, range = {}) {
    return [...await this.run("listDocuments", { kind: "listDocuments", document, range })];
  }
  countDocuments(prefix2) {
    return this.run("countDocuments", { kind: "countDocuments", prefix: prefix2 });
  }
  /** Resolves when the change is synced; rejects where it makes no sense or was refused. */
  async amend(amendment) {
    this.isUnpublished = await this.run("amend", { kind: "amend", amendment });
  }
  /**
   * Replaces the analytic configurations of a tenant, synced; new metrics have their settings when
   * it resolves, those that exist get them in the background. Whoever stores documents of their
   * kind (engine/settler.ts) together with others by `putDocuments` need not call this.
   */
  async configure(tenant, configurations) {
    const task = { kind: "configure", tenant, configurations };
    if (await this.run("configure", task)) await this.buildSettings();
  }
  /** Stores what the closing of a part brings; false where that part was closed before. */
  closePart(part) {
    return this.run("closePart", { kind: "closePart", part });
  }
  /** Closes the store and ends the thread, a store that fails to close too; no task may follow. */
  async close() {
    try {
      await this.run("close", { kind: "close" });
    } finally {
      await this.pool.close();
    }
  }
  async buildSettings() {
    while (await this.run("buildSettings", { kind: "buildSettings" })) ;
  }
  async run(_kind, task) {
    return fromOutcome(await this.pool.run(task));
  }
};
function documentsOf(shard) {
  return {
    get: (kind5, id2) => shard.getDocument(kind5, id2),
    put: (kind5, id2, document) => shard.putDocuments([{ kind: kind5, id: id2, document }]),
    putAll: (changes) => shard.putDocuments(changes),
    list: (kind5, range) => shard.listDocuments(kind5, range)
  };
}

// src/http/app.ts
import { Hono } from "hono";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

// src/http/feature-use.ts
var featuresByPath = /* @__PURE__ */ new Map([
  ["/policies", "createdPolicy"],
  ["/datasources", "createdDatasource"],
  ["/dashboards", "createdDashboard"],
  ["/notifications", "createdNotification"]
]);
async function noteFeatureUse({ identity, request }, { status }, { accounts }) {
  if (identity === null || request.method !== "POST" || status >= 300) return;
  const feature = featuresByPath.get(new URL(request.url).pathname.replace(/\/$/, ""));
  if (feature !== void 0) await accounts.users.noteFeature(identity, feature);
}

// src/http/errors.ts
var statusByCode = {
  invalid: [400, "BAD_REQUEST", "Input Validation Failed"],
  unauthenticated: [401, "UNAUTHORIZED", "Authentication Required"],
  forbidden: [403, "FORBIDDEN", "Access Denied"],
  missing: [404, "NOT_FOUND", "Resource Not Found"],
  tooLarge: [413, "PAYLOAD_TOO_LARGE", "Payload Too Large"],
  throttled: [429, "TOO_MANY_REQUESTS", "Rate Limit Exceeded"],
  overloaded: [503, "SERVICE_UNAVAILABLE", "Server Overloaded"],
  stopping: [503, "SERVICE_UNAVAILABLE", "Server Stopping"],
  readOnly: [503, "SERVICE_UNAVAILABLE", "Store Read-Only"],
  // Not 503: that promises that a retry soon makes sense, which a broken store does not; and
  // the ingest endpoints are documented to answer 202, 400 and 500.
  storage: [500, "INTERNAL_SERVER_ERROR", "Storage Failed"]
};
var retryAfterSecondsDefault = 5;
var challenge = 'Basic realm="tidegauge", charset="UTF-8"';
var UnreadableBody = class extends Error {
  name = "UnreadableBody";
};
function answerOf(error, nowMs, failures) {
  if (error instanceof UnreadableBody) {
    return refusalAnswer("Error Parsing JSON Request", [error.message], nowMs);
  }
  if (!(error instanceof ServiceError)) return failureAnswer(error, nowMs, failures);
  const [status, message, detail] = statusByCode[error.code];
  if (status === 500) return failureAnswer(error, nowMs, failures);
  return {
    status,
    headers: headersOf(error),
    body: errorBody({ status, message, detail, errors: error.problems }, nowMs)
  };
}
function failureAnswer(error, nowMs, failures) {
  const id2 = failures.nameOf(error);
  const [status, message] = statusByCode.storage;
  const what = error instanceof ServiceError ? "The store failed" : "The server failed to handle the request";
  const errors = [`${what}; nothing was acknowledged. The server's log tells why: ${id2}`];
  return {
    status,
    headers: {},
    body: errorBody(
      { status, message, detail: `Internal Server Error, request id ${id2}`, errors },
      nowMs
    )
  };
}
function headersOf(error) {
  switch (error.code) {
    case "unauthenticated":
      return { "WWW-Authenticate": challenge };
    case "throttled":
    case "overloaded":
    case "stopping":
    case "readOnly":
      return { "Retry-After": String(error.retryAfterSeconds ?? retryAfterSecondsDefault) };
    default:
      return {};
  }
}
function refusalAnswer(detail, errors, nowMs) {
  const [status, message] = statusByCode.invalid;
  return { status, headers: {}, body: errorBody({ status, message, detail, errors }, nowMs) };
}
function notReadyAnswer(problems, nowMs) {
  const [status, message] = statusByCode.overloaded;
  const words2 = { status, message, detail: "Not Ready", errors: problems };
  return { status, headers: {}, body: errorBody(words2, nowMs) };
}
function methodAnswer(allow, nowMs) {
  const errors = [`Expected one of the methods ${allow} for this path`];
  const words2 = { status: 405, message: "METHOD_NOT_ALLOWED", detail: "Method Not Allowed", errors };
  return { status: 405, headers: { Allow: allow }, body: errorBody(words2, nowMs) };
}
function malformedAnswer(nodeCode, nowMs) {
  const [status, message, problem] = malformedByNodeCode[nodeCode ?? ""] ?? malformedDefault;
  const words2 = { status, message, detail: "Malformed HTTP Request", errors: [problem] };
  return { status, headers: { Connection: "close" }, body: errorBody(words2, nowMs) };
}
var malformedDefault = [400, "BAD_REQUEST", "Expected a well-formed HTTP/1.1 request"];
var malformedByNodeCode = {
  HPE_HEADER_OVERFLOW: [
    431,
    "REQUEST_HEADER_FIELDS_TOO_LARGE",
    "The request line and headers are over the size limit"
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    "PAYLOAD_TOO_LARGE",
    "The chunk extensions are over the size limit"
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    "REQUEST_TIMEOUT",
    "The request did not arrive within the time limit"
  ]
};
function errorBody(words2, nowMs) {
  return {
    status: words2.status,
    message: words2.message,
    detail: words2.detail,
    errors: words2.errors,
    serverTimestamp: nowMs,
    iso8601DateTime: new Date(nowMs).toISOString()
  };
}
function acceptedBody({ elements: elements2, leftOut: leftOut2 }, nowMs) {
  const received = `${elements2} elements received`;
  if (leftOut2 === void 0) return acceptedText(received, nowMs);
  const { total, warnings } = leftOut2;
  const samples2 = total === 1 ? "1 sample was" : `${total} samples were`;
  return acceptedText(`${received}; ${samples2} left out`, nowMs, { warnings });
}
function acceptedText(detail, nowMs, more = {}) {
  return JSON.stringify({
    status: 202,
    message: "ACCEPTED",
    detail,
    ...more,
    serverTimestamp: nowMs,
    iso8601DateTime: new Date(nowMs).toISOString()
  });
}

// src/http/inflate.ts
import { Transform } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate as createZlib,
  createInflateRaw
} from "node:zlib";
var output = { chunkSize: 64 * 1024 };
function createInflate(coding) {
  switch (coding) {
    case "gzip":
      return createGunzip(output);
    case "br":
      return createBrotliDecompress(output);
    case "deflate":
      return new EitherDeflate();
  }
}
var zlibMethod = 8;
var EitherDeflate = class extends Transform {
  inner = null;
  _transform(chunk, _encoding, callback) {
    this.inner ??= this.open(chunk);
    this.inner.write(chunk, () => callback());
  }
  _flush(callback) {
    if (this.inner === null) return callback();
    this.inner.once("end", () => callback());
    this.inner.end();
  }
  _destroy(error, callback) {
    this.inner?.destroy();
    callback(error);
  }
  open(first) {
    const isZlib = (first[0] & 15) === zlibMethod;
    const inner = isZlib ? createZlib(output) : createInflateRaw(output);
    inner.on("data", (chunk) => this.push(chunk));
    inner.on("error", (error) => this.destroy(error));
    return inner;
  }
};

// src/http/body.ts
var inflateOverheadBytes = 128 * 1024;
function collectBody(request, options2, done) {
  if (options2.coding === null) collectPlain(request, options2, done);
  else collectInflated(request, options2.coding, { options: options2, done });
}
function collectPlain(request, options2, done) {
  const collected = new Collected(options2, done);
  request.on("data", (chunk) => collected.add(chunk));
  request.on("end", () => collected.finish());
  request.on("close", () => collected.abandon());
}
var chunkOverheadBytes = 192;
var Collected = class {
  chunks = [];
  length = 0;
  told = false;
  options;
  done;
  constructor(options2, done) {
    this.options = options2;
    this.done = done;
  }
  add(chunk) {
    if (this.told) return;
    const { bytesMax, budget } = this.options;
    if (this.length + chunk.length > bytesMax) return this.fail(bodyTooLarge(bytesMax));
    if (!budget.hold(chunk.length + chunkOverheadBytes)) return this.fail(queueFull);
    this.options.promise?.keep(chunk.length);
    this.length += chunk.length;
    this.chunks.push(chunk);
  }
  finish() {
    if (this.told) return;
    this.told = true;
    this.options.promise?.end();
    const overheadBytes = this.chunks.length * chunkOverheadBytes;
    const isScattered = this.chunks.length > 1 && overheadBytes > this.length;
    const chunks = isScattered ? [Buffer.concat(this.chunks)] : this.chunks;
    this.options.budget.release(overheadBytes);
    this.done(null, chunks, this.length);
  }
  fail(error) {
    if (this.told) return;
    this.abandon();
    this.done(error, [], 0);
  }
  /** Nobody waits for an answer any more. */
  abandon() {
    if (this.told) return;
    this.told = true;
    this.options.promise?.end();
    const chunkBytes = this.length + this.chunks.length * chunkOverheadBytes;
    this.options.budget.release(chunkBytes + this.options.overheadBytes);
    this.chunks.length = 0;
  }
};
function collectInflated(request, coding, { options: options2, done }) {
  const { bytesMax, budget } = options2;
  if (!budget.hold(inflateOverheadBytes)) {
    budget.release(options2.overheadBytes);
    options2.promise?.end();
    return done(queueFull, [], 0);
  }
  const inflate = createInflate(coding);
  const stop2 = () => {
    request.unpipe(inflate);
    inflate.destroy();
  };
  const collected = new Collected(options2, (error, chunks, length) => {
    stop2();
    done(error, chunks, length);
  });
  let sentBytes = 0;
  request.on("data", (chunk) => {
    sentBytes += chunk.length;
    if (sentBytes > bytesMax) collected.fail(bodyTooLarge(bytesMax));
  });
  request.on("close", () => {
    if (request.complete) return;
    collected.abandon();
    stop2();
  });
  inflate.on("data", (chunk) => collected.add(compact(chunk)));
  inflate.on("end", () => collected.finish());
  inflate.on("error", (cause) => {
    const message = `Cannot inflate the ${coding} body: ${cause.message}`;
    collected.fail(new UnreadableBody(message, { cause }));
  });
  inflate.on("close", () => budget.release(inflateOverheadBytes));
  request.pipe(inflate);
}
function compact(chunk) {
  return chunk.length * 2 < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk;
}
function bodyTooLarge(bytesMax) {
  return new ServiceError("tooLarge", `Expected a body of at most ${bytesMax} bytes`);
}
var queueFull = new ServiceError(
  "overloaded",
  "The intake queue is full; nothing was stored",
  { retryAfterSeconds: 1 }
);
var shareFull = new ServiceError(
  "throttled",
  "The requests of this API key hold their share of the intake queue; nothing was stored",
  { retryAfterSeconds: 1 }
);

// src/http/ingest-request.ts
var prefix = "/ingest/";
function ingestTarget(url) {
  if (!url.startsWith(prefix)) return null;
  const query2 = url.indexOf("?");
  const end = query2 < 0 ? url.length : query2;
  const last = url.charCodeAt(end - 1) === slash ? end - 1 : end;
  const kindEnd = url.indexOf("/", prefix.length);
  if (kindEnd < 0 || kindEnd >= last) return targetOf(url.slice(prefix.length, last), null);
  const kind5 = url.slice(prefix.length, kindEnd);
  const rest = url.slice(kindEnd + 1, last);
  if (kind5 === "" || rest.includes("/") || isReserved(kind5)) return null;
  return targetOf(rest, kind5);
}
var slash = 47;
function isReserved(kind5) {
  return kind5 === "events" || kind5 === "webhook";
}
function targetOf(segment, kind5) {
  if (segment === "" || isReserved(segment)) return null;
  return { apiKey: segment.includes("%") ? decoded(segment) : segment, kind: kind5 };
}
function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
var noOptions = { sendResponseBody: false, injectTimestamp: false };
function ingestOptions(headers) {
  const lists = [
    headers["x-service-api-options"],
    headers["x-netuitive-api-options"],
    headers["x-metricly-api-options"]
  ];
  if (lists.every((list11) => list11 === void 0)) return noOptions;
  const options2 = /* @__PURE__ */ new Set();
  for (const option of lists.flat().join(",").split(",")) options2.add(option.trim().toUpperCase());
  return {
    sendResponseBody: options2.has("SEND_RESPONSE_BODY"),
    injectTimestamp: options2.has("INJECT_TIMESTAMP")
  };
}
var charsetParameter = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
function charsetOf(contentType) {
  if (contentType === void 0 || contentType === "application/json") return "none";
  const name = charsetParameter.exec(contentType)?.[1]?.toLowerCase();
  return name !== void 0 && charsetByName[name] || "none";
}
var charsetByName = {
  __proto__: null,
  "utf-8": "utf-8",
  utf8: "utf-8",
  "utf-16": "utf-16",
  utf16: "utf-16",
  "utf-16le": "utf-16",
  "utf-16be": "utf-16",
  "iso-8859-1": "iso-8859-1",
  iso8859_1: "iso-8859-1",
  "iso8859-1": "iso-8859-1",
  latin1: "iso-8859-1",
  "latin-1": "iso-8859-1",
  "windows-1252": "iso-8859-1",
  cp1252: "iso-8859-1"
};
function codingOf(contentEncoding) {
  if (contentEncoding === void 0 || contentEncoding === "") return null;
  const names = contentEncoding.split(",").map((name) => name.trim().toLowerCase()).filter((name) => name !== "" && name !== "identity");
  if (names.length === 0) return null;
  const coding = names.length === 1 ? codingByName[names[0]] : void 0;
  if (coding === void 0) {
    const got = JSON.stringify(contentEncoding.slice(0, 100));
    throw invalid(`Cannot read Content-Encoding ${got}: expected gzip, deflate, br or identity`);
  }
  return coding;
}
var codingByName = {
  __proto__: null,
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "br"
};

// src/http/json-body.ts
async function readJson(request, limits) {
  if (codingOf(request.headers.get("content-encoding") ?? void 0) !== null) {
    throw invalid("Expected a query body without Content-Encoding");
  }
  const text3 = new TextDecoder().decode(await readBytes(request, limits.queryBodyBytesMax));
  if (text3.trim() === "") return null;
  return parseJsonText(text3, limits.queryBodyDepthMax);
}
function parseJsonText(text3, depthMax) {
  if (isDeeper(text3, depthMax)) {
    throw invalid(`Expected JSON nested at most ${depthMax} deep`);
  }
  try {
    return JSON.parse(text3);
  } catch (cause) {
    const words2 = cause.message.replace(new RegExp("\\p{Surrogate}", "gu"), "\uFFFD");
    throw new UnreadableBody(`Could not read JSON: ${words2}`, { cause });
  }
}
async function readBytes(request, bytesMax) {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
  try {
    if (announced !== null) return new Uint8Array(await request.arrayBuffer());
    return await readCounted(request, bytesMax);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new UnreadableBody("The body ended too early", { cause });
  }
}
async function readCounted(request, bytesMax) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > bytesMax) throw bodyTooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// src/http/local.ts
import { isIP } from "node:net";
var proxyHeaders = /^(?:forwarded|via|x-real-ip|x-forwarded-[a-z-]+|true-client-ip|cf-.+)$/;
function isLocal(request) {
  if (request === void 0 || request.httpVersion === "1.0") return false;
  const address = request.socket.remoteAddress ?? "";
  const isLoopback = address === "::1" || /^(?:::ffff:)?127\./.test(address);
  if (!isLoopback || !isLocalHost(request.headers.host ?? "")) return false;
  return Object.keys(request.headers).every((name) => !proxyHeaders.test(name));
}
function isLocalHost(host) {
  const name = host.replace(/:\d{1,5}$/, "");
  if (name.startsWith("[") && name.endsWith("]")) return isIP(name.slice(1, -1)) === 6;
  return isIP(name) === 4 || name.toLowerCase() === "localhost";
}

// src/http/origin.ts
function requireOwnOrigin(headers, baseUrl) {
  const { site, origin, host } = headers;
  if (site !== void 0 && site !== "same-origin" && site !== "none") {
    throw foreign(`Sec-Fetch-Site: expected same-origin or none, got ${shown(site)}`);
  }
  if (origin === void 0 || isOwn(origin, host, baseUrl)) return;
  const own = "Origin: expected the Host of the request or the origin of --base-url";
  throw foreign(`${own}, got ${shown(origin)}`);
}
function isOwn(origin, host, baseUrl) {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false;
  const sent2 = new URL(origin);
  if (baseUrl !== null && URL.canParse(baseUrl) && new URL(baseUrl).origin === sent2.origin) {
    return true;
  }
  const own = `${sent2.protocol}//${host ?? ""}`;
  return URL.canParse(own) && new URL(own).host === sent2.host;
}
function foreign(problem) {
  return new ServiceError("forbidden", `${problem}. Pages of other sites may not change anything`);
}

// src/http/reply.ts
var jsonType = "application/json";
var answerHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store"
};
var answerHeaderLines = Object.entries(answerHeaders).map(([name, value]) => `${name}: ${value}\r
`).join("");
function reply(response2, answer) {
  if (response2.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(answer.body));
  response2.writeHead(answer.status, headersFor(answer, bytes));
  response2.end(bytes);
}
function replyAndClose(request, response2, { answer, limits }) {
  if (response2.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(answer.body));
  response2.writeHead(answer.status, { ...headersFor(answer, bytes), Connection: "close" });
  if (request.complete || request.headers.expect !== void 0) {
    response2.end(bytes);
    return;
  }
  response2.write(bytes);
  linger(request, limits, () => response2.end());
}
function linger(request, limits, done) {
  const timer = setTimeout(finish, limits.lingerMs);
  let droppedBytes = 0;
  function drop(chunk) {
    droppedBytes += chunk.length;
    if (droppedBytes > limits.lingerBytesMax) finish();
  }
  function finish() {
    clearTimeout(timer);
    request.off("data", drop);
    request.off("close", finish);
    done();
  }
  request.on("data", drop);
  request.on("close", finish);
  request.resume();
}
function headersFor(answer, bytes) {
  const own = { "Content-Type": jsonType, "Content-Length": bytes.length };
  return { ...answerHeaders, ...answer.headers, ...own };
}

// src/http/route.ts
var methods = ["GET", "POST", "PUT", "DELETE"];
function json(value, status = 200) {
  return { status, json: value };
}
function noBody(status, description2) {
  return { status, description: description2, schema: null };
}
var noContent = { status: 204 };

// src/records/element-type-boards.ts
var plainType = "DEFAULT";
var plainVariant = "FULL";
function elementTypeDashboards(all) {
  const byId = /* @__PURE__ */ new Map();
  for (const dashboard of all.toSorted(byRank)) {
    const id2 = elementTypeId(dashboard.body);
    if (id2 !== null) byId.set(id2, dashboard);
  }
  return byId;
}
function elementTypeDashboard(all, name) {
  const wanted = name.trim().toUpperCase();
  const plain = wanted.endsWith(`-${plainVariant}`) ? wanted.slice(0, -plainVariant.length - 1) : "";
  const byId = elementTypeDashboards(all);
  for (const id2 of [wanted, plain]) {
    const dashboard = byId.get(id2);
    if (dashboard !== void 0) return { id: id2, dashboard };
  }
  return void 0;
}
function elementTypeId({ type, variant }) {
  const typeName = type?.trim().toUpperCase() ?? "";
  if (typeName === "" || typeName === plainType) return null;
  const variantName = variant?.trim().toUpperCase() ?? "";
  return isPlain(variantName) ? typeName : `${typeName}-${variantName}`;
}
function isPlain(variantName) {
  return variantName === "" || variantName === plainVariant;
}
function byRank(one, other) {
  return one.createdMs - other.createdMs || (one.id < other.id ? -1 : 1);
}

// src/wire/records/dashboard-document.ts
var propertiesRecord = told(mapOf(orNull(text)), "Every value is kept as a text");
var widgetRecord = record({
  id: uuid,
  dashboardId: uuid,
  userId: orNull(wholeNumber),
  name: orNull(text),
  description: orNull(text),
  widgetType: text,
  created: instant,
  updated: instant,
  properties: propertiesRecord,
  generated: flag
});
var dashboardEntries = {
  id: uuid,
  userId: orNull(wholeNumber),
  name: text,
  description: orNull(text),
  layout: orNull(text),
  creatorEmail: text,
  created: instant,
  updated: instant,
  widgets: told(listOf(widgetRecord), "Empty in lists"),
  properties: propertiesRecord,
  type: orNull(text),
  private: flag,
  variant: optional(text)
};
var dashboardRecord = record(dashboardEntries);
var typeDashboardRecord = record({
  ...dashboardEntries,
  id: told(text, "The element type, with a variant after a hyphen")
});
function dashboardDocument({ id: id2, createdMs, updatedMs, body: body2 }, widgets) {
  return {
    id: id2,
    userId: body2.userId,
    name: body2.name,
    description: body2.description,
    layout: body2.layout,
    creatorEmail: body2.creatorEmail,
    created: formatInstantSeconds(createdMs),
    updated: formatInstantSeconds(updatedMs),
    widgets: widgets.map(widgetDocument),
    properties: body2.properties,
    type: body2.type,
    private: body2.private,
    // Real records have none; those of packages may (field-facts §11).
    ...body2.variant === null ? {} : { variant: body2.variant }
  };
}
function widgetDocument(widget) {
  const { id: id2, createdMs, updatedMs, body: body2 } = widget;
  return {
    id: id2,
    dashboardId: body2.dashboardId,
    userId: body2.userId,
    name: body2.name,
    description: body2.description,
    widgetType: body2.widgetType,
    created: formatInstantSeconds(createdMs),
    updated: formatInstantSeconds(updatedMs),
    properties: body2.properties,
    // Always false, whatever was sent: nothing here makes widgets by itself.
    generated: false
  };
}

// src/http/record-call.ts
function callerOf({ identity }, { accounts }) {
  assert(identity !== null, "Expected an operation that asks for a user");
  const { tenant, user: email, role } = identity;
  const userId = accounts.users.current(identity).id;
  return { tenant, email, userId, isAdministrator: role === "Administrator" };
}
function uuidIn({ path }) {
  return uuidOf(path["id"] ?? "");
}
function numberIn({ path }) {
  return numberIdOf(path["id"] ?? "");
}
function parameterOf({ query: query2 }, name) {
  return query2[name]?.at(-1)?.trim() || void 0;
}
function flagOf(call, name, fallback) {
  const text3 = parameterOf(call, name)?.toLowerCase();
  if (text3 === void 0) return fallback;
  if (text3 !== "true" && text3 !== "false") {
    throw invalid(`${name}: expected true or false, got ${shown(text3)}`);
  }
  return text3 === "true";
}
function viewerOf({ identity }) {
  return identity === null || identity.role === "Read Only" ? "reader" : "writer";
}

// src/http/values.ts
function flagValue(fallback) {
  return { type: "boolean", ...withDefault(fallback) };
}
function wordValue(words2, fallback) {
  return { type: "string", enum: words2, ...withDefault(fallback) };
}
function wholeValue(minimum, maximum, fallback) {
  return { type: "integer", minimum, maximum, ...withDefault(fallback) };
}
var uuidValue = { type: "string", format: "uuid" };
var idValue = wholeValue(0, 999999999999999);
var durationValue = { type: "string", format: "duration" };
var timeValue = {
  anyOf: [
    { type: "string", format: "date-time" },
    { type: "integer", description: "Epoch milliseconds" },
    { type: "string", pattern: "^\\d{4}-?\\d{2}-?\\d{2}$", description: "A day in UTC" }
  ]
};
function withDefault(fallback) {
  return fallback === void 0 ? {} : { default: fallback };
}

// src/http/routes/boards.ts
var section = "Dashboards";
var idParameter = {
  name: "id",
  in: "path",
  description: "Id of the dashboard, a UUID",
  required: true,
  value: uuidValue
};
var list = async (call, rooms) => {
  const dashboards = await rooms.records.boards.list(callerOf(call, rooms));
  return json({ dashboards: dashboards.map((dashboard) => dashboardDocument(dashboard, [])) });
};
var create = async (call, rooms) => {
  const { dashboard } = readRecord(newDashboardBody, call.body);
  return shownBoard(await rooms.records.boards.create(callerOf(call, rooms), dashboard));
};
var get = async (call, rooms) => shownBoard(await rooms.records.boards.get(callerOf(call, rooms), uuidIn(call)));
var change = async (call, rooms) => {
  const id2 = uuidIn(call);
  const { dashboard } = readRecord(changedDashboardBody, call.body);
  await rooms.records.boards.change(callerOf(call, rooms), id2, dashboard);
  return noContent;
};
var remove = async (call, rooms) => {
  await rooms.records.boards.remove(callerOf(call, rooms), uuidIn(call));
  return noContent;
};
var copy = async (call, rooms) => {
  const id2 = uuidIn(call);
  const { name } = readRecord(dashboardCopyBody, call.body);
  return shownBoard(await rooms.records.boards.copy(callerOf(call, rooms), id2, name));
};
var listByElementType = async (call, rooms) => {
  const byId = elementTypeDashboards(await rooms.records.boards.list(callerOf(call, rooms)));
  const elementTypeDashboardList = [...byId].map(([id2, dashboard]) => ({
    ...dashboardDocument(dashboard, []),
    id: id2
  }));
  return json({ elementTypeDashboards: elementTypeDashboardList });
};
var getByElementType = async (call, rooms) => {
  const caller = callerOf(call, rooms);
  const type = call.path["type"] ?? "";
  const { boards } = rooms.records;
  const found = elementTypeDashboard(await boards.list(caller), type);
  if (found === void 0) {
    const expected = "Expected an element type that has a dashboard";
    throw new ServiceError("missing", `${expected}, got ${shown(type)}`);
  }
  const { dashboard, widgets } = await boards.get(caller, found.dashboard.id);
  return json({ elementTypeDashboard: { ...dashboardDocument(dashboard, widgets), id: found.id } });
};
function shownBoard({ dashboard, widgets }) {
  return json({ dashboard: dashboardDocument(dashboard, widgets) });
}
var threeStepExample = { dashboard: { name: "API Test Board" } };
var changeExample = {
  dashboard: {
    name: "API Test Board",
    properties: { timeRangeDuration: 3600, refreshIntervalSeconds: 300, wrap: true }
  }
};
var exampleMs = Date.UTC(2026, 0, 1);
var exampleTimes = { createdMs: exampleMs, updatedMs: exampleMs };
var exampleRecord = dashboardDocument(
  {
    id: "ff6d185e-3f40-4872-a13e-ae0b8bb7e599",
    ...exampleTimes,
    body: {
      userId: 1,
      creatorEmail: "admin@example.org",
      name: "API Test Board",
      description: null,
      layout: null,
      properties: { timeRangeDuration: "3600", refreshIntervalSeconds: "300", wrap: "true" },
      type: "DEFAULT",
      variant: null,
      private: false
    }
  },
  []
);
var oneDashboard = {
  status: 200,
  schema: record({ dashboard: dashboardRecord }),
  example: { dashboard: exampleRecord }
};
var boardRoutes = [
  {
    path: "/dashboards",
    section,
    operations: {
      GET: {
        summary: "All dashboards, without their widgets",
        access: "reader",
        answer: {
          status: 200,
          description: "`dashboards`, oldest first",
          schema: record({ dashboards: listOf(dashboardRecord) }),
          example: { dashboards: [exampleRecord] }
        },
        handle: list
      },
      POST: {
        summary: "Create a dashboard, with widgets if any are sent",
        access: "writer",
        body: {
          kind: "json",
          description: "Ids of widgets are placeholders: all get ids of their own, and the ids in `properties.gridstackContents` follow",
          schema: newDashboardBody,
          example: threeStepExample
        },
        answer: { ...oneDashboard, description: "The dashboard as it was stored" },
        handle: create
      }
    }
  },
  {
    path: "/dashboards/elementtype",
    section,
    operations: {
      GET: {
        summary: "Dashboards of element types, without their widgets",
        access: "reader",
        answer: {
          status: 200,
          description: "`elementTypeDashboards`; each id is a type",
          schema: record({ elementTypeDashboards: listOf(typeDashboardRecord) })
        },
        handle: listByElementType
      }
    }
  },
  byElementType("/dashboards/dashboardtype/:type"),
  byElementType("/dashboards/elementtype/:type"),
  {
    path: "/dashboards/:id",
    section,
    operations: {
      GET: {
        summary: "One dashboard with its widgets",
        access: "reader",
        parameters: [idParameter],
        answer: { ...oneDashboard, description: "The dashboard" },
        handle: get
      },
      PUT: {
        summary: "Change a dashboard",
        access: "writer",
        parameters: [idParameter],
        body: {
          kind: "json",
          description: "What is absent stays, properties are merged. Widgets that the dashboard has are changed, others created; none is removed",
          schema: changedDashboardBody,
          example: changeExample
        },
        answer: noBody(204, "Done"),
        handle: change
      },
      DELETE: {
        summary: "Remove a dashboard with its widgets",
        access: "writer",
        parameters: [idParameter],
        answer: noBody(204, "Done"),
        handle: remove
      }
    }
  },
  {
    path: "/dashboards/:id/copy",
    section,
    operations: {
      POST: {
        summary: "Copy a dashboard with its widgets",
        access: "writer",
        parameters: [idParameter],
        body: {
          kind: "json",
          description: "The name of the copy",
          schema: dashboardCopyBody,
          example: { name: "Cloned Dashboard" }
        },
        answer: { ...oneDashboard, description: "The copy" },
        handle: copy
      }
    }
  }
];
function byElementType(path) {
  return {
    path,
    section,
    operations: {
      GET: {
        summary: "The dashboard of an element type, with its widgets",
        access: "reader",
        parameters: [
          {
            name: "type",
            in: "path",
            description: "An element type in any case, with a variant after a hyphen if wanted",
            required: true,
            example: "SERVER-SIMPLE"
          }
        ],
        answer: {
          status: 200,
          description: "The dashboard; its id is the type",
          schema: record({ elementTypeDashboard: typeDashboardRecord })
        },
        handle: getByElementType
      }
    }
  };
}

// src/wire/records/incident-document.ts
var incidentRecord = record({
  incidentId: uuid,
  tenantId: uuid,
  policyId: uuid,
  elementId: uuid,
  elementName: text,
  tsFirstFired: instant,
  tsLastFired: instant,
  tsClosed: orNull(instant),
  eventIds: listOf(uuid),
  violatingMetricFqns: listOf(text),
  closed: flag,
  acked: flag
});
var checkRecord = record({
  id: uuid,
  tenantId: uuid,
  name: text,
  elementId: uuid,
  elementFqn: text,
  ttl: number,
  lastPosted: instant,
  expires: instant,
  expired: flag
});
function incidentDocument(incident, tenantId) {
  const { closedMs } = incident;
  return {
    incidentId: incident.id,
    tenantId,
    policyId: incident.policyId,
    elementId: incident.elementId,
    elementName: incident.elementName,
    tsFirstFired: formatInstantSeconds(incident.timeMs),
    tsLastFired: formatInstantSeconds(incident.lastFiredMs),
    tsClosed: closedMs === null ? null : formatInstantSeconds(closedMs),
    eventIds: incident.eventIds,
    violatingMetricFqns: incident.violatingMetricFqns,
    closed: closedMs !== null,
    acked: incident.acked
  };
}
function checkDocument(check4, { tenantId, nowMs }) {
  return {
    id: check4.id,
    tenantId,
    name: check4.name,
    elementId: check4.elementId,
    elementFqn: check4.elementFqn,
    ttl: check4.ttlSeconds,
    lastPosted: formatInstant(check4.postedMs),
    expires: formatInstant(check4.expiresMs),
    expired: check4.expiresMs <= nowMs
  };
}

// src/http/routes/checks.ts
var section2 = "Checks";
var post = async (call, rooms) => {
  await rooms.records.checks.post(call.tenant, checkIn(call));
  return { status: 202 };
};
var list2 = async (call, rooms) => {
  const { tenant, nowMs } = call;
  const checks = await rooms.records.checks.list(tenant);
  const at = { tenantId: rooms.accounts.tenantUuid(tenant), nowMs };
  return json({ checks: checks.map((check4) => checkDocument(check4, at)) });
};
function checkIn({ path }) {
  const problems = [];
  const name = (path["name"] ?? "").trim();
  if (name === "" || name.length > checkNameCharactersMax || name.includes("\0")) {
    const accepted2 = `1 to ${checkNameCharactersMax} characters`;
    problems.push(`name: expected ${accepted2}, got ${shown(name)}`);
  }
  const elementFqn = cleanFqn(path["fqn"] ?? "");
  if (elementFqn === "" || elementFqn.length > fqnCharactersMax) {
    const accepted2 = `1 to ${fqnCharactersMax} of the characters a-z A-Z 0-9 . _ -`;
    problems.push(`fqn: expected ${accepted2}, got ${shown(path["fqn"])}`);
  }
  const ttl = path["ttl"] ?? "";
  const ttlSeconds = /^\d{1,10}(?:\.\d{1,6})?$/.test(ttl) ? Number(ttl) : 0;
  if (ttlSeconds <= 0 || ttlSeconds > checkTtlSecondsMax) {
    problems.push(`ttl: expected seconds, above 0 up to ${checkTtlSecondsMax}, got ${shown(ttl)}`);
  }
  if (problems.length > 0) throw invalid(problems);
  return { name, elementFqn, ttlSeconds };
}
function inPath(name, description2, example3) {
  const more = example3 === void 0 ? {} : { example: example3 };
  return { name, in: "path", description: description2, required: true, ...more };
}
var parameters = [
  inPath("apiId", "An API key"),
  inPath("name", "Name of the check", "heartbeat"),
  inPath("fqn", "FQN of its element", "web-1"),
  inPath("ttl", "Seconds after which it lapses where it is not posted again", "150")
];
var kindParameter = inPath("kind", "The kind of collector, any word", "infrastructure");
var posting = {
  summary: "Arm a check: it lapses where it is not posted again in time",
  access: "key",
  parameters,
  answer: noBody(202, "Stored durably"),
  handle: post
};
var checkRoutes = [
  { path: "/check/:apiId/:name/:fqn/:ttl", section: section2, operations: { POST: posting } },
  {
    path: "/check/:kind/:apiId/:name/:fqn/:ttl",
    section: section2,
    operations: { POST: { ...posting, parameters: [kindParameter, ...parameters] } }
  },
  {
    path: "/checks",
    section: section2,
    operations: {
      GET: {
        summary: "All checks with the time at which each lapses",
        access: "reader",
        answer: {
          status: 200,
          description: "`checks`, by element and name",
          schema: record({ checks: listOf(checkRecord) })
        },
        handle: list2
      }
    }
  }
];

// src/records/secret-values.ts
var hiddenSecret = "******";
var secretName = new RegExp(
  [
    "secret|passw|passphrase|pwd|token|credential|bearer|authorization|cookie",
    "^(?:key|pass|auth|sas|dsn|headers?)$",
    "(?:private|service|api|access|account|shared|routing|integration|signing|license)key$",
    "(?:basic|http|proxy|smtp|api|user|web)(?:auth|pass)$",
    "connectionstring$"
  ].join("|")
);
var separators = /[-_.\s:/]/g;
function isSecret(name) {
  return secretName.test(name.toLowerCase().replace(separators, ""));
}
var addressName = /(?:ur[il]|endpoint|webhook|callback|hook)$/i;
var hostName = /^(?:host|host-?name|server|domain|port)$/i;
var urlForm = /^([a-z][a-z0-9+.:-]*:[\\/]{2})(?:([^\s/\\?#]*)@)?([^\s/\\?#]*)([^\s?#]*)(\?[^\s#]*)?(#\S*)?$/i;
function isUrl(value) {
  return urlForm.test(value);
}
function shownValue(name, value) {
  if (value === "") return value;
  if (isSecret(name)) return hiddenSecret;
  const parts = urlForm.exec(value);
  if (parts === null) return value;
  const [, scheme, user, host, path = "", query2 = "", fragment = ""] = parts;
  const userShown = user === void 0 ? "" : `${hiddenSecret}@`;
  const rest = addressName.test(name) ? shownPath(path, query2, fragment) : path + query2 + fragment;
  return `${scheme}${userShown}${host}${rest}`;
}
function shownPath(path, query2, fragment) {
  const segments = path.split("/").map((one) => isTokenLike(one) ? hiddenSecret : one);
  const values = query2.replace(/=[^&]*/g, `=${hiddenSecret}`);
  const queryShown = query2 !== "" && !query2.includes("=") ? `?${hiddenSecret}` : values;
  return segments.join("/") + queryShown + (fragment === "" ? "" : `#${hiddenSecret}`);
}
function isTokenLike(segment) {
  return segment.length >= 16 || segment.length >= 6 && /\d/.test(segment);
}
function readerValue(name, value) {
  const isAddress = value !== "" && (addressName.test(name) || value !== shownValue(name, value));
  return isAddress ? hiddenSecret : value;
}
function originOf(name, value) {
  if (hostName.test(name)) return value.trim().toLowerCase();
  if (!addressName.test(name)) return null;
  if (!URL.canParse(value)) return value.trim();
  const { protocol, host, origin } = new URL(value);
  return origin === "null" ? `${protocol}//${host}` : origin;
}

// src/records/guarded-properties.ts
var noProperties = { clear: {}, sealed: {} };
var Changing = class {
  clear;
  sealed;
  shown;
  guard;
  constructor(stored, guard) {
    this.guard = guard;
    this.clear = new Map(Object.entries(stored.clear));
    this.sealed = new Map(Object.entries(stored.sealed));
    this.shown = new Map(Object.entries(stored.shown ?? {}));
    for (const [name, value] of this.clear) {
      if (shownValue(name, value) !== value) this.put(name, value);
    }
  }
  /** Whether a value is what was shown of the secret that is kept under this name. */
  isShown(name, value) {
    if (!this.sealed.has(name)) return false;
    return value === hiddenSecret || value === this.shown.get(name);
  }
  put(name, value) {
    for (const values of [this.clear, this.sealed, this.shown]) values.delete(name);
    if (value === null) return;
    const { box, place } = this.guard;
    const shown2 = shownValue(name, value);
    if (shown2 === value) return void this.clear.set(name, value);
    this.sealed.set(name, box.seal(value, placeOf2(place, name)));
    if (shown2 !== hiddenSecret) this.shown.set(name, shown2);
  }
  finished() {
    const [clear, sealed] = [Object.fromEntries(this.clear), Object.fromEntries(this.sealed)];
    if (this.shown.size === 0) return { clear, sealed };
    return { clear, sealed, shown: Object.fromEntries(this.shown) };
  }
};
function mergeProperties(stored, sent2, guard, movedBy = null) {
  const { field } = guard;
  const changing = new Changing(stored, guard);
  const former = changing.finished();
  const kept = new Set(Object.keys(former.sealed));
  for (const [name, value] of Object.entries(sent2)) {
    if (changing.isShown(name, value)) continue;
    if (value !== null && isMasked(name, value)) {
      throw invalid(`${field}.${name}: expected the secret itself, got ${shown(value)}`);
    }
    changing.put(name, value);
    kept.delete(name);
  }
  const merged2 = changing.finished();
  const reason = movedBy ?? movedTarget(former, merged2);
  if (reason !== null && kept.size > 0) {
    throw invalid(
      [...kept].map(
        (name) => `${field}.${name}: expected the secret itself and not what was stored: ${reason}`
      )
    );
  }
  return merged2;
}
function isMasked(name, value) {
  if (isSecret(name)) return value === hiddenSecret;
  return value.includes(hiddenSecret) && (originOf(name, value) !== null || isUrl(value));
}
function movedTarget(former, merged2) {
  const [before, now] = [targetsOf(former), targetsOf(merged2)];
  for (const name of /* @__PURE__ */ new Set([...before.keys(), ...now.keys()])) {
    const [from, to] = [before.get(name), now.get(name)];
    if (from === to) continue;
    return `${name} leads to ${shown(to ?? "the default")} and no longer to ${shown(
      from ?? "the default"
    )}`;
  }
  return null;
}
function targetsOf({ clear, shown: shown2 = {} }) {
  const targets = /* @__PURE__ */ new Map();
  for (const [name, value] of Object.entries({ ...clear, ...shown2 })) {
    const origin = originOf(name, value);
    if (origin !== null && value.trim() !== "") targets.set(name, origin);
  }
  return targets;
}
function shownProperties({ clear, sealed, shown: shown2 = {} }, viewer = "writer") {
  const view = viewer === "writer" ? shownValue : readerValue;
  const visible = Object.entries(clear).map(([name, value]) => [name, view(name, value)]);
  const hidden = Object.keys(sealed).map((name) => [
    name,
    viewer === "writer" ? shown2[name] ?? hiddenSecret : hiddenSecret
  ]);
  return Object.fromEntries([...visible, ...hidden]);
}
function openProperties(properties, guard) {
  const { box, place, field } = guard;
  const lost = lostSecrets(properties, guard);
  if (lost.length > 0) {
    const reason = "what is stored was sealed under another secrets.key";
    throw invalid(
      lost.map((name) => `${field}.${name}: expected it to be entered again: ${reason}`)
    );
  }
  const opened2 = Object.entries(properties.sealed).map(([name, text3]) => [
    name,
    box.open(text3, placeOf2(place, name))
  ]);
  return { ...properties.clear, ...Object.fromEntries(opened2) };
}
function lostSecrets({ sealed }, { box, place }) {
  const isLost = ([name, text3]) => {
    try {
      box.open(text3, placeOf2(place, name));
      return false;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return true;
    }
  };
  return Object.entries(sealed).filter(isLost).map(([name]) => name);
}
function placeOf2(place, name) {
  return `${place}/${name}`;
}

// src/wire/records/datasource-body.ts
import * as v from "valibot";
var datasourcesPerRequestMax = 100;
var typeText = v.pipe(
  nonEmptyText,
  v.regex(/^[a-zA-Z][a-zA-Z0-9 _-]{0,63}$/, "a type such as CUSTOM, INFRASTRUCTURE or AWS")
);
var fields = {
  name: v.nullish(nonEmptyText),
  type: v.nullish(typeText),
  properties: v.nullish(propertiesValue),
  enabled: v.nullish(booleanValue)
};
var newDatasourceBody = objectValue({
  dataSource: objectValue({ ...fields, type: typeText })
});
var newDatasourceListBody = v.pipe(
  v.array(newDatasourceBody, "an array"),
  v.minLength(1, "at least one datasource"),
  v.maxLength(datasourcesPerRequestMax, `at most ${datasourcesPerRequestMax} datasources`)
);
var newDatasourcesBody = v.union([newDatasourceBody, newDatasourceListBody]);
var changedDatasourceBody = objectValue({ dataSource: objectValue(fields) });

// src/wire/records/datasource-document.ts
var datasourceRecord = record({
  id: wholeNumber,
  name: text,
  type: text,
  properties: told(textMap, "Secrets are asterisks"),
  secretsToEnter: optional(told(listOf(text), "Properties whose secrets must be entered again")),
  enabled: flag,
  deleted: flag,
  apiId: told(orNull(text), "The API key at its creation, asterisks from then on"),
  collectors: told(listOf(anything), "Always empty")
});
function datasourceDocument(datasource) {
  const { id: id2, name, type, properties, enabled, apiId, lostSecrets: lostSecrets2 = [] } = datasource;
  const more = lostSecrets2.length === 0 ? {} : { secretsToEnter: lostSecrets2 };
  return { id: id2, name, type, properties, enabled, deleted: false, apiId, collectors: [], ...more };
}

// src/http/routes/datasources.ts
var section3 = "Datasources";
var idParameter2 = {
  name: "id",
  in: "path",
  description: "Id of the datasource, a whole number",
  value: idValue,
  required: true,
  example: "1"
};
var list3 = async (call, { records }) => {
  flagOf(call, "includeElements", false);
  const found = await records.datasources.list(call.tenant);
  return json({ dataSources: found.map((datasource) => documentOf(datasource, call, records)) });
};
var create2 = async (call, { records }) => {
  const { body: body2, tenant } = call;
  if (!Array.isArray(body2)) {
    const { dataSource } = readRecord(newDatasourceBody, body2);
    const [made2] = await records.datasources.create(tenant, [dataSource], () => "dataSource");
    return json({ dataSource: documentOf(made2.datasource, call, records, made2.apiKey) });
  }
  const fields3 = readRecord(newDatasourceListBody, body2).map(({ dataSource }) => dataSource);
  const made = await records.datasources.create(tenant, fields3, (i) => `[${i}].dataSource`);
  return json(
    made.map(({ datasource, apiKey }) => ({
      dataSource: documentOf(datasource, call, records, apiKey)
    }))
  );
};
var get2 = async (call, { records }) => {
  const datasource = await records.datasources.get(call.tenant, numberIn(call));
  return json({ dataSource: documentOf(datasource, call, records) });
};
var change2 = async (call, { records }) => {
  const id2 = numberIn(call);
  const { dataSource } = readRecord(changedDatasourceBody, call.body);
  const changed = await records.datasources.change(call.tenant, id2, dataSource);
  return json({ dataSource: documentOf(changed, call, records) });
};
var remove2 = async (call, { records }) => {
  await records.datasources.remove(call.tenant, numberIn(call));
  return noContent;
};
function documentOf(stored, call, { datasources }, apiKey = null) {
  const { id: id2, body: body2 } = stored;
  const { name, type, enabled, hasKey } = body2;
  const properties = shownProperties(body2.properties, viewerOf(call));
  const apiId = hasKey ? apiKey ?? hiddenSecret : null;
  const lostSecrets2 = datasources.lostSecrets(call.tenant, stored);
  return datasourceDocument({
    id: Number(id2),
    name,
    type,
    properties,
    enabled,
    apiId,
    lostSecrets: lostSecrets2
  });
}
var example = {
  dataSource: {
    name: "Metricly AWS",
    type: "AWS",
    properties: {
      awsAuthentication: "role",
      iamRole: "arn:aws:iam::120056789012:role/Metricly-Read-Only-Role-1200567890",
      ec2Enabled: true
    }
  }
};
var exampleRecord2 = datasourceDocument({
  id: 1,
  name: "Custom",
  type: "CUSTOM",
  properties: {},
  enabled: true,
  apiId: hiddenSecret
});
var wrapped = record({ dataSource: datasourceRecord });
var oneDatasource = { status: 200, schema: wrapped, example: { dataSource: exampleRecord2 } };
var datasourceRoutes = [
  {
    path: "/datasources",
    section: section3,
    operations: {
      GET: {
        summary: "All datasources, those that came with the account too",
        access: "reader",
        parameters: [
          {
            name: "includeElements",
            in: "query",
            value: flagValue(false),
            description: "Accepted for real clients; collectors and their elements are not recorded",
            example: "true"
          }
        ],
        answer: {
          status: 200,
          description: "`dataSources`, by id",
          schema: record({ dataSources: listOf(datasourceRecord) }),
          example: { dataSources: [exampleRecord2] }
        },
        handle: list3
      },
      POST: {
        summary: "Create one datasource, or many with an array",
        access: "writer",
        body: {
          kind: "json",
          description: "Values of properties are kept as texts and not validated. A type that agents send for gets an API key of its own",
          schema: newDatasourcesBody,
          example
        },
        answer: {
          ...oneDatasource,
          schema: either([wrapped, listOf(wrapped)]),
          description: "What was created, in the form that was sent; `apiId` is told only here"
        },
        handle: create2
      }
    }
  },
  {
    path: "/datasources/:id",
    section: section3,
    operations: {
      GET: {
        summary: "One datasource",
        access: "reader",
        parameters: [idParameter2],
        answer: {
          ...oneDatasource,
          description: "The datasource; secrets are hidden, and addresses from Read Only"
        },
        handle: get2
      },
      PUT: {
        summary: "Change a datasource; a disabled one's API keys are refused",
        access: "writer",
        parameters: [idParameter2],
        body: {
          kind: "json",
          description: "What is absent stays, properties are merged; a hidden secret sent back stays. If an address leads to another origin, secrets are to be sent again",
          schema: changedDatasourceBody,
          example: { dataSource: { name: "Custom", properties: { note: "agents of the lab" } } }
        },
        answer: { ...oneDatasource, description: "The datasource as it is now" },
        handle: change2
      },
      DELETE: {
        summary: "Remove a datasource with its API keys; those of the account stay",
        access: "writer",
        parameters: [idParameter2],
        answer: noBody(204, "Done"),
        handle: remove2
      }
    }
  }
];

// src/http/docs-page.ts
var docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tidegauge API</title>
<link rel="stylesheet" href="/docs/page.css">
<script src="/docs/page.js" defer></script>
</head>
<body>
<header>
  <h1>Tidegauge API</h1>
  <p id="about"></p>
  <form id="login" autocomplete="off">
    <label>E-mail <input id="user" autocomplete="off"></label>
    <label>Password <input id="password" type="password" autocomplete="off"></label>
    <label>Find <input id="find" type="search"></label>
    <a href="/openapi.json">openapi.json</a>
  </form>
</header>
<main id="operations"><p>Reading the description\u2026</p></main>
<noscript><p>The page needs its script; the description is at /openapi.json.</p></noscript>
</body>
</html>
`;
var docsStyle = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; }
h1 { margin: 0; }
h2 { margin: 2rem 0 .5rem; border-bottom: 1px solid #8886; }
#login { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }
label { display: inline-grid; font-size: .85rem; }
input, textarea, button { font: inherit; padding: .25rem .5rem; }
textarea { width: 100%; box-sizing: border-box; font: 13px/1.4 ui-monospace, monospace; }
details { margin: .25rem 0; border: 1px solid #8884; border-radius: .3rem; }
summary { cursor: pointer; padding: .35rem .6rem; }
details > div { padding: 0 .8rem .8rem; }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
pre { overflow: auto; max-height: 24rem; padding: .6rem; background: #8881; border-radius: .3rem; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; }
.get { color: #1a7f37; } .post { color: #0969da; } .put { color: #9a6700; }
.delete { color: #cf222e; }
.what { opacity: .8; margin-left: .6rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; }
`;
var docsScript = `"use strict"

const byId = (id) => document.getElementById(id)

/** An element with texts and elements in it. */
function make(tag, attributes, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value)
  node.append(...children)
  return node
}

const asText = (value) => JSON.stringify(value, null, 2)

async function start() {
  const api = await (await fetch("/openapi.json")).json()
  byId("about").textContent = api.info.description
  const main = byId("operations")
  main.replaceChildren()
  for (const { name } of api.tags) {
    const section = make("section", {}, make("h2", {}, name))
    for (const [path, item] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.tags[0] === name) section.append(card(api, path, method, operation))
      }
    }
    main.append(section)
  }
  byId("find").addEventListener("input", find)
  byId("login").addEventListener("submit", (event) => event.preventDefault())
}

/** Shows the operations whose path or summary holds what was typed. */
function find() {
  const wanted = byId("find").value.toLowerCase()
  for (const node of document.querySelectorAll("details.operation")) {
    node.hidden = !node.firstChild.textContent.toLowerCase().includes(wanted)
  }
  for (const node of document.querySelectorAll("section")) {
    node.hidden = node.querySelector("details:not([hidden])") === null
  }
}

function card(api, path, method, operation) {
  const head = make(
    "summary",
    {},
    make("span", { class: "method " + method }, method.toUpperCase()),
    make("code", {}, path),
    make("span", { class: "what" }, operation.summary),
  )
  const node = make("details", { class: "operation", id: operation.operationId }, head)
  // Built when it is opened: there are many.
  node.addEventListener("toggle", () => {
    if (node.childElementCount === 1) node.append(inside(api, path, method, operation))
  })
  return node
}

function inside(api, path, method, operation) {
  const inputs = (operation.parameters || []).map((parameter) => {
    const input = make("input", { placeholder: parameter.required ? "required" : "" })
    const example = [parameter.example].flat()[0]
    if (parameter.required && example !== undefined) input.value = example
    return { parameter, input }
  })
  const body = bodyOf(operation)
  const area = body && make("textarea", { rows: "10", spellcheck: "false" })
  if (area) area.value = body.example === undefined ? "" : asText(body.example)
  const output = make("pre", { class: "answer", hidden: "", tabindex: "0" })
  const button = make("button", { type: "button" }, "Send")
  button.addEventListener("click", () => {
    void send({ path, method, operation, inputs, area, type: body && body.type, output })
  })
  return make(
    "div",
    {},
    ...(inputs.length > 0 ? [parameterTable(inputs)] : []),
    ...(body ? [make("p", {}, operation.requestBody.description), area] : []),
    ...(body && body.schema ? [schemaView("Schema of the body", api, body.schema)] : []),
    make("p", {}, button),
    output,
    ...answers(api, operation),
  )
}

function bodyOf(operation) {
  if (!operation.requestBody) return null
  const [[type, content]] = Object.entries(operation.requestBody.content)
  return { type, example: content.example, schema: content.schema }
}

function parameterTable(inputs) {
  const rows = inputs.map(({ parameter, input }) =>
    make(
      "tr",
      {},
      make("td", {}, make("code", {}, parameter.name), " (" + parameter.in + ")"),
      make("td", {}, input),
      make("td", {}, parameter.description),
    ),
  )
  return make("table", {}, ...rows)
}

function answers(api, operation) {
  return Object.entries(operation.responses).map(([status, response]) => {
    const line = make("p", {}, make("b", {}, status), " " + response.description)
    const content = response.content && response.content["application/json"]
    if (!content) return line
    const example = content.example
    const parts = example === undefined ? [] : [make("pre", {}, asText(example))]
    if (Object.keys(content.schema).length > 0) {
      parts.push(schemaView("Schema of the answer", api, content.schema))
    }
    return make("div", {}, line, ...parts)
  })
}

/** A schema, with what it refers to below it. */
function schemaView(title, api, schema) {
  if (Object.keys(schema).length === 0) return ""
  const names = new Set()
  const look = (node) => {
    if (typeof node !== "object" || node === null) return
    if (typeof node.$ref === "string" && !names.has(node.$ref)) {
      names.add(node.$ref)
      look(api.components.schemas[node.$ref.split("/").pop()])
    }
    Object.values(node).forEach(look)
  }
  look(schema)
  const others = [...names].map((ref) => {
    const name = ref.split("/").pop()
    return make("pre", {}, name + ": " + asText(api.components.schemas[name]))
  })
  const node = make("details", {}, make("summary", {}, title))
  node.append(make("div", {}, make("pre", {}, asText(schema)), ...others))
  return node
}

/** Basic credentials of the form; texts beyond Latin-1 go as UTF-8. */
function credentials() {
  const user = byId("user").value
  if (user === "") return {}
  const bytes = new TextEncoder().encode(user + ":" + byId("password").value)
  return { Authorization: "Basic " + btoa(String.fromCharCode(...bytes)) }
}

async function send({ path, method, operation, inputs, area, type, output }) {
  const query = new URLSearchParams()
  const headers = operation.security && operation.security.length === 0 ? {} : credentials()
  let url = path
  for (const { parameter, input } of inputs) {
    if (input.value === "" && parameter.in !== "path") continue
    if (parameter.in === "path") {
      url = url.replace("{" + parameter.name + "}", encodeURIComponent(input.value))
    } else if (parameter.in === "header") headers[parameter.name] = input.value
    else query.append(parameter.name, input.value)
  }
  if (query.size > 0) url += "?" + query
  const init = { method: method.toUpperCase(), headers, credentials: "omit" }
  if (area) {
    headers["Content-Type"] = type === "*/*" ? "text/plain" : type
    init.body = area.value
  }
  output.hidden = false
  output.textContent = init.method + " " + url + " \u2026"
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    output.textContent = init.method + " " + url + " \u2192 " + response.status + "\\n\\n" + pretty(text)
  } catch (error) {
    output.textContent = String(error)
  }
}

function pretty(text) {
  try {
    return asText(JSON.parse(text))
  } catch {
    return text
  }
}

void start().catch((error) => {
  byId("operations").textContent = "The description cannot be read: " + error
})
`;

// src/wire/list-answers.ts
var metricPageAnswer = pageAnswer(foundMetricRecord);
var elementPageAnswer = pageAnswer(foundElementRecord);
var counted = { fieldValue: text, count: wholeNumber };
var countedValueRecord = record({
  ...counted,
  values: told(optional(listOf(record(counted))), "Of a tag or attribute: the values that it has")
});
var aggregationsAnswer = record({ aggregations: listOf(countedValueRecord) });
var fqnsAnswer = record({ fqns: listOf(text) });
var metricsAnswer = record({ metrics: listOf(metricRecord) });
var elementAnswer = record({ element: elementRecord });
var elementsAnswer = record({ elements: listOf(foundElementRecord) });
var elementIdsAnswer = record({ ids: listOf(uuid) });
var namePreviewAnswer = record({ preview: text });

// src/wire/server-answers.ts
var moment = {
  serverTimestamp: told(wholeNumber, "Epoch milliseconds"),
  iso8601DateTime: instant
};
var errorRecord = told(
  record({
    status: wholeNumber,
    message: told(text, "The status in words, such as BAD_REQUEST"),
    detail: told(text, "The kind of problem in one line"),
    errors: told(listOf(text), "One sentence a problem"),
    ...moment
  }),
  "The one shape of every error"
);
var acceptedRecord = record({
  status: constant(202),
  message: constant("ACCEPTED"),
  detail: told(text, "How much was received"),
  warnings: told(optional(listOf(text)), "Which samples were left out, at most 20"),
  ...moment
});
var liveAnswer = record({ status: constant("live") });
var readyAnswer = record({ status: constant("ready"), version: text });
var timeAnswer = record({ epochMillis: wholeNumber, iso8601: instant, version: text });

// src/wire/records/notification-document.ts
var notificationRecord = record({
  id: wholeNumber,
  tenantId: uuid,
  enabled: flag,
  type: text,
  properties: told(textMap, "Secrets are asterisks"),
  secretsToEnter: optional(told(listOf(text), "Properties whose secrets must be entered again"))
});
var testOutcomeAnswer = record({ success: flag, content: text });
function notificationDocument(notification) {
  const { id: id2, tenantId, enabled, type, properties, lostSecrets: lostSecrets2 = [] } = notification;
  const more = lostSecrets2.length === 0 ? {} : { secretsToEnter: lostSecrets2 };
  return { id: id2, tenantId, enabled, type, properties, ...more };
}

// src/wire/records/package-document.ts
var alwaysNull = told(orNull(anything), "Always null");
var packageRecord = record({
  id: uuid,
  tenantId: uuid,
  packageId: text,
  version: text,
  name: text,
  description: orNull(text),
  authorName: orNull(text),
  authorEmail: orNull(text),
  logo: orNull(text),
  downloadUrl: orNull(text),
  userEmail: orNull(text),
  created: instant,
  updated: instant,
  tags: listOf(text),
  policies: listOf(record({ id: uuid, name: text })),
  analyticConfigurations: listOf(
    record({
      type: alwaysNull,
      id: uuid,
      name: alwaysNull,
      scope: alwaysNull,
      metrics: told(listOf(anything), "Always empty")
    })
  ),
  dashboards: listOf(
    record({
      id: uuid,
      name: alwaysNull,
      description: alwaysNull,
      layout: alwaysNull,
      properties: alwaysNull,
      widgets: alwaysNull,
      type: alwaysNull,
      private: flag
    })
  )
});
function packageDocument(subject) {
  const { createdMs, updatedMs, policies, analyticConfigurations, dashboards, ...rest } = subject;
  const { tags: tags2, ...words2 } = rest;
  return {
    ...words2,
    created: formatInstantSeconds(createdMs),
    updated: formatInstantSeconds(updatedMs),
    tags: tags2,
    policies,
    analyticConfigurations: analyticConfigurations.map(configurationSummary),
    dashboards: dashboards.map(dashboardSummary)
  };
}
function configurationSummary({ id: id2 }) {
  return { type: null, id: id2, name: null, scope: null, metrics: [] };
}
function dashboardSummary(dashboard) {
  return {
    id: dashboard.id,
    name: null,
    description: null,
    layout: null,
    properties: null,
    widgets: null,
    type: null,
    private: dashboard.private
  };
}

// src/wire/user-document.ts
import * as v2 from "valibot";
var roleNames = ["Administrator", "Power User", "Read Only"];
var propertiesRecord2 = mapOf(orNull(text));
var userRecord = record({
  id: wholeNumber,
  email: text,
  realUser: orNull(text),
  active: flag,
  properties: propertiesRecord2,
  tenantProperties: record({
    netuitiveAccountId: uuid,
    tenantType: text,
    tenantStatus: oneOf(["ACTIVE", "DISABLED"]),
    productIds: listOf(text),
    trialExpiresAt: orNull(text),
    name: text,
    datasourceTrialCountLimit: orNull(wholeNumber)
  }),
  customElementTypeIcons: propertiesRecord2,
  roles: listOf(oneOf(roleNames)),
  administrator: flag,
  globalAdministrator: constant(false),
  globalReadOnly: constant(false),
  assumedIdentity: constant(false),
  assumedReadOnlyIdentity: constant(false),
  readOnly: flag
});
function userDocument(user) {
  const { id: id2, email, active, role, properties, customElementTypeIcons, tenant } = user;
  return {
    id: id2,
    email,
    realUser: null,
    active,
    properties,
    tenantProperties: {
      netuitiveAccountId: tenant.uuid,
      tenantType: "CUSTOMER",
      tenantStatus: tenant.isActive ? "ACTIVE" : "DISABLED",
      productIds: ["monitoring"],
      trialExpiresAt: null,
      name: tenant.name,
      datasourceTrialCountLimit: null
    },
    customElementTypeIcons,
    roles: [role],
    administrator: role === "Administrator",
    globalAdministrator: false,
    globalReadOnly: false,
    assumedIdentity: false,
    assumedReadOnlyIdentity: false,
    readOnly: role === "Read Only"
  };
}
var flags = {
  administrator: v2.nullish(booleanValue),
  readOnly: v2.nullish(booleanValue)
};
var userFields = objectValue({
  email: v2.nullish(v2.string()),
  password: v2.nullish(v2.string()),
  active: v2.nullish(booleanValue),
  roles: v2.nullish(v2.array(v2.picklist(roleNames, `one of ${roleNames.join(", ")}`))),
  properties: v2.nullish(propertiesValue),
  customElementTypeIcons: v2.nullish(propertiesValue),
  ...flags
});
var userBody = objectValue({ user: userFields, ...flags });
function readUserBody(raw) {
  const isWrapped = typeof raw === "object" && raw !== null && "user" in raw;
  const { user, ...outer } = readRecord(userBody, isWrapped ? raw : { user: raw ?? {} });
  const { roles, administrator, readOnly, ...rest } = user;
  const fields3 = Object.entries(rest).filter(([, value]) => value !== null && value !== void 0);
  const asked = {
    role: highestOf(roles ?? []),
    administrator: administrator ?? outer.administrator ?? null,
    readOnly: readOnly ?? outer.readOnly ?? null
  };
  return { fields: Object.fromEntries(fields3), roleOf: (current2) => roleAsked(asked, current2) };
}
function roleAsked(asked, current2) {
  const byFlags = flagRole(asked, current2);
  return asked.role !== null && asked.role !== current2 ? asked.role : byFlags;
}
function flagRole({ administrator, readOnly }, current2) {
  if (readOnly === true) return "Read Only";
  if (administrator === true) return "Administrator";
  const isAdministrator = current2 === null || current2 === "Administrator";
  if (administrator === false && (readOnly === false || isAdministrator)) return "Power User";
  return readOnly === false && current2 === "Read Only" ? "Power User" : null;
}
function highestOf(roles) {
  return roleNames.find((role) => roles.includes(role)) ?? null;
}
var featureUsageAnswer = record({
  featureUsage: record({
    id: wholeNumber,
    featuresUsed: mapOf(flag),
    configuredPercentage: wholeNumber
  })
});
function featureUsageDocument({
  id: id2,
  used,
  all
}) {
  const featuresUsed = Object.fromEntries(all.map((feature) => [feature, used.includes(feature)]));
  const configuredPercentage = Math.round(100 * used.length / all.length);
  return { featureUsage: { id: id2, featuresUsed, configuredPercentage } };
}

// src/wire/components.ts
var bodyComponents = {
  Query: querySchema,
  ListGroup: listGroup,
  MapGroup: mapGroup
};
var answerComponents = {
  Error: errorRecord,
  Accepted: acceptedRecord,
  NameValue: nameValueRecord,
  Element: elementRecord,
  FoundElement: foundElementRecord,
  Metric: metricRecord,
  ElementMetric: elementMetricRecord,
  FoundMetric: foundMetricRecord,
  MetricMeta: metricMetaRecord,
  Sample: sampleRecord,
  SampleFields: sampleFieldsRecord,
  Statistics: statisticsRecord,
  MetricStatistics: metricStatisticsRecord,
  CountedValue: countedValueRecord,
  Dashboard: dashboardRecord,
  TypeDashboard: typeDashboardRecord,
  Widget: widgetRecord,
  Datasource: datasourceRecord,
  Notification: notificationRecord,
  Policy: policyRecord,
  Event: eventRecord,
  EventCategory: categoryRecord,
  Incident: incidentRecord,
  Check: checkRecord,
  Package: packageRecord,
  User: userRecord
};

// src/wire/json-schema.ts
import { toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
function describeSchema(schema, name, place) {
  const { $schema: _dialect, ...described } = bodySchema(schema, place);
  const inliner = new Inliner(described.$defs ?? {}, inlinerNames(name), place.refStart);
  return { schema: inliner.inlined(described), definitions: inliner.recursive };
}
function describeNamedBodies(place) {
  const entries = Object.entries(place.named).flatMap(([name, schema]) => {
    const definitions = bodySchema(schema, place).$defs ?? {};
    const inliner = new Inliner(definitions, inlinerNames(name), place.refStart);
    const own = inliner.inlined(definitions[name]);
    return [[name, own], ...Object.entries(inliner.recursive)];
  });
  return Object.fromEntries(entries);
}
function bodySchema(schema, place) {
  const options2 = { ...namedOptions(place), typeMode: "input", errorMode: "ignore" };
  return toJsonSchema(schema, options2);
}
function inlinerNames(name) {
  return (id2) => `${name}${Number(id2) + 1}`;
}
function describeAnswer(schema, place) {
  const options2 = { ...namedOptions(place), typeMode: "output" };
  const { $schema: _dialect, $defs: _named, ...described } = toJsonSchema(schema, options2);
  return described;
}
function describeNamedAnswers(place) {
  const { definitions, ...options2 } = namedOptions(place);
  return toJsonSchemaDefs({ ...definitions }, { ...options2, typeMode: "output" });
}
function namedOptions({ named: named3, refStart }) {
  const overrideRef = ({ referenceId }) => Object.hasOwn(named3, referenceId) ? refStart + referenceId : null;
  return { target: "draft-2020-12", definitions: named3, overrideRef };
}
var localRef = "#/$defs/";
var Inliner = class {
  recursive = {};
  definitions;
  nameOf;
  refStart;
  /** Definitions that are being put in place, outermost first. */
  open = [];
  constructor(definitions, nameOf5, refStart) {
    this.definitions = definitions;
    this.nameOf = nameOf5;
    this.refStart = refStart;
  }
  inlined(schema) {
    return this.walk(schema);
  }
  walk(node) {
    if (Array.isArray(node)) return node.map((item2) => this.walk(item2));
    if (typeof node !== "object" || node === null) return node;
    const { $ref } = node;
    if (typeof $ref === "string" && $ref.startsWith(localRef)) {
      return this.resolve($ref.slice(localRef.length));
    }
    const entries = Object.entries(node).filter(([field]) => field !== "$defs");
    return Object.fromEntries(entries.map(([field, value]) => [field, this.walk(value)]));
  }
  resolve(id2) {
    const name = this.nameOf(id2);
    if (this.open.includes(id2)) {
      this.recursive[name] ??= {};
      return { $ref: this.refStart + name };
    }
    this.open.push(id2);
    const resolved = this.walk(this.definitions[id2]);
    this.open.pop();
    if (this.recursive[name] === void 0) return resolved;
    this.recursive[name] = resolved;
    return { $ref: this.refStart + name };
  }
};

// src/http/openapi.ts
var schemasRef = "#/components/schemas/";
var errorRef = { $ref: `${schemasRef}Error` };
var bodies = { named: bodyComponents, refStart: schemasRef };
var answers = { named: answerComponents, refStart: schemasRef };
function describeApi(routes, version2) {
  const schemas = {
    ...describeNamedAnswers(answers),
    ...describeNamedBodies(bodies)
  };
  const paths = Object.fromEntries(
    routes.map((route) => [openPath(route.path), pathItem(route, schemas)])
  );
  const sections = [...new Set(routes.map(({ section: section16 }) => section16))];
  return {
    openapi: "3.1.0",
    info: {
      title: "Tidegauge",
      version: version2,
      description: "Elements, metrics and samples: ingest, statistics, and whatever is made of them. A trailing slash is accepted on every path, and HEAD wherever there is GET."
    },
    servers: [{ url: "/" }],
    tags: sections.map((name) => ({ name })),
    paths,
    components: { securitySchemes: { basic: { type: "http", scheme: "basic" } }, schemas }
  };
}
function openPath(path) {
  return path.replace(pathName, "{$1}");
}
var pathName = /:([A-Za-z0-9_]+)(?:\{[^}]*\})?\??/g;
function pathNames(path) {
  return [...path.matchAll(pathName)].map((match) => match[1]);
}
function pathItem(route, schemas) {
  const entries = methods.flatMap((method) => {
    const operation = route.operations[method];
    if (operation === void 0) return [];
    return [[method.toLowerCase(), describeOperation(route, { method, operation, schemas })]];
  });
  return Object.fromEntries(entries);
}
function describeOperation({ path, section: section16 }, place) {
  const { method, operation, schemas } = place;
  const { summary, access, body: body2, answer } = operation;
  const id2 = operationId(method, path);
  const parameters2 = allParameters(path, operation.parameters ?? []).map(describeParameter);
  return {
    operationId: id2,
    summary,
    tags: [section16],
    ...security(access),
    ...parameters2.length === 0 ? {} : { parameters: parameters2 },
    ...body2 === void 0 ? {} : { requestBody: requestBody(body2, `${id2}Body`, schemas) },
    responses: {
      [answer.status]: response(answer),
      ...errorResponses(path, operation)
    }
  };
}
function operationId(method, path) {
  const words2 = openPath(path).match(/[A-Za-z0-9]+/g) ?? [];
  return method.toLowerCase() + words2.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
}
function allParameters(path, told2) {
  const isTold = (name) => told2.some((one) => one.in === "path" && one.name === name);
  const rest = pathNames(path).filter((name) => !isTold(name));
  return [
    ...rest.map((name) => ({ name, in: "path", description: meaning(name) })),
    ...told2
  ];
}
var meanings = {
  elementId: "UUID or fully qualified name of the element",
  metricId: "UUID or fully qualified name of the metric",
  apiId: "API key"
};
function meaning(name) {
  return meanings[name] ?? "Id, as in the record";
}
function describeParameter({ name, in: place, description: description2, ...more }) {
  const { required, repeatable, example: example3, value = { type: "string" } } = more;
  return {
    name,
    in: place,
    description: description2,
    ...place === "path" || required ? { required: true } : {},
    schema: repeatable ? { type: "array", items: value } : value,
    ...example3 === void 0 ? {} : { example: repeatable ? [example3] : example3 }
  };
}
function security(access) {
  if (access === "anyone" || access === "key") return { security: [] };
  return { security: access === "local" ? [{ basic: [] }, {}] : [{ basic: [] }] };
}
function requestBody(body2, name, schemas) {
  const { kind: kind5, description: description2, schema, example: example3 } = body2;
  const type = kind5 === "json" ? "application/json" : "*/*";
  return { description: description2, content: { [type]: content({ schema, example: example3 }, name, schemas) } };
}
function response({ description: description2, schema, type, mayBeEmpty, example: example3 }) {
  if (schema === null) return { description: description2 };
  const content2 = {
    schema: describeAnswer(schema, answers),
    ...example3 === void 0 ? {} : { example: example3 }
  };
  const words2 = mayBeEmpty ? `${description2} (otherwise empty)` : description2;
  return { description: words2, content: { [type ?? "application/json"]: content2 } };
}
function content({ schema, example: example3 }, name, schemas) {
  const described = schema === void 0 ? null : describeSchema(schema, name, bodies);
  Object.assign(schemas, described?.definitions);
  return {
    schema: described?.schema ?? {},
    ...example3 === void 0 ? {} : { example: example3 }
  };
}
function errorResponses(path, { access, body: body2, mayMiss }) {
  const content2 = { "application/json": { schema: errorRef } };
  const names = pathNames(path).filter((name) => name !== "apiId" && name !== "kind");
  const isOpen2 = access === "anyone";
  const statuses = {
    400: !isOpen2 && "Something sent has no meaning: `errors` name it",
    401: !isOpen2 && access !== "key" && "No or wrong credentials",
    403: !isOpen2 && (access === "key" ? "The API key is unknown or disabled" : "Not allowed"),
    404: (names.length > 0 || mayMiss === true) && "There is no such thing",
    413: body2 !== void 0 && "The body is over its limit",
    429: !isOpen2 && "Too many requests: see Retry-After",
    500: !isOpen2 && "The server failed; nothing was stored",
    503: "Busy, stopping or not ready: see Retry-After",
    default: "Any other error"
  };
  const entries = Object.entries(statuses).filter(([, description2]) => description2 !== false);
  return Object.fromEntries(
    entries.map(([status, description2]) => [status, { description: description2, content: content2 }])
  );
}

// src/http/routes/description.ts
var section4 = "Description";
var pageHeaders = {
  "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer"
};
function descriptionRoutes(routes) {
  let printed = null;
  const description2 = async (_, { version: version2 }) => {
    printed ??= Buffer.from(JSON.stringify(describeApi(routes(), version2)));
    return { status: 200, bytes: printed };
  };
  return [
    open("/openapi.json", "This description, as OpenAPI 3.1", { handle: description2 }),
    open("/docs", "This description as a page to read and try", page(docsPage, "text/html")),
    open("/docs/page.js", "Script of the page", page(docsScript, "text/javascript")),
    open("/docs/page.css", "Style of the page", page(docsStyle, "text/css"))
  ];
}
function open(path, summary, { handle, type }) {
  const schema = type === void 0 ? mapOf(anything) : text;
  const answer = { status: 200, description: summary, schema, ...type !== void 0 && { type } };
  return {
    path,
    section: section4,
    operations: { GET: { summary, access: "anyone", answer, handle } }
  };
}
function page(body2, type) {
  const headers = { ...pageHeaders, "Content-Type": `${type}; charset=utf-8` };
  return { type, handle: async () => ({ status: 200, text: body2, headers }) };
}

// src/http/asking.ts
function asking(kind5, extra = {}) {
  return async (call, { ask: ask2 }) => {
    const { tenant, body: body2, nowMs } = call;
    const params = { ...paramsOf(call), ...extra };
    return { status: 200, bytes: await ask2({ kind: kind5, tenant, params, body: body2, nowMs }) };
  };
}
function paramsOf({ path, query: query2 }) {
  const params = new Map(Object.entries(query2));
  for (const [name, value] of Object.entries(path)) params.set(name, [value]);
  return Object.fromEntries(params);
}
var elementParameter = {
  name: "elementId",
  in: "path",
  description: "Id or FQN of an element",
  required: true,
  example: "web-1"
};
var metricParameter = {
  name: "metricId",
  in: "path",
  description: "Id or FQN of one of its metrics",
  required: true,
  example: "cpu.total"
};
var startParameter = {
  name: "startTime",
  in: "query",
  description: "Start of the window: ISO 8601 with a zone, epoch milliseconds or yyyyMMdd",
  value: timeValue,
  example: "2026-11-01T00:00:00Z"
};
var endParameter = {
  name: "endTime",
  in: "query",
  description: "End of the window, itself excluded; now where absent",
  value: timeValue,
  example: "2026-11-01T01:00:00Z"
};
var windowParameters = [
  {
    name: "duration",
    in: "query",
    description: "ISO 8601 duration up to now, at most two weeks; wins over startTime and endTime",
    value: durationValue,
    example: "PT1H"
  },
  startParameter,
  endParameter
];
var rollupParameter = {
  name: "rollup",
  in: "query",
  description: "ZERO is the raw samples; the first of several counts; PT5M if there is none",
  value: wordValue(resolutions),
  repeatable: true,
  example: "PT5M"
};

// src/http/routes/elements.ts
var section5 = "Elements";
async function namesOf(call, rooms) {
  const { tenant, nowMs } = call;
  const params = paramsOf(call);
  const answer = await rooms.ask({ kind: "names", tenant, params, body: null, nowMs });
  return JSON.parse(new TextDecoder().decode(answer));
}
var remove3 = async (call, rooms) => {
  const { element: element2 } = await namesOf(call, rooms);
  const { tenant, nowMs } = call;
  await rooms.amend({ kind: "removeElement", tenant, element: element2, nowMs });
  return noContent;
};
var listParameters = [
  many("ids", "Ids or FQNs", "web-1"),
  many("id", "The same under its other name", "web-1"),
  many("name", "Display names, in full", "Web One"),
  many("type", "Types, in full", "SERVER"),
  many("location", "Locations, in full", "Z\xFCrich"),
  many("tags", "Names of tags, or JSON with names and values; the element has all", "env"),
  {
    name: "state",
    in: "query",
    description: "true: some of its metrics are being collected; false: none is",
    value: flagValue(),
    example: "true"
  },
  {
    ...many("fields", "Fields of the documents; all where absent", "fqn"),
    value: wordValue([...elementFieldNames])
  },
  ...windowParameters
];
var samplesPath = "/elements/:elementId/metrics/:metricId/samples";
var fixedRoutes = [
  {
    path: "/elements",
    section: section5,
    operations: {
      GET: {
        summary: "All elements that pass the given parameters",
        access: "reader",
        parameters: listParameters,
        answer: {
          status: 200,
          description: "`elements`; with a window, those that had data in it",
          schema: elementsAnswer
        },
        handle: asking("elementList")
      }
    }
  },
  {
    path: "/elements/ids",
    section: section5,
    operations: {
      GET: {
        summary: "Ids of the elements that had data in a window",
        access: "reader",
        parameters: windowParameters,
        answer: {
          status: 200,
          description: "`ids`; the window begins at midnight UTC unless it is given",
          schema: elementIdsAnswer
        },
        handle: asking("elementIds")
      }
    }
  },
  {
    path: "/elements/name/preview",
    section: section5,
    operations: {
      POST: {
        summary: "How an element would be called by a template",
        access: "reader",
        mayMiss: true,
        body: {
          kind: "json",
          description: "The element and a template with ${tags.X}, ${attributes.X} and ${meta.X}, where the last is fqn, location, type, id, tenantId or originalName",
          schema: namePreviewBody,
          example: { elementId: "web-1", template: "${tags.env} ${meta.location}" }
        },
        answer: { status: 200, description: "`preview`", schema: namePreviewAnswer },
        handle: asking("namePreview")
      }
    }
  }
];
var elementRoutes = [
  ...fixedRoutes,
  {
    path: "/elements/:elementId",
    section: section5,
    operations: {
      GET: {
        summary: "One element with its metrics",
        access: "reader",
        parameters: [elementParameter],
        answer: { status: 200, description: "`element`", schema: elementAnswer },
        handle: asking("element")
      },
      DELETE: {
        summary: "Delete an element; it is there again when it is posted again",
        access: "writer",
        parameters: [elementParameter],
        answer: noBody(204, "Deleted; its values are kept"),
        handle: remove3
      }
    }
  },
  {
    path: "/elements/:elementId/metrics",
    section: section5,
    operations: {
      GET: {
        summary: "What is known of the values of an element's metrics",
        access: "reader",
        parameters: [
          elementParameter,
          many("metricFQN", "FQNs of metrics; all where absent", "cpu")
        ],
        answer: {
          status: 200,
          description: "`metricMeta`, one entry a metric",
          schema: metricMetaAnswer
        },
        handle: asking("elementMetrics")
      }
    }
  },
  {
    path: "/elements/:elementId/relationships",
    section: section5,
    operations: {
      GET: {
        summary: "The elements around one, as a graph",
        access: "reader",
        parameters: [
          elementParameter,
          {
            name: "levels",
            in: "query",
            description: "How many steps away",
            value: wholeValue(1, relationshipLevelsMax, 1),
            example: "2"
          },
          startParameter,
          endParameter
        ],
        answer: {
          status: 200,
          description: "`relationships`, as JSON Graph; with a window, elements with data in it",
          schema: relationshipsAnswer
        },
        handle: asking("relationships")
      }
    }
  },
  samples(samplesPath, {}),
  samples(`/ui${samplesPath}`, { ui: ["true"] })
];
function samples(path, extra) {
  const withSummary = extra["ui"] === void 0 ? "" : "; their min, avg, max and sum beside them";
  return {
    path,
    section: section5,
    operations: {
      GET: {
        summary: "Values of one metric over a window",
        access: "reader",
        parameters: [
          elementParameter,
          metricParameter,
          ...windowParameters,
          rollupParameter,
          {
            ...many(
              "aggregations",
              "Fields of the samples, such as ACTUAL; all where absent",
              "ACTUAL"
            ),
            value: wordValue(sampleFieldNames)
          }
        ],
        answer: {
          status: 200,
          description: `\`samples\`, oldest first${withSummary}`,
          schema: extra["ui"] === void 0 ? samplesAnswer : samplesWithSummaryAnswer
        },
        handle: asking("samples", extra)
      }
    }
  };
}
function many(name, description2, example3) {
  return { name, in: "query", description: description2, repeatable: true, example: example3 };
}

// src/wire/records/event-body.ts
import * as v3 from "valibot";
var shortText = v3.pipe(
  textValue,
  v3.maxLength(textCharactersMax, `a text of at most ${textCharactersMax} characters`)
);
var neededText = v3.pipe(shortText, v3.minLength(1, "a text that is not empty"));
var tagEntry = v3.pipe(
  objectValue({ name: neededText, value: v3.nullish(shortText, "") }),
  v3.transform(({ name, value }) => ({ name, value }))
);
var tagsValue = v3.pipe(
  v3.union(
    [
      v3.array(tagEntry),
      v3.pipe(
        v3.record(v3.string(), v3.nullish(shortText, "")),
        v3.transform((map) => Object.entries(map).map(([name, value]) => ({ name, value })))
      )
    ],
    "an array of tags with name and value"
  ),
  v3.check((tags2) => tags2.length <= tagsPerEntityMax, `at most ${tagsPerEntityMax} tags`)
);
var timestampValue = v3.union(
  [v3.number(), v3.string()],
  "epoch milliseconds or ISO 8601 with Z or \xB1hh:mm"
);
var dataValue = v3.pipe(
  v3.custom(isObject, "an object"),
  v3.looseObject({ elementId: v3.nullish(textValue), level: v3.nullish(shortText) })
);
var eventBody = objectValue({
  type: neededText,
  title: neededText,
  data: v3.nullish(dataValue),
  source: v3.nullish(shortText),
  tags: v3.nullish(tagsValue, []),
  timestamp: v3.nullish(timestampValue)
});
var eventsBody = v3.array(eventBody, "an array of events");
function readEvents(body2, moment2) {
  const problems = new Problems();
  const read = readWith(eventsBody, body2, { path: "", problems }) ?? [];
  const events = read.flatMap(
    (event, index) => postedEvent(event, { moment: moment2, problems, path: `[${index}]` })
  );
  problems.throwIfAny();
  return { received: read.length, events };
}
function postedEvent(event, reading) {
  const { type, title, data, source, tags: tags2, timestamp } = event;
  const timeMs = instantOf(timestamp ?? null, reading);
  const elementFqn = cleanFqn(data?.elementId ?? "");
  if (elementFqn.length > fqnCharactersMax) {
    reading.problems.add(
      `${reading.path}.data.elementId: expected at most ${fqnCharactersMax} characters, got ${elementFqn.length}`
    );
  }
  if (elementFqn === "" || data === null || data === void 0) return [];
  const level = levelOf(data.level ?? null, type);
  return [{ timeMs, elementFqn, level, type, title, source: source || null, data, tags: tags2 }];
}
function instantOf(timestamp, reading) {
  const { moment: moment2, problems, path } = reading;
  if (timestamp === null || timestamp === "" || moment2.injectTimestamp) return moment2.nowMs;
  const ms = typeof timestamp === "number" ? Math.floor(timestamp) : textInstant(timestamp);
  if (ms === void 0) {
    const why = isoProblem(String(timestamp));
    problems.add(`${path}.timestamp: cannot read ${shown(timestamp)}: ${why}`);
    return moment2.nowMs;
  }
  if (ms < moment2.oldestMs || ms > moment2.newestMs) {
    problems.add(`${path}.timestamp: ${outside2(ms, { timestamp, moment: moment2 })}`);
  }
  return ms;
}
var numericText = /^\s*\d{1,16}(?:\.\d*)?\s*$/;
function textInstant(text3) {
  return numericText.test(text3) ? Math.floor(Number(text3)) : parseInstant(text3);
}
function outside2(ms, { timestamp, moment: moment2 }) {
  const { oldestMs, newestMs } = moment2;
  const period = `${new Date(oldestMs).toISOString()} to ${new Date(newestMs).toISOString()}`;
  const inSeconds = ms * 1e3 >= oldestMs && ms * 1e3 <= newestMs;
  const hint = inSeconds ? "; it seems to be in epoch seconds: multiply it by 1000" : "";
  return `expected an instant in the accepted period ${period}, got ${shown(timestamp)}${hint}`;
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/http/post-body.ts
var postOverheadBytes = 1024;
async function readPost(call, budget) {
  const { bytes, heldBytes } = await collect(call, budget);
  const contentType = call.request.headers.get("content-type") ?? void 0;
  const text3 = decodeBody(bytes, charsetOf(contentType));
  if (text3 !== void 0) return { text: text3, heldBytes };
  budget.release(heldBytes);
  throw new UnreadableBody("Could not read JSON: the body is not in the charset that it declares");
}
function collect({ request, incoming }, budget) {
  const coding = codingOf(request.headers.get("content-encoding") ?? void 0);
  if (!budget.hold(postOverheadBytes)) throw postsFull();
  if (incoming === void 0) {
    return request.arrayBuffer().then((buffer) => {
      return { bytes: new Uint8Array(buffer), heldBytes: postOverheadBytes };
    });
  }
  const options2 = {
    coding,
    bytesMax: eventBodyBytesMax,
    budget,
    promise: null,
    overheadBytes: postOverheadBytes
  };
  return new Promise((resolve2, reject) => {
    collectBody(incoming, options2, (error, chunks, length) => {
      if (error !== null) reject(error);
      else resolve2({ bytes: Buffer.concat(chunks), heldBytes: length + postOverheadBytes });
    });
  });
}
function postsFull() {
  return new ServiceError("overloaded", "Too many posts wait; nothing was stored", {
    retryAfterSeconds: 1
  });
}
function postedJson(text3) {
  return parseJsonText(text3, jsonDepthMax);
}
function postOptions({ request }) {
  return ingestOptions(Object.fromEntries(request.headers));
}

// src/http/routes/event-posts.ts
var section6 = "Ingest";
var keyParameter = {
  name: "apiId",
  in: "path",
  description: "An API key",
  required: true
};
var kindParameter2 = {
  name: "kind",
  in: "path",
  description: "The kind of collector, any word; it has no effect",
  required: true,
  example: "infrastructure"
};
var postEvents = async (call, rooms) => {
  const { events, inbox } = rooms.records;
  const { sendResponseBody, injectTimestamp } = postOptions(call);
  const { text: text3, heldBytes } = await readPost(call, inbox);
  try {
    const posted = readEvents(postedJson(text3), { ...events.period(), injectTimestamp });
    const isNamed = posted.events.every(({ source: source2 }) => source2 !== null);
    const source = isNamed ? null : (await integrationOf(call, rooms)).name;
    await events.accept(call.tenant, posted, source);
    return sendResponseBody ? accepted(detailOf(posted), call.nowMs) : { status: 202 };
  } finally {
    inbox.release(heldBytes);
  }
};
var postText = async (call, rooms) => {
  const { events, inbox } = rooms.records;
  const { text: text3, heldBytes } = await readPost(call, inbox);
  try {
    if (text3.trim() === "") throw invalid("body: expected the text of an event, got none");
    const { name, elementFqn } = await integrationOf(call, rooms);
    await events.acceptText(call.tenant, { text: text3, elementFqn, source: name });
    return { status: 202 };
  } finally {
    inbox.release(heldBytes);
  }
};
var elementProperties = ["elementFqn", "elementId", "element"];
async function integrationOf(call, { accounts, records }) {
  const grant = accounts.grantOf(call.path["apiId"] ?? "");
  const found = records.datasources.get(call.tenant, String(grant?.datasourceId));
  const datasource = await found.catch(nothingWhereMissing);
  const name = datasource?.body.name ?? defaultName;
  const clear = datasource?.body.properties.clear ?? {};
  const said = elementProperties.map((property) => cleanFqn(clear[property] ?? ""));
  const elementFqn = [...said, cleanFqn(name), defaultName].find((fqn) => fqn !== "");
  return { name, elementFqn };
}
var defaultName = "webhook";
function nothingWhereMissing(error) {
  if (!(error instanceof ServiceError) || error.code !== "missing") throw error;
}
function detailOf({ received, events }) {
  const discarded = received - events.length;
  const rest = discarded === 0 ? "" : `, ${discarded} of them not stored: no data.elementId`;
  return `${received} events received${rest}`;
}
function accepted(detail, nowMs) {
  const headers = { "Content-Type": "application/json" };
  return { status: 202, text: acceptedText(detail, nowMs), headers };
}
var eventExample = [
  {
    type: "INFO",
    title: "Deployment",
    source: "ci",
    tags: [{ name: "stage", value: "production" }],
    data: { elementId: "web-1", level: "Warning", message: "Version 1.2 is out" }
  }
];
var eventsOperation = {
  summary: "Store external events",
  access: "key",
  parameters: [keyParameter],
  body: {
    kind: "raw",
    description: "JSON array of events. One without `data.elementId` is accepted and not stored",
    schema: eventsBody,
    example: eventExample
  },
  answer: {
    status: 202,
    description: "Stored durably; a body only with the option SEND_RESPONSE_BODY",
    schema: acceptedRecord,
    mayBeEmpty: true
  },
  handle: postEvents
};
var textOperation = {
  summary: "Store any text as an event of the element that the integration names",
  access: "key",
  parameters: [keyParameter],
  body: { kind: "raw", description: "Any text", example: "Disk sda1 is failing" },
  answer: noBody(202, "Stored durably"),
  handle: postText
};
function withKind(operation) {
  return { ...operation, parameters: [kindParameter2, keyParameter] };
}
var eventPostRoutes = [
  { path: "/ingest/events/:apiId", section: section6, operations: { POST: eventsOperation } },
  { path: "/ingest/events/:kind/:apiId", section: section6, operations: { POST: withKind(eventsOperation) } },
  { path: "/ingest/webhook/:apiId", section: section6, operations: { POST: textOperation } },
  { path: "/ingest/webhook/:kind/:apiId", section: section6, operations: { POST: withKind(textOperation) } }
];

// src/records/event-filter.ts
function wholeWindow(span) {
  return {
    span,
    levels: [],
    elements: [],
    elementNames: [],
    elementTypes: [],
    elementTags: [],
    eventTags: [],
    policies: [],
    titles: [],
    types: [],
    isExternal: null
  };
}
function passesEvent(event, filter) {
  return isAsked(filter.levels, event.level) && (isAsked(filter.elements, event.elementId) || isAsked(filter.elements, event.elementFqn)) && isAsked(filter.policies, event.policy?.id ?? null) && isAsked(filter.titles, event.title) && isAsked(filter.types, event.type?.toUpperCase() ?? null) && hasAskedTag(filter.eventTags, event.tags) && (filter.isExternal === null || filter.isExternal === event.isExternal);
}
function passesElement(event, element2, filter) {
  return isAsked(filter.elementNames, element2?.name ?? event.elementFqn) && isAsked(filter.elementTypes, element2?.type ?? null) && hasAskedTag(filter.elementTags, element2?.tags ?? []);
}
function isAsked(asked, value) {
  return asked.length === 0 || value !== null && asked.includes(value);
}
function hasAskedTag(asked, tags2) {
  if (asked.length === 0) return true;
  return asked.some(
    ({ name, value }) => tags2.some((tag) => tag.name === name && tag.value === value)
  );
}

// src/http/element-facts.ts
var decoder = new TextDecoder();
function elementFactsOf(call, rooms) {
  return async (elementFqns) => {
    const body2 = { elementFqns };
    const answer = await ask(rooms, {
      ...asking2(call),
      kind: "elementFacts",
      body: body2
    });
    return new Map(Object.entries(answer));
  };
}
async function elementIdOf(call, rooms, element2) {
  const params = { elementId: [element2] };
  const answer = await ask(rooms, {
    ...asking2(call),
    kind: "element",
    params,
    body: null
  });
  return answer.element.id;
}
async function watchedBy({ call, rooms, element: element2 }, scopes) {
  const body2 = { scopes };
  const params = element2 === void 0 ? {} : { elementId: [element2] };
  const request = { ...asking2(call), kind: "scopes", params, body: body2 };
  const { elements: elements2 } = await ask(rooms, request);
  return new Map(Object.entries(elements2));
}
function asking2({ tenant, nowMs }) {
  return { tenant, nowMs, params: {} };
}
async function ask(rooms, request) {
  return JSON.parse(decoder.decode(await rooms.ask(request)));
}

// src/http/event-question.ts
var eventParameters = [
  ...windowParameters,
  { ...many2("category", "Levels", "WARNING"), value: wordValue(eventLevels) },
  many2("elementId", "Ids or FQNs of elements", "web-1"),
  many2("elementName", "Display names of elements, in full", "web-1"),
  many2("elementType", "Types of elements", "SERVER"),
  query(
    "elementTags",
    "JSON array of tags, any of which the element has",
    '[{"name":"a","value":"b"}]'
  ),
  query("tags", "The same under its other name"),
  query(
    "eventTags",
    "JSON array of tags, any of which the event has",
    '[{"name":"a","value":"b"}]'
  ),
  many2("policy", "Ids of policies"),
  valued("isExternal", flagValue(), "true: posted events only; false: those of policies only"),
  many2("title", "Titles, in full"),
  many2("type", "Types, such as INFO or WEBHOOK", "INFO")
];
function readEventFilter(call) {
  const problems = new Problems();
  const params = new Parameters(call.query, problems);
  const span = readWindow(askedWindow(params), call.nowMs, problems);
  const filter = {
    span,
    levels: readLevels(params.many("category"), problems),
    elements: params.many("elementId"),
    elementNames: wholeTexts(params, "elementName"),
    elementTypes: wholeTexts(params, "elementType"),
    elementTags: [
      ...readTags(params, { name: "elementTags", problems }),
      ...readTags(params, { name: "tags", problems })
    ],
    eventTags: readTags(params, { name: "eventTags", problems }),
    policies: params.many("policy"),
    titles: wholeTexts(params, "title"),
    types: params.many("type").map((type) => type.toUpperCase()),
    isExternal: readFlag(params, "isExternal")
  };
  problems.throwIfAny();
  return filter;
}
function readSpan(call) {
  const problems = new Problems();
  const span = readWindow(askedWindow(new Parameters(call.query, problems)), call.nowMs, problems);
  problems.throwIfAny();
  return span;
}
var incidentsDefault = 100;
var offsetMax = 1e9;
var incidentParameters = [
  query("policyId", "Id of a policy"),
  query("elementId", "Id or FQN of an element", "web-1"),
  query("elementName", "Part of an element's name, in either case", "web"),
  { ...query("startDate", "Those that fired since then", "2026-11-01"), value: timeValue },
  { ...query("endDate", "Those that first fired before then", "2026-11-02"), value: timeValue },
  valued("isClosed", flagValue(), "true: closed ones only; false: open ones only"),
  valued("limit", wholeValue(0, eventsPerAnswerMax, incidentsDefault), "At most as many"),
  valued("offset", wholeValue(0, offsetMax, 0), "As many are skipped")
];
function readIncidentFilter(call) {
  const problems = new Problems();
  const params = new Parameters(call.query, problems);
  const filter = {
    policyId: params.one("policyId") ?? null,
    element: params.one("elementId") ?? null,
    elementName: params.one("elementName") ?? null,
    startMs: readTime(params, { name: "startDate", problems }),
    endMs: readTime(params, { name: "endDate", problems }),
    isClosed: readFlag(params, "isClosed"),
    limit: readCount(params, { name: "limit", max: eventsPerAnswerMax, problems }) ?? incidentsDefault,
    offset: readCount(params, { name: "offset", max: offsetMax, problems }) ?? 0
  };
  problems.throwIfAny();
  return filter;
}
function readTime(params, { name, problems }) {
  return readInstant({ field: name, text: params.one(name) }, problems) ?? null;
}
function readCount(params, { name, problems, max }) {
  const text3 = params.one(name);
  if (text3 === void 0) return void 0;
  const count = /^\d{1,10}$/.test(text3) ? Number(text3) : Infinity;
  if (count > max) problems.add(`${name}: expected a whole number, 0 to ${max}, got ${shown(text3)}`);
  return count;
}
function readFlag(params, name) {
  return params.one(name) === void 0 ? null : params.flag(name);
}
function readLevels(texts, problems) {
  return texts.flatMap((text3) => {
    const level = levelOfWord(text3);
    if (level !== void 0) return [level];
    problems.add(`category: expected one of ${eventLevels.join(", ")}, got ${shown(text3)}`);
    return [];
  });
}
function wholeTexts(params, name) {
  return params.texts(name).flatMap((text3) => {
    const list11 = text3.startsWith("[") ? parseJson(text3) : void 0;
    return Array.isArray(list11) && list11.every(isScalar) ? list11.map(String) : [text3];
  });
}
function readTags(params, { name, problems }) {
  return params.texts(name).flatMap((text3) => {
    const tags2 = tagsIn(text3.length > textCharactersMax ? void 0 : parseJson(text3));
    if (tags2 !== void 0) return tags2;
    problems.add(`${name}: expected JSON such as [{"name":"a","value":"b"}], got ${shown(text3)}`);
    return [];
  });
}
function tagsIn(json2) {
  if (typeof json2 !== "object" || json2 === null) return void 0;
  const pairs = Array.isArray(json2) ? json2.map((entry) => {
    const { name, value } = entry ?? {};
    return [name, value ?? ""];
  }) : Object.entries(json2).flatMap(
    ([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one ?? ""])
  );
  if (!pairs.every(([name, value]) => isScalar(name) && isScalar(value))) return void 0;
  return pairs.map(([name, value]) => ({ name: String(name), value: String(value) }));
}
function query(name, description2, example3) {
  return { name, in: "query", description: description2, ...example3 !== void 0 && { example: example3 } };
}
function valued(name, value, description2) {
  const example3 = String(value["default"] ?? false);
  return { ...query(name, description2, example3), value };
}
function many2(name, description2, example3) {
  return { ...query(name, description2, example3), repeatable: true };
}

// src/http/routes/events.ts
var section7 = "Events";
var list4 = async (call, rooms) => {
  const filter = readEventFilter(call);
  const facts = elementFactsOf(call, rooms);
  const found = await rooms.records.events.find(call.tenant, filter, facts);
  return json({ events: found.map(documentOf2) });
};
var ofElement = async (call, rooms) => {
  const span = readSpan(call);
  const facts = elementFactsOf(call, rooms);
  const find = (elements2) => rooms.records.events.find(call.tenant, { ...wholeWindow(span), elements: elements2 }, facts);
  const asked = call.path["elementId"] ?? "";
  try {
    const found = await find([await elementIdOf(call, rooms, asked)]);
    return json({ events: found.map(documentOf2) });
  } catch (error) {
    const found = isMissing(error) ? await find([asked.toLowerCase(), cleanFqn(asked)]) : [];
    if (found.length === 0) throw error;
    return json({ events: found.map(documentOf2) });
  }
};
function isMissing(error) {
  return error instanceof ServiceError && error.code === "missing";
}
var get3 = async (call, rooms) => {
  const id2 = uuidOf(call.path["eventId"] ?? "");
  const found = await rooms.records.events.get(call.tenant, id2, elementFactsOf(call, rooms));
  return json({ event: documentOf2(found) });
};
var remove4 = async (call, rooms) => {
  await rooms.records.events.remove(call.tenant, uuidOf(call.path["eventId"] ?? ""));
  return noContent;
};
var removeOfPolicy = async (call, rooms) => {
  await rooms.records.events.removeOfPolicy(call.tenant, uuidOf(call.path["policyId"] ?? ""));
  return noContent;
};
function documentOf2({ event, element: element2 }) {
  return eventDocument(event, element2);
}
var eventId = {
  name: "eventId",
  in: "path",
  description: "Id of an event",
  value: uuidValue,
  required: true
};
var manyEvents = record({ events: listOf(eventRecord) });
var removal = {
  summary: "Remove one event",
  access: "writer",
  parameters: [eventId],
  answer: noBody(204, "It is gone"),
  handle: remove4
};
var eventRoutes = [
  {
    path: "/events",
    section: section7,
    operations: {
      GET: {
        summary: "Events of a window, the last hour where none is given",
        access: "reader",
        parameters: eventParameters,
        answer: { status: 200, description: "`events`, oldest first", schema: manyEvents },
        handle: list4
      }
    }
  },
  {
    path: "/events/delete/policy/:policyId",
    section: section7,
    operations: {
      DELETE: {
        summary: "Remove all events of a policy",
        access: "writer",
        parameters: [
          {
            name: "policyId",
            in: "path",
            description: "Id of a policy",
            required: true,
            value: uuidValue
          }
        ],
        answer: noBody(204, "They are gone"),
        handle: removeOfPolicy
      }
    }
  },
  { path: "/events/delete/:eventId", section: section7, operations: { DELETE: removal } },
  {
    path: "/events/:eventId",
    section: section7,
    operations: {
      GET: {
        summary: "One event",
        access: "reader",
        parameters: [eventId],
        answer: { status: 200, description: "`event`", schema: record({ event: eventRecord }) },
        handle: get3
      },
      DELETE: removal
    }
  },
  {
    path: "/elements/:elementId/events",
    section: "Elements",
    operations: {
      GET: {
        summary: "Events of one element in a window, the last hour where none is given",
        access: "reader",
        parameters: [
          {
            name: "elementId",
            in: "path",
            description: "Id or FQN of an element",
            required: true,
            example: "web-1"
          },
          ...windowParameters
        ],
        answer: { status: 200, description: "`events`, oldest first", schema: manyEvents },
        handle: ofElement
      }
    }
  }
];

// src/http/routes/find.ts
var metrics = "Metrics";
var elements = "Elements";
var searchWords = ["search", "elasticsearch"];
var filterWords = [
  "Filter groups (`{and, items, nestedItems}`) by list (`metricFqns`, `elementTypes`, \u2026) and by",
  "map (`elementTags`, `metricTags`, `attributes`). All groups must let something pass; in a group",
  "`and` says whether all items or any must match, and an item with `contains` false excludes.",
  "`literal` false is a part of the text in any case; `queryType` is EXACT, PREFIX, WILDCARD,",
  "CONTAINS or REGEX (RE2 syntax). `startDate` and `endDate` keep what had data in between."
].join(" ");
var item = (text3) => ({ item: text3, literal: true, contains: true });
function searchBody(kind5, example3) {
  const paging = "`sort`, `page`, `pageSize` and `sourceFilter` say what is shown of it.";
  const description2 = `${filterWords} ${kind5} ${paging}`.replace("  ", " ");
  return { kind: "json", description: description2, schema: querySchema, example: example3 };
}
var metricExample = {
  elementTypes: { and: false, items: [item("SERVER")] },
  metricFqns: { and: false, items: [{ ...item("cpu.total"), queryType: "EXACT" }] },
  sort: { field: "fqn", order: "asc", missing: "_last" },
  page: 0,
  pageSize: 10,
  sourceFilter: { excludes: ["processingFlags"] }
};
var elementExample = {
  elementNames: { and: false, items: [{ item: "web", literal: false, contains: true }] },
  elementTags: { and: true, items: [{ key: "env", value: "prod", literal: true, contains: true }] },
  sort: { field: "name", order: "asc", missing: "_last" },
  page: 0,
  pageSize: 10
};
var pageExample = {
  page: {
    content: [],
    last: true,
    first: true,
    totalElements: 0,
    totalPages: 0,
    sort: null,
    numberOfElements: 0,
    size: 10,
    number: 0
  }
};
var window = [
  startParameter,
  endParameter,
  {
    name: "duration",
    in: "query",
    description: "ISO 8601; up to now; wins over the others",
    value: durationValue
  }
];
var findRoutes = [
  ...bothNames(metrics, (word) => `/metrics/${word}/metricQuery`, {
    summary: "Finds metrics, a page at a time",
    access: "reader",
    body: searchBody("", metricExample),
    answer: {
      status: 200,
      description: "A page of metric documents",
      schema: metricPageAnswer,
      example: pageExample
    },
    handle: asking("metricQuery")
  }),
  ...bothNames(metrics, (word) => `/metrics/${word}/metricAgg/:term`, {
    summary: "Counts the metrics that are found by FQN",
    access: "reader",
    parameters: [term(["fqn"])],
    body: searchBody("All values are answered; of", metricExample),
    answer: aggregationAnswer("Metric FQNs, with how many elements have each", "cpu.total"),
    handle: asking("metricAgg")
  }),
  listRoute("/metrics/fqns", "fqns", {
    summary: "Names of metrics that match any of the given conditions; all without conditions",
    parameters: fqnsParameters(),
    answer: {
      status: 200,
      description: "FQNs, sorted",
      schema: fqnsAnswer,
      example: { fqns: ["cpu.total"] }
    }
  }),
  listRoute("/metrics", "metrics", {
    summary: "Metrics that had data in a window, by default since midnight UTC",
    parameters: window,
    answer: {
      status: 200,
      description: "Metric documents",
      schema: metricsAnswer,
      example: { metrics: [] }
    }
  }),
  ...bothNames(elements, (word) => `/elements/${word}/elementQuery`, {
    summary: "Finds elements, a page at a time",
    access: "reader",
    body: searchBody("", elementExample),
    answer: {
      status: 200,
      description: "A page of element documents",
      schema: elementPageAnswer,
      example: pageExample
    },
    handle: asking("elementQuery")
  }),
  ...bothNames(elements, (word) => `/elements/${word}/elementAgg/:term`, {
    summary: "Counts the elements that are found by type, tag, attribute or collector",
    access: "reader",
    parameters: [term(elementTermNames)],
    body: searchBody(
      "`nestedAggregationFilters` chooses the tags or attributes that are counted; of",
      elementExample
    ),
    answer: aggregationAnswer(
      "Values, most elements first; names of tags and attributes have `values` of their own",
      "SERVER"
    ),
    handle: asking("elementAgg")
  })
];
function bothNames(section16, path, POST) {
  return searchWords.map((word) => ({ path: path(word), section: section16, operations: { POST } }));
}
function listRoute(path, kind5, told2) {
  const GET = { ...told2, access: "reader", handle: asking(kind5) };
  return { path, section: metrics, operations: { GET } };
}
function term(options2) {
  const value = wordValue(options2);
  const [example3] = options2;
  return {
    name: "term",
    in: "path",
    description: "What to count by",
    required: true,
    value,
    example: example3
  };
}
function aggregationAnswer(description2, fieldValue) {
  return {
    status: 200,
    description: description2,
    schema: aggregationsAnswer,
    example: { aggregations: [{ fieldValue, count: 4 }] }
  };
}
function fqnsParameters() {
  const lists = [
    ["elementId", "Ids of elements", "web-1"],
    ["elementFqn", "FQNs of elements", "web-1"],
    ["elementName", "Display names of elements, in their case", "Web One"],
    ["elementType", "Types of elements, in their case", "SERVER"],
    ["metricFqn", "FQNs of metrics", "cpu.total"]
  ];
  const maps = [
    ["elementAttribute", "Attributes of elements", '{"cpus":["4","8"]}'],
    ["elementTag", "Tags of elements", '{"env":["prod"]}'],
    ["metricTag", "Tags of metrics", '{"utilization":["true"]}']
  ];
  return [
    ...lists.map(([name, description2, example3]) => ({ name, description: description2, example: example3 })),
    ...maps.map(([name, what, example3]) => ({
      name,
      description: `${what}: a JSON object of names and arrays of values, any of which will do`,
      example: example3
    }))
  ].map((one) => ({ ...one, in: "query", repeatable: true }));
}

// src/http/routes/incidents.ts
var section8 = "Incidents";
var list5 = async (call, rooms) => {
  const filter = readIncidentFilter(call);
  const found = await rooms.records.incidents.find(call.tenant, filter);
  return json({ incidents: found.map((incident) => documentOf3(incident, call, rooms)) });
};
var get4 = async (call, rooms) => {
  const incident = await rooms.records.incidents.get(call.tenant, uuidIn(call));
  return json({ incident: documentOf3(incident, call, rooms) });
};
var close = async (call, rooms) => {
  await rooms.records.findings.close(call.tenant, uuidIn(call));
  return noContent;
};
function documentOf3(incident, { tenant }, { accounts }) {
  return incidentDocument(incident, accounts.tenantUuid(tenant));
}
var idParameter3 = {
  name: "id",
  in: "path",
  description: "Id of an incident",
  required: true,
  value: uuidValue
};
var incidentRoutes = [
  {
    path: "/incidents",
    section: section8,
    operations: {
      GET: {
        summary: "Incidents that policies opened",
        access: "reader",
        parameters: incidentParameters,
        answer: {
          status: 200,
          description: "`incidents`, oldest first",
          schema: record({ incidents: listOf(incidentRecord) }),
          example: { incidents: [] }
        },
        handle: list5
      }
    }
  },
  {
    path: "/incidents/:id",
    section: section8,
    operations: {
      GET: {
        summary: "One incident",
        access: "reader",
        parameters: [idParameter3],
        answer: {
          status: 200,
          description: "`incident`",
          schema: record({ incident: incidentRecord })
        },
        handle: get4
      },
      PUT: {
        summary: "Close an incident",
        access: "writer",
        parameters: [idParameter3],
        answer: noBody(204, "It is closed"),
        handle: close
      }
    }
  }
];

// src/wire/ingest-schema.ts
import * as v4 from "valibot";
var text2 = v4.pipe(v4.nullish(v4.string()));
var number4 = v4.nullish(v4.union([v4.number(), v4.string()]));
var named = v4.array(v4.object({ name: v4.string(), value: v4.nullish(v4.unknown()) }));
var sample = v4.pipe(
  v4.object({
    metricId: v4.string(),
    timestamp: v4.nullish(
      v4.pipe(
        v4.union([v4.number(), v4.string()]),
        v4.description("Epoch milliseconds or ISO 8601; absent with INJECT_TIMESTAMP")
      )
    ),
    val: number4,
    min: number4,
    max: number4,
    avg: number4,
    sum: number4,
    cnt: number4
  }),
  v4.description("At least one of the six values")
);
var metric = v4.object({
  id: v4.string(),
  unit: text2,
  name: text2,
  type: v4.nullish(v4.pipe(v4.string(), v4.description("GAUGE, or COUNTER for one that only rises"))),
  sparseDataStrategy: text2,
  tags: v4.nullish(named)
});
var element = v4.object({
  id: v4.string(),
  name: text2,
  type: text2,
  location: text2,
  tags: v4.nullish(named),
  attributes: v4.nullish(named),
  relations: v4.nullish(v4.array(v4.object({ fqn: v4.string() }))),
  metrics: v4.nullish(v4.array(metric)),
  samples: v4.nullish(v4.array(sample))
});
var ingestBody = v4.array(element);

// src/http/routes/ingest.ts
var example2 = [
  {
    id: "web-01.example.com",
    name: "web-01",
    type: "SERVER",
    tags: [{ name: "env", value: "prod" }],
    metrics: [{ id: "cpu.total.utilization", unit: "percent", type: "GAUGE" }],
    samples: [{ metricId: "cpu.total.utilization", val: 41.5 }]
  }
];
var options = {
  name: "X-Service-Api-Options",
  in: "header",
  description: "Separated by commas: INJECT_TIMESTAMP gives samples without one the server's time, SEND_RESPONSE_BODY asks for a body in the answer",
  example: "INJECT_TIMESTAMP,SEND_RESPONSE_BODY"
};
var key = {
  name: "apiId",
  in: "path",
  description: "API key of the datasource that sends"
};
var kind = {
  name: "kind",
  in: "path",
  description: "Any word but events and webhook, such as infrastructure; packages that come with the server and call it compatible install with its first data",
  example: "infrastructure"
};
function post2(parameters2) {
  return {
    summary: "Store elements with metrics and samples, all of them or none",
    access: "key",
    parameters: parameters2,
    body: {
      kind: "json",
      description: "Elements; may be compressed with gzip, deflate or br",
      schema: ingestBody,
      example: example2
    },
    answer: {
      status: 202,
      description: "On disk; with a body only where SEND_RESPONSE_BODY asks for it",
      schema: acceptedRecord,
      mayBeEmpty: true
    }
  };
}
var ingestRoutes = [
  {
    path: "/ingest/:apiId",
    section: "Ingest",
    operations: { POST: post2([key, options]) }
  },
  {
    path: "/ingest/:kind/:apiId",
    section: "Ingest",
    operations: { POST: post2([kind, key, options]) }
  }
];

// src/wire/records/notification-body.ts
import * as v5 from "valibot";
var notificationTypes = [
  "email",
  "webhook",
  "slack",
  "pagerduty",
  "opsgenie",
  "teams",
  "sns",
  "hipchat"
];
var typeText2 = v5.pipe(
  nonEmptyText,
  v5.toLowerCase(),
  v5.picklist(notificationTypes, `one of ${notificationTypes.join(", ")}`)
);
var fields2 = {
  enabled: v5.nullish(booleanValue),
  type: v5.nullish(typeText2),
  properties: v5.nullish(propertiesValue)
};
var newNotificationBody = objectValue({
  notification: objectValue({ ...fields2, type: typeText2, properties: propertiesValue })
});
var changedNotificationBody = objectValue({ notification: objectValue(fields2) });

// src/http/routes/notifications.ts
var section9 = "Notifications";
var idParameter4 = {
  name: "id",
  in: "path",
  description: "Id of the notification, a whole number",
  value: idValue,
  required: true
};
var list6 = async (call, rooms) => {
  const found = await rooms.records.notifications.list(call.tenant);
  return json({ notifications: found.map((notification) => documentOf4(notification, call, rooms)) });
};
var create3 = async (call, rooms) => {
  const { notification } = readRecord(newNotificationBody, call.body);
  const stored = await rooms.records.notifications.create(call.tenant, notification);
  return json({ notification: documentOf4(stored, call, rooms) });
};
var get5 = async (call, rooms) => {
  const stored = await rooms.records.notifications.get(call.tenant, numberIn(call));
  return json({ notification: documentOf4(stored, call, rooms) });
};
var change3 = async (call, rooms) => {
  const id2 = numberIn(call);
  const { notification } = readRecord(changedNotificationBody, call.body);
  const stored = await rooms.records.notifications.change(call.tenant, id2, notification);
  return json({ notification: documentOf4(stored, call, rooms) });
};
var remove5 = async (call, rooms) => {
  await rooms.records.notifications.remove(call.tenant, numberIn(call));
  return noContent;
};
var testNew = async (call, { records, courier }) => {
  const { notification } = readRecord(newNotificationBody, call.body);
  const recipient = records.notifications.draft(call.tenant, notification);
  return json(await courier.test(recipient, call.tenant));
};
var testStored = async (call, { records, courier }) => {
  const recipient = await records.notifications.open(call.tenant, numberIn(call));
  return json(await courier.test(recipient, call.tenant));
};
function documentOf4(stored, call, { accounts, records }) {
  const { id: id2, body: body2 } = stored;
  const { enabled, type } = body2;
  const { tenant } = call;
  const properties = shownProperties(body2.properties, viewerOf(call));
  const tenantId = accounts.tenantUuid(tenant);
  const lostSecrets2 = records.notifications.lostSecrets(tenant, stored);
  return notificationDocument({ id: Number(id2), tenantId, enabled, type, properties, lostSecrets: lostSecrets2 });
}
var newExample = {
  notification: {
    enabled: true,
    type: "email",
    properties: {
      name: "my test email",
      address: "example.email@example.com",
      payloadType: "default",
      templateType: "default",
      subjectTemplate: "Test Event [${policyName}]",
      bodyTemplate: '<#if payloadType == "event">${eventCategory.name}</#if>'
    }
  }
};
var exampleRecord3 = notificationDocument({
  id: 1,
  tenantId: "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10",
  ...newExample.notification
});
var testAnswer = {
  status: 200,
  schema: testOutcomeAnswer,
  description: "`success`, and in `content` the reason where the receiver did not take it",
  example: { success: true, content: "Successfully processed message" }
};
var oneNotification = {
  status: 200,
  schema: record({ notification: notificationRecord }),
  example: { notification: exampleRecord3 }
};
var notificationRoutes = [
  {
    path: "/notifications",
    section: section9,
    operations: {
      GET: {
        summary: "All notifications",
        access: "reader",
        answer: {
          status: 200,
          description: "`notifications`, by id",
          schema: record({ notifications: listOf(notificationRecord) }),
          example: { notifications: [exampleRecord3] }
        },
        handle: list6
      },
      POST: {
        summary: "Create a notification",
        access: "writer",
        body: {
          kind: "json",
          description: "The type, and properties that fit it",
          schema: newNotificationBody,
          example: newExample
        },
        answer: { ...oneNotification, description: "The notification as it was stored" },
        handle: create3
      }
    }
  },
  // Before those with an id, since "test" would be one.
  {
    path: "/notifications/test",
    section: section9,
    operations: {
      POST: {
        summary: "Try a notification that is not stored",
        access: "writer",
        body: {
          kind: "json",
          description: "A notification as for creating one; an example is sent, nothing is stored",
          schema: newNotificationBody,
          example: newExample
        },
        answer: testAnswer,
        handle: testNew
      }
    }
  },
  {
    path: "/notifications/test/:id",
    section: section9,
    operations: {
      POST: {
        summary: "Try a notification",
        access: "writer",
        parameters: [idParameter4],
        answer: testAnswer,
        handle: testStored
      }
    }
  },
  {
    path: "/notifications/:id",
    section: section9,
    operations: {
      GET: {
        summary: "One notification",
        access: "reader",
        parameters: [idParameter4],
        answer: {
          ...oneNotification,
          description: "The notification; secrets are hidden, and addresses from Read Only"
        },
        handle: get5
      },
      PUT: {
        summary: "Change a notification",
        access: "writer",
        parameters: [idParameter4],
        body: {
          kind: "json",
          description: "What is absent stays, properties are merged; a hidden secret sent back stays. With another origin of the URL, or another type, secrets are to be sent again",
          schema: changedNotificationBody,
          example: { notification: { enabled: false } }
        },
        answer: { ...oneNotification, description: "The notification as it is now" },
        handle: change3
      },
      DELETE: {
        summary: "Remove a notification",
        access: "writer",
        parameters: [idParameter4],
        answer: noBody(204, "Done"),
        handle: remove5
      }
    }
  }
];

// src/wire/records/package-archives-body.ts
import * as v6 from "valibot";
var archivesMax = 10;
var packageArchivesBody = objectValue({
  archives: v6.pipe(
    v6.array(nonEmptyText, "an array of URLs"),
    v6.maxLength(archivesMax, `at most ${archivesMax} archives`)
  )
});

// src/http/multipart.ts
var partsMax = 100;
var partHeaderBytesMax = 8 * 1024;
var boundaryCharactersMax = 70;
function formPart(body2, contentType, name) {
  const buffer = Buffer.from(body2.buffer, body2.byteOffset, body2.byteLength);
  const delimiter = Buffer.from(`\r
--${boundaryOf(contentType)}`);
  let at = startsWith(buffer, delimiter.subarray(2)) ? -2 : buffer.indexOf(delimiter);
  for (let parts = 0; at !== -1 && parts < partsMax; parts++) {
    const start2 = at + delimiter.length;
    if (buffer.toString("latin1", start2, start2 + 2) === "--") break;
    const headerEnd = buffer.indexOf("\r\n\r\n", start2);
    const end = headerEnd < 0 ? -1 : buffer.indexOf(delimiter, headerEnd + 2);
    if (end < 0) throw invalid("body: expected a whole form, it ends within a part");
    if (headerEnd - start2 > partHeaderBytesMax) {
      throw invalid(`body: expected at most ${partHeaderBytesMax} bytes of headers in a part`);
    }
    const isWanted = nameOf(buffer.toString("utf8", start2, headerEnd)) === name;
    if (isWanted) return buffer.subarray(Math.min(headerEnd + 4, end), end);
    at = end;
  }
  throw invalid(`body: expected a part named ${shown(name)} among the first ${partsMax}`);
}
function startsWith(buffer, start2) {
  return buffer.length >= start2.length && buffer.compare(start2, 0, start2.length, 0, start2.length) === 0;
}
function boundaryOf(contentType) {
  const type = contentType ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    throw invalid(`Content-Type: expected multipart/form-data, got ${shown(type)}`);
  }
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === void 0 || boundary.length > boundaryCharactersMax) {
    throw invalid(
      `Content-Type: expected a boundary of 1 to ${boundaryCharactersMax} characters, got ${shown(type)}`
    );
  }
  return boundary;
}
function nameOf(headers) {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? "";
  const [, quoted, plain] = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  return quoted ?? plain;
}

// src/http/routes/packages.ts
var section10 = "Packages";
var formBytesMax = 64 * 1024;
var list7 = async (call, { packages }) => {
  const packageId = parameterOf(call, "packageId");
  const version2 = parameterOf(call, "version");
  const found = await packages.list(call.tenant, { packageId, version: version2 });
  return json({ packages: found.map(packageDocument) });
};
var installUrls = async (call, rooms) => {
  const { archives } = readRecord(packageArchivesBody, call.body);
  const caller = callerOf(call, rooms);
  const userEmail = parameterOf(call, "userEmail") ?? null;
  const { packages, warnings } = await rooms.packages.withArchives(() => {
    return rooms.packages.installUrls(caller, archives, userEmail);
  });
  return json({ packages: packages.map(packageDocument), warnings });
};
var installFile = async (call, rooms) => {
  const caller = callerOf(call, rooms);
  const userEmail = parameterOf(call, "userEmail") ?? null;
  return rooms.packages.withArchives(async () => {
    const body2 = await readBytes(call.request, archiveBytesMax + formBytesMax);
    const archive = formPart(body2, call.request.headers.get("content-type"), "file");
    const { packages, warnings } = await rooms.packages.installFile(caller, archive, userEmail);
    return json({ package: packageDocument(packages[0]), warnings });
  });
};
var get6 = async (call, { packages }) => json({ package: packageDocument(await packages.get(call.tenant, uuidIn(call))) });
var remove6 = async (call, { packages }) => {
  await packages.remove(call.tenant, uuidIn(call));
  return noContent;
};
var idParameter5 = {
  name: "id",
  in: "path",
  description: "Id of the installed package, a UUID; not its packageId",
  required: true,
  value: uuidValue
};
var userParameter = {
  name: "userEmail",
  in: "query",
  description: "Who installs it; null in the record where absent",
  example: "admin@example.com"
};
var exampleRecord4 = packageDocument({
  id: "0b50a3a5-46c5-36ad-8a84-1a06b6dd5ad4",
  tenantId: "d6a3f1a4-9a3b-4a71-8f5e-1b7c1c8a5f60",
  packageId: "my.pkg.web",
  version: "1.0.0",
  name: "My web servers",
  description: "What we watch of our web servers",
  authorName: "Operations",
  authorEmail: "operations@example.com",
  logo: null,
  downloadUrl: "https://example.com/my-pkg-web.zip",
  userEmail: "admin@example.com",
  createdMs: Date.UTC(2026, 0, 1),
  updatedMs: Date.UTC(2026, 0, 1),
  tags: [],
  policies: [{ id: "6e6b1ec0-6b0b-3b7e-9d53-6d6f3c1f2b11", name: "Errors" }],
  analyticConfigurations: [{ id: "2a0b8c53-5a27-3d0f-8a25-61b6a50f3c22" }],
  dashboards: [{ id: "9f0d5a0e-7d7a-3e35-b3c1-0c7f5e6d4a33", private: false }]
});
var onePackage = { package: exampleRecord4, warnings: [] };
var formExample = [
  "--tidegauge",
  'Content-Disposition: form-data; name="file"; filename="pkg.zip"',
  "Content-Type: application/zip",
  "",
  "(the bytes of the archive)",
  "--tidegauge--",
  ""
].join("\r\n");
var packageRoutes = [
  {
    path: "/packages",
    section: section10,
    operations: {
      GET: {
        summary: "Installed packages",
        access: "reader",
        parameters: [
          { name: "packageId", in: "query", description: "The dotted identifier of one package" },
          {
            name: "version",
            in: "query",
            description: "A semantic version, or a range of them such as ^1.2.0"
          }
        ],
        answer: {
          status: 200,
          description: "`packages`, oldest first; their assets as summaries",
          schema: record({ packages: listOf(packageRecord) }),
          example: { packages: [exampleRecord4] }
        },
        handle: list7
      },
      POST: {
        summary: "Install the archives behind URLs, all or none",
        access: "writer",
        parameters: [userParameter],
        body: {
          kind: "json",
          description: "Direct download URLs of archives",
          schema: packageArchivesBody,
          example: { archives: ["https://example.com/my-pkg-web.zip"] }
        },
        answer: {
          status: 200,
          description: "`packages` in the same order; `warnings` tells what was left out, such as actions of notifications that the account does not have",
          schema: record({ packages: listOf(packageRecord), warnings: listOf(text) }),
          example: { packages: [exampleRecord4], warnings: [] }
        },
        handle: installUrls
      }
    }
  },
  {
    path: "/packages/install",
    section: section10,
    operations: {
      POST: {
        summary: "Install an archive from a file, or upgrade what has its packageId",
        access: "writer",
        parameters: [
          userParameter,
          {
            name: "Content-Type",
            in: "header",
            description: "multipart/form-data with a boundary",
            required: true,
            example: "multipart/form-data; boundary=tidegauge"
          }
        ],
        body: {
          kind: "raw",
          description: "A form with one part `file`, a ZIP archive of at most 32 MiB",
          example: formExample
        },
        answer: {
          status: 200,
          description: "`package` and `warnings`",
          schema: record({ package: packageRecord, warnings: listOf(text) }),
          example: onePackage
        },
        handle: installFile
      }
    }
  },
  {
    path: "/packages/:id",
    section: section10,
    operations: {
      GET: {
        summary: "One installed package",
        access: "reader",
        parameters: [idParameter5],
        answer: {
          status: 200,
          description: "`package`",
          schema: record({ package: packageRecord }),
          example: { package: exampleRecord4 }
        },
        handle: get6
      },
      DELETE: {
        summary: "Uninstall a package with everything that it brought; data and events stay",
        access: "writer",
        parameters: [idParameter5],
        answer: noBody(204, "It is gone"),
        handle: remove6
      }
    }
  }
];

// src/records/turns.ts
var waitingMax = 1e3;
var Turns = class {
  lines = /* @__PURE__ */ new Map();
  /** Resolves with what `work` does; throws `overloaded` where too many wait under that name. */
  async run(name, work) {
    const line = this.lines.get(name) ?? { last: Promise.resolve(), count: 0 };
    if (line.count >= waitingMax) {
      throw new ServiceError("overloaded", "Too many changes of one record at once");
    }
    this.lines.set(name, line);
    line.count++;
    const done = line.last.then(work);
    line.last = done.then(nothing, nothing);
    try {
      return await done;
    } finally {
      line.count--;
      if (line.count === 0) this.lines.delete(name);
    }
  }
  /** The same under several names at once; taken in one order, so that nobody waits in a ring. */
  runAll(names, work) {
    const inOrder = [...new Set(names)].sort().reverse();
    return inOrder.reduce((inner, name) => () => this.run(name, inner), work)();
  }
};
function nothing() {
}

// src/records/collection.ts
var formVersion = 1;
var counterKind = "counter";
var recordBytesMax = 64 * 1024;
var nothingElse = () => [];
var Collection = class {
  options;
  world;
  turns = new Turns();
  /** By tenant, from the first creation on. */
  counts = /* @__PURE__ */ new Map();
  constructor(options2, world) {
    this.options = options2;
    this.world = world;
  }
  /** The record, or undefined; a foreign tenant's is as good as none. */
  async find(tenant, id2) {
    if (!isId(id2)) return void 0;
    const document = await this.world.documents.get(this.kindOf(tenant), id2);
    return document === void 0 ? void 0 : storedOf(id2, document);
  }
  /** The record; throws `missing` where there is none. */
  async get(tenant, id2) {
    const stored = await this.find(tenant, id2);
    if (stored === void 0) throw this.missing(id2);
    return stored;
  }
  /** All of a tenant's, or those with ids in `range`: by number, or oldest first. */
  async list(tenant, range) {
    const found = await this.world.documents.list(this.kindOf(tenant), range);
    const records = found.map(({ id: id2, document }) => storedOf(id2, document));
    return records.sort(this.options.ids === "number" ? byNumber : byCreation);
  }
  /** A new record under an id of its own. Throws `invalid` over `countMax` or `bytesMax`. */
  async create(tenant, body2, also) {
    const [stored] = await this.createAll(tenant, [body2], also);
    return stored;
  }
  /** New records, all or none; `also` is stored in the same transaction. */
  createAll(tenant, bodies2, also = nothingElse) {
    return this.turns.run(this.options.kind, async () => {
      await this.countForMore(tenant, bodies2.length);
      const { ids, counter } = await this.newIds(tenant, bodies2.length);
      const nowMs = this.world.clock.nowMs();
      const times = { createdMs: nowMs, updatedMs: nowMs };
      const created = bodies2.map((body2, i) => ({ id: ids[i], ...times, body: body2 }));
      const changes = created.map((stored) => this.storing(tenant, stored));
      await this.world.documents.putAll([...changes, ...counter, ...also(created)]);
      this.count(tenant, bodies2.length);
      return created;
    });
  }
  /**
   * Replaces a record's body by what `to` makes of it, one change of a record at a time. Throws
   * `missing` where there is none; nothing is stored where `to` throws.
   */
  change(tenant, id2, to, also = nothingElse) {
    return this.inTurn(tenant, id2, async () => {
      const former = await this.get(tenant, id2);
      const body2 = await to(former);
      const stored = { ...former, body: body2, updatedMs: this.world.clock.nowMs() };
      await this.world.documents.putAll([this.storing(tenant, stored), ...also([stored])]);
      return stored;
    });
  }
  /** Creates or replaces the record under an id that the caller chose; `createdMs` stays. */
  put(tenant, id2, body2) {
    return this.inTurn(tenant, id2, async () => {
      const former = await this.find(tenant, id2);
      if (former === void 0) await this.countForMore(tenant, 1);
      const nowMs = this.world.clock.nowMs();
      const stored = { id: id2, createdMs: former?.createdMs ?? nowMs, updatedMs: nowMs, body: body2 };
      await this.world.documents.putAll([this.storing(tenant, stored)]);
      if (former === void 0) this.count(tenant, 1);
      return stored;
    });
  }
  /** Removes a record, and answers what it was; throws `missing` where there is none. */
  remove(tenant, id2, also = nothingElse) {
    return this.inTurn(tenant, id2, async () => {
      const stored = await this.get(tenant, id2);
      await this.world.documents.putAll([this.removing(tenant, id2), ...also([stored])]);
      this.count(tenant, -1);
      return stored;
    });
  }
  /** The error for an id that names nothing. */
  missing(id2) {
    const shown2 = id2.length > idCharactersMax ? `${id2.slice(0, idCharactersMax)}\u2026` : id2;
    return new ServiceError("missing", `Expected the id of a ${this.options.noun}, got "${shown2}"`);
  }
  /** A change for a transaction of somebody else. Throws `invalid` where the record is too large. */
  storing(tenant, { id: id2, createdMs, updatedMs, body: body2 }) {
    const { noun, bytesMax = recordBytesMax } = this.options;
    const bytes = Buffer.byteLength(JSON.stringify(body2));
    if (bytes > bytesMax) {
      throw invalid(`Expected a ${noun} of at most ${bytesMax} bytes as JSON, got ${bytes}`);
    }
    const document = { version: formVersion, createdMs, updatedMs, body: body2 };
    return { kind: this.kindOf(tenant), id: id2, document };
  }
  /** A change for a transaction of somebody else. */
  removing(tenant, id2) {
    return { kind: this.kindOf(tenant), id: id2, document: null };
  }
  /** The number of a tenant's records changed by a transaction of somebody else. */
  count(tenant, by) {
    const count = this.counts.get(tenant);
    if (count !== void 0) this.counts.set(tenant, count + by);
  }
  /** Throws `invalid` where `more` records do not fit beside those that there are. */
  async countForMore(tenant, more) {
    const { noun, countMax } = this.options;
    let count = this.counts.get(tenant);
    if (count === void 0) {
      count = (await this.world.documents.list(this.kindOf(tenant))).length;
      this.counts.set(tenant, count);
    }
    if (count + more > countMax) {
      throw invalid(`Expected at most ${countMax} records of the kind ${noun}, got one more`);
    }
  }
  /** Work of somebody else on several records: no other change of one of them comes between. */
  inTurns(tenant, ids, work) {
    return this.turns.runAll(
      ids.map((id2) => `${this.kindOf(tenant)}/${id2}`),
      work
    );
  }
  inTurn(tenant, id2, work) {
    return this.turns.run(`${this.kindOf(tenant)}/${id2}`, work);
  }
  async newIds(tenant, count) {
    const { kind: kind5, ids, numbersTaken } = this.options;
    if (ids === "uuid") {
      return { ids: Array.from({ length: count }, () => this.world.random.uuid()), counter: [] };
    }
    const known = await this.world.documents.get(counterKind, kind5);
    const last = Math.max(known?.last ?? 0, await numbersTaken?.(tenant) ?? 0);
    const document = { version: formVersion, last: last + count };
    return {
      ids: Array.from({ length: count }, (_, i) => String(last + 1 + i)),
      counter: [{ kind: counterKind, id: kind5, document }]
    };
  }
  kindOf(tenant) {
    return `${this.options.kind}:${tenant}`;
  }
};
var idCharactersMax = 128;
function isId(id2) {
  return id2.length > 0 && id2.length <= idCharactersMax && !id2.includes("\0");
}
function storedOf(id2, document) {
  const { createdMs, updatedMs, body: body2 } = document;
  return { id: id2, createdMs, updatedMs, body: body2 };
}
function byNumber(one, other) {
  return Number(one.id) - Number(other.id);
}
function byCreation(one, other) {
  return one.createdMs - other.createdMs || (one.id < other.id ? -1 : 1);
}

// src/records/policies.ts
var policiesMax = 1e4;
var muteKind = "policyMute";
var muteMsMax = 366 * 864e5;
var Policies = class {
  collection;
  world;
  /** By tenant, from the first question on until a policy changes. */
  sets = /* @__PURE__ */ new Map();
  constructor(world) {
    const options2 = { kind: "policy", noun: "policy", ids: "uuid", countMax: policiesMax };
    this.collection = new Collection(options2, world);
    this.world = world;
  }
  /** Those that are not deleted, oldest first. */
  async list(tenant) {
    const all = await this.collection.list(tenant);
    return all.filter(({ body: body2 }) => !body2.deleted);
  }
  /** Throws `missing` where there is none, or it was deleted. */
  async get(tenant, id2) {
    const stored = await this.collection.get(tenant, id2);
    if (stored.body.deleted) throw this.collection.missing(id2);
    return stored;
  }
  /** Those that are enabled and not deleted, made ready. */
  async inForce(tenant) {
    const known = this.sets.get(tenant);
    if (known !== void 0) return known;
    const read = this.collection.list(tenant).then((all) => new PolicySet(all.map(({ id: id2, body: body2 }) => ({ ...body2, id: id2 }))));
    this.sets.set(tenant, read);
    read.catch(() => this.changed(tenant));
    return read;
  }
  /** Has the policies read anew: for whoever stored some in a transaction of its own. */
  changed(tenant) {
    this.sets.delete(tenant);
  }
  /** Throws `invalid` where the body is no policy. */
  create(tenant, body2, creatorEmail) {
    return this.changing(
      tenant,
      () => this.collection.create(tenant, readPolicy(body2, { former: null, creatorEmail }))
    );
  }
  /** Fields that the body does not name stay as they are; and so does who created the policy. */
  change(tenant, id2, body2) {
    return this.changing(
      tenant,
      () => this.collection.change(tenant, id2, (former) => {
        if (former.body.deleted) throw this.collection.missing(id2);
        return readPolicy(body2, { former: former.body, creatorEmail: former.body.creatorEmail });
      })
    );
  }
  /** Marks a policy as deleted and ends its silence; nobody sees it from then on. */
  async remove(tenant, id2) {
    await this.changing(
      tenant,
      () => this.collection.change(
        tenant,
        id2,
        ({ body: body2 }) => {
          if (body2.deleted) throw this.collection.missing(id2);
          return { ...body2, deleted: true };
        },
        () => [this.muting(tenant, id2, null)]
      )
    );
  }
  /** Silences the notifications of a policy for so long from now. */
  async mute(tenant, id2, muteMs) {
    await this.get(tenant, id2);
    const untilMs = this.world.clock.nowMs() + muteMs;
    await this.world.documents.putAll([this.muting(tenant, id2, untilMs)]);
  }
  /** Ends the silence of a policy, if there is one. */
  async unmute(tenant, id2) {
    await this.get(tenant, id2);
    await this.world.documents.putAll([this.muting(tenant, id2, null)]);
  }
  /** When the silence of each muted policy ends. */
  async mutes(tenant) {
    const nowMs = this.world.clock.nowMs();
    const found = await this.world.documents.list(`${muteKind}:${tenant}`);
    const ends = found.map(({ id: id2, document }) => [id2, document.untilMs]);
    return new Map(ends.filter(([, untilMs]) => untilMs > nowMs));
  }
  /** Removes for good what was deleted before `oldestMs`, when no event tells of it any more. */
  async forget(tenant, oldestMs) {
    for (const { id: id2, body: body2, updatedMs } of await this.collection.list(tenant)) {
      if (body2.deleted && updatedMs < oldestMs) await this.collection.remove(tenant, id2);
    }
  }
  /** The record, deleted or not; undefined where there never was one or it is forgotten. */
  find(tenant, id2) {
    return this.collection.find(tenant, id2);
  }
  /** Work of somebody else on several policies: no other change of one of them comes between. */
  inTurns(tenant, ids, work) {
    return this.collection.inTurns(tenant, ids, work);
  }
  /** Changes that store a policy as it is, for a transaction of somebody else. */
  storing(tenant, stored) {
    return [this.collection.storing(tenant, stored)];
  }
  /** Changes that delete a policy as `remove` does, for a transaction of somebody else. */
  removing(tenant, stored) {
    const updatedMs = this.world.clock.nowMs();
    const deleted = { ...stored, updatedMs, body: { ...stored.body, deleted: true } };
    return [this.collection.storing(tenant, deleted), this.muting(tenant, stored.id, null)];
  }
  /** Throws `invalid` where `more` policies do not fit beside those that there are. */
  countForMore(tenant, more) {
    return this.collection.countForMore(tenant, more);
  }
  /** A transaction of somebody else made so many more policies. */
  count(tenant, more) {
    this.collection.count(tenant, more);
  }
  async changing(tenant, work) {
    try {
      return await work();
    } finally {
      this.changed(tenant);
    }
  }
  muting(tenant, id2, untilMs) {
    const document = untilMs === null ? null : { untilMs };
    return { kind: `${muteKind}:${tenant}`, id: id2, document };
  }
};

// src/http/routes/policies.ts
var section11 = "Policies";
var list8 = async (call, rooms) => {
  const found = await rooms.records.policies.list(call.tenant);
  return json({ policies: found.map(documentOf5) });
};
var create4 = async (call, rooms) => {
  const { email } = callerOf(call, rooms);
  const stored = await rooms.records.policies.create(call.tenant, call.body, email);
  return json({ policy: documentOf5(stored) });
};
var get7 = async (call, rooms) => {
  const stored = await rooms.records.policies.get(call.tenant, uuidIn(call));
  return json({ policy: documentOf5(stored) });
};
var change4 = async (call, rooms) => {
  const stored = await rooms.records.policies.change(call.tenant, uuidIn(call), call.body);
  return json({ policy: documentOf5(stored) });
};
var remove7 = async (call, rooms) => {
  await rooms.records.policies.remove(call.tenant, uuidIn(call));
  return noContent;
};
var elementCounts = async (call, rooms) => {
  const policies = await rooms.records.policies.list(call.tenant);
  const counts2 = await watchedBy({ call, rooms }, scopesOf(policies));
  return json(Object.fromEntries(counts2));
};
var ofElement2 = async (call, rooms) => {
  const policies = await rooms.records.policies.list(call.tenant);
  const element2 = call.path["elementId"] ?? "";
  const watches = await watchedBy({ call, rooms, element: element2 }, scopesOf(policies));
  const found = policies.filter(({ id: id2 }) => watches.get(id2) === 1);
  return json({ policies: found.map(documentOf5) });
};
var eventCounts = async (call, rooms) => {
  const span = readSpan(call);
  const policies = await rooms.records.policies.list(call.tenant);
  const counts2 = await rooms.records.events.countByPolicy(call.tenant, span);
  return json(Object.fromEntries(policies.map(({ id: id2 }) => [id2, counts2.get(id2) ?? 0])));
};
var eventCount = async (call, rooms) => {
  const span = readSpan(call);
  const { id: id2 } = await rooms.records.policies.get(call.tenant, uuidIn(call));
  const counts2 = await rooms.records.events.countByPolicy(call.tenant, span);
  return json(counts2.get(id2) ?? 0);
};
var mutes = async (call, rooms) => json(Object.fromEntries(await rooms.records.policies.mutes(call.tenant)));
var mute = async (call, rooms) => {
  const text3 = call.path["muteMs"] ?? "";
  const muteMs = /^\d{1,15}$/.test(text3) ? Number(text3) : 0;
  if (muteMs < 1 || muteMs > muteMsMax) {
    throw invalid(`muteMs: expected milliseconds, 1 to ${muteMsMax}, got ${shown(text3)}`);
  }
  await rooms.records.policies.mute(call.tenant, uuidIn(call), muteMs);
  return { status: 200 };
};
var unmute = async (call, rooms) => {
  await rooms.records.policies.unmute(call.tenant, uuidIn(call));
  return { status: 200 };
};
function documentOf5({ id: id2, body: body2, updatedMs }) {
  return policyDocument({ ...body2, id: id2 }, updatedMs);
}
function scopesOf(policies) {
  return Object.fromEntries(policies.map(({ id: id2, body: body2 }) => [id2, body2.scope]));
}
var idParameter6 = {
  name: "id",
  in: "path",
  description: "Id of a policy",
  required: true,
  value: uuidValue
};
var onePolicy = record({ policy: policyRecord });
var manyPolicies = record({ policies: listOf(policyRecord) });
var counts = told(mapOf(wholeNumber), "By id of the policy");
var policyExample = {
  policy: {
    name: "WINSRV Example",
    scope: { elementTypes: ["WINSRV"] },
    duration: 300,
    conditions: [
      { metric: "diskspace.root.byte_percentfree", analytic: "actual", operator: "<", level: 5 }
    ],
    actions: [{ type: "event", category: 1 }]
  }
};
var policyRoutes = [
  {
    path: "/policies",
    section: section11,
    operations: {
      GET: {
        summary: "All policies",
        access: "reader",
        answer: { status: 200, description: "`policies`, oldest first", schema: manyPolicies },
        handle: list8
      },
      POST: {
        summary: "Create a policy; what is not given has a default",
        access: "writer",
        body: {
          kind: "json",
          description: "The policy in its wrapper; only its name is needed",
          schema: policyWrapper,
          example: policyExample
        },
        answer: { status: 200, description: "`policy`, with its id", schema: onePolicy },
        handle: create4
      }
    }
  },
  {
    path: "/policies/elements",
    section: section11,
    operations: {
      GET: {
        summary: "How many elements each policy watches",
        access: "reader",
        answer: { status: 200, description: "An object of counts by policy id", schema: counts },
        handle: elementCounts
      }
    }
  },
  {
    path: "/policies/events",
    section: section11,
    operations: {
      GET: {
        summary: "How many events each policy found in a window, the last hour where none is given",
        access: "reader",
        parameters: windowParameters,
        answer: { status: 200, description: "An object of counts by policy id", schema: counts },
        handle: eventCounts
      }
    }
  },
  {
    path: "/policies/mute",
    section: section11,
    operations: {
      GET: {
        summary: "When the silence of each muted policy ends",
        access: "reader",
        answer: {
          status: 200,
          description: "An object of epoch milliseconds by policy id",
          schema: counts
        },
        handle: mutes
      }
    }
  },
  {
    path: "/policies/:id",
    section: section11,
    operations: {
      GET: {
        summary: "One policy",
        access: "reader",
        parameters: [idParameter6],
        answer: { status: 200, description: "`policy`", schema: onePolicy },
        handle: get7
      },
      PUT: {
        summary: "Change a policy; fields that are not given stay as they are",
        access: "writer",
        parameters: [idParameter6],
        body: {
          kind: "json",
          description: "The policy in its wrapper",
          schema: policyWrapper,
          example: policyExample
        },
        answer: { status: 200, description: "`policy`, as it is now", schema: onePolicy },
        handle: change4
      },
      DELETE: {
        summary: "Delete a policy; its events stay",
        access: "writer",
        parameters: [idParameter6],
        answer: noBody(204, "It is gone"),
        handle: remove7
      }
    }
  },
  {
    path: "/policies/:id/events",
    section: section11,
    operations: {
      GET: {
        summary: "How many events a policy found in a window, the last hour where none is given",
        access: "reader",
        parameters: [idParameter6, ...windowParameters],
        answer: { status: 200, description: "A bare number", schema: wholeNumber },
        handle: eventCount
      }
    }
  },
  {
    path: "/policies/:id/mute",
    section: section11,
    operations: {
      DELETE: {
        summary: "Let a policy send notifications again",
        access: "writer",
        parameters: [idParameter6],
        answer: noBody(200, "No body"),
        handle: unmute
      }
    }
  },
  {
    path: "/policies/:id/mute/:muteMs",
    section: section11,
    operations: {
      POST: {
        summary: "Silence the notifications of a policy for a while; its events go on",
        access: "writer",
        parameters: [
          idParameter6,
          {
            name: "muteMs",
            in: "path",
            description: "Milliseconds from now",
            value: wholeValue(1, muteMsMax),
            required: true,
            example: "3600000"
          }
        ],
        answer: noBody(200, "No body"),
        handle: mute
      }
    }
  },
  {
    path: "/elements/:elementId/policies",
    section: "Elements",
    operations: {
      GET: {
        summary: "Policies that watch an element",
        access: "reader",
        parameters: [
          {
            name: "elementId",
            in: "path",
            description: "Id or FQN of an element",
            required: true,
            example: "web-1"
          }
        ],
        answer: { status: 200, description: "`policies`, oldest first", schema: manyPolicies },
        handle: ofElement2
      }
    }
  }
];

// src/http/routes/statistics.ts
var section12 = "Metrics";
var fqnParameter = {
  name: "fqn",
  in: "query",
  description: "FQN of the metric",
  required: true,
  example: "cpu.total"
};
var statisticsParameters = [
  fqnParameter,
  ...windowParameters,
  rollupParameter,
  {
    name: "showValues",
    in: "query",
    value: flagValue(false),
    description: "true adds `data`, the values that the statistics are of, in time order",
    example: "true"
  },
  {
    name: "showTimestamps",
    in: "query",
    value: flagValue(false),
    description: "true adds `timestamps`, as long as `data` (an extension)",
    example: "true"
  },
  {
    name: "exact",
    in: "query",
    value: flagValue(false),
    description: "true has percentiles of ZERO computed from every raw sample, however many (an extension)",
    example: "false"
  }
];
var statisticsAnswer2 = {
  status: 200,
  schema: statisticsAnswer,
  description: "`metrics`: statistics of each metric that has values in the window"
};
var aggregateParameters = [
  fqnParameter,
  ...windowParameters,
  { ...rollupParameter, name: "rollupInput" },
  rollupParameter
];
var aggregateAnswer = {
  status: 200,
  schema: aggregateStatisticsAnswer,
  description: "`statistics` of the values of all these metrics together; null where there are none"
};
var aggregate = {
  summary: "Statistics of a metric over all elements of a scope, as one population",
  access: "reader",
  answer: aggregateAnswer,
  handle: asking("aggregateStatistics")
};
var scopeParameters = [
  many3("ids", "Ids or FQNs of elements", "web-1"),
  many3("types", "Types of elements", "SERVER"),
  many3("nameContains", "Part of the element's name, in either case", "web"),
  many3("nameExcludes", "Part that its name does not have", "test"),
  many3("fqnIncludes", "Part of the element's FQN, in either case", "web"),
  many3("fqnExcludes", "Part that its FQN does not have", "test")
];
var acrossElements = (call, rooms) => {
  const { tenant, body: body2, nowMs } = call;
  const params = { ...paramsOf(call), jobId: [rooms.random.uuid()] };
  return rooms.ask({ kind: "acrossElements", tenant, params, body: body2, nowMs }).then((bytes) => ({ status: 200, bytes }));
};
var statisticsRoutes = [
  {
    path: "/metrics/statistics",
    section: section12,
    operations: {
      GET: {
        summary: "Statistics of a metric, for every element that has it",
        access: "reader",
        parameters: statisticsParameters,
        answer: statisticsAnswer2,
        handle: asking("statistics")
      },
      POST: {
        summary: "Statistics of a metric, for the elements that the body names",
        access: "reader",
        parameters: statisticsParameters,
        body: {
          kind: "json",
          description: "Ids or FQNs of elements; no body asks for all",
          schema: elementIdsBody,
          example: ["web-1"]
        },
        answer: statisticsAnswer2,
        handle: asking("statistics")
      }
    }
  },
  {
    path: "/metrics/statistics/aggregate",
    section: section12,
    operations: {
      GET: { ...aggregate, parameters: [...aggregateParameters, ...scopeParameters] },
      POST: {
        ...aggregate,
        parameters: aggregateParameters,
        body: {
          kind: "json",
          description: "The scope, bare or as `elementScope`; an element passes all its parts",
          schema: elementScopeBody,
          example: { types: ["SERVER"], tags: [{ name: "env", value: "prod" }] }
        }
      }
    }
  },
  {
    path: "/metrics/crosselementagg",
    section: section12,
    operations: {
      POST: {
        summary: "One value a bucket, combined from the metrics that a query finds",
        access: "reader",
        parameters: [
          {
            name: "aggregation",
            in: "query",
            description: "How they are combined",
            value: wordValue(aggregations, "avg"),
            example: "avg"
          },
          {
            name: "statistic",
            in: "query",
            description: "What of each is combined",
            value: wordValue(statistics, "actual"),
            example: "actual"
          },
          rollupParameter
        ],
        body: {
          kind: "json",
          description: "A metric query; without dates the window is the last hour",
          schema: querySchema,
          example: {
            metricFqns: {
              and: false,
              items: [{ literal: true, contains: true, item: "cpu.total", queryType: "EXACT" }]
            }
          }
        },
        answer: {
          status: 200,
          description: "`data.result.data`: timestamps and values, oldest first",
          schema: acrossAnswer
        },
        handle: acrossElements
      }
    }
  }
];
function many3(name, description2, example3) {
  return { name, in: "query", description: description2, repeatable: true, example: example3 };
}

// src/http/routes/system.ts
var section13 = "System";
var ready = async (call, { health, version: version2 }) => {
  const problems = health();
  if (problems.length === 0) return json({ status: "ready", version: version2 });
  const answer = notReadyAnswer(problems, call.nowMs);
  return json(answer.body, answer.status);
};
var time = async ({ nowMs }, { version: version2 }) => {
  return json({ epochMillis: nowMs, iso8601: formatInstant(nowMs), version: version2 });
};
var systemRoutes = [
  {
    path: "/metrics/internal",
    section: section13,
    operations: {
      GET: {
        summary: "The server's own figures, in Prometheus text form",
        // A scraper on the same machine needs no password.
        access: "local",
        answer: {
          status: 200,
          description: "Text exposition format",
          schema: text,
          type: "text/plain"
        },
        handle: async (_, { metrics: metrics2 }) => ({
          status: 200,
          text: await metrics2.text(),
          headers: { "Content-Type": metrics2.contentType }
        })
      }
    }
  },
  {
    path: "/health/live",
    section: section13,
    operations: {
      GET: {
        summary: "Whether the process runs",
        access: "anyone",
        answer: {
          status: 200,
          description: "It does",
          schema: liveAnswer,
          example: { status: "live" }
        },
        handle: async () => json({ status: "live" })
      }
    }
  },
  {
    path: "/health/ready",
    section: section13,
    operations: {
      GET: {
        summary: "Whether the server can serve now; 503 with the reasons where it cannot",
        access: "anyone",
        answer: {
          status: 200,
          description: "It can",
          schema: readyAnswer,
          example: { status: "ready", version: "0.1.0" }
        },
        handle: ready
      }
    }
  },
  {
    path: "/time",
    section: section13,
    operations: {
      GET: {
        summary: "The server's clock; agents compare theirs with the Date header",
        access: "anyone",
        answer: {
          status: 200,
          description: "The instant as epoch milliseconds and as ISO 8601; the server's version",
          schema: timeAnswer,
          example: {
            epochMillis: 17675712e5,
            iso8601: "2026-01-05T00:00:00.000Z",
            version: "0.1.0"
          }
        },
        handle: time
      }
    }
  }
];

// src/wire/tag-body.ts
import * as v7 from "valibot";
var shortText2 = v7.pipe(textValue, v7.maxLength(textCharactersMax));
var tagName = v7.pipe(v7.string(), v7.maxLength(textCharactersMax), v7.trim(), v7.nonEmpty());
var tagValue = v7.pipe(
  v7.nullable(shortText2),
  v7.transform((value) => value ?? "")
);
var reservedNames = ["__proto__", "constructor", "prototype"];
var tags = v7.pipe(
  v7.unknown(),
  v7.check(
    (raw) => !reservedNames.some((name) => Object.hasOwn(Object(raw), name)),
    `no tag that is called ${reservedNames.join(", ")}`
  ),
  v7.union(
    [
      v7.pipe(
        v7.custom((raw) => typeof raw === "object" && !Array.isArray(raw)),
        v7.record(tagName, tagValue)
      ),
      v7.pipe(
        v7.array(objectValue({ name: tagName, value: tagValue })),
        v7.transform((list11) => tagMap(list11))
      )
    ],
    `an object of tag names and texts of at most ${textCharactersMax} characters`
  )
);
var tagBody = objectValue({
  serviceTag: v7.nullish(tags),
  netuitiveTag: v7.nullish(tags)
});
function readTagBody(raw) {
  const problems = new Problems();
  const body2 = readWith(tagBody, raw ?? {}, { path: "", problems });
  const end = body2?.serviceTag?.[maintenanceEndTag] ?? body2?.netuitiveTag?.[maintenanceEndTag];
  const problem = end === void 0 ? null : epochUnitProblem(Number(end));
  if (problem !== null) problems.add(`${maintenanceEndTag}: cannot take ${shown(end)}: ${problem}`);
  problems.throwIfAny();
  const set = Object.entries({ ...body2.netuitiveTag, ...body2.serviceTag });
  if (set.length === 0) {
    throw invalid("serviceTag: expected an object of tag names and texts, got none");
  }
  if (set.length > tagsPerEntityMax) {
    throw invalid(`serviceTag: expected at most ${tagsPerEntityMax} tags, got ${set.length}`);
  }
  return set.map(([name, value]) => ({ name, value }));
}
function readNamedTag(raw, name) {
  const [tag, ...others] = readTagBody(raw);
  if (others.length > 0 || tag.name !== name) {
    const got = [tag, ...others].map((one) => shown(one.name)).join(", ");
    throw invalid(`serviceTag: expected the tag ${shown(name)} of the path alone, got ${got}`);
  }
  return tag;
}
var tagEchoAnswer = record({ serviceTag: textMap, netuitiveTag: textMap });
var tagsAnswer = record({
  serviceTags: told(textMap, "Tags that people set"),
  netuitiveTags: told(textMap, "The same under the name that older clients read"),
  sourceTags: told(textMap, "Tags that were posted")
});
function tagEcho(set) {
  const texts = tagMap(set);
  return { serviceTag: texts, netuitiveTag: texts };
}

// src/http/routes/tags.ts
var create5 = async (call, rooms) => {
  const set = readTagBody(call.body);
  await change5({ call, rooms }, { set, remove: null });
  return json(tagEcho(set));
};
var update = async (call, rooms) => {
  const set = [readNamedTag(call.body, nameIn(call))];
  await change5({ call, rooms }, { set, remove: null });
  return noContent;
};
var remove8 = async (call, rooms) => {
  await change5({ call, rooms }, { set: [], remove: nameIn(call) });
  return noContent;
};
async function change5({ call, rooms }, tags2) {
  const { element: element2, metric: metric2 } = await namesOf(call, rooms);
  const { tenant, nowMs } = call;
  await rooms.amend({ kind: "tags", tenant, element: element2, metric: metric2, nowMs, ...tags2 });
}
function nameIn({ path }) {
  return path["tagName"] ?? "";
}
var nameParameter = {
  name: "tagName",
  in: "path",
  description: "Name of the tag",
  required: true,
  example: "Weekday"
};
var body = {
  kind: "json",
  description: "Tags by name, as `serviceTag` or `netuitiveTag`; values are kept as texts",
  schema: tagBody,
  example: { netuitiveTag: { Weekday: "Saturday" } }
};
var tagRoutes = [
  ...routesAt("/elements/:elementId", "an element", [elementParameter]),
  ...routesAt("/elements/:elementId/metrics/:metricId", "a metric of an element", [
    elementParameter,
    metricParameter
  ])
];
function routesAt(parent, owner, parameters2) {
  const section16 = "Elements";
  return [
    {
      path: `${parent}/tags`,
      section: section16,
      operations: {
        GET: {
          summary: `Tags of ${owner}`,
          access: "reader",
          parameters: parameters2,
          answer: {
            status: 200,
            description: "`serviceTags`, which people set, and `sourceTags`, which were posted",
            schema: tagsAnswer
          },
          handle: asking("tags")
        },
        POST: {
          summary: `Set tags of ${owner}`,
          access: "writer",
          parameters: parameters2,
          body,
          answer: { status: 200, description: "What was set", schema: tagEchoAnswer },
          handle: create5
        }
      }
    },
    {
      path: `${parent}/tags/:tagName`,
      section: section16,
      operations: {
        PUT: {
          summary: `Set the value of a tag of ${owner}`,
          access: "writer",
          parameters: [...parameters2, nameParameter],
          body,
          answer: noBody(204, "Set"),
          handle: update
        },
        DELETE: {
          summary: `Remove a tag of ${owner} that somebody set`,
          access: "writer",
          parameters: [...parameters2, nameParameter],
          answer: noBody(204, "Removed"),
          handle: remove8
        }
      }
    }
  ];
}

// src/http/routes/users.ts
var section14 = "Users";
var idParameter7 = {
  name: "id",
  in: "path",
  description: "Number of the user, as in its record",
  value: idValue
};
var exampleUser = {
  email: "louis.lane@example.org",
  password: "a password of 8 or more",
  active: true,
  roles: ["Power User"],
  properties: { theme: "dark", landingPage: "dashboards" }
};
var exampleRecord5 = userDocument({
  ...exampleUser,
  id: 2,
  role: "Power User",
  customElementTypeIcons: {},
  tenant: { uuid: "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10", name: "Tidegauge", isActive: true }
});
var list9 = async ({ tenant }, { accounts }) => json({ users: accounts.users.list(tenant).map(documentOf6) });
var create6 = async ({ tenant, body: body2 }, { accounts }) => {
  const { fields: fields3, roleOf } = readUserBody(body2);
  const { email, password: password2, ...rest } = fields3;
  if (email === void 0) throw invalid("user.email: expected an e-mail address, got nothing");
  if (password2 === void 0) throw invalid("user.password: expected a password, got nothing");
  const role = roleOf(null) ?? "Administrator";
  return answered(await accounts.users.create(tenant, { ...rest, email, password: password2, role }));
};
var current = async (call, { accounts }) => answered(accounts.users.current(call.identity));
var get8 = async (call, { accounts }) => {
  const user = accounts.users.get(call.tenant, idOf(call));
  checkOwn(call, user);
  return answered(user);
};
var update2 = async (call, { accounts }) => {
  const { users } = accounts;
  const { fields: fields3, roleOf } = readUserBody(call.body);
  const former = users.get(call.tenant, idOf(call));
  const role = roleOf(former.role);
  const changed = role === null ? fields3 : { ...fields3, role };
  return answered(await users.update(call.tenant, former.id, changed));
};
var remove9 = async (call, { accounts }) => {
  await accounts.users.remove(call.tenant, idOf(call));
  return noContent;
};
var featureUsage = async (call, { accounts }) => {
  const user = accounts.users.get(call.tenant, idOf(call));
  checkOwn(call, user);
  return json(featureUsageDocument({ id: user.id, used: user.featuresUsed, all: features }));
};
var password = async (call, { accounts }) => {
  const user = accounts.users.get(call.tenant, idOf(call));
  const isOwn2 = checkOwn(call, user);
  const [newPassword] = call.query["newPassword"] ?? [];
  const [oldPassword] = call.query["oldPassword"] ?? [];
  if (newPassword === void 0) throw invalid("newPassword: expected a password, got nothing");
  if (isOwn2 && oldPassword === void 0) {
    throw invalid("oldPassword: expected the user's password, got nothing");
  }
  const change7 = { oldPassword: isOwn2 ? oldPassword : null, newPassword };
  return answered(await accounts.users.changePassword(call.tenant, user.id, change7));
};
function answered(user) {
  return json({ user: documentOf6(user) });
}
function documentOf6({ owner, ...user }) {
  const { uuid: uuid2, document } = owner;
  const isActive = (document.state ?? "active") === "active";
  return userDocument({ ...user, tenant: { uuid: uuid2, name: document.name ?? "", isActive } });
}
function idOf({ path }) {
  const text3 = path["id"];
  if (!/^\d{1,15}$/.test(text3)) {
    throw invalid(`id: expected a whole number, got "${text3.slice(0, 80)}"`);
  }
  return Number(text3);
}
function checkOwn({ identity }, user) {
  if (identity.user === user.email) return true;
  if (identity.role === "Administrator") return false;
  throw new ServiceError("forbidden", `The role ${identity.role} sees its own record only`);
}
var oneUser = {
  status: 200,
  description: "The user; passwords are never told",
  schema: record({ user: userRecord }),
  example: { user: exampleRecord5 }
};
var userExample = { description: "The user in a wrapper", schema: userBody };
var userRoutes = [
  {
    path: "/users",
    section: section14,
    operations: {
      GET: {
        summary: "All users of the account",
        access: "administrator",
        answer: {
          status: 200,
          description: "By id",
          schema: record({ users: listOf(userRecord) }),
          example: { users: [exampleRecord5] }
        },
        handle: list9
      },
      POST: {
        summary: "Create a user; an administrator where neither roles nor flags say otherwise",
        access: "administrator",
        body: { kind: "json", ...userExample, example: { user: exampleUser } },
        answer: oneUser,
        handle: create6
      }
    }
  },
  {
    path: "/users/current",
    section: section14,
    operations: {
      GET: { summary: "Who asks", access: "reader", answer: oneUser, handle: current }
    }
  },
  {
    path: "/users/:id",
    section: section14,
    operations: {
      GET: {
        summary: "One user: oneself, or any for an administrator",
        access: "reader",
        parameters: [idParameter7],
        answer: oneUser,
        handle: get8
      },
      PUT: {
        summary: "Change what is given; properties are merged",
        access: "administrator",
        parameters: [idParameter7],
        body: {
          kind: "json",
          ...userExample,
          example: { user: { active: true, properties: { theme: "light" } } }
        },
        answer: oneUser,
        handle: update2
      },
      DELETE: {
        summary: "Delete a user; the last active administrator stays",
        access: "administrator",
        parameters: [idParameter7],
        answer: noBody(204, "Done"),
        handle: remove9
      }
    }
  },
  {
    path: "/users/:id/featureusage",
    section: section14,
    operations: {
      GET: {
        summary: "What of the service the user has made use of",
        access: "reader",
        parameters: [idParameter7],
        answer: {
          status: 200,
          description: "Each feature, and the share of all",
          schema: featureUsageAnswer,
          example: featureUsageDocument({ id: 2, used: ["createdPolicy"], all: features })
        },
        handle: featureUsage
      }
    }
  },
  {
    path: "/users/:id/password",
    section: section14,
    operations: {
      POST: {
        summary: "Change one's own password, or anybody's for an administrator",
        access: "reader",
        parameters: [
          idParameter7,
          {
            name: "oldPassword",
            in: "query",
            description: "Needed for one's own password",
            example: "the password of before"
          },
          {
            name: "newPassword",
            in: "query",
            description: "8 to 1024 characters",
            required: true,
            example: "the password from now on"
          }
        ],
        answer: oneUser,
        handle: password
      }
    }
  }
];

// src/http/routes/widgets.ts
var section15 = "Widgets";
var idParameter8 = {
  name: "id",
  in: "path",
  description: "Id of the widget, a UUID",
  required: true,
  value: uuidValue
};
var list10 = async (call, rooms) => {
  const text3 = parameterOf(call, "dashboardId");
  const dashboardId = text3 === void 0 ? void 0 : uuidOf(text3, "dashboardId");
  const widgets = await rooms.records.boards.listWidgets(callerOf(call, rooms), dashboardId);
  return json({ widgets: widgets.map(widgetDocument) });
};
var create7 = async (call, rooms) => {
  const { widget } = readRecord(newWidgetBody, call.body);
  const dashboardId = uuidOf(widget.dashboardId, "widget.dashboardId");
  const { boards } = rooms.records;
  return shownWidget(await boards.createWidget(callerOf(call, rooms), dashboardId, widget));
};
var get9 = async (call, rooms) => shownWidget(await rooms.records.boards.getWidget(callerOf(call, rooms), uuidIn(call)));
var change6 = async (call, rooms) => {
  const id2 = uuidIn(call);
  const { widget } = readRecord(changedWidgetBody, call.body);
  return shownWidget(await rooms.records.boards.changeWidget(callerOf(call, rooms), id2, widget));
};
var remove10 = async (call, rooms) => {
  await rooms.records.boards.removeWidget(callerOf(call, rooms), uuidIn(call));
  return noContent;
};
function shownWidget(widget) {
  return json({ widget: widgetDocument(widget) });
}
var newExample2 = {
  widget: {
    dashboardId: "f1234ee1-a123-423a-8dbd-1d2b34e5f678",
    name: "CPU Utilization",
    widgetType: "single-metric",
    generated: "true",
    properties: {
      visualization: "time series",
      showBands: "true",
      metric_fqn: "aws.rds.cpuutilization",
      metricAgg: "avg",
      topNLimit: "5"
    }
  }
};
var changeExample2 = {
  widget: {
    name: "EC2 CPU",
    properties: { elementScopeAttributes: '[{"value":"us-west-2","key":"region"}]' }
  }
};
var exampleMs2 = Date.UTC(2026, 0, 1);
var exampleRecord6 = widgetDocument({
  id: "38250616-a1a7-4d2b-ab48-50ac2333ca95",
  createdMs: exampleMs2,
  updatedMs: exampleMs2,
  body: {
    ...newExample2.widget,
    userId: 1,
    description: null,
    position: 0
  }
});
var oneWidget = {
  status: 200,
  schema: record({ widget: widgetRecord }),
  example: { widget: exampleRecord6 }
};
var widgetRoutes = [
  {
    path: "/widgets",
    section: section15,
    operations: {
      GET: {
        summary: "The widgets of a dashboard",
        access: "reader",
        mayMiss: true,
        parameters: [
          {
            name: "dashboardId",
            in: "query",
            description: "Id of the dashboard; without it the widgets of all dashboards",
            value: uuidValue
          }
        ],
        answer: {
          status: 200,
          description: "`widgets`, oldest first",
          schema: record({ widgets: listOf(widgetRecord) }),
          example: { widgets: [exampleRecord6] }
        },
        handle: list10
      },
      POST: {
        summary: "Create a widget on a dashboard",
        access: "writer",
        mayMiss: true,
        body: {
          kind: "json",
          description: "It shows once the dashboard's `properties.gridstackContents` names the id it gets",
          schema: newWidgetBody,
          example: newExample2
        },
        answer: { ...oneWidget, description: "The widget as it was stored" },
        handle: create7
      }
    }
  },
  {
    path: "/widgets/:id",
    section: section15,
    operations: {
      GET: {
        summary: "One widget",
        access: "reader",
        parameters: [idParameter8],
        answer: { ...oneWidget, description: "The widget" },
        handle: get9
      },
      PUT: {
        summary: "Change a widget",
        access: "writer",
        parameters: [idParameter8],
        body: {
          kind: "json",
          description: "What is absent stays, properties are merged; the widget stays on its dashboard",
          schema: changedWidgetBody,
          example: changeExample2
        },
        answer: { ...oneWidget, description: "The widget as it is now" },
        handle: change6
      },
      DELETE: {
        summary: "Remove a widget",
        access: "writer",
        parameters: [idParameter8],
        answer: noBody(204, "Done"),
        handle: remove10
      }
    }
  }
];

// src/http/routes/all.ts
var allRoutes = [
  ...boardRoutes,
  ...widgetRoutes,
  ...datasourceRoutes,
  ...notificationRoutes,
  ...policyRoutes,
  ...packageRoutes,
  ...eventPostRoutes,
  ...eventRoutes,
  ...incidentRoutes,
  ...checkRoutes,
  ...findRoutes,
  ...statisticsRoutes,
  ...elementRoutes,
  ...tagRoutes,
  ...userRoutes,
  ...systemRoutes,
  ...descriptionRoutes(() => describedRoutes)
];
var describedRoutes = [...ingestRoutes, ...allRoutes];

// src/http/app.ts
function createApp(options2) {
  const app = new Hono({ strict: false });
  for (const route of allRoutes) addRoute(app, route, options2);
  const unknown4 = (context) => {
    options2.metrics.countRequest("unknown", 404);
    return responseOf(unknownPath(context.req.path, options2));
  };
  app.get("/", (context) => wantsJson(context) ? unknown4(context) : toDocs(options2));
  app.notFound(unknown4);
  app.onError((error) => responseOf(answerOf(error, options2.clock.nowMs(), options2.failures)));
  return app;
}
function addRoute(app, route, options2) {
  const { path, operations } = route;
  const counted2 = (response2, startedMs) => {
    options2.metrics.countRequest(path, response2.status, startedMs);
    return response2;
  };
  for (const method of methods) {
    const operation = operations[method];
    if (operation === void 0) continue;
    app.on(method, path, async (context) => {
      const startedMs = options2.metrics.startRequest();
      return counted2(await respond(operation, context, options2), startedMs);
    });
  }
  const allow = allowOf(route);
  app.all(path, () => counted2(responseOf(methodAnswer(allow, options2.clock.nowMs()))));
}
function allowOf({ operations }) {
  return methods.filter((method) => operations[method] !== void 0).flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).join(", ");
}
async function respond(operation, context, options2) {
  const nowMs = options2.clock.nowMs();
  try {
    refuseForeign(operation, context, options2);
    const call = await callOf(operation, context, { options: options2, nowMs });
    const reply2 = await operation.handle(call, options2);
    await noteFeatureUse(call, reply2, options2).catch(options2.failures.nameOf);
    return sent(reply2, context) ?? replied(reply2);
  } catch (error) {
    return responseOf(answerOf(error, nowMs, options2.failures));
  }
}
function refuseForeign({ access }, { req }, { baseUrl }) {
  if (access === "key" || req.method === "GET" || req.method === "HEAD") return;
  const [site, origin, host] = ["sec-fetch-site", "origin", "host"].map((name) => req.header(name));
  requireOwnOrigin({ site, origin, host }, baseUrl);
}
async function callOf(operation, context, { options: options2, nowMs }) {
  const path = context.req.param();
  const { identity, tenant } = await admit(operation.access, context, options2);
  const request = context.req.raw;
  const isJson2 = operation.body?.kind === "json";
  const body2 = isJson2 ? await readJson(request, options2.limits) : null;
  const query2 = queryOf(request.url);
  return { identity, tenant, path, query: query2, body: body2, nowMs, request, incoming: context.env?.incoming };
}
async function admit(access, context, { accounts, metricsAccess }) {
  const nobody = { identity: null, tenant: -1 };
  if (access === "anyone") return nobody;
  if (access === "local" && isOpen(metricsAccess, context.env?.incoming)) return nobody;
  if (access === "key") {
    const grant = accounts.grantOf(context.req.param("apiId") ?? "");
    if (grant === void 0) throw new ServiceError("forbidden", "The API key is not known");
    grant.limit?.takePayload();
    return { identity: null, tenant: grant.tenant };
  }
  const identity = await accounts.authenticate(context.req.header("authorization"));
  if (!mayCall(identity, access)) {
    const problem = `The role ${identity.role} has no right to do this`;
    throw new ServiceError("forbidden", problem);
  }
  return { identity, tenant: identity.tenant };
}
function isOpen(access, incoming) {
  return access === "all" || access === "local" && isLocal(incoming);
}
function mayCall({ role }, access) {
  if (access === "administrator") return role === "Administrator";
  return access !== "writer" || role !== "Read Only";
}
function queryOf(url) {
  const query2 = /* @__PURE__ */ new Map();
  for (const [name, value] of new URL(url).searchParams) {
    const values = query2.get(name);
    if (values === void 0) query2.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(query2);
}
function sent({ status, bytes, headers }, context) {
  const outgoing = context.env?.outgoing;
  const isPlain2 = status === 200 && headers === void 0 && context.req.raw.method !== "HEAD";
  if (outgoing === void 0 || bytes === void 0 || !isPlain2) return null;
  outgoing.writeHead(status, {
    ...answerHeaders,
    "Content-Type": "application/json",
    "Content-Length": String(bytes.length)
  });
  outgoing.end(bytes);
  return RESPONSE_ALREADY_SENT;
}
function replied(reply2) {
  const { status, json: json2, bytes, text: text3, headers } = reply2;
  const body2 = bytes ?? text3 ?? (json2 === void 0 ? null : JSON.stringify(json2));
  const isJson2 = bytes !== void 0 || json2 !== void 0;
  return new Response(body2, {
    status,
    headers: {
      ...answerHeaders,
      ...isJson2 ? { "Content-Type": "application/json" } : {},
      ...headers
    }
  });
}
function wantsJson({ req }) {
  const accept = req.header("accept") ?? "";
  return accept.includes("json") && !accept.includes("text/html");
}
function toDocs({ metrics: metrics2 }) {
  metrics2.countRequest("/", 302);
  return new Response(null, { status: 302, headers: { ...answerHeaders, Location: "/docs" } });
}
function unknownPath(path, { clock, failures }) {
  const problem = `Expected a known path, got ${shown(withoutKeys(path))}; GET /docs lists them all`;
  return answerOf(new ServiceError("missing", problem), clock.nowMs(), failures);
}
function withoutKeys(path) {
  const isKey = /^[^/]{16,}$/;
  return path.split("/").map((segment) => isKey.test(segment) ? "******" : segment).join("/");
}
function responseOf(answer) {
  return new Response(JSON.stringify(answer.body), {
    status: answer.status,
    headers: { ...answerHeaders, "Content-Type": "application/json", ...answer.headers }
  });
}

// src/http/failure-log.ts
function createFailureNames(log, random) {
  const idsByError = /* @__PURE__ */ new WeakMap();
  return {
    nameOf(error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      const known = idsByError.get(failure);
      if (known !== void 0) return known;
      const id2 = Buffer.from(random.bytes(8)).toString("hex");
      idsByError.set(failure, id2);
      log.error({ requestId: id2, err: failure }, "request failed");
      return id2;
    }
  };
}

// src/http/date-header.ts
var DateHeader = class {
  clock;
  second = NaN;
  text = "";
  constructor(clock) {
    this.clock = clock;
  }
  value() {
    const nowMs = this.clock.nowMs();
    const second = Math.floor(nowMs / 1e3);
    if (second !== this.second) {
      this.second = second;
      this.text = new Date(nowMs).toUTCString();
    }
    return this.text;
  }
};

// src/http/ingest-route.ts
var serverStopping = new ServiceError("stopping", "The server is shutting down");
var unknownKey = new ServiceError("forbidden", "The API key is not known");
var IngestRoute = class {
  /** From here on every request is answered 503. */
  stopping = false;
  options;
  constructor(options2) {
    this.options = options2;
  }
  /**
   * Everything that can be refused by the headers alone, which it then throws. On return the
   * request's overhead is held.
   */
  admit({ target, headers, announcedBytes }) {
    const { intake, keys, limits } = this.options;
    if (this.stopping) throw serverStopping;
    const grant = keys(target.apiKey);
    if (grant === void 0) throw unknownKey;
    const coding = codingOf(headers["content-encoding"]);
    if (announcedBytes > limits.bodyBytesMax) throw bodyTooLarge(limits.bodyBytesMax);
    const expectedBytes = expectedLength(announcedBytes, coding, limits.bodyBytesMax);
    const share = intake.shareOf(target.apiKey);
    const room = share.admission(expectedBytes + requestOverheadBytes);
    if (room === "full") throw queueFull;
    if (room === "overShare") throw shareFull;
    grant.limit?.takePayload();
    const options2 = ingestOptions(headers);
    share.hold(requestOverheadBytes);
    const startedMs = this.options.startRequest();
    return { grant, kind: target.kind, headers, options: options2, coding, share, startedMs, expectedBytes };
  }
  /** How the body of an admitted request is collected. */
  bodyOptions({ coding, share, expectedBytes }) {
    return {
      coding,
      bytesMax: this.options.limits.bodyBytesMax,
      budget: share,
      promise: share.promise(expectedBytes),
      overheadBytes: requestOverheadBytes
    };
  }
  /** Hands a whole body of `length` bytes to the intake; the asker is told once it is on disk. */
  submit(admission, chunks, length, asker) {
    const { grant, options: options2, share } = admission;
    const { injectTimestamp, sendResponseBody: tellsLeftOut } = options2;
    const charset = charsetOf(admission.headers["content-type"]);
    const { tenant } = grant;
    const body2 = { chunks, length, tenant, injectTimestamp, charset, tellsLeftOut, share };
    this.options.intake.submit(body2, (result) => this.tell(admission, result, asker));
  }
  /** The answer to what was thrown, counted. */
  refusalOf(error) {
    return this.counted(answerOf(error, this.options.clock.nowMs(), this.options.failures));
  }
  /** Counts an answer of the ingest endpoint, and gives it back. */
  counted(answer, startedMs) {
    this.options.countRequest("ingest", answer.status, startedMs);
    return answer;
  }
  tell(admission, result, asker) {
    const { grant, kind: kind5, options: options2, startedMs } = admission;
    const nowMs = this.options.clock.nowMs();
    if (result.outcome === "failed") return asker.refused(this.refusalOf(result.error));
    if (result.outcome === "refused") {
      const { detail, errors } = result;
      return asker.refused(this.counted(refusalAnswer(detail, errors, nowMs), startedMs));
    }
    grant.limit?.takeSamples(result.samples);
    this.options.onAccepted?.(grant, kind5);
    this.options.countRequest("ingest", 202, startedMs);
    asker.accepted(options2.sendResponseBody ? acceptedBody(result, nowMs) : null);
  }
};
var inflation = 12;
function expectedLength(announcedBytes, coding, bytesMax) {
  return coding === null ? announcedBytes : Math.min(announcedBytes * inflation, bytesMax);
}
var smallRestBytes = 1024 * 1024;

// src/http/front.ts
function createFront(options2) {
  const { ingest, listener } = options2;
  const date = new DateHeader(options2.clock);
  const posts = new IngestPosts(options2);
  const others = /* @__PURE__ */ new Set();
  return {
    handle(request, response2) {
      response2.setHeader("Date", date.value());
      const target = ingestTarget(request.url ?? "");
      if (target !== null) return posts.handle(request, response2, target);
      if (ingest.stopping) closeAfter(response2);
      others.add(response2);
      response2.on("close", () => others.delete(response2));
      if (request.headers.expect !== void 0) response2.writeContinue();
      listener(request, response2);
    },
    stop() {
      ingest.stopping = true;
      for (const response2 of others) closeAfter(response2);
    }
  };
}
var IngestPosts = class {
  options;
  route;
  constructor(options2) {
    this.options = options2;
    this.route = options2.ingest;
  }
  handle(request, response2, target) {
    const { headers } = request;
    if (request.method !== "POST") {
      const answer = methodAnswer("POST", this.options.clock.nowMs());
      return this.refuse(request, response2, this.route.counted(answer));
    }
    let admission;
    try {
      const announcedBytes = Number(headers["content-length"] ?? 0);
      admission = this.route.admit({ target, headers, announcedBytes });
    } catch (error) {
      return this.refuse(request, response2, this.route.refusalOf(error));
    }
    if (headers.expect !== void 0) response2.writeContinue();
    this.collect(request, response2, admission);
  }
  collect(request, response2, admission) {
    collectBody(request, this.route.bodyOptions(admission), (error, chunks, length) => {
      if (error !== null) return this.refuseBody(request, response2, error);
      this.route.submit(admission, chunks, length, {
        accepted: (body2) => this.accept(response2, body2),
        refused: (answer) => {
          if (this.route.stopping) closeAfter(response2);
          reply(response2, answer);
        }
      });
    });
  }
  accept(response2, body2) {
    if (this.route.stopping) closeAfter(response2);
    const type = body2 === null ? {} : { "Content-Type": "application/json" };
    const length = { "Content-Length": Buffer.byteLength(body2 ?? "") };
    response2.writeHead(202, { ...answerHeaders, ...type, ...length }).end(body2 ?? "");
  }
  /** The body turned out to be too large, too much for the queue, or not to inflate. */
  refuseBody(request, response2, error) {
    const answer = this.route.refusalOf(error);
    replyAndClose(request, response2, { answer, limits: this.options.limits });
  }
  /**
   * Answers before the body is read. Only where little is left to read does the connection go on.
   */
  refuse(request, response2, answer) {
    if (!this.route.stopping && isSmallRest(request)) return reply(response2, answer);
    replyAndClose(request, response2, { answer, limits: this.options.limits });
  }
};
function closeAfter(response2) {
  if (!response2.headersSent) response2.setHeader("Connection", "close");
}
function isSmallRest(request) {
  const { headers } = request;
  if (headers.expect !== void 0 || headers["transfer-encoding"] !== void 0) return false;
  return Number(headers["content-length"] ?? 0) <= smallRestBytes;
}

// src/http/limits.ts
var defaultHttpLimits = {
  bodyBytesMax: bodyBytesDefault,
  // 25,000 element ids, for POST /metrics/statistics.
  queryBodyBytesMax: 1024 * 1024,
  queryBodyDepthMax: jsonDepthMax,
  // Queries repeat parameters in the URL; 300 element ids fit.
  headerBytesMax: 16 * 1024,
  headerCountMax: 100,
  headersTimeoutMs,
  requestTimeoutMs: bodyTimeoutMs,
  timeoutCheckMs: 2e3,
  // Agents post every minute; a connection that survives until then saves a handshake.
  keepAliveTimeoutMs: 75e3,
  // As long as a body may take. An answer of 100 MB stays in memory until it is read.
  stallTimeoutMs: bodyTimeoutMs,
  connectionsMax: 1e4,
  // With node's 511, a fleet that connects at once is dropped and waits a second to try again.
  backlog: 4096,
  lingerMs: 1e3,
  lingerBytesMax: 64 * 1024 * 1024
};

// src/http/listener.ts
import { getRequestListener } from "@hono/node-server";
function createListener(app, { clock, failures }) {
  return getRequestListener(app.fetch, {
    // For requests without a Host header, which mean the same as those with one.
    hostname: "localhost",
    overrideGlobalObjects: false,
    errorHandler(error) {
      const isUnreadable = error instanceof Error && error.name === "RequestError";
      const problem = isUnreadable ? invalid("Expected a readable URL and Host header") : error;
      return responseOf(answerOf(problem, clock.nowMs(), failures));
    }
  });
}

// src/http/server.ts
import { createServer as createHttpServer } from "node:http";

// src/http/lane/answers.ts
import { STATUS_CODES } from "node:http";
var AnswerTexts = class {
  now;
  keepAlive;
  date = "";
  empty = "";
  constructor(clock, keepAliveTimeoutMs) {
    this.now = new DateHeader(clock);
    const seconds2 = Math.floor(keepAliveTimeoutMs / 1e3);
    this.keepAlive = `Connection: keep-alive\r
Keep-Alive: timeout=${seconds2}\r
`;
  }
  accepted(body2, isLast) {
    this.lookAtClock();
    if (body2 === null && !isLast) return this.empty;
    return this.textOf(202, body2 === null ? {} : jsonType2, { body: body2 ?? "", isLast });
  }
  refused(answer, isLast) {
    this.lookAtClock();
    const headers = { ...answer.headers, ...jsonType2 };
    return this.textOf(answer.status, headers, { body: JSON.stringify(answer.body), isLast });
  }
  lookAtClock() {
    const date = this.now.value();
    if (date === this.date) return;
    this.date = date;
    this.empty = this.textOf(202, {}, { body: "", isLast: false });
  }
  textOf(status, headers, { body: body2, isLast }) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r
`);
    const connection = isLast ? "Connection: close\r\n" : this.keepAlive;
    const length = `Content-Length: ${Buffer.byteLength(body2)}\r
`;
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r
Date: ${this.date}\r
${connection}${answerHeaderLines}${lines.join("")}${length}\r
${body2}`;
  }
};
var jsonType2 = { "Content-Type": "application/json" };

// src/http/lane/head.ts
var HeadReader = class {
  headBytes = 0;
  bodyBytes = 0;
  limits;
  known = null;
  constructor(limits) {
    this.limits = limits;
  }
  get target() {
    return this.known.target;
  }
  /** Those that the ingest route looks at; Content-Length is not among them. */
  get headers() {
    return this.known.headers;
  }
  /** Whether the connection is to end with this request. */
  get isLast() {
    return this.known.isLast;
  }
  /** False where `bytes` do not begin with the whole head of a plain ingest post. */
  read(bytes) {
    if (this.known !== null && this.readRepeated(bytes, this.known)) return true;
    this.known = readHead(bytes, this.limits);
    return this.known !== null && this.readRepeated(bytes, this.known);
  }
  readRepeated(bytes, known) {
    const { bytes: head, digitsFrom, digitsTo } = known;
    if (!isAt(bytes, 0, { head, from: 0, to: digitsFrom })) return false;
    let at = digitsFrom;
    let length = 0;
    for (; at < bytes.length && at - digitsFrom < digitsMax; at++) {
      const digit = bytes[at] - zero;
      if (digit < 0 || digit > 9) break;
      length = length * 10 + digit;
    }
    if (at === digitsFrom || !isAt(bytes, at, { head, from: digitsTo, to: head.length })) {
      return false;
    }
    this.headBytes = at + head.length - digitsTo;
    this.bodyBytes = length;
    return true;
  }
};
var zero = 48;
var digitsMax = 12;
function isAt(bytes, at, { head, from, to }) {
  const end = at + to - from;
  return end <= bytes.length && bytes.compare(head, from, to, at, end) === 0;
}
var emptyLine = Buffer.from("\r\n\r\n");
var requestLine = /^POST (\/[!-~]+) HTTP\/1\.1$/;
var headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/;
var lengthDigits = /\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n/i;
var leftToOthers = /* @__PURE__ */ new Set([
  "transfer-encoding",
  "content-encoding",
  "expect",
  "upgrade",
  "trailer"
]);
var readByLane = /* @__PURE__ */ new Set([
  "content-length",
  "connection",
  "content-type",
  "x-service-api-options",
  "x-netuitive-api-options",
  "x-metricly-api-options"
]);
function readHead(bytes, limits) {
  const end = bytes.indexOf(emptyLine);
  if (end < 0 || end + emptyLine.length > limits.headerBytesMax) return null;
  const text3 = bytes.toString("latin1", 0, end);
  const [first, ...lines] = text3.split("\r\n");
  const url = requestLine.exec(first)?.[1];
  const target = url === void 0 ? null : ingestTarget(url);
  const plain = lines.length <= limits.headerCountMax ? readHeaders(lines) : null;
  const digits = lengthDigits.exec(`${text3}\r
`);
  if (target === null || plain === null || digits === null) return null;
  const digitsFrom = digits.index + digits[0].search(/\d/);
  return {
    // A copy, since the bytes that it came with hold a body as well.
    bytes: new Uint8Array(bytes.subarray(0, end + emptyLine.length)),
    digitsFrom,
    digitsTo: digitsFrom + digits[1].length,
    target,
    headers: plain.headers,
    isLast: plain.isLast
  };
}
function readHeaders(lines) {
  const headers = {};
  for (const line of lines) {
    const match = headerLine.exec(line);
    if (match === null) return null;
    const name = match[1].toLowerCase();
    if (leftToOthers.has(name)) return null;
    if (!readByLane.has(name)) continue;
    if (Object.hasOwn(headers, name)) return null;
    headers[name] = match[2].trimEnd();
  }
  const { connection = "keep-alive", "content-length": length, ...rest } = headers;
  const isLast = connection.toLowerCase() === "close";
  if (length === void 0 || !isLast && connection.toLowerCase() !== "keep-alive") return null;
  return { headers: rest, isLast };
}

// src/http/lane/connection.ts
var LaneConnection = class {
  socket;
  parts;
  head;
  state = "waiting";
  /** The round in which this state began, and bytes of the body that are still to come. */
  sinceRound;
  rest = 0;
  collected = null;
  held = null;
  /** Where what is held counts: that of the last request that was admitted. */
  share = null;
  hasEnded = false;
  onLeft;
  onData = (bytes) => this.take(bytes);
  onEnd = () => this.end();
  onClose = () => this.leave();
  // What broke is followed by "close", and nobody is left to be told.
  onError = () => void 0;
  /** `onLeft` is told once that the lane has nothing more to do with it. */
  constructor(socket, parts, onLeft) {
    this.socket = socket;
    this.parts = parts;
    this.onLeft = onLeft;
    this.head = new HeadReader(parts.limits);
    this.sinceRound = parts.round;
    socket.on("data", this.onData);
    socket.on("end", this.onEnd);
    socket.on("close", this.onClose);
    socket.on("error", this.onError);
  }
  accepted(body2) {
    this.answer(this.parts.texts.accepted(body2, this.isLast));
  }
  refused(answer) {
    this.answer(this.parts.texts.refused(answer, this.isLast));
  }
  /** Ends it where it waits for too long; called once a round. */
  look() {
    const { limits, round, tellLate } = this.parts;
    const waitedMs = (round - this.sinceRound) * limits.timeoutCheckMs;
    if (waitedMs <= this.waitMax()) return;
    const isSilent = this.state === "waiting" && this.socket.bytesRead === 0;
    if (this.state !== "body" && !isSilent) return this.destroy();
    this.forget();
    this.enter("ending");
    tellLate(this.socket);
  }
  closeIdle() {
    if (this.state === "waiting") this.finish();
  }
  destroy() {
    this.leave();
    this.socket.destroy();
  }
  get isLast() {
    return this.head.isLast || this.hasEnded || this.parts.ingest.stopping;
  }
  /** Milliseconds that it may be in its state. */
  waitMax() {
    const { limits } = this.parts;
    switch (this.state) {
      case "waiting":
        return this.socket.bytesRead === 0 ? limits.headersTimeoutMs : limits.keepAliveTimeoutMs;
      case "body":
      case "dropping":
        return limits.requestTimeoutMs;
      case "unread":
      case "ending":
        return limits.stallTimeoutMs;
      // The intake answers always, and who lingers has a timer.
      default:
        return Infinity;
    }
  }
  enter(state) {
    this.state = state;
    this.sinceRound = this.parts.round;
  }
  take(bytes) {
    switch (this.state) {
      case "waiting":
        return this.begin(bytes);
      case "body":
        return this.takeBody(bytes);
      case "dropping":
        return this.drop(bytes);
      case "answering":
      case "unread":
        return this.hold(bytes);
      default:
    }
  }
  begin(bytes) {
    const { head } = this;
    const { ingest, limits } = this.parts;
    const isPlain2 = head.read(bytes) && bytes.length <= head.headBytes + head.bodyBytes;
    if (!isPlain2 || head.bodyBytes > limits.bodyBytesMax || ingest.stopping) {
      return this.handOver(bytes);
    }
    let admission;
    try {
      const { target, headers, bodyBytes } = head;
      admission = ingest.admit({ target, headers, announcedBytes: bodyBytes });
    } catch (error) {
      return this.refuse(bytes, error);
    }
    this.enter("body");
    this.share = admission.share;
    this.rest = head.bodyBytes;
    this.collected = new Collected(ingest.bodyOptions(admission), (error, chunks, length) => {
      this.collected = null;
      if (error !== null) return this.refuseBody(error);
      this.enter("answering");
      ingest.submit(admission, chunks, length, this);
    });
    this.takeBody(bytes.subarray(head.headBytes));
  }
  takeBody(bytes) {
    const collected = this.collected;
    const isOver = bytes.length > this.rest;
    const own = isOver ? bytes.subarray(0, this.rest) : bytes;
    if (isOver) this.hold(bytes.subarray(this.rest));
    this.rest -= own.length;
    if (own.length > 0) collected.add(own);
    if (this.rest === 0) collected.finish();
  }
  /** Refuses by the head alone. Where much is left to read, node:http does that. */
  refuse(bytes, error) {
    if (this.head.bodyBytes > smallRestBytes || this.head.isLast) return this.handOver(bytes);
    const answer = this.parts.ingest.refusalOf(error);
    this.enter("dropping");
    this.rest = this.head.bodyBytes;
    this.socket.write(this.parts.texts.refused(answer, false));
    this.drop(bytes.subarray(this.head.headBytes));
  }
  drop(bytes) {
    if (bytes.length > this.rest) this.hold(bytes.subarray(this.rest));
    this.rest -= Math.min(this.rest, bytes.length);
    if (this.rest === 0) this.next();
  }
  /** There was no room for the body, of which a part is still to come. */
  refuseBody(error) {
    const { ingest, texts, limits } = this.parts;
    this.enter("lingering");
    this.dropHeld();
    this.socket.write(texts.refused(ingest.refusalOf(error), true));
    linger(this.socket, limits, () => this.finish());
  }
  answer(text3) {
    if (this.state !== "answering") return;
    const { isLast } = this;
    this.socket.write(text3);
    if (isLast) this.finish();
    else this.next();
  }
  /** Answered: on to what was held, or to what comes. */
  next() {
    if (this.socket.writableNeedDrain) return this.waitForReader();
    this.enter("waiting");
    const { held } = this;
    if (held === null) return;
    this.dropHeld();
    this.socket.resume();
    this.begin(held);
  }
  waitForReader() {
    this.enter("unread");
    this.socket.once("drain", () => {
      if (this.state === "unread") this.next();
    });
  }
  hold(bytes) {
    this.socket.pause();
    if (this.share !== null && !this.share.hold(bytes.length)) return this.destroy();
    this.held = this.held === null ? bytes : Buffer.concat([this.held, bytes]);
  }
  dropHeld() {
    if (this.held !== null) this.share?.release(this.held.length);
    this.held = null;
  }
  end() {
    this.hasEnded = true;
    if (this.state !== "answering") this.finish();
  }
  handOver(bytes) {
    const { socket, parts } = this;
    this.leave();
    socket.off("data", this.onData);
    socket.off("end", this.onEnd);
    socket.off("close", this.onClose);
    socket.off("error", this.onError);
    socket.pause();
    socket.unshift(bytes);
    parts.handOver(socket);
    socket.resume();
  }
  /** Closes it behind what is written; who does not take that is cut off after a while. */
  finish() {
    if (this.state === "left") return;
    this.forget();
    this.enter("ending");
    this.socket.destroySoon();
  }
  /** From here on nothing that comes is heeded, and no answer is written. */
  leave() {
    if (this.state === "left") return;
    this.forget();
    this.state = "left";
    this.onLeft(this);
  }
  /** Releases what was read and not handed on. */
  forget() {
    this.collected?.abandon();
    this.collected = null;
    this.dropHeld();
  }
};

// src/http/lane/lane.ts
var Lane = class {
  parts;
  connections = /* @__PURE__ */ new Set();
  constructor(options2) {
    this.parts = {
      ...options2,
      texts: new AnswerTexts(options2.clock, options2.limits.keepAliveTimeoutMs),
      round: 0
    };
  }
  /** A new connection, of which nothing was read. */
  take(socket) {
    const connection = new LaneConnection(socket, this.parts, (one) => this.connections.delete(one));
    this.connections.add(connection);
  }
  /** Ends what waits for too long; to be called every `timeoutCheckMs`. */
  sweep() {
    this.parts.round++;
    for (const connection of this.connections) connection.look();
  }
  /** Ends connections that wait for a request. */
  closeIdle() {
    for (const connection of this.connections) connection.closeIdle();
  }
  /** Ends all of them at once. */
  closeAll() {
    for (const connection of this.connections) connection.destroy();
  }
};

// src/http/server.ts
function createServer(options2) {
  const { front, ingest, limits, clock } = options2;
  const server = createHttpServer(serverOptions(limits), front.handle);
  server.maxHeadersCount = limits.headerCountMax;
  server.maxConnections = limits.connectionsMax;
  server.on("checkContinue", front.handle);
  server.on("checkExpectation", front.handle);
  server.timeout = limits.stallTimeoutMs;
  server.on("timeout", (socket) => cutWhereStalled(socket, limits.stallTimeoutMs));
  server.on(
    "clientError",
    (error, socket) => answerMalformed(error, socket, clock.nowMs())
  );
  const sockets = trackSockets(server);
  const tellLate = (socket) => answerMalformed(lateError, socket, clock.nowMs());
  const lane = new Lane({ ingest, limits, clock, handOver: takeConnections(server), tellLate });
  server.on("connection", (socket) => lane.take(socket));
  const sweeping = setInterval(() => lane.sweep(), limits.timeoutCheckMs).unref();
  return {
    listen: (at) => {
      const { backlog } = limits;
      return "listener" in at ? listen(server, (done) => server.listen(at.listener, backlog, done)) : listen(server, (done) => server.listen({ ...at, backlog }, done));
    },
    close: (graceMs) => {
      clearInterval(sweeping);
      return close2(server, { front, lane, sockets, graceMs });
    }
  };
}
var lateError = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
function takeConnections(server) {
  const [listener] = server.listeners("connection");
  assert(listener !== void 0, "Expected node:http to listen for connections");
  server.off("connection", listener);
  return (socket) => void listener.call(server, socket);
}
function serverOptions(limits) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    noDelay: true,
    // A request without Host has a clear meaning here; node's own answer would not have our error
    // shape.
    requireHostHeader: false
  };
}
function trackSockets(server) {
  const sockets = /* @__PURE__ */ new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}
function listen(server, begin) {
  return new Promise((resolve2, reject) => {
    server.once("error", reject);
    begin(() => {
      server.off("error", reject);
      resolve2(server.address());
    });
  });
}
function close2(server, { front, lane, sockets, graceMs }) {
  front.stop();
  return new Promise((resolve2) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
      lane.closeAll();
    }, graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve2();
    });
    lane.closeIdle();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  });
}
function cutWhereStalled(socket, stallTimeoutMs) {
  const isAnswering = socket._httpMessage != null && socket.writableLength === 0;
  if (isAnswering) socket.setTimeout(stallTimeoutMs);
  else socket.destroy();
}
function answerMalformed(error, socket, nowMs) {
  const current2 = socket._httpMessage;
  const isOwn2 = !current2 || !current2.headersSent && !current2.req.complete;
  if (error.code === "ECONNRESET" || !socket.writable || !isOwn2) {
    socket.destroy();
    return;
  }
  const { status, body: body2 } = malformedAnswer(error.code, nowMs);
  const text3 = JSON.stringify(body2);
  const head = [
    `HTTP/1.1 ${status} ${reasonOf(body2.message)}`,
    `Date: ${new Date(nowMs).toUTCString()}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text3)}`
  ];
  socket.end(`${head.join("\r\n")}\r
${answerHeaderLines}\r
${text3}`, () => socket.destroy());
}
function reasonOf(message) {
  return message.replaceAll("_", " ");
}

// src/http/bound-port.ts
import { createServer as createServer2 } from "node:net";
function bindPort({ port, host }, clock) {
  const listener = createServer2((socket) => answerStarting(socket, clock.nowMs()));
  listener.maxConnections = defaultHttpLimits.connectionsMax;
  const close3 = () => new Promise((resolve2) => listener.close(() => resolve2()));
  return new Promise((resolve2, reject) => {
    const refuse = (error) => reject(bindError(error, { port, host }));
    listener.once("error", refuse);
    listener.listen({ port, host, backlog: defaultHttpLimits.backlog }, () => {
      listener.off("error", refuse);
      resolve2({ address: listener.address(), listener, close: close3 });
    });
  });
}
function answerStarting(socket, nowMs) {
  socket.on("error", () => socket.destroy());
  socket.setTimeout(defaultHttpLimits.lingerMs, () => socket.destroy());
  socket.resume();
  const { status, body: body2 } = notReadyAnswer(["The server is starting; nothing was stored"], nowMs);
  const text3 = JSON.stringify(body2);
  const head = [
    `HTTP/1.1 ${status} Service Unavailable`,
    "Connection: close",
    "Retry-After: 1",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text3)}`
  ];
  socket.end(`${head.join("\r\n")}\r
\r
${text3}`);
}
function bindError(cause, { port, host }) {
  switch (cause.code) {
    case "EADDRINUSE":
      return invalid(`Port ${port} is in use; choose another with --port`);
    case "EACCES":
      return invalid(`This user may not listen on port ${port}; choose another with --port`);
    case "EADDRNOTAVAIL":
      return invalid(`This machine does not have the address "${host}"; choose another with --host`);
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return invalid(`The host name "${host}" has no known address; choose another with --host`);
    case "EAFNOSUPPORT":
    case "EINVAL":
      return invalid(`This machine cannot listen on "${host}"; choose another with --host`);
    default:
      return invalid(
        `Cannot listen on port ${port} of "${host}": ${cause.code ?? cause.message}; choose others with --port and --host`
      );
  }
}

// src/http/metrics.ts
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
var millisecond = 1e-3;
var secondsBuckets = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1e3].map(
  (ms) => ms * millisecond
);
var closingBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 150, 300];
var httpBuckets = [1e-3, 25e-4, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
var misnamedDefaults = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total"
];
var requestsBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
var samplesBuckets = [10, 50, 100, 500, 1e3, 5e3, 1e4, 5e4, 1e5, 5e5];
var Metrics = class {
  registry = new Registry();
  sources;
  requestCounts = /* @__PURE__ */ new Map();
  samples = 0;
  /** In the order of `leftOutReasons`. */
  leftOutCounts = leftOutReasons.map(() => 0);
  requests;
  bodies;
  ingested;
  leftOut;
  events;
  deliveries;
  failingNotifications;
  figureFailures;
  batchRequests;
  batchSamples;
  commits;
  maintenance;
  cycles;
  requestSeconds;
  maintenanceFailures;
  waitingNotices;
  queueBytes;
  textBytes;
  states;
  gauges;
  constructor(sources) {
    this.sources = sources;
    const registers = [this.registry];
    const counter = (name, help, labelNames = []) => new Counter({ name: `tidegauge_${name}`, help, labelNames, registers });
    const gauge = (name, help) => new Gauge({ name: `tidegauge_${name}`, help, registers });
    const histogram = (name, help, buckets) => new Histogram({ name: `tidegauge_${name}`, help, buckets, registers });
    this.requests = counter("http_requests_total", "Requests answered", ["route", "status"]);
    this.bodies = counter("ingest_bodies_total", "Ingest bodies read, by reader", ["reader"]);
    this.ingested = counter("ingest_samples_total", "Samples stored");
    this.leftOut = counter(
      "samples_left_out_total",
      "Samples of stored requests that held no observation, by reason",
      ["reason"]
    );
    this.events = counter("events_total", "External events accepted, by outcome", ["outcome"]);
    this.deliveries = counter("notices_total", "Notices by what became of them", ["outcome"]);
    this.failingNotifications = gauge(
      "failing_notifications",
      "Notifications whose last delivery failed"
    );
    this.figureFailures = counter(
      "figure_failures_total",
      "Times the shard did not tell its figures"
    );
    this.batchRequests = histogram("batch_requests", "Requests of a group commit", requestsBuckets);
    this.batchSamples = histogram("batch_samples", "Samples of a group commit", samplesBuckets);
    this.commits = histogram("commit_seconds", "Group commit with its sync", secondsBuckets);
    this.maintenance = histogram("maintenance_seconds", "One background step", secondsBuckets);
    this.cycles = histogram("cycle_seconds", "Closing of a five-minute cycle", closingBuckets);
    this.requestSeconds = new Histogram({
      name: "tidegauge_http_request_duration_seconds",
      help: "From the head of a request to its answer",
      labelNames: ["route"],
      buckets: httpBuckets,
      registers
    });
    this.maintenanceFailures = counter("maintenance_failures_total", "Background steps that failed");
    this.waitingNotices = gauge("outbox_notices", "Notices that wait for their delivery");
    this.queueBytes = gauge("queue_bytes", "Bytes held between socket and store");
    this.textBytes = new Gauge({
      name: "tidegauge_text_bytes",
      help: "Bytes of text kept, by number of the tenant; definitions of metrics are shared",
      labelNames: ["tenant"],
      registers
    });
    this.gauges = figureGauges(gauge);
    this.states = stateGauges(gauge);
    this.tellBuild(registers);
    collectDefaultMetrics({ register: this.registry });
    for (const name of misnamedDefaults) this.registry.removeSingleMetric(name);
  }
  /** 1, with what was built and what runs it as labels: for a join with other figures. */
  tellBuild(registers) {
    const build = {
      version: this.sources.version,
      runtime: `node ${process.version}`,
      platform: `${process.platform}-${process.arch}`
    };
    const labelNames = Object.keys(build);
    const help = "Version of the server, of Node and of the machine; always 1";
    new Gauge({ name: "tidegauge_build_info", help, labelNames, registers }).set(build, 1);
  }
  get contentType() {
    return this.registry.contentType;
  }
  /** Monotonic milliseconds, to be given to `countRequest`. */
  startRequest() {
    return this.sources.elapsedMs();
  }
  /**
   * Counts an answer; `route` is a route's pattern: one of few. Without `startedMs` its duration is
   * not observed, as for what is refused by its head. An observation costs 0.14 µs.
   */
  countRequest(route, status, startedMs) {
    if (startedMs !== void 0) {
      const durationMs = this.sources.elapsedMs() - startedMs;
      this.requestSeconds.observe({ route }, durationMs * millisecond);
    }
    let counts2 = this.requestCounts.get(route);
    if (counts2 === void 0) this.requestCounts.set(route, counts2 = /* @__PURE__ */ new Map());
    counts2.set(status, (counts2.get(status) ?? 0) + 1);
  }
  onBatch({ requests, answer }) {
    this.samples += answer.samples;
    for (const { counts: counts2 } of answer.leftOut) {
      counts2.forEach((count, reason) => this.leftOutCounts[reason] += count);
    }
    this.batchRequests.observe(requests);
    this.batchSamples.observe(answer.samples);
    this.commits.observe(answer.commitMs * millisecond);
  }
  onMaintenance(durationMs) {
    this.maintenance.observe(durationMs * millisecond);
  }
  onMaintenanceFailure() {
    this.maintenanceFailures.inc();
  }
  onCycle({ durationMs }) {
    this.cycles.observe(durationMs * millisecond);
  }
  /** The page, in Prometheus' text format. */
  async text() {
    this.setCounters();
    await this.setFigures();
    return this.registry.metrics();
  }
  setCounters() {
    setTotal(this.ingested, {}, this.samples);
    this.leftOut.reset();
    leftOutReasons.forEach((reason, i) => this.leftOut.inc({ reason }, this.leftOutCounts[i]));
    this.requests.reset();
    for (const [route, counts2] of this.requestCounts) {
      for (const [status, count] of counts2) this.requests.inc({ route, status }, count);
    }
    this.queueBytes.set(this.sources.queueBytes());
    const { stored, discarded } = this.sources.events();
    this.events.reset();
    this.events.inc({ outcome: "stored" }, stored);
    this.events.inc({ outcome: "discarded" }, discarded);
    const { failingLanes, ...outcomes } = this.sources.deliveries();
    this.deliveries.reset();
    for (const [outcome, count] of Object.entries(outcomes)) {
      this.deliveries.inc({ outcome }, count);
    }
    this.failingNotifications.set(failingLanes);
    const state = this.sources.state();
    for (const [gauge, read] of this.states) gauge.set(read(state));
  }
  /** Without the shard's answer the page still tells the rest; the old figures then stand. */
  async setFigures() {
    try {
      const figures = await this.sources.figures();
      for (const [gauge, read] of this.gauges) gauge.set(read(figures));
      setByTenant(this.textBytes, figures.textBytes);
      this.textBytes.set({ tenant: "shared" }, figures.sharedTextBytes);
      this.waitingNotices.set(await this.sources.waitingNotices());
      this.bodies.reset();
      this.bodies.inc({ reader: "fast" }, figures.fastBodies);
      this.bodies.inc({ reader: "slow" }, figures.slowBodies);
    } catch {
      this.figureFailures.inc();
    }
  }
};
function figureGauges(gauge) {
  return [
    [
      gauge("open_samples", "Samples stored and not yet folded"),
      (f) => f.openSamples
    ],
    [gauge("series", "Series known"), (f) => f.seriesCount],
    [gauge("elements", "Elements known"), (f) => f.elementCount],
    [gauge("inbox_bytes", "Bytes of samples not yet folded"), (f) => f.inboxBytes],
    [
      gauge("cut_frames", "Damaged frames left out at the start"),
      (f) => f.cutFrames
    ],
    [gauge("store_bytes", "Bytes of the store's file"), (f) => f.storeBytes],
    [
      gauge("read_only", "1 if no samples are taken, otherwise 0"),
      (f) => Number(f.refusals.length > 0)
    ],
    [
      gauge("disk_free_bytes", "Bytes free on the store's disk"),
      (f) => f.freeDiskBytes
    ]
  ];
}
function stateGauges(gauge) {
  return [
    [
      gauge("last_closed_cycle_timestamp_seconds", "End of the newest cycle that is closed"),
      (state) => state.closedUpToMs * millisecond
    ],
    [
      gauge("missed_cycles", "Cycles of outages that were not closed"),
      (state) => state.missedCycles
    ],
    [
      gauge("ready", "1 if /health/ready answers 200, otherwise 0"),
      (state) => Number(state.isReady)
    ]
  ];
}
var labelledTenantsMax = 1e3;
function setByTenant(gauge, figures) {
  gauge.reset();
  for (const [tenant, value] of figures.slice(0, labelledTenantsMax).entries()) {
    gauge.set({ tenant: String(tenant) }, value);
  }
}
function setTotal(counter, labels, total) {
  counter.reset();
  counter.inc(labels, total);
}

// src/http/http.ts
function createHttp(options2) {
  const { accounts, intake, metrics: metrics2, clock } = options2;
  const limits = { ...defaultHttpLimits, ...options2.limits };
  const failures = createFailureNames(options2.log, options2.random);
  const app = createApp({ ...options2, failures, limits });
  const ingest = new IngestRoute({
    intake,
    keys: accounts.grantOf,
    limits,
    clock,
    startRequest: () => metrics2.startRequest(),
    countRequest: (route, status, startedMs) => metrics2.countRequest(route, status, startedMs),
    failures,
    onAccepted: options2.onAccepted
  });
  const listener = createListener(app, { clock, failures });
  const front = createFront({ ingest, listener, limits, clock });
  return createServer({ front, ingest, limits, clock });
}

// src/notify/outbox.ts
var kind2 = "outbox";
var outboxPrefix = `${kind2}:`;
var laneKind = "outboxLane";
var formVersion2 = 1;
var pageMax = 100;
function outboxChanges(notices) {
  return notices.map((notice) => ({
    kind: timedKind(kind2, notice.tenant),
    id: keyOf(notice),
    document: { version: formVersion2, notice }
  }));
}
var Outbox = class {
  documents;
  constructor(documents) {
    this.documents = documents;
  }
  /** Lanes of a tenant that hold something, one read each. */
  async *lanes(tenant) {
    let from = "";
    for (; ; ) {
      const [first] = await this.documents.list(timedKind(kind2, tenant), { from, limit: 1 });
      if (first === void 0) return;
      const lane = { tenant, notificationId: Number(first.id.slice(0, first.id.indexOf("/"))) };
      yield lane;
      from = laneEnd(lane);
    }
  }
  /** The notice that is to be told next. */
  async head({ tenant, notificationId }) {
    const range = { from: laneStart(notificationId), to: laneEnd({ tenant, notificationId }) };
    const [first] = await this.documents.list(timedKind(kind2, tenant), { ...range, limit: 1 });
    if (first === void 0) return void 0;
    return { key: first.id, notice: first.document.notice };
  }
  /** Takes out what was told, and with it that the lane failed. */
  async told({ tenant, notificationId }, { key: key2 }) {
    await this.documents.putAll([
      { kind: timedKind(kind2, tenant), id: key2, document: null },
      laneChange({ tenant, notificationId }, null)
    ]);
  }
  async failure({ tenant, notificationId }) {
    const found = await this.documents.get(timedKind(laneKind, tenant), String(notificationId));
    return found ?? null;
  }
  async setFailure(lane, failure) {
    await this.documents.putAll([laneChange(lane, failure)]);
  }
  /** Removes everything of a lane, or all but the newest `keep`; answers how many notices went. */
  async drop(lane, keep = 0) {
    const kindOf = timedKind(kind2, lane.tenant);
    const to = laneEnd(lane);
    const keys = [];
    let from = laneStart(lane.notificationId);
    for (; ; ) {
      const page2 = await this.documents.list(kindOf, { from, to, limit: pageMax });
      for (const { id: id2 } of page2) keys.push(id2);
      if (page2.length < pageMax) break;
      from = keyAfter(page2.at(-1).id);
    }
    const gone = keys.slice(0, Math.max(0, keys.length - keep));
    for (let i = 0; i < gone.length; i += pageMax) {
      const piece = gone.slice(i, i + pageMax);
      await this.documents.putAll(piece.map((id2) => ({ kind: kindOf, id: id2, document: null })));
    }
    return gone.length;
  }
};
function laneChange({ tenant, notificationId }, failure) {
  const document = failure === null ? null : { version: formVersion2, ...failure };
  return { kind: timedKind(laneKind, tenant), id: String(notificationId), document };
}
function keyOf({ notificationId, timeMs, id: id2 }) {
  return `${laneStart(notificationId)}${timeText(timeMs)}:${id2}`;
}
function laneStart(notificationId) {
  assert(Number.isInteger(notificationId), `Expected a whole number, got ${notificationId}`);
  return `${String(notificationId).padStart(16, "0")}/`;
}
function laneEnd({ notificationId }) {
  return laneStart(notificationId).replace("/", "0");
}

// src/opened.ts
var closeMsMax = 1e4;
var Opened = class {
  closers = [];
  /** Adds what was opened last; it is closed first. */
  add(close3) {
    this.closers.push(close3);
  }
  /**
   * Closes everything, last opened first. A part that fails to close, or takes longer than 10 s,
   * does not keep the others open: the reason why the start failed is what is reported.
   */
  async close() {
    for (const close3 of this.closers.reverse().splice(0)) await closed(close3);
  }
};
function closed(close3) {
  return new Promise((resolve2) => {
    const timer = setTimeout(resolve2, closeMsMax);
    const done = () => {
      clearTimeout(timer);
      resolve2();
    };
    close3().then(done, done);
  });
}

// src/outbound/outbound.ts
import { request as openHttp } from "node:http";
import { request as openHttps } from "node:https";

// src/outbound/read-bytes.ts
async function readBytes2(response2, bytesMax, from) {
  const tooLarge = () => invalid(`${from}: expected at most ${bytesMax} bytes`);
  const announced = Number(response2.headers["content-length"] ?? 0);
  const chunks = [];
  let size = 0;
  try {
    if (announced > bytesMax) throw tooLarge();
    for await (const chunk of response2) {
      size += chunk.length;
      if (size > bytesMax) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError("invalid", `${from}: the answer broke off`, { cause });
  } finally {
    response2.destroy();
  }
}

// src/outbound/target.ts
import ipaddr from "ipaddr.js";
var urlCharactersMax = 2048;
var forbiddenPorts = new Set(
  "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6379 6566 6665 6666 6667 6668 6669 6679 6697 10080 11211".split(" ")
);
function readTarget(text3) {
  if (text3.length > urlCharactersMax || !URL.canParse(text3)) {
    throw invalid(`${shownTarget(text3)}: expected an http or https URL`);
  }
  const url = new URL(text3);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalid(`${shownTarget(text3)}: expected http or https, got ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid(`${shownTarget(text3)}: expected a URL without user and password`);
  }
  if (forbiddenPorts.has(url.port)) {
    throw invalid(`${shownTarget(text3)}: the port ${url.port} belongs to another protocol`);
  }
  return url;
}
function hostOf(url) {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { host, isAddress: ipaddr.isValid(host) };
}
function shownTarget(text3) {
  if (!URL.canParse(text3)) return "the URL";
  const { protocol, host } = new URL(text3);
  return host === "" ? `a URL of ${protocol}` : `${protocol}//${host}`;
}

// src/outbound/outbound.ts
var redirectsMax = 3;
var addressesMax = 32;
var redirectStatuses = /* @__PURE__ */ new Set([301, 302, 303, 307, 308]);
var ownHeaders = /* @__PURE__ */ new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "proxy-connection",
  "keep-alive"
]);
var Outbound = class {
  world;
  constructor(world) {
    this.world = world;
  }
  /**
   * One call. A GET follows up to `redirectsMax` redirects, each checked anew; a POST follows none,
   * since what is posted is meant for whoever was named. Throws `invalid`, with a sentence that
   * shows no path or query, for a forbidden or unreachable target and for what exceeds a limit.
   */
  async call(call) {
    const stop2 = new AbortController();
    const cancel = this.world.delay(() => stop2.abort(), call.timeoutMs);
    const timedOut = new Promise((_, reject) => {
      stop2.signal.addEventListener(
        "abort",
        () => reject(invalid(`${shownTarget(call.url)}: no answer within ${call.timeoutMs} ms`))
      );
    });
    try {
      return await Promise.race([this.follow(call, stop2.signal), timedOut]);
    } finally {
      cancel();
      stop2.abort();
    }
  }
  async follow(call, signal) {
    let url = call.url;
    for (let hops = 0; ; hops++) {
      const target = readTarget(url);
      const addresses = await this.addressesOf(target);
      signal.throwIfAborted();
      const response2 = await exchange(call, { target, addresses, signal, isFirst: hops === 0 });
      const status = response2.statusCode;
      const location = response2.headers.location;
      const isRedirect = redirectStatuses.has(status) && location !== void 0;
      if (call.method !== "GET" || !isRedirect) {
        return { status, bytes: await readBytes2(response2, call.bytesMax, shownTarget(url)) };
      }
      response2.destroy();
      if (hops === redirectsMax) {
        throw invalid(`${shownTarget(call.url)}: expected at most ${redirectsMax} redirects`);
      }
      url = redirected(location, target);
    }
  }
  async addressesOf(target) {
    const { host, isAddress } = hostOf(target);
    const found = isAddress ? [host] : await this.resolved(host);
    const forbidden = found.find((address) => !isCallable(address, this.world.allowed));
    if (forbidden !== void 0) {
      throw invalid(
        `${shownTarget(target.href)}: expected a public address; this one, or the one behind the name, is not (see --allow-private-addresses)`
      );
    }
    return found;
  }
  async resolved(host) {
    let found = [];
    try {
      found = await this.world.resolve(host);
    } catch (cause) {
      throw new ServiceError("invalid", `${host}: the name cannot be resolved`, { cause });
    }
    if (found.length === 0 || found.length > addressesMax) {
      throw invalid(`${host}: expected 1 to ${addressesMax} addresses, got ${found.length}`);
    }
    return found;
  }
};
async function fetchPublic(url, { outbound, ...limits }) {
  const { status, bytes } = await outbound.call({ method: "GET", url, ...limits });
  if (status !== 200) throw invalid(`${shownTarget(url)}: expected the status 200, got ${status}`);
  return bytes;
}
function redirected(location, from) {
  if (!URL.canParse(location, from.href)) {
    throw invalid(`${shownTarget(from.href)}: it redirects to what is no URL`);
  }
  const to = new URL(location, from.href);
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw invalid(`${shownTarget(from.href)}: it redirects from https to http`);
  }
  return to.href;
}
function exchange(call, hop) {
  const { target, addresses, signal, isFirst } = hop;
  const body2 = call.body === void 0 ? void 0 : Buffer.from(call.body);
  const options2 = {
    method: call.method,
    agent: false,
    signal,
    lookup: fixedLookup(addresses),
    headers: {
      "user-agent": "tidegauge",
      // Compressed answers could inflate beyond the limit.
      "accept-encoding": "identity",
      ...isFirst ? foreignHeaders(call.headers ?? {}) : {},
      ...body2 === void 0 ? {} : { "content-length": String(body2.length) },
      connection: "close"
    }
  };
  return new Promise((resolve2, reject) => {
    const failed = (cause) => reject(new ServiceError("invalid", failureText(target, cause), { cause }));
    let opened2;
    try {
      opened2 = (target.protocol === "https:" ? openHttps : openHttp)(target, options2);
    } catch (cause) {
      return failed(cause);
    }
    opened2.on("error", failed);
    opened2.on("response", resolve2);
    opened2.end(body2);
  });
}
function foreignHeaders(headers) {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(own.filter(([name]) => !ownHeaders.has(name)));
}
function fixedLookup(addresses) {
  const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_, options2, callback) => {
    if (options2.all === true) callback(null, all);
    else callback(null, all[0].address, all[0].family);
  };
}
function failureText(target, cause) {
  const { code, message, errors } = cause;
  const inner = errors?.[0];
  return `${shownTarget(target.href)}: the call failed: ${code ?? inner?.code ?? message}`;
}

// src/reading-ahead.ts
import { freemem } from "node:os";
var restMs = 100;
var ReadingAhead = class {
  parts;
  stopped = false;
  constructor(parts) {
    this.parts = parts;
  }
  /** Resolves when all is read, or it was stopped. */
  async start() {
    const { pieces: pieces2, isIngesting } = this.parts;
    try {
      for await (const _ of pieces2(bytesOf(freeBytes()))) {
        if (this.stopped) return;
        if (isIngesting()) await this.rest();
      }
    } catch {
    }
  }
  /** No piece follows the one that is being read. */
  stop() {
    this.stopped = true;
  }
  rest() {
    return new Promise((resolve2) => this.parts.delay(resolve2, restMs));
  }
};
function bytesOf(freeBytes2) {
  return Math.min(readAheadBytesMax, Math.floor(freeBytes2 / readAheadShareDivisor));
}
function freeBytes() {
  const bound = process.constrainedMemory();
  return bound > 0 ? Math.min(freemem(), bound) : freemem();
}

// src/rehearsing.ts
var restMs2 = 100;
var Rehearsing = class {
  parts;
  asking = 0;
  stopped = false;
  constructor(parts) {
    this.parts = parts;
  }
  /** Resolves when all is rehearsed, or it was stopped. */
  async start() {
    const nowMs = this.parts.nowMs();
    try {
      for (let step = 0; !this.stopped && await this.rehearse(step, nowMs); step++) {
        if (this.asking > 0 || this.parts.isIngesting()) await this.rest();
      }
    } catch {
    }
  }
  /** Answers a question of somebody, which goes first. */
  async beside(ask2) {
    this.asking++;
    try {
      return await ask2();
    } finally {
      this.asking--;
    }
  }
  /** No step follows the one that runs. */
  stop() {
    this.stopped = true;
  }
  /** As many at once as there are threads: each idle one takes one. False where all is done. */
  async rehearse(step, nowMs) {
    const { queryPool } = this.parts;
    const task = { kind: "rehearse", step, nowMs };
    const run2 = () => queryPool.run(task).then(fromOutcome);
    const plans = await Promise.all(Array.from({ length: queryPool.threads }, run2));
    const plan = plans.find((one) => one !== null);
    if (plan?.question.kind === "statistics") await this.rehearseHelping(plan);
    return plan !== void 0;
  }
  /** What they find nobody waits for. */
  async rehearseHelping(plan) {
    const { helperPool } = this.parts;
    const run2 = async () => {
      const { sharing, sides } = shareOut(1, 1);
      const task = { kind: "help", plan, open: null, side: sides[0] };
      await helperPool.run(task, [sides[0].port]);
      for (const port of sharing.ports) port.close();
    };
    await Promise.all(Array.from({ length: helperPool?.threads ?? 0 }, run2));
  }
  rest() {
    return new Promise((resolve2) => this.parts.delay(resolve2, restMs2));
  }
};

// src/records/retention.ts
var pauseMs2 = 36e5;
var firstPauseMs = 6e4;
var Retention = class {
  options;
  cancelPause = () => {
  };
  running = Promise.resolve();
  stopped = false;
  constructor(options2) {
    this.options = options2;
  }
  start() {
    this.pause(firstPauseMs);
  }
  /** Removes all that is due. */
  async sweep() {
    const { records, tenants, clock } = this.options;
    const oldestMs = clock.nowMs() - eventRetentionMs;
    for (const tenant of tenants()) {
      if (this.stopped) return;
      await records.events.forget(tenant, oldestMs);
      await records.incidents.forget(tenant, oldestMs);
      await records.policies.forget(tenant, oldestMs);
    }
  }
  /** Ends after the tenant that is being swept now. */
  async stop() {
    this.stopped = true;
    this.cancelPause();
    await this.running;
  }
  pause(ms) {
    if (this.stopped) return;
    this.cancelPause = this.options.delay(() => {
      this.running = this.sweep().catch(this.options.onError).finally(() => this.pause(pauseMs2));
    }, ms);
  }
};

// src/engine/health.ts
var askEveryMs = 1e3;
var shardSilentMsMax = 1e4;
var lateCyclesMax = 2;
var questionOverdueMsMax = 5e3;
var Health = class {
  options;
  shardReasons = [];
  answeredMs;
  isAsking = false;
  isStopping = false;
  endRepeating = () => {
  };
  constructor(options2) {
    this.options = options2;
    this.answeredMs = options2.elapsedMs();
  }
  start() {
    this.answeredMs = this.options.elapsedMs();
    this.endRepeating = this.options.repeat(() => void this.ask(), askEveryMs);
  }
  /** From here on the server is stopping. */
  noteStopping() {
    this.isStopping = true;
  }
  stop() {
    this.endRepeating();
  }
  /** Why the server is not ready; empty if it is. */
  reasons() {
    if (this.isStopping) return ["The server is stopping"];
    return [...this.silence(), ...this.shardReasons, ...this.lateCycles(), ...this.overdue()];
  }
  /** Asks the shard once; at most one question is under way. */
  async ask() {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      this.shardReasons = reasonsOf(await this.options.figures());
      this.answeredMs = this.options.elapsedMs();
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.shardReasons = [`The thread that stores samples failed: ${problem}`];
      this.answeredMs = this.options.elapsedMs();
    } finally {
      this.isAsking = false;
    }
  }
  silence() {
    const silentMs = this.options.elapsedMs() - this.answeredMs;
    if (silentMs <= shardSilentMsMax) return [];
    return [`The thread that stores samples has not answered for ${seconds(silentMs)} s`];
  }
  lateCycles() {
    const { nowMs, closedUpToMs, cycleGraceMs } = this.options;
    const lateMs = nowMs() - cycleGraceMs - closedUpToMs();
    if (lateMs <= (lateCyclesMax + 1) * cycleMs) return [];
    const waiting = Math.floor(lateMs / cycleMs);
    const last = formatInstant(closedUpToMs());
    return [`${waiting} cycles wait to be closed: the last one that is closed ended at ${last}`];
  }
  overdue() {
    const overdueMs = this.options.questionOverdueMs?.() ?? 0;
    if (overdueMs <= questionOverdueMsMax) return [];
    return [`A question runs ${seconds(overdueMs)} s beyond its time budget`];
  }
};
function reasonsOf({ refusals, failingJob }) {
  const reasons = [...refusals];
  if (failingJob !== null && failingJob.failures >= jobFailuresMax) {
    const { job, failures, reason } = failingJob;
    reasons.push(`The background job "${job}" failed ${failures} times in a row: ${reason}`);
  }
  return reasons;
}
function seconds(ms) {
  return (ms / 1e3).toFixed(0);
}

// src/timers.ts
function delay(callback, ms) {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
function repeat(callback, everyMs) {
  const timer = setInterval(callback, everyMs).unref();
  return () => clearInterval(timer);
}

// src/server-figures.ts
function makeMetrics({ shard }, rooms) {
  return new Metrics({
    figures: () => shard.figures(),
    queueBytes: () => rooms().intake.queueBytes,
    events: () => rooms().records.events.figures,
    deliveries: () => rooms().postman.figures,
    version,
    state: () => {
      const { closedUpToMs, missedCycles } = rooms().ticker;
      return { closedUpToMs, missedCycles, isReady: rooms().health.reasons().length === 0 };
    },
    waitingNotices: () => shard.countDocuments(outboxPrefix),
    elapsedMs: () => performance.now()
  });
}
function makeHealth({ config, clock, shard }, ticker) {
  return new Health({
    figures: () => shard.figures(),
    nowMs: () => clock.nowMs(),
    elapsedMs: () => performance.now(),
    closedUpToMs: () => ticker.closedUpToMs,
    cycleGraceMs: config.cycleGraceMs,
    repeat
  });
}

// src/server-notify.ts
import { lookup } from "node:dns/promises";

// src/template/cursor.ts
var TemplateError = class extends Error {
  name = "TemplateError";
};
var templateDepthMax = 32;
var renderedCharactersMax = 262144;
var shownCharactersMax = 40;
var Cursor = class {
  text;
  at = 0;
  depth = 0;
  constructor(text3) {
    this.text = text3;
  }
  get isAtEnd() {
    return this.at >= this.text.length;
  }
  startsWith(piece) {
    return this.text.startsWith(piece, this.at);
  }
  /** Steps over `piece` where it stands here. */
  take(piece) {
    if (!this.startsWith(piece)) return false;
    this.at += piece.length;
    return true;
  }
  /** What `pattern`, which must be sticky, matches here. */
  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== void 0) this.at += found.length;
    return found;
  }
  skipSpace() {
    this.match(/\s*/y);
  }
  /** `what` completes "expected …"; what stands at `at` is what was got. */
  expected(what, at = this.at) {
    const before = this.text.slice(0, at).split("\n");
    const place = `line ${before.length}, column ${before.at(-1).length + 1}`;
    const rest = this.text.slice(at).split("\n", 1)[0].trimEnd();
    const cut2 = rest.length > shownCharactersMax ? `${rest.slice(0, shownCharactersMax)}\u2026` : rest;
    const got = at >= this.text.length ? "the end" : JSON.stringify(cut2);
    return new TemplateError(`${place}: expected ${what}, got ${got}`);
  }
  /** Does `work` one level deeper. */
  nested(work) {
    if (this.depth >= templateDepthMax) {
      throw this.expected(`at most ${templateDepthMax} levels within one another`);
    }
    this.depth++;
    const result = work();
    this.depth--;
    return result;
  }
};

// src/notify/example-policy.ts
var examplePolicy = {
  ...blankPolicy,
  name: "Test of a notification",
  description: "Sent because somebody asked for a test"
};

// src/template/time-text.ts
var patternPiece = /'([^']*)'|yyyy|yy|MMM|MM|dd|EEE|HH|hh|mm|ss|SSS|a|XXX|Z|z/g;
var months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"];
var moreMonths = ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
var days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
var two = (number5) => String(number5).padStart(2, "0");
var pieces = {
  yyyy: (date) => String(date.getUTCFullYear()).padStart(4, "0"),
  yy: (date) => two(date.getUTCFullYear() % 100),
  MMM: (date) => [...months, ...moreMonths][date.getUTCMonth()],
  MM: (date) => two(date.getUTCMonth() + 1),
  dd: (date) => two(date.getUTCDate()),
  EEE: (date) => days[date.getUTCDay()],
  HH: (date) => two(date.getUTCHours()),
  hh: (date) => two(date.getUTCHours() % 12 || 12),
  mm: (date) => two(date.getUTCMinutes()),
  ss: (date) => two(date.getUTCSeconds()),
  SSS: (date) => String(date.getUTCMilliseconds()).padStart(3, "0"),
  a: (date) => date.getUTCHours() < 12 ? "AM" : "PM",
  XXX: () => "Z",
  Z: () => "+0000",
  z: () => "UTC"
};
function isTime(text3) {
  return /^\d{4}-\d\d-\d\dT/.test(text3) && parseInstant(text3) !== void 0;
}
function formatTime(text3, pattern) {
  const date = new Date(parseInstant(text3));
  return pattern.replace(
    patternPiece,
    (piece, quoted) => quoted === void 0 ? pieces[piece](date) : quoted || "'"
  );
}

// src/template/values.ts
function isMissing2(value) {
  return value === null || value === void 0;
}
function textOf(value) {
  if (isMissing2(value)) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
function truthOf(value) {
  if (typeof value === "boolean") return value;
  if (isMissing2(value)) return false;
  throw new TemplateError(`expected true or false, got ${JSON.stringify(value).slice(0, 40)}`);
}
function compare(left, right) {
  const [a, b] = [asNumber(left), asNumber(right)];
  if (a !== void 0 && b !== void 0) return Math.sign(a - b);
  const [one, other] = [textOf(left), textOf(right)];
  return one === other ? 0 : one < other ? -1 : 1;
}
function asNumber(value) {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return void 0;
  const number5 = Number(value);
  return Number.isFinite(number5) ? number5 : void 0;
}

// src/template/builtins.ts
var htmlEntities = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
};
var onText = (change7) => {
  return (value) => change7(textOf(value));
};
var html = onText((text3) => text3.replace(/[&<>"']/g, (one) => htmlEntities[one]));
var builtins = {
  upper_case: onText((text3) => text3.toUpperCase()),
  lower_case: onText((text3) => text3.toLowerCase()),
  cap_first: onText((text3) => text3.replace(/\S/, (first) => first.toUpperCase())),
  uncap_first: onText((text3) => text3.replace(/\S/, (first) => first.toLowerCase())),
  trim: onText((text3) => text3.trim()),
  length: (value) => textOf(value).length,
  html,
  xml: html,
  json_string: onText(jsonString),
  js_string: onText((text3) => jsonString(text3).replaceAll("'", "\\'").replaceAll(">", "\\>")),
  url: onText((text3) => encodeURIComponent(text3)),
  c: onText((text3) => text3),
  string: asString,
  number: (value) => numberOf(value),
  datetime: (value) => value,
  has_content: hasContent,
  size: sizeOf,
  keys: (value) => Object.keys(isMap(value) ? value : {}),
  values: (value) => Object.values(isMap(value) ? value : {}),
  first: (value) => listOf2(value)[0],
  last: (value) => listOf2(value).at(-1),
  join: (value, [separator, empty]) => {
    const items = listOf2(value).map((item2) => textOf(item2));
    return items.length === 0 ? textOf(empty) : joined(items, textOf(separator));
  },
  replace: (value, [from, to]) => {
    const sought = textOf(from);
    return sought === "" ? textOf(value) : joined(textOf(value).split(sought), textOf(to));
  },
  contains: (value, [part]) => textOf(value).includes(textOf(part)),
  starts_with: (value, [part]) => textOf(value).startsWith(textOf(part)),
  ends_with: (value, [part]) => textOf(value).endsWith(textOf(part))
};
var builtinNames = Object.keys(builtins);
function isBuiltin(name) {
  return Object.hasOwn(builtins, name);
}
function applyBuiltin(name, value, parameters2) {
  return builtins[name](value, parameters2);
}
function listOf2(value) {
  if (isMissing2(value) || value === "") return [];
  return Array.isArray(value) ? value : [value];
}
function joined(items, separator) {
  const length = items.reduce((sum2, item2) => sum2 + item2.length + separator.length, 0);
  if (length - separator.length > renderedCharactersMax) {
    throw new TemplateError(`expected texts of at most ${renderedCharactersMax} characters`);
  }
  return items.join(separator);
}
function jsonString(text3) {
  return JSON.stringify(text3).slice(1, -1).replaceAll("</", "<\\/");
}
function asString(value, parameters2) {
  const [first, second] = parameters2;
  if (first === void 0) return textOf(value);
  if (typeof value === "boolean") return textOf(value ? first : second);
  const text3 = textOf(value);
  return isTime(text3) ? formatTime(text3, textOf(first)) : text3;
}
function numberOf(value) {
  const text3 = textOf(value).trim();
  const number5 = Number(text3);
  if (text3 === "" || !Number.isFinite(number5)) {
    throw new TemplateError(`?number: expected a number, got ${JSON.stringify(text3.slice(0, 40))}`);
  }
  return number5;
}
function hasContent(value) {
  if (isMissing2(value)) return false;
  if (typeof value === "number" || typeof value === "boolean") return true;
  return sizeOf(value) > 0;
}
function sizeOf(value) {
  if (typeof value === "string") return value.length;
  return isMap(value) ? Object.keys(value).length : listOf2(value).length;
}
function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/template/expression.ts
function readExpression(cursor, inTag) {
  return new ExpressionReader(cursor, inTag).read();
}
var nameText = /[\p{L}_$@][\p{L}\p{N}_$@]*/uy;
var words = {
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">="
};
var escapes = {
  n: "\n",
  t: "	",
  r: "\r",
  b: "\b",
  f: "\f",
  l: "<",
  g: ">",
  a: "&",
  "{": "{",
  "'": "'",
  '"': '"',
  "\\": "\\"
};
var ExpressionReader = class {
  cursor;
  bareGreaterEnds;
  constructor(cursor, inTag) {
    this.cursor = cursor;
    this.bareGreaterEnds = inTag;
  }
  read() {
    return this.cursor.nested(() => this.chain(() => this.and(), ["||"]));
  }
  and() {
    return this.chain(() => this.equality(), ["&&"]);
  }
  equality() {
    const left = this.relation();
    this.cursor.skipSpace();
    const operator = this.cursor.match(/==|!=|=/y);
    if (operator === void 0) return left;
    const right = this.relation();
    return { kind: "binary", operator: operator === "!=" ? "!=" : "==", left, right };
  }
  relation() {
    const left = this.sum();
    const operator = this.relationOperator();
    if (operator === void 0) return left;
    return { kind: "binary", operator, left, right: this.sum() };
  }
  relationOperator() {
    const { cursor } = this;
    cursor.skipSpace();
    const word = cursor.match(/(?:lte?|gte?)(?![\p{L}\p{N}_$@])/uy);
    if (word !== void 0) return words[word];
    if (this.bareGreaterEnds && cursor.startsWith(">") && !cursor.startsWith(">=")) return void 0;
    return cursor.match(/[<>]=?/y);
  }
  sum() {
    return this.chain(() => this.product(), ["+", "-"]);
  }
  product() {
    return this.chain(() => this.unary(), ["*", "/", "%"]);
  }
  /** `next (operator next)*`, from the left. */
  chain(next, operators) {
    let left = next();
    for (; ; ) {
      this.cursor.skipSpace();
      const operator = operators.find((one) => this.cursor.take(one));
      if (operator === void 0) return left;
      left = { kind: "binary", operator, left, right: next() };
    }
  }
  unary() {
    const { cursor } = this;
    cursor.skipSpace();
    const sign = cursor.match(/[!-]/y);
    if (sign === void 0) return this.postfix();
    return cursor.nested(() => ({ kind: sign === "!" ? "not" : "negate", of: this.unary() }));
  }
  postfix() {
    let of = this.primary();
    for (; ; ) {
      const more = this.postfixOf(of);
      if (more === void 0) return of;
      of = more;
    }
  }
  postfixOf(of) {
    const { cursor } = this;
    cursor.skipSpace();
    if (cursor.startsWith("..")) throw cursor.expected("no range: they are not supported");
    if (cursor.take(".")) {
      return { kind: "member", of, key: { kind: "literal", value: this.name("a name after .") } };
    }
    if (cursor.take("[")) {
      const key2 = this.enclosed(() => this.read(), "]");
      return { kind: "member", of, key: key2 };
    }
    if (cursor.take("??")) return { kind: "exists", of };
    if (cursor.take("?")) return this.builtin(of);
    if (cursor.startsWith("!=") || !cursor.take("!")) return void 0;
    return { kind: "default", of, otherwise: this.startsOperand() ? this.operand() : null };
  }
  operand() {
    return this.cursor.nested(() => this.postfix());
  }
  /** Whether a value follows here, rather than an operator or the end. */
  startsOperand() {
    const { cursor } = this;
    cursor.skipSpace();
    const { at } = cursor;
    const found = cursor.match(/(?!(?:lte?|gte?|as)(?![\p{L}\p{N}_$@]))[\p{L}\p{N}_$@"'([]/uy);
    cursor.at = at;
    return found !== void 0;
  }
  builtin(of) {
    const { cursor } = this;
    cursor.skipSpace();
    const { at } = cursor;
    const name = this.name("the name of a built-in after ?");
    if (!isBuiltin(name)) throw cursor.expected(`one of ${builtinNames.join(", ")} after ?`, at);
    const parameters2 = cursor.take("(") ? this.items(")") : [];
    return { kind: "builtin", name, of, parameters: parameters2 };
  }
  primary() {
    const { cursor } = this;
    cursor.skipSpace();
    if (cursor.startsWith('"') || cursor.startsWith("'")) {
      return { kind: "literal", value: this.text() };
    }
    const number5 = cursor.match(/\d{1,15}(?:\.\d{1,15})?/y);
    if (number5 !== void 0) return { kind: "literal", value: Number(number5) };
    if (cursor.take("(")) return this.enclosed(() => this.read(), ")");
    if (cursor.take("[")) return { kind: "sequence", items: this.items("]") };
    const name = this.name("a value");
    if (name === "true" || name === "false") return { kind: "literal", value: name === "true" };
    return { kind: "name", name };
  }
  items(end) {
    const { cursor } = this;
    cursor.skipSpace();
    if (cursor.take(end)) return [];
    return this.enclosed(() => {
      const items = [this.read()];
      for (; ; ) {
        cursor.skipSpace();
        if (!cursor.take(",")) return items;
        items.push(this.read());
      }
    }, end);
  }
  enclosed(inner, end) {
    const { bareGreaterEnds } = this;
    this.bareGreaterEnds = false;
    const result = inner();
    this.bareGreaterEnds = bareGreaterEnds;
    this.cursor.skipSpace();
    if (!this.cursor.take(end)) throw this.cursor.expected(end);
    return result;
  }
  name(what) {
    const name = this.cursor.match(nameText);
    if (name === void 0) throw this.cursor.expected(what);
    return name;
  }
  text() {
    const { cursor } = this;
    const start2 = cursor.at;
    const quote = cursor.text[cursor.at++];
    const parts = [];
    for (; ; ) {
      parts.push(cursor.match(quote === '"' ? /[^"\\$#]*/y : /[^'\\$#]*/y));
      if (cursor.take(quote)) return parts.join("");
      if (cursor.isAtEnd) throw cursor.expected(`a text that ends with ${quote}`, start2);
      if (cursor.startsWith("${") || cursor.startsWith("#{")) {
        throw cursor.expected("no interpolation inside of a text: join texts with +");
      }
      parts.push(cursor.take("\\") ? this.escape() : cursor.text[cursor.at++]);
    }
  }
  escape() {
    const { cursor } = this;
    const code = cursor.match(/x[0-9A-Fa-f]{1,4}/y);
    if (code !== void 0) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    const escaped = escapes[cursor.text[cursor.at] ?? ""];
    if (escaped === void 0) throw cursor.expected("an escape such as \\n", cursor.at - 1);
    cursor.at++;
    return escaped;
  }
};

// src/template/parse.ts
var templateCharactersMax = 65536;
var supported = "one of ${\u2026}, <#if>, <#elseif>, <#else>, <#list>, <#sep>, <#-- -->";
var special = /\$\{|#\{|<\/?#|<\/?@/g;
function parseTemplate(text3) {
  const cursor = new Cursor(text3);
  if (text3.length > templateCharactersMax) {
    throw cursor.expected(`at most ${templateCharactersMax} characters`);
  }
  return new TemplateReader(cursor).read();
}
var TemplateReader = class {
  cursor;
  listDepth = 0;
  constructor(cursor) {
    this.cursor = cursor;
  }
  read() {
    const nodes = this.nodes();
    if (!this.cursor.isAtEnd) throw this.cursor.expected(supported);
    return nodes;
  }
  /** Up to the end, or up to a tag that `node` does not know. */
  nodes() {
    const nodes = [];
    for (; ; ) {
      const text3 = this.plainText();
      if (text3 !== "") nodes.push({ kind: "text", text: text3 });
      if (this.cursor.isAtEnd) return nodes;
      if (this.comment()) continue;
      const node = this.node();
      if (node === void 0) return nodes;
      nodes.push(node);
    }
  }
  plainText() {
    const { cursor } = this;
    special.lastIndex = cursor.at;
    const end = special.exec(cursor.text)?.index ?? cursor.text.length;
    const text3 = cursor.text.slice(cursor.at, end);
    cursor.at = end;
    return text3;
  }
  comment() {
    const { cursor } = this;
    if (!cursor.startsWith("<#--")) return false;
    const end = cursor.text.indexOf("-->", cursor.at);
    if (end < 0) throw cursor.expected("a comment that ends with -->");
    cursor.at = end + "-->".length;
    return true;
  }
  node() {
    const { cursor } = this;
    if (cursor.take("${")) return { kind: "output", of: this.interpolation() };
    if (cursor.match(/<#if(?=\s)/y)) return cursor.nested(() => this.if());
    if (cursor.match(/<#list(?=\s)/y)) return cursor.nested(() => this.list());
    if (this.listDepth > 0 && cursor.take("<#sep>")) return this.sep();
    return void 0;
  }
  interpolation() {
    const of = readExpression(this.cursor, false);
    this.cursor.skipSpace();
    if (!this.cursor.take("}")) throw this.cursor.expected("} at the end of the interpolation");
    return of;
  }
  if() {
    const { cursor } = this;
    const branches = [{ when: this.condition(), body: this.nodes() }];
    while (cursor.match(/<#else?if(?=\s)/y)) {
      branches.push({ when: this.condition(), body: this.nodes() });
    }
    if (cursor.match(/<#else\s*\/?>/y)) branches.push({ when: null, body: this.nodes() });
    this.end("</#if>");
    return { kind: "if", branches };
  }
  condition() {
    const condition = readExpression(this.cursor, true);
    this.tagEnd();
    return condition;
  }
  list() {
    const { cursor } = this;
    const of = readExpression(cursor, true);
    cursor.skipSpace();
    const as = cursor.match(/as\s+[\p{L}_$][\p{L}\p{N}_$]*/uy)?.replace(/^as\s+/, "");
    if (as === void 0) throw cursor.expected('"as" and a name for the item');
    this.tagEnd();
    this.listDepth++;
    const body2 = this.nodes();
    this.listDepth--;
    const otherwise = cursor.match(/<#else\s*\/?>/y) ? this.nodes() : [];
    this.end("</#list>");
    return { kind: "list", of, as, body: body2, otherwise };
  }
  /** Reaches to its own end tag, or to what ends the list. */
  sep() {
    const body2 = this.nodes();
    this.cursor.take("</#sep>");
    return { kind: "sep", body: body2 };
  }
  tagEnd() {
    this.cursor.skipSpace();
    if (!this.cursor.take(">")) throw this.cursor.expected("> at the end of the directive");
  }
  end(tag) {
    if (!this.cursor.take(tag)) throw this.cursor.expected(`${tag}, or ${supported}`);
  }
};

// src/template/render.ts
var stepsMax = 1e5;
function render(nodes, names) {
  return new Rendering(names).run(nodes);
}
var Rendering = class {
  /** Innermost last. */
  scopes;
  parts = [];
  length = 0;
  steps = 0;
  /** Of the innermost list. */
  hasNext = false;
  constructor(names) {
    this.scopes = [names];
  }
  run(nodes) {
    this.nodes(nodes);
    return this.parts.join("");
  }
  nodes(nodes) {
    for (const node of nodes) this.node(node);
  }
  node(node) {
    this.step();
    if (node.kind === "text") this.print(node.text);
    else if (node.kind === "output") this.print(textOf(this.value(node.of)));
    else if (node.kind === "list") this.list(node);
    else if (node.kind === "sep") {
      if (this.hasNext) this.nodes(node.body);
    } else {
      const branch = node.branches.find(({ when }) => when === null || truthOf(this.value(when)));
      this.nodes(branch?.body ?? []);
    }
  }
  list({ of, as, body: body2, otherwise }) {
    const items = listOf2(this.value(of));
    if (items.length === 0) return this.nodes(otherwise);
    const outer = this.hasNext;
    items.forEach((item2, index) => {
      this.step();
      const hasNext = index < items.length - 1;
      this.hasNext = hasNext;
      this.scopes.push({ [as]: item2, [`${as}_index`]: index, [`${as}_has_next`]: hasNext });
      this.nodes(body2);
      this.scopes.pop();
    });
    this.hasNext = outer;
  }
  value(of) {
    this.step();
    switch (of.kind) {
      case "literal":
        return of.value;
      case "sequence":
        return of.items.map((item2) => this.value(item2));
      case "name":
        return this.named(of.name);
      case "member":
        return memberOf(this.value(of.of), this.value(of.key));
      case "default": {
        const value = this.value(of.of);
        if (!isMissing2(value)) return value;
        return of.otherwise === null ? "" : this.value(of.otherwise);
      }
      case "exists":
        return !isMissing2(this.value(of.of));
      case "not":
        return !truthOf(this.value(of.of));
      case "negate":
        return -numberIn2(this.value(of.of));
      case "builtin": {
        const parameters2 = of.parameters.map((one) => this.value(one));
        return bounded2(applyBuiltin(of.name, this.value(of.of), parameters2));
      }
      case "binary":
        return this.binary(of);
    }
  }
  binary({ operator, left, right }) {
    if (operator === "&&") return truthOf(this.value(left)) && truthOf(this.value(right));
    if (operator === "||") return truthOf(this.value(left)) || truthOf(this.value(right));
    return bounded2(combine(operator, this.value(left), this.value(right)));
  }
  named(name) {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const scope = this.scopes[i];
      if (Object.hasOwn(scope, name)) return scope[name];
    }
    return void 0;
  }
  print(text3) {
    this.length += text3.length;
    if (this.length > renderedCharactersMax) throw tooLong();
    this.parts.push(text3);
  }
  step() {
    if (++this.steps > stepsMax) {
      throw new TemplateError(`expected at most ${stepsMax} steps to render the template`);
    }
  }
};
function combine(operator, left, right) {
  switch (operator) {
    case "==":
      return compare(left, right) === 0;
    case "!=":
      return compare(left, right) !== 0;
    case "<":
      return compare(left, right) < 0;
    case "<=":
      return compare(left, right) <= 0;
    case ">":
      return compare(left, right) > 0;
    case ">=":
      return compare(left, right) >= 0;
    case "+":
      if (typeof left === "number" && typeof right === "number") return left + right;
      return textOf(left) + textOf(right);
    case "-":
      return numberIn2(left) - numberIn2(right);
    case "*":
      return numberIn2(left) * numberIn2(right);
    case "/":
      return numberIn2(left) / numberIn2(right);
    case "%":
      return numberIn2(left) % numberIn2(right);
  }
}
function memberOf(of, key2) {
  if (isMissing2(of) || typeof of !== "object") return void 0;
  const name = textOf(key2);
  if (Array.isArray(of) && !/^\d+$/.test(name)) return void 0;
  return Object.hasOwn(of, name) ? of[name] : void 0;
}
function numberIn2(value) {
  const number5 = asNumber(value);
  if (number5 === void 0) {
    throw new TemplateError(`expected a number, got ${JSON.stringify(textOf(value).slice(0, 40))}`);
  }
  return number5;
}
function bounded2(value) {
  if (typeof value === "string" && value.length > renderedCharactersMax) throw tooLong();
  return value;
}
function tooLong() {
  return new TemplateError(`expected at most ${renderedCharactersMax} characters of output`);
}

// src/notify/message.ts
var clearColor = "#008000";
var sentencesMax = 20;
function messageOf(notice, baseUrl) {
  const { event, payloadType } = notice;
  const { policy, element: element2 } = event;
  const isClear = payloadType === "event_cleared";
  const category = categoryDocument(event.level);
  const color = isClear ? clearColor : category["color"];
  const elementName = element2?.name ?? event.elementFqn;
  const policyName = policy?.name ?? event.title ?? "";
  const time2 = formatInstant(notice.timeMs);
  const names = {
    deliveryId: notice.id,
    payloadType,
    policyId: policy?.id ?? null,
    policyName,
    policyDescription: policy?.description ?? null,
    elementId: event.elementId,
    elementFqn: event.elementFqn,
    elementName,
    elementType: element2?.type ?? null,
    elementLocation: element2?.location ?? null,
    eventCategory: category,
    // Through JSON, since that is how the event is kept and shown.
    event: JSON.parse(JSON.stringify(eventDocument(event, element2))),
    eventTimestamp: formatInstant(event.timeMs),
    timestamp: time2,
    color,
    baseUrl,
    images: []
  };
  const title = `${isClear ? "CLEARED" : event.level}: ${policyName} on ${elementName}`;
  return {
    deliveryId: notice.id,
    incidentKey: `tidegauge:${policy?.id ?? "event"}:${event.elementId}`,
    payloadType,
    level: event.level,
    title: title.replace(/\s+/g, " ").trim(),
    text: sentencesOf(event.data).join("\n"),
    time: time2,
    color,
    baseUrl,
    elementName,
    policyName,
    names
  };
}
function renderMessage(template, { names }) {
  return render(parseTemplate(template), names);
}
function sentencesOf(data) {
  const { results, message } = data;
  if (typeof results !== "string") return typeof message === "string" ? [message] : [];
  let read;
  try {
    read = JSON.parse(results);
  } catch {
    return [results];
  }
  const conditions = Array.isArray(read?.conditions) ? read.conditions : [];
  return conditions.map((one) => one?.expression).filter((one) => typeof one === "string").slice(0, sentencesMax);
}

// src/notify/notice.ts
var noticeSpace = "7b0f6a52-6a1d-4b57-9d0c-3f2a8e5c1d44";
function noticeOf(fields3) {
  const { event, notificationId, payloadType } = fields3;
  return { id: uuidV3(noticeSpace, `${event.id}/${notificationId}/${payloadType}`), ...fields3 };
}

// src/notify/senders/sender.ts
var deliveryHeader = "x-tidegauge-delivery";
function jsonRequest(url, body2, headers = {}) {
  return {
    url,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body2)
  };
}
function propertyOf(properties, name) {
  return properties[name]?.trim() || void 0;
}
function templateOf(properties, name) {
  const types = [properties["payloadType"], properties["templateType"]].filter(Boolean);
  const isDefault = types.length > 0 && !types.includes("custom");
  return isDefault ? void 0 : properties[name]?.trim() && properties[name];
}
function cut(text3, charactersMax) {
  const characters = [...text3];
  if (characters.length <= charactersMax) return text3;
  return `${characters.slice(0, charactersMax - 1).join("")}\u2026`;
}

// src/notify/senders/chat.ts
var textCharactersMax2 = 3e3;
var slack = ({ properties, message }) => {
  const { title, color, baseUrl, time: time2 } = message;
  const template = templateOf(properties, "bodyTemplate");
  const text3 = template === void 0 ? message.text : renderMessage(template, message);
  const attachment = {
    fallback: title,
    color,
    title: slackText(title),
    title_link: baseUrl,
    text: cut(template === void 0 ? slackText(text3) : text3, textCharactersMax2),
    fields: factsOf(message).map(([name, value]) => ({
      title: name,
      value: slackText(value),
      short: true
    })),
    footer: message.deliveryId,
    ts: Math.floor(Date.parse(time2) / 1e3)
  };
  const username = propertyOf(properties, "username");
  const channel = propertyOf(properties, "channel");
  return jsonRequest(properties["url"] ?? "", {
    ...username === void 0 ? {} : { username },
    ...channel === void 0 ? {} : { channel },
    text: slackText(title),
    attachments: [attachment]
  });
};
var cardColors = { INFO: "accent", WARNING: "warning", CRITICAL: "attention" };
var teams = ({ properties, message }) => {
  const { title, text: text3, baseUrl, level, payloadType } = message;
  const color = payloadType === "event_cleared" ? "good" : cardColors[level];
  const content2 = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      { type: "TextBlock", text: title, weight: "bolder", size: "medium", color, wrap: true },
      { type: "TextBlock", text: cut(text3, textCharactersMax2), wrap: true },
      {
        type: "FactSet",
        facts: factsOf(message).map(([name, value]) => ({ title: name, value }))
      }
    ],
    actions: [{ type: "Action.OpenUrl", title: "Open", url: baseUrl }]
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return jsonRequest(properties["url"] ?? "", {
    type: "message",
    summary: title,
    attachments: [{ contentType, contentUrl: null, content: content2 }]
  });
};
function factsOf({ policyName, elementName, level, time: time2 }) {
  return [
    ["Policy", policyName],
    ["Element", elementName],
    ["Category", level],
    ["Time", time2]
  ];
}
function slackText(text3) {
  return text3.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

// src/notify/senders/on-call.ts
var pagerDutyUrl = "https://events.pagerduty.com/v2/enqueue";
var opsgenieUrl = "https://api.opsgenie.com/v2/alerts";
var severities = { INFO: "info", WARNING: "warning", CRITICAL: "critical" };
var priorities = { INFO: "P5", WARNING: "P3", CRITICAL: "P1" };
var summaryCharactersMax = 1024;
var alertCharactersMax = 130;
var descriptionCharactersMax = 15e3;
var tagCharactersMax = 50;
var pagerduty = ({ properties, message }) => {
  const key2 = properties["serviceKey"] ?? "";
  const url = propertyOf(properties, "url") ?? pagerDutyUrl;
  if (url.endsWith("/create_event.json")) return pagerDutyOne(url, key2, message);
  const isClear = message.payloadType === "event_cleared";
  const payload = {
    summary: cut(message.title, summaryCharactersMax),
    source: message.elementName,
    severity: severities[message.level],
    timestamp: message.time,
    component: message.elementName,
    class: message.policyName,
    custom_details: detailsOf(message)
  };
  return jsonRequest(url, {
    routing_key: key2,
    event_action: isClear ? "resolve" : "trigger",
    dedup_key: message.incidentKey,
    payload,
    client: "Tidegauge",
    client_url: message.baseUrl
  });
};
function pagerDutyOne(url, key2, message) {
  return jsonRequest(url, {
    service_key: key2,
    event_type: message.payloadType === "event_cleared" ? "resolve" : "trigger",
    incident_key: message.incidentKey,
    description: cut(message.title, summaryCharactersMax),
    details: detailsOf(message),
    client: "Tidegauge",
    client_url: message.baseUrl
  });
}
var opsgenie = ({ properties, message }) => {
  const key2 = propertyOf(properties, "apiKey");
  if (key2 === void 0) {
    throw invalid("notification.properties.apiKey: expected the key of an Opsgenie integration");
  }
  const url = (propertyOf(properties, "url") ?? opsgenieUrl).replace(/\/+$/, "");
  const headers = { authorization: `GenieKey ${key2}` };
  if (message.payloadType === "event_cleared") {
    const path = `/${encodeURIComponent(message.incidentKey)}/close?identifierType=alias`;
    return jsonRequest(url + path, { source: "Tidegauge", note: message.title }, headers);
  }
  const alert = {
    message: cut(message.title, alertCharactersMax),
    alias: message.incidentKey,
    description: cut(message.text, descriptionCharactersMax),
    entity: message.elementName,
    source: "Tidegauge",
    priority: priorities[message.level],
    tags: [cut(message.policyName, tagCharactersMax)],
    details: detailsOf(message)
  };
  return jsonRequest(url, alert, headers);
};
function detailsOf(message) {
  const { names, text: text3, deliveryId, policyName, elementName, time: time2, baseUrl } = message;
  const elementFqn = String(names["elementFqn"]);
  return { policyName, elementName, elementFqn, results: text3, time: time2, deliveryId, baseUrl };
}

// src/notify/senders/aws-signature.ts
import { createHash, createHmac } from "node:crypto";
function signedHeaders(call, keys) {
  const { url, body: body2, nowMs, region, service } = call;
  const { host, pathname } = new URL(url);
  const time2 = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const day = time2.slice(0, 8);
  const headers = { ...call.headers, "x-amz-date": time2 };
  const signed = Object.entries({ ...headers, host }).sort(([a], [b]) => a < b ? -1 : 1);
  const names = signed.map(([name]) => name).join(";");
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}
`).join("");
  const request = ["POST", pathname, "", lines, names, sha256(body2)].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time2, scope, sha256(request)].join("\n");
  const secret = `AWS4${keys.secretKey}`;
  const key2 = [day, region, service, "aws4_request"].reduce(hmac, secret);
  const signature = hmac(key2, toSign).toString("hex");
  const credential = `${keys.accessKey}/${scope}`;
  headers["authorization"] = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return headers;
}
function hmac(key2, text3) {
  return createHmac("sha256", key2).update(text3).digest();
}
function sha256(text3) {
  return createHash("sha256").update(text3).digest("hex");
}

// src/notify/senders/sns.ts
var subjectCharactersMax = 100;
var sns = ({ properties, message, nowMs }) => {
  const topicArn = propertyOf(properties, "topicArn") ?? propertyOf(properties, "topic");
  const url = propertyOf(properties, "url");
  const text3 = textOf2(message, templateOf(properties, "postContentTemplate"));
  const subject = subjectOf(message);
  if (topicArn === void 0) {
    if (url === void 0) throw invalid(needs);
    const Timestamp = formatInstant(nowMs);
    const MessageId = message.deliveryId;
    const TopicArn = "arn:aws:sns:local:000000000000:tidegauge";
    const headers2 = { "x-amz-sns-message-type": "Notification", "x-amz-sns-message-id": MessageId };
    const note = { Type: "Notification", MessageId, TopicArn, Subject: subject, Timestamp };
    return jsonRequest(url, { ...note, Message: text3 }, { ...headers2, "content-type": plainText });
  }
  const region = /^arn:[\w-]+:sns:([\w-]+):\d*:.+$/.exec(topicArn)?.[1];
  if (region === void 0) throw invalid(needs);
  const fields3 = {
    Action: "Publish",
    Version: "2010-03-31",
    TopicArn: topicArn,
    Subject: subject,
    Message: text3,
    "MessageAttributes.entry.1.Name": "deliveryId",
    "MessageAttributes.entry.1.Value.DataType": "String",
    "MessageAttributes.entry.1.Value.StringValue": message.deliveryId
  };
  const body2 = new URLSearchParams(fields3).toString();
  const to = url ?? `https://sns.${region}.amazonaws.com/`;
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const accessKey = propertyOf(properties, "accessKeyId") ?? propertyOf(properties, "accessKey");
  const secretKey = propertyOf(properties, "secretAccessKey") ?? propertyOf(properties, "secretKey");
  if (accessKey === void 0 || secretKey === void 0) return { url: to, headers, body: body2 };
  const call = { url: to, headers, body: body2, nowMs, region, service: "sns" };
  return { url: to, headers: signedHeaders(call, { accessKey, secretKey }), body: body2 };
};
var plainText = "text/plain; charset=UTF-8";
var needs = "notification.properties: expected a url, or a topicArn such as arn:aws:sns:eu-west-1:123456789012:alerts";
function textOf2(message, template) {
  if (template !== void 0) return renderMessage(template, message);
  const { images: _, ...fields3 } = message.names;
  return JSON.stringify(fields3);
}
function subjectOf({ title }) {
  return cut(title, subjectCharactersMax).replace(/[^\x20-\x7e]/g, "?");
}

// src/notify/senders/webhook.ts
var headersMax = 50;
var webhook = ({ properties, message }) => {
  const template = templateOf(properties, "postContentTemplate");
  const { images: _, ...fields3 } = message.names;
  const body2 = template === void 0 ? JSON.stringify(fields3) : renderMessage(template, message);
  const type = isJson(body2) ? "application/json" : "text/plain; charset=utf-8";
  const headers = { "content-type": type, ...authorizationOf(properties), ...headersOf2(properties) };
  return { url: properties["url"] ?? "", headers, body: body2 };
};
function authorizationOf(properties) {
  const user = propertyOf(properties, "basicUsername");
  if (user === void 0) return {};
  const credentials = `${user}:${properties["basicPassword"] ?? ""}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}
function headersOf2(properties) {
  const text3 = propertyOf(properties, "headers");
  if (text3 === void 0) return {};
  const pairs = /^[[{]/.test(text3) ? jsonPairs(text3) : linePairs(text3);
  const isFit = ([name, value]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
  if (pairs.length > headersMax || !pairs.every(isFit)) {
    throw invalid(
      `notification.properties.headers: expected at most ${headersMax} headers as a JSON object, a JSON list of {"name", "value"}, or lines "Name: value"`
    );
  }
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}
function jsonPairs(text3) {
  if (!isJson(text3)) return [["", ""]];
  const read = JSON.parse(text3);
  if (!Array.isArray(read)) return Object.entries(read).map(([name, v8]) => [name, String(v8)]);
  return read.map((one) => [String(one?.["name"] ?? one?.["key"] ?? ""), String(one?.["value"])]);
}
function linePairs(text3) {
  return text3.split(/\r?\n/).map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()];
  });
}
function isJson(text3) {
  try {
    JSON.parse(text3);
    return true;
  } catch {
    return false;
  }
}

// src/notify/courier.ts
var senders = {
  webhook,
  slack,
  teams,
  pagerduty,
  opsgenie,
  sns
};
var answerLimits = { bytesMax: 64 * 1024, timeoutMs: 1e4 };
var successContent = "Successfully processed message";
var Courier = class {
  options;
  constructor(options2) {
    this.options = options2;
  }
  /** Resolves when the receiver took it; throws `invalid` with the reason where it did not. */
  async deliver({ type, properties }, notice) {
    const { mail, clock, baseUrl } = this.options;
    try {
      const message = messageOf(notice, baseUrl);
      if (type === "email") return await mail(properties, message);
      const sender = Object.hasOwn(senders, type) ? senders[type] : void 0;
      if (sender === void 0) {
        throw invalid(`notifications of the type ${type} are kept but cannot be delivered`);
      }
      const request = sender({ properties, message, nowMs: clock.nowMs() });
      const headers = { ...request.headers, [deliveryHeader]: notice.id };
      await this.post({ ...request, headers });
    } catch (error) {
      if (error instanceof TemplateError) throw invalid(`template: ${error.message}`);
      throw error;
    }
  }
  /** Tells an example to whom a notification names, whether it is enabled or not. */
  async test(recipient, tenant) {
    const timeMs = this.options.clock.nowMs();
    const event = exampleEvent(this.options.random.uuid(), timeMs);
    const fields3 = { tenant, notificationId: 0, payloadType: "event", timeMs, event };
    try {
      await this.deliver(recipient, noticeOf(fields3));
      return { success: true, content: successContent };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { success: false, content: error.problems.join("; ") };
    }
  }
  async post(request) {
    const call = { method: "POST", ...request, ...answerLimits };
    const { status } = await this.options.outbound.call(call);
    if (status < 200 || status > 299) {
      throw invalid(`expected the receiver to answer with a status of 200 to 299, got ${status}`);
    }
  }
};
function exampleEvent(id2, timeMs) {
  const expression = "This is a test: nothing is wrong with any element.";
  const results = { violating: true, conditions: [{ id: "0", violating: true, expression }] };
  return {
    id: id2,
    timeMs,
    processedMs: timeMs,
    elementFqn: "test-element",
    elementId: id2,
    level: "INFO",
    type: null,
    title: null,
    source: null,
    data: { policyName: examplePolicy.name, metrics: [], results: JSON.stringify(results) },
    tags: [],
    isExternal: false,
    policy: { id: id2, ...examplePolicy },
    element: { name: "Test element", type: "TEST", location: null, tags: [] }
  };
}

// src/notify/mail.ts
var recipientsMax = 50;
var stepTimeoutMs = 1e4;
var subjectCharactersMax2 = 250;
function openMail(settings) {
  if (settings === null) {
    return () => Promise.reject(invalid("no mail server is set: see --smtp-url"));
  }
  let opened2 = null;
  return async (properties, message) => {
    const transport = await (opened2 ??= openTransport(settings));
    const to = recipientsOf(properties);
    const { subject, body: body2 } = contentOf(properties, message);
    const mail = {
      from: settings.from,
      to,
      subject,
      .../^\s*</.test(body2) ? { html: body2 } : { text: body2 },
      messageId: `<${message.deliveryId}@tidegauge>`,
      headers: { [deliveryHeader]: message.deliveryId }
    };
    try {
      await transport.sendMail(mail);
    } catch (cause) {
      const { code, response: response2 } = cause;
      const reason = response2 ?? code ?? "no connection";
      throw new ServiceError("invalid", `the mail server refused the message: ${reason}`, { cause });
    }
  };
}
async function openTransport({ smtpUrl }) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: smtpUrl,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // Nothing of a message may make the mailer read a file or call a URL.
    disableFileAccess: true,
    disableUrlAccess: true
  });
}
function recipientsOf(properties) {
  const addresses = (propertyOf(properties, "address") ?? "").split(/[\s,;]+/).filter(Boolean);
  const isFit = addresses.every((address) => /^[^\s@<>()"]+@[^\s@<>()"]+$/.test(address));
  if (addresses.length === 0 || addresses.length > recipientsMax || !isFit) {
    throw invalid(
      `notification.properties.address: expected 1 to ${recipientsMax} e-mail addresses`
    );
  }
  return addresses;
}
function contentOf(properties, message) {
  const subjectTemplate = templateOf(properties, "subjectTemplate");
  const bodyTemplate = templateOf(properties, "bodyTemplate");
  const subject = subjectTemplate === void 0 ? message.title : renderMessage(subjectTemplate, message);
  const body2 = bodyTemplate === void 0 ? plainBody(message) : renderMessage(bodyTemplate, message);
  const line = subject.replace(/\s+/g, " ").trim().slice(0, subjectCharactersMax2);
  return { subject: line, body: body2 };
}
function plainBody({ title, text: text3, policyName, elementName, time: time2, baseUrl }) {
  const facts = [`Policy: ${policyName}`, `Element: ${elementName}`, `Time: ${time2}`];
  return [title, ...text3 === "" ? [] : ["", text3], "", ...facts, "", baseUrl, ""].join("\n");
}

// src/notify/backoff.ts
var firstRetryMs = 15e3;
var retryMsMax = 18e5;
var jitterShare = 0.2;
function retryAfterMs(attempts, random) {
  const doubled = Math.min(firstRetryMs * 2 ** Math.min(attempts - 1, 30), retryMsMax);
  const [byte] = random.bytes(1);
  return Math.round(doubled * (1 + jitterShare * (byte / 127.5 - 1)));
}

// src/notify/postman.ts
var lanesAtOnceMax = 8;
var giveUpAfterMs = 864e5;
var waitingPerLaneMax = 1e3;
var tickMs = 1e3;
var Postman = class {
  options;
  /** By name; lanes that failed and are still in the outbox. */
  failures = /* @__PURE__ */ new Map();
  running = /* @__PURE__ */ new Map();
  counts = { delivered: 0, failed: 0, dropped: 0, disabled: 0 };
  cancelTick = () => {
  };
  pass = null;
  isWoken = false;
  isStopped = false;
  laneEnded = () => {
  };
  constructor(options2) {
    this.options = options2;
  }
  get figures() {
    const failing = [...this.failures.values()].filter((failure) => failure !== null);
    return { ...this.counts, failingLanes: failing.length };
  }
  /** Tells what a former run left, and from then on what `wake` announces. */
  start() {
    this.wake();
    this.tick();
  }
  /** Something was put into the outbox: looks at once, without waiting for it. */
  wake() {
    this.isWoken = true;
    if (this.isStopped) return;
    this.pass ??= this.look().then(
      () => {
        this.pass = null;
        if (this.isWoken) this.wake();
      },
      (err) => {
        this.pass = null;
        this.isWoken = true;
        this.options.log.error({ err }, "reading the outbox failed");
      }
    );
  }
  /** Resolves when nothing is on its way; what waits for another attempt goes on waiting. */
  async settled() {
    while (this.pass !== null || this.running.size > 0) {
      await this.pass;
      await Promise.all(this.running.values());
    }
  }
  /** Ends after the calls that are on their way. */
  async stop() {
    this.isStopped = true;
    this.cancelTick();
    await this.settled();
  }
  tick() {
    this.cancelTick = this.options.delay(() => {
      if (this.isStopped) return;
      const nowMs = this.options.clock.nowMs();
      const isDue2 = (failure) => failure !== null && failure.dueMs <= nowMs;
      if (this.isWoken || [...this.failures.values()].some(isDue2)) this.wake();
      this.tick();
    }, tickMs);
  }
  async look() {
    while (this.isWoken && !this.isStopped) {
      this.isWoken = false;
      for (const tenant of this.options.tenants()) {
        for await (const lane of this.options.outbox.lanes(tenant)) {
          while (this.running.size >= lanesAtOnceMax) await this.oneLaneEnds();
          if (this.isStopped) return;
          this.startLane(lane);
        }
      }
    }
  }
  oneLaneEnds() {
    return new Promise((resolve2) => {
      this.laneEnded = resolve2;
    });
  }
  startLane(lane) {
    const name = nameOf2(lane);
    if (this.running.has(name)) {
      void this.running.get(name).then(() => this.wake());
      return;
    }
    const run2 = this.runLane(lane).catch((err) => {
      this.options.log.error({ err }, "a delivery could not be noted");
      this.postpone(name);
    }).finally(() => {
      this.running.delete(name);
      this.laneEnded();
    });
    this.running.set(name, run2);
  }
  /** The store failed, not the receiver: the same again in a while. */
  postpone(name) {
    const nowMs = this.options.clock.nowMs();
    const { failingSinceMs = nowMs, attempts = 0 } = this.failures.get(name) ?? {};
    this.failures.set(name, { failingSinceMs, attempts, dueMs: nowMs + firstRetryMs });
  }
  /** Up to the end of the lane, or to its first failure. */
  async runLane(lane) {
    const { outbox, clock } = this.options;
    const name = nameOf2(lane);
    if (!this.failures.has(name)) this.failures.set(name, await outbox.failure(lane));
    while (!this.isStopped) {
      const failure = this.failures.get(name) ?? null;
      if (failure !== null && failure.dueMs > clock.nowMs()) return;
      const entry = await outbox.head(lane);
      if (entry === void 0) break;
      const recipient = await this.recipientOf(lane);
      if (recipient === null) return;
      if (recipient === void 0) {
        await this.dropAll(lane, "the notification is disabled or gone");
        break;
      }
      if (!await this.tell(lane, entry, recipient)) return;
    }
    this.failures.delete(name);
  }
  /** Undefined if there is none any more; null, and told, if its secrets cannot be opened. */
  async recipientOf(lane) {
    try {
      return await this.options.addressBook.recipient(lane.tenant, lane.notificationId);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "invalid") throw error;
      this.counts.failed++;
      await this.failed(lane, error.message);
      return null;
    }
  }
  async tell(lane, entry, recipient) {
    const { courier, outbox, log } = this.options;
    const name = nameOf2(lane);
    try {
      await courier.deliver(recipient, entry.notice);
    } catch (error) {
      this.counts.failed++;
      const reason = error instanceof ServiceError ? error.message : "an error of our own";
      if (!(error instanceof ServiceError)) log.error({ err: error }, "a sender failed");
      await this.failed(lane, reason);
      return false;
    }
    await outbox.told(lane, entry);
    this.failures.set(name, null);
    this.counts.delivered++;
    return true;
  }
  async failed(lane, reason) {
    const { outbox, clock, random, log } = this.options;
    const name = nameOf2(lane);
    const nowMs = clock.nowMs();
    const former = this.failures.get(name) ?? null;
    const failingSinceMs = former?.failingSinceMs ?? nowMs;
    const attempts = (former?.attempts ?? 0) + 1;
    log.warn({ ...lane, attempts, reason }, "a notification could not be delivered");
    if (nowMs - failingSinceMs >= giveUpAfterMs) return this.giveUp(lane);
    const failure = { failingSinceMs, attempts, dueMs: nowMs + retryAfterMs(attempts, random) };
    this.failures.set(name, failure);
    await outbox.setFailure(lane, failure);
    const dropped = await outbox.drop(lane, waitingPerLaneMax);
    if (dropped === 0) return;
    this.counts.dropped += dropped;
    log.warn({ ...lane, dropped }, "the oldest notices of a failing notification were dropped");
  }
  async giveUp(lane) {
    await this.options.addressBook.disable(lane.tenant, lane.notificationId);
    this.counts.disabled++;
    this.options.log.error({ ...lane }, "a notification failed for a day and was disabled");
    await this.dropAll(lane, "the notification failed for a day");
    this.failures.delete(nameOf2(lane));
  }
  async dropAll(lane, reason) {
    const { outbox, log } = this.options;
    const dropped = await outbox.drop(lane);
    await outbox.setFailure(lane, null);
    this.counts.dropped += dropped;
    log.info({ ...lane, dropped, reason }, "notices were dropped");
  }
};
function nameOf2({ tenant, notificationId }) {
  return `${tenant}/${notificationId}`;
}

// src/server-notify.ts
function openServerNotify(options2) {
  const { config, clock, records, documents, tenants, log, delay: delay2 } = options2;
  const { smtpUrl, smtpFrom, host, port, allowedAddresses } = config;
  const outbound = new Outbound({ resolve, allowed: allowedAddresses ?? [], delay: delay2 });
  const times = { clock, random: systemRandom };
  const courier = new Courier({
    ...times,
    outbound,
    mail: openMail(smtpUrl === null ? null : { smtpUrl, from: smtpFrom }),
    baseUrl: config.baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  });
  const postman = new Postman({
    ...times,
    outbox: new Outbox(documents),
    addressBook: records.notifications,
    courier,
    tenants,
    delay: delay2,
    log
  });
  return { outbound, courier, postman };
}
async function resolve(host) {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

// src/server-packages.ts
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// src/packages/bundled.ts
var kind3 = "bundledPackage";
function readBundle(folders, judge) {
  return folders.map((files) => readPackage(files, judge));
}
var sendersMax = 1e5;
var lookAgainMs = 3e5;
var ownCollectors = {
  infrastructure: "linux",
  kubernetes: "containers"
};
var anyType = "global";
var Bundled = class {
  options;
  /** Types for which some package is; what else is sent never matches. */
  types;
  /** By the word of the path: datasources of accounts, and when to look at them again. */
  seen = /* @__PURE__ */ new Map();
  seenCount = 0;
  running = Promise.resolve();
  constructor(options2) {
    this.options = options2;
    this.types = new Set(options2.bundle.flatMap(compatibleOf).map(({ type }) => type));
  }
  /**
   * To be told of every request that was accepted, with the word of its path (`/ingest/{kind}/…`);
   * costs two lookups where it is not the first.
   */
  noticed(sender, pathKind) {
    const word = pathKind === null ? "" : pathKind.toLowerCase();
    const type = this.types.has(word) ? word : "";
    const senders2 = this.seen.get(type) ?? /* @__PURE__ */ new Map();
    const key2 = `${sender.tenant}/${sender.datasourceId}`;
    const againMs = senders2.get(key2);
    const { clock } = this.options.world;
    if (againMs !== void 0 && (againMs === Infinity || clock.nowMs() < againMs)) return;
    if (againMs === void 0) this.makeRoom();
    senders2.set(key2, Infinity);
    this.seen.set(type, senders2);
    this.running = this.running.then(() => this.offer(sender, type)).then((isWaiting) => {
      if (isWaiting) senders2.set(key2, clock.nowMs() + lookAgainMs);
    }).catch((error) => {
      senders2.set(key2, 0);
      this.options.onError(error);
    });
  }
  /** Resolves when everything that was noticed so far is installed or refused. */
  settled() {
    return this.running;
  }
  makeRoom() {
    if (this.seenCount++ < sendersMax) return;
    this.seen = /* @__PURE__ */ new Map();
    this.seenCount = 1;
  }
  /** True where a package waits for metrics of a collector. */
  async offer({ tenant, datasourceId }, word) {
    const datasource = await this.options.datasources.find(tenant, String(datasourceId));
    const types = /* @__PURE__ */ new Set([anyType, word, datasource?.body.type.toLowerCase() ?? ""]);
    let isWaiting = false;
    for (const content2 of this.options.bundle) {
      const ofType = compatibleOf(content2).filter(({ type }) => types.has(type));
      if (ofType.length === 0 || await this.wasOffered(tenant, content2)) continue;
      if (await this.someCollects(tenant, ofType)) await this.install(tenant, content2);
      else isWaiting = true;
    }
    return isWaiting;
  }
  async wasOffered(tenant, { manifest }) {
    const { documents } = this.options.world;
    return await documents.get(`${kind3}:${tenant}`, manifest.packageId) !== void 0;
  }
  async someCollects(tenant, wanted) {
    for (const { type, collector } of wanted) {
      if (collector === null || ownCollectors[type] === collector) return true;
      if (await this.options.hasMetrics(tenant, `${collector}.`)) return true;
    }
    return false;
  }
  async install(tenant, content2) {
    const { world, packages } = this.options;
    const { packageId, authorEmail } = content2.manifest;
    const id2 = `${kind3}:${tenant}`;
    const offered = { kind: id2, id: packageId, document: this.mark() };
    if ((await packages.list(tenant, { packageId })).length > 0) {
      return world.documents.putAll([offered]);
    }
    const caller = { tenant, email: authorEmail ?? "", userId: null, isAdministrator: true };
    await packages.install(caller, [{ content: content2, url: null, userEmail: null }], () => [offered]);
  }
  mark() {
    return { atMs: this.options.world.clock.nowMs() };
  }
};
function compatibleOf({ manifest }) {
  return manifest.compatibility.flatMap((text3) => {
    const [type, ...rest] = text3.toLowerCase().split(":");
    const collector = rest.join(":").trim();
    const isSaid = type.trim() !== "";
    return isSaid ? [{ type: type.trim(), collector: collector === "" ? null : collector }] : [];
  });
}

// src/packages/package-record.ts
function packageUuid(tenantUuid, packageId) {
  return uuidV3(tenantUuid, `package\0${packageId}`);
}
function assetUuid(packageId, file) {
  return uuidV3(packageId, file);
}

// src/packages/plan.ts
async function planInstall(options2) {
  const { content: content2 } = options2;
  const policies = await planPolicies(options2);
  const boards = await planDashboards(options2);
  const configurations = planConfigurations(options2);
  return {
    changes: [...policies.changes, ...configurations.changes, ...boards.changes],
    policies: policies.records,
    analyticConfigurations: configurations.records,
    dashboards: boards.records,
    counts: { policies: policies.more, dashboards: boards.more },
    warnings: [...content2.warnings, ...policies.warnings]
  };
}
async function planPolicies(options2) {
  const { caller, content: content2, former, policies } = options2;
  const part = { changes: [], records: [], more: 0 };
  const warnings = [];
  for (const asset of content2.policies) {
    const { brought, leftOut: leftOut2 } = withKnownNotifications(asset, options2);
    pushAll(warnings, leftOut2);
    const record4 = policyRecord2(options2, asset.file, brought);
    part.records.push(record4);
    const before = former?.policies.find(({ file }) => file === asset.file);
    const stored = await policies.find(caller.tenant, record4.id);
    const isDeletedByPerson = before !== void 0 && (stored?.body.deleted ?? true);
    if (isDeletedByPerson) continue;
    if (stored === void 0) part.more++;
    const now = merged(options2, brought, { before, stored, record: record4 });
    pushAll(part.changes, policies.storing(caller.tenant, now));
  }
  for (const { id: id2 } of vanished(former?.policies, part.records)) {
    const stored = await policies.find(caller.tenant, id2);
    if (stored !== void 0 && !stored.body.deleted) {
      pushAll(part.changes, policies.removing(caller.tenant, stored));
    }
  }
  return { ...part, warnings };
}
function withKnownNotifications({ file, content: content2 }, { notificationIds }) {
  const leftOut2 = [];
  const actions = content2.actions.filter((action, i) => {
    if (action.type !== "notification" || notificationIds.has(action.id)) return true;
    const path = `policy.actions[${i}].id`;
    leftOut2.push(`${file}: ${path}: left out, since there is no notification ${action.id}`);
    return false;
  });
  return { brought: { ...content2, actions }, leftOut: leftOut2 };
}
function policyRecord2({ id: id2 }, file, brought) {
  const notifications = notificationsOf(brought);
  return { id: assetUuid(id2, file), file, enabled: brought.enabled, notifications };
}
function merged({ caller, content: content2, nowMs }, brought, there) {
  const { before, stored, record: record4 } = there;
  const { authorEmail } = content2.manifest;
  const creatorEmail = brought.creatorEmail ?? (authorEmail || caller.email || null);
  const body2 = { ...brought, creatorEmail };
  const times = { createdMs: nowMs, updatedMs: nowMs };
  if (before === void 0 || stored === void 0) return { id: record4.id, ...times, body: body2 };
  const { enabled } = stored.body;
  const notifications = notificationsOf(stored.body);
  const isSame = JSON.stringify(notifications) === JSON.stringify(before.notifications);
  return {
    id: record4.id,
    createdMs: stored.createdMs,
    updatedMs: nowMs,
    body: {
      ...body2,
      enabled: enabled === before.enabled ? brought.enabled : enabled,
      actions: isSame ? brought.actions : [...withoutNotifications(brought), ...notifications]
    }
  };
}
function notificationsOf({ actions }) {
  return actions.filter((action) => action.type === "notification");
}
function withoutNotifications({ actions }) {
  return actions.filter((action) => action.type !== "notification");
}
async function planDashboards(options2) {
  const { caller, content: content2, former, boards, id: id2 } = options2;
  const part = { changes: [], records: [], more: 0 };
  for (const asset of content2.dashboards) {
    const record4 = { id: assetUuid(id2, asset.file), file: asset.file };
    part.records.push(record4);
    const isThere = await hasBoard(options2, record4.id);
    const isBefore = former?.dashboards.some(({ file }) => file === asset.file) ?? false;
    if (isBefore && !isThere) continue;
    if (!isThere) part.more++;
    const placing = boards.placing(caller, record4.id, asset.content);
    pushAll(part.changes, await inFile(asset.file, placing));
  }
  for (const gone of vanished(former?.dashboards, part.records)) {
    if (!await hasBoard(options2, gone.id)) continue;
    part.more--;
    pushAll(part.changes, await boards.removing(caller.tenant, gone.id));
  }
  return part;
}
async function inFile(file, work) {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== "invalid") throw cause;
    const problems = cause.problems.map((problem) => `${file}: ${problem}`);
    throw new ServiceError("invalid", problems, { cause });
  }
}
async function hasBoard({ boards, caller }, id2) {
  return (await boards.find(caller.tenant, [id2])).length > 0;
}
function planConfigurations({ caller, content: content2, former, id: id2 }) {
  const kind5 = configurationKind(caller.tenant);
  const { packageId } = content2.manifest;
  const part = { changes: [], records: [], more: 0 };
  content2.analyticConfigurations.forEach(({ file, content: configuration }, position) => {
    const record4 = { id: assetUuid(id2, file), file };
    const text3 = JSON.stringify(configuration);
    const document = { packageId, position, configuration: text3 };
    part.records.push(record4);
    part.changes.push({ kind: kind5, id: record4.id, document });
  });
  for (const gone of vanished(former?.analyticConfigurations, part.records)) {
    part.changes.push({ kind: kind5, id: gone.id, document: null });
  }
  return part;
}
function vanished(former = [], now) {
  const kept = new Set(now.map(({ id: id2 }) => id2));
  return former.filter(({ id: id2 }) => !kept.has(id2));
}

// src/packages/unzip.ts
import { crc32 } from "node:zlib";
import yauzl from "yauzl";

// src/packages/entry-names.ts
function entryNameProblem(name) {
  const problem = nameProblem(name);
  return problem === null ? null : `${shown(name)}: expected ${problem}`;
}
function nameProblem(name) {
  if (name.length === 0 || name.length > entryNameCharactersMax) {
    return `a name of 1 to ${entryNameCharactersMax} characters`;
  }
  if (/[\u0000-\u001f\u007f]/.test(name)) return "a name without control characters";
  if (name.includes("\\")) return "a name with / between folders, not a backslash";
  if (name.startsWith("/") || /^[a-z]:/i.test(name)) return "a relative name, not an absolute one";
  const segments = name.replace(/\/$/, "").split("/");
  if (segments.some((one) => one === "." || one === ".." || one === "")) {
    return 'a name without ".", ".." and empty parts';
  }
  return null;
}
function collisionKey(name) {
  return name.replace(/\/$/, "").normalize("NFC").toLowerCase();
}

// src/packages/unzip.ts
async function unzip(bytes, limits = archiveLimits) {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const zip = await yauzl.fromBufferPromise(buffer, { decodeStrings: false });
    const entries = await readDirectory(zip, limits);
    await refuseOverlaps(zip, entries);
    const files = /* @__PURE__ */ new Map();
    for (const one of entries) {
      if (!one.name.endsWith("/")) files.set(one.name, await readEntry(zip, one));
    }
    return files;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw invalidArchive(cause.message, cause);
  }
}
async function readDirectory(zip, limits) {
  const { entriesMax, inflatedBytesMax } = limits;
  if (zip.entryCount > entriesMax) {
    throw invalid(`archive: expected at most ${entriesMax} entries, got ${zip.entryCount}`);
  }
  const entries = [];
  const problems = [];
  const keys = /* @__PURE__ */ new Map();
  let inflatedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const named3 = { name: nameOf3(entry), entry };
    pushAll(problems, entryProblems(named3, limits));
    pushAll(problems, collisions(named3.name, keys));
    inflatedBytes += entry.uncompressedSize;
    entries.push(named3);
  }
  if (inflatedBytes > inflatedBytesMax) {
    problems.push(
      `archive: expected at most ${inflatedBytesMax} bytes when inflated, got ${inflatedBytes}`
    );
  }
  if (problems.length > 0) throw invalid(problems);
  return entries;
}
function nameOf3({ generalPurposeBitFlag, fileNameRaw, extraFields }) {
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}
function collisions(name, keys) {
  const key2 = collisionKey(name);
  const other = keys.get(key2);
  keys.set(key2, name);
  if (other === void 0) return [];
  return [`${shown(name)}: expected names that differ by more than case, got ${shown(other)} too`];
}
function entryProblems({ name, entry }, limits) {
  const nameProblem2 = entryNameProblem(name);
  const problems = contentProblems(entry, limits).map((problem) => `${shown(name)}: ${problem}`);
  return nameProblem2 === null ? problems : [nameProblem2, ...problems];
}
var typeMask = 61440;
var plainTypes = [0, 16384, 32768];
var methods2 = [0, 8];
function* contentProblemsOf(entry, { entryBytesMax, ratioMax }) {
  const { uncompressedSize, compressedSize, compressionMethod } = entry;
  if (entry.isEncrypted()) yield "expected no encryption";
  if (!plainTypes.includes(entry.externalFileAttributes >>> 16 & typeMask)) {
    yield "expected a plain file or a folder, got a link or a device";
  }
  if (!methods2.includes(compressionMethod)) {
    yield `expected it stored or deflated, got compression method ${compressionMethod}`;
  }
  if (uncompressedSize > entryBytesMax) {
    yield `expected at most ${entryBytesMax} bytes, got ${uncompressedSize}`;
  }
  const isDense = uncompressedSize > ratioFloorBytes && uncompressedSize > ratioMax * compressedSize;
  if (isDense) yield `expected at most ${ratioMax} bytes from one, got a higher ratio`;
}
function contentProblems(entry, limits) {
  return [...contentProblemsOf(entry, limits)];
}
async function refuseOverlaps(zip, entries) {
  const ranges = [];
  for (const { name, entry } of entries) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const start2 = entry.relativeOffsetOfLocalHeader;
    ranges.push({ name, start: start2, end: fileDataStart + entry.compressedSize });
  }
  ranges.sort((one2, other2) => one2.start - other2.start);
  const at = ranges.findIndex(({ end }, i) => end > (ranges[i + 1]?.start ?? Infinity));
  if (at < 0) return;
  const [one, other] = [ranges[at].name, ranges[at + 1].name];
  throw invalid(`${shown(other)}: expected bytes of its own, it overlaps with ${shown(one)}`);
}
async function readEntry(zip, { name, entry }) {
  const chunks = [];
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream) chunks.push(chunk);
  } catch (cause) {
    throw invalidArchive(`${shown(name)}: ${cause.message}`, cause);
  }
  const content2 = Buffer.concat(chunks);
  if (crc32(content2) !== entry.crc32) throw invalid(`${shown(name)}: its checksum does not fit`);
  return content2;
}
function invalidArchive(message, cause) {
  return new ServiceError("invalid", `archive: expected a whole ZIP archive: ${message}`, { cause });
}

// src/packages/packages.ts
var packageBytesMax = 512 * 1024;
var Packages = class {
  options;
  collection;
  /** By tenant. */
  turns = new Turns();
  archivesNow = 0;
  constructor(options2) {
    this.options = options2;
    this.collection = new Collection(
      {
        kind: "package",
        noun: "package",
        ids: "uuid",
        countMax: packagesMax,
        bytesMax: packageBytesMax
      },
      options2.world
    );
  }
  /** Oldest first. `version`: the text of one, or a range. */
  async list(tenant, filter = {}) {
    const { packageId, version: version2 } = filter;
    const isWanted = version2 === void 0 ? () => true : versionFilter(version2);
    const all = await this.collection.list(tenant);
    const found = all.filter(({ body: body2 }) => {
      return (packageId === void 0 || body2.packageId === packageId) && isWanted(body2.version);
    });
    return Promise.all(found.map((stored) => this.subject(tenant, stored)));
  }
  /** Throws `missing` where there is none. */
  async get(tenant, id2) {
    return this.subject(tenant, await this.collection.get(tenant, id2));
  }
  /**
   * Does what holds archives in memory; throws `overloaded` where too many do. To be asked before
   * the bytes are read.
   */
  async withArchives(work) {
    if (this.archivesNow >= archivesAtOnceMax) {
      throw new ServiceError("overloaded", "Too many packages are being installed at once");
    }
    this.archivesNow++;
    try {
      return await work();
    } finally {
      this.archivesNow--;
    }
  }
  /** Installs an archive that was uploaded. */
  async installFile(caller, bytes, userEmail) {
    const content2 = await this.read(bytes);
    return this.install(caller, [{ content: content2, url: null, userEmail }]);
  }
  /** Installs the archives behind these URLs, all or none. */
  async installUrls(caller, urls, userEmail) {
    const deliveries = [];
    for (const [i, url] of urls.entries()) {
      const content2 = await named2(`archives[${i}]`, async () => {
        return this.read(await this.options.download(url));
      });
      deliveries.push({ content: content2, url, userEmail });
    }
    return this.install(caller, deliveries);
  }
  /** Installs what was read before, all or nothing; what stands under one of its ids is upgraded. */
  install(caller, deliveries, also = () => []) {
    refuseTwice(deliveries);
    const { tenant } = caller;
    return this.turns.run(String(tenant), async () => {
      const formers = await Promise.all(
        deliveries.map(({ content: content2 }) => this.collection.find(tenant, this.idOf(tenant, content2)))
      );
      const ids = deliveries.map(({ content: content2 }, i) => {
        return assetIds(this.idOf(tenant, content2), content2, formers[i]?.body);
      });
      return this.inTurns(tenant, ids.flat(), () => {
        return this.store({ caller, deliveries, formers, also });
      });
    });
  }
  /** Removes a package with everything that it brought; data and events stay. */
  remove(tenant, id2) {
    return this.turns.run(String(tenant), async () => {
      const { body: body2 } = await this.collection.get(tenant, id2);
      const { policies, dashboards, analyticConfigurations } = body2;
      const ids = [...policies, ...dashboards].map((one) => one.id);
      await this.inTurns(tenant, ids, async () => {
        const kind5 = configurationKind(tenant);
        const boards = await this.boardsRemoved(tenant, body2);
        await this.options.world.documents.putAll([
          ...await this.policiesRemoved(tenant, body2),
          ...boards.changes,
          ...analyticConfigurations.map((one) => ({ kind: kind5, id: one.id, document: null })),
          this.collection.removing(tenant, id2)
        ]);
        this.collection.count(tenant, -1);
        this.options.records.boards.count(tenant, -boards.count);
      });
      this.options.records.policies.changed(tenant);
    });
  }
  /** Throws `invalid` with everything that is wrong with an archive. */
  async read(bytes) {
    const { judgeConfiguration, pauses: pauses2 } = this.options;
    return withPauses(readingSteps(await unzip(bytes), judgeConfiguration), pauses2);
  }
  idOf(tenant, { manifest }) {
    return packageUuid(this.options.tenantUuid(tenant), manifest.packageId);
  }
  inTurns(tenant, ids, work) {
    const { policies, boards } = this.options.records;
    return policies.inTurns(tenant, ids, () => boards.inTurns(ids, work));
  }
  async store(order) {
    const { caller, deliveries, formers, also } = order;
    const { tenant } = caller;
    const { records, world } = this.options;
    const notifications = await records.notifications.list(tenant);
    const notificationIds = new Set(notifications.map(({ id: id2 }) => Number(id2)));
    const plans = [];
    const packages = [];
    for (const [i, delivery] of deliveries.entries()) {
      const id2 = this.idOf(tenant, delivery.content);
      const former = formers[i]?.body;
      const nowMs = world.clock.nowMs();
      const { policies, boards } = records;
      const what = { caller, nowMs, id: id2, content: delivery.content, former };
      const plan = await planInstall({ ...what, policies, boards, notificationIds });
      const createdMs = formers[i]?.createdMs ?? nowMs;
      packages.push({ id: id2, createdMs, updatedMs: nowMs, body: recordOf(delivery, plan) });
      plans.push(plan);
    }
    await this.commit(tenant, { plans, packages, formers, also });
    records.policies.changed(tenant);
    const subjects = await Promise.all(packages.map((one) => this.subject(tenant, one)));
    return { packages: subjects, warnings: plans.flatMap(({ warnings }) => warnings) };
  }
  async commit(tenant, what) {
    const { policies, boards } = this.options.records;
    const more = {
      packages: what.formers.filter((one) => one === void 0).length,
      policies: sum(what.plans.map(({ counts: counts2 }) => counts2.policies)),
      dashboards: sum(what.plans.map(({ counts: counts2 }) => counts2.dashboards))
    };
    await this.collection.countForMore(tenant, more.packages);
    await policies.countForMore(tenant, more.policies);
    await boards.countForMore(tenant, more.dashboards);
    await this.options.world.documents.putAll([
      ...what.plans.flatMap(({ changes }) => changes),
      ...what.packages.map((stored) => this.collection.storing(tenant, stored)),
      ...what.also(tenant)
    ]);
    this.collection.count(tenant, more.packages);
    policies.count(tenant, more.policies);
    boards.count(tenant, more.dashboards);
  }
  async policiesRemoved(tenant, record4) {
    const { policies } = this.options.records;
    const found = await Promise.all(record4.policies.map(({ id: id2 }) => policies.find(tenant, id2)));
    return found.flatMap((stored) => {
      const isThere = stored !== void 0 && !stored.body.deleted;
      return isThere ? policies.removing(tenant, stored) : [];
    });
  }
  async boardsRemoved(tenant, record4) {
    const { boards } = this.options.records;
    const ids = record4.dashboards.map(({ id: id2 }) => id2);
    const found = await boards.find(tenant, ids);
    const changes = await Promise.all(found.map(({ id: id2 }) => boards.removing(tenant, id2)));
    return { changes: changes.flat(), count: found.length };
  }
  /** With those of its assets that a person left. */
  async subject(tenant, { id: id2, createdMs, updatedMs, body: body2 }) {
    const { policies, boards } = this.options.records;
    const found = await Promise.all(body2.policies.map((one) => policies.find(tenant, one.id)));
    const dashboards = await boards.find(
      tenant,
      body2.dashboards.map((one) => one.id)
    );
    return {
      id: id2,
      tenantId: this.options.tenantUuid(tenant),
      packageId: body2.packageId,
      version: body2.version,
      name: body2.name,
      description: body2.description,
      authorName: body2.authorName,
      authorEmail: body2.authorEmail,
      logo: body2.logo,
      downloadUrl: body2.downloadUrl,
      userEmail: body2.userEmail,
      createdMs,
      updatedMs,
      tags: body2.tags,
      policies: found.flatMap((one) => {
        return one === void 0 || one.body.deleted ? [] : [{ id: one.id, name: one.body.name }];
      }),
      analyticConfigurations: body2.analyticConfigurations,
      dashboards: dashboards.map((one) => ({ id: one.id, private: one.body.private }))
    };
  }
};
function recordOf({ content: content2, url, userEmail }, plan) {
  const { files: _, download, compatibility: __, ...words2 } = content2.manifest;
  const { policies, analyticConfigurations, dashboards } = plan;
  const downloadUrl = url ?? download;
  return { ...words2, downloadUrl, userEmail, policies, analyticConfigurations, dashboards };
}
function assetIds(id2, content2, former) {
  const now = [...content2.policies, ...content2.dashboards].map(({ file }) => assetUuid(id2, file));
  const before = [...former?.policies ?? [], ...former?.dashboards ?? []];
  return [...now, ...before.map((one) => one.id)];
}
function refuseTwice(deliveries) {
  const ids = deliveries.map(({ content: content2 }) => content2.manifest.packageId);
  const twice = ids.find((id2, i) => ids.indexOf(id2) !== i);
  if (twice !== void 0) throw invalid(`archives: expected a package once, got ${shown(twice)}`);
}
async function named2(name, read) {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    const problems = cause.problems.map((problem) => `${name}: ${problem}`);
    throw new ServiceError(cause.code, problems, { cause });
  }
}
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

// src/server-packages.ts
var pauses = {
  elapsedMs: () => performance.now(),
  sliceMs: 2,
  pause: () => new Promise((resolve2) => setImmediate(resolve2))
};
function openServerPackages(options2) {
  const { clock, documents, accounts, records, log } = options2;
  const { download } = options2;
  const world = { documents, clock, random: systemRandom };
  const packages = new Packages({
    world,
    records,
    tenantUuid: (tenant) => accounts.tenantUuid(tenant),
    judgeConfiguration: problemSteps,
    pauses,
    download
  });
  const bundled = new Bundled({
    world,
    packages,
    datasources: records.datasources,
    hasMetrics: metricFinder(options2),
    bundle: readBundle(bundledFolders().map(filesIn), problemSteps),
    onError: (err) => log.error({ err }, "installing a bundled package failed")
  });
  return { packages, bundled };
}
function metricFinder({ ask: ask2, clock }) {
  return async (tenant, prefix2) => {
    const items = [{ item: prefix2, contains: true, queryType: "PREFIX" }];
    const body2 = {
      metricFqns: { and: false, items },
      sourceFilter: { includes: ["fqn"] },
      pageSize: 1
    };
    const nowMs = clock.nowMs();
    const answer = await ask2({ kind: "metricQuery", tenant, nowMs, params: {}, body: body2 });
    const { page: page2 } = JSON.parse(new TextDecoder().decode(answer));
    return page2.content.length > 0;
  };
}
var searched = ["../data/packages/", "../../data/packages/"];
function bundledFolders() {
  const places = searched.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const place = places.find((path) => existsSync(path));
  if (place === void 0) throw invalid(`Expected the server's packages in ${places.join(" or ")}`);
  const entries = readdirSync(place, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return folders.sort().map((name) => join(place, name));
}
function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = /* @__PURE__ */ new Map();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    files.set(name, readFileSync(path));
  }
  return files;
}

// src/records/board-forms.ts
function newDashboard(caller, fields3) {
  return {
    userId: caller.userId,
    creatorEmail: caller.email,
    name: fields3.name,
    description: fields3.description ?? null,
    layout: fields3.layout ?? null,
    properties: fields3.properties ?? {},
    type: fields3.type ?? "DEFAULT",
    variant: fields3.variant ?? null,
    private: fields3.private ?? false
  };
}
function changedDashboard(former, fields3) {
  return {
    ...former,
    name: fields3.name ?? former.name,
    description: given(fields3.description, former.description),
    layout: given(fields3.layout, former.layout),
    properties: { ...former.properties, ...fields3.properties },
    type: given(fields3.type, former.type),
    variant: given(fields3.variant, former.variant),
    private: fields3.private ?? former.private
  };
}
function changedWidget(former, fields3) {
  return {
    ...former,
    name: given(fields3.name, former.name),
    description: given(fields3.description, former.description),
    widgetType: fields3.widgetType ?? former.widgetType,
    properties: { ...former.properties, ...fields3.properties }
  };
}
function newWidgets(caller, sent2, newId) {
  const newIds = /* @__PURE__ */ new Map();
  const made = sent2.map((fields3, position) => {
    const id2 = newId();
    if (fields3.id != null) {
      if (newIds.has(fields3.id)) throw sameIdTwice(fields3.id);
      newIds.set(fields3.id, id2);
    }
    return { id: id2, body: newWidget(caller, fields3, position) };
  });
  return { made, newIds };
}
function newWidget(caller, fields3, position) {
  return {
    userId: caller.userId,
    name: fields3.name ?? null,
    description: fields3.description ?? null,
    widgetType: fields3.widgetType,
    properties: fields3.properties ?? {},
    position
  };
}
function splitWidgets(there, sent2) {
  const byId = new Map(there.map((widget) => [widget.id, widget]));
  const changed = [];
  const others = [];
  sent2.forEach((fields3, i) => {
    const former = byId.get(fields3.id?.toLowerCase() ?? "");
    if (former !== void 0) {
      changed.push({ ...former, body: changedWidget(former.body, fields3) });
    } else if (fields3.widgetType != null) {
      others.push({ ...fields3, widgetType: fields3.widgetType });
    } else {
      throw invalid(`dashboard.widgets[${i}].widgetType: expected a text for a new widget`);
    }
  });
  const ids = changed.map(({ id: id2 }) => id2);
  const twice = ids.find((id2, i) => ids.indexOf(id2) !== i);
  if (twice !== void 0) throw sameIdTwice(twice);
  return { changed, others };
}
function sameIdTwice(id2) {
  return invalid(`dashboard.widgets: expected ids that differ, got ${shown(id2)} twice`);
}
function given(sent2, former) {
  return sent2 === void 0 ? former : sent2;
}

// src/records/widget-layout.ts
var layoutProperty = "gridstackContents";
function withNewIds(properties, newIds, others) {
  const layout = properties[layoutProperty];
  if (layout === void 0 || layout === null || layout.trim() === "") return properties;
  const entries = readEntries(layout);
  if (newIds.size === 0 && others === "kept") return properties;
  const placed = entries.map((entry) => withNewId(entry, newIds, others));
  return { ...properties, [layoutProperty]: JSON.stringify(placed) };
}
function withNewId(entry, newIds, others) {
  if (typeof entry !== "object" || entry === null || !("id" in entry)) return entry;
  const newId = newIds.get(String(entry.id));
  if (newId === void 0 && others === "kept") return entry;
  return { ...entry, id: newId ?? null };
}
function readEntries(layout) {
  try {
    const entries = JSON.parse(layout);
    if (Array.isArray(entries)) return entries;
  } catch {
  }
  throw invalid(`dashboard.properties.${layoutProperty}: expected a JSON array as a text`);
}

// src/records/widget-shelf.ts
var afterSlash = "0";
var WidgetShelf = class {
  widgets;
  places;
  constructor(world) {
    const options2 = { noun: "widget", ids: "uuid", countMax: Number.MAX_SAFE_INTEGER };
    this.widgets = new Collection({ kind: "widget", ...options2 }, world);
    this.places = new Collection({ kind: "widgetPlace", ...options2 }, world);
  }
  /** In the order in which they were made. */
  async of(tenant, dashboardId) {
    const range = { from: `${dashboardId}/`, to: `${dashboardId}${afterSlash}` };
    const found = await this.widgets.list(tenant, range);
    return found.map(fromKey).sort(byPosition);
  }
  /** Throws `missing` where there is none. */
  async get(tenant, id2) {
    const { body: body2 } = await this.places.get(tenant, id2);
    const found = await this.widgets.find(tenant, `${body2.dashboardId}/${id2}`);
    if (found === void 0) throw this.missing(id2);
    return fromKey(found);
  }
  missing(id2) {
    return this.places.missing(id2);
  }
  /** New widgets as they are once they are on a dashboard. */
  placed(made, dashboardId, nowMs) {
    const times = { createdMs: nowMs, updatedMs: nowMs };
    return made.map(({ id: id2, body: body2 }) => ({ id: id2, ...times, body: { ...body2, dashboardId } }));
  }
  adding(tenant, widget) {
    const place = { ...widget, body: { dashboardId: widget.body.dashboardId } };
    return [this.storing(tenant, widget), this.places.storing(tenant, place)];
  }
  storing(tenant, widget) {
    return this.widgets.storing(tenant, { ...widget, id: keyOf2(widget) });
  }
  removing(tenant, widget) {
    return [this.widgets.removing(tenant, keyOf2(widget)), this.places.removing(tenant, widget.id)];
  }
};
function keyOf2({ id: id2, body: body2 }) {
  return `${body2.dashboardId}/${id2}`;
}
function fromKey(widget) {
  return { ...widget, id: widget.id.slice(widget.body.dashboardId.length + 1) };
}
function byPosition(one, other) {
  return one.createdMs - other.createdMs || one.body.position - other.body.position;
}

// src/records/boards.ts
var dashboardsMax = 2e3;
var widgetsListedMax = 1e4;
var Boards = class {
  world;
  dashboards;
  shelf;
  /** By dashboard. */
  turns = new Turns();
  constructor(world) {
    this.world = world;
    this.dashboards = new Collection(
      { kind: "dashboard", noun: "dashboard", ids: "uuid", countMax: dashboardsMax },
      world
    );
    this.shelf = new WidgetShelf(world);
  }
  /** Those that the caller may see, oldest first, without their widgets. */
  async list(caller) {
    const all = await this.dashboards.list(caller.tenant);
    return all.filter((dashboard) => isVisible(dashboard, caller));
  }
  /** Throws `missing` for an id of none that the caller may see. */
  async get(caller, id2) {
    const dashboard = await this.dashboards.get(caller.tenant, id2);
    if (!isVisible(dashboard, caller)) throw this.dashboards.missing(id2);
    return { dashboard, widgets: await this.shelf.of(caller.tenant, id2) };
  }
  /** Ids that were sent are placeholders: everything gets its own, and the layout follows. */
  create(caller, fields3) {
    const { made, newIds } = this.newWidgets(caller, fields3.widgets ?? []);
    const dashboard = newDashboard(caller, fields3);
    const properties = withNewIds(dashboard.properties, newIds, "null");
    return this.store(caller.tenant, { ...dashboard, properties }, made);
  }
  /** A dashboard of the caller's with the same content; its type is not copied (field-facts §8). */
  async copy(caller, id2, name) {
    const { dashboard, widgets } = await this.get(caller, id2);
    const sent2 = widgets.map((widget) => ({ ...widget.body, id: widget.id }));
    const { made, newIds } = this.newWidgets(caller, sent2);
    const properties = withNewIds(dashboard.body.properties, newIds, "null");
    const { email: creatorEmail, userId } = caller;
    const own = { creatorEmail, userId, name, properties, type: null, variant: null };
    return this.store(caller.tenant, { ...dashboard.body, ...own }, made);
  }
  /**
   * Changes what was sent. Widgets among it that the dashboard has are changed, others are created;
   * none is removed, since the last of the three documented steps leaves out those there are.
   */
  change(caller, id2, fields3) {
    return this.turns.run(id2, async () => {
      const { tenant } = caller;
      const { dashboard, widgets } = await this.get(caller, id2);
      const { changed, others } = splitWidgets(widgets, fields3.widgets ?? []);
      checkWidgetCount(widgets.length + others.length);
      const { made, newIds } = this.newWidgets(caller, others);
      const body2 = changedDashboard(dashboard.body, fields3);
      const properties = withNewIds(body2.properties, newIds, "kept");
      const updatedMs = this.world.clock.nowMs();
      const stored = { ...dashboard, body: { ...body2, properties }, updatedMs };
      const added = this.shelf.placed(made, id2, updatedMs);
      await this.world.documents.putAll([
        this.dashboards.storing(tenant, stored),
        ...changed.map((widget) => this.shelf.storing(tenant, { ...widget, updatedMs })),
        ...added.flatMap((widget) => this.shelf.adding(tenant, widget))
      ]);
      return { dashboard: stored, widgets: await this.shelf.of(tenant, id2) };
    });
  }
  /** Removes a dashboard with its widgets. */
  remove(caller, id2) {
    return this.turns.run(id2, async () => {
      const { tenant } = caller;
      const { widgets } = await this.get(caller, id2);
      const removed = widgets.flatMap((widget) => this.shelf.removing(tenant, widget));
      await this.dashboards.remove(tenant, id2, () => removed);
    });
  }
  /** Of one dashboard, or of all that the caller may see. */
  async listWidgets(caller, dashboardId) {
    if (dashboardId !== void 0) return (await this.get(caller, dashboardId)).widgets;
    const found = [];
    for (const { id: id2 } of await this.list(caller)) {
      pushAll(found, await this.shelf.of(caller.tenant, id2));
      if (found.length > widgetsListedMax) {
        throw invalid(`dashboardId: expected one, since there are over ${widgetsListedMax} widgets`);
      }
    }
    return found;
  }
  /** Throws `missing` for an id of none on a dashboard that the caller may see. */
  async getWidget(caller, id2) {
    const widget = await this.shelf.get(caller.tenant, id2);
    const dashboard = await this.dashboards.find(caller.tenant, widget.body.dashboardId);
    if (dashboard === void 0 || !isVisible(dashboard, caller)) throw this.shelf.missing(id2);
    return widget;
  }
  /** A widget on a dashboard; it shows once the dashboard's layout names it. */
  createWidget(caller, dashboardId, fields3) {
    return this.turns.run(dashboardId, async () => {
      const { widgets } = await this.get(caller, dashboardId);
      checkWidgetCount(widgets.length + 1);
      const { made } = this.newWidgets(caller, [fields3]);
      const [widget] = this.shelf.placed(made, dashboardId, this.world.clock.nowMs());
      await this.world.documents.putAll(this.shelf.adding(caller.tenant, widget));
      return widget;
    });
  }
  async changeWidget(caller, id2, fields3) {
    const { dashboardId } = (await this.getWidget(caller, id2)).body;
    return this.turns.run(dashboardId, async () => {
      const former = await this.getWidget(caller, id2);
      const updatedMs = this.world.clock.nowMs();
      const widget = { ...former, body: changedWidget(former.body, fields3), updatedMs };
      await this.world.documents.putAll([this.shelf.storing(caller.tenant, widget)]);
      return widget;
    });
  }
  async removeWidget(caller, id2) {
    const { dashboardId } = (await this.getWidget(caller, id2)).body;
    await this.turns.run(dashboardId, async () => {
      const widget = await this.getWidget(caller, id2);
      await this.world.documents.putAll(this.shelf.removing(caller.tenant, widget));
    });
  }
  /** Which of these dashboards there are, private ones too. */
  async find(tenant, ids) {
    const found = await Promise.all(ids.map((id2) => this.dashboards.find(tenant, id2)));
    return found.filter((one) => one !== void 0);
  }
  /** Work of somebody else on several dashboards: no other change of one of them comes between. */
  inTurns(ids, work) {
    return this.turns.runAll(ids, work);
  }
  /**
   * Changes that put a dashboard with its widgets under an id that the caller chose, for a
   * transaction of somebody else. What stood there goes with its widgets, only `createdMs` stays.
   */
  async placing(caller, id2, fields3) {
    const { tenant } = caller;
    const former = await this.dashboards.find(tenant, id2);
    const { made, newIds } = this.newWidgets(caller, fields3.widgets ?? []);
    const body2 = newDashboard(caller, fields3);
    const properties = withNewIds(body2.properties, newIds, "null");
    const nowMs = this.world.clock.nowMs();
    const times = { createdMs: former?.createdMs ?? nowMs, updatedMs: nowMs };
    const widgets = this.shelf.placed(made, id2, nowMs);
    return [
      ...former === void 0 ? [] : await this.removing(tenant, id2),
      this.dashboards.storing(tenant, { id: id2, ...times, body: { ...body2, properties } }),
      ...widgets.flatMap((widget) => this.shelf.adding(tenant, widget))
    ];
  }
  /** Changes that remove a dashboard with its widgets, for a transaction of somebody else. */
  async removing(tenant, id2) {
    const widgets = await this.shelf.of(tenant, id2);
    const removed = widgets.flatMap((widget) => this.shelf.removing(tenant, widget));
    return [...removed, this.dashboards.removing(tenant, id2)];
  }
  /** Throws `invalid` where `more` dashboards do not fit beside those that there are. */
  countForMore(tenant, more) {
    return this.dashboards.countForMore(tenant, more);
  }
  /** A transaction of somebody else made so many more dashboards. */
  count(tenant, more) {
    this.dashboards.count(tenant, more);
  }
  newWidgets(caller, sent2) {
    return newWidgets(caller, sent2, () => this.world.random.uuid());
  }
  async store(tenant, body2, made) {
    let widgets = [];
    const dashboard = await this.dashboards.create(tenant, body2, ([stored]) => {
      widgets = this.shelf.placed(made, stored.id, stored.createdMs);
      return widgets.flatMap((widget) => this.shelf.adding(tenant, widget));
    });
    return { dashboard, widgets };
  }
};
function isVisible({ body: body2 }, caller) {
  return !body2.private || caller.isAdministrator || body2.creatorEmail === caller.email;
}
function checkWidgetCount(count) {
  if (count > widgetsPerDashboardMax) {
    throw invalid(`Expected at most ${widgetsPerDashboardMax} widgets on one dashboard`);
  }
}

// src/records/checks.ts
var Checks = class {
  world;
  constructor(world) {
    this.world = world;
  }
  /** Arms a check; resolves when that is synced. */
  async post(tenant, { name, elementFqn, ttlSeconds }) {
    const { clock, inbox, tenantUuid, onArmed } = this.world;
    const postedMs = clock.nowMs();
    const check4 = {
      id: checkUuid(tenantUuid(tenant), elementFqn, name),
      name,
      elementFqn,
      elementId: elementUuid(tenantUuid(tenant), elementFqn),
      ttlSeconds,
      postedMs,
      expiresMs: Math.ceil(postedMs + ttlSeconds * 1e3)
    };
    await inbox.put([{ kind: checkKind(tenant), id: checkKey(check4), document: check4 }]);
    onArmed?.(tenant, check4);
  }
  /** All of a tenant's, by element and name. */
  async list(tenant) {
    const found = await this.world.documents.list(checkKind(tenant));
    return found.map(({ document }) => document);
  }
};

// src/records/datasource-defaults.ts
var awsRegions = [
  "us-east-1",
  "us-east-2",
  "us-west-1",
  "us-west-2",
  "ca-central-1",
  "eu-central-1",
  "eu-north-1",
  "eu-west-1",
  "eu-west-2",
  "eu-west-3",
  "ap-east-1",
  "ap-northeast-1",
  "ap-northeast-2",
  "ap-northeast-3",
  "ap-south-1",
  "ap-southeast-1",
  "ap-southeast-2",
  "sa-east-1"
];
var defaultsByType = {
  AWS: {
    regions: awsRegions.join(","),
    collectionGranularity: "5",
    collectionOffset: "5",
    collectionPeriod: "5",
    threadPoolSize: "10"
  }
};
function withDefaults(type, sent2) {
  return { ...defaultsByType[type], ...sent2 };
}

// src/records/datasources.ts
var datasourcesMax = 1e3;
var Datasources = class {
  world;
  collection;
  keys;
  box;
  turns = new Turns();
  constructor({ world, keys, box }) {
    this.world = world;
    this.keys = keys;
    this.box = box;
    this.collection = new Collection(
      {
        kind: "datasource",
        noun: "datasource",
        ids: "number",
        numbersTaken: (tenant) => this.highestIntegration(tenant),
        countMax: datasourcesMax
      },
      world
    );
  }
  /** By id. */
  async list(tenant) {
    const stored = await this.collection.list(tenant);
    const known = new Set(stored.map(({ id: id2 }) => id2));
    const untouched = (await this.keys.integrations(tenant)).map(asDatasource).filter(({ id: id2 }) => !known.has(id2));
    return [...untouched, ...stored].sort((one, other) => Number(one.id) - Number(other.id));
  }
  /** The datasource of an id, undefined where there is none. */
  async find(tenant, id2) {
    const stored = await this.collection.find(tenant, id2);
    if (stored !== void 0) return stored;
    const integrations = await this.keys.integrations(tenant);
    return integrations.map(asDatasource).find((one) => one.id === id2);
  }
  /** Throws `missing` where there is none. */
  async get(tenant, id2) {
    const found = await this.find(tenant, id2);
    if (found === void 0) throw this.collection.missing(id2);
    return found;
  }
  /** All of them or none. */
  async create(tenant, sent2, field) {
    const bodies2 = sent2.map((fields3, i) => this.newDatasource(tenant, fields3, field(i)));
    const created = await this.collection.createAll(tenant, bodies2);
    const answers2 = [];
    for (const datasource of created) {
      answers2.push({ datasource, apiKey: await this.newKey(tenant, datasource) });
    }
    return answers2;
  }
  /** Changes what was sent; properties are merged. A disabled datasource's keys are refused. */
  change(tenant, id2, fields3) {
    return this.turns.run(`${tenant}/${id2}`, async () => {
      const former = await this.get(tenant, id2);
      const body2 = this.changed(tenant, former.body, fields3);
      const stored = { ...former, body: body2, updatedMs: this.world.clock.nowMs() };
      const storing = this.collection.storing(tenant, stored);
      const { enabled } = body2;
      if (enabled === former.body.enabled) await this.world.documents.putAll([storing]);
      else await this.keys.setDatasourceEnabled(tenant, Number(id2), enabled, [storing]);
      return stored;
    });
  }
  /** Removes it with its keys. Throws `forbidden` for one that came with the account. */
  remove(tenant, id2) {
    return this.turns.run(`${tenant}/${id2}`, async () => {
      const { body: body2 } = await this.get(tenant, id2);
      if (body2.isProvisioned) {
        throw new ServiceError("forbidden", "A datasource that came with the account stays with it");
      }
      const removing = this.collection.removing(tenant, id2);
      await this.keys.removeDatasource(tenant, Number(id2), [removing]);
      this.collection.count(tenant, -1);
    });
  }
  /** Names of the secrets that must be entered again, as they cannot be opened. */
  lostSecrets(tenant, { body: body2 }) {
    return lostSecrets(body2.properties, this.guardOf(tenant, "dataSource"));
  }
  newDatasource(tenant, fields3, field) {
    const type = typeOf(fields3.type);
    const properties = withDefaults(type, fields3.properties ?? {});
    return {
      name: fields3.name ?? type,
      type,
      properties: mergeProperties(noProperties, properties, this.guardOf(tenant, field)),
      enabled: fields3.enabled ?? true,
      hasKey: !cloudTypes.has(type),
      isProvisioned: false
    };
  }
  changed(tenant, former, fields3) {
    const type = fields3.type ?? former.type;
    if (typeOf(type) !== former.type) {
      throw invalid(`dataSource.type: expected ${former.type}, which it stays, got ${shown(type)}`);
    }
    const guard = this.guardOf(tenant, "dataSource");
    return {
      ...former,
      name: fields3.name ?? former.name,
      enabled: fields3.enabled ?? former.enabled,
      properties: mergeProperties(former.properties, fields3.properties ?? {}, guard)
    };
  }
  async newKey(tenant, { id: id2, body: body2 }) {
    if (!body2.hasKey) return null;
    const { key: key2 } = await this.keys.create(tenant, Number(id2));
    if (!body2.enabled) await this.keys.setDatasourceEnabled(tenant, Number(id2), false, []);
    return key2;
  }
  guardOf(tenant, field) {
    return { box: this.box, place: `datasource:${tenant}`, field: `${field}.properties` };
  }
  async highestIntegration(tenant) {
    const integrations = await this.keys.integrations(tenant);
    return Math.max(0, largestOf(integrations.map(({ id: id2 }) => id2)));
  }
};
var cloudTypes = /* @__PURE__ */ new Set(["AWS", "AWSCOST", "AZURE"]);
function typeOf(sent2) {
  const type = sent2.toUpperCase();
  return type === "AWS COST" ? "AWSCOST" : type;
}
function asDatasource({ id: id2, type, name, createdMs }) {
  const body2 = {
    name,
    type,
    properties: noProperties,
    enabled: true,
    hasKey: true,
    isProvisioned: true
  };
  return { id: String(id2), createdMs, updatedMs: createdMs, body: body2 };
}

// src/records/timed-records.ts
var pageRecordsMax = 1e3;
var TimedRecords = class {
  kind;
  documents;
  constructor(kind5, documents) {
    this.kind = kind5;
    this.documents = documents;
  }
  /** The record, or undefined; a foreign tenant's is as good as none. */
  async find(tenant, id2) {
    if (id2.length > idCharactersMax2 || id2.includes("\0")) return void 0;
    const time2 = await this.documents.get(this.timeKind(tenant), id2);
    if (time2 === void 0) return void 0;
    const { timeMs } = time2;
    const found = await this.documents.get(this.recordKind(tenant), keyOf3({ id: id2, timeMs }));
    return found;
  }
  /** All with a time in `span`, oldest first, page by page. */
  async *pages(tenant, span) {
    const to = timeText(span.endMs);
    let from = timeText(span.startMs);
    while (true) {
      const range = { from, to, limit: pageRecordsMax };
      const page2 = await this.documents.list(this.recordKind(tenant), range);
      if (page2.length > 0) yield page2.map(recordOf2);
      if (page2.length < pageRecordsMax) return;
      from = keyAfter(page2.at(-1).id);
    }
  }
  /** Changes that store a record, for a transaction of the caller. Its time may never change. */
  storing(tenant, record4) {
    const { id: id2, timeMs } = record4;
    return [
      { kind: this.recordKind(tenant), id: keyOf3(record4), document: record4 },
      { kind: this.timeKind(tenant), id: id2, document: { timeMs } }
    ];
  }
  /** Changes that remove a record, for a transaction of the caller. */
  removing(tenant, { id: id2, timeMs }) {
    return [
      { kind: this.recordKind(tenant), id: keyOf3({ id: id2, timeMs }), document: null },
      { kind: this.timeKind(tenant), id: id2, document: null }
    ];
  }
  /** Removes those of `span` that `isGone` picks, a page a transaction; answers how many. */
  async removeAll(tenant, span, isGone) {
    let removed = 0;
    for await (const page2 of this.pages(tenant, span)) {
      const gone = page2.filter(isGone);
      if (gone.length === 0) continue;
      await this.documents.putAll(gone.flatMap((record4) => this.removing(tenant, record4)));
      removed += gone.length;
    }
    return removed;
  }
  recordKind(tenant) {
    return timedKind(this.kind, tenant);
  }
  timeKind(tenant) {
    return timedKind(`${this.kind}Time`, tenant);
  }
};
var idCharactersMax2 = 128;
function keyOf3({ id: id2, timeMs }) {
  return `${timeText(timeMs)}:${id2}`;
}
function recordOf2({ document }) {
  return document;
}

// src/records/events.ts
var Events = class {
  stored = 0;
  discarded = 0;
  records;
  world;
  constructor(world) {
    this.world = world;
    this.records = new TimedRecords("event", world.documents);
  }
  /** The instants that external events may have now, both ends included. */
  period() {
    const { clock, accept } = this.world;
    const nowMs = clock.nowMs();
    return { nowMs, oldestMs: nowMs - accept.pastMs, newestMs: nowMs + accept.futureMs };
  }
  /**
   * Stores external events; resolves when they are synced. The same event sent again is the same
   * event. `source` is that of events which name none.
   */
  async accept(tenant, { received, events }, source) {
    const stored = events.map((posted) => this.external(tenant, { posted, source }));
    await this.store(tenant, stored);
    this.stored += stored.length;
    this.discarded += received - stored.length;
  }
  /** External events since the start: stored ones, and those that named no element. */
  get figures() {
    return { stored: this.stored, discarded: this.discarded };
  }
  /** Stores the text of a webhook as an event of an element; resolves when it is synced. */
  async acceptText(tenant, { text: text3, elementFqn, source }) {
    const nowMs = this.world.clock.nowMs();
    const event = {
      id: this.world.random.uuid(),
      timeMs: nowMs,
      processedMs: nowMs,
      elementFqn,
      elementId: elementUuid(this.world.tenantUuid(tenant), elementFqn),
      level: levelOf(null, webhookType),
      type: webhookType,
      title: titleOf(text3),
      source,
      data: { elementId: elementFqn, message: text3 },
      tags: [],
      isExternal: true,
      policy: null,
      element: null
    };
    await this.store(tenant, [event]);
    this.stored++;
  }
  /** Stores an event that a policy found; resolves when it is synced. */
  async add(tenant, event) {
    await this.world.inbox.put(this.records.storing(tenant, event));
  }
  /**
   * The events that pass a filter, oldest first. Throws `invalid` where they are more than one
   * answer holds.
   */
  async find(tenant, filter, factsOf2) {
    const facts = new RememberedFacts(factsOf2);
    const found = [];
    for await (const page2 of this.records.pages(tenant, filter.span)) {
      const passing = page2.filter((event) => passesEvent(event, filter));
      const known = await facts.of(passing);
      for (const one of known) if (passesElement(one.event, one.element, filter)) found.push(one);
      if (found.length > eventsPerAnswerMax) throw tooMany();
    }
    return found;
  }
  /** Throws `missing` where there is no such event. */
  async get(tenant, id2, factsOf2) {
    const event = await this.existing(tenant, id2);
    const [known] = await new RememberedFacts(factsOf2).of([event]);
    return known;
  }
  /** Removes one event; throws `missing` where there is none. */
  async remove(tenant, id2) {
    const event = await this.existing(tenant, id2);
    await this.world.documents.putAll(this.records.removing(tenant, event));
  }
  /** Removes all events of a policy. */
  async removeOfPolicy(tenant, policyId) {
    const everything = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };
    await this.records.removeAll(tenant, everything, ({ policy }) => policy?.id === policyId);
  }
  /** Events of the window by policy; policies without any are left out. */
  async countByPolicy(tenant, span) {
    const counts2 = /* @__PURE__ */ new Map();
    for await (const page2 of this.records.pages(tenant, span)) {
      for (const { policy } of page2) {
        if (policy !== null) counts2.set(policy.id, (counts2.get(policy.id) ?? 0) + 1);
      }
    }
    return counts2;
  }
  /** Removes what is older than `oldestMs`. */
  async forget(tenant, oldestMs) {
    await this.records.removeAll(tenant, { startMs: 0, endMs: oldestMs }, () => true);
  }
  /** External events and what policies find in them become durable in one transaction. */
  async store(tenant, events) {
    const { inbox, findings } = this.world;
    const changes = events.flatMap((event) => this.records.storing(tenant, event));
    if (findings === void 0) await inbox.put(changes);
    else await findings.ofEvents(tenant, events, (more) => inbox.put([...changes, ...more]));
  }
  async existing(tenant, id2) {
    const event = await this.records.find(tenant, id2);
    if (event === void 0) throw new ServiceError("missing", "Expected the id of an event");
    return event;
  }
  external(tenant, { posted, source }) {
    const tenantUuid = this.world.tenantUuid(tenant);
    return {
      id: uuidV3(tenantUuid, nameOf4(posted)),
      timeMs: posted.timeMs,
      processedMs: this.world.clock.nowMs(),
      elementFqn: posted.elementFqn,
      elementId: elementUuid(tenantUuid, posted.elementFqn),
      level: posted.level,
      type: posted.type,
      title: posted.title,
      source: posted.source ?? source,
      data: posted.data,
      tags: posted.tags,
      isExternal: true,
      policy: null,
      element: null
    };
  }
};
var webhookType = "WEBHOOK";
var titleCharactersMax = 120;
function titleOf(text3) {
  return text3.trim().split(/[\r\n]/, 1)[0].slice(0, titleCharactersMax);
}
function nameOf4({ timeMs, elementFqn, type, title, source, data, tags: tags2 }) {
  return ["event", JSON.stringify([timeMs, elementFqn, type, title, source, data, tags2])].join("\0");
}
function tooMany() {
  return invalid(
    `The answer would hold more than ${eventsPerAnswerMax} events: ask for a shorter window, or for fewer elements`
  );
}
var RememberedFacts = class {
  known = /* @__PURE__ */ new Map();
  factsOf;
  constructor(factsOf2) {
    this.factsOf = factsOf2;
  }
  async of(events) {
    const unasked = events.filter(({ element: element2, elementFqn }) => element2 === null && !this.known.has(elementFqn)).map(({ elementFqn }) => elementFqn);
    await this.ask([...new Set(unasked)]);
    return events.map((event) => {
      return { event, element: event.element ?? this.known.get(event.elementFqn) ?? null };
    });
  }
  async ask(elementFqns) {
    if (elementFqns.length === 0) return;
    const facts = await this.factsOf(elementFqns);
    for (const fqn of elementFqns) this.known.set(fqn, facts.get(fqn) ?? null);
  }
};

// src/model/incident.ts
function openIncidentKind(tenant) {
  return `openIncident:${tenant}`;
}
function openIncidentKey(open4) {
  const { incident, cause, subject } = open4;
  return [incident.elementFqn, incident.policyId, cause, subject].join("/");
}

// src/policy/incident-life.ts
var incidentEventsMax = 288;
var incidentMetricsMax = 100;
function fire(open4, fired) {
  return open4 === void 0 ? opened(fired) : continued(open4, fired);
}
function opened({ cause, subject, event, metrics: metrics2 }) {
  assert(event.policy !== null, "Expected an event of a policy");
  const incident = {
    // An event opens one incident at most, so a repeat opens the same.
    id: uuidV3(event.id, "incident"),
    timeMs: event.timeMs,
    lastFiredMs: event.timeMs,
    closedMs: null,
    policyId: event.policy.id,
    elementId: event.elementId,
    elementFqn: event.elementFqn,
    elementName: event.element?.name ?? event.elementFqn,
    eventIds: [event.id],
    violatingMetricFqns: metrics2.slice(0, incidentMetricsMax),
    acked: false
  };
  return { incident, cause, subject, touchedMs: event.processedMs, notifiedMs: {}, event };
}
function continued(open4, { event, metrics: metrics2 }) {
  const { incident } = open4;
  if (incident.eventIds.includes(event.id)) return open4;
  const named3 = /* @__PURE__ */ new Set([...incident.violatingMetricFqns, ...metrics2]);
  return {
    ...open4,
    touchedMs: Math.max(open4.touchedMs, event.processedMs),
    event,
    incident: {
      ...incident,
      lastFiredMs: Math.max(incident.lastFiredMs, event.timeMs),
      eventIds: [...incident.eventIds, event.id].slice(-incidentEventsMax),
      violatingMetricFqns: [...named3].slice(0, incidentMetricsMax)
    }
  };
}
function closed2({ incident }, closedMs) {
  assert(incident.closedMs === null, "Expected an incident that is open");
  return { ...incident, closedMs };
}

// src/policy/notices.ts
var neverMinutes = 2 ** 31 - 1;
var minuteMs = 6e4;
function tellFired(open4, policy, { tenant, nowMs, muted }) {
  if (muted) return { open: open4, notices: [] };
  const due = notificationsOf2(policy).filter((action) => isDue(open4, action, nowMs));
  if (due.length === 0) return { open: open4, notices: [] };
  const notifiedMs = { ...open4.notifiedMs };
  const notices = due.map(({ id: id2 }) => {
    notifiedMs[String(id2)] = nowMs;
    const name = [id2, "event", nowMs].join("\0");
    const noticeId = uuidV3(open4.event.id, name);
    const { event } = open4;
    return { id: noticeId, tenant, notificationId: id2, payloadType: "event", event, timeMs: nowMs };
  });
  return { open: { ...open4, notifiedMs }, notices };
}
function tellCleared({ event, notifiedMs }, { tenant, nowMs, muted }) {
  if (muted || event.policy === null) return [];
  return notificationsOf2(event.policy).filter(({ id: id2, sendOnClear }) => sendOnClear && notifiedMs[String(id2)] !== void 0).map(({ id: id2 }) => {
    const noticeId = uuidV3(event.id, [id2, "event_cleared"].join("\0"));
    const payloadType = "event_cleared";
    return { id: noticeId, tenant, notificationId: id2, payloadType, event, timeMs: nowMs };
  });
}
function notificationsOf2({ actions }) {
  const byId = /* @__PURE__ */ new Map();
  for (const action of actions) {
    if (action.type === "notification" && action.enabled && !byId.has(action.id)) {
      byId.set(action.id, action);
    }
  }
  return [...byId.values()];
}
function isDue(open4, action, nowMs) {
  const lastMs = open4.notifiedMs[String(action.id)];
  if (lastMs === void 0) return true;
  const { notifyFrequencyMin } = action;
  if (notifyFrequencyMin >= neverMinutes) return false;
  return nowMs - lastMs >= notifyFrequencyMin * minuteMs;
}

// src/policy/policy-event.ts
var levelWithoutAction = "WARNING";
function levelOfPolicy({ actions }) {
  const categories = actions.flatMap((one) => one.type === "event" ? [one.category] : []);
  if (categories.length === 0) return levelWithoutAction;
  return eventLevels[largestOf(categories) - 1];
}
function eventOf(finding, { tenantUuid, processedMs }) {
  const { policy, element: element2, timeMs, results } = finding;
  const { id: elementId, fqn: elementFqn, name, type, location, tags: tags2 } = element2;
  const { metrics: metrics2 } = results;
  const metricIds = metrics2.map((fqn) => ({ fqn, id: metricUuid(tenantUuid, elementFqn, fqn) }));
  return {
    id: eventIdOf(finding, tenantUuid),
    timeMs,
    processedMs,
    elementFqn,
    elementId,
    level: levelOfPolicy(policy),
    type: null,
    title: null,
    source: null,
    data: { metricIds, policyName: policy.name, metrics: metrics2, results: JSON.stringify(results) },
    tags: [],
    isExternal: false,
    policy,
    element: { name, type, location, tags: tags2 }
  };
}
function eventIdOf({ policy, element: element2, cause, window: window2 }, tenantUuid) {
  return uuidV3(tenantUuid, ["finding", policy.id, element2.fqn, cause, window2].join("\0"));
}

// src/records/open-incidents.ts
var OpenIncidents = class {
  documents;
  turns = new Turns();
  books = /* @__PURE__ */ new Map();
  constructor(documents) {
    this.documents = documents;
  }
  /**
   * Does `work` in the tenant's turn. It may change the book once the store has the same; where it
   * throws, the book is read anew the next time. Throws `overloaded` where too many wait.
   */
  inTurn(tenant, work) {
    return this.turns.run(String(tenant), async () => {
      const book = this.books.get(tenant) ?? await this.read(tenant);
      this.books.set(tenant, book);
      try {
        return await work(book);
      } catch (error) {
        this.books.delete(tenant);
        throw error;
      }
    });
  }
  async read(tenant) {
    const found = await this.documents.list(openIncidentKind(tenant));
    return new OpenBook(found.map(({ document }) => document));
  }
};
var OpenBook = class {
  byElement = /* @__PURE__ */ new Map();
  constructor(incidents) {
    for (const open4 of incidents) this.put(open4);
  }
  ofElement(fqn) {
    return [...this.byElement.get(fqn)?.values() ?? []];
  }
  *all() {
    for (const incidents of this.byElement.values()) yield* incidents.values();
  }
  put(open4) {
    const fqn = open4.incident.elementFqn;
    const known = this.byElement.get(fqn) ?? /* @__PURE__ */ new Map();
    this.byElement.set(fqn, known);
    known.set(openIncidentKey(open4), open4);
  }
  remove(open4) {
    const fqn = open4.incident.elementFqn;
    const known = this.byElement.get(fqn);
    known?.delete(openIncidentKey(open4));
    if (known?.size === 0) this.byElement.delete(fqn);
  }
};
function keeping(tenant, open4) {
  return { kind: openIncidentKind(tenant), id: openIncidentKey(open4), document: open4 };
}
function forgetting(tenant, open4) {
  return { kind: openIncidentKind(tenant), id: openIncidentKey(open4), document: null };
}

// src/records/finding-steps.ts
var FindingSteps = class {
  notices = [];
  moment;
  book;
  events;
  incidents;
  eventChanges = [];
  /** Keys of all that fired, a repeat too. */
  fired = /* @__PURE__ */ new Set();
  /** By key: the last state of what changed; null where it was closed. */
  steps = /* @__PURE__ */ new Map();
  constructor(moment2, { book, documents }) {
    this.moment = moment2;
    this.book = book;
    this.events = new TimedRecords("event", documents);
    this.incidents = new TimedRecords("incident", documents);
  }
  /** A policy found something; the same again changes nothing. */
  fire(finding, subject = "") {
    const { tenant, tenantUuid, nowMs } = this.moment;
    const { cause, policy, element: element2, results } = finding;
    const event = eventOf(finding, { tenantUuid, processedMs: nowMs });
    const named3 = { elementFqn: element2.fqn, policyId: policy.id };
    const key2 = openIncidentKey({ incident: named3, cause, subject });
    this.fired.add(key2);
    const known = this.current(key2, element2.fqn);
    const open4 = fire(known, { cause, subject, event, metrics: results.metrics });
    if (open4 === known) return;
    pushAll(this.eventChanges, this.events.storing(tenant, event));
    this.tell(open4);
  }
  /** Tells of an open incident again, where somebody's turn has come. */
  remind(open4) {
    const told2 = tellFired(open4, open4.event.policy, this.noticeMoment(open4));
    if (told2.notices.length === 0) return;
    pushAll(this.notices, told2.notices);
    this.steps.set(openIncidentKey(open4), { open: told2.open, closed: null });
  }
  /** It is over. */
  close(open4) {
    const { nowMs } = this.moment;
    pushAll(this.notices, tellCleared(open4, this.noticeMoment(open4)));
    this.steps.set(openIncidentKey(open4), { open: open4, closed: closed2(open4, nowMs) });
  }
  /** Whether it fired here, be it a repeat. */
  hasFired(open4) {
    return this.fired.has(openIncidentKey(open4));
  }
  /** Everything to be stored in one transaction, beside the notices. */
  changes() {
    const { tenant } = this.moment;
    const changes = [...this.steps.values()].flatMap(({ open: open4, closed: record4 }) => [
      ...this.incidents.storing(tenant, record4 ?? open4.incident),
      record4 === null ? keeping(tenant, open4) : forgetting(tenant, open4)
    ]);
    return [...this.eventChanges, ...changes];
  }
  /** Brings the book to what is now stored. */
  apply() {
    for (const { open: open4, closed: record4 } of this.steps.values()) {
      if (record4 === null) this.book.put(open4);
      else this.book.remove(open4);
    }
  }
  tell(open4) {
    const { policy } = open4.event;
    const told2 = tellFired(open4, policy, this.noticeMoment(open4));
    pushAll(this.notices, told2.notices);
    this.steps.set(openIncidentKey(open4), { open: told2.open, closed: null });
  }
  noticeMoment({ incident }) {
    const { tenant, nowMs, muted } = this.moment;
    return { tenant, nowMs, muted: muted.has(incident.policyId) };
  }
  current(key2, elementFqn) {
    const step = this.steps.get(key2);
    if (step !== void 0) return step.closed === null ? step.open : void 0;
    return this.book.ofElement(elementFqn).find((open4) => openIncidentKey(open4) === key2);
  }
};

// src/records/findings.ts
var eventAgeMsMax = 36e5;
var quietMsMin = 3e5;
var Findings = class {
  world;
  constructor(world) {
    this.world = world;
  }
  /**
   * Turns the violations of a part into events, incidents and notices, and closes the incidents of
   * its elements for which nothing was found. `commit` stores the changes together with the facts
   * of the part; false says that the part was stored before.
   */
  async closePart(tenant, part, commit) {
    const { nowMs, cycleStartMs, elementFqns, violations } = part;
    const set = await this.world.policies.inForce(tenant);
    await this.inTurn(tenant, { nowMs, commit }, async (steps2, book) => {
      for (const { policyId, element: element2, results } of violations) {
        const policy = set.byId(policyId)?.policy;
        if (policy === void 0) continue;
        const [cause, window2] = ["cycle", String(cycleStartMs)];
        steps2.fire({ policy, element: element2, cause, window: window2, timeMs: cycleStartMs, results });
      }
      for (const fqn of elementFqns) {
        for (const open4 of book.ofElement(fqn)) {
          if (open4.cause === "cycle" && !steps2.hasFired(open4)) steps2.close(open4);
        }
      }
    });
  }
  /**
   * Once a cycle: closes incidents of external events that did not come again within the policy's
   * duration, those of policies that are no longer in force and of elements in maintenance; and
   * tells of the others again where somebody's turn has come.
   */
  async sweep(tenant, nowMs) {
    const set = await this.world.policies.inForce(tenant);
    await this.inTurn(tenant, { nowMs }, async (steps2, book) => {
      const rest = [...book.all()].filter(({ cause }) => cause !== "cycle");
      const fqns = [...new Set(rest.map(({ incident }) => incident.elementFqn))];
      const known = await this.elements(tenant, fqns);
      for (const open4 of rest) {
        const { policyId, elementFqn } = open4.incident;
        const policy = set.byId(policyId)?.policy;
        const isQuiet = open4.cause === "event" && nowMs - open4.touchedMs >= quietMs(policy?.duration ?? 0);
        const paused = inMaintenance(known.get(elementFqn)?.serviceTags, nowMs);
        if (policy === void 0 || isQuiet || paused) steps2.close(open4);
        else steps2.remind(open4);
      }
    });
  }
  /** Stores external events by `commit`, with what policies find in them in the same transaction. */
  async ofEvents(tenant, events, commit) {
    const nowMs = this.world.clock.nowMs();
    const set = await this.world.policies.inForce(tenant);
    const met = events.filter(
      (event) => nowMs - event.timeMs <= eventAgeMsMax && set.meetsSome(event)
    );
    const watched = await this.watchedBy(tenant, { set, nowMs }, met);
    const findings = met.flatMap((event) => findingsOf(event, watched.get(event.elementFqn)));
    if (findings.length === 0) {
      await commit([]);
      return;
    }
    await this.inTurn(tenant, { nowMs, commit }, async (steps2) => {
      for (const finding of findings) {
        const isKnown = await this.isStored(tenant, finding.window);
        if (!isKnown) steps2.fire(finding);
      }
    });
  }
  /** Closes an incident as of now, and tells so; one that is closed stays as it is. */
  async close(tenant, id2) {
    await this.world.incidents.get(tenant, id2);
    const nowMs = this.world.clock.nowMs();
    await this.inTurn(tenant, { nowMs }, async (steps2, book) => {
      const open4 = [...book.all()].find(({ incident }) => incident.id === id2);
      if (open4 === void 0) await this.world.incidents.close(tenant, id2);
      else steps2.close(open4);
    });
  }
  /** Steps in the tenant's turn, stored in one transaction by `commit`, or by themselves. */
  async inTurn(tenant, { nowMs, commit }, work) {
    const { documents, open: open4, outbox, tenantUuid } = this.world;
    await open4.inTurn(tenant, async (book) => {
      const muted = new Set((await this.world.policies.mutes(tenant)).keys());
      const moment2 = { tenant, tenantUuid: tenantUuid(tenant), nowMs, muted };
      const steps2 = new FindingSteps(moment2, { book, documents });
      await work(steps2, book);
      const changes = [...steps2.changes(), ...outbox.changes(steps2.notices)];
      if (commit !== void 0) {
        if (await commit(changes) === false) return;
      } else if (changes.length > 0) await documents.putAll(changes);
      steps2.apply();
      if (steps2.notices.length > 0) outbox.wake();
    });
  }
  /** The elements of events or checks, and who watches them. */
  async watchedBy(tenant, { set, nowMs }, about) {
    const fqns = [...new Set(about.map(({ elementFqn }) => elementFqn))];
    const known = await this.elements(tenant, fqns);
    const uuid2 = this.world.tenantUuid(tenant);
    return new Map(
      fqns.map((fqn) => {
        const facts = known.get(fqn) ?? { ...unknown3, name: fqn };
        const { name, type, location, tags: tags2, attributes, serviceTags } = facts;
        const subject = { fqn, name, type, tags: tags2, attributes };
        const matchers = Array.from(set.watching(subject), (place) => set.matchers[place]);
        const element2 = { id: elementUuid(uuid2, fqn), fqn, name, type, location, tags: tags2 };
        return [fqn, { element: element2, matchers, inMaintenance: inMaintenance(serviceTags, nowMs) }];
      })
    );
  }
  async elements(tenant, fqns) {
    if (fqns.length === 0) return /* @__PURE__ */ new Map();
    return this.world.elements(tenant, fqns);
  }
  /** An external event that was stored before is a repeat. */
  async isStored(tenant, eventId2) {
    const time2 = await this.world.documents.get(timedKind("eventTime", tenant), eventId2);
    return time2 !== void 0 && time2 !== null;
  }
};
var unknown3 = {
  name: "",
  type: "unknown",
  location: null,
  tags: [],
  attributes: [],
  serviceTags: []
};
function findingsOf(event, watched) {
  if (watched === void 0 || watched.inMaintenance) return [];
  return watched.matchers.filter(({ events }) => events?.matches(event)).map(({ policy, events }) => ({
    policy,
    element: watched.element,
    cause: "event",
    window: event.id,
    timeMs: event.timeMs,
    results: events.results(event)
  }));
}
function quietMs(durationSeconds) {
  return Math.max(quietMsMin, durationSeconds * 1e3);
}

// src/records/incidents.ts
var Incidents = class {
  records;
  documents;
  clock;
  turns = new Turns();
  constructor({ documents, clock }) {
    this.records = new TimedRecords("incident", documents);
    this.documents = documents;
    this.clock = clock;
  }
  /** Creates or replaces an incident; its id and first time stay. Resolves when it is synced. */
  async store(tenant, incident) {
    await this.turns.run(
      `${tenant}/${incident.id}`,
      () => this.documents.putAll(this.records.storing(tenant, incident))
    );
  }
  /** Throws `missing` where there is none. */
  async get(tenant, id2) {
    const incident = await this.records.find(tenant, id2);
    if (incident === void 0) throw new ServiceError("missing", "Expected the id of an incident");
    return incident;
  }
  /** Those that pass a filter, oldest first. */
  async find(tenant, filter) {
    const span = { startMs: 0, endMs: filter.endMs ?? Number.MAX_SAFE_INTEGER };
    const end = filter.offset + filter.limit;
    const found = [];
    for await (const page2 of this.records.pages(tenant, span)) {
      for (const incident of page2) if (passes(incident, filter)) found.push(incident);
      if (found.length >= end) break;
    }
    return found.slice(filter.offset, end);
  }
  /** Closes an incident as of now; one that is closed stays as it is. */
  async close(tenant, id2) {
    await this.turns.run(`${tenant}/${id2}`, async () => {
      const incident = await this.get(tenant, id2);
      if (incident.closedMs !== null) return;
      const closed3 = { ...incident, closedMs: this.clock.nowMs() };
      await this.documents.putAll(this.records.storing(tenant, closed3));
    });
  }
  /** Removes closed ones that last fired before `oldestMs`. */
  async forget(tenant, oldestMs) {
    await this.records.removeAll(
      tenant,
      { startMs: 0, endMs: oldestMs },
      ({ closedMs, lastFiredMs }) => closedMs !== null && lastFiredMs < oldestMs
    );
  }
};
function passes(incident, filter) {
  const { startMs, policyId, element: element2, elementName, isClosed } = filter;
  return (startMs === null || incident.lastFiredMs >= startMs) && (policyId === null || incident.policyId === policyId) && (element2 === null || incident.elementId === element2 || incident.elementFqn === element2) && (elementName === null || includes(incident.elementName, elementName)) && (isClosed === null || isClosed === (incident.closedMs !== null));
}
function includes(text3, part) {
  return text3.toLowerCase().includes(part.toLowerCase());
}

// src/records/lapses.ts
var pauseMs3 = 1e3;
var checksPerStepMax = 1e3;
var maintenancePauseMs = 6e4;
var Lapses = class {
  world;
  books = /* @__PURE__ */ new Map();
  run = null;
  cancelPause = () => {
  };
  running = Promise.resolve();
  constructor(world) {
    this.world = world;
  }
  start(run2) {
    this.run = run2;
    this.pause();
  }
  /** Ends after the tenant that is being looked at now. */
  async stop() {
    this.run = null;
    this.cancelPause();
    await this.running;
  }
  /** A check was posted. Before the tenant's checks are read it is among what will be read. */
  armed(tenant, check4) {
    const book = this.books.get(tenant);
    const watch = book?.get(checkKey(check4));
    if (watch === void 0) book?.set(checkKey(check4), { check: check4, lapse: null, judged: null });
    else if (check4.postedMs >= watch.check.postedMs) watch.check = check4;
  }
  /** Looks once through the checks of a tenant. */
  async look(tenant) {
    const book = this.books.get(tenant) ?? await this.read(tenant);
    const nowMs = this.world.clock.nowMs();
    const set = await this.world.policies.inForce(tenant);
    const armed = [];
    const due = [];
    for (const watch of book.values()) {
      const { check: check4, lapse } = watch;
      if (lapse !== null && lapse.expiresMs !== check4.expiresMs) armed.push(watch);
      else if (check4.expiresMs <= nowMs && !isJudged(watch, { set, nowMs })) due.push(watch);
    }
    for (const some of steps(armed)) await this.close(tenant, some);
    for (const some of steps(due)) await this.judge(tenant, set, some);
  }
  async judge(tenant, set, watches) {
    const { findings, clock } = this.world;
    const nowMs = clock.nowMs();
    const checks = watches.map(({ check: check4 }) => check4);
    const names = new Set(set.matchers.map(({ policy }) => policy.checkCondition?.checkName));
    const meant = checks.filter(({ name }) => names.has(name));
    const watched = await findings.watchedBy(tenant, { set, nowMs }, meant);
    const fired = watches.flatMap((watch) => {
      const found = findingsOf2(watch, watched.get(watch.check.elementFqn));
      return found.length === 0 ? [] : [{ watch, found }];
    });
    for (const one of fired) await this.fire(tenant, one);
    watches.forEach((watch, at) => {
      const paused = watched.get(watch.check.elementFqn)?.inMaintenance === true;
      const { expiresMs } = checks[at];
      watch.judged = { expiresMs, set, untilMs: paused ? nowMs + maintenancePauseMs : Infinity };
    });
  }
  async fire(tenant, { watch, found }) {
    const { documents, findings, clock } = this.world;
    const { name, elementFqn } = watch.check;
    const expiresMs = found[0].timeMs;
    const told2 = watch.lapse?.policyIds ?? [];
    const lapse = {
      expiresMs,
      policyIds: [...told2, ...found.map(({ policy }) => policy.id)]
    };
    const change7 = lapseChange(tenant, { elementFqn, name }, lapse);
    const commit = (changes) => documents.putAll([...changes, change7]);
    await findings.inTurn(tenant, { nowMs: clock.nowMs(), commit }, async (steps2) => {
      for (const finding of found) steps2.fire(finding, name);
    });
    watch.lapse = lapse;
  }
  /** The checks were armed again: what their lapses led to is over. */
  async close(tenant, watches) {
    const { documents, findings, clock } = this.world;
    const gone = watches.map(({ check: check4 }) => lapseChange(tenant, check4, null));
    const commit = (changes) => documents.putAll([...changes, ...gone]);
    await findings.inTurn(tenant, { nowMs: clock.nowMs(), commit }, async (steps2, book) => {
      for (const { check: check4, lapse } of watches) {
        const keys = new Set(
          lapse.policyIds.map((policyId) => {
            const incident = { elementFqn: check4.elementFqn, policyId };
            return openIncidentKey({ incident, cause: "check", subject: check4.name });
          })
        );
        for (const open4 of book.ofElement(check4.elementFqn)) {
          if (keys.has(openIncidentKey(open4))) steps2.close(open4);
        }
      }
    });
    for (const watch of watches) watch.lapse = null;
  }
  async read(tenant) {
    const { documents } = this.world;
    const book = /* @__PURE__ */ new Map();
    this.books.set(tenant, book);
    try {
      const lapses = new Map(
        (await documents.list(lapseKind(tenant))).map((one) => [one.id, one.document])
      );
      for (const { id: id2, document } of await documents.list(checkKind(tenant))) {
        const known = book.get(id2);
        const lapse = lapses.get(id2) ?? null;
        if (known === void 0) book.set(id2, { check: document, lapse, judged: null });
        else known.lapse = lapse;
      }
    } catch (error) {
      this.books.delete(tenant);
      throw error;
    }
    return book;
  }
  pause() {
    const { run: run2 } = this;
    if (run2 === null) return;
    this.cancelPause = run2.delay(() => {
      this.running = this.lookAtAll(run2).finally(() => this.pause());
    }, pauseMs3);
  }
  async lookAtAll({ tenants, onError }) {
    for (const tenant of tenants()) {
      if (this.run === null) return;
      await this.look(tenant).catch(onError);
    }
  }
};
function isJudged({ check: check4, judged }, now) {
  return judged !== null && judged.expiresMs === check4.expiresMs && judged.set === now.set && now.nowMs < judged.untilMs;
}
function findingsOf2({ check: check4, lapse }, watched) {
  if (watched === void 0 || watched.inMaintenance) return [];
  const { name, ttlSeconds, expiresMs } = check4;
  return watched.matchers.filter(({ policy }) => policy.checkCondition?.checkName === name).filter(({ policy }) => lapse === null || !lapse.policyIds.includes(policy.id)).map(({ policy }) => {
    const expression = `The check ${name} was not posted within ${ttlSeconds} seconds.`;
    const conditions = [{ id: "0", violating: true, expression }];
    const results = { violating: true, conditions, metrics: [] };
    const window2 = `${check4.id}/${expiresMs}`;
    return {
      policy,
      element: watched.element,
      results,
      cause: "check",
      window: window2,
      timeMs: expiresMs
    };
  });
}
function lapseKind(tenant) {
  return `lapse:${tenant}`;
}
function lapseChange(tenant, check4, lapse) {
  return { kind: lapseKind(tenant), id: checkKey(check4), document: lapse };
}
function* steps(watches) {
  for (let from = 0; from < watches.length; from += checksPerStepMax) {
    yield watches.slice(from, from + checksPerStepMax);
  }
}

// src/records/notifications.ts
var notificationsMax = 5e3;
var neededByType = {
  email: ["address"],
  webhook: ["url"],
  slack: ["url"],
  teams: ["url"],
  pagerduty: ["serviceKey"]
};
var payloadTypes = ["default", "custom"];
var templates = ["subjectTemplate", "bodyTemplate", "postContentTemplate"];
var Notifications = class {
  collection;
  box;
  constructor({ world, box }) {
    this.box = box;
    this.collection = new Collection(
      {
        kind: "notification",
        noun: "notification",
        ids: "number",
        countMax: notificationsMax
      },
      world
    );
  }
  /** By id. */
  list(tenant) {
    return this.collection.list(tenant);
  }
  /** Throws `missing` where there is none. */
  get(tenant, id2) {
    return this.collection.get(tenant, id2);
  }
  async create(tenant, fields3) {
    return this.collection.create(tenant, {
      type: fields3.type,
      enabled: fields3.enabled ?? true,
      properties: this.merged(tenant, newOf(fields3), fields3)
    });
  }
  /**
   * Changes what was sent; properties are merged. Throws `invalid` if stored secrets would go to
   * another address, or into another type of request, than those that they were entered for.
   */
  change(tenant, id2, fields3) {
    return this.collection.change(tenant, id2, ({ body: body2 }) => {
      const type = fields3.type ?? body2.type;
      return {
        type,
        enabled: fields3.enabled ?? body2.enabled,
        properties: this.merged(tenant, { ...body2, type, from: body2.type }, fields3)
      };
    });
  }
  async remove(tenant, id2) {
    await this.collection.remove(tenant, id2);
  }
  /** Whom to tell; undefined where the notification is gone or disabled. */
  async recipient(tenant, id2) {
    const stored = await this.collection.find(tenant, String(id2));
    return stored?.body.enabled === true ? this.opened(tenant, stored) : void 0;
  }
  /** With its secrets, enabled or not; throws `missing` where there is none. */
  async open(tenant, id2) {
    return this.opened(tenant, await this.collection.get(tenant, id2));
  }
  /** One that is not stored, judged as if it were to be; throws `invalid`. */
  draft(tenant, fields3) {
    const properties = this.merged(tenant, newOf(fields3), fields3);
    return { type: fields3.type, properties: openProperties(properties, this.guardOf(tenant)) };
  }
  /** Names of the secrets that must be entered again, as they cannot be opened. */
  lostSecrets(tenant, { body: body2 }) {
    return lostSecrets(body2.properties, this.guardOf(tenant));
  }
  /** Switches one off, whatever became of it. */
  async disable(tenant, id2) {
    if (await this.collection.find(tenant, String(id2)) === void 0) return;
    await this.collection.change(tenant, String(id2), ({ body: body2 }) => ({ ...body2, enabled: false }));
  }
  opened(tenant, { body: body2 }) {
    return { type: body2.type, properties: openProperties(body2.properties, this.guardOf(tenant)) };
  }
  guardOf(tenant) {
    return { box: this.box, place: placeOf3(tenant), field: "notification.properties" };
  }
  merged(tenant, { type, from, properties }, sent2) {
    const guard = this.guardOf(tenant);
    const movedBy = type === from ? null : `the type changes from ${from} to ${type}`;
    const merged2 = mergeProperties(properties, sent2.properties ?? {}, guard, movedBy);
    check3(type, merged2, sent2.properties ?? {});
    return merged2;
  }
};
function newOf({ type }) {
  return { type, from: type, properties: noProperties };
}
function placeOf3(tenant) {
  return `notification:${tenant}`;
}
function check3(type, { clear, sealed }, sent2) {
  const problems = new Problems();
  for (const name of ["name", ...neededByType[type] ?? []]) {
    if ((clear[name] ?? sealed[name] ?? "").trim() !== "") continue;
    problems.add(`notification.properties.${name}: expected a text for the type ${type}`);
  }
  const { payloadType } = clear;
  if (payloadType !== void 0 && !payloadTypes.includes(payloadType)) {
    const accepted2 = payloadTypes.join(", ");
    problems.add(
      `notification.properties.payloadType: expected one of ${accepted2}, got ${shown(payloadType)}`
    );
  }
  const url = sent2["url"] ?? clear["url"] ?? "";
  if (url.trim() !== "" && url !== hiddenSecret && !isWebAddress(url)) {
    problems.add(`notification.properties.url: expected an http or https URL, got ${shown(url)}`);
  }
  for (const name of templates) checkTemplate(name, sent2[name] ?? clear[name], problems);
  problems.throwIfAny();
}
function checkTemplate(name, text3, problems) {
  try {
    parseTemplate(text3 ?? "");
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    problems.add(`notification.properties.${name}: ${error.message}`);
  }
}
function isWebAddress(text3) {
  return URL.canParse(text3) && /^https?:$/.test(new URL(text3).protocol);
}

// src/records/post-inbox.ts
var inboxBytesMaxDefault = 64 * 1024 * 1024;
var changesPerCommitMax = 2048;
var PostInbox = class {
  documents;
  bytesMax;
  bytes = 0;
  waiting = [];
  committing = false;
  constructor(documents, bytesMax = inboxBytesMaxDefault) {
    this.documents = documents;
    this.bytesMax = bytesMax;
  }
  /** Counts bytes that are in memory from now on; false, and nothing counted, where they do not fit. */
  hold(bytes) {
    if (this.bytes + bytes > this.bytesMax) return false;
    this.bytes += bytes;
    return true;
  }
  /** Gives back what `hold` counted. */
  release(bytes) {
    this.bytes -= bytes;
    assert(this.bytes >= 0, "Expected no more bytes released than held");
  }
  /** Resolves when all of the changes are synced; rejects where none is stored. */
  put(changes) {
    if (changes.length === 0) return Promise.resolve();
    return new Promise((resolve2, reject) => {
      this.waiting.push({ changes, resolve: resolve2, reject });
      if (!this.committing) void this.commitAll();
    });
  }
  async commitAll() {
    this.committing = true;
    while (this.waiting.length > 0) await this.commit(this.take());
    this.committing = false;
  }
  /** The longest run of posts, at least one, that fits a commit. */
  take() {
    let count = 0;
    let changes = 0;
    for (const post3 of this.waiting) {
      changes += post3.changes.length;
      if (count > 0 && changes > changesPerCommitMax) break;
      count++;
    }
    return this.waiting.splice(0, count);
  }
  async commit(posts) {
    try {
      await this.documents.putAll(posts.flatMap(({ changes }) => changes));
      for (const { resolve: resolve2 } of posts) resolve2();
    } catch (error) {
      for (const { reject } of posts) reject(error);
    }
  }
};

// src/records/secret-box.ts
import { createCipheriv, createDecipheriv, createHmac as createHmac2 } from "node:crypto";
var algorithm = "aes-256-gcm";
var form = "1.";
var secretKeyBytes = 32;
var nonceBytes = 12;
var tagBytes = 16;
var SecretBox = class {
  /** Tells this key from others, and nothing of it: 16 hexadecimal digits. */
  keyId;
  key;
  random;
  constructor(key2, random) {
    assert(key2.length === secretKeyBytes, `Expected a key of ${secretKeyBytes} bytes`);
    this.key = key2;
    this.keyId = createHmac2("sha256", key2).update("id of the key").digest("hex").slice(0, 16);
    this.random = random;
  }
  /** `place` says where the secret belongs; elsewhere it cannot be opened. */
  seal(secret, place) {
    const nonce = this.random.bytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.key, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return form + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  }
  /** Throws `storage` where the key is another, the bytes were changed or the place is not theirs. */
  open(text3, place) {
    try {
      assert(text3.startsWith(form), "Expected a sealed secret");
      const bytes = Buffer.from(text3.slice(form.length), "base64url");
      const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, nonceBytes)).setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const sealed = bytes.subarray(nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
    } catch (cause) {
      throw new ServiceError(
        "storage",
        "A stored secret cannot be opened: is the key file its own?",
        {
          cause
        }
      );
    }
  }
};

// src/records/records.ts
function openRecords(options2) {
  const { documents, clock, random, keys, secretKey, tenantUuid, acceptEvents } = options2;
  const world = { documents, clock, random };
  const box = new SecretBox(secretKey, random);
  const inbox = new PostInbox(documents);
  const policies = new Policies(world);
  const incidents = new Incidents(world);
  const open4 = new OpenIncidents(documents);
  const { elements: elements2, outbox } = options2;
  const findings = new Findings({
    documents,
    clock,
    policies,
    incidents,
    open: open4,
    elements: elements2,
    outbox,
    tenantUuid
  });
  const lapses = new Lapses({ documents, clock, policies, findings });
  const onArmed = lapses.armed.bind(lapses);
  const posts = { documents, inbox, clock, random, tenantUuid };
  return {
    boards: new Boards(world),
    datasources: new Datasources({ world, keys, box }),
    notifications: new Notifications({ world, box }),
    policies,
    events: new Events({ ...posts, accept: acceptEvents, findings }),
    incidents,
    checks: new Checks({ ...posts, onArmed }),
    findings,
    lapses,
    box,
    inbox
  };
}

// src/records/secret-key-watch.ts
var kind4 = "secretKey";
var id = "current";
async function watchSecretKey(options2) {
  const { documents, box, tenants, datasources, notifications } = options2;
  const known = await documents.get(kind4, id);
  if (known?.keyId === box.keyId) return null;
  const lost = { datasources: 0, notifications: 0 };
  for (const tenant of tenants()) {
    for (const one of await datasources.list(tenant)) {
      if (datasources.lostSecrets(tenant, one).length > 0) lost.datasources++;
    }
    for (const one of await notifications.list(tenant)) {
      if (notifications.lostSecrets(tenant, one).length > 0) lost.notifications++;
    }
  }
  if (lost.datasources + lost.notifications > 0) return lost;
  await documents.put(kind4, id, { version: 1, keyId: box.keyId });
  return null;
}

// src/secret-key.ts
import { open as open2, readFile, rename } from "node:fs/promises";
import { join as join2 } from "node:path";
var secretKeyFile = "secrets.key";
var keyBytes = 32;
async function openSecretKey(folder, random) {
  const path = join2(folder, secretKeyFile);
  try {
    return await readKey(path) ?? await makeKey(path, random);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError("storage", `Could not read or write the key file ${path}`, { cause });
  }
}
async function readKey(path) {
  const key2 = await readFile(path).catch((error) => {
    if (error.code === "ENOENT") return void 0;
    throw error;
  });
  if (key2 !== void 0 && key2.length !== keyBytes) {
    const found = `the key file ${path} has ${key2.length}`;
    throw new ServiceError("storage", `Expected a key of ${keyBytes} bytes, but ${found}`);
  }
  return key2;
}
async function makeKey(path, random) {
  const key2 = random.bytes(keyBytes);
  const file = await open2(`${path}.new`, "w", 384);
  try {
    await file.chmod(384);
    await file.writeFile(key2);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return key2;
}

// src/server-records.ts
async function openServerRecords(options2) {
  const { folder, clock, documents, accounts, acceptEvents, ask: ask2, outbox } = options2;
  const records = openRecords({
    documents,
    clock,
    random: systemRandom,
    secretKey: await openSecretKey(folder, systemRandom),
    keys: datasourceKeys(documents, accounts),
    tenantUuid: (tenant) => accounts.tenantUuid(tenant),
    acceptEvents,
    elements: watchedElements(ask2, clock),
    outbox
  });
  await warnOfLostSecrets(records, options2);
  return records;
}
async function warnOfLostSecrets(records, { documents, tenants, log }) {
  const lost = await watchSecretKey({ ...records, documents, tenants });
  if (lost === null) return;
  const what = `${secretKeyFile} is not the file under which stored secrets were sealed`;
  const ways = "bring the file back, or enter the secrets of these records again (`secretsToEnter`)";
  log.warn({ ...lost }, `${what}: ${ways}`);
}
var decoder2 = new TextDecoder();
function watchedElements(ask2, clock) {
  return async (tenant, elementFqns) => {
    const body2 = { elementFqns };
    const nowMs = clock.nowMs();
    const answer = await ask2({ kind: "elementFacts", tenant, nowMs, params: {}, body: body2 });
    return new Map(Object.entries(JSON.parse(decoder2.decode(answer))));
  };
}
function datasourceKeys(documents, { keys }) {
  return {
    async integrations(tenant) {
      const found = await documents.get(integrationKind, integrationId(tenant));
      if (found === void 0 || found === null) return [];
      const { type, name, createdMs } = found;
      return [{ id: customDatasourceId, type, name, createdMs }];
    },
    create: (tenant, id2) => keys.create(tenant, id2),
    setDatasourceEnabled: (tenant, id2, isEnabled, also) => keys.setDatasourceEnabled(tenant, id2, isEnabled, also),
    removeDatasource: (tenant, id2, also) => keys.removeDatasource(tenant, id2, also)
  };
}

// src/tidying.ts
var lookEveryMs = 1e3;
var quietCpuMs = 50;
var quietLooks = 10;
var Tidying = class {
  parts;
  lastCpuMs = 0;
  looks = 0;
  disturbances = 0;
  stopLooking = () => {
  };
  constructor(parts) {
    this.parts = parts;
  }
  start() {
    this.lastCpuMs = this.parts.cpuMs();
    this.stopLooking = this.parts.repeat(() => this.look(), lookEveryMs);
  }
  stop() {
    this.stopLooking();
    this.disturb();
  }
  /** Tells that somebody sends something, or asks. */
  disturb() {
    this.looks = 0;
    this.disturbances++;
  }
  look() {
    const cpuMs = this.parts.cpuMs();
    const isQuiet = cpuMs - this.lastCpuMs < quietCpuMs;
    this.lastCpuMs = cpuMs;
    this.looks = isQuiet ? this.looks + 1 : 0;
    if (this.looks === quietLooks) void this.tidy();
  }
  /** Until somebody disturbs; what is left of it waits for the next quiet. */
  async tidy() {
    const { disturbances } = this;
    for (const collect2 of this.parts.threads) {
      if (this.disturbances !== disturbances) return;
      await collect2().catch(() => void 0);
    }
  }
};

// src/serve.ts
var downloadLimits = { bytesMax: archiveBytesMax, timeoutMs: 1e4 };
var helperNurseryMb = 16;
var drainMs = 1e4;
async function serve(options2) {
  const opened2 = new Opened();
  try {
    return await open3(options2, opened2);
  } catch (error) {
    await opened2.close();
    throw error;
  }
}
async function open3(options2, opened2) {
  const { config, log } = options2;
  const clock = clockOf(config);
  const bound = await bindPort(config, clock);
  opened2.add(() => bound.close());
  await options2.checkStore();
  const hold = await holdStore(config.dataPath);
  opened2.add(() => hold.release());
  for (const warning of closeToOthers(config.dataPath)) log.warn({}, warning);
  const { shardPool, shard } = openShard(options2);
  opened2.add(() => shard.close());
  const directory = new TenantDirectory();
  const documents = documentsOf(shard);
  const { accounts, firstStart } = await openAccounts({
    documents,
    random: systemRandom,
    clock,
    wanted: config,
    cost: options2.passwordCost ?? defaultCost,
    rates: {
      payloadsPerMinute: config.keyPayloadsPerMinute,
      samplesPerMinute: config.keySamplesPerMinute
    },
    onTenant: ({ uuid: uuid2, document }) => directory.set(document.index, uuid2)
  });
  if (firstStart !== void 0) {
    opened2.add(async () => options2.onSecretsOfFailedStart(firstStart));
  }
  hold.serve((args) => runAccountCommand(args, { accounts, random: systemRandom }));
  const { queryPool, helperPool } = openQueryPools(config, directory);
  const pools = { queryPool, helperPool };
  opened2.add(() => closePools(pools));
  const tenants = () => accounts.tenants.list().map(({ document }) => document.index);
  const tidying = makeTidying(shardPool, queryPool, helperPool);
  const ground = { config, log, clock, shard, ...pools, documents, accounts, tenants, tidying };
  const rooms = await join3(ground);
  await rooms.server.listen(bound);
  return run({ ground, rooms, hold, firstStart, url: urlOf(bound) });
}
function run(parts) {
  const { ground, rooms, hold, firstStart, url } = parts;
  const { clock, config, shard, queryPool, helperPool } = ground;
  letTrialRun(clock, rooms.ticker, config);
  const readingAhead = makeReadingAhead(config, rooms.intake);
  void readingAhead.start();
  void rooms.rehearsing.start();
  return {
    url,
    firstStart,
    stop: () => {
      readingAhead.stop();
      return stop({ ...rooms, shard, queryPool, helperPool, hold });
    }
  };
}
function urlOf({ address: { address, port } }) {
  const host = address.includes(":") ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
function openShard({ config, logFormat }) {
  const shardPool = createThreadPool({
    filename: workerFile("shard-worker"),
    threads: 1,
    tasksPerThread: 3,
    workerData: shardData(config, logFormat),
    repeat
  });
  return { shardPool, shard: new ShardClient(shardPool) };
}
function openQueryPools({ workerCount, helperCount, dataPath }, directory) {
  const open4 = (threads, helps) => {
    const workerData = {
      folder: dataPath,
      tenants: directory.memory,
      helps,
      partMs: helperCount === 0 ? Infinity : partMs
    };
    const filename = workerFile("query-worker");
    const rest = { tasksPerThread: 1, workerData, repeat };
    const own = helps ? { isLazy: true, nurseryMb: helperNurseryMb } : {};
    return createThreadPool({ filename, threads, ...own, ...rest });
  };
  return {
    queryPool: open4(workerCount, false),
    helperPool: helperCount === 0 ? null : open4(helperCount, true)
  };
}
function clockOf({ clock }) {
  if (clock === null) return systemClock;
  const simulated = new SimulatedClock(clock, () => performance.now());
  simulated.keepWithin(() => clock.startMs);
  return simulated;
}
async function join3(ground) {
  const { config, log, clock, shard, documents, accounts, tidying } = ground;
  const rehearsing = makeRehearsing(ground, () => intake.queueBytes > 0);
  const asking3 = new Asking({ ...ground, isIngesting: () => intake.queueBytes > 0 });
  const ask2 = (request) => {
    tidying.disturb();
    return rehearsing.beside(() => asking3.ask(request));
  };
  const records = await openServerRecords({
    folder: config.dataPath,
    clock,
    documents,
    accounts,
    acceptEvents: { pastMs: config.acceptPastMs, futureMs: config.acceptFutureMs },
    ask: ask2,
    outbox: { changes: outboxChanges, wake: () => postman.wake() },
    tenants: ground.tenants,
    log: ground.log
  });
  const { outbound, courier, postman } = openServerNotify({ ...ground, records, delay });
  const { packages, bundled } = openServerPackages({
    clock,
    documents,
    accounts,
    records,
    log,
    ask: ask2,
    download: (url) => fetchPublic(url, { outbound, ...downloadLimits })
  });
  const metrics2 = makeMetrics(ground, () => ({ intake, records, postman, ticker, health }));
  const caretaker = makeCaretaker(ground, metrics2, () => ticker.closedUpToMs);
  const ticker = makeTicker({
    ...ground,
    records,
    caretaker,
    ...closingTimes(config),
    onClosed: (figures) => metrics2.onCycle(figures)
  });
  const intake = makeIntake(ground, metrics2, caretaker);
  const health = makeHealth(ground, ticker);
  const server = createHttp({
    intake,
    accounts,
    metrics: metrics2,
    log,
    clock,
    records,
    courier,
    packages,
    ask: ask2,
    onAccepted: (grant, kind5) => bundled.noticed(grant, kind5),
    random: systemRandom,
    amend: (amendment) => shard.amend(amendment),
    health: () => health.reasons(),
    version,
    baseUrl: config.baseUrl,
    metricsAccess: config.metricsAccess,
    limits: { bodyBytesMax: config.bodyBytesMax }
  });
  const workers = await start(ground, { records, bundled, ticker, caretaker, postman });
  health.start();
  return { server, intake, ticker, rehearsing, health, workers: [rehearsing, ...workers, health] };
}
function makeIntake({ config, clock, shard, tidying }, metrics2, caretaker) {
  return new Intake({
    run: (task) => {
      tidying.disturb();
      return shard.ingest(task).finally(() => caretaker.ingested());
    },
    schedule: setImmediate,
    clock,
    limits: { queueBytesMax: config.queueBytesMax },
    delay,
    onBatch: (figures) => metrics2.onBatch(figures)
  });
}
async function start({ clock, shard, tenants, log, tidying }, parts) {
  const { records, bundled, ticker, caretaker, postman } = parts;
  const { lapses } = records;
  const retention = new Retention({
    records,
    tenants,
    clock,
    delay,
    onError: (err) => log.error({ err }, "removing old events failed")
  });
  await ticker.start();
  caretaker.start();
  retention.start();
  lapses.start({
    tenants,
    delay,
    onError: (err) => log.error({ err }, "looking for lapsed checks failed")
  });
  postman.start();
  const garbage = { stop: watchGarbage(async () => (await shard.figures()).seriesCount) };
  tidying.start();
  const installing = { stop: () => bundled.settled() };
  return [installing, ticker, caretaker, retention, lapses, postman, garbage, tidying];
}
function letTrialRun(clock, ticker, { cycleGraceMs }) {
  if (!(clock instanceof SimulatedClock)) return;
  clock.keepWithin(() => ticker.closedUpToMs + cycleGraceMs + 2 * cycleMs - 1);
}
function makeReadingAhead({ dataPath }, intake) {
  const pieces2 = (bytesMax) => readAheadStore(dataPath, bytesMax);
  return new ReadingAhead({ pieces: pieces2, isIngesting: () => intake.queueBytes > 0, delay });
}
function makeRehearsing({ clock, queryPool, helperPool }, isIngesting) {
  const nowMs = () => clock.nowMs();
  return new Rehearsing({ queryPool, helperPool, nowMs, isIngesting, delay });
}
function makeTidying(...pools) {
  const task = { kind: "tidy" };
  return new Tidying({
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e3;
    },
    threads: [...pools.map((pool) => async () => pool?.runOnAll(task)), collectWhatGrew],
    repeat
  });
}
function makeCaretaker({ shard, clock, log }, metrics2, closedUpToMs) {
  return new Caretaker({
    run: (moment2) => shard.maintain(moment2),
    nowMs: () => clock.nowMs(),
    elapsedMs: () => performance.now(),
    closedUpToMs,
    delay,
    onStep: (_, durationMs) => metrics2.onMaintenance(durationMs),
    onError: (err) => {
      metrics2.onMaintenanceFailure();
      log.error({ err }, "background work failed");
    }
  });
}
function closingTimes({ clock }) {
  const speed = clock?.speed ?? 1;
  return {
    delay: (callback, ms) => delay(callback, Math.ceil(ms / speed)),
    rest: (ms) => wait(ms)
  };
}
async function stop(parts) {
  const { server, intake, workers, shard, queryPool, helperPool, hold, health } = parts;
  health.noteStopping();
  const closed3 = server.close(drainMs);
  await Promise.race([closed3, wait(drainMs)]);
  intake.stop();
  await intake.drain();
  for (const worker of workers) await worker.stop();
  await closed3;
  await closePools({ queryPool, helperPool });
  await shard.close();
  await hold.release();
}
async function closePools({
  queryPool,
  helperPool
}) {
  await queryPool.close();
  await helperPool?.close();
}
function workerFile(name) {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  return new URL(`./${name}${extension}`, import.meta.url).href;
}
function shardData(config, logFormat) {
  const { retentionMs, cycleGraceMs, acceptPastMs, acceptFutureMs, logLevel } = config;
  const times = { retentionMs, cycleGraceMs, acceptPastMs, acceptFutureMs };
  const { dataPath: folder, diskFloorBytes } = config;
  const { seriesMax, newSeriesPerMinuteMax, textBytesMax } = config;
  const cardinality = { seriesMax, newSeriesPerMinuteMax, textBytesMax };
  return { folder, ...times, diskFloorBytes, cardinality, logLevel, logFormat };
}

// src/start-check.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
var problemsMax = 10;
async function checkBeforeStart(folder, program) {
  if (!mustBeProbed(folder)) return;
  const problems = await probeInChild(folder, program);
  if (problems.length === 0) return;
  const told2 = problems.slice(0, problemsMax).map((problem) => `  ${problem}`);
  if (problems.length > problemsMax) told2.push(`  \u2026 and ${problems.length - problemsMax} more`);
  throw new ServiceError(
    "storage",
    [
      `The store is damaged: "${folder}/data.mdb". Nothing was changed.`,
      ...told2,
      `Ways out: \`tidegauge repair --data ${folder}\` sets aside what cannot be read and rebuilds`,
      `the rest; \`tidegauge restore BACKUP --data ${folder}\` goes back to a backup.`
    ].join("\n")
  );
}
async function probeInChild(folder, program) {
  const [command, ...flags2] = program;
  const child = spawn(command, [...flags2, "probe", "--data", folder], {
    stdio: ["ignore", "pipe", "inherit"]
  });
  let text3 = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => text3 += piece);
  const [status, signal] = await once(child, "close");
  const problems = text3.split("\n").filter((line) => line !== "");
  if (status !== 0 && problems.length === 0) problems.push(`the probe ended by ${signal ?? status}`);
  return problems;
}

// src/run-server.ts
async function runServer(config, world) {
  lowerHelpers();
  inlineLess();
  const isTerminal = process.stderr.isTTY === true;
  const format = config.logFormat === "auto" ? isTerminal ? "text" : "json" : config.logFormat;
  const log = createPinoLogger({ level: config.logLevel, format });
  log.info({ version, node: process.version }, "starting");
  for (const note of config.notes) log.warn({}, note);
  const starting = serve({
    config,
    log,
    logFormat: format,
    passwordCost: world.passwordCost,
    checkStore: () => checkBeforeStart(config.dataPath, world.program),
    onSecretsOfFailedStart: (secrets) => world.print(firstSecretsText(secrets))
  });
  stopOnSignals(world.fail, async () => {
    const server2 = await starting;
    log.info({}, "stopping");
    await server2.stop();
    log.info({}, "stopped");
  });
  const server = await starting;
  log.info({ url: server.url, docs: `${server.url}/docs`, store: config.dataPath }, "listening");
  if (server.firstStart !== void 0) {
    world.print(firstStartText(server.url, server.firstStart));
  }
}
function stopOnSignals(fail, stop2) {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      stop2().then(
        () => process.exit(0),
        (error) => fail(error)
      );
    });
  }
}
export {
  runServer
};
//# sourceMappingURL=run-server-JUKBFP24.js.map
