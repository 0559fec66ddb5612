import { type Order, repeat } from "@/tests/benchmarks/api/repeat";

// The generator of load, in a process of its own, so that neither its work nor its waits are those of who measures.
process.on("message", (order: Order) => {
  repeat(order).then(
    (round) => process.send?.({ round }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
