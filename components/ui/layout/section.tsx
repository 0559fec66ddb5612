import { Group, Paper, Text, Title } from "@mantine/core";
import type { ReactNode, Ref } from "react";

interface SectionProps {
  title: string;
  /** What it is about, in a sentence. */
  lead?: ReactNode;
  /** A button at the title's side. */
  action?: ReactNode;
  /** The title's element, which can take the focus when the focused element disappears. */
  titleRef?: Ref<HTMLHeadingElement>;
  children?: ReactNode;
}

/** A part of a page of the settings. */
export function Section({ title, lead, action, titleRef, children }: SectionProps) {
  return (
    <Paper withBorder p="lg" component="section">
      <Group justify="space-between" align="flex-start" gap="md" mb={children ? "lg" : 0}>
        <div>
          <Title order={2} ref={titleRef} tabIndex={-1}>
            {title}
          </Title>
          {lead && (
            <Text size="sm" c="dimmed" mt={4} maw="42rem">
              {lead}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </Paper>
  );
}
