import { z } from "zod";

import { role } from "@/lib/generated/prisma/enums";

/** A member of the organization as records name them: as owner, or as author. */
export const user = z.object({
  id: z.uuidv7(),
  name: z.string(),
  email: z.string(),
  role: z.enum(role).describe("Admins also manage API clients and webhooks."),
});

export type User = z.infer<typeof user>;

/** The users of the organization $1, without those who can no longer sign in. */
export const SELECT_USERS = `
  SELECT m.user_id AS id, u.name, u.email, m.role FROM memberships AS m JOIN users AS u ON u.id = m.user_id
  WHERE m.organization_id = $1 AND m.disabled_at IS NULL`;
