/**
 * The tenant directory: the UUID of each tenant, in memory shared by all threads. The main thread
 * writes an entry before any other thread receives a request of that tenant, so creating a tenant
 * on a running server needs no message to the query threads.
 */

import { assert } from "../base/assert.ts"
import { tenantsMax } from "../base/limits/accounts.ts"
import type { TenantIndex } from "../model/ids.ts"

const uuidBytes = 16

/** Passed to threads as worker data, without a copy. */
export type DirectoryMemory = SharedArrayBuffer

export class TenantDirectory {
  readonly memory: DirectoryMemory
  private readonly bytes: Uint8Array
  private readonly known: string[] = []

  constructor(memory: DirectoryMemory = new SharedArrayBuffer(tenantsMax * uuidBytes)) {
    this.memory = memory
    this.bytes = new Uint8Array(memory)
  }

  set(tenant: TenantIndex, uuid: string): void {
    assert(tenant < tenantsMax, `Expected at most ${tenantsMax} tenants, got ${tenant}`)
    this.bytes.set(Buffer.from(uuid.replaceAll("-", ""), "hex"), tenant * uuidBytes)
  }

  /** The UUID of a tenant that `set` was called with in any thread. */
  uuidOf(tenant: TenantIndex): string {
    const known = this.known[tenant]
    if (known !== undefined) return known
    const start = tenant * uuidBytes
    const hex = Buffer.from(this.bytes.slice(start, start + uuidBytes)).toString("hex")
    assert(/[1-9a-f]/.test(hex), `Expected a known tenant, got ${tenant}`)
    const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
    this.known[tenant] = uuid
    return uuid
  }
}
