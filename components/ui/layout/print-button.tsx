import { Button } from "@mantine/core";
import { PrinterIcon } from "lucide-react";

/** Prints the page. */
export function PrintButton() {
  return (
    <Button
      variant="default"
      leftSection={<PrinterIcon size={16} strokeWidth={1.6} aria-hidden />}
      onClick={() => window.print()}
    >
      Print
    </Button>
  );
}
