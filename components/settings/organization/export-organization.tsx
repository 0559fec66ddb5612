import { Button, Radio, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";

import { exportAddress } from "@/components/settings/organization/use-organization";
import { Section } from "@/components/ui/layout/section";
import type { ExportFormat } from "@/lib/settings/organization/organization-schema";

const FORMATS: readonly { value: ExportFormat; label: string; description: string }[] = [
  {
    value: "ndjson",
    label: "NDJSON",
    description: "For programs: a JSON object per line, with every value as it is stored.",
  },
  {
    value: "csv",
    label: "CSV",
    description: "For spreadsheets. Texts that would run as a formula begin with an apostrophe.",
  },
];

/** Downloads everything of the organization. */
export function ExportOrganization() {
  const [format, setFormat] = useState<ExportFormat>("ndjson");
  return (
    <Section
      title="Export all data"
      lead={
        "One ZIP archive with all records, files, members, settings, migrations, events and the audit log, without " +
        "passwords and secrets. A complete one ends with manifest.json. The audit log says who exported."
      }
    >
      <Stack align="flex-start" gap="lg">
        <Radio.Group label="Format" value={format} onChange={setFormat}>
          <Stack gap="sm" mt="sm">
            {FORMATS.map((each) => (
              <Radio key={each.value} {...each} />
            ))}
          </Stack>
        </Radio.Group>
        <Button
          component="a"
          href={exportAddress(format)}
          download
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
        >
          Export all data
        </Button>
      </Stack>
    </Section>
  );
}
