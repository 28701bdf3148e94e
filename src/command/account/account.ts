/**
 * `tidegauge account|user|key`: lists and changes accounts. The same code runs in a server that was
 * asked through its control socket, and in the command itself where no server runs.
 */

import type { Accounts, CreatedKey, Role, User } from "../../accounts/accounts.ts"
import { readablePassword } from "../../accounts/credentials.ts"
import { customDatasourceId } from "../../accounts/first-start.ts"
import { invalid, ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"
import { accountTable, type AccountNoun } from "./account-commands.ts"
import { readLine } from "../line/read-line.ts"
import type { CommandLine } from "../line/spec.ts"
import { tableText } from "../text/table-text.ts"

export interface AccountCommandDeps {
  readonly accounts: Pick<Accounts, "users" | "tenants" | "keys">
  readonly random: Random
  /** Called with each command that was understood, once it is done or refused. */
  readonly onCommand?: (done: AuditedCommand) => void
}

/** A command as the security log tells it: its words and the names of its options, no values. */
export interface AuditedCommand {
  /** The account that it is about, null for all or none. */
  readonly tenant: number | null
  readonly text: string
}

/** Exit status and what to print. */
export interface CommandReply {
  readonly status: number
  readonly text: string
}

/** Exit status for a command line that cannot be taken (sysexits.h, EX_USAGE). */
const exitUsage = 64

interface AccountCommand {
  readonly noun: AccountNoun
  readonly verb: string
  /** What the verb is about: an account's id, a user's e-mail, the beginning of a key's id. */
  readonly subject: string
  /** By name without hyphens. */
  readonly flags: ReadonlyMap<string, string>
}

/** Does what a command line asks for; never throws what the caller got wrong. */
export async function runAccountCommand(
  argv: readonly string[],
  rooms: AccountCommandDeps,
): Promise<CommandReply> {
  const read = readLine(accountTable, argv)
  if ("help" in read) return { status: 0, text: read.help }
  if (!("line" in read)) {
    const problems = "problems" in read ? read.problems : []
    return { status: exitUsage, text: problems.map((one) => `tidegauge: ${one}`).join("\n") }
  }
  const command = commandOf(read.line)
  // Before it is done: a user that it deletes has no account any more.
  const tenant = tenantOfCommand(command, rooms)
  try {
    const text = await handlers[command.noun](command, rooms)
    rooms.onCommand?.({ tenant, text: commandText(command) })
    return { status: 0, text }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    rooms.onCommand?.({ tenant, text: `${commandText(command)} (refused)` })
    return { status: 1, text: `tidegauge: ${error.message}` }
  }
}

/** What stands behind a noun and verb may be a mistyped secret: only an e-mail is repeated. */
function commandText({ noun, verb, subject, flags }: AccountCommand): string {
  const email = noun === "user" ? (flags.get("email") ?? subject) : ""
  const shown = /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email) ? ` ${email}` : ""
  const names = [...flags.keys()].map((name) => ` --${name}`).join("")
  return `${noun} ${verb}${shown}${names}`
}

function tenantOfCommand(command: AccountCommand, rooms: AccountCommandDeps): number | null {
  const { noun, verb, subject } = command
  const { users, tenants } = rooms.accounts
  try {
    if (noun === "user" && verb !== "list" && verb !== "create")
      return users.findInAnyTenant(subject).tenant
    if (noun !== "account") return tenantOf(command, rooms)
    return subject === "" ? null : tenants.find(subject).document.index
  } catch {
    return null
  }
}

function commandOf({ command, words, options }: CommandLine): AccountCommand {
  const [noun, verb] = command.name.split(" ") as [AccountNoun, string]
  return { noun, verb, subject: words[0] ?? "", flags: options }
}

type Handler = (command: AccountCommand, rooms: AccountCommandDeps) => Promise<string>

const handlers: Readonly<Record<AccountCommand["noun"], Handler>> = {
  account: runAccount,
  user: runUser,
  key: runKey,
}

async function runAccount(
  { verb, subject, flags }: AccountCommand,
  { accounts: { tenants }, random }: AccountCommandDeps,
): Promise<string> {
  if (verb === "create") {
    const adminPassword = flags.get("password") ?? readablePassword(random)
    const adminEmail = flags.get("email")!
    const made = await tenants.create({ name: flags.get("name")!, adminEmail, adminPassword })
    return labelledLines([
      ["account", `${made.tenant.document.index}  ${made.tenant.uuid}`],
      ["administrator", made.tenant.document.adminEmail],
      ["password", adminPassword],
      ["API key", made.apiKey],
    ])
  }
  if (verb === "rename") await tenants.rename(subject, flags.get("name")!)
  else if (verb === "delete") return `Deleted account ${(await tenants.remove(subject)).uuid}`
  else if (verb !== "list") await tenants.setEnabled(subject, verb === "enable")
  const rows = tenants.list().map(({ uuid, document: { index, name, state, adminEmail } }) => ({
    account: String(index),
    id: uuid,
    name: name ?? "",
    state: state ?? "active",
    administrator: adminEmail,
  }))
  return tableOf(rows)
}

async function runUser(command: AccountCommand, rooms: AccountCommandDeps): Promise<string> {
  const { verb, subject, flags } = command
  const { users } = rooms.accounts
  const password = flags.get("password") ?? readablePassword(rooms.random)
  if (verb === "list") return userTable(users.list(tenantOf(command, rooms)))
  if (verb === "create") {
    const role = (flags.get("role") ?? "Administrator") as Role
    const email = flags.get("email")!
    const user = await users.create(tenantOf(command, rooms), { email, password, role })
    return labelledLines([
      ["user", `${user.id}  ${user.email}`],
      ["role", user.role],
      ["password", password],
    ])
  }
  const { tenant, id, email } = users.findInAnyTenant(subject)
  if (verb === "delete") {
    await users.remove(tenant, id)
    return `Deleted user ${email}`
  }
  if (verb === "password") {
    await users.changePassword(tenant, id, { oldPassword: null, newPassword: password })
    return labelledLines([["password", password]])
  }
  const change = verb === "role" ? { role: flags.get("role") as Role } : undefined
  return userTable([await users.update(tenant, id, change ?? { active: verb === "enable" })])
}

async function runKey(command: AccountCommand, rooms: AccountCommandDeps): Promise<string> {
  const { verb, subject, flags } = command
  const { keys } = rooms.accounts
  const tenant = tenantOf(command, rooms)
  const datasource = flags.get("datasource")
  const datasourceId = datasource === undefined ? undefined : wholeNumber(datasource)
  if (verb === "list") return keyTable(keys.list(tenant, datasourceId))
  if (verb === "create")
    return keyLines(await keys.create(tenant, datasourceId ?? customDatasourceId))
  if (verb === "rotate") {
    return keyLines(await keys.rotate(tenant, subject, flags.get("keep") === "yes"))
  }
  if (verb === "delete") {
    await keys.remove(tenant, subject)
    return `Deleted key ${subject}`
  }
  if (verb !== "limit") {
    return keyTable([await keys.update(tenant, subject, { enabled: verb === "enable" })])
  }
  const rates = {
    ...rateOf("payloadsPerMinute", flags.get("payloads")),
    ...rateOf("samplesPerMinute", flags.get("samples")),
  }
  return keyTable([await keys.update(tenant, subject, rates)])
}

function tenantOf({ flags }: AccountCommand, { accounts }: AccountCommandDeps): number {
  return accounts.tenants.find(flags.get("account") ?? "0").document.index
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalid(`Expected a whole number, got "${text}"`)
  return Number(text)
}

function rateOf(field: string, text: string | undefined): Record<string, number | null> {
  if (text === undefined) return {}
  return { [field]: text === "default" ? null : wholeNumber(text) }
}

function userTable(list: readonly User[]): string {
  return tableOf(
    list.map(({ id, email, role, active }) => ({
      user: String(id),
      "e-mail": email,
      role,
      active: active ? "yes" : "no",
    })),
  )
}

/** Of a key's id so much that it cannot be mistaken for another's. */
const idDigitsShown = 12

function keyTable(list: ReturnType<Accounts["keys"]["list"]>): string {
  const rate = (perMinute: number | undefined) =>
    perMinute === undefined ? "default" : String(perMinute)
  return tableOf(
    list.map((key) => ({
      key: key.id.slice(0, idDigitsShown),
      datasource: String(key.datasourceId),
      enabled: key.enabled ? "yes" : "no",
      "payloads/min": rate(key.payloadsPerMinute),
      "samples/min": rate(key.samplesPerMinute),
      created: new Date(key.createdMs).toISOString(),
    })),
  )
}

function keyLines({ id, key }: CreatedKey): string {
  return labelledLines([
    ["id", id.slice(0, idDigitsShown)],
    ["API key", key],
  ])
}

/** Names and values in two columns; what is secret among them is told this once. */
function labelledLines(lines: readonly (readonly [string, string])[]): string {
  return lines.map(([name, value]) => `${name.padEnd(14)}  ${value}`).join("\n")
}

function tableOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const [first] = rows
  if (first === undefined) return "None."
  const names = Object.keys(first)
  return tableText(
    names,
    rows.map((row) => names.map((name) => row[name]!)),
  )
}
