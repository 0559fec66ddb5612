const CONVERTED =
  "A lead that has been converted can no longer be changed (409, `illegal_state`): it is kept as it was then. Change the account and the contact that it became.";

/** What to know of single operations that neither name nor schema says, in Markdown. */
export const OPERATION_NOTES: Readonly<Record<string, string>> = {
  update_lead: CONVERTED,
  upsert_lead: CONVERTED,
  batch_leads: CONVERTED,
  convert_lead:
    "A lead is converted once, and can only be read and deleted from then on. A repeat is refused (409, `conflict`) with the ids of the records that it became, in `records`; `detail` names those that have been deleted since.",
};
