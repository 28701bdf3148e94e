/** Who changes records: what of an identity they keep or judge by. */

export interface Caller {
  readonly tenant: number
  readonly email: string
  /** null where the account has no number. */
  readonly userId: number | null
  readonly isAdministrator: boolean
}
