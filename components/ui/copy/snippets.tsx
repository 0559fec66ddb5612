"use client";

import { Tabs, Text } from "@mantine/core";

import { CodeBlock } from "@/components/ui/copy/code-block";

interface Snippet {
  label: string;
  /** How to run it, in a sentence. */
  hint?: string;
  text: string;
}

/** The same program in several languages, one at a time. */
export function Snippets({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <Tabs defaultValue={snippets[0] ? tabOf(snippets[0]) : null}>
      <Tabs.List mb="xs">
        {snippets.map((snippet) => (
          <Tabs.Tab key={snippet.label} value={tabOf(snippet)}>
            {snippet.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => (
        <Tabs.Panel key={snippet.label} value={tabOf(snippet)}>
          {snippet.hint && (
            <Text size="sm" mb="xs">
              {snippet.hint}
            </Text>
          )}
          <CodeBlock text={snippet.text} what={`example for ${snippet.label}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The value of a tab, which becomes part of an element's id, and so must not have spaces. */
function tabOf({ label }: Snippet): string {
  return label.replaceAll(" ", "-");
}
