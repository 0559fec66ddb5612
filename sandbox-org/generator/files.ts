import { CONTENT_PLACE, POST_BLOCK, postAt } from "./feed";
import { below, roll, salt } from "./hash";
import { idAt } from "./ids";
import { isDeleted, type GeneratedObject, type Org } from "./population";
import { idOf } from "./references";
import { nearestLiveCase } from "./relations";

const SIZE = salt("file.size");

export const FILE_PREFIXES = { Attachment: "00P", ContentVersion: "068", ContentDocument: "069", Link: "06A" } as const;

/** Every `step`-th record from `first` on has a file. */
interface Series {
  readonly object: GeneratedObject;
  readonly step: number;
  readonly first: number;
}

const ATTACHED: readonly Series[] = [
  { object: "EmailMessage", step: 7, first: 3 },
  { object: "Case", step: 9, first: 4 },
];
const POSTS: Series = { object: "FeedItem", step: POST_BLOCK, first: CONTENT_PLACE };
const REPLIES: Series = { object: "FeedComment", step: 10, first: 7 };
const LINKED: readonly Series[] = [
  { object: "EmailMessage", step: 13, first: 6 },
  POSTS,
  REPLIES,
  { object: "Account", step: 17, first: 3 },
];

const lengthOf = (org: Org, { object, step, first }: Series): number =>
  Math.max(0, Math.ceil((org.total[object] - first) / step));

interface Owner {
  readonly object: GeneratedObject;
  readonly ordinal: number;
}

function ownerIn(org: Org, list: readonly Series[], n: number): Owner {
  let place = n;
  for (const series of list) {
    const length = lengthOf(org, series);
    if (place < length) return { object: series.object, ordinal: series.first + place * series.step };
    place -= length;
  }
  throw new Error(`There is no file ${n}.`);
}

const totalOf = (org: Org, list: readonly Series[]): number =>
  list.reduce((sum, series) => sum + lengthOf(org, series), 0);

export const attachmentTotal = (org: Org): number => totalOf(org, ATTACHED);
export const documentTotal = (org: Org): number => totalOf(org, LINKED);

export function hasAttachment(email: number): boolean {
  return [ATTACHED[0], LINKED[0]].some((series) => series !== undefined && email % series.step === series.first);
}

/** The e-mail or case of a classic attachment. */
export function attachmentParent(org: Org, n: number): string {
  const { object, ordinal } = ownerIn(org, ATTACHED, n);
  return idOf(org, object, object === "Case" ? nearestLiveCase(org, ordinal) : ordinal);
}

/** The record that a file is linked to. A file of a post or a reply is linked to the case that these belong to. */
export function linkedEntity(org: Org, n: number): string {
  const { object, ordinal } = ownerIn(org, LINKED, n);
  if (object === "FeedItem") return idOf(org, "Case", postAt(org, ordinal).caseOrdinal);
  if (object === "FeedComment") return idOf(org, "Case", nearestLiveCase(org, ordinal));
  return idOf(org, object, ordinal);
}

/** A file is deleted with the e-mail that it came with. */
export function isAttachmentDeleted(org: Org, n: number): boolean {
  const { object, ordinal } = ownerIn(org, ATTACHED, n);
  return object !== "Case" && isDeleted(org, object, ordinal);
}

/** One document in seven is archived, with its version and its link: only queryAll returns them. */
export const isDocumentArchived = (_: Org, n: number): boolean => n % 7 === 2;

function documentOf(org: Org, series: Series, ordinal: number): number {
  const before = LINKED.slice(0, LINKED.indexOf(series));
  return totalOf(org, before) + (ordinal - series.first) / series.step;
}

export const versionId = (org: Org, n: number): string => idAt(org.seed, FILE_PREFIXES.ContentVersion, n);

export function versionOfPost(org: Org, post: number): string {
  return versionId(org, documentOf(org, POSTS, post));
}

/** The document of the post with a file in the same block as this post. */
export function documentNear(org: Org, post: number): string {
  const n = documentOf(org, POSTS, post - (post % POST_BLOCK) + CONTENT_PLACE);
  return idAt(org.seed, FILE_PREFIXES.ContentDocument, n);
}

export function versionOfReply(org: Org, reply: number): string | null {
  return reply % REPLIES.step === REPLIES.first ? versionId(org, documentOf(org, REPLIES, reply)) : null;
}

const KINDS = [
  { extension: "pdf", type: "application/pdf" },
  { extension: "png", type: "image/png" },
  { extension: "txt", type: "text/plain" },
  { extension: "html", type: "text/html" },
] as const;

export const kindOf = (n: number): (typeof KINDS)[number] => KINDS[n % KINDS.length] ?? KINDS[0];

const TITLES = ["invoice", "Foto_Pumpe", "Protokoll Größe 40", "log", "見積書", 'a "quoted" name'] as const;

export const titleOf = (n: number): string => `${TITLES[n % TITLES.length]}-${n}`;

/** Bytes: mostly some kilobytes, one file in 150 is large, one in 60 is empty. */
export function sizeOf(org: Org, own: number, n: number): number {
  if (n % 60 === 17) return 0;
  return n % 150 === 1 ? 700_000 : 20 + below(6000, org.seed, SIZE ^ own ^ 1, n);
}

/** The content of a file: the same bytes for the same file, other bytes for another. */
export function contentOf(org: Org, own: number, n: number): Buffer {
  const pattern = Buffer.alloc(251);
  for (let i = 0; i < pattern.length; i++) pattern[i] = roll(org.seed ^ own, n, i) & 0xff;
  return Buffer.alloc(sizeOf(org, own, n), pattern);
}

export const ATTACHMENT_SIZE = salt("file.attachment");
export const VERSION_SIZE = salt("file.version");
