import { createTransport } from 'nodemailer';
import type { Mailer } from './core/mailer.ts';

/** A server that does not answer must not hold a step for ever, milliseconds. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Letters by SMTP; `url` as in smtps://user:password@host:465, `from` as buyers read it. */
export function openMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({ url, ...patience });
  return {
    async send(letter) {
      try {
        await transport.sendMail({ from, ...letter });
        return 'sent';
      } catch (error) {
        // 5yz: permanent (RFC 5321, 4.2.1). Everything else may pass.
        const { responseCode = 0, code } = error as { responseCode?: number; code?: string };
        if ((responseCode >= 500 && code !== 'EAUTH') || code === 'EENVELOPE') return 'refused';
        throw new Error(
          `The mail server did not take a letter (${code ?? 'unknown'} ${responseCode || ''}).`,
        );
      }
    },
    close: () => transport.close(),
  };
}
