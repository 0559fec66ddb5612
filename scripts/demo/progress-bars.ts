import type { ObjectProgress } from "@/lib/migration/migration-schema";

const WIDTH = 32;

/** On a terminal, a bar per object, redrawn in place. Elsewhere, a line for each completed object. */
export class ProgressBars {
  readonly #out: NodeJS.WriteStream;
  readonly #announced = new Set<string>();
  #drawn = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  show(objects: readonly ObjectProgress[]): void {
    if (this.#out.isTTY) this.#draw(objects);
    else this.#announce(objects);
  }

  #draw(objects: readonly ObjectProgress[]): void {
    if (this.#drawn > 0) this.#out.write(`\x1b[${this.#drawn}A`);
    for (const object of objects) this.#out.write(`\x1b[2K${line(object)}\n`);
    this.#drawn = objects.length;
  }

  #announce(objects: readonly ObjectProgress[]): void {
    for (const object of objects) {
      if (object.status !== "done" || this.#announced.has(object.object)) continue;
      this.#announced.add(object.object);
      this.#out.write(`${line(object)}\n`);
    }
  }
}

function line(progress: ObjectProgress): string {
  const done = processedOf(progress);
  const total = Math.max(done, progress.source ?? progress.expected ?? 0);
  const filled = total === 0 ? (progress.status === "done" ? WIDTH : 0) : Math.round((WIDTH * done) / total);
  return (
    `  ${progress.object.padEnd(14)} ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done.toLocaleString("en")} ` +
    `/ ${total.toLocaleString("en")}`
  );
}

/** Source records processed so far, with any outcome. */
function processedOf(progress: ObjectProgress): number {
  return progress.created + progress.updated + progress.unchanged + progress.skipped + progress.failed;
}
