/** Routes that find things while a person types (spec/search §1, spec/search §2, spec/search §6). */

import { searchCharactersMax, searchResultsMax } from "../../../../base/limits/search.ts"
import { searchResultsDefault } from "../../../../base/limits/search.ts"
import { readSearchParameters } from "../../../../query/query.ts"
import { Problems } from "../../../../wire/problems.ts"
import {
  searchAnswer,
  searchKinds,
  treeAnswer,
  valuesAnswer,
} from "../../../../wire/search/search-answer.ts"
import { paramsOf, queryHandler } from "../../query-handler.ts"
import { searchRecords } from "../../search-records.ts"
import {
  queryParameter,
  repeatedParameter,
  wholeValue,
  wordValue,
} from "../../../shared/parameters.ts"
import { json, ok, route, type Handler, type Parameter, type Route } from "../../../shared/route.ts"
import { fqnsParameters } from "../find.ts"

const search: Handler = async (call, deps) => {
  const { tenant, nowMs, requester } = call
  const params = paramsOf(call)
  const problems = new Problems()
  const asked = readSearchParameters(params, problems)
  problems.throwIfAny()
  const request = { kind: "search", tenant, params, body: null, nowMs } as const
  const records = await searchRecords(call, deps, asked)
  const answer = await deps.runQuery(request, requester)
  return json({ ...(answer.json() as object), ...records })
}

const searchExample = {
  elements: {
    total: 1,
    isPartial: false,
    items: [
      {
        id: "7d7cbc0b-5f8b-3b3f-8d0c-2a4f0d6b6d53",
        title: "Web One",
        subtitle: "SERVER",
        link: { page: "elements", id: "web-1" },
      },
    ],
  },
}

const treeExample = {
  prefix: "",
  nodes: [
    {
      segment: "cpu",
      fqn: "cpu",
      isLeaf: false,
      children: 4,
      metrics: 80,
      elements: 20,
      unit: "percent",
    },
  ],
  truncated: false,
}

function limitParameter(what: string): Parameter {
  const value = wholeValue(1, searchResultsMax, searchResultsDefault)
  return queryParameter("limit", what, { value })
}

export const searchRoutes: readonly Route[] = [
  route("Search", "/search", {
    GET: {
      summary: "Finds elements, metric names, tags and records by a part of their text",
      access: "reader",
      parameters: [
        {
          ...queryParameter(
            "q",
            `Up to ${searchCharactersMax} characters, in any case; of several words all must occur`,
            { example: "web" },
          ),
          required: true,
        },
        limitParameter("Results of each kind"),
        repeatedParameter("kinds", "All if absent", {
          value: wordValue(searchKinds),
          example: "elements",
        }),
      ],
      response: ok(
        "By kind: equal texts first, then prefixes, starts of words, parts; of these, what had " +
          "data within a day first",
        searchAnswer,
        searchExample,
      ),
      handle: search,
    },
  }),
  route("Search", "/search/values", {
    GET: {
      summary: "Values of a type, a tag or another field of elements, by a part of their text",
      access: "reader",
      parameters: [
        {
          ...queryParameter(
            "field",
            "`type`, `location`, `collector`, `unit`, `tag` and `attr` for the names that there " +
              "are, `tag.NAME` and `attr.NAME` for their values",
            { example: "tag.env" },
          ),
          required: true,
        },
        queryParameter("q", `Up to ${searchCharactersMax} characters, in any case; all if absent`, {
          example: "pr",
        }),
        limitParameter("Values"),
      ],
      response: ok(
        "Equal texts first, then prefixes, starts of words, parts; of these, most elements first",
        valuesAnswer,
        { total: 1, values: [{ value: "prod", count: 812 }] },
      ),
      handle: queryHandler("searchValues"),
    },
  }),
  route("Metrics", "/metrics/tree", {
    GET: {
      summary: "One level of the dotted names of metrics that match any of the given conditions",
      access: "reader",
      parameters: [
        queryParameter("prefix", "Names below this one; the first level if absent", {
          example: "cpu",
        }),
        ...fqnsParameters(),
      ],
      response: ok("`nodes`, most metrics first", treeAnswer, treeExample),
      handle: queryHandler("metricTree"),
    },
  }),
]
