import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { forgetReconnect, rememberedReconnect } from "@/components/migration/control/remembered-reconnect";
import { leaveFor } from "@/components/ui/leave/leaving";
import type { Migration } from "@/lib/migration/migration-schema";

type Access = { ext_access_token: string; ext_instance_url: string } | { connection_id: string };

async function send(id: string, access: Access): Promise<Migration> {
  const connected = await sendJson<Migration>("POST", `/migration/${id}/reconnect`, access);
  if (rememberedReconnect()?.migrationId === id) forgetReconnect();
  return connected;
}

/** Gives a migration new access to its org. A run that paused for want of access goes on. */
export function useReconnect(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (access: Access) => send(id, access),
    onSuccess: async (changed) => {
      await replaceData(queryClient, queryKeys.migration(id), changed);
      // What the org refused to tell before. Not awaited: counting takes a while.
      void queryClient.invalidateQueries({ queryKey: queryKeys.choices(id) });
    },
  });
}

/** Gives the connection that a sign-in has just made to a migration, and returns to the page that asked for it. */
export function useReconnectReturned() {
  const router = useRouter();
  return useMutation({
    mutationFn: ({ migrationId, connectionId }: { migrationId: string; path: string; connectionId: string }) =>
      send(migrationId, { connection_id: connectionId }),
    // The reader may have left meanwhile, and typed elsewhere.
    onSuccess: (_, { path }) => leaveFor(path, () => router.replace(path)),
  });
}
