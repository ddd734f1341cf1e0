import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { z } from 'zod';
import type { Config } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { CommandError, FacturapuenteError } from '../domain/errors.ts';
import { parseJson } from '../domain/loose.ts';
import { channelOf } from '../web/admin/channel.ts';
import type { AdminRequest } from '../web/admin/requests.ts';

const refusal = z.looseObject({ error: z.string().max(100), message: z.string().max(2_000) });
/** Enough for a slow shop's installation, or the export of a month. */
const patienceMs = 5 * 60_000;
/** Enough for a busy process to accept a connection. */
const reachMs = 15_000;
const answerLimit = 16 * 1024 * 1024;

/**
 * Asks the process that holds the SQLite ledger, over its admin channel (src/web/admin), and reads its answer. Nothing is
 * sent where another user of the machine could listen. Throws CommandError: the refusal of that process,
 * `install-no-answer` where it does not answer, `admin-unsafe` and `admin-no-socket` where there can be no channel.
 */
export async function askRunning<T>(config: Config, asked: AdminRequest, shape: z.ZodType<T>): Promise<T> {
  if (!('directory' in config.ledger)) throw new TypeError('Only a SQLite ledger is held by one process.');
  const { directory } = config.ledger;
  const socket = await reach(config, directory).catch((error: Error) => {
    throw error instanceof FacturapuenteError ? error : noAnswer(directory, error);
  });
  const { status, body } = await post(socket, JSON.stringify(asked)).catch((error: Error) => {
    throw noAnswer(directory, error);
  });
  if (status === 200) return z.object({ answer: shape }).parse(body).answer;
  const refused = refusal.safeParse(body).data;
  if (!refused) throw noAnswer(directory);
  throw new CommandError(refused.error, { says: refused.message });
}

/** A connection to the process that holds the ledger. */
async function reach(config: Config, directory: string): Promise<Socket> {
  const { admin } = await openSecrets(config);
  const socket = connect(await channelOf(directory, admin));
  await once(socket, 'connect', { signal: AbortSignal.timeout(reachMs) });
  return socket;
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
  return new CommandError('admin-unavailable', { why: 'silent', directory }, { cause });
}
