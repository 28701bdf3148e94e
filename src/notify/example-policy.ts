/** The policy that a test of a notification speaks of. */

import { openScope, type Policy } from "../model/policy.ts"

export const examplePolicy: Policy = {
  name: "Test of a notification",
  description: "Sent because somebody asked for a test",
  scope: openScope,
  duration: 300,
  anyCondition: false,
  conditions: [],
  eventConditions: [],
  checkCondition: null,
  actions: [],
  enabled: true,
  deleted: false,
  creatorEmail: null,
}
