/** Query validation: times in a wrong unit and unknown names are refused, never ignored. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { methods } from "../../src/http/shared/route.ts"
import { describedRoutes } from "../../src/http/api/routes/route-table.ts"
import { errorOf } from "../support/server/responses.ts"
import type { Described } from "../support/server/route-fixtures.ts"
import { useAccount } from "../support/server/server.ts"

const nowMs = Date.now()
const client = useAccount({
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

const hasFqn = ({ parameters = [] }: Described) => parameters.some(({ name }) => name === "fqn")

const timed = describedRoutes.flatMap(({ path, operations }) =>
  methods.flatMap((method) =>
    (operations[method]?.parameters ?? [])
      .filter((one) => one.in === "query" && timeNames.includes(one.name))
      .map(({ name }) => ({ path, method, name, hasFqn: hasFqn(operations[method]!) })),
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

test("queries of every kind have time parameters", () => {
  for (const start of ["/metrics", "/elements", "/events", "/incidents", "/policies", "/ui"]) {
    assert.ok(
      timed.some(({ path }) => path.startsWith(start)),
      start,
    )
  }
})

for (const { path, method, name, hasFqn } of timed) {
  test(`${method} ${path} refuses a ${name} that is not in milliseconds (B7)`, async () => {
    const place = await placeOf(path)
    const headers = { authorization: client().authorization }
    for (const [text, hint] of otherUnits) {
      const query = `?${hasFqn ? "fqn=cpu.total&" : ""}${name}=${text}`
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

const search = "/elements/search/elementQuery"
const typos = [
  [search, { elementType: { items: [{ item: "SERVER" }] } }, /"elementType".*"elementTypes"\?$/],
  [search, { elementTypes: { item: [] } }, /^elementTypes: "item".*did you mean "items"\?$/],
  [search, { pagesize: 5 }, /^body: "pagesize".*did you mean "pageSize"\?$/],
  [search, { sourceFilter: { exclude: [] } }, /^sourceFilter: "exclude".*"excludes"\?$/],
  [search, { sourceFilter: { excludes: ["metrcs"] } }, /excludes: "metrcs" .*"metrics"\?$/],
  ["/metrics/crosselementagg", { metricFqn: {} }, /"metricFqn".*"metricFqns"\?$/],
  ["/metrics/statistics/aggregate?fqn=a", { type: "SERVER" }, /"type".*"types"\?$/],
  ["/metrics/statistics/aggregate?fqn=a", { elementScope: { tag: [] } }, /^elementScope: "tag"/],
  ["/elements/web-1/tags", { netuitiveTags: { a: "b" } }, /"netuitiveTags".*"netuitiveTag"\?$/],
  ["/elements/name/preview", { elementId: "web-1", templat: "a" }, /"templat".*"template"\?$/],
  ["/dashboards", { dashboard: { name: "a", widget: [] } }, /^dashboard: "widget".*"widgets"\?$/],
  ["/widgets", { widget: { widgettype: "a" } }, /^widget: "widgettype".*"widgetType"\?$/],
  ["/datasources", { dataSource: { type: "AWS", propertes: {} } }, /"propertes".*"properties"\?$/],
  ["/datasources", [{ dataSource: { tpye: "AWS" } }], /^\[0\]\.dataSource: "tpye".*"type"\?$/],
  ["/notifications", { notification: { typ: "email" } }, /^notification: "typ".*"type"\?$/],
  ["/users", { user: { mail: "a@b.c" } }, /^user: "mail".*"email"\?$/],
  ["/packages", { archive: [] }, /^body: "archive".*"archives"\?$/],
] as const

for (const [path, body, want] of typos) {
  test(`${path} refuses ${JSON.stringify(body)} and names what is meant (B6)`, async () => {
    const refused = errorOf(await client().post(path, body))
    assert.equal(refused.status, 400)
    assert.ok(
      refused.errors.some((one) => want.test(one)),
      refused.errors.join("\n"),
    )
  })
}

test("a filter of a GET that is not JSON is refused instead of ignored (B6)", async () => {
  const query = { fqn: "cpu.total", tags: "env=prod" }
  const refused = errorOf(await client().get("/metrics/statistics/aggregate", query))
  assert.match(refused.errors.join(), /^tags\[0\]: expected an object, got "env=prod"$/)
})

const made = [
  ["/dashboards", { dashboard: { name: "a", widgets: [{ widgetType: "single-metric" }] } }],
  ["/datasources", { dataSource: { name: "a", type: "AWS" } }],
  [
    "/notifications",
    { notification: { type: "email", properties: { name: "n", address: "a@example.com" } } },
  ],
  ["/policies", { policy: { name: "a", checkCondition: { checkName: "heartbeat" } } }],
  ["/users", { user: { email: "b@example.com", password: "ochre tin wagon 61" } }],
] as const

for (const [path, body] of made) {
  test(`a record of ${path} is taken back as it was answered`, async () => {
    const answer = await client().post(path, body)
    assert.equal(answer.status, 200, answer.text)
    const record = Object.values(answer.json<Record<string, { id: string }>>())[0]!
    const headers = { authorization: client().authorization, "content-type": "application/json" }
    const send = { method: "PUT", headers, body: answer.text }
    const put = await client().send(`${path}/${record.id}`, send)
    assert.ok(put.status < 300, put.text)
    const policy = { ...record, originTenantId: null, originPolicyId: null }
    if (path === "/policies") assert.equal((await client().post(path, { policy })).status, 200)
  })
}

test("a widget of a dashboard is taken back as it was answered", async () => {
  const posted = await client().post(made[0][0], made[0][1])
  const { widgets } = posted.json<{ dashboard: { widgets: { id: string }[] } }>().dashboard
  const headers = { authorization: client().authorization, "content-type": "application/json" }
  const send = { method: "PUT", headers, body: { widget: widgets[0] } }
  assert.equal((await client().send(`/widgets/${widgets[0]!.id}`, send)).status, 200)
})

/** As the vendor's command line, its Java client and its documentation ask. */
const realQuestions = [
  "/elements/web-1/metrics/cpu.total/samples?aggregations=ACTUAL&fqn=cpu.total&rollup=PT5M",
  "/ui/elements/web-1/metrics/cpu.total/samples?aggregations=ACTUAL&fqn=cpu.total&duration=PT1h",
  "/elements/web-1/metrics/?metricFQN=cpu.total",
  "/elements/?fields=fqn&ids=web-1&location=a&name=b&tags=c&type=d",
  `/elements/web-1/events/?startTime=${nowMs - 1000}&endTime=${nowMs}`,
  `/events/?isExternal=true&category=INFO&elementName=a&elementType=b&title=c&type=INFO`,
  `/policies/elements?startTime=2020-02-29T15:53:00Z&endTime=2020-02-29T15:54:00Z`,
  "/metrics/fqns?elementName=Destalinator&elementType=Lambda",
  "/datasources?includeElements=true",
  "/packages/?packageId=a&version=1.0.0",
]

for (const path of realQuestions) {
  test(`what a real client asks is answered: ${path.split("?")[0]!}`, async () => {
    const reply = await client().get(path)
    assert.equal(reply.status, 200, reply.text)
  })
}
