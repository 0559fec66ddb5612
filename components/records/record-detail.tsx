"use client";

import { Button, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { RecordActions } from "@/components/records/actions/record-actions";
import { fieldsOfState, RecordState } from "@/components/records/actions/record-state";
import { deletionOf } from "@/components/records/deleted/deleted-record";
import { CustomFields, FromSalesforce } from "@/components/records/fields/custom-fields";
import { FieldList } from "@/components/records/fields/field-list";
import { fieldsToRead } from "@/components/records/fields/fields-to-read";
import { isEmpty } from "@/components/records/fields/field-value";
import { Provenance } from "@/components/records/fields/provenance";
import { RecordFiles } from "@/components/records/files/record-files";
import { StageHistory } from "@/components/records/history/stage-history";
import { LoadedRecord } from "@/components/records/loaded-record";
import { type AnyRecord, isTitleCut, titleField, titleOf } from "@/components/records/record";
import classes from "@/components/records/record-detail.module.css";
import { RECORD_NAMES } from "@/components/records/record-names";
import { RelatedRecords } from "@/components/records/related-records";
import { activityField } from "@/components/records/relations";
import { ActivityTimeline } from "@/components/records/timeline/activity-timeline";
import { CaseThread } from "@/components/records/thread/case-thread";
import { useRecord } from "@/components/records/use-record";
import { FieldsSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { Page } from "@/components/ui/layout/page";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Shown at the end of the page: they matter to the service more than to people. */
const SYSTEM_FIELDS = ["id", "ext_id", "owner_id", "created_at", "updated_at", "version"];
const OWN_PLACE = new Set([...SYSTEM_FIELDS, "custom_fields"]);

/** One record: its fields, what belongs to it, and for a case its thread. */
export function RecordDetail({ resource, id }: { resource: ResourceName; id: string }) {
  const query = useRecord(resource, id);
  const { plural, singular } = RECORD_NAMES[resource];
  const noun = singular.toLowerCase();
  const title = query.data ? titleOf(resource, query.data) || `(${noun} without a name)` : singular;
  return (
    <Page
      title={title}
      parent={{ href: `/${resource}`, name: plural }}
      actions={
        query.data && deletionOf(query.error) === null && <RecordActions resource={resource} item={query.data} />
      }
    >
      <LoadedRecord resource={resource} id={id} query={query} skeleton={FieldsSkeleton}>
        {(item) => <Sections resource={resource} item={item} />}
      </LoadedRecord>
    </Page>
  );
}

function Sections({ resource, item }: { resource: ResourceName; item: AnyRecord }) {
  const field = activityField(resource);
  return (
    <>
      <RecordState resource={resource} item={item} />
      <Fields resource={resource} item={item} />
      {resource === "opportunities" && <StageHistory id={item.id} />}
      <RecordFiles id={item.id} />
      {resource === "cases" && <CaseThread caseId={item.id} />}
      {field && <ActivityTimeline field={field} item={item} />}
      <RelatedRecords resource={resource} id={item.id} />
      <Provenance resource={resource} id={item.id} />
      <Paper withBorder px="lg" py="md">
        <Title order={2} size="h5" mb="xs">
          About this record
        </Title>
        <FieldList resource={resource} item={item} names={SYSTEM_FIELDS} isSmall />
      </Paper>
      <FromSalesforce resource={resource} item={item} />
    </>
  );
}

function Fields({ resource, item }: { resource: ResourceName; item: AnyRecord }) {
  const [showsEmpty, { toggle }] = useDisclosure();
  const titled = isTitleCut(resource, item) ? undefined : titleField(resource);
  const elsewhere = new Set([...fieldsOfState(item), titled]);
  const names = fieldsToRead(resource).map(([name]) => name);
  const all = names.filter((name) => !OWN_PLACE.has(name) && !elsewhere.has(name));
  const filled = all.filter((name) => !isEmpty(item[name]));
  const emptyCount = all.length - filled.length;
  return (
    <Paper withBorder p="lg">
      <Stack gap="lg" align="stretch">
        {all.length === emptyCount && <Text c="dimmed">None of the fields is filled in.</Text>}
        <FieldList resource={resource} item={item} names={showsEmpty ? all : filled} />
        {emptyCount > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={toggle} className={classes.toggle}>
            {showsEmpty ? "Hide empty fields" : `Show ${emptyCount} empty ${emptyCount === 1 ? "field" : "fields"}`}
          </Button>
        )}
        <CustomFields resource={resource} item={item} />
      </Stack>
    </Paper>
  );
}
