/** Saved views: a page with its parameters under a name (spec/search §5). */

import * as v from "valibot"
import type { ApiClient } from "./client.ts"

const viewSchema = v.object({
  id: v.string(),
  name: v.string(),
  page: v.string(),
  query: v.string(),
  shared: v.boolean(),
  creatorEmail: v.string(),
})
export type SavedView = v.InferOutput<typeof viewSchema>

/** Own views of a page and those that others share, by name. Throws as the API client does. */
export async function readViews(
  api: ApiClient,
  page: string,
  signal: AbortSignal,
): Promise<readonly SavedView[]> {
  const schema = v.object({ views: v.array(viewSchema) })
  const { views } = await api.call({ path: ["views"], schema, signal })
  return views.filter((view) => view.page === page)
}

const oneView = v.object({ view: viewSchema })

/** Throws as the API client does: 403 if the user may not share. */
export async function createView(
  api: ApiClient,
  view: Pick<SavedView, "name" | "page" | "query" | "shared">,
): Promise<SavedView> {
  const call = { method: "POST", path: ["views"], body: { view }, schema: oneView } as const
  return (await api.call(call)).view
}

/** Fields that are absent stay. */
export async function changeView(
  api: ApiClient,
  id: string,
  view: Partial<Pick<SavedView, "name" | "query" | "shared">>,
): Promise<SavedView> {
  const call = { method: "PUT", path: ["views", id], body: { view }, schema: oneView } as const
  return (await api.call(call)).view
}

export async function deleteView(api: ApiClient, id: string): Promise<void> {
  await api.call({ method: "DELETE", path: ["views", id], schema: null })
}
