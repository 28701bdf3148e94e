/**
 * Uses the certificate of the server again when its files change. Programs that renew it write the
 * two files one after the other, some through symbolic links; so the content is compared, and a
 * pair that does not fit is logged only if it is still the same at the next look.
 */

import type { Clock } from "../../base/clock.ts"
import type { Logger } from "../../base/log.ts"
import type { TlsMaterial } from "../../http/http.ts"
import type { LoadedCertificate, TlsPaths } from "../startup/certificate.ts"

interface CertificateWatchDeps {
  readonly load: (paths: TlsPaths) => LoadedCertificate
  readonly use: (material: TlsMaterial) => void
  readonly clock: Pick<Clock, "nowMs">
  readonly log: Pick<Logger, "info" | "warn">
  /** Calls back again and again; returns a function that ends it. */
  readonly repeat: (callback: () => void, everyMs: number) => () => void
}

/** A renewed certificate is valid for days before the old one ends; reading two files is cheap. */
const certificateLookMs = 10_000
const dayMs = 86_400_000
/** An expiring certificate is logged from this time on, once a day. */
const expiryWarningMs = 14 * dayMs

export class CertificateWatch {
  private readonly deps: CertificateWatchDeps
  private paths: TlsPaths
  private inUse: LoadedCertificate
  /** Problem of the last look; null if there was none. */
  private problem: string | null = null
  private loggedProblem: string | null = null
  private warnedOfExpiryMs = -Infinity
  private end = (): void => {}

  /** `inUse` was loaded from `paths`. */
  constructor(paths: TlsPaths, inUse: LoadedCertificate, deps: CertificateWatchDeps) {
    this.paths = paths
    this.inUse = inUse
    this.deps = deps
  }

  /** When the certificate in use expires; epoch milliseconds. */
  get validToMs(): number {
    return this.inUse.validToMs
  }

  start(): void {
    this.warnOfExpiry()
    this.end = this.deps.repeat(() => this.look(), certificateLookMs)
  }

  stop(): void {
    this.end()
  }

  /** Reads the files at `paths` now; a problem is logged immediately. */
  reload(paths: TlsPaths): void {
    this.paths = paths
    this.look()
    if (this.problem !== null) this.logProblem(this.problem)
  }

  private look(): void {
    const problem = this.tryLoad()
    if (problem !== null && problem === this.problem) this.logProblem(problem)
    if (problem === null) this.loggedProblem = null
    this.problem = problem
    this.warnOfExpiry()
  }

  /** Uses the files if they have changed; the problem if they cannot be used. */
  private tryLoad(): string | null {
    try {
      const loaded = this.deps.load(this.paths)
      const { cert, key } = this.inUse
      if (loaded.cert === cert && loaded.key === key) return null
      if (loaded.validToMs < this.deps.clock.nowMs()) {
        return `--tls-cert: "${this.paths.certPath}" has expired`
      }
      this.deps.use(loaded)
      this.inUse = loaded
      this.warnedOfExpiryMs = -Infinity
      this.deps.log.info({ validTo: isoOf(loaded) }, "a new certificate is in use")
      return null
    } catch (error) {
      return (error as Error).message
    }
  }

  private logProblem(problem: string): void {
    if (problem === this.loggedProblem) return
    this.loggedProblem = problem
    this.deps.log.warn({ problem }, "the certificate was not replaced: the one before stays in use")
  }

  private warnOfExpiry(): void {
    const nowMs = this.deps.clock.nowMs()
    const isNear = this.inUse.validToMs - nowMs < expiryWarningMs
    if (!isNear || nowMs - this.warnedOfExpiryMs < dayMs) return
    this.warnedOfExpiryMs = nowMs
    const validTo = isoOf(this.inUse)
    this.deps.log.warn({ validTo }, "the certificate expires soon or has expired")
  }
}

function isoOf({ validToMs }: LoadedCertificate): string {
  return new Date(validToMs).toISOString()
}
