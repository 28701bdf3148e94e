/**
 * A simulated day: a sample a minute of every series, on a server whose clock runs as fast as it
 * can keep up with. Cycles close, days are compacted, and raw samples of more than 25 hours are
 * dropped. For each simulated hour: samples a CPU second, and the memory that is no view of a file.
 *
 *   20:00 ── lead-in ── 02:00 ─────────── the day that is measured ─────────── 02:00
 *              01:00 a day is compacted                01:00 another, and the first one is dropped
 */

import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { Connection, postRequest } from "./connection.ts"
import type { Figure } from "./figures.ts"
import { anonymousBytes, cpuSeconds, diskBytes, fileViewBytes } from "./process.ts"
import { daySizes, metricsPerElement, type SectionContext } from "./section.ts"
import { type Server, startServer } from "./server.ts"
import type { Subject } from "./subjects.ts"
import { createWorkload } from "./workload.ts"
import { bodies } from "./bodies.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The values of this many minutes are sent again and again. */
const minutesPrepared = 60
const connections = 8

interface Hour {
  readonly samples: number
  readonly cpuSeconds: number
  readonly anonymousBytes: number
  readonly fileViewBytes: number
  readonly diskBytes: number
}

export async function measureDay(context: SectionContext): Promise<Figure[]> {
  const { elements, leadHours, hours, speed } = daySizes[context.size]
  const startMs = context.midnightMs - 4 * hourMs
  const subject = simulated(context.subject, startMs, speed)
  const folder = join(context.scratch, "day")
  const server = await startServer(subject, { folder, processors: "0" })
  const run = new DayRun(server, elements, { startMs, speed })
  try {
    const found: Hour[] = []
    for (let hour = 0; hour < leadHours + hours; hour++) {
      const told = await run.hour(hour)
      found.push(told)
      const memory = `${mebibytes(told.anonymousBytes)} of memory`
      if (hour % 3 === 2) context.say(`day: ${hour + 1} hours of ${leadHours + hours}, ${memory}`)
    }
    const late = run.clockMs - startMs - (leadHours + hours) * hourMs
    context.say(`day: the clock stands ${(late / hourMs).toFixed(2)} hours beyond the samples`)
    return figuresOf(found.slice(leadHours), context.subject.name)
  } finally {
    run.end()
    await server.stop()
  }
}

function simulated(base: Subject, startMs: number, speed: number): Subject {
  return {
    ...base,
    launch: (folder, ports) => {
      const launch = base.launch(folder, ports)
      const environment = {
        ...launch.environment,
        TIDEGAUGE_CLOCK: `${new Date(startMs).toISOString()},x${speed}`,
        TIDEGAUGE_ACCEPT_PAST: "PT1H",
        TIDEGAUGE_RETENTION_ZERO: "PT25H",
      }
      return { ...launch, environment }
    },
  }
}

/** Medians, since an hour with a compaction costs more; the note has the difference. */
function figuresOf(hours: readonly Hour[], subject: string): Figure[] {
  const half = hours.length >> 1
  const quarter = Math.ceil(hours.length / 4)
  const rate = ({ samples, cpuSeconds: seconds }: Hour): number => samples / seconds
  const memory = (hour: Hour): number => hour.anonymousBytes
  const rates = hours.map(rate)
  const [early, late] = [median(rates.slice(0, half)), median(rates.slice(-half))]
  const before = median(hours.slice(0, quarter).map(memory))
  const after = median(hours.slice(-quarter).map(memory))
  const k = (value: number): string => `${(value / 1000).toFixed(0)} k`
  const throughputNote =
    `${k(early)} and ${k(late)} samples per CPU second, closing of cycles included; ` +
    `the dearest hour ${k(Math.min(...rates))}`
  const memoryNote =
    `${mebibytes(before)} and ${mebibytes(after)}; beside it views of files, ` +
    `${mebibytes(hours[0]!.fileViewBytes)} after the first hour and ` +
    `${mebibytes(hours.at(-1)!.fileViewBytes)} at the end, of files of ` +
    `${mebibytes(hours[0]!.diskBytes)} and ${mebibytes(hours.at(-1)!.diskBytes)}`
  return [
    { name: "dayThroughput", subject, value: late / early, note: throughputNote },
    { name: "dayMemory", subject, value: after / before, note: memoryNote },
  ]
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

class DayRun {
  private readonly server: Server
  private readonly startMs: number
  private readonly speed: number
  /** By minute, then by element; the server writes the time into them. */
  private readonly requests: readonly (readonly Buffer[])[]
  private readonly samplesAMinute: number
  private workers: Connection[] = []
  /** The server's clock, as of its last answer. */
  private told: { readonly clockMs: number; readonly atMs: number }
  private minutesSent = 0

  constructor(
    server: Server,
    elements: number,
    { startMs, speed }: { readonly startMs: number; readonly speed: number },
  ) {
    this.server = server
    this.startMs = startMs
    this.speed = speed
    this.requests = prepare(server, elements, startMs)
    this.samplesAMinute = elements * metricsPerElement
    this.told = { clockMs: startMs, atMs: performance.now() }
  }

  /** Every minute of a simulated hour, once each, as its time comes. */
  async hour(hour: number): Promise<Hour> {
    const { pid, dataFolder, launch } = this.server
    while (this.workers.length < connections) {
      this.workers.push(await Connection.open(launch.target.port))
    }
    const before = cpuSeconds(pid)
    let samples = 0
    for (let minute = hour * 60; minute < (hour + 1) * 60; minute++) {
      await this.waitFor(this.startMs + minute * minuteMs)
      await this.sendMinute()
      samples += this.samplesAMinute
    }
    const used = cpuSeconds(pid) - before
    return {
      samples,
      cpuSeconds: used,
      anonymousBytes: anonymousBytes(pid),
      fileViewBytes: fileViewBytes(pid),
      diskBytes: diskBytes(dataFolder),
    }
  }

  /** The server's, from its last answer. */
  get clockMs(): number {
    return this.told.clockMs
  }

  end(): void {
    for (const worker of this.workers) worker.close()
  }

  /** The clock may halt while a cycle closes: a minute that comes early falls into it. */
  private async waitFor(clockMs: number): Promise<void> {
    const { clockMs: toldMs, atMs } = this.told
    const dueMs = atMs + (clockMs - toldMs) / this.speed
    const early = dueMs - performance.now()
    if (early > 0) await wait(early)
  }

  private async sendMinute(): Promise<void> {
    const requests = this.requests[this.minutesSent++ % minutesPrepared]!
    let next = 0
    await Promise.all(
      this.workers.map(async (worker) => {
        while (next < requests.length) await this.sendOne(worker, requests[next++]!)
      }),
    )
  }

  private async sendOne(worker: Connection, request: Buffer): Promise<void> {
    const { status, body } = await worker.send(request)
    if (status !== 202) throw new Error(`${status} ${body.slice(0, 300)}`)
    const { serverTimestamp } = JSON.parse(body) as { readonly serverTimestamp: number }
    this.told = { clockMs: serverTimestamp, atMs: performance.now() }
  }
}

function prepare({ launch, subject }: Server, elements: number, startMs: number): Buffer[][] {
  const headers = {
    ...launch.target.headers,
    "X-Service-Api-Options": "INJECT_TIMESTAMP,SEND_RESPONSE_BODY",
  }
  const shape = { elements, metrics: metricsPerElement, minutes: minutesPrepared, startMs }
  const workload = createWorkload(shape)
  return Array.from({ length: minutesPrepared }, (_, minute) =>
    Array.from({ length: elements }, (__, element) => {
      const cut = {
        elementFrom: element,
        elementTo: element + 1,
        minuteFrom: minute,
        minuteTo: minute + 1,
      }
      return postRequest({ ...launch.target, headers }, bodies[subject.format](workload, cut))
    }),
  )
}
