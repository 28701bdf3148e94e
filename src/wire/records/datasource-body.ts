/** Bodies of datasources (spec/records §3): one or several. */

import * as v from "valibot"
import { booleanValue, objectValue } from "../body.ts"
import { nonEmptyText, propertiesValue } from "./fields.ts"

/** Created by one request. */
const datasourcesPerRequestMax = 100

/** Real ones are words in capitals: AWS, INFRASTRUCTURE. */
const typeText = v.pipe(
  nonEmptyText,
  v.regex(/^[a-zA-Z][a-zA-Z0-9 _-]{0,63}$/, "a type such as CUSTOM, INFRASTRUCTURE or AWS"),
)

const fields = {
  name: v.nullish(nonEmptyText),
  type: v.nullish(typeText),
  properties: v.nullish(propertiesValue),
  enabled: v.nullish(booleanValue),
}

/** Fields of the record, which clients send back. */
const alsoSent = ["id", "deleted", "apiId", "collectors"]

export const newDatasourceBody = objectValue({
  dataSource: objectValue({ ...fields, type: typeText }, alsoSent),
})

export const newDatasourceListBody = v.pipe(
  v.array(newDatasourceBody, "an array"),
  v.minLength(1, "at least one datasource"),
  v.maxLength(datasourcesPerRequestMax, `at most ${datasourcesPerRequestMax} datasources`),
)

/** Either form, for the API description only: a union cannot report what is wrong. */
export const newDatasourcesBody = v.union([newDatasourceBody, newDatasourceListBody])

export const changedDatasourceBody = objectValue({ dataSource: objectValue(fields, alsoSent) })

export type DatasourceFields = v.InferOutput<typeof changedDatasourceBody>["dataSource"]
export type NewDatasourceFields = v.InferOutput<typeof newDatasourceBody>["dataSource"]
