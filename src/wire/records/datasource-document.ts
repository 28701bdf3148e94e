/** A datasource as the API shows it (spec/records §3). */

import {
  anything,
  flag,
  listOf,
  optional,
  orNull,
  record,
  text,
  textMap,
  described,
} from "../answer.ts"
import { wholeNumber, type Written } from "../answer.ts"

export const datasourceRecord = record({
  id: wholeNumber,
  name: text,
  type: text,
  properties: described(textMap, "Secrets are asterisks"),
  secretsToEnter: optional(
    described(listOf(text), "Properties whose secrets must be entered again"),
  ),
  enabled: flag,
  deleted: flag,
  apiId: described(orNull(text), "The API key at its creation, asterisks from then on"),
  collectors: described(listOf(anything), "Always empty"),
})

export interface DatasourceSubject {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly properties: Readonly<Record<string, string>>
  /** Names of properties whose secrets must be entered again. */
  readonly lostSecrets?: readonly string[]
  readonly enabled: boolean
  /** null if it has none; keys are stored hashed, so asterisks after the creation. */
  readonly apiId: string | null
}

/** Samples do not name their collector, so `collectors` is empty. */
export function datasourceDocument(
  datasource: DatasourceSubject,
): Written<typeof datasourceRecord> {
  const { id, name, type, properties, enabled, apiId, lostSecrets = [] } = datasource
  // Only if there are any: strict clients refuse unknown names.
  const more = lostSecrets.length === 0 ? {} : { secretsToEnter: lostSecrets }
  return { id, name, type, properties, enabled, deleted: false, apiId, collectors: [], ...more }
}
