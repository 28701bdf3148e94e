/** `tidegauge health`: the readiness of a server as an exit status. */

import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { invalid } from "../../base/errors.ts"
import { healthBytesMax, healthTimeoutMs } from "../../base/limits.ts"
import type { Config } from "../../config/config.ts"
import { localAddress } from "../../config/own-address.ts"
import { unreachableCause } from "../text/unreachable.ts"

export interface HealthDeps {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}

/** Where a server with these settings is asked. Throws `invalid` for a port that the system picks. */
export function healthUrl(settings: Pick<Config, "host" | "port" | "tlsCertPath">): string {
  if (settings.port !== 0) return localAddress(settings)
  throw invalid("--url: expected it, since the port of the settings is any free one")
}

/** Resolves to 0 if the server at `url` is ready, else to 1 with the reason printed. */
export async function runHealth(url: string, deps: HealthDeps): Promise<number> {
  if (!/^https?:\/\/[^/]/.test(url)) throw invalid("--url: expected http:// or https://")
  const asked = `${url.replace(/\/+$/, "")}/health/ready`
  try {
    const { status, text } = await get(asked)
    if (status === 200) deps.print(text)
    else deps.printError(`tidegauge: ${asked} answered ${status}: ${text}`)
    return status === 200 ? 0 : 1
  } catch (error) {
    deps.printError(`tidegauge: ${asked}: ${unreachableCause(error)}`)
    return 1
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

function get(url: string): Promise<Answer> {
  const request = url.startsWith("https:") ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const options = { agent: false, rejectUnauthorized: false, timeout: healthTimeoutMs }
    const asking = request(url, options, (answer) => {
      let text = ""
      answer.setEncoding("utf8")
      answer.on("data", (piece: string) => {
        text += piece
        if (text.length > healthBytesMax) asking.destroy(new Error("the answer is too long"))
      })
      answer.on("end", () => resolve({ status: answer.statusCode!, text }))
      answer.on("error", reject)
    })
    asking.on("timeout", () => asking.destroy(new Error(`no answer in ${healthTimeoutMs} ms`)))
    asking.on("error", reject)
    asking.end()
  })
}
