"use client";

import { ActionIcon, Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";

import { copyText } from "@/components/ui/copy/copy-text";
import { Announcement } from "@/components/ui/feedback/announcement";

interface CopyButtonProps {
  text: string;
  /** What the button copies: "client secret". */
  what: string;
  /** Only an icon, as in a row of a table. */
  compact?: boolean;
}

const MESSAGE_MS = 4000;

/** Whoever sees nothing would paste what they had copied before. */
function sayNotCopied(): void {
  notifications.show({
    color: "rust",
    title: "Not copied",
    message: "Your browser does not let this page copy. Select the text and copy it yourself.",
    autoClose: false,
  });
}

/** A button that copies a text, and says so to sighted readers and screen readers. */
export function CopyButton({ text, what, compact = false }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => void copyText(text).then(() => setIsCopied(true), sayNotCopied);
  const Icon = isCopied ? IconCheck : IconCopy;
  const icon = <Icon size={compact ? 15 : 16} stroke={1.8} aria-hidden />;
  return (
    <>
      {compact ? (
        <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy the ${what}`}>
          {icon}
        </ActionIcon>
      ) : (
        <Button variant="default" size="xs" leftSection={icon} onClick={copy} aria-label={`Copy the ${what}`}>
          {isCopied ? "Copied" : "Copy"}
        </Button>
      )}
      <Announcement>{isCopied && `Copied the ${what}.`}</Announcement>
    </>
  );
}
