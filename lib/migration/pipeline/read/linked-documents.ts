import { EXISTING, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The field of a document with the id of the version that people see. */
export const LATEST_VERSION = "LatestPublishedVersionId";

/** A document, and the id of a record that it is linked to. */
interface LinkedDocument {
  owner: string;
  document: SourceRecord;
}

/** The documents that are linked to records, with `fields`. One that the user may not see has no version to read. */
export async function linkedDocuments(
  client: SalesforceClient,
  fields: readonly string[],
  ids: readonly string[],
): Promise<LinkedDocument[]> {
  const links = await readByIds(
    client,
    {
      from: "ContentDocumentLink",
      key: "LinkedEntityId",
      fields: [...fields, LATEST_VERSION].map((field) => `ContentDocument.${field}`),
      all: EXISTING.all,
      // A link is not always deleted with its document.
      where: [...EXISTING.where, "ContentDocument.IsDeleted = false"],
    },
    ids,
  );
  return links.flatMap(({ LinkedEntityId, ContentDocument }) => {
    const document = ContentDocument as SourceRecord | null | undefined;
    return document?.[LATEST_VERSION] ? [{ owner: String(LinkedEntityId), document }] : [];
  });
}
