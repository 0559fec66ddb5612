import { Prefetched } from "@/app/prefetched";
import { requirePerson } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE } from "@/components/api/use-list";
import { Home } from "@/components/home/home";
import { listMigrations } from "@/lib/migration/read-migrations";
import { sessionContext } from "@/lib/sessions/browser-sessions/session-store";
import { listWebhooks } from "@/lib/webhooks/endpoints/read-webhooks";

export const metadata = { title: "Home" };

/** What stands above the rest, only if there is something to say: later, it would push the rest down. */
const MIGRATIONS = {
  key: queryKeys.migrationsUnderWay(),
  operation: listMigrations,
  input: { limit: SHORT_PAGE },
  list: "pages",
} as const;

const WEBHOOKS = { key: queryKeys.webhooks(), operation: listWebhooks, input: {}, list: "pages" } as const;

export default async function HomePage() {
  const person = await requirePerson("/");
  const isAdmin = person.role === "admin";
  return (
    <Prefetched context={sessionContext(person)} queries={isAdmin ? [MIGRATIONS, WEBHOOKS] : [MIGRATIONS]}>
      <Home isAdmin={isAdmin} />
    </Prefetched>
  );
}
