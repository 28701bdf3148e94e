/** Mutations of a body: small damage mostly, now and then something large. */

import { bytes, tokens } from "./corpus.ts"
import type { RandomChoices } from "./random-choices.ts"

type Change = (body: Buffer, dice: RandomChoices, others: readonly Buffer[]) => Buffer

const splice = (body: Buffer, from: number, to: number, put: Uint8Array): Buffer =>
  Buffer.concat([body.subarray(0, from), put, body.subarray(to)])

function slice(body: Buffer, dice: RandomChoices, lengthMax: number): readonly [number, number] {
  const from = dice.below(body.length + 1)
  return [from, Math.min(body.length, from + dice.below(lengthMax + 1))]
}

const flip: Change = (body, dice) => {
  const copy = Buffer.from(body)
  if (copy.length > 0) copy[dice.below(copy.length)]! ^= 1 << dice.below(8)
  return copy
}
const set: Change = (body, dice) => {
  const copy = Buffer.from(body)
  if (copy.length > 0) copy[dice.below(copy.length)] = dice.below(256)
  return copy
}
const cut: Change = (body, dice) => body.subarray(0, dice.below(body.length + 1))
const drop: Change = (body, dice) => splice(body, ...slice(body, dice, 16), Buffer.alloc(0))
const insert: Change = (body, dice) => {
  const at = dice.below(body.length + 1)
  return splice(body, at, at, dice.of(dice.below(4) === 0 ? bytes : tokens))
}
const replace: Change = (body, dice) => splice(body, ...slice(body, dice, 12), dice.of(tokens))
const repeat: Change = (body, dice) => {
  const [from, to] = slice(body, dice, 64)
  const times = 1 + dice.below(dice.below(50) === 0 ? 500 : 4)
  const piece = body.subarray(from, to)
  return splice(body, to, to, Buffer.concat(Array.from({ length: times }, () => piece)))
}
const cross: Change = (body, dice, others) => {
  const other = dice.of(others)
  return splice(body, ...slice(body, dice, 80), other.subarray(...slice(other, dice, 80)))
}
/** A member or a value in place of another, which keeps a body JSON more often than bytes do. */
const token: Change = (body, dice) => {
  const text = body.toString("latin1")
  const found = [...text.matchAll(/"[^"\\]*"|-?\d[\d.eE+-]*|null|true|false|[[\]{}]/g)]
  if (found.length === 0) return insert(body, dice, [])
  const { index, 0: old } = dice.of(found)
  const other = dice.below(3) === 0 ? Buffer.from(dice.of(found)[0], "latin1") : dice.of(tokens)
  return splice(body, index, index + old.length, other)
}

const changes: readonly Change[] = [
  flip,
  set,
  cut,
  drop,
  insert,
  insert,
  replace,
  repeat,
  cross,
  token,
  token,
  token,
]

/** No case is larger, so that one costs no more than a millisecond or two. */
const caseBytesMax = 64 * 1024

const countsOfChanges = [1, 1, 1, 1, 2, 3, 5]

/** One to five changes, one after the other. */
export function mutate(body: Buffer, dice: RandomChoices, others: readonly Buffer[]): Buffer {
  let changed = body
  for (let left = dice.of(countsOfChanges); left > 0; left--) {
    changed = dice.of(changes)(changed, dice, others)
  }
  return changed.subarray(0, caseBytesMax)
}
