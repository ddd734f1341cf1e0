/** A letter in plain text. */
export interface Letter {
  to: readonly string[];
  subject: string;
  text: string;
}

/** How letters leave. `send` throws DeliveryError when the mail server did not take the letter. */
export interface Mailer {
  send(letter: Letter): Promise<void>;
  close(): void;
}
