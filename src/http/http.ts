/**
 * HTTP: the public module of this folder. Wires the request handlers, the routes and the server;
 * the composition root supplies the services.
 */

import type { Accounts } from "../accounts/accounts.ts"
import type { AnswerMemory } from "../base/answer-memory.ts"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import type { Random } from "../base/random.ts"
import type { CatalogueEdit } from "../model/records/catalogue-edit.ts"
import type { QueryClient, QueryRequest, ReservedAnswer } from "../query/query.ts"
import type { NotificationSender } from "../notify/notification-sender.ts"
import type { Packages } from "../packages/packages.ts"
import type { Audit } from "../records/core/audit.ts"
import type { Records } from "../records/records.ts"
import type { LegacyNames } from "../wire/legacy-names.ts"
import { createApp, type MetricsAccess } from "./app.ts"
import { unknownKeyFact } from "./api/auditing.ts"
import { createErrorIds } from "./shared/error-log.ts"
import { createNodeRequestHandler } from "./ingest/node-handler.ts"
import { IngestRoute } from "./ingest/ingest-route.ts"
import type { IngestRouteDeps, IngestPort } from "./ingest/ingest-route.ts"
import { defaultHttpLimits } from "./shared/limits.ts"
import type { HttpLimits } from "./shared/limits.ts"
import { createListener } from "./listener.ts"
import type { Metrics } from "./api/metrics.ts"
import { createServer } from "./server.ts"
import type { HttpServer } from "./server.ts"

export { bindPort } from "./ingest/bound-port.ts"
export type { BoundPort } from "./ingest/bound-port.ts"
export { Metrics } from "./api/metrics.ts"
export type { ServerFigures } from "./api/metrics.ts"
export type { HttpLimits } from "./shared/limits.ts"
export type { HttpServer } from "./server.ts"

export interface HttpDeps {
  readonly ingestQueue: IngestPort
  readonly accounts: Accounts
  /**
   * Answers a question with finished JSON, which the caller releases; throws a `ServiceError` for
   * what the caller got wrong.
   */
  readonly runQuery: (request: QueryRequest, asker: QueryClient) => Promise<ReservedAnswer>
  readonly amend: (amendment: CatalogueEdit) => Promise<void>
  /** What people create. */
  readonly records: Records
  /** The security log. */
  readonly audit: Pick<Audit, "record" | "page">
  /** Tells people of events; routes only try it. */
  readonly courier: Pick<NotificationSender, "test">
  readonly packages: Packages
  /** Told of every accepted ingest request: whose it was, and the word before the key in its path. */
  readonly onAccepted?: IngestRouteDeps["onAccepted"]
  /** Why the server cannot serve now, one sentence a problem; empty where it can. */
  readonly health: () => readonly string[]
  /** Of this program. */
  readonly version: string
  readonly metrics: Pick<Metrics, "contentType" | "text" | "startRequest" | "countRequest">
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Logger, "error">
  /** Where people find the server; null if it is not set. */
  readonly baseUrl: string | null
  readonly metricsAccess: MetricsAccess
  /** Under which names answers have the tags that people set. */
  readonly legacyNames: LegacyNames
  /** What differs from `defaultHttpLimits`. */
  readonly limits?: Partial<HttpLimits>
  /** What holds answers until their connections have taken them. */
  readonly memory: AnswerMemory
}

/** A server that is not listening yet. */
export function createHttp(options: HttpDeps): HttpServer {
  const { accounts, ingestQueue, metrics, clock } = options
  const limits = { ...defaultHttpLimits, ...options.limits }
  const errorIds = createErrorIds(options.log, options.random)
  const app = createApp({ ...options, errorIds, limits })
  const ingest = new IngestRoute({
    ingestQueue,
    grantOf: accounts.grantOf,
    limits,
    clock,
    startRequest: () => metrics.startRequest(),
    countRequest: (route, status, startedMs) => metrics.countRequest(route, status, startedMs),
    errorIds,
    onAccepted: options.onAccepted,
    onRefusedKey: (remoteAddress) => options.audit.record(unknownKeyFact(remoteAddress)),
  })
  const listener = createListener(app, { clock, errorIds })
  const nodeHandler = createNodeRequestHandler({ ingest, listener, limits, clock })
  return createServer({ nodeHandler, ingest, limits, clock })
}
