import { commentWritten } from "../objects/case-comment";
import { caseOpened } from "../objects/case";
import { callOfTask, taskCreated } from "../objects/task";
import { emailCase, emailSent } from "./emails";
import { HOUR, ORG_NOW, wholeSecond } from "./clock";
import { below, roll, salt } from "./hash";
import { isDeleted, type Org } from "./population";
import { idOf, NONE } from "./references";
import { COMMENT_THREAD, sentAt, threadPlace } from "./threads";

/**
 * The types of twelve posts in a row. As in real orgs, more than half of a case's feed shows what other records say: a
 * comment, an e-mail, a call, a changed field.
 */
const TYPES = [
  "TextPost",
  "CaseCommentPost",
  "EmailMessageEvent",
  "TrackedChange",
  "TextPost",
  "ContentPost",
  "CaseCommentPost",
  "ChangeStatusPost",
  "EmailMessageEvent",
  "CallLogPost",
  "LinkPost",
  "CaseCommentPost",
] as const;

type PostType = (typeof TYPES)[number];

export const POST_BLOCK = TYPES.length;
/** The place of the post with a file among twelve. */
export const CONTENT_PLACE = TYPES.indexOf("ContentPost");

const POST_THREAD = salt("thread.post");
const REPLY = salt("thread.reply");
const CALL = salt("thread.call");

interface Post {
  readonly type: PostType;
  readonly caseOrdinal: number;
  /** The ordinal of the record that a post shows, or NONE. */
  readonly mirrored: number;
  readonly created: number;
}

let last: { readonly org: Org; readonly n: number; readonly post: Post } | null = null;

/** A post in the feed of a case. The last one is cached: most of its fields need it. */
export function postAt(org: Org, n: number): Post {
  if (last?.n !== n || last.org !== org) last = { org, n, post: makePost(org, n) };
  return last.post;
}

function makePost(org: Org, n: number): Post {
  const type = TYPES[n % POST_BLOCK] ?? "TextPost";
  return mirrorAt(org, n, type) ?? ownPost(org, n, MIRRORS.has(type) ? "TextPost" : type);
}

const MIRRORS = new Set<PostType>(["CaseCommentPost", "EmailMessageEvent", "CallLogPost"]);

function ownPost(org: Org, n: number, type: PostType): Post {
  const { caseOrdinal, rank } = threadPlace(org, POST_THREAD, n, org.total.FeedItem);
  const created = sentAt(org, POST_THREAD, n, rank, caseOpened(org, caseOrdinal));
  return { type, caseOrdinal, mirrored: NONE, created };
}

/** The post that Salesforce makes of a comment, an e-mail or a call; null if there is no such record to show. */
function mirrorAt(org: Org, n: number, type: PostType): Post | null {
  const block = Math.floor(n / POST_BLOCK);
  const place = TYPES.slice(0, n % POST_BLOCK).filter((other) => other === type).length;
  if (type === "CaseCommentPost") return ofComment(org, (block * 3 + place) * 5 + 2);
  if (type === "EmailMessageEvent") return ofEmail(org, (block * 2 + place) * 7 + 1);
  return type === "CallLogPost" ? ofCall(org, n) : null;
}

function ofComment(org: Org, comment: number): Post | null {
  if (comment >= org.total.CaseComment || isDeleted(org, "CaseComment", comment)) return null;
  const { caseOrdinal } = threadPlace(org, COMMENT_THREAD, comment, org.total.CaseComment);
  return { type: "CaseCommentPost", caseOrdinal, mirrored: comment, created: commentWritten(org, comment) };
}

function ofEmail(org: Org, email: number): Post | null {
  if (email >= org.total.EmailMessage || isDeleted(org, "EmailMessage", email)) return null;
  const caseOrdinal = emailCase(org, email);
  return caseOrdinal === NONE
    ? null
    : { type: "EmailMessageEvent", caseOrdinal, mirrored: email, created: emailSent(org, email) };
}

/** How many tasks are tried to find a call about a case. */
const TRIES = 12;

function ofCall(org: Org, n: number): Post | null {
  const first = below(org.total.Task, org.seed, CALL, n);
  for (let task = first; task < Math.min(first + TRIES, org.total.Task); task++) {
    const caseOrdinal = callOfTask(org, task);
    if (caseOrdinal === NONE || isDeleted(org, "Case", caseOrdinal)) continue;
    return { type: "CallLogPost", caseOrdinal, mirrored: task, created: taskCreated(org, task) };
  }
  return null;
}

/** The id of the record that a post shows; for a post with a file, that is set by the file. */
export function mirroredId(org: Org, n: number): string | null {
  const { type, mirrored } = postAt(org, n);
  if (mirrored === NONE) return null;
  const object = type === "CaseCommentPost" ? "CaseComment" : type === "CallLogPost" ? "Task" : "EmailMessage";
  return idOf(org, object, mirrored);
}

/** The post that a reply belongs to: one that is not deleted, of any type. */
export function repliedPost(org: Org, reply: number): number {
  let post = Math.min(org.total.FeedItem - 1, Math.floor((reply * org.total.FeedItem) / org.total.FeedComment));
  while (post > 0 && isDeleted(org, "FeedItem", post)) post -= 1;
  return post;
}

export function replyWritten(org: Org, reply: number): number {
  const { created } = postAt(org, repliedPost(org, reply));
  return wholeSecond(Math.min(ORG_NOW, created + HOUR + below(40 * HOUR, org.seed, REPLY, reply)));
}

/** Whether a post or reply is rich text: one in five of those with a text of their own. */
export function isRich(org: Org, own: number, n: number): boolean {
  return roll(org.seed, own ^ 7, n) % 5 === 0;
}
