import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";

import { sendJson } from "@/components/api/request";
import { type SelectableObject, selectedObjects } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { ObjectSelect } from "@/components/migration/configure/object-select";
import { PartHeading } from "@/components/migration/configure/part-heading";
import { usePlace } from "@/components/migration/configure/parts";
import { faultOf, idsIn } from "@/components/migration/configure/preview/asked-ids";
import { PreviewedRecords } from "@/components/migration/configure/preview/previewed-records";
import { Announcement } from "@/components/ui/feedback/announcement";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatCount } from "@/components/ui/text/format";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { MAX_PREVIEWED, type Preview } from "@/lib/migration/preview/preview-schema";

/** Some real records, before and after. */
export function PreviewPart() {
  const { report, draft } = useEditing();
  const { place, go } = usePlace();
  const objects = selectedObjects(report, draft);
  const current = objects.find(({ object }) => object === place.object) ?? objects[0];
  return (
    <Stack gap="lg">
      <PartHeading title="Preview">
        Some records are read, mapped and stored with your choices, saved or not. Then all of it is taken back, so
        nothing stays written.
      </PartHeading>
      {current ? (
        <ObjectPreview key={current.object} objects={objects} current={current} onObject={(object) => go({ object })} />
      ) : (
        <EmptyList icon={IconEye} title="No object is selected" description="Select one under “Objects” first." />
      )}
    </Stack>
  );
}

interface ObjectPreviewProps {
  objects: readonly SelectableObject[];
  current: SelectableObject;
  onObject: (object: SourceObjectName) => void;
}

const COUNTS = ["3", "5", "10", String(MAX_PREVIEWED)];

/** The height of a label, which a button beside fields has not. Fields grow downwards by what is wrong with them. */
const BESIDE_LABELS = "1.5rem";

function ObjectPreview({ objects, current: { object }, onObject }: ObjectPreviewProps) {
  const [count, setCount] = useState("5");
  const [{ ids, fault }, setTyped] = useState<{ ids: string; fault: string | null }>({ ids: "", fault: null });
  const field = useRef<HTMLInputElement>(null);
  const request = usePreview();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = faultOf(idsIn(ids));
    setTyped({ ids, fault: found });
    if (found === null) request.mutate({ object, count: Number(count), ids: idsIn(ids) });
    else field.current?.focus();
  };
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Group gap="sm" align="flex-start">
          <ObjectSelect objects={objects} value={object} onChange={onObject} />
          <NativeSelect
            label="Records"
            value={count}
            disabled={ids.trim() !== ""}
            onChange={(event) => setCount(event.currentTarget.value)}
            data={COUNTS}
          />
          <TextInput
            label="Or these Salesforce ids"
            placeholder="Separated by spaces"
            ref={field}
            value={ids}
            error={fault}
            onChange={(event) => setTyped({ ids: event.currentTarget.value, fault: null })}
          />
          <Button
            type="submit"
            mt={BESIDE_LABELS}
            loading={request.isPending}
            leftSection={<IconEye size={16} aria-hidden />}
          >
            Preview
          </Button>
        </Group>
      </form>
      <Answer request={request} />
    </>
  );
}

/** The preview that was asked for, or why there is none. */
function Answer({ request: { isPending, error, data } }: { request: ReturnType<typeof usePreview> }) {
  const isPreviewed = data?.not_previewed_because === null;
  return (
    <>
      <Announcement>{isPreviewed && `${formatCount(data.data.length, "record")} previewed`}</Announcement>
      {isPending && <RowsSkeleton label="Previewing some records" />}
      {error && <ProblemAlert error={error} takesFocus />}
      {data && <Previewed preview={data} />}
    </>
  );
}

function usePreview() {
  const { migration, draft } = useEditing();
  return useMutation({
    mutationFn: ({ object, count, ids }: { object: string; count: number; ids: readonly string[] }) =>
      sendJson<Preview>("POST", `/migration/${migration.migration_id}/preview`, {
        object,
        configuration: draft,
        ...(ids.length > 0 ? { ext_ids: ids } : { count }),
      }),
  });
}

function Previewed({
  preview: { data, not_found: missing, notes, not_previewed_because: because, ...rest },
}: {
  preview: Preview;
}) {
  if (because !== null)
    return (
      <Alert color="amber" title="There is no preview">
        {because}
      </Alert>
    );
  return (
    <Stack gap="md">
      {missing.length > 0 && (
        <Alert color="amber" title="Some records were not found">
          {missing.join(", ")}
        </Alert>
      )}
      {data.length === 0 && missing.length === 0 && (
        <EmptyList icon={IconEye} title="No records" description="The org has no record of this object." />
      )}
      <PreviewedRecords records={data} />
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        The preview took {formatCount(rest.api_requests, "API request")} of the org.
      </Text>
    </Stack>
  );
}
