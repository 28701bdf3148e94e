/** Topological order of computed metrics: each comes after those that it is computed from. */

export interface DependencyOrder {
  /** Names that depend on no cycle. */
  readonly order: readonly string[]
  /** Each cycle once, as the names along it. Names that depend on a cycle are not in `order`. */
  readonly cycles: readonly (readonly string[])[]
}

/** `sourcesOf` returns those of `names` that a name is computed from. */
export function dependencyOrder(
  names: Iterable<string>,
  sourcesOf: (name: string) => Iterable<string>,
): DependencyOrder {
  const order: string[] = []
  const cycles: string[][] = []
  const states = new Map<string, "open" | "done" | "cyclic">()
  const path: string[] = []
  const visit = (name: string): boolean => {
    const state = states.get(name)
    if (state === "open") {
      cycles.push([...path.slice(path.indexOf(name)), name])
      return false
    }
    if (state !== undefined) return state === "done"
    states.set(name, "open")
    path.push(name)
    let isSound = true
    for (const source of sourcesOf(name)) isSound = visit(source) && isSound
    path.pop()
    states.set(name, isSound ? "done" : "cyclic")
    if (isSound) order.push(name)
    return isSound
  }
  for (const name of names) visit(name)
  return { order, cycles }
}
