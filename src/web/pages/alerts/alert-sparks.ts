/** Courses of alerts: of the value that their condition compared. */

import type { ListedIncident } from "../../api/incident/listed.ts"

/** The condition of most policies holds for minutes. */
export const alertSparkMs = 3 * 3_600_000

/** Alerts of events and checks have none. */
export function comparedSeries({ elementFqn, compared: [first] }: ListedIncident) {
  return first === undefined ? null : { elementId: elementFqn, metricId: first.metricFqn }
}
