/** The way of an author, in the long size as processes: init, edit, validate, create, install, show, uninstall. */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { problemSteps } from "../../src/analytics-settings/parse-configuration.ts"
import { runPackage } from "../../src/command/package/package.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { deliveredProgram, rootFolder } from "../support/project-paths.ts"
import { sized } from "../support/run/sizes.ts"
import { lineOf } from "../support/project/command-line.ts"
import { adminEmail, adminPassword, useServer } from "../support/server/server.ts"

const client = useServer()
const home = makeFolder("tidegauge-home")
const folder = join(home, "my.pkg.web")
mkdirSync(folder)

after(() => removeFolder(home))

interface Run {
  readonly status: number | null
  readonly out: string
  readonly error: string
}

type Variables = Readonly<Record<string, string>>

/** The program; nothing of a developer's environment reaches it. */
function runProgram(words: readonly string[], variables: Variables = {}): Run {
  const argv = [...deliveredProgram(), "package", ...words]
  const env = { PATH: process.env["PATH"], HOME: home, ...variables }
  const options = { cwd: folder, env, encoding: "utf8" } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, options)
  return { status, out: stdout, error: stderr }
}

/** The command in this process, without the third of a second that the program takes to start. */
async function runHere(words: readonly string[], variables: Variables = {}): Promise<Run> {
  const written = { out: "", error: "" }
  process.chdir(folder)
  try {
    const status = await runPackage({
      line: lineOf("package", ...words),
      env: { HOME: home, ...variables },
      print: (text) => void (written.out += text),
      printError: (text) => void (written.error += text),
      isTerminal: false,
      fetch,
      validateConfiguration: problemSteps,
    })
    return { status, ...written }
  } finally {
    process.chdir(rootFolder)
  }
}

const run = sized<(words: readonly string[], variables?: Variables) => Promise<Run> | Run>({
  quick: runHere,
  long: runProgram,
})

function edit(file: string, change: (text: string) => string): void {
  const path = join(folder, file)
  writeFileSync(path, change(readFileSync(path, "utf8")))
}

const policy = "policies/high.cpu.json"

test("a new package is without problems, and is not written over", async () => {
  assert.equal((await run(["init"])).status, 0)
  const checked = await run(["validate"])
  assert.deepEqual([checked.status, checked.out], [0, "No problems.\n"])
  assert.equal((await run(["lint"])).status, 0)
  const again = await run(["init"])
  assert.equal(again.status, 1)
  assert.match(again.error, /Expected a folder without a package/)
})

test("every problem is reported with file, line and path", async () => {
  edit(policy, (text) => text.replace('"level": 95', '"level": "high",\n        "level": "x"'))
  edit("package.json", (text) => text.replace('"0.1.0"', '"one"'))
  mkdirSync(join(folder, "dashboards"))
  writeFileSync(join(folder, "dashboards/forgotten.json"), "{}")
  const { status, out } = await run(["validate"])
  assert.equal(status, 1)
  const lines = out.trim().split("\n")
  const wanted = [
    /^package\.json:3: version: expected a semantic version/,
    /^package\.json:\d+: dashboards: .*dashboards\/forgotten\.json/,
    /^policies\/high\.cpu\.json:13: policy\.conditions\[0\]\.level: expected a name once/,
    /^policies\/high\.cpu\.json:1\d: policy\.conditions\[0\]\.level: expected a finite number/,
  ]
  for (const one of wanted)
    assert.ok(
      lines.some((line) => one.test(line)),
      `${one}\n${out}`,
    )
  const { problems } = JSON.parse((await run(["validate", "--json"])).out) as {
    problems: { file: string; line: number; path: string }[]
  }
  assert.equal(problems.length, lines.length)
  assert.ok(problems.some(({ file, line, path }) => file === "package.json" && line === 3 && path))
  const refused = await run(["create"])
  assert.equal(refused.status, 1)
  assert.ok(!readdirSync(folder).includes("pkg.zip"))

  edit(policy, (text) =>
    text.replace(/"level": "high",\s*"level": "x"/, '"level": 90,"wildcard":""'),
  )
  edit("package.json", (text) => text.replace('"one"', '"0.2.0"'))
  writeFileSync(join(folder, "dashboards/forgotten.json"), "")
  assert.equal((await run(["validate"])).status, 1)
  edit("package.json", (text) =>
    text.replace(
      '"dashboards": []',
      '"dashboards": [{"data": {"file": "dashboards/forgotten.json"}}]',
    ),
  )
  assert.match((await run(["validate"])).out, /^dashboards\/forgotten\.json:1: expected JSON: /m)
  const widgets = [{ id: "1", name: "W", widgetType: "events" }]
  const places = JSON.stringify([{ id: "2", x: 0, y: 0, width: 6, height: 9 }])
  const dashboard = { name: "D", widgets, properties: { gridstackContents: places } }
  writeFileSync(join(folder, "dashboards/forgotten.json"), JSON.stringify({ dashboard }))
  assert.match((await run(["validate"])).out, /gridstackContents: expected ids of widgets, got "2"/)
  edit("dashboards/forgotten.json", (text) => text.replace('\\"2\\"', '\\"1\\"'))
  assert.equal((await run(["validate"])).out, "No problems.\n")
})

test("a warning is reported and does not prevent the creation", async () => {
  const before = readFileSync(join(folder, policy), "utf8")
  const json = JSON.parse(before) as { policy: object }
  writeFileSync(join(folder, policy), JSON.stringify({ policy: { ...json.policy, scope: null } }))
  const { status, out } = await run(["validate"])
  const warning = /^policies\/high\.cpu\.json:1: warning: policy\.scope: .*all elements\n$/
  assert.equal(status, 0, out)
  assert.match(out, warning)
  const made = await run(["create"])
  assert.equal(made.status, 0)
  assert.match(made.error.replace(/^Packing.*\n/, ""), warning)
  writeFileSync(join(folder, policy), before)
})

test("format is idempotent, and lint reports what it would change", async () => {
  const before = await run(["lint"])
  assert.equal(before.status, 1)
  assert.match(before.out, /policies\/high\.cpu\.json: package format would change it/)
  assert.match((await run(["format"])).out, /^Formatted dashboards\/forgotten\.json, policies/)
  assert.equal((await run(["lint"])).status, 0)
  assert.equal((await run(["format"])).out, "Nothing to change.\n")
  const text = readFileSync(join(folder, policy), "utf8")
  assert.ok(!text.includes("wildcard"))
  assert.equal((await run(["validate"])).status, 0)
})

test("the same files make the same archive", async () => {
  const made = await run(["create"])
  assert.equal(made.status, 0, made.error)
  assert.match(made.error, /^Packing 4 files\n$/)
  const first = readFileSync(join(folder, "pkg.zip"))
  edit(policy, (text) => text)
  assert.equal((await run(["create", "--json"])).status, 0)
  assert.ok(first.equals(readFileSync(join(folder, "pkg.zip"))))
})

test("it is installed, listed, shown and uninstalled by flags, variables or the file", async () => {
  const { url } = client()
  const flags = ["--url", url, "--user", adminEmail, "--password", adminPassword]
  const variables = {
    TIDEGAUGE_URL: url,
    TIDEGAUGE_ADMIN_EMAIL: adminEmail,
    TIDEGAUGE_ADMIN_PASSWORD: adminPassword,
  }
  const installed = await run(["install", "pkg.zip", ...flags])
  assert.equal(installed.status, 0, installed.error)
  assert.match(installed.out, /^Installed my\.pkg\.web 0\.2\.0 as [0-9a-f-]{36}\n$/)
  assert.match(installed.error, /^Sending pkg\.zip, \d+ bytes\n$/)
  const listed = await run(["list"], variables)
  assert.match(listed.out, /my\.pkg\.web +0\.2\.0 +1 +0 +1/)

  mkdirSync(join(home, ".config"))
  const values = { url, user: adminEmail, password: adminPassword }
  writeFileSync(join(home, ".config/tidegauge"), JSON.stringify(values))
  const shown = JSON.parse((await run(["show", "my.pkg.web", "--json"])).out) as {
    package: { id: string; policies: { name: string }[]; userEmail: string }
  }
  assert.equal(shown.package.policies[0]!.name, "Processors busy")
  assert.equal(shown.package.userEmail, adminEmail)
  assert.equal((await run(["uninstall", shown.package.id])).status, 0)
  assert.equal((await run(["list"])).out, "None.\n")
  assert.match((await run(["show", "my.pkg.web"])).error, /Expected the id or packageId/)
  const wrong = await run(["list", "--password", "hunter2"])
  assert.equal(wrong.status, 1)
  assert.ok(!wrong.error.includes("hunter2"))
  const refused = JSON.parse((await run(["install", "package.json", "--json"])).out) as {
    errors: string[]
  }
  assert.match(refused.errors[0]!, /whole ZIP archive/)
})

test("the command line has help, and reports mistakes", () => {
  assert.match(runProgram(["--help"]).out, /package uninstall ID/)
  assert.match(runProgram([]).out, /~\/\.config\/tidegauge/)
  for (const words of [["bake"], ["list", "x"], ["install"], ["create", "--url", "x"]]) {
    assert.equal(runProgram(words).status, 64, words.join(" "))
  }
})

test("the packages that come with the server are in form and without problems", async () => {
  const place = join(rootFolder, "data/packages")
  const names = readdirSync(place)
  assert.deepEqual(names.sort(), ["containers", "linux-servers", "tidegauge", "web-services"])
  for (const name of names) {
    const checked = await run(["validate", join(place, name)])
    assert.deepEqual([checked.status, checked.out], [0, "No problems.\n"], name)
    assert.equal((await run(["lint", join(place, name)])).out, "Nothing to change.\n", name)
  }
})
