import { CONFIGURATION_EXAMPLE, EXPORT_EXAMPLE, REPORT_EXAMPLE } from "@/lib/http/openapi/examples/migration-report";
import { IDS } from "@/lib/http/openapi/examples/records";

/** Answers about the choices for a migration, by operation. */
export const CHOICES_ANSWERS = {
  export_migration_configuration: EXPORT_EXAMPLE,
  import_migration_configuration: {
    configuration: CONFIGURATION_EXAMPLE,
    left_out: [
      {
        pointer: "/configuration/objects/Account/fields/Fax_2__c",
        code: "unknown_field",
        detail: "Account has no field `Fax_2__c`, or the Salesforce user may not see it.",
      },
    ],
    warnings: [],
  },
  check_migration_configuration: {
    report_of: IDS.migration,
    generated_at: REPORT_EXAMPLE.generated_at,
    same_org: true,
    void: [],
    impossible: [],
    warnings: [
      {
        pointer: "/objects/Contact/phase",
        code: "parent_in_later_phase",
        detail:
          "Contacts come in phase 1, and Accounts, which they name, in phase 2. Until then the links stay empty; " +
          "they are made when phase 2 has run.",
      },
    ],
  },
  list_migration_relationships: {
    data: [
      {
        object: "Contact",
        field: "AccountId",
        label: "Account ID",
        target: "accounts",
        choices: ["heal", "keep_id", "leave_out"],
        choice: "heal",
        records: 1840,
        missing: 12,
      },
    ],
    not_counted_because: null,
  },
  make_inactive_members: {
    data: [{ id: "005Hs00000ABCdeIAH", user_id: IDS.user, created: true }],
    configuration: CONFIGURATION_EXAMPLE,
  },
  list_migration_owners: {
    data: [
      {
        id: "005Hs00000ABCdeIAH",
        kind: "user",
        name: "Ana Ruiz",
        email: "ana@acme.example",
        is_active: true,
        records: 412,
        comments: 57,
        rule: "email",
        user: { id: IDS.user, name: "Ana Ruiz", email: "ana@acme.example", is_disabled: false },
      },
    ],
    more: 0,
    not_listed_because: null,
  },
};
