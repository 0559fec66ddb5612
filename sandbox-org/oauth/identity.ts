import { RUNNING_USER } from "../generator/owners";
import type { Json } from "../schema/field";
import { userEmail, username } from "../objects/user";
import { ok } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";

function currentUser({ org }: Exchange): { username: string; email: string; urls: Record<string, Json> } {
  const { database, instanceUrl } = org;
  const rest = `${instanceUrl}/services/data/v{version}/`;
  return {
    username: username(database.org, RUNNING_USER),
    email: userEmail(database.org, RUNNING_USER),
    urls: {
      enterprise: `${instanceUrl}/services/Soap/c/{version}/${org.organizationId}`,
      metadata: `${instanceUrl}/services/Soap/m/{version}/${org.organizationId}`,
      partner: `${instanceUrl}/services/Soap/u/{version}/${org.organizationId}`,
      rest,
      sobjects: `${rest}sobjects/`,
      search: `${rest}search/`,
      query: `${rest}query/`,
      recent: `${rest}recent/`,
      tooling_rest: `${rest}tooling/`,
      profile: `${instanceUrl}/${org.userId}`,
      feeds: `${rest}chatter/feeds`,
      custom_domain: instanceUrl,
    },
  };
}

/** `/id/{organization}/{user}`: the URL in the `id` of a token answer. */
export const identity: Handler = (exchange) => {
  const { org } = exchange;
  const { username: name, email, urls } = currentUser(exchange);
  return ok({
    id: org.identityUrl,
    asserted_user: true,
    user_id: org.userId,
    organization_id: org.organizationId,
    username: name,
    nick_name: "user0",
    display_name: "Integration Admin",
    email,
    email_verified: true,
    first_name: "Integration",
    last_name: "Admin",
    timezone: "Europe/Berlin",
    photos: { picture: `${org.instanceUrl}/profilephoto/005/F`, thumbnail: `${org.instanceUrl}/profilephoto/005/T` },
    urls,
    active: true,
    user_type: "STANDARD",
    language: "en_US",
    locale: "de_DE",
    utcOffset: 3_600_000,
    last_modified_date: "2025-05-06T07:08:09Z",
    is_app_installed: true,
  });
};

export const userinfo: Handler = (exchange) => {
  const { org } = exchange;
  const { username: preferred, email, urls } = currentUser(exchange);
  return ok({
    sub: org.identityUrl,
    user_id: org.userId,
    organization_id: org.organizationId,
    preferred_username: preferred,
    nickname: "user0",
    name: "Integration Admin",
    given_name: "Integration",
    family_name: "Admin",
    email,
    email_verified: true,
    zoneinfo: "Europe/Berlin",
    urls,
    active: true,
    user_type: "STANDARD",
    language: "en_US",
    locale: "de_DE",
  });
};
