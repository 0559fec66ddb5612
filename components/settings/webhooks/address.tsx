import { Breakable } from "@/components/ui/text/breakable";
import classes from "@/components/settings/webhooks/list/webhook-columns.module.css";

/** Single slashes, dots, and the parts of a query. */
const BEFORE_PARTS = /(?<!\/)(?=\/(?!\/)|[?&])/;

/** Where deliveries go, broken at its parts where it must. */
export function Address({ url }: { url: string }) {
  return (
    <span className={classes.address}>
      <Breakable text={url} at={BEFORE_PARTS} />
    </span>
  );
}
