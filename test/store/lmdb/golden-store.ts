/**
 * Contents of the golden stores under data/golden/, and the form of their answers. Each was made by
 * the program of its format version with `fillGolden`, and left with frames that wait.
 */

import { cycleMs, dayMs, hourMs, resolutions } from "../../../src/model/resolution.ts"
import type { ReadStore, WriteStore } from "../../../src/store/store.ts"
import { maintainFully } from "../../contract/store-driver.ts"
import {
  aggregated,
  append,
  noonMs,
  plain,
  seriesName,
  steadyRequests,
  upsertSeries,
} from "../../support/ingest/samples.ts"

const span = { startMs: noonMs - 4 * dayMs, endMs: noonMs + dayMs }
const of = [
  seriesName("host-1", "cpu.total"),
  seriesName("host-2", "cpu.total"),
  seriesName("host-1", "memory.used"),
]

/** Compacted days, late samples over one, uncompacted days, batches that wait, documents. */
export function fillGolden(writer: WriteStore): void {
  writer.putDocuments([{ kind: "kind", id: "id", document: { text: "kept" } }])
  const past = { fromMs: noonMs - 3 * dayMs, toMs: noonMs - 3 * dayMs + 2 * hourMs }
  append(writer, ...steadyRequests({ of, ...past, stepMs: 30_000 }))
  maintainFully(writer, noonMs)
  append(writer, [
    plain(past.fromMs + 1, 7),
    aggregated(past.fromMs + 2, { avg: 3, cnt: 4, sum: 12 }),
  ])
  const today = { fromMs: noonMs - 2 * hourMs, toMs: noonMs - hourMs }
  append(writer, ...steadyRequests({ of, ...today, stepMs: 60_000 }))
  maintainFully(writer, noonMs)
  // These wait, with a new name and without one, wherever the version puts them.
  append(writer, [plain(noonMs, 1, seriesName("host-3", "cpu.total"))])
  append(writer, [plain(noonMs + 1000, 2), aggregated(noonMs + 2000, { min: 1, max: 5, avg: 3 })])
}

/**
 * From format 8 on, before the closings: counters that drop inside cycles of a compacted day, of an
 * uncompacted one and of samples that wait.
 */
export function fillCounters(writer: WriteStore): void {
  const counters = [seriesName("host-1", "requests"), seriesName("host-1", "octets")]
  upsertSeries(writer.catalogue, counters[0]!, { type: "COUNTER" })
  upsertSeries(writer.catalogue, counters[1]!, { type: "WRAPPING_COUNTER" })
  const count = (fromMs: number, values: readonly number[]) =>
    append(
      writer,
      counters.flatMap((counter) => [
        ...values.map((value, i) => plain(fromMs + i * 60_000, value, counter)),
        aggregated(fromMs + cycleMs, { min: 1, max: 5, avg: 3, cnt: 2, sum: 6 }, counter),
      ]),
    )
  count(noonMs - 3 * dayMs - cycleMs, [90])
  count(noonMs - 3 * dayMs, [100, 110, 0, 10])
  count(noonMs - 2 * hourMs, [20, 7.5, 9])
  maintainFully(writer, noonMs)
  count(noonMs, [12, 4, 2])
}

/**
 * From format 3 on: closed parts of an uncompacted day and of a compacted one, over what is there.
 */
export function fillClosings(writer: WriteStore): void {
  const compactedCycle = (noonMs - 3 * dayMs) / cycleMs
  for (const cycle of [compactedCycle + 3, noonMs / cycleMs - 20]) {
    writer.commitCycle({
      cycle,
      name: "0:0",
      gapFills: { series: Int32Array.of(0, 3), actuals: Float64Array.of(9, 2.5) },
      computed: {
        elements: Int32Array.of(0),
        fqns: ["cpu.computed"],
        actuals: Float64Array.of(0.25),
      },
      actualKinds: { series: Int32Array.of(1), kinds: Uint8Array.of(3) },
      bands: { series: Int32Array.of(0), values: Float32Array.of(50, 2.5, 49, 3) },
      states: [{ kind: "state", key: [cycle & 255], bytes: Uint8Array.of(1, 2, 3) }],
      documents: [{ kind: "kind", id: `closing-${cycle}`, document: { cycle } }],
    })
  }
}

/**
 * From format 5 on: names that wait in the WAL, in a store that was never closed. They change no
 * answer: the sample is there already, and answers have neither units nor locations.
 */
export function fillNames(writer: WriteStore): void {
  const { catalogue } = writer
  const element = catalogue.upsertElement(0, "host-3", { location: "hall 5", nowMs: noonMs })
  catalogue.upsertSeries(element, "cpu.total", { unit: "percent" })
  append(writer, [plain(noonMs, 1, seriesName("host-3", "cpu.total"))])
}

/** Every answer, one text each. */
export function answersOf(reader: ReadStore, writer: WriteStore): string[] {
  const texts = [JSON.stringify(writer.listDocuments("kind"))]
  for (const { key, bytes } of reader.states("state")) texts.push(`state ${key} ${bytes}`)
  const { catalogue } = reader
  for (let series = 0; series < catalogue.seriesCount; series++) {
    const open = writer.unflushedSamples(Int32Array.of(series), span)
    const element = catalogue.elementFqn(catalogue.seriesElement(series))
    const metric = catalogue.name(catalogue.seriesName(series)).fqn
    for (const resolution of resolutions) {
      const question = { span, resolution, withValues: false, exact: true }
      const [told] = reader.statistics({ ...question, series: Int32Array.of(series) }, open)
      const samples = reader.samples(Int32Array.of(series), question, open)[0]!
      const all = { statistics: told?.statistics ?? null, samples }
      texts.push(`${element} ${metric} ${resolution} ${JSON.stringify(all)}`)
    }
  }
  return texts
}
