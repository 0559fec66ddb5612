import { z } from "zod";

/** An event of the audit log. Any text is an action, so that those of a later version of the service are shown too. */
export const auditEvent = z.object({
  id: z.string(),
  created_at: z.string(),
  action: z.string(),
  user_id: z.string().nullable(),
  user_email: z.string().nullable(),
  user_name: z.string().nullable(),
  client_id: z.string().nullable(),
  client_name: z.string().nullable(),
  address: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** An IPv4 address without the prefix that it has on a socket for IPv4 and IPv6 (RFC 4291 §2.5.5.2). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
