import { z } from "zod";

import { SCOPES } from "@/lib/context";
import { redirectUriFault } from "@/lib/oauth/redirect-uri";

const redirectUri = z.string().superRefine((uri, issue) => {
  const fault = redirectUriFault(uri);
  if (fault) issue.addIssue({ code: "custom", message: fault });
});

/** Controls, line ends, and what turns text around or hides in it: people read the name where they decide whether to allow the client. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** What an admin may say about an API client, at its registration and later. */
export const clientName = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(100, "At most 100 characters.")
  .refine((name) => !UNSEEN.test(name), "Control characters and invisible ones cannot be part of a name.")
  .describe("Shown to the people who are asked to allow it.");

export const redirectUris = z
  .array(redirectUri)
  .min(1, "Name at least one redirect URI.")
  .max(20, "At most 20 redirect URIs.")
  .transform((uris) => [...new Set(uris)])
  .describe("Where the browser may be sent with a code. Compared character for character.");

export const clientScopes = z
  .array(z.enum(SCOPES))
  .min(1, "Choose at least one scope.")
  .max(SCOPES.length, "Name each scope once.")
  .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)))
  .describe("The most that it may ask for.");
