/** A result page: some of the documents that were found, and their position among all. */

import { flag, listOf, orNull, record, text, wholeNumber } from "./answer.ts"
import type { Schema } from "./body.ts"
import { jsonPieces, type JsonText } from "./json.ts"

/** A result page of such documents. */
export function pageAnswer<Content extends Schema>(content: Content) {
  return record({
    page: record({
      content: listOf(content),
      last: flag,
      first: flag,
      totalElements: wholeNumber,
      totalPages: wholeNumber,
      sort: orNull(text),
      numberOfElements: wholeNumber,
      size: wholeNumber,
      number: wholeNumber,
    }),
  })
}

export interface PageResult {
  /** Documents, each made when it is printed. */
  readonly content: Iterable<unknown>
  /** Number of documents in `content`. */
  readonly count: number
  /** Found in all, on every page together. */
  readonly total: number
  /** From 0. */
  readonly page: number
  /** At least 1. */
  readonly pageSize: number
}

/** `sort` is always null, as in answers of the original service (spec/queries §3). */
export function printPage({ content, count, total, page, pageSize }: PageResult): JsonText {
  const totalPages = Math.ceil(total / pageSize)
  const rest = {
    last: page >= totalPages - 1,
    first: page === 0,
    totalElements: total,
    totalPages,
    sort: null,
    numberOfElements: count,
    size: pageSize,
    number: page,
  }
  const after = `,${JSON.stringify(rest).slice(1)}}`
  return jsonPieces(`{"page":{"content":`, content, (document) => JSON.stringify(document), after)
}
