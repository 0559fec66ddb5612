import { auditFields, idField } from "../generator/audit";
import { createdTime, date, DAY } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { below } from "../generator/hash";
import { idOf } from "../generator/references";
import { isPrimaryRole, lineOpportunity, roleContact, roleOpportunity } from "../generator/sales";
import { empty, field, READ_ONLY } from "../schema/field";
import { product } from "./catalog";
import { generated } from "./generated";

const lines = new Dice("OpportunityLineItem");
const roles = new Dice("OpportunityContactRole");
const LINE_CREATED = lines.salt("CreatedDate");
const LINE_PRODUCT = lines.salt("Product2Id");
const ROLE_CREATED = roles.salt("CreatedDate");

const productOf: Value<number> = (org, n) => below(org.total.Product2, org.seed, LINE_PRODUCT, n);
const quantity = lines.integer("Quantity", 1, 40);
const price = lines.money("UnitPrice", 5000);
const created: Value<number> = (org, n) => createdTime(org, LINE_CREATED, n, org.total.OpportunityLineItem);

const ofProduct = (name: string): Value<string | null> => {
  const found = product.fields.find((one) => one.name === name);
  return (org, n) => (found?.value(org, productOf(org, n)) ?? null) as string | null;
};

export const opportunityLineItem = generated(
  "OpportunityLineItem",
  [
    idField("OpportunityLineItem", "Line Item ID"),
    field("reference", "OpportunityId", (org, n) => idOf(org, "Opportunity", lineOpportunity(org, n)), {
      nillable: false,
      updateable: false,
      referenceTo: ["Opportunity"],
      cascadeDelete: true,
    }),
    field("int", "SortOrder", (_, n) => 3 - (n % 3), READ_ONLY),
    empty("reference", "PricebookEntryId", { updateable: false, referenceTo: ["PricebookEntry"] }),
    field("reference", "Product2Id", (org, n) => idOf(org, "Product2", productOf(org, n)), {
      updateable: false,
      referenceTo: ["Product2"],
    }),
    field("string", "ProductCode", ofProduct("ProductCode"), READ_ONLY),
    field("string", "Name", ofProduct("Name"), { ...READ_ONLY, label: "Opportunity Product Name", length: 376 }),
    field("double", "Quantity", quantity, { nillable: false }),
    field("currency", "TotalPrice", (org, n) => Math.round(quantity(org, n) * price(org, n) * 100) / 100),
    field("currency", "UnitPrice", price, { label: "Sales Price" }),
    field("currency", "ListPrice", price, READ_ONLY),
    field(
      "date",
      "ServiceDate",
      lines.maybe("ServiceDate", 400, (org, n) => date(created(org, n) + 30 * DAY)),
    ),
    field("string", "Description", lines.maybe("Description", 300, lines.pick("Description", ["Spare", "2ª fase"])), {
      label: "Line Description",
    }),
    ...auditFields("OpportunityLineItem", created),
    field("boolean", "Needs_Installation__c", lines.chance("Needs_Installation__c", 200)),
  ],
  { label: "Opportunity Product", layoutable: false },
);

export const opportunityContactRole = generated(
  "OpportunityContactRole",
  [
    idField("OpportunityContactRole", "Contact Role ID"),
    field("reference", "OpportunityId", (org, n) => idOf(org, "Opportunity", roleOpportunity(n)), {
      nillable: false,
      updateable: false,
      referenceTo: ["Opportunity"],
      cascadeDelete: true,
    }),
    field("reference", "ContactId", roleContact, { nillable: false, updateable: false, referenceTo: ["Contact"] }),
    field("picklist", "Role", roles.picklist("Role", ["Decision Maker", "Evaluator", "Business User"]), {
      picklist: ["Decision Maker", "Evaluator", "Business User"],
    }),
    field("boolean", "IsPrimary", isPrimaryRole, { label: "Primary" }),
    ...auditFields("OpportunityContactRole", (org, n) =>
      createdTime(org, ROLE_CREATED, n, org.total.OpportunityContactRole),
    ),
  ],
  { label: "Opportunity Contact Role", layoutable: false, searchable: false },
);
