/** A user as the API shows it (spec/accounts §5), and the bodies that make and change one. */

import * as v from "valibot"
import { constant, flag, listOf, mapOf, oneOf, orNull, record, text, uuid } from "../answer.ts"
import { wholeNumber, type Written } from "../answer.ts"
import { booleanValue, objectValue } from "../body.ts"
import { propertiesValue, readRecord } from "../records/fields.ts"

const roleNames = ["Administrator", "Power User", "Read Only"] as const
export type RoleName = (typeof roleNames)[number]

type TextMap = Readonly<Record<string, string | null>>

export interface UserView {
  readonly id: number
  readonly email: string
  readonly active: boolean
  readonly role: RoleName
  readonly properties: TextMap
  readonly customElementTypeIcons: TextMap
  readonly tenant: { readonly uuid: string; readonly name: string; readonly isActive: boolean }
  /** Of the last sign-in with a browser; absent before the first. */
  readonly lastSignInMs?: number
}

const propertiesRecord = mapOf(orNull(text))

export const userRecord = record({
  id: wholeNumber,
  email: text,
  realUser: orNull(text),
  active: flag,
  properties: propertiesRecord,
  tenantProperties: record({
    netuitiveAccountId: uuid,
    tenantType: text,
    tenantStatus: oneOf(["ACTIVE", "DISABLED"]),
    productIds: listOf(text),
    trialExpiresAt: orNull(text),
    name: text,
    datasourceTrialCountLimit: orNull(wholeNumber),
  }),
  customElementTypeIcons: propertiesRecord,
  roles: listOf(oneOf(roleNames)),
  administrator: flag,
  globalAdministrator: constant(false),
  globalReadOnly: constant(false),
  assumedIdentity: constant(false),
  assumedReadOnlyIdentity: constant(false),
  readOnly: flag,
  lastSignIn: orNull(wholeNumber),
})

/** This service has no trials, products or assumed identities, but clients need the fields. */
export function userDocument(user: UserView): Written<typeof userRecord> {
  const { id, email, active, role, properties, customElementTypeIcons, tenant } = user
  return {
    id,
    email,
    realUser: null,
    active,
    properties,
    tenantProperties: {
      netuitiveAccountId: tenant.uuid,
      tenantType: "CUSTOMER",
      tenantStatus: tenant.isActive ? "ACTIVE" : "DISABLED",
      productIds: ["monitoring"],
      trialExpiresAt: null,
      name: tenant.name,
      datasourceTrialCountLimit: null,
    },
    customElementTypeIcons,
    roles: [role],
    administrator: role === "Administrator",
    globalAdministrator: false,
    globalReadOnly: false,
    assumedIdentity: false,
    assumedReadOnlyIdentity: false,
    readOnly: role === "Read Only",
    lastSignIn: user.lastSignInMs ?? null,
  }
}

const flags = {
  administrator: v.nullish(booleanValue),
  readOnly: v.nullish(booleanValue),
}

/** Fields of the record, which clients send back. */
const alsoSent = [
  "id",
  "realUser",
  "lastSignIn",
  "tenantProperties",
  "globalAdministrator",
  "globalReadOnly",
]
const assumed = ["assumedIdentity", "assumedReadOnlyIdentity"]

const userEntries = {
  email: v.nullish(v.string()),
  password: v.nullish(v.string()),
  active: v.nullish(booleanValue),
  roles: v.nullish(v.array(v.picklist(roleNames, `one of ${roleNames.join(", ")}`))),
  properties: v.nullish(propertiesValue),
  customElementTypeIcons: v.nullish(propertiesValue),
  ...flags,
}
const userFields = objectValue(userEntries, [...alsoSent, ...assumed])

/** A wrapper with `user` and flags next to it, as the documented client sends it. */
export const userBody = objectValue({ user: userFields, ...flags })

/** Both may come as query parameters instead, as clients of the original send them. */
export const passwordBody = objectValue({
  oldPassword: v.nullish(v.string()),
  newPassword: v.nullish(v.string()),
})

export interface PasswordBody {
  readonly oldPassword?: string | null | undefined
  readonly newPassword?: string | null | undefined
}

/** Reads a change of a password; an absent body gives neither. Throws `invalid`. */
export function readPasswordBody(raw: unknown): PasswordBody {
  return readRecord(passwordBody, raw ?? {})
}

/** Properties of the user that calls. */
export const propertiesBody = objectValue({ properties: propertiesValue })

/** Reads a change of properties. Throws `invalid`. */
export function readProperties(raw: unknown): TextMap {
  return readRecord(propertiesBody, raw).properties
}

export interface UserFields {
  readonly email?: string
  readonly password?: string
  readonly active?: boolean
  readonly properties?: TextMap
  readonly customElementTypeIcons?: TextMap
}

export interface UserBody {
  readonly fields: UserFields
  /** The requested role, if it differs from `current`; else null. */
  roleOf(current: RoleName | null): RoleName | null
}

/** Reads a body; the user may also come without its wrapper. Throws `invalid`. */
export function readUserBody(raw: unknown): UserBody {
  const isWrapped = typeof raw === "object" && raw !== null && "user" in raw
  const { user, ...outer } = readRecord(userBody, isWrapped ? raw : { user: raw ?? {} })
  const { roles, administrator, readOnly, ...rest } = user
  const fields = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)
  const asked = {
    role: highestOf(roles ?? []),
    administrator: administrator ?? outer.administrator ?? null,
    readOnly: readOnly ?? outer.readOnly ?? null,
  }
  return { fields: Object.fromEntries(fields), roleOf: (current) => roleAsked(asked, current) }
}

/** The requested role, by `roles` and by the flags. */
interface RequestedRole {
  readonly role: RoleName | null
  readonly administrator: boolean | null
  readonly readOnly: boolean | null
}

/**
 * A body contains the role twice, and clients send back the whole document with one of the two
 * changed: the one that differs from the current role counts.
 */
function roleAsked(asked: RequestedRole, current: RoleName | null): RoleName | null {
  const byFlags = flagRole(asked, current)
  return asked.role !== null && asked.role !== current ? asked.role : byFlags
}

function flagRole(
  { administrator, readOnly }: RequestedRole,
  current: RoleName | null,
): RoleName | null {
  if (readOnly === true) return "Read Only"
  if (administrator === true) return "Administrator"
  // A user becomes an administrator by default.
  const isAdministrator = current === null || current === "Administrator"
  if (administrator === false && (readOnly === false || isAdministrator)) return "Power User"
  return readOnly === false && current === "Read Only" ? "Power User" : null
}

function highestOf(roles: readonly RoleName[]): RoleName | null {
  return roleNames.find((role) => roles.includes(role)) ?? null
}

export const featureUsageAnswer = record({
  featureUsage: record({
    id: wholeNumber,
    featuresUsed: mapOf(flag),
    configuredPercentage: wholeNumber,
  }),
})

export interface FeatureUsage {
  readonly id: number
  readonly used: readonly string[]
  readonly all: readonly string[]
}

/** Which features a user made use of, and how much of them all that is. */
export function featureUsageDocument({
  id,
  used,
  all,
}: FeatureUsage): Written<typeof featureUsageAnswer> {
  const featuresUsed = Object.fromEntries(all.map((feature) => [feature, used.includes(feature)]))
  const configuredPercentage = Math.round((100 * used.length) / all.length)
  return { featureUsage: { id, featuresUsed, configuredPercentage } }
}
