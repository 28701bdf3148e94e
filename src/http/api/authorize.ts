/**
 * Authorize: who calls an operation, and whether the caller may. Basic credentials come first, then
 * the login cookie of a browser, whose changes need a header that no other site can send.
 *
 *   Authorization ─► Basic credentials ─► principal      cookie ─► login session ─► principal
 */

import type { IncomingMessage } from "node:http"
import type { Accounts, LoginSession, Principal } from "../../accounts/accounts.ts"
import { ServiceError } from "../../base/errors.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { AddressSource } from "../live/trusted-proxies.ts"
import type { ErrorResponse } from "../shared/errors.ts"
import { isLoopbackRequest } from "../shared/is-loopback.ts"
import type { LiveSettings, MetricsAccess } from "../shared/live-settings.ts"
import { loginToken, requestHeader, type CookieAddress } from "../shared/login-cookie.ts"
import { requireSameOrigin } from "../shared/origin.ts"
import type { Access, Operation } from "../shared/route.ts"
import type { AppContext } from "./send-reply.ts"

export interface AuthorizeDeps {
  readonly accounts: Pick<Accounts, "authenticate" | "grantOf" | "keyUses" | "sessions">
  readonly live: Pick<LiveSettings, "metricsAccess">
  readonly clientOf: (request: AddressSource) => string | undefined
  readonly cookieAddress: CookieAddress
}

/** The caller of a request; completed by `authorize`. */
export interface RequestCaller {
  identity: Principal | null
  /** Of the login cookie; null for Basic credentials. */
  session: LoginSession | null
  tenant: TenantIndex
}

/**
 * Refuses cross-site requests before credentials are checked, since browsers add credentials to
 * them. Paths with an API key use none, and services that call a webhook may send any header.
 */
export function refuseForeign(
  { access }: Operation,
  { req }: AppContext,
  { cookieAddress }: Pick<AuthorizeDeps, "cookieAddress">,
): void {
  if (access === "key" || isRead(req.method)) return
  const [site, origin, host] = ["sec-fetch-site", "origin", "host"].map((name) => req.header(name))
  requireSameOrigin({ site, origin, host }, cookieAddress)
}

/** Authenticates a request if its operation requires it. Throws if the caller lacks the right. */
export async function authorize(
  access: Access,
  { context, who }: { readonly context: AppContext; readonly who: RequestCaller },
  deps: AuthorizeDeps,
): Promise<void> {
  if (access === "anyone") return
  if (access === "local" && isOpen(deps.live.metricsAccess, context.env?.incoming)) return
  if (access === "key") {
    const grant = deps.accounts.grantOf(context.req.param("apiId") ?? "")
    if (grant === undefined) throw new ServiceError("forbidden", "The API key is not known")
    grant.limit?.chargePayload()
    deps.accounts.keyUses.note(grant.id)
    who.tenant = grant.tenant
    return
  }
  const identity = await identify(context, who, deps)
  who.identity = identity
  who.tenant = identity.tenant
  if (mayCall(identity, access)) return
  throw new ServiceError("forbidden", `The role ${identity.role} has no right to do this`)
}

async function identify(
  context: AppContext,
  who: RequestCaller,
  deps: AuthorizeDeps,
): Promise<Principal> {
  const { req, env } = context
  const authorization = req.header("authorization")
  const token =
    authorization === undefined ? loginToken(req.header("cookie"), deps.cookieAddress) : null
  const found = token === null ? null : deps.accounts.sessions.find(token)
  if (found !== null) {
    refuseWithoutHeader(context)
    who.session = found.session
    return found.principal
  }
  if (token !== null) throw new ServiceError("unauthenticated", "The session has ended")
  const address = env?.incoming === undefined ? undefined : deps.clientOf(env.incoming)
  return deps.accounts.authenticate(authorization, address)
}

/** A cookie authorizes a change only with the header that pages of this server send. */
function refuseWithoutHeader({ req }: AppContext): void {
  if (isRead(req.method) || req.header(requestHeader) !== undefined) return
  const problem = `Expected the header ${requestHeader}: 1 with the login cookie`
  throw new ServiceError("forbidden", problem)
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD"
}

/** Whether a page of ours calls, which has its own way to ask for credentials. */
export function isPageCall(
  { req }: AppContext,
  { cookieAddress }: Pick<AuthorizeDeps, "cookieAddress">,
): boolean {
  if (req.header(requestHeader) !== undefined) return true
  return loginToken(req.header("cookie"), cookieAddress) !== null
}

/** Without the challenge, for which a browser would show its own dialog. */
export function withoutChallenge(answer: ErrorResponse): ErrorResponse {
  const { "WWW-Authenticate": _challenge, ...headers } = answer.headers
  return { ...answer, headers }
}

function isOpen(access: MetricsAccess, incoming: IncomingMessage | undefined): boolean {
  return access === "all" || (access === "local" && isLoopbackRequest(incoming))
}

function mayCall({ role }: Principal, access: Access): boolean {
  if (access === "administrator") return role === "Administrator"
  return access !== "writer" || role !== "Read Only"
}
