/** What each finding of the analysis costs the readiness, in points: the parts of a report's score. */
export const READINESS_WEIGHTS = {
  /** What an org without any finding has. */
  start: 100,
  /** Each warning. */
  warning: -6,
  /** All warnings together, at most. */
  all_warnings: -45,
  /** Each blocking risk. */
  blocking: -30,
  /** What an org with a blocking risk has at most: less than half. */
  most_if_blocked: 45,
} as const;

/** The formula in words. */
export const READINESS_FORMULA =
  `${READINESS_WEIGHTS.start}, less ${-READINESS_WEIGHTS.warning} for each warning (at most ` +
  `${-READINESS_WEIGHTS.all_warnings} together) and ${-READINESS_WEIGHTS.blocking} for each blocking risk; with a ` +
  `blocking risk between 0 and ${READINESS_WEIGHTS.most_if_blocked}.`;
