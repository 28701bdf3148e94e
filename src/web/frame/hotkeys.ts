/**
 * Keys: each part of a page registers its own, and the newest registration of a key wins, so that
 * a dialog's are in front of the page's. Single letters can be switched off (WCAG 2.1.4), and none
 * acts while something is typed or a dialog of another part is open.
 */

import { after } from "../platform/timers.ts"

export interface Hotkey {
  /** `t`, `?`, `g h` (one after the other), `mod+k` (Ctrl, or ⌘ on a Mac), `Escape`. */
  readonly keys: string
  /** For the overview. */
  readonly text: string
  readonly group: "everywhere" | "page" | "list" | "chart"
  readonly run: () => void
  /** Acts also while something is typed. */
  readonly whileTyping?: boolean
}

/** A second key counts as the end of a sequence within this time. */
const sequenceMs = 1_500

export class Hotkeys {
  private readonly registered: Hotkey[] = []
  private readonly areLettersOn: () => boolean
  private first: string | null = null
  private forget: () => void = () => {}

  constructor(areLettersOn: () => boolean) {
    this.areLettersOn = areLettersOn
  }

  /** All keys that act now, the newest first, for the overview. */
  get all(): readonly Hotkey[] {
    const seen = new Set<string>()
    return [...this.registered].reverse().filter(({ keys }) => {
      const isNew = !seen.has(keys)
      seen.add(keys)
      return isNew
    })
  }

  /** Registers keys until the returned function is called. */
  register(keys: readonly Hotkey[]): () => void {
    for (const key of keys) this.registered.push(key)
    return () => {
      for (const key of keys) this.registered.splice(this.registered.indexOf(key), 1)
    }
  }

  /** Listens on the window until the returned function is called. */
  listen(): () => void {
    const listener = (event: KeyboardEvent): void => this.press(event)
    window.addEventListener("keydown", listener)
    return () => window.removeEventListener("keydown", listener)
  }

  private press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return
    const key = keyOf(event)
    const isSingle = key.length === 1
    const isTyped = isTyping(event.target)
    if (isSingle && !this.areLettersOn()) return
    const sequence = this.first === null || isTyped ? null : `${this.first} ${key}`
    const hotkey = this.find(sequence, isTyped) ?? this.find(key, isTyped)
    this.forgetFirst()
    if (hotkey !== null) {
      event.preventDefault()
      hotkey.run()
    } else if (isSingle && !isTyped) this.remember(key)
  }

  private find(keys: string | null, isTyped: boolean): Hotkey | null {
    if (keys === null) return null
    const fits = (one: Hotkey) => one.keys === keys && (!isTyped || one.whileTyping === true)
    return this.registered.findLast(fits) ?? null
  }

  private remember(key: string): void {
    this.first = key
    this.forget = after(sequenceMs, () => this.forgetFirst())
  }

  private forgetFirst(): void {
    this.forget()
    this.first = null
  }
}

function keyOf(event: KeyboardEvent): string {
  const { key, ctrlKey, metaKey, altKey } = event
  // AltGr makes the brackets of many keyboards, and Windows reports it as Ctrl with Alt.
  if (event.getModifierState("AltGraph")) return key
  const isModified = ctrlKey || metaKey
  return `${isModified ? "mod+" : ""}${altKey ? "alt+" : ""}${isModified ? key.toLowerCase() : key}`
}

/** Fields take letters; in an open dialog the keys of the page behind it do not act. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest("[role=menu]") !== null) return true
  // A press between the controls of a dialog leaves the focus on the page.
  if (document.querySelector("dialog[open]") !== null) return true
  return target.matches(
    "textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=range])",
  )
}
