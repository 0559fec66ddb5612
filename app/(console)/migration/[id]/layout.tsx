import type { ReactNode } from "react";

import { WizardFrame } from "@/components/migration/wizard/wizard-frame";

interface Props {
  params: Promise<{ id: string }>;
  children: ReactNode;
}

export default async function MigrationLayout({ params, children }: Props) {
  const { id } = await params;
  return (
    <WizardFrame key={id} id={id}>
      {children}
    </WizardFrame>
  );
}
