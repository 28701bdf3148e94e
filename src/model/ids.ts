/**
 * Numbers by which the process knows tenants, elements and series. A signature says by them which
 * number it takes, and the compiler refuses an element where a series is expected.
 *
 * They are plain numbers at run time, and a plain number may be passed as any of them: columns
 * (`Int32Array`) and loops over a count have no other. A brand that refuses plain numbers needs a
 * conversion at each of 350 such places, which would say what the name of the column says already.
 */

declare const kind: unique symbol

/** One metric of one element; from 0 in order of appearance (catalogue/catalogue.ts). */
export type SeriesIndex = number & { readonly [kind]?: "series" }

/** A monitored thing; from 0 in order of appearance (catalogue/catalogue.ts). */
export type ElementIndex = number & { readonly [kind]?: "element" }

/** A tenant; from 0 without gaps, and none is ever removed (accounts/tenants.ts). */
export type TenantIndex = number & { readonly [kind]?: "tenant" }
