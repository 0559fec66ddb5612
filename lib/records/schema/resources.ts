/** The eight kinds of record, by their name in paths, in tables and in `ext_aliases.entity`. */
export const RESOURCES = [
  "accounts",
  "contacts",
  "cases",
  "case_comments",
  "activities",
  "leads",
  "opportunities",
  "products",
] as const;

export type ResourceName = (typeof RESOURCES)[number];
