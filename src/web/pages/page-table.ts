/**
 * All pages: address, place in the navigation, module. A page is loaded when it is first
 * shown; that of the sign-in is smaller than what its own file would cost.
 */

import type { FunctionComponent } from "preact"
import { lazyCode } from "../platform/code.ts"
import { matchPattern } from "../url/address.ts"
import { pageAddresses } from "./page-addresses.ts"
import * as signInPage from "./sign-in/sign-in-page.tsx"

export interface PageProps {
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string>>
}

export interface PageModule {
  readonly default: FunctionComponent<PageProps>
}

export interface PageEntry {
  readonly name: string
  readonly pattern: string
  /** Shown to people who are not signed in. */
  readonly isPublic?: true
  /** Shows a range of time. */
  readonly hasRange?: true
  readonly load: () => Promise<PageModule>
}

const pageTable: readonly PageEntry[] = [
  {
    name: "home",
    pattern: pageAddresses.home,
    load: lazyCode(() => import("./home/home-page.tsx")),
  },
  {
    name: "sign-in",
    pattern: pageAddresses["sign-in"],
    isPublic: true,
    load: () => Promise.resolve(signInPage),
  },
  {
    name: "welcome",
    pattern: pageAddresses.welcome,
    load: lazyCode(() => import("./welcome/welcome-page.tsx")),
  },
  {
    name: "alerts",
    pattern: pageAddresses.alerts,
    hasRange: true,
    load: lazyCode(() => import("./alerts/alerts-page.tsx")),
  },
  {
    name: "incident",
    pattern: pageAddresses.incident,
    load: lazyCode(() => import("./incident/incident-page.tsx")),
  },
  {
    name: "inventory",
    pattern: pageAddresses.inventory,
    hasRange: true,
    load: lazyCode(() => import("./inventory/inventory-page.tsx")),
  },
  {
    name: "element",
    pattern: pageAddresses.element,
    hasRange: true,
    load: lazyCode(() => import("./element/element-page.tsx")),
  },
  {
    name: "explore",
    pattern: pageAddresses.explore,
    hasRange: true,
    load: lazyCode(() => import("./explore/explore-page.tsx")),
  },
  {
    name: "events",
    pattern: pageAddresses.events,
    hasRange: true,
    load: lazyCode(() => import("./events/events-page.tsx")),
  },
  {
    name: "profile",
    pattern: pageAddresses.profile,
    load: lazyCode(() => import("./profile/profile-page.tsx")),
  },
]

export interface FoundPage {
  readonly page: PageEntry
  readonly params: PageProps["params"]
}

/** The page of a path, or null. */
export function findPage(segments: readonly string[]): FoundPage | null {
  for (const page of pageTable) {
    const params = matchPattern(page.pattern, segments)
    if (params !== null) return { page, params }
  }
  return null
}
