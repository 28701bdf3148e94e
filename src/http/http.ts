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
   * Runs a query; the caller releases the answer, which is finished JSON. Throws `ServiceError` for
   * an invalid request.
   */
  readonly runQuery: (request: QueryRequest, requester: QueryClient) => Promise<ReservedAnswer>
  readonly amend: (amendment: CatalogueEdit) => Promise<void>
  /** Dashboards, policies and all other records that users create. */
  readonly records: Records
  /** The security log. */
  readonly audit: Pick<Audit, "record" | "page">
  /** Sends test notifications. */
  readonly courier: Pick<NotificationSender, "test">
  readonly packages: Packages
  /** Called for each accepted ingest request, with the path segment before the key. */
  readonly onAccepted?: IngestRouteDeps["onAccepted"]
  /** Why the server is not ready, one sentence per problem; empty if it is. */
  readonly health: () => readonly string[]
  /** Version of the server. */
  readonly version: string
  readonly metrics: Pick<Metrics, "contentType" | "text" | "startRequest" | "countRequest">
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Logger, "error">
  /** Public address of the server; null if it is not set. */
  readonly baseUrl: string | null
  readonly metricsAccess: MetricsAccess
  /** Names of user-set tags in responses. */
  readonly legacyNames: LegacyNames
  /** Overrides of `defaultHttpLimits`. */
  readonly limits?: Partial<HttpLimits>
  /** Counts the bytes of answers until their connections have read them. */
  readonly memory: AnswerMemory
}

/** Creates a server that does not listen yet. */
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
