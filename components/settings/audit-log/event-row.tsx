import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";

import { isAlarming } from "@/components/settings/audit-log/actions";
import { type AuditEvent, plainAddress } from "@/components/settings/audit-log/audit-event";
import { EventDetails } from "@/components/settings/audit-log/event-details";
import classes from "@/components/settings/audit-log/event-row.module.css";
import type { AuditFilter } from "@/components/settings/audit-log/filter/filter";
import { EventSentence } from "@/components/settings/audit-log/sentence/event-sentence";
import { Summary } from "@/components/ui/layout/summary";
import { formatAgo, formatClock } from "@/components/ui/text/format";

interface EventRowProps {
  event: AuditEvent;
  onNarrow: (change: Partial<AuditFilter>) => void;
}

/** One event as a sentence with its time and address. Its details are rendered only when they are unfolded. */
export function EventRow({ event, onNarrow }: EventRowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={classes.row}>
      <details onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
        <Summary className={classes.summary} arrowSize={16}>
          <span className={classes.sentence}>
            {isAlarming(event.action) && (
              <IconAlertTriangle size={16} stroke={1.8} aria-hidden className={classes.alarm} />
            )}
            <EventSentence event={event} />
          </span>
          <span className={classes.when}>
            <time dateTime={event.created_at}>
              {formatClock(event.created_at)}
              <span className={classes.ago}>{formatAgo(event.created_at)}</span>
            </time>
            {event.address && <span className={classes.address}>from {plainAddress(event.address)}</span>}
          </span>
        </Summary>
        <div className={classes.details}>{isOpen && <EventDetails event={event} onNarrow={onNarrow} />}</div>
      </details>
    </li>
  );
}
