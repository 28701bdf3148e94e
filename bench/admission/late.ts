/** Statistics of two weeks, in quiet and next to posts with a tenth up to two weeks late. */

import type { Server } from "../load/server.ts"
import { Asker, askAgain, ingestRequest, quantile, row, start, steadyPosts } from "./harness.ts"
import { sendAll, type Size } from "./harness.ts"

const dayMs = 86_400_000
const days = 14
const elements = 500
const everyMs = 300_000
const elementsPerPost = 25
const rate = 100
const lateShare = 0.1

export async function latePart(folder: string, { seconds }: Size): Promise<string[][]> {
  const server = await start(folder, {})
  await sendAll(server, twoWeeks(server))
  const asker = new Asker(server)
  const path = "/metrics/statistics?fqn=cpu&duration=P14D&rollup=PT5M"
  const quiet = await during(asker, path, () =>
    steadyPosts(server, posts(server, 0), { rate, seconds }),
  )
  const late = await during(asker, path, () =>
    steadyPosts(server, posts(server, lateShare), { rate, seconds }),
  )
  asker.close()
  await server.stop()
  const f = (of: "answers" | "posts", part: number, what: string) =>
    row(what, quantile(quiet[of], part), quantile(late[of], part), "")
  return [
    f("answers", 0.5, `two weeks of ${elements} elements, p50`),
    f("answers", 1, "the same, longest"),
    f("posts", 0.5, "posts, p50"),
    f("posts", 0.99, "posts, p99"),
  ]
}

async function during(asker: Asker, path: string, work: () => Promise<number[]>) {
  const asking = askAgain(() => asker.get(path), 200)
  const posts = await work()
  return { posts, answers: await asking.stop() }
}

function twoWeeks(server: Server): Buffer[] {
  const fromMs = Date.now() - days * dayMs
  const requests: Buffer[] = []
  for (let day = 0; day < days; day++) {
    for (let from = 0; from < elements; from += elementsPerPost) {
      const body = Array.from({ length: elementsPerPost }, (_, i) => ({
        id: `host-${from + i}`,
        type: "SERVER",
        samples: Array.from({ length: dayMs / everyMs }, (__, n) => ({
          metricId: "cpu",
          timestamp: fromMs + day * dayMs + n * everyMs,
          val: (from + i + n) % 100,
        })),
      }))
      requests.push(ingestRequest(server, body))
    }
  }
  return requests
}

/** A post of one element with ten samples, some of them anywhere in the two weeks. */
function posts(server: Server, share: number): () => Buffer {
  let number = 0
  return () => {
    const nowMs = Date.now()
    const element = number++ % elements
    const samples = Array.from({ length: 10 }, (_, i) => {
      const isLate = i < 10 * share
      const ageMs = isLate ? ((number * 7919) % (days * 1000)) * (dayMs / 1000) : i * 1000
      return { metricId: "cpu", timestamp: nowMs - ageMs, val: i }
    })
    return ingestRequest(server, [{ id: `host-${element}`, type: "SERVER", samples }])
  }
}
