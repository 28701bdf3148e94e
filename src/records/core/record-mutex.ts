/** Exclusive changes of records: of two concurrent changes of one record neither is lost. */

import { KeyedMutex } from "../../base/async.ts"
import { ServiceError } from "../../base/errors.ts"

/** A write takes some milliseconds: further calls would wait longer than their clients do. */
const waitersMax = 1_000

/** A mutex by record that refuses with `overloaded` if too many changes of one record wait. */
export function createRecordMutex(): KeyedMutex {
  return new KeyedMutex({
    waitersMax,
    refusal: () => new ServiceError("overloaded", "Too many concurrent changes of one record"),
  })
}
