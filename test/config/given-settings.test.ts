/** Where values come from: the order of the sources, files of secrets, credentials, messages. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { SmallFile } from "../../src/config/small-file.ts"
import { parseConfig, type ConfigOutcome } from "../../src/config/config.ts"
import { configLine } from "../../src/config/config-file.ts"
import { settingVariable } from "../../src/config/setting.ts"
import { plentyOfMemory as memoryLimit } from "../support/machine/memory-limit.ts"

const key = "0123456789abcdef0123456789abcdef"

interface Sources {
  readonly options?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Text by path; `open` are those that every user may read. */
  readonly files?: Readonly<Record<string, string>>
  readonly open?: readonly string[]
  readonly withoutSecrets?: true
}

function read({ options = {}, env = {}, files = {}, open = [], ...rest }: Sources): ConfigOutcome {
  const readFile = (path: string): SmallFile => {
    const text = files[path]
    return text === undefined
      ? { problem: "does not exist", isMissing: true }
      : { text, isOpenToAll: open.includes(path) }
  }
  return parseConfig({
    options: new Map(Object.entries(options)),
    env,
    readFile,
    cores: 4,
    memoryLimit,
    ...rest,
  })
}

function good(sources: Sources) {
  const outcome = read(sources)
  assert.ok("config" in outcome, JSON.stringify(outcome))
  return outcome
}

function problem(sources: Sources, want: RegExp): void {
  const outcome = read(sources)
  assert.ok("problems" in outcome)
  assert.equal(outcome.problems.length, 1, outcome.problems.join("\n"))
  assert.match(outcome.problems[0]!, want)
}

const conf = "/etc/tidegauge/tidegauge.conf"
const withFile = (text: string, open: string[] = []): Sources => ({
  options: { config: conf },
  files: { [conf]: text },
  open,
})

test("a flag wins over a variable, that over the file, and that over a credential", () => {
  const level = fc.option(fc.constantFrom("value", "file"), { nil: null })
  const given = fc.record({ flag: level, variable: level, file: level, credential: fc.boolean() })
  fc.assert(
    fc.property(given, ({ flag, variable, file, credential }) => {
      const files: Record<string, string> = {}
      const secretOf = (source: string) => `${source}-0123456789abcdef`
      const give = (source: string, form: string): [string, string] => {
        if (form === "value") return ["api-key", secretOf(source)]
        files[`/${source}`] = `${secretOf(source)}\n`
        return ["api-key-file", `/${source}`]
      }
      const options: Record<string, string> = { config: conf }
      const env: Record<string, string> = { CREDENTIALS_DIRECTORY: "/run/credentials" }
      if (flag !== null) Object.assign(options, Object.fromEntries([give("flag", flag)]))
      if (variable !== null) {
        const [name, text] = give("variable", variable)
        env[settingVariable({ name })] = text
      }
      files[conf] = file === null ? "" : configLine(...give("file", file))
      if (credential) files["/run/credentials/api-key"] = secretOf("credential")

      const wins =
        (flag && "flag") ??
        (variable && "variable") ??
        (file && "file") ??
        (credential && "credential")
      const { config, readings } = good({ options, env, files })
      assert.equal(config.apiKey, wins ? secretOf(wins) : null)
      assert.equal(readings.apiKey.given === null, !wins)
    }),
  )
})

test("the file gives any setting, with its line as the source", () => {
  const { config, readings, configPath } = good(
    withFile("# web\nport = 9000\nbody-limit = 1MiB\nlog-level = warn\naccept-past = P7D\n"),
  )
  assert.equal(config.port, 9000)
  assert.equal(config.bodyBytesMax, 1024 ** 2)
  assert.equal(config.acceptPastMs, 7 * 86_400_000)
  assert.equal(readings.port.given!.source, `${conf}:2`)
  assert.equal(readings.host.given, null)
  assert.equal(configPath, conf)
  assert.equal(
    good({ ...withFile("port = 1"), options: {}, env: { TIDEGAUGE_CONFIG: conf } }).config.port,
    1,
  )
})

test("a mistake in the file is one sentence with file and line", () => {
  const f = (text: string, want: RegExp) => problem(withFile(text), want)

  f("\nprot = 1", /^\/etc\/tidegauge\/tidegauge\.conf:2: unknown name prot, did you mean port\? /)
  f("--port = 1", /tidegauge\.conf:1: unknown name --port, did you mean port\? /)
  f("config = x", /:1: unknown name config/)
  f("port", /:1: expected name = value$/)
  f("port = 1\n\nport = 2", /:3: port is set already at .*tidegauge\.conf:1$/)
  f("port =", /:1: port needs a value$/)
  f('port = ""', /:1: port needs a value$/)
  f("port = x", /^\/etc\/.*:1: port "x": expected a whole number from 0 to 65535$/)
  problem({ options: { config: "/no" } }, /^--config: "\/no" does not exist$/)
})

test("no message about the file repeats a secret", () => {
  for (const text of [
    "api-key hunter2hunter2hunter2",
    "api-key = hunter2",
    "hunter2hunter2! = 1",
  ]) {
    problem(withFile(text), /^(?!.*hunter)/s)
  }
})

test("a secret in a file that every user may read is refused, other settings are not", () => {
  const text = `port = 1\napi-key = ${key}`
  problem(withFile(text, [conf]), /conf:2: api-key is secret.* chmod o-r .*api-key-file$/)
  assert.equal(good(withFile(text)).config.apiKey, key)
  assert.equal(good(withFile("port = 1", [conf])).config.port, 1)
  assert.equal(good({ ...withFile(text, [conf]), withoutSecrets: true }).config.port, 1)
})

test("a secret's file is read without one line end; a bad file is named with what named it", () => {
  const password = (text: string) =>
    good({ options: { "admin-password-file": "/s" }, files: { "/s": text } }).config.adminPassword
  assert.equal(password("correct horse\n"), "correct horse")
  assert.equal(password("correct horse\r\n"), "correct horse")
  assert.equal(password(" correct horse \n\n"), " correct horse \n")

  const f = (files: Record<string, string>, open: string[], want: RegExp) =>
    problem({ env: { TIDEGAUGE_SMTP_URL_FILE: "/s" }, files, open }, want)
  f({}, [], /^TIDEGAUGE_SMTP_URL_FILE: "\/s" does not exist$/)
  f({ "/s": "\n" }, [], /^TIDEGAUGE_SMTP_URL_FILE: "\/s" is empty$/)
  f({ "/s": "smtp://a" }, ["/s"], /"\/s" can be read by every user: chmod o-r it$/)
  f({ "/s": "hunter" }, [], /^TIDEGAUGE_SMTP_URL_FILE: "\/s" cannot be taken \(its value/)
  const both = { "api-key": key, "api-key-file": "/k" }
  problem({ options: both, files: { "/k": key } }, /^--api-key and --api-key-file: give one/)
})

test("credentials of systemd give secrets and the files of TLS, whatever their mode", () => {
  const folder = "/run/credentials/tidegauge.service"
  const files = {
    [`${folder}/api-key`]: `${key}\n`,
    [`${folder}/tls-key`]: "k",
    [`${folder}/x`]: "",
  }
  const env = { CREDENTIALS_DIRECTORY: folder }
  const { config, readings } = good({
    options: { "tls-cert": "/c" },
    env,
    files,
    open: Object.keys(files),
  })
  assert.equal(config.apiKey, key)
  assert.equal(config.tlsKeyPath, `${folder}/tls-key`)
  assert.equal(readings.apiKey.given!.source, "credential api-key")
  problem({ env, files: { [`${folder}/api-key`]: "" } }, /^credential api-key \(".*"\) is empty$/)
})

test("commands that need no secret read none", () => {
  const options = { "admin-password-file": "/no", data: "/store" }
  const { config } = good({ options, env: { TIDEGAUGE_API_KEY: "x" }, withoutSecrets: true })
  assert.equal(config.dataPath, "/store")
  assert.equal(config.apiKey, null)
})
