import { account } from "@/lib/migration/objects/account";
import { supportCase } from "@/lib/migration/objects/case";
import { caseComment } from "@/lib/migration/objects/case-comment";
import { contact } from "@/lib/migration/objects/contact";
import type { SourceObject } from "@/lib/migration/objects/declaration";
import { emailMessage } from "@/lib/migration/objects/email-message";
import { event } from "@/lib/migration/objects/event";
import { task } from "@/lib/migration/objects/task";
import type { MigratedObjectName } from "@/lib/migration/schemas";

/** Every object that a migration imports, by its API name. */
export const SOURCE_OBJECTS: Record<MigratedObjectName, SourceObject> = {
  Account: account,
  Contact: contact,
  Case: supportCase,
  CaseComment: caseComment,
  EmailMessage: emailMessage,
  Task: task,
  Event: event,
};
