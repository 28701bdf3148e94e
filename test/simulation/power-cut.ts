/**
 * Power cut: images of the folder as a cut could have left it in the middle of every commit.
 *
 *   before ──► the commit's writes ──► after        image = before + some blocks of what changed
 *
 * Both files are synced in an order that the images keep: LMDB writes pages, syncs them, and then
 * writes one of the two meta pages, whose 128 bytes are in one sector; the WAL makes a segment of
 * zeros, syncs it, and then writes a record. Unsynced writes may be present or not, by blocks of
 * 512 bytes or 4 KiB, in any combination. (The order was observed with strace.)
 *
 * Some images are started and cut a second time: in the commit of their recovery, while it writes
 * the clean log under a temporary name, or while it removes the segments that this replaces.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { hourMs } from "../../src/model/resolution.ts"
import { pageBytesOf } from "../../src/store/lmdb/integrity/page-file.ts"
import { makeFolder } from "../support/machine/folder.ts"
import { noonMs, seededNumbers } from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import { agrees, assertSame } from "./oracle.ts"
import { Model } from "./model.ts"
import { appendCollected, Collectors } from "./requests.ts"
import { SimStore } from "./sim-store.ts"

type Files = ReadonlyMap<string, Buffer>

interface Commit {
  readonly name: string
  readonly before: Files
  readonly after: Files
  /** Requests acknowledged before the commit began, and those that it would store. */
  readonly acknowledged: number
  readonly inFlight: readonly SampleRequest[]
}

const dataFile = "data.mdb"
/** An hour's record is larger, and has a segment of its own; small ones share one. */
const segmentBytes = 4 * 1024
const blockBytesMin = 512
const blockSizes = [blockBytesMin, 4096]
/** Leaves a record of several blocks torn, most times. */
const tearing = { blockBytes: blockBytesMin, share: 0.5 }
const groups = 10
/** One of this number of images is that of an append, and is cut again in its recovery. */
const cutAgainEvery = 4

/** Judges `images` images of one story; throws with the seed. Gives the names of the commits. */
export async function cutPower(seed: number, images: number): Promise<Set<string>> {
  const { commits, sent } = await recordCommits(seed)
  const random = seededNumbers(seed)
  const names = new Set<string>()
  const kinds = [...new Set(commits.map(({ name }) => name))]
  const appends = commits.filter(({ name }) => name === "append")
  const large = appends.filter(isLarge)
  for (let i = 0; i < images; i++) {
    const isCutAgain = i % cutAgainEvery === 0 && appends.length > 0
    // By kind: few runs have many commits of series.
    const kind = kinds[Math.floor(random() * kinds.length)]!
    const isTorn = isCutAgain && large.length > 0 && random() < 0.5
    const ofKind = isCutAgain ? appends : commits.filter(({ name }) => name === kind)
    const from = isTorn ? large : ofKind
    const commit = from[Math.floor(random() * from.length)]!
    names.add(commit.name)
    const details: string[] = [`seed ${seed}, image ${i}, during ${commit.name}`]
    try {
      let folder = imageOf(commit, random, details, isTorn ? tearing : undefined)
      if (isCutAgain) folder = await cutAgain(folder, { random, details, names })
      await checkImage(folder, commit, { sent, closely: i % 16 === 0 })
    } catch (cause) {
      throw new Error(`${(cause as Error).message} (${details.join(", ")})`, { cause })
    }
  }
  return names
}

/** True if the commit writes several blocks of the WAL, of which a cut may leave some. */
function isLarge({ before, after }: Commit): boolean {
  return [...after].some(([name, bytes]) => {
    if (name === dataFile) return false
    const earlier = before.get(name) ?? Buffer.alloc(bytes.length)
    const isWritten = (at: number): boolean =>
      !bytes.subarray(at, at + blockBytesMin).equals(earlier.subarray(at, at + blockBytesMin))
    const blocks = Array.from({ length: Math.ceil(bytes.length / blockBytesMin) }, (_, i) => i)
    return blocks.filter((i) => isWritten(i * blockBytesMin)).length > 1
  })
}

/** A story of appends and background work, with the folder before and after each of its commits. */
async function recordCommits(seed: number): Promise<{ commits: Commit[]; sent: SampleRequest[] }> {
  const collectors = new Collectors(seededNumbers(seed))
  const commits: Commit[] = []
  const sent: SampleRequest[] = []
  let before: Files = new Map()
  let inFlight: readonly SampleRequest[] = []
  let isOpen = false
  const store = new SimStore({
    commitBytes: 0,
    segmentBytes,
    onPoint: (point) => {
      const [name, moment] = point.split(".") as [string, string]
      if (!isOpen) return
      if (moment === "commit") before = filesOf(store.folder)
      if (moment !== "committed") return
      const after = filesOf(store.folder)
      commits.push({ name, before, after, acknowledged: sent.length, inFlight })
    },
  })
  isOpen = true
  for (let i = 0; i < groups; i++) {
    // Of an hour's record a cut leaves a part, of a small one all or nothing.
    const nowMs = noonMs + i * 1_000
    inFlight = collectors.chance(0.5) ? collectors.requests(nowMs) : collectors.steady(nowMs)
    appendCollected(store.writer, inFlight)
    sent.push(...inFlight)
    inFlight = []
    for (let steps = collectors.below(8); steps > 0; steps--) {
      store.maintain({ nowMs: noonMs + i * 2 * hourMs, budgetMs: 0, idle: true })
      store.elapsedMs += 2_000
    }
    if (i % 4 === 3) store.maintainAll(noonMs + i * 2 * hourMs)
  }
  await store.remove()
  return { commits, sent }
}

function filesOf(folder: string): Files {
  const names = readdirSync(folder).filter((name) => name !== "lock.mdb")
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]))
}

interface SecondCut {
  readonly random: () => number
  /** Receives what was cut. */
  readonly details: string[]
  /** Receives the name of the commit that was cut. */
  readonly names: Set<string>
}

/**
 * The folder as another power cut leaves it while what is in it starts; with the same content if
 * that start has nothing to commit.
 */
async function cutAgain(folder: string, { random, details, names }: SecondCut): Promise<string> {
  const found = filesOf(folder)
  const { commit, rewrite, left } = await recordStart(folder)
  if (commit === null) return folderOf(found)
  details.push("and again in the recovery")
  if (rewrite === null || random() < 0.5) {
    names.add("recovery")
    return imageOf(commit, random, details)
  }
  names.add("rewrite")
  if (random() < 0.5) return folderOf(unfinished(rewrite, random, details))
  // The clean log is there, and the segments that it replaces go, file by file.
  const gone = [...rewrite.after.keys()].filter((name) => !left.has(name))
  const removed = new Set(gone.filter(() => random() < 0.5))
  details.push(`${removed.size} of ${gone.length} files removed`)
  return folderOf(new Map([...rewrite.after].filter(([name]) => !removed.has(name))))
}

type Change = Pick<Commit, "before" | "after">

/** All files before a rewrite, and the new one before it was renamed, of which blocks are there. */
function unfinished({ before, after }: Change, random: () => number, details: string[]): Files {
  const image = new Map(before)
  for (const [name, bytes] of after) {
    if (before.has(name)) continue
    const share = [0, 0.5, 1][Math.floor(random() * 3)]!
    details.push(`${share * 100} % of ${name}.new`)
    const how = { blockBytes: blockBytesMin, metaBytes: 0, isLanded: () => random() < share }
    image.set(`${name}.new`, mixed(unborn(bytes, random), bytes, how))
  }
  return image
}

interface Start {
  /** The transaction of the recovery; null if it had nothing to commit. */
  readonly commit: Change | null
  /** The clean log before and after it was written; null if nothing was damaged. */
  readonly rewrite: Change | null
  /** The files in the end. */
  readonly left: Files
}

/** The commits of a start and the files it leaves. Removes the folder. */
async function recordStart(folder: string): Promise<Start> {
  const at = new Map<string, Files>()
  const onPoint = (point: string): void => void at.set(point, filesOf(folder))
  const store = new SimStore({ folder, segmentBytes, onPoint })
  const left = filesOf(folder)
  await store.remove()
  const change = (name: string): Change | null => {
    const [before, after] = [at.get(`${name}.commit`), at.get(`${name}.committed`)]
    return before === undefined || after === undefined ? null : { before, after }
  }
  return { commit: change("recovery"), rewrite: change("rewrite"), left }
}

function folderOf(files: Files): string {
  const folder = makeFolder("tidegauge-power")
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  return folder
}

/** A folder as the power cut left it. */
function imageOf(
  commit: Change,
  random: () => number,
  details: string[],
  { blockBytes, share } = {
    blockBytes: blockSizes[Math.floor(random() * 2)]!,
    share: [0, 0.1, 0.5, 0.9, 1][Math.floor(random() * 5)]!,
  },
): string {
  details.push(`blocks of ${blockBytes}, ${share * 100} % of them`)
  const image = new Map<string, Buffer>()
  for (const [name, after] of commit.after) {
    const before = commit.before.get(name)
    if (before === undefined && random() < 0.3) continue
    const bytes = mixed(before ?? unborn(after, random), after, {
      blockBytes,
      isLanded: () => random() < share,
      // Two meta pages of LMDB, which are written when everything else is synced.
      metaBytes: name === dataFile ? 2 * pageBytesOf(after) : 0,
    })
    image.set(name, bytes)
  }
  return folderOf(image)
}

/** A new segment before its first record: zeros, of which perhaps not all are there. */
function unborn(after: Buffer, random: () => number): Buffer {
  return Buffer.alloc(random() < 0.5 ? after.length : Math.floor(random() * after.length))
}

/** `before` with the blocks of `after` that landed; the meta pages only if all others did. */
function mixed(
  before: Buffer,
  after: Buffer,
  how: { blockBytes: number; metaBytes: number; isLanded: () => boolean },
): Buffer {
  const image = Buffer.alloc(Math.max(before.length, after.length))
  before.copy(image)
  let landedAll = true
  for (let at = how.metaBytes; at < after.length; at += how.blockBytes) {
    const block = after.subarray(at, at + how.blockBytes)
    if (block.equals(image.subarray(at, at + how.blockBytes))) continue
    if (how.isLanded()) block.copy(image, at)
    else landedAll = false
  }
  if (how.metaBytes > 0 && landedAll && how.isLanded()) after.copy(image, 0, 0, how.metaBytes)
  // A file that has not grown yet keeps its length.
  return landedAll ? image : image.subarray(0, lengthOf(image, before.length, how.blockBytes))
}

function lengthOf(image: Buffer, least: number, blockBytes: number): number {
  let end = image.length
  while (end - blockBytes >= least && !image.subarray(end - blockBytes, end).some(Boolean)) {
    end -= blockBytes
  }
  return end
}

/** Every image opens and holds what was acknowledged; some are looked at closely. */
async function checkImage(
  folder: string,
  commit: Commit,
  { sent, closely }: { sent: readonly SampleRequest[]; closely: boolean },
): Promise<void> {
  const store = new SimStore({ folder, segmentBytes })
  try {
    const without = modelOf(sent.slice(0, commit.acknowledged))
    const withIt = modelOf([...sent.slice(0, commit.acknowledged), ...commit.inFlight])
    const raw = { asked: ["ZERO"] as const, latestMs: noonMs }
    if (!agrees(store, without, raw)) assertSame(store, withIt, raw)
    if (!closely) return
    await store.verify()
    // The run continues: the requests in flight are sent again, and flushed with the rest.
    appendCollected(store.writer, commit.inFlight)
    store.maintainAll(noonMs + 72 * hourMs)
    assertSame(store, withIt, { asked: ["PT5M", "PT1H", "PT24H"], latestMs: noonMs })
  } finally {
    await store.remove()
  }
}

function modelOf(requests: readonly SampleRequest[]): Model {
  const model = new Model()
  for (const request of requests) model.add(request)
  return model
}
