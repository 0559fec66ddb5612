import { auditFields, idField } from "../generator/audit";
import { emailContact, emailCreated, isIncoming } from "../generator/emails";
import type { Value } from "../generator/dice";
import { idOf, lookupId } from "../generator/references";
import { empty, field } from "../schema/field";
import { generated } from "./generated";

/** One e-mail in forty was logged with its sender and its recipients as records. */
const PERIOD = 40;
const ROLES = ["FromAddress", "ToAddress", "CcAddress"] as const;

/** The e-mail that somebody sent or got. */
const emailOf: Value<number> = (org, n) => {
  const last = Math.floor((org.total.EmailMessage - 1) / PERIOD);
  return PERIOD * Math.min(Math.floor(n / ROLES.length), last);
};

const roleOf: Value<string> = (_, n) => ROLES[n % ROLES.length] ?? "OtherAddress";

/** The customer as a contact, or the user on the other side; null for customers who are no contacts. */
const personId: Value<string | null> = (org, n) => {
  const email = emailOf(org, n);
  const isCustomer = roleOf(org, n) === (isIncoming(org, email) ? "FromAddress" : "ToAddress");
  return isCustomer ? lookupId(org, "Contact", emailContact(org, email), n) : idOf(org, "User", 2);
};

/** Relations do not say who changed them last (Object Reference, EmailMessageRelation, has no such fields). */
const audit = auditFields("EmailMessageRelation", (org, n) => emailCreated(org, emailOf(org, n))).filter(
  ({ name }) => name !== "LastModifiedById" && name !== "LastModifiedDate",
);

export const emailMessageRelation = generated(
  "EmailMessageRelation",
  [
    idField("EmailMessageRelation", "Email Message Relation ID"),
    field("reference", "EmailMessageId", (org, n) => idOf(org, "EmailMessage", emailOf(org, n)), {
      nillable: false,
      updateable: false,
      referenceTo: ["EmailMessage"],
      cascadeDelete: true,
    }),
    field("reference", "RelationId", personId, { referenceTo: ["Contact", "Lead", "User"] }),
    field("picklist", "RelationType", roleOf, {
      nillable: false,
      updateable: false,
      picklist: [...ROLES, "BccAddress", "OtherAddress"],
      restrictedPicklist: true,
    }),
    empty("string", "RelationAddress"),
    ...audit,
  ],
  { label: "Email Message Relation", layoutable: false, searchable: false, triggerable: false },
);
