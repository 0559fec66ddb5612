import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";

/**
 * A dialog about one thing at a time. `subject` is null until the dialog is opened for the first time, and stays while
 * the dialog fades out, so that its text does not change under the reader's eyes.
 */
export function useDialog<Subject>() {
  const [subject, setSubject] = useState<Subject | null>(null);
  const [isOpen, { open, close }] = useDisclosure();
  return {
    subject,
    isOpen,
    open: (about: Subject) => {
      setSubject(about);
      open();
    },
    close,
  };
}
