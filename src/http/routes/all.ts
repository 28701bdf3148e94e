/** All routes beside ingest. Order matters where a fixed segment competes with a named one. */

import type { Route } from "../route.ts"
import { queryRoutes } from "./query.ts"
import { systemRoutes } from "./system.ts"

export const allRoutes: readonly Route[] = [...queryRoutes, ...systemRoutes]
