/** What `tidegauge account|user|key` was asked for. No message repeats a value: it may be a secret. */

export const accountNouns = ["account", "user", "key"] as const
export type AccountNoun = (typeof accountNouns)[number]

export type AccountArguments =
  { readonly command: AccountCommand } | { readonly help: string } | { readonly problem: string }

export interface AccountCommand {
  readonly noun: AccountNoun
  readonly verb: string
  /** What the verb is about: an account's id, a user's e-mail, the beginning of a key's id. */
  readonly subject: string
  readonly flags: ReadonlyMap<string, string>
}

interface Verb {
  /** What the subject is; absent where the verb has none. */
  readonly subject?: string
  /** Flags that must be there, then those that may. */
  readonly needs: readonly string[]
  readonly takes: readonly string[]
  readonly meaning: string
}

const account = "--account"
const on = (subject: string, meaning: string): Verb => ({ subject, needs: [], takes: [], meaning })
const onKey = (meaning: string, takes: readonly string[] = []): Verb => ({
  subject: "KEY-ID",
  needs: [],
  takes: [...takes, account],
  meaning,
})

export const verbs: Readonly<Record<AccountNoun, Readonly<Record<string, Verb>>>> = {
  account: {
    list: { needs: [], takes: [], meaning: "All accounts." },
    create: {
      needs: ["--name", "--email"],
      takes: ["--password"],
      meaning: "An account with an administrator, a Custom integration and its key.",
    },
    rename: { ...on("ACCOUNT", "Gives it another name."), needs: ["--name"] },
    disable: on("ACCOUNT", "Its users cannot log in and its keys are refused; nothing is lost."),
    enable: on("ACCOUNT", "Undoes disable."),
    delete: on("ACCOUNT", "Removes its users and keys; its data goes when its time is over."),
  },
  user: {
    list: { needs: [], takes: [account], meaning: "The users of an account." },
    create: {
      needs: ["--email"],
      takes: ["--password", "--role", account],
      meaning: "A user; an administrator where no role is named.",
    },
    role: { ...on("EMAIL", "Makes the user something else."), needs: ["--role"] },
    password: { ...on("EMAIL", "Gives the user a new password."), takes: ["--password"] },
    disable: on("EMAIL", "The user cannot log in."),
    enable: on("EMAIL", "Undoes disable."),
    delete: on("EMAIL", "Removes the user."),
  },
  key: {
    list: { needs: [], takes: [account, "--datasource"], meaning: "The keys of an account." },
    create: {
      needs: [],
      takes: [account, "--datasource"],
      meaning: "A key; of the Custom integration where no datasource is named.",
    },
    rotate: onKey("A new key in its place; --keep yes leaves the old one good.", ["--keep"]),
    limit: onKey("How much it may send in a minute; 0: no limit, default: the server's.", [
      "--payloads",
      "--samples",
    ]),
    disable: onKey("Refuses it."),
    enable: onKey("Undoes disable."),
    delete: onKey("Removes it."),
  },
}

const everywhere = ["--data"]

/** Reads `noun verb [subject] [flags]`. */
export function readAccountArguments(argv: readonly string[]): AccountArguments {
  const noun = accountNouns.find((one) => one === argv[0])
  if (noun === undefined) return { problem: `Expected one of ${accountNouns.join(", ")}` }
  if (argv.length === 1 || argv.includes("--help") || argv.includes("-h")) {
    return { help: accountHelp(noun) }
  }
  const verb = Object.hasOwn(verbs[noun], argv[1]!) ? verbs[noun][argv[1]!] : undefined
  if (verb === undefined) {
    return { problem: `Expected ${noun} and one of ${Object.keys(verbs[noun]).join(", ")}` }
  }
  const flags = new Map<string, string>()
  const subjects: string[] = []
  const known = [...verb.needs, ...verb.takes, ...everywhere]
  for (let i = 2; i < argv.length; i++) {
    const [, flag, inline] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(argv[i]!) ?? []
    if (flag === undefined) {
      subjects.push(argv[i]!)
      continue
    }
    if (!known.includes(flag)) {
      return { problem: `Argument ${i + 1}: expected one of ${known.join(", ")}, --help` }
    }
    const value = inline ?? argv[++i]
    if (value === undefined || value === "") return { problem: `${flag} needs a value` }
    flags.set(flag, value)
  }
  const missing = verb.needs.find((flag) => !flags.has(flag))
  if (missing !== undefined) return { problem: `${noun} ${argv[1]} needs ${missing}` }
  if (subjects.length !== (verb.subject === undefined ? 0 : 1)) {
    const expected = verb.subject === undefined ? "nothing" : `one ${verb.subject}`
    return { problem: `Expected ${expected} after ${noun} ${argv[1]}` }
  }
  return { command: { noun, verb: argv[1]!, subject: subjects[0] ?? "", flags } }
}

function accountHelp(noun: AccountNoun): string {
  const lines = Object.entries(verbs[noun]).flatMap(([name, verb]) => {
    const { subject, needs, takes, meaning } = verb
    const words = [noun, name, subject ?? "", ...needs.map(withValue)]
    const optional = takes.map((flag) => `[${withValue(flag)}]`)
    return [`  ${[...words, ...optional].filter(Boolean).join(" ")}`, `      ${meaning}`]
  })
  return `tidegauge ${noun}: ${noun}s of the store in a folder.

${lines.join("\n")}

  --data PATH      folder of the store; default: the variable TIDEGAUGE_DATA, or data/store
  --account ID     id or number of an account; default: the first one, 0
  --role ROLE      Administrator, "Power User" or "Read Only"
  --password TEXT  8 to 1024 characters; - reads it from standard input; made and told if absent
  --help           this text

Where a server runs on the store, it does what is asked, at once and without a restart; the command
reaches it through control.sock in the store's folder. Else the command opens the store itself.
`
}

function withValue(flag: string): string {
  const value = flag === "--keep" ? "yes" : flag.slice(2).toUpperCase()
  return `${flag} ${value}`
}
