import { List, ListItem, Text, Title } from "@mantine/core";

import { InlineText } from "@/components/docs/markdown/inline-text";
import { type Block, parseMarkdown } from "@/components/docs/markdown/parse-markdown";
import { CodeBlock } from "@/components/ui/copy/code-block";

/** Renders one of our own texts in Markdown. */
export function Markdown({ source }: { source: string }) {
  // Blocks of a fixed text never move.
  // oxlint-disable-next-line react/no-array-index-key
  return parseMarkdown(source).map((block, position) => <MarkdownBlock key={position} block={block} />);
}

function MarkdownBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return (
        <Title order={block.level} mt={block.level === 1 ? 0 : "md"}>
          {block.text}
        </Title>
      );
    case "code":
      return <CodeBlock text={block.text} />;
    case "list":
      return (
        <List spacing="xs" pr="md">
          {block.items.map((item) => (
            <ListItem key={item}>
              <InlineText text={item} />
            </ListItem>
          ))}
        </List>
      );
    case "paragraph":
      return (
        <Text>
          <InlineText text={block.text} />
        </Text>
      );
  }
}
