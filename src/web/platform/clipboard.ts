/**
 * Copies text. Plain HTTP beyond localhost is no secure context and has no Clipboard API: there the
 * text is selected in a field and copied by the old command, which some browsers refuse.
 */

/** Returns false if the browser does not let the page copy; the text then has to be selected. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // Not permitted: the old command may be.
    }
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const opener = document.activeElement
  const field = document.createElement("textarea")
  field.value = text
  field.setAttribute("readonly", "")
  field.className = "visually-hidden"
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand("copy")
  field.remove()
  if (opener instanceof HTMLElement) opener.focus()
  return isCopied
}
