/** Runs once when the web process starts. This process only sends events; the worker process runs the jobs. */
export async function register(): Promise<void> {
  // Next inserts this constant at build time, and also compiles the file for its edge runtime, which has no database.
  if (process.env.NEXT_RUNTIME === "edge") return;
  const { registerSender } = await import("@/inngest/client");
  registerSender();
}
