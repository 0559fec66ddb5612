/** Records whose files are looked up together. */
export const OWNERS_PER_BATCH = 200;
