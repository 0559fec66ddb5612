import { registerSender } from "@/inngest/register-sender";

/** Runs once when the web process starts. It sends events only; jobs are carried out by the worker process. */
export function register(): void {
  registerSender();
}
