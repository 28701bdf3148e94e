/**
 * Sign-in links: a token that signs a user in once, without a password. The first start prints one,
 * and `tidegauge user link` and administrators make them, instead of set-up pages that are open to
 * all and of passwords in mails. Stored hashed; the token is the fragment of the address, which no
 * log contains.
 */

import type { Clock, ClockTrust } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import { signInLinksMax } from "../../base/limits/accounts.ts"
import type { Random } from "../../base/random.ts"
import type { DocumentStore } from "../../model/document.ts"
import { documentVersion, signInLinkKind, type SignInLinkDocument } from "../documents.ts"
import { isToken, newToken, secretId } from "../secret-token.ts"

export interface SignInLinksOptions {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly random: Random
  readonly trustsClock: ClockTrust
}

export class SignInLinks {
  private readonly options: SignInLinksOptions
  /** Links that are being used: two requests with one link sign in once. */
  private readonly inUse = new Set<string>()

  constructor(options: SignInLinksOptions) {
    this.options = options
  }

  /** Makes a link for a user, valid for `validMs`. Resolves when it is stored. */
  async create(email: string, validMs: number): Promise<string> {
    const { documents, clock, random } = this.options
    await this.removeExpired()
    const token = newToken(random)
    const expiresMs = clock.nowMs() + validMs
    const document: SignInLinkDocument = { version: documentVersion, email, expiresMs }
    await documents.put(signInLinkKind, secretId(token), document)
    return token
  }

  /** Uses up a link and returns its e-mail. Throws `unauthenticated` for one that is not valid. */
  async use(token: string): Promise<string> {
    const id = secretId(token)
    if (!isToken(token) || this.inUse.has(id)) throw notValid()
    this.inUse.add(id)
    try {
      const { documents, clock } = this.options
      const link = (await documents.get(signInLinkKind, id)) as
        SignInLinkDocument | null | undefined
      if (link === undefined || link === null) throw notValid()
      // It is removed later: the clock may be ahead.
      if (clock.nowMs() >= link.expiresMs) throw notValid()
      await documents.put(signInLinkKind, id, null)
      return link.email
    } finally {
      this.inUse.delete(id)
    }
  }

  /** Throws `overloaded` if too many links wait to be used. */
  private async removeExpired(): Promise<void> {
    const { documents, clock, trustsClock } = this.options
    const all = await documents.list(signInLinkKind)
    const nowMs = clock.nowMs()
    const expired = all.filter(
      ({ document }) => nowMs >= (document as SignInLinkDocument).expiresMs,
    )
    if (expired.length > 0 && (await trustsClock())) {
      await documents.putAll(
        expired.map(({ id }) => ({ kind: signInLinkKind, id, document: null })),
      )
    }
    if (all.length - expired.length < signInLinksMax) return
    throw new ServiceError("overloaded", `Expected at most ${signInLinksMax} unused sign-in links`)
  }
}

/** One sentence for every cause: an unknown, used and expired link look alike. */
function notValid(): ServiceError {
  return new ServiceError("unauthenticated", "The sign-in link is not valid, or no longer")
}
