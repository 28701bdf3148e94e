/**
 * Reports to the service manager that started the server (sd_notify(3), `Type=notify`): that it is
 * ready, reloads, stops, and, if the unit has `WatchdogSec=`, that it is alive. Without
 * `NOTIFY_SOCKET` nothing is sent.
 *
 *   start ── EXTEND_TIMEOUT_USEC every 10 s ──► READY=1 ── WATCHDOG=1 ──► STOPPING=1 ── EXTEND…
 */

import type { Logger } from "../../base/log.ts"
import type { Notify } from "../../runtime/notify-socket.ts"

type Variables = Record<string, string | undefined>

export interface ServiceManagerDeps {
  /** `null`: no service manager waits for messages. */
  readonly notify: Notify | null
  /** Silence after which the manager ends this process; `null` without a watchdog. */
  readonly watchdogMs: number | null
  /** Microseconds of CLOCK_MONOTONIC. */
  readonly monotonicUs: () => bigint
  readonly repeat: (callback: () => void, everyMs: number) => () => void
  readonly log: Pick<Logger, "warn">
}

/** The server, as far as the watchdog needs it. */
export interface Watched {
  readonly url: string
  /** Resolves when the thread that stores samples has answered; rejects if it failed. */
  ping(): Promise<unknown>
  /** Why the server is not ready; empty if it is. */
  notReady(): readonly string[]
}

/**
 * While the server starts or stops, each message gives it this much more time: replaying a large
 * log and checking a store after a crash may take longer than the unit's own limit.
 */
const extensionMs = 30_000
const extendEveryMs = 10_000

/**
 * The time of the watchdog in milliseconds, `null` without one for this process. Removes the
 * variables, so that no child reports for it.
 */
export function takeWatchdog(env: Variables, pid: number): number | null {
  const { WATCHDOG_USEC: text, WATCHDOG_PID: owner } = env
  delete env["WATCHDOG_USEC"]
  delete env["WATCHDOG_PID"]
  const isOurs = owner === undefined || owner === String(pid)
  // systemd writes it; a value that cannot be taken is no reason not to start.
  return isOurs && text !== undefined && /^[1-9]\d{3,17}$/.test(text) ? Number(text) / 1000 : null
}

export class ServiceManager {
  private readonly deps: ServiceManagerDeps
  private endRepeating: () => void = () => {}
  private isPinging = false
  private hasFailed = false
  private isStopping = false

  constructor(deps: ServiceManagerDeps) {
    this.deps = deps
  }

  starting(): void {
    this.extend(["STATUS=Starting: the store is opened and checked"])
  }

  /** From now on the watchdog's messages depend on `server`, unless a signal stops it already. */
  ready(server: Watched): void {
    if (this.isStopping) return
    this.endRepeating()
    this.send(["READY=1", statusOf(server)])
    const { notify, watchdogMs, repeat } = this.deps
    if (notify === null || watchdogMs === null) return
    this.endRepeating = repeat(() => void this.beat(server), watchdogMs / 2)
  }

  /** Brackets a reload, which is synchronous. */
  reloading(reload: () => void): void {
    this.send(["RELOADING=1", `MONOTONIC_USEC=${this.deps.monotonicUs()}`])
    try {
      reload()
    } finally {
      this.send(["READY=1"])
    }
  }

  stopping(): void {
    this.isStopping = true
    this.endRepeating()
    this.extend(["STOPPING=1", "STATUS=Stopping: requests in flight are answered"])
  }

  /**
   * Reports that the server is alive: this thread runs its timers, and the thread that stores
   * samples answers. Reports nothing while an earlier ping is unanswered, so that the manager
   * restarts a server of which either hangs.
   */
  private async beat(server: Watched): Promise<void> {
    if (this.isPinging) return
    this.isPinging = true
    try {
      await server.ping()
      this.send(["WATCHDOG=1", statusOf(server)])
    } catch (err) {
      this.deps.log.warn({ err }, "the watchdog got no answer from the thread that stores samples")
    } finally {
      this.isPinging = false
    }
  }

  private extend(lines: readonly string[]): void {
    if (this.deps.notify === null) return
    const more = `EXTEND_TIMEOUT_USEC=${extensionMs * 1000}`
    this.send([...lines, more])
    this.endRepeating = this.deps.repeat(() => this.send([more]), extendEveryMs)
  }

  /** A manager that cannot be reached is logged once: the server can serve without it. */
  private send(lines: readonly string[]): void {
    try {
      this.deps.notify?.(lines)
    } catch (err) {
      if (!this.hasFailed) this.deps.log.warn({ err }, "the service manager cannot be notified")
      this.hasFailed = true
    }
  }
}

/** The line of `systemctl status`; reasons may quote a foreign text. */
function statusOf(server: Watched): string {
  const [reason] = server.notReady()
  const text = reason === undefined ? `Listening on ${server.url}` : `Not ready: ${reason}`
  return `STATUS=${text.replaceAll(/\s+/g, " ")}`
}
