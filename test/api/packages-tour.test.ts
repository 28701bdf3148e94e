/** The page of the handbook about packages, pasted line by line into a shell. */

import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { dashboardFile, packageArchive, policyFile } from "../support/packages/package-files.ts"
import { deliveredProgram, rootFolder } from "../support/project-paths.ts"
import { useAccount } from "../support/server/server.ts"
import { assertTour, quoted, stepsOf } from "../support/project/tour.ts"

const client = useAccount()
const home = makeFolder("tidegauge-home")
after(() => removeFolder(home))

test("every line about packages does what the page shows", async () => {
  const page = readFileSync(join(rootFolder, "src/docs/packages.md"), "utf8")
  const steps = stepsOf(page)
  assert.ok(steps.length > 10, `Expected a tour, found ${steps.length} lines`)
  const archive = join(home, "archive.zip")
  const policies = { "a.json": policyFile("A", { scope: { elementType: "SERVER" } }) }
  const dashboards = { "d.json": dashboardFile("D") }
  writeFileSync(archive, await packageArchive({ policies, dashboards }))
  // A reader builds the program in this folder; the tests build it elsewhere.
  const program = deliveredProgram().map(quoted).join(" ")
  const node = `node() { [ "$1" = dist/main.js ] && shift && command node ${program} "$@"; }`
  const setup = [node, `archive=${quoted(archive)}`]
  await assertTour(steps, client(), { env: { HOME: home, XDG_CONFIG_HOME: "" }, setup })
})
