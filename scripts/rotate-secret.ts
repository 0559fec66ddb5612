import { runCommand } from "@/scripts/service/fault";
import { rotateSecret } from "@/scripts/service/rotate-secret";

/** `npm run rotate-secret`. */
await runCommand(() => rotateSecret(process.argv[2]));
