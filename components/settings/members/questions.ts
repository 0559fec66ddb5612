import { hasNoAddress } from "@/components/settings/members/no-address";
import { memberPath } from "@/components/settings/members/use-members";
import { formatCount } from "@/components/ui/text/format";
import type { Member } from "@/lib/sessions/schemas";

/** What an admin can do with a member. "invite" asks for an e-mail address, all others a question. */
export type MemberAction = "invite" | MemberQuestionAction;

type MemberQuestionAction = "promote" | "demote" | "link" | "signOut" | "disable" | "enable" | "remove";

/** What an admin is asked before an action on a member. */
export interface Question {
  /** The label in the menu. */
  label: string;
  /** The label of the dialog's button; `label` by default. */
  button?: string;
  title: string;
  consequences: readonly string[];
  isDangerous?: boolean;
  /** The member whose records get another owner before that, if they are to have one who can sign in. */
  ownerId?: string;
  method: "POST" | "PATCH" | "DELETE";
  path: string;
  body?: object;
  /** The notification afterwards. */
  done: string;
}

const CREATED_STAYS =
  "API clients, webhooks and migrations that they made keep working: they belong to the organization.";
const APPS_END =
  "Apps can no longer act in their name: access tokens stop with the next request, and webhooks that apps set up " +
  "in their name are switched off.";

const CHANGE = { method: "PATCH" } as const;

/** `isSelf`: the member is the reader. */
type QuestionAbout = (member: Member, isSelf: boolean) => Omit<Question, "path"> & { below?: string };

function signedOut({ sessions }: Member): string {
  if (sessions === 0) return "They are signed in nowhere at this moment.";
  const browsers = `${formatCount(sessions, "browser")} of theirs ${sessions === 1 ? "is" : "are"}`;
  return `${browsers} signed out with the next request.`;
}

const QUESTIONS: Record<MemberQuestionAction, QuestionAbout> = {
  promote: ({ name }) => ({
    ...CHANGE,
    label: "Make an admin",
    title: `Make ${name} an admin?`,
    consequences: [
      "Admins manage the organization, members, API clients and webhooks and read the audit log. They can do all " +
        "that you can: change or remove you, and delete the organization.",
    ],
    body: { role: "admin" },
    done: `${name} is an admin now.`,
  }),
  demote: ({ name }, isSelf) => ({
    ...CHANGE,
    label: isSelf ? "Step down as admin" : "Make a member",
    title: isSelf ? "Step down as admin?" : `Make ${name} a member?`,
    consequences: [
      `${isSelf ? "You" : "They"} no longer manage members, API clients and webhooks, and no longer see the audit log.`,
      `One-time links that ${isSelf ? "you" : "they"} have made for others stop working, and webhooks that apps ` +
        `set up in ${isSelf ? "your" : "their"} name are switched off.`,
      ...(isSelf ? ["Only another admin can make you an admin again."] : []),
    ],
    body: { role: "member" },
    done: isSelf ? "You are no longer an admin." : `${name} is no longer an admin.`,
  }),
  link: ({ name, status, has_password }) => ({
    label: status === "invited" ? "New one-time link" : "Reset the password",
    title: `Make a one-time link for ${name}?`,
    consequences: [
      `Whoever has the link can set the password and sign in as ${name}. Hand it over where nobody else reads it.`,
      "It works once, within 24 hours. A link that was made before stops working.",
      ...(status === "invited"
        ? []
        : [
            "When it is used, the former password stops working, all of their browsers are signed out, and so are " +
              "apps that they have allowed.",
          ]),
      ...(has_password || status === "invited"
        ? []
        : ["They sign in through the OpenID provider. That keeps working, beside the password."]),
    ],
    button: "Make a link",
    method: "POST",
    below: "/password_link",
    done: "",
  }),
  signOut: (member) => ({
    label: "Sign out everywhere",
    title: `Sign ${member.name} out everywhere?`,
    consequences: [signedOut(member), "They can sign in again. Apps that they have allowed keep working."],
    method: "POST",
    below: "/end_sessions",
    done: `${member.name} is signed out.`,
  }),
  disable: (member) => ({
    ...CHANGE,
    label: "Disable",
    title: `Disable ${member.name}?`,
    consequences: [
      `They can no longer sign in. ${signedOut(member)}`,
      APPS_END,
      `${CREATED_STAYS} Records keep their owner.`,
      "You can enable them again at any time; apps then have to be allowed again.",
    ],
    isDangerous: true,
    ownerId: member.user_id,
    body: { is_disabled: true },
    done: `${member.name} is disabled.`,
  }),
  enable: ({ name }) => ({
    ...CHANGE,
    label: "Enable",
    title: `Enable ${name}?`,
    consequences: ["They can sign in again as before, with the same role. Apps have to be allowed again."],
    body: { is_disabled: false },
    done: `${name} is enabled.`,
  }),
  remove: (member) => ({
    label: "Remove",
    title: `Remove ${member.name}?`,
    consequences: [
      `They can no longer sign in. ${signedOut(member)}`,
      APPS_END,
      `${CREATED_STAYS} They may still know the secrets of those; make new ones where that matters.`,
      "Records keep the id of their owner, but show no name for it. To have that person back, add the same e-mail " +
        "address again.",
    ],
    isDangerous: true,
    ownerId: member.user_id,
    method: "DELETE",
    done: `${member.name} is removed.`,
  }),
};

/** The question before `action` on a member. */
export function questionOf(action: MemberQuestionAction, member: Member, isSelf: boolean): Question {
  const { below = "", ...question } = QUESTIONS[action](member, isSelf);
  return { ...question, path: `${memberPath(member.user_id)}${below}` };
}

/** The label of an action in the menu. */
export function labelOf(
  action: MemberAction,
  member: Member,
  isSelf: boolean,
): Pick<Question, "label" | "isDangerous"> {
  return action === "invite" ? { label: "Invite" } : questionOf(action, member, isSelf);
}

/** The actions that a member's status allows. The reader can do the rest for themselves on the account page. */
export function actionsFor(member: Member, isSelf: boolean): readonly MemberAction[] {
  const { role, status } = member;
  const roles = role === "admin" ? "demote" : "promote";
  if (isSelf) return [roles];
  if (status === "disabled" && hasNoAddress(member)) return ["invite", "remove"];
  if (status === "disabled") return [roles, "enable", "remove"];
  return status === "invited" ? [roles, "link", "disable", "remove"] : [roles, "link", "signOut", "disable", "remove"];
}
