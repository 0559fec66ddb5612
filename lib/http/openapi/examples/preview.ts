import { IDS, RECORD_EXAMPLES } from "@/lib/http/openapi/examples/records";

const ACCOUNT = { object: "Account", ext_id: "0015g00000Xk1ZzAAJ", outcome: "created", record_id: IDS.account };

/** What a run would make of a contact. */
export const PREVIEW_EXAMPLE = {
  object: "Contact",
  data: [
    {
      ext_id: "0035g00000aBcDeAAK",
      name: "Ruiz",
      sampled_as: ["first", "most_filled"],
      outcome: "created",
      resource: "contacts",
      record_id: RECORD_EXAMPLES.contacts.id,
      cause: null,
      fields: [
        {
          source: "LastName",
          label: "Last Name",
          target: "last_name",
          source_value: "Ruiz",
          value: "Ruiz",
          change: "same",
          note: null,
        },
        {
          source: "Tier__c",
          label: "Tier",
          target: "custom_fields",
          source_value: "Gold",
          value: "Gold",
          change: "custom_field",
          note: null,
        },
      ],
      fillers: [],
      links: [
        {
          field: "AccountId",
          ext_id: ACCOUNT.ext_id,
          target: "account_id",
          state: "linked",
          record_id: IDS.account,
          note: null,
        },
      ],
      edited_here: false,
      overwritten: [],
    },
  ],
  parents: [{ ...ACCOUNT, cause: null }],
  not_found: [],
  fields_left_out: [{ source: "Name", label: "Full Name", because: "repeats_others" }],
  notes: [],
  api_requests: 9,
  not_previewed_because: null,
};
