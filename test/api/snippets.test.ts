/** Texts to paste, of the handbook and of the page of the first steps: each sends samples. */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { servedProtocols } from "../../src/http/ingest/ingest-request.ts"
import { servedSnippets, snippets, type Snippet } from "../../src/web/pages/welcome/snippets.ts"
import { apiKey, useServer } from "../support/server/server.ts"

const client = useServer()

function codeOf(name: Snippet["name"]): string {
  const snippet = snippets.find((one) => one.name === name)
  return snippet!.code({ url: client().url, key: apiKey })
}

test("the tabs are of protocols that the server reads", () => {
  assert.deepEqual(servedSnippets(servedProtocols), snippets)
  assert.deepEqual(
    servedSnippets(["collectd"]).map(({ name }) => name),
    ["collectd"],
  )
})

test("the command for curl stores a sample", async () => {
  const shell = spawn("bash", ["-c", codeOf("curl").replace(/^curl/, "curl -sS --noproxy '*'")])
  const [output] = await Promise.all([text(shell.stdout), once(shell, "close")])
  assert.match(output, /"detail":"1 elements received"/)
  assert.equal(await elementStatus("my-server"), 200)
})

async function elementStatus(fqn: string): Promise<number> {
  const { authorization } = client()
  return (await client().send(`/elements/${fqn}`, { headers: { authorization } })).status
}

/** Where an agent posts: to its address, which has the key or gets it as the last part. */
function addressIn(code: string): URL {
  const java = /^netuitive\.api\.url = (\S+)\nnetuitive\.api\.key = (\S+)$/m.exec(code)
  if (java !== null) return new URL(`${java[1]}/ingest/java/${java[2]}`)
  const url = /(?:url ?= ?|Url="|URL ")"?(http[^"\s]+)/i.exec(code)![1]!
  const key = /^api_key = (\S+)$/m.exec(code)?.[1]
  return new URL(key === undefined ? url : `${url}/${key}`)
}

for (const name of ["linux", "windows", "statsd", "java"] as const) {
  test(`an agent with the configuration ${name} stores samples`, async () => {
    const { origin, pathname } = addressIn(codeOf(name))
    assert.equal(origin, client().url)
    const samples = [{ metricId: "cpu", timestamp: Date.now(), val: 1 }]
    const body = [{ id: `agent-${name}`, samples }]
    const reply = await client().send(pathname, { method: "POST", body })
    assert.equal(reply.status, 202, reply.text)
    assert.equal(await elementStatus(`agent-${name}`), 200)
  })
}

test("collectd with its configuration stores value lists", async () => {
  const code = codeOf("collectd")
  assert.match(code, /Format "JSON"/)
  const list = {
    values: [0.5],
    dstypes: ["gauge"],
    dsnames: ["value"],
    time: Math.floor(Date.now() / 1000),
    interval: 10,
    host: "collected",
    plugin: "load",
    plugin_instance: "",
    type: "load",
    type_instance: "",
  }
  const { pathname } = addressIn(code)
  const reply = await client().send(pathname, { method: "POST", body: [list] })
  assert.equal(reply.status, 202, reply.text)
  assert.equal(await elementStatus("collected"), 200)
})
