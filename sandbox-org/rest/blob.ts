import { ATTACHMENT_SIZE, contentOf, kindOf, VERSION_SIZE } from "../generator/files";
import { ApiError, notFound } from "../server/api-error";
import type { Handler } from "../server/exchange";

const BLOBS: Readonly<Record<string, { own: number; typeOf: (ordinal: number) => string }>> = {
  "attachment.body": { own: ATTACHMENT_SIZE, typeOf: (ordinal) => kindOf(ordinal).type },
  "contentversion.versiondata": { own: VERSION_SIZE, typeOf: () => "application/octetstream" },
};

/** The bytes of a file: `/sobjects/Attachment/{id}/Body`, `/sobjects/ContentVersion/{id}/VersionData`. */
export const blob: Handler = ({ org }, object = "", id = "", field = "") => {
  const kind = BLOBS[`${object}.${field}`.toLowerCase()];
  const table = org.database.table(object);
  if (!kind || !table) throw notFound();
  const ordinal = table.find(id);
  if (ordinal < 0) throw notFound();
  if (table.isDeleted(ordinal)) throw new ApiError(404, "ENTITY_IS_DELETED", "entity is deleted");
  const content = contentOf(org.database.org, kind.own, ordinal);
  return { status: 200, headers: { "Content-Type": kind.typeOf(ordinal) }, buffers: [content] };
};
