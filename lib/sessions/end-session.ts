import { prisma } from "@/lib/db";

/** Ends a session: from the next request on, every copy of its cookie is worth nothing. */
export async function endSession(id: string): Promise<void> {
  await prisma().sessions.deleteMany({ where: { id } });
}
