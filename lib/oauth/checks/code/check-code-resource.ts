import type { CodeCheck } from "@/lib/oauth/checks/code/code-check";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { knownResource, resourceIdentifier } from "@/lib/oauth/protected-resources";

/** A resource asked for with the code lies within those that were granted (RFC 8707 §2.2); the whole service holds its parts. */
export const checkCodeResource: CodeCheck = ({ code, parameters }) => {
  const isGranted = (resource: string) => {
    const known = knownResource(resource);
    return known !== null && (code.resource.length === 0 || code.resource.includes(known) || code.resource.includes(resourceIdentifier("")));
  };
  if (!parameters.getAll("resource").every(isGranted)) throw new OAuthError("invalid_target", "resource is not among those that were granted.");
};
