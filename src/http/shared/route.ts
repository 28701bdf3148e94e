/**
 * Route: one path of the API with what may be done to it. The table of all routes (routes/all.ts)
 * is what the app serves, what the API description is made of, and what tests walk.
 */

import type { IncomingMessage } from "node:http"
import type { Accounts, Principal } from "../../accounts/accounts.ts"
import type { Clock } from "../../base/clock.ts"
import type { Random } from "../../base/random.ts"
import type { CatalogueEdit } from "../../model/records/catalogue-edit.ts"
import type { QueryClient, QueryRequest, ReservedAnswer } from "../../query/query.ts"
import type { NotificationSender } from "../../notify/notification-sender.ts"
import type { Packages } from "../../packages/packages.ts"
import type { Audit } from "../../records/core/audit.ts"
import type { Records } from "../../records/records.ts"
import type { LegacyNames } from "../../wire/legacy-names.ts"
import type { Schema } from "../../wire/body.ts"

export const methods = ["GET", "POST", "PUT", "DELETE"] as const
/** HEAD is served wherever GET is. */
export type Method = (typeof methods)[number]

/**
 * Who may call. "reader": any user; "writer": any but Read Only; "administrator"; "key": an API key
 * in the path named `apiId`, no user; "anyone": no credentials; "local": a client on this machine
 * without, everybody else as a reader.
 */
export type Access = "reader" | "writer" | "administrator" | "key" | "anyone" | "local"

export interface Route {
  /** `:name` stands for one segment, as in Hono. A trailing slash is always accepted. */
  readonly path: string
  /** Section of the API description. */
  readonly section: string
  readonly operations: Readonly<Partial<Record<Method, Operation>>>
}

export interface Operation {
  /** One line, for people: what it does. */
  readonly summary: string
  readonly access: Access
  readonly parameters?: readonly Parameter[]
  readonly body?: BodyDescription
  /** What it answers when all is well; errors have one shape and need no word here. */
  readonly response: ResponseDescription
  /** Its body or query names something that may not exist: 404. */
  readonly mayMiss?: true
  readonly handle: Handler
}

/** A route as the API description tells it, whoever serves it. */
export interface DescribedRoute extends Omit<Route, "operations"> {
  readonly operations: Readonly<Partial<Record<Method, Omit<Operation, "handle">>>>
}

/** A query parameter, a header, or what a name in the path means. */
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

/** What http/shared/parameters.ts makes. */
export type ValueSchema = Readonly<Record<string, unknown>>

export interface BodyDescription {
  /**
   * "json" is parsed before the handler is called and bounded in size and depth; "raw" is the
   * handler's to read (webhooks, uploads).
   */
  readonly kind: "json" | "raw"
  readonly description: string
  /** The schema that the handler validates with; absent where any JSON is taken. */
  readonly schema?: Schema
  readonly example?: unknown
}

export interface ResponseDescription {
  readonly status: number
  readonly description: string
  /** What the body is; null if there is none. Tests hold every answer to it. */
  readonly schema: Schema | null
  /** Content type of the body; JSON if absent. */
  readonly type?: string
  /** The body comes only if the caller asks for it. */
  readonly mayBeEmpty?: true
  readonly example?: unknown
}

/** One request, authenticated and read as far as its operation says. */
export interface Call {
  /** Whose data it is about. For "anyone" and an unauthenticated "local" call: null. */
  readonly identity: Principal | null
  /** Tenant index of the identity or of the key; -1 where there is neither. */
  readonly tenant: number
  /** For whom the query threads work: the user, or whoever has the key; ends when they leave. */
  readonly requester: QueryClient
  /** Names from the path, decoded. */
  readonly path: Readonly<Record<string, string>>
  /** Every query parameter with all its values, decoded, in order. */
  readonly query: Readonly<Record<string, readonly string[]>>
  /** The JSON body; null where there is none or the operation reads it itself. */
  readonly body: unknown
  readonly nowMs: number
  readonly request: Request
  readonly incoming: IncomingMessage | undefined
}

/** What a handler answers; errors are thrown as `ServiceError`. */
export interface Reply {
  readonly status: number
  /** JSON: a value to print, or an answer of the query threads. Absent: no body. */
  readonly json?: unknown
  readonly answer?: ReservedAnswer
  readonly text?: string
  /** Sent as they are: `headers` tells their type and coding. */
  readonly bytes?: Uint8Array
  /** Content-Type is set for `json` and `answer` where not named here. */
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (call: Call, rooms: RouteDeps) => Promise<Reply>

/** Where handlers get their answers from. */
export interface RouteDeps {
  readonly accounts: Accounts
  /**
   * Answers a question with finished JSON, which the caller releases; throws a `ServiceError` for
   * what the caller got wrong.
   */
  readonly runQuery: (request: QueryRequest, asker: QueryClient) => Promise<ReservedAnswer>
  /**
   * Changes the catalogue; resolves when the change is synced, and every question after it sees it.
   */
  readonly amend: (amendment: CatalogueEdit) => Promise<void>
  /** What people create. */
  readonly records: Records
  /** The security log. */
  readonly audit: Pick<Audit, "record" | "page">
  /** Tells people of events; routes only try it. */
  readonly courier: Pick<NotificationSender, "test">
  /** What is installed. */
  readonly packages: Packages
  /** Why the server cannot serve now, one sentence a problem; empty where it can. */
  readonly health: () => readonly string[]
  /** Of this program. */
  readonly version: string
  /** Under which names answers have the tags that people set. */
  readonly legacyNames: LegacyNames
  readonly metrics: {
    readonly contentType: string
    text(): Promise<string>
    /** `route` is a path of the table, never what was sent. */
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

/** 204: done, nothing to say. */
export const noContent: Reply = { status: 204 }
