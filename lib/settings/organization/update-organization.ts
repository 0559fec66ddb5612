import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { prisma, transaction } from "@/lib/database/db";
import { defineOperation } from "@/lib/operation";
import { assertPreconditions } from "@/lib/preconditions";
import { recordAudit } from "@/lib/security/audit";
import { lockMember } from "@/lib/sessions/members/member-access";
import { organizationName } from "@/lib/sessions/people/person";
import { organizationSettings } from "@/lib/settings/organization/organization-schema";
import { organizationView } from "@/lib/settings/organization/read-organization";

const ZONE_FAULT = "This is no time zone. Write an IANA name like Europe/Berlin, or UTC.";

/** A name, no offset: an offset is wrong for half of the year where clocks change. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

/**
 * Changes the fields that are sent and no others. Throws `precondition_failed`, and `forbidden` for somebody who is no
 * admin any more.
 */
export const updateOrganization = defineOperation({
  name: "update_organization",
  summary: "Change the organization's name, its default currency, or the time zone of its pages.",
  scopes: [],
  people: "admins",
  stores: true,
  conditional: true,
  input: z.strictObject({
    name: organizationName.optional(),
    currency: z
      .string()
      .refine((code) => CURRENCIES.has(code), "Write the code of a currency in use (ISO 4217), like EUR.")
      .nullable()
      .optional(),
    time_zone: z.string().max(64, ZONE_FAULT).refine(isTimeZone, ZONE_FAULT).nullable().optional(),
  }),
  output: organizationSettings,
  run(context, changes) {
    const { organizationId, userId, preconditions } = context;
    return transaction(async (client) => {
      // Admins who change the organization take turns.
      await lockMember(client, context, userId);
      const { id, version, ...rest } = await organizationView(client, organizationId);
      assertPreconditions(preconditions, { id, version });
      const before = { name: rest.name, currency: rest.currency, time_zone: rest.time_zone };
      const after = { ...before, ...changes };
      if (!isDeepStrictEqual(after, before)) {
        await prisma().organizations.update({ where: { id }, data: { ...after, version: { increment: 1 } } });
        const action = "organization.updated";
        await recordAudit(client, context, action, { details: { before, after } });
      }
      return organizationView(client, organizationId);
    });
  },
});
