import { methods } from "@/app/api/v1/methods";
import { renameOneself } from "@/lib/sessions/people/rename-oneself";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PATCH: { operation: renameOneself, body: true } });
