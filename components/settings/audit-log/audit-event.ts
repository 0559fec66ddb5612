/** An event of the audit log. Any text is an action, so that those of a later version of the service are shown too. */
export interface AuditEvent {
  id: string;
  created_at: string;
  action: string;
  user_id: string | null;
  user_email: string | null;
  user_name: string | null;
  client_id: string | null;
  client_name: string | null;
  address: string | null;
  details: Record<string, unknown>;
}

/** An IPv4 address without the prefix that it has on a socket for IPv4 and IPv6 (RFC 4291 §2.5.5.2). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
