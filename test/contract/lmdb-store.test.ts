/** The embedded store keeps the contract, and after each story `verify` finds every byte in place. */

import assert from "node:assert/strict"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { smallSegments } from "../support/store/lmdb-folder.ts"
import { sized } from "../support/run/sizes.ts"
import { openReadStore, openWriteStore, verifyStore } from "../../src/store/open.ts"
import { dayMs, type Resolution } from "../../src/model/resolution.ts"
import {
  EmbeddedDriver,
  embeddedContract,
  serviceContract,
  settleWriter,
  type OpenStore,
  type OpenedStore,
} from "./store.contract.ts"

/** Flush, compaction, retention: each may have to wait for what came before it. */
const roundsToSettle = 3

const retentionDefault: Record<Resolution, number> = {
  ZERO: 15 * dayMs,
  PT5M: 90 * dayMs,
  PT1H: 395 * dayMs,
  PT24H: 1825 * dayMs,
}

const openLmdb: OpenStore = ({ retentionMs }) =>
  openAt(makeFolder(), { ...retentionDefault, ...retentionMs })

const runs = sized({ quick: 8, long: 40 })
serviceContract("LmdbStore", async (of) => new EmbeddedDriver(await openLmdb(of)), { runs })
embeddedContract("LmdbStore", openLmdb, { runs })

async function openAt(
  folder: string,
  retentionMs: Record<Resolution, number>,
): Promise<OpenedStore> {
  let elapsedMs = 0
  const writer = openWriteStore({
    folder,
    retentionMs,
    cycleGraceMs: 60_000,
    elapsedMs: () => elapsedMs,
    warn: (fields, message) => assert.fail(`${message} ${JSON.stringify(fields)}`),
    faults: smallSegments,
  })
  const reader = openReadStore({ folder })
  const closeBoth = async (): Promise<void> => {
    await reader.close()
    await writer.close()
  }
  const verify = async (): Promise<void> => {
    const { problems } = await verifyStore(folder)
    assert.deepEqual(problems, [])
  }
  return {
    writer,
    reader,
    maintainFully: (nowMs) => {
      // Work that waits for a quiet store (flush, compaction of late samples) is done.
      for (let round = 0; round < roundsToSettle; round++) {
        elapsedMs += 3_600_000
        settleWriter(writer, nowMs)
      }
    },
    reopen: async () => {
      await closeBoth()
      await verify()
      return openAt(folder, retentionMs)
    },
    close: async () => {
      await closeBoth()
      await verify()
      removeFolder(folder)
    },
  }
}
