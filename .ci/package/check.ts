/**
 * `npm run package:check`: builds the executables here and in another folder, from a copy of the
 * files that git tracks, and compares their hashes. `--arch x64` for one architecture.
 */

import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rootFolder } from "./bundle.ts"

const options = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "tidegauge-package-check-"))
try {
  copyTracked(folder)
  run(folder, ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
  const sums = [rootFolder, folder].map((at) => {
    run(at, ["run", "--silent", "package", "--", ...options])
    return readFileSync(join(at, "build/SHA256SUMS"), "utf8")
  })
  if (sums[0] !== sums[1]) throw new Error(`Expected the same bytes:\n${sums.join("\n")}`)
  process.stdout.write(sums[0]!)
} finally {
  rmSync(folder, { recursive: true })
}

function copyTracked(to: string): void {
  const list = execFileSync("git", ["ls-files", "-z"], { cwd: rootFolder, encoding: "utf8" })
  for (const path of list.split("\0").filter((one) => one !== "")) {
    cpSync(join(rootFolder, path), join(to, path), { recursive: true })
  }
}

function run(at: string, argv: readonly string[]): void {
  execFileSync("npm", argv, { cwd: at, stdio: ["ignore", "inherit", "inherit"] })
}
