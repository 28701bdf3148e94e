/**
 * The server, composed: settings in, rooms built and joined, a way to stop out.
 *
 *   front ─► intake ─► shard (one thread) ─► store        Hono ─► query threads ─► store
 *                        ▲ caretaker                                 │ open samples
 *                        └───────────────────────────────────────────┘
 */

import { setTimeout as wait } from "node:timers/promises"
import { openAccounts, type Accounts, type FirstStart } from "./accounts/accounts.ts"
import { systemClock } from "./base/clock.ts"
import type { Logger } from "./base/log.ts"
import { systemRandom } from "./base/random.ts"
import type { Config } from "./config.ts"
import { Caretaker } from "./engine/caretaker.ts"
import { Intake } from "./engine/intake.ts"
import { fromOutcome, type Outcome } from "./engine/outcome.ts"
import { createThreadPool, type Pool } from "./engine/pool.ts"
import { ShardClient } from "./engine/shard-client.ts"
import { createHttp, Metrics, type HttpServer } from "./http/http.ts"
import type { AskRequest, QueryPlan } from "./query/query.ts"
import type { QueryTask, QueryWorkerData } from "./query-worker.ts"
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
  const shardPool = createThreadPool({
    filename: workerFile("shard-worker"),
    threads: 1,
    tasksPerThread: 3,
    workerData: shardData(config, logFormat),
  })
  const shard = new ShardClient(shardPool)
  const { accounts, firstStart } = await openAccounts({
    documents: {
      get: (kind, id) => shard.getDocument(kind, id),
      put: (kind, id, document) => shard.putDocuments([{ kind, id, document }]),
      putAll: (changes) => shard.putDocuments(changes),
      list: (kind, range) => shard.listDocuments(kind, range),
    },
    random: systemRandom,
    clock: systemClock,
    wanted: config,
  })
  const queryPool = createThreadPool({
    filename: workerFile("query-worker"),
    threads: config.workerCount,
    tasksPerThread: 1,
    workerData: queryData(config, accounts),
  })
  const rooms = join(config, log, { shard, queryPool, accounts })
  const { address, port } = await rooms.server.listen({ port: config.port, host: config.host })
  const host = address.includes(":") ? `[${address}]` : address
  return {
    url: `http://${host}:${port}`,
    firstStart,
    stop: () => stop({ ...rooms, shard, queryPool }),
  }
}

interface Rooms {
  readonly server: HttpServer
  readonly intake: Intake
  readonly caretaker: Caretaker
}

function join(
  config: Config,
  log: Logger,
  parts: { shard: ShardClient; queryPool: Pool; accounts: Accounts },
): Rooms {
  const { shard, queryPool, accounts } = parts
  const metrics: Metrics = new Metrics({
    figures: () => shard.figures(),
    queueBytes: () => intake.queueBytes,
  })
  const caretaker = startCaretaker(shard, metrics, log)
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
    health: () => [],
    limits: { bodyBytesMax: config.bodyBytesMax },
  })
  return { server, intake, caretaker }
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
  const open = isOpen ? await shard.openSamples(plan.series, plan.span) : null
  const answerTask: QueryTask = { kind: "answer", plan, open }
  return fromOutcome(await pool.run<Outcome<Uint8Array>>(answerTask))
}

async function stop(
  parts: Rooms & { readonly shard: ShardClient; readonly queryPool: Pool },
): Promise<void> {
  const { server, intake, caretaker, shard, queryPool } = parts
  const closed = server.close(drainMs)
  await Promise.race([closed, wait(drainMs)])
  intake.stop()
  await intake.drain()
  await caretaker.stop()
  await closed
  await queryPool.close()
  await shard.close()
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

function queryData(config: Config, accounts: Accounts): QueryWorkerData {
  const tenantUuids = [accounts.tenantUuid(0)]
  return { folder: config.dataPath, tenantUuids }
}
