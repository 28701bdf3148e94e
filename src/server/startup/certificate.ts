/** Certificate and private key of the server: two files, read, and checked before they are used. */

import { X509Certificate } from "node:crypto"
import { createSecureContext } from "node:tls"
import { invalid } from "../../base/errors.ts"
import { readSmallFile } from "../../config/small-file.ts"
import { settingFlag } from "../../config/setting.ts"
import { settings } from "../../config/settings.ts"
import type { TlsMaterial } from "../../http/http.ts"

export interface TlsPaths {
  readonly certPath: string
  readonly keyPath: string
}

export interface LoadedCertificate extends TlsMaterial {
  /** Epoch milliseconds. */
  readonly validToMs: number
}

/** Throws `invalid`, with a sentence that names flag and file, for files that are none. */
export function loadCertificate({ certPath, keyPath }: TlsPaths): LoadedCertificate {
  const cert = readPem("tlsCertPath", certPath)
  const key = readPem("tlsKeyPath", keyPath)
  if (key.isOpenToAll) throw bad("tlsKeyPath", keyPath, "can be read by every user: chmod o-r it")
  const validToMs = validToOf(cert.text, certPath)
  try {
    createSecureContext({ cert: cert.text, key: key.text })
  } catch (cause) {
    const { message } = cause as Error
    throw bad("tlsKeyPath", keyPath, `is not the private key of "${certPath}": ${message}`)
  }
  return { cert: cert.text, key: key.text, validToMs }
}

function readPem(
  setting: "tlsCertPath" | "tlsKeyPath",
  path: string,
): { readonly text: string; readonly isOpenToAll: boolean } {
  const file = readSmallFile(path)
  if ("problem" in file) throw bad(setting, path, file.problem)
  return file
}

/** The first certificate of the file is the server's own. */
function validToOf(text: string, path: string): number {
  try {
    return Date.parse(new X509Certificate(text).validTo)
  } catch (cause) {
    throw bad("tlsCertPath", path, `is no certificate as PEM: ${(cause as Error).message}`)
  }
}

function bad(setting: "tlsCertPath" | "tlsKeyPath", path: string, problem: string) {
  return invalid(`${settingFlag(settings[setting])}: "${path}" ${problem}`)
}
