"use client";

import { Button } from "@mantine/core";

import { useSwitch } from "@/components/settings/webhooks/manage/use-switch";
import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { once } from "@/components/ui/form/once";
import { Section } from "@/components/ui/layout/section";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** Switches a webhook on or off. */
export function SwitchWebhook({ webhook }: { webhook: Webhook }) {
  const { id, active } = webhook;
  const toggle = useSwitch(id);
  return (
    <>
      <Section
        title={active ? "Switch off" : "Switch on"}
        lead={
          active
            ? "No further delivery begins, except of test events; a request that is under way is not broken off. " +
              "While it is off, events are not collected for it; what it misses can be recovered for 30 days."
            : "New events are sent from now on, and so is what is pending. What the webhook has missed can then be " +
              "recovered on the deliveries page."
        }
        action={
          // The second click of a double click would take back what the first one has done.
          <Button variant="default" loading={toggle.isPending} onClick={once(() => toggle.mutate(!active))}>
            {active ? "Switch the webhook off" : "Switch the webhook on"}
          </Button>
        }
      >
        {toggle.isError && <ProblemAlert error={toggle.error} takesFocus />}
      </Section>
      <Announcement>{toggle.isSuccess && (active ? "The webhook is on." : "The webhook is off.")}</Announcement>
    </>
  );
}
