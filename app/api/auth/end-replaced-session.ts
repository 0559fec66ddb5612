import { clientAddress } from "@/lib/http/request";
import { requestSession } from "@/lib/http/api/authenticate";
import { endSession } from "@/lib/sessions/browser-sessions/session-store";

/**
 * Ends the session that the browser had before it signed in again: its cookie is replaced, and copies must stop
 * working.
 */
export async function endReplacedSession(request: Request): Promise<void> {
  const replaced = await requestSession(request.headers);
  if (replaced) await endSession(replaced.id, clientAddress(request.headers));
}
