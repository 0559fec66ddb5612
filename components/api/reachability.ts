/** Whether the last request reached the service. Requests tell, and the notice in the frame listens. */
let isReachable = true;

const listeners = new Set<() => void>();

export function setReachable(value: boolean): void {
  if (value === isReachable) return;
  isReachable = value;
  for (const listener of listeners) listener();
}

export function getReachable(): boolean {
  return isReachable;
}

/** Calls `listener` after each change. Returns what ends that. */
export function onReachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
