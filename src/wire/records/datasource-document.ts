/** A datasource as the API shows it (field-facts §9). */

export interface DatasourceSubject {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly properties: Readonly<Record<string, string>>
  readonly enabled: boolean
  /** null where it has none; keys are stored hashed, so asterisks after the creation. */
  readonly apiId: string | null
}

/** Nothing says which collector sent what, so `collectors` is empty. */
export function datasourceDocument(datasource: DatasourceSubject): Record<string, unknown> {
  const { id, name, type, properties, enabled, apiId } = datasource
  return { id, name, type, properties, enabled, deleted: false, apiId, collectors: [] }
}
