/** Packages as the API shows them: fields and order of spec/packages §1, assets as summaries. */

import { formatInstantSeconds } from "../../base/iso8601.ts"
import type { PackageMetadata } from "../../model/records/package-metadata.ts"

import { anything, flag, instant, listOf, orNull, record, text } from "../answer.ts"
import { described, uuid, type Written } from "../answer.ts"

const alwaysNull = described(orNull(anything), "Always null")

export const packageRecord = record({
  id: uuid,
  tenantId: uuid,
  packageId: text,
  version: text,
  name: text,
  description: orNull(text),
  authorName: orNull(text),
  authorEmail: orNull(text),
  logo: orNull(text),
  downloadUrl: orNull(text),
  userEmail: orNull(text),
  created: instant,
  updated: instant,
  tags: listOf(text),
  policies: listOf(record({ id: uuid, name: text })),
  analyticConfigurations: listOf(
    record({
      type: alwaysNull,
      id: uuid,
      name: alwaysNull,
      scope: alwaysNull,
      metrics: described(listOf(anything), "Always empty"),
    }),
  ),
  dashboards: listOf(
    record({
      id: uuid,
      name: alwaysNull,
      description: alwaysNull,
      layout: alwaysNull,
      properties: alwaysNull,
      widgets: alwaysNull,
      type: alwaysNull,
      private: flag,
    }),
  ),
})

export interface PackageSubject extends PackageMetadata {
  readonly id: string
  readonly tenantId: string
  readonly downloadUrl: string | null
  readonly userEmail: string | null
  readonly createdMs: number
  readonly updatedMs: number
  readonly policies: readonly { readonly id: string; readonly name: string }[]
  readonly analyticConfigurations: readonly { readonly id: string }[]
  readonly dashboards: readonly { readonly id: string; readonly private: boolean }[]
}

export function packageDocument(subject: PackageSubject): Written<typeof packageRecord> {
  const { createdMs, updatedMs, policies, analyticConfigurations, dashboards, ...rest } = subject
  const { tags, ...words } = rest
  return {
    ...words,
    created: formatInstantSeconds(createdMs),
    updated: formatInstantSeconds(updatedMs),
    tags,
    policies,
    analyticConfigurations: analyticConfigurations.map(configurationSummary),
    dashboards: dashboards.map(dashboardSummary),
  }
}

/** Every field except the id is null in all answers of the original service. */
function configurationSummary({ id }: { readonly id: string }) {
  return { type: null, id, name: null, scope: null, metrics: [] }
}

function dashboardSummary(dashboard: PackageSubject["dashboards"][number]) {
  return {
    id: dashboard.id,
    name: null,
    description: null,
    layout: null,
    properties: null,
    widgets: null,
    type: null,
    private: dashboard.private,
  }
}
