/** Policies and computed metrics by tenant, compiled again only if their documents change. */

import { readConfiguration } from "../analytics-settings/parse-configuration.ts"
import { inPrecedenceOrder } from "../analytics-settings/stored-configuration.ts"
import { compileComputed, type ComputedPlan } from "../analytics-settings/computed-metrics.ts"
import { PolicySet } from "../policy/policy-set.ts"
import type { TenantIndex } from "../model/ids.ts"
import { configurationKind, type StoredDocument } from "../model/document.ts"
import type { DocumentReader } from "../store/document-store.ts"

export interface CycleRules {
  readonly policies: PolicySet
  readonly computed: ComputedPlan
}

interface Compiled extends CycleRules {
  /** JSON of the documents that they were compiled from. */
  readonly policyText: string
  readonly configurationText: string
}

export class TenantRules {
  private readonly store: DocumentReader
  private readonly compiled = new Map<number, Compiled>()
  private current = new Map<number, CycleRules>()

  constructor(store: DocumentReader) {
    this.store = store
  }

  /** Reads the documents of each tenant again at its next use. */
  refresh(): void {
    this.current = new Map()
  }

  of(tenant: TenantIndex): CycleRules {
    const known = this.current.get(tenant)
    if (known !== undefined) return known
    const rules = this.compile(tenant)
    this.current.set(tenant, rules)
    return rules
  }

  /** Problems found since the last call. */
  drainProblems(): string[] {
    return [...this.compiled.values()].flatMap(({ computed }) => [...computed.drainProblems()])
  }

  private compile(tenant: TenantIndex): CycleRules {
    const policies = this.store.listDocuments(`policy:${tenant}`)
    const configurations = this.store.listDocuments(configurationKind(tenant))
    const policyText = JSON.stringify(policies)
    const configurationText = JSON.stringify(configurations)
    const former = this.compiled.get(tenant)
    const compiled: Compiled = {
      policyText,
      configurationText,
      policies:
        former?.policyText === policyText ? former.policies : PolicySet.ofDocuments(policies),
      computed:
        former?.configurationText === configurationText
          ? former.computed
          : computedOf(configurations),
    }
    this.compiled.set(tenant, compiled)
    return compiled
  }
}

/** Configurations were validated when stored; one that cannot be read now computes nothing. */
function computedOf(stored: readonly StoredDocument[]): ComputedPlan {
  const configurations = inPrecedenceOrder(stored).flatMap(({ json }) => {
    const read = readConfiguration(json())
    return read.configuration ?? []
  })
  return compileComputed(configurations).plan
}
