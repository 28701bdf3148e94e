/** A client of the HTTP API: keep-alive connections, every answer read to its end. */

import { Agent, request as openRequest } from "node:http"
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http"
import { validateResponse } from "./response-validator.ts"

interface ClientOptions {
  readonly url: string
  readonly apiKey: string
  readonly user: string
  readonly password: string
  /** Connections at most. */
  readonly connections?: number
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON, of the shape that the test expects; throws if it is none. */
  json<T>(): T
}

export interface Send {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  /** Bytes or text are sent as they are, everything else as JSON. */
  readonly body?: unknown
}

export type QueryParams = Readonly<Record<string, string | number | boolean | readonly string[]>>

export interface Client {
  /** Where the server is. */
  readonly url: string
  /** Of the account, for ingest. */
  readonly apiKey: string
  /** The e-mail address of the account's administrator. */
  readonly user: string
  /**
   * Any request, without credentials. Rejects if the connection ends before the answer does, and
   * for an answer that is not as the API description declares it.
   */
  send(path: string, send?: Send): Promise<Reply>
  /** Posts elements to the ingest endpoint. */
  ingest(body: unknown, headers?: OutgoingHttpHeaders): Promise<Reply>
  /** A GET with the administrator's credentials. */
  get(path: string, params?: QueryParams): Promise<Reply>
  /** A POST with the administrator's credentials. */
  post(path: string, body: unknown, params?: QueryParams): Promise<Reply>
  /** The value of an Authorization header. */
  readonly authorization: string
  close(): void
}

export function createClient(options: ClientOptions): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections ?? 16 })
  const { url, apiKey, user, password } = options
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
  const send = (path: string, one: Send = {}) => exchange(new URL(path, url), one, agent)
  const headers = { authorization }
  return {
    url,
    apiKey,
    user,
    send,
    authorization,
    ingest: (body, more = {}) =>
      send(`/ingest/${apiKey}`, { method: "POST", body, headers: { ...jsonHeaders, ...more } }),
    get: (path, params) => send(path + queryText(params), { headers }),
    post: (path, body, params) =>
      send(path + queryText(params), {
        method: "POST",
        body,
        headers: { ...jsonHeaders, ...headers },
      }),
    close: () => agent.destroy(),
  }
}

const jsonHeaders = { "content-type": "application/json" }

function queryText(params: QueryParams = {}): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly string[]) : [value]).map(
      (one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`,
    ),
  )
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

function exchange(url: URL, { method = "GET", headers = {}, body }: Send, agent: Agent) {
  const bytes = bodyBytes(body)
  return new Promise<Reply>((resolve, reject) => {
    const isChunked = headers["transfer-encoding"] !== undefined
    const length = bytes === null || isChunked ? {} : { "content-length": bytes.length }
    const sent = openRequest(url, { method, agent, headers: { ...length, ...headers } })
    sent.on("error", reject)
    sent.on("response", (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        if (isFirstEvent(response.headers, chunks)) response.push(null)
      })
      response.on("error", reject)
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode, headers: answered } = response
        const status = statusCode!
        const contentType = answered["content-type"]
        try {
          validateResponse({ method, path: url.pathname, status, contentType, text })
        } catch (problem) {
          reject(problem as Error)
        }
        resolve({ status, headers: answered, text, json: <T>() => JSON.parse(text) as T })
      })
    })
    sent.end(bytes ?? undefined)
  })
}

/** A stream of events does not end: its first one is the answer. */
function isFirstEvent(headers: IncomingHttpHeaders, chunks: readonly Buffer[]): boolean {
  return headers["content-type"] === "text/event-stream" && chunks.join("").includes("\nevent: ")
}

function bodyBytes(body: unknown): Buffer | null {
  if (body === undefined) return null
  if (typeof body === "string" || body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(JSON.stringify(body))
}
