import { createTransport } from 'nodemailer';
import { DeliveryError } from '../../domain/errors.ts';
import type { Mailer } from '../../domain/ports.ts';

const timeoutMs = 20_000;
/** A comma or line break would make two mailboxes. */
const mailbox = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;

const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** @param mail.url `smtps://user:password@host:465`, as for nodemailer; never part of an error. */
export function openMail(mail: { url: string; from: string }): Mailer {
  const { hostname, port, protocol, username, password } = new URL(mail.url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Passwords and buyers' links need TLS, even where the server, or somebody in between, offers none.
    requireTLS: !thisMachine.includes(hostname),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      if (!to.every((address) => mailbox.test(address))) throw noMailbox();
      try {
        await transport.sendMail({ from: mail.from, to: [...to], subject, text });
      } catch (error) {
        throw refused(hostname, error);
      }
    },
    close: () => transport.close(),
  };
}

/** The address is omitted, because it is personal data. */
const noMailbox = (): DeliveryError => new DeliveryError('buyer-mail-refused', {});

/** It has only the code of the error: nodemailer's message may contain addresses. */
function refused(host: string, error: unknown): DeliveryError {
  const { code = 'unknown', responseCode } = (error ?? {}) as { code?: string; responseCode?: number };
  const why =
    code === 'ETLS'
      ? 'no ofrece una conexión cifrada'
      : [code, responseCode].filter((one) => one !== undefined).join(' ');
  return new DeliveryError('mail-failed', { host, why });
}
