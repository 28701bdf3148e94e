/** A page fits its window if nothing scrolls sideways but parts of their own (WCAG 1.4.10). */

import type { Page } from "playwright-core"

const selectors = {
  /** Controls of the bars, which lie in the window as a whole; panels scroll. */
  controls: "#app :is(header, nav):not(main *) :is(a, button):not([role=dialog] *, dialog *)",
  /** They lie over the page, and may be higher than the window. */
  panels: "dialog[open], [role=dialog], [role=menu], [role=listbox]",
  /** Parts that may scroll sideways: keys reach them or what they hold, and they have a name. */
  scrollers: "[tabindex='0'][aria-label], :has(> [role=group][aria-label] [tabindex='0'])",
}

/** A line for each part that does not fit now. A phone shows a page that is too wide smaller. */
export function misfits(page: Page): Promise<string[]> {
  const limits = { ...selectors, ...page.viewportSize()! }
  return page.locator(":root, body *").evaluateAll((nodes, limits) => {
    const { controls, panels, scrollers, width, height } = limits
    return nodes.flatMap((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect()
      const isBeside = left < -0.5 || right > width + 0.5
      const isOutside = isBeside || top < -0.5 || bottom > height + 0.5
      const isWide =
        node.localName === "html"
          ? node.scrollWidth > width
          : node.scrollWidth > node.clientWidth &&
            /auto|scroll/.test(node.computedStyleMap().get("overflow-x")) &&
            !node.matches(scrollers)
      const isMisfit =
        isWide || (node.matches(panels) && isBeside) || (node.matches(controls) && isOutside)
      if (!isMisfit || !node.checkVisibility()) return []
      const name = (node.ariaLabel ?? node.textContent).trim().slice(0, 40)
      const place = `x ${left} to ${right}, y ${top} to ${bottom}`
      return `${node.localName} ${name}: ${place}, content ${node.scrollWidth} wide`
    })
  }, limits)
}
