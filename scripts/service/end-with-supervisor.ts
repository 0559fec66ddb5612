/**
 * Ends this process as SIGTERM does when the process that supervises it is gone, were it by `kill -9`: the channel
 * between the two closes then. Without a supervisor nothing happens.
 */
export function endWithSupervisor(): void {
  if (!process.send) return;
  if (process.connected) process.once("disconnect", end);
  else end();
}

function end(): void {
  process.kill(process.pid, "SIGTERM");
}
