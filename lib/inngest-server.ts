/** The settings that point at an Inngest server, self-hosted or cloud. */
export interface InngestSettings {
  INNGEST_BASE_URL?: string | undefined;
  INNGEST_DEV?: string | undefined;
  INNGEST_EVENT_KEY?: string | undefined;
  INNGEST_SIGNING_KEY?: string | undefined;
}

/** True when jobs run on an Inngest server, false when they run on the embedded engine. As for the SDK, INNGEST_DEV may be "0" or "false". */
export function namesInngestServer(settings: InngestSettings): boolean {
  const { INNGEST_BASE_URL: address, INNGEST_DEV: dev, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey } = settings;
  return Boolean(address || eventKey || signingKey || (dev && !["0", "false"].includes(dev.toLowerCase())));
}
