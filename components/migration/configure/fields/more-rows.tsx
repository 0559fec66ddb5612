import { Button, Group } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect, useEffectEvent } from "react";

import { formatCount } from "@/components/ui/text/format";

interface MoreRowsProps {
  /** How many rows are not shown yet. */
  count: number;
  onReached: () => void;
}

/** Stands below a long table, and asks for more rows before it comes into view, or when it is pressed. */
export function MoreRows({ count, onReached }: MoreRowsProps) {
  const { ref, entry } = useIntersection({ rootMargin: "600px" });
  const isNear = entry?.isIntersecting === true;
  const reached = useEffectEvent(onReached);
  useEffect(() => {
    if (isNear) reached();
  }, [isNear]);
  return (
    <Group justify="center" p="sm" ref={ref}>
      <Button variant="subtle" size="xs" onClick={onReached}>
        Show {formatCount(count, "more field")}
      </Button>
    </Group>
  );
}
