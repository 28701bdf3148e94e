/** Feature use: records features at successful creations, for `GET /users/{id}/featureusage`. */

import type { Feature } from "../../accounts/accounts.ts"
import type { Call, Reply, RouteDeps } from "../shared/route.ts"

/** A successful POST to one of these paths uses the feature. */
const featuresByPath = new Map<string, Feature>([
  ["/policies", "createdPolicy"],
  ["/datasources", "createdDatasource"],
  ["/dashboards", "createdDashboard"],
  ["/notifications", "createdNotification"],
])

/** Records the feature that a call used, if any. */
export async function noteFeatureUse(
  { identity, request }: Call,
  { status }: Reply,
  { accounts }: Pick<RouteDeps, "accounts">,
): Promise<void> {
  if (identity === null || request.method !== "POST" || status >= 300) return
  const feature = featuresByPath.get(new URL(request.url).pathname.replace(/\/$/, ""))
  if (feature !== undefined) await accounts.users.recordFeatureUse(identity, feature)
}
