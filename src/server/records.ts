/** Composes the records of one server: their documents, their key file, and the accounts' keys. */

import type { Accounts } from "../accounts/accounts.ts"
import { integrationKind, type IntegrationDocument } from "../accounts/documents.ts"
import { customDatasourceId } from "../accounts/first-start.ts"
import { integrationId } from "../accounts/tenants.ts"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import type { WatchedTime } from "../base/time/watched-time.ts"
import type { ShardClient } from "../engine/shard-client.ts"
import type { DocumentStore } from "../model/document.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { CatalogueEdit } from "../model/records/catalogue-edit.ts"
import type { DatasourceKeys } from "../records/integrations/datasources.ts"
import type {
  QueryRequest,
  ElementLookupAnswer,
  ElementLookupBody,
  ReservedAnswer,
} from "../query/query.ts"
import type { NotificationOutbox, ElementLookup } from "../records/incidents/incident-pipeline.ts"
import { openRecords, type Records, type RecordsOptions } from "../records/records.ts"
import { encryptStoredSecrets } from "../records/integrations/encrypt-stored.ts"
import { checkSecretKey } from "../records/integrations/secret-key-check.ts"
import { openSecretKey, secretKeyFile } from "./startup/secret-key.ts"

interface ServerRecordsOptions {
  /** The data folder; it exists. */
  readonly folder: string
  /** Hexadecimal; null: the key of the folder. */
  readonly secretKey: string | null
  readonly clock: Clock
  readonly documents: DocumentStore
  readonly accounts: Accounts
  /** How far from now the time of an external event may be. */
  readonly acceptEvents: RecordsOptions["acceptEvents"]
  readonly eventsPerMinute: number
  /** Answers a query of the server itself. */
  readonly ask: (request: QueryRequest) => Promise<ReservedAnswer>
  readonly outbox: NotificationOutbox
  readonly listener: NonNullable<RecordsOptions["listener"]>
  readonly watchedTime: WatchedTime
  /** The indexes of all tenants. */
  readonly tenants: () => readonly number[]
  readonly log: Logger
}

/** Throws `storage` if the key file cannot be read or created, `invalid` if it is another key. */
export async function openServerRecords(options: ServerRecordsOptions): Promise<Records> {
  const { folder, clock, documents, accounts, acceptEvents, ask, outbox } = options
  const records = openRecords({
    documents,
    clock,
    random: systemRandom,
    secretKey: await openSecretKey(folder, systemRandom, options.secretKey),
    keys: datasourceKeys(documents, accounts),
    tenantUuid: (tenant) => accounts.tenantUuid(tenant),
    acceptEvents,
    eventsPerMinute: options.eventsPerMinute,
    lookUpElements: watchedElements(ask, clock),
    outbox,
    listener: options.listener,
    watchedTime: options.watchedTime,
  })
  await warnOfLostSecrets(records, options)
  await encryptStoredSecrets({ ...records, documents, tenants: options.tenants })
  return records
}

async function warnOfLostSecrets(
  records: Records,
  { documents, tenants, log, secretKey }: ServerRecordsOptions,
): Promise<void> {
  const lost = await checkSecretKey({ ...records, documents, tenants })
  if (lost === null) return
  const key = secretKey === null ? secretKeyFile : "--secret-key"
  const what = `${key} is not the key with which the stored secrets are encrypted`
  const ways = "bring the file back, or enter the secrets of these records again (`secretsToEnter`)"
  log.warn({ ...lost }, `${what}: ${ways}`)
}

function watchedElements(ask: ServerRecordsOptions["ask"], clock: Clock): ElementLookup {
  return async (tenant, elementFqns) => {
    const body: ElementLookupBody = { elementFqns }
    const nowMs = clock.nowMs()
    const answer = await ask({ kind: "elementLookup", tenant, nowMs, params: {}, body })
    return new Map(Object.entries(answer.json() as ElementLookupAnswer))
  }
}

function datasourceKeys(documents: DocumentStore, { keys }: Accounts): DatasourceKeys {
  return {
    async integrations(tenant) {
      const found = await documents.get(integrationKind, integrationId(tenant))
      if (found === undefined || found === null) return []
      const { type, name, createdMs } = found as IntegrationDocument
      return [{ id: customDatasourceId, type, name, createdMs }]
    },
    create: (tenant, id) => keys.create(tenant, id),
    setDatasourceEnabled: (tenant, id, isEnabled, also) =>
      keys.setDatasourceEnabled(tenant, id, isEnabled, also),
    removeDatasource: (tenant, id, also) => keys.removeDatasource(tenant, id, also),
  }
}

interface CatalogueEdits {
  readonly amend: (edit: CatalogueEdit) => Promise<void>
  readonly amendAll: (edits: readonly CatalogueEdit[]) => Promise<readonly (string | null)[]>
}

/**
 * Edits of the catalogue by users; the checks of a deleted element go with it. They go first: if
 * the server ends in between, the element is still there to be deleted.
 */
export function catalogueEdits(
  shard: Pick<ShardClient, "editCatalogue" | "editCatalogueAll">,
  { checkMonitor }: Pick<Records, "checkMonitor">,
): CatalogueEdits {
  return {
    amend: async (edit) => {
      await removeChecks(checkMonitor, [edit])
      await shard.editCatalogue(edit)
    },
    amendAll: async (edits) => {
      await removeChecks(checkMonitor, edits)
      return shard.editCatalogueAll(edits)
    },
  }
}

async function removeChecks(
  checkMonitor: Records["checkMonitor"],
  edits: readonly CatalogueEdit[],
): Promise<void> {
  const deleted = new Map<TenantIndex, Set<string>>()
  for (const { kind, tenant, element } of edits) {
    if (kind !== "removeElement") continue
    deleted.set(tenant, (deleted.get(tenant) ?? new Set()).add(element))
  }
  for (const [tenant, fqns] of deleted) {
    await checkMonitor.remove(tenant, ({ elementFqn }) => fqns.has(elementFqn))
  }
}
