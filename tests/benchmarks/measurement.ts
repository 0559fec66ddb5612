/** One measured value; text where it is several, such as percentiles. */
export interface Measurement {
  name: string;
  value: number | string;
  unit: string;
}
