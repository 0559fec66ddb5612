import { faultsByField, Problem } from "@/components/api/problem";
import { customField, customInputOf, customInputs } from "@/components/records/form/custom-inputs";
import { formFields, type FormValues, toJson } from "@/components/records/form/record-values";
import type { ResourceName } from "@/lib/records/schema/resources";

const NO_NUMBER = "Write a number, like 12500.50.";

/**
 * Throws a problem with a fault for each custom field that was a number and is none any more. The API takes any value
 * for it: a slip would become a text unnoticed.
 */
export function assertNumbers(values: FormValues): void {
  const numbers = customInputs(values).filter(({ kind }) => kind === "number");
  const faulty = numbers.filter(({ input }) => typeof toJson(customField("number"), values[input]) === "string");
  if (faulty.length === 0) return;
  const errors = faulty.map(({ input }) => ({
    pointer: `/${input}`,
    code: "invalid_value" as const,
    detail: NO_NUMBER,
  }));
  throw new Problem({ title: "This is no number", detail: NO_NUMBER, code: "invalid_request", errors });
}

/** The faults of a refusal by the input that each is about; null if one of them is about none. */
export function faultsOfRecord(resource: ResourceName, error: unknown): Record<string, string> | null {
  const faults = error instanceof Problem ? error.errors : [];
  const custom = faults.map(({ pointer }) => pointer.slice(1)).filter((input) => customInputOf(input) !== null);
  return faultsByField(error, [...formFields(resource).map(([name]) => name), ...custom]);
}
