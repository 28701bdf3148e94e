/** Packages by URL, from a real server of the test: a request installs all archives or none. */

import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { after, before, test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { packageArchive, policyFile } from "../support/packages/package-files.ts"
import { startServer, storyProgram, useServer, type TestServer } from "../support/server/server.ts"

const client = useServer({ flags: ["--allow-private-addresses", "127.0.0.1/32"] })

/** Paths that the server of the test serves. */
const files = new Map<string, Uint8Array>()
let requests = 0
const answer: RequestListener = (request, response) => {
  requests++
  const { pathname, searchParams } = new URL(request.url!, "http://here")
  const to = searchParams.get("to")
  if (to !== null) return void response.writeHead(302, { location: to }).end()
  if (pathname === "/said-large") {
    return void response.writeHead(200, { "content-length": 33 * 1024 * 1024 }).write("PK")
  }
  if (pathname === "/endless") {
    const piece = Buffer.alloc(1024 * 1024)
    const pour = (): void => {
      while (!response.destroyed && response.write(piece));
    }
    response.writeHead(200).on("drain", pour)
    return pour()
  }
  const file = files.get(pathname)
  response.writeHead(file === undefined ? 404 : 200).end(file)
}
const shop = createServer(answer)
let origin = ""
let closed: TestServer
const folder = makeFolder("tidegauge-closed")

before(async () => {
  const policies = { "a.json": policyFile("A") }
  const good = (id: string) => packageArchive({ id, policies, manifest: { distro: {} } })
  files.set("/one.zip", await good("download.one"))
  files.set("/two.zip", await good("download.two"))
  const bad = { "a.json": policyFile("A", { duration: "long" }) }
  files.set("/bad.zip", await packageArchive({ id: "download.bad", policies: bad }))
  shop.listen(0, "127.0.0.1")
  await once(shop, "listening")
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  closed = await startServer({ folder, program: storyProgram() })
})
after(async () => {
  await closed.stop()
  removeFolder(folder)
  shop.closeAllConnections()
  shop.close()
})

interface Found {
  readonly id: string
  readonly packageId: string
  readonly downloadUrl: string
  readonly userEmail: string | null
}

async function installed(): Promise<Found[]> {
  return (await client().get("/packages")).json<{ packages: Found[] }>().packages
}

const at = (path: string) => (path.includes("://") ? path : origin + path)
const redirect = (to: string) => `${origin}/r?to=${encodeURIComponent(at(to))}`

async function refused(archives: readonly string[], problem: RegExp): Promise<void> {
  const reply = await client().post("/packages", { archives: archives.map(at) })
  assert.equal(reply.status, 400, reply.text)
  assert.match(errorOf(reply).errors.join("\n"), problem)
  assert.deepEqual(await installed(), [])
}

test("an archive that is bad, missing or no archive keeps the good one out", async () => {
  const bad = /^archives\[1\]: policies\/a\.json: policy\.duration: expected/
  await refused(["/one.zip", "/bad.zip"], bad)
  await refused(["/bad.zip", "/one.zip"], /^archives\[0\]: policies\/a\.json/)
  await refused(["/one.zip", "/missing.zip"], /^archives\[1\]: .*404/)
  await refused(["/one.zip", "/one.zip"], /a package once/)
})

test("an archive may be of 32 MiB, whatever its sender says", async () => {
  await refused(["/said-large"], /at most 33554432 bytes/)
  await refused(["/one.zip", "/endless"], /^archives\[1\]: .*at most 33554432 bytes/)
})

test("a redirect leads nowhere that is forbidden, and three are enough", async () => {
  const secret = `http://127.0.0.2:${new URL(origin).port}/one.zip`
  await refused([secret], /expected a public address/)
  await refused([redirect(secret)], /expected a public address/)
  await refused([redirect("http://169.254.169.254/latest/meta-data")], /expected a public address/)
  await refused([redirect("file:///etc/passwd")], /http/)
  const thrice = redirect(redirect(redirect("/one.zip")))
  await refused([redirect(thrice)], /at most 3 redirects/)
  const reply = await client().post("/packages?userEmail=a@b.c", { archives: [thrice] })
  assert.equal(reply.status, 200, reply.text)
  const [{ id, packageId, downloadUrl, userEmail }] = (await installed()) as [Found]
  assert.deepEqual([packageId, downloadUrl, userEmail], ["download.one", thrice, "a@b.c"])
  const headers = { authorization: client().authorization }
  await client().send(`/packages/${id}`, { method: "DELETE", headers })
})

test("all archives of a request are installed, in its order", async () => {
  const reply = await client().post("/packages/", { archives: ["/two.zip", "/one.zip"].map(at) })
  assert.equal(reply.status, 200, reply.text)
  const { packages } = reply.json<{ packages: Found[] }>()
  assert.deepEqual(
    packages.map((one) => [one.packageId, one.downloadUrl, one.userEmail]),
    [
      ["download.two", `${origin}/two.zip`, null],
      ["download.one", `${origin}/one.zip`, null],
    ],
  )
  assert.equal((await installed()).length, 2)
})

test("without a setting of the operator, no address of this machine is requested", async () => {
  const before = requests
  const { port } = new URL(origin)
  for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "0"]) {
    const archives = [`http://${host}:${port}/one.zip`]
    const reply = await closed.client.post("/packages", { archives })
    assert.equal(reply.status, 400, `${host}: ${reply.text}`)
    assert.match(errorOf(reply).errors.join("\n"), /^archives\[0\]: .*public address/, host)
  }
  assert.equal(requests, before)
})
