import { Box, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import classes from "@/components/ui/layout/page.module.css";
import { TextLink } from "@/components/ui/text/links";

interface PageProps {
  title: ReactNode;
  /** One line under the title. */
  lead?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** The page above this one: a link over the title. */
  parent?: { href: string; name: string };
  /** As wide as the window. */
  isWide?: boolean;
  /** The page is as high as the window and wider than others: for a list that scrolls by itself. */
  fills?: boolean;
  children: ReactNode;
}

/** A page with its width and heading. */
export function Page({ title, lead, actions, parent, isWide = false, fills = false, children }: PageProps) {
  return (
    <Box className={classes.page} data-wide={isWide || undefined} data-fills={fills || undefined}>
      <Stack gap="lg" className={classes.stack}>
        <div>
          {parent && (
            <div className={classes.heading}>
              <TextLink href={parent.href} size="sm">
                {parent.name}
              </TextLink>
            </div>
          )}
          <Group justify="space-between" align="flex-end" gap="md">
            <div className={classes.heading}>
              <Title order={1}>
                <bdi>{title}</bdi>
              </Title>
              {lead && (
                <Text c="dimmed" mt={4}>
                  {lead}
                </Text>
              )}
            </div>
            {actions}
          </Group>
        </div>
        {children}
      </Stack>
    </Box>
  );
}
