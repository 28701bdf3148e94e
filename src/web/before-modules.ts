/** The script that blocks the page: it runs before the first paint and before all modules. */

import "./style/theme-before-paint.ts"
import "./platform/language-repair.ts"
