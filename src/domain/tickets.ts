/** Short signed texts that open one page or door until they expire. They name nobody and hold no secret. */
export interface Tickets {
  /** `use` says what it opens. Only letters of base64url and a dot, fit for an address. */
  issue(use: string, until: Date): string;
  admits(use: string, ticket: string): boolean;
}
