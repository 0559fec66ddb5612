import { auditFields, ownerField } from "../generator/audit";
import { ORG_NOW, DAY } from "../generator/clock";
import type { Value } from "../generator/dice";
import {
  ATTACHMENT_SIZE,
  attachmentParent,
  attachmentTotal,
  documentTotal,
  FILE_PREFIXES,
  isAttachmentDeleted,
  isDocumentArchived,
  kindOf,
  linkedEntity,
  sizeOf,
  titleOf,
  VERSION_SIZE,
  versionId,
} from "../generator/files";
import { idAt } from "../generator/ids";
import { empty, field, READ_ONLY, type Field } from "../schema/field";
import { sobject, type SObject } from "../schema/sobject";

const created: Value<number> = (_, n) => ORG_NOW - (n % 900) * DAY;

/** Files are no part of the size of an org, so they have no population of their own. */
const audit: readonly Field[] = auditFields("Account", created).filter(({ name }) => name !== "IsDeleted");
const owner = ownerField("Account");

const id = (prefix: string): Field => field("id", "Id", (org, n) => idAt(org.seed, prefix, n), { nillable: false });

const documentId: Value<string> = (org, n) => idAt(org.seed, FILE_PREFIXES.ContentDocument, n);

/** REST answers the path of a file's content in place of the content. */
const blob = (object: string, name: string, prefix: string): Field =>
  field("base64", name, (org, n) => `/services/data/v60.0/sobjects/${object}/${idAt(org.seed, prefix, n)}/${name}`, {
    filterable: false,
    nillable: object === "ContentVersion",
  });

export const attachment: SObject = sobject(
  "Attachment",
  [
    id(FILE_PREFIXES.Attachment),
    field("boolean", "IsDeleted", isAttachmentDeleted, READ_ONLY),
    field("reference", "ParentId", attachmentParent, {
      nillable: false,
      updateable: false,
      referenceTo: ["Account", "Case", "Contact", "EmailMessage", "Event", "Lead", "Opportunity", "Task"],
    }),
    field("string", "Name", (_, n) => `${titleOf(n)}.${kindOf(n).extension}`, { nillable: false, nameField: true }),
    empty("boolean", "IsPrivate"),
    field("string", "ContentType", (_, n) => (n % 5 === 0 ? null : kindOf(n).type), { length: 120 }),
    field("int", "BodyLength", (org, n) => sizeOf(org, ATTACHMENT_SIZE, n), { ...READ_ONLY, filterable: false }),
    blob("Attachment", "Body", FILE_PREFIXES.Attachment),
    owner,
    ...audit,
    empty("textarea", "Description", { length: 500 }),
  ],
  {
    label: "Attachment",
    keyPrefix: FILE_PREFIXES.Attachment,
    total: attachmentTotal,
    isDeleted: isAttachmentDeleted,
    layoutable: false,
    searchable: false,
  },
);

const sizeField = field("int", "ContentSize", (org, n) => sizeOf(org, VERSION_SIZE, n), READ_ONLY);
const fileFields: readonly Field[] = [
  field("string", "Title", (_, n) => titleOf(n), { nillable: false, nameField: true }),
  field("string", "FileType", (_, n) => kindOf(n).extension.toUpperCase(), { ...READ_ONLY, length: 20 }),
  field("string", "FileExtension", (_, n) => kindOf(n).extension, { ...READ_ONLY, length: 40 }),
  sizeField,
  empty("boolean", "IsDeleted", READ_ONLY),
];

export const contentVersion: SObject = sobject(
  "ContentVersion",
  [
    id(FILE_PREFIXES.ContentVersion),
    field("reference", "ContentDocumentId", documentId, { updateable: false, referenceTo: ["ContentDocument"] }),
    field("boolean", "IsLatest", () => true, READ_ONLY),
    field("string", "VersionNumber", () => "1", { ...READ_ONLY, length: 20 }),
    field("string", "PathOnClient", (_, n) => `${titleOf(n)}.${kindOf(n).extension}`, { length: 500 }),
    ...fileFields,
    blob("ContentVersion", "VersionData", FILE_PREFIXES.ContentVersion),
    owner,
    ...audit,
  ],
  {
    label: "Content Version",
    keyPrefix: FILE_PREFIXES.ContentVersion,
    total: documentTotal,
    isArchived: isDocumentArchived,
    layoutable: false,
  },
);

export const contentDocument: SObject = sobject(
  "ContentDocument",
  [
    id(FILE_PREFIXES.ContentDocument),
    field("reference", "LatestPublishedVersionId", versionId, {
      ...READ_ONLY,
      referenceTo: ["ContentVersion"],
    }),
    field("boolean", "IsArchived", isDocumentArchived, READ_ONLY),
    ...fileFields,
    owner,
    ...audit,
  ],
  {
    label: "Content Document",
    keyPrefix: FILE_PREFIXES.ContentDocument,
    total: documentTotal,
    isArchived: isDocumentArchived,
  },
);

export const contentDocumentLink: SObject = sobject(
  "ContentDocumentLink",
  [
    id(FILE_PREFIXES.Link),
    field("reference", "LinkedEntityId", linkedEntity, {
      nillable: false,
      updateable: false,
      referenceTo: ["Account", "Case", "Contact", "EmailMessage", "Event", "Lead", "Opportunity", "Task"],
    }),
    field("reference", "ContentDocumentId", documentId, { updateable: false, referenceTo: ["ContentDocument"] }),
    empty("boolean", "IsDeleted", READ_ONLY),
    field("picklist", "ShareType", () => "V", { length: 40, picklist: ["V", "C", "I"] }),
    field("picklist", "Visibility", () => "AllUsers", { length: 40, picklist: ["AllUsers", "InternalUsers"] }),
  ],
  {
    label: "Content Document Link",
    keyPrefix: FILE_PREFIXES.Link,
    total: documentTotal,
    isArchived: isDocumentArchived,
    layoutable: false,
    searchable: false,
  },
);
