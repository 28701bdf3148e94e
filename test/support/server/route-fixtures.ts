/** Fixtures of tests that walk the route table: the objects that the names in a path identify. */

import assert from "node:assert/strict"
import { OpenIncidents } from "../../../src/records/incidents/open-incidents.ts"
import { Incidents } from "../../../src/records/incidents/incidents.ts"
import { TestClock } from "../time/test-clock.ts"
import { pathParameterNames } from "../../../src/http/description/openapi.ts"
import type { DescribedRoute, Operation, Parameter } from "../../../src/http/shared/route.ts"
import { sessionBody } from "../../../src/wire/accounts/session-document.ts"
import { packageArchivesBody } from "../../../src/wire/records/package-archives-body.ts"
import { openWriteStore } from "../../../src/store/open.ts"
import type { Reply, Send } from "./client.ts"
import { boundary, formWith, packageArchive, policyFile } from "../packages/package-files.ts"

export type Values = Readonly<Record<string, string>>
export type Described = Omit<Operation, "handle">

/** An account as a client walks its routes: its query credentials, and its ingest key. */
export interface Walker {
  readonly apiKey: string
  /** Ids of open incidents of the account. */
  readonly incidents: string[]
  /** A text in everything that is created, and nowhere else. */
  readonly marker: string
  send(path: string, send?: Send): Promise<Reply>
}

let made = 0

async function create(walker: Walker, path: string, body: unknown): Promise<string> {
  const reply = await walker.send(path, { method: "POST", body })
  assert.ok(reply.status < 300, `POST ${path}: ${reply.text}`)
  const [record] = Object.values(reply.json<Record<string, { id: string | number }>>())
  return String(record!.id)
}

const nameOf = ({ marker }: Walker): string => `${marker}-${++made}`

async function newElement(walker: Walker): Promise<Values> {
  const id = nameOf(walker)
  const tags = [{ name: "env", value: walker.marker }]
  const samples = [{ metricId: "cpu.total", timestamp: Date.now(), val: made }]
  const metrics = [{ id: "cpu.total", tags }]
  const body = [{ id, type: "SERVER", tags, metrics, samples }]
  const reply = await walker.send(`/ingest/${walker.apiKey}`, { method: "POST", body })
  assert.equal(reply.status, 202, reply.text)
  const found = await walker.send(`/elements/${id}`)
  const { element } = found.json<{ element: { id: string; metrics: { id: string }[] } }>()
  return { elementId: element.id, metricId: element.metrics[0]!.id }
}

const newDashboard = (walker: Walker) =>
  create(walker, "/dashboards", { dashboard: { name: nameOf(walker) } })

/** A dashboard of an element type of its own. */
async function newTypeDashboard(walker: Walker): Promise<Values> {
  const type = nameOf(walker).toUpperCase()
  await create(walker, "/dashboards", { dashboard: { name: type, type } })
  return { type }
}

const newView = (walker: Walker) =>
  create(walker, "/views", { view: { name: nameOf(walker), page: "inventory", shared: true } })

async function newWidget(walker: Walker): Promise<string> {
  const dashboardId = await newDashboard(walker)
  const widget = { dashboardId, name: nameOf(walker), widgetType: "single-metric" }
  return create(walker, "/widgets", { widget })
}

function newPolicy(walker: Walker): Promise<string> {
  const condition = { metric: "cpu.total", analytic: "actual", operator: ">", level: 5 }
  const scope = { elementTypes: ["SERVER"] }
  const policy = {
    name: nameOf(walker),
    scope,
    duration: 300,
    conditions: [condition],
    actions: [],
  }
  return create(walker, "/policies", { policy })
}

async function newEvent(walker: Walker): Promise<string> {
  const title = nameOf(walker)
  const { elementId } = await newElement(walker)
  const element = await walker.send(`/elements/${elementId}`)
  const { fqn } = element.json<{ element: { fqn: string } }>().element
  const event = {
    type: "INFO",
    title,
    source: "ci",
    data: { elementId: fqn, level: "Info", message: title },
  }
  const path = `/ingest/events/${walker.apiKey}`
  const posted = await walker.send(path, { method: "POST", body: [event] })
  assert.equal(posted.status, 202, posted.text)
  const found = await walker.send(`/events?title=${title}`)
  return found.json<{ events: { id: string }[] }>().events[0]!.id
}

async function newCheck(walker: Walker): Promise<string> {
  const fqn = nameOf(walker)
  const path = `/check/${walker.apiKey}/heartbeat/${fqn}/600`
  const posted = await walker.send(path, { method: "POST" })
  assert.equal(posted.status, 202, posted.text)
  const found = await walker.send(`/checks?elementFqn=${fqn}`)
  return found.json<{ checks: { id: string }[] }>().checks[0]!.id
}

function newUser(walker: Walker): Promise<string> {
  const email = `${nameOf(walker)}@example.com`
  return create(walker, "/users", { user: { email, password: "a password to try", roles: [] } })
}

async function newLink(walker: Walker, userId: number): Promise<string> {
  const made = await walker.send(`/users/${userId}/link`, { method: "POST", body: {} })
  assert.equal(made.status, 201, made.text)
  return made.json<{ link: string }>().link
}

/** A login session of the walker's user, which signs in with a link. */
async function newSession(walker: Walker): Promise<string> {
  const current = await walker.send("/users/current")
  const { id } = current.json<{ user: { id: number } }>().user
  const link = await newLink(walker, id)
  const headers = { "x-tidegauge-request": "1" }
  const opened = await walker.send("/sessions", { method: "POST", headers, body: { link } })
  assert.equal(opened.status, 201, opened.text)
  return opened.json<{ session: { id: string } }>().session.id
}

function newNotification(walker: Walker): Promise<string> {
  const properties = { name: nameOf(walker), address: "a@example.com" }
  const notification = { enabled: true, type: "email", properties }
  return create(walker, "/notifications", { notification })
}

/** An element whose tags hold the one that the examples name. */
async function newTagged(walker: Walker, path: string): Promise<Values> {
  const values = await newElement(walker)
  const body = { netuitiveTag: { Weekday: walker.marker } }
  const reply = await walker.send(pathWith(path, values), { method: "POST", body })
  assert.equal(reply.status, 200, reply.text)
  return values
}

async function newPackage(walker: Walker): Promise<string> {
  const reply = await walker.send("/packages/install", {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: formWith(await archiveOf(walker)),
  })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ package: { id: string } }>().package.id
}

function archiveOf(walker: Walker): Promise<Uint8Array> {
  const id = nameOf(walker)
  return packageArchive({ id, policies: { "a.json": policyFile(id) } })
}

const withId = (make: (walker: Walker) => Promise<string>) => async (walker: Walker) => ({
  id: await make(walker),
})

/**
 * By the beginning of a path, the longest match. Each object is created again for every operation,
 * so that one may delete it; names that no row gives keep the example of the table.
 */
const makers: Readonly<Record<string, (walker: Walker) => Promise<Values>>> = {
  "/dashboards/:id": withId(newDashboard),
  "/dashboards/dashboardtype/:type": newTypeDashboard,
  "/dashboards/elementtype/:type": newTypeDashboard,
  "/widgets/:id": withId(newWidget),
  "/views/:id": withId(newView),
  "/datasources/:id": withId((walker) =>
    create(walker, "/datasources", { dataSource: { name: nameOf(walker), type: "RUBY" } }),
  ),
  "/notifications/:id": withId(newNotification),
  "/notifications/test/:id": withId(newNotification),
  "/policies/:id": withId(newPolicy),
  "/packages/:id": withId(newPackage),
  "/checks/:id": withId(newCheck),
  "/events/delete/policy/:policyId": async (walker) => ({ policyId: await newPolicy(walker) }),
  "/events/delete/:eventId": async (walker) => ({ eventId: await newEvent(walker) }),
  "/events/:eventId": async (walker) => ({ eventId: await newEvent(walker) }),
  "/incidents/:id": async ({ incidents }) => ({ id: incidents.pop()! }),
  "/elements/:elementId": newElement,
  "/elements/:elementId/tags/:tagName": (walker) => newTagged(walker, "/elements/:elementId/tags"),
  "/elements/:elementId/metrics/:metricId/tags/:tagName": (walker) =>
    newTagged(walker, "/elements/:elementId/metrics/:metricId/tags"),
  "/ui/elements/:elementId": newElement,
  "/users/:id": withId(newUser),
  "/sessions/:id": withId(newSession),
  "/keys/:id": withId((walker) => create(walker, "/keys", { key: { name: nameOf(walker) } })),
  "/ingest/": async ({ apiKey }) => ({ apiId: apiKey }),
  "/check/": async ({ apiKey }) => ({ apiId: apiKey }),
}

/** Paths whose names are words with one meaning in all accounts, so that no account owns them. */
const words: readonly string[] = [
  "/docs/:page",
  "/metrics/search/metricAgg/:term",
  "/metrics/elasticsearch/metricAgg/:term",
  "/elements/search/elementAgg/:term",
  "/elements/elasticsearch/elementAgg/:term",
]

/** Values for the names of a path; fails for a path that this table does not know. */
export async function valuesFor(
  { path }: DescribedRoute,
  parameters: readonly Parameter[],
  walker: Walker,
): Promise<Values> {
  const names = pathParameterNames(path)
  if (names.length === 0) return {}
  const start = Object.keys(makers)
    .filter((one) => path.startsWith(one))
    .sort((one, other) => other.length - one.length)[0]
  const isTold = start !== undefined || words.includes(path)
  assert.ok(
    isTold,
    `${path}: test/support/server/route-fixtures.ts does not know how to make its ids`,
  )
  const own = start === undefined ? {} : await makers[start]!(walker)
  const examples = parameters.filter((one) => one.in === "path" && one.example !== undefined)
  const values = { ...Object.fromEntries(examples.map((one) => [one.name, one.example!])), ...own }
  for (const name of names) assert.ok(values[name], `${path}: no value for ${name}`)
  return values
}

/** Names in the path whose values belong to one account. */
export function ownNames({ path }: DescribedRoute): string[] {
  return pathParameterNames(path).filter((name) =>
    ["id", "elementId", "metricId", "eventId", "policyId", "type"].includes(name),
  )
}

export function pathWith(path: string, values: Values): string {
  return path.replace(/:([A-Za-z0-9_]+)/g, (_, name: string) => encodeURIComponent(values[name]!))
}

/** The query and the headers of the table's examples. */
export function examplesOf(parameters: readonly Parameter[]): {
  query: string
  headers: Record<string, string>
} {
  const told = parameters.filter(({ example }) => example !== undefined)
  const query = new URLSearchParams()
  for (const { name, example } of told.filter((one) => one.in === "query")) {
    query.append(name, example!)
  }
  const headers = told.filter((one) => one.in === "header")
  return {
    query: query.size === 0 ? "" : `?${query}`,
    headers: Object.fromEntries(headers.map(({ name, example }) => [name, example!])),
  }
}

/**
 * The example body; a dashboard that it names is created, and archives are those of tests: the
 * objects of the example do not exist.
 */
export async function bodyFor({ body }: Described, walker: Walker): Promise<unknown> {
  if (body === undefined) return undefined
  assert.notEqual(body.example, undefined, "Expected an example of the body")
  if (body.schema === packageArchivesBody) return { archives: [] }
  if (body.description.includes("ZIP archive")) return formWith(await archiveOf(walker))
  if (body.schema === sessionBody) return { link: await newLink(walker, 1) }
  const text = typeof body.example === "string" ? body.example : JSON.stringify(body.example)
  const named = /"dashboardId":"[^"]*"/
  if (!named.test(text)) return text
  return text.replace(named, `"dashboardId":"${await newDashboard(walker)}"`)
}

const days = (count: number): number => count * 86_400_000

/** Incidents come from policies; here they are stored before the server starts. */
export async function storeIncidents(folder: string, ids: readonly string[]): Promise<void> {
  const store = openWriteStore({
    folder,
    retentionMs: { ZERO: days(15), PT5M: days(90), PT1H: days(395), PT24H: days(1825) },
    cycleGraceMs: 60_000,
    elapsedMs: () => performance.now(),
    warn: () => {},
  })
  const documents = {
    get: async (kind: string, id: string) => store.getDocument(kind, id),
    put: async (kind: string, id: string, document: unknown) =>
      store.putDocuments([{ kind, id, document }]),
    putAll: async (changes: Parameters<typeof store.putDocuments>[0]) =>
      store.putDocuments(changes),
    list: async (kind: string) => store.listDocuments(kind),
  }
  const nowMs = Date.now()
  const open = new OpenIncidents(documents)
  const incidents = new Incidents({ documents, clock: new TestClock(nowMs), open })
  for (const id of ids) {
    await incidents.store(0, {
      id,
      timeMs: nowMs - 60_000,
      lastFiredMs: nowMs,
      closedMs: null,
      policyId: id,
      elementId: id,
      elementFqn: "web-1",
      elementName: "web-1",
      eventIds: [],
      violatingMetricFqns: ["cpu.total"],
      compared: [
        {
          metricFqn: "cpu.total",
          unit: "percent",
          analytic: "actual",
          operator: ">",
          value: 97,
          changePercent: null,
          threshold: 90,
          thresholdUnit: "percent",
          lower: null,
          upper: null,
        },
      ],
      acked: false,
    })
  }
  await store.close()
}
