/** Messages between a damage run and its child. */

import { dayMs } from "../../src/model/resolution.ts"
import { noonMs } from "../support/ingest/samples.ts"

export interface ChildRequest {
  readonly folder: string
  readonly isRepaired: boolean
}
export type ChildResponse =
  | { readonly kind: "refused" | "failed"; readonly problems: readonly string[] }
  | {
      readonly kind: "opened"
      readonly done: readonly string[]
      readonly lost: readonly string[]
      readonly answers: readonly string[]
      readonly warnings: readonly string[]
    }

export const damageSpan = { startMs: noonMs - 4 * dayMs, endMs: noonMs + dayMs }
