/** In which colours and widths a page is checked by axe-core. */

import { sized } from "../run/sizes.ts"

interface PageLook {
  readonly scheme: "light" | "dark"
  /** Of the window, in pixels. */
  readonly width: number
}

const inBoth = (width: number): PageLook[] => [
  { scheme: "light", width },
  { scheme: "dark", width },
]

/** Both schemes, a desk and a phone with touch; the long size has every combination, and a large window. */
export const looks = sized<readonly PageLook[]>({
  quick: [
    { scheme: "light", width: 1280 },
    { scheme: "dark", width: 390 },
  ],
  long: [390, 1280, 1920].flatMap(inBoth),
})
