import type { AuditEvent } from "@/components/settings/audit-log/audit-event";
import { Person } from "@/components/settings/audit-log/sentence/person";
import { TELLINGS } from "@/components/settings/audit-log/sentence/sentences";
import { inWords } from "@/components/records/fields/field-label";

/** What happened, as a sentence. An action that this page does not know yet is told by its own words. */
export function EventSentence({ event }: { event: AuditEvent }) {
  const tell = Object.hasOwn(TELLINGS, event.action) ? TELLINGS[event.action] : undefined;
  if (tell) return tell(event);
  return (
    <>
      {inWords(event.action.replaceAll(".", "_"))}: <Person event={event} />
      {event.client_name && (
        <>
          , “<bdi>{event.client_name}</bdi>”
        </>
      )}
    </>
  );
}
