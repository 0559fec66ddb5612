import { Center, Paper, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { Brand } from "@/components/shell/brand";

/** The frame of pages outside the console: one card in the middle, as wide as the page on a narrow screen. */
export function AccountFrame({ children }: { children: ReactNode }) {
  return (
    <Center mih="100vh" px="md" py="xl">
      <Stack w="100%" maw={440} gap="lg" component="main">
        <Brand />
        <Paper withBorder p={{ base: "lg", xs: "xl" }}>
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}
