export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

/** A refusal, as RFC 9457 and the document have it. */
export interface Problem {
  status: number;
  code: string;
  detail: string;
  request_id: string;
  errors?: Fault[];
}
