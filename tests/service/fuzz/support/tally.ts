interface Count {
  sent: number;
  good: number;
}

/** The requests and answers of a run. */
export class Tally {
  readonly operations = new Map<string, Count>();
  readonly statuses = new Map<number, number>();
  /** Why requests that are valid by the document were refused. */
  readonly rules = new Map<string, number>();
  sent = 0;

  constructor(operations: readonly string[]) {
    for (const id of operations) this.operations.set(id, { sent: 0, good: 0 });
  }

  note(operation: string, status: number): void {
    this.sent += 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const count = this.operations.get(operation);
    if (!count) throw new Error(`The document has no operation ${operation}.`);
    count.sent += 1;
    if (status >= 200 && status < 300) count.good += 1;
  }

  /** "2xx 1200, 4xx 3400", and each status. */
  byStatus(): string {
    const classes = Map.groupBy(
      [...this.statuses].toSorted(([one], [other]) => one - other),
      ([status]) => `${Math.floor(status / 100)}xx`,
    );
    return [...classes]
      .map(
        ([name, counts]) =>
          `${name} ${counts.reduce((sum, [, count]) => sum + count, 0)} ` +
          `(${counts.map((each) => each.join(": ")).join(", ")})`,
      )
      .join("; ");
  }

  noteRules(rules: readonly string[]): void {
    for (const rule of rules) this.rules.set(rule, (this.rules.get(rule) ?? 0) + 1);
  }

  byOperation(): string {
    return [...this.operations].map(([id, { sent, good }]) => `${id} ${sent}/${good}`).join(", ");
  }
}
