/** An error as it is stored and as `inngest/function.failed` carries it. */
export interface JobError {
  name: string;
  message: string;
  stack?: string;
}

/** Reads whatever the SDK serialised as an error. */
export function jobErrorOf(value: unknown): JobError {
  if (typeof value !== "object" || value === null) return { name: "Error", message: String(value) };
  const { name, message, error, stack, ...rest } = value as Record<string, unknown>;
  return {
    ...rest,
    name: typeof name === "string" ? name : "Error",
    message: String(message ?? error ?? "Unknown error"),
    ...(typeof stack === "string" && { stack }),
  };
}
