import { Alert, Text } from "@mantine/core";
import { IconFlame } from "@tabler/icons-react";

import { ConvertedLead } from "@/components/records/convert/converted-lead";
import { type AnyRecord, textOf } from "@/components/records/record";
import { Moment } from "@/components/ui/text/moment";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The fields that `RecordState` tells, so that the other fields need not repeat them. */
export function fieldsOfState(item: AnyRecord): string[] {
  if (item.status === "converted") return CONVERSION;
  return item.is_escalated === true ? ["is_escalated", "escalated_at", "escalation_reason"] : [];
}

const CONVERSION = ["converted_at", "converted_account_id", "converted_contact_id", "converted_opportunity_id"];

/** What an action has made of a record, above its fields: an escalated case, a converted lead. */
export function RecordState({ resource, item }: { resource: ResourceName; item: AnyRecord }) {
  if (resource === "leads" && item.status === "converted") return <ConvertedLead lead={item} />;
  if (resource === "cases" && item.is_escalated === true) return <EscalatedCase item={item} />;
  return null;
}

function EscalatedCase({ item }: { item: AnyRecord }) {
  const at = textOf(item, "escalated_at");
  return (
    <Alert
      color="amber"
      icon={<IconFlame aria-hidden />}
      title={
        at ? (
          <>
            Escalated <Moment iso={at} />
          </>
        ) : (
          "Escalated"
        )
      }
    >
      <Text size="sm" dir="auto" style={{ whiteSpace: "pre-wrap" }}>
        {textOf(item, "escalation_reason") || "The reason is not known."}
      </Text>
    </Alert>
  );
}
