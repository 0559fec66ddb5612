import { Anchor, Text } from "@mantine/core";

import { Problem } from "@/components/api/problem";

interface Help {
  /** What somebody does in Salesforce. */
  text: string;
  /** The page of Salesforce's setup where it is done. */
  page: { path: string; name: string };
}

const PERMISSION_SETS = { path: "/lightning/setup/PermSets/home", name: "Permission Sets" };

const HELP: Record<string, Help> = {
  source_api_disabled: {
    text: "An administrator gives your Salesforce user the permission “API Enabled”.",
    page: PERMISSION_SETS,
  },
  source_access_denied: {
    text: "An administrator gives your Salesforce user the permission “View All Data”.",
    page: PERMISSION_SETS,
  },
  source_limit_exceeded: {
    text: "The page says how many API requests the org has, and how many are used. Try again when some are free.",
    page: { path: "/lightning/setup/CompanyProfileInfo/home", name: "Company Information" },
  },
  source_token_refused: {
    text: "A token ends with its session. The page shows how long sessions last; a new sign-in gives a new token.",
    page: { path: "/lightning/setup/SecuritySession/home", name: "Session Settings" },
  },
  source_not_salesforce: {
    text: "Salesforce shows the address of your org as “Current My Domain URL”.",
    page: { path: "/lightning/setup/OrgDomain/home", name: "My Domain" },
  },
};

/** Where in Salesforce's setup a refusal is mended. `instanceUrl` is as the user has typed it. */
export function RefusalHelp({ error, instanceUrl }: { error: Error | null; instanceUrl: string }) {
  const help = error instanceof Problem ? HELP[error.code] : undefined;
  if (!help) return null;
  const origin = error instanceof Problem && error.code === "source_not_salesforce" ? null : originOf(instanceUrl);
  return (
    <Text size="sm" mt="xs">
      {help.text} In Salesforce:{" "}
      <Anchor
        href={`${origin ?? "https://login.salesforce.com"}${help.page.path}`}
        target="_blank"
        rel="noopener noreferrer"
        inherit
        underline="always"
      >
        Setup › {help.page.name}
      </Anchor>
    </Text>
  );
}

function originOf(url: string): string | null {
  const parsed = URL.parse(url.includes("://") ? url : `https://${url}`);
  return parsed?.protocol === "https:" ? parsed.origin : null;
}
