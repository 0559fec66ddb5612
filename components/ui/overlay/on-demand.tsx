"use client";

import { useMounted } from "@mantine/hooks";
import { type ComponentType, useEffect, useEffectEvent, useState } from "react";

import { sayNotLoaded } from "@/components/ui/overlay/loading";

interface OverlayProps {
  opened: boolean;
  onClose: () => void;
}

/**
 * A dialog, or another overlay, whose code is loaded when it is first opened, so that no page waits for it. If that
 * fails, it says so and closes; the next opening tries again.
 */
export function onDemand<Props extends OverlayProps>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function OnDemand(props: Props) {
    const [Overlay, setOverlay] = useState<ComponentType<Props> | null>(null);
    const isWanted = props.opened && Overlay === null;
    const fail = useEffectEvent(() => {
      sayNotLoaded();
      props.onClose();
    });
    useEffect(() => {
      if (isWanted) load().then((loaded) => setOverlay(() => loaded), fail);
    }, [isWanted]);
    return Overlay && <OpenedWhenThere Overlay={Overlay} props={props} />;
  };
}

/** Mounts the overlay closed and then opens it. Otherwise it would not return the focus when it closes. */
function OpenedWhenThere<Props extends OverlayProps>(given: { Overlay: ComponentType<Props>; props: Props }) {
  const { Overlay, props } = given;
  const isMounted = useMounted();
  return <Overlay {...props} opened={props.opened && isMounted} />;
}
