/** Reads answers that come in parts. */

import { ReservedAnswer } from "../../../src/query/query.ts"
import { encodeParts, type AnswerParts, type JsonText } from "../../../src/wire/json.ts"

export function textOfParts(parts: AnswerParts): string {
  return Buffer.concat([...parts]).toString("utf8")
}

/** The text of an answer that is printed whole or in pieces. */
export function printedText(text: JsonText): string {
  return textOfParts(encodeParts(text, () => {}))
}

/** An answer that nothing is reserved for. */
export function answerOfParts(parts: AnswerParts): ReservedAnswer {
  return new ReservedAnswer(parts, () => {})
}
