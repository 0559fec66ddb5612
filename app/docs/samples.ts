import { IDS, RECORD_EXAMPLES } from "@/lib/http/openapi/examples/records";
import { EVENT_EXAMPLE, WEBHOOK_EXAMPLE } from "@/lib/http/openapi/examples/webhooks";
import { isResource } from "@/lib/records/schema/registry";

/** Ids for tags that are not records. */
const OTHERS: Record<string, string> = { users: IDS.user };

/** Sample values for the names in paths, for the examples on the page of a tag. */
export function samplesOf(tag: string): Record<string, string> {
  const id = isResource(tag) ? RECORD_EXAMPLES[tag].id : (OTHERS[tag] ?? WEBHOOK_EXAMPLE.id);
  return {
    id,
    migration_id: IDS.migration,
    connection_id: IDS.connection,
    event_id: EVENT_EXAMPLE.id,
    ext_id: "0015g00001KdR2fAAF",
  };
}
