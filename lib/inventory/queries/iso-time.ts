/** Of a timestamp expression: UTC with milliseconds, as answers tell times. */
export const iso = (expression: string) =>
  `to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
