import { Group, Text } from "@mantine/core";

import classes from "@/components/shell/brand.module.css";
import { Link } from "@/components/ui/text/links";
import { MARK, PRODUCT_NAME } from "@/lib/brand";

function Mark() {
  const { viewBox, strokeWidth, rings } = MARK;
  const stroke = { fill: "none", stroke: "currentColor", strokeWidth };
  return (
    <svg viewBox={viewBox} width={26} height={26} aria-hidden="true" className={classes.mark}>
      <circle {...rings.own} {...stroke} />
      <circle {...rings.coming} {...stroke} className={classes.coming} />
    </svg>
  );
}

interface BrandProps {
  /** On a phone only the mark, where tools need the room; the name is read out all the same. */
  isShort?: boolean;
  onClick?: () => void;
}

/** The product's mark and name, as a link to the start page. */
export function Brand({ isShort = false, onClick }: BrandProps) {
  return (
    <Link href="/" className={classes.brand} data-short={isShort || undefined} onClick={onClick}>
      <Group gap={10} wrap="nowrap">
        <Mark />
        <Text component="span" className={classes.name}>
          {PRODUCT_NAME}
        </Text>
      </Group>
    </Link>
  );
}
