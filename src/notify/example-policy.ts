/** The policy that a test of a notification speaks of. */

import { blankPolicy, type Policy } from "../model/records/policy.ts"

export const examplePolicy: Policy = {
  ...blankPolicy,
  name: "Test of a notification",
  description: "Sent because somebody asked for a test",
}
