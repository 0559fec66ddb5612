import { auditFields, idField, ownerField, VIEWED } from "../generator/audit";
import { createdTime, ORG_NOW } from "../generator/clock";
import { Dice } from "../generator/dice";
import { randomRecord } from "../generator/relations";
import { lookupId } from "../generator/references";
import { empty, field, READ_ONLY, REQUIRED } from "../schema/field";
import { PRODUCT_LINES } from "../words/companies";
import { generated } from "./generated";

const products = new Dice("Product2");
const projects = new Dice("Project__c");
const vehicles = new Dice("fleet__Vehicle__c");
const PRODUCT_CREATED = products.salt("CreatedDate");
const PROJECT_CREATED = projects.salt("CreatedDate");
const PROJECT_ACCOUNT = projects.salt("Account__c");
const VEHICLE_CREATED = vehicles.salt("CreatedDate");
const FAMILIES = ["Pumps", "Valves", "Spare parts", "Service"] as const;

export const product = generated(
  "Product2",
  [
    idField("Product2", "Product ID"),
    field(
      "string",
      "Name",
      (org, n) => `${products.pick("Name", PRODUCT_LINES)(org, n).replace(/^-/, "")} ${100 + n}`,
      {
        ...REQUIRED,
        label: "Product Name",
        nameField: true,
      },
    ),
    field(
      "string",
      "ProductCode",
      products.maybe("ProductCode", 900, (_, n) => `P-${100 + (n % 977)}`),
    ),
    field("textarea", "Description", products.maybe("Description", 500, products.text("Description", 4000)), {
      length: 4000,
      label: "Product Description",
    }),
    field("boolean", "IsActive", products.chance("IsActive", 800), { label: "Active" }),
    ...auditFields("Product2", (org, n) => createdTime(org, PRODUCT_CREATED, n, org.total.Product2)),
    field("picklist", "Family", products.picklist("Family", FAMILIES, 850), {
      label: "Product Family",
      picklist: FAMILIES,
    }),
    empty("url", "DisplayUrl", { label: "Display URL" }),
    field("picklist", "QuantityUnitOfMeasure", products.picklist("QuantityUnitOfMeasure", ["Each", "kg", "m"], 400), {
      picklist: ["Each", "kg", "m"],
    }),
    empty("boolean", "IsArchived", READ_ONLY),
    ...VIEWED,
    field(
      "string",
      "StockKeepingUnit",
      products.maybe("StockKeepingUnit", 600, (_, n) => `SKU${String(n).padStart(6, "0")}`),
      { label: "Product SKU", length: 180 },
    ),
  ],
  { label: "Product" },
);

export const project = generated(
  "Project__c",
  [
    idField("Project__c", "Record ID"),
    ownerField("Project__c"),
    ...auditFields("Project__c", (org, n) => createdTime(org, PROJECT_CREATED, n, org.total.Project__c)),
    field("string", "Name", (_, n) => `PRJ-${String(n).padStart(5, "0")}`, {
      ...READ_ONLY,
      nillable: false,
      label: "Project Number",
      length: 80,
      nameField: true,
      autoNumber: true,
    }),
    field(
      "reference",
      "Account__c",
      (org, n) => lookupId(org, "Account", randomRecord(org, "Account", PROJECT_ACCOUNT, n, 100), n),
      {
        referenceTo: ["Account"],
      },
    ),
    field("picklist", "Phase__c", projects.picklist("Phase__c", ["*Plan", "Build", "Run", "-Scrapped"]), {
      picklist: ["*Plan", "Build", "Run", "-Scrapped"],
    }),
    field("currency", "Budget__c", projects.maybe("Budget__c", 700, projects.money("Budget__c", 2_000_000))),
    field(
      "date",
      "Go_Live__c",
      projects.maybe("Go_Live__c", 600, projects.date("Go_Live__c", Date.UTC(2018, 0, 1), ORG_NOW)),
    ),
  ],
  { label: "Project" },
);

export const vehicle = generated(
  "fleet__Vehicle__c",
  [
    idField("fleet__Vehicle__c", "Record ID"),
    ownerField("fleet__Vehicle__c"),
    ...auditFields("fleet__Vehicle__c", (org, n) => createdTime(org, VEHICLE_CREATED, n, org.total.fleet__Vehicle__c)),
    field("string", "Name", (_, n) => `Van ${n}`, { length: 80, nameField: true }),
    field("string", "fleet__Plate__c", (_, n) => `B-XY ${n}`, { length: 20, unique: true }),
    field("double", "fleet__Mileage__c", vehicles.integer("fleet__Mileage__c", 0, 400_000), { scale: 0 }),
  ],
  { label: "Vehicle" },
);
