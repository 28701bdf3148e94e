/** A server of S3 for tests, and a proxy in front of it with faults that a test chooses. */

import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { TestContext } from "node:test"
import S3rver from "@20minutes/s3rver"
import type { VaultSettings } from "../../../src/backup/open-vault.ts"
import { makeFolder, removeFolder } from "../machine/folder.ts"

/** The one key that the server knows. */
export const s3Keys = { accessKey: "S3RVER", secretKey: "S3RVER" } as const
export const s3Bucket = "backups"

/** The fate of a request: it is passed on, or one of the others. */
export type Fault = "none" | "answer 503" | "cut request" | "cut answer" | "silence" | "damage"

export interface TestS3 {
  /** Of the proxy. */
  readonly url: string
  /** Chooses for each request. */
  fault: (method: string, path: string) => Fault
  /** Requests that arrived at the proxy, as METHOD PATH. */
  readonly requests: string[]
  settings(prefix?: string): VaultSettings
}

/**
 * Starts both; they end with the test. s3rver verifies signatures without the slash at the end of a
 * bucket's path, which S3 has in them: a second one, on the same files, answers lists.
 */
export async function startS3(t: TestContext): Promise<TestS3> {
  const directory = makeFolder("tidegauge-s3")
  const options = { port: 0, address: "127.0.0.1", silent: true, directory }
  const configureBuckets = [{ name: s3Bucket }]
  const strict = new S3rver({ ...options, configureBuckets })
  const lists = new S3rver({ ...options, configureBuckets, allowMismatchedSignatures: true })
  const { port } = await strict.run()
  const { port: listPort } = await lists.run()
  const requests: string[] = []
  const open = { fault: (_method: string, _path: string): Fault => "none" }
  const proxy = createServer((incoming, answer) => {
    const { method = "", url = "" } = incoming
    requests.push(`${method} ${url}`)
    const isList = url.includes("list-type=2")
    const fault = open.fault(method, url)
    forward(incoming, answer, { port: isList ? listPort : port, fault })
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  t.after(async () => {
    proxy.closeAllConnections()
    proxy.close()
    await Promise.all([strict.close(), lists.close()])
    removeFolder(directory)
  })
  const settings = (prefix = "tide/one"): VaultSettings => ({
    vault: `s3://${s3Bucket}/${prefix}`,
    endpoint: url,
    region: "us-east-1",
    ...s3Keys,
  })
  return Object.assign(open, { url, requests, settings })
}

/** The Host header stays, which is signed. */
function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { port, fault }: { readonly port: number; readonly fault: Fault },
): void {
  if (fault === "silence") return
  if (fault === "cut request") return void incoming.socket.destroy()
  if (fault === "answer 503") {
    incoming.resume()
    return void answer.writeHead(503).end()
  }
  const { method, url, headers } = incoming
  const outgoing = request({ host: "127.0.0.1", port, method, path: url, headers }, (reply) => {
    answer.writeHead(reply.statusCode!, reply.headers)
    if (fault === "none" || fault === "damage") return void reply.pipe(answer)
    reply.resume()
    answer.write("<")
    answer.socket!.destroy()
  })
  outgoing.on("error", () => answer.destroy())
  if (fault !== "damage") return void incoming.pipe(outgoing)
  incoming.on("data", (piece: Buffer) => {
    const other = Buffer.from(piece)
    other[0]! ^= 1
    outgoing.write(other)
  })
  incoming.on("end", () => outgoing.end())
}
