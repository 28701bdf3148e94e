/** Address bar and history, as paths and queries below the base of the page. */

/** The path of `<base>`, which ends in `/app/`; all addresses of pages and API are made from it. */
export function basePath(): string {
  return new URL(document.baseURI).pathname
}

/** The path of the service without `/app/`: empty, or that of a proxy without its last slash. */
export function servicePath(): string {
  return basePath().replace(/\/app\/$/, "")
}

/** Where this page came from, with the path of a proxy, without a slash at the end. */
export function serviceUrl(): string {
  return window.location.origin + servicePath()
}

/** Path with query of the page that is shown. */
function currentAddress(): string {
  return window.location.pathname + window.location.search
}

/** Returns the fragment and removes it from the address bar: it may be a secret. */
export function takeFragment(): string {
  const fragment = window.location.hash.slice(1)
  if (fragment !== "") window.history.replaceState(window.history.state, "", currentAddress())
  return fragment
}

/**
 * Calls back when a link is opened that differs by its fragment alone, such as one that is pasted
 * into the address bar: the page stays. Returns what ends it.
 */
export function onFragment(callback: () => void): () => void {
  window.addEventListener("hashchange", callback)
  return () => window.removeEventListener("hashchange", callback)
}

export function fullUrl(): string {
  return window.location.href
}

/** Opens a page of the service in another tab, which cannot reach this one. */
export function openTab(url: string): void {
  window.open(url, "_blank", "noopener,noreferrer")
}

export function reload(): void {
  window.location.reload()
}

/** Whether the page came over plain HTTP from another machine. */
export function isPlainRemote(): boolean {
  return window.location.protocol === "http:" && !window.isSecureContext
}
