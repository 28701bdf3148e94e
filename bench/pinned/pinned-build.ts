/**
 * The pinned build: that of the last release, or of a commit until there is one. It is made once
 * from the history of this checkout, with the packages of its own lock file.
 */

import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { rootFolder } from "../../test/support/project-paths.ts"

/** Each release takes the one before it. */
export const pinnedCommit = "b76d3633"

/** Its `main.js`; builds it if that is missing. Throws if the history lacks the commit. */
export function pinnedBuild(): string {
  const folder = join(rootFolder, `build/pinned-${pinnedCommit}`)
  const entry = join(folder, "dist/main.js")
  if (existsSync(entry)) return entry
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const run = (cwd: string, command: string) =>
    execFileSync("bash", ["-euo", "pipefail", "-c", command], { cwd, stdio: ["ignore", 2, 2] })
  run(rootFolder, `git archive ${pinnedCommit} | tar -x -C "${folder}"`)
  run(folder, "npm ci --no-audit --no-fund && npm run build")
  return entry
}
