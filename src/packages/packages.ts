/**
 * Packages are archives of policies, analytic configurations and dashboards that can be installed,
 * upgraded in place and uninstalled (spec/packages §3). An installation is validated as a whole and
 * stored with all its assets in one transaction.
 *
 *   documents   "package:<tenant>" / id                  PackageRecord
 *               "analyticConfiguration:<tenant>" / id    ConfigurationDocument
 *               and policies, dashboards and widgets as records store them
 */

import { Semaphore } from "../base/async.ts"
import { invalid, ServiceError } from "../base/errors.ts"
import { runYielding, type YieldOptions } from "../base/cooperative.ts"
import type { TenantIndex } from "../model/ids.ts"
import { configurationKind, type DocumentChange } from "../model/document.ts"
import type { Caller } from "../records/core/caller.ts"
import {
  RecordCollection,
  type RecordsDeps,
  type StoredRecord,
} from "../records/core/record-collection.ts"
import type { Records } from "../records/records.ts"
import { createRecordMutex } from "../records/core/record-mutex.ts"
import { shown } from "../wire/problems.ts"
import type { PackageSubject } from "../wire/records/package-document.ts"
import { readPackageSteps, type ValidateConfiguration, type PackageContent } from "./content.ts"
import { archivesAtOnceMax, packagesMax } from "./limits.ts"
import { assetUuid, packageUuid, type PackageRecord } from "./package-record.ts"
import { planInstall, type InstallPlan } from "./install-plan.ts"
import { type ArchiveFiles, unzip } from "./unzip.ts"
import { versionFilter } from "./version.ts"

/** A thousand assets of 200 bytes each, and the texts of the manifest. */
const packageBytesMax = 512 * 1024

export interface PackagesOptions {
  readonly deps: RecordsDeps
  readonly records: Pick<Records, "policies" | "dashboards" | "notifications">
  readonly tenantUuid: (tenant: TenantIndex) => string
  readonly validateConfiguration: ValidateConfiguration
  /** How reading an archive yields to other work of the thread. */
  readonly pauses: YieldOptions
  /** Downloads a URL of a request; throws `invalid` if it may not be fetched. */
  readonly download: (url: string) => Promise<Uint8Array>
}

/** A package that was read and validated. */
export interface ParsedArchive {
  readonly content: PackageContent
  /** URL of the download; null for the one in the manifest. */
  readonly url: string | null
  readonly userEmail: string | null
}

export interface InstallResult {
  readonly packages: readonly PackageSubject[]
  /** Omitted parts, one sentence each. */
  readonly warnings: readonly string[]
}

/** Further changes for the transaction of an installation. */
export type ExtraChanges = (tenant: TenantIndex) => readonly DocumentChange[]

export class Packages {
  private readonly options: PackagesOptions
  private readonly collection: RecordCollection<PackageRecord>
  /** By tenant. */
  private readonly mutex = createRecordMutex()
  private readonly archiveSlots = new Semaphore(archivesAtOnceMax, {
    waitersMax: 0,
    refusal: () => new ServiceError("overloaded", "Too many packages are being installed"),
  })

  constructor(options: PackagesOptions) {
    this.options = options
    this.collection = new RecordCollection(
      {
        kind: "package",
        noun: "package",
        ids: "uuid",
        countMax: packagesMax,
        bytesMax: packageBytesMax,
      },
      options.deps,
    )
  }

  /** Installed packages, oldest first. `version` is a version or a range. */
  async list(
    tenant: TenantIndex,
    filter: { readonly packageId?: string | undefined; readonly version?: string | undefined } = {},
  ): Promise<PackageSubject[]> {
    const { packageId, version } = filter
    const isWanted = version === undefined ? () => true : versionFilter(version)
    const all = await this.collection.list(tenant)
    const found = all.filter(({ body }) => {
      return (packageId === undefined || body.packageId === packageId) && isWanted(body.version)
    })
    return Promise.all(found.map((stored) => this.subject(tenant, stored)))
  }

  /** Throws `missing` if there is none. */
  async get(tenant: TenantIndex, id: string): Promise<PackageSubject> {
    return this.subject(tenant, await this.collection.get(tenant, id))
  }

  /**
   * Runs work that holds archives in memory. Throws `overloaded`, without waiting, if too many run.
   * To be called before the bytes of an archive are read.
   */
  withArchiveSlot<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.archiveSlots.run(work)
  }

  /** Installs an archive that was uploaded. */
  async installFile(
    caller: Caller,
    bytes: Uint8Array,
    userEmail: string | null,
  ): Promise<InstallResult> {
    const content = await this.read(bytes)
    return this.install(caller, [{ content, url: null, userEmail }])
  }

  /** Installs the archives behind these URLs, all or none. */
  async installUrls(
    caller: Caller,
    urls: readonly string[],
    userEmail: string | null,
  ): Promise<InstallResult> {
    const deliveries: ParsedArchive[] = []
    for (const [i, url] of urls.entries()) {
      const content = await prefixProblems(`archives[${i}]`, async () => {
        return this.read(await this.options.download(url))
      })
      deliveries.push({ content, url, userEmail })
    }
    return this.install(caller, deliveries)
  }

  /** Installs archives that were read before, all or none; installed versions are upgraded. */
  install(
    caller: Caller,
    archives: readonly ParsedArchive[],
    also: ExtraChanges = () => [],
  ): Promise<InstallResult> {
    rejectDuplicates(archives)
    const { tenant } = caller
    return this.mutex.run(String(tenant), async () => {
      const formers = await Promise.all(
        archives.map(({ content }) => this.collection.find(tenant, this.idOf(tenant, content))),
      )
      const ids = archives.map(({ content }, i) => {
        return assetIds(this.idOf(tenant, content), content, formers[i]?.body)
      })
      return this.runExclusive(tenant, ids.flat(), () => {
        return this.store({ caller, archives, formers, also })
      })
    })
  }

  /** Removes a package with its assets; data and events stay. */
  remove(tenant: TenantIndex, id: string): Promise<void> {
    return this.mutex.run(String(tenant), async () => {
      const { body } = await this.collection.get(tenant, id)
      const { policies, dashboards, analyticConfigurations } = body
      const ids = [...policies, ...dashboards].map((one) => one.id)
      await this.runExclusive(tenant, ids, async () => {
        const kind = configurationKind(tenant)
        const boards = await this.dashboardDeletions(tenant, body)
        await this.options.deps.documents.putAll([
          ...(await this.policyDeletions(tenant, body)),
          ...boards.changes,
          ...analyticConfigurations.map((one) => ({ kind, id: one.id, document: null })),
          this.collection.deleteChange(tenant, id),
        ])
        this.collection.adjustCount(tenant, -1)
        this.options.records.dashboards.adjustCount(tenant, -boards.count)
      })
      this.options.records.policies.invalidate(tenant)
    })
  }

  /** Reads an archive; throws `invalid` with all its problems. */
  async read(bytes: Uint8Array): Promise<PackageContent> {
    return this.readFiles(await unzip(bytes))
  }

  /** The same of files that are unpacked. */
  readFiles(files: ArchiveFiles): Promise<PackageContent> {
    const { validateConfiguration, pauses } = this.options
    return runYielding(readPackageSteps(files, validateConfiguration), pauses)
  }

  private idOf(tenant: TenantIndex, { manifest }: PackageContent): string {
    return packageUuid(this.options.tenantUuid(tenant), manifest.packageId)
  }

  private runExclusive<Result>(
    tenant: TenantIndex,
    ids: readonly string[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { policies, dashboards } = this.options.records
    return policies.runExclusive(tenant, ids, () => dashboards.runExclusive(ids, work))
  }

  private async store(order: InstallRequest): Promise<InstallResult> {
    const { caller, archives, formers, also } = order
    const { tenant } = caller
    const { records, deps } = this.options
    const notifications = await records.notifications.list(tenant)
    const notificationIds = new Set(notifications.map(({ id }) => Number(id)))
    const plans: InstallPlan[] = []
    const packages: StoredRecord<PackageRecord>[] = []
    for (const [i, delivery] of archives.entries()) {
      const id = this.idOf(tenant, delivery.content)
      const former = formers[i]?.body
      const nowMs = deps.clock.nowMs()
      const { policies, dashboards } = records
      const what = { caller, nowMs, id, content: delivery.content, former }
      const plan = await planInstall({ ...what, policies, dashboards, notificationIds })
      const createdMs = formers[i]?.createdMs ?? nowMs
      packages.push({ id, createdMs, updatedMs: nowMs, body: recordOf(delivery, plan) })
      plans.push(plan)
    }
    await this.commit(tenant, { plans, packages, formers, also })
    records.policies.invalidate(tenant)
    const subjects = await Promise.all(packages.map((one) => this.subject(tenant, one)))
    return { packages: subjects, warnings: plans.flatMap(({ warnings }) => warnings) }
  }

  private async commit(
    tenant: TenantIndex,
    what: Pick<InstallRequest, "formers" | "also"> & {
      readonly plans: readonly InstallPlan[]
      readonly packages: readonly StoredRecord<PackageRecord>[]
    },
  ): Promise<void> {
    const { policies, dashboards } = this.options.records
    const more = {
      packages: what.formers.filter((one) => one === undefined).length,
      policies: sum(what.plans.map(({ counts }) => counts.policies)),
      dashboards: sum(what.plans.map(({ counts }) => counts.dashboards)),
    }
    await this.collection.checkCapacity(tenant, more.packages)
    await policies.checkCapacity(tenant, more.policies)
    await dashboards.checkCapacity(tenant, more.dashboards)
    await this.options.deps.documents.putAll([
      ...what.plans.flatMap(({ changes }) => changes),
      ...what.packages.map((stored) => this.collection.putChange(tenant, stored)),
      ...what.also(tenant),
    ])
    this.collection.adjustCount(tenant, more.packages)
    policies.adjustCount(tenant, more.policies)
    dashboards.adjustCount(tenant, more.dashboards)
  }

  private async policyDeletions(
    tenant: TenantIndex,
    record: PackageRecord,
  ): Promise<DocumentChange[]> {
    const { policies } = this.options.records
    const found = await Promise.all(record.policies.map(({ id }) => policies.find(tenant, id)))
    return found.flatMap((stored) => {
      const isThere = stored !== undefined && !stored.body.deleted
      return isThere ? policies.deleteChanges(tenant, stored) : []
    })
  }

  private async dashboardDeletions(
    tenant: TenantIndex,
    record: PackageRecord,
  ): Promise<{ changes: DocumentChange[]; count: number }> {
    const { dashboards } = this.options.records
    const ids = record.dashboards.map(({ id }) => id)
    const found = await dashboards.find(tenant, ids)
    const changes = await Promise.all(found.map(({ id }) => dashboards.deleteChanges(tenant, id)))
    return { changes: changes.flat(), count: found.length }
  }

  /** The package with its assets, except those that users removed. */
  private async subject(
    tenant: TenantIndex,
    { id, createdMs, updatedMs, body }: StoredRecord<PackageRecord>,
  ): Promise<PackageSubject> {
    const { policies, dashboards: boards } = this.options.records
    const found = await Promise.all(body.policies.map((one) => policies.find(tenant, one.id)))
    const dashboards = await boards.find(
      tenant,
      body.dashboards.map((one) => one.id),
    )
    return {
      id,
      tenantId: this.options.tenantUuid(tenant),
      packageId: body.packageId,
      version: body.version,
      name: body.name,
      description: body.description,
      authorName: body.authorName,
      authorEmail: body.authorEmail,
      logo: body.logo,
      downloadUrl: body.downloadUrl,
      userEmail: body.userEmail,
      createdMs,
      updatedMs,
      tags: body.tags,
      policies: found.flatMap((one) => {
        return one === undefined || one.body.deleted ? [] : [{ id: one.id, name: one.body.name }]
      }),
      analyticConfigurations: body.analyticConfigurations,
      dashboards: dashboards.map((one) => ({ id: one.id, private: one.body.private })),
    }
  }
}

interface InstallRequest {
  readonly caller: Caller
  readonly archives: readonly ParsedArchive[]
  /** The installed versions of these packages. */
  readonly formers: readonly (StoredRecord<PackageRecord> | undefined)[]
  readonly also: ExtraChanges
}

function recordOf({ content, url, userEmail }: ParsedArchive, plan: InstallPlan): PackageRecord {
  const { files: _, download, compatibility: __, ...words } = content.manifest
  const { policies, analyticConfigurations, dashboards } = plan
  const downloadUrl = url ?? download
  return { ...words, downloadUrl, userEmail, policies, analyticConfigurations, dashboards }
}

/** Ids of the assets of the new version and of the former one. */
function assetIds(id: string, content: PackageContent, former?: PackageRecord): string[] {
  const now = [...content.policies, ...content.dashboards].map(({ file }) => assetUuid(id, file))
  const before = [...(former?.policies ?? []), ...(former?.dashboards ?? [])]
  return [...now, ...before.map((one) => one.id)]
}

function rejectDuplicates(deliveries: readonly ParsedArchive[]): void {
  const ids = deliveries.map(({ content }) => content.manifest.packageId)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) throw invalid(`archives: expected a package once, got ${shown(twice)}`)
}

/** Prefixes each problem of an archive with its name. */
async function prefixProblems<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    const problems = cause.problems.map((problem) => `${name}: ${problem}`)
    throw new ServiceError(cause.code, problems, { cause })
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
