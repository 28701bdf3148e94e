import assert from "node:assert/strict"
import { test } from "node:test"
import { settingFlag, settingVariable } from "../../src/config/setting.ts"
import { settingList } from "../../src/config/settings.ts"
import { commandTable } from "../../src/command/command-table.ts"
import { readLine } from "../../src/command/line/read-line.ts"
import { parseConfig, type Config } from "../../src/config/config.ts"
import { planMemory } from "../../src/config/memory-plan.ts"
import { isTuningOn } from "../../src/config/tunings.ts"
import { lineOf } from "../support/project/command-line.ts"
import { plentyOfMemory as memoryLimit } from "../support/machine/memory-limit.ts"

const noFiles = () => ({ problem: "does not exist", isMissing: true })

interface Attempt {
  readonly argv?: string[]
  readonly env?: Record<string, string>
  readonly cores?: number
}

function attempt(of: Attempt) {
  const read = readLine(commandTable, of.argv ?? [])
  if ("problems" in read) return read
  const { options } = "line" in read ? read.line : lineOf()
  return parseConfig({
    options,
    env: of.env ?? {},
    readFile: noFiles,
    cores: of.cores ?? 4,
    memoryLimit,
  })
}

function config(of: Attempt): Config {
  const outcome = attempt(of)
  assert.ok("config" in outcome, JSON.stringify(outcome))
  return outcome.config
}

function problems(of: Attempt): readonly string[] {
  const outcome = attempt(of)
  assert.ok("problems" in outcome, JSON.stringify(outcome))
  return outcome.problems
}

test("parseConfig() of nothing gives the defaults, frozen", () => {
  const defaults = config({})
  const day = 86_400_000
  assert.deepEqual(defaults, {
    host: "127.0.0.1",
    port: 8080,
    dataPath: "data/store",
    noMigrate: false,
    apiKey: null,
    adminEmail: null,
    adminPassword: null,
    firstSecretsFile: null,
    secretKey: null,
    tlsCertPath: null,
    tlsKeyPath: null,
    httpRedirectPort: null,
    hstsMs: null,
    trustedProxies: ["127.0.0.0/8", "::1/128"],
    loginIdleMs: 14 * day,
    loginMaxMs: 30 * day,
    acceptPastMs: 14 * day,
    acceptFutureMs: 300_000,
    cycleGraceMs: 60_000,
    retentionMs: { ZERO: 15 * day, PT5M: 90 * day, PT1H: 395 * day, PT24H: 1825 * day },
    bodyBytesMax: 16 * 1024 ** 2,
    queueBytesMax: 64 * 1024 ** 2,
    answerBytesMax: 256 * 1024 ** 2,
    keyPayloadsPerMinute: 0,
    keySamplesPerMinute: 0,
    eventsPerMinute: 6_000,
    memoryBytes: "auto",
    memory: planMemory({ limit: memoryLimit, cores: 4 }),
    seriesMax: 1_000_000,
    textBytesMax: 512 * 1024 ** 2,
    newSeriesPerMinuteMax: 1_000_000,
    diskFloorBytes: 256 * 1024 ** 2,
    diskQuotaBytes: 0,
    clock: null,
    missedCyclesMax: 72,
    inactiveAfterMs: 25_200_000,
    queryTimeoutMs: 10_000,
    workerCount: 3,
    scanWorkerCount: 3,
    baseUrl: null,
    metricsAccess: "local",
    legacyNames: "both",
    allowedAddresses: null,
    smtpUrl: null,
    smtpFrom: "tidegauge@localhost",
    smtpRequireTls: "auto",
    backupTo: null,
    backupEveryMs: day,
    backupKeep: 7,
    backupS3Endpoint: null,
    backupS3Region: "us-east-1",
    backupS3AccessKey: null,
    backupS3SecretKey: null,
    selfMonitoring: "off",
    slowQueryMs: 1_000,
    accessLog: "off",
    logLevel: "info",
    logFormat: "auto",
    notes: [],
  })
  assert.ok(Object.isFrozen(defaults) && Object.isFrozen(defaults.retentionMs))
})

test("a flag is written in two ways and wins over its variable", () => {
  const f = (of: Attempt, want: number) => assert.equal(config(of).port, want)

  f({ argv: ["--port", "1"] }, 1)
  f({ argv: ["--port=1"] }, 1)
  f({ env: { TIDEGAUGE_PORT: "2" } }, 2)
  f({ argv: ["--port", "1"], env: { TIDEGAUGE_PORT: "2" } }, 1)
  f({ env: { TIDEGAUGE_PORT: "" } }, 8080)
  f({ env: { PORT: "2", TIDE: "x" } }, 8080)
  f({ argv: ["--port", "0"] }, 0)
})

test("every setting can be set by flag and by variable", () => {
  const samples: Record<string, [string, keyof Config, unknown]> = {
    host: ["::1", "host", "::1"],
    port: ["0", "port", 0],
    data: ["/tmp/x=y", "dataPath", "/tmp/x=y"],
    "api-key": ["0123456789abcdef0123456789abcdef", "apiKey", "0123456789abcdef0123456789abcdef"],
    "admin-email": ["ops@example.com", "adminEmail", "ops@example.com"],
    "admin-password": ["-- no = flag", "adminPassword", "-- no = flag"],
    "first-secrets-file": ["/run/secrets.txt", "firstSecretsFile", "/run/secrets.txt"],
    "secret-key": ["0f".repeat(32), "secretKey", "0f".repeat(32)],
    "tls-cert": ["/c.pem", "tlsCertPath", "/c.pem"],
    "tls-key": ["/k.pem", "tlsKeyPath", "/k.pem"],
    "trusted-proxies": ["10.0.0.0/8, ::1", "trustedProxies", ["10.0.0.0/8", "::1/128"]],
    "http-redirect": ["80", "httpRedirectPort", 80],
    hsts: ["P365D", "hstsMs", 365 * 86_400_000],
    "login-idle": ["P7D", "loginIdleMs", 604_800_000],
    "login-max": ["P8D", "loginMaxMs", 691_200_000],
    "accept-past": ["P7D", "acceptPastMs", 604_800_000],
    "accept-future": ["pt1m", "acceptFutureMs", 60_000],
    "cycle-grace": ["PT0S", "cycleGraceMs", 0],
    memory: ["600MiB", "memoryBytes", 600 * 1024 ** 2],
    "body-limit": ["1048576", "bodyBytesMax", 1_048_576],
    "queue-limit": ["1GiB", "queueBytesMax", 1024 ** 3],
    "answers-limit": ["1GiB", "answerBytesMax", 1024 ** 3],
    "key-payloads-per-minute": ["600", "keyPayloadsPerMinute", 600],
    "key-samples-per-minute": ["1000000000", "keySamplesPerMinute", 1_000_000_000],
    "events-per-minute": ["0", "eventsPerMinute", 0],
    "series-limit": ["5000", "seriesMax", 5_000],
    "text-bytes-limit": ["2GiB", "textBytesMax", 2 * 1024 ** 3],
    "new-series-limit": ["70", "newSeriesPerMinuteMax", 70],
    "disk-quota": ["1GiB", "diskQuotaBytes", 1024 ** 3],
    "disk-floor": ["1GiB", "diskFloorBytes", 1024 ** 3],
    "query-timeout": ["PT30S", "queryTimeoutMs", 30_000],
    workers: ["7", "workerCount", 7],
    helpers: ["0", "scanWorkerCount", 0],
    "base-url": ["https://tide.example.org/x/", "baseUrl", "https://tide.example.org/x"],
    "metrics-access": ["user", "metricsAccess", "user"],
    "legacy-names": ["old", "legacyNames", "old"],
    "allow-private-addresses": ["10.0.0.0/8", "allowedAddresses", ["10.0.0.0/8"]],
    "smtp-url": ["smtps://u:p@mail:465", "smtpUrl", "smtps://u:p@mail:465"],
    "smtp-require-tls": ["yes", "smtpRequireTls", "yes"],
    "smtp-from": ["ops@example.com", "smtpFrom", "ops@example.com"],
    clock: [
      "2026-01-05T00:00:00Z,x60",
      "clock",
      { startMs: 1_767_571_200_000, speed: 60, endMs: Infinity },
    ],
    "no-migrate": ["yes", "noMigrate", true],
    "backup-to": ["s3://tide/a/b", "backupTo", "s3://tide/a/b"],
    "backup-every": ["PT6H", "backupEveryMs", 21_600_000],
    "backup-keep": ["28", "backupKeep", 28],
    "backup-s3-endpoint": ["http://10.0.0.7:9000", "backupS3Endpoint", "http://10.0.0.7:9000"],
    "backup-s3-region": ["eu-central-1", "backupS3Region", "eu-central-1"],
    "backup-s3-access-key": ["access", "backupS3AccessKey", "access"],
    "backup-s3-secret-key": ["secret-key", "backupS3SecretKey", "secret-key"],
    "missed-cycles": ["12", "missedCyclesMax", 12],
    "inactive-after": ["PT2H", "inactiveAfterMs", 7_200_000],
    "self-monitoring": ["on", "selfMonitoring", "on"],
    "slow-query": ["PT0.25S", "slowQueryMs", 250],
    "access-log": ["errors", "accessLog", "errors"],
    "log-level": ["silent", "logLevel", "silent"],
    "log-format": ["json", "logFormat", "json"],
  }
  const keys = ["--backup-s3-access-key", "name", "--backup-s3-secret-key", "password"]
  const tls = ["--tls-cert", "/a.pem", "--tls-key", "/b.pem", ...keys]
  for (const setting of settingList) {
    if (setting.name.startsWith("retention-")) continue
    const [text, key, want] = samples[setting.name]!
    const flag = settingFlag(setting)
    // Some need others; of a flag that is given twice the last one counts.
    const others = /^(?:tls-|http-|hsts|backup-)/.test(setting.name) ? tls : []
    const given = setting.isSwitch ? [[flag]] : [[flag, text], [`${flag}=${text}`]]
    for (const words of given) {
      assert.deepEqual(config({ argv: [...others, ...words] })[key], want)
    }
    const at = others.indexOf(flag)
    const argv = at < 0 ? others : others.toSpliced(at, 2)
    assert.deepEqual(config({ argv, env: { [settingVariable(setting)]: text } })[key], want)
  }
})

test("each retention reaches its own resolution", () => {
  const day = 86_400_000
  const argv = ["--retention-zero=P20D", "--retention-pt5m=P21D", "--retention-pt1h=P22D"]
  const { retentionMs } = config({ argv, env: { TIDEGAUGE_RETENTION_PT24H: "P23D" } })
  assert.deepEqual(retentionMs, { ZERO: 20 * day, PT5M: 21 * day, PT1H: 22 * day, PT24H: 23 * day })
})

test("retention is raised to the accepted past and a day, with a note", () => {
  const short = config({ argv: ["--retention-zero", "P7D"] })
  assert.equal(short.retentionMs.ZERO, 15 * 86_400_000)
  assert.deepEqual(short.notes, [
    "Retention of ZERO is 15 days instead of 7: late samples are accepted for 14 days",
  ])
  assert.equal(config({ argv: ["--accept-past", "P100D"] }).notes.length, 2)
  assert.deepEqual(config({ argv: ["--accept-past=P2D", "--retention-zero=P3D"] }).notes, [])
})

test("a variable of the commands does not stop the server", () => {
  assert.deepEqual(config({ env: { TIDEGAUGE_URL: "http://127.0.0.1:1" } }), config({}))
})

test("what cannot be taken is refused with the accepted form", () => {
  const f = (of: Attempt, want: RegExp) => {
    const found = problems(of)
    assert.equal(found.length, 1, found.join("\n"))
    assert.match(found[0]!, want)
  }

  f({ argv: ["--port", "80a"] }, /^--port "80a": expected a whole number from 0 to 65535$/)
  f({ env: { TIDEGAUGE_PORT: "70000" } }, /^TIDEGAUGE_PORT "70000": expected a whole number/)
  f({ argv: ["--port", "-1"] }, /expected a whole number/)
  f({ argv: ["--port"] }, /^--port needs a value: expected a whole number/)
  f({ argv: ["--port", "--host=x"] }, /^--port needs a value/)
  f({ argv: ["--port="] }, /^--port needs a value: expected a whole number/)
  f({ argv: ["--prot", "1"] }, /^Unknown option --prot of serve, did you mean --port\? /)
  f({ argv: ["8080"] }, /^Unknown command "8080": `tidegauge --help` lists all$/)
  f(
    { env: { TIDEGAUGE_PROT: "1" } },
    /^Unknown variable TIDEGAUGE_PROT, did you mean TIDEGAUGE_PORT\? `tidegauge serve --help`/,
  )
  f({ env: { TIDEGAUGE_WHATEVER: "1" } }, /^Unknown variable TIDEGAUGE_WHATEVER: `tidegauge serve/)
  f({ argv: ["--accept-past", "14d"] }, /expected an ISO 8601 duration from PT0S to P3650D/)
  f({ argv: ["--retention-zero", "PT1H"] }, /expected an ISO 8601 duration from P1D/)
  f({ argv: ["--body-limit", "16MB"] }, /expected bytes, or a number with KiB, MiB or GiB/)
  f(
    { argv: ["--body-limit", "128MiB"] },
    /--queue-limit of 67108864 bytes is less than --body-limit/,
  )
  f({ argv: ["--workers", "0"] }, /from 1 to 64/)
  f({ argv: ["--log-level", "verbose"] }, /one of trace, debug, info, warn, error, silent/)
  f({ argv: ["--admin-email", "a:b@c.org"] }, /without a colon/)
})

test("the sender of mails is an address, with a display name or without (R15)", () => {
  const f = (text: string, isTaken: boolean) => {
    const found = attempt({ argv: ["--smtp-from", text] })
    if (isTaken && "config" in found) return assert.equal(found.config.smtpFrom, text)
    assert.equal("problems" in found, !isTaken, text)
  }
  for (const text of ["t@example.com", "Tide <t@example.com>", "<t@example.com>"]) f(text, true)
  for (const text of ["Tide Gäuge v1.2 <t@example.com>", '"Tide, \\"Ops\\"" <t@x.com>'])
    f(text, true)
  for (const text of ["Tide", "Tide t@example.com", "Tide <t@example.com", "a@b, c@d"])
    f(text, false)
  for (const text of ["Tide, Ops <t@x.com>", "Tide\r\nBcc: <t@x.com>", "<a@b> <c@d>"])
    f(text, false)
  f(`Tide <${"x".repeat(251)}@b.c>`, false)
})

test("TLS needs certificate and key; a redirect and HSTS need https", () => {
  const f = (argv: string[], want: RegExp) => {
    const found = problems({ argv })
    assert.equal(found.length, 1, found.join("\n"))
    assert.match(found[0]!, want)
  }

  f(["--tls-cert=/c"], /^--tls-cert needs --tls-key: /)
  f(["--tls-key=/k"], /^--tls-key needs --tls-cert: /)
  f(["--http-redirect=80"], /^--http-redirect needs --tls-cert and --tls-key: /)
  f(["--hsts=P1D"], /^--hsts needs --tls-cert, or an https address as --base-url: /)
  assert.equal(config({ argv: ["--hsts=P1D", "--base-url=https://a"] }).hstsMs, 86_400_000)
})

test("all problems are reported together", () => {
  assert.equal(problems({ argv: ["--port=x", "--workers=x"], env: { TIDEGAUGE_X: "" } }).length, 3)
})

test("no message repeats a secret, however it is misspelt", () => {
  const secret = "hunter2hunter2!"
  const short = "hun ter"
  for (const argv of [
    ["--api-key", secret],
    [`--api-key=${secret}`],
    ["--admin-password", short],
    ["--admin-password", "--hun", "ter"],
    ["--admin-pasword", secret],
    [`--admin-pasword=${secret}`],
    ["--admin-pasword", "--hunter"],
    [`-p${secret}`],
    ["--admin-password", "hunter2 ", "hunter2!"],
  ]) {
    assert.doesNotMatch(problems({ argv }).join("\n"), /hun|ter2/, argv.join(" "))
  }
  const env = { TIDEGAUGE_API_KEY: secret, TIDEGAUGE_ADMIN_PASSWORD: "hunter2" }
  assert.doesNotMatch(problems({ env }).join("\n"), /hunter/)
})

test("the default number of workers leaves a core for the shard, and is never 0", () => {
  const f = (cores: number, want: number) => assert.equal(config({ cores }).workerCount, want)

  f(1, 1)
  f(2, 1)
  f(8, 7)
})

test("by default there are as many scan workers as cores besides one, and workers", () => {
  const f = (cores: number, argv: string[], want: number) =>
    assert.equal(config({ cores, argv }).scanWorkerCount, want)

  f(1, [], 0)
  f(2, [], 1)
  f(8, [], 7)
  f(8, ["--workers", "2"], 2)
  f(1, ["--workers", "2"], 0)
  f(1, ["--helpers", "3"], 3)
})

const service = {
  TIDEGAUGE_SERVICE_HOST: "10.0.0.7",
  TIDEGAUGE_SERVICE_PORT: "8080",
  TIDEGAUGE_SERVICE_PORT_HTTP: "8080",
  TIDEGAUGE_PORT: "tcp://10.0.0.7:8080",
  TIDEGAUGE_PORT_8080_TCP: "tcp://10.0.0.7:8080",
  TIDEGAUGE_PORT_8080_TCP_ADDR: "10.0.0.7",
  TIDEGAUGE_PORT_8080_TCP_PORT: "8080",
  TIDEGAUGE_PORT_8080_TCP_PROTO: "tcp",
  // Of a service named tidegauge-db.
  TIDEGAUGE_DB_SERVICE_HOST: "10.0.0.8",
  TIDEGAUGE_DB_PORT: "udp://10.0.0.8:53",
  TIDEGAUGE_DB_PORT_53_UDP_ADDR: "10.0.0.8",
}

test("TIDEGAUGE_TUNINGS_OFF takes names of tunings and no others", () => {
  const env = { TIDEGAUGE_TUNINGS_OFF: "v8-threads,idle-gc" }
  assert.deepEqual(config({ env }).notes, [])
  assert.equal(isTuningOn(env, "idle-gc"), false)
  assert.equal(isTuningOn(env, "warm-up"), true)
  assert.equal(isTuningOn({}, "idle-gc"), true)
  const [problem] = problems({ env: { TIDEGAUGE_TUNINGS_OFF: "idle-gc,jit" } })
  assert.match(problem!, /expected some of compile-cache,v8-threads,.*, got "jit"/)
})

test("variables that Kubernetes makes of a service set nothing, and one note names them", () => {
  const { notes, port } = config({ env: service })
  assert.equal(port, 8080)
  assert.equal(notes.length, 1)
  for (const name of Object.keys(service)) assert.ok(notes[0]!.includes(name), name)
  assert.equal(config({ env: { ...service, TIDEGAUGE_PORT: "81" } }).port, 81)
  const strange = {
    TIDEGAUGE_SERVICE_HOTS: "x",
    TIDEGAUGE_PORT_TCP: "x",
    TIDEGAUGE_PORT_8080_TCP_NAME: "x",
    TIDEGAUGE_DB_PORT: "53",
  }
  assert.equal(problems({ env: { ...service, ...strange } }).length, Object.keys(strange).length)
})
