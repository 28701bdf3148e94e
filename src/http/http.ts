/**
 * HTTP: the public module of this folder. Wires the request handlers, the routes and the server;
 * the composition root supplies the services.
 */

import type { NamedRecord } from "./shared/named-record.ts"
import { RecordNames } from "../records/core/record-names.ts"
import type { WatchedDocuments } from "../records/core/watched-documents.ts"
import { createBulkLimit } from "./api/bulk-edits.ts"
import type { Logger } from "../base/log.ts"
import { createApp, type AppDeps } from "./app.ts"
import { storeEvents } from "./api/post-body.ts"
import { unknownKeyFact } from "./api/auditing.ts"
import { AccessLog } from "./shared/access-log.ts"
import { createRequestIds } from "./shared/request-ids.ts"
import { createNodeRequestHandler } from "./ingest/node-handler.ts"
import { IngestRoute } from "./ingest/ingest-route.ts"
import type { IngestRouteDeps, IngestPort } from "./ingest/ingest-route.ts"
import { defaultHttpLimits } from "./shared/limits.ts"
import type { HttpLimits } from "./shared/limits.ts"
import { TrustedProxies, type AddressSource } from "./live/trusted-proxies.ts"
import { createListener } from "./listener.ts"
import { createServer } from "./server.ts"
import type { HttpServer } from "./server.ts"
import type { LiveSettings } from "./shared/live-settings.ts"

export { bindPort } from "./ingest/bound-port.ts"
export type { BoundPort } from "./ingest/bound-port.ts"
export { Metrics } from "./api/metrics/metrics.ts"
export type { ServerFigures } from "./api/metrics/store-metrics.ts"
export type { HttpLimits } from "./shared/limits.ts"
export type { HttpServer } from "./server.ts"
export type { LiveSettings } from "./shared/live-settings.ts"
export { IngestActivity } from "./live/ingest-activity.ts"
export { IngestFigures } from "./live/ingest-figures.ts"
export { StreamFeed } from "./live/stream-feed.ts"
export { StreamHub } from "./live/stream-hub.ts"
export type { ServerStatus, StatusSettings } from "./live/server-status.ts"
export { TlsAcceptor } from "./shared/tls-acceptor.ts"
export type { TlsMaterial } from "./shared/tls-acceptor.ts"
export { listenForRedirect } from "./redirect.ts"
export type { Redirect } from "./redirect.ts"

export interface HttpDeps extends Omit<
  AppDeps,
  | "requestIds"
  | "access"
  | "limits"
  | "live"
  | "cookieAddress"
  | "clientOf"
  | "bulkLimit"
  | "recordNames"
> {
  /** Later changed by `reload`. */
  readonly live: Readonly<LiveSettings>
  readonly ingestQueue: IngestPort
  /** Called for each accepted ingest request, with the path segment before the key. */
  readonly onAccepted?: IngestRouteDeps["onAccepted"]
  readonly documents: Pick<WatchedDocuments, "onChange">
  readonly log: Pick<Logger, "error" | "info">
  /** Overrides of `defaultHttpLimits`. */
  readonly limits?: Partial<HttpLimits>
}

export interface Http extends HttpServer {
  /** Changes settings for all later requests. */
  reload(live: LiveSettings): void
}

/** Creates a server that does not listen yet. */
export function createHttp(options: HttpDeps): Http {
  const { accounts, ingestQueue, metrics, clock } = options
  const live: LiveSettings = { ...options.live }
  const { bodyBytesMax } = live
  // Requests read it from their limits, some of them for each chunk: a property, not a call.
  const limits = { ...defaultHttpLimits, ...options.limits, bodyBytesMax }
  const requestIds = createRequestIds(options.log, options.random)
  const access = new AccessLog(options.log, live)
  const cookieAddress = {
    accountId: accounts.tenantUuid(0),
    isSecure: options.isSecure,
    get baseUrl() {
      return live.baseUrl
    },
  }
  let proxies = new TrustedProxies(live.trustedProxies)
  const clientOf = (request: AddressSource): string | undefined => {
    proxies = proxies.with(live.trustedProxies)
    return proxies.clientOf(request)
  }
  const recordNames = new RecordNames<NamedRecord>()
  options.documents.onChange((kind) => recordNames.invalidate(kind))
  const own = { requestIds, access, limits, live, cookieAddress, clientOf, recordNames }
  const app = createApp({ ...options, ...own, bulkLimit: createBulkLimit() })
  const ingest = new IngestRoute({
    ingestQueue,
    grantOf: accounts.grantOf,
    limits,
    clock,
    startRequest: () => metrics.startRequest(),
    countRequest: (route, status, startedMs) => metrics.countRequest(route, status, startedMs),
    requestIds,
    activity: options.activity,
    storeEvents: (tenant, posted) => storeEvents(options.records, tenant, posted),
    onKeyUse: (keyId, nowMs) => accounts.keyUses.note(keyId, nowMs),
    access,
    onAccepted: options.onAccepted,
    onRefusedKey: (request) => options.audit.record(unknownKeyFact(clientOf(request))),
  })
  const listener = createListener(app, { clock, requestIds })
  const nodeHandler = createNodeRequestHandler({
    ingest,
    listener,
    limits,
    live,
    clock,
    requestIds,
  })
  const server = createServer({ nodeHandler, ingest, limits, live, clock, requestIds })
  return {
    ...server,
    reload: (changed) => {
      Object.assign(live, changed)
      limits.bodyBytesMax = changed.bodyBytesMax
    },
  }
}
