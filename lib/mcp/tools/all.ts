import type { Tool } from "@/lib/mcp/tool";
import * as migrations from "@/lib/mcp/tools/migrations";
import * as overview from "@/lib/mcp/tools/overview";
import * as reading from "@/lib/mcp/tools/read-records";
import * as writing from "@/lib/mcp/tools/write-records";

/** Every tool, in the order in which hosts list them. */
export const TOOLS: readonly Tool[] = [
  overview.whoami,
  overview.listUsers,
  reading.describeObject,
  reading.search,
  reading.queryRecords,
  reading.getRecords,
  reading.getRelated,
  overview.getTimeline,
  overview.pipelineSummary,
  writing.createRecord,
  writing.updateRecord,
  writing.logActivity,
  writing.changeStage,
  writing.escalateCase,
  writing.convertLead,
  writing.deleteRecord,
  migrations.listMigrations,
  migrations.migrationStatus,
  migrations.migrationReport,
  migrations.migrationErrors,
  migrations.previewMigration,
  migrations.runMigration,
  migrations.pauseMigration,
];
