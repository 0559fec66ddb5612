import type { Field } from "./field";

export interface ChildRelationship {
  readonly childSObject: string;
  readonly field: string;
  readonly relationshipName: string;
  readonly cascadeDelete: boolean;
}

interface Child {
  readonly name: string;
  readonly object: { readonly labelPlural: string };
  readonly fields: readonly Field[];
}

/** Relationship names that do not follow from the child's plural label. */
const NAMES: Readonly<Record<string, string>> = {
  "Account.ParentId": "ChildAccounts",
  "CaseComment.ParentId": "CaseComments",
  "EmailMessage.ParentId": "EmailMessages",
  "Contact.ReportsToId": "ReportsToContacts",
};

function nameOf(child: Child, field: Field): string {
  const known = NAMES[`${child.name}.${field.name}`];
  if (known) return known;
  const plural = child.object.labelPlural.replaceAll(" ", "");
  return child.name.endsWith("__c") || field.custom ? `${plural}__r` : plural;
}

/** The reference fields of all objects that point at `parent`, except audit fields. */
export function childRelationshipsOf(children: readonly Child[], parent: string): ChildRelationship[] {
  const used = new Set<string>();
  return children.flatMap((child) =>
    child.fields.flatMap((field) => {
      if (!field.referenceTo.includes(parent) || parent === "User" || field.name === "MasterRecordId") return [];
      const name = nameOf(child, field);
      const relationshipName = used.has(name)
        ? `${name.replace(/__r$/, "")}By${field.name.replace(/__c$|Id$/, "")}${name.endsWith("__r") ? "__r" : ""}`
        : name;
      used.add(relationshipName);
      return [{ childSObject: child.name, field: field.name, relationshipName, cascadeDelete: field.cascadeDelete }];
    }),
  );
}
