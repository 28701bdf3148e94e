/** Routes of packages (spec/packages §1). */

import { archiveBytesMax } from "../../../packages/limits.ts"
import { packageArchivesBody } from "../../../wire/records/package-archives-body.ts"
import { listOf, record, text } from "../../../wire/answer.ts"
import { packageDocument, packageRecord } from "../../../wire/records/package-document.ts"
import { readRecord } from "../../../wire/records/fields.ts"
import { readBytes } from "../json-body.ts"
import { formPart } from "../../shared/multipart.ts"
import { callerOf, queryParameter, uuidParameter } from "../call-parameters.ts"
import {
  json,
  noBody,
  noContent,
  type Handler,
  type Parameter,
  type Route,
} from "../../shared/route.ts"
import { uuidValue } from "../../shared/values.ts"

const section = "Packages"

/** Of a form around an archive of the largest size: its delimiters and headers, generously. */
const formBytesMax = 64 * 1024

const list: Handler = async (call, { packages }) => {
  const packageId = queryParameter(call, "packageId")
  const version = queryParameter(call, "version")
  const found = await packages.list(call.tenant, { packageId, version })
  return json({ packages: found.map(packageDocument) })
}

const installUrls: Handler = async (call, deps) => {
  const { archives } = readRecord(packageArchivesBody, call.body)
  const caller = callerOf(call, deps)
  const userEmail = queryParameter(call, "userEmail") ?? null
  const { packages, warnings } = await deps.packages.withArchiveSlot(() => {
    return deps.packages.installUrls(caller, archives, userEmail)
  })
  return json({ packages: packages.map(packageDocument), warnings })
}

const installFile: Handler = async (call, deps) => {
  const caller = callerOf(call, deps)
  const userEmail = queryParameter(call, "userEmail") ?? null
  return deps.packages.withArchiveSlot(async () => {
    const body = await readBytes(call.request, archiveBytesMax + formBytesMax)
    const archive = formPart(body, call.request.headers.get("content-type"), "file")
    const { packages, warnings } = await deps.packages.installFile(caller, archive, userEmail)
    return json({ package: packageDocument(packages[0]!), warnings })
  })
}

const get: Handler = async (call, { packages }) =>
  json({ package: packageDocument(await packages.get(call.tenant, uuidParameter(call))) })

const remove: Handler = async (call, { packages }) => {
  await packages.remove(call.tenant, uuidParameter(call))
  return noContent
}

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "Id of the installed package, a UUID; not its packageId",
  required: true,
  value: uuidValue,
}

const userParameter: Parameter = {
  name: "userEmail",
  in: "query",
  description: "Who installs it; null in the record where absent",
  example: "admin@example.com",
}

const exampleRecord = packageDocument({
  id: "0b50a3a5-46c5-36ad-8a84-1a06b6dd5ad4",
  tenantId: "d6a3f1a4-9a3b-4a71-8f5e-1b7c1c8a5f60",
  packageId: "my.pkg.web",
  version: "1.0.0",
  name: "My web servers",
  description: "What we watch of our web servers",
  authorName: "Operations",
  authorEmail: "operations@example.com",
  logo: null,
  downloadUrl: "https://example.com/my-pkg-web.zip",
  userEmail: "admin@example.com",
  createdMs: Date.UTC(2026, 0, 1),
  updatedMs: Date.UTC(2026, 0, 1),
  tags: [],
  policies: [{ id: "6e6b1ec0-6b0b-3b7e-9d53-6d6f3c1f2b11", name: "Errors" }],
  analyticConfigurations: [{ id: "2a0b8c53-5a27-3d0f-8a25-61b6a50f3c22" }],
  dashboards: [{ id: "9f0d5a0e-7d7a-3e35-b3c1-0c7f5e6d4a33", private: false }],
})
const onePackage = { package: exampleRecord, warnings: [] }

const formExample = [
  "--tidegauge",
  'Content-Disposition: form-data; name="file"; filename="pkg.zip"',
  "Content-Type: application/zip",
  "",
  "(the bytes of the archive)",
  "--tidegauge--",
  "",
].join("\r\n")

/** `/packages/install` comes first: it competes with `:id`. */
export const packageRoutes: readonly Route[] = [
  {
    path: "/packages",
    section,
    operations: {
      GET: {
        summary: "Installed packages",
        access: "reader",
        parameters: [
          { name: "packageId", in: "query", description: "The dotted identifier of one package" },
          {
            name: "version",
            in: "query",
            description: "A semantic version, or a range of them such as ^1.2.0",
          },
        ],
        response: {
          status: 200,
          description: "`packages`, oldest first; their assets as summaries",
          schema: record({ packages: listOf(packageRecord) }),
          example: { packages: [exampleRecord] },
        },
        handle: list,
      },
      POST: {
        summary: "Install the archives behind URLs, all or none",
        access: "writer",
        parameters: [userParameter],
        body: {
          kind: "json",
          description: "Direct download URLs of archives",
          schema: packageArchivesBody,
          example: { archives: ["https://example.com/my-pkg-web.zip"] },
        },
        response: {
          status: 200,
          description:
            "`packages` in the same order; `warnings` tells what was left out, such as actions " +
            "of notifications that the account does not have",
          schema: record({ packages: listOf(packageRecord), warnings: listOf(text) }),
          example: { packages: [exampleRecord], warnings: [] },
        },
        handle: installUrls,
      },
    },
  },
  {
    path: "/packages/install",
    section,
    operations: {
      POST: {
        summary: "Install an archive from a file, or upgrade what has its packageId",
        access: "writer",
        parameters: [
          userParameter,
          {
            name: "Content-Type",
            in: "header",
            description: "multipart/form-data with a boundary",
            required: true,
            example: "multipart/form-data; boundary=tidegauge",
          },
        ],
        body: {
          kind: "raw",
          description: "A form with one part `file`, a ZIP archive of at most 32 MiB",
          example: formExample,
        },
        response: {
          status: 200,
          description: "`package` and `warnings`",
          schema: record({ package: packageRecord, warnings: listOf(text) }),
          example: onePackage,
        },
        handle: installFile,
      },
    },
  },
  {
    path: "/packages/:id",
    section,
    operations: {
      GET: {
        summary: "One installed package",
        access: "reader",
        parameters: [idParameter],
        response: {
          status: 200,
          description: "`package`",
          schema: record({ package: packageRecord }),
          example: { package: exampleRecord },
        },
        handle: get,
      },
      DELETE: {
        summary: "Uninstall a package with everything that it brought; data and events stay",
        access: "writer",
        parameters: [idParameter],
        response: noBody(204, "It is gone"),
        handle: remove,
      },
    },
  },
]
