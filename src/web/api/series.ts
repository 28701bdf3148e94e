/** POST `/series/query`: values for charts and tables. */

import type { ApiCall, ApiClient } from "./client.ts"
import { seriesAnswer, type SeriesAnswer, type SeriesRequest } from "./series-answer.ts"

function seriesCall(body: SeriesRequest, signal?: AbortSignal): Omit<ApiCall<null>, "schema"> {
  const call = { method: "POST", path: ["series", "query"], body } as const
  return signal === undefined ? call : { ...call, signal }
}

/** Throws as the API client does; a query that fails alone is a result of its own. */
export function querySeries(
  api: ApiClient,
  body: SeriesRequest,
  signal: AbortSignal,
): Promise<SeriesAnswer> {
  return api.call({ ...seriesCall(body, signal), schema: seriesAnswer })
}

/** The same answer as CSV. Throws as the API client does. */
export function seriesCsv(api: ApiClient, body: SeriesRequest): Promise<string> {
  return api.text({ ...seriesCall(body), schema: null }, "text/csv")
}
