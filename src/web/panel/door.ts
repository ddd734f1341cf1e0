import {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { z } from 'zod';
import { FacturapuenteError } from '../../domain/errors.ts';
import { html } from '../../domain/html.ts';
import { mayConfigureAll, mayDo, type Person, type Role } from '../../domain/people.ts';
import type { HttpDeps } from '../deps.ts';
import { failureOf, notFound } from '../failures.ts';
import { formReader } from '../raw-body.ts';
import { openSignIn } from '../sign-in.ts';
import { openAnswers } from './answers.ts';
import { cookiesAt, languageOf } from './cookies.ts';
import { openPanelDeps } from './deps.ts';
import { addEntry, signInPath } from './entry.ts';
import { comeFrom, isPanelPath, tokenField } from './forms.ts';
import type { Framed } from './frame.ts';
import { frameWords } from './frame-words.ts';
import { isOurs, same } from './guard.ts';
import { panelActions, panelPages } from './pages.ts';
import { addSecondFactor, codePath } from './second-factor/door.ts';
import { openSecondFactor, type SecondFactorPolicy } from './second-factor/factor.ts';
import { freshMs, openSessions, type SignedIn } from './sessions.ts';
import type { PanelAnswer, Visit } from './visit.ts';

export const panelPath = '/panel';

/**
 * `/panel`: for the people of the config. Every page and every form passes here: who it is, whether the role is enough,
 * and for forms whether a page of ours sent them. Pages themselves are data (pages.ts). Answers what guards pages of the
 * whole installation outside the panel: it lets pass who may configure everything, and leads everybody else away.
 */
export function addPanel(
  app: Express,
  deps: HttpDeps,
  people: readonly Person[],
  policy: SecondFactorPolicy,
): RequestHandler {
  const { publicUrl } = deps.settings;
  const root = new URL(publicUrl).pathname.replace(/\/$/, '');
  const cookies = cookiesAt(publicUrl);
  const known = new Map(people.map((person) => [person.user, person]));
  const signIn = openSignIn(deps, known);
  const factors = openSecondFactor(deps, policy);
  const sessions = openSessions(deps, known, cookies, factors.isEnough);
  const answers = openAnswers(deps, root);
  const depsOf = openPanelDeps(deps);
  const router = Router({ strict: false });
  app.use(panelPath, router);

  const framedBy = (req: Request, signedIn: SignedIn | null): Framed => ({
    root,
    language: languageOf(req, cookies),
    here: req.method === 'POST' ? comeFrom({ ...req.body }) : req.url === '/' ? '' : req.url,
    person: signedIn && { ...signedIn.person, csrf: signedIn.csrf, notice: null },
  });
  router.use((_req, res, next) => {
    answers.head(res);
    next();
  });
  async function enter(req: Request, res: Response, person: Person, by: 'password' | 'code' | 'recovery') {
    const signedIn = await sessions.begin(req, res, person, by === 'password' ? 'password' : 'code');
    signIn.remember(req, res, person);
    await deps.ledger.deeds.add({
      who: `${person.user} (panel)`,
      what: 'sign-in',
      subject: null,
      outcome: 'done',
      now: deps.clock.now(),
      facts: { by },
    });
    return signedIn;
  }
  /** Nobody known asks for a page, or a session ended meanwhile: first the sign-in or its code, then the page. */
  async function sendSignIn(req: Request, res: Response): Promise<void> {
    const asked = req.method === 'GET' && req.url !== '/' && isPanelPath(req.url) ? req.url : '';
    const step = (await sessions.pendingOf(req)) ? codePath(asked) : signInPath(asked);
    res.redirect(303, `${root}${panelPath}${step}`);
  }
  const parts = { root, cookies, sessions, signIn, factors, framedBy, answers, enter, sendSignIn };
  addEntry(router, deps, parts);
  addSecondFactor(router, deps, parts);

  const guarded =
    (role: Role, answer: (visit: Visit, req: Request) => Promise<PanelAnswer>, wantsFreshCode = false) =>
    async (req: Request, res: Response): Promise<void> => {
      const signedIn = await sessions.of(req);
      if (signedIn === null) return sendSignIn(req, res);
      const frame = framedBy(req, signedIn);
      res.locals.frame = frame;
      const visit = visitOf(req, frame, signedIn);
      if (req.method === 'POST' && !(isOurs(req, publicUrl) && same(req.body?.[tokenField], signedIn.csrf))) {
        deps.log.warn(
          { path: req.path, user: visit.user },
          'A form that no page of the panel sent was refused',
        );
        return answers.refuse(res, frame, 403, 'forged');
      }
      if (!mayDo(signedIn.person.role, role)) {
        deps.log.warn(
          { path: req.path, user: visit.user },
          'A page was refused to somebody who may not see it',
        );
        if (req.method === 'POST')
          await deps.ledger.deeds.add({
            who: visit.by,
            what: 'not-allowed',
            subject: req.path,
            outcome: 'refused',
            now: visit.now,
          });
        return answers.refuse(res, frame, 403, 'role');
      }
      const age = visit.now.getTime() - Date.parse(signedIn.beganAt);
      if (wantsFreshCode && factors.isOn && age > freshMs) {
        // The code again, and back to the form, where nothing was done yet.
        await sessions.begin(req, res, signedIn.person, 'pending');
        return res.redirect(303, `${root}${panelPath}${codePath(frame.here)}`);
      }
      await answers.send(res, { frame, signedIn, answer: await answer(visit, req) });
    };

  function visitOf(req: Request, { language, here }: Framed, { person, csrf }: SignedIn): Visit {
    const by = `${person.user} (panel)`;
    return {
      deps: depsOf(person, by),
      user: person.user,
      role: person.role,
      by,
      language,
      now: deps.clock.now(),
      csrf,
      params: req.params as Record<string, string>,
      query: new URL(req.url, 'http://panel').searchParams,
      at: (path) => `${root}${panelPath}${path}`,
      here,
    };
  }

  const read = formReader(8_192, deps.bodies, 'panel');
  for (const { path, role, show } of panelPages) router.get(path === '' ? '/' : path, guarded(role, show));
  for (const { path, role, wantsFreshCode, run } of panelActions)
    router.post(
      path,
      read,
      guarded(role, (visit, req) => run(visit, { ...req.body }), wantsFreshCode),
    );
  router.post('/salir', read, async (req, res) => {
    const whole = await sessions.of(req);
    const signedIn = whole ?? (await sessions.pendingOf(req));
    if (signedIn && isOurs(req, publicUrl) && same(req.body?.[tokenField], signedIn.csrf)) {
      await sessions.end(req, res);
      const who = `${signedIn.person.user} (panel)`;
      await deps.ledger.deeds.add({
        who,
        what: 'sign-out',
        subject: null,
        outcome: 'done',
        now: deps.clock.now(),
      });
    } else if (signedIn) return answers.refuse(res, framedBy(req, whole), 403, 'forged');
    res.redirect(303, `${root}${panelPath}/entrar`);
  });

  router.use(async (req, res) => {
    const signedIn = await sessions.of(req);
    if (signedIn === null) return sendSignIn(req, res);
    const frame = framedBy(req, signedIn);
    const { missing, back } = frameWords[frame.language];
    const body = html`<p>${missing.says}</p><p><a href="${root}${panelPath}">${back}</a></p>`;
    answers.page(res, frame, { status: 404, title: missing.title, body });
  });
  const failed: ErrorRequestHandler = (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const frame: Framed = res.locals.frame ?? framedBy(req, null);
    // Its fields do not fit: no form of ours sends that.
    if (error instanceof z.ZodError) return answers.refuse(res, frame, 400, 'unread');
    if (error instanceof FacturapuenteError) return answers.say(res, frame, 422, error.merchant);
    const { status, word } = failureOf(error);
    if (word === 'failed')
      deps.log.error({ err: error, route: req.route?.path }, 'A page of the panel failed');
    answers.refuse(res, frame, status, word === 'failed' ? 'failed' : 'unread');
  };
  router.use(failed);

  return async (req, res, next) => {
    const signedIn = await sessions.of(req);
    if (signedIn === null) return res.redirect(303, `${root}${panelPath}/entrar`);
    if (mayConfigureAll(signedIn.person)) return next();
    const { user } = signedIn.person;
    deps.log.warn({ path: req.baseUrl, user }, 'A page was refused to somebody who may not see it');
    notFound(req, res, next);
  };
}
