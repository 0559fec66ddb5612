import { readdir, readFile } from "node:fs/promises";
import { cpus } from "node:os";

/** Linux counts processor time in these (USER_HZ, proc(5)). */
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  /** Seconds of the process itself, and of its children that have ended. */
  own: number;
  ended: number;
}

/** The fields after the name, which may contain spaces and parentheses. */
async function statOf(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const seconds = (place: number) => Number(fields[place]) / TICKS_PER_SECOND;
  return { parent: Number(fields[1]), own: seconds(11) + seconds(12), ended: seconds(13) + seconds(14) };
}

/** The seconds of processor time that a process and its children have used (proc(5), Linux). */
export async function processorTime(pid: number): Promise<number> {
  const pids = (await readdir("/proc")).map(Number).filter((found) => found > 0);
  const stats = await Promise.all(pids.map(async (found) => ({ found, stat: await statOf(found) })));
  return stats
    .filter(({ found, stat }) => found === pid || stat?.parent === pid)
    .reduce((sum, { found, stat }) => sum + (stat ? stat.own + (found === pid ? stat.ended : 0) : 0), 0);
}

/** The process that started a process. */
export async function parentOf(pid: number): Promise<number> {
  const stat = await statOf(pid);
  if (!stat) throw new Error(`There is no process ${pid}.`);
  return stat.parent;
}

/** The milliseconds of processor time of all cores since the machine's start, and how many of them were busy. */
export function machineTime(): { busy: number; all: number } {
  const times = cpus().map((core) => core.times);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all };
}
