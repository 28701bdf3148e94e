/** Composes the records of one server: their documents, their key file, and the accounts' keys. */

import type { Accounts } from "./accounts/accounts.ts"
import { integrationKind, type IntegrationDocument } from "./accounts/documents.ts"
import { customDatasourceId } from "./accounts/first-start.ts"
import { integrationId } from "./accounts/tenants.ts"
import { systemClock } from "./base/clock.ts"
import { systemRandom } from "./base/random.ts"
import type { Documents } from "./model/document.ts"
import type { DatasourceKeys } from "./records/datasources.ts"
import { openRecords, type Records, type RecordsOptions } from "./records/records.ts"
import { openSecretKey } from "./secret-key.ts"

export interface ServerRecordsOptions {
  /** The data folder; it exists. */
  readonly folder: string
  readonly documents: Documents
  readonly accounts: Accounts
  /** How far from now the time of an external event may lie. */
  readonly acceptEvents: RecordsOptions["acceptEvents"]
}

/** Throws `storage` where the key file cannot be read or made. */
export async function openServerRecords(options: ServerRecordsOptions): Promise<Records> {
  const { folder, documents, accounts, acceptEvents } = options
  return openRecords({
    documents,
    clock: systemClock,
    random: systemRandom,
    secretKey: await openSecretKey(folder, systemRandom),
    keys: datasourceKeys(documents, accounts),
    tenantUuid: (tenant) => accounts.tenantUuid(tenant),
    acceptEvents,
  })
}

function datasourceKeys(documents: Documents, { keys }: Accounts): DatasourceKeys {
  return {
    async integrations(tenant) {
      const found = await documents.get(integrationKind, integrationId(tenant))
      if (found === undefined || found === null) return []
      const { type, name, createdMs } = found as IntegrationDocument
      return [{ id: customDatasourceId, type, name, createdMs }]
    },
    create: (tenant, id) => keys.create(tenant, id),
    setDatasourceEnabled: (...args) => keys.setDatasourceEnabled(...args),
    removeDatasource: (...args) => keys.removeDatasource(...args),
  }
}
