/** Colours of the style sheet as a canvas needs them. */

/** The colours that are in force, by name of their CSS variable without the dashes. */
export function resolvedColours<N extends string>(
  names: readonly N[],
): Readonly<Record<N, string>> {
  const probe = document.createElement("span")
  document.body.append(probe)
  const entries = names.map((name) => {
    // A variable itself is a text such as light-dark(…); a property that uses it is a colour.
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(entries) as Record<N, string>
}
