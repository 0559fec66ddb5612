/** How many deliveries of imported records a webhook is sent in a second, at most: an import must not be more than its endpoint can take. */
export const IMPORT_DELIVERIES_PER_SECOND = 50;
