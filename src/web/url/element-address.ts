/** The address of the page of an element. */

import { printAddress } from "./address.ts"

export function elementAddress(elementFqn: string): string {
  return printAddress(["elements", elementFqn])
}
