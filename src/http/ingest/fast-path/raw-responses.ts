/** Raw responses: the text of HTTP/1.1 responses, the same that node:http would send. */

import { STATUS_CODES } from "node:http"
import type { Clock } from "../../../base/clock.ts"
import { DateHeader } from "../../shared/date-header.ts"
import type { ErrorResponse } from "../../shared/errors.ts"
import { hstsValue, type LiveSettings } from "../../shared/live-settings.ts"
import { answerHeaderLines } from "../../shared/reply.ts"
import { requestIdHeader } from "../../shared/request-ids.ts"

/** The texts are ASCII except for the body of an error, which may quote the request. */
export class RawResponses {
  private readonly dateHeader: DateHeader
  private readonly live: Pick<LiveSettings, "hstsMs">
  private readonly keepAlive: string
  private date = ""
  private emptyAccepted = ""

  constructor(clock: Clock, keepAliveTimeoutMs: number, live: Pick<LiveSettings, "hstsMs">) {
    this.live = live
    this.dateHeader = new DateHeader(clock)
    const seconds = Math.floor(keepAliveTimeoutMs / 1000)
    this.keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n`
  }

  /**
   * A 202. It has a request id only if the client sent one: the text of a head of its own would
   * cost each post 0.5 µs more than the shared one, and no log line would have its id.
   */
  accepted(
    body: string | null,
    { isLast, requestId }: { readonly isLast: boolean; readonly requestId: string | null },
  ): string {
    this.refreshDate()
    if (body === null && !isLast && requestId === null) return this.emptyAccepted
    const id = requestId === null ? {} : { [requestIdHeader]: requestId }
    const headers = { ...id, ...(body === null ? {} : jsonType) }
    return this.format(202, headers, { body: body ?? "", isLast })
  }

  refused(response: ErrorResponse, isLast: boolean): string {
    this.refreshDate()
    const id = { [requestIdHeader]: response.body.requestId }
    const headers = { ...id, ...response.headers, ...jsonType }
    return this.format(response.status, headers, { body: JSON.stringify(response.body), isLast })
  }

  private refreshDate(): void {
    const date = this.dateHeader.value()
    if (date === this.date) return
    this.date = date
    this.emptyAccepted = this.format(202, {}, { body: "", isLast: false })
  }

  private format(
    status: number,
    headers: Readonly<Record<string, string>>,
    { body, isLast }: { body: string; isLast: boolean },
  ): string {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const connection = isLast ? "Connection: close\r\n" : this.keepAlive
    const hsts = hstsValue(this.live)
    const security = hsts === null ? "" : `Strict-Transport-Security: ${hsts}\r\n`
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
    const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
    return (
      `${first}Date: ${this.date}\r\n${security}${connection}` +
      `${answerHeaderLines}${lines.join("")}${length}\r\n${body}`
    )
  }
}

const jsonType = { "Content-Type": "application/json" }
