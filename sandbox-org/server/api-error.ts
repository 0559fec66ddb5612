export interface ErrorBody {
  readonly message: string;
  readonly errorCode: string;
  readonly fields?: readonly string[];
}

/** An error of the REST API: a status, and an array of bodies. */
export class ApiError extends Error {
  readonly bodies: readonly ErrorBody[];

  constructor(
    readonly status: number,
    errorCode: string,
    message: string,
  ) {
    super(message);
    this.bodies = [{ message, errorCode }];
  }
}

export const notFound = (message = "The requested resource does not exist"): ApiError =>
  new ApiError(404, "NOT_FOUND", message);
export const invalidSession = (): ApiError => new ApiError(401, "INVALID_SESSION_ID", "Session expired or invalid");
export const malformed = (message: string): ApiError => new ApiError(400, "MALFORMED_QUERY", message);
export const methodNotAllowed = (method: string, allowed: string): ApiError =>
  new ApiError(405, "METHOD_NOT_ALLOWED", `HTTP Method '${method}' not allowed. Allowed are ${allowed}`);
