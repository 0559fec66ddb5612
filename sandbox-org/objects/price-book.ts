import { auditFields, idField, VIEWED } from "../generator/audit";
import { createdTime } from "../generator/clock";
import { Dice } from "../generator/dice";
import { idOf } from "../generator/references";
import { entryBook, entryProduct } from "../generator/sales";
import { empty, field, READ_ONLY, REQUIRED } from "../schema/field";
import { generated } from "./generated";
import { product } from "./catalog";

const books = new Dice("Pricebook2");
const entries = new Dice("PricebookEntry");
const BOOK_CREATED = books.salt("CreatedDate");
const ENTRY_CREATED = entries.salt("CreatedDate");
const BOOKS = ["Standard Price Book", "Partner Price Book"] as const;

const valueOf = (name: string) => {
  const found = product.fields.find((one) => one.name === name);
  if (!found) throw new Error(`A product has no field ${name}.`);
  return found.value;
};
const productName = valueOf("Name");
const productCode = valueOf("ProductCode");

export const pricebook = generated(
  "Pricebook2",
  [
    idField("Pricebook2", "Price Book ID"),
    field("string", "Name", (_, n) => BOOKS[n] ?? null, { ...REQUIRED, label: "Price Book Name", nameField: true }),
    ...auditFields("Pricebook2", (org, n) => createdTime(org, BOOK_CREATED, n, org.total.Pricebook2)),
    field("boolean", "IsActive", () => true, { label: "Active" }),
    empty("boolean", "IsArchived", READ_ONLY),
    empty("string", "Description"),
    field("boolean", "IsStandard", (_, n) => n === 0, { ...READ_ONLY, label: "Is Standard Price Book" }),
    ...VIEWED,
  ],
  { label: "Price Book" },
);

export const pricebookEntry = generated(
  "PricebookEntry",
  [
    idField("PricebookEntry", "Price Book Entry ID"),
    field("string", "Name", (org, n) => productName(org, entryProduct(org, n)), {
      ...READ_ONLY,
      label: "Product Name",
      nameField: true,
    }),
    field("reference", "Pricebook2Id", (org, n) => idOf(org, "Pricebook2", entryBook(org, n)), {
      nillable: false,
      updateable: false,
      label: "Price Book ID",
      referenceTo: ["Pricebook2"],
    }),
    field("reference", "Product2Id", (org, n) => idOf(org, "Product2", entryProduct(org, n)), {
      nillable: false,
      updateable: false,
      label: "Product ID",
      referenceTo: ["Product2"],
    }),
    field("currency", "UnitPrice", entries.money("UnitPrice", 9000), { nillable: false, label: "List Price" }),
    field("boolean", "IsActive", entries.chance("IsActive", 950), { label: "Active" }),
    empty("boolean", "UseStandardPrice"),
    ...auditFields("PricebookEntry", (org, n) => createdTime(org, ENTRY_CREATED, n, org.total.PricebookEntry)),
    field("string", "ProductCode", (org, n) => productCode(org, entryProduct(org, n)), READ_ONLY),
    empty("boolean", "IsArchived", READ_ONLY),
  ],
  { label: "Price Book Entry", labelPlural: "Price Book Entries", layoutable: false },
);
