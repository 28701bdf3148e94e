/** POST `/series/query`: values for charts and tables. */

import type { ApiClient } from "./client.ts"
import { seriesAnswer, type SeriesAnswer, type SeriesRequest } from "./series-answer.ts"

/** Throws as the API client does; a query that fails alone is a result of its own. */
export function querySeries(
  api: ApiClient,
  body: SeriesRequest,
  signal: AbortSignal,
): Promise<SeriesAnswer> {
  return api.call({ method: "POST", path: ["series", "query"], body, schema: seriesAnswer, signal })
}
