/** The version that stands in every event, and in the path of the API. */
export const API_VERSION = "v1";

/** An event as clients read it, from the feed and from a webhook alike: JSON text, made of the columns of `events` under the alias `e`. */
export const EVENT_PAYLOAD = `json_build_object('id', e.id, 'type', e.type,
    'timestamp', to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'api_version', '${API_VERSION}', 'organization_id', e.organization_id,
    'data', json_build_object('object', e.object, 'previous', e.previous))::text`;
