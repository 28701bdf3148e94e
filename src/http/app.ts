/**
 * App: the routes beside ingest. A handler authenticates, gathers raw parameters, asks the query
 * room, and sends the bytes that it answered; parameters are read and judged there.
 */

import { Hono } from "hono"
import type { Context } from "hono"
import type { HttpBindings } from "@hono/node-server"
import type { Accounts, Identity } from "../accounts/accounts.ts"
import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"
import type { AskKind, AskRequest } from "../query/query.ts"
import { answerOf, methodAnswer, notReadyAnswer } from "./errors.ts"
import type { Answer, FailureNames } from "./errors.ts"
import { readJson } from "./json-body.ts"
import type { HttpLimits } from "./limits.ts"
import { isLocal } from "./local.ts"

export interface AppOptions {
  readonly accounts: Pick<Accounts, "authenticate">
  /**
   * Answers a question with finished JSON; throws a `ServiceError` for what the caller got wrong.
   */
  readonly ask: (request: AskRequest) => Promise<Uint8Array>
  /** Why the server cannot serve now, one sentence a problem; empty where it can. */
  readonly health: () => readonly string[]
  readonly metrics: {
    readonly contentType: string
    text(): Promise<string>
    /** `route` is one of the paths below, never what was sent. */
    countRequest(route: string, status: number): void
  }
  readonly clock: Clock
  readonly failures: FailureNames
  readonly limits: HttpLimits
}

type Handler = (context: AppContext, options: AppOptions) => Promise<Response>
type AppContext = Context<{ Bindings: HttpBindings }>

interface Route {
  readonly path: string
  readonly GET?: Handler
  readonly POST?: Handler
}

const samplesPath = "/elements/:elementId/metrics/:metricId/samples"

/** Every path that the app knows; other methods of these are 405. */
const routes: readonly Route[] = [
  { path: "/metrics/statistics", GET: asking("statistics"), POST: asking("statistics") },
  { path: "/metrics/search/metricQuery", POST: asking("metricQuery") },
  { path: "/metrics/elasticsearch/metricQuery", POST: asking("metricQuery") },
  { path: "/metrics/fqns", GET: asking("fqns") },
  { path: "/metrics/internal", GET: internalMetrics },
  { path: samplesPath, GET: asking("samples") },
  { path: `/ui${samplesPath}`, GET: asking("samples", { ui: ["true"] }) },
  { path: "/elements/:elementId", GET: asking("element") },
  { path: "/health/live", GET: live },
  { path: "/health/ready", GET: ready },
  { path: "/time", GET: time },
]

/** The app; a trailing slash is accepted on every path. */
export function createApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false })
  for (const route of routes) addRoute(app, route, options)
  app.notFound(() => {
    options.metrics.countRequest("unknown", 404)
    return responseOf(unknownPath(options))
  })
  app.onError((error) => responseOf(answerOf(error, options.clock.nowMs(), options.failures)))
  return app
}

function addRoute(app: Hono<{ Bindings: HttpBindings }>, route: Route, options: AppOptions): void {
  const { path, GET, POST } = route
  const handle = (handler: Handler) => async (context: AppContext) => {
    const response = await respond(handler, context, options)
    options.metrics.countRequest(path, response.status)
    return response
  }
  const allow = [...(GET ? ["GET", "HEAD"] : []), ...(POST ? ["POST"] : [])].join(", ")
  if (GET !== undefined) app.get(path, handle(GET))
  if (POST !== undefined) app.post(path, handle(POST))
  app.all(
    path,
    handle(async () => responseOf(methodAnswer(allow, options.clock.nowMs()))),
  )
}

async function respond(
  handler: Handler,
  context: AppContext,
  options: AppOptions,
): Promise<Response> {
  try {
    return await handler(context, options)
  } catch (error) {
    return responseOf(answerOf(error, options.clock.nowMs(), options.failures))
  }
}

function unknownPath({ clock, failures }: AppOptions): Answer {
  // The path is not repeated: it may hold an API key.
  return answerOf(new ServiceError("missing", "Expected a known path"), clock.nowMs(), failures)
}

/** An answer as a web response. */
export function responseOf(answer: Answer): Response {
  return new Response(JSON.stringify(answer.body), {
    status: answer.status,
    headers: { "Content-Type": "application/json", ...answer.headers },
  })
}

function asking(kind: AskKind, extra: Readonly<Record<string, readonly string[]>> = {}): Handler {
  return async (context, options) => {
    const { tenant } = await authenticate(context, options)
    const request = context.req.raw
    const body = context.req.method === "POST" ? await readJson(request, options.limits) : null
    const params = { ...paramsOf(context), ...extra }
    const nowMs = options.clock.nowMs()
    const bytes = await options.ask({ kind, tenant, params, body, nowMs })
    const headers = { "Content-Type": "application/json" }
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
  }
}

function authenticate(context: AppContext, { accounts }: AppOptions): Promise<Identity> {
  return accounts.authenticate(context.req.header("authorization"))
}

/** All query parameters with all their values; names from the path win over them. */
function paramsOf(context: AppContext): Record<string, string[]> {
  const params = new Map<string, string[]>()
  for (const [name, value] of new URL(context.req.url).searchParams) {
    const values = params.get(name)
    if (values === undefined) params.set(name, [value])
    else values.push(value)
  }
  for (const [name, value] of Object.entries(context.req.param())) params.set(name, [value])
  return Object.fromEntries(params)
}

async function internalMetrics(context: AppContext, options: AppOptions): Promise<Response> {
  // A scraper on the same machine needs no password; everybody else does.
  if (!isLocal(context.env?.incoming)) await authenticate(context, options)
  const text = await options.metrics.text()
  return new Response(text, { headers: { "Content-Type": options.metrics.contentType } })
}

async function live(context: AppContext): Promise<Response> {
  return context.json({ status: "live" })
}

async function ready(context: AppContext, { health, clock }: AppOptions): Promise<Response> {
  const problems = health()
  if (problems.length > 0) return responseOf(notReadyAnswer(problems, clock.nowMs()))
  return context.json({ status: "ready" })
}

/** Agents compare their clock with the Date header of `HEAD /time`. */
async function time(context: AppContext, { clock }: AppOptions): Promise<Response> {
  const nowMs = clock.nowMs()
  const iso8601DateTime = new Date(nowMs).toISOString()
  return context.json({ serverTimestamp: nowMs, iso8601DateTime })
}
