/** The command lines of `tidegauge account|user|key`. */

import { roles } from "../../accounts/documents.ts"
import type { CommandSpec, CommandTable, GroupSpec, OptionSpec } from "../line/spec.ts"
import { storeOptions } from "../store/store-commands.ts"

const accountNouns = ["account", "user", "key"] as const
export type AccountNoun = (typeof accountNouns)[number]

const account: OptionSpec = {
  name: "account",
  value: "ID",
  meaning: "Id or number of an account.",
  fallback: "the first one, 0",
}
const password: OptionSpec = {
  name: "password",
  value: "TEXT",
  meaning: "Password; - reads it from standard input, which no other process can see.",
  form: "8 to 1024 characters",
  fallback: "made and printed",
  isSecret: true,
}
const role: OptionSpec = {
  name: "role",
  value: "ROLE",
  meaning: "What the user may do.",
  choices: roles,
}
const name: OptionSpec = { name: "name", value: "NAME", meaning: "Name of the account." }
const email: OptionSpec = { name: "email", value: "EMAIL", meaning: "E-mail to log in with." }
const datasource: OptionSpec = {
  name: "datasource",
  value: "NUMBER",
  meaning: "Number of a datasource.",
}
const required = (option: OptionSpec): OptionSpec => ({ ...option, isRequired: true })

const subjects = {
  account: { name: "ACCOUNT", meaning: "id or number of the account" },
  user: { name: "EMAIL", meaning: "e-mail of the user" },
  key: { name: "KEY-ID", meaning: "beginning of the key's id, as `key list` shows it" },
} as const

interface Verb {
  readonly meaning: string
  readonly options?: readonly OptionSpec[]
  readonly examples?: readonly string[]
}

/** A command without a subject. */
function of(noun: AccountNoun, verb: string, { options = [], ...rest }: Verb): CommandSpec {
  return { name: `${noun} ${verb}`, options: [...options, ...storeOptions], ...rest }
}

/** A command on one account, user or key. */
function on(noun: AccountNoun, verb: string, { options = [], ...rest }: Verb): CommandSpec {
  const all = [...options, ...(noun === "key" ? [account] : []), ...storeOptions]
  return { name: `${noun} ${verb}`, arguments: [subjects[noun]], options: all, ...rest }
}

const commands: readonly CommandSpec[] = [
  of("account", "list", { meaning: "Lists all accounts." }),
  of("account", "create", {
    meaning: "Makes an account with an administrator, a Custom integration and its key.",
    options: [required(name), required(email), password],
    examples: ["account create --name Shop --email admin@shop.example"],
  }),
  on("account", "rename", { meaning: "Gives it another name.", options: [required(name)] }),
  on("account", "disable", {
    meaning: "Its users cannot log in and its keys are refused; nothing is lost.",
  }),
  on("account", "enable", { meaning: "Undoes disable." }),
  on("account", "delete", {
    meaning: "Removes its users and keys; its data goes when its retention is over.",
  }),
  of("user", "list", { meaning: "Lists the users of an account.", options: [account] }),
  of("user", "create", {
    meaning: "Makes a user; an administrator if no role is named.",
    options: [required(email), password, role, account],
    examples: ['user create --email jo@example.com --role "Read Only"'],
  }),
  on("user", "role", { meaning: "Gives the user another role.", options: [required(role)] }),
  on("user", "password", { meaning: "Gives the user a new password.", options: [password] }),
  on("user", "link", {
    meaning: "Prints an address that signs the user in once, within an hour, without a password.",
    examples: ["user link jo@example.com"],
  }),
  on("user", "disable", { meaning: "The user cannot log in." }),
  on("user", "enable", { meaning: "Undoes disable." }),
  on("user", "delete", { meaning: "Removes the user." }),
  of("key", "list", {
    meaning: "Lists the API keys of an account, without the keys themselves.",
    options: [datasource, account],
  }),
  of("key", "create", {
    meaning: "Makes a key; of the Custom integration if no datasource is named.",
    options: [datasource, account],
  }),
  on("key", "rotate", {
    meaning: "Replaces it with a new key.",
    options: [
      {
        name: "keep",
        value: "yes|no",
        meaning: "yes: the old key stays valid.",
        choices: ["yes", "no"],
        fallback: "no",
      },
    ],
    examples: ["key rotate 8d00b723bbe3"],
  }),
  on("key", "limit", {
    meaning: "Sets how much it may send in a minute.",
    options: [
      {
        name: "payloads",
        value: "NUMBER",
        meaning: "Requests with data. 0: no limit; default: the server's setting.",
      },
      {
        name: "samples",
        value: "NUMBER",
        meaning: "Samples. 0: no limit; default: the server's setting.",
      },
    ],
    examples: ["key limit 8d00b723bbe3 --payloads 600 --samples 100000"],
  }),
  on("key", "disable", { meaning: "Refuses the key." }),
  on("key", "enable", { meaning: "Undoes disable." }),
  on("key", "delete", { meaning: "Removes the key." }),
]

const details = `
If a server runs on the store, it executes the command immediately, without a restart; the command
reaches it through control.sock in the store's folder. Otherwise the command opens the store itself.
`

const groups: readonly GroupSpec[] = [
  { name: "account", meaning: "Accounts (tenants) of a store.", details },
  { name: "user", meaning: "Users of an account.", details },
  { name: "key", meaning: "API keys of an account.", details },
]

/** A server accepts these commands at its control socket, too. */
export const accountTable: CommandTable = { commands, groups }
