import express, { type Express } from 'express';
import { z } from 'zod';
import { CommandError, ConfigError, FacturapuenteError } from '../../domain/errors.ts';
import { accountsUnder, issuersUnder } from '../../domain/issuer-record.ts';
import { parseJson } from '../../domain/loose.ts';
import type { Installing } from '../../domain/platform.ts';
import type { Log } from '../../domain/ports.ts';
import type { Settings } from '../../domain/settings.ts';
import { confirmations } from '../../domain/shop-identity.ts';
import type { Commands, Storing } from '../../domain/storing.ts';
import type { SetupLedger } from '../../setup/health.ts';
import { answerFailure, notFound, openBodyMemory, openRawBody, refuse } from '../endpoints.ts';

const text = z.string().min(1).max(200);
/** The caller's name in the audit log. */
const by = text;
const store = z.string().min(1).max(63);
const record = { under: z.enum([issuersUnder, accountsUnder]), name: text };

/** A request of the command line to the process that holds the ledger. */
const adminRequest = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('command'), name: z.string().max(40), input: z.unknown() }),
  z.strictObject({ do: z.literal('install'), store, apply: z.boolean(), by }),
  z.strictObject({ do: z.literal('uninstall'), store, by }),
  z.strictObject({ do: z.literal('store-add'), store, raw: z.unknown(), by }),
  z.strictObject({ do: z.literal('store-remove'), store, by }),
  z.strictObject({ do: z.literal('store-confirm'), store, as: z.enum(confirmations), by }),
  z.strictObject({ do: z.literal('store-list') }),
  z.strictObject({ do: z.literal('record-get'), ...record }),
  z.strictObject({
    do: z.literal('record-put'),
    ...record,
    value: z.unknown(),
    version: z.int().min(1).nullable(),
  }),
  z.strictObject({ do: z.literal('health') }),
  z.strictObject({
    do: z.literal('write-down'),
    who: text,
    subject: store.nullable(),
    outcome: z.enum(['done', 'nothing', 'failed']),
    facts: z.record(z.string().max(40), z.unknown()),
  }),
]);
export type AdminRequest = z.input<typeof adminRequest>;

/** Bytes of one request; the largest is a store with its issuer and account. */
const bodyLimit = 64 * 1024;

export interface AdminDeps {
  settings: Pick<Settings, 'stores'>;
  installing: Installing;
  storing: Storing;
  commands: Commands;
  setupLedger: SetupLedger;
  log: Log;
}

/** `POST /` with an AdminRequest as JSON: `{ answer }`, or 409 with a code and a Spanish sentence. */
export function createAdmin(deps: AdminDeps): Express {
  const { log } = deps;
  const readBody = openRawBody(bodyLimit, openBodyMemory());
  const app = express().disable('x-powered-by').disable('etag');
  app.post('/', async (req, res) => {
    const { body } = await readBody(req, res);
    try {
      const asked = readRequest(body);
      const answer = await answerOf(deps, asked);
      log.info({ admin: asked.do }, 'A request of the command line was answered');
      res.json({ answer: answer ?? null });
    } catch (error) {
      if (!(error instanceof FacturapuenteError)) throw error;
      log.warn({ err: error }, 'A request of the command line was refused');
      refuse(res, 409, error.code, error.merchant);
    }
  });
  app.use(notFound);
  app.use(answerFailure(log));
  return app;
}

function readRequest(body: Uint8Array): z.output<typeof adminRequest> {
  const found = adminRequest.safeParse(jsonOf(body));
  if (found.success) return found.data;
  throw unreadable(z.prettifyError(found.error));
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Carries out one request of the command line. Throws FacturapuenteError. */
export async function answerOf(
  { settings, installing, storing, commands, setupLedger }: Omit<AdminDeps, 'log'>,
  asked: z.output<typeof adminRequest>,
): Promise<unknown> {
  const known = (id: string) => {
    if (!settings.stores.has(id)) throw unknownStore(id);
    return id;
  };
  switch (asked.do) {
    case 'command': {
      const answer = await commands.run(asked.name, asked.input);
      if (answer === undefined) throw unreadable(`There is no command ${asked.name}.`);
      return answer;
    }
    case 'install':
      return installing.install(known(asked.store), asked.apply, asked.by);
    case 'uninstall':
      return installing.uninstall(known(asked.store), asked.by);
    case 'store-add':
      return storing.add(asked.store, asked.raw, asked.by);
    case 'store-remove':
      return storing.remove(asked.store, asked.by);
    case 'store-confirm':
      return storing.confirm(known(asked.store), asked.as, asked.by);
    case 'store-list':
      return storing.list();
    case 'record-get':
      return setupLedger.get(asked.under, asked.name);
    case 'record-put':
      return setupLedger.put(asked.under, asked.name, asked.value, asked.version);
    case 'health':
      return setupLedger.health();
    case 'write-down': {
      const { do: _do, ...auditEntry } = asked;
      return setupLedger.writeDown(auditEntry);
    }
  }
}

function unreadable(why: string): CommandError {
  return new CommandError('versions-differ', { reason: why });
}

function unknownStore(store: string): ConfigError {
  return new ConfigError('store-unknown', { store, known: '', why: undefined });
}
