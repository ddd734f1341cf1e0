export interface Live {
  /** A line of progress for the person who watches. */
  step(text: string): void;
}
