import { Anchor, Code } from "@mantine/core";

import { type AuditEvent, plainAddress } from "@/components/settings/audit-log/audit-event";
import { Detail, Details } from "@/components/settings/audit-log/detail-list";
import classes from "@/components/settings/audit-log/detail-list.module.css";
import type { AuditFilter } from "@/components/settings/audit-log/filter/filter";
import { Person } from "@/components/settings/audit-log/sentence/person";
import { formatExact } from "@/components/ui/text/format";

interface EventDetailsProps {
  event: AuditEvent;
  onNarrow: (change: Partial<AuditFilter>) => void;
}

/** Everything known of one event, with links that filter by its person and client. */
export function EventDetails({ event, onNarrow }: EventDetailsProps) {
  const { id, created_at, action, user_id, client_id, client_name, address, details } = event;
  return (
    <dl className={classes.list}>
      <Detail label="Time">
        <time dateTime={created_at}>{formatExact(created_at)}</time>
      </Detail>
      {user_id && (
        <Detail label="Who">
          <Person event={event} />{" "}
          <Narrow label="Show only what concerns this person" onClick={() => onNarrow({ who: user_id })} />
        </Detail>
      )}
      {client_id && (
        <Detail label="API client">
          <bdi>{client_name}</bdi>{" "}
          <Narrow label="Show only what concerns this API client" onClick={() => onNarrow({ client: client_id })} />
        </Detail>
      )}
      <Detail label="Network address">
        {address ? plainAddress(address) : "None: it was done on the service’s own machine"}
      </Detail>
      <Details details={details} />
      <Detail label="Event">
        <Code>{action}</Code> <Code>{id}</Code>
      </Detail>
    </dl>
  );
}

function Narrow({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" underline="always" onClick={onClick}>
      {label}
    </Anchor>
  );
}
