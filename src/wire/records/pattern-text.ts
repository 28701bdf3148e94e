/** Regular expressions in bodies: valid if the RE2 engine accepts them. */

import * as v from "valibot"
import { patternCharactersMax } from "../../base/limits/queries.ts"
import { patternProblem } from "../../base/text/pattern.ts"
import { textValue } from "../body.ts"

export const patternExpected =
  `a regular expression (RE2 syntax, without look-around) of at most ${patternCharactersMax} ` +
  "characters"

export function isPattern(text: string): boolean {
  return patternProblem(text) === null
}

/** A text that is a regular expression. */
export const patternText = v.pipe(textValue, v.check(isPattern, patternExpected))
