import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import { type ResourceName, RESOURCES } from "@/lib/records/schema/resources";

import { filteredValues, PHONE, type Populated, sharedFilters } from "@/tests/http/matrix/support/populated";
import { instanceUrlOf } from "@/tests/http/matrix/support/side";

type Parameters = Record<string, string>;

/** A list, with the parameters whose pages have separate cursors. */
export interface List {
  route: string;
  path?: (side: Populated) => Parameters;
  /** It is not ordered by id, so a cursor's position is looked up, and another organization's has none. */
  looksUp?: true;
  queries: readonly { name: string; of: (side: Populated) => Parameters }[];
}

function fixed(query: string): List["queries"][number] {
  return { name: query || "as it is", of: () => Object.fromEntries(new URLSearchParams(query)) };
}

const PAST = "2000-01-01T00:00:00Z";
const FUTURE = "2100-01-01T00:00:00Z";

const EVERY_LIST = [
  "",
  "order=asc",
  "include=total",
  "fields=id,owner_id",
  `created_at[gte]=${PAST}`,
  `created_at[lt]=${FUTURE}&order=asc`,
  `updated_at[gte]=${PAST}`,
  `updated_at[gte]=${PAST}&order=desc&include=total`,
  `updated_at[lt]=${FUTURE}&created_at[gte]=${PAST}`,
].map(fixed);

function recordList(resource: ResourceName): List {
  const { fields, search, phones } = ENTITIES[resource] satisfies Entity;
  const references = Object.entries<Field>(fields).filter(([, { references }]) => references);
  const expand = fixed(`expand=${references.map(([name]) => name.replace(/_id$/, "")).join(",")}`);
  const orders: Parameters[] = [{}, { order: "asc" }, { "updated_at[gte]": PAST, include: "total" }];
  const narrowed = (name: string, valueOf: (side: Populated) => string) =>
    orders.map((order) => ({
      name: [name, ...Object.keys(order)].join(", "),
      of: (side: Populated) => ({ ...order, [name]: valueOf(side) }),
    }));
  const byFilter = sharedFilters(resource).flatMap(([name]) =>
    narrowed(name, (side) => String(filteredValues(side, resource)[name])),
  );
  const bySeveral = sharedFilters(resource).flatMap(([name, { values = [] }]) =>
    values.length > 0 ? [fixed(`${name}=${values.join()}`)] : [],
  );
  const bySearch = search.length > 0 ? narrowed("q", ({ marker }) => marker) : [];
  const byPhone = phones.length > 0 ? narrowed("q", () => PHONE) : [];
  return {
    route: `GET /${resource}`,
    queries: [...EVERY_LIST, expand, ...byFilter, ...bySeveral, fixed("owner_id=me"), ...bySearch, ...byPhone],
  };
}

const EVENTS: List = {
  route: "GET /events",
  looksUp: true,
  queries: [
    ...[
      "",
      "order=asc",
      "type=account.updated",
      "type=account.*",
      "type=account.*&order=asc",
      `created_at[gte]=${PAST}`,
    ].map(fixed),
    { name: "record_id", of: ({ account }) => ({ record_id: account }) },
    { name: "record_id, order, type", of: ({ account }) => ({ record_id: account, order: "asc", type: "account.*" }) },
  ],
};

const AUDIT_EVENTS: List = {
  route: "GET /settings/audit_events",
  queries: [
    ...["", "action=client.updated", "action=client.updated,client.created", `created_at[gte]=${PAST}`].map(fixed),
    { name: "user_id", of: ({ userId }) => ({ user_id: userId }) },
    { name: "client_id", of: ({ client }) => ({ client_id: client, action: "client.updated,client.created" }) },
  ],
};

/** Every list of the API that has a cursor. */
export const LISTS: readonly List[] = [
  ...RESOURCES.map(recordList),
  EVENTS,
  AUDIT_EVENTS,
  { route: "GET /cases/{id}/comments", path: ({ base }) => ({ id: base.cases }), looksUp: true, queries: [fixed("")] },
  {
    route: "GET /opportunities/{id}/stage_changes",
    path: ({ opportunity }) => ({ id: opportunity }),
    queries: [fixed("")],
  },
  { route: "GET /files", queries: [{ name: "of a record", of: ({ base }) => ({ record_id: base.cases }) }, fixed("")] },
  { route: "GET /webhooks", queries: [fixed("")] },
  { route: "GET /deleted_records", looksUp: true, queries: ["", "objects=accounts,leads"].map(fixed) },
  {
    route: "GET /webhooks/{id}/deliveries",
    path: ({ webhook }) => ({ id: webhook.id }),
    queries: ["", "state=pending", "event=account.*", "event=opportunity.*&state=pending"].map(fixed),
  },
  {
    route: "GET /migration",
    queries: [fixed(""), { name: "of an org", of: ({ marker }) => ({ ext_instance_url: instanceUrlOf(marker) }) }],
  },
  { route: "GET /migration/connections", queries: [fixed("")] },
  {
    route: "GET /migration/{migration_id}/duplicates",
    path: ({ migration }) => ({ migration_id: migration }),
    queries: ["", "object=Account"].map(fixed),
  },
  {
    route: "GET /migration/{migration_id}/errors",
    path: ({ migration }) => ({ migration_id: migration }),
    queries: ["", "object=Account", "outcome=failed", "code=too_old"].map(fixed),
  },
  {
    route: "GET /migration/{migration_id}/conflicts",
    path: ({ migration }) => ({ migration_id: migration }),
    queries: ["", "object=Account", "state=open"].map(fixed),
  },
  {
    route: "GET /migration/{migration_id}/history",
    path: ({ migration }) => ({ migration_id: migration }),
    queries: [fixed("")],
  },
  {
    route: "GET /migration/{migration_id}/undo/kept",
    path: ({ migration }) => ({ migration_id: migration }),
    queries: ["", "resource=accounts", "code=edited_here"].map(fixed),
  },
  { route: "GET /users", queries: ["", "q=ada"].map(fixed) },
  { route: "GET /settings/clients", queries: [fixed("")] },
  { route: "GET /settings/grants", queries: [fixed("")] },
  {
    route: "GET /settings/members",
    queries: ["", "q=ada"].map(fixed),
  },
  { route: "GET /settings/sessions", queries: [fixed("")] },
];
