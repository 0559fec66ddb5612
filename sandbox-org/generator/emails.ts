import { caseOpened, caseSubject } from "../objects/case";
import { SUBJECTS } from "../words/sentences";
import { createdTime, SECOND, wholeSecond } from "./clock";
import { Dice } from "./dice";
import { below, chance, pick, roll } from "./hash";
import { emailAt, firstNameAt, fullName, identityOf, lastNameAt } from "./people";
import type { Org } from "./population";
import { NONE, ORPHAN } from "./references";
import { caseContact, randomRecord } from "./relations";
import { sentences } from "./text";
import { EMAIL_THREAD, sentAt, threadPlace } from "./threads";

const dice = new Dice("EmailMessage");
const BODY = dice.salt("Body");
const CREATED = dice.salt("CreatedDate");
const LOOSE = dice.salt("Loose");
const SIZE = dice.salt("Size");

/** The case of an e-mail. One e-mail in sixteen has none. */
export function emailCase(org: Org, email: number): number {
  return email % 16 === 5 || org.total.Case === 0
    ? NONE
    : threadPlace(org, EMAIL_THREAD, email, org.total.EmailMessage).caseOrdinal;
}

function emailRank(org: Org, email: number): number {
  return emailCase(org, email) === NONE ? 0 : threadPlace(org, EMAIL_THREAD, email, org.total.EmailMessage).rank;
}

/** The e-mail that this one answers, or NONE. */
export function previousEmail(org: Org, email: number): number {
  if (emailCase(org, email) === NONE) return NONE;
  const { previous } = threadPlace(org, EMAIL_THREAD, email, org.total.EmailMessage);
  return previous >= 0 && emailCase(org, previous) !== NONE ? previous : NONE;
}

export function emailSent(org: Org, email: number): number {
  const caseOrdinal = emailCase(org, email);
  if (caseOrdinal === NONE) return createdTime(org, CREATED, email, org.total.EmailMessage);
  return sentAt(org, EMAIL_THREAD, email, emailRank(org, email), caseOpened(org, caseOrdinal));
}

/** CreatedDate: some seconds after the e-mail was sent, or much later for one in forty. */
export function emailCreated(org: Org, email: number): number {
  const sent = emailSent(org, email);
  if (chance(25, org.seed, CREATED ^ 1, email))
    return Math.max(sent, createdTime(org, CREATED ^ 2, email, org.total.EmailMessage));
  return wholeSecond(sent + below(30, org.seed, CREATED ^ 3, email) * SECOND);
}

/** The customer who wrote or received the e-mail: a contact, or NONE for an unknown person. */
export function emailContact(org: Org, email: number): number {
  const caseOrdinal = emailCase(org, email);
  const contact =
    caseOrdinal === NONE ? randomRecord(org, "Contact", LOOSE, email, 100) : caseContact(org, caseOrdinal);
  return contact === ORPHAN ? NONE : contact;
}

export function isIncoming(org: Org, email: number): boolean {
  return emailRank(org, email) % 2 === 0;
}

const NEW = "0";
const readStatus = dice.pick("Status", [NEW, "1", "1", "2", "2", "4"]);

/** 0 New, 1 Read, 2 Replied, 3 Sent, 4 Forwarded, 5 Draft. */
export function emailStatus(org: Org, email: number): string {
  return isIncoming(org, email) ? readStatus(org, email) : "3";
}

/** Whether nobody has read an e-mail to a case yet: its task is then one to do. */
export function isUnread(org: Org, email: number): boolean {
  return emailCase(org, email) !== NONE && emailStatus(org, email) === NEW;
}

export function customerAddress(org: Org, email: number): string {
  const contact = emailContact(org, email);
  return (contact === NONE ? null : emailAt(org, contact)) ?? `unknown.${email}@example.net`;
}

export function customerName(org: Org, email: number): string | null {
  const contact = emailContact(org, email);
  if (contact === NONE) return null;
  const identity = identityOf(org, contact);
  return fullName(firstNameAt(org, identity), lastNameAt(org, identity));
}

/** Later messages have `Re:`, and outgoing ones Salesforce's thread reference. One e-mail in 200 has no subject. */
export function emailSubject(org: Org, email: number): string | null {
  const caseOrdinal = emailCase(org, email);
  if (roll(org.seed, BODY ^ 3, email) % 200 === 0) return null;
  if (caseOrdinal === NONE) return pick(SUBJECTS, org.seed, LOOSE ^ 1, email);
  const subject = caseSubject(org, caseOrdinal) ?? "(no subject)";
  const rank = emailRank(org, email);
  if (rank === 0) return subject;
  return isIncoming(org, email) ? `Re: ${subject}` : `RE: ${subject} [ ref:!00DHs0.!500Hs${caseOrdinal}:ref ]`;
}

let last: { readonly org: Org; readonly email: number; readonly text: string } | null = null;

/** The body as plain text. It quotes the previous message. */
export function emailText(org: Org, email: number): string {
  if (last?.email !== email || last.org !== org) last = { org, email, text: makeText(org, email) };
  return last.text;
}

function makeText(org: Org, email: number): string {
  const size = roll(org.seed, SIZE, email);
  const body = sentences(org, BODY, email, 2 + (size % 7));
  if (size % 3000 === 0) return `${body}\n\n`.repeat(Math.ceil(60_000 / (body.length + 2)));
  const before = previousEmail(org, email);
  if (before === NONE) return body;
  return (
    `${body}\r\n\r\n--------------- Original Message ---------------\r\n> ` +
    sentences(org, BODY, before, 2).replaceAll("\n", "\n> ")
  );
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const STYLE = "<style type=\"text/css\">p.MsoNormal{margin:0cm;font-family:'Calibri',sans-serif}</style>";
/** What mail programs, and attackers, put into bodies. */
const HTML_EXTRAS = [
  "",
  '<img src="cid:image001.png@01DA0000.00000000" width="120" height="40" alt="Logo">',
  '<table border="1" cellpadding="3"><tr><td>Qty</td><td>Part</td></tr>' +
    "<tr><td>2</td><td>Seal &Oslash; 40</td></tr></table>",
  "<!--[if mso]><v:rect>junk</v:rect><![endif]-->",
  '<script>alert("xss")</script><img src="x" onerror="alert(1)">',
  '<a href="javascript:alert(2)">Click</a> <a href="https://example.com/track?u=1&amp;v=2">unsubscribe</a>',
] as const;

export function emailHtml(org: Org, email: number): string {
  const paragraphs = escapeHtml(emailText(org, email)).replaceAll("\r\n", "\n").split("\n\n");
  const body = paragraphs
    .map((paragraph) => `<p class="MsoNormal">${paragraph.replaceAll("\n", "<br>")}</p>`)
    .join("\n");
  const extra = pick(HTML_EXTRAS, org.seed, BODY ^ 4, email);
  return `<html><head>${STYLE}</head><body dir="auto">${body}${extra}</body></html>`;
}
