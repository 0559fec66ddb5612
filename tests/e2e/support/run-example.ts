import { spawn } from "node:child_process";
import { once } from "node:events";

/** An example at work: what it says, and a way to answer it. */
interface Running {
  /** The address that it asks to be opened. */
  address: Promise<string>;
  /** Types a line, waits for the end, and gives all that it printed. */
  finish: (line: string) => Promise<string>;
}

/** Without the variables that would send its requests elsewhere, or color what it prints. */
const PLAIN = {
  FORCE_COLOR: "0",
  http_proxy: "",
  HTTP_PROXY: "",
  https_proxy: "",
  HTTPS_PROXY: "",
  NODE_USE_ENV_PROXY: "",
};

/**
 * Runs a program that is handed its own text by `input`: a shell reads it line by line, as it reads what is pasted into
 * a terminal.
 */
export function runExample(command: string, args: readonly string[], input = ""): Running {
  const child = spawn(command, args, { env: { ...process.env, ...PLAIN }, stdio: ["pipe", "pipe", "pipe"] });
  let printed = "";
  const address = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const [, found] = /^(https?:\/\/\S+)\n/m.exec(printed) ?? [];
      if (found) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("close", () => reject(new Error(`It ended before it asked for anything: ${printed}`)));
  });
  if (input) child.stdin.write(`${input}\n`);
  const finish = async (line: string) => {
    const closed = once(child, "close");
    child.stdin.end(`${line}\n`);
    await closed;
    return printed;
  };
  return { address, finish };
}
