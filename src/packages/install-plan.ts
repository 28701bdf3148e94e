/**
 * The plan of an installation: the changes of one transaction, and the resulting record.
 *
 * Changes by users since the previous version are preserved: whether a policy is enabled and whom
 * it notifies, if that differs from the previous version's values, and the removal of assets.
 */

import { ServiceError } from "../base/errors.ts"
import { pushAll } from "../base/iterables.ts"
import { configurationKind, type DocumentChange } from "../model/document.ts"
import type { NotificationAction, Policy, PolicyAction } from "../model/records/policy.ts"
import type { Dashboards } from "../records/dashboards/dashboards.ts"
import type { Caller } from "../records/core/caller.ts"
import type { StoredRecord } from "../records/core/record-collection.ts"
import type { Policies } from "../records/incidents/policies.ts"
import type { Asset, PackageContent } from "./content.ts"
import { assetUuid } from "./package-record.ts"
import type {
  AssetRecord,
  ConfigurationDocument,
  PackageRecord,
  PolicyRecord,
} from "./package-record.ts"

export interface InstallPlan {
  readonly changes: readonly DocumentChange[]
  readonly policies: readonly PolicyRecord[]
  readonly analyticConfigurations: readonly AssetRecord[]
  readonly dashboards: readonly AssetRecord[]
  /** Number of created records minus removed ones. */
  readonly counts: { readonly policies: number; readonly dashboards: number }
  /** Omitted parts, one sentence each. */
  readonly warnings: readonly string[]
}

interface InstallPlanOptions {
  readonly caller: Caller
  readonly nowMs: number
  /** UUID of the installed package. */
  readonly id: string
  readonly content: PackageContent
  /** The installed version, if there is one. */
  readonly former: PackageRecord | undefined
  readonly policies: Policies
  readonly dashboards: Dashboards
  /** Ids of the account's notifications. */
  readonly notificationIds: ReadonlySet<number>
}

export async function planInstall(options: InstallPlanOptions): Promise<InstallPlan> {
  const { content } = options
  const policies = await planPolicies(options)
  const boards = await planDashboards(options)
  const configurations = planConfigurations(options)
  return {
    changes: [...policies.changes, ...configurations.changes, ...boards.changes],
    policies: policies.records,
    analyticConfigurations: configurations.records,
    dashboards: boards.records,
    counts: { policies: policies.more, dashboards: boards.more },
    warnings: [...content.warnings, ...policies.warnings],
  }
}

interface PlanPart<Kept> {
  readonly changes: DocumentChange[]
  readonly records: Kept[]
  /** Number of created records minus removed ones. */
  more: number
}

async function planPolicies(
  options: InstallPlanOptions,
): Promise<PlanPart<PolicyRecord> & { readonly warnings: readonly string[] }> {
  const { caller, content, former, policies } = options
  const part: PlanPart<PolicyRecord> = { changes: [], records: [], more: 0 }
  const warnings: string[] = []
  for (const asset of content.policies) {
    const { brought, leftOut } = withKnownNotifications(asset, options)
    pushAll(warnings, leftOut)
    const record = policyRecord(options, asset.file, brought)
    part.records.push(record)
    const before = former?.policies.find(({ file }) => file === asset.file)
    const stored = await policies.find(caller.tenant, record.id)
    const isDeletedByPerson = before !== undefined && (stored?.body.deleted ?? true)
    if (isDeletedByPerson) continue
    if (stored === undefined) part.more++
    const now = merged(options, brought, { before, stored, record })
    pushAll(part.changes, policies.putChanges(caller.tenant, now))
  }
  for (const { id } of removedIn(former?.policies, part.records)) {
    const stored = await policies.find(caller.tenant, id)
    if (stored !== undefined && !stored.body.deleted) {
      pushAll(part.changes, policies.deleteChanges(caller.tenant, stored))
    }
  }
  return { ...part, warnings }
}

/**
 * The policy without unknown notifications: their ids are numbers of the author's account, under
 * which this account may have other ones.
 */
function withKnownNotifications(
  { file, content }: Asset<Policy>,
  { notificationIds }: InstallPlanOptions,
): { brought: Policy; leftOut: string[] } {
  const leftOut: string[] = []
  const actions = content.actions.filter((action, i) => {
    if (action.type !== "notification" || notificationIds.has(action.id)) return true
    const path = `policy.actions[${i}].id`
    leftOut.push(`${file}: ${path}: left out, since there is no notification ${action.id}`)
    return false
  })
  return { brought: { ...content, actions }, leftOut }
}

function policyRecord({ id }: InstallPlanOptions, file: string, brought: Policy): PolicyRecord {
  const notifications = notificationsOf(brought)
  return { id: assetUuid(id, file), file, enabled: brought.enabled, notifications }
}

/** The policy of the new version with the changes that users made to the previous one. */
function merged(
  { caller, content, nowMs }: InstallPlanOptions,
  brought: Policy,
  there: {
    readonly before: PolicyRecord | undefined
    readonly stored: StoredRecord<Policy> | undefined
    readonly record: PolicyRecord
  },
): StoredRecord<Policy> {
  const { before, stored, record } = there
  const { authorEmail } = content.manifest
  const creatorEmail = brought.creatorEmail ?? (authorEmail || caller.email || null)
  const body = { ...brought, creatorEmail }
  const times = { createdMs: nowMs, updatedMs: nowMs }
  if (before === undefined || stored === undefined) return { id: record.id, ...times, body }
  const { enabled } = stored.body
  const notifications = notificationsOf(stored.body)
  const isSame = JSON.stringify(notifications) === JSON.stringify(before.notifications)
  return {
    id: record.id,
    createdMs: stored.createdMs,
    updatedMs: nowMs,
    body: {
      ...body,
      enabled: enabled === before.enabled ? brought.enabled : enabled,
      actions: isSame ? brought.actions : [...withoutNotifications(brought), ...notifications],
    },
  }
}

function notificationsOf({ actions }: Policy): NotificationAction[] {
  return actions.filter((action) => action.type === "notification")
}

function withoutNotifications({ actions }: Policy): PolicyAction[] {
  return actions.filter((action) => action.type !== "notification")
}

async function planDashboards(options: InstallPlanOptions): Promise<PlanPart<AssetRecord>> {
  const { caller, content, former, dashboards, id } = options
  const part: PlanPart<AssetRecord> = { changes: [], records: [], more: 0 }
  for (const asset of content.dashboards) {
    const record = { id: assetUuid(id, asset.file), file: asset.file }
    part.records.push(record)
    const isThere = await hasDashboard(options, record.id)
    const isBefore = former?.dashboards.some(({ file }) => file === asset.file) ?? false
    // A user removed it.
    if (isBefore && !isThere) continue
    if (!isThere) part.more++
    const placing = dashboards.replaceChanges(caller, record.id, asset.content)
    pushAll(part.changes, await inFile(asset.file, placing))
  }
  for (const gone of removedIn(former?.dashboards, part.records)) {
    if (!(await hasDashboard(options, gone.id))) continue
    part.more--
    pushAll(part.changes, await dashboards.deleteChanges(caller.tenant, gone.id))
  }
  return part
}

/** Prefixes each problem of an asset with its file. */
async function inFile<Result>(file: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== "invalid") throw cause
    const problems = cause.problems.map((problem) => `${file}: ${problem}`)
    throw new ServiceError("invalid", problems, { cause })
  }
}

async function hasDashboard(
  { dashboards, caller }: InstallPlanOptions,
  id: string,
): Promise<boolean> {
  return (await dashboards.find(caller.tenant, [id])).length > 0
}

function planConfigurations({
  caller,
  content,
  former,
  id,
}: InstallPlanOptions): PlanPart<AssetRecord> {
  const kind = configurationKind(caller.tenant)
  const { packageId } = content.manifest
  const part: PlanPart<AssetRecord> = { changes: [], records: [], more: 0 }
  content.analyticConfigurations.forEach(({ file, content: configuration }, position) => {
    const record = { id: assetUuid(id, file), file }
    const text = JSON.stringify(configuration)
    const document: ConfigurationDocument = { packageId, position, configuration: text }
    part.records.push(record)
    part.changes.push({ kind, id: record.id, document })
  })
  for (const gone of removedIn(former?.analyticConfigurations, part.records)) {
    part.changes.push({ kind, id: gone.id, document: null })
  }
  return part
}

function removedIn(
  former: readonly AssetRecord[] = [],
  now: readonly AssetRecord[],
): AssetRecord[] {
  const kept = new Set(now.map(({ id }) => id))
  return former.filter(({ id }) => !kept.has(id))
}
