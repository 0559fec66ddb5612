import { log } from "@/lib/log";

/**
 * Ends this process on an uncaught exception, because its state is unknown; the supervisor starts a new one. Call this
 * before anything else listens: Next only prints such an exception, with PostgreSQL's details of rows and keys, and
 * continues. It also handles unhandled rejections, except in the web process, where Next logs them: rendering leaves
 * some behind when a client disconnects, so otherwise any client could end the process.
 */
export function endOnDefect(): void {
  process.on("uncaughtException", (error, origin) => {
    log.fatal({ err: error, origin }, "the process ends because of a defect");
    process.exit(1);
  });
}
