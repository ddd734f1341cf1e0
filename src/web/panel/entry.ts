import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { type Html, html } from '../../domain/html.ts';
import type { Person } from '../../domain/people.ts';
import { clientOf } from '../client-address.ts';
import type { HttpDeps } from '../deps.ts';
import { formReader } from '../raw-body.ts';
import { busySeconds, type SignIn, waitSeconds } from '../sign-in.ts';
import type { PanelAnswers } from './answers.ts';
import type { Cookies } from './cookies.ts';
import type { Framed } from './frame.ts';
import { frameWords } from './frame-words.ts';
import { isOurs } from './guard.ts';
import { backOf, codePath } from './second-factor/door.ts';
import type { SecondFactors } from './second-factor/factor.ts';
import type { PanelSessions, SignedIn } from './sessions.ts';
import type { PanelView } from './visit.ts';

interface EntryParts {
  root: string;
  cookies: Cookies;
  sessions: PanelSessions;
  signIn: SignIn;
  factors: SecondFactors;
  framedBy(req: Request, signedIn: SignedIn | null): Framed;
  answers: PanelAnswers;
  /** Ends a sign-in: a whole session, a known browser, an entry of the audit log. */
  enter(req: Request, res: Response, person: Person, by: 'password'): Promise<SignedIn>;
}

const given = z.object({
  usuario: z.string().max(80).catch(''),
  clave: z.string().max(1_000).catch(''),
});

/** The doors that open before anybody is known: sign-in and the language. */
export function addEntry(router: Router, deps: HttpDeps, parts: EntryParts): void {
  const { root, cookies, sessions, signIn, factors, framedBy, answers, enter } = parts;
  const read = formReader(4_096, deps.bodies, 'sign-in', 10);
  const show = (
    req: Request,
    res: Response,
    more: { status?: number; flaw?: string; user?: string } = {},
  ) => {
    const frame = framedBy(req, null);
    answers.page(res, frame, signInView(frame, { back: backOf(req), kept: cookies.kept, ...more }));
  };

  router.get('/entrar', async (req, res) => {
    if (await sessions.of(req)) return res.redirect(303, `${root}/panel${backOf(req)}`);
    show(req, res);
  });

  router.post('/entrar', read, async (req, res) => {
    const words = frameWords[framedBy(req, null).language];
    if (!isOurs(req, deps.settings.publicUrl))
      return show(req, res, { status: 403, flaw: words.refused.forged });
    const { usuario: user, clave } = given.parse(req.body ?? {});
    const answer = await signIn.check(req, user, clave);
    if (answer.kind === 'too-many') {
      res.set('Retry-After', String(waitSeconds));
      return show(req, res, { status: 429, flaw: words.signIn.tooMany, user });
    }
    if (answer.kind === 'busy') {
      res.set('Retry-After', String(busySeconds));
      return show(req, res, { status: 429, flaw: words.signIn.busy, user });
    }
    if (answer.kind === 'wrong') {
      deps.log.warn(
        { path: req.baseUrl, client: clientOf(req) },
        'Somebody gave a wrong password to the panel',
      );
      return show(req, res, { status: 401, flaw: words.signIn.wrong, user });
    }
    const { person } = answer;
    if ((await factors.stageAfterPassword(person)) === 'pending') {
      await sessions.begin(req, res, person, 'pending');
      return res.redirect(303, `${root}/panel${codePath(backOf(req))}`);
    }
    await enter(req, res, person, 'password');
    res.redirect(303, `${root}/panel${backOf(req)}`);
  });

  router.get('/idioma/:language', (req, res) => {
    const year = 365 * 24 * 60 * 60_000;
    const language = req.params.language === 'en' ? 'en' : 'es';
    res.cookie(cookies.language, language, { ...cookies.options, maxAge: year });
    res.redirect(303, `${root}/panel${backOf(req)}`);
  });
}

/** The sign-in, on the way to another page. */
export const signInPath = (asked: string): string =>
  asked === '' ? '/entrar' : `/entrar?volver=${encodeURIComponent(asked)}`;

function signInView(
  { root, language }: Framed,
  {
    back,
    kept,
    status = 200,
    flaw,
    user = '',
  }: { back: string; kept: boolean; status?: number; flaw?: string; user?: string },
): PanelView {
  const { signIn: words } = frameWords[language];
  const wrong: Html | false =
    flaw !== undefined && html`<p class="notice bad" role="alert" tabindex="-1" autofocus>${flaw}</p>`;
  return {
    title: words.title,
    status,
    body: html`${!kept && html`<p class="notice bad">${words.insecure}</p>`}${wrong}
<form class="entry" method="post" action="${root}/panel/entrar">
<input type="hidden" name="volver" value="${back}">
<label for="usuario">${words.user}</label>
<input type="text" id="usuario" name="usuario" value="${user}" maxlength="80" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="clave">${words.password}</label>
<input type="password" id="clave" name="clave" maxlength="1000" autocomplete="current-password" required>
<button type="submit">${words.submit}</button>
</form>`,
  };
}
