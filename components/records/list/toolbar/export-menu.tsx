import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import classes from "@/components/records/list/record-list.module.css";
import { nameFields } from "@/components/records/list/view/columns";
import { shownFields } from "@/components/records/list/view/list-row";
import { type ListView, narrowing } from "@/components/records/list/view/list-view";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Downloads all records of the view as CSV, also those that are not loaded. */
export function ExportMenu({ resource, view }: { resource: ResourceName; view: ListView }) {
  const shown = narrowing(view);
  shown.set("fields", [...new Set([...nameFields(resource), ...shownFields(resource, view)])].join());
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          className={classes.tool}
          leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
        >
          <span className={classes.words}>Export</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Item resource={resource} query={shown} label="CSV of these columns" />
        <Item resource={resource} query={narrowing(view)} label="CSV of all fields" />
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({ resource, query, label }: { resource: ResourceName; query: URLSearchParams; label: string }) {
  return (
    <Menu.Item component="a" href={`/api/v1/${resource}/export?${query.toString()}`} download>
      {label}
    </Menu.Item>
  );
}
