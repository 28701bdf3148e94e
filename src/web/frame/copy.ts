/** Copies a text, and tells in a toast whether the browser let the page do it. */

import type { Toasts } from "../parts/toasts.tsx"
import { copyText } from "../platform/clipboard.ts"

export async function copyAndTell(
  toasts: Toasts,
  copied: string,
  words: { readonly done: string; readonly failed: string },
): Promise<void> {
  const isCopied = await copyText(copied)
  toasts.show(isCopied ? words.done : words.failed, isCopied ? "done" : "error")
}
