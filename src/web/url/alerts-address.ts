/** The address of a list of single alerts of a policy: the open ones, or all of 30 days. */

import { printAddress } from "./address.ts"

export function alertsOfPolicy(policyId: string, state: "open" | "all"): string {
  const query = new URLSearchParams({ group: "time", policy: policyId })
  if (state === "all") {
    query.set("state", state)
    query.set("from", "now-30d")
  }
  return printAddress(["alerts"], query)
}
