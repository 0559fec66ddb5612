export const dynamic = "force-dynamic";

/** Says that the process answers: no authentication, no database. Benchmarks take it as the floor of what any route costs. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}
