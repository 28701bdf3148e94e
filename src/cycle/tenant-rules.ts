/** What one tenant's policies and configurations ask of a cycle, compiled once while they last. */

import { readConfiguration } from "../analytics-settings/parse-configuration.ts"
import { inPrecedenceOrder } from "../analytics-settings/stored-configuration.ts"
import { compileComputed, type ComputedPlan } from "../analytics-settings/computed-metrics.ts"
import { PolicySet } from "../policy/policy-set.ts"
import { configurationKind, type StoredDocument } from "../model/document.ts"
import type { ReadStore } from "../store/store.ts"

export interface CycleRules {
  readonly policies: PolicySet
  readonly computed: ComputedPlan
}

interface Compiled extends CycleRules {
  /** What they were compiled from. */
  readonly policyText: string
  readonly configurationText: string
}

export class TenantRules {
  private readonly store: Pick<ReadStore, "listDocuments">
  private readonly compiled = new Map<number, Compiled>()
  private current = new Map<number, CycleRules>()

  constructor(store: Pick<ReadStore, "listDocuments">) {
    this.store = store
  }

  /** Looks again at what is stored, the next time that each tenant is asked for. */
  refresh(): void {
    this.current = new Map()
  }

  of(tenant: number): CycleRules {
    const known = this.current.get(tenant)
    if (known !== undefined) return known
    const rules = this.compile(tenant)
    this.current.set(tenant, rules)
    return rules
  }

  /** Problems of what was compiled since the last call. */
  drainProblems(): string[] {
    return [...this.compiled.values()].flatMap(({ computed }) => [...computed.drainProblems()])
  }

  private compile(tenant: number): CycleRules {
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

/** They were judged when they were stored; one that cannot be read any more computes nothing. */
function computedOf(stored: readonly StoredDocument[]): ComputedPlan {
  const configurations = inPrecedenceOrder(stored).flatMap(({ json }) => {
    const read = readConfiguration(json())
    return read.configuration ?? []
  })
  return compileComputed(configurations).plan
}
