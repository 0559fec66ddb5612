import { expectAccount } from "@/tests/service/support/expected/account";
import { expectCase } from "@/tests/service/support/expected/case";
import { expectCaseComment } from "@/tests/service/support/expected/case-comment";
import { expectContact } from "@/tests/service/support/expected/contact";
import { expectEmailMessage } from "@/tests/service/support/expected/email-message";
import { expectEvent } from "@/tests/service/support/expected/event";
import type { Expectation } from "@/tests/service/support/expected/expectation";
import { expectFeedComment, expectFeedItem } from "@/tests/service/support/expected/feed";
import type { SourceContext } from "@/tests/service/support/expected/source-context";
import { expectTask } from "@/tests/service/support/expected/task";
import type { SourceObject, SourceRecord } from "@/tests/service/support/source-org";

/** The expectation of every record of an object. */
export const EXPECT: Record<SourceObject, (source: SourceRecord, context: SourceContext) => Expectation> = {
  Account: expectAccount,
  Contact: expectContact,
  Case: expectCase,
  CaseComment: expectCaseComment,
  EmailMessage: expectEmailMessage,
  FeedItem: expectFeedItem,
  FeedComment: expectFeedComment,
  Task: expectTask,
  Event: expectEvent,
};
