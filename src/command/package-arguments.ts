/** What `tidegauge package` was asked for. No message repeats a value: it may be a secret. */

export interface PackageVerb {
  /** What stands behind the verb; absent where nothing may. */
  readonly subject?: string
  readonly isSubjectOptional?: true
  /** Talks to a server. */
  readonly isRemote?: true
  readonly meaning: string
}

export const packageVerbs: Readonly<Record<string, PackageVerb>> = {
  init: {
    subject: "FOLDER",
    isSubjectOptional: true,
    meaning: "Writes a new package with one policy into a folder, the current one by default.",
  },
  validate: {
    subject: "FOLDER",
    isSubjectOptional: true,
    meaning: "Prints every problem with file, line and JSON path; exits 1 where there is one.",
  },
  format: {
    subject: "FOLDER",
    isSubjectOptional: true,
    meaning: "Sorts names, indents by two spaces and removes empty values, in place.",
  },
  lint: {
    subject: "FOLDER",
    isSubjectOptional: true,
    meaning: "Tells which files format would change; exits 1 where there is one.",
  },
  create: {
    subject: "FOLDER",
    isSubjectOptional: true,
    meaning: "Writes pkg.zip into the folder: the same bytes from the same files.",
  },
  install: { subject: "FILE", isRemote: true, meaning: "Installs or upgrades from an archive." },
  list: { isRemote: true, meaning: "The installed packages." },
  show: { subject: "ID", isRemote: true, meaning: "One of them, by its id or its packageId." },
  uninstall: { subject: "ID", isRemote: true, meaning: "Removes it with everything it brought." },
}

export interface PackageCommand {
  readonly verb: string
  /** Empty where none was given. */
  readonly subject: string
  readonly isJson: boolean
  readonly flags: ReadonlyMap<string, string>
}

export type PackageArguments =
  { readonly command: PackageCommand } | { readonly help: string } | { readonly problem: string }

const remoteFlags = ["--url", "--user", "--password"]

/** Reads `verb [subject] [flags]`, as it stands behind `package`. */
export function readPackageArguments(argv: readonly string[]): PackageArguments {
  if (argv.length === 0 || argv.includes("--help") || argv.includes("-h")) return { help: help() }
  const name = argv[0]!
  const verb = Object.hasOwn(packageVerbs, name) ? packageVerbs[name] : undefined
  const names = Object.keys(packageVerbs).join(", ")
  if (verb === undefined) return { problem: `Expected package and one of ${names}` }
  const known = verb.isRemote ? remoteFlags : []
  const flags = new Map<string, string>()
  const subjects: string[] = []
  let isJson = false
  for (let i = 1; i < argv.length; i++) {
    const [, flag, inline] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(argv[i]!) ?? []
    if (flag === undefined) subjects.push(argv[i]!)
    else if (flag === "--json") isJson = true
    else if (!known.includes(flag)) {
      const expected = [...known, "--json", "--help"].join(", ")
      return { problem: `Argument ${i + 2}: expected one of ${expected}` }
    } else {
      const value = inline ?? argv[++i]
      if (value === undefined || value === "") return { problem: `${flag} needs a value` }
      flags.set(flag, value)
    }
  }
  const most = verb.subject === undefined ? 0 : 1
  const least = verb.isSubjectOptional ? 0 : most
  if (subjects.length < least || subjects.length > most) {
    const expected = most === 0 ? "nothing" : `one ${verb.subject}`
    return { problem: `Expected ${expected} after package ${name}` }
  }
  return { command: { verb: name, subject: subjects[0] ?? "", isJson, flags } }
}

function help(): string {
  const lines = Object.entries(packageVerbs).map(
    ([name, { subject, isSubjectOptional, meaning }]) => {
      const word = isSubjectOptional ? `[${subject}]` : (subject ?? "")
      return `  package ${name} ${word}`.trimEnd() + `\n      ${meaning}`
    },
  )
  return `tidegauge package: writes, checks and builds packages, and installs them.

${lines.join("\n")}

  --json           prints one JSON value instead of text
  --help           this text

Those that talk to a server take these, or the variables, or the file ~/.config/tidegauge, a JSON
object of url, user and password (where that is a folder: credentials.json in it):

  --url URL        TIDEGAUGE_URL; default: http://127.0.0.1:8080
  --user EMAIL     TIDEGAUGE_ADMIN_EMAIL
  --password TEXT  TIDEGAUGE_ADMIN_PASSWORD
`
}
