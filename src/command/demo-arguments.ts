/** What `tidegauge demo` was asked for: a running server to use, or a server of its own. */

import type { DemoAddress } from "./demo-client.ts"

export type DemoArguments =
  | { readonly address: DemoAddress }
  | { readonly ownServer: true }
  | { readonly help: string }
  | { readonly problem: string }

export const demoHelp = `tidegauge demo: a day of 20 servers × 30 metrics, posted and read back.

Without --url it starts a server of its own on a free port, with a store that it removes afterwards.

  --url URL          a running server to use, such as http://127.0.0.1:8080
  --user EMAIL       default: the variable TIDEGAUGE_ADMIN_EMAIL
  --password TEXT    default: the variable TIDEGAUGE_ADMIN_PASSWORD
  --api-key KEY      default: the variable TIDEGAUGE_API_KEY
  --help             this text
`

const variables = {
  "--user": "TIDEGAUGE_ADMIN_EMAIL",
  "--password": "TIDEGAUGE_ADMIN_PASSWORD",
  "--api-key": "TIDEGAUGE_API_KEY",
} as const
const flags = ["--url", ...Object.keys(variables)]

/** Reads flags and variables; a flag wins. No message repeats a value, which may be a secret. */
export function readDemoArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DemoArguments {
  if (argv.includes("--help") || argv.includes("-h")) return { help: demoHelp }
  const given = new Map<string, string>()
  for (let i = 0; i < argv.length; i++) {
    const [, flag = "", inline] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(argv[i]!) ?? []
    if (!flags.includes(flag)) {
      return { problem: `Argument ${i + 1} of demo: expected one of ${flags.join(", ")}, --help` }
    }
    const value = inline ?? argv[++i]
    if (value === undefined || value === "") return { problem: `${flag} needs a value` }
    given.set(flag, value)
  }
  const url = given.get("--url")
  if (url !== undefined) return withUrl(url, given, env)
  const lonely = [...given.keys()][0]
  return lonely === undefined ? { ownServer: true } : { problem: `${lonely} needs --url beside it` }
}

function withUrl(
  url: string,
  given: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): DemoArguments {
  if (!/^https?:\/\/[^/]/.test(url)) return { problem: "--url: expected http:// or https://" }
  const values: Record<string, string> = {}
  for (const [flag, variable] of Object.entries(variables)) {
    const value = given.get(flag) ?? env[variable]
    if (value === undefined || value === "") {
      return { problem: `--url needs ${flag} or ${variable} beside it` }
    }
    values[flag] = value
  }
  return {
    address: {
      url: url.replace(/\/+$/, ""),
      user: values["--user"]!,
      password: values["--password"]!,
      apiKey: values["--api-key"]!,
    },
  }
}
