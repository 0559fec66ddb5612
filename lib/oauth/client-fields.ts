import { z } from "zod";

import { SCOPES } from "@/lib/context";
import { redirectUriFault } from "@/lib/oauth/redirect-uri";
import { hasUnseen, UNSEEN_FAULT } from "@/lib/unseen";

const redirectUri = z.string().superRefine((uri, issue) => {
  const fault = redirectUriFault(uri);
  if (fault) issue.addIssue({ code: "custom", message: fault });
});

/** What an admin may say about an API client, at its registration and later. */
export const clientName = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(100, "At most 100 characters.")
  .refine((name) => !hasUnseen(name), UNSEEN_FAULT)
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
