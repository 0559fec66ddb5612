import { Badge, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import type { RefObject } from "react";

import type { FiltersProps } from "@/components/records/list/toolbar/filters-drawer";
import { onDemand } from "@/components/ui/overlay/on-demand";

const FiltersDrawer = onDemand(
  async () => (await import("@/components/records/list/toolbar/filters-drawer")).FiltersDrawer,
);

/** A button that opens the filters of a list beside it. Each choice takes effect at once. */
export function Filters({ button, ...props }: FiltersProps & { button: RefObject<HTMLButtonElement | null> }) {
  const [opened, { open, close }] = useDisclosure();
  const chosen = Object.keys(props.filters).length;
  return (
    <>
      <Button
        ref={button}
        variant="default"
        onClick={open}
        leftSection={<IconFilter size={16} stroke={1.6} aria-hidden />}
        rightSection={chosen > 0 && <Badge circle>{chosen}</Badge>}
      >
        Filters
      </Button>
      <FiltersDrawer {...props} opened={opened} onClose={close} />
    </>
  );
}
