/**
 * Route: one path of the API with its operations. The app serves the table of all routes
 * (routes/route-table.ts), the API description is generated from it, and tests iterate over it.
 */

import type { IncomingMessage } from "node:http"
import type { Accounts, LoginSession, Principal } from "../../accounts/accounts.ts"
import type { Clock } from "../../base/clock.ts"
import type { Random } from "../../base/random.ts"
import type { CatalogueEdit } from "../../model/records/catalogue-edit.ts"
import type { QueryClient, QueryRequest, ReservedAnswer } from "../../query/query.ts"
import type { CookieAddress } from "./login-cookie.ts"
import type { IngestActivity } from "../live/ingest-activity.ts"
import type { EventSink } from "../live/event-sink.ts"
import type { StreamHub } from "../live/stream-hub.ts"
import type { ServerStatus } from "../live/server-status.ts"
import type { Deliveries } from "../../notify/deliveries.ts"
import type { NotificationSender } from "../../notify/notification-sender.ts"
import type { Packages } from "../../packages/packages.ts"
import type { Audit } from "../../records/core/audit.ts"
import type { Semaphore } from "../../base/async.ts"
import type { NamedRecord } from "./named-record.ts"
import type { RecordNames } from "../../records/core/record-names.ts"
import type { Records } from "../../records/records.ts"
import type { LegacyNames } from "../../wire/legacy-names.ts"
import type { Schema } from "../../wire/body.ts"
import type { BackupFigures } from "../../model/backup-figures.ts"
import type { TenantIndex } from "../../model/ids.ts"

export const methods = ["GET", "POST", "PUT", "DELETE"] as const
/** GET implies HEAD. */
export type Method = (typeof methods)[number]

/**
 * The right that an operation requires. "reader": any user; "writer": any but Read Only;
 * "administrator"; "key": an API key in the path parameter `apiId`, no user; "anyone": no
 * credentials; "local": no credentials from this machine, otherwise as "reader".
 */
export type Access = "reader" | "writer" | "administrator" | "key" | "anyone" | "local"

export interface Route {
  /** `:name` matches one segment, as in Hono. A trailing slash is always accepted. */
  readonly path: string
  /** Section of the API description. */
  readonly section: string
  readonly operations: Readonly<Partial<Record<Method, Operation>>>
}

export interface Operation {
  /** One line of documentation. */
  readonly summary: string
  readonly access: Access
  readonly parameters?: readonly Parameter[]
  readonly body?: BodyDescription
  /** The response on success; errors have one shape and are not described here. */
  readonly response: ResponseDescription
  /** Its body or query may name something that does not exist: 404. */
  readonly mayMiss?: true
  /** Its body has credentials, which may be wrong: 401, 403, 429. */
  readonly isSignIn?: true
  readonly handle: Handler
}

/** A route in the API description, with or without handlers in the app. */
export interface DescribedRoute extends Omit<Route, "operations"> {
  readonly operations: Readonly<Partial<Record<Method, Omit<Operation, "handle">>>>
}

/** A query parameter, a header, or a named segment of the path. */
export interface Parameter {
  readonly name: string
  readonly in: "query" | "path" | "header"
  readonly description: string
  readonly required?: true
  /** JSON Schema of a value; any text if absent. */
  readonly value?: ValueSchema
  /** Given several times, or separated by commas. */
  readonly repeatable?: true
  readonly example?: string
}

/** A JSON Schema, made by http/shared/parameters.ts. */
export type ValueSchema = Readonly<Record<string, unknown>>

export interface BodyDescription {
  /**
   * "json" is parsed before the handler is called, with limits on size and depth; a "raw" body is
   * read by the handler (webhooks, uploads).
   */
  readonly kind: "json" | "raw"
  readonly description: string
  /** The schema that the handler validates with; absent if any JSON is accepted. */
  readonly schema?: Schema
  readonly example?: unknown
}

export interface ResponseDescription {
  readonly status: number
  readonly description: string
  /** Schema of the body; null if there is none. Tests validate every response against it. */
  readonly schema: Schema | null
  /** Content type of the body; JSON if absent. */
  readonly type?: string
  /** Other content types, one of which the client may ask for with `Accept`. */
  readonly otherTypes?: readonly string[]
  /** The body is sent only on request. */
  readonly mayBeEmpty?: true
  readonly example?: unknown
}

/** One authenticated request, with the inputs that its operation declares. */
export interface Call {
  /** The user; null for "anyone", for "key" and for an unauthenticated "local" call. */
  readonly identity: Principal | null
  /** The login session whose cookie the request has; null for Basic credentials and without a user. */
  readonly session: LoginSession | null
  /** Tenant index of the identity or of the key; -1 without either. */
  readonly tenant: TenantIndex
  /** On whose behalf queries run: the user or key. A disconnect of the client cancels them. */
  readonly requester: QueryClient
  /** Named segments of the path, decoded. */
  readonly path: Readonly<Record<string, string>>
  /** Every query parameter with all its values, decoded, in order. */
  readonly query: Readonly<Record<string, readonly string[]>>
  /** The JSON body; null if there is none or the handler reads it itself. */
  readonly body: unknown
  readonly nowMs: number
  /** For responses and log lines. */
  readonly requestId: string
  readonly request: Request
  readonly incoming: IncomingMessage | undefined
  /** Of the client, as far as trusted proxies say. */
  readonly remoteAddress: string | undefined
}

/** The result of a handler; errors are thrown as `ServiceError`. */
export interface Reply {
  readonly status: number
  /** A value to serialize as JSON. */
  readonly json?: unknown
  /** Finished JSON of the query threads. */
  readonly answer?: ReservedAnswer
  readonly text?: string
  /** Sent unchanged; `headers` has their type and coding. */
  readonly bytes?: Uint8Array
  /** Begins a stream of events, whose head was sent; its status is 200. */
  readonly events?: (sink: EventSink) => void
  /** Content-Type defaults to JSON for `json` and `answer`. */
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (call: Call, deps: RouteDeps) => Promise<Reply>

/** The services of the handlers. */
export interface RouteDeps {
  readonly accounts: Accounts
  /**
   * Runs a query; the caller releases the answer, which is finished JSON. Throws `ServiceError` for
   * an invalid request.
   */
  readonly runQuery: (request: QueryRequest, requester: QueryClient) => Promise<ReservedAnswer>
  /** Edits the catalogue; resolves after the fsync, and later queries see the change. */
  readonly amend: (amendment: CatalogueEdit) => Promise<void>
  /** Makes the edits that are possible, likewise; of each why it was not made, or null. */
  readonly amendAll: (edits: readonly CatalogueEdit[]) => Promise<readonly (string | null)[]>
  /** Room for bulk changes of elements. */
  readonly bulkLimit: Pick<Semaphore, "run">
  /** Dashboards, policies and all other records that users create. */
  readonly records: Records
  /** Names of records for searches; a change of documents drops them. */
  readonly recordNames: Pick<RecordNames<NamedRecord>, "of">
  /** The security log. */
  readonly audit: Pick<Audit, "record" | "page">
  /** Sends test notifications. */
  readonly notificationSender: Pick<NotificationSender, "test">
  /** Deliveries of messages about incidents. */
  readonly deliveries: Pick<Deliveries, "of">
  /** Installed packages. */
  readonly packages: Packages
  /** Why the server is not ready, one sentence per problem; empty if it is. */
  readonly health: () => readonly string[]
  /** Null without a schedule of backups. */
  readonly backups: () => BackupFigures | null
  /** The server as `GET /status` shows it. */
  readonly status: ServerStatus
  readonly streams: Pick<StreamHub, "admit" | "open">
  /** Requests with samples that accounts have sent lately. */
  readonly activity: IngestActivity
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Version of the server. */
  readonly version: string
  /** Determines the name and the scope of the login cookie. */
  readonly cookieAddress: CookieAddress
  /** Names of user-set tags in responses. */
  readonly legacyNames: LegacyNames
  readonly metrics: {
    readonly contentType: string
    text(): Promise<string>
    /** `route` is a path pattern, never the path of a request. */
    startRequest(): number
    countRequest(route: string, status: number, startedMs?: number): void
  }
  readonly clock: Clock
  readonly random: Random
}

export function json(value: unknown, status = 200): Reply {
  return { status, json: value }
}

export function route(section: string, path: string, operations: Route["operations"]): Route {
  return { path, section, operations }
}

/** A response of status 200 with a JSON body. */
export function ok(description: string, schema: Schema, example?: unknown): ResponseDescription {
  return { status: 200, description, schema, ...(example !== undefined && { example }) }
}

/** A JSON body that the handler validates with `schema`. */
export function jsonBody(description: string, schema: Schema, example: unknown): BodyDescription {
  return { kind: "json", description, schema, example }
}

/** A response without a body. */
export function noBody(status: number, description: string): ResponseDescription {
  return { status, description, schema: null }
}

export const noContent: Reply = { status: 204 }
