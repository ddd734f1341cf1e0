import { createTransport } from 'nodemailer';
import { DeliveryError } from '../../domain/errors.ts';
import type { Mailer } from '../../domain/mail.ts';

const timeoutMs = 20_000;
/** One mailbox and nothing beside it: a comma or a line break would make two of it. */
const mailbox = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;

const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Letters by SMTP.
 * @param mail.url as nodemailer takes it, `smtps://user:password@host:465`; it never shows in an error.
 */
export function openMail(mail: { url: string; from: string }): Mailer {
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const { hostname, port, protocol, username, password } = new URL(mail.url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Passwords and buyers' links leave this machine only by TLS, whatever the server or somebody before it offers.
    requireTLS: !thisMachine.includes(hostname),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...timeouts,
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

/** Whose it is stays out of it. */
function noMailbox(): DeliveryError {
  return new DeliveryError(
    'mail-address',
    'La dirección de correo no es válida; corríjala en el pedido, o copie el enlace y envíelo por otro medio.',
    'The address of a letter is no single mailbox.',
  );
}

/** nodemailer's own message may repeat what the server said, addresses included: only its code is told. */
function refused(host: string, error: unknown): DeliveryError {
  const { code = 'unknown', responseCode } = (error ?? {}) as { code?: string; responseCode?: number };
  if (code === 'ETLS')
    return new DeliveryError(
      'mail-failed',
      `El servidor de correo ${host} no ofrece una conexión cifrada, y la clave del buzón no se le envía sin ella: use smtps:// o un servidor con STARTTLS en mail.url.`,
      `The mail server ${host} offers no TLS, and mail.url has a password.`,
    );
  const why = [code, responseCode].filter((one) => one !== undefined).join(' ');
  return new DeliveryError(
    'mail-failed',
    `El servidor de correo ${host} no aceptó el mensaje (${why}): revise mail.url y mail.from.`,
    `The mail server ${host} did not take a letter (${why}).`,
  );
}
