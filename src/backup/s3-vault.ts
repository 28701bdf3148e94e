/**
 * A vault that is a prefix of a bucket, in S3 or what speaks its protocol. The only file that knows
 * s3mini.
 *
 * No object is larger than a manifest, some MB, so that each is one PUT, whole or absent. Every
 * answer to a PUT is compared with the checksum of what was sent. The operator names the endpoint,
 * so it may have a private address, as a mail server may.
 */

import { createHash } from "node:crypto"
import { S3mini, S3ServiceError } from "s3mini"
import { ServiceError } from "../base/errors.ts"
import type { BackupVault, VaultEntry } from "../store/backup-vault.ts"

export interface S3Settings {
  readonly bucket: string
  /** Of all objects, without slashes at its ends; may be empty. */
  readonly prefix: string
  /** The URL of the server, without the bucket. */
  readonly endpoint: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

export interface S3Deps {
  readonly pause: (ms: number) => Promise<void>
  /** Ends running calls, which then reject with the error `stopping`. */
  readonly signal?: AbortSignal
  /** Of one call, answer included. */
  readonly timeoutMs?: number
}

/** A chunk of 1 MiB at 20 kB/s. */
const timeoutMsDefault = 60_000
/** A server that restarts or throttles answers again within seconds. */
const attemptsMax = 5
const firstPauseMs = 500

export class S3Vault implements BackupVault {
  readonly name: string
  private readonly client: S3mini
  private readonly prefix: string
  private readonly deps: S3Deps

  constructor(settings: S3Settings, deps: S3Deps) {
    const { bucket, prefix, endpoint, region, accessKey, secretKey } = settings
    this.prefix = prefix === "" ? "" : `${prefix}/`
    this.name = `s3://${bucket}/${prefix}`
    this.deps = deps
    this.client = new S3mini({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      endpoint: `${endpoint.replace(/\/+$/, "")}/${bucket}`,
      region,
      fetch: fetchUntil(deps.signal, deps.timeoutMs ?? timeoutMsDefault),
    })
  }

  async list(folder: string): Promise<VaultEntry[]> {
    const prefix = `${this.prefix}${folder}/`
    const found = await this.attempt(folder, () => this.client.listObjects("/", prefix))
    if (found === null) throw this.failed(folder, "there is no such bucket")
    return found.map(({ Key, Size }) => ({
      path: Key.slice(this.prefix.length),
      bytes: Number(Size),
    }))
  }

  async read(path: string): Promise<Buffer | null> {
    const key = this.prefix + path
    const bytes = await this.attempt(path, () => this.client.getObjectArrayBuffer(key))
    return bytes === null ? null : Buffer.from(bytes)
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    const sha256 = createHash("sha256").update(bytes).digest("base64")
    const md5 = createHash("md5").update(bytes).digest("hex")
    const key = this.prefix + path
    // A view of a buffer that may be shared is none that fetch takes.
    const body = new Uint8Array(bytes)
    await this.attempt(path, async () => {
      const sums = { "x-amz-checksum-sha256": sha256 } as const
      const answer = await this.client.putObject(key, body, undefined, undefined, sums)
      checkAnswer(answer.headers, { sha256, md5 })
      await answer.body?.cancel()
    })
  }

  async remove(path: string): Promise<void> {
    await this.attempt(path, () => this.client.deleteObject(this.prefix + path))
  }

  /** Repeats a call that failed for a reason that may pass. */
  private async attempt<T>(path: string, call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (cause) {
        if (this.deps.signal?.aborted) {
          throw new ServiceError("stopping", "The server stops: the backup ended", { cause })
        }
        if (attempt === attemptsMax || isFinal(cause)) {
          throw this.failed(path, reasonOf(cause), cause)
        }
        await this.deps.pause(firstPauseMs * 2 ** (attempt - 1))
      }
    }
  }

  private failed(path: string, reason: string, cause?: unknown): ServiceError {
    return new ServiceError("storage", `${this.name} failed at "${path}": ${reason}`, { cause })
  }
}

/** A fetch whose answer, body included, is bounded in time, and ends with `signal`. */
function fetchUntil(signal: AbortSignal | undefined, timeoutMs: number): typeof fetch {
  return (input, init) => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]
    return fetch(input, { ...init, signal: AbortSignal.any(signals) })
  }
}

/** The stored bytes differ from those that were sent. */
class WrongSum extends Error {}

/** An ETag is the MD5 of an object unless a key of the provider encrypts it. */
function checkAnswer(
  headers: Headers,
  sums: { readonly sha256: string; readonly md5: string },
): void {
  const sha256 = headers.get("x-amz-checksum-sha256")
  if (sha256 !== null && sha256 !== sums.sha256) throw new WrongSum("the stored bytes differ")
  const encryption = headers.get("x-amz-server-side-encryption") ?? ""
  const tag = (headers.get("etag") ?? "").replaceAll('"', "")
  const isMd5 = /^[0-9a-f]{32}$/.test(tag) && !encryption.startsWith("aws:kms")
  if (isMd5 && tag !== sums.md5) throw new WrongSum("the stored bytes differ")
}

/** True for a refusal that the same call gets again: wrong keys, no bucket, a malformed name. */
function isFinal(cause: unknown): boolean {
  if (!(cause instanceof S3ServiceError)) return false
  const { status } = cause
  return status >= 300 && status < 500 && status !== 408 && status !== 429
}

function reasonOf(cause: unknown): string {
  if (cause instanceof S3ServiceError) {
    return `the server answers ${cause.status} ${cause.serviceCode ?? ""}`.trimEnd()
  }
  const { message, name, cause: inner } = cause as Error
  if (name === "TimeoutError") return "no answer in time"
  const { code } = (inner ?? cause) as NodeJS.ErrnoException
  return code ?? message
}
