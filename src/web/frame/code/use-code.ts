import type { Loaded } from "../loaded.ts"
import { useLoaded } from "../use-loaded.ts"
import { useDocumentReload } from "./use-document-reload.ts"

/**
 * As `useLoaded`, of a module: a browser keeps one that could not be loaded, so `reload` loads the
 * document again.
 */
export function useCode<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const reload = useDocumentReload()
  return { ...useLoaded(key, load), reload }
}
