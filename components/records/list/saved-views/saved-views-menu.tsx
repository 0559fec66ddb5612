import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark } from "@tabler/icons-react";

import classes from "@/components/records/list/record-list.module.css";
import { type ListView, writeView } from "@/components/records/list/view/list-view";
import { useSavedViews } from "@/components/records/list/saved-views/use-saved-views";
import { ActionMenu } from "@/components/ui/overlay/action-menu";
import { onDemand } from "@/components/ui/overlay/on-demand";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { SavedView } from "@/lib/settings/views/view-schema";

const SavedViewsDialog = onDemand(
  async () => (await import("@/components/records/list/saved-views/saved-views-dialog")).SavedViewsDialog,
);

/** Leads to the saved views of a list, and opens the dialog in which they are saved and changed. */
export function SavedViewsMenu({ resource, view }: { resource: ResourceName; view: ListView }) {
  const [opened, { open, close }] = useDisclosure();
  const { data } = useSavedViews(resource);
  const query = writeView(resource, view);
  const { own = [], shared = [] } = data ?? {};
  const shown = query === "" ? undefined : [...own, ...shared].find((each) => each.query === query);
  const leadTo = (label: string, { query: of }: SavedView) => ({
    label,
    href: `/${resource}${of && `?${of}`}`,
    isCurrent: shown !== undefined && of === query,
  });
  return (
    <>
      <ActionMenu
        position="bottom-start"
        sections={[
          { actions: own.map((each) => leadTo(each.name, each)) },
          {
            label: "Shared by others",
            actions: shared.map((each) => leadTo(`${each.name} · ${each.owner_name}`, each)),
          },
          { actions: [{ label: "Save or change views…", onChoose: open }] },
        ]}
      >
        <Button
          variant="default"
          className={classes.tool}
          leftSection={<IconBookmark size={16} stroke={1.6} aria-hidden />}
        >
          <span className={classes.words} title={shown?.name}>
            {shown?.name ?? "Views"}
          </span>
        </Button>
      </ActionMenu>
      <SavedViewsDialog resource={resource} query={query} opened={opened} onClose={close} />
    </>
  );
}
