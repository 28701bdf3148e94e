/** Packages as the API shows them: fields and order of service-api.md, assets as summaries. */

import { formatInstantSeconds } from "../../base/iso8601.ts"
import type { PackageWords } from "../../model/package-words.ts"

export interface PackageSubject extends PackageWords {
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

export function packageDocument(subject: PackageSubject): Record<string, unknown> {
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

/** Everything but the id is null in every answer of the real service. */
function configurationSummary({ id }: { readonly id: string }): Record<string, unknown> {
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
