/**
 * App: the routes beside ingest, as the table of routes/all.ts gives them. For every call it
 * authenticates, checks the right, reads the JSON body, asks the handler and prints the reply;
 * whatever is thrown on the way becomes an error of the one shape.
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
  /** What holds answers until their connections have taken them. */
  readonly memory: AnswerMemory
  /** Where people find the server; null if it is not set. */
  readonly baseUrl: string | null
  readonly metricsAccess: MetricsAccess
}

/** Who reads the server's own figures without credentials, beside every user with them. */
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

interface Asked {
  readonly operation: Operation
  readonly audited: AuditedRequest
}

async function respond(
  { operation, audited }: Asked,
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
    // What the caller asked for is done: failing to note it must not tell them otherwise.
    await noteFeatureUse(call, reply, options).catch(options.errorIds.idOf)
    return sent(reply, context, options, call.tenant) ?? replied(reply)
  } catch (error) {
    note(refusalFact(audited, error, who.identity))
    return webResponseOf(errorResponseOf(error, nowMs, options.errorIds))
  }
}

function remoteOf({ env }: AppContext): { readonly remoteAddress: string | undefined } {
  return { remoteAddress: env?.incoming?.socket.remoteAddress }
}

/**
 * Before credentials are looked at: a browser adds them to what another site sends. A path with an
 * API key in it needs none, and services that call a webhook may send any header.
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

/** All who come with API keys of a tenant are one; an e-mail has no brackets. */
const keyHolders = "(keys)"

function requesterOf(context: AppContext, identity: Principal | null, tenant: number): QueryClient {
  const { incoming, outgoing } = context.env ?? {}
  const isTold = incoming !== undefined && outgoing !== undefined
  const signal = isTold ? disconnectSignal(incoming, outgoing) : undefined
  return { tenant, user: identity?.user ?? keyHolders, signal }
}

/** Who calls, as far as it is known by now. */
interface Admitted {
  identity: Principal | null
  tenant: number
}

/** Finds out who calls, if that is to be known; throws if the caller has no right to. */
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

/** All query parameters with all their values, in an object that no name can harm. */
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
 * Writes a reply to its connection if it has one; null if a web response is to be made of it.
 * Throws `overloaded` if the answer memory has no room for what the main thread printed.
 */
function sent(reply: Reply, context: AppContext, { memory }: AppDeps, tenant: number) {
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

/** The body of a reply that was printed here; null if it has none. */
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

function replied(reply: Reply): Response {
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

/** A person's browser and what asks for anything are led on; a client of JSON gets an error. */
function wantsJson({ req }: AppContext): boolean {
  const accept = req.header("accept") ?? ""
  return accept.includes("json") && !accept.includes("text/html")
}

function toDocs({ metrics }: AppDeps): Response {
  metrics.countRequest("/", 302)
  return new Response(null, { status: 302, headers: { ...answerHeaders, Location: "/docs" } })
}

function unknownPath(path: string, { clock, errorIds }: AppDeps): ErrorResponse {
  const problem = `Expected a known path, got ${shown(withoutKeys(path))}; GET /docs lists them all`
  return errorResponseOf(new ServiceError("missing", problem), clock.nowMs(), errorIds)
}

/** A path as an error may repeat it: what has the form of an API key becomes asterisks. */
function withoutKeys(path: string): string {
  const isKey = /^[^/]{16,}$/
  return path
    .split("/")
    .map((segment) => (isKey.test(segment) ? "******" : segment))
    .join("/")
}

/** An answer as a web response. */
export function webResponseOf(answer: ErrorResponse): Response {
  return new Response(JSON.stringify(answer.body), {
    status: answer.status,
    headers: { ...answerHeaders, "Content-Type": "application/json", ...answer.headers },
  })
}
