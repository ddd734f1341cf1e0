import type { Request, RequestHandler, Response } from 'express';
import { type Options, rateLimit } from 'express-rate-limit';
import { clientOf } from '../client-address.ts';
import type { Link, Links } from '../links.ts';
import { answerPage } from '../pages.ts';

const minute = 60_000;

/** Which proxies are believed is decided once, in client-address.ts. */
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

const documentOf = (_req: Request, res: Response): string => String(res.locals.documentId);

/**
 * Reads the signature of a link before anything is limited, so that no wrong link costs a genuine one its answer: what
 * nobody signed is limited by client, a genuine link by its document. Leaves the link, or null, in `res.locals.link`.
 */
export function limitLinks(
  links: Links,
  tokenOf: (req: Request) => string,
  { wrong = 60, genuine = 120 }: { wrong?: number; genuine?: number } = {},
): RequestHandler {
  const wrongLinks = rateLimit({
    ...common,
    windowMs: minute,
    limit: wrong,
    keyGenerator: clientOf,
    handler: tooMany(60),
  });
  const genuineLinks = rateLimit({
    ...common,
    windowMs: minute,
    limit: genuine,
    keyGenerator: documentOf,
    handler: tooMany(60),
  });
  return (req, res, next) => {
    const link = links.read(tokenOf(req));
    res.locals.link = link;
    res.locals.documentId = link?.documentId;
    return link === null ? wrongLinks(req, res, next) : genuineLinks(req, res, next);
  };
}

/** What `limitLinks` left. */
export const linkOf = (res: Response): Link | null => res.locals.link ?? null;

/** Answers to one question. */
export const perQuestion = (limit = 20) =>
  rateLimit({
    ...common,
    windowMs: 10 * minute,
    limit,
    keyGenerator: documentOf,
    handler: tooMany(600),
  });
