/**
 * App: serves the route table, which is all routes except ingest. For each request it
 * authenticates, checks the right, reads the JSON body, calls the handler and serializes the reply.
 * Thrown errors become responses of one shape.
 */

import { Hono } from "hono"
import type { Context } from "hono"
import type { IncomingMessage } from "node:http"
import type { HttpBindings } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import type { Principal } from "../accounts/accounts.ts"
import { ServiceError } from "../base/errors.ts"
import type { AuditEvent } from "../model/records/audit.ts"
import { auditedRequest, changeFact, refusalFact, type AuditedRequest } from "./api/auditing.ts"
import { noteFeatureUse } from "./api/feature-use.ts"
import { errorResponseOf, methodNotAllowedResponse } from "./shared/errors.ts"
import type { ErrorResponse, ErrorIds } from "./shared/errors.ts"
import { readJson } from "./api/json-body.ts"
import type { HttpLimits } from "./shared/limits.ts"
import type { AnswerMemory } from "../base/answer-memory.ts"
import { ReservedAnswer, type QueryClient } from "../query/query.ts"
import { disconnectSignal } from "./shared/client-disconnect.ts"
import { isLoopbackRequest } from "./shared/is-loopback.ts"
import { requireSameOrigin } from "./shared/origin.ts"
import { answerHeaders } from "./shared/reply.ts"
import { acceptedCoding, sendResponse } from "./shared/send.ts"
import {
  methods,
  type Access,
  type Call,
  type Operation,
  type Reply,
  type RouteDeps,
} from "./shared/route.ts"
import type { Route } from "./shared/route.ts"
import { allRoutes } from "./api/routes/route-table.ts"
import { refuseUnknownParameters } from "./api/unknown-parameters.ts"
import { shown } from "../wire/problems.ts"

export interface AppDeps extends RouteDeps {
  readonly errorIds: ErrorIds
  readonly limits: HttpLimits
  /** Counts the bytes of answers until their connections have read them. */
  readonly memory: AnswerMemory
  /** Public address of the server; null if it is not set. */
  readonly baseUrl: string | null
  readonly metricsAccess: MetricsAccess
}

/** Clients that may read the server's own metrics without credentials. */
export type MetricsAccess = "local" | "user" | "all"

type AppContext = Context<{ Bindings: HttpBindings }>

/** The app; a trailing slash is accepted on every path. */
export function createApp(options: AppDeps): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false })
  for (const route of allRoutes) addRoute(app, route, options)
  const unknown = (context: AppContext): Response => {
    options.metrics.countRequest("unknown", 404)
    return webResponseOf(unknownPath(context.req.path, options))
  }
  app.get("/", (context) => (wantsJson(context) ? unknown(context) : toDocs(options)))
  app.notFound(unknown)
  app.onError((error) =>
    webResponseOf(errorResponseOf(error, options.clock.nowMs(), options.errorIds)),
  )
  return app
}

function addRoute(app: Hono<{ Bindings: HttpBindings }>, route: Route, options: AppDeps): void {
  const { path, operations } = route
  const counted = (response: Response, startedMs?: number): Response => {
    options.metrics.countRequest(path, response.status, startedMs)
    return response
  }
  for (const method of methods) {
    const operation = operations[method]
    if (operation === undefined) continue
    app.on(method, path, async (context) => {
      const startedMs = options.metrics.startRequest()
      const audited = auditedRequest(operation, { method, path, ...remoteOf(context) })
      return counted(await respond({ operation, audited }, context, options), startedMs)
    })
  }
  const allow = allowOf(route)
  app.all(path, () =>
    counted(webResponseOf(methodNotAllowedResponse(allow, options.clock.nowMs()))),
  )
}

function allowOf({ operations }: Route): string {
  return methods
    .filter((method) => operations[method] !== undefined)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ")
}

interface AuditedOperation {
  readonly operation: Operation
  readonly audited: AuditedRequest
}

async function respond(
  { operation, audited }: AuditedOperation,
  context: AppContext,
  options: AppDeps,
): Promise<Response> {
  const nowMs = options.clock.nowMs()
  const note = (fact: AuditEvent | null): void => {
    if (fact !== null) options.audit.record(fact)
  }
  const who: Admitted = { identity: null, tenant: -1 }
  try {
    refuseForeign(operation, context, options)
    await admit(operation.access, { context, who }, options)
    const call = await callOf(operation, context, { options, nowMs, who })
    const reply = await operation.handle(call, options)
    note(changeFact(audited, call))
    // The operation has succeeded: a failure to record the feature must not change its response.
    await noteFeatureUse(call, reply, options).catch(options.errorIds.idOf)
    return sendReply(reply, context, options, call.tenant) ?? webReplyOf(reply)
  } catch (error) {
    note(refusalFact(audited, error, who.identity))
    return webResponseOf(errorResponseOf(error, nowMs, options.errorIds))
  }
}

function remoteOf({ env }: AppContext): { readonly remoteAddress: string | undefined } {
  return { remoteAddress: env?.incoming?.socket.remoteAddress }
}

/**
 * Refuses cross-site requests before credentials are checked, since browsers add credentials to
 * them. Paths with an API key use none, and services that call a webhook may send any header.
 */
function refuseForeign({ access }: Operation, { req }: AppContext, { baseUrl }: AppDeps): void {
  if (access === "key" || req.method === "GET" || req.method === "HEAD") return
  const [site, origin, host] = ["sec-fetch-site", "origin", "host"].map((name) => req.header(name))
  requireSameOrigin({ site, origin, host }, baseUrl)
}

async function callOf(
  operation: Operation,
  context: AppContext,
  { options, nowMs, who }: { options: AppDeps; nowMs: number; who: Admitted },
): Promise<Call> {
  const path = context.req.param() as Record<string, string>
  const { identity, tenant } = who
  const request = context.req.raw
  const query = queryOf(request.url)
  refuseUnknownParameters(operation, query)
  const isJson = operation.body?.kind === "json"
  const body = isJson ? await readJson(request, options.limits) : null
  const { incoming } = context.env ?? {}
  const requester = requesterOf(context, identity, tenant)
  return { identity, tenant, requester, path, query, body, nowMs, request, incoming }
}

/** One query user for all API keys of a tenant; an e-mail address has no brackets. */
const keyHolders = "(keys)"

function requesterOf(context: AppContext, identity: Principal | null, tenant: number): QueryClient {
  const { incoming, outgoing } = context.env ?? {}
  const hasSocket = incoming !== undefined && outgoing !== undefined
  const signal = hasSocket ? disconnectSignal(incoming, outgoing) : undefined
  return { tenant, user: identity?.user ?? keyHolders, signal }
}

/** The principal of a request; completed by `admit`. */
interface Admitted {
  identity: Principal | null
  tenant: number
}

/** Authenticates a request if its operation requires it. Throws if the caller lacks the right. */
async function admit(
  access: Access,
  { context, who }: { readonly context: AppContext; readonly who: Admitted },
  { accounts, metricsAccess }: AppDeps,
): Promise<void> {
  if (access === "anyone") return
  if (access === "local" && isOpen(metricsAccess, context.env?.incoming)) return
  if (access === "key") {
    const grant = accounts.grantOf(context.req.param("apiId") ?? "")
    if (grant === undefined) throw new ServiceError("forbidden", "The API key is not known")
    grant.limit?.chargePayload()
    who.tenant = grant.tenant
    return
  }
  const { remoteAddress } = remoteOf(context)
  const identity = await accounts.authenticate(context.req.header("authorization"), remoteAddress)
  who.identity = identity
  who.tenant = identity.tenant
  if (mayCall(identity, access)) return
  throw new ServiceError("forbidden", `The role ${identity.role} has no right to do this`)
}

function isOpen(access: MetricsAccess, incoming: IncomingMessage | undefined): boolean {
  return access === "all" || (access === "local" && isLoopbackRequest(incoming))
}

function mayCall({ role }: Principal, access: Access): boolean {
  if (access === "administrator") return role === "Administrator"
  return access !== "writer" || role !== "Read Only"
}

/** All query parameters with all their values; a parameter may have any name, even __proto__. */
function queryOf(url: string): Record<string, string[]> {
  const query = new Map<string, string[]>()
  for (const [name, value] of new URL(url).searchParams) {
    const values = query.get(name)
    if (values === undefined) query.set(name, [value])
    else values.push(value)
  }
  return Object.fromEntries(query)
}

/**
 * Writes a reply to its connection. Returns null if it needs a web response: without a connection,
 * for HEAD, or without a body. Throws `overloaded` if the answer memory cannot reserve the body.
 */
function sendReply(reply: Reply, context: AppContext, { memory }: AppDeps, tenant: number) {
  const outgoing = context.env?.outgoing
  if (outgoing === undefined || context.req.raw.method === "HEAD") return null
  const { status, bytes, headers = {} } = reply
  const body = reply.answer ?? printedBody(reply, { memory, tenant })
  if (body === null) return null
  const coding = bytes !== undefined ? null : acceptedCoding(context.req.header("accept-encoding"))
  const all = { ...contentType(reply), ...headers }
  void sendResponse(outgoing, { status, headers: all, body }, coding)
  return RESPONSE_ALREADY_SENT
}

/** The body of a reply that the main thread serializes; null if it has none. */
function printedBody(
  { json, text, bytes: ready }: Reply,
  { memory, tenant }: { readonly memory: AnswerMemory; readonly tenant: number },
): ReservedAnswer | null {
  if (ready !== undefined) return new ReservedAnswer([ready], () => {})
  const printed = text ?? (json === undefined ? null : JSON.stringify(json))
  if (printed === null) return null
  const bytes = Buffer.from(printed)
  if (tenant < 0) return new ReservedAnswer([bytes], () => {})
  memory.reserve(tenant, bytes.byteLength)
  return new ReservedAnswer([bytes], (released) => memory.release(tenant, released))
}

function webReplyOf(reply: Reply): Response {
  const { status, json, answer, text, headers } = reply
  const bytes = answer === undefined ? reply.bytes : Buffer.concat([...answer.take()])
  const body = bytes ?? text ?? (json === undefined ? null : JSON.stringify(json))
  return new Response(body as string | Uint8Array<ArrayBuffer> | null, {
    status,
    headers: { ...answerHeaders, ...contentType(reply), ...headers },
  })
}

function contentType({ json, answer }: Reply): Record<string, string> {
  const isJson = answer !== undefined || json !== undefined
  return isJson ? { "Content-Type": "application/json" } : {}
}

/** False for browsers and clients that accept anything, which are redirected to the docs. */
function wantsJson({ req }: AppContext): boolean {
  const accept = req.header("accept") ?? ""
  return accept.includes("json") && !accept.includes("text/html")
}

function toDocs({ metrics }: AppDeps): Response {
  metrics.countRequest("/", 302)
  return new Response(null, { status: 302, headers: { ...answerHeaders, Location: "/docs" } })
}

function unknownPath(path: string, { clock, errorIds }: AppDeps): ErrorResponse {
  const given = shown(withoutKeys(path))
  const problem = `Expected a known path, got ${given}; GET /docs/reference lists all`
  return errorResponseOf(new ServiceError("missing", problem), clock.nowMs(), errorIds)
}

/** Masks path segments that could be API keys, so that an error may repeat the path. */
function withoutKeys(path: string): string {
  const isKey = /^[^/]{16,}$/
  return path
    .split("/")
    .map((segment) => (isKey.test(segment) ? "******" : segment))
    .join("/")
}

export function webResponseOf(answer: ErrorResponse): Response {
  return new Response(JSON.stringify(answer.body), {
    status: answer.status,
    headers: { ...answerHeaders, "Content-Type": "application/json", ...answer.headers },
  })
}
