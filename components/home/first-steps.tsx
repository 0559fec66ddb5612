import { Paper, Text, Title } from "@mantine/core";

import classes from "@/components/home/first-steps.module.css";
import { LinkButton } from "@/components/ui/text/links";

interface Step {
  title: string;
  text: string;
  href: string;
  button: string;
  adminsOnly?: true;
}

const STEPS: readonly Step[] = [
  {
    title: "Bring your records from Salesforce",
    text: "Connect an org and read the report. Nothing is written before you start the migration.",
    href: "/migration/new",
    button: "Connect a Salesforce org",
  },
  {
    title: "Add the people you work with",
    text: "You get a link for each to hand over. Records that they own in Salesforce then belong to them here.",
    href: "/settings/members",
    button: "Add members",
    adminsOnly: true,
  },
  {
    title: "Connect your programs",
    text: "An API client lets a program or an assistant in, with the scopes that you choose.",
    href: "/settings/api",
    button: "Create an API client",
    adminsOnly: true,
  },
  {
    title: "Or begin by hand",
    text: "Create an account, then its contacts and opportunities.",
    href: "/accounts/new",
    button: "New account",
  },
];

/** What to do first in an organization without records. */
export function FirstSteps({ isAdmin }: { isAdmin: boolean }) {
  const steps = STEPS.filter(({ adminsOnly }) => isAdmin || !adminsOnly);
  return (
    <Paper withBorder component="ol" className={classes.list}>
      {steps.map(({ title, text, href, button }, index) => (
        <li key={href} className={classes.step}>
          <div>
            <Title order={2} size="h3">
              {title}
            </Title>
            <Text size="sm" c="dimmed" mt={4} maw="38rem">
              {text}
            </Text>
          </div>
          <LinkButton href={href} variant={index === 0 ? "filled" : "default"}>
            {button}
          </LinkButton>
        </li>
      ))}
    </Paper>
  );
}
