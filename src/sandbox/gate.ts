import type { RequestHandler } from 'express';
import { mask } from './accounts.ts';
import { accountOf, answerFailure } from './answers.ts';
import { isoInEcuador } from './clock.ts';
import type { RequestRecord, World } from './world.ts';

const keptRequests = 20_000;

/** Keeps what came and how it was answered, for audits. */
export function recordRequests(world: World): RequestHandler {
  return (req, res, next) => {
    const apiKey = req.get('X-API-KEY');
    const record: RequestRecord = {
      at: isoInEcuador(world.clock.now()),
      method: req.method,
      path: req.originalUrl,
      key: apiKey === undefined ? null : mask(apiKey),
      status: null,
      body: null,
    };
    world.requests.push(record);
    if (world.requests.length > keptRequests) world.requests.shift();
    res.locals.record = record;
    res.on('close', () => {
      record.status = res.writableFinished ? res.statusCode : 0;
    });
    next();
  };
}

/** Lets only known API keys in (spec, "Authentication"). */
export function requireKey(world: World): RequestHandler {
  return (req, res, next) => {
    const account = world.accounts.get(req.get('X-API-KEY') ?? '');
    if (!account) {
      answerFailure(req, res, 401, 'La clave de API no es válida; envíela en el encabezado X-API-KEY.');
      return;
    }
    res.locals.account = account;
    next();
  };
}

/** 300 requests a minute per key, then 429 with Retry-After. */
export function limitRate(world: World): RequestHandler {
  return (req, res, next) => {
    const refused = world.rateLimit.take(accountOf(res).apiKey);
    if (!refused) {
      next();
      return;
    }
    res.setHeader('Retry-After', String(refused.retryAfterSeconds));
    answerFailure(req, res, 429, 'Superó las 300 solicitudes por minuto; espere antes de continuar.');
  };
}
