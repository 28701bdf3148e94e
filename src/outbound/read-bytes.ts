/** Reads the body of a response up to a limit. */

import type { IncomingMessage } from "node:http"
import { invalid, ServiceError } from "../base/errors.ts"

/** Throws `invalid` as soon as body or Content-Length exceed the limit; `from` names the sender. */
export async function readBytes(
  response: IncomingMessage,
  bytesMax: number,
  from: string,
): Promise<Uint8Array> {
  const tooLarge = () => invalid(`${from}: expected at most ${bytesMax} bytes`)
  const announced = Number(response.headers["content-length"] ?? 0)
  const chunks: Buffer[] = []
  let size = 0
  try {
    if (announced > bytesMax) throw tooLarge()
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytesMax) throw tooLarge()
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError("invalid", `${from}: the answer broke off`, { cause })
  } finally {
    response.destroy()
  }
}
