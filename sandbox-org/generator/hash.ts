/** FNV-1a of an attribute's name: gives each attribute other random numbers. */
export function salt(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A uniform 32-bit number: a pure function of its three arguments. */
export function roll(seed: number, salt: number, ordinal: number): number {
  let hash = Math.imul(ordinal + 1, 0x9e3779b1) + salt;
  hash = Math.imul(hash ^ (hash >>> 15) ^ seed, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ salt, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A uniform integer from 0 to `bound` - 1. */
export function below(bound: number, seed: number, salt: number, ordinal: number): number {
  return Math.floor((roll(seed, salt, ordinal) / 0x1_0000_0000) * bound);
}

/** A uniform choice. The list must not be empty. */
export function pick<T>(list: readonly T[], seed: number, salt: number, ordinal: number): T {
  return list[below(list.length, seed, salt, ordinal)] as T;
}

/** True for about `perMille` of a thousand ordinals. */
export function chance(perMille: number, seed: number, salt: number, ordinal: number): boolean {
  return roll(seed, salt, ordinal) < perMille * 4_294_967.296;
}
