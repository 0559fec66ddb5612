import { EXPORT_EXAMPLE } from "@/lib/http/openapi/examples/migration-report";
import { IDS, RECORD_EXAMPLES } from "@/lib/http/openapi/examples/records";
import { WEBHOOK_EXAMPLE } from "@/lib/http/openapi/examples/webhooks";
import type { Operation } from "@/lib/operation";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";

type Body = Record<string, unknown>;

/** An external id that nobody uses yet, so that the example of a batch works unchanged. */
export const BATCH_EXT_ID = "erp-20417";

/** Bodies that change something, by operation. */
const CHANGES: Record<string, Body> = {
  update_account: { phone: "+49 711 555 0101", custom_fields: { Region__c: "South" } },
  update_contact: { title: "Director of Purchasing", mobile_phone: null },
  update_case: { status: "resolved" },
  update_case_comment: { is_public: false },
  update_activity: { status: "completed" },
  update_lead: { status: "qualified", rating: "Hot" },
  update_opportunity: { stage: "negotiation", amount: 179_900 },
  update_product: { unit_price: 15_400 },
  escalate_case: { reason: "The waterworks stands still." },
  create_comment_of_case: { body: RECORD_EXAMPLES.case_comments.body, is_public: true },
  convert_lead: {
    create_opportunity: { name: "Pumps for Valencia", close_date: "2026-09-30", amount: 42_000, currency: "EUR" },
  },
  analyze_migration: {
    ext_instance_url: "https://neckar.my.salesforce.com",
    ext_access_token: "00D5g000008xYzA!AQEAQ…",
  },
  run_migration: { migration_id: IDS.migration },
  reconnect_migration: { ext_access_token: "00D5g000004Xf1z!AQEAQExampleOfAnAccessToken" },
  preview_migration_duplicates: {
    configuration: {
      objects: {
        Contact: {
          duplicates: {
            rules: [{ match: [{ fields: ["email"] }] }, { match: [{ fields: ["last_name"] }, { fields: ["phone"] }] }],
          },
        },
      },
    },
  },
  preview_migration: { object: "Contact", count: 3 },
  schedule_migration_deltas: { every_minutes: 60 },
  decide_migration_conflicts: { object: "Account", take: "ours", fields: { phone: "source" } },
  make_inactive_members: { users: [{ id: "005Hs00000ABCdeIAH", name: "Ana Ruiz" }] },
  import_migration_configuration: { ...EXPORT_EXAMPLE, leave_out_void: true },
  put_migration_configuration: {
    objects: {
      Account: { selected: true, fields: { Region__c: "custom_fields" } },
      Case: { selected: true, values: { Status: { "Awaiting Parts": "on_hold" } } },
      Event: { selected: false },
    },
    repeat: "decide",
    send_events: false,
  },
  create_webhook: {
    url: WEBHOOK_EXAMPLE.url,
    events: WEBHOOK_EXAMPLE.events,
    description: WEBHOOK_EXAMPLE.description,
    generate_secret: true,
  },
  update_webhook: { events: ["case.escalated"], active: true },
  rotate_webhook_secret: {},
  recover_webhook: { since: yesterday() },
  authorize_connection: { login_url: "https://login.salesforce.com" },
};

/** Only the last thirty days can be recovered, so any fixed time would be refused one day. */
function yesterday(): string {
  const day = new Date(Date.now() - 24 * 3600 * 1000);
  return `${day.toISOString().slice(0, 10)}T06:00:00Z`;
}

/**
 * The fields of an example record that its creator would send, without those that only work in one organization: the
 * owner, and optional references. So the example can be sent unchanged.
 */
function creationOf(entity: Entity): Body {
  const record = Object.entries(RECORD_EXAMPLES[entity.resource] as Body);
  const given = record.filter(([name, value]) => {
    const field = entity.fields[name];
    return (
      field !== undefined &&
      !field.readOnly &&
      !isElsewhere(field) &&
      value !== null &&
      value !== field.default &&
      !(field.kind === "object" && isEmpty(value))
    );
  });
  return Object.fromEntries(given);
}

/** Whether the field names a record that the reader's organization does not have. */
function isElsewhere({ references, required }: Field): boolean {
  return references !== undefined && !required;
}

/** What can be sent in addition to the creation: without the values that must be unique. */
function repeatable(entity: Entity, creation: Body): Body {
  return Object.fromEntries(Object.entries(creation).filter(([name]) => !entity.fields[name]?.unique));
}

function isEmpty(value: unknown): boolean {
  return Object.keys(value as object).length === 0;
}

/** Bodies that write a record of an entity, by operation. */
function writesOf(entity: Entity): [operation: string, Body][] {
  const name = entity.singular;
  const creation = creationOf(entity);
  const again = repeatable(entity, creation);
  const items = [
    { action: "create", data: again },
    { action: "upsert", ext_id: BATCH_EXT_ID, data: again },
  ];
  return [
    [`create_${name}`, creation],
    [`upsert_${name}`, again],
    [`batch_${entity.resource}`, { mode: "per_item", items }],
  ];
}

const WRITES = new Map(Object.values<Entity>(ENTITIES).flatMap(writesOf));

/** An example of an operation's body, or undefined if none is written. */
export function bodyExample({ name }: Operation): Body | undefined {
  return CHANGES[name] ?? WRITES.get(name);
}
