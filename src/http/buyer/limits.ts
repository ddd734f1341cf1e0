import type { Request, Response } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { refuse } from '../failures.ts';
import { answerPage } from '../pages.ts';

const minute = 60_000;

/** Whoever stands before us is the proxy; what it says of others is not believed. */
const common: Partial<Options> = {
  validate: { xForwardedForHeader: false, forwardedHeader: false },
  standardHeaders: false,
  legacyHeaders: false,
};

const tooMany = (seconds: number) => (_req: Request, res: Response) => {
  res.set('Retry-After', String(seconds));
  answerPage(
    res,
    429,
    'Demasiados intentos',
    'Se hicieron demasiados intentos en poco tiempo. Espere unos minutos y vuelva a abrir el enlace.',
  );
};

/** Behind a proxy one address is everybody's, so this only keeps floods out. */
export const perAddress = (limit = 600) =>
  rateLimit({
    ...common,
    windowMs: minute,
    limit,
    keyGenerator: (req) => ipKeyGenerator(req.ip ?? ''),
    handler: tooMany(60),
  });

/** Links that nobody signed, from one address: guessing is hopeless, and soon refused. */
export const perWrongLink = (limit = 60) =>
  rateLimit({
    ...common,
    windowMs: minute,
    limit,
    keyGenerator: (req) => ipKeyGenerator(req.ip ?? ''),
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_req, res) => res.statusCode !== 404,
    handler: tooMany(60),
  });

const documentOf = (_req: Request, res: Response): string => String(res.locals.documentId);

/** Answers to one question. */
export const perQuestion = (limit = 20) =>
  rateLimit({
    ...common,
    windowMs: 10 * minute,
    limit,
    keyGenerator: documentOf,
    handler: tooMany(600),
  });

/** Names looked up for one question: each may cost the merchant money, and tells whose number it is. */
export const perName = (limit = 3) =>
  rateLimit({
    ...common,
    windowMs: 24 * 60 * minute,
    limit,
    keyGenerator: documentOf,
    handler: (_req, res) => refuse(res, 429, 'too-many', 'Escriba usted el nombre.'),
  });
