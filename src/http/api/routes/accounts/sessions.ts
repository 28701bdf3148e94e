/** Login sessions of browsers (spec/accounts §6): sign in, list, sign out. */

import type { Principal } from "../../../../accounts/accounts.ts"
import { addressGroup } from "../../../../accounts/address-group.ts"
import { invalid, ServiceError } from "../../../../base/errors.ts"
import { listOf, orNull, record, wholeNumber } from "../../../../wire/answer.ts"
import {
  readSessionBody,
  sessionBody,
  sessionDocument,
  sessionRecord,
  type SessionBody,
} from "../../../../wire/accounts/session-document.ts"
import { userRecord } from "../../../../wire/accounts/user-document.ts"
import {
  loginCookie,
  loginToken,
  removedCookie,
  requestHeader,
} from "../../../shared/login-cookie.ts"
import { pathParameter } from "../../../shared/parameters.ts"
import { json, jsonBody, noBody, noContent, ok, route } from "../../../shared/route.ts"
import type { Call, Handler, Reply, Route, RouteDeps } from "../../../shared/route.ts"
import { userDocumentOf, exampleUserRecord } from "./users.ts"

const section = "Users"

const exampleSession = sessionDocument(
  {
    id: "7d1f2a".padEnd(64, "0"),
    createdMs: 1_767_603_600_000,
    lastUsedMs: 1_767_607_200_000,
    idleMs: 28_800_000,
    endsMs: 1_767_690_000_000,
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0",
    address: "192.0.2.7",
  },
  "7d1f2a".padEnd(64, "0"),
)

const open: Handler = async (call, deps) => {
  if (call.request.headers.get(requestHeader) === null) {
    throw new ServiceError("forbidden", `Expected the header ${requestHeader}: 1`)
  }
  const body = readSessionBody(call.body)
  const principal = await principalOf(body, call, deps)
  const { sessions, users } = deps.accounts
  const { token, session } = await sessions.open({
    email: principal.user,
    remember: body.remember === true,
    userAgent: call.request.headers.get("user-agent") ?? "",
    address: addressGroup(call.remoteAddress),
  })
  await users.recordSignIn(principal)
  const cookie = loginCookie(token, body.remember === true ? session.endsMs - call.nowMs : null, {
    ...deps.cookieAddress,
  })
  const user = userDocumentOf(users.current(principal))
  return withCookie(json({ user, session: sessionDocument(session, session.id) }, 201), cookie)
}

/** Who signs in. Throws `unauthenticated` with one sentence for every cause. */
async function principalOf(
  { email, password, link }: SessionBody,
  call: Call,
  { accounts }: RouteDeps,
): Promise<Principal> {
  if (link !== undefined && link !== null) {
    const user = accounts.users.findInAnyTenant(await accounts.links.use(link))
    return { tenant: user.tenant, user: user.email, role: user.role }
  }
  if (email === undefined || email === null) throw invalid("email: expected a text, got nothing")
  if (password === undefined || password === null) {
    throw invalid("password: expected a text, got nothing")
  }
  return accounts.signIn(email, password, call.remoteAddress)
}

/** Public and never 401: every page asks it first, and browsers report a 401 as an error. */
const current: Handler = async ({ request, nowMs }, { accounts, cookieAddress }) => {
  const token = loginToken(request.headers.get("cookie") ?? undefined, cookieAddress)
  const found = token === null ? null : accounts.sessions.find(token)
  if (found === null) return json({ user: null, session: null, serverTime: nowMs })
  const { session, principal } = found
  const user = userDocumentOf(accounts.users.current(principal))
  return json({ user, session: sessionDocument(session, session.id), serverTime: nowMs })
}

const list: Handler = async ({ identity, session }, { accounts }) => {
  const own = accounts.sessions.list(identity!.user)
  return json({ sessions: own.map((one) => sessionDocument(one, session?.id ?? null)) })
}

const endCurrent: Handler = async ({ identity, session }, { accounts, cookieAddress }) => {
  if (session !== null) await accounts.sessions.end(identity!.user, session.id)
  return withCookie(noContent, removedCookie(cookieAddress))
}

const end: Handler = async ({ identity, path }, { accounts }) => {
  await accounts.sessions.end(identity!.user, path["id"]!)
  return noContent
}

const endOthers: Handler = async ({ identity, session }, { accounts }) => {
  await accounts.sessions.endOthers(identity!.user, session?.id ?? null)
  return noContent
}

function withCookie(reply: Reply, cookie: string): Reply {
  return { ...reply, headers: { ...reply.headers, "Set-Cookie": cookie } }
}

export const sessionRoutes: readonly Route[] = [
  route(section, "/sessions", {
    POST: {
      summary: "Sign in with a browser: sets the login cookie",
      access: "anyone",
      isSignIn: true,
      parameters: [
        {
          name: requestHeader,
          in: "header",
          description: "Any value: no page of another site can send it",
          example: "1",
        },
      ],
      body: jsonBody(
        `E-mail and password, or a sign-in link; with the header ${requestHeader}: 1`,
        sessionBody,
        { email: "louis.moore@example.org", password: "a password of 12 or more", remember: true },
      ),
      response: {
        status: 201,
        description: "The user and the session",
        schema: record({ user: userRecord, session: sessionRecord }),
        example: { user: exampleUserRecord, session: exampleSession },
      },
      handle: open,
    },
    GET: {
      summary: "Where the user is signed in",
      access: "reader",
      response: ok("The newest first", record({ sessions: listOf(sessionRecord) }), {
        sessions: [exampleSession],
      }),
      handle: list,
    },
    DELETE: {
      summary: "Sign out everywhere else",
      access: "reader",
      response: noBody(204, "Done"),
      handle: endOthers,
    },
  }),
  route(section, "/sessions/current", {
    GET: {
      summary: "Who is signed in with the login cookie",
      access: "anyone",
      response: ok(
        "The user and the session; null without a session",
        record({
          user: orNull(userRecord),
          session: orNull(sessionRecord),
          serverTime: wholeNumber,
        }),
        { user: exampleUserRecord, session: exampleSession, serverTime: 1_767_607_200_000 },
      ),
      handle: current,
    },
    DELETE: {
      summary: "Sign out: ends the session of the cookie and removes the cookie",
      access: "reader",
      response: noBody(204, "Done"),
      handle: endCurrent,
    },
  }),
  route(section, "/sessions/:id", {
    DELETE: {
      summary: "Sign out there",
      access: "reader",
      parameters: [pathParameter("id", "Id of one of the user's own sessions")],
      response: noBody(204, "Done"),
      mayMiss: true,
      handle: end,
    },
  }),
]
