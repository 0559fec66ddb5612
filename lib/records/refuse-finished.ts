import { AppError } from "@/lib/errors";
import type { ResourceName } from "@/lib/records/resources";
import type { Values } from "@/lib/records/write-input";

/** Throws `illegal_state` for a change of a lead that has been converted: what it says is kept as it was then. */
export function refuseFinished(resource: ResourceName, before: Values, pointer: string): void {
  if (resource !== "leads" || before.status !== "converted") return;
  const detail = "A lead that has been converted cannot be changed. Change the account and the contact that it became.";
  throw new AppError("illegal_state", detail, { errors: [{ pointer, code: "converted", detail }] });
}
