/**
 * The API key service creates, lists, rotates and disables API keys. A key is shown once, when it
 * is created; only its hash is stored.
 */

import { invalid, ServiceError } from "../base/errors.ts"
import { textCharactersMax } from "../base/limits.ts"
import { keyRateMax, keysPerTenantMax } from "../base/limits/accounts.ts"
import type { Clock, ClockTrust } from "../base/clock.ts"
import type { Random } from "../base/random.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange } from "../model/document.ts"
import { secretId } from "./secret-token.ts"
import type { AccountStore } from "./account-store.ts"
import { newApiKey } from "./credentials.ts"
import { apiKeyKind, documentVersion, type ApiKeyDocument } from "./documents.ts"

/** A stored key: `id` is its hash. Operations accept any unambiguous prefix of the id. */
export interface ApiKeyRecord extends ApiKeyDocument {
  readonly id: string
}

/** A new key in plaintext, for the only time. */
export interface CreatedKey {
  readonly id: string
  readonly key: string
}

export interface ApiKeyChange {
  readonly enabled?: boolean
  readonly name?: string
  /** Null resets to the server's setting. */
  readonly payloadsPerMinute?: number | null
  readonly samplesPerMinute?: number | null
}

interface ApiKeyServiceOptions {
  readonly store: AccountStore
  readonly random: Random
  readonly clock: Clock
  readonly trustsClock: ClockTrust
}

export class ApiKeyService {
  private readonly options: ApiKeyServiceOptions

  constructor(options: ApiKeyServiceOptions) {
    this.options = options
  }

  /** The keys of a tenant, or of one of its datasources, oldest first. */
  list(tenant: TenantIndex, datasourceId?: number): ApiKeyRecord[] {
    const records: ApiKeyRecord[] = []
    for (const [id, document] of this.options.store.keys.documents()) {
      const isSelected = datasourceId === undefined || document.datasourceId === datasourceId
      if (this.isOver(document)) continue
      if (document.tenant === tenant && isSelected) records.push({ id, ...document })
    }
    return records.sort((one, other) => one.createdMs - other.createdMs)
  }

  /** The key whose id begins with `idStart`. Throws `missing` for none, `invalid` for several. */
  find(tenant: TenantIndex, idStart: string): ApiKeyRecord {
    const found = this.list(tenant).filter(({ id }) => id.startsWith(idStart.toLowerCase()))
    if (found.length === 1 && idStart !== "") return found[0]!
    if (found.length > 1) throw invalid(`Expected more of the key's id than "${idStart}"`)
    throw new ServiceError("missing", `Expected the beginning of a key's id, got "${idStart}"`)
  }

  /** The key with exactly this id. Throws `missing`. */
  get(tenant: TenantIndex, id: string): ApiKeyRecord {
    const found = this.list(tenant).find((one) => one.id === id)
    if (found !== undefined) return found
    throw new ServiceError("missing", "Expected the id of an API key")
  }

  /** Creates a key with its properties. */
  createWith(
    tenant: TenantIndex,
    datasourceId: number,
    properties: Omit<ApiKeyChange, "enabled">,
  ): Promise<CreatedKey> {
    validateChange(properties)
    return this.options.store.change(() => {
      this.checkCapacity(tenant)
      const made = this.generate()
      const document = merged(this.newDocument(tenant, datasourceId), properties)
      return { changes: [putKey(made.id, document)], result: made }
    })
  }

  /**
   * Creates a key of a datasource: 128 random bits as 32 hexadecimal digits. `also` is stored in
   * the same transaction, so a datasource never exists without its key.
   */
  create(
    tenant: TenantIndex,
    datasourceId: number,
    also: (made: CreatedKey) => readonly DocumentChange[] = () => [],
  ): Promise<CreatedKey> {
    return this.options.store.change(() => {
      this.checkCapacity(tenant)
      const made = this.generate()
      const changes = [putKey(made.id, this.newDocument(tenant, datasourceId)), ...also(made)]
      return { changes, result: made }
    })
  }

  /**
   * Creates a key with the properties of an old one, which is removed unless `keepFormer`. It is
   * not disabled instead, because it would become valid again when its datasource is enabled.
   */
  rotate(tenant: TenantIndex, idStart: string, keepFormer = false): Promise<CreatedKey> {
    const whole = (former: ApiKeyDocument) => (keepFormer ? former : null)
    return this.replace(tenant, () => this.find(tenant, idStart), whole)
  }

  /** The same, and the old key is accepted for a while, so that its clients can be changed. */
  rotateWithGrace(tenant: TenantIndex, id: string, graceMs: number): Promise<CreatedKey> {
    const endsMs = this.options.clock.nowMs() + graceMs
    return this.replace(
      tenant,
      () => this.get(tenant, id),
      (former) => ({ ...former, endsMs }),
    )
  }

  private async replace(
    tenant: TenantIndex,
    find: () => ApiKeyRecord,
    leftOf: (former: ApiKeyDocument) => ApiKeyDocument | null,
  ): Promise<CreatedKey> {
    const { store, trustsClock } = this.options
    const removesOver = await trustsClock()
    return store.change(() => {
      this.checkCapacity(tenant)
      const { id, ...former } = find()
      const { endsMs: _ends, ...kept } = former
      const made = this.generate()
      const document = { ...kept, enabled: true, createdMs: this.options.clock.nowMs() }
      const left = leftOf(former)
      const changes = [putKey(made.id, document)]
      if (left !== former) changes.push(putKey(id, left))
      const over = removesOver ? this.overOf(tenant) : []
      return { changes: [...changes, ...over], result: made }
    })
  }

  /** Removes keys of a tenant that were replaced and whose time is over. */
  private overOf(tenant: TenantIndex): DocumentChange[] {
    const all = [...this.options.store.keys.documents()]
    const over = all.filter(([, one]) => one.tenant === tenant && this.isOver(one))
    return over.map(([id]) => putKey(id, null))
  }

  private isOver({ endsMs }: ApiKeyDocument): boolean {
    return endsMs !== undefined && this.options.clock.nowMs() >= endsMs
  }

  update(tenant: TenantIndex, idStart: string, change: ApiKeyChange): Promise<ApiKeyRecord> {
    validateChange(change)
    return this.options.store.change(() => {
      const { id, ...former } = this.find(tenant, idStart)
      const document = merged(former, change)
      return { changes: [putKey(id, document)], result: { id, ...document } }
    })
  }

  remove(tenant: TenantIndex, idStart: string): Promise<void> {
    return this.options.store.change(() => {
      const { id } = this.find(tenant, idStart)
      return { changes: [putKey(id, null)], result: undefined }
    })
  }

  /** Enables or disables every key of a datasource, in one transaction with `also`. */
  setDatasourceEnabled(
    tenant: TenantIndex,
    datasourceId: number,
    enabled: boolean,
    also: readonly DocumentChange[] = [],
  ): Promise<void> {
    return this.changeDatasource(tenant, datasourceId, also, (key) => ({ ...key, enabled }))
  }

  /** Removes every key of a datasource, in one transaction with `also`. */
  removeDatasource(
    tenant: TenantIndex,
    datasourceId: number,
    also: readonly DocumentChange[] = [],
  ): Promise<void> {
    return this.changeDatasource(tenant, datasourceId, also, () => null)
  }

  private changeDatasource(
    tenant: TenantIndex,
    datasourceId: number,
    also: readonly DocumentChange[],
    to: (key: ApiKeyDocument) => ApiKeyDocument | null,
  ): Promise<void> {
    return this.options.store.change(() => {
      const keys = this.list(tenant, datasourceId).map(({ id, ...key }) => putKey(id, to(key)))
      return { changes: [...keys, ...also], result: undefined }
    })
  }

  private generate(): CreatedKey {
    const key = newApiKey(this.options.random)
    return { id: secretId(key), key }
  }

  private newDocument(tenant: TenantIndex, datasourceId: number): ApiKeyDocument {
    const createdMs = this.options.clock.nowMs()
    return { version: documentVersion, tenant, datasourceId, enabled: true, createdMs }
  }

  private checkCapacity(tenant: TenantIndex): void {
    if (this.list(tenant).length < keysPerTenantMax) return
    throw invalid(`Expected at most ${keysPerTenantMax} keys of one account`)
  }
}

function putKey(id: string, document: ApiKeyDocument | null): DocumentChange {
  return { kind: apiKeyKind, id, document }
}

function merged(former: ApiKeyDocument, change: ApiKeyChange): ApiKeyDocument {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const merged = Object.entries({ ...former, ...Object.fromEntries(given) })
  // Null means the server's setting, which is stored as an absent field.
  return Object.fromEntries(merged.filter(([, value]) => value !== null)) as never
}

function validateChange({ name, payloadsPerMinute, samplesPerMinute }: ApiKeyChange): void {
  if (name !== undefined && name.length > textCharactersMax) {
    throw invalid(`name: expected at most ${textCharactersMax} characters, got ${name.length}`)
  }
  for (const [field, rate] of Object.entries({ payloadsPerMinute, samplesPerMinute })) {
    if (rate === undefined || rate === null) continue
    if (!Number.isInteger(rate) || rate < 0 || rate > keyRateMax) {
      throw invalid(`${field}: expected a whole number, 0 to ${keyRateMax}, got ${rate}`)
    }
  }
}
