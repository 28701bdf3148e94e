/**
 * The server, composed: settings in, rooms built and joined, a way to stop out.
 *
 *   front ─► intake ─► shard (one thread) ─► store        Hono ─► query threads ─► store
 *                        ▲ caretaker                                 │ open samples
 *                        └───────────────────────────────────────────┘
 */

import { setTimeout as wait } from "node:timers/promises"
import { openAccounts, type Accounts, type FirstStart } from "./accounts/accounts.ts"
import { TenantDirectory } from "./accounts/tenant-directory.ts"
import { systemClock } from "./base/clock.ts"
import { ServiceError } from "./base/errors.ts"
import type { Logger } from "./base/log.ts"
import { systemRandom } from "./base/random.ts"
import { runAccountCommand } from "./command/account.ts"
import type { Config } from "./config.ts"
import { holdStore, type Hold } from "./control.ts"
import { Caretaker } from "./engine/caretaker.ts"
import { Intake } from "./engine/intake.ts"
import { fromOutcome, type Outcome } from "./engine/outcome.ts"
import { createThreadPool, type Pool } from "./engine/pool.ts"
import { ShardClient } from "./engine/shard-client.ts"
import { createHttp, Metrics, type HttpServer } from "./http/http.ts"
import type { Documents } from "./model/document.ts"
import type { AskRequest, QueryPlan } from "./query/query.ts"
import type { QueryTask, QueryWorkerData } from "./query-worker.ts"
import type { Records } from "./records/records.ts"
import { Retention } from "./records/retention.ts"
import { openServerPackages, type ServerPackages } from "./server-packages.ts"
import { openServerRecords } from "./server-records.ts"
import type { ShardWorkerData } from "./shard-worker.ts"

/** How long a stop waits for requests in flight. */
const drainMs = 10_000

export interface RunningServer {
  /** Where it listens. */
  readonly url: string
  /** Secrets of the first start, in clear for the only time; undefined on every later one. */
  readonly firstStart: FirstStart | undefined
  /** Answers what is in flight, refuses the rest, closes the store. */
  stop(): Promise<void>
}

/** Starts everything; throws a ServiceError where the store cannot be opened. */
export async function serve(
  config: Config,
  log: Logger,
  logFormat: "text" | "json",
): Promise<RunningServer> {
  const hold = await holdStore(config.dataPath)
  const shardPool = createThreadPool({
    filename: workerFile("shard-worker"),
    threads: 1,
    tasksPerThread: 3,
    workerData: shardData(config, logFormat),
  })
  const shard = new ShardClient(shardPool)
  const tenants = new TenantDirectory()
  const documents = documentsOf(shard)
  const { accounts, firstStart } = await openAccounts({
    documents,
    random: systemRandom,
    clock: systemClock,
    wanted: config,
    rates: {
      payloadsPerMinute: config.keyPayloadsPerMinute,
      samplesPerMinute: config.keySamplesPerMinute,
    },
    onTenant: ({ uuid, document }) => tenants.set(document.index, uuid),
  })
  hold.serve((args) => runAccountCommand(args, { accounts, random: systemRandom }))
  const queryPool = createThreadPool({
    filename: workerFile("query-worker"),
    threads: config.workerCount,
    tasksPerThread: 1,
    workerData: { folder: config.dataPath, tenants: tenants.memory } satisfies QueryWorkerData,
  })
  const records = await openServerRecords({
    folder: config.dataPath,
    documents,
    accounts,
    acceptEvents: { pastMs: config.acceptPastMs, futureMs: config.acceptFutureMs },
  })
  const packages = openServerPackages({
    documents,
    accounts,
    records,
    log,
    judgeConfiguration: () => [],
    configurationsChanged: () => {},
    download,
  })
  const rooms = join(config, log, { shard, queryPool, accounts, records, ...packages })
  const { address, port } = await rooms.server.listen({ port: config.port, host: config.host })
  const host = address.includes(":") ? `[${address}]` : address
  return {
    url: `http://${host}:${port}`,
    firstStart,
    stop: () => stop({ ...rooms, shard, queryPool, hold }),
  }
}

interface Rooms {
  readonly server: HttpServer
  readonly intake: Intake
  readonly caretaker: Caretaker
  readonly retention: Retention
}

function join(
  config: Config,
  log: Logger,
  parts: ServerPackages & {
    readonly shard: ShardClient
    readonly queryPool: Pool
    readonly accounts: Accounts
    readonly records: Records
  },
): Rooms {
  const { shard, queryPool, accounts, records, packages, bundled } = parts
  const metrics: Metrics = new Metrics({
    figures: () => shard.figures(),
    queueBytes: () => intake.queueBytes,
    events: () => records.events.figures,
  })
  const caretaker = startCaretaker(shard, metrics, log)
  const retention = startRetention(records, accounts, log)
  const intake = new Intake({
    run: (task) => shard.ingest(task).finally(() => caretaker.ingested()),
    schedule: setImmediate,
    clock: systemClock,
    limits: { queueBytesMax: config.queueBytesMax },
    delay,
    onBatch: (figures) => metrics.onBatch(figures),
  })
  const server = createHttp({
    intake,
    accounts,
    metrics,
    log,
    clock: systemClock,
    random: systemRandom,
    ask: (request) => answer(request, queryPool, shard),
    amend: (amendment) => shard.amend(amendment),
    records,
    packages,
    onAccepted: (grant, kind) => bundled.noticed(grant, kind),
    health: () => [],
    limits: { bodyBytesMax: config.bodyBytesMax },
  })
  return { server, intake, caretaker, retention }
}

/** Until the guard of outbound requests is joined here, nothing is fetched for anybody. */
function download(): Promise<Uint8Array> {
  return Promise.reject(new ServiceError("forbidden", "This server may fetch nothing"))
}

function documentsOf(shard: ShardClient): Documents {
  return {
    get: (kind, id) => shard.getDocument(kind, id),
    put: (kind, id, document) => shard.putDocuments([{ kind, id, document }]),
    putAll: (changes) => shard.putDocuments(changes),
    list: (kind, range) => shard.listDocuments(kind, range),
  }
}

function startRetention(records: Records, accounts: Accounts, log: Logger): Retention {
  const retention = new Retention({
    records,
    tenants: () => accounts.tenants.list().map(({ document }) => document.index),
    clock: systemClock,
    delay,
    onError: (err) => log.error({ err }, "removing old events failed"),
  })
  retention.start()
  return retention
}

function startCaretaker(shard: ShardClient, metrics: Metrics, log: Logger): Caretaker {
  const caretaker = new Caretaker({
    run: (moment) => shard.maintain(moment),
    nowMs: () => systemClock.nowMs(),
    elapsedMs: () => performance.now(),
    delay,
    onStep: (_, durationMs) => metrics.onMaintenance(durationMs),
    onError: (err) => log.error({ err }, "background work failed"),
  })
  caretaker.start()
  return caretaker
}

function delay(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

/** Plans on one query thread, asks the shard for what is not folded, answers on a query thread. */
async function answer(request: AskRequest, pool: Pool, shard: ShardClient): Promise<Uint8Array> {
  const planTask: QueryTask = { kind: "plan", request }
  const plan = fromOutcome(await pool.run<Outcome<QueryPlan>>(planTask))
  const isOpen = plan.series.length > 0 && plan.span !== null && shard.openSampleCount > 0
  const open = isOpen
    ? await shard.openSamples(plan.series, plan.span, plan.onlyFirst ?? false)
    : null
  const answerTask: QueryTask = { kind: "answer", plan, open }
  return fromOutcome(await pool.run<Outcome<Uint8Array>>(answerTask))
}

async function stop(
  parts: Rooms & {
    readonly shard: ShardClient
    readonly queryPool: Pool
    readonly hold: Hold
  },
): Promise<void> {
  const { server, intake, caretaker, retention, shard, queryPool, hold } = parts
  const closed = server.close(drainMs)
  await Promise.race([closed, wait(drainMs)])
  intake.stop()
  await intake.drain()
  await caretaker.stop()
  await retention.stop()
  await closed
  await queryPool.close()
  await shard.close()
  await hold.release()
}

/** The module of a worker beside this one: its source under tsx, its bundle in `dist`. */
function workerFile(name: string): string {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js"
  return new URL(`./${name}${extension}`, import.meta.url).href
}

function shardData(config: Config, logFormat: "text" | "json"): ShardWorkerData {
  const { retentionMs, cycleGraceMs, acceptPastMs, acceptFutureMs, logLevel } = config
  const times = { retentionMs, cycleGraceMs, acceptPastMs, acceptFutureMs }
  const { dataPath: folder, diskFloorBytes, seriesMax, newSeriesPerMinuteMax } = config
  const cardinality = { seriesMax, newSeriesPerMinuteMax }
  return { folder, ...times, diskFloorBytes, cardinality, logLevel, logFormat }
}
