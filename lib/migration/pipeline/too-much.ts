import { SalesforceError } from "@/lib/salesforce/errors";

const CODES = new Set(["QUERY_TIMEOUT", "OPERATION_TOO_LARGE", "QUERY_TOO_COMPLICATED", "ANSWER_TOO_LARGE"]);
/** A source that takes too long for so few takes as long for fewer. */
const FEWEST = 50;

/** Whether a query asked for more than the source does at once, or than is read at once, so that asking for less may succeed. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof SalesforceError && CODES.has(error.errorCode ?? "");
}

/** Asks for so many records, and for half as many for as long as that is too much; of records that are heavy themselves, down to a single one. */
export async function askForFewer<Answer>(records: number, ask: (records: number) => Promise<Answer>): Promise<{ answer: Answer; asked: number }> {
  for (let asked = records; ; asked = Math.floor(asked / 2)) {
    try {
      return { answer: await ask(asked), asked };
    } catch (error) {
      const fewest = error instanceof SalesforceError && error.errorCode === "ANSWER_TOO_LARGE" ? 1 : FEWEST;
      if (!isTooMuch(error) || asked <= fewest) throw error;
    }
  }
}
