import { VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";

import { type Step, STEP_NAMES, STEPS } from "@/components/migration/wizard/migration-statuses";
import classes from "@/components/migration/wizard/wizard-steps.module.css";
import { Link } from "@/components/ui/text/links";

interface WizardStepsProps {
  current: Step;
  /** The furthest step that the migration has reached. */
  reached: Step;
  /** Whether the last step is done as well. */
  isFinished?: boolean;
  /** The address of a step; null if it cannot be opened. */
  hrefOf: (step: Step) => string | null;
}

/** Shows the current step among the five, with links to those that can be opened. */
export function WizardSteps({ current, reached, isFinished = false, hrefOf }: WizardStepsProps) {
  return (
    <nav aria-label="Steps of the migration" className={classes.steps}>
      <p className={classes.narrow} aria-hidden="true">
        Step {STEPS.indexOf(current) + 1} of {STEPS.length}: <b>{STEP_NAMES[current]}</b>
      </p>
      <ol>
        {STEPS.map((step, index) => {
          const isDone = isFinished || index < Math.max(STEPS.indexOf(reached), STEPS.indexOf(current));
          const href = step === current ? null : hrefOf(step);
          const content = (
            <>
              <span className={classes.marker} aria-hidden="true">
                {isDone ? <IconCheck size={14} stroke={2.5} /> : index + 1}
              </span>
              <span className={classes.name}>{STEP_NAMES[step]}</span>
              {isDone && <VisuallyHidden>, done</VisuallyHidden>}
            </>
          );
          return (
            <li key={step} data-current={step === current || undefined} data-done={isDone || undefined}>
              {href ? (
                <Link href={href} className={classes.step}>
                  {content}
                </Link>
              ) : (
                <span className={classes.step} aria-current={step === current ? "step" : undefined}>
                  {content}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
