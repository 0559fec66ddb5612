import { runCommand } from "@/scripts/service/fault";
import { startService } from "@/scripts/service/start-service";
import { stopRequest, untilAsked } from "@/scripts/service/stop-request";
import { welcome } from "@/scripts/service/welcome";

/** `npm start`: database, web and worker on this machine, until Ctrl-C. */
await runCommand(async () => {
  const asked = stopRequest();
  const service = await startService({ command: "npm start", asked });
  console.log(await welcome(service.baseUrl));
  await untilAsked(asked);
  console.error("Stopping …");
  await service.stop();
});
