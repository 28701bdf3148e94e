import { useApp } from "../app.ts"
import { text } from "./text.ts"

/** Loads the document again if the server answers; a message says if it does not. */
export function useDocumentReload(): () => void {
  const { build, toasts } = useApp()
  return () => {
    void build.reload().then((isThere) => {
      if (!isThere) toasts.show(text.noAnswer)
    })
  }
}
