/**
 * The repository of datasources, also called integrations (spec/records §3). Provisioned ones are
 * stored with the account; the first change of one stores a datasource record that replaces it.
 */

import { invalid, ServiceError } from "../../base/errors.ts"
import { largestOf } from "../../base/iterables.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange } from "../../model/document.ts"
import type { DatasourceFields, NewDatasourceFields } from "../../wire/records/datasource-body.ts"
import { shown } from "../../wire/problems.ts"
import { RecordCollection, type RecordsDeps, type StoredRecord } from "../core/record-collection.ts"
import { withDefaults } from "./datasource-defaults.ts"
import {
  encryptCollection,
  lostSecrets,
  mergeProperties,
  noProperties,
} from "../secrets/secret-fields.ts"
import type { ProtectedProperties } from "../secrets/secret-fields.ts"
import type { SecretBox } from "../secrets/secret-box.ts"
import { createRecordMutex } from "../core/record-mutex.ts"

/** Limit per tenant; a list returns all of them. */
const datasourcesMax = 1_000

export interface Datasource {
  readonly name: string
  readonly type: string
  readonly properties: ProtectedProperties
  readonly enabled: boolean
  /** Whether data are posted with an API key of its own; the server never fetches data. */
  readonly hasKey: boolean
  /** Created with the account, and not removable. */
  readonly isProvisioned: boolean
}

/** A datasource that was created with the account. */
export interface Integration {
  readonly id: number
  readonly type: string
  readonly name: string
  readonly createdMs: number
}

/** The keys of datasources. Changes passed as `also` are stored in the same transaction. */
export interface DatasourceKeys {
  /** The integrations created with the tenant's account. */
  integrations(tenant: TenantIndex): Promise<readonly Integration[]>
  /** Creates a key; returns it in plaintext, for the only time. */
  create(tenant: TenantIndex, datasourceId: number): Promise<{ readonly key: string }>
  /** Accepts or rejects all keys of a datasource from now on. */
  setDatasourceEnabled(
    tenant: TenantIndex,
    datasourceId: number,
    enabled: boolean,
    also: readonly DocumentChange[],
  ): Promise<void>
  /** Removes all keys of a datasource. */
  removeDatasource(
    tenant: TenantIndex,
    datasourceId: number,
    also: readonly DocumentChange[],
  ): Promise<void>
}

interface DatasourcesOptions {
  readonly deps: RecordsDeps
  readonly keys: DatasourceKeys
  readonly box: SecretBox
}

export interface NewDatasource {
  readonly datasource: StoredRecord<Datasource>
  /** In plaintext, for the only time; null if it has none. */
  readonly apiKey: string | null
}

export class Datasources {
  private readonly deps: RecordsDeps
  private readonly collection: RecordCollection<Datasource>
  private readonly keys: DatasourceKeys
  private readonly box: SecretBox
  private readonly mutex = createRecordMutex()

  constructor({ deps, keys, box }: DatasourcesOptions) {
    this.deps = deps
    this.keys = keys
    this.box = box
    this.collection = new RecordCollection(
      {
        kind: "datasource",
        noun: "datasource",
        ids: "number",
        reservedIdMax: (tenant) => this.highestIntegration(tenant),
        countMax: datasourcesMax,
      },
      deps,
    )
  }

  /** All datasources of a tenant, by id. */
  async list(tenant: TenantIndex): Promise<StoredRecord<Datasource>[]> {
    const stored = await this.collection.list(tenant)
    const known = new Set(stored.map(({ id }) => id))
    const untouched = (await this.keys.integrations(tenant))
      .map(asDatasource)
      .filter(({ id }) => !known.has(id))
    return [...untouched, ...stored].sort((one, other) => Number(one.id) - Number(other.id))
  }

  /** The datasource, undefined if there is none. */
  async find(tenant: TenantIndex, id: string): Promise<StoredRecord<Datasource> | undefined> {
    const stored = await this.collection.find(tenant, id)
    if (stored !== undefined) return stored
    const integrations = await this.keys.integrations(tenant)
    return integrations.map(asDatasource).find((one) => one.id === id)
  }

  /** Throws `missing` if there is none. */
  async get(tenant: TenantIndex, id: string): Promise<StoredRecord<Datasource>> {
    const found = await this.find(tenant, id)
    if (found === undefined) throw this.collection.missingError(id)
    return found
  }

  /** Creates all of the datasources or none. */
  async create(
    tenant: TenantIndex,
    sent: readonly NewDatasourceFields[],
    field: (i: number) => string,
  ): Promise<NewDatasource[]> {
    const bodies = sent.map((fields, i) => this.newDatasource(tenant, fields, field(i)))
    const created = await this.collection.createAll(tenant, bodies)
    const answers: NewDatasource[] = []
    for (const datasource of created) {
      answers.push({ datasource, apiKey: await this.newKey(tenant, datasource) })
    }
    return answers
  }

  /** Changes the given fields, merging properties. Keys of a disabled datasource are rejected. */
  change(
    tenant: TenantIndex,
    id: string,
    fields: DatasourceFields,
  ): Promise<StoredRecord<Datasource>> {
    return this.mutex.run(`${tenant}/${id}`, async () => {
      const former = await this.get(tenant, id)
      const body = this.changed(tenant, former.body, fields)
      const stored = { ...former, body, updatedMs: this.deps.clock.nowMs() }
      const storing = this.collection.putChange(tenant, stored)
      const { enabled } = body
      if (enabled === former.body.enabled) await this.deps.documents.putAll([storing])
      else await this.keys.setDatasourceEnabled(tenant, Number(id), enabled, [storing])
      return stored
    })
  }

  /** Removes a datasource with its keys. Throws `forbidden` for a provisioned one. */
  remove(tenant: TenantIndex, id: string): Promise<void> {
    return this.mutex.run(`${tenant}/${id}`, async () => {
      const { body } = await this.get(tenant, id)
      if (body.isProvisioned) {
        throw new ServiceError("forbidden", "A datasource that came with the account stays with it")
      }
      const removing = this.collection.deleteChange(tenant, id)
      await this.keys.removeDatasource(tenant, Number(id), [removing])
      this.collection.adjustCount(tenant, -1)
    })
  }

  /** Names of the secrets that cannot be decrypted and must be entered again. */
  lostSecrets(tenant: TenantIndex, { body }: StoredRecord<Datasource>): string[] {
    return lostSecrets(body.properties, this.scopeOf(tenant, "dataSource"))
  }

  /** Encrypts secrets that earlier versions stored in plaintext. */
  encryptStored(tenant: TenantIndex): Promise<void> {
    return encryptCollection(this.collection, tenant, this.scopeOf(tenant, "dataSource"))
  }

  private newDatasource(
    tenant: TenantIndex,
    fields: NewDatasourceFields,
    field: string,
  ): Datasource {
    const type = typeOf(fields.type)
    const properties = withDefaults(type, fields.properties ?? {})
    return {
      name: fields.name ?? type,
      type,
      properties: mergeProperties(noProperties, properties, this.scopeOf(tenant, field)),
      enabled: fields.enabled ?? true,
      hasKey: !cloudTypes.has(type),
      isProvisioned: false,
    }
  }

  private changed(tenant: TenantIndex, former: Datasource, fields: DatasourceFields): Datasource {
    const type = fields.type ?? former.type
    if (typeOf(type) !== former.type) {
      throw invalid(`dataSource.type: expected ${former.type}, which it stays, got ${shown(type)}`)
    }
    const guard = this.scopeOf(tenant, "dataSource")
    return {
      ...former,
      name: fields.name ?? former.name,
      enabled: fields.enabled ?? former.enabled,
      properties: mergeProperties(former.properties, fields.properties ?? {}, guard),
    }
  }

  private async newKey(
    tenant: TenantIndex,
    { id, body }: StoredRecord<Datasource>,
  ): Promise<string | null> {
    if (!body.hasKey) return null
    const { key } = await this.keys.create(tenant, Number(id))
    if (!body.enabled) await this.keys.setDatasourceEnabled(tenant, Number(id), false, [])
    return key
  }

  private scopeOf(tenant: TenantIndex, field: string) {
    return { box: this.box, owner: `datasource:${tenant}`, field: `${field}.properties` }
  }

  private async highestIntegration(tenant: TenantIndex): Promise<number> {
    const integrations = await this.keys.integrations(tenant)
    return Math.max(0, largestOf(integrations.map(({ id }) => id)))
  }
}

/** The real service fetched from these; no client posts for them, so they have no key. */
const cloudTypes: ReadonlySet<string> = new Set(["AWS", "AWSCOST", "AZURE"])

/** The type in upper case; older clients send AWS COST for AWSCOST. */
function typeOf(sent: string): string {
  const type = sent.toUpperCase()
  return type === "AWS COST" ? "AWSCOST" : type
}

function asDatasource({ id, type, name, createdMs }: Integration): StoredRecord<Datasource> {
  const body = {
    name,
    type,
    properties: noProperties,
    enabled: true,
    hasKey: true,
    isProvisioned: true,
  }
  return { id: String(id), createdMs, updatedMs: createdMs, body }
}
