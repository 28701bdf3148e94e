/**
 * App: serves the route table, which is all routes except ingest. For each request it
 * authenticates, checks the right, reads the JSON body, calls the handler and serializes the reply.
 * Thrown errors become responses of one shape.
 */

import { Hono } from "hono"
import type { HttpBindings } from "@hono/node-server"
import type { Principal } from "../accounts/accounts.ts"
import { ServiceError } from "../base/errors.ts"
import type { AuditEvent } from "../model/records/audit.ts"
import { auditedRequest, changeFact, refusalFact, type AuditedRequest } from "./api/auditing.ts"
import { authorize, isPageCall, refuseForeign, withoutChallenge } from "./api/authorize.ts"
import type { RequestCaller } from "./api/authorize.ts"
import { noteFeatureUse } from "./api/feature-use.ts"
import { errorResponseOf, methodNotAllowedResponse } from "./shared/errors.ts"
import type { ErrorContext, ErrorResponse } from "./shared/errors.ts"
import { requestIdHeader, type RequestIds } from "./shared/request-ids.ts"
import { readJson } from "./api/json-body.ts"
import { sendReply, webReplyOf, webResponseOf, type AppContext } from "./api/send-reply.ts"
import type { HttpLimits } from "./shared/limits.ts"
import type { AnswerMemory } from "../base/answer-memory.ts"
import type { QueryClient } from "../query/query.ts"
import { disconnectSignal } from "./shared/client-disconnect.ts"
import type { AddressSource } from "./live/trusted-proxies.ts"
import type { AccessLog } from "./shared/access-log.ts"
import type { LiveSettings } from "./shared/live-settings.ts"
import { addPageRoutes } from "./pages/page-routes.ts"
import { answerHeaders } from "./shared/reply.ts"
import { methods } from "./shared/route.ts"
import type { Call, Operation, Route, RouteDeps } from "./shared/route.ts"
import { allRoutes } from "./api/routes/route-table.ts"
import { refuseUnknownParameters } from "./api/unknown-parameters.ts"
import { shown } from "../wire/problems.ts"
import type { TenantIndex } from "../model/ids.ts"

export interface AppDeps extends RouteDeps {
  readonly requestIds: RequestIds
  readonly access: Pick<AccessLog, "shows" | "write">
  readonly limits: HttpLimits
  /** Counts the bytes of answers until their connections have read them. */
  readonly memory: AnswerMemory
  /** Whether clients reach this server over TLS of its own. */
  readonly isSecure: boolean
  readonly live: Pick<LiveSettings, "metricsAccess" | "baseUrl">
  /** The address of the client of a request, as far as trusted proxies say. */
  readonly clientOf: (request: AddressSource) => string | undefined
}

/** The app; a trailing slash is accepted on every path. */
export function createApp(deps: AppDeps): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false })
  for (const route of allRoutes) addRoute(app, route, deps)
  const unknown = (context: AppContext): Response => {
    deps.metrics.countRequest("unknown", 404)
    return webResponseOf(unknownPath(context, deps))
  }
  addPageRoutes(app, deps)
  app.get("/", (context) => (wantsJson(context) ? unknown(context) : toPages(deps)))
  app.notFound(unknown)
  app.onError((error, context) => webResponseOf(errorOf(error, context, deps)))
  return app
}

function addRoute(app: Hono<{ Bindings: HttpBindings }>, route: Route, deps: AppDeps): void {
  const { path, operations } = route
  const counted = (response: Response): Response => {
    deps.metrics.countRequest(path, response.status)
    return response
  }
  for (const method of methods) {
    const operation = operations[method]
    if (operation === undefined) continue
    app.on(method, path, async (context) => {
      const startedMs = deps.metrics.startRequest()
      const audited = auditedRequest(operation, { method, path, ...remoteOf(context, deps) })
      const who: RequestCaller = { identity: null, session: null, tenant: -1 }
      const response = await respond({ operation, audited, who }, context, deps)
      note({ audited, who, startedMs }, statusOf(response, context), { context, deps })
      return response
    })
  }
  const allow = allowOf(route)
  app.all(path, (context) => {
    const answer = methodNotAllowedResponse(allow, errorContextOf(context, deps))
    return counted(webResponseOf(answer))
  })
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
  readonly who: RequestCaller
}

/** That of the response in progress if the reply was written to its connection directly. */
function statusOf(response: Response, { env }: AppContext): number {
  return env?.outgoing?.headersSent === true ? env.outgoing.statusCode : response.status
}

/** Counts and logs a request that was answered. */
function note(
  { audited, who, startedMs }: Omit<AuditedOperation, "operation"> & { startedMs: number },
  status: number,
  { context, deps }: { readonly context: AppContext; readonly deps: AppDeps },
): void {
  const { metrics, access } = deps
  const { method, path: route, remoteAddress: address } = audited
  metrics.countRequest(route, status, startedMs)
  if (!access.shows(status)) return
  const { requestId } = errorContextOf(context, deps)
  const durationMs = metrics.startRequest() - startedMs
  const { tenant, identity } = who
  const principal = identity?.user ?? null
  access.write({ requestId, method, route, status, durationMs, tenant, principal, address })
}

async function respond(
  { operation, audited, who }: AuditedOperation,
  context: AppContext,
  deps: AppDeps,
): Promise<Response> {
  const times = errorContextOf(context, deps)
  const record = (event: AuditEvent | null): void => {
    if (event !== null) deps.audit.record(event, times.requestId)
  }
  try {
    refuseForeign(operation, context, deps)
    await authorize(operation.access, { context, who }, deps)
    const call = await callOf(operation, context, { deps, times, who })
    const reply = await operation.handle(call, deps)
    record(changeFact(audited, call))
    // The operation has succeeded: a failure to record the feature must not change its response.
    await noteFeatureUse(call, reply, deps).catch((error: unknown) =>
      deps.requestIds.idOf(error, times.requestId),
    )
    const { memory } = deps
    return sendReply(reply, context, { memory, tenant: call.tenant }) ?? webReplyOf(reply)
  } catch (error) {
    record(refusalFact(audited, error, who.identity))
    const answer = errorResponseOf(error, times, deps.requestIds)
    return webResponseOf(isPageCall(context, deps) ? withoutChallenge(answer) : answer)
  }
}

/** The id is that of the response's head, which the node handler has set. */
function errorContextOf({ env, req }: AppContext, { clock, requestIds }: AppDeps): ErrorContext {
  const set = env?.outgoing?.getHeader(requestIdHeader)
  const requestId =
    typeof set === "string" ? set : requestIds.of({ "x-request-id": req.header(requestIdHeader) })
  return { nowMs: clock.nowMs(), requestId }
}

function errorOf(error: unknown, context: AppContext, deps: AppDeps): ErrorResponse {
  return errorResponseOf(error, errorContextOf(context, deps), deps.requestIds)
}

function remoteOf(
  { env }: AppContext,
  { clientOf }: Pick<AppDeps, "clientOf">,
): { readonly remoteAddress: string | undefined } {
  return { remoteAddress: env?.incoming === undefined ? undefined : clientOf(env.incoming) }
}

async function callOf(
  operation: Operation,
  context: AppContext,
  { deps, times, who }: { deps: AppDeps; times: ErrorContext; who: RequestCaller },
): Promise<Call> {
  const path = context.req.param() as Record<string, string>
  const { identity, session, tenant } = who
  const request = context.req.raw
  const query = queryOf(request.url)
  refuseUnknownParameters(operation, query)
  const isJson = operation.body?.kind === "json"
  const body = isJson ? await readJson(request, deps.limits) : null
  const { incoming } = context.env ?? {}
  const requester = { ...requesterOf(context, identity, tenant), requestId: times.requestId }
  const about = { ...times, request, incoming, ...remoteOf(context, deps) }
  return { identity, session, tenant, requester, path, query, body, ...about }
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

/** False for browsers and clients that accept anything, which are redirected to the pages. */
function wantsJson({ req }: AppContext): boolean {
  const accept = req.header("accept") ?? ""
  return accept.includes("json") && !accept.includes("text/html")
}

/** Relative, so that it stays below the path of a proxy. */
function toPages({ metrics }: AppDeps): Response {
  metrics.countRequest("/", 302)
  return new Response(null, { status: 302, headers: { ...answerHeaders, Location: "app/" } })
}

function unknownPath(context: AppContext, deps: AppDeps): ErrorResponse {
  const given = shown(withoutKeys(context.req.path))
  const problem = `Expected a known path, got ${given}; GET /docs/reference lists all`
  return errorOf(new ServiceError("missing", problem), context, deps)
}

/** Masks path segments that could be API keys, so that an error may repeat the path. */
function withoutKeys(path: string): string {
  const isKey = /^[^/]{16,}$/
  return path
    .split("/")
    .map((segment) => (isKey.test(segment) ? "******" : segment))
    .join("/")
}
