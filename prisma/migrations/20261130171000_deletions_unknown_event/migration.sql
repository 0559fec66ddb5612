-- AlterEnum
ALTER TYPE "migration_event" ADD VALUE 'deletions_unknown' AFTER 'object_finished';
