/** The navigation: a rail of icons, wider with names if wanted, a bar at the bottom of a phone. */

import chevronLeft from "heroicons/20/solid/chevron-double-left.svg"
import chevronRight from "heroicons/20/solid/chevron-double-right.svg"
import { Button } from "../parts/button.tsx"
import { classNames } from "../parts/class-names.ts"
import { Icon } from "../parts/icon.tsx"
import { useApp } from "./app.ts"
import style from "./navigation-rail.module.css"
import { pageLinks, type PageLink } from "./page-links.ts"
import { Product } from "./product/product.tsx"
import { useOpenAlerts } from "./live/use-open-alerts.ts"
import { linkWithShared } from "../url/shared-parameters.ts"
import { text } from "./text.ts"
import { useMedia } from "./use-media.ts"

/** A window in which the names of pages have room. */
const largeWindow = "(min-width: 1024px)"

export function NavigationRail({ page }: { readonly page: string }) {
  const { preferences, api } = useApp()
  useOpenAlerts()
  const { rail } = preferences.choices.value
  const isLarge = useMedia(largeWindow)
  const isWide = rail === "wide" || (rail === "fitting" && isLarge)
  const change = (): void => {
    // A failure to save leaves the rail as it is now shown.
    preferences.change(api, { rail: isWide ? "narrow" : "wide" }).catch(() => {})
  }
  return (
    <nav class={classNames(style["rail"], isWide && style["wide"])} aria-label={text.navigation}>
      <a class={style["product"]} href="./" title={text.product}>
        <Product />
      </a>
      <ul class={style["links"]}>
        {pageLinks.map((link) => (
          <li key={link.address} class={link.isInBottomBar ? undefined : style["notOnPhones"]}>
            <RailLink link={link} isCurrent={link.pages.includes(page)} />
          </li>
        ))}
      </ul>
      <Button
        kind="quiet"
        icon={isWide ? chevronLeft : chevronRight}
        iconName={isWide ? text.narrow : text.widen}
        onClick={change}
      />
    </nav>
  )
}

interface RailLinkProps {
  readonly link: PageLink
  readonly isCurrent: boolean
}

/** Range and filter go along to the next page. */
function RailLink({ link, isCurrent }: RailLinkProps) {
  const { address, icon, text: plainName } = link
  const { navigation, openAlerts } = useApp()
  const alerts = address === "alerts" ? openAlerts.value : null
  const name = alerts === null ? plainName : text.alertsOf(alerts.total, alerts.level)
  const path = address === "" ? "./" : address
  return (
    <a
      class={style["link"]}
      href={linkWithShared(path, navigation.address.value)}
      aria-current={isCurrent ? "page" : undefined}
      aria-label={name}
      title={name}
    >
      <Icon paths={icon} />
      <span class={style["name"]}>{plainName}</span>
      {alerts !== null && (
        <span
          class={classNames(style["count"], style[alerts.level])}
          // Drawn by the style: the name of the link has it in words.
          data-count={alerts.total > 999 ? "999+" : alerts.total}
        />
      )}
    </a>
  )
}
