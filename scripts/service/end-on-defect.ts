import { log } from "@/lib/log";

/**
 * Ends this process on an exception that nothing has caught: nobody knows what it has left behind, and the supervisor
 * starts a clean one. To be called before anything else listens: Next only prints such an exception, with all that
 * PostgreSQL says of rows and keys, and goes on. A rejection that nobody has handled comes here too, but not in the web
 * process, where Next takes it, and logs it: rendering leaves some behind when a client goes away, and then anybody
 * could end the process.
 */
export function endOnDefect(): void {
  process.on("uncaughtException", (error, origin) => {
    log.fatal({ err: error, origin }, "the process ends because of a defect");
    process.exit(1);
  });
}
