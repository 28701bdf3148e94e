/** The demonstration's side of the API: posts bodies and asks for statistics. */

import type { Statistics } from "../../src/model/statistics.ts"
import type { Span } from "../../src/model/span.ts"
import { formatInstant } from "../../src/base/iso8601.ts"
import { unreachableCause } from "../../src/command/text/unreachable.ts"

export interface DemoAddress {
  /** Without a slash at its end. */
  readonly url: string
  readonly user: string
  readonly password: string
  readonly apiKey: string
}

/** An error that the user of a demonstration sees as one line, without a stack. */
export class DemoError extends Error {
  override readonly name = "DemoError"
}

interface DemoClientOptions {
  readonly address: DemoAddress
  readonly fetch: typeof fetch
  readonly wait: (ms: number) => Promise<unknown>
  readonly signal: AbortSignal
}

export interface ElementStatistics {
  readonly elementId: string
  readonly statistics: Statistics
}

/** How often a post is tried if the server says that its queue is full. */
const attemptsMax = 10

export class DemoClient {
  private readonly options: DemoClientOptions

  constructor(options: DemoClientOptions) {
    this.options = options
  }

  /** Posts one body. Trying again is safe: a server takes the same samples once. */
  async post(json: string): Promise<void> {
    const { address, wait } = this.options
    const url = `${address.url}/ingest/${encodeURIComponent(address.apiKey)}`
    const headers = { "Content-Type": "application/json" }
    for (let attempt = 1; ; attempt++) {
      const response = await this.send(url, { method: "POST", headers, body: json })
      if (response.status === 202) {
        await response.arrayBuffer()
        return
      }
      if (response.status !== 503 || attempt === attemptsMax)
        throw await refusal("a post", response)
      await wait(1000 * Number(response.headers.get("Retry-After") ?? 1))
    }
  }

  /** Statistics of every element's raw samples of one metric. */
  async statistics(metricFqn: string, span: Span): Promise<ElementStatistics[]> {
    const parameters = new URLSearchParams({
      fqn: metricFqn,
      rollup: "ZERO",
      startTime: formatInstant(span.startMs),
      endTime: formatInstant(span.endMs),
    })
    const answer = (await this.ask(`/metrics/statistics?${parameters}`)) as {
      metrics: ElementStatistics[]
    }
    return answer.metrics
  }

  /** The UUID of an element by its name. */
  async elementId(fqn: string): Promise<string> {
    const answer = (await this.ask(`/elements/${fqn}`)) as { element: { id: string } }
    return answer.element.id
  }

  /** The server's clock, epoch milliseconds. */
  async timeMs(): Promise<number> {
    return ((await this.ask("/time")) as { epochMillis: number }).epochMillis
  }

  /** Start of the newest closed cycle. */
  async lastClosedMs(): Promise<number> {
    const { cycle } = (await this.ask("/status")) as { cycle: { lastClosed: string } }
    return Date.parse(cycle.lastClosed)
  }

  /** The JSON of an answer. */
  ask(path: string): Promise<unknown> {
    return this.call(path, {})
  }

  /** Creates a record; the JSON of the answer. */
  create(path: string, body: object): Promise<unknown> {
    const headers = { "Content-Type": "application/json" }
    return this.call(path, { method: "POST", headers, body: JSON.stringify(body) })
  }

  private async call(path: string, request: RequestInit): Promise<unknown> {
    const { url, user, password } = this.options.address
    const credentials = Buffer.from(`${user}:${password}`).toString("base64")
    const headers = { ...request.headers, Authorization: `Basic ${credentials}` }
    const response = await this.send(url + path, { ...request, headers })
    if (!response.ok) throw await refusal(path, response)
    return response.json()
  }

  private async send(url: string, request: RequestInit): Promise<Response> {
    const { signal } = this.options
    try {
      return await this.options.fetch(url, { ...request, signal })
    } catch (cause) {
      if (signal.aborted) throw new DemoError("interrupted")
      const why = unreachableCause(cause)
      throw new DemoError(`Cannot reach ${this.options.address.url}: ${why}`, { cause })
    }
  }
}

async function refusal(what: string, response: Response): Promise<DemoError> {
  const text = (await response.text()).slice(0, 1000)
  return new DemoError(`The server answered ${response.status} to ${what}: ${text}`)
}
