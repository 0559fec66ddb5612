import { runCommand } from "@/scripts/service/fault";
import { startService } from "@/scripts/service/supervisor/start-service";
import { stopRequest, untilStopped } from "@/scripts/service/stop-request";
import { welcome } from "@/scripts/service/welcome";

/** `npm start`: runs database, web and worker on this machine until Ctrl-C. */
await runCommand(async () => {
  const stopSignal = stopRequest();
  const service = await startService({ command: "npm start", stopSignal });
  console.log(welcome(service.baseUrl, service.invitation));
  await untilStopped(stopSignal);
  console.error("Stopping …");
  await service.stop();
});
