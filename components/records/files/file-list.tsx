import { Anchor, Text } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";

import classes from "@/components/records/files/file-list.module.css";
import type { RecordFile } from "@/components/records/files/record-file";
import { formatBytes } from "@/components/ui/text/format";

/** Files with their type and size. A click downloads one. */
export function FileList({ files }: { files: readonly RecordFile[] }) {
  return (
    <ul className={classes.list} aria-label="Files">
      {files.map(({ id, name, content_type: type, size }) => (
        <li key={id} className={classes.file}>
          <IconPaperclip size={16} stroke={1.6} aria-hidden className={classes.icon} />
          <Anchor href={`/api/v1/files/${id}/content`} download={name} size="sm" className={classes.name}>
            <bdi>{name}</bdi>
          </Anchor>
          <Text component="span" size="xs" c="dimmed">
            {[typeName(name, type), formatBytes(size)].filter(Boolean).join(", ")}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** "PDF" by the name's ending, else what the source said about it. */
function typeName(name: string, type: string | null): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  return ending ? ending.toUpperCase() : (type ?? "");
}
