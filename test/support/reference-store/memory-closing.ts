/** Data of closings in the reference store besides synthetic cells: bands, states and markers. */

import { largestOf } from "../../../src/base/iterables.ts"
import { cyclesPerDay, dayMs } from "../../../src/model/resolution.ts"
import { bandFields, bandFieldCount } from "../../../src/store/cycle-store.ts"
import type {
  BandColumns,
  StateChange,
  StateRange,
  StoredState,
} from "../../../src/store/cycle-store.ts"

export class MemoryClosing {
  /** By cycle, its closed parts. */
  private readonly closed = new Map<number, Set<string>>()
  /** By cycle and series, four numbers. */
  private readonly bands = new Map<number, Map<number, Float32Array>>()
  /** By kind and key in hexadecimal digits, whose order is that of the bytes. */
  private readonly kinds = new Map<string, Map<string, Uint8Array>>()

  isClosed(cycle: number, part: string): boolean {
    return this.closed.get(cycle)?.has(part) ?? false
  }

  /** The newest cycle of which a batch is closed, -1 if none is. */
  get newest(): number {
    return largestOf([-1, ...this.closed.keys()])
  }

  close(cycle: number, part: string): void {
    this.closed.set(cycle, (this.closed.get(cycle) ?? new Set()).add(part))
  }

  reopen(fromCycle: number): void {
    for (const cycle of this.closed.keys()) if (cycle >= fromCycle) this.closed.delete(cycle)
  }

  putBands(cycle: number, { series, values }: BandColumns): void {
    const bySeries = this.bands.get(cycle) ?? new Map<number, Float32Array>()
    this.bands.set(cycle, bySeries)
    series.forEach((one, i) => {
      const band = values.slice(i * bandFieldCount, (i + 1) * bandFieldCount)
      bySeries.set(
        one,
        band.map((value) => (Number.isFinite(value) ? value + 0 : NaN)),
      )
    })
  }

  /** The four numbers of a series in a cycle, NaN if there are none. */
  band(cycle: number, series: number): Float32Array {
    return this.bands.get(cycle)?.get(series) ?? new Float32Array(bandFields.length).fill(NaN)
  }

  putState({ kind, key, bytes }: StateChange): void {
    const states = this.kinds.get(kind) ?? new Map<string, Uint8Array>()
    this.kinds.set(kind, states)
    const text = Buffer.from(key).toString("hex")
    if (bytes === null) states.delete(text)
    else states.set(text, bytes.slice())
  }

  state(kind: string, key: Uint8Array): Uint8Array | undefined {
    return this.kinds.get(kind)?.get(Buffer.from(key).toString("hex"))?.slice()
  }

  states(kind: string, { from, to, limit }: StateRange = {}): StoredState[] {
    const hex = (key: Uint8Array): string => Buffer.from(key).toString("hex")
    return [...(this.kinds.get(kind) ?? [])]
      .filter(([key]) => from === undefined || key >= hex(from))
      .filter(([key]) => to === undefined || key < hex(to))
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .slice(0, limit)
      .map(([key, bytes]) => ({
        key: Uint8Array.from(Buffer.from(key, "hex")),
        bytes: bytes.slice(),
      }))
  }

  /** Drops markers of cycles before `zeroMs` and bands of those before `bandsMs`, midnights. */
  drop(zeroMs: number, bandsMs: number): void {
    const startMs = (cycle: number): number => cycle * (dayMs / cyclesPerDay)
    for (const cycle of this.closed.keys()) if (startMs(cycle) < zeroMs) this.closed.delete(cycle)
    for (const cycle of this.bands.keys()) if (startMs(cycle) < bandsMs) this.bands.delete(cycle)
  }
}
