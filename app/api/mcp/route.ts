import { allowOnly } from "@/lib/http/api/fallback-routes";
import { serveMcp } from "@/lib/mcp/serve";

export const dynamic = "force-dynamic";

/** GET and DELETE belong to sessions, which there are none of (MCP 2025-11-25, "Streamable HTTP"). */
const { refuse, options } = allowOnly("POST, OPTIONS");

export { serveMcp as POST, refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
