/** Address and credentials of the server, from flags, variables or a file. */

import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { invalid } from "../../base/errors.ts"

export interface ServerAddress {
  /** Without a slash at its end. */
  readonly url: string
  readonly user: string
  readonly password: string
}

type Values = Readonly<Record<string, string | undefined>>

const urlDefault = "http://127.0.0.1:8080"
const variables = {
  url: "TIDEGAUGE_URL",
  user: "TIDEGAUGE_ADMIN_EMAIL",
  password: "TIDEGAUGE_ADMIN_PASSWORD",
} as const

/** A flag wins over a variable, and that over the file. No message repeats a value. */
export async function serverAddress(
  flags: ReadonlyMap<string, string>,
  env: Values,
): Promise<ServerAddress> {
  const file = await credentialsOf(env)
  const valueOf = (name: keyof typeof variables) =>
    flags.get(name) || env[variables[name]] || file[name]
  const url = valueOf("url") ?? urlDefault
  const [user, password] = [valueOf("user"), valueOf("password")]
  if (!/^https?:\/\/[^/]/.test(url)) throw invalid("--url: expected http:// or https://")
  if (user === undefined) throw invalid(`Expected --user or ${variables.user}`)
  if (password === undefined) throw invalid(`Expected --password or ${variables.password}`)
  return { url: url.replace(/\/+$/, ""), user, password }
}

async function credentialsOf(env: Values): Promise<Values> {
  const home = env["XDG_CONFIG_HOME"] || (env["HOME"] && join(env["HOME"], ".config"))
  if (!home) return {}
  const base = join(home, "tidegauge")
  const isFolder = await stat(base).then(
    (found) => found.isDirectory(),
    () => null,
  )
  if (isFolder === null) return {}
  const path = isFolder ? join(base, "credentials.json") : base
  const text = await readFile(path, "utf8").catch(() => "{}")
  try {
    const values = JSON.parse(text) as Record<string, unknown>
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  } catch {
    throw invalid(`${path}: expected a JSON object of url, user and password`)
  }
}
