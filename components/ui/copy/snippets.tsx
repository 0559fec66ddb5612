"use client";

import { Tabs } from "@mantine/core";

import { CodeBlock } from "@/components/ui/copy/code-block";

export interface Snippet {
  label: string;
  text: string;
}

/** The same request in several languages, one at a time. */
export function Snippets({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <Tabs defaultValue={snippets[0]?.label ?? null}>
      <Tabs.List mb="xs">
        {snippets.map(({ label }) => (
          <Tabs.Tab key={label} value={label}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ label, text }) => (
        <Tabs.Panel key={label} value={label}>
          <CodeBlock text={text} what={`example for ${label}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
