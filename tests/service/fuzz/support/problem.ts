export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

/** A problem as in RFC 9457 and the document. */
export interface Problem {
  status: number;
  code: string;
  detail: string;
  request_id: string;
  errors?: Fault[];
}
