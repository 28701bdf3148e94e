/** An installation target for tests of packages. */

import { ServiceError } from "../../src/base/errors.ts"
import type { ValidateConfiguration } from "../../src/packages/content.ts"
import { Packages } from "../../src/packages/packages.ts"
import { openRecords } from "../../src/records/records.ts"
import { ada, recordsDeps } from "../records/test-deps.ts"
import {
  judgeNothing,
  packageArchive,
  type PackageDraft,
} from "../support/packages/package-files.ts"

const tenantUuids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]

/** Packages and records in memory, and functions to install archives in them. */
export function openTestPackages(validateConfiguration: ValidateConfiguration = judgeNothing) {
  const deps = recordsDeps()
  const keys = {
    integrations: async () => [],
    create: async () => ({ key: "" }),
    setDatasourceEnabled: async () => {},
    removeDatasource: async () => {},
  }
  const tenantUuid = (tenant: number) => tenantUuids[tenant]!
  const records = openRecords({
    ...deps,
    keys,
    secretKey: new Uint8Array(32),
    tenantUuid,
    acceptEvents: { pastMs: 1, futureMs: 1 },
    lookUpElements: async () => new Map(),
    outbox: { changes: () => [], notifyWork: () => {} },
  })
  const archives = new Map<string, Uint8Array>()
  const packages = new Packages({
    deps,
    records,
    tenantUuid,
    validateConfiguration,
    pauses: { elapsedMs: () => 0, sliceMs: 1, pause: async () => {} },
    download: async (url) => {
      const found = archives.get(url)
      if (found === undefined) throw new ServiceError("invalid", `${url}: nothing there`)
      return found
    },
  })
  const install = async (draft: PackageDraft) => {
    const { packages: installed, warnings } = await packages.installFile(
      ada,
      await packageArchive(draft),
      null,
    )
    return { ...installed[0]!, warnings }
  }
  return { ...deps, records, packages, archives, install }
}
