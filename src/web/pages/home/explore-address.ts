/** The address of the page that shows the metrics of one element. */

import { printAddress } from "../../url/address.ts"

export function exploreAddress(elementFqn: string): string {
  return printAddress(["explore"], new URLSearchParams({ f: `fqn:"${elementFqn}"` }))
}
