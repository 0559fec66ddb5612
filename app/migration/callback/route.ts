import { rememberForm } from "@/app/form-memory";
import { unavailability } from "@/lib/unavailable";
import { AppError } from "@/lib/errors";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { orUnavailablePage } from "@/lib/http/pages/unavailable-page";
import { seeOther } from "@/lib/http/pages/redirects";
import { clientAddress } from "@/lib/http/request";
import { requestSession } from "@/lib/http/api/authenticate";
import { log } from "@/lib/log";
import { completeConnection } from "@/lib/migration/connections/sign-in";
import { sessionContext } from "@/lib/sessions/browser-sessions/session-store";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, OPTIONS");

const WIZARD = "/migration/new";

/**
 * Salesforce sends the browser back to this address. Redirects to the wizard, with a connection or with the reason why
 * there is none.
 */
export function GET(request: Request): Promise<Response> {
  return orUnavailablePage(() => complete(request));
}

async function complete(request: Request): Promise<Response> {
  const session = await requestSession(request.headers);
  const { pathname, search, searchParams } = new URL(request.url);
  if (!session) return seeOther(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
  try {
    const connectionId = await completeConnection(
      sessionContext(session, { address: clientAddress(request.headers) }),
      {
        state: searchParams.get("state"),
        code: searchParams.get("code"),
        error: searchParams.get("error"),
        error_description: searchParams.get("error_description"),
      },
    );
    return seeOther(`${WIZARD}?${new URLSearchParams({ connection_id: connectionId })}`);
  } catch (error) {
    const known =
      error instanceof AppError
        ? error
        : unavailability(error)
          ? new AppError("service_unavailable", "The service cannot use its database at the moment. Try again soon.")
          : new AppError("internal_error", "The connection failed because of a defect on our side.");
    if (known !== error) log.error({ err: error }, "sign-in at Salesforce failed");
    // The reason is passed in a cookie: if the page showed a text from its URL, anybody could put one into a link.
    const reason = rememberForm(WIZARD, { values: {}, faults: { connection: known.message } });
    return seeOther(`${WIZARD}?${new URLSearchParams({ error: known.code })}`, [reason]);
  }
}

// Without a HEAD handler, Next would answer HEAD with GET, and the attempt would be spent.
export { refuse as HEAD, refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
