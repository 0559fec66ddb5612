import { auditFields, idField } from "../generator/audit";
import { datetime } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import {
  customerAddress,
  customerName,
  previousEmail,
  emailCase,
  emailContact,
  emailHtml,
  emailSent,
  emailCreated,
  emailStatus,
  emailSubject,
  emailText,
  isIncoming,
} from "../generator/emails";
import { hasAttachment } from "../generator/files";
import { taskOfEmail } from "../generator/mirrors";
import { idOf, lookupId, NONE } from "../generator/references";
import { randomRecord } from "../generator/relations";
import { empty, field, READ_ONLY, type Field, type Json } from "../schema/field";
import { generated } from "./generated";

const dice = new Dice("EmailMessage");
const RELATED = dice.salt("RelatedToId");
const SUPPORT_ADDRESS = "support@pumps.example";
const STATUSES = ["*0", "1", "2", "3", "4", "5"] as const;

const textless = dice.chance("Textless", 60);
const htmlless = dice.chance("Htmlless", 250);

const incoming: Value<boolean> = isIncoming;
const either = (whenIncoming: Value<Json>, whenSent: Value<Json>): Value<Json> => {
  return (org, n) => (isIncoming(org, n) ? whenIncoming(org, n) : whenSent(org, n));
};

const addresses: readonly Field[] = [
  field(
    "string",
    "FromName",
    either(customerName, () => "Pumps Support"),
  ),
  field(
    "email",
    "FromAddress",
    either(customerAddress, () => SUPPORT_ADDRESS),
  ),
  field(
    "string",
    "ToAddress",
    either(
      () => SUPPORT_ADDRESS,
      (org, n) => (n % 11 === 0 ? `${customerAddress(org, n)}; second.reader@example.com` : customerAddress(org, n)),
    ),
    { length: 4000 },
  ),
  field(
    "string",
    "CcAddress",
    dice.maybe("CcAddress", 120, () => 'boss@corp.example; "Doe, Jane" <jane@corp.example>'),
    { label: "CC Address", length: 4000 },
  ),
  field(
    "string",
    "BccAddress",
    dice.maybe("BccAddress", 20, () => "archive@pumps.example"),
    { label: "BCC Address", length: 4000 },
  ),
];

const thread: readonly Field[] = [
  field("string", "MessageIdentifier", (_, n) => `<message-${n}@mail.example.com>`, {
    label: "Message ID",
    length: 765,
  }),
  field(
    "string",
    "ThreadIdentifier",
    (org, n) => (emailCase(org, n) === NONE ? null : `<thread-${emailCase(org, n)}@mail.example.com>`),
    {
      label: "Thread ID",
      length: 765,
    },
  ),
  field("reference", "ReplyToEmailMessageId", (org, n) => lookupId(org, "EmailMessage", previousEmail(org, n), n), {
    referenceTo: ["EmailMessage"],
  }),
];

export const emailMessage = generated(
  "EmailMessage",
  [
    idField("EmailMessage", "Email Message ID"),
    field("reference", "ParentId", (org, n) => lookupId(org, "Case", emailCase(org, n), n), {
      label: "Case ID",
      updateable: false,
      referenceTo: ["Case"],
    }),
    field("reference", "ActivityId", (org, n) => lookupId(org, "Task", taskOfEmail(org, n), n), {
      updateable: false,
      referenceTo: ["Task"],
      // Object Reference, EmailMessage: no relationship leads to the task.
      relationshipName: null,
    }),
    ...auditFields("EmailMessage", emailCreated),
    field("textarea", "TextBody", (org, n) => (textless(org, n) ? null : emailText(org, n)), { length: 131_072 }),
    field("textarea", "HtmlBody", (org, n) => (htmlless(org, n) ? null : emailHtml(org, n)), {
      label: "HTML Body",
      length: 131_072,
      extraTypeInfo: null,
      htmlFormatted: true,
    }),
    empty("textarea", "Headers", { length: 131_072 }),
    field("string", "Subject", emailSubject, { length: 3000, nameField: true }),
    ...addresses,
    field("boolean", "Incoming", incoming, { label: "Is Incoming", updateable: false }),
    field("boolean", "HasAttachment", (_, n) => hasAttachment(n), READ_ONLY),
    field("picklist", "Status", emailStatus, {
      nillable: false,
      defaultedOnCreate: true,
      length: 40,
      picklist: STATUSES,
      restrictedPicklist: true,
    }),
    field(
      "datetime",
      "MessageDate",
      dice.maybe("MessageDate", 990, (org, n) => datetime(emailSent(org, n))),
    ),
    field("boolean", "IsExternallyVisible", (org, n) => emailCase(org, n) !== NONE, READ_ONLY),
    ...thread,
    field(
      "reference",
      "FromId",
      either(
        (org, n) => lookupId(org, "Contact", emailContact(org, n), n),
        (org) => idOf(org, "User", 2),
      ),
      {
        updateable: false,
        referenceTo: ["Contact", "Lead", "User"],
        relationshipName: null,
      },
    ),
    field(
      "reference",
      "RelatedToId",
      (org, n) =>
        lookupId(org, "Case", emailCase(org, n), n) ??
        lookupId(org, "Account", randomRecord(org, "Account", RELATED, n, 200), n),
      {
        referenceTo: ["Account", "Case", "Opportunity", "Product2"],
        relationshipName: "RelatedTo",
      },
    ),
    field("boolean", "IsClientManaged", () => false, { updateable: false }),
    empty("boolean", "IsTracked"),
    empty("boolean", "IsBounced"),
  ],
  { label: "Email Message", layoutable: true },
);
