import type { Request, Response } from 'express';
import { ipKeyGenerator, type RateLimitRequestHandler, rateLimit } from 'express-rate-limit';
import PQueue from 'p-queue';

/** One guess at a time in a process: each takes 32 MB and a thread that others need. */
const line = new PQueue({ concurrency: 1 });

/** Whoever comes later would wait ten seconds and more, and cost memory meanwhile. */
const longest = 100;

/** Runs a guess at a password when those before it are through; null where too many wait already. */
export const inLine = async <T>(guess: () => Promise<T>): Promise<T | null> =>
  line.size >= longest ? null : line.add(guess);

/** Wrong passwords from one address in a minute; behind a proxy that is everybody's address. */
const wrongInAMinute = 30;

/** Tells the limit that this request brought a wrong password. */
export function markWrong(res: Response): void {
  res.locals.wrongPassword = true;
}

/** Refuses an address that guessed wrong too often; requests without a wrong password are free. */
export function limitWrong(refuse: (req: Request, res: Response) => void): RateLimitRequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: wrongInAMinute,
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_req, res: Response) => res.locals.wrongPassword !== true,
    keyGenerator: (req) => ipKeyGenerator(req.ip ?? ''),
    // Whoever stands before us is the proxy; what it says of others is not believed.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    standardHeaders: false,
    legacyHeaders: false,
    handler: (req, res: Response) => {
      res.set('Retry-After', '60');
      refuse(req, res);
    },
  });
}
