import { Text } from "@mantine/core";

/** The id of a refused request, by which whoever runs the service finds it in the log. Nothing where there was none. */
export function RequestId({ id }: { id: string | null }) {
  if (id === null) return null;
  return (
    <Text component="span" display="block" size="xs" c="dimmed" mt={4}>
      Request {id}
    </Text>
  );
}
