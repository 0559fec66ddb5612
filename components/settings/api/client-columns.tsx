import classes from "@/components/settings/api/client-columns.module.css";
import { ScopeNames } from "@/components/settings/api/scope-names";
import { UriList } from "@/components/settings/api/uri-list";
import { Copyable } from "@/components/ui/copy/copyable";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { Ago } from "@/components/ui/text/ago";
import { Breakable } from "@/components/ui/text/breakable";
import { formatNumber } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** The columns of the list of API clients. */
export const CLIENT_COLUMNS: StackColumn<OauthClient>[] = [
  {
    key: "name",
    header: "Client",
    heading: true,
    cell: ({ id, name, client_id }) => (
      <>
        <TextLink href={`/settings/api/${id}`} inherit>
          <bdi>{name}</bdi>
        </TextLink>
        <div>
          <Copyable text={client_id} what={`client_id of ${name}`} />
        </div>
      </>
    ),
  },
  { key: "scopes", header: "Scopes", cell: ({ scopes }) => <ScopeNames scopes={scopes} /> },
  {
    key: "redirect_uris",
    header: "Redirect URIs",
    cell: ({ redirect_uris }) => <UriList uris={redirect_uris} inShort />,
  },
  {
    key: "created_by",
    header: "Created by",
    cell: ({ created_by }) => <Breakable text={created_by ?? "—"} kind="email" />,
  },
  { key: "last_used_at", header: "Last used", cell: ({ last_used_at }) => <Ago iso={last_used_at} /> },
  {
    key: "live_tokens",
    header: <span className={classes.wraps}>Access tokens in use</span>,
    numeric: true,
    cell: ({ live_tokens }) => formatNumber(live_tokens),
  },
];
