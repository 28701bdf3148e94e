/** The address bar as a signal, and the browser's history. Links inside the pages load no document. */

import { signal, type ReadonlySignal } from "@preact/signals"
import { basePath } from "./location.ts"

export interface Navigation {
  /** Path below /app/ with its query, without a leading slash: `explore?from=now-6h`. */
  readonly address: ReadonlySignal<string>
  /** Shows an address below /app/ as a new entry of the history. */
  push(address: string): void
  /** Shows an address instead of the present one, so that Back skips it. */
  replace(address: string): void
  back(): void
  /** A guard is asked before each change of the page; false keeps the page. One at a time. */
  setGuard(guard: ((address: string) => boolean) | null): void
  close(): void
}

/** Follows links and Back and Forward until it is closed. */
export function openNavigation(): Navigation {
  const base = basePath()
  const read = (): string => window.location.pathname.slice(base.length) + window.location.search
  const address = signal(read())
  let guard: ((address: string) => boolean) | null = null
  const isAllowed = (next: string): boolean => guard === null || guard(next)
  const go = (next: string, write: "pushState" | "replaceState"): void => {
    if (next === address.value || !isAllowed(next)) return
    window.history[write](null, "", base + next)
    address.value = next
  }
  const onClick = (event: MouseEvent): void => {
    const next = addressOfLink(event, base)
    if (next === null) return
    event.preventDefault()
    go(next, "pushState")
  }
  const onPop = (): void => {
    const next = read()
    if (isAllowed(next)) address.value = next
    else window.history.pushState(null, "", base + address.value)
  }
  const onUnload = (event: BeforeUnloadEvent): void => {
    if (guard !== null && !guard("")) event.preventDefault()
  }
  document.addEventListener("click", onClick)
  window.addEventListener("popstate", onPop)
  window.addEventListener("beforeunload", onUnload)
  return {
    address,
    push: (next) => go(next, "pushState"),
    replace: (next) => go(next, "replaceState"),
    back: () => window.history.back(),
    setGuard: (next) => {
      guard = next
    },
    close() {
      document.removeEventListener("click", onClick)
      window.removeEventListener("popstate", onPop)
      window.removeEventListener("beforeunload", onUnload)
    },
  }
}

/** The address of a plain click on a link to a page of ours; null if the browser should follow it. */
function addressOfLink(event: MouseEvent, base: string): string | null {
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  if (event.defaultPrevented || event.button !== 0 || !isPlain) return null
  const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement)
  if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download")) {
    return null
  }
  if (link.origin !== window.location.origin || !link.pathname.startsWith(base)) return null
  const isHere =
    link.pathname === window.location.pathname && link.search === window.location.search
  if (isHere && link.hash !== "") return null
  return link.pathname.slice(base.length) + link.search
}
