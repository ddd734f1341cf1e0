/** A kept close as both engines hand it over. */
export interface CloseRecord {
  hash: string;
  n: number;
  day: string;
  scope: string;
  result: string;
  content: string;
  signature: string;
  public_key: string;
  closed_at: string;
}
