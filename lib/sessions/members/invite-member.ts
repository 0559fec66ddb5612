import { z } from "zod";

import { prisma, transaction } from "@/lib/database/db";
import { postgresCode, UNIQUE_VIOLATION } from "@/lib/database/error-codes";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { assertMayAdd } from "@/lib/sessions/members/add-member";
import { recordMemberChange } from "@/lib/sessions/members/change-member";
import { memberView } from "@/lib/sessions/members/list-members";
import { lockMember } from "@/lib/sessions/members/member-access";
import { insertPasswordLink } from "@/lib/sessions/members/password-link";
import { emailInUse } from "@/lib/sessions/people/insert-user";
import { freeAddress } from "@/lib/sessions/people/erase-users";
import { newEmail, NO_ADDRESS } from "@/lib/sessions/people/person";
import { member, passwordLink } from "@/lib/sessions/schemas";

/** Whoever wakes up has the records that were theirs in the Salesforce org. */
export const inviteMember = defineOperation({
  name: "invite_member",
  summary:
    "Invite a disabled member that a migration made of a user of a Salesforce org: gives them their e-mail address, " +
    "enables them, and makes a one-time link by which they set a password.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ user_id: pathId("member"), email: newEmail }),
  output: z.object({ member, link: passwordLink }),
  async run(context, { user_id, email: address }) {
    await assertMayAdd(context);
    return transaction(async (client) => {
      const found = await lockMember(client, context, user_id);
      if (!found.is_disabled || !found.email.endsWith(NO_ADDRESS))
        throw new AppError(
          "illegal_state",
          "This member has an e-mail address. To let them sign in, enable them and make a one-time link.",
        );
      await freeAddress(client, context.organizationId, address);
      await client
        .query("UPDATE users SET email = $2 WHERE id = $1", [found.user_id, address])
        .catch((error: unknown) => {
          throw postgresCode(error) === UNIQUE_VIOLATION ? emailInUse() : error;
        });
      const key = { organization_id: context.organizationId, user_id: found.user_id };
      await prisma().memberships.update({ where: { organization_id_user_id: key }, data: { disabled_at: null } });
      await recordMemberChange(client, context, "member.enabled", { user_id: found.user_id, email: address });
      const link = await insertPasswordLink(client, context, found.user_id);
      return { member: await memberView(client, context.organizationId, found.user_id), link };
    });
  },
});
