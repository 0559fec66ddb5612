/** A file that a migration copied with its record. */
export interface RecordFile {
  id: string;
  record_id: string;
  name: string;
  content_type: string | null;
  /** The number of bytes. */
  size: number;
}
