/** The message that `npm start` prints once the service runs. `invitation`: while there is no organization. */
export function welcome(baseUrl: string, invitation: string | null): string {
  return (
    `\n  The service is running at ${baseUrl}\n  ${invitation ?? "Open it in a browser and sign in."}\n` +
    "  Press Ctrl-C to stop it.\n"
  );
}

/**
 * How to create the organization while there is none: a link with the setup code. It is printed only on the console,
 * which only the operator reads. Browsers never send what is behind the `#`, so no proxy logs it.
 */
export async function setupInvitation(baseUrl: string): Promise<string | null> {
  const { organizationExists } = await import("@/lib/sessions/people/organizations");
  if (await organizationExists()) return null;
  const { setupCode } = await import("@/lib/sessions/people/setup-code");
  const code = setupCode();
  return (
    `Create your organization at ${baseUrl}/setup#${code}\n` +
    `  or open ${baseUrl} in a browser and enter the setup code ${code}.`
  );
}
