/** A parameter of any of some words, joined by commas. */

import { listParameter, type Parameter } from "./parameters.ts"

export function wordsParameter<W extends string>(words: readonly W[]): Parameter<readonly W[]> {
  const list = listParameter()
  return {
    fallback: [],
    parse(text) {
      const given = list.parse(text) ?? []
      const known = words.filter((word) => given.includes(word))
      return known.length === given.length ? known : undefined
    },
    print: (value) => value.join(","),
  }
}
