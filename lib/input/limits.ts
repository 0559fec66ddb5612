/** The largest page of a list. */
export const MAX_LIMIT = 200;

/** The most items of a batch. */
export const MAX_BATCH_ITEMS = 200;
