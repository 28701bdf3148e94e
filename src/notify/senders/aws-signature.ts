/**
 * AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html).
 */

import { createHash, createHmac } from "node:crypto"

export interface SignedCall {
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly nowMs: number
  readonly region: string
  readonly service: string
}

export interface AwsKeys {
  readonly accessKey: string
  readonly secretKey: string
}

/** The headers of a POST without a query, with the date and the signature. */
export function signedHeaders(call: SignedCall, keys: AwsKeys): Record<string, string> {
  const { url, body, nowMs, region, service } = call
  const { host, pathname } = new URL(url)
  const time = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, "")
  const day = time.slice(0, 8)
  const headers: Record<string, string> = { ...call.headers, "x-amz-date": time }
  const signed = Object.entries({ ...headers, host }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(";")
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join("")
  const request = ["POST", pathname, "", lines, names, sha256(body)].join("\n")
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(request)].join("\n")
  const secret = `AWS4${keys.secretKey}`
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(hmac, secret)
  const signature = hmac(key, toSign).toString("hex")
  const credential = `${keys.accessKey}/${scope}`
  headers["authorization"] =
    `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  return headers
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest()
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
