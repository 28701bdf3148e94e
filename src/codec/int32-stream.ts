/**
 * Integer streams (drawn in integer-stream.ts) of values that are close together, as most are: the
 * same bytes, by int32 arithmetic on the distances from the first value.
 */

import { bitLength } from "./bits.ts"
import { type ByteWriter, zigzagSize } from "./bytes.ts"
import { GroupPlans } from "./integer-group.ts"
import { delta, deltaDelta, divided, plain } from "./integer-shape.ts"
import { int32DistanceMax, planInt32Groups, writeInt32Groups } from "./int32-group.ts"
import { IntegerWorkspace } from "./workspace.ts"

/** A first value beyond this is left to integer-stream.ts, which checks the ends of the range. */
const originMax = 2 ** 50

const distanceScratch = new IntegerWorkspace()
const deltaScratch = new IntegerWorkspace()
const deltaDeltaScratch = new IntegerWorkspace()
const plainPlans = new GroupPlans()
const deltaPlans = new GroupPlans()
const deltaDeltaPlans = new GroupPlans()

/**
 * Appends `values[0..count)`, at least three that are not equidistant. Returns false and writes
 * nothing if they are too far apart. `head` is the tag, shifted to its bits.
 */
export function writeInt32(
  writer: ByteWriter,
  values: Float64Array,
  count: number,
  head: number,
): boolean {
  const first = values[0]!
  if (!(first < originMax && first > -originMax)) return false
  const distances = distanceScratch.take(count)
  for (let i = 0; i < count; i++) {
    const distance = values[i]! - first
    if (distance >= int32DistanceMax || distance <= -int32DistanceMax) return false
    distances[i] = distance
  }
  const divisor = commonDivisor(distances, count)
  if (!isWorthDividing(divisor, count)) {
    writeSmallest(writer, distances, count, { origin: first, head, headBytes: null })
    return true
  }
  for (let i = 0; i < count; i++) distances[i] = (distances[i]! / divisor) | 0
  const remainder = first % divisor
  const origin = (first - remainder) / divisor
  writeSmallest(writer, distances, count, { origin, head, headBytes: { divisor, remainder } })
  return true
}

/** True if a divisor saves more than its own bytes. */
export function isWorthDividing(divisor: number, count: number): boolean {
  return (bitLength(divisor) - 1) * count > 32
}

/** The greatest common divisor of all distances; mostly 1, found early. */
function commonDivisor(distances: Int32Array, count: number): number {
  let divisor = 0
  for (let i = 1; i < count; i++) {
    let a = Math.abs(distances[i]!)
    if (divisor > 0 && a % divisor === 0) continue
    while (divisor !== 0) {
      const rest = a % divisor
      a = divisor
      divisor = rest
    }
    divisor = a
    if (divisor === 1) return 1
  }
  return divisor
}

interface Narrow {
  readonly origin: number
  readonly head: number
  readonly headBytes: { readonly divisor: number; readonly remainder: number } | null
}

function writeSmallest(
  writer: ByteWriter,
  distances: Int32Array,
  count: number,
  { origin, head, headBytes }: Narrow,
): void {
  const plainSize = planInt32Groups(distances, count, origin, plainPlans)
  const deltas = differences(distances, count, deltaScratch)
  const deltaSize = zigzagSize(origin) + planInt32Groups(deltas, count - 1, 0, deltaPlans)
  let shape = deltaSize < plainSize ? delta : plain
  let deltaDeltas = deltas
  // If differences are no smaller than the values, second differences are not either.
  if (shape === delta) {
    deltaDeltas = differences(deltas, count - 1, deltaDeltaScratch)
    const size = zigzagSize(origin) + zigzagSize(deltas[0]!)
    const groupsSize = planInt32Groups(deltaDeltas, count - 2, 0, deltaDeltaPlans)
    if (size + groupsSize < deltaSize) shape = deltaDelta
  }
  writer.u8(head | (headBytes === null ? shape : shape + divided))
  if (headBytes !== null) {
    writer.varint(headBytes.divisor)
    writer.zigzag(headBytes.remainder)
  }
  if (shape >= delta) writer.zigzag(origin)
  if (shape === deltaDelta) writer.zigzag(deltas[0]!)
  if (shape === plain) writeInt32Groups(writer, distances, count, origin, plainPlans)
  else if (shape === delta) writeInt32Groups(writer, deltas, count - 1, 0, deltaPlans)
  else writeInt32Groups(writer, deltaDeltas, count - 2, 0, deltaDeltaPlans)
}

function differences(values: Int32Array, count: number, scratch: IntegerWorkspace): Int32Array {
  const out = scratch.take(count)
  for (let i = 1; i < count; i++) out[i - 1] = values[i]! - values[i - 1]!
  return out
}
