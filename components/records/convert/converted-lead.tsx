import { IconArrowRight } from "@tabler/icons-react";
import { Alert, Text } from "@mantine/core";

import { type AnyRecord, textOf } from "@/components/records/record";
import { ReferenceLink } from "@/components/records/reference-link";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Moment } from "@/components/ui/text/moment";

/** Says what a converted lead became, with links. */
export function ConvertedLead({ lead }: { lead: AnyRecord }) {
  const at = textOf(lead, "converted_at");
  return (
    <Alert
      color="pine"
      icon={<IconArrowRight aria-hidden />}
      title={
        at ? (
          <>
            Converted <Moment iso={at} />
          </>
        ) : (
          "Converted"
        )
      }
    >
      <Facts isShort>
        <Fact label="Account">{partOf(lead, "account")}</Fact>
        <Fact label="Contact">{partOf(lead, "contact")}</Fact>
        <Fact label="Opportunity">{partOf(lead, "opportunity")}</Fact>
      </Facts>
    </Alert>
  );
}

const RESOURCES = { account: "accounts", contact: "contacts", opportunity: "opportunities" } as const;

function partOf(lead: AnyRecord, part: keyof typeof RESOURCES) {
  const id = textOf(lead, `converted_${part}_id`);
  if (id) return <ReferenceLink resource={RESOURCES[part]} id={id} />;
  // Not every conversion makes an opportunity, but each makes the others; a deletion clears the link.
  return (
    <Text size="sm" c="dimmed">
      {part === "opportunity" ? "None" : "Deleted since"}
    </Text>
  );
}
