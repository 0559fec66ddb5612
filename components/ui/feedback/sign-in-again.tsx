import { Button } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { usePathname, useSearchParams } from "next/navigation";

/** A sign-in in a new tab: what was entered on this page stays, and can be sent once the reader is signed in. */
export function SignInAgain() {
  const path = usePathname();
  const query = useSearchParams().toString();
  const here = query ? `${path}?${query}` : path;
  return (
    <Button
      component="a"
      href={`/sign-in?next=${encodeURIComponent(here)}`}
      target="_blank"
      size="xs"
      variant="default"
      rightSection={<IconExternalLink size={14} aria-label="(in a new tab)" />}
    >
      Sign in again
    </Button>
  );
}
