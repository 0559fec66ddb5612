import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import classes from "@/components/records/list/record-list.module.css";
import { expansionsOf, shownFields } from "@/components/records/list/view/list-row";
import { type ListView, narrowing } from "@/components/records/list/view/list-view";
import { ActionMenu } from "@/components/ui/overlay/action-menu";
import { NAME_FIELDS } from "@/lib/records/schema/record-name";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Downloads all records of the view, also those that are not loaded. */
export function ExportMenu({ resource, view }: { resource: ResourceName; view: ListView }) {
  const shown = narrowing(resource, view);
  shown.set("fields", [...new Set([...NAME_FIELDS[resource], ...shownFields(resource, view)])].join());
  const expand = expansionsOf(resource, view);
  if (expand !== "") shown.set("expand", expand);
  return (
    <ActionMenu
      sections={[
        {
          label: "For spreadsheets: an apostrophe before formulas",
          actions: [
            { label: "CSV of these columns", download: exportOf(resource, shown) },
            { label: "CSV of all fields", download: exportOf(resource, narrowing(resource, view)) },
          ],
        },
        {
          label: "For programs: as it is stored",
          actions: [{ label: "NDJSON of all fields", download: exportOf(resource, asNdjson(resource, view)) }],
        },
      ]}
    >
      <Button
        variant="default"
        className={classes.tool}
        leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
      >
        <span className={classes.words}>Export</span>
      </Button>
    </ActionMenu>
  );
}

function asNdjson(resource: ResourceName, view: ListView): URLSearchParams {
  const query = narrowing(resource, view);
  query.set("format", "ndjson");
  return query;
}

function exportOf(resource: ResourceName, query: URLSearchParams): string {
  return `/api/v1/${resource}/export?${query.toString()}`;
}
