import { Connection } from "jsforce";

/** A record of the Salesforce org, by API names. */
export type SourceRecord = Record<string, unknown> & { Id: string };

export interface SourceField {
  name: string;
  type: string;
}

export const SOURCE_OBJECTS = [
  "Account",
  "Contact",
  "Case",
  "CaseComment",
  "EmailMessage",
  "FeedItem",
  "FeedComment",
  "Task",
  "Event",
] as const;
export type SourceObject = (typeof SOURCE_OBJECTS)[number];

const LINKS_PER_QUERY = 200;

/** Reads a Salesforce org with jsforce: every described field of every record, archived ones included. */
export class SourceOrg {
  readonly #connection: Connection;

  constructor({ ext_instance_url, ext_access_token }: { ext_instance_url: string; ext_access_token: string }) {
    this.#connection = new Connection({
      instanceUrl: ext_instance_url,
      accessToken: ext_access_token,
      version: "67.0",
    });
  }

  async fields(object: string): Promise<SourceField[]> {
    return (await this.#connection.describe(object)).fields.map(({ name, type }) => ({ name, type }));
  }

  /** The records that are not deleted. Throws if jsforce stops before the end, as it does at `maxFetch`. */
  async records(object: string): Promise<SourceRecord[]> {
    const names = (await this.fields(object)).map(({ name }) => name);
    const where = names.includes("IsDeleted") ? " WHERE IsDeleted = false" : "";
    const options = { autoFetch: true, maxFetch: Number.MAX_SAFE_INTEGER, scanAll: true };
    const { records, totalSize } = await this.#connection.query<SourceRecord>(
      `SELECT ${names.join(", ")} FROM ${object}${where}`,
      options,
    );
    if (records.length !== totalSize)
      throw new Error(`Of ${totalSize} records of ${object}, jsforce read ${records.length}.`);
    return records;
  }

  /** The files that are linked to records. Salesforce finds them only by the ids of those. */
  async linksOf(ids: readonly string[]): Promise<SourceRecord[]> {
    const links: SourceRecord[] = [];
    for (let start = 0; start < ids.length; start += LINKS_PER_QUERY) {
      const list = ids.slice(start, start + LINKS_PER_QUERY).map((id) => `'${id}'`);
      const soql =
        "SELECT Id, LinkedEntityId, ContentDocument.LatestPublishedVersionId FROM ContentDocumentLink WHERE " +
        `IsDeleted = false AND LinkedEntityId IN (${list.join(", ")})`;
      links.push(...(await this.#connection.query<SourceRecord>(soql, { scanAll: true })).records);
    }
    return links;
  }

  /** The invitees of events, archived ones included, with their names. */
  async invitees(): Promise<SourceRecord[]> {
    const soql =
      "SELECT Id, EventId, RelationId, Relation.Type, Relation.Name, Status, Response, RespondedDate " +
      "FROM EventRelation WHERE IsDeleted = false ORDER BY Id";
    const options = { autoFetch: true, maxFetch: Number.MAX_SAFE_INTEGER, scanAll: true };
    return (await this.#connection.query<SourceRecord>(soql, options)).records;
  }

  /** The contacts and users who got e-mails, with their names. */
  async recipients(): Promise<SourceRecord[]> {
    const soql =
      "SELECT Id, EmailMessageId, RelationId, RelationType, Relation.Type, Relation.Name FROM EmailMessageRelation " +
      "WHERE IsDeleted = false AND RelationId != null AND RelationType != 'FromAddress' ORDER BY Id";
    const options = { autoFetch: true, maxFetch: Number.MAX_SAFE_INTEGER, scanAll: true };
    return (await this.#connection.query<SourceRecord>(soql, options)).records;
  }

  async count(object: string): Promise<number> {
    const options = { scanAll: true };
    return (await this.#connection.query(`SELECT COUNT() FROM ${object} WHERE IsDeleted = false`, options)).totalSize;
  }
}
