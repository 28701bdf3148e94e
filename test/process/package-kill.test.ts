/** A server that is killed in the midst of an upgrade has the old package or the new one, whole. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { sized } from "../support/run/sizes.ts"
import type { Client } from "../support/server/client.ts"
import {
  boundary,
  configurationFile,
  dashboardFile,
  formWith,
  packageArchive,
  policyFile,
} from "../support/packages/package-files.ts"
import { startServer, storyProgram } from "../support/server/server.ts"

/** Every asset's name has the version that it came with; each version has files of its own. */
function archiveOf(version: number): Promise<Uint8Array> {
  const names = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? `${i}` : `${i}-${version}`))
  const files = (make: (name: string) => object) =>
    Object.fromEntries(names.map((name) => [`${name}.json`, make(`v${version} ${name}`)]))
  return packageArchive({
    version: `${version}.0.0`,
    policies: files(policyFile),
    dashboards: files(dashboardFile),
    analyticConfigurations: files(configurationFile),
  })
}

async function upload(client: Client, archive: Uint8Array): Promise<number> {
  const type = `multipart/form-data; boundary=${boundary}`
  const headers = { authorization: client.authorization, "content-type": type }
  const body = formWith(archive)
  return (await client.send("/packages/install", { method: "POST", headers, body })).status
}

async function assertWhole(client: Client, version: string): Promise<void> {
  const prefix = `v${version.split(".")[0]} `
  const { policies } = (await client.get("/policies")).json<{ policies: { name: string }[] }>()
  const boards = (await client.get("/dashboards")).json<{ dashboards: { name: string }[] }>()
  const widgets = (await client.get("/widgets")).json<{ widgets: unknown[] }>().widgets
  for (const list of [policies, boards.dashboards]) {
    assert.equal(list.length, 20)
    for (const { name } of list) assert.ok(name.startsWith(prefix), `${name} with ${version}`)
  }
  assert.equal(widgets.length, 20)
}

/** From the start of an upload to the kill. */
const delaysMs = sized({ quick: [12], long: [5, 18, 9, 30] })

test("kill -9 at any moment of an upgrade leaves the old package or the new one", async () => {
  const folder = makeFolder("tidegauge-package-kill")
  const archives = await Promise.all([1, 2].map(archiveOf))
  try {
    let server = await startServer({ folder, program: storyProgram() })
    assert.equal(await upload(server.client, archives[0]!), 200)
    for (const [round, delayMs] of delaysMs.entries()) {
      const version = (round % 2) + 1
      const sent = upload(server.client, archives[version % 2]!).catch(() => null)
      await wait(delayMs)
      await server.kill()
      const isDone = (await sent) === 200

      server = await startServer({ folder, program: storyProgram() })
      const { packages } = (await server.client.get("/packages")).json<{
        packages: { version: string; policies: unknown[]; dashboards: unknown[] }[]
      }>()
      assert.equal(packages.length, 1)
      const [found] = packages
      assert.deepEqual([found!.policies.length, found!.dashboards.length], [20, 20])
      if (isDone) assert.equal(found!.version, `${(version % 2) + 1}.0.0`)
      await assertWhole(server.client, found!.version)
    }
    await server.stop()
  } finally {
    removeFolder(folder)
  }
})
