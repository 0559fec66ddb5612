import type { CallToolResult } from "@modelcontextprotocol/server";

import type { Context } from "@/lib/context";
import { refusalOf } from "@/lib/mcp/refusal";
import { shortenRecords } from "@/lib/mcp/shorten-records";
import type { Tool } from "@/lib/mcp/tool";
import { finishesWithin } from "@/lib/semaphore";

/** What a call or a resource returns at most, in characters of JSON. Hosts refuse more than some 25,000 tokens. */
export const MAX_RESULT = 100_000;

/** Clients of the SDK give up after 60 seconds; until then they can still be told why. */
const CALL_TIMEOUT_MS = 50_000;

/**
 * The result of what a tool does. A refusal is one as well, with its remedy, so that the assistant can try again. So is
 * a timeout, after which `work` goes on.
 */
export async function toolResult(
  tool: Tool,
  context: Context,
  work: Promise<unknown>,
  timeout = CALL_TIMEOUT_MS,
): Promise<CallToolResult> {
  try {
    if (await finishesWithin(timeout, work)) return succeeded(await work);
    return failed(`${tool.name} takes longer than ${timeout / 1000} seconds. ${remedy(tool)}`);
  } catch (error) {
    return failed(refusalOf(error, context, tool.name));
  }
}

function succeeded(value: unknown): CallToolResult {
  const whole = JSON.stringify(value);
  const result = whole.length > MAX_RESULT ? shortenRecords(value, MAX_RESULT) : value;
  const text = result === value ? whole : JSON.stringify(result);
  if (text.length > MAX_RESULT) return failed(`The result has ${text.length} characters, too many. Ask for less.`);
  return { content: [{ type: "text", text }], structuredContent: result };
}

/** After a timeout. What has begun to write may still be committed. */
function remedy({ effect }: Tool): string {
  return effect === "reads" ? "Ask for less at once." : "It may still be carried out: look before you try again.";
}

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
