/** Access log: a line for each answered request, if the setting asks for it. */

import type { Logger } from "../../base/log.ts"
import type { LiveSettings } from "./live-settings.ts"

/** A request that was answered. The path is not in it, since it may contain an API key. */
export interface AccessEntry {
  readonly requestId: string
  readonly method: string
  /** Pattern of the route. */
  readonly route: string
  readonly status: number
  /** Null if a request was refused by its head. */
  readonly durationMs: number | null
  /** -1 for none. */
  readonly tenant: number
  /** E-mail of the user; null for none. */
  readonly principal: string | null
  readonly address?: string | undefined
}

export class AccessLog {
  private readonly log: Pick<Logger, "info">
  private readonly live: Pick<LiveSettings, "accessLog">

  constructor(log: Pick<Logger, "info">, live: Pick<LiveSettings, "accessLog">) {
    this.log = log
    this.live = live
  }

  /** Whether requests with this status have a line. */
  shows(status: number): boolean {
    const { accessLog } = this.live
    return accessLog !== "off" && (status >= 400 || accessLog === "all")
  }

  write({ tenant, principal, durationMs, ...entry }: AccessEntry): void {
    const who = { ...(tenant < 0 ? {} : { tenant }), ...(principal === null ? {} : { principal }) }
    const took = durationMs === null ? {} : { durationMs: Math.round(durationMs * 10) / 10 }
    this.log.info({ ...entry, ...who, ...took }, "request")
  }
}
