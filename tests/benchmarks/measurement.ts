/** One measured value. It is text if it consists of several, such as percentiles. */
export interface Measurement {
  name: string;
  value: number | string;
  unit: string;
}
