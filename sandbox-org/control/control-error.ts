/** A control request that makes no sense: answered as 400 with this sentence. */
export class ControlError extends Error {}
