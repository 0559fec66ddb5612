-- AlterEnum
ALTER TYPE "migration_event" ADD VALUE 'fields_hidden' AFTER 'run_started';
