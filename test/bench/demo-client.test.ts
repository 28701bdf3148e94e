import assert from "node:assert/strict"
import { test } from "node:test"
import { DemoClient, DemoError } from "../../bench/demo/demo-client.ts"

const address = { url: "http://host:1", user: "a@b", password: "pass", apiKey: "key" }

interface Sent {
  readonly url: string
  readonly request: RequestInit
}

/** A client whose server gives these answers one after the other. */
function clientOf(answers: (Response | Error)[]) {
  const sent: Sent[] = []
  const waits: number[] = []
  const fetch = async (url: unknown, request: RequestInit = {}) => {
    sent.push({ url: String(url), request })
    const answer = answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
  const client = new DemoClient({
    address,
    fetch: fetch as typeof globalThis.fetch,
    wait: async (ms) => waits.push(ms),
    signal: new AbortController().signal,
  })
  return { client, sent, waits }
}

const busy = () => new Response("busy", { status: 503, headers: { "Retry-After": "2" } })

test("a post is tried again as long as the server says that its queue is full", async () => {
  const { client, sent, waits } = clientOf([busy(), busy(), new Response(null, { status: 202 })])
  await client.post("[]")
  assert.deepEqual(waits, [2000, 2000])
  assert.deepEqual(
    sent.map(({ url }) => url),
    Array.from({ length: 3 }, () => "http://host:1/ingest/key"),
  )
})

test("a post is given up after ten tries, and after one try for any other status", async () => {
  const patient = clientOf(Array.from({ length: 10 }, busy))
  await assert.rejects(patient.client.post("[]"), /answered 503 to a post: busy/)
  assert.equal(patient.waits.length, 9)
  const wrongKey = clientOf([new Response("no such key", { status: 403 })])
  await assert.rejects(wrongKey.client.post("[]"), /answered 403 to a post: no such key/)
})

test("statistics are asked with Basic authentication over a window in ISO 8601", async () => {
  const { client, sent } = clientOf([Response.json({ metrics: [] })])
  assert.deepEqual(await client.statistics("cpu", { startMs: 0, endMs: 86_400_000 }), [])
  const url = new URL(sent[0]!.url)
  assert.equal(url.searchParams.get("fqn"), "cpu")
  assert.equal(url.searchParams.get("startTime"), "1970-01-01T00:00:00.000Z")
  assert.equal(url.searchParams.get("endTime"), "1970-01-02T00:00:00.000Z")
  assert.deepEqual(sent[0]!.request.headers, { Authorization: "Basic YUBiOnBhc3M=" })
})

test("a server that cannot be reached is a DemoError that names it", async () => {
  const refused = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })
  const { client } = clientOf([refused])
  await assert.rejects(client.elementId("x"), (error: Error) => {
    assert.ok(error instanceof DemoError)
    assert.equal(error.message, "Cannot reach http://host:1: ECONNREFUSED")
    return true
  })
})
