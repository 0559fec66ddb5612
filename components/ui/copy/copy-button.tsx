"use client";

import { ActionIcon, Button } from "@mantine/core";
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
const FAILED = "Your browser does not let this page copy. Select the text and copy it yourself.";

/** A button that copies a text, and says so to sighted readers and screen readers. */
export function CopyButton({ text, what, compact = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"" | "copied" | "failed">("");
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(""), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    void copyText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  const Icon = outcome === "copied" ? IconCheck : IconCopy;
  const icon = <Icon size={compact ? 15 : 16} stroke={1.8} aria-hidden />;
  return (
    <>
      {compact ? (
        <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy the ${what}`}>
          {icon}
        </ActionIcon>
      ) : (
        <Button variant="default" size="xs" leftSection={icon} onClick={copy} aria-label={`Copy the ${what}`}>
          {outcome === "copied" ? "Copied" : "Copy"}
        </Button>
      )}
      <Announcement>
        {outcome === "copied" && `Copied the ${what}.`}
        {outcome === "failed" && FAILED}
      </Announcement>
    </>
  );
}
