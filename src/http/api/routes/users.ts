/** Users of the caller's account (spec/accounts §5). Administrators manage them. */

import { features, type User } from "../../../accounts/accounts.ts"
import { invalid, ServiceError } from "../../../base/errors.ts"
import { listOf, record } from "../../../wire/answer.ts"
import {
  featureUsageAnswer,
  featureUsageDocument,
  passwordBody,
  readPasswordBody,
  readUserBody,
  userBody,
  userDocument,
  userRecord,
} from "../../../wire/records/user-document.ts"
import {
  json,
  noBody,
  noContent,
  type Call,
  type Handler,
  type Parameter,
  type Route,
} from "../../shared/route.ts"
import { idValue } from "../../shared/values.ts"

const section = "Users"

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "Number of the user, as in its record",
  value: idValue,
}

const exampleUser = {
  email: "louis.lane@example.org",
  password: "a password of 12 or more",
  active: true,
  roles: ["Power User"],
  properties: { theme: "dark", landingPage: "dashboards" },
}
const exampleRecord = userDocument({
  ...exampleUser,
  id: 2,
  role: "Power User",
  customElementTypeIcons: {},
  tenant: { uuid: "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10", name: "Tidegauge", isActive: true },
})

const list: Handler = async ({ tenant }, { accounts }) =>
  json({ users: accounts.users.list(tenant).map(documentOf) })

const create: Handler = async ({ tenant, body }, { accounts }) => {
  const { fields, roleOf } = readUserBody(body)
  const { email, password, ...rest } = fields
  if (email === undefined) throw invalid("user.email: expected an e-mail address, got nothing")
  if (password === undefined) throw invalid("user.password: expected a password, got nothing")
  const role = roleOf(null) ?? "Administrator"
  return answered(await accounts.users.create(tenant, { ...rest, email, password, role }))
}

const current: Handler = async (call, { accounts }) =>
  answered(accounts.users.current(call.identity!))

const get: Handler = async (call, { accounts }) => {
  const user = accounts.users.get(call.tenant, idOf(call))
  checkOwn(call, user)
  return answered(user)
}

const update: Handler = async (call, { accounts }) => {
  const { users } = accounts
  const { fields, roleOf } = readUserBody(call.body)
  const former = users.get(call.tenant, idOf(call))
  const role = roleOf(former.role)
  const changed = role === null ? fields : { ...fields, role }
  return answered(await users.update(call.tenant, former.id, changed))
}

const remove: Handler = async (call, { accounts }) => {
  await accounts.users.remove(call.tenant, idOf(call))
  return noContent
}

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
  const remoteAddress = call.incoming?.socket.remoteAddress
  const change = { oldPassword: isOwn ? oldPassword! : null, newPassword, remoteAddress }
  return answered(await accounts.users.changePassword(call.tenant, user.id, change))
}

function answered(user: User) {
  return json({ user: documentOf(user) })
}

function documentOf({ owner, ...user }: User) {
  const { uuid, document } = owner
  const isActive = (document.state ?? "active") === "active"
  return userDocument({ ...user, tenant: { uuid, name: document.name ?? "", isActive } })
}

/** Above it a number is not exact; nobody has an id as high. */
function idOf({ path }: Call): number {
  const text = path["id"]!
  if (!/^\d{1,15}$/.test(text)) {
    throw invalid(`id: expected a whole number, got "${text.slice(0, 80)}"`)
  }
  return Number(text)
}

/** True for the caller's own record; throws `forbidden` for another's, unless an administrator asks. */
function checkOwn({ identity }: Call, user: User): boolean {
  if (identity!.user === user.email) return true
  if (identity!.role === "Administrator") return false
  throw new ServiceError("forbidden", `The role ${identity!.role} sees its own record only`)
}

const oneUser = {
  status: 200,
  description: "The user; passwords are never told",
  schema: record({ user: userRecord }),
  example: { user: exampleRecord },
}
const userExample = { description: "The user in a wrapper", schema: userBody }

export const userRoutes: readonly Route[] = [
  {
    path: "/users",
    section,
    operations: {
      GET: {
        summary: "All users of the account",
        access: "administrator",
        response: {
          status: 200,
          description: "By id",
          schema: record({ users: listOf(userRecord) }),
          example: { users: [exampleRecord] },
        },
        handle: list,
      },
      POST: {
        summary: "Create a user; an administrator where neither roles nor flags say otherwise",
        access: "administrator",
        body: { kind: "json", ...userExample, example: { user: exampleUser } },
        response: oneUser,
        handle: create,
      },
    },
  },
  {
    path: "/users/current",
    section,
    operations: {
      GET: { summary: "Who asks", access: "reader", response: oneUser, handle: current },
    },
  },
  {
    path: "/users/:id",
    section,
    operations: {
      GET: {
        summary: "One user: oneself, or any for an administrator",
        access: "reader",
        parameters: [idParameter],
        response: oneUser,
        handle: get,
      },
      PUT: {
        summary: "Change what is given; properties are merged",
        access: "administrator",
        parameters: [idParameter],
        body: {
          kind: "json",
          ...userExample,
          example: { user: { active: true, properties: { theme: "light" } } },
        },
        response: oneUser,
        handle: update,
      },
      DELETE: {
        summary: "Delete a user; the last active administrator stays",
        access: "administrator",
        parameters: [idParameter],
        response: noBody(204, "Done"),
        handle: remove,
      },
    },
  },
  {
    path: "/users/:id/featureusage",
    section,
    operations: {
      GET: {
        summary: "What of the service the user has made use of",
        access: "reader",
        parameters: [idParameter],
        response: {
          status: 200,
          description: "Each feature, and the share of all",
          schema: featureUsageAnswer,
          example: featureUsageDocument({ id: 2, used: ["createdPolicy"], all: features }),
        },
        handle: featureUsage,
      },
    },
  },
  {
    path: "/users/:id/password",
    section,
    operations: {
      POST: {
        summary: "Change one's own password, or anybody's for an administrator",
        access: "reader",
        body: {
          kind: "json",
          description: "Instead of the parameters, which proxies write into their logs",
          schema: passwordBody,
          example: {
            oldPassword: "the password of before",
            newPassword: "the password from now on",
          },
        },
        parameters: [
          idParameter,
          {
            name: "oldPassword",
            in: "query",
            description: "Needed for one's own password; better in the body",
          },
          {
            name: "newPassword",
            in: "query",
            description: "12 to 1024 characters, none of the commonest; better in the body",
          },
        ],
        response: oneUser,
        handle: password,
      },
    },
  },
]
