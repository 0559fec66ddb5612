import { TextInput, type TextInputProps } from "@mantine/core";

import { useOtherTimeZone } from "@/components/ui/text/use-time-zone";

/** A day and a time, in the time zone of the pages, which is named where it is not the reader's own. */
export function TimeInput(props: TextInputProps) {
  const zone = useOtherTimeZone();
  return <TextInput type="datetime-local" description={zone && `In ${zone}`} {...props} />;
}
