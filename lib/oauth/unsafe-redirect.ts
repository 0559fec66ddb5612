/**
 * A refusal that only the person in the browser is told about, on a page: the request names no address that we may redirect to
 * (RFC 6749 §4.1.2.1).
 */
export class UnsafeRedirect extends Error {
  override readonly name = "UnsafeRedirect";

  /** `forPerson` says it in words of everyday; `forDeveloper` names the parameter at fault. */
  constructor(
    readonly forPerson: string,
    readonly forDeveloper: string,
  ) {
    super(forDeveloper);
  }
}
