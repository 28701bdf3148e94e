import type { EventMark } from "../chart/marks/event-marks.ts"
import { readMarks, type MarksAsked } from "../chart/marks/read-marks.ts"
import { useApp } from "./app.ts"
import { useRested } from "./live/use-rested.ts"
import { useLoaded } from "./use-loaded.ts"

const none: readonly EventMark[] = []

/**
 * Marks of a range, after the first data of the page: none until they are there, and none if they
 * cannot be read, since the charts do without. Another `round` reads them again.
 */
export function useMarks(asked: MarksAsked & { readonly round: number }): readonly EventMark[] {
  const { api } = useApp()
  const key = useRested() ? JSON.stringify(asked) : null
  return useLoaded(key, (signal) => readMarks(api, asked, signal)).value ?? none
}
