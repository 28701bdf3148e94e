/**
 * `npm run package:test`: the executable of this machine's architecture, run as users run it, after
 * `npm run package`. Tests with a root of their own need a user who may make namespaces (root).
 */

import assert from "node:assert/strict"
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { after, test } from "node:test"
import { bundleScripts, rootFolder } from "./bundle.ts"
import { trimElf } from "./executable.ts"

const { version } = JSON.parse(readFileSync(join(rootFolder, "package.json"), "utf8")) as {
  version: string
}
const executable = join(rootFolder, `build/tidegauge-${version}-linux-${process.arch}`)
const work = mkdtempSync(join(tmpdir(), "tidegauge-executable-"))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill("SIGKILL")
  rmSync(work, { recursive: true, force: true })
})

const apiKey = "5ec2e7a41ab34c0d9d1b7a2c6f30e881"
const authorization = `Basic ${Buffer.from("admin@example.com:correct horse battery").toString("base64")}`
const settings = {
  TIDEGAUGE_API_KEY: apiKey,
  TIDEGAUGE_ADMIN_EMAIL: "admin@example.com",
  TIDEGAUGE_ADMIN_PASSWORD: "correct horse battery",
  TIDEGAUGE_LOG_FORMAT: "json",
}
const startMsMax = 60_000

interface Server {
  readonly url: string
  readonly child: ChildProcess
  readonly log: () => string
}

/** Starts `command` in an environment with nothing but the settings, and waits until it listens. */
async function start(
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<Server> {
  const [file, ...argv] = command
  const child = spawn(file!, argv, {
    env: { ...settings, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  children.push(child)
  let text = ""
  const url = new Promise<string>((resolve, reject) => {
    const read = (piece: Buffer) => {
      text += piece.toString()
      const found = /"url":"(http:[^"]+)"/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.on("error", reject)
    child.on("close", () => reject(new Error(`The server ended before it listened:\n${text}`)))
    setTimeout(() => reject(new Error(`The server does not listen:\n${text}`)), startMsMax).unref()
  })
  return { url: await url, child, log: () => text }
}

async function end({ child }: Server, signal: NodeJS.Signals): Promise<unknown> {
  child.kill(signal)
  const [status] = (await once(child, "exit")) as [number | null]
  return status
}

const serve = (folder: string) => [executable, "--port", "0", "--data", folder]

/** Posts one sample that carries no time. */
async function post(url: string, val: number): Promise<void> {
  const body = JSON.stringify([
    { id: "host", type: "SERVER", metrics: [{ id: "cpu" }], samples: [{ metricId: "cpu", val }] },
  ])
  const options = "INJECT_TIMESTAMP,SEND_RESPONSE_BODY"
  const headers = { "X-Service-Api-Options": options, "Content-Type": "application/json" }
  const answer = await fetch(`${url}/ingest/${apiKey}`, { method: "POST", headers, body })
  assert.equal(answer.status, 202, await answer.text())
}

async function sampleCount(url: string): Promise<unknown> {
  const path = "/metrics/statistics?fqn=cpu&duration=PT1H&rollup=ZERO"
  const answer = await fetch(url + path, { headers: { authorization } })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return /"count":(\d+)/.exec(text)?.[1] ?? text
}

/** Runs a command to its end, without any variable of the environment. */
function run(...argv: string[]): string {
  const { status, stdout, stderr } = spawnSync(executable, argv, { env: {}, encoding: "utf8" })
  assert.equal(status, 0, `${argv.join(" ")}: ${stderr}${stdout}`)
  return stdout
}

test("what was acknowledged is there after kill -9; store commands work", async () => {
  const store = join(work, "store")
  const first = await start(serve(store))
  await post(first.url, 41)
  await post(first.url, 42)
  assert.equal(await sampleCount(first.url), "2")
  await end(first, "SIGKILL")
  const second = await start(serve(store))
  assert.equal(await sampleCount(second.url), "2")
  assert.equal(await end(second, "SIGTERM"), 0)
  run("verify", "--data", store)
  assert.match(run("account", "list", "--data", store), /admin@example\.com/)
  run("backup", join(work, "backup"), "--data", store)
  run("restore", join(work, "backup"), "--data", join(work, "restored"))
  run("verify", "--data", join(work, "restored"))
})

test("V8 takes the compiled code of every large script", async () => {
  const server = await start(serve(join(work, "compiled")), { NODE_DEBUG: "tidegauge" })
  await sampleCount(server.url)
  await end(server, "SIGTERM")
  const taken = [...server.log().matchAll(/(\S+): compiled code taken/g)].map((one) => one[1]!)
  const expected = ["main.js", "query-worker.js", "shard-worker.js", "worker-host.js"]
  assert.deepEqual([...new Set(taken)].sort(), expected)
})

test("pages, handbook, API description and bundled packages are in it", async () => {
  const server = await start(serve(join(work, "pages")))
  for (const path of ["/docs", "/docs/operations", "/docs/reference", "/openapi.json"]) {
    const answer = await fetch(server.url + path)
    assert.equal(answer.status, 200, path)
    assert.ok((await answer.text()).length > 500, path)
  }
  await end(server, "SIGTERM")
})

test("commands without a store work", () => {
  assert.equal(run("--version").trim(), version)
  assert.match(run("help", "serve"), /--data/)
  assert.match(run("completion", "bash"), /complete/)
  const csv = join(rootFolder, "data/replay/cpu.csv")
  assert.ok(run("replay", csv).split("\n").length > 100)
  const licences = run("licences")
  const carried = ["Node.js", "V8", "OpenLDAP", "lmdb 3", "hono 4", `node-linux-${process.arch} 26`]
  for (const name of carried) assert.ok(licences.includes(name), name)
  run("package", "init", join(work, "my-package"))
  run("package", "validate", join(work, "my-package"))
})

/** src/engine/memory-guard.ts: `lookEveryMs`. */
const guardEveryMs = 1000
const canUnshare = spawnSync("unshare", ["--mount", "true"]).status === 0

/** A folder with the executable, the libraries that it needs, and nothing else. */
function makeRoot(): string {
  const root = join(work, "root")
  for (const name of ["data", "cache", "tmp"]) mkdirSync(join(root, name), { recursive: true })
  const list = execFileSync("ldd", [executable], { encoding: "utf8" })
  for (const [path] of list.matchAll(/\/\S+/g)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    cpSync(path, join(root, path), { dereference: true })
  }
  cpSync(executable, join(root, "tidegauge"))
  chmodSync(root, 0o755)
  return root
}

/**
 * The executable as another user in this root, which is read-only but for `/data` and `/cache`;
 * `/tmp` is mounted with noexec; there is no shell, no home, no /proc. Options are those of /data.
 */
function inRoot(root: string, dataOptions: string, ...argv: string[]): string[] {
  const own = "mode=0700,uid=65534,gid=65534"
  const script = [
    "set -e",
    'mount --bind "$1" "$1"',
    `mount -t tmpfs -o ${own}${dataOptions} tmpfs "$1/data"`,
    `mount -t tmpfs -o ${own} tmpfs "$1/cache"`,
    'mount -t tmpfs -o noexec,mode=1777 tmpfs "$1/tmp"',
    'mount -o remount,ro,bind "$1"',
    'root=$1; shift; exec chroot --userspec=65534:65534 "$root" /tidegauge "$@"',
  ].join("\n")
  const unshare = ["unshare", "--mount", "--propagation", "private"]
  return ["/usr/bin/env", ...unshare, "/bin/bash", "-c", script, "bash", root, ...argv]
}

const path = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }
const inOwnRoot = { skip: canUnshare ? false : "this user may not make namespaces" }

test(
  "runs on a read-only root, without home, shell and /proc, noexec /tmp",
  inOwnRoot,
  async () => {
    const server = await start(inRoot(makeRoot(), "", "--port", "0", "--data", "/data"), path)
    await post(server.url, 1)
    // The memory guard looks once a second, and finds no /proc.
    const untilMs = performance.now() + 2 * guardEveryMs
    do assert.equal(await sampleCount(server.url), "1")
    while (performance.now() < untilMs)
    assert.equal(await end(server, "SIGTERM"), 0)
  },
)

test(
  "a store with noexec: the cache folder holds the library, or a sentence",
  inOwnRoot,
  async () => {
    const command = inRoot(makeRoot(), ",noexec", "--port", "0", "--data", "/data")
    const server = await start(command, { ...path, XDG_CACHE_HOME: "/cache" })
    assert.equal(await end(server, "SIGTERM"), 0)
    const [file, ...argv] = command
    const { status, stderr } = spawnSync(file!, argv, { env: path, encoding: "utf8" })
    assert.equal(status, 1)
    assert.match(stderr, /could not unpack .*\n {2}\/data\/native: .*\nSet XDG_CACHE_HOME/)
  },
)

test("scripts need nothing that is not in them", async () => {
  const known = new Set(["piscina"])
  for (const { name, text } of await bundleScripts()) {
    const required = [...text.matchAll(/\brequire\d*\("([^"]+)"\)/g)].map((one) => one[1]!)
    const foreign = required.filter((id) => process.getBuiltinModule(id) === undefined)
    assert.deepEqual(
      foreign.filter((id) => !known.has(id)),
      [],
      name,
    )
  }
})

test("what is behind the segments of an ELF file is removed; it still runs", () => {
  const program = readFileSync("/bin/true")
  const trimmed = trimElf(program)
  assert.ok(trimmed.length < program.length)
  writeFileSync(join(work, "true"), trimmed, { mode: 0o755 })
  execFileSync(join(work, "true"))
  assert.throws(() => trimElf(Buffer.from("no ELF file, but long enough")), /ELF/)
})
