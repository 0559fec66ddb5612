import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { ConfigureStep } from "@/components/migration/configure/configure-step";
import { withTarget, withValue } from "@/components/migration/configure/draft";
import { ObjectChoice } from "@/components/migration/configure/object-choice";
import { useSaveConfiguration } from "@/components/migration/use-migration";
import { type Configuration, configuration } from "@/lib/migration/configuration/configuration-schema";
import { migration } from "@/lib/migration/migration-schema";
import { isMigrated } from "@/lib/migration/objects/migrated-objects";
import { report } from "@/lib/migration/report/report-schema";

const nothing = () => undefined;
const ROUTER = {
  bfcacheId: "",
  back: nothing,
  forward: nothing,
  refresh: nothing,
  push: nothing,
  replace: nothing,
  prefetch: nothing,
};

/**
 * What a person does on the configure page of a migration, whose data the page has already loaded. The components are
 * rendered without a DOM, so a choice is made by the functions that the selects call.
 */
export async function openConfigurePage(id: string) {
  const client = new QueryClient();
  const saved = await getJson(`/migration/${id}/configuration`, configuration);
  const { inventory, ...rest } = await getJson(`/migration/${id}/report`, report);
  client.setQueryData(queryKeys.report(id), { inventory, ...rest });
  client.setQueryData(queryKeys.configuration(id), saved);
  client.setQueryData(queryKeys.migration(id), await getJson(`/migration/${id}`, migration));
  const objects = inventory.flatMap((item) =>
    item.status === "automatic" && isMigrated(item.object) ? [{ object: item.object, report: item }] : [],
  );

  function render(content: ReactNode): string {
    return renderToStaticMarkup(
      <MantineProvider>
        <AppRouterContext value={ROUTER}>
          <QueryClientProvider client={client}>{content}</QueryClientProvider>
        </AppRouterContext>
      </MantineProvider>,
    );
  }

  /** The page, followed by every object with its fields open. */
  function show(draft: Configuration): string {
    const opened = objects.map((each) => (
      <ObjectChoice
        key={each.object}
        {...each}
        draft={draft}
        isLocked={false}
        isOpen
        onToggle={nothing}
        onChange={nothing}
      />
    ));
    return render([<ConfigureStep key="page" id={id} />, ...opened]);
  }

  /** Leaves out the website of accounts, and chooses what the first value of a case's status becomes. */
  function choose(draft: Configuration): Configuration {
    const status = inventory.find(({ object }) => object === "Case")?.fields.find(({ source }) => source === "Status");
    const website = inventory
      .find(({ object }) => object === "Account")
      ?.fields.find(({ source }) => source === "Website");
    if (!website || !status?.values?.[0]) throw new Error("The report lacks what is chosen.");
    const chosen = withTarget(draft, "Account", website, null);
    return withValue(chosen, "Case", "Status", status.values[0].source, "on_hold");
  }

  /** Saves, as the button does. */
  function save(draft: Configuration): Promise<Configuration> {
    let saving: Promise<Configuration> | undefined;
    function Button() {
      saving = useSaveConfiguration(id).mutateAsync(draft);
      return null;
    }
    render(<Button />);
    return saving ?? Promise.reject(new Error("Nothing was rendered."));
  }

  return { id, saved, show, choose, save };
}
