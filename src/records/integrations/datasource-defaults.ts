/** Default properties of new datasources (spec/records §3). */

import type { Properties } from "../../wire/records/fields.ts"

/** All commercial regions, as in the real service. */
const awsRegions = [
  "us-east-1",
  "us-east-2",
  "us-west-1",
  "us-west-2",
  "ca-central-1",
  "eu-central-1",
  "eu-north-1",
  "eu-west-1",
  "eu-west-2",
  "eu-west-3",
  "ap-east-1",
  "ap-northeast-1",
  "ap-northeast-2",
  "ap-northeast-3",
  "ap-south-1",
  "ap-southeast-1",
  "ap-southeast-2",
  "sa-east-1",
]

const defaultsByType: Readonly<Record<string, Properties>> = {
  AWS: {
    regions: awsRegions.join(","),
    collectionGranularity: "5",
    collectionOffset: "5",
    collectionPeriod: "5",
    threadPoolSize: "10",
  },
}

/** The given properties on top of the type's defaults. */
export function withDefaults(type: string, sent: Properties): Properties {
  return { ...defaultsByType[type], ...sent }
}
