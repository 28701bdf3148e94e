/**
 * Composes a server in layers, each of which knows only those before it:
 *
 *   infrastructure   store lock, shard thread, accounts, query threads, clock, metrics
 *   engine           maintenance, ingest queue ─► shard thread ─► store
 *   queries          admission ─► dispatcher ─► query threads ─► store
 *   services         records, deliveries, packages, cycles, health
 *   HTTP             fast path and node handler ─► ingest queue; Hono ─► everything else
 *
 * Calls from a lower layer to a higher one go through `Infrastructure.services`, which is bound
 * before the server listens.
 */

import { setTimeout as sleep } from "node:timers/promises"
import { systemClock, type Clock } from "../base/clock.ts"
import { systemRandom } from "../base/random.ts"
import { SimulatedClock } from "../base/clock.ts"
import { endPhase } from "../base/log.ts"
import { WatchedTime } from "../base/time/watched-time.ts"
import type { Config, ConfigOutcome } from "../config/config.ts"
import { isTuningOn } from "../config/tunings.ts"
import type { CycleScheduler } from "../cycle/cycle-scheduler.ts"
import type { Health } from "../engine/health.ts"
import { bindPort, createHttp, type BoundPort, type Http, type TlsAcceptor } from "../http/http.ts"
import { cycleMs } from "../model/resolution.ts"
import { Deliveries } from "../notify/deliveries.ts"
import type { NotificationSender } from "../notify/notification-sender.ts"
import { outboxChanges } from "../notify/outbox.ts"
import { fetchPublic } from "../outbound/outbound.ts"
import { archiveBytesMax } from "../packages/limits.ts"
import type { Packages } from "../packages/packages.ts"
import { delay } from "../runtime/timers.ts"
import { version } from "../runtime/version.ts"
import { prefetchStore } from "../store/open.ts"
import { openServerBackups, type ServerBackups } from "./backup/backups.ts"
import {
  startBackground,
  startV8Tuning,
  type BackgroundServices,
  type BackgroundTask,
} from "./background.ts"
import { createCycleScheduler, type CycleClosingDeps } from "./cycle-closing.ts"
import { createEngine, type Engine } from "./engine.ts"
import { openInfrastructure, type Infrastructure } from "./infrastructure.ts"
import { openServerNotify, type ServerNotify } from "./notify.ts"
import { openServerPackages } from "./packages.ts"
import { PageCachePrefetch } from "./page-cache-prefetch.ts"
import { createQueries, type Queries } from "./queries.ts"
import { closeReaderPools } from "./reader-pools.ts"
import { catalogueEdits, openServerRecords } from "./records.ts"
import { Reloader } from "./reload/reloader.ts"
import { createHealth } from "./self-monitoring.ts"
import { SelfWatch } from "./watch/self-watch.ts"
import { createFeed } from "./watch/streams.ts"
import { CurrentStatus } from "./watch/current-status.ts"
import { CleanupStack } from "./startup/cleanup-stack.ts"
import { exposureWarning } from "./startup/exposure.ts"
import type { StartOptions } from "./startup/start-options.ts"
import { openRedirect, openTransport, type Transport } from "./reload/transport.ts"

/** Of the download of an archive (spec/packages §4). */
const downloadLimits = { bytesMax: archiveBytesMax, timeoutMs: 10_000 }
/** How long a stop waits for requests in flight. */
const drainMs = 10_000

export interface RunningServer {
  /** The address that it listens on. */
  readonly url: string
  /** Takes over settings that were read again, if they can change in a running server. */
  reload(read: ConfigOutcome): void
  /** Resolves when the thread that stores samples has answered; rejects if it failed. */
  ping(): Promise<unknown>
  /** Why the server is not ready; empty if it is. */
  notReady(): readonly string[]
  /** Answers requests in flight, refuses others, closes the store. */
  stop(): Promise<void>
}

/**
 * Starts a server, its port first, on a shard thread that is there. Throws a `ServiceError` if the
 * port cannot be listened on or the store cannot be opened; what was opened before that is closed,
 * last opened first.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const cleanup = new CleanupStack()
  cleanup.add(() => options.shardPool.close())
  try {
    return await start(options, cleanup)
  } catch (error) {
    await cleanup.close()
    throw error
  }
}

async function start(options: StartOptions, cleanup: CleanupStack): Promise<RunningServer> {
  const { config } = options
  const clock = clockOf(config)
  const transport = openTransport(options)
  const { certificates } = transport
  const port = await openPort(options, clock, { tls: transport.tls, cleanup })
  const redirect = await openRedirect(options, port, cleanup)
  endPhase("port bound")
  await options.checkStore()
  endPhase("store checked")
  const infrastructure = await openInfrastructure(options, clock, cleanup)
  endPhase("infrastructure open")
  const engine = createEngine(infrastructure)
  const queries = createQueries(infrastructure, engine)
  const services = await createServices(infrastructure, engine, { ...queries, certificates })
  const http = createServerHttp(infrastructure, engine, queries, services)
  endPhase("services open")
  const tasks = await startBackground(infrastructure, { ...services, ...engine })
  services.backups.start()
  services.health.start()
  await http.listen(port)
  endPhase("listening")
  certificates?.start()
  const { prefetch, loaded } = startWarming(infrastructure, engine, queries)
  const v8Tuning = startV8Tuning(infrastructure, loaded)
  releaseClock(clock, services.scheduler, config)
  const { health } = services
  const { ingestQueue } = engine
  const parts = { ...infrastructure, ...services, ...queries, ingestQueue, http, certificates }
  const reloader = new Reloader(options, { ...options, ...parts, redirect }, options.log)
  const running = [queries.warmUp, services.backups, ...tasks, v8Tuning, health]
  return {
    url: urlOf(port),
    reload: (read) => reloader.reload(read),
    ping: () => infrastructure.shard.figures(),
    notReady: () => health.reasons(),
    stop: async () => {
      prefetch.stop()
      certificates?.stop()
      await redirect?.close()
      await stop({ infrastructure, engine, http, health, running })
    },
  }
}

function clockOf({ clock }: Config): Clock {
  if (clock === null) return systemClock
  const simulated = new SimulatedClock(clock, () => performance.now())
  // No time passes while the server starts: a fast clock would be days ahead.
  simulated.limitTo(() => clock.startMs)
  return simulated
}

/** A simulated clock does not pass while the machine is suspended, and is never set. */
function watchedTimeOf({ config, clock }: Pick<Infrastructure, "config" | "clock">): WatchedTime {
  if (config.clock !== null) return new WatchedTime({ clock })
  return new WatchedTime({ clock, elapsedMs: () => performance.now() })
}

/** A simulated clock runs from now on, and waits before a cycle would count as missed. */
function releaseClock(clock: Clock, scheduler: CycleScheduler, { cycleGraceMs }: Config): void {
  if (!(clock instanceof SimulatedClock)) return
  // The next cycle closes a cycle and the grace after that; it is missed another cycle later.
  clock.limitTo(() => scheduler.closedUpToMs + cycleGraceMs + 2 * cycleMs - 1)
}

async function openPort(
  { config: { host, port: number }, config, sockets, log }: StartOptions,
  clock: Clock,
  { tls, cleanup }: { readonly tls: TlsAcceptor | null; readonly cleanup: CleanupStack },
): Promise<BoundPort> {
  const descriptor = sockets.http
  const port = await bindPort({ host, port: number, descriptor }, clock, tls)
  cleanup.add(() => port.close())
  const warning = exposureWarning(port.address.address, config)
  if (warning !== null) log.warn({}, warning)
  return port
}

function urlOf({ address: { address, port }, tls }: BoundPort): string {
  const host = address.includes(":") ? `[${address}]` : address
  return `${tls === null ? "http" : "https"}://${host}:${port}`
}

interface Services extends Omit<BackgroundServices, "maintenance"> {
  readonly sender: NotificationSender
  readonly delivery: Pick<ServerNotify, "reload">
  readonly packages: Packages
  readonly health: Health
  readonly backups: ServerBackups
  readonly status: CurrentStatus
}

async function createServices(
  infrastructure: Infrastructure,
  { maintenance, ingestQueue }: Engine,
  { runInternalQuery, admission, certificates }: Queries & Pick<Transport, "certificates">,
): Promise<Services> {
  const { config, metrics, services } = infrastructure
  const feed = createFeed(infrastructure)
  const records = await openServerRecords({
    ...infrastructure,
    folder: config.dataPath,
    secretKey: config.secretKey,
    acceptEvents: { pastMs: config.acceptPastMs, futureMs: config.acceptFutureMs },
    eventsPerMinute: config.eventsPerMinute,
    listener: feed,
    watchedTime: watchedTimeOf(infrastructure),
    ask: runInternalQuery,
    outbox: {
      changes: outboxChanges,
      notifyWork: () => services.value.deliveryWorker.notifyWork(),
    },
  })
  const delivery = openServerNotify({ ...infrastructure, records, delay })
  const { outbound, sender, deliveryWorker } = delivery
  const { packages, bundled } = openServerPackages({
    ...infrastructure,
    records,
    ask: runInternalQuery,
    download: (url) => fetchPublic(url, { outbound, ...downloadLimits }),
  })
  const status = new CurrentStatus({ ...infrastructure, elapsedMs: () => performance.now() })
  const scheduler = createCycleScheduler({
    ...infrastructure,
    ...closingTimes(config),
    records,
    maintenance,
    onClosed: (figures) => {
      status.closed(figures)
      feed.cycleClosed(figures)
      metrics.onCycle(figures)
    },
  })
  const health = createHealth(infrastructure, { scheduler, admission })
  const backups = createBackups(infrastructure)
  const ask = runInternalQuery
  const monitored = { ingestQueue, records, deliveryWorker, scheduler, health, admission, ask }
  services.bind({ ...monitored, backups, certificates })
  const selfWatch = createSelfWatch(infrastructure, { ingestQueue, bundled })
  const working = { records, sender, delivery, deliveryWorker, packages, bundled }
  return { ...working, scheduler, health, selfWatch, backups, status }
}

function createSelfWatch(
  infrastructure: Infrastructure,
  to: Pick<Engine, "ingestQueue"> & Pick<BackgroundServices, "bundled">,
): SelfWatch {
  const { config, metrics } = infrastructure
  return new SelfWatch({
    ...infrastructure,
    metrics: () => metrics.values(),
    ingestQueue: to.ingestQueue,
    onAccepted: (sender, kind) => to.bundled.onIngest(sender, kind),
    delay: closingTimes(config).delay,
    isOn: config.selfMonitoring === "on",
  })
}

function createBackups({ config, clock, log, accounts }: Infrastructure): ServerBackups {
  return openServerBackups({
    config,
    clock,
    log,
    delay: closingTimes(config).delay,
    store: () => accounts.tenants.list().find(({ document }) => document.index === 0)!.uuid,
  })
}

/** Closings wait by the clock, which may run faster than time; pauses between posts do not. */
function closingTimes({ clock }: Config): Pick<CycleClosingDeps, "delay" | "sleep"> {
  const speed = clock?.speed ?? 1
  return {
    delay: (callback, ms) => delay(callback, Math.ceil(ms / speed)),
    sleep: (ms) => sleep(ms),
  }
}

function createServerHttp(
  infrastructure: Infrastructure,
  { ingestQueue }: Engine,
  { runQuery }: Queries,
  { records, sender: notificationSender, packages, bundled, health, backups, status }: Services,
): Http {
  const { config, shard } = infrastructure
  const { bodyBytesMax, metricsAccess, hstsMs, accessLog, baseUrl, trustedProxies } = config
  return createHttp({
    ...infrastructure,
    ingestQueue,
    runQuery,
    records,
    notificationSender,
    deliveries: new Deliveries(infrastructure.documents),
    packages,
    onAccepted: (grant, kind) => bundled.onIngest(grant, kind),
    random: systemRandom,
    ...catalogueEdits(shard, records),
    health: () => health.reasons(),
    backups: () => backups.schedule?.figures ?? null,
    version,
    status,
    activity: infrastructure.activity,
    elapsedMs: () => performance.now(),
    legacyNames: config.legacyNames,
    isSecure: config.tlsCertPath !== null,
    live: { bodyBytesMax, metricsAccess, hstsMs, accessLog, baseUrl, trustedProxies },
  })
}

/** Begins to warm code and page cache, for which no client waits. */
function startWarming(
  { config: { dataPath, memory } }: Infrastructure,
  { isIngesting }: Engine,
  { warmUp }: Queries,
): { readonly prefetch: PageCachePrefetch; readonly loaded: Promise<void> } {
  const pieces = (bytesMax: number) => prefetchStore(dataPath, bytesMax)
  const prefetch = new PageCachePrefetch({
    pieces,
    bytesMax: memory.prefetchBytesMax,
    isIngesting,
    delay,
  })
  if (isTuningOn(process.env, "prefetch")) void prefetch.start()
  if (!isTuningOn(process.env, "warm-up")) return { prefetch, loaded: Promise.resolve() }
  void warmUp.start()
  return { prefetch, loaded: warmUp.loaded }
}

async function stop(server: {
  readonly infrastructure: Infrastructure
  readonly engine: Engine
  readonly http: Http
  readonly health: Health
  /** In the order in which they stop. */
  readonly running: readonly BackgroundTask[]
}): Promise<void> {
  const { infrastructure, http, health, running } = server
  const { ingestQueue } = server.engine
  const { signIn, audit, shard, lock, log, streams } = infrastructure
  health.markStopping()
  streams.stop()
  const closed = http.close(drainMs)
  await Promise.race([closed, sleep(drainMs)])
  ingestQueue.stop()
  await ingestQueue.drain()
  for (const task of running) await task.stop()
  await closed
  await closeReaderPools(infrastructure)
  await signIn.close()
  await audit.stop().catch((err: unknown) => {
    log.warn({ err }, "the last of the security log was not stored")
  })
  await shard.close()
  await lock.release()
}
