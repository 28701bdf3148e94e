/** Profile: what a person chooses for themselves, their password, where they are signed in. */

import { PageHeading } from "../../frame/page-heading.tsx"
import { ChoicesSection } from "./choices-section.tsx"
import { PasswordSection } from "./password-section.tsx"
import style from "./profile.module.css"
import { SessionsSection } from "./sessions-section.tsx"
import { text } from "./text.ts"

export default function ProfilePage() {
  return (
    <div class={style["page"]}>
      <PageHeading text={text.title} />
      <ChoicesSection />
      <PasswordSection />
      <SessionsSection />
    </div>
  )
}
