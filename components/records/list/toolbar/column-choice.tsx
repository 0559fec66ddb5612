import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconColumns } from "@tabler/icons-react";

import classes from "@/components/records/list/record-list.module.css";
import type { ColumnChoiceProps } from "@/components/records/list/toolbar/columns-drawer";
import { onDemand } from "@/components/ui/overlay/on-demand";

const ColumnsDrawer = onDemand(
  async () => (await import("@/components/records/list/toolbar/columns-drawer")).ColumnsDrawer,
);

/** A button that opens the choice of columns. */
export function ColumnChoice(props: ColumnChoiceProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        variant="default"
        className={classes.tool}
        onClick={open}
        leftSection={<IconColumns size={16} stroke={1.6} aria-hidden />}
      >
        <span className={classes.words}>Columns</span>
      </Button>
      <ColumnsDrawer {...props} opened={opened} onClose={close} />
    </>
  );
}
