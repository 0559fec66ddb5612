import { redirect } from "next/navigation";

/** People come for the migration; that page requires a session first. */
export default function StartPage() {
  redirect("/migration");
}
