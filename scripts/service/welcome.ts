/**
 * What `npm start` says once the service runs. DATABASE_URL and APP_SECRET must be set; the connection that it opens is
 * closed again.
 */
export async function welcome(baseUrl: string): Promise<string> {
  // Imported late: the settings that these read are there only once the service has been started.
  const { closeDatabase } = await import("@/lib/database/db");
  // A service that runs is not to end over a hint.
  const invitation = await invite(baseUrl).catch(() => null);
  await closeDatabase();
  return (
    `\n  The service is running at ${baseUrl}\n  ${invitation ?? "Open it in a browser and sign in."} Stop it with ` +
    `Ctrl-C.\n`
  );
}

/**
 * How to create the organization, while there is none: a link with the setup code. It stands on the console alone,
 * which nobody can read but whoever runs the service. Behind the `#` no browser sends it, so that no log of a proxy
 * holds it.
 */
export async function invite(baseUrl: string): Promise<string | null> {
  const { organizationExists } = await import("@/lib/sessions/people/organizations");
  if (await organizationExists()) return null;
  const { setupCode } = await import("@/lib/sessions/people/setup-code");
  const code = setupCode();
  return (
    `Create your organization at ${baseUrl}/setup#${code}\n  or open it in a browser and enter the setup code ` +
    `${code}.`
  );
}
