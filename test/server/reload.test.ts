/** The table of reloadable settings, walked: each reaches its service, all others are logged. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { isDeepStrictEqual } from "node:util"
import { silentLogger } from "../../src/base/log.ts"
import { configLine } from "../../src/config/config-file.ts"
import { parseConfig } from "../../src/config/config.ts"
import { reloadableKeys, type ReloadableKey } from "../../src/config/reloadable.ts"
import { settings, type SettingKey } from "../../src/config/settings.ts"
import { Reloader, type ReloadServices } from "../../src/server/reload/reloader.ts"
import { plentyOfMemory as memoryLimit } from "../support/machine/memory-limit.ts"

const before = "tls-cert = /c\ntls-key = /k\n"

/** Another value of each setting that differs from its default. */
const changed: Readonly<Record<SettingKey, string>> = {
  host: "::1",
  port: "9000",
  dataPath: "/store",
  noMigrate: "yes",
  apiKey: "0123456789abcdef",
  adminEmail: "a@b.c",
  adminPassword: "correct horse",
  firstSecretsFile: "/first",
  secretKey: "0f".repeat(32),
  tlsCertPath: "/other-c",
  tlsKeyPath: "/other-k",
  httpRedirectPort: "81",
  hstsMs: "P1D",
  trustedProxies: "10.0.0.0/8",
  loginIdleMs: "P7D",
  loginMaxMs: "P8D",
  acceptPastMs: "P7D",
  acceptFutureMs: "PT1M",
  cycleGraceMs: "PT1M1S",
  retentionZeroMs: "P16D",
  retentionPt5mMs: "P91D",
  retentionPt1hMs: "P396D",
  retentionPt24hMs: "P1826D",
  memoryBytes: "600MiB",
  bodyBytesMax: "1MiB",
  queueBytesMax: "32MiB",
  answerBytesMax: "1MiB",
  keyPayloadsPerMinute: "7",
  keySamplesPerMinute: "8",
  eventsPerMinute: "9",
  seriesMax: "10",
  newSeriesPerMinuteMax: "11",
  textBytesMax: "2MiB",
  diskQuotaBytes: "3MiB",
  diskFloorBytes: "4MiB",
  queryTimeoutMs: "PT5S",
  workerCount: "3",
  scanWorkerCount: "3",
  clock: "2026-01-05T00:00:00Z",
  missedCyclesMax: "12",
  inactiveAfterMs: "PT1H",
  baseUrl: "https://a.example",
  metricsAccess: "all",
  legacyNames: "old",
  backupTo: "/backups",
  backupEveryMs: "PT1H",
  backupKeep: "9",
  backupS3Endpoint: "http://s3.example",
  backupS3Region: "eu-1",
  backupS3AccessKey: "key",
  backupS3SecretKey: "secret-key",
  allowedAddresses: "all",
  smtpUrl: "smtp://mail",
  smtpFrom: "b@c.d",
  smtpRequireTls: "yes",
  selfMonitoring: "on",
  slowQueryMs: "PT2S",
  accessLog: "all",
  logLevel: "error",
  logFormat: "json",
}

const httpDefaults = {
  bodyBytesMax: 16 * 1024 ** 2,
  metricsAccess: "local",
  hstsMs: null,
  accessLog: "off",
  baseUrl: null,
  trustedProxies: ["127.0.0.0/8", "::1/128"],
}
const http = (change: object) => `http ${JSON.stringify({ ...httpDefaults, ...change })}`

/** The call that brings each reloadable value to its service. */
const calls: Readonly<Record<ReloadableKey, string>> = {
  tlsCertPath: 'certificates {"certPath":"/other-c","keyPath":"/k"}',
  tlsKeyPath: 'certificates {"certPath":"/c","keyPath":"/other-k"}',
  hstsMs: http({ hstsMs: 86400000 }),
  trustedProxies: http({ trustedProxies: ["10.0.0.0/8"] }),
  bodyBytesMax: http({ bodyBytesMax: 1048576 }),
  queueBytesMax: "queue 33554432",
  answerBytesMax: "answers 1048576",
  keyPayloadsPerMinute: 'rates {"payloadsPerMinute":7,"samplesPerMinute":0}',
  keySamplesPerMinute: 'rates {"payloadsPerMinute":0,"samplesPerMinute":8}',
  eventsPerMinute: "events 9",
  queryTimeoutMs: "timeout 5000",
  baseUrl: http({ baseUrl: "https://a.example" }),
  allowedAddresses: 'delivery {"allowedAddresses":"all"}',
  smtpUrl: 'delivery {"smtpUrl":"smtp://mail"}',
  smtpFrom: 'delivery {"smtpFrom":"b@c.d"}',
  smtpRequireTls: 'delivery {"smtpRequireTls":"yes"}',
  diskFloorBytes: 'limits {"diskFloorBytes":4194304}',
  diskQuotaBytes: 'limits {"diskQuotaBytes":3145728}',
  seriesMax: 'limits {"seriesMax":10}',
  newSeriesPerMinuteMax: 'limits {"newSeriesPerMinuteMax":11}',
  textBytesMax: 'limits {"textBytesMax":2097152}',
  metricsAccess: http({ metricsAccess: "all" }),
  selfMonitoring: "self true",
  slowQueryMs: "slow 2000",
  accessLog: http({ accessLog: "all" }),
  logLevel: 'level "error"',
  logFormat: 'format "json"',
}

function read(text: string) {
  const readFile = () => ({ text, isOpenToAll: false })
  return parseConfig({
    options: new Map([["config", "/conf"]]),
    env: {},
    readFile,
    cores: 2,
    memoryLimit,
  })
}

function reloader(text = before) {
  const made: string[] = []
  const logged: string[] = []
  const call = (name: string) => (value: unknown) =>
    void made.push(`${name} ${JSON.stringify(value)}`)
  const outcome = read(text)
  assert.ok("config" in outcome)
  const former: Readonly<Record<string, unknown>> = { ...outcome.config }
  const changes = (config: object) =>
    Object.fromEntries(
      Object.entries(config).filter(([key, value]) => !isDeepStrictEqual(value, former[key])),
    )
  const services: ReloadServices = {
    http: { reload: call("http") },
    ingestQueue: { setBytesMax: call("queue") },
    memory: { setBytesMax: call("answers") },
    selfWatch: { setOn: call("self") },
    slowQueries: { setSlowMs: call("slow") },
    admission: { setTimeoutMs: call("timeout") },
    accounts: { setRates: call("rates") },
    status: { reload: () => {} },
    records: { events: { setRate: call("events") } },
    logCell: { setLevel: call("level"), setFormat: call("format") },
    isTerminal: true,
    certificates: { reload: call("certificates") },
    redirect: { setBaseUrl: call("redirect") },
    delivery: { reload: (config) => call("delivery")(changes(config)) },
    shard: {
      async setLimits({ cardinality, ...rest }) {
        call("limits")(changes({ ...cardinality, ...rest }))
      },
    },
  }
  const line = (fields: object, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log = { ...silentLogger, info: line, warn: line, error: line }
  return { reloader: new Reloader(outcome, services, log), made, logged }
}

function textWith(key: SettingKey): string {
  const { name } = settings[key]
  const others = before.split("\n").filter((line) => !line.startsWith(`${name} =`))
  return [...others, configLine(name, changed[key])].join("\n")
}

test("each setting of the table reaches its service, and is in force from then on", () => {
  for (const key of reloadableKeys) {
    const { reloader: one, made, logged } = reloader()
    one.reload(read(textWith(key)))
    assert.ok(made.includes(calls[key]), `${key}: ${made.join()}`)
    assert.match(logged[0]!, new RegExp(`setting changed .*"setting":"${settings[key].name}"`))
    one.reload(read(textWith(key)))
    assert.match(logged.at(-1)!, /^settings reloaded \{"changed":0\}$/)
  }
})

test("any other setting reaches no service, and is logged with both of its values", () => {
  const keys = (Object.keys(settings) as SettingKey[]).filter(
    (key) => !(reloadableKeys as readonly SettingKey[]).includes(key),
  )
  for (const key of keys) {
    const { reloader: one, made, logged } = reloader()
    const { name, fallback, secret } = settings[key]
    for (let turn = 0; turn < 2; turn++) {
      logged.length = 0
      one.reload(read(textWith(key)))
      assert.equal(logged.length, 2, logged.join("\n"))
      assert.ok(logged[0]!.startsWith(`setting needs a restart {"setting":"${name}"`), logged[0])
      const shown = secret ? "(secret)" : changed[key]
      assert.ok(logged[0]!.includes(`"configured":"${shown}"`), logged[0])
      if (fallback !== "") assert.ok(logged[0]!.includes(`"inForce":"${fallback}"`), logged[0])
    }
    assert.deepEqual(made, ['certificates {"certPath":"/c","keyPath":"/k"}', made[0]!])
  }
})

test("with a mistake in the settings nothing changes", () => {
  const { reloader: one, made, logged } = reloader()
  one.reload(read(`${textWith("logLevel")}\nprot = 1`))
  assert.deepEqual(made, [])
  assert.match(logged.join(), /^settings not reloaded .*\/conf:5: unknown name prot/)
})

test("TLS cannot begin or end by a reload", () => {
  for (const [from, to] of [
    ["", before],
    [before, ""],
  ] as const) {
    const { reloader: one, logged } = reloader(from)
    one.reload(read(to))
    const waiting = logged.filter((line) => line.startsWith("setting needs a restart"))
    assert.equal(waiting.length, 2, logged.join("\n"))
  }
})
