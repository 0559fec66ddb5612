import { NumberInput, SimpleGrid, Text } from "@mantine/core";

import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Option } from "@/components/migration/configure/options/option";
import { formatNumber } from "@/components/ui/text/format";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";

type Limit = NonNullable<Configuration["api_limit"]>;

const EXPIRES = "If the access token expires meanwhile, the run pauses until the org is connected again.";

/** How many API requests of the org a run leaves to others. */
export function ApiLimit() {
  const { migration, draft, report, isLocked, change } = useEditing();
  const { percent = "", requests = "" } = draft.api_limit ?? {};
  const daily = report.estimate.budget?.daily ?? null;
  const set = (changes: { [Name in keyof Limit]?: number | undefined }) =>
    change((now) => ({ ...now, api_limit: withoutEmpty({ ...now.api_limit, ...changes }) }));
  return (
    <Option title="API requests">
      <Text size="sm" c="dimmed" mb="md" maw="44rem">
        A run that reaches a limit waits, and goes on by itself when requests are free again. Without a limit it stops
        only where Salesforce itself refuses.
        {daily !== null && ` The org has ${formatNumber(daily)} requests in 24 hours.`}
        {migration.connected && !migration.renewable && ` ${EXPIRES}`}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" maw="46rem" style={{ alignItems: "end" }}>
        <NumberInput
          label="Wait when this share of the org's requests is used"
          description="By all users and programs together, in 24 hours."
          suffix=" %"
          placeholder="No limit"
          min={1}
          max={100}
          allowDecimal={false}
          clampBehavior="strict"
          disabled={isLocked}
          value={percent}
          onChange={(value) => set({ percent: typeof value === "number" && value >= 1 ? value : undefined })}
        />
        <NumberInput
          label="Wait after this many requests of the run"
          description="What the run itself has sent in 24 hours."
          placeholder="No limit"
          min={1}
          max={100_000_000}
          thousandSeparator=","
          allowDecimal={false}
          clampBehavior="strict"
          disabled={isLocked}
          value={requests}
          onChange={(value) => set({ requests: typeof value === "number" && value >= 1 ? value : undefined })}
        />
      </SimpleGrid>
    </Option>
  );
}

/** Without any limit, there is no choice. */
function withoutEmpty({ percent, requests }: { [Name in keyof Limit]?: number | undefined }): Limit | undefined {
  if (percent === undefined && requests === undefined) return undefined;
  return { ...(percent !== undefined && { percent }), ...(requests !== undefined && { requests }) };
}
