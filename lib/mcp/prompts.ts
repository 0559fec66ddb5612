import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

import { UNTRUSTED } from "@/lib/mcp/tools/shown-record";

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: z.ZodObject;
  text: (given: Record<string, string | undefined>) => string;
}

const PROMPTS: Prompt[] = [
  {
    name: "account_briefing",
    title: "Account briefing",
    description: "What somebody should know before they talk to a customer.",
    arguments: z.object({ account: z.string().max(200).describe("The account's name or id.") }),
    text: ({ account }) =>
      `Brief me on the account ${quoted(account)}. Find it with search; if several match, ask me which. Read it with ` +
      "get_records, count what belongs to it with get_related, then read its newest contacts, open cases and " +
      "opportunities, and its timeline. Say in at most a page: who they are, who our contacts are, what is open and " +
      "late, what happened last, and what to do next. Cite each record by its url.",
  },
  {
    name: "pipeline_review",
    title: "Pipeline review",
    description: "Where the deals stand, which are at risk, and what to do next.",
    arguments: z.object({ owner: z.string().max(200).optional().describe("Only the deals of this person.") }),
    text: ({ owner }) =>
      `Review the pipeline${owner === undefined ? "" : ` of ${quoted(owner)}; list_users has the \`owner_id\``}. ` +
      "Begin with pipeline_summary. Then read the open opportunities with query_records: the filter " +
      '{"is_closed": false}, the fields name, stage, amount, currency, close_date and probability, 100 at once: the ' +
      "largest by the sort amount, and the overdue ones by the sort close_date. After three pages of each stop, and " +
      "say that there are more. Read the timelines of at most ten. Say by stage how much there is, which deals are " +
      "overdue, which of the ten have had no activity for a month, and the five next steps that matter most. Keep " +
      "currencies apart. " +
      "Cite each record by its url.",
  },
  {
    name: "case_summary",
    title: "Case summary",
    description: "A case and its thread in a few sentences.",
    arguments: z.object({ case: z.string().max(200).describe("The case's number or id.") }),
    text: ({ case: given }) =>
      `Summarize the case ${quoted(given)}. Find it with search or get_records, and read its whole thread with ` +
      "get_timeline. Say what the customer wants, what was tried, who owes the next answer and since when, and " +
      "propose that answer. Keep what is internal out of the proposed answer. Cite the case by its url.",
  },
];

/** What the user has typed, so that it cannot be taken for a part of the instructions. */
function quoted(given: string | undefined): string {
  return JSON.stringify(given ?? "");
}

export function addPrompts(server: McpServer): void {
  for (const { name, title, description, arguments: argsSchema, text } of PROMPTS)
    server.registerPrompt(name, { title, description, argsSchema }, (given) => ({
      messages: [
        {
          role: "user" as const,
          content: { type: "text" as const, text: `${text(given as Record<string, string>)}\n\n${UNTRUSTED}` },
        },
      ],
    }));
}
