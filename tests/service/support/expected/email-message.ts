import { relate } from "@/tests/service/support/expected/activity-relations";
import { type Expectation, type ExpectedRecord, expectRecord } from "@/tests/service/support/expected/expectation";
import { caseOfEmail, type SourceContext } from "@/tests/service/support/expected/source-context";
import { wordsOfHtml } from "@/tests/service/support/expected/words";
import type { SourceRecord } from "@/tests/service/support/source-org";

const DRAFT = "5";
/** Columns that an e-mail does not fill. */
const NOTHING = {
  priority: null,
  due_date: null,
  start_at: null,
  end_at: null,
  completed_at: null,
  duration_minutes: null,
  location: null,
};

/**
 * An e-mail of a case becomes an entry of its thread, by the time it was sent. An e-mail without a case becomes an
 * activity.
 */
export function expectEmailMessage(source: SourceRecord, context: SourceContext): Expectation {
  const parent = caseOfEmail(source);
  if (parent === null) return expectActivity(source, context);
  return context.cases.has(parent)
    ? expectThreadEntry(source, context, parent)
    : { outcome: "failed", codes: ["missing_parent"] };
}

/** The thread is ordered by the time a message was sent. The time it was stored is kept as well. */
function sent(source: SourceRecord): { createdFrom?: string } {
  return source.MessageDate === null ? {} : { createdFrom: "MessageDate" };
}

/** A text that is made from HTML is compared by its words. */
function withText(
  source: SourceRecord,
  column: string,
  otherwise: string | null,
  build: (text: unknown) => ExpectedRecord,
): ExpectedRecord {
  if (source.TextBody !== null || source.HtmlBody === null) return build(source.TextBody ?? otherwise);
  return { ...build(wordsOfHtml(String(source.HtmlBody))), inWords: [column] };
}

/** What links the task of an e-mail links the e-mail, too: e-mails name no account, and no contact but their sender. */
const LINKS = ["WhoId", "AccountId"];

const ITS_OWN = /^(?:WhoId|AccountId|OwnerId|Priority|Type|CallDisposition|\w+__[cs])$/;

/** Values that only the task of an e-mail has: a closed task is not imported. Of an open one, the links. */
function saidOnTask(
  source: SourceRecord,
  context: SourceContext,
  but: readonly string[] = [],
): Record<string, unknown> {
  const task = context.tasks.get(String(source.ActivityId));
  const isKept = task?.IsClosed === true ? ITS_OWN : /^(?:WhoId|AccountId)$/;
  const own = Object.entries(task ?? {}).filter(
    ([name, value]) => value !== null && isKept.test(name) && !but.includes(name),
  );
  return Object.fromEntries(own.map(([name, value]) => [`Task.${name}`, value]));
}

/** The files that an e-mail came with, and the records of those who got it. */
function named(source: SourceRecord, { attached, people }: SourceContext): Record<string, unknown> {
  const [files, recipients] = [attached.get(source.Id), people.get(source.Id)];
  return { ...(files && { Attachments: files }), ...(recipients && { EmailMessageRelations: recipients }) };
}

function expectThreadEntry(source: SourceRecord, context: SourceContext, parent: string): Expectation {
  return withText(source, "body", "(no text)", (body) =>
    expectRecord("case_comments", source, context, {
      ...sent(source),
      copied: { is_public: "IsExternallyVisible" },
      worked: {
        case_id: parent,
        body,
        kind: source.Incoming === true ? "email_inbound" : "email_outbound",
        author_name: source.FromName ?? source.FromAddress,
        author_id: null,
      },
      added: { ...saidOnTask(source, context), ...named(source, context) },
      carried: [
        "ParentId",
        "TextBody",
        "FromName",
        "Incoming",
        ...(source.RelatedToId === parent ? ["RelatedToId"] : []),
      ],
    }),
  );
}

function expectActivity(source: SourceRecord, context: SourceContext): Expectation {
  // Only the e-mail's task names the contact or lead, and the account of a deal, and the task is not imported.
  const task = context.tasks.get(String(source.ActivityId));
  const who = task?.WhoId ?? null;
  const links = { WhoId: who, WhatId: source.RelatedToId ?? null, AccountId: task?.AccountId ?? null };
  const related = relate({ ...source, ...links }, context, {
    WhatId: "RelatedToId",
  });
  const sender = String(source.FromId);
  const isFromContact = !String(who).startsWith("003") && sender.startsWith("003") && context.linkable.has(sender);
  return withText(source, "description", null, (description) =>
    expectRecord("activities", source, context, {
      ...sent(source),
      copied: {},
      worked: {
        type: "email",
        subject: source.Subject ?? "(no subject)",
        description,
        status: source.Status === DRAFT ? "not_started" : "completed",
        ...related.columns,
        ...(isFromContact && { contact_id: sender }),
        ...NOTHING,
      },
      carried: ["Subject", "TextBody", ...related.carried],
      added: {
        ...saidOnTask(source, context, LINKS),
        ...named(source, context),
        ...related.kept,
        ...(source.MessageDate !== null && { MessageDate: source.MessageDate }),
      },
    }),
  );
}
