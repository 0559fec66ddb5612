import { Loader, Text, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";

import classes from "@/components/migration/analyze/analysis-steps.module.css";
import { Announcement } from "@/components/ui/feedback/announcement";
import type { AnalysisProgress } from "@/lib/migration/report/analysis-schema";

type Step = NonNullable<AnalysisProgress["step"]>;

/** The steps in their order. */
const NAMES: Record<Step, string> = {
  counting: "Count the records",
  fields: "Read the fields, and a few values of each",
  automations: "List automations, limits and files",
  checks: "Look for duplicates, missing parents and other risks",
};

const STEPS = Object.keys(NAMES) as Step[];

/** The steps of an analysis: which are done, and which one is at work. */
export function AnalysisSteps({ progress }: { progress: AnalysisProgress | undefined }) {
  const current = progress?.step ?? "counting";
  const object = progress?.objects.find((each) => each.object === progress.object)?.label;
  const at = STEPS.indexOf(current);
  return (
    <>
      <Announcement>
        {`Step ${at + 1} of ${STEPS.length}: ${NAMES[current]}${object ? `, now ${object}` : ""}.`}
      </Announcement>
      <ol className={classes.steps}>
        {STEPS.map((step, index) => (
          <li key={step} data-state={index < at ? "done" : index === at ? "now" : "later"}>
            <span className={classes.marker} aria-hidden="true">
              {index < at && <IconCheck size={14} stroke={2.5} />}
              {index === at && <Loader size={14} />}
            </span>
            <span>
              {NAMES[step]}
              {index < at && <VisuallyHidden>, done</VisuallyHidden>}
              {index === at && object && (
                <Text component="span" inherit c="dimmed">
                  {" "}
                  · {object}
                </Text>
              )}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
