/** The mark and the name of the product. */

import { markLines } from "./mark.ts"
import style from "./product.module.css"
import { text } from "../text.ts"

export function Product() {
  return (
    <>
      <svg class={style["mark"]} viewBox="0 0 16 16" aria-hidden="true">
        <path d={markLines} />
      </svg>
      <span class={style["name"]}>{text.product}</span>
    </>
  )
}
