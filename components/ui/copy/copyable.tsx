import { Group } from "@mantine/core";

import { CopyButton } from "@/components/ui/copy/copy-button";
import classes from "@/components/ui/copy/copyable.module.css";

interface CopyableProps {
  text: string;
  /** What the copy button copies: "client_id". */
  what: string;
}

/** A value for machines, with a copy button. One click selects all of it. */
export function Copyable({ text, what }: CopyableProps) {
  return (
    <Group gap={4} wrap="nowrap" className={classes.row}>
      <code className={classes.text}>{text}</code>
      <CopyButton text={text} what={what} compact />
    </Group>
  );
}
