/** The address of a list of single alerts: the open ones of a policy, or all of it. */

import { printAddress } from "./address.ts"

export function alertsOfPolicy(policyId: string, state: "open" | "all"): string {
  const query = new URLSearchParams({ group: "time", policy: policyId })
  if (state === "all") query.set("state", state)
  return printAddress(["alerts"], query)
}
