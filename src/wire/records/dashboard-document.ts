/** Dashboards and widgets as the API shows them (spec/records §1, spec/records §2). */

import { formatInstantSeconds } from "../../base/iso8601.ts"
import { flag, instant, listOf, mapOf, optional, orNull, record, described } from "../answer.ts"
import { text, uuid, wholeNumber, type Written } from "../answer.ts"
import type { Properties } from "./fields.ts"

/** The content of a dashboard, and its creator. */
export interface Dashboard {
  readonly userId: number | null
  readonly creatorEmail: string
  readonly name: string
  readonly description: string | null
  readonly layout: string | null
  readonly properties: Properties
  /** "DEFAULT", an element type, or null. */
  readonly type: string | null
  /** Distinguishes dashboards of one element type; null for the plain one. */
  readonly variant: string | null
  /** Visible to its creator and to administrators only. */
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

const propertiesRecord = described(mapOf(orNull(text)), "Every value is kept as a text")

export const widgetRecord = record({
  id: uuid,
  dashboardId: uuid,
  userId: orNull(wholeNumber),
  name: orNull(text),
  description: orNull(text),
  widgetType: text,
  created: instant,
  updated: instant,
  properties: propertiesRecord,
  generated: flag,
})

const dashboardEntries = {
  id: uuid,
  userId: orNull(wholeNumber),
  name: text,
  description: orNull(text),
  layout: orNull(text),
  creatorEmail: text,
  created: instant,
  updated: instant,
  widgets: described(listOf(widgetRecord), "Empty in lists"),
  properties: propertiesRecord,
  type: orNull(text),
  private: flag,
  variant: optional(text),
}
export const dashboardRecord = record(dashboardEntries)

/** A dashboard under the name of the element type that it is for. */
export const typeDashboardRecord = record({
  ...dashboardEntries,
  id: described(text, "The element type, with a variant after a hyphen"),
})

export function dashboardDocument(
  { id, createdMs, updatedMs, body }: Timed<Dashboard>,
  widgets: readonly Timed<Widget>[],
): Written<typeof dashboardRecord> {
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
    // Real records have none; those of packages may (spec/packages §2).
    ...(body.variant === null ? {} : { variant: body.variant }),
  }
}

export function widgetDocument(widget: Timed<Widget>): Written<typeof widgetRecord> {
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
    // Always false, whatever was sent: this service generates no widgets.
    generated: false,
  }
}
