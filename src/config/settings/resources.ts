/** Settings: memory, disk, rates and threads. */

import {
  answerBytesDefault,
  bodyBytesCeiling,
  bodyBytesDefault,
  freeDiskBytesMinDefault,
  memoryBytesMin,
  newSeriesPerMinuteDefault,
  queueBytesDefault,
  seriesDefault,
  eventsPerMinuteDefault,
  textBytesDefault,
  workersMax,
} from "../../base/limits.ts"
import { keyRateMax } from "../../base/limits/accounts.ts"
import { queryTimeoutMsDefault } from "../../base/limits/queries.ts"
import { setting, type Setting } from "../setting.ts"
import {
  durationForm,
  durationMs,
  sizeBytes,
  sizeForm,
  sizeText,
  numberWithin,
  wholeNumberOf,
} from "../setting-forms.ts"

export const resourceSettings = {
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
      "Answers in work or not read yet, half for one account; less with little memory. " +
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
