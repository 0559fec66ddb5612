-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "currency" TEXT,
ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "storage_tables" JSONB,
ADD COLUMN     "time_zone" TEXT,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- The audit log stays append-only while its organization exists. With a deleted organization its log is erased, too.
-- Written by hand: a Prisma schema has no triggers.
CREATE FUNCTION refuse_audit_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id AND deleted_at IS NOT NULL) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'The audit log is append-only.' USING ERRCODE = 'restrict_violation';
END;
$$;

DROP TRIGGER audit_events_append_only ON "audit_events";

CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_events_stay BEFORE DELETE ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_deletion();
