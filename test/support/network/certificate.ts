/**
 * Self-signed certificates for tests, written as DER (RFC 5280) with keys of node:crypto: a machine
 * that runs tests may have no openssl.
 */

import { generateKeyPairSync, sign } from "node:crypto"

export interface TestCertificate {
  /** Both as PEM. */
  readonly cert: string
  readonly key: string
}

interface CertificateOptions {
  /** Validity in epoch milliseconds; by default from an hour ago, for a day. */
  readonly fromMs?: number
  readonly toMs?: number
  /** Serial number, which tells certificates apart. */
  readonly serial?: number
}

/** A certificate for localhost and 127.0.0.1. */
export function makeCertificate(options: CertificateOptions = {}): TestCertificate {
  const { fromMs = Date.now() - 3_600_000, toMs = Date.now() + 86_400_000, serial = 1 } = options
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const content = sequence(
    tagged(0xa0, integer(2)),
    integer(serial),
    ecdsaWithSha256,
    commonName,
    sequence(time(fromMs), time(toMs)),
    commonName,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(isAuthority, names)),
  )
  const signature = sign("sha256", content, privateKey)
  const bits = tagged(0x03, Buffer.concat([Buffer.from([0]), signature]))
  return {
    cert: pem(sequence(content, ecdsaWithSha256, bits)),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function integer(value: number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.padStart(2 * Math.ceil(hex.length / 2), "0"), "hex")
  return tagged(0x02, bytes[0]! < 0x80 ? bytes : Buffer.from([0, ...bytes]))
}

/** GeneralizedTime: 20260105000000Z. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, "")
  return tagged(0x18, Buffer.from(digits))
}

const oid = (...bytes: number[]) => tagged(0x06, Buffer.from(bytes))
const octets = (content: Buffer) => tagged(0x04, content)

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const localhost = Buffer.from("localhost")
const commonName = sequence(tagged(0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, localhost))))
const isAuthority = sequence(
  oid(0x55, 0x1d, 0x13),
  octets(sequence(tagged(0x01, Buffer.from([0xff])))),
)
const names = sequence(
  oid(0x55, 0x1d, 0x11),
  octets(sequence(tagged(0x82, localhost), tagged(0x87, Buffer.from([127, 0, 0, 1])))),
)

function pem(der: Buffer): string {
  const lines = der.toString("base64").replace(/.{64}/g, "$&\n").trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
