/** The services that every page uses, made once in main.tsx and handed down by context. */

import type { Signal } from "@preact/signals"
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { ApiClient } from "../api/client.ts"
import type { ServerStatus, Silence } from "../api/overview/overview-answer.ts"
import type { Toasts } from "../parts/toasts.tsx"
import type { Navigation } from "../platform/history.ts"
import type { LoadedBuild } from "./code/loaded-build.ts"
import type { Hotkeys } from "./hotkeys.ts"
import type { LiveStream } from "./live/live-stream.ts"
import type { ServerContact } from "./live/server-contact.ts"
import type { OpenAlertCount } from "./live/count-alerts.ts"
import type { Preferences } from "./preferences.ts"
import type { Ranges } from "./range/ranges.ts"
import type { ServerClock } from "./server-clock.ts"
import type { Session } from "./session/session.ts"
import type { Loaded } from "./loaded.ts"

export interface App {
  readonly api: ApiClient
  readonly navigation: Navigation
  readonly preferences: Preferences
  readonly session: Session
  readonly clock: ServerClock
  readonly toasts: Toasts
  readonly hotkeys: Hotkeys
  readonly ranges: Ranges
  readonly live: LiveStream
  readonly contact: ServerContact
  /** Null if none is open, or it is not known yet. */
  readonly openAlerts: Signal<OpenAlertCount | null>
  /** Parts of all elements that fell silent; null before the first answer. */
  readonly silences: Signal<readonly Silence[] | null>
  /** Null before the first call. */
  readonly server: Signal<Loaded<ServerStatus> | null>
  readonly build: LoadedBuild
}

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error("Expected the services of main.tsx around every component")
  return app
}
