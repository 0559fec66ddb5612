import dns, { type LookupAddress } from "node:dns";
import { syncBuiltinESMExports } from "node:module";

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

const real = dns.lookup;
const answers = new Map<string, string[][]>();

/** Has names lead to addresses in this process: one list for each look-up, and the last for all that follow. Other names are looked up as ever. */
export function resolveNames(names: Record<string, string[][]>): void {
  for (const [name, lists] of Object.entries(names)) answers.set(name, [...lists]);
  dns.lookup = ((name: string, options: object, callback: Callback) => {
    const lists = answers.get(name);
    if (!lists) return real(name, { ...options, all: true }, callback);
    const addresses = (lists.length > 1 ? lists.shift() : lists[0]) ?? [];
    queueMicrotask(() =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
    );
  }) as typeof dns.lookup;
  syncBuiltinESMExports();
}

/** Gives names back to the machine's resolver, for `afterEach`. */
export function forgetNames(): void {
  answers.clear();
  dns.lookup = real;
  syncBuiltinESMExports();
}
