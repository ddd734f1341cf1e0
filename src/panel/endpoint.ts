import {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { z } from 'zod';
import { FacturapuenteError } from '../domain/errors.ts';
import { mayConfigureAll, mayDo, type Person, type Role } from '../domain/settings.ts';
import { assetsPath } from '../http/assets.ts';
import { failureOf, formReader, notFound } from '../http/endpoints.ts';
import { panelPath } from '../http/server.ts';
import { limitLines } from '../queue/transport.ts';
import { auditLogPage } from './audit-log.ts';
import { closeActions, closePage, monthPage } from './close.ts';
import { comeFrom, isPanelPath } from './components.ts';
import { documentPage, orderPage, pdfPage, xmlPage } from './document.ts';
import { findPage } from './find.ts';
import { type EntryParts, type Framed, openAnswers } from './frame.ts';
import { openSignIn } from './guesses.ts';
import { identifyAction, identifyPage } from './identify.ts';
import { newNumberAction, newNumberPage } from './new-number.ts';
import { actionsOf, pagesOf } from './operations.ts';
import { addPasswords } from './password.ts';
import { openPeople } from './people.ts';
import {
  addSecondFactor,
  codePath,
  openSecondFactor,
  type SecondFactorPolicy,
  withBack,
} from './second-factor.ts';
import { cookiesAt, entryPaths, freshMs, openSessions, type SignedIn } from './sessions.ts';
import { addSignIn } from './sign-in.ts';
import { storesPage } from './stores.ts';
import { panelAssets } from './style.ts';
import { retryGroupAction, todayPage } from './today.ts';
import { trendsPage } from './trends.ts';
import {
  openPanelDeps,
  type PanelAction,
  type PanelAnswer,
  type PanelPage,
  type PanelParts,
  type Visit,
} from './visit.ts';

/**
 * Checks session and role for every page and form, and that no other site sent a form. Answers the guard of pages
 * outside the panel, which admits people who may configure the whole installation.
 */
export function addPanel(
  app: Express,
  deps: PanelParts,
  people: readonly Person[],
  policy: SecondFactorPolicy,
): RequestHandler {
  const { publicUrl } = deps.settings;
  const root = new URL(publicUrl).pathname.replace(/\/$/, '');
  const at = (path: string) => `${root}${panelPath}${path}`;
  const cookies = cookiesAt(publicUrl);
  const known = openPeople(deps, people);
  const signIn = openSignIn(deps, known);
  const factors = openSecondFactor(deps, policy);
  const sessions = openSessions(deps, known, cookies, factors.isEnough);
  const answers = openAnswers(deps);
  const depsOf = openPanelDeps(deps);
  const warn = limitLines(deps.log.warn.bind(deps.log), () => deps.clock.now().getTime());
  const pages = [...panelPages, ...pagesOf(deps.operations.all)];
  const router = Router({ strict: false });
  app.get(`${assetsPath}/:name`, panelAssets.send);
  app.use(panelPath, router);

  const framedBy = (req: Request, signedIn: SignedIn | null): Framed => ({
    root,
    at,
    here: req.method === 'POST' ? comeFrom({ ...req.body }) : req.url === '/' ? '' : req.url,
    pages,
    person: signedIn && { ...signedIn.person, notice: null },
  });
  router.use((req, res, next) => {
    // `no-referrer` would make browsers hide the origin of the forms.
    res.set('Referrer-Policy', 'same-origin');
    if (['GET', 'HEAD'].includes(req.method) || isOurs(req, publicUrl)) return next();
    warn({ path: req.path }, 'A form from outside the panel was refused');
    answers.refuse(res, framedBy(req, null), { status: 403, why: refused.forged });
  });
  type Entry = Omit<Parameters<typeof deps.ledger.auditLog.add>[0], 'who' | 'now'>;
  const record = ({ user }: Person, entry: Entry) =>
    deps.ledger.auditLog.add({ who: `${user} (panel)`, now: deps.clock.now(), ...entry });
  async function enter(req: Request, res: Response, person: Person, by: 'password' | 'code' | 'recovery') {
    const signedIn = await sessions.begin(req, res, person, by === 'password' ? 'password' : 'code');
    signIn.remember(req, res, person);
    await record(person, { what: 'sign-in', outcome: 'done', subject: null, facts: { by } });
    return signedIn;
  }
  async function sendSignIn(req: Request, res: Response): Promise<void> {
    const asked = req.method === 'GET' && req.url !== '/' && isPanelPath(req.url) ? req.url : '';
    const path = (await sessions.pendingOf(req)) ? codePath(asked) : withBack(entryPaths.signIn, asked);
    res.redirect(303, at(path));
  }
  const shared = { at, cookies, people: known, sessions, signIn };
  const parts: EntryParts = { ...shared, answers, framedBy, enter, sendSignIn };
  addSignIn(router, deps, parts, factors);
  addSecondFactor(router, deps, parts, factors);
  addPasswords(router, deps, parts);

  const guarded =
    (role: Role, answer: (visit: Visit, req: Request) => Promise<PanelAnswer>, wantsFreshCode = false) =>
    async (req: Request, res: Response): Promise<void> => {
      const signedIn = await sessions.of(req);
      if (signedIn === null) return sendSignIn(req, res);
      const frame = framedBy(req, signedIn);
      res.locals.frame = frame;
      const visit = visitOf(req, frame, signedIn);
      if (!mayDo(signedIn.person.role, role)) {
        deps.log.warn({ path: req.path, user: visit.user }, 'The role of a person does not suffice');
        if (req.method === 'POST')
          await record(signedIn.person, { what: 'not-allowed', outcome: 'refused', subject: req.path });
        return answers.refuse(res, frame, { status: 403, why: refused.role });
      }
      const age = visit.now.getTime() - Date.parse(signedIn.beganAt);
      if (wantsFreshCode && factors.isOn && age > freshMs) {
        // Asks for the code again and returns to the form; nothing is done yet.
        await sessions.begin(req, res, signedIn.person, 'pending');
        return res.redirect(303, at(codePath(frame.here)));
      }
      await answers.send(res, { frame, signedIn, answer: await answer(visit, req) });
    };

  function visitOf(req: Request, { here }: Framed, { person }: SignedIn): Visit {
    const by = `${person.user} (panel)`;
    return {
      deps: depsOf(person, by),
      user: person.user,
      role: person.role,
      by,
      now: deps.clock.now(),
      params: req.params as Record<string, string>,
      query: new URL(req.url, 'http://panel').searchParams,
      at,
      here,
    };
  }

  const read = formReader(8_192, deps.bodies);
  for (const { path, role, show, ownPagesOnly } of pages)
    router.get(path === '' ? '/' : path, (req, res, next) => {
      if (ownPagesOnly && !isOurs(req, publicUrl)) return notFound(req, res, next);
      return guarded(role, show)(req, res);
    });
  for (const { path, role, wantsFreshCode, run } of [...panelActions, ...actionsOf(deps.operations.all)])
    router.post(
      path,
      read,
      guarded(role, (visit, req) => run(visit, { ...req.body }), wantsFreshCode),
    );
  router.post(entryPaths.signOut, async (req, res) => {
    const signedIn = (await sessions.of(req)) ?? (await sessions.pendingOf(req));
    if (signedIn) {
      await sessions.end(req, res);
      await record(signedIn.person, { what: 'sign-out', outcome: 'done', subject: null });
    }
    res.redirect(303, at(entryPaths.signIn));
  });

  router.use(async (req, res) => {
    const signedIn = await sessions.of(req);
    if (signedIn === null) return sendSignIn(req, res);
    answers.missing(res, framedBy(req, signedIn));
  });
  const failed: ErrorRequestHandler = (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const frame: Framed = res.locals.frame ?? framedBy(req, null);
    // No form of the panel sends such fields.
    if (error instanceof z.ZodError) return answers.refuse(res, frame, { status: 400, why: refused.unread });
    if (error instanceof FacturapuenteError)
      return answers.refuse(res, frame, { status: 422, why: error.merchant });
    const { status, word } = failureOf(error);
    if (word === 'failed')
      deps.log.error({ err: error, route: req.route?.path }, 'A page of the panel failed');
    answers.refuse(res, frame, { status, why: refused[word === 'failed' ? 'failed' : 'unread'] });
  };
  router.use(failed);

  return async (req, res, next) => {
    const signedIn = await sessions.of(req);
    if (signedIn === null) return res.redirect(303, at(entryPaths.signIn));
    if (mayConfigureAll(signedIn.person)) return next();
    const { user } = signedIn.person;
    deps.log.warn({ path: req.baseUrl, user }, 'The role of a person does not suffice');
    notFound(req, res, next);
  };
}

/** Decided by Sec-Fetch-Site, which pages cannot forge, else by Origin; other programs send neither. */
function isOurs({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === new URL(publicUrl).origin;
}

/** A new page is a `PanelPage` (visit.ts) named here; its forms are `actionForm`s (components.ts) of an action named below. */
export const panelPages: readonly PanelPage[] = [
  todayPage,
  findPage,
  documentPage,
  pdfPage,
  xmlPage,
  orderPage,
  storesPage,
  trendsPage,
  closePage,
  monthPage,
  identifyPage,
  newNumberPage,
  auditLogPage,
];

export const panelActions: readonly PanelAction[] = [
  retryGroupAction,
  identifyAction,
  newNumberAction,
  ...closeActions,
];

const refused = {
  forged: 'La solicitud no vino de una página abierta de este panel. Vuelva a la página e intente de nuevo.',
  role: 'Su usuario no puede hacer esto. Pídalo a quien administra facturapuente.',
  unread: 'La solicitud no se pudo leer. Vuelva a la página e intente de nuevo.',
  failed: 'Ocurrió un error interno; vuelva a intentarlo en unos minutos.',
};
