/** Dashboards and widgets as the API shows them (field-facts §8). */

import { formatInstantSeconds } from "../../base/iso8601.ts"
import type { Properties } from "./fields.ts"

/** What a person says about a dashboard, and who did. */
export interface Dashboard {
  readonly userId: number | null
  readonly creatorEmail: string
  readonly name: string
  readonly description: string | null
  readonly layout: string | null
  readonly properties: Properties
  /** "DEFAULT", an element type, or null. */
  readonly type: string | null
  /** Tells dashboards of one element type apart; null for the plain one. */
  readonly variant: string | null
  /** Seen by who made it and by administrators only. */
  readonly private: boolean
}

export interface Widget {
  readonly dashboardId: string
  readonly userId: number | null
  readonly name: string | null
  readonly description: string | null
  readonly widgetType: string
  readonly properties: Properties
  /** Its place among the widgets that were made at the same moment. */
  readonly position: number
}

/** A record with the times that the collection keeps. */
export interface Timed<Body> {
  readonly id: string
  readonly createdMs: number
  readonly updatedMs: number
  readonly body: Body
}

export function dashboardDocument(
  { id, createdMs, updatedMs, body }: Timed<Dashboard>,
  widgets: readonly Timed<Widget>[],
): Record<string, unknown> {
  return {
    id,
    userId: body.userId,
    name: body.name,
    description: body.description,
    layout: body.layout,
    creatorEmail: body.creatorEmail,
    created: formatInstantSeconds(createdMs),
    updated: formatInstantSeconds(updatedMs),
    widgets: widgets.map(widgetDocument),
    properties: body.properties,
    type: body.type,
    private: body.private,
    // Real records have none; those of packages may (field-facts §11).
    ...(body.variant === null ? {} : { variant: body.variant }),
  }
}

export function widgetDocument(widget: Timed<Widget>): Record<string, unknown> {
  const { id, createdMs, updatedMs, body } = widget
  return {
    id,
    dashboardId: body.dashboardId,
    userId: body.userId,
    name: body.name,
    description: body.description,
    widgetType: body.widgetType,
    created: formatInstantSeconds(createdMs),
    updated: formatInstantSeconds(updatedMs),
    properties: body.properties,
    // Always false, whatever was sent: nothing here makes widgets by itself.
    generated: false,
  }
}
