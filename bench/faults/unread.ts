/**
 * Long answers that no client reads, of documents and of values: `node --import tsx
 * bench/faults/unread.ts [connections]`. Prints how many were begun, refused and held.
 */

import {
  brokenUnreadLaws,
  unreadQueries,
  unreadRun,
  unreadText,
} from "../../test/abuse/unread-run.ts"

const [connectionsText = "60"] = process.argv.slice(2)
const connections = Number(connectionsText)
for (const query of unreadQueries) {
  const options = { query, connections, answersMiB: 256, judgesMemory: true }
  const result = await unreadRun(options)
  console.log(`${query}: ${unreadText(result)}`)
  const broken = brokenUnreadLaws(result, options)
  for (const sentence of broken) console.log(sentence)
  if (broken.length > 0) process.exitCode = 1
}
