/**
 * The server, composed: settings in, rooms built and joined, a way to stop out.
 *
 *   front ─► intake ─► shard (one thread) ─► store        Hono ─► query threads ─► store
 *                        ▲ caretaker                                 │ open samples
 *                        └───────────────────────────────────────────┘
 */

import { availableParallelism } from "node:os"
import { setTimeout as wait } from "node:timers/promises"
import { QueryDispatcher, type ReaderPools } from "./query-dispatcher.ts"
import { openAccounts, type Accounts } from "../accounts/accounts.ts"
import { defaultCost, type ScryptCost } from "../accounts/password.ts"
import { TenantDirectory } from "../accounts/tenant-directory.ts"
import { AnswerMemory, createAnswerMemory } from "../base/answer-memory.ts"
import { systemClock, type Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import { SimulatedClock } from "../base/simulated-clock.ts"
import { createCycleScheduler, type CycleClosingDeps } from "./cycle-closing.ts"
import { runAccountCommand } from "../command/account/account.ts"
import type { Config } from "../config/config.ts"
import { acquireStoreLock, type StoreLock } from "../control/control-socket.ts"
import type { CycleScheduler } from "../cycle/cycle-scheduler.ts"
import { MaintenanceScheduler } from "../engine/maintenance-scheduler.ts"
import type { Health } from "../engine/health.ts"
import { IngestQueue } from "../engine/ingest-queue.ts"
import { createThreadPool, type ThreadPool } from "../engine/worker-pool.ts"
import { documentStoreOf, ShardClient } from "../engine/shard-client.ts"
import { collectIfGrown, type GcTask, tuneHeapGrowth } from "../runtime/gc.ts"
import { bindPort, createHttp, Metrics } from "../http/http.ts"
import type { BoundPort, HttpServer } from "../http/http.ts"
import type { DocumentStore } from "../model/document.ts"
import { cycleMs } from "../model/resolution.ts"
import { archiveBytesMax } from "../packages/limits.ts"
import { outboxChanges } from "../notify/outbox.ts"
import type { DeliveryWorker } from "../notify/delivery-worker.ts"
import { CleanupStack } from "./cleanup-stack.ts"
import type { BundledPackages } from "../packages/bundled.ts"
import { exposureWarning } from "./exposure.ts"
import type { FirstSecrets } from "./first-secrets.ts"
import { fetchPublic } from "../outbound/outbound.ts"
import { Admission, type QueryClient, type QueryRequest } from "../query/query.ts"
import type { QueryTask } from "../worker/query-worker.ts"
import { closeReaderPools, openReaderPools, poolsOf } from "./reader-pools.ts"
import type { Records } from "../records/records.ts"
import { PageCachePrefetch } from "./page-cache-prefetch.ts"
import { WarmUp } from "./warm-up.ts"
import type { Audit } from "../records/core/audit.ts"
import { RecordRetention } from "../records/record-retention.ts"
import { openServerAudit } from "./audit.ts"
import { createHealth, createMetrics } from "./self-monitoring.ts"
import { openServerNotify } from "./notify.ts"
import { openServerPackages } from "./packages.ts"
import { openServerRecords } from "./records.ts"
import { openServerSignIn, type ServerSignIn } from "./sign-in.ts"
import type { ShardWorkerData } from "../worker/shard-worker.ts"
import { closeToOthers, prefetchStore } from "../store/open.ts"
import { IdleGarbageCollector } from "../runtime/idle-gc.ts"
import { delay, repeat } from "../runtime/timers.ts"
import { version } from "../runtime/version.ts"
import { workerFile } from "../worker/worker-file.ts"

/** Of an archive that is fetched (spec/packages §4). */
const downloadLimits = { bytesMax: archiveBytesMax, timeoutMs: 10_000 }
const auditLost = "the last of the security log was not stored"
/** How long a stop waits for requests in flight. */
const drainMs = 10_000

export interface RunningServer {
  /** Where it listens. */
  readonly url: string
  /** Answers what is in flight, refuses the rest, closes the store. */
  stop(): Promise<void>
}

export interface ServeOptions {
  readonly config: Config
  readonly log: Logger
  readonly logFormat: "text" | "json"
  /** Of new passwords; the default of accounts if absent. */
  readonly passwordCost?: ScryptCost | undefined
  /** Looks through a store that was not left in order; throws a ServiceError if it is damaged. */
  readonly checkStore: () => Promise<void>
  /** Shows what the first start makes. */
  readonly firstSecrets: FirstSecrets
}

/**
 * Starts everything, the port first. Throws a ServiceError if the port cannot be listened on or the
 * store cannot be opened; what was opened by then is closed, threads and store in order.
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const opened = new CleanupStack()
  try {
    return await open(options, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function open(options: ServeOptions, opened: CleanupStack): Promise<RunningServer> {
  const { config, log, firstSecrets } = options
  const clock = clockOf(config)
  const bound = await bindPort(config, clock)
  opened.add(() => bound.close())
  const exposure = exposureWarning(bound.address.address, config.baseUrl)
  if (exposure !== null) log.warn({}, exposure)
  await options.checkStore()
  const hold = await acquireStoreLock(config.dataPath)
  opened.add(() => hold.release())
  for (const warning of closeToOthers(config.dataPath)) log.warn({}, warning)
  const { shardPool, shard } = openShard(options)
  opened.add(() => shard.close())
  const directory = new TenantDirectory()
  const documents = documentStoreOf(shard)
  const { audit, onSignIn, onCommand } = openServerAudit({ documents, clock, log })
  opened.add(() => audit.stop())
  const passwords = openServerSignIn(availableParallelism(), onSignIn)
  opened.add(() => passwords.close())
  opened.add(async () => firstSecrets.failed())
  const { accounts, firstStart } = await openAccounts({
    documents,
    beforeFirst: () => firstSecrets.prepare(),
    random: systemRandom,
    clock,
    presets: config,
    cost: options.passwordCost ?? defaultCost,
    signIn: passwords.world,
    rates: {
      payloadsPerMinute: config.keyPayloadsPerMinute,
      samplesPerMinute: config.keySamplesPerMinute,
    },
    onTenant: ({ uuid, document }) => directory.set(document.index, uuid),
  })
  if (firstStart !== undefined) firstSecrets.created(firstStart)
  hold.serve((args) => runAccountCommand(args, { accounts, random: systemRandom, onCommand }))
  const filename = workerFile("query-worker")
  const answers = createAnswerMemory(config.answerBytesMax)
  const pools = openReaderPools({ config, directory, answers, filename, repeat })
  opened.add(() => closeReaderPools(pools))
  const tenants = (): number[] => accounts.tenants.list().map(({ document }) => document.index)
  const tidying = makeTidying([shardPool, ...poolsOf(pools)])
  const memory = new AnswerMemory(answers)
  const fixed = { config, log, clock, shard, memory, passwords, documents, accounts, audit }
  const ground = { ...fixed, ...pools, tenants, tidying }
  const rooms = await join(ground)
  await rooms.server.listen(bound)
  return run({ ground, rooms, hold, url: urlOf(bound) })
}

/** What begins once the server listens. */
function run(parts: {
  readonly ground: Ground
  readonly rooms: Rooms
  readonly hold: StoreLock
  readonly url: string
}): RunningServer {
  const { ground, rooms, hold, url } = parts
  const { clock, config } = ground
  letTrialRun(clock, rooms.ticker, config)
  const readingAhead = makeReadingAhead(config, rooms.intake)
  void readingAhead.start()
  void rooms.rehearsing.start()
  return {
    url,
    stop: () => {
      readingAhead.stop()
      return stop(ground, rooms, hold)
    },
  }
}

function urlOf({ address: { address, port } }: BoundPort): string {
  const host = address.includes(":") ? `[${address}]` : address
  return `http://${host}:${port}`
}

function openShard({ config, logFormat }: ServeOptions) {
  const shardPool = createThreadPool({
    filename: workerFile("shard-worker"),
    threads: 1,
    tasksPerThread: 3,
    workerData: shardData(config, logFormat),
    repeat,
  })
  return { shardPool, shard: new ShardClient(shardPool) }
}

function clockOf({ clock }: Config): Clock {
  if (clock === null) return systemClock
  const simulated = new SimulatedClock(clock, () => performance.now())
  // No time passes while the server starts: a fast clock would be days on.
  simulated.limitTo(() => clock.startMs)
  return simulated
}

/** What every room stands on. */
interface Ground extends ReaderPools {
  readonly memory: AnswerMemory
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly shard: ShardClient
  readonly passwords: ServerSignIn
  readonly documents: DocumentStore
  readonly accounts: Accounts
  readonly audit: Audit
  /** Indexes of all tenants, as of now. */
  readonly tenants: () => number[]
  readonly tidying: IdleGarbageCollector
}

type HttpParts = Parameters<typeof createHttp>[0]

interface Rooms {
  readonly server: HttpServer
  readonly intake: IngestQueue
  readonly ticker: CycleScheduler
  readonly health: Health
  /** Begins when the server listens, which it must not delay. */
  readonly rehearsing: WarmUp
  /** What works by itself, in the order in which it stops. */
  readonly workers: readonly { stop(): Promise<void> | void }[]
}

async function join(ground: Ground): Promise<Rooms> {
  const { config, log, clock, documents, accounts, tidying } = ground
  const rehearsing = makeRehearsing(ground, () => intake.queueBytes > 0)
  const admission = makeAdmission(ground, () => metrics)
  const asking = new QueryDispatcher({
    ...ground,
    admission,
    isIngesting: () => intake.queueBytes > 0,
  })
  const ask = (request: QueryRequest, asker: QueryClient) => {
    tidying.noteActivity()
    return rehearsing.yieldTo(() => asking.dispatch(request, asker))
  }
  const askForServer = (request: QueryRequest) => {
    tidying.noteActivity()
    return asking.dispatchInternal(request)
  }
  const records: Records = await openServerRecords({
    folder: config.dataPath,
    clock,
    documents,
    accounts,
    acceptEvents: { pastMs: config.acceptPastMs, futureMs: config.acceptFutureMs },
    eventsPerMinute: config.eventsPerMinute,
    ask: askForServer,
    outbox: { changes: outboxChanges, notifyWork: () => deliveryWorker.notifyWork() },
    tenants: ground.tenants,
    log: ground.log,
  })
  const { outbound, sender, deliveryWorker } = openServerNotify({ ...ground, records, delay })
  const { packages, bundled } = openServerPackages({
    clock,
    documents,
    accounts,
    records,
    log,
    ask: askForServer,
    download: (url) => fetchPublic(url, { outbound, ...downloadLimits }),
  })
  const metrics: Metrics = createMetrics(ground, () => {
    return { intake, records, postman: deliveryWorker, ticker, health, admission }
  })
  const caretaker = makeCaretaker(ground, metrics, () => ticker.closedUpToMs)
  const ticker: CycleScheduler = createCycleScheduler({
    ...ground,
    records,
    caretaker,
    ...closingTimes(config),
    onClosed: (figures) => metrics.onCycle(figures),
  })
  const intake: IngestQueue = makeIntake(ground, metrics, caretaker)
  const health: Health = createHealth(ground, { ticker, admission })
  const services = { accounts, metrics, records, courier: sender, packages, health, bundled }
  const server = makeServer(ground, { ...services, ingestQueue: intake, runQuery: ask })
  const workers = await start(ground, {
    records,
    bundled,
    ticker,
    caretaker,
    postman: deliveryWorker,
  })
  health.start()
  return { server, intake, ticker, rehearsing, health, workers: [rehearsing, ...workers, health] }
}

function makeServer(
  { audit, log, clock, shard, config, memory }: Ground,
  rooms: Pick<HttpParts, "ingestQueue" | "accounts" | "metrics" | "records" | "courier"> &
    Pick<HttpParts, "packages" | "runQuery"> & {
      readonly health: Health
      readonly bundled: BundledPackages
    },
): HttpServer {
  const { health, bundled, ...others } = rooms
  return createHttp({
    ...others,
    audit,
    log,
    clock,
    onAccepted: (grant, kind) => bundled.onIngest(grant, kind),
    random: systemRandom,
    amend: (amendment) => shard.editCatalogue(amendment),
    health: () => health.reasons(),
    version,
    legacyNames: config.legacyNames,
    memory,
    baseUrl: config.baseUrl,
    metricsAccess: config.metricsAccess,
    limits: { bodyBytesMax: config.bodyBytesMax },
  })
}

function makeAdmission({ config, extraPool }: Ground, metrics: () => Metrics): Admission {
  return new Admission({
    threads: config.workerCount,
    timeoutMs: config.queryTimeoutMs,
    elapsedMs: () => performance.now(),
    delay,
    prepareExtra: async () => {
      const task: QueryTask = { kind: "open" }
      // What stands in the way is told to the first who asks there.
      await extraPool.run(task).catch(() => {})
    },
    onAnswered: (durationMs) => metrics().onQuery(durationMs),
  })
}

function makeIntake(
  { config, clock, shard, tidying }: Ground,
  metrics: Metrics,
  caretaker: MaintenanceScheduler,
): IngestQueue {
  return new IngestQueue({
    run: (task) => {
      tidying.noteActivity()
      return shard.ingest(task).finally(() => caretaker.noteIngest())
    },
    schedule: setImmediate,
    clock,
    limits: { queueBytesMax: config.queueBytesMax },
    delay,
    onBatch: (figures) => metrics.onBatch(figures),
  })
}

/** Starts what works by itself; gives it in the order in which it stops. */
async function start(
  { clock, shard, tenants, log, tidying, audit }: Ground,
  parts: {
    readonly records: Records
    readonly bundled: BundledPackages
    readonly ticker: CycleScheduler
    readonly caretaker: MaintenanceScheduler
    readonly postman: DeliveryWorker
  },
): Promise<Rooms["workers"]> {
  const { records, bundled, ticker, caretaker, postman } = parts
  const { checkMonitor } = records
  const retention = new RecordRetention({
    records,
    audit,
    tenants,
    clock,
    delay,
    onError: (err) => log.error({ err }, "removing old events failed"),
  })
  await ticker.start()
  caretaker.start()
  retention.start()
  checkMonitor.start({
    tenants,
    delay,
    onError: (err) => log.error({ err }, "looking for lapsed checks failed"),
  })
  postman.start()
  const garbage = { stop: tuneHeapGrowth(async () => (await shard.figures()).seriesCount) }
  tidying.start()
  const installing = { stop: () => bundled.drained() }
  return [installing, ticker, caretaker, retention, checkMonitor, postman, garbage, tidying]
}

/** From now on a simulated clock runs, and waits where a cycle would count as missed. */
function letTrialRun(clock: Clock, ticker: CycleScheduler, { cycleGraceMs }: Config): void {
  if (!(clock instanceof SimulatedClock)) return
  // The next cycle closes a cycle and the grace after that; it is missed another cycle later.
  clock.limitTo(() => ticker.closedUpToMs + cycleGraceMs + 2 * cycleMs - 1)
}

function makeReadingAhead({ dataPath }: Config, intake: IngestQueue): PageCachePrefetch {
  const pieces = (bytesMax: number) => prefetchStore(dataPath, bytesMax)
  return new PageCachePrefetch({ pieces, isIngesting: () => intake.queueBytes > 0, delay })
}

function makeRehearsing(
  { clock, queryPool, helperPool }: Ground,
  isIngesting: () => boolean,
): WarmUp {
  const nowMs = (): number => clock.nowMs()
  return new WarmUp({ queryPool, helperPool, nowMs, isIngesting, delay })
}

function makeTidying(pools: readonly ThreadPool[]): IdleGarbageCollector {
  const task: GcTask = { kind: "tidy" }
  return new IdleGarbageCollector({
    cpuMs: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
    threads: [...pools.map((pool) => () => pool.runOnAll(task)), collectIfGrown],
    repeat,
  })
}

function makeCaretaker(
  { shard, clock, log }: Ground,
  metrics: Metrics,
  closedUpToMs: () => number,
): MaintenanceScheduler {
  return new MaintenanceScheduler({
    run: (moment) => shard.maintain(moment),
    nowMs: () => clock.nowMs(),
    elapsedMs: () => performance.now(),
    closedUpToMs,
    delay,
    onStep: (_, durationMs) => metrics.onMaintenance(durationMs),
    onError: (err) => {
      metrics.onMaintenanceFailure()
      log.error({ err }, "background work failed")
    },
  })
}

/** A closing waits by the clock, which may run faster than time, and rests by the time of posts. */
function closingTimes({ clock }: Config): Pick<CycleClosingDeps, "delay" | "rest"> {
  const speed = clock?.speed ?? 1
  return {
    delay: (callback, ms) => delay(callback, Math.ceil(ms / speed)),
    rest: (ms) => wait(ms),
  }
}

async function stop(ground: Ground, rooms: Rooms, hold: StoreLock): Promise<void> {
  const { server, intake, workers, health } = rooms
  health.markStopping()
  const closed = server.close(drainMs)
  await Promise.race([closed, wait(drainMs)])
  intake.stop()
  await intake.drain()
  for (const worker of workers) await worker.stop()
  await closed
  await closeReaderPools(ground)
  await ground.passwords.close()
  await ground.audit.stop().catch((err: unknown) => ground.log.warn({ err }, auditLost))
  await ground.shard.close()
  await hold.release()
}

function shardData(config: Config, logFormat: "text" | "json"): ShardWorkerData {
  const { retentionMs, cycleGraceMs, acceptPastMs, acceptFutureMs, logLevel } = config
  const times = { retentionMs, cycleGraceMs, acceptPastMs, acceptFutureMs }
  const { dataPath: folder, diskFloorBytes, diskQuotaBytes } = config
  const { seriesMax, newSeriesPerMinuteMax, textBytesMax } = config
  const cardinality = { seriesMax, newSeriesPerMinuteMax, textBytesMax }
  const disk = { diskFloorBytes, diskQuotaBytes }
  return { folder, ...times, ...disk, cardinality, logLevel, logFormat }
}
