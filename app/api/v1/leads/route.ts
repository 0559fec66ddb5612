import { collection } from "@/app/api/v1/collection";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = collection("leads");
