import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { type Html, html } from '../../core/html.ts';
import type { Person } from '../../core/people.ts';
import type { HttpDeps } from '../deps.ts';
import { limitWrong, markWrong } from '../guesses.ts';
import type { PanelAnswers } from './answers.ts';
import type { Cookies } from './cookies.ts';
import { comeFrom, isPanelPath } from './forms.ts';
import type { Framed } from './frame.ts';
import { frameWords } from './frame-words.ts';
import { isOurs } from './guard.ts';
import type { PanelSessions, SignedIn } from './sessions.ts';
import { openSignIn } from './sign-in.ts';
import type { PanelView } from './visit.ts';

interface EntryParts {
  root: string;
  cookies: Cookies;
  sessions: PanelSessions;
  people: ReadonlyMap<string, Person>;
  framedBy(req: Request, signedIn: SignedIn | null): Framed;
  answers: PanelAnswers;
}

const given = z.object({
  usuario: z.string().max(80).catch(''),
  clave: z.string().max(1_000).catch(''),
});

/** The doors that open before anybody is known: sign-in and the language. */
export function addEntry(router: Router, deps: HttpDeps, parts: EntryParts): void {
  const { root, cookies, sessions, people, framedBy, answers } = parts;
  const signIn = openSignIn(deps, people);
  const read = express.urlencoded({ extended: false, limit: 4_096, parameterLimit: 10 });
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

  const limit = limitWrong((req, res) =>
    show(req, res, { status: 429, flaw: frameWords[framedBy(req, null).language].signIn.tooMany }),
  );
  router.post('/entrar', limit, read, async (req, res) => {
    const words = frameWords[framedBy(req, null).language];
    if (!isOurs(req, deps.settings.publicUrl))
      return show(req, res, { status: 403, flaw: words.refused.forged });
    const { usuario: user, clave } = given.parse(req.body ?? {});
    const answer = await signIn(user, clave);
    if (answer.kind === 'too-many') {
      res.set('Retry-After', '900');
      return show(req, res, { status: 429, flaw: words.signIn.tooMany, user });
    }
    if (answer.kind === 'wrong') {
      markWrong(res);
      deps.log.warn({ path: req.baseUrl }, 'Somebody gave a wrong password to the panel');
      return show(req, res, { status: 401, flaw: words.signIn.wrong, user });
    }
    await sessions.begin(req, res, answer.person);
    res.redirect(303, `${root}/panel${backOf(req)}`);
  });

  router.get('/idioma/:language', (req, res) => {
    const year = 365 * 24 * 60 * 60_000;
    const language = req.params.language === 'en' ? 'en' : 'es';
    res.cookie(cookies.language, language, { ...cookies.options, maxAge: year });
    res.redirect(303, `${root}/panel${backOf(req)}`);
  });
}

/** Nobody known asks for a page, or a session ended meanwhile: first the sign-in, then what was asked for. */
export function sendSignIn(req: Request, res: Response, root: string): void {
  const asked = req.method === 'GET' && req.url !== '/' && isPanelPath(req.url) ? req.url : '';
  res.redirect(303, `${root}/panel/entrar${asked === '' ? '' : `?volver=${encodeURIComponent(asked)}`}`);
}

/** Where to go afterwards: what a form sent along, else what the address says. */
function backOf(req: Request): string {
  const fromForm = comeFrom({ ...req.body });
  if (fromForm !== '') return fromForm;
  const back = new URL(req.url, 'http://panel').searchParams.get('volver') ?? '';
  return isPanelPath(back) ? back : '';
}

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
