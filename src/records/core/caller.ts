/** The user who reads or changes records: the properties that records store or check. */

import type { TenantIndex } from "../../model/ids.ts"

export interface Caller {
  readonly tenant: TenantIndex
  readonly email: string
  /** Null if the account has no number. */
  readonly userId: number | null
  readonly isAdministrator: boolean
}
