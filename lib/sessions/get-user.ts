import { z } from "zod";

import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/id-input";
import { isId } from "@/lib/ids";
import { defineOperation } from "@/lib/operation";
import { SELECT_USERS, type User, user } from "@/lib/sessions/user-view";

export const getUser = defineOperation({
  name: "get_user",
  summary: "Get a user of the organization, such as the owner of a record.",
  scopes: ["crm:read"],
  input: z.strictObject({ id: pathId("user") }),
  output: user,
  async run({ organizationId }, { id }) {
    const { rows } = isId(id) ? await pool().query<User>(`${SELECT_USERS} AND m.user_id = $2`, [organizationId, id]) : { rows: [] };
    const [found] = rows;
    // Also for a user of another organization, and for what is no id.
    if (!found) throw new AppError("not_found", "There is no user with this id. Who can no longer sign in is not found either.");
    return found;
  },
});
