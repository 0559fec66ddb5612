import { spawn } from "node:child_process";
import { once } from "node:events";

/** A running example: what it prints, and a way to answer it. */
interface Running {
  /** The address that it asks the person to open. */
  address: Promise<string>;
  /** Types a line and waits for the end. Returns everything that it printed. */
  finish: (line: string) => Promise<string>;
}

/** The environment without variables that would send requests elsewhere, or color the output. */
const PLAIN = {
  FORCE_COLOR: "0",
  http_proxy: "",
  HTTP_PROXY: "",
  https_proxy: "",
  HTTPS_PROXY: "",
  NODE_USE_ENV_PROXY: "",
};

/**
 * Runs a program with `input` as its first input. A shell reads it line by line, as it reads what is pasted into a
 * terminal.
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
