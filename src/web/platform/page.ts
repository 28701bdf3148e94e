/** Properties of the document as a whole: its title, its look, whether it is visible. */

export type Theme = "system" | "light" | "dark"
export type Density = "compact" | "normal" | "spacious"

export function setTitle(title: string): void {
  document.title = title
}

/** Sets the icon of the tab. */
export function setTabIcon(url: string): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]")
  if (link !== null) link.href = url
}

/** Sets theme and density, and keeps them for style/theme-before-paint.ts. */
export function setLook(theme: Theme, density: Density): void {
  const { dataset } = document.documentElement
  dataset["theme"] = theme
  dataset["density"] = density
}

/** Whether dark colours are shown. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  if (theme === "dark" || theme === "light") return theme === "dark"
  return window.matchMedia("(prefers-color-scheme: dark)").matches
}

/** Calls back when a media query begins or ceases to match; returns what ends that. */
export function onMedia(query: string, callback: (matches: boolean) => void): () => void {
  const list = window.matchMedia(query)
  const listener = (): void => callback(list.matches)
  list.addEventListener("change", listener)
  return () => list.removeEventListener("change", listener)
}

export function matchesMedia(query: string): boolean {
  return window.matchMedia(query).matches
}

/** Whether the tab is in sight, and the pointer rests on none of the elements of a selector. */
export function isIdle(selector: string): boolean {
  return !document.hidden && document.querySelector(`:is(${selector}):hover`) === null
}

/** Calls back when the tab is shown or hidden; returns what ends that. */
export function onVisibility(callback: (isVisible: boolean) => void): () => void {
  const listener = (): void => callback(!document.hidden)
  document.addEventListener("visibilitychange", listener)
  return () => document.removeEventListener("visibilitychange", listener)
}

/** Whether the browser is online and its user does not save data. */
export function maySpendData(): boolean {
  // Not all browsers have it.
  const { connection } = navigator as { readonly connection?: { readonly saveData: boolean } }
  return navigator.onLine && connection?.saveData !== true
}

/** Names of the files of the entry, as the page of the service has them. */
export function entryFiles(): string[] {
  const elements = document.head.querySelectorAll("[src^=main-], [href^=main-]")
  return [...elements].map((one) => one.getAttribute("src") ?? one.getAttribute("href")!)
}
