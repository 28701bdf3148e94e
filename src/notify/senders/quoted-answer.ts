/** Answers of receivers in the reasons of failures. */

import { truncate } from "../../base/text/truncate.ts"
import type { OpenProperties } from "./sender.ts"

/** Longest part of an answer that a reason quotes. */
const quotedCharactersMax = 200

/** Shorter properties are words that answers have, and no secrets. */
const secretCharactersMin = 6
/** Properties that are no secrets. */
const openNames: ReadonlySet<string> = new Set(
  "name payloadType templateType username channel topicArn topic".split(" "),
)

/**
 * The text of an answer on one line, without the secrets of the notification: a receiver may answer
 * with the request, which has its keys.
 */
export function quotedAnswer(text: string, properties: OpenProperties): string {
  const secrets = Object.entries(properties).flatMap(([name, value]) => {
    if (openNames.has(name)) return []
    return [value.trim(), ...(URL.canParse(value) ? [new URL(value).pathname] : [])]
  })
  const hidden = secrets
    .filter((one) => one.length >= secretCharactersMin)
    .reduce((all, one) => all.replaceAll(one, "******"), text)
  const sns = /<Code>([^<]*)<\/Code>\s*<Message>([^<]*)<\/Message>/.exec(hidden)
  const words = sns === null ? hidden : `${sns[1]}: ${sns[2]}`
  return truncate(words.replace(/[\s\p{Cc}]+/gu, " ").trim(), quotedCharactersMax)
}
