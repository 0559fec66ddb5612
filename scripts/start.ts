import { runCommand } from "@/scripts/service/fault";
import { startService } from "@/scripts/service/start-service";
import { stopRequest, untilAsked } from "@/scripts/service/stop-request";

/** `npm start`: database, web and worker on this machine, until Ctrl-C. */
await runCommand(async () => {
  const asked = stopRequest();
  const service = await startService({ command: "npm start", asked });
  console.log(
    `\n  The service is running at ${service.baseUrl}\n  Open it in a browser; the first visit creates your organization. Stop it with Ctrl-C.\n`,
  );
  await untilAsked(asked);
  console.error("Stopping …");
  await service.stop();
});
