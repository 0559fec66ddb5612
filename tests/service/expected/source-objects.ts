import { expectAccount } from "@/tests/service/expected/account";
import { expectCase } from "@/tests/service/expected/case";
import { expectCaseComment } from "@/tests/service/expected/case-comment";
import { expectContact } from "@/tests/service/expected/contact";
import { expectEmailMessage } from "@/tests/service/expected/email-message";
import { expectEvent } from "@/tests/service/expected/event";
import type { Expectation } from "@/tests/service/expected/expectation";
import type { SourceWorld } from "@/tests/service/expected/source-world";
import { expectTask } from "@/tests/service/expected/task";
import type { SourceObject, SourceRecord } from "@/tests/service/support/source-org";

/** What every record of an object must become. */
export const EXPECT: Record<SourceObject, (source: SourceRecord, world: SourceWorld) => Expectation> = {
  Account: expectAccount,
  Contact: expectContact,
  Case: expectCase,
  CaseComment: expectCaseComment,
  EmailMessage: expectEmailMessage,
  Task: expectTask,
  Event: expectEvent,
};
