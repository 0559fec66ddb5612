import { empty, field } from "../schema/field";
import { sobject, type SObject, type SObjectOptions } from "../schema/sobject";

const none = (): number => 0;

/** An object that describe global lists and that has no records. */
function emptyObject(
  name: string,
  label: string,
  keyPrefix: string | null,
  options: Partial<SObjectOptions> = {},
): SObject {
  const fields = [
    field("id", "Id", () => null, { nillable: false }),
    empty("boolean", "IsDeleted"),
    empty("string", "Name", { nameField: true }),
    empty("datetime", "CreatedDate"),
    empty("datetime", "LastModifiedDate"),
    empty("datetime", "SystemModstamp"),
  ];
  return sobject(name, fields, { label, keyPrefix, total: none, ...options });
}

const hidden = { layoutable: false, searchable: false, createable: false } as const;

function companions(entity: string, label: string): SObject[] {
  const of = (suffix: string, relation: string, queryable = true): SObject =>
    emptyObject(`${entity.replace(/__c$/, "__")}${suffix}`, `${label} ${suffix}`, null, {
      ...hidden,
      queryable,
      associateEntityType: relation,
      associateParentEntity: entity,
    });
  return [of("Feed", "Feed"), of("History", "History"), of("Share", "Share"), of("ChangeEvent", "ChangeEvent", false)];
}

/** Other objects of a real org: of other clouds, companions of each object, settings, metadata types, events. */
export const emptyObjects: readonly SObject[] = [
  ...[
    ["Campaign", "701"],
    ["CampaignMember", "00v"],
    ["Asset", "02i"],
    ["Contract", "800"],
    ["Order", "801"],
    ["Solution", "501"],
    ["AccountContactRelation", "07k"],
    ["Note", "002"],
    ["EmailTemplate", "00X"],
    ["Individual", "0PK"],
  ].map(([name = "", prefix = ""]) => emptyObject(name, name.replace(/([a-z])([A-Z])/g, "$1 $2"), prefix)),
  ...companions("Account", "Account"),
  ...companions("Contact", "Contact"),
  ...companions("Case", "Case"),
  ...companions("Project__c", "Project"),
  emptyObject("ActivityHistory", "Activity History", null, { ...hidden, queryable: false }),
  emptyObject("OpenActivity", "Open Activity", null, { ...hidden, queryable: false }),
  emptyObject("AggregateResult", "Aggregate Result", null, { ...hidden, queryable: false }),
  emptyObject("Site_Visit__c", "Site Visit", "a03"),
  emptyObject("App_Settings__c", "App Settings", "a02", { ...hidden, customSetting: true }),
  emptyObject("Routing_Rule__mdt", "Routing Rule", "m00", hidden),
  emptyObject("Order_Shipped__e", "Order Shipped", "e00", { ...hidden, queryable: false }),
  emptyObject("ErpOrder__x", "ERP Order", "x00", hidden),
];
