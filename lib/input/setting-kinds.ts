import { z } from "zod";

// The kinds of settings. A fault follows the name of the setting: “must be …”.

/** One of these words. */
export const oneOf = <Value extends string>(...values: Value[]) => z.enum(values, `must be ${anyOf(values)}.`);

const anyOf = (words: readonly string[]) => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

export const flag = oneOf("true", "false", "1", "0")
  .default("false")
  .transform((value) => value === "true" || value === "1");

/** Digits alone: `Number` would read 3e3 and 0xBB8, too. */
export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const end = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
  const fault = `must be a whole number from ${least}${end}.`;
  return z.string().regex(/^\d+$/, fault).transform(Number).pipe(z.number().min(least, fault).max(most, fault));
};

/** A text in which `faultOf` finds no fault. */
export const without = (faultOf: (value: string) => string | null) =>
  z.string().superRefine((value, issue) => {
    const fault = faultOf(value);
    if (fault) issue.addIssue(fault);
  });

/** Words in lower case, with commas between. */
export const commaList = z
  .string()
  .trim()
  .toLowerCase()
  .default("")
  .transform((value) => value.split(/\s*,\s*/).filter(Boolean));

/** An address that is a scheme, a host and perhaps a port, and nothing else. */
export const origin = z
  .url({ protocol: /^https?$/, abort: true, error: "must be an address such as https://crm.example.com." })
  .regex(/^[a-z]+:\/\/[^/?#@\\]+\/?$/i, "must be an origin, without a path.")
  .transform((value) => new URL(value).origin);
