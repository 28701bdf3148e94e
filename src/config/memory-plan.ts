/**
 * Memory plan: what each part of the process may use, by the memory limit and the cores. Pure.
 *
 *   limit = reserve + threads + bounds
 *
 *   reserve   page cache of the store; socket buffers and page tables of the kernel
 *   threads   code, stack, young generation and catalogue of each
 *   bounds    queues, caches and working memory
 *
 * With enough memory every part has its full size, and more memory changes nothing. With less, all
 * of them shrink by one share towards their least sizes. The sum is what can be in use at the
 * same time in the worst case: under a common load it is less than half.
 */

import {
  answerBytesDefault,
  batchBytesMax,
  batchesInFlightMax,
  memoryBytesMin,
  prefetchBytesMax,
  queueBytesDefault,
  sampleLimitPartitionSamples,
  seriesDefault,
  unflushedBytesMax,
  workersMax,
} from "../base/limits.ts"

/** Memory that the process may use, in bytes, and what limits it. */
export interface MemoryBound {
  readonly bytes: number
  /** A file of a control group, "the machine", or the setting. */
  readonly source: string
}

export interface MemoryPlanOptions {
  readonly limit: MemoryBound
  /** Processor cores. */
  readonly cores: number
  /** Choices of the operator, which the plan takes as they are. */
  readonly chosen?: Partial<ChosenParts>
}

/** Parts that are settings as well. */
export interface ChosenParts {
  readonly workerCount: number
  readonly scanWorkerCount: number
  readonly queueBytesMax: number
  readonly answerBytesMax: number
  readonly seriesMax: number
}

export const plannedKeys = [
  "workerCount",
  "scanWorkerCount",
  "queueBytesMax",
  "answerBytesMax",
  "seriesMax",
] as const satisfies readonly (keyof ChosenParts)[]

export interface MemoryPlan extends ChosenParts {
  readonly limit: MemoryBound
  /** Left to page cache and kernel. */
  readonly reserveBytes: number
  /** True if every part has its full size. */
  readonly isFull: boolean
  readonly closingThreads: number
  /** V8's young generation of each kind of thread, in MiB. */
  readonly shardNurseryMb: number
  readonly queryNurseryMb: number
  /** Of threads that scan and that close cycles: they allocate few objects. */
  readonly scanNurseryMb: number
  /** Unflushed samples, as bytes of the WAL. */
  readonly unflushedBytesMax: number
  /** Unflushed samples that start a flush. */
  readonly flushSamplesMax: number
  /** Samples of a block in six hours from which on the sample limit applies. */
  readonly partitionSamplesMax: number
  readonly scannerCacheBytes: number
  readonly prefetchBytesMax: number
  /** Series up to which heaps may grow to five times their live size; 0: never. */
  readonly heapGrowthSeriesMax: number
  /** Most bytes of each part, by name; their sum fits the limit less the reserve. */
  readonly parts: Readonly<Record<string, number>>
}

const mib = 1024 ** 2

/** A part's size with the least memory that is supported, and with enough. */
interface Range {
  readonly least: number
  readonly full: number
  /** Sizes between are multiples of it. */
  readonly step: number
}

/** The process without threads: code, native libraries, its allocator. */
const processBytes = 48 * mib
/** A thread: stack, compiled code, the objects of its modules. */
const threadBytes = 16 * mib
/** Measured with a million series: the catalogue of the shard and of each thread that reads. */
const shardBytesPerSeries = 300
const replicaBytesPerSeries = 100
/** Of a batch in the memtable while a flush groups it; of a block in a compaction. */
const flushBytesPerSample = 26
const compactionBytesPerSample = 40
/** The main thread's is V8's choice. */
const mainNurseryBytes = 16 * mib
/** Each holds a copy of the catalogue; one closes 100,000 metrics in 3 s. */
const closingThreadsMax = 4
/** Share from which on there are as many threads as cores want: speed before room for peaks. */
const allThreadsShare = 1 / 2
/** Share under which heaps stay as small as V8 makes them: about a GiB. */
const heapGrowthShareMin = 1 / 4
/** Halvings of the share: a millionth of a GiB is a KiB. */
const shareSteps = 20
/** Page cache that a small store needs for its last day, and the kernel's own. */
const reserveBytesMin = 64 * mib
const reserveShare = 1 / 8

const ranges = {
  // A body of 16 MiB, besides the batches in flight.
  queueBytesMax: { least: 24 * mib, full: queueBytesDefault, step: mib },
  answerBytesMax: { least: 16 * mib, full: answerBytesDefault, step: mib },
  // Ten minutes of 2,000 samples a second.
  unflushedBytesMax: { least: 32 * mib, full: unflushedBytesMax, step: mib },
  flushSamplesMax: { least: 250_000, full: 2_000_000, step: 1_000 },
  partitionSamplesMax: { least: 512 * 1024, full: sampleLimitPartitionSamples, step: 1024 },
  // 100 bytes a series of the least number, and the sample templates.
  scannerCacheBytes: { least: 16 * mib, full: 128 * mib, step: mib },
  prefetchBytesMax: { least: 16 * mib, full: prefetchBytesMax, step: mib },
  seriesMax: { least: 100_000, full: seriesDefault, step: 1_000 },
  // A catalogue of the full number takes some 40 MB of heap a thread: five times that is bearable.
  heapGrowthSeriesMax: { least: 0, full: 200_000, step: 1_000 },
  // Columns and buffers die young: with V8's default of 16 MiB the 99th percentile of ingest is
  // 10.5 ms instead of 8.
  shardNurseryMb: { least: 16, full: 64, step: 1 },
  queryNurseryMb: { least: 16, full: 64, step: 1 },
  scanNurseryMb: { least: 8, full: 16, step: 1 },
} as const satisfies Readonly<Record<string, Range>>

type Sizes = Readonly<Record<keyof typeof ranges, number>> & Threads

interface Threads {
  readonly workerCount: number
  readonly scanWorkerCount: number
  readonly closingThreads: number
}

/** The plan for a limit. A limit under the least gets the least sizes, whose sum is over it. */
export function planMemory({ limit, cores, chosen = {} }: MemoryPlanOptions): MemoryPlan {
  const reserveBytes = Math.max(reserveBytesMin, Math.floor(limit.bytes * reserveShare))
  const share = shareOf(limit.bytes - reserveBytes, cores)
  const planned = sizesAt(share, cores)
  const workerCount = chosen.workerCount ?? planned.workerCount
  const scans = chosen.scanWorkerCount ?? Math.min(planned.scanWorkerCount, workerCount)
  const closingThreads =
    chosen.workerCount === undefined ? planned.closingThreads : closersOf(workerCount)
  const sizes = { ...planned, ...chosen, workerCount, scanWorkerCount: scans, closingThreads }
  return Object.freeze({
    ...sizes,
    limit,
    reserveBytes,
    isFull: share === 1,
    heapGrowthSeriesMax: share < heapGrowthShareMin ? 0 : sizes.heapGrowthSeriesMax,
    parts: Object.freeze(partsOf(sizes)),
  })
}

/** The greatest share, 0 to 1, at which the parts fit `bytes`; 0 if they never do. */
function shareOf(bytes: number, cores: number): number {
  const fits = (share: number) => sumOf(partsOf(sizesAt(share, cores))) <= bytes
  if (fits(1)) return 1
  let [from, to] = [0, 1]
  for (let step = 0; step < shareSteps; step++) {
    const middle = (from + to) / 2
    if (fits(middle)) from = middle
    else to = middle
  }
  return from
}

/** Sizes at a share from least (0) to full (1); none shrinks if the share grows. */
function sizesAt(share: number, cores: number): Sizes {
  const between = ({ least, full, step }: Range) =>
    least + Math.floor(((full - least) * share) / step) * step
  const threads = (least: number, full: number) =>
    Math.floor(least + (full - least) * Math.min(1, share / allThreadsShare))
  const sizes = Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => [name, between(range)]),
  ) as Readonly<Record<keyof typeof ranges, number>>
  const full = Math.min(workersMax, Math.max(1, cores - 1))
  const workerCount = threads(1, full)
  return {
    ...sizes,
    workerCount,
    // One query may use all cores.
    scanWorkerCount: threads(0, Math.min(full, cores - 1)),
    closingThreads: threads(1, closersOf(full)),
  }
}

/** One core stays free for ingest, one thread for queries. */
function closersOf(workerCount: number): number {
  return Math.min(Math.max(1, workerCount - 1), closingThreadsMax)
}

/** The worst case of each part in bytes. */
function partsOf(sizes: Sizes): Readonly<Record<string, number>> {
  const { workerCount, scanWorkerCount, closingThreads, seriesMax } = sizes
  const replica = replicaBytesPerSeries * seriesMax
  const scanBytes = threadBytes + sizes.scanNurseryMb * mib
  return {
    process: processBytes + threadBytes + mainNurseryBytes,
    shard: threadBytes + sizes.shardNurseryMb * mib + shardBytesPerSeries * seriesMax,
    // One more for short queries while long ones occupy all others.
    queryThreads: (workerCount + 1) * (threadBytes + sizes.queryNurseryMb * mib + replica),
    closingThreads: closingThreads * (scanBytes + replica),
    scanWorkers: scanWorkerCount * scanBytes,
    // Bodies are packed into slabs besides.
    queue: sizes.queueBytesMax + batchesInFlightMax * batchBytesMax,
    answers: sizes.answerBytesMax,
    unflushed: sizes.unflushedBytesMax,
    flush: sizes.flushSamplesMax * flushBytesPerSample,
    compaction: sizes.partitionSamplesMax * compactionBytesPerSample,
    scannerCaches: sizes.scannerCacheBytes,
  }
}

function sumOf(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
}

/** Of the bytes that the parts may use: from where on garbage is collected, and requests refused. */
const collectShare = 0.85
const easedShare = 0.9

/** Where the memory guard acts: the reserve is never used, so that the page cache keeps its room. */
export function memoryThresholds({
  limit,
  reserveBytes,
}: Pick<MemoryPlan, "limit" | "reserveBytes">): {
  readonly easedBytes: number
  readonly collectBytes: number
  readonly shortBytes: number
} {
  const shortBytes = limit.bytes - reserveBytes
  return {
    easedBytes: Math.floor(shortBytes * easedShare),
    collectBytes: Math.floor(shortBytes * collectShare),
    shortBytes,
  }
}

/** A sentence for the log if the limit is too small or the operator's choices exceed it. */
export function memoryProblem({ limit, reserveBytes, parts }: MemoryPlan): string | null {
  const inMib = (bytes: number) => `${Math.round(bytes / mib)} MiB`
  const bound = `limited to ${inMib(limit.bytes)} (${limit.source})`
  if (limit.bytes < memoryBytesMin) {
    const needed = `${inMib(memoryBytesMin)} are needed`
    return `Memory is ${bound}, and ${needed}: the system may end the server under load`
  }
  const wanted = sumOf(parts) + reserveBytes
  if (wanted <= limit.bytes) return null
  const remedy = "lower --queue-limit, --answers-limit, --series-limit or --workers"
  return `The settings allow ${inMib(wanted)} of memory, and it is ${bound}: ${remedy}`
}
