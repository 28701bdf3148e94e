/** Service tags by which users put an element in maintenance mode (spec/policies §9). */

/** "true" while the element is in maintenance. */
export const maintenanceStateTag = "n.state.maintenance"
/** Its end in epoch milliseconds, or "-1" for never. */
export const maintenanceEndTag = "n.state.maintenance_end"
