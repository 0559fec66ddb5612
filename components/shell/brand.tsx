import { Group, Text } from "@mantine/core";
import Link from "next/link";

import classes from "@/components/shell/brand.module.css";
import { PRODUCT_NAME } from "@/lib/product-name";

/** The logo: two rings that meet, for the records here and those that come in. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" width={26} height={26} aria-hidden="true" className={classes.mark}>
      <circle cx="12.5" cy="16" r="8" fill="none" stroke="currentColor" strokeWidth="3.5" />
      <circle cx="19.5" cy="16" r="8" fill="none" stroke="currentColor" strokeWidth="3.5" className={classes.second} />
    </svg>
  );
}

interface BrandProps {
  /** On a phone only the mark, where tools need the room; the name is read out all the same. */
  isShort?: boolean;
}

/** The product's mark and name, as a link to the start page. */
export function Brand({ isShort = false }: BrandProps) {
  return (
    <Link href="/" className={classes.brand} data-short={isShort || undefined}>
      <Group gap={10} wrap="nowrap">
        <Mark />
        <Text component="span" className={classes.name}>
          {PRODUCT_NAME}
        </Text>
      </Group>
    </Link>
  );
}
