/**
 * Every setting of the server, in one table: it drives parsing, `--help`, shell completion, the
 * template of the configuration file and the table of the handbook.
 */

import { parseAllowedAddresses, type AllowedAddresses } from "../outbound/address-policy.ts"
import {
  answerBytesDefault,
  backupKeepMax,
  bodyBytesCeiling,
  bodyBytesDefault,
  freeDiskBytesMinDefault,
  keyRateMax,
  memoryBytesMin,
  missedCyclesMax,
  newSeriesPerMinuteDefault,
  queryTimeoutMsDefault,
  queueBytesDefault,
  seriesDefault,
  eventsPerMinuteDefault,
  textBytesDefault,
  workersMax,
} from "../base/limits.ts"
import { logLevels } from "../base/log.ts"
import { parseSimulatedTime, type SimulatedTime } from "../base/clock.ts"
import { legacyNamesModes } from "../wire/legacy-names.ts"
import { settingInputs, type Setting, type SettingInput } from "./setting.ts"
import {
  durationForm,
  durationMs,
  matching,
  sizeBytes,
  sizeForm,
  sizeText,
  switchOf,
  numberWithin,
  wholeNumberOf,
} from "./setting-forms.ts"

export const settings = {
  host: setting({
    name: "host",
    fallback: "127.0.0.1",
    form: "an address or host name",
    meaning: "Address to listen on. 0.0.0.0 listens on every interface.",
    parse: (text) => matching(text, /^[A-Za-z0-9.:_%-]{1,255}$/),
  }),
  port: setting({
    name: "port",
    fallback: "8080",
    form: "a whole number from 0 to 65535",
    meaning: "Port to listen on. 0 takes any free port.",
    parse: (text) => wholeNumberOf(text, 0, 65_535),
  }),
  dataPath: setting({
    name: "data",
    fallback: "data/store",
    form: "a path",
    meaning: "Folder of the store; created if it is missing.",
    parse: (text) => matching(text, /^[^\0]+$/),
  }),
  noMigrate: setting({
    name: "no-migrate",
    fallback: "no",
    form: "yes or no",
    meaning: "Refuses to start on a store of an earlier format instead of changing its format.",
    isSwitch: true,
    parse: switchOf,
  }),
  apiKey: setting<string | null>({
    name: "api-key",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "32 hexadecimal digits, or any 16 to 128 characters of A-Z a-z 0-9 _ -",
    meaning: "Key of the Custom integration: collectors post to /ingest/KEY.",
    secret: true,
    parse: (text) => matching(text, /^[A-Za-z0-9_-]{16,128}$/),
  }),
  adminEmail: setting<string | null>({
    name: "admin-email",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "an e-mail address without a colon",
    meaning: "Name of the administrator for Basic authentication.",
    parse: (text) => matching(text, /^(?=.{3,254}$)[^\s@:]+@[^\s@:]+$/),
  }),
  adminPassword: setting<string | null>({
    name: "admin-password",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "12 to 1024 characters, none of the commonest",
    meaning: "Password of the administrator. Other users can see a flag: prefer the file.",
    secret: true,
    // One that is in use already may be shorter, which the accounts know.
    parse: (text) => matching(text, /^.{8,1024}$/su),
  }),
  firstSecretsFile: setting<string | null>({
    name: "first-secrets-file",
    fallback: "",
    fallbackNote: "printed on standard output",
    form: "a path of a file that does not exist",
    meaning:
      "The first start writes password and API key there, for its owner alone, and prints neither.",
    parse: (text) => matching(text, /^[^\0]+$/),
  }),
  secretKey: setting<string | null>({
    name: "secret-key",
    fallback: "",
    fallbackNote: "the file secrets.key of the store's folder, made at the first start",
    form: "64 hexadecimal digits",
    meaning: "Key that encrypts the secrets of datasources and notifications in the store.",
    secret: true,
    parse: (text) => matching(text, /^[0-9A-Fa-f]{64}$/),
  }),
  tlsCertPath: setting<string | null>({
    name: "tls-cert",
    fallback: "",
    fallbackNote: "none: plain HTTP",
    form: "a path",
    meaning: "Certificate as PEM, its chain behind it. With it the port speaks HTTPS only.",
    isCredentialPath: true,
    parse: (text) => matching(text, /^[^\0]+$/),
  }),
  tlsKeyPath: setting<string | null>({
    name: "tls-key",
    fallback: "",
    form: "a path",
    meaning: "Private key of the certificate as PEM, without a passphrase, closed to other users.",
    isCredentialPath: true,
    parse: (text) => matching(text, /^[^\0]+$/),
  }),
  httpRedirectPort: setting<number | null>({
    name: "http-redirect",
    fallback: "",
    form: "a whole number from 1 to 65535",
    meaning: "Port that answers plain HTTP with 308 and the https address.",
    parse: (text) => wholeNumberOf(text, 1, 65_535),
  }),
  hstsMs: setting<number | null>({
    name: "hsts",
    fallback: "",
    form: durationForm("PT0S", "P3650D"),
    meaning: "How long browsers must use https only (Strict-Transport-Security). PT0S ends it.",
    parse: (text) => durationMs(text, "PT0S", "P3650D"),
  }),
  loginIdleMs: setting({
    name: "login-idle",
    fallback: "P14D",
    form: durationForm("PT5M", "P365D"),
    meaning: "A browser that stays signed in is signed out if it was not used for this long.",
    parse: (text) => durationMs(text, "PT5M", "P365D"),
  }),
  loginMaxMs: setting({
    name: "login-max",
    fallback: "P30D",
    form: durationForm("PT5M", "P365D"),
    meaning: "A browser that stays signed in is signed out after this long.",
    parse: (text) => durationMs(text, "PT5M", "P365D"),
  }),
  acceptPastMs: setting({
    name: "accept-past",
    fallback: "P14D",
    form: durationForm("PT0S", "P3650D"),
    meaning: "Age up to which a sample is accepted.",
    parse: (text) => durationMs(text, "PT0S", "P3650D"),
  }),
  acceptFutureMs: setting({
    name: "accept-future",
    fallback: "PT5M",
    form: durationForm("PT0S", "P1D"),
    meaning: "How far ahead of the server's clock a sample may be.",
    parse: (text) => durationMs(text, "PT0S", "P1D"),
  }),
  cycleGraceMs: setting({
    name: "cycle-grace",
    fallback: "PT60S",
    form: durationForm("PT0S", "PT1H"),
    meaning: "How long after its end a five-minute cycle closes.",
    parse: (text) => durationMs(text, "PT0S", "PT1H"),
  }),
  retentionZeroMs: retention("zero", "P15D", "raw samples"),
  retentionPt5mMs: retention("pt5m", "P90D", "five-minute buckets"),
  retentionPt1hMs: retention("pt1h", "P395D", "one-hour buckets"),
  retentionPt24hMs: retention("pt24h", "P1825D", "one-day buckets"),
  memoryBytes: setting<number | "auto">({
    name: "memory",
    fallback: "auto",
    form: `auto, or ${sizeForm(sizeText(memoryBytesMin), "65536GiB")}`,
    meaning:
      "Memory that the server may use. auto: the limit of the container or service, or the " +
      "machine's memory.",
    parse: (text) => (text === "auto" ? text : sizeBytes(text, memoryBytesMin, 64 * 1024 ** 4)),
  }),
  bodyBytesMax: setting({
    name: "body-limit",
    fallback: sizeText(bodyBytesDefault),
    form: sizeForm("1KiB", sizeText(bodyBytesCeiling)),
    meaning: "Largest request body, after decompression.",
    parse: (text) => sizeBytes(text, 1024, bodyBytesCeiling),
  }),
  queueBytesMax: setting({
    name: "queue-limit",
    fallback: sizeText(queueBytesDefault),
    form: sizeForm("1MiB", "64GiB"),
    meaning:
      "Bodies that may wait to be stored; less with little memory. When full, ingest answers 503.",
    parse: (text) => sizeBytes(text, 1024 ** 2, 64 * 1024 ** 3),
  }),
  answerBytesMax: setting({
    name: "answers-limit",
    fallback: sizeText(answerBytesDefault),
    form: sizeForm("1MiB", "64GiB"),
    meaning:
      "Answers that clients have not read yet, half for one account; less with little memory. " +
      "Beyond it, 503.",
    parse: (text) => sizeBytes(text, 1024 ** 2, 64 * 1024 ** 3),
  }),
  keyPayloadsPerMinute: keyRate("payloads", "Requests with data"),
  keySamplesPerMinute: keyRate("samples", "Samples"),
  eventsPerMinute: setting({
    name: "events-per-minute",
    fallback: String(eventsPerMinuteDefault),
    form: "a whole number from 0 to 1000000000",
    meaning: "External events that a tenant may send in a minute, then 429. 0 is no limit.",
    parse: (text) => wholeNumberOf(text, 0, 1_000_000_000),
  }),
  diskFloorBytes: setting({
    name: "disk-floor",
    fallback: sizeText(freeDiskBytesMinDefault),
    form: sizeForm("0", "1024GiB"),
    meaning:
      "Free space below which ingest answers 503 and queries go on; " +
      "at most a twentieth of the disk.",
    parse: (text) => sizeBytes(text, 0, 1024 ** 4),
  }),
  diskQuotaBytes: setting({
    name: "disk-quota",
    fallback: "0",
    form: sizeForm("0", "65536GiB"),
    meaning:
      "Samples and rollups of a tenant in the store. At or over it, its posts get 429 until " +
      "retention has made room. 0 is no limit.",
    parse: (text) => sizeBytes(text, 0, 64 * 1024 ** 4),
  }),
  seriesMax: setting({
    name: "series-limit",
    fallback: String(seriesDefault),
    form: "a whole number from 1 to 100000000",
    meaning:
      "Series of a tenant, likewise its elements; fewer with little memory. " +
      "A post with more gets 400.",
    parse: (text) => wholeNumberOf(text, 1, 100_000_000),
  }),
  newSeriesPerMinuteMax: setting({
    name: "new-series-limit",
    fallback: String(newSeriesPerMinuteDefault),
    form: "a whole number from 1 to 100000000",
    meaning: "New series and elements of a tenant in a minute. A post with more gets 429.",
    parse: (text) => wholeNumberOf(text, 1, 100_000_000),
  }),
  textBytesMax: setting({
    name: "text-bytes-limit",
    fallback: sizeText(textBytesDefault),
    form: sizeForm("1MiB", "64GiB"),
    meaning:
      "Names, tags and other texts of a tenant; at most a quarter of Node's heap. " +
      "A post with more gets 400.",
    parse: (text) => sizeBytes(text, 1024 ** 2, 64 * 1024 ** 3),
  }),
  queryTimeoutMs: setting({
    name: "query-timeout",
    fallback: `PT${queryTimeoutMsDefault / 1000}S`,
    form: durationForm("PT1S", "PT1H"),
    meaning: "How long a query may take, waiting included; then it gets 503.",
    parse: (text) => durationMs(text, "PT1S", "PT1H"),
  }),
  workerCount: setting<number | null>({
    name: "workers",
    fallback: "",
    fallbackNote: "processor cores less one, at least 1; fewer with little memory",
    form: `a whole number from 1 to ${workersMax}`,
    meaning: "Threads that answer queries. Others store samples, close cycles, serve short ones.",
    parse: (text) => wholeNumberOf(text, 1, workersMax),
  }),
  scanWorkerCount: setting<number | null>({
    name: "helpers",
    fallback: "",
    fallbackNote: "processor cores less one, at most as many as workers; fewer with little memory",
    form: `a whole number from 0 to ${workersMax}`,
    meaning: "Threads that help with a query about many series. With 0 it stays on one thread.",
    parse: (text) => wholeNumberOf(text, 0, workersMax),
  }),
  clock: setting<SimulatedTime | null>({
    name: "clock",
    fallback: "",
    fallbackNote: "the machine's",
    form: "an ISO 8601 instant, and a speed if it is not 1, such as 2026-01-05T00:00:00Z,x60",
    meaning: "A simulated clock, for trials: start and speed. It waits for cycles that close late.",
    parse: parseSimulatedTime,
  }),
  missedCyclesMax: setting({
    name: "missed-cycles",
    fallback: "72",
    form: `a whole number from 1 to ${missedCyclesMax}`,
    meaning: "Five-minute cycles of an outage that are closed afterwards; earlier ones stay open.",
    parse: (text) => wholeNumberOf(text, 1, missedCyclesMax),
  }),
  inactiveAfterMs: setting({
    name: "inactive-after",
    fallback: "PT7H",
    form: durationForm("PT5M", "P60D"),
    meaning: "How long a silent element is still filled sparsely and computed.",
    parse: (text) => durationMs(text, "PT5M", "P60D"),
  }),
  baseUrl: setting<string | null>({
    name: "base-url",
    fallback: "",
    fallbackNote: "the address that is listened on",
    form: "an http or https URL",
    meaning: "Where people find this server: links and browsers lead there.",
    parse: (text) => matching(text, /^https?:\/\/[^\s/]+(?:\/\S*)?$/)?.replace(/\/+$/, ""),
  }),
  metricsAccess: setting({
    name: "metrics-access",
    fallback: "local",
    form: "one of local, user, all",
    meaning:
      "Who reads /metrics/internal without a password. " +
      "Take user behind a proxy on this machine.",
    parse: (text) => (["local", "user", "all"] as const).find((access) => access === text),
  }),
  legacyNames: setting({
    name: "legacy-names",
    fallback: "both",
    form: "one of both, old, new",
    meaning:
      "Names of set tags in answers: serviceTags (new), netuitiveTags (old). " +
      "Take old for clients that refuse unknown names.",
    parse: (text) => legacyNamesModes.find((mode) => mode === text),
  }),
  allowedAddresses: setting<AllowedAddresses | null>({
    name: "allow-private-addresses",
    fallback: "",
    fallbackNote: "public addresses only",
    form: "all, or CIDR ranges and addresses between commas",
    meaning: "Addresses besides the public ones that webhooks and downloads may be sent to.",
    parse: parseAllowedAddresses,
  }),
  smtpUrl: setting<string | null>({
    name: "smtp-url",
    fallback: "",
    form: "smtp://user:password@host:port, or smtps://",
    meaning: "Mail server for notifications. Other users can see a flag: prefer the file.",
    secret: true,
    parse: (text) => (URL.canParse(text) ? matching(text, /^smtps?:\/\/\S+$/) : undefined),
  }),
  smtpFrom: setting({
    name: "smtp-from",
    fallback: "tidegauge@localhost",
    form: "an e-mail address",
    meaning: "Sender of e-mails.",
    parse: (text) => matching(text, /^(?=.{3,254}$)[^\s@<>]+@[^\s@<>]+$/),
  }),
  smtpRequireTls: setting({
    name: "smtp-require-tls",
    fallback: "auto",
    form: "one of auto, yes, no",
    meaning: "Use smtp:// only with TLS. auto: if a password is sent to another machine.",
    parse: (text) => (["auto", "yes", "no"] as const).find((one) => one === text),
  }),
  backupTo: setting<string | null>({
    name: "backup-to",
    fallback: "",
    fallbackNote: "no backups are taken",
    form: "a folder, or s3://BUCKET/PREFIX",
    meaning: "Where backups on a schedule go; of one server only.",
    parse: (text) =>
      matching(
        text,
        /^(?:s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.!*'()/-]*)?|(?!s3:)[^\0]+)$/,
      ),
  }),
  backupEveryMs: setting({
    name: "backup-every",
    fallback: "P1D",
    form: durationForm("PT1M", "P366D"),
    meaning: "Pause between the beginnings of two backups.",
    parse: (text) => durationMs(text, "PT1M", "P366D"),
  }),
  backupKeep: setting({
    name: "backup-keep",
    fallback: "7",
    form: `a whole number from 1 to ${backupKeepMax}`,
    meaning: "Newest backups that are kept. A count, so that failing backups remove none.",
    parse: (text) => wholeNumberOf(text, 1, backupKeepMax),
  }),
  backupS3Endpoint: setting<string | null>({
    name: "backup-s3-endpoint",
    fallback: "",
    fallbackNote: "that of Amazon for the region",
    form: "an http or https URL without the bucket",
    meaning: "Server of the bucket. It may have a private address.",
    parse: (text) => matching(text, /^https?:\/\/[^\s/@]+\/?$/),
  }),
  backupS3Region: setting({
    name: "backup-s3-region",
    fallback: "us-east-1",
    form: "a name of lower-case letters, digits and hyphens",
    meaning: "Region of the bucket.",
    parse: (text) => matching(text, /^[a-z0-9-]{1,40}$/),
  }),
  backupS3AccessKey: setting<string | null>({
    name: "backup-s3-access-key",
    fallback: "",
    form: "3 to 128 characters without blanks",
    meaning: "Name of the key for the bucket.",
    secret: true,
    parse: (text) => matching(text, /^\S{3,128}$/),
  }),
  backupS3SecretKey: setting<string | null>({
    name: "backup-s3-secret-key",
    fallback: "",
    form: "3 to 256 characters without blanks",
    meaning: "Secret of the key for the bucket. Other users can see a flag: prefer the file.",
    secret: true,
    parse: (text) => matching(text, /^\S{3,256}$/),
  }),
  selfMonitoring: setting({
    name: "self-monitoring",
    fallback: "off",
    form: "one of on, off",
    meaning:
      "Store the server's own metrics once a minute as those of the element tidegauge, which a " +
      "bundled package watches.",
    parse: (text) => (["on", "off"] as const).find((one) => one === text),
  }),
  slowQueryMs: setting({
    name: "slow-query",
    fallback: "PT1S",
    form: durationForm("PT0S", "PT1H"),
    meaning: "Time from which a query is logged with its plan, waiting included. PT0S logs all.",
    parse: (text) => durationMs(text, "PT0S", "PT1H"),
  }),
  accessLog: setting({
    name: "access-log",
    fallback: "off",
    form: "one of off, errors, all",
    meaning: "Requests that are logged: none, those with a status of 400 or more, or all.",
    parse: (text) => (["off", "errors", "all"] as const).find((which) => which === text),
  }),
  logLevel: setting({
    name: "log-level",
    fallback: "info",
    form: `one of ${logLevels.join(", ")}`,
    meaning: "Least severe log line that is written.",
    parse: (text) => logLevels.find((level) => level === text),
  }),
  logFormat: setting({
    name: "log-format",
    fallback: "auto",
    form: "one of auto, text, json",
    meaning: "Form of log lines. auto is text on a terminal and json elsewhere.",
    parse: (text) => (["auto", "text", "json"] as const).find((format) => format === text),
  }),
}

export type SettingKey = keyof typeof settings

/** The table in order of documentation. */
export const settingList: readonly Setting<unknown>[] = Object.values(settings)

/** All names under which settings can be given, in the same order. */
export const inputList: readonly SettingInput[] = settingList.flatMap(settingInputs)

function setting<T>(of: Setting<T>): Setting<T> {
  return of
}

function retention(name: string, fallback: string, what: string): Setting<number> {
  return {
    name: `retention-${name}`,
    fallback,
    form: durationForm("P1D", "P36500D"),
    meaning: `How long ${what} are kept; at least accept-past and a day.`,
    parse: (text) => durationMs(text, "P1D", "P36500D"),
  }
}

function keyRate(what: string, meaning: string): Setting<number> {
  return {
    name: `key-${what}-per-minute`,
    fallback: "0",
    form: `a whole number from 0 to ${keyRateMax}`,
    meaning: `${meaning} that one API key may send in a minute, then 429. 0 is no limit.`,
    parse: (text) =>
      /^\d{1,10}$/.test(text) ? numberWithin(Number(text), 0, keyRateMax) : undefined,
  }
}
