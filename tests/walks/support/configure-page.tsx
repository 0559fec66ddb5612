import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { queryKeys } from "@/components/api/query-keys";
import { getJson, getTagged, type Tagged } from "@/components/api/request";
import { ConfigureStep } from "@/components/migration/configure/configure-step";
import { withTarget, withValue } from "@/components/migration/configure/draft/choices";
import { useSaveConfiguration } from "@/components/migration/use-migration";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import type { Report } from "@/lib/migration/report/report-schema";

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
  const saved = await getTagged<Configuration>(`/migration/${id}/configuration`);
  const { inventory, ...rest } = await getJson<Report>(`/migration/${id}/report`);
  client.setQueryData(queryKeys.report(id), { inventory, ...rest });
  client.setQueryData(queryKeys.configuration(id), saved);
  client.setQueryData(queryKeys.migration(id), await getJson<Migration>(`/migration/${id}`));
  function render(content: ReactNode, place = ""): string {
    return renderToStaticMarkup(
      <MantineProvider>
        <AppRouterContext value={ROUTER}>
          <SearchParamsContext value={new URLSearchParams(place)}>
            <QueryClientProvider client={client}>{content}</QueryClientProvider>
          </SearchParamsContext>
        </AppRouterContext>
      </MantineProvider>,
    );
  }

  /** The mapping of accounts with these choices. */
  function show(draft: Configuration): string {
    client.setQueryData(queryKeys.configuration(id), { value: draft, tag: saved.tag });
    return render(<ConfigureStep isAdmin keepsFiles id={id} />, "part=fields&object=Account");
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
  function save(draft: Configuration): Promise<Tagged<Configuration>> {
    let saving: Promise<Tagged<Configuration>> | undefined;
    function Button() {
      saving = useSaveConfiguration(id).mutateAsync({ value: draft, tag: saved.tag });
      return null;
    }
    render(<Button />);
    return saving ?? Promise.reject(new Error("Nothing was rendered."));
  }

  return { id, saved: saved.value, show, choose, save };
}
