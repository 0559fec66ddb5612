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
    text: "Salesforce shows how many API requests the org has, and how many are used. Try again when some are free.",
    page: { path: "/lightning/setup/CompanyProfileInfo/home", name: "Company Information" },
  },
  source_token_refused: {
    text:
      "A token ends with its session. Salesforce shows how long sessions last, and whether they are locked to the IP " +
      "address or domain from which they began; a new sign-in gives a new token.",
    page: { path: "/lightning/setup/SecuritySession/home", name: "Session Settings" },
  },
  source_not_salesforce: {
    text: "Salesforce shows the address of your org as “Current My Domain URL”.",
    page: { path: "/lightning/setup/OrgDomain/home", name: "My Domain" },
  },
};

/** Salesforce has one code for all refusals of its sign-in page; they are mended elsewhere than those of a token. */
const AT_SIGN_IN: Record<string, Help> = {
  source_access_denied: {
    text:
      "There an administrator can install or unblock this service, or relax its IP restrictions (Manage App " +
      "Policies › IP Relaxation).",
    page: { path: "/lightning/setup/ConnectedAppsUsage/home", name: "Connected Apps OAuth Usage" },
  },
};

interface RefusalHelpProps {
  error: Error | string | null;
  /** As the user has typed it; empty if it is not known. */
  instanceUrl: string;
  /** Whether it was the sign-in page of Salesforce that refused. */
  isSignIn?: boolean;
}

/** Where in Salesforce's setup a refusal is mended. The refusal is an error of our API, or its code alone. */
export function RefusalHelp({ error, instanceUrl, isSignIn = false }: RefusalHelpProps) {
  const code = error instanceof Problem ? error.code : error;
  if (typeof code !== "string") return null;
  const help = (isSignIn && AT_SIGN_IN[code]) || HELP[code];
  if (!help) return null;
  const origin = code === "source_not_salesforce" ? null : originOf(instanceUrl);
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
