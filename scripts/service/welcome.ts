/** What `npm start` says once the service runs. DATABASE_URL must be set; the connection that it opens is closed again. */
export async function welcome(baseUrl: string): Promise<string> {
  // A service that runs is not to end over a hint.
  const isThere = await hasOrganization().catch(() => true);
  const next = isThere ? "Open it in a browser and sign in." : "Open it in a browser; the first visit creates your organization.";
  return `\n  The service is running at ${baseUrl}\n  ${next} Stop it with Ctrl-C.\n`;
}

async function hasOrganization(): Promise<boolean> {
  // Imported late: the settings that these read are there only once the service has been started.
  const { closeDatabase } = await import("@/lib/db");
  const { organizationExists } = await import("@/lib/sessions/organization-exists");
  try {
    return await organizationExists();
  } finally {
    await closeDatabase();
  }
}
