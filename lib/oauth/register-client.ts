import { randomBytes } from "node:crypto";

import { z } from "zod";

import { type Context, SCOPES } from "@/lib/context";
import { randomSecret, sha256 } from "@/lib/crypto";
import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { redirectUriFault } from "@/lib/oauth/redirect-uri";
import { parseInput } from "@/lib/parse-input";

const redirectUri = z.string().superRefine((uri, issue) => {
  const fault = redirectUriFault(uri);
  if (fault) issue.addIssue({ code: "custom", message: fault });
});

export const clientRegistration = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "Enter a name.")
    .max(100, "At most 100 characters.")
    .refine((name) => !/\p{Cc}/u.test(name), "Control characters cannot be part of a name."),
  redirect_uris: z.array(redirectUri).min(1, "Name at least one redirect URI.").max(20, "At most 20 redirect URIs."),
  scopes: z.array(z.enum(SCOPES)).min(1, "Choose at least one scope."),
});

/** A client with its secret, which is never seen again: only its digest is kept. */
export interface RegisteredClient {
  id: string;
  client_id: string;
  client_secret: string;
}

/** Registers an OAuth client of the organization. Throws `invalid_request` with a sentence per field. */
export async function registerClient(
  context: Pick<Context, "organizationId" | "userId">,
  input: z.input<typeof clientRegistration>,
): Promise<RegisteredClient> {
  const { name, redirect_uris, scopes } = parseInput(clientRegistration, input, "The client cannot be registered like this; see `errors`.");
  const id = newId();
  const client_id = `crm_${randomBytes(12).toString("hex")}`;
  const client_secret = `crm_secret_${randomSecret()}`;
  const created_at = new Date();
  await prisma().oauth_clients.create({
    data: {
      id,
      organization_id: context.organizationId,
      client_id,
      name,
      redirect_uris: [...new Set(redirect_uris)],
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      created_by_id: context.userId,
      created_at,
      secrets: { create: { id: newId(), secret_hash: new Uint8Array(sha256(client_secret)), created_at } },
    },
  });
  return { id, client_id, client_secret };
}
