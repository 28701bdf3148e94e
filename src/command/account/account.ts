/**
 * `tidegauge account|user|key`: lists and changes accounts. The same code runs in a server, which
 * gets the command through its control socket, and in the command itself if no server runs.
 */

import type { Accounts, CreatedKey, Role, User } from "../../accounts/accounts.ts"
import { readablePassword } from "../../accounts/credentials.ts"
import { customDatasourceId } from "../../accounts/first-start.ts"
import { invalid, ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"
import { signInLinkMs } from "../../base/limits/accounts.ts"
import { signInAddress } from "./first-start-text.ts"
import { accountTable, type AccountNoun } from "./account-commands.ts"
import { readLine } from "../line/read-line.ts"
import type { CommandLine } from "../line/spec.ts"
import { tableText } from "../text/table-text.ts"
import type { TenantIndex } from "../../model/ids.ts"

interface AccountCommandDeps {
  readonly accounts: Pick<Accounts, "users" | "tenants" | "keys" | "links">
  readonly random: Random
  /** Address of the server's pages, without a last slash. */
  readonly address: string
  /** Called with each valid command, after it is done or refused. */
  readonly onCommand?: (done: AuditedCommand) => void
}

/** A command for the security log: its words and the names of its options, without values. */
export interface AuditedCommand {
  /** The account of the command; null for all or none. */
  readonly tenant: TenantIndex | null
  readonly text: string
}

/** Exit status and what to print. */
export interface CommandReply {
  readonly status: number
  readonly text: string
}

/** Exit status for an invalid command line (sysexits.h, EX_USAGE). */
const exitUsage = 64

interface AccountCommand {
  readonly noun: AccountNoun
  readonly verb: string
  /** The object of the verb: an account's id, a user's e-mail, the beginning of a key's id. */
  readonly subject: string
  /** By name without hyphens. */
  readonly flags: ReadonlyMap<string, string>
}

/** Executes a command line. Mistakes of the caller are in the reply, not thrown. */
export async function runAccountCommand(
  argv: readonly string[],
  deps: AccountCommandDeps,
): Promise<CommandReply> {
  const read = readLine(accountTable, argv)
  if ("help" in read) return { status: 0, text: read.help }
  if (!("line" in read)) {
    const problems = "problems" in read ? read.problems : []
    return { status: exitUsage, text: problems.map((one) => `tidegauge: ${one}`).join("\n") }
  }
  const command = commandOf(read.line)
  // Before it is executed: a deleted user has no account any more.
  const tenant = tenantOfCommand(command, deps)
  try {
    const text = await handlers[command.noun](command, deps)
    deps.onCommand?.({ tenant, text: commandText(command) })
    return { status: 0, text }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    deps.onCommand?.({ tenant, text: `${commandText(command)} (refused)` })
    return { status: 1, text: `tidegauge: ${error.message}` }
  }
}

/** A word after noun and verb may be a mistyped secret: only an e-mail is repeated. */
function commandText({ noun, verb, subject, flags }: AccountCommand): string {
  const email = noun === "user" ? (flags.get("email") ?? subject) : ""
  const shown = /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email) ? ` ${email}` : ""
  const names = [...flags.keys()].map((name) => ` --${name}`).join("")
  return `${noun} ${verb}${shown}${names}`
}

function tenantOfCommand(command: AccountCommand, deps: AccountCommandDeps): number | null {
  const { noun, verb, subject } = command
  const { users, tenants } = deps.accounts
  try {
    if (noun === "user" && verb !== "list" && verb !== "create")
      return users.findInAnyTenant(subject).tenant
    if (noun !== "account") return tenantOf(command, deps)
    return subject === "" ? null : tenants.find(subject).document.index
  } catch {
    return null
  }
}

function commandOf({ command, words, options }: CommandLine): AccountCommand {
  const [noun, verb] = command.name.split(" ") as [AccountNoun, string]
  return { noun, verb, subject: words[0] ?? "", flags: options }
}

type Handler = (command: AccountCommand, deps: AccountCommandDeps) => Promise<string>

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

async function runUser(command: AccountCommand, deps: AccountCommandDeps): Promise<string> {
  const { verb, subject, flags } = command
  const { users } = deps.accounts
  const password = flags.get("password") ?? readablePassword(deps.random)
  if (verb === "list") return userTable(users.list(tenantOf(command, deps)))
  if (verb === "create") {
    const role = (flags.get("role") ?? "Administrator") as Role
    const email = flags.get("email")!
    const user = await users.create(tenantOf(command, deps), { email, password, role })
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
  if (verb === "link") {
    const token = await deps.accounts.links.create(email, signInLinkMs)
    return signInAddress(deps.address, token)
  }
  if (verb === "password") {
    await users.changePassword(tenant, id, { oldPassword: null, newPassword: password })
    return labelledLines([["password", password]])
  }
  const change = verb === "role" ? { role: flags.get("role") as Role } : undefined
  return userTable([await users.update(tenant, id, change ?? { active: verb === "enable" })])
}

async function runKey(command: AccountCommand, deps: AccountCommandDeps): Promise<string> {
  const { verb, subject, flags } = command
  const { keys } = deps.accounts
  const tenant = tenantOf(command, deps)
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

/** Digits of a key's id that distinguish it from all others. */
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

/** Names and values in two columns. Secrets among them are printed only this once. */
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
