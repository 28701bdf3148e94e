/** Texts kept in the browser. Storage may be forbidden or full: then nothing is kept, and no error. */

const prefix = "tidegauge."

export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name)
  } catch {
    return null
  }
}

/** Keeps a text until the browser forgets it; null removes it. */
export function keep(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, text)
  } catch {
    // Every kept text is a convenience.
  }
}
