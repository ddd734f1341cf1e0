import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { html } from '../domain/text.ts';
import type { HttpDeps } from '../http/deps.ts';
import { clientOf, formReader } from '../http/endpoints.ts';
import { type Framed, frameWords } from './frame.ts';
import { busySeconds, waitSeconds } from './guesses.ts';
import { passwordPaths, passwordWords } from './password-words.ts';
import { backOf, codePath, type EntryParts } from './second-factor.ts';
import { showFlaw } from './show.ts';
import type { PanelView } from './visit.ts';

const given = z.object({
  usuario: z.string().max(80).catch(''),
  clave: z.string().max(1_000).catch(''),
});

export function addEntry(router: Router, deps: HttpDeps, parts: EntryParts): void {
  const { root, cookies, sessions, signIn, factors, framedBy, answers, enter } = parts;
  const read = formReader(4_096, deps.bodies, 10);
  const show = (req: Request, res: Response, more: Partial<SignInForm> = {}) => {
    const frame = framedBy(req, null);
    const form = { back: backOf(req), kept: cookies.kept, isMailed: deps.mailer !== null, ...more };
    answers.page(res, frame, signInView(frame, form));
  };

  router.get('/entrar', async (req, res) => {
    if (await sessions.of(req)) return res.redirect(303, `${root}/panel${backOf(req)}`);
    show(req, res);
  });

  router.post('/entrar', read, async (req, res) => {
    const { signIn: words } = frameWords;
    const { usuario: user, clave } = given.parse(req.body ?? {});
    const person = await signIn.check(req, user, clave);
    if (person === 'too-many' || person === 'busy') {
      res.set('Retry-After', String(person === 'busy' ? busySeconds : waitSeconds));
      return show(req, res, { status: 429, flaw: words[person], user });
    }
    if (person === 'wrong') {
      deps.log.warn({ path: req.baseUrl, client: clientOf(req) }, 'A sign-in had a wrong password');
      return show(req, res, { status: 401, flaw: words.wrong, user });
    }
    if ((await factors.stageAfterPassword(person)) === 'pending') {
      await sessions.begin(req, res, person, 'pending');
      return res.redirect(303, `${root}/panel${codePath(backOf(req))}`);
    }
    await enter(req, res, person, 'password');
    res.redirect(303, `${root}/panel${backOf(req)}`);
  });
}

export const signInPath = (asked: string): string =>
  asked === '' ? '/entrar' : `/entrar?volver=${encodeURIComponent(asked)}`;

interface SignInForm {
  back: string;
  kept: boolean;
  /** Whether a person who forgot the password can ask for a letter. */
  isMailed: boolean;
  status?: number;
  flaw?: string;
  user?: string;
}

function signInView({ root }: Framed, { back, kept, isMailed, status, flaw, user }: SignInForm): PanelView {
  const { signIn: words } = frameWords;
  return {
    title: words.title,
    status,
    body: html`${!kept && html`<p class="notice bad">${words.insecure}</p>`}${showFlaw(flaw)}
<form class="entry" method="post" action="${root}/panel/entrar">
<input type="hidden" name="volver" value="${back}">
<label for="usuario">${words.user}</label>
<input type="text" id="usuario" name="usuario" value="${user}" maxlength="80" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="clave">${words.password}</label>
<input type="password" id="clave" name="clave" maxlength="1000" autocomplete="current-password" required>
<button type="submit">${words.submit}</button>
</form>
${isMailed && html`<p class="hint"><a href="${root}/panel${passwordPaths.forgotten}">${passwordWords.forgotten.link}</a></p>`}`,
  };
}
