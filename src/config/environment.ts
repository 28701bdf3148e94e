/** Sorts environment variables with the server's prefix: settings, others, and unknown ones. */

import { nearest } from "../wire/nearest.ts"
import { tuningNames, tuningsVariable, unknownTunings } from "./tunings.ts"
import { settingVariable } from "./setting.ts"
import { inputList } from "./settings.ts"

export type Environment = Readonly<Record<string, string | undefined>>

export interface EnvironmentSettings {
  /** Texts of the variables that are set, and not empty, by name of the input. */
  readonly given: ReadonlyMap<string, string>
  /** Sentences for the log. */
  readonly notes: readonly string[]
  /** One sentence each. */
  readonly problems: readonly string[]
}

const prefix = "TIDEGAUGE_"
const inputsByVariable: ReadonlyMap<string, string> = new Map(
  inputList.map((input) => [settingVariable(input), input.name]),
)

/** The variable of `--config`. */
export const configVariable = "TIDEGAUGE_CONFIG"

/**
 * Of other commands (command/package/server-address.ts), of measurements (tunings.ts), and of the
 * configuration file.
 */
export const otherVariables: ReadonlySet<string> = new Set([
  "TIDEGAUGE_URL",
  tuningsVariable,
  configVariable,
])

/** Sorts the variables; an empty one counts as not set. */
export function readEnvironment(env: Environment): EnvironmentSettings {
  const given = new Map<string, string>()
  const ofServices: string[] = []
  const problems: string[] = []
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || text === undefined || otherVariables.has(name)) continue
    const input = inputsByVariable.get(name)
    if (isServiceAddress(name, text)) ofServices.push(name)
    else if (input !== undefined) {
      if (text !== "") given.set(input, text)
    } else if (isServiceVariable(name)) ofServices.push(name)
    else problems.push(unknownVariable(name))
  }
  for (const name of unknownTunings(env)) problems.push(unknownTuning(name))
  return { given, notes: serviceNotes(ofServices), problems }
}

/**
 * `NAME_PORT=tcp://10.0.0.7:8080`, which Docker's links and Kubernetes put into containers for a
 * service called `tidegauge` or `tidegauge-…`. It takes the name of the setting of the port.
 */
function isServiceAddress(name: string, text: string): boolean {
  return name.endsWith("_PORT") && /^(?:tcp|udp|sctp):\/\//i.test(text)
}

/** The other variables of that kind (Kubernetes, "Discovering services"). */
function isServiceVariable(name: string): boolean {
  return (
    name.endsWith("_SERVICE_HOST") ||
    /_SERVICE_PORT(?:_[A-Z0-9_]+)?$/.test(name) ||
    /_PORT_\d{1,5}_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?$/.test(name)
  )
}

function serviceNotes(names: readonly string[]): string[] {
  if (names.length === 0) return []
  return [`Left alone, since they describe a service and set nothing: ${names.join(", ")}`]
}

function unknownTuning(name: string): string {
  return `${tuningsVariable}: expected some of ${tuningNames.join(",")}, got "${name}"`
}

function unknownVariable(name: string): string {
  const names = [...inputsByVariable.keys()].map((one) => one.slice(prefix.length))
  const meant = nearest(name.slice(prefix.length), names)
  const hint = meant === null ? ": " : `, did you mean ${prefix}${meant}? `
  return `Unknown variable ${name}${hint}\`tidegauge serve --help\` lists all`
}
