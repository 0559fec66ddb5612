/** An invalid control request: answered with 400 and this message. */
export class ControlError extends Error {}
