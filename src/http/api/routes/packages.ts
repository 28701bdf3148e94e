/** Routes of packages (spec/packages §1). */

import { archiveBytesMax } from "../../../packages/limits.ts"
import { packageArchivesBody } from "../../../wire/records/package-archives-body.ts"
import { listOf, record, text } from "../../../wire/answer.ts"
import { packageDocument, packageRecord } from "../../../wire/records/package-document.ts"
import { readRecord } from "../../../wire/records/fields.ts"
import { readBodyBytes } from "../json-body.ts"
import { formPart } from "../../shared/multipart.ts"
import { callerOf, readParameter, readUuid } from "../call-parameters.ts"
import { resourceRoutes } from "../resource.ts"
import { pathParameter, queryParameter, uuidValue } from "../../shared/parameters.ts"
import { json, jsonBody, ok, route, type Handler, type Route } from "../../shared/route.ts"

const section = "Packages"

/** Bound on delimiters and headers of a form around an archive. */
const formBytesMax = 64 * 1024

const installUrls: Handler = async (call, deps) => {
  const { archives } = readRecord(packageArchivesBody, call.body)
  const caller = callerOf(call, deps)
  const userEmail = readParameter(call, "userEmail") ?? null
  const { packages, warnings } = await deps.packages.withArchiveSlot(() => {
    return deps.packages.installUrls(caller, archives, userEmail)
  })
  return json({ packages: packages.map(packageDocument), warnings })
}

const installFile: Handler = async (call, deps) => {
  const caller = callerOf(call, deps)
  const userEmail = readParameter(call, "userEmail") ?? null
  return deps.packages.withArchiveSlot(async () => {
    const body = await readBodyBytes(call.request, archiveBytesMax + formBytesMax)
    const archive = formPart(body, call.request.headers.get("content-type"), "file")
    const { packages, warnings } = await deps.packages.installFile(caller, archive, userEmail)
    return json({ package: packageDocument(packages[0]!), warnings })
  })
}

const userParameter = queryParameter("userEmail", "Who installs it; null in the record if absent", {
  example: "admin@example.com",
})

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

const formExample = [
  "--tidegauge",
  'Content-Disposition: form-data; name="file"; filename="pkg.zip"',
  "Content-Type: application/zip",
  "",
  "(the bytes of the archive)",
  "--tidegauge--",
  "",
].join("\r\n")

const [listRoute, recordRoute] = resourceRoutes({
  path: "/packages",
  section,
  id: pathParameter("id", "Id of the installed package, a UUID; not its packageId", {
    value: uuidValue,
  }),
  names: ["package", "packages"],
  schema: packageRecord,
  example: exampleRecord,
  list: {
    summary: "Installed packages",
    parameters: [
      queryParameter("packageId", "The dotted identifier of one package"),
      queryParameter("version", "A semantic version, or a range of them such as ^1.2.0"),
    ],
    returns: "`packages`, oldest first; their assets as summaries",
    run: async (call, { packages }) => {
      const packageId = readParameter(call, "packageId")
      const version = readParameter(call, "version")
      return (await packages.list(call.tenant, { packageId, version })).map(packageDocument)
    },
  },
  ofList: {
    POST: {
      summary: "Install the archives behind URLs, all or none",
      access: "writer",
      parameters: [userParameter],
      body: jsonBody("Direct download URLs of archives", packageArchivesBody, {
        archives: ["https://example.com/my-pkg-web.zip"],
      }),
      response: ok(
        "`packages` in the same order; `warnings` lists what was left out, such as actions " +
          "of notifications that the account does not have",
        record({ packages: listOf(packageRecord), warnings: listOf(text) }),
        { packages: [exampleRecord], warnings: [] },
      ),
      handle: installUrls,
    },
  },
  get: {
    summary: "One installed package",
    returns: "`package`",
    run: async (call, { packages }) =>
      packageDocument(await packages.get(call.tenant, readUuid(call))),
  },
  remove: {
    summary: "Uninstall a package with everything that it brought; data and events stay",
    returns: "It is gone",
    run: (call, { packages }) => packages.remove(call.tenant, readUuid(call)),
  },
})

/** `/packages/install` precedes `/packages/:id`, which would take "install" for an id. */
export const packageRoutes: readonly Route[] = [
  listRoute,
  route(section, "/packages/install", {
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
      response: ok(
        "`package` and `warnings`",
        record({ package: packageRecord, warnings: listOf(text) }),
        { package: exampleRecord, warnings: [] },
      ),
      handle: installFile,
    },
  }),
  recordRoute,
]
