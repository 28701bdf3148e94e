/** Holds answers to what the API description says of them: every field declared, none missing. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formatsPlugin from "ajv-formats"
import { describeApi, openPath } from "../../../src/http/description/openapi.ts"
import { methods } from "../../../src/http/shared/route.ts"
import { describedRoutes } from "../../../src/http/api/routes/route-table.ts"

/** One answer of a server, with what was asked. */
export interface ValidatedResponse {
  readonly method: string
  /** The path as it was asked for, with or without a query. */
  readonly path: string
  readonly status: number
  readonly contentType: string | undefined
  readonly text: string
}

interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

interface DescribedParameter {
  readonly name: string
  readonly in: string
  readonly schema: object
  readonly example?: unknown
}

interface DescribedOperation {
  readonly parameters?: readonly DescribedParameter[]
  readonly responses: Readonly<Record<string, DescribedResponse>>
}

export interface DescribedApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

export function describedApi(): DescribedApi {
  return describeApi(describedRoutes, "0.0.0") as unknown as DescribedApi
}

/** An operation whose path fits; those with more fixed segments come first. */
const places = describedRoutes
  .map(({ path }) => openPath(path))
  .sort((one, other) => fixedSegments(other) - fixedSegments(one))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`) }))

function fixedSegments(path: string): number {
  return path.split("/").filter((segment) => !segment.startsWith("{")).length
}

/** `GET /elements/{elementId}`, which an asked path is one of; null if there is none. */
export function operationOf(method: string, asked: string): string | null {
  const segments = asked.split(/[?#]/)[0]!.split("/")
  const path = `/${segments.filter((segment) => segment !== "").join("/")}`
  const wanted = method === "HEAD" ? "GET" : method
  const place = places.find(({ pattern }) => pattern.test(path))
  if (place === undefined || !known.has(`${wanted} ${place.path}`)) return null
  return `${wanted} ${place.path}`
}

const known = new Set(
  describedRoutes.flatMap(({ path, operations }) =>
    methods.filter((one) => operations[one]).map((one) => `${one} ${openPath(path)}`),
  ),
)

/** A schema with every object closed: what it does not declare is then a fault. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== "object" || node === null) return node
  const walked = Object.fromEntries(Object.entries(node).map(([name, one]) => [name, closed(one)]))
  const isOpen = "properties" in walked && walked["type"] === "object"
  return isOpen ? { additionalProperties: false, ...walked } : walked
}

/** Judges answers by one description; made at the first answer, since many tests need none. */
export class ResponseValidator {
  /** Operations of which a success was seen: `GET /time`. */
  readonly successes = new Set<string>()
  private readonly validators = new Map<string, ValidateFunction | null>()
  private readonly api: DescribedApi
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(api: DescribedApi = describedApi()) {
    const moved = JSON.stringify(api).replaceAll('"#/components/', '"api#/components/')
    this.api = closed(JSON.parse(moved)) as DescribedApi
    // The default export of a CommonJS module, which is the plugin itself once it is bundled.
    const plugin = formatsPlugin as unknown as typeof formatsPlugin.default
    plugin(this.ajv)
    this.ajv.addSchema({ $id: "api", components: this.api.components })
  }

  /** The difference from the description in one sentence; null if there is none. */
  problemOf(answer: ValidatedResponse): string | null {
    const { method, path, status, contentType, text } = answer
    const operation = operationOf(method, path)
    if (operation === null) return null
    const problem = this.bodyProblem(operation, answer)
    if (problem === null && status < 300) this.successes.add(operation)
    if (problem === null) return null
    const said = `${status} ${contentType ?? "without a type"}: ${text.slice(0, 400)}`
    return `${operation} gave an answer that the description does not: ${problem}; ${said}`
  }

  private bodyProblem(operation: string, answer: ValidatedResponse): string | null {
    const { method, status, contentType, text } = answer
    const response = this.responseOf(operation, status)
    if (response === undefined) return `the status ${status} is not declared`
    const all = Object.entries(response.content ?? {})
    const declared = all.find(([type]) => contentType?.split(";")[0] === type) ?? all[0]
    if (text === "") return this.mayBeEmpty(operation, answer) ? null : "there is no body"
    if (declared === undefined) return "a body, where none is declared"
    if (method === "HEAD") return "a body after HEAD"
    const [type] = declared
    if (contentType?.split(";")[0] !== type) return `expected the content type ${type}`
    if (type !== "application/json") return null
    const validate = this.validatorOf(`${operation} ${status}`, declared[1].schema)
    if (validate(JSON.parse(text))) return null
    return this.ajv.errorsText(validate.errors, { dataVar: "body" })
  }

  private mayBeEmpty(operation: string, { method, status }: ValidatedResponse): boolean {
    if (method === "HEAD") return true
    const response = this.responseOf(operation, status)
    return response?.content === undefined || status === 202
  }

  private responseOf(operation: string, status: number): DescribedResponse | undefined {
    const [method = "", path = ""] = operation.split(" ")
    return this.api.paths[path]?.[method.toLowerCase()]?.responses[status]
  }

  private validatorOf(name: string, schema: object): ValidateFunction {
    const made = this.validators.get(name) ?? this.ajv.compile(schema)
    this.validators.set(name, made)
    return made
  }
}

let judge: ResponseValidator | null = null

/** Checks every answer in this process. */
export function responseValidator(): ResponseValidator {
  judge ??= new ResponseValidator()
  return judge
}

/** Throws for an answer that is not as described. */
export function validateResponse(answer: ValidatedResponse): void {
  const problem = responseValidator().problemOf(answer)
  if (problem !== null) throw new Error(problem)
}
