/**
 * `npm run package:deb:test`: the Debian package of this machine's architecture, after `npm run
 * package`, installed by dpkg into a fresh root and run by systemd as its unit says. What cannot be
 * tested here is skipped with the reason, which `.ci/run` shows.
 */

import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { after, before, describe, test } from "node:test"
import { gunzipSync } from "node:zlib"
import { rootFolder } from "../bundle.ts"
import { partsFolder, type Architecture } from "../carried.ts"
import { debName, makeDeb } from "./contents.ts"
import { Machine, whyNoMachine } from "./machine.ts"
import { makeDebianRoot, missingForRoot } from "./root.ts"

const architecture = process.arch as Architecture
const { version } = JSON.parse(readFileSync(join(rootFolder, "package.json"), "utf8")) as {
  version: string
}
const olderVersion = "0.0.9"
const built = join(rootFolder, "build", debName({ version, architecture }))
const unit = join(rootFolder, "data/systemd/tidegauge.service")
const node = join(partsFolder, `node-${architecture}`, "bin/node")
const work = mkdtempSync(join(tmpdir(), "tidegauge-deb-"))
after(() => rmSync(work, { recursive: true, force: true }))

const make = (of: string, executable: Uint8Array) =>
  makeDeb({ version: of, architecture, executable, licences: "MIT\n", node })

test("the same contents make the same bytes; another version makes others", async () => {
  const [first, second] = [await make("1.2.3", Buffer.of(1)), await make("1.2.3", Buffer.of(1))]
  assert.ok(first.equals(second))
  assert.ok(!first.equals(await make("1.2.4", Buffer.of(1))))
  assert.equal(first.subarray(0, 21).toString(), "!<arch>\ndebian-binary")
})

const canRun = (tool: string) => spawnSync(tool, ["--version"]).status === 0
const needs = (tool: string) => ({ skip: canRun(tool) ? false : `SKIPPED: ${tool} is missing` })

test(
  "dpkg reads it: fields, owners and modes, the one file that is edited",
  needs("dpkg-deb"),
  () => {
    const info = execFileSync("dpkg-deb", ["--info", built], { encoding: "utf8" })
    assert.match(
      info,
      new RegExp(`Package: tidegauge\\n Version: ${version.replaceAll(".", "\\.")}`),
    )
    assert.match(info, /Depends: libc6 .*libstdc\+\+6 .*libatomic1/)
    const list = execFileSync("dpkg-deb", ["--contents", built], { encoding: "utf8" })
    assert.match(list, /^-rwxr-xr-x root\/root +\d{8,} 1980-01-01 \S+ \.\/usr\/bin\/tidegauge$/m)
    assert.match(list, /^-rw-r----- root\/root .* \.\/etc\/tidegauge\/tidegauge\.conf$/m)
    const other = list.split("\n").filter((line) => line !== "" && !/ root\/root /.test(line))
    assert.deepEqual(other, [])
    const conffiles = execFileSync("dpkg-deb", ["--info", built, "conffiles"], { encoding: "utf8" })
    assert.equal(conffiles, "/etc/tidegauge/tidegauge.conf\n")
  },
)

test(
  "systemd knows every line of the units; exposure is at most 2.0",
  needs("systemd-analyze"),
  (t) => {
    // What they start is not installed on this machine.
    const here = join(work, "tidegauge.service")
    writeFileSync(here, readFileSync(unit, "utf8").replace("/usr/bin/tidegauge", "/bin/true"))
    const socket = join(work, "tidegauge.socket")
    writeFileSync(socket, readFileSync(unit.replace(/service$/, "socket")))
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", here, socket], {
      encoding: "utf8",
    })
    // Other units of this machine are not ours to judge.
    const problems = verified.stderr.split("\n").filter((line) => line.includes("tidegauge"))
    assert.deepEqual(problems, [])
    const argv = ["security", "--offline=true", "--threshold=20", "--no-pager", here]
    const { status, stdout } = spawnSync("systemd-analyze", argv, { encoding: "utf8" })
    const level = /Overall exposure level .*/.exec(stdout)?.[0] ?? stdout
    assert.equal(status, 0, level)
    t.diagnostic(level)
  },
)

const missing = missingForRoot()
const why = missing.length > 0 ? `${missing.join(", ")} not installed here` : whyNoMachine()
const skip = why === null ? false : `SKIPPED, THE PACKAGE IS NOT INSTALLED: ${why}`

describe("on a machine of its own", { skip }, () => {
  let machine: Machine
  before(async () => {
    const root = join(work, "root")
    makeDebianRoot(root)
    const executable = readFileSync(
      join(rootFolder, `build/tidegauge-${version}-linux-${process.arch}`),
    )
    mkdirSync(join(root, "packages"))
    writeFileSync(join(root, "packages/older.deb"), await make(olderVersion, executable))
    writeFileSync(join(root, "packages/newer.deb"), readFileSync(built))
    machine = await Machine.start(root)
  })
  after(() => machine?.stop())

  const shown = (property: string) =>
    machine.must(`systemctl show --value --property=${property} tidegauge.service`)
  const install = (name: string) => machine.must(`dpkg --install /packages/${name}.deb 2>&1`)
  const isListening = () => machine.run("systemctl is-active tidegauge").output.trim() === "active"
  const active = () => machine.until("the service is active", isListening)

  function secrets(): { readonly password: string; readonly key: string; readonly email: string } {
    const text = machine.must("cat /var/lib/tidegauge/first-secrets")
    const value = (name: RegExp) => name.exec(text)?.[1] ?? assert.fail(text)
    return {
      email: value(/(\S+@\S+)/),
      password: value(/password:?\s+(\S+)/i),
      key: value(/key:?\s+(\S+)/i),
    }
  }

  let known: ReturnType<typeof secrets>
  const url = "http://127.0.0.1:8080"

  const startMs = Date.now() - 600_000

  /** Posts one sample at a time of its own: a repetition changes nothing. */
  function post(val: number): void {
    const samples = [{ metricId: "cpu", timestamp: startMs + val, val }]
    const body = JSON.stringify([{ id: "host", type: "SERVER", metrics: [{ id: "cpu" }], samples }])
    const flags = ["--silent", "--show-error", "--fail", "--data-binary", "@-"]
    const to = ["-H", "Content-Type: application/json", `${url}/ingest/${known.key}`]
    const { status, output } = machine.outside(["curl", ...flags, ...to], body)
    assert.equal(status, 0, `${output}\n${machine.journal()}`)
  }

  function sampleCount(): number {
    const path = "/metrics/statistics?fqn=cpu&duration=PT1H&rollup=ZERO"
    const credentials = `${known.email}:${known.password}`
    const { output } = machine.outside(["curl", "--silent", "--user", credentials, url + path])
    return Number(/"count":(\d+)/.exec(output)?.[1] ?? assert.fail(output))
  }

  test("an installation starts the service, and keeps its secrets out of the journal", async (t) => {
    const beforeMs = Date.now()
    install("older")
    await active()
    assert.match(shown("StatusText"), /^Listening on http:\/\/127\.0\.0\.1:8080$/)
    assert.equal(machine.must("stat -c '%U %a' /var/lib/tidegauge/first-secrets"), "tidegauge 600")
    assert.equal(
      machine.must("stat -c '%U %G %a' /etc/tidegauge/tidegauge.conf"),
      "root tidegauge 640",
    )
    known = secrets()
    const journal = machine.must("journalctl --no-pager --unit=tidegauge")
    assert.match(journal, /Password and API key of the administrator are in/)
    for (const secret of [known.key, known.password]) assert.ok(!journal.includes(secret))
    assert.ok(!journal.includes("ExperimentalWarning"), journal)
    post(1)
    post(2)
    assert.equal(sampleCount(), 2)
    t.diagnostic(`${Date.now() - beforeMs} ms from dpkg --install to the first values`)
  })

  test("it runs as its unit says: user, no capabilities, a filter of calls, a closed root", () => {
    const pid = shown("MainPID")
    const status = machine.must(`cat /proc/${pid}/status`)
    assert.match(status, /^NoNewPrivs:\t1$/m)
    assert.match(status, /^Seccomp:\t2$/m)
    assert.match(status, /^CapBnd:\t0+$/m)
    assert.equal(machine.must(`stat -c %U /proc/${pid}`), "tidegauge")
    const mounts = machine.must(`cat /proc/${pid}/mounts`)
    assert.match(mounts, /^\S+ \/ \S+ ro[, ]/m)
    assert.match(mounts, /^\S+ \/var\/lib\/tidegauge \S+ rw[, ]/m)
    assert.match(machine.must(`cat /proc/${pid}/limits`), /^Max open files +16384 /m)
  })

  test("what was acknowledged is there after kill -9; systemd starts it again", async () => {
    const pid = shown("MainPID")
    machine.must(`kill -KILL ${pid}`)
    await machine.until("another process", () => !["0", pid].includes(shown("MainPID")))
    await active()
    assert.equal(sampleCount(), 2)
  })

  test("a reload takes over the edited configuration", async () => {
    machine.must(`printf 'log-level = debug\\n' >> /etc/tidegauge/tidegauge.conf`)
    machine.must("systemctl reload tidegauge")
    const isLogged = () =>
      machine.run("journalctl --unit=tidegauge").output.includes("settings reloaded")
    await machine.until("the reload is logged", isLogged)
    await active()
  })

  test("an upgrade keeps samples and the edited configuration, and restarts", async () => {
    const pid = shown("MainPID")
    install("newer")
    await active()
    assert.notEqual(shown("MainPID"), pid)
    assert.match(machine.must("tail -1 /etc/tidegauge/tidegauge.conf"), /^log-level = debug$/)
    assert.equal(machine.must("dpkg-query -W -f='${Version}' tidegauge"), version)
    assert.equal(machine.must("dpkg --verify tidegauge | grep -v conf || true"), "")
    assert.equal(sampleCount(), 2)
  })

  test("the watchdog ends a server that hangs, and it starts again", async () => {
    const folder = "/run/systemd/system/tidegauge.service.d"
    machine.must(`mkdir -p ${folder}; printf '[Service]\\nWatchdogSec=10\\n' > ${folder}/test.conf`)
    machine.must("systemctl daemon-reload; systemctl restart tidegauge")
    await active()
    const pid = shown("MainPID")
    machine.must(`kill -STOP ${pid}`)
    await machine.until("another process", () => !["0", pid].includes(shown("MainPID")))
    await active()
    assert.match(machine.must("journalctl --unit=tidegauge"), /Watchdog timeout/)
    // A server that does not hang lives longer than the watchdog's time.
    const [next, sinceMs] = [shown("MainPID"), Date.now()]
    await machine.until("twice the watchdog's time", () => Date.now() - sinceMs > 20_000)
    assert.equal(shown("MainPID"), next)
    machine.must(`rm -r ${folder}; systemctl daemon-reload; systemctl restart tidegauge`)
    await active()
  })

  test("with the socket no connection is refused while the service restarts", async () => {
    machine.must("systemctl stop tidegauge; systemctl reset-failed tidegauge")
    machine.must("systemctl start tidegauge.socket tidegauge.service")
    await active()
    assert.match(machine.must("journalctl --unit=tidegauge"), /the service manager listens/)
    const before = sampleCount()
    for (let i = 0; i < 5; i++) {
      machine.must("systemctl restart --no-block tidegauge")
      // Its connection waits in the queue of the socket, or is answered before the stop.
      const isPosted = () => {
        try {
          post(10 + i)
          return true
        } catch (error) {
          assert.doesNotMatch(String(error), /refused|Failed to connect/)
          return false
        }
      }
      await machine.until("a post is accepted", isPosted)
    }
    await active()
    assert.equal(sampleCount(), before + 5)
    machine.must("systemctl stop tidegauge.socket tidegauge.service; systemctl start tidegauge")
    await active()
  })

  test("a credential of systemd takes the place of a setting", async () => {
    const folder = "/run/systemd/system/tidegauge.service.d"
    const key = "5ec2e7a41ab34c0d9d1b7a2c6f30e881"
    machine.must(`umask 077; printf ${key} > /etc/tidegauge/api-key`)
    const line = "LoadCredential=api-key:/etc/tidegauge/api-key"
    machine.must(`mkdir -p ${folder}; printf '[Service]\\n${line}\\n' > ${folder}/test.conf`)
    machine.must("systemctl daemon-reload; systemctl restart tidegauge")
    await active()
    const shownKey = machine.must("journalctl --unit=tidegauge")
    assert.ok(!shownKey.includes(key))
    machine.must(`rm -r ${folder}; systemctl daemon-reload; systemctl restart tidegauge`)
    await active()
  })

  for (const format of ["format-1", "format-5", "format-6"]) {
    test(`a store of ${format} opens, and verify finds nothing`, async () => {
      machine.must("systemctl stop tidegauge; find /var/lib/tidegauge -mindepth 1 -delete")
      const golden = join(rootFolder, "data/golden", format)
      for (const name of readdirSync(golden)) {
        const path = join(machine.root, "var/lib/tidegauge", basename(name, ".gz"))
        writeFileSync(path, gunzipSync(readFileSync(join(golden, name))))
      }
      machine.must("chown -R tidegauge: /var/lib/tidegauge; chmod 600 /var/lib/tidegauge/*")
      machine.must("systemctl reset-failed tidegauge; systemctl start tidegauge")
      await active()
      machine.must("systemctl stop tidegauge")
      const as = "setpriv --reuid=tidegauge --regid=tidegauge --clear-groups"
      machine.must(`${as} tidegauge verify --config /etc/tidegauge/tidegauge.conf`)
    })
  }

  test("removal keeps settings and store; purging deletes both, the user stays", () => {
    machine.must("systemctl start tidegauge")
    machine.must("dpkg --remove tidegauge 2>&1")
    assert.notEqual(machine.run("pidof tidegauge").status, 0)
    machine.must("test -e /var/lib/tidegauge/data.mdb -a -e /etc/tidegauge/tidegauge.conf")
    machine.must("test ! -e /usr/bin/tidegauge -a ! -e /usr/lib/systemd/system/tidegauge.service")
    machine.must("dpkg --purge tidegauge 2>&1")
    machine.must("test ! -e /var/lib/tidegauge -a ! -e /etc/tidegauge -a ! -e /var/cache/tidegauge")
    assert.equal(machine.must("find /etc/systemd /var/lib/systemd -name 'tidegauge*'"), "")
    machine.must("getent passwd tidegauge")
  })
})
