/**
 * The API client: sends a call with the login cookie, decodes the answer by a schema, and turns
 * every failure into one of three errors. A page shows what these say.
 */

import { signal, type ReadonlySignal } from "@preact/signals"
import * as v from "valibot"
import { readPieces } from "../platform/pieces.ts"
import type { Send } from "../platform/send.ts"

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface ApiCall<T> {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE"
  /** Parts of the path; each is encoded. */
  readonly path: readonly (string | number)[]
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: unknown
  /** Of the answer; null if it has no body. */
  readonly schema: v.GenericSchema<unknown, T> | null
  readonly signal?: AbortSignal
}

/** The server answered with an error. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly status: number
  /** Problems that the server reports, one sentence each; never empty. */
  readonly sentences: readonly string[]
  /** Seconds after which a retry may help; null if the server does not say. */
  readonly retrySeconds: number | null

  constructor(status: number, sentences: readonly string[], retrySeconds: number | null) {
    super(sentences.join(" "))
    this.status = status
    this.sentences = sentences
    this.retrySeconds = retrySeconds
  }
}

/** The server could not be reached. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError"
}

/** The answer is not what this version of the page expects: `message` names the field. */
export class AnswerError extends Error {
  override readonly name = "AnswerError"
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError"
}

const problemSchema = v.object({ errors: v.pipe(v.array(v.string()), v.nonEmpty()) })

export class ApiClient {
  private readonly servicePath: string
  private readonly send: Send
  private readonly refusals = signal(0)
  private readonly waiting = signal(0)
  private readonly answers = signal(0)

  /** `servicePath` is the path of the service without a last slash. */
  constructor(servicePath: string, send: Send) {
    this.servicePath = servicePath
    this.send = send
  }

  /** Number of calls that were refused because the session is not, or no longer, valid. */
  get signedOutCount(): ReadonlySignal<number> {
    return this.refusals
  }

  /** Number of calls that wait for their answers; a stream does not. */
  get waitingCount(): ReadonlySignal<number> {
    return this.waiting
  }

  /** Number of answers that have begun, whatever they say. */
  get answerCount(): ReadonlySignal<number> {
    return this.answers
  }

  /** Address of a call, for links and downloads. */
  addressOf(path: readonly (string | number)[], query: Query = {}): string {
    const parts = path.map((part) => encodeURIComponent(part)).join("/")
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const texts = given.map(([name, value]): [string, string] => [name, String(value)])
    const text = new URLSearchParams(texts).toString()
    return `${this.servicePath}/${parts}${text === "" ? "" : `?${text}`}`
  }

  /** The decoded answer. Throws `ApiError`, `ConnectionError`, `AnswerError`, or an `AbortError`. */
  async call<T>(call: ApiCall<T>): Promise<T> {
    this.waiting.value = this.waiting.peek() + 1
    try {
      const response = await this.respond(call)
      if (call.schema === null) return undefined as T
      return decode(call.schema, await readJson(response), call.path)
    } finally {
      this.waiting.value = this.waiting.peek() - 1
    }
  }

  /** Calls back with the pieces of a stream of events that begins after `lastId`, until it ends. */
  async pieces(
    call: ApiCall<null>,
    lastId: string | null,
    onText: (text: string) => void,
  ): Promise<void> {
    const last: Record<string, string> = lastId === null ? {} : { "Last-Event-ID": lastId }
    await readPieces(await this.respond(call, { Accept: "text/event-stream", ...last }), onText)
  }

  private async respond<T>(
    call: ApiCall<T>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { method = "GET", path, query, body, signal: abort } = call
    const headers: Record<string, string> = {
      Accept: "application/json",
      "X-Tidegauge-Request": "1",
      ...more,
    }
    if (body !== undefined) headers["Content-Type"] = "application/json"
    const response = await this.reach({
      method,
      url: this.addressOf(path, query),
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: abort ?? null,
    })
    this.answers.value = this.answers.peek() + 1
    if (response.ok) return response
    const error = await errorOf(response)
    if (error.status === 401) this.refusals.value++
    throw error
  }

  private async reach(request: Parameters<Send>[0]): Promise<Response> {
    try {
      return await this.send(request)
    } catch (error) {
      if (isAborted(error)) throw error
      throw new ConnectionError("The server cannot be reached", { cause: error })
    }
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (isAborted(error)) throw error
    throw new ConnectionError("The answer ended before it was complete", { cause: error })
  }
}

function decode<T>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  path: ApiCall<T>["path"],
): T {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const field = issue.path?.map(({ key }) => String(key)).join(".") ?? "the answer"
  throw new AnswerError(`/${path.join("/")}: ${field}: ${issue.message}`)
}

async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const retry = Number(headers.get("Retry-After") ?? NaN)
  const retrySeconds = Number.isFinite(retry) ? retry : null
  const body: unknown = await response.json().catch(() => null)
  const problem = v.safeParse(problemSchema, body)
  const sentences = problem.success ? problem.output.errors : [`The server answered ${status}`]
  return new ApiError(status, sentences, retrySeconds)
}
