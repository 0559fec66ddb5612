import { cleanText } from "@/lib/migration/objects/declaration";
import { isSourceObject } from "@/lib/migration/objects/source-object-names";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { canSeeField, type ReportFacts } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import { type About, examplesOf } from "@/lib/migration/report/risks/example-queries";
import { migratedOf } from "@/lib/migration/report/survey";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";
import { query, select } from "@/lib/salesforce/query";

type Example = NonNullable<Risk["example"]>;

const MAX_NAME = 80;

/** Adds an example to each risk that is about certain records: the newest of them. */
export async function addExamples(facts: ReportFacts, risks: readonly Risk[]): Promise<Risk[]> {
  const found: Risk[] = [];
  for (const risk of risks) {
    const example = await firstOf(facts, examplesOf(facts, risk));
    found.push(example ? { ...risk, example } : risk);
  }
  return found;
}

async function firstOf(facts: ReportFacts, places: readonly About[]): Promise<Example | null> {
  for (const about of places) {
    const example = await findExample(facts, about);
    if (example) return example;
  }
  return null;
}

async function findExample(facts: ReportFacts, { object, where, name, id = "Id" }: About): Promise<Example | null> {
  const isNameSeen = name !== null && (!isSourceObject(object) || canSeeField(facts, object, name));
  const soql = select({
    fields: [id, ...(isNameSeen ? [name] : [])],
    from: object,
    where: ["IsDeleted = false", ...migratedOf(object), ...where],
    orderBy: "Id DESC",
    limit: 1,
  });
  const page = await answerWithin((signal) => query(facts.client, soql, { all: true, signal }));
  const [record] = page?.records ?? [];
  return exampleOf(object, record?.[id], name === null ? null : record?.[name]);
}

/** An example from an id and a name as Salesforce gives them; null if the id is none. */
export function exampleOf(object: string, id: unknown, name: unknown): Example | null {
  if (typeof id !== "string" || !isSalesforceId(id)) return null;
  const text = typeof name === "string" ? cleanText(name).replaceAll(/\s+/g, " ").trim() : "";
  return { object, ext_id: to18(id), name: [...text].slice(0, MAX_NAME).join("") || null };
}
