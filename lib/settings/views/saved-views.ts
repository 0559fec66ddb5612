import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool, transaction } from "@/lib/database/db";
import { defineOperation } from "@/lib/operation";
import { addressFault } from "@/lib/records/schema/list-address";
import { RESOURCES } from "@/lib/records/schema/resources";
import { givenViews, type SavedView, type SavedViews, savedViews } from "@/lib/settings/views/view-schema";

const resource = z
  .enum(RESOURCES, `\`resource\` must be one of ${RESOURCES.join(", ")}.`)
  .describe("The kind of records that the lists are of.");

/** So many of other people are shown. */
const MAX_SHARED = 200;

const OWN = `
  SELECT name, query, is_shared FROM saved_views
  WHERE organization_id = $1 AND user_id = $2 AND resource = $3
  ORDER BY sort_key(name) COLLATE "C", name`;

const SHARED = `
  SELECT v.name, v.query, v.is_shared, u.name AS owner_name FROM saved_views v JOIN users u ON u.id = v.user_id
  WHERE v.organization_id = $1 AND v.user_id <> $2 AND v.resource = $3 AND v.is_shared
  ORDER BY sort_key(v.name) COLLATE "C", v.name, sort_key(u.name) COLLATE "C", u.name LIMIT ${MAX_SHARED}`;

async function viewsOf({ organizationId, userId }: Context, of: string): Promise<SavedViews> {
  const values = [organizationId, userId, of];
  const [own, shared] = await Promise.all([
    pool().query<SavedView>(OWN, values),
    pool().query<SavedViews["shared"][number]>(SHARED, values),
  ]);
  return { own: own.rows, shared: shared.rows };
}

export const getSavedViews = defineOperation({
  name: "get_saved_views",
  summary: "Get the views of a kind of records that you have saved, and those that others share.",
  scopes: [],
  people: "members",
  input: z.strictObject({ resource }),
  output: savedViews,
  run: (context, { resource: of }) => viewsOf(context, of),
});

const REPLACE = `
  INSERT INTO saved_views (organization_id, user_id, resource, name, query, is_shared)
  SELECT $1, $2, $3, v.name, v.query, v.is_shared
  FROM jsonb_to_recordset($4::jsonb) AS v (name text, query text, is_shared boolean)`;

/** A person has few views, and alone changes them: so they are put as a whole, which renames and deletes as well. */
export const putSavedViews = defineOperation({
  name: "put_saved_views",
  summary: "Replace the views of a kind of records that you have saved.",
  scopes: [],
  people: "members",
  stores: true,
  input: z.strictObject({ resource, views: givenViews }).superRefine(({ resource: of, views }, issue) => {
    for (const [index, { query }] of views.entries()) {
      const message = addressFault(of, query);
      if (message !== null) issue.addIssue({ code: "custom", message, path: ["views", index, "query"] });
    }
  }),
  output: savedViews,
  async run(context, { resource: of, views }) {
    const owner = [context.organizationId, context.userId, of];
    await transaction(async (client) => {
      // Two requests of the same person take turns.
      await client.query("SELECT FROM memberships WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE", [
        context.organizationId,
        context.userId,
      ]);
      await client.query(
        "DELETE FROM saved_views WHERE organization_id = $1 AND user_id = $2 AND resource = $3",
        owner,
      );
      await client.query(REPLACE, [...owner, JSON.stringify(views)]);
    });
    return viewsOf(context, of);
  },
});
