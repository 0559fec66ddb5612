/** The largest page of a list. */
export const MAX_LIMIT = 200;
