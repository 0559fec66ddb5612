import { runCommand } from "@/scripts/service/fault";
import { startService, untilAskedToStop } from "@/scripts/service/start-service";

/** `npm start`: database, web and worker on this machine, until Ctrl-C. */
await runCommand(async () => {
  const asked = untilAskedToStop();
  const service = await startService();
  console.log(
    `\n  The service is running at ${service.baseUrl}\n  Open it in a browser; the first visit creates your organization. Stop it with Ctrl-C.\n`,
  );
  await asked;
  console.log("Stopping …");
  await service.stop();
});
