import { useEffect, useState } from "preact/hooks"
import { matchesMedia, onMedia } from "../platform/page.ts"

/** As `@media (max-width: 639px)` of the styles. */
export const phoneWindow = "(max-width: 639px)"

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchesMedia(query))
  useEffect(() => onMedia(query, setMatches), [query])
  return matches
}
