-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "role" AS ENUM ('admin', 'member');

-- CreateEnum
CREATE TYPE "case_status" AS ENUM ('new', 'in_progress', 'waiting_on_customer', 'on_hold', 'escalated', 'resolved', 'closed');

-- CreateEnum
CREATE TYPE "case_priority" AS ENUM ('low', 'medium', 'high', 'urgent');

-- CreateEnum
CREATE TYPE "case_comment_kind" AS ENUM ('comment', 'email_inbound', 'email_outbound');

-- CreateEnum
CREATE TYPE "activity_type" AS ENUM ('task', 'event', 'call', 'email', 'note');

-- CreateEnum
CREATE TYPE "activity_status" AS ENUM ('not_started', 'in_progress', 'waiting', 'deferred', 'completed', 'cancelled');

-- CreateEnum
CREATE TYPE "activity_priority" AS ENUM ('low', 'medium', 'high');

-- CreateEnum
CREATE TYPE "lead_status" AS ENUM ('new', 'contacted', 'qualified', 'unqualified', 'converted');

-- CreateEnum
CREATE TYPE "opportunity_stage" AS ENUM ('prospecting', 'qualification', 'needs_analysis', 'value_proposition', 'decision_makers', 'perception_analysis', 'proposal', 'negotiation', 'closed_won', 'closed_lost');

-- CreateEnum
CREATE TYPE "forecast_category" AS ENUM ('pipeline', 'best_case', 'commit', 'omitted', 'closed');

-- CreateEnum
CREATE TYPE "webhook_disabled_reason" AS ENUM ('gone', 'failing', 'access_ended');

-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('pending', 'delivered', 'failed');

-- CreateEnum
CREATE TYPE "migration_status" AS ENUM ('analyzing', 'ready', 'analysis_failed', 'running', 'paused', 'completed', 'completed_with_errors', 'failed', 'cancelled', 'undoing', 'undone');

-- CreateEnum
CREATE TYPE "migration_object_status" AS ENUM ('pending', 'running', 'done', 'failed');

-- CreateEnum
CREATE TYPE "migration_outcome" AS ENUM ('skipped', 'failed');

-- CreateEnum
CREATE TYPE "job_run_state" AS ENUM ('queued', 'running', 'completed', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "storage_bytes" BIGINT NOT NULL DEFAULT 0,
    "storage_measured_at" TIMESTAMPTZ(3),

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "has_link_password" BOOLEAN NOT NULL DEFAULT false,
    "oidc_issuer" TEXT,
    "oidc_subject" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT NOT NULL,
    "browser" TEXT NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_links" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_links_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "throttles" (
    "key" TEXT NOT NULL,
    "window_end" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "throttles_pkey" PRIMARY KEY ("key","window_end")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "organization_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "attempt" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "headers" JSONB,
    "body" BYTEA,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("organization_id","key_hash")
);

-- CreateTable
CREATE TABLE "oauth_clients" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "scopes" TEXT[],
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_client_secrets" (
    "id" UUID NOT NULL,
    "client_id" UUID NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_client_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_authorizations" (
    "id" UUID NOT NULL,
    "client_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "scopes" TEXT[],
    "state" TEXT,
    "code_challenge" TEXT NOT NULL,
    "resource" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_authorizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_grants" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "client_id" UUID NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_allowed_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_codes" (
    "id" UUID NOT NULL,
    "grant_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "client_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "scopes" TEXT[],
    "code_challenge" TEXT NOT NULL,
    "resource" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_tokens" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "code_id" UUID NOT NULL,
    "client_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "scopes" TEXT[],
    "resource" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "user_id" UUID,
    "user_email" TEXT,
    "client_id" UUID,
    "client_name" TEXT,
    "address" TEXT,
    "details" JSONB NOT NULL,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "number_series" (
    "organization_id" UUID NOT NULL,
    "series" TEXT NOT NULL,
    "next" BIGINT NOT NULL,

    CONSTRAINT "number_series_pkey" PRIMARY KEY ("organization_id","series")
);

-- CreateTable
CREATE TABLE "retired_case_numbers" (
    "organization_id" UUID NOT NULL,
    "case_number" TEXT NOT NULL,
    "case_id" UUID NOT NULL,

    CONSTRAINT "retired_case_numbers_pkey" PRIMARY KEY ("organization_id","case_number")
);

-- CreateTable
CREATE TABLE "accounts" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ext_id" TEXT,
    "owner_id" UUID,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT NOT NULL,
    "type" TEXT,
    "industry" TEXT,
    "website" TEXT,
    "phone" TEXT,
    "annual_revenue" DECIMAL(18,2),
    "currency" TEXT,
    "number_of_employees" INTEGER,
    "account_number" TEXT,
    "rating" TEXT,
    "ownership" TEXT,
    "description" TEXT,
    "parent_account_id" UUID,
    "billing_street" TEXT,
    "billing_city" TEXT,
    "billing_state" TEXT,
    "billing_postal_code" TEXT,
    "billing_country" TEXT,
    "shipping_street" TEXT,
    "shipping_city" TEXT,
    "shipping_state" TEXT,
    "shipping_postal_code" TEXT,
    "shipping_country" TEXT,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "contacts" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ext_id" TEXT,
    "owner_id" UUID,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "account_id" UUID,
    "salutation" TEXT,
    "first_name" TEXT,
    "last_name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "mobile_phone" TEXT,
    "home_phone" TEXT,
    "title" TEXT,
    "department" TEXT,
    "reports_to_id" UUID,
    "lead_source" TEXT,
    "birthdate" DATE,
    "do_not_call" BOOLEAN NOT NULL DEFAULT false,
    "email_opt_out" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "mailing_street" TEXT,
    "mailing_city" TEXT,
    "mailing_state" TEXT,
    "mailing_postal_code" TEXT,
    "mailing_country" TEXT,
    "other_street" TEXT,
    "other_city" TEXT,
    "other_state" TEXT,
    "other_postal_code" TEXT,
    "other_country" TEXT,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "cases" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ext_id" TEXT,
    "owner_id" UUID,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "case_number" TEXT NOT NULL,
    "account_id" UUID,
    "contact_id" UUID,
    "parent_case_id" UUID,
    "subject" TEXT NOT NULL,
    "description" TEXT,
    "status" "case_status" NOT NULL DEFAULT 'new',
    "priority" "case_priority" NOT NULL DEFAULT 'medium',
    "type" TEXT,
    "origin" TEXT,
    "reason" TEXT,
    "is_escalated" BOOLEAN NOT NULL DEFAULT false,
    "escalated_at" TIMESTAMPTZ(3),
    "escalation_reason" TEXT,
    "closed_at" TIMESTAMPTZ(3),
    "supplied_name" TEXT,
    "supplied_email" TEXT,

    CONSTRAINT "cases_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "case_comments" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ext_id" TEXT,
    "owner_id" UUID,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "case_id" UUID NOT NULL,
    "body" TEXT NOT NULL,
    "is_public" BOOLEAN NOT NULL DEFAULT false,
    "author_name" TEXT,
    "author_id" UUID,
    "kind" "case_comment_kind" NOT NULL DEFAULT 'comment',
    "position" INTEGER NOT NULL,

    CONSTRAINT "case_comments_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "activities" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ext_id" TEXT,
    "owner_id" UUID,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "type" "activity_type" NOT NULL,
    "subject" TEXT NOT NULL,
    "description" TEXT,
    "status" "activity_status",
    "priority" "activity_priority",
    "due_date" DATE,
    "start_at" TIMESTAMPTZ(3),
    "end_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "duration_minutes" INTEGER,
    "location" TEXT,
    "account_id" UUID,
    "contact_id" UUID,
    "case_id" UUID,
    "opportunity_id" UUID,
    "lead_id" UUID,

    CONSTRAINT "activities_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "leads" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ext_id" TEXT,
    "owner_id" UUID,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "first_name" TEXT,
    "last_name" TEXT NOT NULL,
    "company" TEXT,
    "title" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "mobile_phone" TEXT,
    "website" TEXT,
    "status" "lead_status" NOT NULL DEFAULT 'new',
    "source" TEXT,
    "rating" TEXT,
    "industry" TEXT,
    "annual_revenue" DECIMAL(18,2),
    "number_of_employees" INTEGER,
    "address_street" TEXT,
    "address_city" TEXT,
    "address_state" TEXT,
    "address_postal_code" TEXT,
    "address_country" TEXT,
    "description" TEXT,
    "converted_at" TIMESTAMPTZ(3),
    "converted_account_id" UUID,
    "converted_contact_id" UUID,
    "converted_opportunity_id" UUID,

    CONSTRAINT "leads_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "opportunities" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ext_id" TEXT,
    "owner_id" UUID,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "account_id" UUID,
    "contact_id" UUID,
    "name" TEXT NOT NULL,
    "stage" "opportunity_stage" NOT NULL,
    "amount" DECIMAL(18,2),
    "currency" TEXT,
    "probability" INTEGER,
    "close_date" DATE NOT NULL,
    "type" TEXT,
    "lead_source" TEXT,
    "next_step" TEXT,
    "forecast_category" "forecast_category",
    "is_closed" BOOLEAN NOT NULL DEFAULT false,
    "is_won" BOOLEAN NOT NULL DEFAULT false,
    "loss_reason" TEXT,
    "stage_changed_at" TIMESTAMPTZ(3),
    "description" TEXT,

    CONSTRAINT "opportunities_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "products" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ext_id" TEXT,
    "owner_id" UUID,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT NOT NULL,
    "sku" TEXT,
    "family" TEXT,
    "unit_price" DECIMAL(18,2),
    "currency" TEXT,
    "unit" TEXT,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "description" TEXT,

    CONSTRAINT "products_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "ext_aliases" (
    "organization_id" UUID NOT NULL,
    "ext_id" TEXT NOT NULL,
    "entity" TEXT NOT NULL,
    "record_id" UUID NOT NULL,

    CONSTRAINT "ext_aliases_pkey" PRIMARY KEY ("organization_id","ext_id")
);

-- CreateTable
CREATE TABLE "events" (
    "organization_id" UUID NOT NULL,
    "tx" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "object" JSONB NOT NULL,
    "previous" JSONB,

    CONSTRAINT "events_pkey" PRIMARY KEY ("organization_id","tx","id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "url" TEXT NOT NULL,
    "url_set_by_id" UUID NOT NULL,
    "url_client_id" UUID,
    "description" TEXT,
    "events" TEXT[],
    "event_types" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" "webhook_disabled_reason",
    "secret" BYTEA,
    "previous_secret" BYTEA,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "last_delivered_at" TIMESTAMPTZ(3),
    "last_failed_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "drain_asked_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "organization_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_tx" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("organization_id","webhook_id","event_id")
);

-- CreateTable
CREATE TABLE "webhook_import_paces" (
    "organization_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "paced_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_import_paces_pkey" PRIMARY KEY ("organization_id","webhook_id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "organization_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "attempted_at" TIMESTAMPTZ(3) NOT NULL,
    "url" TEXT NOT NULL,
    "latency_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "response_headers" JSONB,
    "response_body" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("organization_id","webhook_id","event_id","number")
);

-- CreateTable
CREATE TABLE "deleted_records" (
    "organization_id" UUID NOT NULL,
    "deletion_id" UUID NOT NULL,
    "resource" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "ext_id" TEXT,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_by_id" UUID NOT NULL,
    "is_part" BOOLEAN NOT NULL,
    "record" JSONB NOT NULL,
    "cleared" JSONB NOT NULL,
    "aliases" TEXT[],

    CONSTRAINT "deleted_records_pkey" PRIMARY KEY ("organization_id","deletion_id","resource","id")
);

-- CreateTable
CREATE TABLE "opportunity_stage_changes" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "opportunity_id" UUID NOT NULL,
    "from_stage" "opportunity_stage",
    "to_stage" "opportunity_stage" NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_by_id" UUID NOT NULL,

    CONSTRAINT "opportunity_stage_changes_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "connections" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "ext_instance_url" TEXT NOT NULL,
    "login_url" TEXT,
    "source_org_id" TEXT,
    "source_org_name" TEXT,
    "source_user_id" TEXT,
    "source_username" TEXT,
    "api_version" TEXT,
    "access_token_enc" BYTEA,
    "refresh_token_enc" BYTEA,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "connection_attempts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "login_url" TEXT NOT NULL,
    "code_verifier_enc" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "migrations" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "connection_id" UUID NOT NULL,
    "created_by_id" UUID NOT NULL,
    "status" "migration_status" NOT NULL,
    "run_number" INTEGER NOT NULL DEFAULT 0,
    "report" JSONB,
    "configuration" JSONB,
    "failure" JSONB,
    "read_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "migrations_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "migration_objects" (
    "organization_id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "object" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "status" "migration_object_status" NOT NULL DEFAULT 'pending',
    "expected" BIGINT,
    "source" BIGINT,
    "created" BIGINT NOT NULL DEFAULT 0,
    "updated" BIGINT NOT NULL DEFAULT 0,
    "unchanged" BIGINT NOT NULL DEFAULT 0,
    "skipped" BIGINT NOT NULL DEFAULT 0,
    "failed" BIGINT NOT NULL DEFAULT 0,
    "checkpoint" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "migration_objects_pkey" PRIMARY KEY ("organization_id","migration_id","object")
);

-- CreateTable
CREATE TABLE "migration_record_issues" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "object" TEXT NOT NULL,
    "ext_id" TEXT NOT NULL,
    "outcome" "migration_outcome" NOT NULL,
    "code" TEXT NOT NULL,
    "field" TEXT,
    "value" TEXT,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "migration_record_issues_pkey" PRIMARY KEY ("organization_id","migration_id","id")
);

-- CreateTable
CREATE TABLE "job_events" (
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dispatched_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_runs" (
    "id" UUID NOT NULL,
    "function_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "state" "job_run_state" NOT NULL DEFAULT 'queued',
    "queue" TEXT,
    "planned" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "deaths" INTEGER NOT NULL DEFAULT 0,
    "in_vain" INTEGER NOT NULL DEFAULT 0,
    "alone" BOOLEAN NOT NULL DEFAULT false,
    "output" TEXT,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_steps" (
    "run_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "job_steps_pkey" PRIMARY KEY ("run_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "users_oidc_issuer_oidc_subject_key" ON "users"("oidc_issuer", "oidc_subject");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_organization_id_id_idx" ON "sessions"("user_id", "organization_id", "id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "password_links_token_hash_key" ON "password_links"("token_hash");

-- CreateIndex
CREATE INDEX "throttles_window_end_idx" ON "throttles"("window_end");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_clients_client_id_key" ON "oauth_clients"("client_id");

-- CreateIndex
CREATE INDEX "oauth_clients_organization_id_id_idx" ON "oauth_clients"("organization_id", "id");

-- CreateIndex
CREATE INDEX "oauth_client_secrets_client_id_idx" ON "oauth_client_secrets"("client_id");

-- CreateIndex
CREATE INDEX "oauth_authorizations_client_id_idx" ON "oauth_authorizations"("client_id");

-- CreateIndex
CREATE INDEX "oauth_authorizations_expires_at_idx" ON "oauth_authorizations"("expires_at");

-- CreateIndex
CREATE INDEX "oauth_grants_organization_id_user_id_id_idx" ON "oauth_grants"("organization_id", "user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_grants_client_id_user_id_key" ON "oauth_grants"("client_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_codes_code_hash_key" ON "oauth_codes"("code_hash");

-- CreateIndex
CREATE INDEX "oauth_codes_grant_id_idx" ON "oauth_codes"("grant_id");

-- CreateIndex
CREATE INDEX "oauth_codes_client_id_idx" ON "oauth_codes"("client_id");

-- CreateIndex
CREATE INDEX "oauth_codes_expires_at_idx" ON "oauth_codes"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_tokens_token_hash_key" ON "oauth_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "oauth_tokens_code_id_idx" ON "oauth_tokens"("code_id");

-- CreateIndex
CREATE INDEX "oauth_tokens_client_id_idx" ON "oauth_tokens"("client_id");

-- CreateIndex
CREATE INDEX "oauth_tokens_expires_at_idx" ON "oauth_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_action_id_idx" ON "audit_events"("organization_id", "action", "id");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_user_id_id_idx" ON "audit_events"("organization_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_client_id_id_idx" ON "audit_events"("organization_id", "client_id", "id");

-- CreateIndex
CREATE INDEX "accounts_organization_id_parent_account_id_id_idx" ON "accounts"("organization_id", "parent_account_id", "id");

-- CreateIndex
CREATE INDEX "accounts_organization_id_owner_id_id_idx" ON "accounts"("organization_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "accounts_organization_id_type_id_idx" ON "accounts"("organization_id", "type", "id");

-- CreateIndex
CREATE INDEX "accounts_organization_id_updated_at_id_idx" ON "accounts"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_organization_id_ext_id_key" ON "accounts"("organization_id", "ext_id");

-- CreateIndex
CREATE INDEX "contacts_organization_id_account_id_id_idx" ON "contacts"("organization_id", "account_id", "id");

-- CreateIndex
CREATE INDEX "contacts_organization_id_reports_to_id_id_idx" ON "contacts"("organization_id", "reports_to_id", "id");

-- CreateIndex
CREATE INDEX "contacts_organization_id_owner_id_id_idx" ON "contacts"("organization_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "contacts_organization_id_email_id_idx" ON "contacts"("organization_id", "email", "id");

-- CreateIndex
CREATE INDEX "contacts_organization_id_updated_at_id_idx" ON "contacts"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_organization_id_ext_id_key" ON "contacts"("organization_id", "ext_id");

-- CreateIndex
CREATE INDEX "cases_organization_id_account_id_id_idx" ON "cases"("organization_id", "account_id", "id");

-- CreateIndex
CREATE INDEX "cases_organization_id_contact_id_id_idx" ON "cases"("organization_id", "contact_id", "id");

-- CreateIndex
CREATE INDEX "cases_organization_id_parent_case_id_id_idx" ON "cases"("organization_id", "parent_case_id", "id");

-- CreateIndex
CREATE INDEX "cases_organization_id_owner_id_id_idx" ON "cases"("organization_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "cases_organization_id_status_id_idx" ON "cases"("organization_id", "status", "id");

-- CreateIndex
CREATE INDEX "cases_organization_id_priority_id_idx" ON "cases"("organization_id", "priority", "id");

-- CreateIndex
CREATE INDEX "cases_organization_id_is_escalated_id_idx" ON "cases"("organization_id", "is_escalated", "id");

-- CreateIndex
CREATE INDEX "cases_organization_id_updated_at_id_idx" ON "cases"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "cases_organization_id_ext_id_key" ON "cases"("organization_id", "ext_id");

-- CreateIndex
CREATE UNIQUE INDEX "cases_organization_id_case_number_key" ON "cases"("organization_id", "case_number");

-- CreateIndex
CREATE INDEX "case_comments_organization_id_case_id_position_id_idx" ON "case_comments"("organization_id", "case_id", "position", "id");

-- CreateIndex
CREATE INDEX "case_comments_organization_id_owner_id_id_idx" ON "case_comments"("organization_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "case_comments_organization_id_case_id_id_idx" ON "case_comments"("organization_id", "case_id", "id");

-- CreateIndex
CREATE INDEX "case_comments_organization_id_updated_at_id_idx" ON "case_comments"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "case_comments_organization_id_ext_id_key" ON "case_comments"("organization_id", "ext_id");

-- CreateIndex
CREATE INDEX "activities_organization_id_account_id_id_idx" ON "activities"("organization_id", "account_id", "id");

-- CreateIndex
CREATE INDEX "activities_organization_id_contact_id_id_idx" ON "activities"("organization_id", "contact_id", "id");

-- CreateIndex
CREATE INDEX "activities_organization_id_case_id_id_idx" ON "activities"("organization_id", "case_id", "id");

-- CreateIndex
CREATE INDEX "activities_organization_id_opportunity_id_id_idx" ON "activities"("organization_id", "opportunity_id", "id");

-- CreateIndex
CREATE INDEX "activities_organization_id_lead_id_id_idx" ON "activities"("organization_id", "lead_id", "id");

-- CreateIndex
CREATE INDEX "activities_organization_id_owner_id_id_idx" ON "activities"("organization_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "activities_organization_id_type_id_idx" ON "activities"("organization_id", "type", "id");

-- CreateIndex
CREATE INDEX "activities_organization_id_status_id_idx" ON "activities"("organization_id", "status", "id");

-- CreateIndex
CREATE INDEX "activities_organization_id_updated_at_id_idx" ON "activities"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "activities_organization_id_ext_id_key" ON "activities"("organization_id", "ext_id");

-- CreateIndex
CREATE INDEX "leads_organization_id_converted_account_id_id_idx" ON "leads"("organization_id", "converted_account_id", "id");

-- CreateIndex
CREATE INDEX "leads_organization_id_converted_contact_id_id_idx" ON "leads"("organization_id", "converted_contact_id", "id");

-- CreateIndex
CREATE INDEX "leads_organization_id_converted_opportunity_id_id_idx" ON "leads"("organization_id", "converted_opportunity_id", "id");

-- CreateIndex
CREATE INDEX "leads_organization_id_owner_id_id_idx" ON "leads"("organization_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "leads_organization_id_status_id_idx" ON "leads"("organization_id", "status", "id");

-- CreateIndex
CREATE INDEX "leads_organization_id_email_id_idx" ON "leads"("organization_id", "email", "id");

-- CreateIndex
CREATE INDEX "leads_organization_id_updated_at_id_idx" ON "leads"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "leads_organization_id_ext_id_key" ON "leads"("organization_id", "ext_id");

-- CreateIndex
CREATE INDEX "opportunities_organization_id_account_id_id_idx" ON "opportunities"("organization_id", "account_id", "id");

-- CreateIndex
CREATE INDEX "opportunities_organization_id_contact_id_id_idx" ON "opportunities"("organization_id", "contact_id", "id");

-- CreateIndex
CREATE INDEX "opportunities_organization_id_owner_id_id_idx" ON "opportunities"("organization_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "opportunities_organization_id_stage_id_idx" ON "opportunities"("organization_id", "stage", "id");

-- CreateIndex
CREATE INDEX "opportunities_organization_id_is_closed_id_idx" ON "opportunities"("organization_id", "is_closed", "id");

-- CreateIndex
CREATE INDEX "opportunities_organization_id_updated_at_id_idx" ON "opportunities"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "opportunities_organization_id_ext_id_key" ON "opportunities"("organization_id", "ext_id");

-- CreateIndex
CREATE INDEX "products_organization_id_owner_id_id_idx" ON "products"("organization_id", "owner_id", "id");

-- CreateIndex
CREATE INDEX "products_organization_id_family_id_idx" ON "products"("organization_id", "family", "id");

-- CreateIndex
CREATE INDEX "products_organization_id_is_active_id_idx" ON "products"("organization_id", "is_active", "id");

-- CreateIndex
CREATE INDEX "products_organization_id_updated_at_id_idx" ON "products"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "products_organization_id_ext_id_key" ON "products"("organization_id", "ext_id");

-- CreateIndex
CREATE UNIQUE INDEX "products_organization_id_sku_key" ON "products"("organization_id", "sku");

-- CreateIndex
CREATE INDEX "ext_aliases_organization_id_record_id_idx" ON "ext_aliases"("organization_id", "record_id");

-- CreateIndex
CREATE INDEX "events_organization_id_id_idx" ON "events"("organization_id", "id");

-- CreateIndex
CREATE INDEX "events_organization_id_type_tx_id_idx" ON "events"("organization_id", "type", "tx", "id");

-- CreateIndex
CREATE INDEX "events_organization_id_record_id_tx_id_idx" ON "events"("organization_id", "record_id", "tx", "id");

-- CreateIndex
CREATE INDEX "events_organization_id_created_at_idx" ON "events"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_organization_id_webhook_id_next_attempt__idx" ON "webhook_deliveries"("organization_id", "webhook_id", "next_attempt_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_organization_id_webhook_id_state_type_ev_idx" ON "webhook_deliveries"("organization_id", "webhook_id", "state", "type", "event_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "webhook_attempts_attempted_at_idx" ON "webhook_attempts" USING BRIN ("attempted_at");

-- CreateIndex
CREATE INDEX "deleted_records_organization_id_resource_id_idx" ON "deleted_records"("organization_id", "resource", "id");

-- CreateIndex
CREATE INDEX "deleted_records_organization_id_resource_ext_id_idx" ON "deleted_records"("organization_id", "resource", "ext_id");

-- CreateIndex
CREATE INDEX "deleted_records_deleted_at_idx" ON "deleted_records"("deleted_at");

-- CreateIndex
CREATE INDEX "opportunity_stage_changes_organization_id_opportunity_id_id_idx" ON "opportunity_stage_changes"("organization_id", "opportunity_id", "id");

-- CreateIndex
CREATE INDEX "connection_attempts_expires_at_idx" ON "connection_attempts"("expires_at");

-- CreateIndex
CREATE INDEX "migrations_organization_id_connection_id_idx" ON "migrations"("organization_id", "connection_id");

-- CreateIndex
CREATE UNIQUE INDEX "migration_record_issues_organization_id_migration_id_object_key" ON "migration_record_issues"("organization_id", "migration_id", "object", "ext_id");

-- CreateIndex
CREATE UNIQUE INDEX "job_events_position_key" ON "job_events"("position");

-- CreateIndex
CREATE INDEX "job_events_dispatched_at_position_idx" ON "job_events"("dispatched_at", "position");

-- CreateIndex
CREATE INDEX "job_runs_function_id_state_idx" ON "job_runs"("function_id", "state");

-- CreateIndex
CREATE INDEX "job_runs_event_id_idx" ON "job_runs"("event_id");

-- CreateIndex
CREATE INDEX "job_runs_finished_at_idx" ON "job_runs"("finished_at");

-- CreateIndex
CREATE UNIQUE INDEX "job_runs_function_id_event_id_key" ON "job_runs"("function_id", "event_id");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_client_secrets" ADD CONSTRAINT "oauth_client_secrets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_authorizations" ADD CONSTRAINT "oauth_authorizations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "oauth_grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_code_id_fkey" FOREIGN KEY ("code_id") REFERENCES "oauth_codes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_organization_id_parent_account_id_fkey" FOREIGN KEY ("organization_id", "parent_account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_organization_id_reports_to_id_fkey" FOREIGN KEY ("organization_id", "reports_to_id") REFERENCES "contacts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cases" ADD CONSTRAINT "cases_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cases" ADD CONSTRAINT "cases_organization_id_contact_id_fkey" FOREIGN KEY ("organization_id", "contact_id") REFERENCES "contacts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cases" ADD CONSTRAINT "cases_organization_id_parent_case_id_fkey" FOREIGN KEY ("organization_id", "parent_case_id") REFERENCES "cases"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "case_comments" ADD CONSTRAINT "case_comments_organization_id_case_id_fkey" FOREIGN KEY ("organization_id", "case_id") REFERENCES "cases"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_organization_id_contact_id_fkey" FOREIGN KEY ("organization_id", "contact_id") REFERENCES "contacts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_organization_id_case_id_fkey" FOREIGN KEY ("organization_id", "case_id") REFERENCES "cases"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_organization_id_opportunity_id_fkey" FOREIGN KEY ("organization_id", "opportunity_id") REFERENCES "opportunities"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_organization_id_lead_id_fkey" FOREIGN KEY ("organization_id", "lead_id") REFERENCES "leads"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "opportunities" ADD CONSTRAINT "opportunities_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "opportunities" ADD CONSTRAINT "opportunities_organization_id_contact_id_fkey" FOREIGN KEY ("organization_id", "contact_id") REFERENCES "contacts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "migrations" ADD CONSTRAINT "migrations_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "migration_objects" ADD CONSTRAINT "migration_objects_organization_id_migration_id_fkey" FOREIGN KEY ("organization_id", "migration_id") REFERENCES "migrations"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "migration_record_issues" ADD CONSTRAINT "migration_record_issues_organization_id_migration_id_objec_fkey" FOREIGN KEY ("organization_id", "migration_id", "object") REFERENCES "migration_objects"("organization_id", "migration_id", "object") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_runs" ADD CONSTRAINT "job_runs_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "job_events"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "job_steps" ADD CONSTRAINT "job_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "job_runs"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
