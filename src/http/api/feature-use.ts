/** What users made use of, for `GET /users/{id}/featureusage`: noted where a creation succeeded. */

import type { Feature } from "../../accounts/accounts.ts"
import type { Call, Reply, RouteDeps } from "../shared/route.ts"

/** Creating something under one of these paths is making use of the feature. */
const featuresByPath = new Map<string, Feature>([
  ["/policies", "createdPolicy"],
  ["/datasources", "createdDatasource"],
  ["/dashboards", "createdDashboard"],
  ["/notifications", "createdNotification"],
])

/** Notes the feature that a call made use of, if any. */
export async function noteFeatureUse(
  { identity, request }: Call,
  { status }: Reply,
  { accounts }: Pick<RouteDeps, "accounts">,
): Promise<void> {
  if (identity === null || request.method !== "POST" || status >= 300) return
  const feature = featuresByPath.get(new URL(request.url).pathname.replace(/\/$/, ""))
  if (feature !== undefined) await accounts.users.recordFeatureUse(identity, feature)
}
