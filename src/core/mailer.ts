/** A letter in plain text. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** Where letters leave. */
export interface Mailer {
  /**
   * Hands a letter to the mail server. `refused`: it will never take this one. Rejects while it cannot be reached or
   * asks to come back later.
   */
  send(letter: Letter): Promise<'sent' | 'refused'>;
  close(): void;
}
