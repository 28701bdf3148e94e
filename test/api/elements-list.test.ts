/** Lists of elements, their metrics, their surroundings and their names (spec/queries §7). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { element, errorOf } from "../support/server/responses.ts"
import type { Client, QueryParams } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

const nowMs = Date.now()
const hourMs = 3_600_000
const cycleMs = 300_000
/** Start of a cycle that is closed, so that values a minute apart are in one bucket. */
const cycleStartMs = Math.floor(nowMs / cycleMs) * cycleMs - 2 * cycleMs
const client = useAccount({ prepare })

async function prepare(ready: Client): Promise<void> {
  const tag = (name: string, value: string) => ({ name, value })
  const one = (metricId: string, val: number, timestamp: number) => ({ metricId, timestamp, val })
  const reply = await ready.ingest([
    {
      id: "asg",
      name: "Group, green",
      type: "ASG",
      location: "us-west-2",
      relations: [{ fqn: "ec2-1" }, { fqn: "ec2-2" }, { fqn: "never-posted" }],
      samples: [one("size", 2, nowMs - 60_000)],
    },
    {
      id: "ec2-1",
      name: "One",
      type: "EC2",
      location: "us-west-2a",
      tags: [tag("env", "prod"), tag("Name", "web one")],
      attributes: [tag("ram bytes", "1024")],
      relations: [{ fqn: "ebs-1" }],
      metrics: [{ id: "cpu", unit: "percent", sparseDataStrategy: "ReplaceWithZero" }],
      samples: [
        one("cpu", 1, cycleStartMs - cycleMs),
        one("cpu", 5, cycleStartMs),
        one("cpu", 3, cycleStartMs + 60_000),
        one("old", 7, nowMs - 26 * hourMs),
      ],
    },
    { id: "ec2-2", name: "Two", type: "EC2", tags: [tag("env", "test")], samples: [] },
    { id: "ebs-1", type: "EBS", samples: [one("iops", 9, nowMs - 26 * hourMs)] },
    // A circle: the volume names the group that names the machine that names the volume.
    { id: "ebs-1", type: "EBS", relations: [{ fqn: "asg" }], samples: [] },
    { id: "alone", type: "EBS", samples: [] },
  ])
  assert.equal(reply.status, 202, reply.text)
}

async function list(params: QueryParams): Promise<string[]> {
  const reply = await client().get("/elements/", params)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ elements: { fqn: string }[] }>().elements.map(({ fqn }) => fqn)
}

test("GET /elements lists those that pass every parameter", async () => {
  const f = async (params: QueryParams, want: string) =>
    assert.deepEqual(await list(params), want === "" ? [] : want.split(" "), JSON.stringify(params))
  const { id } = (await element(client(), "ec2-1"))!

  await f({}, "asg ec2-1 ec2-2 ebs-1 alone")
  await f({ type: "EC2" }, "ec2-1 ec2-2")
  await f({ type: "ec2" }, "")
  await f({ type: ["EC2", "ASG"] }, "asg ec2-1 ec2-2")
  await f({ type: "EC2,ASG", name: "Two" }, "ec2-2")
  await f({ name: "Group, green" }, "asg")
  await f({ name: '["Two","One"]' }, "ec2-1 ec2-2")
  await f({ ids: [id, "asg", "nobody"] }, "asg ec2-1")
  await f({ id: "ec2-2" }, "ec2-2")
  await f({ ids: "nobody" }, "")
  await f({ location: "us-west-2a,us-west-2" }, "asg ec2-1")
  await f({ tags: "env" }, "ec2-1 ec2-2")
  await f({ tags: "env,Name" }, "ec2-1")
  await f({ tags: '{"env":["test"]}' }, "ec2-2")
  await f({ tags: '[{"name":"env","value":"prod"}]' }, "ec2-1")
})

test("with a window it lists those that had data in it", async () => {
  const f = async (params: QueryParams, want: string) =>
    assert.deepEqual(await list(params), want === "" ? [] : want.split(" "), JSON.stringify(params))

  await f({ duration: "PT1H" }, "asg ec2-1")
  await f({ startTime: nowMs - 27 * hourMs, endTime: nowMs - 25 * hourMs }, "ec2-1 ebs-1")
  await f({ startTime: nowMs - 27 * hourMs }, "asg ec2-1 ebs-1")
  await f({ startTime: nowMs - 3 * hourMs, endTime: nowMs - 2 * hourMs }, "")
  await f({ type: "EBS", duration: "P2D" }, "ebs-1")
})

test("a record has the documented fields, or the ones that were asked for", async () => {
  const reply = await client().get("/elements", { ids: "ec2-1" })
  const [whole] = reply.json<{ elements: Record<string, unknown>[] }>().elements
  const documented =
    "id fqn name type location netuitiveTags serviceTags sourceTags attributes metrics relations " +
    "state eventCount"
  for (const field of documented.split(" ")) {
    assert.ok(field in whole!, field)
  }
  assert.deepEqual(whole!["sourceTags"], { env: "prod", Name: "web one" })
  const some = await client().get("/elements", { ids: "ec2-1", fields: "fqn,name" })
  const [part] = some.json<{ elements: Record<string, unknown>[] }>().elements
  assert.deepEqual(Object.keys(part!), ["id", "fqn", "name"])
})

test("GET /elements/ids gives ids of what was seen in a window", async () => {
  const ids = async (params: QueryParams) => {
    const reply = await client().get("/elements/ids", params)
    assert.equal(reply.status, 200, reply.text)
    return reply.json<{ ids: string[] }>().ids
  }
  const id = async (fqn: string) => (await element(client(), fqn))!.id
  assert.deepEqual(await ids({ duration: "PT1H" }), [await id("asg"), await id("ec2-1")])
  const old = { startTime: nowMs - 27 * hourMs, endTime: nowMs - 25 * hourMs }
  assert.deepEqual(await ids(old), [await id("ec2-1"), await id("ebs-1")])
  assert.deepEqual(await ids({ startTime: 0, endTime: 1 }), [])
})

interface Meta {
  readonly id: string
  readonly metricMeta: readonly {
    readonly id: string
    readonly fqn: string
    readonly state: Record<string, unknown>
    readonly configuration: Record<string, unknown>
  }[]
}

test("GET /elements/{id}/metrics describes the values of each metric", async () => {
  const { id, metrics } = (await element(client(), "ec2-1"))!
  const meta = (await client().get(`/elements/${id}/metrics/`)).json<Meta>()
  assert.equal(meta.id, id)
  assert.deepEqual(
    meta.metricMeta.map(({ fqn }) => fqn),
    metrics.map(({ fqn }) => fqn),
  )
  const one = await client().get("/elements/ec2-1/metrics", { metricFQN: "cpu" })
  const [cpu, ...others] = one.json<Meta>().metricMeta
  assert.deepEqual(others, [])
  assert.equal(cpu!.id, metrics.find(({ fqn }) => fqn === "cpu")!.id)
  const instant = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z")
  assert.deepEqual(cpu!.state, {
    baselined: true,
    correlated: true,
    created: instant(cycleStartMs - cycleMs),
    updated: instant(cycleStartMs),
    lastActual: 4,
    historicalMin: 1,
    historicalMax: 4,
    lastResults: { actual: 4, avg: 4, min: 3, max: 5, cnt: 2, sum: 8 },
  })
  assert.deepEqual(cpu!.configuration, {
    validmin: null,
    validmax: null,
    sparsedatastrategy: "ReplaceWithZero",
  })
  const none = await client().get("/elements/ec2-1/metrics", { metricFQN: "nothing" })
  assert.deepEqual(none.json<Meta>().metricMeta, [])
  assert.deepEqual((await client().get("/elements/alone/metrics")).json<Meta>().metricMeta, [])
})

interface Graph {
  readonly relationships: {
    readonly directed: boolean
    readonly nodes: readonly {
      readonly id: string
      readonly label: string
      readonly type: string
      readonly metadata: { readonly fqn: string }
    }[]
    readonly edges: readonly {
      readonly source: string
      readonly relation: string
      readonly target: string
    }[]
  }
}

async function graph(of: string, params: QueryParams = {}) {
  const reply = await client().get(`/elements/${of}/relationships`, params)
  assert.equal(reply.status, 200, reply.text)
  const { nodes, edges } = reply.json<Graph>().relationships
  const name = new Map(nodes.map(({ id, metadata }) => [id, metadata.fqn]))
  return {
    nodes: nodes.map(({ metadata }) => metadata.fqn).join(" "),
    edges: edges
      .map(({ source, target }) => `${name.get(source)}>${name.get(target)}`)
      .sort()
      .join(" "),
  }
}

test("relationships are followed from both sides, so far, and once round a circle", async () => {
  const f = async (of: string, params: QueryParams, nodes: string, edges: string) =>
    assert.deepEqual(await graph(of, params), { nodes, edges })

  await f("alone", { levels: 9 }, "alone", "")
  await f("ec2-2", {}, "ec2-2 asg", "ec2-2>asg")
  const circle = "asg>ebs-1 ebs-1>ec2-1 ec2-1>asg ec2-2>asg"
  await f("ec2-2", { levels: 2 }, "ec2-2 asg ec2-1 ebs-1", circle)
  await f("ec2-2", { levels: "100" }, "ec2-2 asg ec2-1 ebs-1", circle)
  await f("ec2-1", {}, "ec2-1 ebs-1 asg", "asg>ebs-1 ebs-1>ec2-1 ec2-1>asg")
  await f("asg", { startTime: nowMs - hourMs }, "asg ec2-1", "ec2-1>asg")
  const whole = (await client().get("/elements/asg/relationships")).json<Graph>().relationships
  const { nodes, edges } = whole
  assert.equal(whole.directed, true)
  assert.deepEqual([nodes[0]!.label, nodes[0]!.type], ["Group, green", "ASG"])
  assert.equal(edges[0]!.relation, "member of")
})

test("a name preview puts in what is known of the element", async () => {
  const { id } = (await element(client(), "ec2-1"))!
  const f = async (template: string, want: string) => {
    const body = { elementId: id, template }
    const reply = await client().post("/elements/name/preview", body)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.json(), { preview: want })
  }

  await f("${tags.Name} ${meta.location} ${meta.type}", "web one us-west-2a EC2")
  await f("${meta.fqn}/${meta.originalName}/${meta.id}", `ec2-1/One/${id}`)
  await f('${attributes["ram bytes"]} ${attributes.ram bytes}', "1024 1024")
  await f('[${tags.owner}] [${tags.owner!}] [${tags.owner!"nobody"}]', "[] [] [nobody]")
  await f("no template $ { } }", "no template $ { } }")
})

test("invalid input is a 400 that names it; an unknown id is a 404", async () => {
  const f = async (path: string, params: QueryParams, want: RegExp) => {
    const reply = await client().get(path, params)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join("\n"), want)
  }
  const preview = async (body: unknown, status: number, want: RegExp) => {
    const reply = await client().post("/elements/name/preview", body)
    assert.equal(reply.status, status, reply.text)
    assert.match(errorOf(reply).errors.join("\n"), want)
  }

  await f("/elements", { state: "perhaps" }, /state.*perhaps/)
  await f("/elements", { fields: "colour" }, /fields.*colour/)
  await f("/elements", { startTime: "yesterday" }, /startTime.*yesterday/)
  await f("/elements", { tags: '{"env":{"a":1}}' }, /tags/)
  await f("/elements/ids", { duration: "P15D" }, /duration/)
  await f("/elements/asg/relationships", { levels: "0" }, /levels.*"0"/)
  await f("/elements/asg/relationships", { levels: "101" }, /levels.*100/)
  await f("/elements/asg/relationships", { levels: "many" }, /levels.*many/)
  await preview({ elementId: "asg" }, 400, /template/)
  await preview({ elementId: "asg", template: "${colour}" }, 400, /meta\.fqn.*colour/)
  await preview({ elementId: "asg", template: "${tags.a" }, 400, /template/)
  await preview({ elementId: "nobody", template: "x" }, 404, /nobody/)
  for (const path of ["metrics", "relationships", "tags"]) {
    assert.equal((await client().get(`/elements/nobody/${path}`)).status, 404, path)
  }
  for (const path of ["/elements", "/elements/ids", "/elements/asg/relationships"]) {
    assert.equal((await client().send(path)).status, 401)
  }
})

test("state separates elements with collected metrics from the others", async () => {
  const both = [...(await list({ state: true })), ...(await list({ state: "false" }))]
  assert.deepEqual(both.sort(), (await list({})).sort())
  assert.ok((await list({ state: false })).includes("alone"))
})
