"use client";

import { Group, Paper, SimpleGrid, Text } from "@mantine/core";

import classes from "@/components/settings/overview.module.css";
import { settingsLinks } from "@/components/settings/settings-links";
import { Page } from "@/components/ui/layout/page";
import { Link } from "@/components/ui/text/links";

/** All pages of the settings that the reader may see, with what each is for. */
export function SettingsOverview({ isAdmin }: { isAdmin: boolean }) {
  return (
    <Page title="Settings">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" component="ul" className={classes.list}>
        {settingsLinks(isAdmin).map(({ href, label, about, icon: Icon }) => (
          <Paper key={href} component="li" withBorder className={classes.item}>
            <Group wrap="nowrap" align="flex-start" gap="md" p="md">
              <Icon size={22} stroke={1.6} aria-hidden className={classes.icon} />
              <div>
                <Link href={href} className={classes.link}>
                  {label}
                </Link>
                <Text size="sm" c="dimmed" mt={2}>
                  {about}
                </Text>
              </div>
            </Group>
          </Paper>
        ))}
      </SimpleGrid>
    </Page>
  );
}
