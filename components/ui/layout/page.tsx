import { Box, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import classes from "@/components/ui/layout/page.module.css";

interface PageProps {
  title: ReactNode;
  /** One line under the title. */
  lead?: ReactNode;
  /** Buttons at the title's side. */
  actions?: ReactNode;
  /** What stands above the title: where the page belongs. */
  above?: ReactNode;
  children: ReactNode;
}

/** A page's measure and heading. */
export function Page({ title, lead, actions, above, children }: PageProps) {
  return (
    <Box className={classes.page}>
      <Stack gap="lg">
        <div>
          {above && <div className={classes.heading}>{above}</div>}
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
