import { Checkbox, NumberInput, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";

import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { ApiLimit } from "@/components/migration/configure/options/api-limit";
import { Option } from "@/components/migration/configure/options/option";
import { ReadBy } from "@/components/migration/configure/options/read-by";
import { PartHeading } from "@/components/migration/configure/part-heading";
import { formatCount, formatEstimate } from "@/components/ui/text/format";
import { filesFound } from "@/components/migration/files-found";
import type { Report } from "@/lib/migration/report/report-schema";
import { MAX_IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/deliveries/limits";

/** What concerns a whole run. */
export function OptionsPart() {
  return (
    <Stack gap="lg">
      <PartHeading title="Options of a run">All of these have defaults that suit most migrations.</PartHeading>
      <RepeatChoice />
      <FilesChoice />
      <EventsChoice />
      <ApiLimit />
      <ReadBy />
    </Stack>
  );
}

const REPEAT = [
  { value: "source_wins", label: "Salesforce overwrites them", description: "What was edited here is lost." },
  { value: "ours_wins", label: "They stay as they are here", description: "They are listed as left out." },
  { value: "decide", label: "Somebody decides", description: "They stay for now, and are listed as conflicts." },
] as const;

/** Who wins where both sides have changed. */
function RepeatChoice() {
  const { draft, isLocked, change } = useEditing();
  const choose = (value: string) => {
    const option = REPEAT.find(({ value: known }) => known === value);
    if (option) change((now) => ({ ...now, repeat: option.value }));
  };
  return (
    <Option title="Records that were edited here since their last import">
      <Radio.Group
        aria-label="Records that were edited here since their last import"
        value={draft.repeat}
        onChange={choose}
      >
        <Stack gap="sm">
          {REPEAT.map((option) => (
            <Radio key={option.value} {...option} disabled={isLocked} />
          ))}
        </Stack>
      </Radio.Group>
    </Option>
  );
}

/** Attachments and files. */
function FilesChoice() {
  const { draft, report, keepsFiles, isLocked, change } = useEditing();
  const { copy } = draft.files;
  return (
    <Option title="Files">
      <Stack gap="md">
        <Checkbox
          label="Copy attachments and files of migrated records"
          description={
            keepsFiles ? filesWords(report.estimate.files) : "None can be copied: this service keeps no files."
          }
          checked={copy}
          disabled={isLocked || (!keepsFiles && !copy)}
          onChange={({ currentTarget: { checked } }) =>
            change((now) => ({ ...now, files: { ...now.files, copy: checked } }))
          }
        />
        {copy && <LargestFile />}
        <Checkbox
          label="Name the attachments of e-mails and posts"
          description="Entries of threads then say which files they had, with size and link."
          checked={draft.threads.attachments}
          disabled={isLocked}
          onChange={({ currentTarget: { checked } }) =>
            change((now) => ({ ...now, threads: { ...now.threads, attachments: checked } }))
          }
        />
      </Stack>
    </Option>
  );
}

function LargestFile() {
  const { draft, isLocked, change } = useEditing();
  // What is typed while it is no size: nothing, on the way to another number. It goes when the field is left.
  const [typed, setTyped] = useState<number | string | null>(null);
  const choose = (value: number | string) => {
    const isSize = typeof value === "number" && value >= 1;
    setTyped(isSize ? null : value);
    if (isSize) change((now) => ({ ...now, files: { ...now.files, max_mb: value } }));
  };
  return (
    <NumberInput
      label="Largest file, in MB"
      description="Larger files stay in Salesforce, and are listed."
      min={1}
      max={2000}
      maw={240}
      allowDecimal={false}
      clampBehavior="strict"
      disabled={isLocked}
      value={typed ?? draft.files.max_mb}
      onChange={choose}
      onBlur={() => setTyped(null)}
    />
  );
}

function filesWords(files: Report["estimate"]["files"]): string {
  if (!files) return "They are copied after the records.";
  return (
    `${filesFound(files)}. Copying takes ${formatEstimate(files.seconds)} and ` +
    `${formatCount(files.api_calls, "API request")} more, after the records.`
  );
}

/** Whether webhooks get events of imported records. */
function EventsChoice() {
  const { draft, isLocked, change } = useEditing();
  return (
    <Option title="Notifications">
      <Checkbox
        checked={draft.send_events}
        disabled={isLocked}
        onChange={({ currentTarget: { checked } }) => change((now) => ({ ...now, send_events: checked }))}
        label="Send events of imported records to webhooks"
        description={
          <Text component="span" inherit maw="44rem" display="block">
            Webhooks then get an event for each record that is created or changed, as if somebody had done it here. Each
            webhook gets at most {MAX_IMPORT_DELIVERIES_PER_SECOND} events a second, so many records take a while.
          </Text>
        }
      />
    </Option>
  );
}
