/** An error of the OAuth endpoints: HTTP 400 with an object, unlike the arrays of the REST API. */
export class OAuthError extends Error {
  constructor(
    readonly error: string,
    readonly description: string,
    readonly status = 400,
  ) {
    super(description);
  }
}
