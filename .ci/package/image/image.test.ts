/**
 * `npm run package:image:test`: the image that `npm run package:image` wrote, checked and run. A
 * container needs root for its namespaces.
 */

import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { unpackTar } from "modern-tar"
import { freePort } from "../../../test/support/network/free-port.ts"
import { rootFolder } from "../bundle.ts"
import { canContain, makeVolume, run, unpack, type Container } from "./container.ts"
import { dataFolder, userId } from "./root.ts"
import { checkLayout, type CheckedImage } from "./validate.ts"

const { version } = JSON.parse(readFileSync(join(rootFolder, "package.json"), "utf8")) as {
  version: string
}
const build = join(rootFolder, "build")
const layout = join(build, `tidegauge-${version}-image`)
const archive = `tidegauge-${version}-image-${process.arch}.tar`
const images = await checkLayout(layout)
const debianName = process.arch === "x64" ? "amd64" : "arm64"
const own = images.find(({ platform }) => platform.architecture === debianName)!

const work = mkdtempSync(join(tmpdir(), "tidegauge-image-"))
const running: Container[] = []
after(async () => {
  for (const one of running) await kill(one)
  rmSync(work, { recursive: true, force: true })
})

async function kill(container: Container): Promise<void> {
  try {
    process.kill(container.pid(), "SIGKILL")
  } catch {
    // It has ended.
  }
  await container.ended
}

async function entriesOf({ layers }: CheckedImage) {
  return (await Promise.all(layers.map((layer) => unpackTar(layer, { strict: true })))).flat()
}

test("documents fit the schemas, blobs their digests; each architecture is there once", () => {
  const found = images.map(({ platform }) => `${platform.os}/${platform.architecture}`)
  assert.deepEqual(found, ["linux/amd64", "linux/arm64"])
  for (const { config, platform } of images) {
    assert.deepEqual([config.os, config.architecture], [platform.os, platform.architecture])
    const { Labels } = config.config
    assert.equal(Labels["org.opencontainers.image.version"], version)
    assert.match(Labels["org.opencontainers.image.revision"]!, /^[0-9a-f]{40}(-dirty)?$/)
    assert.equal(Labels["org.opencontainers.image.created"], config.created)
  }
})

test("a byte that is changed, a size that is wrong, a missing field: the check finds it", async () => {
  const copy = join(work, "damaged")
  const damaged = async (name: string, change: (text: string) => string, reason: RegExp) => {
    execFileSync("cp", ["-r", layout, copy])
    const path = join(copy, name)
    writeFileSync(path, change(readFileSync(path, "latin1")), "latin1")
    await assert.rejects(checkLayout(copy), reason)
    rmSync(copy, { recursive: true })
  }
  const [{ digest }] = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests
  const blob = `blobs/${digest.replace(":", "/")}`
  await damaged(blob, (text) => text.replace("amd64", "amd46"), /Expected sha256:/)
  await damaged(blob, (text) => `${text} `, /bytes in sha256:/)
  await damaged(
    "index.json",
    (text) => text.replace('"size"', '"sise"'),
    /required property 'size'/,
  )
  await damaged("oci-layout", () => "{}", /required property 'imageLayoutVersion'/)
})

test("the archive holds the same image, under its name for every engine", async () => {
  const folder = join(work, "archive")
  mkdirSync(folder)
  execFileSync("tar", ["--extract", "--file", join(build, archive), "--directory", folder])
  const [image, ...others] = await checkLayout(folder)
  assert.deepEqual(others, [])
  assert.deepEqual(image!.config, own.config)
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"))
  const [legacy] = read("manifest.json")
  assert.deepEqual(legacy.RepoTags, [`tidegauge:${version}`])
  assert.deepEqual(read(legacy.Config), own.config)
  assert.equal(legacy.Layers.length, own.layers.length)
  const [{ annotations }] = read("index.json").manifests
  assert.equal(annotations["org.opencontainers.image.ref.name"], version)
})

test("the same bytes twice", () => {
  const out = join(work, "again")
  mkdirSync(out)
  const argv = ["--import", "tsx", ".ci/package/image/main.ts", "--arch", process.arch]
  execFileSync(process.execPath, [...argv, "--out", out], { cwd: rootFolder, stdio: "pipe" })
  const name = `tidegauge-${version}-image.sha256`
  const [first, second] = [build, out].map((folder) => readFileSync(join(folder, name), "utf8"))
  assert.match(second!, /^[0-9a-f]{64} {2}\S+\n$/)
  assert.ok(
    first!.includes(second!),
    `After npm run package:image of this commit: ${first}${second}`,
  )
})

test("both architectures have the same files: one program, no shell", async () => {
  const paths = []
  for (const image of images) {
    const names = (await entriesOf(image)).map(({ header }) => header.name)
    assert.deepEqual([...new Set(names)], names)
    // Debian's name of the architecture, and two places of the loader.
    const common = names.map((name) => name.replace(/(?:x86_64|aarch64)-linux-gnu/, "ARCH"))
    paths.push(common.filter((name) => !/ld-linux/.test(name)).sort())
    const programs = names.filter((name) => /^usr\/s?bin\/.|^s?bin\/./.test(name))
    assert.deepEqual(programs, ["usr/bin/tidegauge"])
    assert.equal(names.filter((name) => /\/ld-linux-[^/]+$/.test(name)).length, 2)
  }
  assert.deepEqual(paths[0], paths[1])
})

test("times, owners and modes: only the volume and /tmp can be written", async () => {
  for (const { header } of await entriesOf(own)) {
    assert.equal(header.mtime!.getTime(), 0, header.name)
    const isVolume = header.name === "var/lib/tidegauge/"
    assert.deepEqual([header.uid, header.gid], isVolume ? [userId, userId] : [0, 0], header.name)
    const mode = header.name === "tmp/" ? 0o1777 : isVolume ? 0o700 : null
    if (mode !== null) assert.equal(header.mode, mode)
    else if (header.type !== "symlink") assert.equal(header.mode! & 0o7022, 0, header.name)
  }
})

const apiKey = "5ec2e7a41ab34c0d9d1b7a2c6f30e881"
const password = "correct horse battery"
const authorization = `Basic ${Buffer.from(`admin@example.com:${password}`).toString("base64")}`
const startMsMax = 60_000
const pollMs = 20

interface Place {
  readonly root: string
  readonly volume: string
  readonly secrets: string
}

const place: Place = {
  root: join(work, "root"),
  secrets: join(work, "secrets"),
  volume: join(work, "volume"),
}

function makePlace(): void {
  unpack(own, place.root)
  mkdirSync(place.secrets, { mode: 0o755 })
  // As an engine mounts a secret: readable by all users of the container.
  writeFileSync(join(place.secrets, "admin-password"), `${password}\n`, { mode: 0o444 })
  writeFileSync(join(place.secrets, "api-key"), apiKey, { mode: 0o444 })
  makeVolume(place.volume, own)
}

interface Started {
  readonly container: Container
  readonly url: string
}

async function start(at: Place, more: Record<string, string> = {}): Promise<Started> {
  const port = await freePort()
  const env = {
    ...more,
    TIDEGAUGE_PORT: String(port),
    TIDEGAUGE_ADMIN_EMAIL: "admin@example.com",
    TIDEGAUGE_ADMIN_PASSWORD_FILE: "/run/secrets/admin-password",
    TIDEGAUGE_API_KEY_FILE: "/run/secrets/api-key",
  }
  const container = run(own, { ...at, env })
  running.push(container)
  let hasEnded = false
  void container.ended.then(() => (hasEnded = true))
  const untilMs = performance.now() + startMsMax
  while (!container.log().includes('"listening"')) {
    assert.ok(!hasEnded && performance.now() < untilMs, container.log())
    await sleep(pollMs)
  }
  return { container, url: `http://127.0.0.1:${port}` }
}

async function post(url: string, val: number): Promise<void> {
  const body = JSON.stringify([
    { id: "host", type: "SERVER", metrics: [{ id: "cpu" }], samples: [{ metricId: "cpu", val }] },
  ])
  const headers = {
    "X-Service-Api-Options": "INJECT_TIMESTAMP",
    "Content-Type": "application/json",
  }
  const answer = await fetch(`${url}/ingest/${apiKey}`, { method: "POST", headers, body })
  assert.equal(answer.status, 202, await answer.text())
}

async function sampleCount(url: string): Promise<string | undefined> {
  const path = "/metrics/statistics?fqn=cpu&duration=PT1H&rollup=ZERO"
  const answer = await fetch(url + path, { headers: { authorization } })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return /"count":(\d+)/.exec(text)?.[1]
}

const contained = { skip: canContain ? false : "namespaces need root, unshare and setpriv" }

test(
  "in a container: posts, kill -9, starts again, ends with 0 on SIGTERM",
  contained,
  async () => {
    makePlace()
    const first = await start(place)
    const status = readFileSync(`/proc/${first.container.pid()}/status`, "utf8")
    const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)![1]
    assert.equal(field("NSpid")!.split("\t").at(-1), "1")
    assert.deepEqual(field("Uid")!.split("\t"), Array(4).fill("65532"))
    assert.deepEqual(field("Groups")!.trim(), "65532")
    assert.match(field("CapEff")!, /^0+$/)
    assert.equal(field("NoNewPrivs"), "1")
    await post(first.url, 41)
    await post(first.url, 42)
    assert.deepEqual(first.container.health().status, 0)
    process.kill(first.container.pid(), "SIGKILL")
    await first.container.ended
    const second = await start(place)
    assert.equal(await sampleCount(second.url), "2")
    process.kill(second.container.pid(), "SIGTERM")
    assert.equal(await second.container.ended, 0)
    assert.ok(!second.container.log().includes(password))
    assert.equal(statSync(join(place.volume, "secrets.key")).uid, 65_532)
  },
)

test("a command in the container", contained, async () => {
  const verify = run(own, { ...place, env: {}, argv: ["verify"] })
  assert.equal(await verify.ended, 0, verify.log())
  assert.match(verify.log(), / 0 differ/)
  const health = run(own, { ...place, env: {}, argv: ["health"] })
  assert.equal(await health.ended, 1)
  assert.match(health.log(), /ECONNREFUSED 127\.0\.0\.1:8080/)
})

test("a volume of Kubernetes: of root, for a group, with lost+found", contained, async () => {
  const volume = join(work, "claim")
  mkdirSync(join(volume, "lost+found"), { recursive: true, mode: 0o700 })
  chownSync(volume, 0, userId)
  chmodSync(volume, 0o2775)
  const env = { TIDEGAUGE_DATA: `/${dataFolder}/store` }
  const first = await start({ ...place, volume }, env)
  await post(first.url, 1)
  process.kill(first.container.pid(), "SIGTERM")
  assert.equal(await first.container.ended, 0)
  // As kubelet does when it mounts the volume on another node.
  execFileSync("chmod", ["-R", "g+rwX", volume])
  const second = await start({ ...place, volume }, env)
  assert.equal(await sampleCount(second.url), "1")
  process.kill(second.container.pid(), "SIGTERM")
  assert.equal(await second.container.ended, 0)
  for (const { container } of [first, second]) assert.ok(!/open to other/.test(container.log()))
  assert.equal(statSync(join(volume, "store/secrets.key")).mode & 0o777, 0o600)
})
