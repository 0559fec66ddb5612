/** The most deliveries of imported records that a webhook gets in a second, so that its endpoint can keep up. */
export const MAX_IMPORT_DELIVERIES_PER_SECOND = 50;

/** How long deliveries and attempts are stored, and how far back they can be recovered. */
export const DELIVERY_DAYS = 30;

/** How far the time in an event's id may differ from its `created_at`: it comes from another clock, and earlier. */
export const MAX_CLOCK_SKEW_MS = 3_600_000;

/** The most attempts that a delivery is shown with. It can be resent without limit; an attempt has up to 20 KB. */
export const MAX_SHOWN_ATTEMPTS = 100;

/** The error of a delivery whose event no longer exists. */
export const EVENT_GONE = "The event is no longer kept, so there is nothing to send.";
