import type { Express, Request, RequestHandler, Response } from 'express';
import type { Account } from '../accounts/accounts.ts';
import type { Strike } from '../faults/faults.ts';
import { type Call, marked, type Operation, type Reply } from '../operation.ts';
import type { World } from '../world.ts';
import { failure, send, speakFor, UnreadableBody } from './answers.ts';
import { cut, deliver, disturbBefore } from './disturb.ts';
import { accountOf, limitRate, requireKey } from './gate.ts';
import { readForm } from './multipart.ts';
import { readJson } from './read-json.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Gives an operation its route: key, rate, body, handler, and whatever disturbance was asked for. */
export function mount(app: Express, world: World, operation: Operation): void {
  const gate = operation.access === 'key' ? [requireKey(world, operation), limitRate(world, operation)] : [];
  const speaks: RequestHandler = (_req, res, next) => {
    speakFor(res, world, operation);
    next();
  };
  app[operation.method](operation.path, speaks, ...gate, handler(world, operation));
}

function handler(world: World, operation: Operation): RequestHandler {
  return async (req, res) => {
    const account: Account | undefined = operation.access === 'key' ? accountOf(res) : undefined;
    const strike = world.faults.meet({
      operacion: operation.id,
      emission: operation.words === 'emision',
      apiKey: account?.apiKey,
    });
    const instead = disturbBefore(operation, strike, res);
    if (instead === 'cut') return cut(res);
    if (instead) return send(res, instead, account);
    const reply = await answer(operation, readCall(world, account, strike, req, res));
    await deliver(res, operation, reply, account, strike);
  };
}

async function answer(operation: Operation, call: Call): Promise<Reply> {
  try {
    return marked(operation, await operation.handle(call));
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    return failure(operation.words, 400, error.message, { inferred: true });
  }
}

function readCall(
  world: World,
  account: Account | undefined,
  strike: Strike,
  req: Request,
  res: Response,
): Call {
  return {
    world,
    strike,
    get account() {
      if (!account) throw new Error('A public operation has no account.');
      return account;
    },
    params: req.params as Record<string, string>,
    query: Object.fromEntries(
      Object.entries(req.query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    json() {
      const value = readJson(req);
      res.locals.record.body = withoutSecrets(value);
      return value;
    },
    async form() {
      const form = await readForm(req);
      if (form) res.locals.record.body = withoutSecrets(form.fields);
      return form;
    },
  };
}

/** What a route that does not exist answers. */
export const noRoute: RequestHandler = (req, res) => {
  const words = req.path.endsWith('/emision') ? 'emision' : 'plain';
  send(
    res,
    failure(words, 404, `La ruta ${req.method} ${req.path} no existe.`, { inferred: true }),
    res.locals.account,
  );
};
