/** One post and one read of tags, in quiet and next to six lists of all metrics. */

import { Asker, ingestRequest, postMany, row, sendAll, start, type Size } from "./harness.ts"
import type { Server } from "../load/server.ts"

const lists = 6
const metricsPerPost = 5_000
/** Under the 250,000 that one list may hold: 70 MB of JSON. */
const metricsMax = 240_000

export async function listsPart(folder: string, { names }: Size): Promise<string[][]> {
  const server = await start(folder, {})
  const metrics = Math.min(metricsMax, Math.max(names, 1) * 1.2)
  for (let from = 0; from < metrics; from += metricsPerPost) {
    const samples = Array.from({ length: metricsPerPost }, (_, i) => ({
      metricId: `service.${(from + i).toString(36)}.latency.mean`,
      timestamp: Date.now(),
      val: i,
    }))
    await postMany(server, [{ id: `host-${from / metricsPerPost}`, type: "SERVER", samples }])
  }
  const quiet = await both(server)
  const asked = Array.from({ length: lists }, async () => {
    const asker = new Asker(server)
    const answer = await asker.get("/metrics")
    asker.close()
    return answer
  })
  const beside = await both(server)
  const answers = await Promise.all(asked)
  const sizes = answers.map(
    ({ status, body, ms }) =>
      `${status}, ${(body.length / 1e6).toFixed(0)} MB, ${(ms / 1000).toFixed(1)} s`,
  )
  console.log(`lists: ${sizes.join("; ")}`)
  await server.stop()
  return [
    row("one post", quiet.post, beside.post, ""),
    row("one read of tags, of the same user", quiet.tags, beside.tags, "≤ 5 s"),
  ]
}

async function both(server: Server): Promise<{ post: number; tags: number }> {
  const asker = new Asker(server)
  const samples = [{ metricId: "cpu", timestamp: Date.now(), val: 1 }]
  const request = ingestRequest(server, [{ id: "host-0", type: "SERVER", samples }])
  const post = async () => {
    const startedMs = performance.now()
    await sendAll(server, [request])
    return performance.now() - startedMs
  }
  const [posted, read] = await Promise.all([post(), asker.get("/elements/host-0/tags")])
  asker.close()
  if (read.status !== 200) throw new Error(read.body)
  return { post: posted, tags: read.ms }
}
