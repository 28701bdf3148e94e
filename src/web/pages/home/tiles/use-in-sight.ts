/** Which tiles are in sight, by the FQN that each has as `data-fqn`. */

import { useEffect, useState } from "preact/hooks"

/** Below and above the window. */
const nearPixels = 200

/** `content` changes with the tiles. */
export function useInSight(
  holder: { readonly current: HTMLElement | null },
  content: unknown,
): ReadonlySet<string> {
  const [inSight, setInSight] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        setInSight((former) => {
          const next = new Set(former)
          for (const { target, isIntersecting } of entries) {
            const { fqn = "" } = (target as HTMLElement).dataset
            if (isIntersecting) next.add(fqn)
            else next.delete(fqn)
          }
          return next
        })
      },
      { rootMargin: `${nearPixels}px` },
    )
    const tiles = holder.current?.querySelectorAll("[data-fqn]") ?? []
    for (const tile of tiles) observer.observe(tile)
    return () => observer.disconnect()
  }, [content])
  return inSight
}
