/** Deliveries that are being sent or have yet to be recorded, and the bytes of the bodies that are being sent. */
interface InFlight {
  deliveries: number;
  bytes: number;
}

/**
 * Over all webhooks of this process: it bounds sockets and memory. The event of a large record has half a megabyte; in
 * memory a body takes two to three times its size.
 */
const MAX: InFlight = { deliveries: 2048, bytes: 64 * 1024 * 1024 };

/**
 * The part of what is free that one webhook may take, beside one delivery. So something is always left for the next
 * webhook, even when slow endpoints keep what they have.
 */
const MAX_SHARE_OF_WEBHOOK = 1 / 8;

/** The part of what others leave free that all webhooks of one organization may take, beside one delivery each. */
const MAX_SHARE_OF_ORGANIZATION = 1 / 2;

const ofProcess: InFlight = { deliveries: 0, bytes: 0 };
const byOrganization = new Map<string, InFlight>();

/** Counts what an organization's webhook has put in flight, or no longer has. */
export function countInFlight(organizationId: string, deliveries: number, bytes: number): void {
  const ofOrganization = byOrganization.get(organizationId) ?? { deliveries: 0, bytes: 0 };
  for (const counted of [ofProcess, ofOrganization]) {
    counted.deliveries += deliveries;
    counted.bytes += bytes;
  }
  // A body is in flight no longer than its delivery.
  if (ofOrganization.deliveries > 0) byOrganization.set(organizationId, ofOrganization);
  else byOrganization.delete(organizationId);
}

/** How much a webhook may have in flight that has `own` of it now. Below zero when nothing is left for it. */
export function shareOf(organizationId: string, what: keyof InFlight, own = 0): number {
  const ofOrganization = byOrganization.get(organizationId)?.[what] ?? 0;
  const free = MAX[what] - ofProcess[what];
  const share = (free + own) * MAX_SHARE_OF_WEBHOOK;
  const leftToOrganization = (free + ofOrganization) * MAX_SHARE_OF_ORGANIZATION - (ofOrganization - own);
  return Math.floor(Math.min(share, leftToOrganization));
}
