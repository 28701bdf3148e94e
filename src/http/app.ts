/**
 * App: serves the route table, which is all routes except ingest. For each request it
 * authenticates, checks the right, reads the JSON body, calls the handler and serializes the reply.
 * Thrown errors become responses of one shape.
 */

import { Hono } from "hono"
import type { IncomingMessage } from "node:http"
import type { HttpBindings } from "@hono/node-server"
import type { Principal } from "../accounts/accounts.ts"
import { ServiceError } from "../base/errors.ts"
import type { AuditEvent } from "../model/records/audit.ts"
import { auditedRequest, changeFact, refusalFact, type AuditedRequest } from "./api/auditing.ts"
import { noteFeatureUse } from "./api/feature-use.ts"
import { errorResponseOf, methodNotAllowedResponse } from "./shared/errors.ts"
import type { ErrorResponse, ErrorIds } from "./shared/errors.ts"
import { readJson } from "./api/json-body.ts"
import { sendReply, webReplyOf, webResponseOf, type AppContext } from "./api/send-reply.ts"
import type { HttpLimits } from "./shared/limits.ts"
import type { AnswerMemory } from "../base/answer-memory.ts"
import type { QueryClient } from "../query/query.ts"
import { disconnectSignal } from "./shared/client-disconnect.ts"
import { isLoopbackRequest } from "./shared/is-loopback.ts"
import type { LiveSettings, MetricsAccess } from "./shared/live-settings.ts"
import { requireSameOrigin } from "./shared/origin.ts"
import { answerHeaders } from "./shared/reply.ts"
import { methods } from "./shared/route.ts"
import type { Access, Call, Operation, Route, RouteDeps } from "./shared/route.ts"
import { allRoutes } from "./api/routes/route-table.ts"
import { refuseUnknownParameters } from "./api/unknown-parameters.ts"
import { shown } from "../wire/problems.ts"
import type { TenantIndex } from "../model/ids.ts"

export interface AppDeps extends RouteDeps {
  readonly errorIds: ErrorIds
  readonly limits: HttpLimits
  /** Counts the bytes of answers until their connections have read them. */
  readonly memory: AnswerMemory
  /** Public address of the server; null if it is not set. */
  readonly baseUrl: string | null
  /** Whether clients reach this server over TLS of its own. */
  readonly isSecure: boolean
  readonly live: Pick<LiveSettings, "metricsAccess">
}

/** The app; a trailing slash is accepted on every path. */
export function createApp(deps: AppDeps): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false })
  for (const route of allRoutes) addRoute(app, route, deps)
  const unknown = (context: AppContext): Response => {
    deps.metrics.countRequest("unknown", 404)
    return webResponseOf(unknownPath(context.req.path, deps))
  }
  app.get("/", (context) => (wantsJson(context) ? unknown(context) : toDocs(deps)))
  app.notFound(unknown)
  app.onError((error) => webResponseOf(errorResponseOf(error, deps.clock.nowMs(), deps.errorIds)))
  return app
}

function addRoute(app: Hono<{ Bindings: HttpBindings }>, route: Route, deps: AppDeps): void {
  const { path, operations } = route
  const counted = (response: Response, startedMs?: number): Response => {
    deps.metrics.countRequest(path, response.status, startedMs)
    return response
  }
  for (const method of methods) {
    const operation = operations[method]
    if (operation === undefined) continue
    app.on(method, path, async (context) => {
      const startedMs = deps.metrics.startRequest()
      const audited = auditedRequest(operation, { method, path, ...remoteOf(context) })
      return counted(await respond({ operation, audited }, context, deps), startedMs)
    })
  }
  const allow = allowOf(route)
  app.all(path, () => counted(webResponseOf(methodNotAllowedResponse(allow, deps.clock.nowMs()))))
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
  deps: AppDeps,
): Promise<Response> {
  const nowMs = deps.clock.nowMs()
  const record = (event: AuditEvent | null): void => {
    if (event !== null) deps.audit.record(event)
  }
  const who: Admitted = { identity: null, tenant: -1 }
  try {
    refuseForeign(operation, context, deps)
    await admit(operation.access, { context, who }, deps)
    const call = await callOf(operation, context, { deps, nowMs, who })
    const reply = await operation.handle(call, deps)
    record(changeFact(audited, call))
    // The operation has succeeded: a failure to record the feature must not change its response.
    await noteFeatureUse(call, reply, deps).catch(deps.errorIds.idOf)
    const { memory } = deps
    return sendReply(reply, context, { memory, tenant: call.tenant }) ?? webReplyOf(reply)
  } catch (error) {
    record(refusalFact(audited, error, who.identity))
    return webResponseOf(errorResponseOf(error, nowMs, deps.errorIds))
  }
}

function remoteOf({ env }: AppContext): { readonly remoteAddress: string | undefined } {
  return { remoteAddress: env?.incoming?.socket.remoteAddress }
}

/**
 * Refuses cross-site requests before credentials are checked, since browsers add credentials to
 * them. Paths with an API key use none, and services that call a webhook may send any header.
 */
function refuseForeign({ access }: Operation, { req }: AppContext, own: AppDeps): void {
  if (access === "key" || req.method === "GET" || req.method === "HEAD") return
  const [site, origin, host] = ["sec-fetch-site", "origin", "host"].map((name) => req.header(name))
  requireSameOrigin({ site, origin, host }, own)
}

async function callOf(
  operation: Operation,
  context: AppContext,
  { deps, nowMs, who }: { deps: AppDeps; nowMs: number; who: Admitted },
): Promise<Call> {
  const path = context.req.param() as Record<string, string>
  const { identity, tenant } = who
  const request = context.req.raw
  const query = queryOf(request.url)
  refuseUnknownParameters(operation, query)
  const isJson = operation.body?.kind === "json"
  const body = isJson ? await readJson(request, deps.limits) : null
  const { incoming } = context.env ?? {}
  const requester = requesterOf(context, identity, tenant)
  return { identity, tenant, requester, path, query, body, nowMs, request, incoming }
}

/** One query user for all API keys of a tenant; an e-mail address has no brackets. */
const keyHolders = "(keys)"

function requesterOf(
  context: AppContext,
  identity: Principal | null,
  tenant: TenantIndex,
): QueryClient {
  const { incoming, outgoing } = context.env ?? {}
  const hasSocket = incoming !== undefined && outgoing !== undefined
  const signal = hasSocket ? disconnectSignal(incoming, outgoing) : undefined
  return { tenant, user: identity?.user ?? keyHolders, signal }
}

/** The principal of a request; completed by `admit`. */
interface Admitted {
  identity: Principal | null
  tenant: TenantIndex
}

/** Authenticates a request if its operation requires it. Throws if the caller lacks the right. */
async function admit(
  access: Access,
  { context, who }: { readonly context: AppContext; readonly who: Admitted },
  { accounts, live }: AppDeps,
): Promise<void> {
  if (access === "anyone") return
  if (access === "local" && isOpen(live.metricsAccess, context.env?.incoming)) return
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
