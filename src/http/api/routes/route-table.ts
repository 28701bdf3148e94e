/** All routes except ingest. A fixed segment must precede a named one that would match it. */

import type { DescribedRoute, Route } from "../../shared/route.ts"
import { auditRoutes } from "./accounts/audit.ts"
import { dashboardRoutes } from "./dashboards.ts"
import { checkRoutes } from "./checks.ts"
import { datasourceRoutes } from "./datasources.ts"
import { descriptionRoutes } from "./description.ts"
import { elementRoutes } from "./elements.ts"
import { elementStatusRoutes } from "./pages/element-status.ts"
import { eventPostRoutes } from "./event-posts.ts"
import { eventRoutes } from "./events.ts"
import { findRoutes } from "./find.ts"
import { incidentRoutes } from "./incidents.ts"
import { ingestRoutes } from "./ingest.ts"
import { notificationRoutes } from "./notifications.ts"
import { packageRoutes } from "./packages.ts"
import { keyRoutes } from "./accounts/keys.ts"
import { policyRoutes } from "./policies.ts"
import { searchRoutes } from "./pages/search.ts"
import { seriesRoutes } from "./series.ts"
import { sessionRoutes } from "./accounts/sessions.ts"
import { statisticsRoutes } from "./statistics.ts"
import { statusRoutes } from "./server/status.ts"
import { streamRoutes } from "./server/stream.ts"
import { systemRoutes } from "./system.ts"
import { tagRoutes } from "./tags.ts"
import { userRoutes } from "./accounts/users.ts"
import { viewRoutes } from "./pages/views.ts"
import { widgetRoutes } from "./widgets.ts"

export const allRoutes: readonly Route[] = [
  ...dashboardRoutes,
  ...widgetRoutes,
  ...viewRoutes,
  ...datasourceRoutes,
  ...notificationRoutes,
  ...policyRoutes,
  ...packageRoutes,
  ...eventPostRoutes,
  ...eventRoutes,
  ...incidentRoutes,
  ...checkRoutes,
  ...searchRoutes,
  ...elementStatusRoutes,
  ...findRoutes,
  ...statisticsRoutes,
  ...seriesRoutes,
  ...elementRoutes,
  ...tagRoutes,
  ...userRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...systemRoutes,
  ...statusRoutes,
  ...streamRoutes,
  ...descriptionRoutes(() => describedRoutes),
]

/** All routes of the API description, including ingest. */
export const describedRoutes: readonly DescribedRoute[] = [...ingestRoutes, ...allRoutes]
