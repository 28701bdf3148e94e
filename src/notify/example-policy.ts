/** The policy that a test of a notification speaks of. */

import { defaultPolicy, type Policy } from "../model/records/policy.ts"

export const examplePolicy: Policy = {
  ...defaultPolicy,
  name: "Test of a notification",
  description: "Sent because somebody asked for a test",
}
