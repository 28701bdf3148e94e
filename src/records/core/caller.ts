/** The user who reads or changes records: the properties that records store or check. */

export interface Caller {
  readonly tenant: number
  readonly email: string
  /** Null if the account has no number. */
  readonly userId: number | null
  readonly isAdministrator: boolean
}
