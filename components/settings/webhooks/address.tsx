import classes from "@/components/settings/webhooks/address.module.css";
import { Breakable } from "@/components/ui/text/breakable";

/** The address that deliveries go to. */
export function Address({ url }: { url: string }) {
  return (
    <span className={classes.address}>
      <Breakable text={url} kind="url" />
    </span>
  );
}
