/** Who is signed in. Signing out elsewhere, or an expiry, shows a dialog over the page. */

import { signal, type ReadonlySignal } from "@preact/signals"
import type { ApiClient } from "../../api/client.ts"
import { currentSession, signIn, signOut } from "../../api/users.ts"
import type { Credentials, LoginSession, User } from "../../api/users.ts"
import type { Preferences } from "../preferences.ts"
import type { ServerClock } from "../server-clock.ts"

export type SessionState =
  | { readonly kind: "unknown" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "signed-in"; readonly user: User }
  /** The page goes on behind a dialog, with what was typed, until the same user signs in again. */
  | { readonly kind: "expired"; readonly user: User }

export class Session {
  private readonly current = signal<SessionState>({ kind: "unknown" })
  private readonly currentLogin = signal<LoginSession | null>(null)
  private readonly api: ApiClient
  private readonly preferences: Preferences
  private readonly clock: ServerClock

  constructor(api: ApiClient, preferences: Preferences, clock: ServerClock) {
    this.api = api
    this.preferences = preferences
    this.clock = clock
    api.signedOutCount.subscribe(() => this.expire())
  }

  get state(): ReadonlySignal<SessionState> {
    return this.current
  }

  /** Of this browser; null without one. */
  get login(): ReadonlySignal<LoginSession | null> {
    return this.currentLogin
  }

  /** The signed-in user; null before it is known, and without a session. */
  get user(): User | null {
    const state = this.current.value
    return state.kind === "signed-in" || state.kind === "expired" ? state.user : null
  }

  /** Asks who is signed in. Throws as the API client does. */
  async load(abort: AbortSignal): Promise<void> {
    const { user, session, serverTime } = await currentSession(this.api, abort)
    this.clock.set(serverTime)
    this.currentLogin.value = session
    if (user !== null) this.enter(user)
    else this.current.value = { kind: "signed-out" }
  }

  async signIn(credentials: Credentials): Promise<void> {
    const { user, session } = await signIn(this.api, credentials)
    this.currentLogin.value = session
    this.enter(user)
  }

  async signOut(): Promise<void> {
    await signOut(this.api)
    this.currentLogin.value = null
    this.current.value = { kind: "signed-out" }
  }

  /** Asks again when the session ends: another tab may have signed in meanwhile. */
  async readLogin(abort: AbortSignal): Promise<void> {
    const { session } = await currentSession(this.api, abort)
    if (session !== null) this.currentLogin.value = session
  }

  /** Takes over a changed record of the user. */
  enter(user: User): void {
    this.preferences.adopt(user)
    this.current.value = { kind: "signed-in", user }
  }

  private expire(): void {
    const state = this.current.peek()
    if (state.kind === "signed-in") this.current.value = { kind: "expired", user: state.user }
  }
}

export function mayWrite(user: User | null): boolean {
  return user !== null && !user.roles.includes("Read Only")
}
