/** Runs once when the web process starts. It sends events only; jobs are carried out by the worker process. */
export async function register(): Promise<void> {
  // Next writes this constant in at build time, and compiles the file for its edge runtime too, which has no database.
  if (process.env.NEXT_RUNTIME === "edge") return;
  const { registerSender } = await import("@/inngest/client");
  registerSender();
}
