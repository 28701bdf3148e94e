/**
 * Sets the theme and the density before the first paint, so that a page never flashes in another
 * one. It runs as a script of its own that blocks the page, because modules run after the paint; so
 * it shares no code with them. `platform/preferences-cache.ts` writes what it reads.
 */

const { dataset } = document.documentElement
try {
  const kept: unknown = JSON.parse(localStorage.getItem("tidegauge.look") ?? "{}")
  if (typeof kept === "object" && kept !== null) {
    for (const name of ["theme", "density"]) {
      const value: unknown = Reflect.get(kept, name)
      if (typeof value === "string") dataset[name] = value
    }
  }
} catch {
  // Storage may be forbidden: the system's theme stays.
}
