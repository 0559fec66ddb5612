import { Text } from "@mantine/core";
import type { ReactNode } from "react";

import classes from "@/components/docs/docs-frame.module.css";
import { DocsNavigation, type DocsLink } from "@/components/docs/docs-navigation";
import { Brand } from "@/components/shell/brand";
import { ColorSchemeToggle } from "@/components/shell/color-scheme-toggle";

/** The frame of the API reference, which anybody can read without signing in. */
export function DocsFrame({ resources, children }: { resources: readonly DocsLink[]; children: ReactNode }) {
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Brand />
        <div className={classes.actions}>
          <Text component="a" href="/api/v1/openapi.json" size="sm" className={classes.document}>
            OpenAPI
          </Text>
          <ColorSchemeToggle />
        </div>
      </header>
      <div className={classes.columns}>
        <DocsNavigation resources={resources} />
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
    </>
  );
}
