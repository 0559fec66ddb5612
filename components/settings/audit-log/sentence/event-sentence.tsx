import { inWords } from "@/components/ui/text/format";
import type { AuditEvent } from "@/components/settings/audit-log/audit-event";
import { Person } from "@/components/settings/audit-log/sentence/person";
import { SENTENCES } from "@/components/settings/audit-log/sentence/sentences";

/** What happened, as a sentence. An action that this page does not know is shown by its name. */
export function EventSentence({ event }: { event: AuditEvent }) {
  const sentence = Object.hasOwn(SENTENCES, event.action) ? SENTENCES[event.action] : undefined;
  if (sentence) return sentence(event);
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
