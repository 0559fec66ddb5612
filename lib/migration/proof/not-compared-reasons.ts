// Why a field is not compared although it could differ.

export const UNANSWERED =
  "Salesforce did not answer the query of this field. The records may be too many for one query, or the user may " +
  "lack a permission.";

export const CHOICES_CHANGED =
  "The choices for this object were changed after the run that imported it. Run the migration in full to apply them, " +
  "then compare again.";

export const UNKNOWN_ORDER =
  "Records were merged, and some may have been left out until another record came. What those added depends on when.";

export const TOO_SLOW_HERE =
  "The records that are here could not be counted by this field in ten minutes. Compare again when less is done here.";

const UNPROVEN = new Set<string | null>([UNANSWERED, CHOICES_CHANGED, UNKNOWN_ORDER, TOO_SLOW_HERE]);

/** Whether an object is not proven for this reason. */
export function isUnproven(because: string | null): boolean {
  return UNPROVEN.has(because);
}

/** Feeds have no aggregates (Object Reference, FeedItem, "Usage"). */
export const NOT_COUNTED =
  "Salesforce does not count the records of this object by field. That each of them is here is compared by its id.";

export const KEPT_BY_CHOICE =
  "By the configuration, a record whose other record was not here keeps that one's id in place of the link.";
