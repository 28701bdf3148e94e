/** The quick start of README.md, pasted line by line into a shell. */

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { section } from "../support/project/markdown.ts"
import { rootFolder } from "../support/project-paths.ts"
import { useAccount } from "../support/server/server.ts"
import { assertTour, stepsOf } from "../support/project/tour.ts"

const client = useAccount()

test("every line of the quick start does what the page shows", async () => {
  const page = readFileSync(join(rootFolder, "README.md"), "utf8")
  const steps = stepsOf(section(page, /^## Quick start/))
  assert.equal(steps.length, 2)
  await assertTour(steps, client())
})
