import { NativeSelect } from "@mantine/core";

import classes from "@/components/settings/webhooks/deliveries/delivery-filters.module.css";
import { DELIVERY_STATES } from "@/components/settings/webhooks/deliveries/delivery-state";
import type { DeliveryFilter } from "@/components/settings/webhooks/deliveries/filter";
import { EVENT_GROUPS, eventName } from "@/components/settings/webhooks/event-names";
import { TEST_EVENT } from "@/lib/event-format";

const ANY = "";

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onChange: (change: Partial<DeliveryFilter>) => void;
}

/** The filters of the log. Native controls work with every keyboard and phone. */
export function DeliveryFilters({ filter, onChange }: DeliveryFiltersProps) {
  return (
    <search aria-label="Filter the deliveries" className={classes.fields}>
      <NativeSelect
        label="State"
        value={filter.state}
        onChange={(event) => onChange({ state: event.currentTarget.value })}
      >
        <option value={ANY}>Any</option>
        {Object.entries(DELIVERY_STATES).map(([state, { label }]) => (
          <option key={state} value={state}>
            {label}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        label="Event"
        value={filter.event}
        onChange={(event) => onChange({ event: event.currentTarget.value })}
      >
        <option value={ANY}>Any</option>
        {EVENT_GROUPS.map(({ entity, label, wildcard, events }) => (
          <optgroup key={entity} label={label}>
            {[wildcard, ...events].map((event) => (
              <option key={event} value={event}>
                {eventName(event)}
              </option>
            ))}
          </optgroup>
        ))}
        <option value={TEST_EVENT}>{eventName(TEST_EVENT)}</option>
      </NativeSelect>
    </search>
  );
}
