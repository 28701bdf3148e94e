/** OpenAPI 3.1 description, generated from the route table and the schemas that validate. */

import { answerComponents, bodyComponents } from "../../wire/description/components.ts"
import {
  describeAnswer,
  describeNamedAnswers,
  describeNamedBodies,
  describeSchema,
} from "../../wire/description/json-schema.ts"
import type { JsonSchema } from "../../wire/description/json-schema.ts"
import type { Schema } from "../../wire/body.ts"
import { methods, type Access, type DescribedRoute, type Method } from "../shared/route.ts"
import type {
  ResponseDescription,
  BodyDescription,
  Operation,
  Parameter,
  ValueSchema,
} from "../shared/route.ts"

type Described = Omit<Operation, "handle">
type Json = Readonly<Record<string, unknown>>

const schemasRef = "#/components/schemas/"
const errorRef = { $ref: `${schemasRef}Error` }
const bodies = { named: bodyComponents, refStart: schemasRef }
const answers = { named: answerComponents, refStart: schemasRef }

/** Returns the whole description as JSON. */
export function describeApi(routes: readonly DescribedRoute[], version: string): Json {
  const schemas: Record<string, JsonSchema> = {
    ...describeNamedAnswers(answers),
    ...describeNamedBodies(bodies),
  }
  const paths = Object.fromEntries(
    routes.map((route) => [openPath(route.path), pathItem(route, schemas)]),
  )
  const sections = [...new Set(routes.map(({ section }) => section))]
  return {
    openapi: "3.1.0",
    info: {
      title: "Tidegauge",
      version,
      description:
        "Elements, metrics and samples: ingest, statistics, and whatever is made of them. " +
        "A trailing slash is accepted on every path, and HEAD wherever there is GET.",
    },
    servers: [{ url: "/" }],
    tags: sections.map((name) => ({ name })),
    paths,
    components: { securitySchemes: { basic: { type: "http", scheme: "basic" } }, schemas },
  }
}

/** `/elements/:elementId` → `/elements/{elementId}`; drops the pattern of a named segment. */
export function openPath(path: string): string {
  return path.replace(pathName, "{$1}")
}

const pathName = /:([A-Za-z0-9_]+)(?:\{[^}]*\})?\??/g

/** Names of the named segments, in order. */
export function pathParameterNames(path: string): string[] {
  return [...path.matchAll(pathName)].map((match) => match[1]!)
}

function pathItem(route: DescribedRoute, schemas: Record<string, JsonSchema>): Json {
  const entries = methods.flatMap((method) => {
    const operation = route.operations[method]
    if (operation === undefined) return []
    return [[method.toLowerCase(), describeOperation(route, { method, operation, schemas })]]
  })
  return Object.fromEntries(entries) as Json
}

interface OperationContext {
  readonly method: Method
  readonly operation: Described
  /** Receives schemas that others refer to. */
  readonly schemas: Record<string, JsonSchema>
}

function describeOperation({ path, section }: DescribedRoute, context: OperationContext): Json {
  const { method, operation, schemas } = context
  const { summary, access, body, response } = operation
  const id = operationId(method, path)
  const parameters = allParameters(path, operation.parameters ?? []).map(describeParameter)
  return {
    operationId: id,
    summary,
    tags: [section],
    ...security(access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, `${id}Body`, schemas) }),
    responses: {
      [response.status]: successResponse(response),
      ...errorResponses(path, operation),
    },
  }
}

/** `GET /elements/:elementId` → `getElementsElementId`: stable, and a name in every language. */
function operationId(method: Method, path: string): string {
  const words = openPath(path).match(/[A-Za-z0-9]+/g) ?? []
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("")
}

/** The declared parameters, after named segments that the route does not declare. */
function allParameters(path: string, declared: readonly Parameter[]): readonly Parameter[] {
  const isDeclared = (name: string) =>
    declared.some((one) => one.in === "path" && one.name === name)
  const rest = pathParameterNames(path).filter((name) => !isDeclared(name))
  return [
    ...rest.map((name) => ({ name, in: "path", description: meaning(name) }) as const),
    ...declared,
  ]
}

const meanings: Readonly<Record<string, string>> = {
  elementId: "UUID or fully qualified name of the element",
  metricId: "UUID or fully qualified name of the metric",
  apiId: "API key",
}

function meaning(name: string): string {
  return meanings[name] ?? "Id, as in the record"
}

function describeParameter({ name, in: location, description, ...more }: Parameter): Json {
  const { required, repeatable, example, value = { type: "string" } } = more
  return {
    name,
    in: location,
    description,
    ...(location === "path" || required ? { required: true } : {}),
    schema: repeatable ? { type: "array", items: value } : value,
    ...(example === undefined ? {} : { example: typedExample(example, value, repeatable) }),
  }
}

/** Converts an example, which the route table has as text, to a value of its type. */
function typedExample(example: string, { type }: ValueSchema, isMany = false): unknown {
  const isText = !["boolean", "integer", "number"].includes(String(type))
  const one: unknown = isText ? example : JSON.parse(example)
  return isMany ? [one] : one
}

function security(access: Access): Json {
  if (access === "anyone" || access === "key") return { security: [] }
  return { security: access === "local" ? [{ basic: [] }, {}] : [{ basic: [] }] }
}

function requestBody(
  body: BodyDescription,
  name: string,
  schemas: Record<string, JsonSchema>,
): Json {
  const { kind, description, schema, example } = body
  const type = kind === "json" ? "application/json" : "*/*"
  return { description, content: { [type]: content({ schema, example }, name, schemas) } }
}

function successResponse({
  description,
  schema,
  type,
  otherTypes = [],
  mayBeEmpty,
  example,
}: ResponseDescription): Json {
  if (schema === null) return { description }
  const content = {
    schema: describeAnswer(schema, answers),
    ...(example === undefined ? {} : { example }),
  }
  const words = mayBeEmpty ? `${description} (otherwise empty)` : description
  const others = otherTypes.map((one) => [one, { schema: { type: "string" } }])
  const all = { [type ?? "application/json"]: content, ...Object.fromEntries(others) }
  return { description: words, content: all }
}

function content(
  { schema, example }: { schema?: Schema | undefined; example?: unknown },
  name: string,
  schemas: Record<string, JsonSchema>,
): Json {
  const described = schema === undefined ? null : describeSchema(schema, name, bodies)
  Object.assign(schemas, described?.definitions)
  return {
    schema: described?.schema ?? {},
    ...(example === undefined ? {} : { example }),
  }
}

/** Error statuses; all have the same body. */
function errorResponses(path: string, { access, body, mayMiss, isSignIn }: Described): Json {
  const content = { "application/json": { schema: errorRef } }
  const names = pathParameterNames(path).filter((name) => name !== "apiId" && name !== "kind")
  const isOpen = access === "anyone" && isSignIn !== true
  const statuses: Record<string, string | false> = {
    400: !isOpen && "Something sent has no meaning: `errors` name it",
    401: !isOpen && access !== "key" && "No or wrong credentials",
    403: !isOpen && (access === "key" ? "The API key is unknown or disabled" : "Not allowed"),
    404: (names.length > 0 || mayMiss === true) && "There is no such thing",
    413: body !== undefined && "The body is over its limit",
    429: !isOpen && "Too many requests: see Retry-After",
    500: !isOpen && "The server failed; nothing was stored",
    503: "Busy, stopping or not ready: see Retry-After",
    default: "Any other error",
  }
  const entries = Object.entries(statuses).filter(([, description]) => description !== false)
  return Object.fromEntries(
    entries.map(([status, description]) => [status, { description, content }]),
  )
}
