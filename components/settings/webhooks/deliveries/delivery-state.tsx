import { Badge } from "@mantine/core";
import type { DeliveryState } from "@/lib/webhooks/deliveries/delivery-schema";

interface StateWords {
  label: string;
  color: "sky" | "pine" | "rust";
}

/** The labels of the states of a delivery, in the order of the filter. */
export const DELIVERY_STATES: Record<DeliveryState, StateWords> = {
  pending: { label: "Pending", color: "sky" },
  delivered: { label: "Delivered", color: "pine" },
  failed: { label: "Failed", color: "rust" },
};

export function DeliveryBadge({ state, size = "md" }: { state: DeliveryState; size?: "md" | "lg" }) {
  const { label, color } = DELIVERY_STATES[state];
  return (
    <Badge color={color} size={size}>
      {label}
    </Badge>
  );
}
