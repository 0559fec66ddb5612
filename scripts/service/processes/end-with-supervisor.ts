/**
 * Ends this process as SIGTERM does when its supervisor has ended, even by `kill -9`: the IPC channel closes then. Does
 * nothing without a supervisor.
 */
export function endWithSupervisor(): void {
  if (!process.send) return;
  if (process.connected) process.once("disconnect", end);
  else end();
}

function end(): void {
  process.kill(process.pid, "SIGTERM");
}
