/** Saved views: one user does not take the room of others (spec/search §5). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { viewsPerUserMax } from "../../src/base/limits/search.ts"
import { SavedViews } from "../../src/records/dashboards/saved-views.ts"
import { recordsDeps } from "./test-deps.ts"

test("the views of one user are limited, and others have theirs", async () => {
  const views = new SavedViews(recordsDeps())
  const of = (email: string) => ({
    tenant: 0,
    userId: 1,
    email,
    isAdministrator: false,
    mayShare: true,
  })
  const view = { name: "Shop", page: "inventory", query: "" }
  const create = (email: string) => views.create(of(email), view)
  const all = Array.from({ length: viewsPerUserMax }, () => create("ada@example.org"))
  const [first] = await Promise.all(all)
  await assert.rejects(create("ada@example.org"), /at most 200 views of one user/)
  await create("bob@example.org")
  await views.remove(of("ada@example.org"), first!.id)
  await create("ada@example.org")
})
