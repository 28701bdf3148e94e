/** No secret is in a log line, an answer, a figure or a file, however a request goes wrong. */

import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { test } from "node:test"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import {
  adminEmail,
  adminPassword,
  apiKey,
  runProgram,
  startServer,
  storyProgram,
} from "../support/server/server.ts"
import type { TestServer } from "../support/server/server.ts"

const hashes = ["md5", "sha1", "sha256", "sha512"]

/** A secret in every form in which it could slip out. */
function formsOf(name: string, secret: string): [string, string][] {
  const bytes = Buffer.from(secret)
  const plain: [string, string][] = [
    [name, secret],
    [`${name} in part`, secret.slice(0, Math.max(12, secret.length / 2))],
    [`${name} reversed`, [...secret].reverse().join("")],
    [`${name} escaped`, encodeURIComponent(secret)],
    [`${name} in base64`, bytes.toString("base64").replace(/=+$/, "")],
    [`${name} in hex`, bytes.toString("hex")],
  ]
  const hashed = hashes.flatMap((hash): [string, string][] =>
    (["hex", "base64", "base64url"] as const).map((form) => [
      `${hash} of ${name} in ${form}`,
      createHash(hash).update(secret).digest(form).replace(/=+$/, ""),
    ]),
  )
  return [...plain, ...hashed]
}

const secrets = [
  ...formsOf("the key", apiKey),
  ...formsOf("the password", adminPassword),
  ...formsOf("the credentials", `${adminEmail}:${adminPassword}`),
]

function assertSilent(text: string, where: string): void {
  for (const [name, form] of secrets) {
    assert.ok(!text.toLowerCase().includes(form.toLowerCase()), `Found ${name} in ${where}`)
  }
}

/** Bytes as they are; whatever comes back until the server ends the connection or says nothing. */
function exchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    let received = ""
    socket.setTimeout(300, () => socket.destroy())
    socket.on("data", (chunk) => (received += chunk.toString("latin1")))
    socket.on("error", () => {})
    socket.on("close", () => resolve(received))
    socket.end(bytes)
  })
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

/** Paths with the key where it belongs and where it does not. */
const paths = [
  `/ingest/${apiKey}`,
  `/ingest/${apiKey}x`,
  `/ingest/${apiKey.slice(1)}`,
  `/ingest/${apiKey.toUpperCase()}`,
  `/ingest/infrastructure/${apiKey}/more`,
  `/ingest/${apiKey}?key=${apiKey}`,
  `/ingest/%${apiKey}`,
  `/ingest/events/x/${apiKey}`,
  `/check/x/${apiKey}/e/60`,
  `/${apiKey}`,
  `/nothing/${apiKey}?password=${encodeURIComponent(adminPassword)}`,
  `/metrics/statistics?metricFqn=a&duration=PT1H&apiKey=${apiKey}`,
  `/elements/x?token=${apiKey}`,
]

async function askEverything({ client, url }: TestServer): Promise<string[]> {
  const answers: string[] = []
  const headers = [
    {},
    { authorization: client.authorization },
    { authorization: basic(`${adminEmail}:${adminPassword}x`) },
    { authorization: basic(`x${adminEmail}:${adminPassword}`) },
    { authorization: `Bearer ${apiKey}` },
    { authorization: client.authorization.replace("Basic", "Digest") },
    { "content-encoding": "gzip" },
    { "content-encoding": "zip" },
    { "x-api-key": apiKey, cookie: `password=${adminPassword}` },
  ]
  const sends = (path: string) =>
    headers.flatMap((more) =>
      ["GET", "POST", "DELETE"].map(async (method) => {
        const body = method === "POST" ? "[{]" : undefined
        const reply = await client.send(path, { method, headers: more, body })
        return `${JSON.stringify(reply.headers)}${reply.text}`
      }),
    )
  for (const path of paths) answers.push(...(await Promise.all(sends(path))))
  const raw = paths.flatMap((path) => [
    `POST ${path} HTTP/1.1\r\nContent-Length: x\r\n\r\n`,
    `BREW ${path} HTTP/1.1\r\nX: ${"y".repeat(20_000)}\r\n\r\n`,
    `GET http://${apiKey}:80:80${path} HTTP/1.1\r\nHost: @\r\n\r\n`,
  ])
  answers.push(...(await Promise.all(raw.map((bytes) => exchange(url, bytes)))))
  answers.push((await client.get("/metrics/internal")).text)
  return answers
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test("no log line, answer, figure or file of the store contains a secret", async () => {
  const folder = makeFolder("tidegauge-secrets")
  // The first start prints the secrets it made, once (spec/accounts §1); later starts print none.
  await (await startServer({ folder, program: storyProgram() })).stop()
  const server = await startServer({
    folder,
    flags: ["--log-level", "debug"],
    program: storyProgram(),
  })
  try {
    const point = { metricId: "m", timestamp: Date.now(), val: 1 }
    assert.equal((await server.client.ingest([{ id: "a", samples: [point] }])).status, 202)
    assert.equal((await server.client.get("/metrics/fqns")).status, 200)
    const answers = await askEverything(server)
    for (const answer of answers) assertSilent(answer, answer)
    await server.stop()
    assertSilent(server.output(), server.output())
    const stored = filesBelow(folder)
    assert.ok(stored.length > 0)
    // The store knows a key by its hash, so only clear forms are looked for here.
    for (const file of stored) {
      const text = readFileSync(file, "latin1")
      assert.ok(!text.includes(apiKey) && !text.includes(adminPassword), file)
    }
  } finally {
    if (server.isRunning()) await server.kill()
    removeFolder(folder)
  }
})

test("settings that cannot be taken are refused without their secrets", async () => {
  const f = async (argv: string[]) => {
    const { status, output } = await runProgram(argv)
    assert.equal(status, 64)
    assertSilent(output, output)
  }
  await Promise.all([
    f(["--api-key", `${apiKey}!`]),
    f(["--admin-pasword", adminPassword, "--api-key", apiKey]),
    f([apiKey, adminPassword]),
  ])
})
