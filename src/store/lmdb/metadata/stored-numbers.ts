/**
 * Numbers of the catalogue in `meta`: those assigned so far, which the tables do not tell once
 * something was forgotten, and how many entries the tables have, by which a loss is noticed.
 */

import { assert } from "../../../base/assert.ts"
import type { Catalogue, CatalogueNumbers } from "../../../catalogue/catalogue.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { packDocument, unpackDocument } from "../disk/record.ts"
import { textKey, type Tables } from "../disk/tables.ts"

export const storedNumbersKey = textKey("numbers")

export interface StoredNumbers {
  /** All numbers are below these. */
  readonly assigned: CatalogueNumbers
  /** Entries of the catalogue tables. */
  readonly known: Omit<CatalogueNumbers, "partitions">
}

export function numbersOf({ numbers, known }: Catalogue): StoredNumbers {
  return { assigned: numbers, known }
}

/** Undefined in a store that has forgotten nothing since format 7. Throws CorruptError. */
export function readNumbers({ meta }: Pick<Tables, "meta">): StoredNumbers | undefined {
  const bytes = meta.get(storedNumbersKey)
  return bytes === undefined ? undefined : unpackNumbers(bytes)
}

/** Throws CorruptError. */
export function unpackNumbers(bytes: Uint8Array): StoredNumbers {
  const numbers = unpackDocument(storedNumbersKey, bytes) as StoredNumbers
  const all = [...Object.values(numbers.assigned), ...Object.values(numbers.known)] as number[]
  const isWhole = all.length === 9 && all.every((one) => Number.isSafeInteger(one) && one >= 0)
  if (!isWhole) throw new CorruptError(`numbers of the catalogue: ${JSON.stringify(numbers)}`)
  return numbers
}

/** Call inside a transaction, after the tables have changed. */
export function putNumbers({ meta }: Pick<Tables, "meta">, numbers: StoredNumbers): void {
  assert(numbers.known.elements <= numbers.assigned.elements, "Expected a number of each element")
  meta.put(storedNumbersKey, packDocument(storedNumbersKey, numbers))
}
