/** The largest page of a list. */
export const MAX_LIMIT = 200;

/** The longest search, in characters. */
export const MAX_SEARCH = 200;

/** The most items of a batch. */
export const MAX_BATCH_ITEMS = 200;
