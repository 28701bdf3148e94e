/** Schemas that the API description names, because several bodies or answers contain them. */

import { elementRecord, foundElementRecord } from "../elements/element-document.ts"
import { listGroup, mapGroup } from "../filter/group-body.ts"
import type { NamedSchemas } from "./json-schema.ts"
import { countedValueRecord } from "./list-answers.ts"
import { elementMetricRecord, foundMetricRecord, metricRecord } from "../metric-document.ts"
import { metricMetaRecord } from "../elements/metric-meta.ts"
import { querySchema } from "../filter/query-body.ts"
import { acceptedRecord, errorRecord } from "./server-answers.ts"
import { sampleFieldsRecord, sampleRecord } from "../statistics/samples-result.ts"
import { metricStatisticsRecord, statisticsRecord } from "../statistics/statistics-result.ts"
import {
  dashboardRecord,
  typeDashboardRecord,
  widgetRecord,
} from "../records/dashboard-document.ts"
import { datasourceRecord } from "../records/datasource-document.ts"
import { categoryRecord, eventRecord } from "../records/event-document.ts"
import { checkRecord, incidentRecord } from "../records/incident-document.ts"
import { notificationRecord } from "../records/notification-document.ts"
import { packageRecord } from "../records/package-document.ts"
import { nameValueRecord, policyRecord } from "../records/policy-document.ts"
import { userRecord } from "../accounts/user-document.ts"

/** Schemas of request bodies. */
export const bodyComponents: NamedSchemas = {
  Query: querySchema,
  ListGroup: listGroup,
  MapGroup: mapGroup,
}

/** Schemas of answers. */
export const answerComponents: NamedSchemas = {
  Error: errorRecord,
  Accepted: acceptedRecord,
  NameValue: nameValueRecord,
  Element: elementRecord,
  FoundElement: foundElementRecord,
  Metric: metricRecord,
  ElementMetric: elementMetricRecord,
  FoundMetric: foundMetricRecord,
  MetricMeta: metricMetaRecord,
  Sample: sampleRecord,
  SampleFields: sampleFieldsRecord,
  Statistics: statisticsRecord,
  MetricStatistics: metricStatisticsRecord,
  CountedValue: countedValueRecord,
  Dashboard: dashboardRecord,
  TypeDashboard: typeDashboardRecord,
  Widget: widgetRecord,
  Datasource: datasourceRecord,
  Notification: notificationRecord,
  Policy: policyRecord,
  Event: eventRecord,
  EventCategory: categoryRecord,
  Incident: incidentRecord,
  Check: checkRecord,
  Package: packageRecord,
  User: userRecord,
}
