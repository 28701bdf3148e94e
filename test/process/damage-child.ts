/**
 * Opens damaged stores for a damage run, in a process of its own: one folder a message. It reports
 * the answers of the store; that it answers at all is the first thing that is tested.
 */

import { resolutions } from "../../src/model/resolution.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { needsScan, openReadStore, scanStore, repairStore } from "../../src/store/open.ts"
import type { ReadStore, WriteStore } from "../../src/store/store.ts"
import { openWriter, type Warning } from "../support/store/lmdb-folder.ts"
import { noonMs } from "../support/ingest/samples.ts"
import { damageSpan, type ChildResponse, type ChildRequest } from "./damage-protocol.ts"

process.on("message", (question: ChildRequest) => {
  void answer(question).then((told) => process.send!(told))
})

async function answer({ folder, isRepaired }: ChildRequest): Promise<ChildResponse> {
  try {
    const { done, lost } = isRepaired ? await repairStore(folder, noonMs) : { done: [], lost: [] }
    if (needsScan(folder)) {
      const problems = scanStore(folder)
      if (problems.length > 0) return { kind: "refused", problems }
    }
    return { kind: "opened", done, lost, ...(await ask(folder)) }
  } catch (error) {
    if (error instanceof ServiceError) return { kind: "refused", problems: [...error.problems] }
    return { kind: "failed", problems: [String((error as Error).stack)] }
  }
}

async function ask(folder: string): Promise<{ answers: string[]; warnings: string[] }> {
  const warnings: Warning[] = []
  const writer = openWriter(folder, warnings)
  try {
    const reader = openReadStore({ folder })
    try {
      const answers = [...answersOf(reader, writer), documentsOf(writer)]
      return { answers, warnings: warnings.map(({ message }) => message) }
    } finally {
      await reader.close()
    }
  } finally {
    await writer.close()
  }
}

function documentsOf(writer: WriteStore): string {
  return attempt(() => JSON.stringify(writer.listDocuments("kind")))
}

/** One text a series and resolution; the error's words in its place. */
function* answersOf(reader: ReadStore, writer: WriteStore): Generator<string> {
  const { catalogue } = reader
  for (let series = 0; series < catalogue.seriesCount; series++) {
    const name = `${catalogue.elementFqn(catalogue.seriesElement(series))} ${
      catalogue.name(catalogue.seriesName(series)).fqn
    }`
    for (const resolution of resolutions) {
      const question = { span: damageSpan, resolution }
      const open = writer.unflushedSamples(Int32Array.of(series), damageSpan)
      const text = attempt(() =>
        JSON.stringify(reader.samples(Int32Array.of(series), question, open)[0]!),
      )
      yield `${name} ${resolution} ${text}`
    }
  }
}

function attempt(work: () => string): string {
  try {
    return work()
  } catch (error) {
    if (error instanceof ServiceError) return `storage: ${error.message}`
    throw error
  }
}
