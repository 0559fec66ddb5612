import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { LockedNote } from "@/components/migration/configure/locked-note";
import { isOpen } from "@/components/migration/wizard/migration-statuses";
import { isLocked } from "@/lib/migration/configuration/locked-statuses";
import { MIGRATION_STATUSES } from "@/lib/migration/migration-schema";

test.each(MIGRATION_STATUSES.filter((status) => isOpen("configure", status)))(
  "of a migration that is %s, the page says why its choices are locked, exactly if the API refuses a change",
  (status) => {
    const shown = renderToStaticMarkup(
      <MantineProvider>
        <p>
          <LockedNote status={status} />
        </p>
      </MantineProvider>,
    );
    expect(shown.includes('role="alert"')).toBe(isLocked(status));
  },
);
