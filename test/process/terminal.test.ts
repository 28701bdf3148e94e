/** A server in a terminal that is closed: the pseudo terminal is that of `script` (util-linux). */

import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { needsScan } from "../../src/store/open.ts"
import { eventually } from "../support/time/eventually.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { storyProgram } from "../support/server/server.ts"
import { environmentWithoutSettings } from "../support/server/environment.ts"

const hasScript = spawnSync("script", ["--version"]).status === 0
const statusOfHangUp = 128 + 1

/**
 * As a shell does, it passes SIGHUP on to its job; the first `wait` ends with the signal, the
 * second with the job.
 */
const shell = (job: string, statusFile: string) => `
trap 'kill -HUP $job' HUP
${job} &
job=$!
wait $job
wait $job
echo $? > ${statusFile}.new
mv ${statusFile}.new ${statusFile}
`

test(
  "a server whose terminal is closed closes its store, and ends by SIGHUP",
  { skip: hasScript ? false : "there is no script(1)" },
  async (t) => {
    const folder = makeFolder("tidegauge-terminal")
    t.after(() => removeFolder(folder))
    const [store, status, file] = ["store", "status", "run.sh"].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    const job = [process.execPath, ...storyProgram(), "--port", "0", "--data", store]
    writeFileSync(file, shell(job.map((word) => `'${word}'`).join(" "), status))
    const env = { ...environmentWithoutSettings(), TIDEGAUGE_LOG_LEVEL: "trace" }
    const terminal = spawn("script", ["-q", "-c", `sh ${file}`, "/dev/null"], { env })
    let shown = ""
    terminal.stdout.on("data", (piece) => (shown += String(piece)))
    await eventually(() => shown.includes("listening"))
    assert.match(shown, /Z info {2}listening url=http/)
    terminal.kill("SIGKILL")
    await eventually(() => existsSync(status))
    assert.equal(Number(readFileSync(status, "utf8")), statusOfHangUp)
    assert.equal(needsScan(store), false)
  },
)
