import classes from "@/components/settings/webhooks/frame/webhook-tabs.module.css";
import { Link } from "@/components/ui/text/links";

export type WebhookTab = "deliveries" | "settings";

/** Links between the two pages of a webhook. */
export function WebhookTabs({ id, current }: { id: string; current: WebhookTab }) {
  const link = (tab: WebhookTab, href: string, label: string) => (
    <Link href={href} aria-current={tab === current ? "page" : undefined}>
      {label}
    </Link>
  );
  return (
    <nav className={classes.tabs} aria-label="Webhook">
      {link("deliveries", `/settings/webhooks/${id}`, "Deliveries")}
      {link("settings", `/settings/webhooks/${id}/settings`, "Settings")}
    </nav>
  );
}
