/** What one tenant's policies and configurations ask of a cycle, compiled once while they last. */

import { readConfiguration } from "../analytics-settings/parse-configuration.ts"
import { inOrder } from "../analytics-settings/stored-configuration.ts"
import { compileComputed, type ComputedPlan } from "../analytics-settings/computed-metrics.ts"
import { PolicySet } from "../policy/policy-set.ts"
import { configurationKind, type StoredDocument } from "../model/document.ts"
import type { ReadStore } from "../store/store.ts"

export interface Rules {
  readonly policies: PolicySet
  readonly computed: ComputedPlan
}

interface Compiled extends Rules {
  /** What they were compiled from. */
  readonly policyText: string
  readonly configurationText: string
}

export class TenantRules {
  private readonly store: Pick<ReadStore, "listDocuments">
  private readonly compiled = new Map<number, Compiled>()
  private looked = new Map<number, Rules>()

  constructor(store: Pick<ReadStore, "listDocuments">) {
    this.store = store
  }

  /** Looks again at what is stored, the next time that each tenant is asked for. */
  refresh(): void {
    this.looked = new Map()
  }

  of(tenant: number): Rules {
    const known = this.looked.get(tenant)
    if (known !== undefined) return known
    const rules = this.look(tenant)
    this.looked.set(tenant, rules)
    return rules
  }

  /** Problems of what was compiled since the last call. */
  takeProblems(): string[] {
    return [...this.compiled.values()].flatMap(({ computed }) => [...computed.takeProblems()])
  }

  private look(tenant: number): Rules {
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
  const configurations = inOrder(stored).flatMap(({ json }) => {
    const read = readConfiguration(json())
    return read.configuration ?? []
  })
  return compileComputed(configurations).plan
}
