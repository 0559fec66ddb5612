import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";

import { customFieldKind } from "@/components/records/fields/custom-field-kind";
import { isAddedField } from "@/components/records/fields/custom-field-label";
import { formatBytes, formatDay } from "@/components/ui/text/format";
import { Moment } from "@/components/ui/text/moment";
import type { ResourceName } from "@/lib/records/schema/resources";

/** How Salesforce writes the values of a multi-select picklist (REST API Developer Guide, "Field Types"): APAC;DACH. */
const SEVERAL = /^[^;\s][^;\n]*(;[^;\s][^;\n]*)+$/;
/** Four digits are not grouped: many are a year, such as the fiscal year of an opportunity. */
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 20, useGrouping: "min2" });

/** A value of `custom_fields` for display. */
export function customFieldValue(name: string, value: unknown): ReactNode {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return number.format(value);
  if (typeof value === "string") return textValue(name, value);
  if (name === "Attachments" && Array.isArray(value)) return <FilesThere files={value} />;
  if (PEOPLE.has(name) && Array.isArray(value)) return <PeopleThere people={value} />;
  return JSON.stringify(value);
}

/** The status of an e-mail, which Salesforce writes as a number (Object Reference, EmailMessage, Status). */
const EMAIL_STATUSES: Record<string, string> = {
  "0": "New",
  "1": "Read",
  "2": "Replied",
  "3": "Sent",
  "4": "Forwarded",
  "5": "Draft",
};

/** A value of a record of this kind. The status of a thread's entry, or of an activity, can be that of an e-mail. */
export function customFieldValueOf(resource: ResourceName, name: string, value: unknown): ReactNode {
  const mayBeEmail = name === "Status" && (resource === "case_comments" || resource === "activities");
  const word = mayBeEmail && (typeof value === "string" || typeof value === "number") && EMAIL_STATUSES[`${value}`];
  return word || customFieldValue(name, value);
}

/** The files that an e-mail or a post has in Salesforce, as an import names them. */
function FilesThere({ files }: { files: readonly unknown[] }) {
  return files.map((file) => {
    const told = (file ?? {}) as Record<string, unknown>;
    const [name, url, size] = [textOf(told.name), textOf(told.url), told.size];
    const words = `${name || "File"}${typeof size === "number" ? ` (${formatBytes(size)})` : ""}`;
    return (
      <div key={url}>
        {/^https?:/.test(url) ? (
          <Anchor href={url} target="_blank" rel="noreferrer" inherit>
            <bdi>{words}</bdi>
          </Anchor>
        ) : (
          <bdi>{words}</bdi>
        )}
      </div>
    );
  });
}

/** The custom fields with the further people of an activity, and those who got an e-mail. */
const PEOPLE = new Set(["EventRelations", "TaskRelations", "EmailMessageRelations"]);

/** How somebody got an e-mail (Object Reference, EmailMessageRelation, RelationType). */
const WAYS: Record<string, string> = { ToAddress: "to", CcAddress: "cc", BccAddress: "bcc" };

/** What an invitee has answered (Object Reference, EventRelation, Status). */
const ANSWERS: Record<string, string> = { New: "no answer yet", Accepted: "accepted", Declined: "declined" };

/** Who takes part in an activity besides its contact or lead, or got an e-mail, as an import names them. */
function PeopleThere({ people }: { people: readonly unknown[] }) {
  return people.map((person) => {
    const told = (person ?? {}) as Record<string, unknown>;
    const [id, name, type] = [textOf(told.Id), textOf(told.Name) || textOf(told.RelationId), textOf(told.Type)];
    const answer = told.IsInvitee === true ? ANSWERS[textOf(told.Status)] : WAYS[textOf(told.RelationType)];
    const [moment, words] = [textOf(told.RespondedDate), textOf(told.Response)];
    return (
      <div key={id}>
        <bdi>{name}</bdi>
        {type && ` (${type.toLowerCase()})`}
        {answer && `, ${answer}`}
        {moment && <> {textValue("RespondedDate", moment)}</>}
        {words && (
          <>
            : <bdi>{words}</bdi>
          </>
        )}
      </div>
    );
  });
}

/** Empty for what is no text: any client may write custom fields. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textValue(name: string, value: string): ReactNode {
  const kind = customFieldKind(value);
  if (kind === "timestamp") return <Moment iso={value} />;
  if (kind === "date") return <time dateTime={value}>{formatDay(value)}</time>;
  if (isAddedField(name) && SEVERAL.test(value)) return value.replaceAll(";", " · ");
  return value;
}
