/** A receiver of webhooks on loopback, for the demonstration. */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** The shown parts of a webhook. */
export interface WebhookRequest {
  readonly deliveryId: string
  readonly payloadType: string
  readonly policyName: string
  readonly elementName: string
  readonly timestamp: string
}

export interface WebhookReceiver {
  readonly url: string
  /** In order of arrival. */
  readonly deliveries: readonly WebhookRequest[]
  close(): Promise<void>
}

/** A payload is 3 kB; what is larger is none of ours. */
const payloadBytesMax = 1024 ** 2

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const deliveries: WebhookRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > payloadBytesMax) request.destroy()
      else chunks.push(chunk)
    })
    request.on("end", () => {
      try {
        deliveries.push(JSON.parse(Buffer.concat(chunks).toString()) as WebhookRequest)
        response.end()
      } catch {
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/notice`,
    deliveries,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
