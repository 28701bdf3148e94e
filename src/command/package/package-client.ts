/** The API client of the package commands. */

import { ServiceError } from "../../base/errors.ts"
import type { ServerAddress } from "./server-address.ts"
import { unreachableCause } from "../text/unreachable.ts"

export interface ShownPackage {
  readonly id: string
  readonly packageId: string
  readonly version: string
  readonly name: string
  readonly updated: string
  readonly policies: readonly unknown[]
  readonly analyticConfigurations: readonly unknown[]
  readonly dashboards: readonly unknown[]
}

export interface InstallAnswer {
  readonly package: ShownPackage
  readonly warnings: readonly string[]
}

/** An installation of the largest archive takes some seconds on a slow line. */
const answerMsMax = 120_000

export class PackageClient {
  private readonly address: ServerAddress
  private readonly fetch: typeof globalThis.fetch

  constructor(address: ServerAddress, fetch: typeof globalThis.fetch) {
    this.address = address
    this.fetch = fetch
  }

  async list(): Promise<ShownPackage[]> {
    const answer = (await this.ask("/packages")) as { packages: ShownPackage[] }
    return answer.packages
  }

  install(archive: Uint8Array<ArrayBuffer>): Promise<InstallAnswer> {
    const form = new FormData()
    form.set("file", new Blob([archive], { type: "application/zip" }), "pkg.zip")
    const path = `/packages/install?userEmail=${encodeURIComponent(this.address.user)}`
    return this.ask(path, { method: "POST", body: form }) as Promise<InstallAnswer>
  }

  async remove(id: string): Promise<void> {
    await this.ask(`/packages/${id}`, { method: "DELETE" })
  }

  /** Finds a package by its id or packageId. Throws `missing` if there is none. */
  async find(word: string): Promise<ShownPackage> {
    const found = (await this.list()).find(({ id, packageId }) => id === word || packageId === word)
    if (found === undefined) {
      throw new ServiceError("missing", "Expected the id or packageId of an installed package")
    }
    return found
  }

  private async ask(path: string, request: RequestInit = {}): Promise<unknown> {
    const { url, user, password } = this.address
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
    const signal = AbortSignal.timeout(answerMsMax)
    const response = await this.fetch(url + path, {
      ...request,
      headers: { Authorization: authorization },
      signal,
    }).catch((cause: unknown) => {
      throw new ServiceError("storage", `Cannot reach ${url}: ${unreachableCause(cause)}`, {
        cause,
      })
    })
    const text = await response.text()
    if (!response.ok) throw new ServiceError("invalid", refusal(response.status, text))
    return text === "" ? null : JSON.parse(text)
  }
}

/** Sentences of the server's error body, or the beginning of any other response. */
function refusal(status: number, text: string): string[] {
  try {
    const { errors } = JSON.parse(text) as { errors?: string[] }
    if (Array.isArray(errors) && errors.length > 0) return errors
  } catch {
    // A proxy may have responded in place of the server.
  }
  return [`The server answered ${status}: ${text.slice(0, 1000)}`]
}
