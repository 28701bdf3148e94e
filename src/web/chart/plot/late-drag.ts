/** A press that becomes a drag only once it moves: as long as it does not, a link is pressed. */

/** CSS pixels, of plots and strips alike. */
export const dragMin = 5

/** Calls back at the first move of the left or right that is one, before others see it. */
export function onceDragged(press: MouseEvent, ends: AbortSignal, onDrag: () => void): void {
  const end = new AbortController()
  const options = { signal: AbortSignal.any([end.signal, ends]), capture: true }
  const move = (event: MouseEvent): void => {
    if (Math.abs(event.clientX - press.clientX) < dragMin) return
    end.abort()
    onDrag()
  }
  document.addEventListener("mousemove", move, options)
  document.addEventListener("mouseup", () => end.abort(), options)
}
