/** The address of the page of an incident. */

import { printAddress } from "./address.ts"

export function incidentAddress(incidentId: string): string {
  return printAddress(["incidents", incidentId])
}
