/** Position of a panel next to the control that opens it, within the window. */

/** In pixels of the window. */
export interface FloatBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface FloatPosition {
  readonly left: number
  readonly top: number
  /** A higher panel scrolls. */
  readonly heightMax: number
}

/** Whether the left or the right edges of panel and control are in line. */
export type FloatAlign = "start" | "end"

/** Between the control and the panel. */
const gap = 4
/** Between the panel and the edges of the window. */
const windowGap = 8
/** Of a panel that has less room: a line or two could not be used. */
const leastHeight = 96

/** Below the control, or above it if there is more room and it is needed; moved in from the sides. */
export function floatNextTo(
  anchor: FloatBox,
  panel: Pick<FloatBox, "width" | "height">,
  window: FloatBox,
  align: FloatAlign,
): FloatPosition {
  const under = anchor.top + anchor.height + gap
  const roomBelow = window.top + window.height - windowGap - under
  const roomAbove = anchor.top - gap - windowGap - window.top
  const isBelow = panel.height <= roomBelow || roomBelow >= roomAbove
  const heightMax = Math.max(leastHeight, isBelow ? roomBelow : roomAbove)
  const aligned = align === "start" ? anchor.left : anchor.left + anchor.width - panel.width
  const last = window.left + window.width - windowGap - panel.width
  return {
    left: Math.max(window.left + windowGap, Math.min(aligned, last)),
    top: isBelow ? under : anchor.top - gap - Math.min(panel.height, heightMax),
    heightMax,
  }
}
