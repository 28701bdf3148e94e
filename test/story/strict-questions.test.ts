/** What a question names wrongly is told, never passed over: times in another unit. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { methods } from "../../src/http/route.ts"
import { describedRoutes } from "../../src/http/routes/all.ts"
import { errorOf } from "../support/answers.ts"
import { useServer } from "../support/server.ts"

const nowMs = Date.now()
const client = useServer({
  prepare: async ({ ingest }) => {
    const samples = [{ metricId: "cpu.total", timestamp: nowMs - 60_000, val: 1 }]
    assert.equal((await ingest([{ id: "web-1", type: "SERVER", samples }])).status, 202)
  },
})

const timeNames = ["startTime", "endTime", "startDate", "endDate"]
const seconds = Math.floor(nowMs / 1000)
const otherUnits = [
  [`${seconds}`, /seconds: multiply it by 1000$/],
  [`${nowMs * 1000}`, /microseconds: divide it by 1000$/],
  [`${nowMs}000000`, /nanoseconds: divide it by 1000000$/],
] as const

const timed = describedRoutes.flatMap(({ path, operations }) =>
  methods.flatMap((method) =>
    (operations[method]?.parameters ?? [])
      .filter((one) => one.in === "query" && timeNames.includes(one.name))
      .map(({ name }) => ({ path, method, name })),
  ),
)

/** A path that leads to the handler: ids of policies are made, the others are those of examples. */
async function placeOf(path: string): Promise<string> {
  const names: Record<string, string> = { elementId: "web-1", metricId: "cpu.total" }
  if (path.startsWith("/policies/:id")) {
    const conditions = [{ metric: "cpu", analytic: "actual", operator: ">", level: 1 }]
    const made = await client().post("/policies", { policy: { name: "one", conditions } })
    names["id"] = made.json<{ policy: { id: string } }>().policy.id
  }
  return path.replace(/:(\w+)/g, (_, name: string) => names[name]!)
}

test("there are time parameters, of questions of every kind", () => {
  for (const start of ["/metrics", "/elements", "/events", "/incidents", "/policies", "/ui"]) {
    assert.ok(
      timed.some(({ path }) => path.startsWith(start)),
      start,
    )
  }
})

for (const { path, method, name } of timed) {
  test(`${method} ${path} refuses a ${name} that is not in milliseconds (B7)`, async () => {
    const place = await placeOf(path)
    const headers = { authorization: client().authorization }
    for (const [text, hint] of otherUnits) {
      const query = `?fqn=cpu.total&${name}=${text}`
      const refused = errorOf(await client().send(place + query, { method, headers }))
      assert.equal(refused.status, 400)
      const problem = refused.errors.find((one) => one.startsWith(`${name}: cannot read`))
      assert.match(problem ?? refused.errors.join("\n"), hint)
    }
  })
}

const bodies = [
  ["/metrics/search/metricQuery", (time: unknown) => ({ startDate: time })],
  ["/metrics/search/metricAgg/fqn", (time: unknown) => ({ endDate: time })],
  ["/elements/search/elementQuery", (time: unknown) => ({ endDate: time })],
  ["/elements/search/elementAgg/elementType", (time: unknown) => ({ startDate: time })],
  ["/metrics/crosselementagg", (time: unknown) => ({ startDate: time })],
  ["/metrics/statistics/aggregate?fqn=cpu.total", (time: unknown) => ({ startTime: time })],
  ["/metrics/statistics/aggregate?fqn=a", (time: unknown) => ({ elementScope: { endTime: time } })],
  [
    "/elements/web-1/tags",
    (time: unknown) => ({ serviceTag: { "n.state.maintenance_end": time } }),
  ],
] as const

for (const [path, body] of bodies) {
  test(`the body of ${path} is judged alike: ${JSON.stringify(body("…"))} (B7)`, async () => {
    for (const [text, hint] of [...otherUnits, [seconds, otherUnits[0][1]] as const]) {
      const refused = errorOf(await client().post(path, body(text)))
      assert.equal(refused.status, 400)
      assert.match(refused.errors.join("\n"), new RegExp(hint.source, "m"))
    }
    const right = await client().post(path, body(nowMs - 1000))
    assert.equal(right.status, 200, right.text)
  })
}
