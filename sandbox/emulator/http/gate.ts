import type { RequestHandler, Response } from 'express';
import { type Account, mask } from '../accounts/accounts.ts';
import { isoInEcuador } from '../clock.ts';
import type { Operation } from '../operation.ts';
import type { World } from '../world.ts';
import { failure, send } from './answers.ts';
import type { RequestRecord } from './requests.ts';

/** Keeps what came and how it was answered, for audits; every answer is dated by the sandbox's clock. */
export function recordRequests(world: World): RequestHandler {
  return (req, res, next) => {
    res.setHeader('Date', world.clock.now().toUTCString());
    const apiKey = req.get('X-API-KEY');
    const record: RequestRecord = {
      at: isoInEcuador(world.clock.now()),
      method: req.method,
      path: req.originalUrl,
      key: apiKey === undefined ? null : mask(apiKey),
      status: null,
      body: null,
    };
    world.requests.add(record);
    res.locals.record = record;
    res.on('close', () => {
      world.requests.ended(record, res.writableFinished ? res.statusCode : 0);
    });
    next();
  };
}

/** The account whose key came with the request; set by `requireKey`. */
export function accountOf(res: Response): Account {
  return res.locals.account as Account;
}

// Company routes have no failure of their own for this: "success false and a message" (assumption A28).
export const atTheGate = (words: Operation['words']) => (words === 'emision' ? 'emision' : 'plain');

/** Lets only known API keys in (spec, "Authentication"). */
export function requireKey(world: World, { words }: Pick<Operation, 'words'>): RequestHandler {
  return (req, res, next) => {
    const key = req.get('X-API-KEY');
    const account = world.accounts.get(key ?? '');
    if (!account) {
      const sentence = key
        ? 'La clave de API no existe o ya no es válida.'
        : 'Falta la clave de API: envíela en el encabezado X-API-KEY.';
      send(res, failure(atTheGate(words), 401, sentence));
      return;
    }
    res.locals.account = account;
    next();
  };
}

/** 300 requests a minute per key, then 429 with Retry-After. */
export function limitRate(world: World, { words }: Pick<Operation, 'words'>): RequestHandler {
  return (_req, res, next) => {
    const account = accountOf(res);
    const refused = world.rateLimit.take(account.apiKey);
    if (!refused) {
      next();
      return;
    }
    res.setHeader('Retry-After', String(refused.retryAfterSeconds));
    const sentence = 'Superó las 300 solicitudes por minuto; espere antes de continuar.';
    send(res, failure(atTheGate(words), 429, sentence, { inferred: true }), account);
  };
}
