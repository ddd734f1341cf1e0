import { once } from 'node:events';
import { lstat, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { z } from 'zod';
import type { Config } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { CommandError } from '../domain/errors.ts';
import { parseJson } from '../domain/loose.ts';
import { portFileIn, privacyOf, sharedKeyIdentity, sharedKeyTls, socketIn } from '../web/admin/channel.ts';
import type { AdminRequest } from '../web/admin/requests.ts';

const refusal = z.looseObject({ error: z.string().max(100), message: z.string().max(2_000) });
const portText = z
  .string()
  .regex(/^\d{1,5}\n$/)
  .transform(Number);

/** Enough for a slow shop's installation, or the export of a month. */
const patienceMs = 5 * 60_000;
/** Enough for a busy process to accept a connection. */
const reachMs = 15_000;
const answerLimit = 16 * 1024 * 1024;

/**
 * Asks the process that holds the SQLite ledger, over its admin channel (src/web/admin), and reads its answer. Nothing is
 * sent before the other end is authenticated: by owner and rights of the socket's folder, or by the shared key. Throws
 * CommandError: the refusal of that process, `install-no-answer` where it does not answer, `admin-unsafe` where another user
 * could answer.
 */
export async function askRunning<T>(config: Config, asked: AdminRequest, shape: z.ZodType<T>): Promise<T> {
  if (!('directory' in config.ledger)) throw new TypeError('Only a SQLite ledger is held by one process.');
  const { directory } = config.ledger;
  const socket = await reach(config, directory).catch((error: Error) => {
    throw error instanceof CommandError ? error : noAnswer(directory, error);
  });
  const { status, body } = await post(socket, JSON.stringify(asked)).catch((error: Error) => {
    throw noAnswer(directory, error);
  });
  if (status === 200) return z.object({ answer: shape }).parse(body).answer;
  const refused = refusal.safeParse(body).data;
  if (!refused) throw noAnswer(directory);
  throw new CommandError(
    refused.error,
    refused.message,
    `The process that holds ${directory} refused: ${refused.error}.`,
  );
}

/** A connection to the process that holds the ledger. */
async function reach(config: Config, directory: string): Promise<Socket> {
  const signal = AbortSignal.timeout(reachMs);
  const path = socketIn(directory);
  const found = await lstat(path).catch(() => null);
  if (found?.isSocket()) {
    const privacy = await privacyOf(directory);
    if (privacy !== 'private') throw unsafe(directory, privacy);
    const socket = connect(path);
    await once(socket, 'connect', { signal });
    return socket;
  }
  const port = portText.parse(await readFile(portFileIn(directory), 'utf8'));
  const { admin: psk } = await openSecrets(config);
  const socket = connectTls({
    ...sharedKeyTls,
    host: '127.0.0.1',
    port,
    pskCallback: () => ({ psk, identity: sharedKeyIdentity }),
    // There is no certificate.
    checkServerIdentity: () => undefined,
  });
  return once(socket, 'secureConnect', { signal }).then(
    () => socket,
    (error) => {
      // A peer that accepts and sends nothing would keep this process alive.
      socket.destroy();
      throw error;
    },
  );
}

async function post(socket: Socket, text: string): Promise<{ status: number | undefined; body: unknown }> {
  const signal = AbortSignal.timeout(patienceMs);
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const req = request({ method: 'POST', path: '/', headers, signal, createConnection: () => socket });
  req.end(text);
  const [res] = await once(req, 'response');
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of res) {
    length += part.length;
    if (length > answerLimit) throw new RangeError(`The answer is longer than ${answerLimit} bytes.`);
    parts.push(part);
  }
  return { status: res.statusCode, body: parseJson(Buffer.concat(parts).toString('utf8')) };
}

function noAnswer(directory: string, cause?: Error): CommandError {
  return new CommandError(
    'install-no-answer',
    `El registro ${directory} lo tiene otro proceso y no atiende a la terminal: si es facturapuente start, compruebe que use esta misma configuración y el mismo secret, o deténgalo y repita; si es otro comando, espere a que termine.`,
    `The process that holds the ledger in ${directory} does not answer on the admin channel; use its config and secret, or stop it and repeat.`,
    { cause },
  );
}

function unsafe(directory: string, privacy: string): CommandError {
  const [dice, says] =
    privacy === 'owner'
      ? [
          'es de otro usuario: repita el comando como su dueño (por ejemplo con «sudo -u»)',
          'belongs to another user; repeat as its owner',
        ]
      : [
          `admite a otros usuarios de esta máquina: quíteles el permiso con «chmod 700 ${directory}» y reinicie facturapuente start`,
          'is open to other users; chmod 700 it and restart the process',
        ];
  return new CommandError(
    'admin-unsafe',
    `La carpeta ${directory} ${dice}. No se envió nada.`,
    `${directory} ${says}. Nothing was sent.`,
  );
}
