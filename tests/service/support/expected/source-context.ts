import type { SourceObject, SourceRecord } from "@/tests/service/support/source-org";

/** A file as the custom field `Attachments` of an entry names it. */
interface NamedFile {
  ext_id: string;
  name: unknown;
  size: unknown;
  content_type: unknown;
  url: string;
}

/** The files of the org: attachments, versions, and the links of files to e-mails. */
export interface SourceFiles {
  instanceUrl: string;
  attachments: readonly SourceRecord[];
  versions: readonly SourceRecord[];
  links: readonly SourceRecord[];
}

/** Facts about the whole Salesforce org that the expectation of a record depends on. */
export interface SourceContext {
  records: Record<SourceObject, SourceRecord[]>;
  /** Names of users, queues and record types, by id. */
  names: Map<string, unknown>;
  /** Accounts, contacts and cases: records that references can point at after a migration. */
  linkable: Set<string>;
  cases: Set<string>;
  tasks: Map<string, SourceRecord>;
  /** Closed tasks that an imported e-mail names (EmailMessage.ActivityId): its copies. */
  mirrors: Set<unknown>;
  /** Comments, e-mails, tasks and events, which posts show in the feed. */
  shown: Set<unknown>;
  posts: Map<string, SourceRecord>;
  /** Versions of files by id, and the files of e-mails by the id of the e-mail, as entries name them. */
  versions: Map<string, NamedFile>;
  attached: Map<string, NamedFile[]>;
  /**
   * The invitees of events and recipients of e-mails by the id of the event or e-mail, as the custom fields
   * `EventRelations` and `EmailMessageRelations` name them.
   */
  people: Map<unknown, Record<string, unknown>[]>;
  /** Masters of recurring series with at least one occurrence. */
  occurring: Set<unknown>;
}

/** The case of an e-mail: ParentId, else RelatedToId if it is a case. */
export function caseOfEmail(email: SourceRecord): string | null {
  if (typeof email.ParentId === "string") return email.ParentId;
  return typeof email.RelatedToId === "string" && email.RelatedToId.startsWith("500") ? email.RelatedToId : null;
}

function idsOf(records: readonly SourceRecord[]): string[] {
  return records.map(({ Id }) => Id);
}

function attachmentFile(instanceUrl: string, { Id, Name, BodyLength, ContentType }: SourceRecord): NamedFile {
  const url = `${instanceUrl}/servlet/servlet.FileDownload?file=${Id}`;
  return { ext_id: Id, name: Name, size: BodyLength, content_type: ContentType, url };
}

function versionFile(instanceUrl: string, { Id, Title, FileExtension, ContentSize }: SourceRecord): NamedFile {
  const name = `${String(Title)}.${String(FileExtension)}`;
  const url = `${instanceUrl}/sfc/servlet.shepherd/version/download/${Id}`;
  return { ext_id: Id, name, size: ContentSize, content_type: null, url };
}

function namedFiles({ instanceUrl, attachments, versions, links }: SourceFiles) {
  const byVersion = new Map(versions.map((version) => [version.Id, versionFile(instanceUrl, version)]));
  const owned = [
    ...attachments.map((one) => ({ owner: String(one.ParentId), file: attachmentFile(instanceUrl, one) })),
    ...links.flatMap(({ LinkedEntityId, ContentDocument }) => {
      const { LatestPublishedVersionId: id } = ContentDocument as { LatestPublishedVersionId: string };
      const file = byVersion.get(id);
      return file ? [{ owner: String(LinkedEntityId), file }] : [];
    }),
  ];
  const attached = new Map<string, NamedFile[]>();
  for (const { owner, file } of owned) attached.set(owner, [...(attached.get(owner) ?? []), file]);
  for (const files of attached.values()) files.sort((one, other) => (one.ext_id < other.ext_id ? -1 : 1));
  return { versions: byVersion, attached };
}

function namedPerson({ EventId, Relation, ...person }: SourceRecord) {
  const { Id, RelationId, RelationType, Status, Response, RespondedDate } = person;
  const { Type, Name } = (Relation ?? {}) as Record<string, unknown>;
  const answer = { ...(EventId !== undefined && { IsInvitee: true }), Status, Response, RespondedDate };
  const named = { Id, RelationId, RelationType, Type, Name, ...answer };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null && value !== undefined));
}

export function sourceWorld(
  records: SourceContext["records"],
  named: readonly SourceRecord[],
  people: readonly SourceRecord[],
  files: SourceFiles,
): SourceContext {
  const cases = new Set(idsOf(records.Case));
  const isImported = (email: SourceRecord) => {
    const parent = caseOfEmail(email);
    return parent === null || cases.has(parent);
  };
  const closed = new Set(idsOf(records.Task.filter(({ IsClosed }) => IsClosed === true)));
  return {
    records,
    names: new Map(named.map(({ Id, Name }) => [Id, Name])),
    linkable: new Set([records.Account, records.Contact, records.Case].flatMap(idsOf)),
    cases,
    ...namedFiles(files),
    people: new Map(
      [...Map.groupBy(people, ({ EventId, EmailMessageId }) => EventId ?? EmailMessageId)].map(([id, own]) => [
        id,
        own.map(namedPerson),
      ]),
    ),
    posts: new Map(records.FeedItem.map((post) => [post.Id, post])),
    shown: new Set([records.CaseComment, records.EmailMessage, records.Task, records.Event].flatMap(idsOf)),
    tasks: new Map(records.Task.map((task) => [task.Id, task])),
    occurring: new Set(
      [...records.Task, ...records.Event]
        .filter(({ IsRecurrence, IsChild }) => IsRecurrence !== true && IsChild !== true)
        .map(({ RecurrenceActivityId }) => RecurrenceActivityId),
    ),
    mirrors: new Set(
      records.EmailMessage.filter(isImported)
        .map(({ ActivityId }) => ActivityId)
        .filter((task) => closed.has(String(task))),
    ),
  };
}
