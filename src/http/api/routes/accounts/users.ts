/** Users of the caller's account (spec/accounts §5). Administrators manage them. */

import { features, type User } from "../../../../accounts/accounts.ts"
import { invalid, ServiceError } from "../../../../base/errors.ts"
import { signInLinkMs } from "../../../../base/limits/accounts.ts"
import { record, text, wholeNumber } from "../../../../wire/answer.ts"
import {
  featureUsageAnswer,
  featureUsageDocument,
  passwordBody,
  propertiesBody,
  readPasswordBody,
  readProperties,
  readUserBody,
  userBody,
  userDocument,
  userRecord,
} from "../../../../wire/accounts/user-document.ts"
import { resourceRoutes } from "../../resource.ts"
import { idValue, pathParameter, queryParameter } from "../../../shared/parameters.ts"
import { json, jsonBody, ok, route } from "../../../shared/route.ts"
import type { Call, Handler, Route } from "../../../shared/route.ts"

const section = "Users"

const id = pathParameter("id", "Number of the user, as in its record", { value: idValue })

const exampleUser = {
  email: "louis.moore@example.org",
  password: "a password of 12 or more",
  active: true,
  roles: ["Power User"],
  properties: { theme: "dark", landingPage: "dashboards" },
}
export const exampleUserRecord = userDocument({
  ...exampleUser,
  id: 2,
  role: "Power User",
  customElementTypeIcons: {},
  tenant: { uuid: "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10", name: "Tidegauge", isActive: true },
})

const current: Handler = async (call, { accounts }) =>
  json({ user: userDocumentOf(accounts.users.current(call.identity!)) })

const featureUsage: Handler = async (call, { accounts }) => {
  const user = accounts.users.get(call.tenant, idOf(call))
  checkOwn(call, user)
  return json(featureUsageDocument({ id: user.id, used: user.featuresUsed, all: features }))
}

const password: Handler = async (call, { accounts }) => {
  const user = accounts.users.get(call.tenant, idOf(call))
  const isOwn = checkOwn(call, user)
  const body = readPasswordBody(call.body)
  const newPassword = body.newPassword ?? call.query["newPassword"]?.[0]
  const oldPassword = body.oldPassword ?? call.query["oldPassword"]?.[0]
  if (newPassword === undefined) throw invalid("newPassword: expected a password, got nothing")
  if (isOwn && oldPassword === undefined) {
    throw invalid("oldPassword: expected the user's password, got nothing")
  }
  const { remoteAddress } = call
  const change = { oldPassword: isOwn ? oldPassword! : null, newPassword, remoteAddress }
  const kept = isOwn ? (call.session?.id ?? null) : null
  // All other sessions of the user end with the old password.
  const changed = await accounts.sessions.keepThrough(kept, () =>
    accounts.users.changePassword(call.tenant, user.id, change),
  )
  return json({ user: userDocumentOf(changed) })
}

const properties: Handler = async ({ identity, body }, { accounts }) =>
  json({
    user: userDocumentOf(await accounts.users.setProperties(identity!, readProperties(body))),
  })

const link: Handler = async (call, { accounts }) => {
  const { email } = accounts.users.get(call.tenant, idOf(call))
  const token = await accounts.links.create(email, signInLinkMs)
  return json({ link: token, expires: call.nowMs + signInLinkMs }, 201)
}

export function userDocumentOf({ owner, ...user }: User) {
  const { uuid, document } = owner
  const isActive = (document.state ?? "active") === "active"
  return userDocument({ ...user, tenant: { uuid, name: document.name ?? "", isActive } })
}

/** At most 15 digits, so that the number is exact; no user has a longer id. */
function idOf({ path }: Call): number {
  const text = path["id"]!
  if (!/^\d{1,15}$/.test(text)) {
    throw invalid(`id: expected a whole number, got "${text.slice(0, 80)}"`)
  }
  return Number(text)
}

/**
 * Returns true for the caller's own record and false for an administrator who reads another's.
 * Throws `forbidden` for anyone else.
 */
function checkOwn({ identity }: Call, user: User): boolean {
  if (identity!.user === user.email) return true
  if (identity!.role === "Administrator") return false
  throw new ServiceError("forbidden", `The role ${identity!.role} sees its own record only`)
}

const userDescription = "The user, without a password"
const oneUser = ok(userDescription, record({ user: userRecord }), { user: exampleUserRecord })

const [listRoute, recordRoute] = resourceRoutes({
  path: "/users",
  section,
  id,
  names: ["user", "users"],
  schema: userRecord,
  example: exampleUserRecord,
  list: {
    summary: "All users of the account",
    access: "administrator",
    returns: "By id",
    run: async ({ tenant }, { accounts }) => accounts.users.list(tenant).map(userDocumentOf),
  },
  create: {
    summary: "Create a user; an administrator unless roles or flags say otherwise",
    access: "administrator",
    body: jsonBody("The user in a wrapper", userBody, { user: exampleUser }),
    returns: userDescription,
    run: async ({ tenant, body }, { accounts }) => {
      const { fields, roleOf } = readUserBody(body)
      const { email, password, ...rest } = fields
      if (email === undefined) throw invalid("user.email: expected an e-mail address, got nothing")
      if (password === undefined) throw invalid("user.password: expected a password, got nothing")
      const role = roleOf(null) ?? "Administrator"
      return userDocumentOf(await accounts.users.create(tenant, { ...rest, email, password, role }))
    },
  },
  get: {
    summary: "One user: oneself, or any for an administrator",
    returns: userDescription,
    run: async (call, { accounts }) => {
      const user = accounts.users.get(call.tenant, idOf(call))
      checkOwn(call, user)
      return userDocumentOf(user)
    },
  },
  change: {
    summary: "Change what is given; properties are merged",
    access: "administrator",
    body: jsonBody("The user in a wrapper", userBody, {
      user: { active: true, properties: { theme: "light" } },
    }),
    returns: userDescription,
    run: async (call, { accounts }) => {
      const { users } = accounts
      const { fields, roleOf } = readUserBody(call.body)
      const former = users.get(call.tenant, idOf(call))
      const role = roleOf(former.role)
      const changed = role === null ? fields : { ...fields, role }
      return userDocumentOf(await users.update(call.tenant, former.id, changed))
    },
  },
  remove: {
    summary: "Delete a user; the last active administrator stays",
    access: "administrator",
    returns: "Done",
    run: (call, { accounts }) => accounts.users.remove(call.tenant, idOf(call)),
  },
})

export const userRoutes: readonly Route[] = [
  listRoute,
  route(section, "/users/current", {
    GET: { summary: "Who asks", access: "reader", response: oneUser, handle: current },
  }),
  route(section, "/users/current/properties", {
    PUT: {
      summary: "Change one's own properties: those given are merged",
      access: "reader",
      body: jsonBody("Properties that pages keep for the user, 64 KiB in all", propertiesBody, {
        properties: { theme: "dark", zone: "Europe/Zurich", landingPage: "explore" },
      }),
      response: oneUser,
      handle: properties,
    },
  }),
  recordRoute,
  route(section, "/users/:id/link", {
    POST: {
      summary: "Make a link that signs a user in once, within an hour",
      access: "administrator",
      parameters: [id],
      response: {
        status: 201,
        description: "The token, returned once: the fragment of /app/sign-in",
        schema: record({ link: text, expires: wholeNumber }),
        example: { link: "3q2-7w".padEnd(43, "0"), expires: 1_767_607_200_000 },
      },
      handle: link,
    },
  }),
  route(section, "/users/:id/featureusage", {
    GET: {
      summary: "What of the service the user has made use of",
      access: "reader",
      parameters: [id],
      response: ok(
        "Each feature, and the share of all",
        featureUsageAnswer,
        featureUsageDocument({ id: 2, used: ["createdPolicy"], all: features }),
      ),
      handle: featureUsage,
    },
  }),
  route(section, "/users/:id/password", {
    POST: {
      summary: "Change one's own password, or any user's for an administrator",
      access: "reader",
      body: jsonBody(
        "Instead of the parameters, which proxies write into their logs",
        passwordBody,
        { oldPassword: "the password of before", newPassword: "the password from now on" },
      ),
      parameters: [
        id,
        queryParameter("oldPassword", "Needed for one's own password; better in the body"),
        queryParameter(
          "newPassword",
          "12 to 1024 characters, none of the commonest; better in the body",
        ),
      ],
      response: oneUser,
      handle: password,
    },
  }),
]
