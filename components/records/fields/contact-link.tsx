import { Anchor } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface ContactLinkProps {
  /** One of `contactAddress`. */
  address: string;
  children: ReactNode;
}

/** A link that writes to somebody, calls them, or opens their website in a new tab. */
export function ContactLink({ address, children }: ContactLinkProps) {
  if (!address.startsWith("http"))
    return (
      <Anchor href={address} inherit>
        {children}
      </Anchor>
    );
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer" inherit>
      {children} <IconExternalLink size={14} aria-label="(in a new tab)" style={{ verticalAlign: "-0.125em" }} />
    </Anchor>
  );
}
