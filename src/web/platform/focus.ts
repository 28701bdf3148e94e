/** Where the focus goes when a dialog opens or closes, and when what has it goes away. */

/** The wanted ones first: what the content marks, what is typed into, any other control. */
const controls = [
  "[autofocus]",
  "input:not([readonly], [type=checkbox], [type=radio]), textarea:not([readonly]), select",
  "input, button, a[href]",
]

/** Focuses the most wanted control of a part of the page; false if it has none. */
export function focusFirst(part: HTMLElement): boolean {
  const found = controls.flatMap((one) => [...part.querySelectorAll<HTMLElement>(one)])
  return found.some((control) => {
    control.focus()
    return document.activeElement === control
  })
}

/**
 * Focuses the first control of the content of a dialog that was opened. If that arrives later, it
 * gets the focus then, unless the user has gone on; if the control with the focus goes away, a
 * neighbour gets it. Returns what ends this.
 */
export function keepFocus(dialog: HTMLElement, content: HTMLElement): () => void {
  /** Has the focus for want of a control in the content. */
  let standIn: Element | null = null
  let last: Element | null = null
  const give = (part: HTMLElement): void => {
    const isGiven = focusFirst(part) || focusFirst(content)
    if (!isGiven) focusFirst(dialog)
    standIn = isGiven ? null : document.activeElement
  }
  const note = ({ target }: FocusEvent): void => {
    last = target as Element
  }
  const observer = new MutationObserver((changes) => {
    const active = document.activeElement
    if (active !== standIn && active !== document.body) return
    const holder = changes.find(({ removedNodes }) =>
      [...removedNodes].some((node) => node.contains(last)),
    )?.target
    give(holder instanceof HTMLElement ? holder : content)
  })
  content.addEventListener("focusin", note)
  give(content)
  observer.observe(content, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** If what had the focus is gone, the heading of the page has it, and not nothing. */
export function restoreFocus(): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true })
}
